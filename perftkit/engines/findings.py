"""What is known about an engine, whatever it is, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from perftkit.core.position import STARTPOS
from perftkit.engines import Question
from perftkit.engines.command import CommandEngine
from perftkit.engines.dialogue import DialogueEngine, Findings

if TYPE_CHECKING:
    from perftkit.engines import PerftEngine

__all__ = ["Findings", "findings_of"]


def findings_of(engine: PerftEngine) -> Findings:
    """Return what can be said about an engine; it is asked a few easy questions.

    Raises:
        EngineError: It can't be started or understood.
    """
    if isinstance(engine, DialogueEngine):
        return engine.findings()
    abilities = engine.abilities
    engine.ask(Question(STARTPOS, 1))
    if isinstance(engine, CommandEngine):
        return Findings(
            engine.spec,
            engine.name,
            engine.protocol,
            engine.command,
            abilities,
            engine.divides_leaves,
            engine.notation,
            None,
        )
    return Findings(
        engine.spec, engine.name, "python", None, abilities, abilities.divides, (), None
    )
