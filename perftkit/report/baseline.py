"""What has changed since an earlier run, line by line, in every format that people read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from perftkit.report.details import short_id
from perftkit.report.text import clean, grouped, plural, shortened
from perftkit.verify.events import ERROR, MISMATCH, OK

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from perftkit.verify.baseline import Change, Comparison, Speed

__all__ = ["comparison_headline", "comparison_lines"]

MOST_NAMED = 20  # changes of a kind
MOST_OUTLIERS = 5
LONGEST_SPEC = 200  # characters
STATUS_WORDS = {OK: "ok", MISMATCH: "differs", ERROR: "no answer"}


def comparison_headline(comparison: Comparison) -> str:
    """Return in one line whether anything has changed for the worse or the better."""
    parts = [
        plural(comparison.new, "new failure"),
        f"{grouped(comparison.fixed)} fixed",
        f"{grouped(comparison.still)} as before",
    ]
    return clean(f"Against {comparison.baseline}: {', '.join(parts)}")


def comparison_lines(comparison: Comparison) -> list[str]:
    """Return what has changed, with the rows, after the headline."""
    lines = [
        *_other_engine(comparison),
        *_named("new", comparison.new_failures, comparison.new),
        *_named("fixed", comparison.fixed_failures, comparison.fixed),
    ]
    if comparison.changed:
        lines.append(f"{plural(comparison.changed, 'old failure')} with another number than before")
    if comparison.added:
        lines.append(f"{plural(comparison.added, 'row')} not counted then")
    if comparison.gone:
        lines.append(f"{plural(comparison.gone, 'row')} counted then and not now")
    return [clean(line) for line in [*lines, *_speed_lines(comparison.speed)]]


def _other_engine(comparison: Comparison) -> Iterator[str]:
    if comparison.engine != comparison.engine_now:
        then, now = (
            "perftkit's own generator" if spec is None else shortened(spec, LONGEST_SPEC)
            for spec in (comparison.engine, comparison.engine_now)
        )
        yield f"another engine: {then} then, {now} now"


def _named(word: str, changes: Sequence[Change], total: int) -> Iterator[str]:
    for change in changes[:MOST_NAMED]:
        row = change.row
        yield (
            f"{word}: {short_id(row)}, depth {change.depth}: {STATUS_WORDS[change.before]} then,"
            f" {STATUS_WORDS[change.after]} now ({row.file}:{row.line})"
        )
    if total > MOST_NAMED:
        yield f"{word}: and {grouped(total - MOST_NAMED)} more"


def _speed_lines(speed: Speed | None) -> Iterator[str]:
    if speed is None:
        yield "speed: too few rows take long enough to tell"
        return
    noise = f"noise {100 * (speed.noise - 1):.0f} %, {plural(speed.rows, 'row')}"
    if speed.is_beyond_noise:
        yield f"speed: {_changed(speed.ratio)} ({noise})"
    else:
        yield f"speed: as before ({noise})"
    for each in speed.outliers[:MOST_OUTLIERS]:
        yield f"speed of {short_id(each.row)}, depth {each.depth}: {_changed(each.ratio)}"
    if len(speed.outliers) > MOST_OUTLIERS:
        more = plural(len(speed.outliers) - MOST_OUTLIERS, "more row")
        yield f"speed of {more}: changed otherwise as well"


def _changed(ratio: float) -> str:
    if ratio >= 2:
        return f"{ratio:.1f} times as fast"
    if ratio >= 1:
        return f"{100 * (ratio - 1):.0f} % faster"
    if ratio > 0.5:
        return f"{100 * (1 / ratio - 1):.0f} % slower"
    return f"{1 / ratio:.1f} times slower"
