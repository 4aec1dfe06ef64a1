"""The table of README.md: `python -m planted.table` prints it."""

from __future__ import annotations

from planted.bugs import BUGS, Bug

HEAD = """\
| bug | where | what is wrong | rule | or | seen in the wild as |
| --- | --- | --- | --- | --- | --- |
"""


def table() -> str:
    """Return the bugs as a table in Markdown."""
    return HEAD + "".join(f"{_row(bug)}\n" for bug in BUGS.values())


def _row(bug: Bug) -> str:
    where = bug.place + (", Chess960" if bug.suite != "perft_positions" else "")
    others = "; ".join(f"`{rule}`: {reason}" for rule, reason in bug.also.items())
    cells = [f"`{bug.name}`", where, bug.sentence, f"`{bug.rule}`", others, bug.catalogue]
    return f"| {' | '.join(cells)} |".replace("  ", " ")


if __name__ == "__main__":
    print(table(), end="")
