"""Python callables as engines in a process of their own, so that all limits hold for them too."""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING, Any

from perftkit.engines import Abilities, Answer, Question
from perftkit.engines.process import EngineDiedError, EngineProcess
from perftkit.engines.text import printable, quoted
from perftkit.errors import EngineError, SpecError

if TYPE_CHECKING:
    from perftkit.engines.settings import EngineSettings

__all__ = ["ApartEngine"]

# Run so that the module search path of this process, not that of the new one, finds perftkit.
START = """import json, sys
sys.path[:] = json.loads(sys.argv[4])
from perftkit.engines.worker import serve
serve(*sys.argv[1:4])
"""


class ApartEngine:
    """What `package.module:name` means: a function, a board or an engine.

    It is imported and called in a child process: a call that hangs is ended, one that ends its
    process is an error of the question, and what it prints does not get into the result.
    """

    protocol = "python"

    def __init__(self, reference: str, settings: EngineSettings, spec: str) -> None:
        """Import it.

        Raises:
            SpecError: There is no such thing, or it can't be asked.
            EngineError: The module raises, ends its process, or takes too long.
        """
        self._reference = reference
        self._settings = settings
        self._spec = spec
        self._name = printable(reference)
        self._process: EngineProcess | None = None
        self._abilities: Abilities | None = None
        self._name = printable(self._asked("its import", {"do": "name"})[-1]["done"])

    @property
    def name(self) -> str:
        """The name of the function, the board's class, or what the engine calls itself."""
        return self._name

    @property
    def spec(self) -> str:
        """The text that names it on a command line."""
        return self._spec

    @property
    def abilities(self) -> Abilities:
        """What it can do; it is asked about the start position for that, once."""
        if self._abilities is None:
            found = self._asked("an easy question", {"do": "abilities"})[-1]["done"]
            self._abilities = Abilities(*found)
        return self._abilities

    def ask(self, question: Question) -> Answer:
        """Return what it counts.

        Raises:
            EngineError: It raises, returns something else, ends its process or is late.
        """
        about = f"depth {question.depth} of {question.fen}"
        if question.moves:
            about += f" moves {' '.join(question.moves)}"
        replies = self._asked(about, _request("count", question))
        rows = [reply["row"] for reply in replies if "row" in reply]
        nodes, divides, total, seconds = replies[-1]["done"]
        return Answer(
            nodes,
            {move: leaves for move, leaves, _, _ in rows} if divides else None,
            merged=frozenset(row[0] for row in rows if row[2]),
            repeated=frozenset(row[0] for row in rows if row[3]),
            total=total,
            counts=dict(reply["count"] for reply in replies if "count" in reply),
            remarks=tuple(reply["remark"] for reply in replies if "remark" in reply),
            seconds=seconds,
        )

    def position_after(self, question: Question) -> str | None:
        """Return the FEN that a board prints after the question's moves, None if it has none.

        Raises:
            EngineError: It raises, ends its process or is late.
        """
        found = self._asked(f"the FEN of {question.fen}", _request("position", question))
        fen: str | None = found[-1]["done"]
        return fen

    def close(self) -> None:
        """End its process. Closing twice is allowed."""
        process, self._process = self._process, None
        if process is not None:
            process.close()

    def _asked(self, about: str, request: dict[str, Any]) -> list[dict[str, Any]]:
        """Return the lines of a reply; after a failure of the process it is started anew."""
        try:
            process = self._started()
            process.discard()
            process.asked = about
            process.limit = limit = self._settings.timeout
            process.send(json.dumps(request))
            found = self._read(process, None if limit is None else time.monotonic() + limit)
        except BaseException:
            self.close()
            raise
        if "failed" in found[-1]:
            kind = SpecError if found[-1]["is_spec"] else EngineError
            raise kind(str(found[-1]["failed"]))
        return found

    def _started(self) -> EngineProcess:
        if self._process is not None:
            self._process.discard()
            if self._process.ended:
                self.close()
        if self._process is None:
            folder = self._settings.folder or "."
            path = json.dumps([entry for entry in sys.path if isinstance(entry, str)])
            self._process = EngineProcess(
                [sys.executable, "-c", START, self._reference, folder, self._spec, path],
                name=self._name,
                environment=self._settings.environment,
            )
        return self._process

    def _read(self, process: EngineProcess, deadline: float | None) -> list[dict[str, Any]]:
        found = []
        while True:
            line = process.next_line(deadline)
            if line is None or line.is_error:
                continue
            try:
                reply: dict[str, Any] = json.loads(line.text)
            except ValueError:
                self.close()
                raise EngineDiedError(
                    f"{self._name} wrote {quoted(line.text)} where its answer belongs"
                ) from None
            found.append(reply)
            if "done" in reply or "failed" in reply:
                return found


def _request(what: str, question: Question) -> dict[str, Any]:
    return {
        "do": what,
        "fen": question.fen,
        "depth": question.depth,
        "moves": question.moves,
        "chess960": question.chess960,
    }
