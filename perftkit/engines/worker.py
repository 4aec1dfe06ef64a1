"""The process in which a Python callable of the user's runs: questions in, answers out.

It is started by `perftkit.engines.apart`. Both directions are lines of JSON on the pipes that
the process was started with. What the user's code prints goes to standard error instead, and its
standard input is empty, so that neither can disturb the conversation.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from perftkit.engines import Question
from perftkit.engines.python import engine_of, load_object
from perftkit.errors import EngineError, SpecError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from perftkit.engines import PerftEngine

__all__ = ["serve"]

LONGEST_TEXT = 3000  # bytes of a text in a reply; longer lines would be cut

Reply = dict[str, Any]


def serve(reference: str, folder: str, spec: str) -> None:
    """Answer questions about the object that a reference means until the input ends."""
    with os.fdopen(os.dup(0), "r", encoding="utf-8") as questions:
        replies = os.dup(1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.dup2(2, 1)
        engine: PerftEngine | None = None
        for line in questions:
            asked = json.loads(line)
            try:
                if engine is None:
                    engine = engine_of(load_object(reference, folder), spec=spec)
                found = list(_replies(engine, asked))
            except (EngineError, SpecError) as error:
                found = [_failure(str(error), is_spec=isinstance(error, SpecError))]
            except (
                BaseException
            ) as error:  # KeyboardInterrupt as well, which the user's code raises
                found = [_failure(f"it raised {type(error).__name__}: {error}", is_spec=False)]
            _write(replies, found)


def _replies(engine: PerftEngine, asked: dict[str, Any]) -> Iterator[Reply]:
    what = asked["do"]
    if what == "abilities":
        can = engine.abilities
        yield {"done": [can.divides, can.takes_moves, can.chess960, can.prints_position]}
        return
    if what == "name":
        yield {"done": _short(engine.name)}
        return
    question = Question(asked["fen"], asked["depth"], tuple(asked["moves"]), asked["chess960"])
    if what == "position":
        fen = engine.position_after(question)
        yield {"done": None if fen is None else _short(fen)}
        return
    answer = engine.ask(question)
    for move, nodes in (answer.children or {}).items():
        yield {"row": [_short(move), nodes, move in answer.merged, move in answer.repeated]}
    for name, count in answer.counts.items():
        yield {"count": [_short(name), count]}
    for remark in answer.remarks:
        yield {"remark": _short(remark)}
    yield {"done": [answer.nodes, answer.children is not None, answer.total, answer.seconds]}


def _failure(message: str, *, is_spec: bool) -> Reply:
    return {"failed": _short(message), "is_spec": is_spec}


def _short(text: str) -> str:
    text = str(text)
    while len(json.dumps(text)) > LONGEST_TEXT:
        text = text[: len(text) * 3 // 4]
    return text


def _write(replies: int, found: list[Reply]) -> None:
    try:
        text = "".join(json.dumps(reply) + "\n" for reply in found)
    except (TypeError, ValueError) as error:  # a number of thousands of digits, say
        text = json.dumps(_failure(f"its answer can't be passed on: {error}", is_spec=False)) + "\n"
    rest = memoryview(text.encode())
    while rest:
        rest = rest[os.write(replies, rest) :]
