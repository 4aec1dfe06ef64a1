"""Text and numbers as people read them; all that comes from a file passes through `clean`."""

from __future__ import annotations

import re
import unicodedata

__all__ = [
    "SHORT_TITLES",
    "alike",
    "clean",
    "duration",
    "fine_duration",
    "grouped",
    "plural",
    "shortened",
    "shortened_inside",
    "signed",
    "speed",
]

# Control and format characters (escape sequences, text direction), surrogates, line separators.
UNSAFE = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))

SHORT_TITLES = {
    "captures": "captures",
    "en_passant": "e.p.",
    "castles_kingside": "O-O",
    "castles_queenside": "O-O-O",
    "castles": "castles",
    "promotions": "promotions",
    "checks": "checks",
    "discovered_checks": "disc.",
    "double_checks": "double",
    "checkmates": "mates",
    "discovered_checkmates": "disc.mates",
    "double_checkmates": "dbl.mates",
}
"""What a column of each counter is called."""

FINE_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
UNITS = ((10**9, "G"), (10**6, "M"), (10**3, "k"))


def clean(text: str) -> str:
    """Return a text without anything that a terminal could obey; it becomes visible instead."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_visible(char) for char in text)


def _visible(char: str) -> str:
    if unicodedata.category(char) not in UNSAFE:
        return char
    return char.encode("unicode_escape").decode("ascii")


def shortened(text: str, width: int, ellipsis: str = "…") -> str:
    """Return a text of at most `width` characters, which ends in `ellipsis` where it was cut."""
    if len(text) <= width:
        return text
    return text[: max(width - len(ellipsis), 0)] + ellipsis


def shortened_inside(text: str, width: int, ellipsis: str = "…") -> str:
    """Return a text of at most `width` characters, cut in the middle: names differ at the ends."""
    room = width - len(ellipsis)
    if len(text) <= width or room < 2:
        return shortened(text, width, ellipsis)
    tail = room // 2
    return text[: room - tail] + ellipsis + text[-tail:]


def alike(text: str) -> str:
    """Return a sentence without its numbers, by which those that say the same are known."""
    return re.sub("[0-9][0-9,]*", "0", text)


def grouped(number: int) -> str:
    """Return an integer with commas between the thousands."""
    return f"{number:,}"


def plural(number: int, noun: str) -> str:
    """Return a number and what it counts, as ``1 row`` or ``1,000 rows``."""
    return f"{grouped(number)} {noun}{'' if number == 1 else 's'}"


def signed(number: int) -> str:
    """Return an integer with its sign and commas between the thousands."""
    return f"{number:+,}"


def speed(nodes_per_second: int) -> str:
    """Return a speed in three figures or so, as ``1.03 Mn/s``."""
    for size, unit in UNITS:
        if nodes_per_second >= size:
            return f"{nodes_per_second / size:.3g} {unit}n/s"
    return f"{nodes_per_second} n/s"


def duration(seconds: float) -> str:
    """Return a time as ``0.012 s``, ``12.3 s``, ``2:05`` or ``1:02:05``."""
    if seconds < 9.9995:
        return f"{seconds:.3f} s"
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def fine_duration(seconds: float) -> str:
    """Return a time in three figures or so, as ``12.3 µs``, however short; long ones as above."""
    for size, unit in FINE_UNITS:
        if size * 0.9995 <= seconds < 9.9995:
            return f"{seconds / size:.3g} {unit}"
    return duration(seconds)
