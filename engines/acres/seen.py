"""The position of a state as plain data, as one viewer sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfida.engines.acres.options import Ruleset
from sfida.engines.acres.position import Position, SeatPosition, Siege
from sfida.engines.acres.rules import card_codes, site_codes

if TYPE_CHECKING:
    from sfida.cython_ext.acres.core import AcresState

STEPS = ("transport", "settler", "strength", "raiders", "coins", "furs", "discards", "govern")
SITES = 36
SITED = ("settle", "develop", "fortify", "besiege", "raid", "reinforce", "leader", "withdraw")
ZONES = ("hand", "reserve")


def position_of(state: AcresState, seat: int | None, rules: Ruleset) -> Position:
    """Return the position as `seat` sees it; None: what everybody sees."""
    raw = state.snapshot()
    over = raw["phase"] == "game_over"
    owner, town = [-1] * SITES, [False] * SITES
    for i, row in enumerate(raw["seats"]):
        for site in row["sites"]:
            owner[site] = i
        for site in row["towns"]:
            town[site] = True
    phase = raw["phase"]
    phase = "main" if phase in STEPS else "draw" if phase == "home" else phase
    busy = raw["phase"] not in ("main", "deal", "draw", "game_over", "order", "pick") and not (
        raw["phase"].startswith("siege") and raw["at_start"])
    sieges = tuple(Siege(attacker=i, site=site, lead=raw["leads"][i],
                         cards=(tuple(raw["seats"][0]["siege"][i]), tuple(raw["seats"][1]["siege"][i])))
                   for i, site in enumerate(raw["targets"]) if site >= 0)
    last = _last(raw)
    return Position(
        phase=phase,
        verb=raw["verb"] if busy else "",
        site=raw["site"] if busy and raw["verb"] in SITED else -1,
        chosen=tuple(raw["trail"]) if busy else (),
        actions_left=raw["actions"] if phase != "game_over" else 0,
        turn=raw["turns"] + 1,
        seat_on_turn=raw["on_turn"],
        seat_to_move=raw["to_move"],
        owner=tuple(owner), town=tuple(town), fort=tuple(i in raw["forts"] for i in range(SITES)),
        forts_left=raw["forts_left"],
        neutral=tuple(raw["neutral"]),
        sieges=sieges,
        seats=(_seat(raw, 0, over or seat == 0), _seat(raw, 1, over or seat == 1)),
        last=last[0], last_site=last[1],
        winner=raw["winner"], reason=raw["reason"],
        by_board=rules.fort_st_john_cards == "by_board", every_ship=rules.ships_in_every_sea_siege,
        step=raw["phase"] if raw["phase"] in STEPS else "",
        ending=raw["targets"][raw["which"]] if phase in ("siege_settle", "siege_loss") else -1,
        quiet=raw["quiet"],
    )


def _seat(raw: dict[str, Any], seat: int, is_open: bool) -> SeatPosition:
    row = raw["seats"][seat]
    told = is_open or len(row["known"]) == row["hand_size"]
    hand = tuple(row["hand"] if is_open else row["known"]) if told else None
    known_deck = row["deck"] if is_open else [*row["unseen"]]
    if told and not is_open:
        for card in row["known"]:
            known_deck.remove(card)
    return SeatPosition(
        hand=hand, hand_size=row["hand_size"], known=tuple(row["known"]),
        deck=tuple(known_deck) if told else None, deck_size=row["deck_size"], unseen=tuple(row["unseen"]),
        discards=tuple(row["discard"]), reserve=tuple(row["reserve"]),
        locations=tuple(row["locations"]), empire=tuple(row["empire"]),
        money=row["money"], points=row["points"], villages=row["cubes"], towns=row["discs"],
        captured_villages=row["got_cubes"], captured_towns=row["got_discs"],
        turns=(raw["turns"] + 1 + (seat == raw["on_turn"])) // 2,
        usable=tuple(row["usable"]))


def _last(raw: dict[str, Any]) -> tuple[tuple[int, str] | None, int]:
    """Return who did what last, without draws, and where."""
    verb, seat = raw["verb"], raw["verb_by"]
    if not verb:
        return None, -1
    cards = [card_codes()[card] for card in raw["trail"]]
    site = raw["site"] if verb in SITED else -1
    if verb == "withdraw" and raw["which"] != seat:
        verb = "surrender"
    if verb in ("develop", "fortify"):      # the site's own card goes without saying
        cards = cards[1:] if verb == "develop" else cards[:1]
    words = [verb, *([site_codes()[site]] if site >= 0 else ()), *cards]
    kind, card, zone = raw["reply"]
    if kind == "block":
        words += ["x", card_codes()[card]]
    elif kind == "lose":
        words += ["hit", card_codes()[card], ZONES[zone]]
    elif kind == "give":
        words += ["hit", ZONES[zone]]
    elif kind == "show":
        words += ["none"]
    return (seat, " ".join(words)), site
