"""The walk: from a position where an engine counts wrongly to the first one that shows why.

The root is asked at depth 1, 2, ... until an answer differs. That is the cheapest order: the last
question costs more than all before it together, and an engine that is wrong at depth 3 is never
asked for depth 6. It also gives the shallowest mistake: where everything agrees up to depth d - 1,
whatever is wrong at depth d happens in its last ply, so each move whose count differs leads to a
position that is first wrong at depth d - 1 exactly, and one question a level is enough to go down.
Of several such moves the one that leads to the simplest position is taken: the fewest men, then
the fewest leaves, which is also the cheapest to ask.

Below the root every position is asked twice where the engine can play moves: as a FEN, and as the
root's FEN with the moves. A generator that is wrong is wrong both ways. One that is right by FEN
and wrong by moves has a position that moves have spoilt; the walk follows the moves then, and
drops as many of the first ones as it can. One that is right both ways, and wrong only inside the
count from the position before, spoils it while it searches: it fails to take a move back, or the
count itself is wrong.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING

from perftkit.core.perft import BOTH, perft
from perftkit.core.position import KIWIPETE, STARTPOS, Position
from perftkit.engines import Question
from perftkit.engines.dialogue import StaleAnswerError
from perftkit.errors import EngineError
from perftkit.verify.compare import Comparison, compare_answer
from perftkit.verify.diagnosis import Evidence
from perftkit.verify.events import ERROR, MISMATCH, OK
from perftkit.verify.rules.board import placement, square_of

if TYPE_CHECKING:
    from collections.abc import Generator as Generation
    from collections.abc import Iterator, Mapping, Sequence

    from perftkit.engines import Answer, PerftEngine

__all__ = [
    "Asked",
    "Disputed",
    "FailedAt",
    "Reached",
    "WalkEvent",
    "WalkLimits",
    "WalkResult",
    "judged",
    "reference_children",
    "result_of",
    "simplicity",
    "suspects",
    "walk",
]

NUMBERS = re.compile("[0-9]+")
MOST_FAILING = 200  # questions about where an engine that fails does so
SLOWEST_FAILURE = 5.0  # seconds that a failure may take if it is to be looked for again
MOST_CHILDREN = 4  # that are right by themselves before the count above them is to blame
MOST_NODES_TWICE = 2_000_000  # a count that ends a walk is repeated by the other method up to here
MOST_GUESSED = 2  # missing moves that are looked for by an engine's totals alone


@dataclass(frozen=True, slots=True)
class Asked:
    """The engine answered a question of the walk.

    Attributes:
        fen: The position that was counted.
        path: The moves from the root to it.
        depth: Plies.
        by_moves: Whether the engine was given the root and the moves, rather than the FEN.
        expected: Leaves that the reference counts.
        nodes: Leaves that the engine counts.
        differing: How many moves differ; 0 too for an engine that prints totals alone.
        agrees: Whether the answer is right.
        seconds: How long the answer took.
    """

    fen: str
    path: tuple[str, ...]
    depth: int
    by_moves: bool
    expected: int
    nodes: int
    differing: int
    agrees: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class Reached:
    """The walk goes on from this position, which the engine counts wrongly.

    Attributes:
        fen: The position.
        path: The moves from the root to it.
        depth: The depth at which it is wrong.
    """

    fen: str
    path: tuple[str, ...]
    depth: int


@dataclass(frozen=True, slots=True)
class Disputed:
    """The reference and the published number differ: neither says anything about the engine.

    Attributes:
        fen: The position.
        depth: Plies.
        published: What the suite says.
        counted: What the reference counts.
    """

    fen: str
    depth: int
    published: int
    counted: int

    def __str__(self) -> str:
        return (
            f"the published number and perftkit's own generator disagree at depth {self.depth} of"
            f" {self.fen}: published {self.published}, counted {self.counted}; one of the two is"
            " wrong, whatever the engine says"
        )


@dataclass(frozen=True, slots=True)
class FailedAt:
    """The smallest question that was found which the engine fails to answer.

    Attributes:
        fen: The position.
        path: The moves from the root to it.
        depth: Plies.
        error: What the engine fails with there.
        is_slow: Whether it takes so long to fail that no smaller position was looked for.
    """

    fen: str
    path: tuple[str, ...]
    depth: int
    error: str
    is_slow: bool = False


@dataclass(frozen=True, slots=True)
class WalkResult:
    """What a walk found; always the last event.

    Attributes:
        verdict: `OK`, `MISMATCH`, or `ERROR` when the engine failed or nothing was compared.
        depth: The depth of the root at which the engine differs, else the deepest one that was
            compared; 0 when there was no answer.
        answer: What the engine said at the root at that depth; None without an answer.
        expected: The right leaves under each move of the root at that depth.
        comparison: The two compared; None without an answer.
        first_wrong: The first wrong position, as far down as the walk came; None when all agrees.
        questions: How many questions the engine was asked.
        seconds: How long its answers took.
        error: What the engine failed with.
        failed_at: Where it fails, as far down as that could be followed; None otherwise.
        stopped: Why the walk ended early: a limit; None otherwise.
        disputed: Where the reference and the published numbers differ.
        remarks: What else the user should know, in sentences.
    """

    verdict: str
    depth: int = 0
    answer: Answer | None = None
    expected: Mapping[str, int] = field(default_factory=dict)
    comparison: Comparison | None = None
    first_wrong: Evidence | None = None
    questions: int = 0
    seconds: float = 0.0
    error: str | None = None
    failed_at: FailedAt | None = None
    stopped: str | None = None
    disputed: tuple[Disputed, ...] = ()
    remarks: tuple[str, ...] = ()


WalkEvent = Asked | Reached | Disputed | WalkResult


@dataclass(frozen=True, slots=True)
class WalkLimits:
    """Where a walk stops although nothing differs, or although it is not at the end.

    Attributes:
        max_nodes: The root is not asked for more leaves than that; None for no limit.
        deadline: By `time.monotonic`, when to ask nothing more; None for no limit.
    """

    max_nodes: int | None = None
    deadline: float | None = None


NO_LIMITS = WalkLimits()


def walk(
    engine: PerftEngine,
    position: Position | str,
    depth: int,
    *,
    moves: Sequence[str] = (),
    chess960: bool | None = None,
    published: Mapping[int, int] | None = None,
    before: Sequence[str] = (),
    limits: WalkLimits = NO_LIMITS,
) -> Iterator[WalkEvent]:
    """Yield what happens on the way to the first wrong position, the result last.

    An engine that fails ends the walk with a result whose verdict is `ERROR`; what was found
    before is in it.

    Args:
        engine: Who is asked.
        position: The root, or its FEN. It is not changed.
        depth: How deep to look, 1 to 64 plies.
        moves: Played from the root first, as UCI text.
        chess960: For a FEN, as in `Position`.
        published: The known leaves of the position after `moves` by depth, to be compared with
            the reference.
        before: FENs that the engine was asked for earlier, which it may still be answering for.
        limits: Where to stop.

    Raises:
        FenError: The FEN is malformed or its position breaks the rules.
        MoveError: One of the moves is not legal.
        DisagreementError: The two methods of the reference count the last position differently.
        KeyboardInterrupt: Ctrl-C.
    """
    root = position if isinstance(position, Position) else Position(position, chess960=chess960)
    walker = _Walker(engine, published or {}, [*before, STARTPOS, KIWIPETE], limits)
    return walker.walk(_Place.at(root.copy(), tuple(moves)), depth)


def result_of(events: Iterator[WalkEvent]) -> WalkResult:
    """Return what a walk ends with."""
    result = WalkResult(ERROR)
    for event in events:
        if isinstance(event, WalkResult):
            result = event
    return result


def simplicity(fen: str) -> int:
    """Return the number of men on the board, by which one position is simpler than another."""
    return sum(char.isalpha() for char in fen.split()[0])


def judged(position: Position, depth: int, answer: Answer) -> WalkResult:
    """Return what a single answer shows, for somebody who can't be asked again.

    The result has a first wrong position only where that is this one: where the list of moves is
    wrong, a count at depth 1, or nothing but the printed total.
    """
    expected = reference_children(position, depth)
    found = compare_answer(answer, expected, depth)
    evidence = None
    only_total = found.total is not None
    if found.wrong_list or only_total or (depth == 1 and not found.agrees):
        evidence = Evidence(
            fen=position.fen(),
            chess960=position.chess960,
            root=position.fen(),
            depth=depth if only_total else 1,
            missing=found.missing,
            extra=found.extra,
            repeated=found.repeated,
            wrong_counts=_wrong_counts(found) if depth == 1 or only_total else {},
            printed_total=found.total is not None,
            divides=found.divided,
        )
    return WalkResult(
        OK if found.agrees else MISMATCH,
        depth=depth,
        answer=answer,
        expected=expected,
        comparison=found,
        first_wrong=evidence,
        remarks=answer.remarks,
    )


def suspects(position: Position, result: WalkResult) -> list[str]:
    """Return the moves whose counts differ, that to the simplest position first."""
    found = result.comparison
    if found is None or not found.divided:
        return []
    keyed = []
    for move, nodes in result.expected.items():
        if move not in found.wrong and move[:4] not in found.wrong:
            continue
        child = position.copy()
        child.push(move)
        keyed.append((simplicity(child.fen()), nodes, move))
    return [move for _, _, move in sorted(keyed)]


class _StoppedError(Exception):
    """A limit was reached."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A position of the walk.

    Attributes:
        position: The position; shared, so it is not changed.
        root: The FEN that it was reached from.
        path: The moves from there.
    """

    position: Position
    root: str
    path: tuple[str, ...]

    @classmethod
    def at(cls, root: Position, path: tuple[str, ...]) -> _Place:
        """Return where the moves lead; the root is changed."""
        fen = root.fen()
        for move in path:
            root.push(move)
        return cls(root, fen, path)

    @property
    def fen(self) -> str:
        """Return the position's FEN."""
        return self.position.fen()

    def after(self, move: str) -> _Place:
        """Return the place that a legal move leads to."""
        child = self.position.copy()
        child.push(move)
        return _Place(child, self.root, (*self.path, move))

    def question(self, depth: int, *, by_moves: bool) -> Question:
        """Return the question for the leaves of this position."""
        chess960 = self.position.chess960
        if by_moves:
            return Question(self.root, depth, self.path, chess960)
        return Question(self.fen, depth, (), chess960)


