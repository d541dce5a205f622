"""Move codes of Attila and what they mean (part 4)."""

from __future__ import annotations

from dataclasses import dataclass

LETTERS = "FHGSTV"
# kind, first code, how many: of tribes or provinces, or 1
ROWS = (("card", 0, 6), ("dump", 6, 6), ("at", 12, 32), ("second", 44, 32), ("influence", 76, 1), ("commit", 77, 6),
        ("done", 83, 1), ("go_on", 84, 1), ("end_turn", 85, 1), ("tile_double", 86, 1), ("tile_exchange", 87, 1),
        ("tile_influence", 88, 1), ("give", 89, 6), ("give_done", 95, 1), ("inf_a", 96, 6), ("inf_b", 102, 6),
        ("draw", 108, 6), ("draw_hidden", 114, 1), ("commit_hidden", 115, 1), ("skip", 116, 1), ("first", 120, 5),
        ("fight", 128, 32))
_FIRST = {kind: (first, count) for kind, first, count in ROWS}
_MOVES = {first + i: (kind, i if count > 1 else -1) for kind, first, count in ROWS for i in range(count)}
DRAW_HIDDEN = 114                       # a card that a viewer did not see drawn, and one that he did not see laid
COMMIT_HIDDEN = 115
OF_TRIBES = ("card", "dump", "commit", "give", "inf_a", "inf_b", "draw")
OF_PROVINCES = ("at", "second", "fight")
TILES = {"tile_double": "double_turn", "tile_exchange": "exchange", "tile_influence": "influence_2"}
# What is done is all that comes of these: no influence, conflict, scoring or end.
WITHOUT_EFFECT = frozenset({"first", "card", "fight", "commit", "tile_double", "tile_exchange", "tile_influence",
                            "give", "give_done"})


@dataclass(frozen=True)
class Move:
    """A move or chance outcome.

    Attributes
    ----------
    kind : str
        A name of `ROWS`.
    what : int
        Tribe of `OF_TRIBES`, province of `OF_PROVINCES`, seat of "first"; else -1.
    """

    kind: str
    what: int = -1


def encode(move: Move) -> int:
    """Return the code of a move.

    Raises
    ------
    ValueError
        If there is no such kind, tribe or province.
    """
    if move.kind not in _FIRST:
        raise ValueError(f"'{move.kind}' is no kind of move")
    first, count = _FIRST[move.kind]
    if count == 1:
        return first
    if not 0 <= move.what < count:
        raise ValueError(f"{move} is out of range")
    return first + move.what


def decode(code: int) -> Move:
    """Return the move of a code; raises ValueError for a number that is none."""
    if code not in _MOVES:
        raise ValueError(f"{code} is no move of Attila")
    return Move(*_MOVES[code])
