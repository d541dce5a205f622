"""Positions of RisiKo! for the tests of its pictures: middle games with all elements that a picture can show."""

from __future__ import annotations

from dataclasses import replace

from sfida.engines.risiko.position import Position, SeatPosition
from sfida.engines.risiko.style import continents, numbers, territories
from sfida.engines.risiko.tables import load_data

COLORS = tuple(entry["id"] for entry in load_data()["color"])
CODE = {territory.code: territory.number for territory in territories()}
HANDS = ((0, 20, 42), (3, 11, 27, 29, 40), (), (8, 10), (13,), (1, 2, 4, 5, 6, 7, 41))
# (index in the base deck, territories that the objective names)
OBJECTIVES = (2, 0, 10, 5, 12, 1)
_STACKS = (1, 3, 1, 2, 12, 1, 5, 1, 2, 27, 1, 4, 1)


def goal(ids: list[str]) -> tuple[int, ...]:
    """Return the territories of continents or territories by their ids."""
    found: set[int] = set()
    for name in ids:
        found |= next(({*c.territories} for c in continents() if c.id == name), None) or {numbers()[name]}
    return tuple(sorted(found))


def owners(players: int) -> tuple[int, ...]:
    """Return a middle game's owners: the first seat holds all of North America, the second all of Oceania."""
    found = [(5 * number + number // 6) % players for number in range(42)]
    for number in continents()[0].territories:
        found[number] = 0
    for number in continents()[5].territories:
        found[number] = 1
    return tuple(found)


def hidden(seat: SeatPosition) -> SeatPosition:
    """Return a seat as others see it."""
    return replace(seat, cards=None, objective=None, objective_name="", goal=(), progress="", points=None)


def game(viewer: int | None = None, players: int = 4, tournament: bool = False) -> Position:
    """Return a middle game as one seat sees it; None: with all hidden information."""
    owner = owners(players)
    armies = tuple(_STACKS[number % len(_STACKS)] for number in range(42))
    data = load_data()
    seats = []
    for seat in range(players):
        own = [number for number in range(42) if owner[number] == seat]
        whole = tuple(c.number for c in continents() if set(c.territories) <= set(own))
        index = seat if tournament else OBJECTIVES[seat]
        card = data["tournament_objective"][index] if tournament else data["objective"][index]
        wanted = goal(card.get("territories", card.get("continents", [])))
        seats.append(SeatPosition(
            color=COLORS[seat], alive=True, territories=len(own), armies=sum(armies[number] for number in own),
            continents=whole, income=len(own) // 3 + sum(continents()[number].bonus for number in whole),
            card_count=len(HANDS[seat]), cards=HANDS[seat], objective=index, objective_name=card["name_en"],
            goal=wanted, progress=f"{len(set(wanted) & set(own))} of {len(wanted) or 24} territories",
            points=40 + seat if tournament else None))
    if viewer is not None:
        seats = [seat if number == viewer else hidden(seat) for number, seat in enumerate(seats)]
    return Position(players=players, tournament=tournament, phase="attack", round=6, seat_on_turn=0, seat_to_move=0,
                    owner=owner, armies=armies, left=0, conquests=1, deck=22, discards=(9, 14, 33),
                    seats=tuple(seats), last=("attack", CODE["QUE"], CODE["GRO"], 1, 2))


def fallen(position: Position, seat: int = 2, by: int = 1) -> Position:
    """Return the position with a seat eliminated and its territories owned by another seat."""
    seats = list(position.seats)
    seats[seat] = replace(seats[seat], alive=False, territories=0, armies=0, continents=(), income=0, card_count=0,
                          cards=() if seats[seat].cards is not None else None, eliminated_round=5, eliminated_by=by)
    return replace(position, owner=tuple(by if one == seat else one for one in position.owner), seats=tuple(seats))


def undealt(players: int = 4) -> Position:
    """Return the position before the territories are dealt."""
    nobody = SeatPosition(color="", alive=True, territories=0, armies=0, continents=(), income=0, card_count=0,
                          cards=(), objective=None)
    return replace(game(players=players), phase="chance_start", round=0, seat_on_turn=0, seat_to_move=-1,
                   owner=(-1,) * 42, armies=(0,) * 42, conquests=0, deck=44, discards=(), last=None,
                   seats=(nobody,) * players)


OVER = replace(game(None, 5), phase="game_over", seat_to_move=-4, winners=(1, 3))
WORDY = replace(OVER, seats=tuple(replace(
    seat, objective_name="Europe, South America and a third continent",
    progress="11 of 11 territories, 1 of 1 other continent") for seat in OVER.seats))
POSITIONS = {"open": game(), "seat 1": game(1), "three": game(0, 3), "six": fallen(game(1, 6)),
             "tournament": game(4, 5, True), "undealt": undealt(), "over": OVER, "wordy": WORDY}
