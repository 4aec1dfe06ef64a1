"""Another engine's perft, for `perftkit bench --against`."""

from __future__ import annotations

import contextlib
import re
import shlex
import subprocess
import threading
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from perftkit.errors import EngineError, PerftkitError

if TYPE_CHECKING:
    from typing import Any

    from perftkit.bench.contestants import Engine

__all__ = ["open_engine"]

SPECS = "perftkit.engines.spec"
TOTAL = re.compile(r"(?:nodes searched|nodes|total)\s*[:=]?\s*([0-9]+)\s*$", re.IGNORECASE)
LONGEST_SAID = 200  # characters


def open_engine(spec: str, timeout: float) -> Engine:
    """Start an engine.

    Args:
        spec: What `--engine` takes.
        timeout: Seconds for an answer.

    Raises:
        EngineError: It can't be started.
    """
    if find_spec(SPECS) is None:
        return _PlainUci(spec, timeout)
    settings = import_module(f"{SPECS.rpartition('.')[0]}.settings")
    opened = import_module(SPECS).open_engine(spec, settings.EngineSettings(timeout=timeout))
    return _Asked(opened, import_module("perftkit.engines").Question)


class _Asked:
    """An engine of `perftkit.engines`."""

    def __init__(self, engine: Any, question: Any) -> None:
        self._engine = engine
        self._question = question

    @property
    def name(self) -> str:
        name: str = self._engine.name
        return name

    def ask(self, fen: str, depth: int) -> int:
        nodes: int = self._engine.ask(self._question(fen, depth)).nodes
        return nodes

    def close(self) -> None:
        self._engine.close()


class _PlainUci:
    """A UCI engine that has `go perft`; stands in until `perftkit.engines.spec` is there."""

    def __init__(self, command: str, timeout: float) -> None:
        self._command = command
        self._timeout = timeout
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise PerftkitError(f"the command {command!r} can't be read: {error}") from None
        if not words:
            raise PerftkitError("an engine's command can't be empty")
        try:
            # In a session of its own, so that Ctrl-C is for perftkit to act on.
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                errors="replace",
                bufsize=1,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise EngineError(f"{command}: the engine can't be started: {reason}") from None

    @property
    def name(self) -> str:
        return self._command

    def ask(self, fen: str, depth: int) -> int:
        late = threading.Event()
        timer = threading.Timer(self._timeout, self._give_up, [late])
        timer.start()
        try:
            return self._answer(f"position fen {fen}\ngo perft {depth}\n", late)
        finally:
            timer.cancel()

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def _give_up(self, late: threading.Event) -> None:
        late.set()
        self._process.kill()

    def _answer(self, request: str, late: threading.Event) -> int:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        said = ""
        with contextlib.suppress(OSError):
            self._process.stdin.write(request)
            for line in self._process.stdout:
                if found := TOTAL.match(line.strip()):
                    return int(found[1])
                said = line.strip() or said
        if late.is_set():
            raise EngineError(
                f"{self._command} gave no answer to go perft in {self._timeout:g} seconds"
            )
        last = f", after {said[:LONGEST_SAID]!r}" if said else ""
        raise EngineError(f"{self._command} ended without an answer to go perft{last}")
