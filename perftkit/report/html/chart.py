"""How long the rows of a run took and how fast they were counted, as pictures of a bounded size."""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from perftkit.report.details import is_failure, short_id
from perftkit.report.html.elements import add, element
from perftkit.report.html.page import section
from perftkit.report.text import fine_duration, plural, speed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from xml.etree.ElementTree import Element

    from perftkit.verify.events import Outcome

__all__ = ["Timings"]

MOST_POINTS = 400  # of a chart
MOST_BARS = 10
LEFT = 13.0  # per cent of the width, for what stands at the axis
TOP, BOTTOM = 8.0, 166.0  # of the plot, in pixels


@dataclass(slots=True)
class Point:
    """Some rows that follow each other.

    Attributes:
        name: The slowest of them.
        slowest: Its time in seconds.
        rows: How many they are.
        nodes: Leaves of all.
        seconds: Time of all.
        failed: Whether one of them failed.
    """

    name: str
    slowest: float
    rows: int
    nodes: int
    seconds: float
    failed: bool

    @property
    def mean(self) -> float:
        """Return the seconds that a row took."""
        return self.seconds / self.rows

    @property
    def nps(self) -> float:
        """Return the nodes a second."""
        return self.nodes / self.seconds

    def take(self, other: Point) -> None:
        """Add the rows that come next."""
        if other.slowest > self.slowest:
            self.name, self.slowest = other.name, other.slowest
        self.rows += other.rows
        self.nodes += other.nodes
        self.seconds += other.seconds
        self.failed = self.failed or other.failed


class Timings:
    """Collects the times of rows in the memory of a few hundred.

    Where there are more rows than points, a point stands for several rows that follow each other:
    for two, then four, as more come.
    """

    def __init__(self) -> None:
        self._points: list[Point] = []
        self._rows_of_a_point = 1
        self._slowest: list[tuple[float, int, Point]] = []
        self._rows = 0

    def add(self, outcome: Outcome) -> None:
        """Add a row, if it was counted."""
        if not outcome.nodes or outcome.seconds <= 0:
            return
        name = f"{short_id(outcome.row)}, depth {outcome.depth}"
        seconds = outcome.seconds
        point = Point(name, seconds, 1, outcome.nodes, seconds, is_failure(outcome))
        self._keep_slow(replace(point))
        if self._points and self._points[-1].rows < self._rows_of_a_point:
            self._points[-1].take(point)
            return
        if len(self._points) == MOST_POINTS:
            self._halve()
        self._points.append(point)

    def _keep_slow(self, point: Point) -> None:
        self._rows += 1
        entry = (point.seconds, -self._rows, point)
        if len(self._slowest) < MOST_BARS:
            heapq.heappush(self._slowest, entry)
        else:
            heapq.heappushpop(self._slowest, entry)

    def _halve(self) -> None:
        pairs = zip(self._points[::2], self._points[1::2], strict=True)
        self._points = []
        for first, second in pairs:
            first.take(second)
            self._points.append(first)
        self._rows_of_a_point *= 2

    def section(self) -> Element | None:
        """Return the charts; None when nothing was timed."""
        if not self._points:
            return None
        each = (
            "a dot a row, in the order of the suite"
            if self._rows_of_a_point == 1
            else f"a dot for {plural(self._rows_of_a_point, 'row')} that follow each other"
        )
        charts = [
            _chart("Time per row", each, self._points, lambda point: point.mean, fine_duration),
            _chart("Nodes a second", each, self._points, lambda point: point.nps, _speed),
            self._bars(),
        ]
        return section("Time and speed", element("div", *charts, class_="charts"), id="speed")

    def _bars(self) -> Element:
        slowest = [point for *_, point in sorted(self._slowest, reverse=True)]
        longest = slowest[0].seconds
        bars = element("ol", class_="bars")
        for point in slowest:
            share = max(point.seconds / longest * 100, 0.5)
            bars.append(
                element(
                    "li",
                    element(
                        "div",
                        element("span", point.name),
                        element("span", f"{fine_duration(point.seconds)}, {_speed(point.nps)}"),
                        class_="name",
                    ),
                    element(
                        "svg",
                        element("rect", width=f"{share:.1f}%", height=5),
                        aria_hidden="true",
                    ),
                    class_="bad" if point.failed else None,
                )
            )
        title = "The slowest rows" if self._rows > len(slowest) else "All rows by their time"
        share = sum(point.seconds for point in slowest) / self._total() * 100
        note = f"{share:.0f} % of the time of {plural(self._rows, 'row')}"
        caption = element("figcaption", title, element("small", note))
        return element("figure", caption, bars, class_="chart")

    def _total(self) -> float:
        return sum(point.seconds for point in self._points)


def _chart(
    title: str,
    note: str,
    points: Sequence[Point],
    value: Callable[[Point], float],
    worded: Callable[[float], str],
) -> Element:
    """Return points over the order of the rows, on a scale of decades."""
    values = [value(point) for point in points]
    low, high = _decades(min(values), max(values))
    made = element("svg", role="img", aria_label=f"{title}: {_range(values, worded)}")
    for decade in range(low, high + 1):
        y = _height(10.0**decade, low, high)
        add(
            made,
            element("line", x1=f"{LEFT}%", x2="100%", y1=f"{y:.1f}", y2=f"{y:.1f}"),
            element(
                "text",
                worded(10.0**decade),
                x=f"{LEFT - 1.5}%",
                y=f"{y + 4:.1f}",
                text_anchor="end",
            ),
        )
    for index, (point, height) in enumerate(zip(points, values, strict=True)):
        x = LEFT + 1 + (98 - LEFT) * (index + 0.5) / len(points)
        made.append(
            element(
                "circle",
                element("title", _told(point)),
                class_="dot bad" if point.failed else "dot",
                cx=f"{x:.2f}%",
                cy=f"{_height(height, low, high):.1f}",
                r=2.6,
            )
        )
    add(
        made,
        element("text", "first row", x=f"{LEFT}%", y=BOTTOM + 20),
        element("text", "last row", x="100%", y=BOTTOM + 20, text_anchor="end"),
    )
    caption = element("figcaption", title, element("small", f"{_range(values, worded)}; {note}"))
    return element("figure", caption, made, class_="chart")


def _decades(least: float, most: float) -> tuple[int, int]:
    """Return the powers of ten between which all values are."""
    low, high = math.floor(math.log10(least)), math.ceil(math.log10(most))
    return low, max(high, low + 1)


def _height(value: float, low: int, high: int) -> float:
    return BOTTOM - (math.log10(value) - low) / (high - low) * (BOTTOM - TOP)


def _range(values: Sequence[float], worded: Callable[[float], str]) -> str:
    least, most = worded(min(values)), worded(max(values))
    return least if least == most else f"{least} to {most}"


def _told(point: Point) -> str:
    name = point.name
    if point.rows > 1:
        name = f"{plural(point.rows, 'row')}, the slowest {point.name}"
    counted = f"{plural(point.nodes, 'node')} in {fine_duration(point.seconds)}"
    return f"{name}: {counted}, {_speed(point.nps)}"


def _speed(nps: float) -> str:
    return speed(int(nps))
