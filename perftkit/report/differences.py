"""What differs in one row: expected and counted numbers, and what they point to."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from perftkit.report.text import SHORT_TITLES, grouped, signed

if TYPE_CHECKING:
    from perftkit.report.console import Terminal
    from perftkit.verify.events import Outcome

__all__ = ["write_differences", "write_disputed"]

HINT = "hint: "
FULL_WIDTH = 76  # characters of a difference in columns


def write_differences(terminal: Terminal, outcome: Outcome) -> None:
    """Write every number that is not as expected, and the hints."""
    for difference in outcome.differences:
        title = SHORT_TITLES.get(difference.name, difference.name)
        if terminal.width < FULL_WIDTH:
            terminal.write(
                f"  {title}: ",
                (grouped(difference.got), "red"),
                f", not {grouped(difference.expected)} (",
                (signed(difference.delta), "bold red"),
                ")",
            )
            continue
        terminal.write(
            f"  {title:<11} expected {grouped(difference.expected):>15}  got ",
            (f"{grouped(difference.got):>15}", "red"),
            "  difference ",
            (signed(difference.delta), "bold red"),
        )
    for hint in outcome.hints:
        first, *rest = textwrap.wrap(hint, max(terminal.width - len(HINT) - 3, 20))
        terminal.write("  ", (HINT, "bold yellow"), first)
        for text in rest:
            terminal.write(" " * (len(HINT) + 2), text)


def write_disputed(terminal: Terminal, outcome: Outcome, counted: int) -> None:
    """Write that the row and the reference contradict each other."""
    row = outcome.row
    terminal.write(
        ("THE SUITE IS DISPUTED: ", "bold red"),
        (
            f"{row.file}:{row.line} says {grouped(outcome.expected_nodes or 0)} at depth"
            f" {outcome.depth}, and perftkit's own generator counts {grouped(counted)}; one of"
            " the two is wrong, whatever the engine says",
            "red",
        ),
    )
