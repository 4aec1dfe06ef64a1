"""Counting leaves, with the bugs that counting itself can have."""

from __future__ import annotations

from zlib import crc32

from planted.board import MEN, Move
from planted.generator import Generator

OVERFLOW_FROM = 1000
KEYS = 1 << 12
UNSIGNED_32 = 1 << 32
KNIGHTS_AS_BISHOPS = str.maketrans("Nn", "Bb")

Key = tuple[object, ...]


class Counter(Generator):
    """A generator that counts the leaves of its own tree, making and taking back every move."""

    def __init__(self, bug: str = "", color: str = "both") -> None:
        super().__init__(bug, color)
        self.bug = bug
        self.table: dict[Key, int] = {}
        # Leaves are made and taken back too where that is what goes wrong.
        self.bulk = not bug.startswith("unmake-")

    def divide(self, depth: int) -> list[tuple[str, int]]:
        """Return the leaves under each move, in the order of generation."""
        self.table.clear()
        return [(self.text(move), self._count_below(move, depth)) for move in self.legal_moves()]

    def perft(self, depth: int) -> int:
        """Return the number of leaves, 1 or more plies deep."""
        key = self._key(depth)
        if key is not None and key in self.table:
            return self.table[key]
        total = self._count(depth)
        if key is not None:
            self.table[key] = total
        return total

    def _count(self, depth: int) -> int:
        moves = self.legal_moves()
        bug = self.active[self.turn]
        if not moves and bug == "count-finished-games":
            return 1
        if depth == 1 and self.bulk and bug != "count-checks-twice":
            return len(moves)
        return sum(self._count_below(move, depth) for move in moves)

    def _count_below(self, move: Move, depth: int) -> int:
        us = self.turn
        bug = self.active[us]
        if depth == 1 and self.bulk and bug != "count-checks-twice":
            return 1
        self.make(move)
        if depth == 1:
            leaves = 2 if bug == "count-checks-twice" and self._gave_check(us) else 1
        else:
            leaves = self.perft(depth - 1) + (bug == "count-inner-nodes")
        self.unmake()
        if bug == "count-in-32-bits" and leaves > OVERFLOW_FROM:
            leaves += UNSIGNED_32
        return leaves

    def _gave_check(self, us: int) -> bool:
        king = self.kings[1 - us]
        return king >= 0 and self.squares[king] == MEN[1 - us][5] and bool(self.attackers(king, us))

    def _key(self, depth: int) -> Key | None:
        """What a hash table with too small a key tells apart, None without a table."""
        if not self.bug.startswith("hash-"):
            return None
        squares = "".join(self.squares)
        position = (squares, self.turn, self.rights, self.ep)
        return {
            "hash-key-too-short": (crc32(repr(position).encode()) % KEYS, depth),
            "hash-forgets-underpromotions": (
                squares.translate(KNIGHTS_AS_BISHOPS),
                *position[1:],
                depth,
            ),
            "hash-forgets-rights": (squares, self.turn, self.ep, depth),
            "hash-forgets-en-passant": (squares, self.turn, self.rights, depth),
            "hash-forgets-the-depth": position,
        }[self.bug]
