"""The planted program as an object that answers perftkit in-process."""

from __future__ import annotations

from collections import Counter as Tally
from dataclasses import dataclass, field

from perftkit.engines import Abilities, Answer, Question
from perftkit.errors import EngineError
from planted.program import Program


@dataclass
class PlantedEngine:
    """A `PerftEngine` with a bug.

    Attributes:
        bug: A name of `planted.bugs.BUGS`, the empty string for the healthy program.
        color: Which side has it: ``white``, ``black`` or ``both``.
        divides: False for one that gives only totals.
        takes_moves: False for one that has to be given FENs.
        asked: How many questions it was asked.
        nodes: How many leaves it has counted.
    """

    bug: str = ""
    color: str = "both"
    divides: bool = True
    takes_moves: bool = True
    asked: int = 0
    nodes: int = 0
    program: Program = field(init=False)

    def __post_init__(self) -> None:
        self.program = Program(self.bug, self.color)

    @property
    def name(self) -> str:
        return f"planted {self.bug or 'nothing'} {self.color}"

    @property
    def spec(self) -> str:
        return f"uci:python -m planted --bug {self.bug or 'none'} --color {self.color}"

    @property
    def abilities(self) -> Abilities:
        return Abilities(self.divides, self.takes_moves, chess960=True, prints_position=True)

    def ask(self, question: Question) -> Answer:
        self._set_up(question)
        self.asked += 1
        if not self.divides:
            nodes = self.program.counter.perft(question.depth)
            self.nodes += nodes
            return Answer(nodes, total=nodes)
        rows = self.program.counter.divide(question.depth)
        children: Tally[str] = Tally()
        for text, nodes in rows:
            children[text] += nodes
        times = Tally(text for text, _ in rows)
        # A finished game that is counted shows in no row.
        total = sum(children.values()) if rows else self.program.counter.perft(question.depth)
        self.nodes += total
        return Answer(
            nodes=total,
            children=dict(children),
            repeated=frozenset(text for text, count in times.items() if count > 1),
            total=total,
        )

    def position_after(self, question: Question) -> str | None:
        self._set_up(question)
        return self.program.counter.fen()

    def close(self) -> None:
        """Nothing to end."""

    def _set_up(self, question: Question) -> None:
        if question.moves and not self.takes_moves:
            raise EngineError(f"{self.name} does not take moves")
        unknown = self.program.set_up(question.fen, question.moves, question.chess960)
        if unknown is not None:
            raise EngineError(f"{self.name} does not know the move {unknown}")
