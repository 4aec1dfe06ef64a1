"""Commands to be typed next, ready to paste into a shell."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from perftkit.report import EngineInfo, WalkInfo
    from perftkit.verify.diagnosis import Evidence
    from perftkit.verify.walk import FailedAt

__all__ = ["divide_command", "fails_again", "show_again"]


def divide_command(
    fen: str,
    depth: int,
    *,
    moves: Sequence[str] = (),
    chess960: bool = False,
    engine: EngineInfo | None = None,
    more: Sequence[str] = (),
) -> str:
    """Return the command that divides a position, by an engine if there is one."""
    words = ["perftkit", "divide", fen]
    if moves:
        words += ["--moves", " ".join(moves)]
    words += ["--depth", str(depth)]
    if chess960:
        words.append("--chess960")
    if engine is not None:
        words += engine.words
    return shlex.join([*words, *more])


def show_again(evidence: Evidence, engine: EngineInfo) -> str:
    """Return the command that shows a first wrong position again.

    Where the engine is right about the FEN, the moves that lead to the position are part of it.
    """
    if evidence.right_by_fen:
        return divide_command(
            evidence.root,
            evidence.depth,
            moves=evidence.path,
            chess960=evidence.chess960,
            engine=engine,
        )
    return divide_command(evidence.fen, evidence.depth, chess960=evidence.chess960, engine=engine)


def fails_again(failed: FailedAt, info: WalkInfo) -> str:
    """Return the command that asks an engine again for the position that it fails on."""
    return divide_command(failed.fen, failed.depth, chess960=info.chess960, engine=info.engine)