class _Walker:
    """One walk."""

    def __init__(
        self,
        engine: PerftEngine,
        published: Mapping[int, int],
        others: Sequence[str],
        limits: WalkLimits,
    ) -> None:
        self._engine = engine
        self._published = published
        self._others = list(others)
        self._limits = limits
        self._counted: dict[tuple[str, int], dict[str, int]] = {}
        self._answers: dict[Question, Answer] = {}
        self._questions = 0
        self._seconds = 0.0
        self._remarks: dict[str, str] = {}
        self._failed: tuple[_Place, int, bool, float] | None = None
        self._last: Answer | None = None
        self._evidence: Evidence | None = None
        self._root = WalkResult(OK)

    def walk(self, root: _Place, depth: int) -> Iterator[WalkEvent]:
        """Yield the events, the result last."""
        error = stopped = None
        try:
            first = yield from self._first_difference(root, depth)
            if first is not None:
                evidence = yield from self._down(root, self._root.depth, *first)
                self._evidence = self._checked(evidence)
            else:
                self._look_at_printed_positions(root)
        except EngineError as failure:
            error = str(failure)
            if self._evidence is None and not isinstance(failure, StaleAnswerError):
                yield from self._follow_failure(error)
        except _StoppedError as limit:
            stopped = str(limit)
        verdict = OK if self._evidence is None else MISMATCH
        if self._root.answer is None:  # nothing was compared
            verdict = ERROR
        yield replace(
            self._root,
            verdict=verdict if error is None else ERROR,
            first_wrong=self._evidence,
            questions=self._questions,
            seconds=self._seconds,
            error=error,
            stopped=stopped,
            remarks=tuple(self._remarks.values()),
        )

    def _follow_failure(self, error: str) -> Iterator[WalkEvent]:
        """Look for the smallest position that the engine fails on, from the question that failed.

        One that is late costs its whole time at each step, so that only quick failures are
        followed, and only those of an engine that still answers an easy question.
        """
        failed = self._failed
        if failed is None:
            return
        place, depth, by_moves, seconds = failed
        is_slow = seconds > SLOWEST_FAILURE
        found = FailedAt(place.fen, place.path, depth, error, is_slow)
        self._root = replace(self._root, failed_at=found)
        if depth == 1 or is_slow or self._fails(Question(STARTPOS, 1)):
            return
        left = MOST_FAILING
        while depth > 1 and left > 0:
            expected = self._reference(place, depth)
            children = [place.after(move) for move in expected if expected[move]]
            children.sort(key=lambda child: (simplicity(child.fen), child.path))
            for child in children[:left]:
                left -= 1
                said = self._fails(child.question(depth - 1, by_moves=by_moves))
                if said is not None:
                    break
            else:
                return
            place, depth = child, depth - 1
            found = FailedAt(place.fen, place.path, depth, said)
            self._root = replace(self._root, failed_at=found)
            yield Reached(place.fen, place.path, depth)

    def _fails(self, question: Question) -> str | None:
        """Return what the engine fails with at a question, None if it answers."""
        deadline = self._limits.deadline
        if deadline is not None and time.monotonic() > deadline:
            return None
        self._questions += 1
        try:
            self._seconds += self._engine.ask(question).seconds
        except EngineError as failure:
            return str(failure)
        return None

    def _first_difference(
        self, root: _Place, depth: int
    ) -> Generation[WalkEvent, None, tuple[Comparison, bool] | None]:
        """Ask the root, lowest depth first; return the comparison that differs, and how asked."""
        for tried in range(1, depth + 1):
            expected = self._reference(root, tried)
            yield from self._dispute(root, tried, sum(expected.values()))
            self._stop_at_most_nodes(tried, sum(expected.values()))
            for by_moves in self._ways(root):
                found = yield from self._ask(root, tried, by_moves=by_moves)
                self._root = replace(
                    self._root,
                    depth=tried,
                    answer=self._last,
                    expected=expected,
                    comparison=found,
                )
                if not found.agrees:
                    self._note(root, tried, found, right_by_fen=False if not by_moves else None)
                    return found, by_moves
        return None

    def _ways(self, place: _Place) -> tuple[bool, ...]:
        """Return how a position can be asked for: by FEN, then by moves."""
        if place.path and self._engine.abilities.takes_moves:
            return (False, True)
        return (False,)

    def _dispute(self, root: _Place, depth: int, counted: int) -> Iterator[WalkEvent]:
        published = self._published.get(depth)
        if published is None or published == counted:
            return
        disputed = Disputed(root.fen, depth, published, counted)
        self._root = replace(self._root, disputed=(*self._root.disputed, disputed))
        yield disputed

    def _stop_at_most_nodes(self, depth: int, nodes: int) -> None:
        limit = self._limits.max_nodes
        if limit is not None and nodes > limit:
            raise _StoppedError(f"depth {depth} has {nodes} nodes, over the limit of {limit}")

    def _ask(
        self, place: _Place, depth: int, *, by_moves: bool
    ) -> Generation[WalkEvent, None, Comparison]:
        """Ask a question, each only once, and return the answer against the reference."""
        question = place.question(depth, by_moves=by_moves)
        expected = self._reference(place, depth)
        if question in self._answers:
            self._last = self._answers[question]
            return compare_answer(self._last, expected, depth)
        deadline = self._limits.deadline
        if deadline is not None and time.monotonic() > deadline:
            raise _StoppedError("the time for this walk is used up")
        self._questions += 1
        start = time.monotonic()
        try:
            answer = self._answers[question] = self._last = self._engine.ask(question)
        except EngineError:
            self._failed = (place, depth, by_moves, time.monotonic() - start)
            raise
        self._seconds += answer.seconds
        self._remark(answer.remarks)
        found = compare_answer(answer, expected, depth)
        yield Asked(
            fen=place.fen,
            path=place.path,
            depth=depth,
            by_moves=by_moves and bool(place.path),
            expected=found.expected,
            nodes=answer.nodes,
            differing=found.differing,
            agrees=found.agrees,
            seconds=answer.seconds,
        )
        return found

    def _remark(self, remarks: Sequence[str]) -> None:
        """Keep remarks; of those that differ by their numbers alone the first one."""
        for remark in remarks:
            self._remarks.setdefault(NUMBERS.sub("0", remark), remark)

    def _reference(self, place: _Place, depth: int) -> dict[str, int]:
        key = (place.fen, depth)
        if key not in self._counted:
            self._counted[key] = reference_children(place.position, depth)
        return self._counted[key]

    def _down(
        self, place: _Place, depth: int, found: Comparison, by_moves: bool
    ) -> Generation[WalkEvent, None, Evidence]:
        """Return the evidence for a position that is known to be counted wrongly."""
        yield Reached(place.fen, place.path, depth)
        if found.wrong_list or depth == 1:
            return (yield from self._end(place, depth, found, by_moves))
        children = self._suspects(place, depth, found)
        if found.divided:
            children = children[:MOST_CHILDREN]
        for child in children:
            below = yield from self._visit(child, depth - 1, by_moves, thorough=found.divided)
            if below is not None:
                return (yield from self._down(child, depth - 1, *below))
        if not found.divided and not by_moves and self._engine.abilities.takes_moves:
            for child in children:
                below = yield from self._visit(child, depth - 1, True, thorough=False)
                if below is not None:
                    return (yield from self._down(child, depth - 1, *below))
        return (yield from self._end(place, depth, found, by_moves, alone=bool(children)))

    def _visit(
        self, child: _Place, depth: int, by_moves: bool, *, thorough: bool
    ) -> Generation[WalkEvent, None, tuple[Comparison, bool] | None]:
        """Ask for a position both ways; return the comparison that differs, and how asked.

        Args:
            child: The position.
            depth: Plies.
            by_moves: Whether only the way by moves is of interest.
            thorough: Whether to ask by moves too when the FEN was counted right.
        """
        if by_moves:
            found = yield from self._ask(child, depth, by_moves=True)
            return self._noted(child, depth, found, True)
        by_fen = yield from self._ask(child, depth, by_moves=False)
        if not thorough or not self._engine.abilities.takes_moves:
            return self._noted(child, depth, by_fen, False)
        wrong = self._noted(child, depth, by_fen, False)
        both = yield from self._ask(child, depth, by_moves=True)
        if wrong is None:
            return self._noted(child, depth, both, True)
        self._note(child, depth, by_fen, right_by_fen=False, right_by_moves=both.agrees)
        return wrong

    def _noted(
        self, place: _Place, depth: int, found: Comparison, by_moves: bool
    ) -> tuple[Comparison, bool] | None:
        if found.agrees:
            return None
        self._note(place, depth, found, right_by_fen=None if by_moves else False)
        return found, by_moves

    def _suspects(self, place: _Place, depth: int, found: Comparison) -> list[_Place]:
        """Return where the moves lead whose counts may be wrong, the simplest position first.

        The second one is the first move in the engine's own order: what a search spoils and does
        not restore makes everything after it wrong, and the mistake itself is in the first.
        """
        expected = self._reference(place, depth)
        keys = found.wrong if found.divided else expected
        moves = [move for move in expected if move in keys or move[:4] in keys]
        children = [(place.after(move), expected[move]) for move in moves]
        children.sort(key=lambda child: (simplicity(child[0].fen), child[1], child[0].path))
        places = [child for child, _ in children]
        first = next(iter(found.wrong), "")
        after_first = [child for child in places[1:] if child.path[-1].startswith(first or "-")]
        return [
            *places[:1],
            *after_first,
            *(child for child in places[1:] if child not in after_first),
        ]

    def _note(
        self,
        place: _Place,
        depth: int,
        found: Comparison,
        *,
        right_by_fen: bool | None = None,
        right_by_moves: bool | None = None,
        alone: bool | None = None,
    ) -> Evidence:
        """Keep what is known by now, for a walk that does not come further down."""
        self._evidence = Evidence(
            fen=place.fen,
            chess960=place.position.chess960,
            root=place.root,
            path=place.path,
            depth=depth,
            missing=found.missing,
            extra=found.extra,
            repeated=found.repeated,
            wrong_counts=_wrong_counts(found),
            right_by_fen=right_by_fen if place.path else None,
            right_by_moves=right_by_moves if place.path else None,
            printed_total=found.total is not None,
            alone=alone,
            # Where there is no legal move, one that divides prints a total alone too.
            divides=found.divided or self._engine.abilities.divides,
        )
        return self._evidence

    def _end(
        self,
        place: _Place,
        depth: int,
        found: Comparison,
        by_moves: bool,
        *,
        alone: bool | None = None,
    ) -> Generation[WalkEvent, None, Evidence]:
        """Return the evidence for the position where the walk ends, with all that can be asked."""
        if found.wrong_list and depth > 1:
            # The rows of a deeper count are not where a list is looked up if it can be asked for.
            again = yield from self._ask(place, 1, by_moves=by_moves)
            if again.wrong_list:
                found, depth = again, 1
        other = None
        if place.path and (by_moves or self._engine.abilities.takes_moves):
            other = yield from self._ask(place, depth, by_moves=not by_moves)
        right = {
            "right_by_fen": other.agrees if by_moves and other else False,
            "right_by_moves": False if by_moves else other.agrees if other else None,
        }
        self._note(place, depth, found, **right, alone=alone)
        if by_moves and right["right_by_fen"]:
            place, found = yield from self._shortest(place, depth, found)
        elif by_moves and other is not None and other.wrong_list:
            found, by_moves, right = other, False, {"right_by_fen": False, "right_by_moves": False}
        if depth == 1:
            found = yield from self._named(place, found, by_moves)
        evidence = self._note(place, depth, found, **right, alone=alone)
        if not place.path and depth == 1:
            evidence = replace(
                evidence, right_by_moves=(yield from self._right_after_double_push(place, found))
            )
        return replace(
            evidence,
            engine_fen=self._printed(place, by_moves),
            same_as=self._same_as(place, found) if depth == 1 else None,
        )

    def _shortest(
        self, place: _Place, depth: int, found: Comparison
    ) -> Generation[WalkEvent, None, tuple[_Place, Comparison]]:
        """Return the same position with as few moves before it as still show the mistake."""
        for length in range(1, len(place.path)):
            later = Position(place.root, chess960=place.position.chess960)
            for move in place.path[:-length]:
                later.push(move)
            shorter = _Place.at(later, place.path[-length:])
            again = yield from self._ask(shorter, depth, by_moves=True)
            if not again.agrees:
                return shorter, again
        return place, found

    def _named(
        self, place: _Place, found: Comparison, by_moves: bool
    ) -> Generation[WalkEvent, None, Comparison]:
        """Return a comparison at depth 1 with names for moves that the engine only counts."""
        keys = [key for key in found.wrong if key not in self._reference(place, 1)]
        for key in keys:
            found = yield from self._named_promotions(place, found, key, by_moves)
        if not found.divided and not found.agrees:
            return (yield from self._named_by_totals(place, found, by_moves))
        return found

    def _named_promotions(
        self, place: _Place, found: Comparison, key: str, by_moves: bool
    ) -> Generation[WalkEvent, None, Comparison]:
        """Find which promotions are missing behind a key without their letter."""
        number, got = found.wrong[key]
        moves = [move for move in self._reference(place, 1) if move[:4] == key]
        if got >= number:
            return found
        fitting = list(combinations(moves, got))
        for depth in (2, 3):
            yield from self._ask(place, depth, by_moves=by_moves)
            row = self._row(key)
            own = yield from self._own(place, moves, depth, by_moves)
            fitting = [chosen for chosen in fitting if sum(own[move] for move in chosen) == row]
            if len(fitting) < 2:
                break
        else:
            return found
        present = fitting[0] if fitting else ()
        missing = [move for move in moves if move not in present]
        return replace(
            found,
            missing=tuple(sorted({*found.missing, *missing})),
            extra=found.extra if fitting else (*found.extra, key),
            wrong={move: counts for move, counts in found.wrong.items() if move != key},
        )

    def _row(self, key: str) -> int | None:
        """Return what the last answer says under a move."""
        children = None if self._last is None else self._last.children
        return None if children is None else children.get(key)

    def _named_by_totals(
        self, place: _Place, found: Comparison, by_moves: bool
    ) -> Generation[WalkEvent, None, Comparison]:
        """Find which moves are missing from a list that only its length is known of.

        The engine's count at depth 2 is the sum of its counts after each of its moves. What that
        sum lacks of its counts after each legal move, it counts after the missing ones.
        """
        number = found.expected - found.got
        if not 1 <= number <= MOST_GUESSED:
            return found
        moves = list(self._reference(place, 1))
        fitting = list(combinations(moves, number))
        for depth in (2, 3):
            deeper = yield from self._ask(place, depth, by_moves=by_moves)
            own = yield from self._own(place, moves, depth, by_moves)
            lacking = sum(own.values()) - deeper.got
            fitting = [chosen for chosen in fitting if sum(own[move] for move in chosen) == lacking]
            if len(fitting) < 2:
                break
        if len(fitting) != 1:
            return found
        if all(_mates(place, move) for move in fitting[0]):
            return found  # mates that are not counted look like moves that are not there
        return replace(found, missing=tuple(sorted(fitting[0])))

    def _own(
        self, place: _Place, moves: Sequence[str], depth: int, by_moves: bool
    ) -> Generation[WalkEvent, None, dict[str, int]]:
        """Return what the engine itself counts after each move, for a count of this depth."""
        own = {}
        for move in moves:
            found = yield from self._ask(place.after(move), depth - 1, by_moves=by_moves)
            own[move] = found.got
        return own

    def _right_after_double_push(
        self, place: _Place, found: Comparison
    ) -> Generation[WalkEvent, None, bool | None]:
        """Whether the engine is right when it plays the double push that a FEN only tells of."""
        if not self._engine.abilities.takes_moves or not found.missing:
            return None
        earlier = _before_double_push(place.position)
        legal = {move.uci(): move for move in place.position.legal_moves()}
        if earlier is None or not all(legal[move].is_en_passant for move in found.missing):
            return None
        again = yield from self._ask(earlier, 1, by_moves=True)
        return again.agrees

    def _look_at_printed_positions(self, root: _Place) -> None:
        """Remark on a position that the engine prints otherwise, although all counts agree.

        Some of what make gets wrong shows in no count of this depth: a right that nobody uses yet.
        """
        if not self._engine.abilities.prints_position:
            return
        for place in (root, *(root.after(move) for move in _one_of_each_kind(root.position))):
            printed = self._printed(place, by_moves=self._engine.abilities.takes_moves)
            part = None if printed is None else _part_that_differs(place.position, printed)
            if part is not None:
                after = f"after {' '.join(place.path)} " if place.path else ""
                said = (
                    f"{after}the engine prints the position {printed}, and perftkit has"
                    f" {place.fen}: {part} differ, although all counts agree"
                )
                self._remarks[said] = said
                return

    def _printed(self, place: _Place, by_moves: bool) -> str | None:
        if not self._engine.abilities.prints_position:
            return None
        try:
            return self._engine.position_after(place.question(1, by_moves=by_moves))
        except EngineError:
            return None

    def _same_as(self, place: _Place, found: Comparison) -> str | None:
        """Return another position for which the engine's list would be right."""
        if not found.divided or not (found.missing and found.extra):
            return None
        expected = set(self._reference(place, 1))
        listed = (expected - set(found.missing)) | set(found.extra)
        earlier = [key[0] for key in reversed(self._counted)]
        for fen in dict.fromkeys([*earlier, *self._others]):
            other = Position(fen, chess960=place.position.chess960 or None)
            if listed and fen != place.fen and listed == set(reference_children(other, 1)):
                return fen
        return None

    def _checked(self, evidence: Evidence) -> Evidence:
        """Have the reference's other method confirm the numbers that a walk ends with."""
        position = Position(evidence.fen, chess960=evidence.chess960 or None)
        nodes = sum(reference_children(position, evidence.depth).values())
        if nodes <= MOST_NODES_TWICE:
            perft(position, evidence.depth, method=BOTH)
        return evidence


