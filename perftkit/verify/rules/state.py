"""Which position the engine may have in mind instead of the one that it was asked about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from perftkit.core.position import STARTPOS, Position
from perftkit.errors import FenError
from perftkit.verify.rules.board import NAMES, Men, file_of, name, placement
from perftkit.verify.rules.scene import harmless, read_step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from perftkit.verify.rules.scene import Played, Scene

__all__ = ["Other", "ghost", "other_position", "printed_differences"]

CASTLING = "the castling field"
EN_PASSANT = "the e.p. square"
SIDE = "the side to move"
MEN = "a man"
WHOLE = "another position"

MOST_MEN = 8


@dataclass(frozen=True, slots=True)
class Other:
    """A position of which the engine's list of moves is the legal one.

    Attributes:
        state: Which part of the position differs: `CASTLING`, `EN_PASSANT`, `SIDE`, `MEN`, or
            `WHOLE` for another position altogether.
        text: How it differs, as a clause.
        printed: Whether the engine printed it so itself.
    """

    state: str
    text: str
    printed: bool = False


def other_position(scene: Scene) -> Other | None:
    """Return the position that the engine's list fits exactly, None without one."""
    claimed = scene.claimed
    if not claimed:
        return None
    for other, fen in _candidates(scene):
        if _legal_moves(fen, scene.chess960) == claimed:
            return other
    return None


def _legal_moves(fen: str, chess960: bool) -> frozenset[str] | None:
    try:
        position = Position(fen, chess960=chess960 or None)
    except FenError:
        return None
    return frozenset(move.uci() for move in position.legal_moves())


def _candidates(scene: Scene) -> Iterator[tuple[Other, str]]:
    fen = scene.position.fen()
    yield from _with_side(fen)
    yield from _with_castling(scene, fen)
    yield from _with_en_passant(scene, fen)
    yield from _whole_positions(scene)
    yield from _with_men(scene, fen)


def _replaced(fen: str, **fields: str) -> str:
    """The FEN with some of its fields changed."""
    names = ("men", "side", "castling", "ep", "clock", "number")
    given = dict(zip(names, fen.split(), strict=True))
    return " ".join({**given, **fields}.values())


def _with_side(fen: str) -> Iterator[tuple[Other, str]]:
    side = "b" if fen.split()[1] == "w" else "w"
    who = "White" if side == "w" else "Black"
    yield Other(SIDE, f"{who} were to move"), _replaced(fen, side=side, ep="-")


def _with_castling(scene: Scene, fen: str) -> Iterator[tuple[Other, str]]:
    field = fen.split()[2]
    others = "".join(letter for letter in field if letter.isupper() != scene.men.white)
    for own in _possible_rights(scene):
        text = own + others if scene.men.white else others + own
        if sorted(text) != sorted(field.replace("-", "")):
            what = f"the castling field were {text or '-'!r} instead of {field!r}"
            yield Other(CASTLING, what), _replaced(fen, castling=text or "-")


def _possible_rights(scene: Scene) -> list[str]:
    """Every choice of the mover's rights that king and rooks allow."""
    men = scene.men
    rank = range(men.home * 8, men.home * 8 + 8)
    if men.king not in rank:
        return []
    rooks = [square for square in rank if men.own(square) and men.kind(square) == "r"]
    case = str.upper if men.white else str.lower
    if not scene.position.chess960:
        home = file_of(men.king) == 4
        sides = [
            ["", "k"] if home and rank[7] in rooks else [""],
            ["", "q"] if home and rank[0] in rooks else [""],
        ]
    else:
        files = "abcdefgh"
        sides = [
            ["", *(files[file_of(rook)] for rook in rooks if rook > men.king)],
            ["", *(files[file_of(rook)] for rook in rooks if rook < men.king)],
        ]
    return [case(kingside + queenside) for kingside in sides[0] for queenside in sides[1]]


def _with_en_passant(scene: Scene, fen: str) -> Iterator[tuple[Other, str]]:
    field = fen.split()[3]
    if field != "-":
        yield Other(EN_PASSANT, f"there were no e.p. square ({field})"), _replaced(fen, ep="-")
    men = scene.men
    rank = 5 if men.white else 2
    for file in range(8):
        target = 8 * rank + file
        pawn = target - men.forward
        fits = men.enemy(pawn) and men.kind(pawn) == "p" and name(target) != field
        if fits and men.at[target] is None:
            other = Other(EN_PASSANT, f"the e.p. square were {name(target)} instead of {field}")
            yield other, _replaced(fen, ep=name(target))


def _whole_positions(scene: Scene) -> Iterator[tuple[Other, str]]:
    asked = scene.evidence.same_as
    if asked is not None:
        yield Other(WHOLE, f"the position were {asked}"), asked
    ago = len(scene.line)
    for played in scene.line:
        text = f"{'move' if ago == 1 else f'{ago} moves'} from {played.move} on had not been played"
        yield Other(WHOLE, f"the {text}"), played.before.fen()
        ago -= 1
    yield Other(WHOLE, "it were the start position"), STARTPOS


