"""The bugs that can be planted, and the rule that a diagnosis has to name for each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

GENERATOR, MAKE, UNMAKE, COUNTING, FEN = "generator", "make", "unmake", "counting", "fen"
STANDARD, CHESS960 = "perft_positions", "chess960_hard"


@dataclass(frozen=True, slots=True)
class Bug:
    """One bug.

    Attributes:
        name: What `--bug` takes.
        sentence: What the program does wrong.
        place: Which part of the program is wrong.
        rule: The rule that a diagnosis should name.
        also: Other rules that it may name, each with the reason why.
        catalogue: The class that people really had, in the words of the collection of such
            reports or of the measured mutations; empty when it is in neither.
        has_colors: Whether it can be given to one side only.
        by_moves: Whether the program is right when it is given any position as a FEN.
        suite: The built-in suite that shows it.
        visible: Whether any count shows it.
        depth: The smallest depth at which a position can show it, if that is more than 4.
    """

    name: str
    sentence: str
    place: str
    rule: str
    also: Mapping[str, str]
    catalogue: str = ""
    has_colors: bool = True
    by_moves: bool = False
    suite: str = STANDARD
    visible: bool = True
    depth: int = 4

    @property
    def rules(self) -> frozenset[str]:
        """All rules that a diagnosis may name."""
        return frozenset({self.rule, *self.also})

    @property
    def colors(self) -> tuple[str, ...]:
        """The values of `--color` that make a difference."""
        return ("white", "black") if self.has_colors else ("both",)


# Why a second rule is allowed. All are about what one position, or one perft, can't tell apart.
STATE = "a state that make gets wrong is make-unmake as well: right by FEN, wrong by moves"
ONE_POSITION = "the first wrong position may have no other move that would tell the two apart"
ASKED_ALONE = (
    "every position asked alone is right, and wrong below the position before: a wrong count, a "
    "hash table that mixes up two positions and an unmake that leaves something behind look alike"
)


def _generator(name: str, sentence: str, rule: str, catalogue: str = "", **also: str) -> Bug:
    return Bug(name, sentence, GENERATOR, rule, _dashed(also), catalogue)


def _chess960(name: str, sentence: str, rule: str, catalogue: str = "", **also: str) -> Bug:
    return Bug(name, sentence, GENERATOR, rule, _dashed(also), catalogue, suite=CHESS960)


def _make(name: str, sentence: str, rule: str, catalogue: str = "", **also: str) -> Bug:
    if rule != "make-unmake":
        also["make_unmake"] = STATE
    return Bug(name, sentence, MAKE, rule, _dashed(also), catalogue, by_moves=True)


def _unmake(name: str, sentence: str, catalogue: str = "", visible: bool = True) -> Bug:
    also = {"count-only": ASKED_ALONE}
    return Bug(
        name, sentence, UNMAKE, "make-unmake", also, catalogue, by_moves=True, visible=visible
    )


def _counting(
    name: str, sentence: str, catalogue: str = "", *, has_colors: bool = True, depth: int = 4
) -> Bug:
    alone = name.startswith("hash-") or name == "count-inner-nodes"
    also = {"make-unmake": ASKED_ALONE} if alone else {}
    return Bug(name, sentence, COUNTING, "count-only", also, catalogue, has_colors, depth=depth)


def _fen(
    name: str, sentence: str, catalogue: str = "", has_colors: bool = True, **also: str
) -> Bug:
    return Bug(name, sentence, FEN, "fen-parsing", _dashed(also), catalogue, has_colors)


def _dashed(also: Mapping[str, str]) -> dict[str, str]:
    return {rule.replace("_", "-"): reason for rule, reason in also.items()}


_ALL = (
    # En passant
    _generator(
        "en-passant-pin-ignored",
        "the king's safety is not tested after an e.p. capture",
        "en-passant-pin",
        "ep-horizontal-pin",
    ),
    _generator(
        "en-passant-pin-on-ranks-ignored",
        "after an e.p. capture only attacks on files and diagonals are tested",
        "en-passant-pin",
        "ep-horizontal-pin; ep legality tested with the captured pawn still there",
    ),
    _generator(
        "en-passant-pin-on-diagonals-ignored",
        "after an e.p. capture only attacks on ranks and files are tested",
        "en-passant-pin",
        "ep-diagonal-discovery",
    ),
    _generator(
        "en-passant-evasion-missing",
        "a pawn that gives check can't be captured e.p.",
        "en-passant-evasion",
        "ep-evasion-missing",
    ),
    _generator(
        "en-passant-check-ignored",
        "an e.p. capture is allowed in any check",
        "en-passant-evasion",
        "ep-evasion-unreachable-fen",
    ),
    _generator(
        "en-passant-pinned-never",
        "a pinned pawn never captures e.p., not even along its line",
        "pin-over-restricted",
        "ep-pinned-pawn-along-line",
        en_passant_missing="the missing move is an e.p. capture as much as a pinned man's",
    ),
    _generator(
        "en-passant-missing",
        "e.p. is never generated",
        "en-passant-missing",
        "ep never generated",
        en_passant_evasion=ONE_POSITION,
        pin_over_restricted=ONE_POSITION,
    ),
    _generator(
        "en-passant-to-one-side-only",
        "e.p. is generated towards the h-file only",
        "en-passant-missing",
        en_passant_evasion=ONE_POSITION,
        pin_over_restricted=ONE_POSITION,
    ),
    _generator(
        "en-passant-wraps",
        "e.p. round the edge: the e.p. square is found by index arithmetic",
        "pawn-wrap",
        "wrap-ep-capture",
    ),
    _generator(
        "en-passant-backwards",
        "a pawn captures e.p. backwards too",
        "en-passant-target",
    ),
    _generator(
        "en-passant-none-is-a-square",
        "no e.p. square is taken for a8, by Black for a1",
        "en-passant-target",
        "ep-sentinel-is-a-square",
        promotion_missing="the pawn arrives on the last rank and is not promoted",
        pawn_move="without an e.p. square it is a pawn that captures nothing",
    ),
    _make(
        "en-passant-victim-stays",
        "the pawn captured e.p. stays on the board",
        "en-passant-target",
    ),
    _make(
        "en-passant-by-pieces",
        "a piece that moves to the e.p. square takes the pawn behind it too",
        "make-unmake",
        "ep-taken-by-non-pawn",
        en_passant_target="a man is captured e.p. that may not be",
    ),
    _make(
        "en-passant-never-cleared",
        "the e.p. square stays until the next double step",
        "en-passant-stale",
        "ep-kept-one-ply-too-long; ep square kept until overwritten; ep-after-null",
    ),
    _make(
        "en-passant-cleared-by-pawns",
        "the e.p. square is cleared by pawn moves only",
        "en-passant-stale",
        "ep-kept-one-ply-too-long",
    ),
    _make(
        "en-passant-square-wrong",
        "a double step notes the pawn's own square, so that it can't be captured e.p.",
        "en-passant-missing",
        "macro-precedence",
    ),
    # Castling
    _generator(
        "castling-through-check",
        "the square that the king passes may be attacked",
        "castling-through-check",
        "castling: only the king destination tested",
    ),
    _generator(
        "castling-out-of-check",
        "castling is allowed in check",
        "castling-out-of-check",
        "castling out of check",
    ),
    _generator(
        "castling-into-check",
        "the king's new square may be attacked",
        "castling-into-check",
    ),
    _generator(
        "castling-over-men",
        "castling does not ask whether the path is free",
        "castling-path",
        "castling-through-pieces",
    ),
    _generator(
        "castling-over-the-b-file",
        "b1 (b8) may be occupied",
        "castling-path",
        "castling-through-pieces",
    ),
    _generator(
        "castling-over-attacked-b-file",
        "b1 (b8) may not be attacked",
        "castling-over-restricted",
        "castling-b-file-attack; b1/b8 required unattacked (long castling)",
    ),
    _generator(
        "castling-with-attacked-rook",
        "the castling rook may not be attacked",
        "castling-over-restricted",
        "castling-960-rook-attacked",
    ),
    _generator(
        "castling-queenside-missing",
        "O-O-O is never generated",
        "castling-missing",
        castling_over_restricted=ONE_POSITION,
    ),
    _chess960(
        "castling-960-king-stays-missing",
        "castling is missing where the king stands on its new square already",
        "castling-missing",
        "castling-960-king-stays",
        castling_path="the king that stays may just as well block its own path",
        castling_over_restricted=ONE_POSITION,
    ),
    _chess960(
        "castling-960-blocks-itself",
        "king and castling rook block each other's path",
        "castling-path",
        "castling-960-not-supported",
        castling_missing="nothing in the position says why the move is missing",
    ),
    _chess960(
        "castling-960-rook-shields",
        "the king's new square is tested with the rook still on its old one",
        "castling-into-check",
        "castling-960-pinned-rook",
    ),
    _make(
        "rights-kept-rook-captured",
        "the right stays when the rook is captured at home",
        "castling-rights",
        "castling-right-kept-after-rook-capture; right kept when the rook is captured",
    ),
    _make(
        "rights-kept-rook-takes-rook",
        "rook takes rook at home: only the mover loses the right",
        "castling-rights",
        "castling-right-kept-after-rook-capture",
    ),
    _make("rights-kept-rook-moved", "the right stays when the rook moves", "castling-rights"),
    _make("rights-kept-king-moved", "the rights stay when the king moves", "castling-rights"),
    _make(
        "rights-lost-on-both-sides",
        "a move of one rook takes both rights",
        "castling-rights",
        "castling-right-lost-wrongly",
    ),
    _make("castling-rook-stays", "the king castles without its rook", "make-unmake"),
    _make(
        "castling-king-square-stale",
        "the king's square is not noted when it castles",
        "make-unmake",
    ),
    _make("turn-kept-by-castling", "after castling the same side is to move", "make-unmake"),
    # Promotion
    _generator(
        "promotion-missing",
        "a pawn stays a pawn on the last rank",
        "promotion-missing",
        promotion_capture=ONE_POSITION,
    ),
    _generator(
        "promotion-to-queen-only",
        "only queens are promoted to",
        "promotion-piece",
        "queen promotions only",
        promotion_capture=ONE_POSITION,
    ),
    _generator(
        "promotion-to-three-pieces",
        "no promotion to a knight",
        "promotion-piece",
        "underpromotion-missing",
        promotion_capture=ONE_POSITION,
    ),
    _generator(
        "promotion-to-king",
        "a pawn may be promoted to a king",
        "promotion-piece",
        promotion_capture=ONE_POSITION,
    ),
    _generator(
        "promotion-capture-missing",
        "captures on the last rank are missing",
        "promotion-capture",
        promotion_missing=ONE_POSITION,
    ),
    _generator(
        "promotion-capture-to-queen-only",
        "captures on the last rank promote to a queen only",
        "promotion-capture",
        "capture promotions to queen only",
        promotion_piece=ONE_POSITION,
    ),
    _generator(
        "promotion-capture-of-checker-unpromoted",
        "the capture of a checking man on the last rank is not expanded to promotions",
        "promotion-capture",
        "promotion-capture-evasion; promotion-evasion",
        promotion_missing="the pawn arrives unpromoted, and in check only this capture can",
    ),
    _make("promotion-made-a-pawn", "make leaves a pawn on the last rank", "make-unmake"),
    _make("promotion-made-a-queen", "make promotes to a queen whatever was chosen", "make-unmake"),
    # Pawns
    _generator(
        "double-push-jumps",
        "a double push jumps over a man",
        "pawn-double-push",
        "double-push-through-piece; double push through a piece",
    ),
    _generator("double-push-captures", "a double push captures", "pawn-double-push"),
    _generator(
        "double-push-from-the-third-rank",
        "a double push from the third rank (Black: the sixth)",
        "pawn-double-push",
    ),
    _generator("double-push-missing", "no double push", "pawn-double-push"),
    _generator("double-push-no-evasion", "no double push blocks a check", "pawn-double-push"),
    _generator("pawn-capture-wraps", "pawn captures wrap round the edge", "pawn-wrap"),
    _generator("pawn-push-captures", "a single push captures", "pawn-move"),
    _generator(
        "pawn-never-captures-to-the-left",
        "no pawn capture towards the a-file",
        "pawn-move",
        check_evasion=ONE_POSITION,
        promotion_capture=ONE_POSITION,
    ),
    _generator("pawn-captures-nothing", "a pawn steps diagonally to an empty square", "pawn-move"),
    # Pieces
    _generator("knight-wraps", "knights wrap round the edge", "piece-wrap"),
    _generator("king-wraps", "kings wrap round the edge", "piece-wrap"),
    _generator(
        "slider-wraps",
        "rooks and queens run on from the h-file",
        "piece-wrap",
        duplicate_move="round the edge a queen may come to where it goes anyway",
    ),
    _generator("slider-stops-short", "sliders go six squares at most", "slider-range"),
    _generator(
        "slider-runs-through",
        "sliders run on behind the first man that they could take",
        "slider-range",
        "slider-through-piece",
    ),
    _generator(
        "slider-stops-at-the-en-passant-square",
        "the e.p. square is a man on the board that blocks rays",
        "slider-range",
        "ep-marker-blocks-rays",
    ),
    _generator(
        "bishop-lacks-a-direction",
        "bishops do not move towards a1",
        "slider-range",
        check_evasion="in check a bishop has one move at most, and that one is missing",
    ),
    _generator("knight-lacks-a-step", "knights lack the step up and right", "leaper-moves"),
    _generator("knight-steps-too-far", "knights have one step too long", "leaper-moves"),
    _generator(
        "king-lacks-a-step",
        "kings lack the step towards a1",
        "king-over-restricted",
        leaper_moves="the step is missing in every position",
    ),
    _generator("own-capture-by-knight", "knights take their own men", "own-capture"),
    _generator(
        "own-capture-by-slider", "sliders take their own men", "own-capture", "undo-piece-lists"
    ),
    _generator(
        "own-capture-by-king", "kings take their own men", "own-capture", "castling-encoding"
    ),
    # Pins and checks
    _generator("pin-ignored", "pinned men move freely", "pin"),
    _generator("pin-on-diagonals-ignored", "pins on diagonals are overlooked", "pin"),
    _generator(
        "pin-ignored-in-check", "a pinned man may block or take a checker", "pin", "pin-and-check"
    ),
    _generator("pinned-men-frozen", "pinned men never move", "pin-over-restricted"),
    _generator("check-ignored", "in single check any man may move", "check-evasion"),
    _generator(
        "check-never-blocked",
        "a check is never blocked",
        "check-evasion",
        pawn_double_push="where the only blocks are double pushes",
        promotion_missing="where the only block is a promotion",
    ),
    _generator(
        "checker-never-captured",
        "only the king takes a man that gives check",
        "check-evasion",
        promotion_capture="where the only man that takes the checker is a pawn that promotes",
    ),
    _generator(
        "double-check-second-checker-overlooked",
        "in double check only the first checker counts",
        "double-check",
        "slider-through-piece; double-check-non-king-move",
    ),
    # Kings
    _generator(
        "king-ignores-attacks",
        "the king steps anywhere",
        "king-into-check",
        king_adjacent="where every attacked square is next to the other king",
        king_captures_defended="where every attacked square has a man on it",
        king_x_ray="where the king could only step back along the line",
    ),
    _generator(
        "king-ignores-pawns", "the king steps on squares that pawns attack", "king-into-check"
    ),
    _generator(
        "king-shields-its-own-back",
        "the king steps back along the line of the checking slider",
        "king-x-ray",
        "king may step back along the checking ray",
    ),
    _generator(
        "king-next-to-king",
        "the king steps next to the other king",
        "king-adjacent",
        "enemy king not an attacker",
    ),
    _generator(
        "king-takes-defended-men",
        "the king takes defended men",
        "king-captures-defended",
        king_adjacent="where the other king is what defends the man",
        king_x_ray="where the man is defended through the square that the king leaves",
    ),
    _generator(
        "king-never-captures",
        "the king never captures",
        "king-over-restricted",
        "castling-fix-drops-king-moves",
    ),
    _generator(
        "king-fears-pushes",
        "the king avoids squares that an enemy pawn could be pushed to",
        "king-over-restricted",
    ),
    # Lists
    _generator("queen-moves-listed-twice", "queen moves are listed twice", "duplicate-move"),
    _generator(
        "move-list-of-128", "the list holds 128 moves", "move-list-overflow", "move-list-overflow"
    ),
    # Taking back
    _unmake(
        "unmake-forgets-the-captured-man",
        "the captured man is not put back",
        "undo-captured-piece",
    ),
    _unmake(
        "unmake-forgets-rights",
        "castling rights are not restored",
        "undo-castling-rights; undo does not restore rights",
    ),
    _unmake("unmake-keeps-the-promoted-piece", "the pawn comes back as what it became"),
    _unmake("unmake-leaves-the-castled-rook", "the castled rook stays, and stands at home too"),
    _unmake(
        "unmake-misplaces-the-en-passant-pawn",
        "the pawn captured e.p. comes back on the e.p. square",
    ),
    _unmake("unmake-forgets-the-king-square", "the king's square is not restored"),
    _unmake(
        "unmake-forgets-en-passant",
        "the e.p. square is not restored, which no count can show",
        "undo-ep; hash-not-restored",
        visible=False,
    ),
    # Counting
    _counting("count-finished-games", "mate and stalemate are counted as a leaf"),
    _counting(
        "count-checks-twice",
        "a leaf that gives check is counted twice",
        "unresolved; delta-equals-a-column",
    ),
    _counting(
        "count-inner-nodes",
        "inner nodes are counted with the leaves",
        "cumulative-count convention",
    ),
    _counting(
        "count-in-32-bits",
        "a carry of 2^32 in every subtotal over 1000: an overflow that shows early enough",
    ),
    _counting(
        "hash-key-too-short",
        "the hash key has 12 bits, so that positions are mixed up",
        has_colors=False,
    ),
    _counting(
        "hash-forgets-underpromotions",
        "the hash key does not tell a knight from a bishop",
        has_colors=False,
    ),
    _counting(
        "hash-forgets-rights",
        "the hash key leaves out castling rights",
        has_colors=False,
        depth=5,
    ),
    _counting(
        "hash-forgets-en-passant",
        "the hash key leaves out the e.p. square",
        "hash-ep",
        has_colors=False,
    ),
    _counting(
        "hash-forgets-the-depth",
        "the hash table answers for any depth",
        has_colors=False,
        depth=5,
    ),
    # Reading FENs
    _fen(
        "fen-en-passant-ignored",
        "the e.p. field is not read",
        "ep-from-fen-ignored",
        en_passant_missing="a position given as FEN only: it has no e.p. capture",
    ),
    _fen(
        "fen-rights-ignored",
        "the castling field is not read: no rights",
        castling_missing="a position given as FEN only: castling is missing",
    ),
    _fen(
        "fen-rights-guessed",
        "the castling field is not read: rights wherever king and rook are at home",
        "fen-rights-vs-king",
        castling_rights="a position given as FEN only: castling without the right",
    ),
    _fen("fen-always-white", "White is always to move", has_colors=False),
    _fen(
        "fen-with-en-passant-rejected",
        "a FEN with an e.p. square is refused and the position before stays",
        "reference-position-rejected",
    ),
    _fen("fen-start-position", "the start position is always answered for", has_colors=False),
)

BUGS: Mapping[str, Bug] = {bug.name: bug for bug in _ALL}
"""All bugs by name."""

VISIBLE = tuple(bug for bug in _ALL if bug.visible)
"""Those that a count shows."""
