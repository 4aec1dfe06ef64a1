"""What engines print for perft, read into rows, a total and counters.

The shapes are those that real engines print. A parser is fed line by line and keeps only what it
understood, so that megabytes of anything else cost time in proportion and no memory.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from perftkit.engines.text import plain

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["MOST_DIGITS", "Output", "OutputParser", "Row", "parse_output"]

LONGEST = 400  # characters of a line that are looked at
MOST_ROWS = 4096  # far more than any position has moves; crazyhouse has a few hundred
MOST_DIGITS = 40  # of a number; longer ones are none of a generator

# A number that is not part of a time, a speed or a word: 8902, 8,902, 8_902, 8'902.
NUMBER = r"(?P<nodes>\d{1,3}(?:[,_']\d{3})+|\d+)(?!\d|[.,_']\d|[A-Za-z%µ/])"

SQUARE = r"[a-l](?:1[0-2]|[1-9])"
ANY_CASE_SQUARE = r"[a-lA-L](?:1[0-2]|[1-9])"
MOVE = (
    r"(?:"
    rf"[KQRBNPkqrbnp♔-♟]?/?{ANY_CASE_SQUARE}[-x:]?{ANY_CASE_SQUARE}"
    r"(?:[=/]?[qrbnkQRBNK]|\([qrbnQRBN]\))?"
    rf"|[A-Z]@{SQUARE}"
    r"|[O0o]-[O0o](?:-[O0o])?"
    rf"|[KQRBN♔-♟]?[a-h]?[1-8]?[x:]?[a-h][1-8](?:=?[QRBN]|\([QRBN]\))?"
    r")"
    r"(?:[+#!?]{1,2})?(?: ?e\.?p\.?(?=[ :=]))?"
)
ROW = re.compile(
    r"(?:(?:[Mm]ove ?#?)?\d{1,3}(?: ?[:.)]| (?![:=])) ?)?"
    r"(?:[Mm]ove ?: ?)?"
    rf"(?P<move>{MOVE})"
    r"(?: ?(?:-{1,2}>?|=>|→|…|\.{2,}|[:=|])+ ?| )"
    r"(?:(?:[Mm]oves|[Nn]odes|[Cc]ount|[Ll]eaves) ?[:=]? ?)?"
    rf"{NUMBER}",
)
PROMPT = re.compile(r"^\w{0,20}> ")
UNITS = r"(?:nodes?|nodos|leaves|leafs?|leaf nodes)"

LAST = 99
BARE = 98


def _ranked(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)


# In the order of how sure it is that the number is the count of leaves.
TOTALS = _ranked(
    rf"\bnodes searched\b(?: ?\([^()]*\))? ?[:=]? ?{NUMBER}",
    r"\btotal(?: (?:nodes?|moves?|leaves|leafs?|leaf nodes|positions|count))* ?[:=]?"
    rf" ?(?:nodes? ?[:=]? ?)?{NUMBER}",
    rf"\b(?:leaf ?nodes?|leafs|leaves|valid ?nodes?) ?[:=]? ?{NUMBER}",
    rf"\bnodes for depth (?P<depth>\d+) ?[:=]? ?{NUMBER}",
    rf"\bperft(?: ?\( ?(?P<depth>\d+) ?\)| (?P<depth2>\d+)) ?[:=] ?{NUMBER}",
    rf"\bperft\w* ?\([^()]*\b(?P<depth>\d+) ?\) ?[:=] ?{NUMBER}",
    rf"\bperft(?: depth)? (?P<depth>\d+) .*?\bnodes ?[:=]? ?{NUMBER}",
    rf"^(?:perft|result|test complete|perft complete) ?[:=] ?{NUMBER} {UNITS}\b",
    rf"^\W*(?:nodes|nodos|node ?count) ?[:=]? ?{NUMBER}",
    rf"^\W*{NUMBER}\W* {UNITS}\b",
    rf"\b(?:perft|result|count|nodes|leaves)\w* ?[:=] ?{NUMBER}",
    rf"[:=] ?{NUMBER} {UNITS}\b",
)
INFO = re.compile(rf"^info\b(?: depth (?P<depth>\d+)\b)?.*?\bnodes {NUMBER}", re.IGNORECASE)
INFO_STRING = re.compile(rf"^info string \W*(?:total )?nodes(?: searched)? ?[:=]? ?{NUMBER}", re.I)
SEARCHES = re.compile(r"^bestmove\b|^info\b.*\b(?:score|pv|seldepth|currmove|hashfull)\b")
TABLE_HEAD = re.compile(r"^\W*depth\W.*\b(?:nodes|leaves|perft|count)", re.IGNORECASE)
TABLE_ROW = re.compile(rf"^\W*(?P<depth>\d{{1,2}})\b[ |:.]* {NUMBER}(?P<more>[ |].*)?$")
DEPTH = re.compile(r"^\W*(?:perft |running .*?)?depth ?[:=]? ?(?P<depth>\d{1,2})$", re.IGNORECASE)
LONE = re.compile(rf"^\W*{NUMBER}\W*$")
COUNTER = re.compile(rf"^[^\w]*(?P<name>[A-Za-z][A-Za-z. -]{{1,30}}?) ?[:=]? ?{NUMBER}$")
HINTS = ("node", "perft", "total", "lea", "nodo", "depth", "result", "complete", "count")

COUNTER_NAMES = {
    "captures": ("capture", "captures", "capturenodes", "capt", "capturas", "totalcaptures"),
    "en_passant": (
        *("ep", "eps", "epnodes", "enpassant", "enpassants", "enpassantcaptures", "enpassantnodes"),
        "pealpaso",
        "peonalpaso",
    ),
    "castles": (
        *("castle", "castles", "castling", "castlings", "castlenodes", "castlingnodes"),
        "totalenroque",
    ),
    "castles_kingside": ("oo", "kingsidecastles", "shortcastles", "castleskingside"),
    "castles_queenside": ("ooo", "queensidecastles", "longcastles", "castlesqueenside"),
    "promotions": (
        *("promotion", "promotions", "promos", "promotionnodes", "promocion", "promociones"),
    ),
    "checks": ("check", "checks", "checknode", "checknodes", "jaqueenemigo", "jaques"),
    "discovered_checks": ("discoveredchecks", "discoverychecks", "discchecks"),
    "double_checks": ("doublechecks", "dblchecks"),
    "checkmates": (
        *("checkmate", "checkmates", "mate", "mates", "checkmatenode", "checkmatenodes"),
        "jaquemate",
    ),
}
COUNTERS = {name: counter for counter, names in COUNTER_NAMES.items() for name in names}


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a division: the move as the engine writes it, and the leaves under it."""

    move: str
    nodes: int