def reference_children(position: Position, depth: int) -> dict[str, int]:
    """Return the leaves under each legal move, in alphabetical order."""
    children = {}
    copy = position.copy()
    for move in copy.legal_moves():
        copy.push(move)
        nodes = perft(copy, depth - 1, breakdown=False).nodes if depth > 1 else 1
        copy.pop()
        children[move.uci()] = nodes
    return dict(sorted(children.items()))


def _mates(place: _Place, move: str) -> bool:
    return place.after(move).position.is_checkmate


def _wrong_counts(found: Comparison) -> dict[str, tuple[int, int]]:
    wrong = dict(found.wrong)
    if found.total is not None:
        wrong[""] = (found.expected, found.total)
    elif not found.divided and not found.missing and found.got != found.expected:
        wrong[""] = (found.expected, found.got)
    return wrong


def _one_of_each_kind(position: Position) -> list[str]:
    """Return legal moves of different kinds, by what they do to the state of a position."""
    chosen: dict[tuple[object, ...], str] = {}
    for move in sorted(position.legal_moves(), key=str):
        man = (position.piece_at(move.from_square) or "").lower()
        kind = (
            man if man in "kr" else "",
            move.is_capture,
            move.is_en_passant,
            move.is_castling,
            move.is_promotion,
            move.is_double_push,
        )
        chosen.setdefault(kind, move.uci())
    return list(chosen.values())


