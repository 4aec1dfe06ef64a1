"""Another engine's perft, for `perftkit bench --against`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from perftkit.engines import Question
from perftkit.engines.named import known_engines
from perftkit.engines.settings import EngineSettings
from perftkit.engines.spec import open_engine as open_perft_engine

if TYPE_CHECKING:
    from perftkit.bench.contestants import Engine
    from perftkit.engines import PerftEngine

__all__ = ["open_engine"]


def open_engine(spec: str, timeout: float) -> Engine:
    """Start an engine.

    Args:
        spec: What `--engine` takes.
        timeout: Seconds for an answer.

    Raises:
        SpecError: The text names no engine.
        EngineError: It can't be started or understood.
    """
    settings = EngineSettings(timeout=timeout)
    return _Asked(open_perft_engine(spec, settings, engines=known_engines()))


class _Asked:
    """An engine under test as one that is timed."""

    def __init__(self, engine: PerftEngine) -> None:
        self._engine = engine

    @property
    def name(self) -> str:
        return self._engine.name

    def ask(self, fen: str, depth: int) -> int:
        return self._engine.ask(Question(fen, depth)).nodes

    def close(self) -> None:
        self._engine.close()