def _with_men(scene: Scene, fen: str) -> Iterator[tuple[Other, str]]:
    """One square as it was earlier in the line, or empty; and a castled rook left at home."""
    if not scene.line:
        return
    boards = [Men(played.before).at for played in scene.line[-8:]]
    now = scene.men.at
    touched = [
        square for square in range(64) if any(board[square] != now[square] for board in boards)
    ]
    for square in touched:
        for man in {None, *(board[square] for board in boards)} - {now[square]}:
            changed = list(now)
            changed[square] = man
            yield (
                Other(MEN, _changed(square, man, now[square])),
                _replaced(fen, men=placement(changed)),
            )
    before = boards[-1]
    pairs = [(a, b) for a in touched for b in touched if a < b]
    for a, b in pairs:
        changed = list(now)
        changed[a], changed[b] = before[a], before[b]
        if changed != list(now):
            text = f"{name(a)} and {name(b)} were as before {scene.line[-1].move}"
            yield Other(MEN, text), _replaced(fen, men=placement(changed))


def _changed(square: int, man: str | None, now: str | None) -> str:
    where = name(square)
    if man is None:
        return f"the {NAMES[(now or 'p').lower()]} were not on {where}"
    return f"a {NAMES[man.lower()]} were still on {where}"


def ghost(scene: Scene) -> str | None:
    """Return what an engine forgot when it moves a man that is not there, as a sentence."""
    for text in scene.evidence.extra:
        step = read_step(text)
        if step is None or scene.men.own(step.source):
            continue
        for played in reversed(scene.line):
            said = _left(scene, played, step.source)
            if said is not None:
                return said
    return None


def _left(scene: Scene, played: Played, square: int) -> str | None:
    """How the mover's man left a square with this move, None when it did not."""
    man = played.before.piece_at(square)
    if man is None or man.isupper() != scene.men.white or played.after.piece_at(square) == man:
        return None
    kind = NAMES[man.lower()]
    if played.captured == square:
        return f"it still moves the {kind} on {name(square)}, which {played.move} has taken"
    return f"it still moves the {kind} on {name(square)}, which left with {played.move}"


def printed_differences(scene: Scene) -> list[Other]:
    """Return in which parts the position that the engine printed is another one."""
    printed = scene.evidence.engine_fen
    if printed is None or len(printed.split()) < 4:
        return []
    ours = scene.position.fen().split()
    theirs = [harmless(field) for field in printed.split()[:4]]
    found = []
    if theirs[0] != ours[0]:
        found.append((MEN, _men_printed(scene, theirs[0])))
    if theirs[1] != ours[1]:
        found.append((SIDE, f"it prints {theirs[1]!r} as the side to move, not {ours[1]!r}"))
    if not _same_rights(scene, theirs):
        found.append((CASTLING, f"it prints the castling field {theirs[2]!r}, not {ours[2]!r}"))
    if not _same_en_passant(scene, theirs[3]):
        found.append((EN_PASSANT, f"it prints the e.p. square {theirs[3]}, not {ours[3]}"))
    return [Other(part, text, printed=True) for part, text in found]


def _men_printed(scene: Scene, theirs: str) -> str:
    """What stands on other squares in the position that the engine printed, as a clause."""
    text = "".join("." * int(char) if char.isdigit() else char for char in theirs)
    rows = text.split("/")
    if [len(row) for row in rows] != [8] * 8:
        return f"it prints the men as {theirs}"
    printed = "".join(reversed(rows))
    wrong = [
        f"{_man(char)} on {name(square)}"
        for square, (char, man) in enumerate(zip(printed, scene.men.at, strict=True))
        if char != (man or ".")
    ]
    if len(wrong) > MOST_MEN:
        return f"it prints the men of another position, {theirs}"
    rest = f" and {len(wrong) - 3} more" if len(wrong) > 3 else ""
    return f"it prints {', '.join(wrong[:3])}{rest}"


def _man(char: str) -> str:
    if char == ".":
        return "nothing"
    color = "white" if char.isupper() else "black"
    return f"a {color} {NAMES.get(char.lower(), char)}"


def _same_rights(scene: Scene, theirs: list[str]) -> bool:
    position = scene.position
    if sorted(theirs[2]) == sorted(position.castling):
        return True
    fen = _replaced(position.fen(), castling=theirs[2])
    try:
        return Position(fen, chess960=scene.chess960 or None).castling == position.castling
    except FenError:
        return False


def _same_en_passant(scene: Scene, theirs: str) -> bool:
    """Whether both mean the same: many print the square only where a pawn can capture."""
    fen = scene.position.fen()
    field = fen.split()[3]
    if theirs == field:
        return True
    if theirs != "-":
        return False
    return not any(move.is_en_passant for move in scene.legal.values())