def _part_that_differs(position: Position, printed: str) -> str | None:
    """Return in what a printed FEN is another position; None where it may only be a convention.

    E.p. squares that no pawn can capture on are written by some and left out by others.
    """
    fields, other = position.fen().split(), printed.split()
    if len(other) < 4:
        return None
    if other[0] != fields[0]:
        return "the men"
    if other[1] != fields[1]:
        return "the sides to move"
    try:
        read = Position(" ".join(other[:4]), chess960=position.chess960 or None)
    except ValueError:  # impossible rights or an impossible e.p. square
        return "the castling rights or e.p. squares"
    if read.castling != position.castling:
        return "the castling rights"
    moves = {str(move) for move in position.legal_moves()}
    return None if moves == {str(move) for move in read.legal_moves()} else "the e.p. squares"


def _before_double_push(position: Position) -> _Place | None:
    """Return the same position reached by the double push that its e.p. square tells of."""
    fields = position.fen().split()
    square = fields[3]
    if square == "-":
        return None
    file, white = square[0], square[1] == "3"
    start, end = (f"{file}2", f"{file}4") if white else (f"{file}7", f"{file}5")
    men = [position.piece_at(number) for number in range(64)]
    men[square_of(start)], men[square_of(end)] = men[square_of(end)], None
    number = max(position.fullmove_number - (not white), 1)
    turn = "w" if white else "b"
    fen = f"{placement(men)} {turn} {fields[2]} - 0 {number}"
    try:
        return _Place.at(Position(fen, chess960=position.chess960 or None), (start + end,))
    except ValueError:  # no position of chess, an opponent left in check say
        return None
