"""The slow check, by hand: every bug is walked down from several rows of the suite.

    PYTHONPATH=tests python -m planted.sweep [ROWS] [BUG…]

Prints how often each rule was named, and the evidence where it is none that the bug allows.
"""

from __future__ import annotations

import sys
from collections import Counter as Tally

from perftkit.verify.diagnose import diagnose
from perftkit.verify.walk import result_of, walk
from planted.bugs import BUGS
from planted.engine import PlantedEngine
from planted.material import CASES, Row, rows_of

MOST_NODES = 300_000


def failing(name: str, color: str, most: int) -> list[Row]:
    """Return the cheapest rows that notice a bug, one a position."""
    engine = PlantedEngine(name, color)
    found: dict[str, Row] = {}
    for row in rows_of(BUGS[name].suite):
        if engine.nodes > MOST_NODES or len(found) == most:
            break
        if row.fen not in found and engine.ask(row.question()).nodes != row.nodes:
            found[row.fen] = row
    return list(found.values())


def main(most: int, names: list[str]) -> None:
    wrong = 0
    for name, color in CASES:
        if names and name not in names:
            continue
        rules: Tally[str] = Tally()
        for row in failing(name, color, most):
            walked = walk(PlantedEngine(name, color), row.fen, row.depth, chess960=row.chess960)
            evidence = result_of(walked).first_wrong
            diagnosis = None if evidence is None else diagnose(evidence)
            rules["nothing" if diagnosis is None else diagnosis.rule] += 1
            if diagnosis is None or diagnosis.rule not in BUGS[name].rules:
                wrong += 1
                print(f"! {row}\n  {evidence}\n  {diagnosis}")
        print(name, color, *(f"{rule} {count}" for rule, count in rules.most_common()), flush=True)
    print(f"{wrong} named otherwise")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 8, sys.argv[2:])
