"""How long a count will take, before it begins, where that is too long to wait for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from perftkit.core.perft import perft
from perftkit.report.text import plural

if TYPE_CHECKING:
    from collections.abc import Iterator

    from perftkit.core.position import Position
    from perftkit.report.console import Terminal

__all__ = ["Forecast", "forecast", "noted"]

LONG = 60.0  # seconds that a person at a terminal is told of
VERY_LONG = 86400.0  # the same where nobody looks
ENOUGH = 0.01  # seconds of a count from which the speed can be seen
SHALLOW = 6  # plies that are never too long

FOR_EVER, MOST = "millions of years", 1_000_000
UNITS = (("year", 365 * 86400), ("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1))


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a count is expected to take.

    Attributes:
        nodes: How many leaves it has, roughly.
        seconds: How long that takes here, roughly.
        within: The deepest depth that takes at most a minute or so.
    """

    nodes: float
    seconds: float
    within: int


def forecast(position: Position, depth: int, *, method: str, threads: int) -> Forecast | None:
    """Return what a count is expected to take, None if it is over before that can be said.

    It is found by counting what takes a few hundredths of a second.
    """
    if depth <= SHALLOW:
        return None
    counted: list[int] = []
    seconds = 0.0
    while seconds < ENOUGH and len(counted) < depth:
        result = perft(position, len(counted) + 1, method=method, threads=threads)
        seconds = result.seconds
        if not result.nodes:
            return None
        counted.append(result.nodes)
    if len(counted) == depth or len(counted) < 3 or not seconds:
        return None
    growth = max((counted[-1] / counted[-3]) ** 0.5, 1.0)
    each = [seconds * growth**more for more in range(depth - len(counted) + 1)]
    within = len(counted) + sum(took <= LONG for took in each) - 1
    return Forecast(counted[-1] * growth ** (depth - len(counted)), each[-1], within)


def noted(
    results: Iterator[Any],
    terminal: Terminal,
    position: Position,
    depth: int,
    *,
    method: str,
    threads: int,
) -> Iterator[Any]:
    """Yield what a count yields, after a note to the terminal if it will be long."""
    found = forecast(position, depth, method=method, threads=threads)
    if found is not None and found.seconds > (LONG if terminal.is_terminal else VERY_LONG):
        terminal.write(
            ("note: ", "bold yellow"),
            f"depth {depth} has about {_rough(found.nodes)} nodes here, which take about"
            f" {_time(found.seconds)}; --depth {found.within} takes a minute at most, --hash 1024"
            " counts only once what is reached twice, and Ctrl-C shows what there is by then",
        )
        terminal.flush()
    yield from results


def _rough(number: float) -> str:
    """Return the order of magnitude of a number, as ``3e21``."""
    digits, _, exponent = f"{number:.0e}".partition("e+")
    return f"{digits}e{int(exponent)}"


def _time(seconds: float) -> str:
    for name, size in UNITS:
        if seconds >= 2 * size:
            return (
                plural(int(float(f"{seconds / size:.1e}")), name)
                if seconds / size < 1e6
                else FOR_EVER
            )
    return "a second"
