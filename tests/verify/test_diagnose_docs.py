"""The page about the diagnosis: every rule is on it, and every example is true."""

from __future__ import annotations

import re
from pathlib import Path

import diagnose_oracle as bugs
import pytest

from perftkit.verify.diagnose import RULES, diagnose

PAGE = Path(__file__).parents[2] / "docs" / "diagnosis.md"
TEXT = PAGE.read_text(encoding="utf-8")
PARAGRAPHS = dict(re.findall(r"^\*\*`([a-z-]+)`\*\*: (.*?)(?=\n\n)", TEXT, re.M | re.S))
EXAMPLE = re.compile(r"`([^`]+ [wb] [^`]+)`((?:\s+`[+-][a-h1-8qrbn]+`)+)")


def examples():
    for rule, paragraph in PARAGRAPHS.items():
        for fen, moves in EXAMPLE.findall(paragraph):
            yield pytest.param(rule, fen, re.findall(r"[+-]\w+", moves), id=f"{rule} {fen}")


def test_every_rule_has_a_paragraph_and_no_other_has():
    assert set(PARAGRAPHS) - {"certain", "likely"} == set(RULES)


def test_there_is_an_example_for_every_rule_about_moves():
    shown = {example.values[0] for example in examples()}
    without = {
        "castling-rights",
        "make-unmake",
        "duplicate-move",
        "move-list-overflow",
        "count-only",
        "unknown",
    }
    assert shown == set(RULES) - without


@pytest.mark.parametrize(("rule", "fen", "moves"), list(examples()))
def test_an_example(rule, fen, moves):
    board = bugs.board_of(fen)
    claimed = bugs.legal(board)
    for move in moves:
        assert (move[1:] in claimed) == (move[0] == "-")
    claimed = claimed.symmetric_difference(move[1:] for move in moves)
    assert diagnose(bugs.evidence_of(board, claimed)).rule == rule


def test_the_rules_of_the_tables_exist():
    rows = [line for line in TEXT.splitlines() if line.startswith("| ")]
    named = {name for row in rows for name in re.findall(r"`([a-z-]+)`", row.split("|")[3])}
    assert named <= set(RULES)
    assert len(rows) > 50
