"""The position of a state as plain data, as one viewer sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfida.engines.attila.data import load_data
from sfida.engines.attila.land import Land
from sfida.engines.attila.moves import COMMIT_HIDDEN, DRAW_HIDDEN, OF_PROVINCES, OF_TRIBES, decode
from sfida.engines.attila.options import AttilaOptions
from sfida.engines.attila.position import Battle, Position, SeatPosition, six

if TYPE_CHECKING:
    from sfida.cython_ext.attila.core import AttilaState


OPEN = frozenset({"place", "follow", "order", "prescore", "inf_a", "inf_b"})    # decisions whose moves all can tell


def position_of(state: AttilaState, seat: int | None, land: Land, options: AttilaOptions) -> Position:
    """Return the position as `seat` sees it; None: what everybody sees."""
    raw = state.snapshot()
    over = raw["phase"] == "game_over"
    ranks = state.ranks() if over else None
    left = raw["peace_used"]
    peace = []
    for row in load_data()["centuries"]:
        peace.append(row["peace_tiles"] - min(left, row["peace_tiles"]))
        left -= row["peace_tiles"] - peace[-1]
    numbers = [row["number"] for row in load_data()["centuries"]]
    return Position(
        land=land,
        players=state.players,
        phase=raw["phase"],
        turn=raw["turn"],
        seat_on_turn=raw["active"],
        seat_to_move=raw["to_move"],
        tokens=raw["tokens"],
        pacified=raw["pacified"],
        supply=raw["supply"],
        peace=tuple(peace),
        century=next((number for number, tiles in zip(numbers, peace, strict=True) if tiles), numbers[-1]),
        gain=raw["gain"],
        pile=raw["pile"],
        discards=raw["discards"],
        reshuffles=raw["reshuffles"],
        plays_left=raw["plays_left"],
        tile_used=raw["tile_used"],
        card=raw["card"] if raw["phase"] in ("place", "follow") or raw["queue"] else -1,
        queue=raw["queue"],
        given=raw["given"],
        ending=raw["ending"],
        seats=tuple(_seat(options, state, raw["seats"][i], i, over or i == seat) for i in range(state.players)),
        winners=tuple(i for i, rank in enumerate(ranks or ()) if rank == 1),
        last=_last(raw["last"]),
        battle=_battle(raw["battle"]),
        idle=raw["idle"],
        legal=_legal(state, raw, seat),
        scored_next=raw["scoring_due"] and "prescore" in (raw["phase"], raw["back"]),
    )


def _legal(state: AttilaState, raw: dict[str, Any], seat: int | None) -> frozenset[str]:
    """Return the kinds of the mover's moves, as far as a viewer can tell them."""
    if raw["to_move"] < 0 or (seat != raw["to_move"] and raw["phase"] not in OPEN):
        return frozenset()
    return frozenset(decode(code).kind for code in state.legal_moves())


def _seat(options: AttilaOptions, state: AttilaState, row: dict[str, Any], seat: int, shown: bool) -> SeatPosition:
    face_up = shown or row["laid"] == 0 or options.open_commitments
    return SeatPosition(
        hand=state.hand(seat) if shown or row["hand"] == 0 else None, hand_size=row["hand"],
        laid=row["laid"], laid_cards=state.laid(seat) if face_up else None,
        influence=row["influence"], score=row["score"], prospect=row["prospect"], tiles=row["tiles"])


def _last(code: int | None) -> tuple[str, int] | None:
    """Return the last move for highlighting."""
    if code is None or code in (DRAW_HIDDEN, COMMIT_HIDDEN):
        return None
    move = decode(code)
    if move.kind in ("draw", "commit"):     # whoever sees the position need not have seen which
        return None
    return move.kind, move.what if move.kind in OF_TRIBES or move.kind in OF_PROVINCES else -1


def _battle(raw: dict[str, Any] | None) -> Battle | None:
    if raw is None:
        return None
    there = [n > 0 for n in raw["tokens"]]
    strength = [n + sum(laid[i] for laid in raw["shown"]) if there[i] else 0 for i, n in enumerate(raw["tokens"])]
    removed = [n if raw["gone"] >> i & 1 else 0 for i, n in enumerate(raw["tokens"])]
    return Battle(raw["province"], six(strength), six(removed), tuple(six(laid) for laid in raw["shown"]))