@dataclass(frozen=True, slots=True)
class Output:
    """What was understood of an engine's answer.

    Attributes:
        rows: The division, in the engine's order; a move may be there several times.
        total: The total, None without one.
        is_bare: Whether the total is a number that stood alone in a line, which can be anything.
        depth: The depth that the engine says the total is of, where it is not the one asked for.
        counts: Counters, by JSON name.
        searches: Whether it looks as if the engine had begun to think about a move.
    """

    rows: tuple[Row, ...] = ()
    total: int | None = None
    is_bare: bool = False
    depth: int | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    searches: bool = False


class OutputParser:
    """Reads what an engine prints for one question.

    Args:
        depth: The depth that was asked for.
        divide_pattern: Replaces the own pattern of a division's lines; groups ``move``, ``nodes``.
        total_pattern: Replaces the own patterns of the total; group ``nodes``.
    """

    def __init__(
        self,
        depth: int,
        *,
        divide_pattern: re.Pattern[str] | None = None,
        total_pattern: re.Pattern[str] | None = None,
    ) -> None:
        self._depth = depth
        self._divide = divide_pattern
        self._total = total_pattern
        self._rows: list[Row] = []
        self._found: dict[int, int] = {}  # what each rank of total said last
        self._other: tuple[int, int] | None = None  # depth and total of another depth
        self._context: int | None = None  # the depth that the lines before belong to
        self._table = False
        self._ladder = 0
        self._counts: dict[str, int] = {}
        self._searches = False

    @property
    def rows(self) -> int:
        """The number of lines of a division so far."""
        return len(self._rows)

    @property
    def has_total(self) -> bool:
        """Whether a total was printed that says that it is one."""
        return any(rank < BARE for rank in self._found)

    @property
    def has_bare_total(self) -> bool:
        """Whether a line was only a number."""
        return BARE in self._found

    @property
    def searches(self) -> bool:
        """Whether the engine thinks about a move instead."""
        return self._searches

    def feed(self, line: str) -> None:
        """Take a line."""
        line = plain(line[:LONGEST]).rstrip()
        if self._divide is not None and (found := self._divide.search(line)):
            self._add_row(found["move"] or "", found["nodes"] or "")
            return
        if self._total is not None and (found := self._total.search(line)):
            self._add_total(0, found["nodes"] or "", None)
            return
        text = PROMPT.sub("", " ".join(line.split()))
        if text and (text[-1].isdigit() or any(map(str.isdigit, text))):
            self._read(text)
        elif text and TABLE_HEAD.match(text):
            self._table = True
        elif text.startswith("bestmove"):
            self._searches = True

    def result(self) -> Output:
        """Return what was understood so far."""
        total, is_bare, depth = None, False, None
        if self._found:
            rank = min(self._found)
            total, is_bare = self._found[rank], rank == BARE
        elif self._other is not None:
            depth, total = self._other
        return Output(tuple(self._rows), total, is_bare, depth, dict(self._counts), self._searches)

    def _read(self, text: str) -> None:
        if text.startswith("info"):
            self._read_info(text)
        elif self._divide is None and (found := ROW.match(text)):
            self._add_row(found["move"], found["nodes"])
        elif self._total is None and self._read_total(text):
            return
        else:
            self._read_counter(text)

    def _read_info(self, text: str) -> None:
        if text.startswith("info string"):
            if self._total is None and (found := INFO_STRING.match(text)):
                self._add_total(LAST - 10, found["nodes"], None)
        elif SEARCHES.match(text):
            self._searches = True
        elif self._total is None and (found := INFO.match(text)):
            self._add_total(len(TOTALS), found["nodes"], found["depth"])

    def _read_total(self, text: str) -> bool:
        if found := DEPTH.match(text):
            self._context = int(found["depth"])
            return True
        if TABLE_HEAD.match(text):
            self._table = True
            return True
        low = text.lower()
        if any(hint in low for hint in HINTS):
            for rank, pattern in enumerate(TOTALS):
                if found := pattern.search(text):
                    groups = found.groupdict()
                    self._add_total(
                        rank, found["nodes"], groups.get("depth") or groups.get("depth2")
                    )
                    return True
        if found := LONE.match(text):
            self._add_total(BARE, found["nodes"], None)
            return True
        return self._read_table_row(text)

    def _read_table_row(self, text: str) -> bool:
        """Read a line of a table with one line for each depth."""
        found = TABLE_ROW.match(text)
        if found is None:
            return False
        depth = int(found["depth"])
        if not self._table and depth != self._ladder + 1:
            return False
        self._ladder = depth
        self._add_total(len(TOTALS) + 1, found["nodes"], found["depth"])
        return True

    def _add_total(self, rank: int, digits: str, said: str | None) -> None:
        value = _number(digits)
        if value is None:
            return
        depth = int(said) if said and len(said) < 4 else self._context
        if depth is not None and depth != self._depth:
            self._other = (depth, value)
            if depth < self._depth:
                # One block for each depth: these rows were those of a lower one.
                self._rows.clear()
            return
        self._found[rank] = value

    def _add_row(self, move: str, digits: str) -> None:
        value = _number(digits)
        if value is not None and len(self._rows) < MOST_ROWS:
            self._rows.append(Row(move, value))

    def _read_counter(self, text: str) -> None:
        found = COUNTER.match(text)
        if found is None:
            return
        name = re.sub("[^a-z]", "", found["name"].lower())
        value = _number(found["nodes"])
        if name in COUNTERS and value is not None:
            self._counts[COUNTERS[name]] = value


def parse_output(
    text: str | Sequence[str],
    depth: int,
    *,
    divide_pattern: re.Pattern[str] | None = None,
    total_pattern: re.Pattern[str] | None = None,
) -> Output:
    """Read all that a program printed, as `OutputParser` does."""
    parser = OutputParser(depth, divide_pattern=divide_pattern, total_pattern=total_pattern)
    for line in text.splitlines() if isinstance(text, str) else text:
        parser.feed(line)
    return parser.result()


def _number(digits: str) -> int | None:
    digits = re.sub("[,_']", "", digits)
    if not digits.isdecimal() or len(digits) > MOST_DIGITS:
        return None
    return int(digits)
