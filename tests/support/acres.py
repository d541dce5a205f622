"""Positions of A Few Acres of Snow for tests, in the short names of the notation."""

from __future__ import annotations

from typing import Any

from sfida.cython_ext.acres.core import AcresState
from sfida.cython_ext.rng import Random
from sfida.engines.acres.game import Acres
from sfida.engines.acres.notation import Clause
from sfida.engines.acres.position import Cards, Position, SeatPosition
from sfida.engines.acres.tables import card_codes, card_of, site_codes
from sfida.engines.registry import make
from support.playing import legal

B, F = 0, 1
START = ("B.BOS2 B.NYK2 B.NHV B.NFK B.PEM B.PHI B.STM "
         "F.QUE2 F.GAS F.LOU F.MTL F.PRO F.TAD F.TRI")


def start(spec: str = "acres", **options: Any) -> AcresState:
    """Return a game at its start."""
    state = make(spec, **options)
    assert isinstance(state, AcresState)
    return state


def site(code: str) -> int:
    """Return the number of a site."""
    return site_codes().index(code)


def types(text: str, seat: int) -> list[int]:
    """Return card types by short name; ``NAn*2`` stands for two copies."""
    found = []
    for word in text.split():
        code, _, count = word.partition("*")
        found += [card_of(seat)[code]] * int(count or 1)
    return found


def pieces(text: str) -> list[tuple[int, int, bool]]:
    """Return the initial pieces with changes: ``B.ALB`` a village, ``F.DET2`` a town, ``-MTL`` none."""
    map_: dict[str, tuple[int, bool]] = {}
    for word in (START + " " + text).split():
        if word.startswith("-"):
            map_.pop(word[1:])
        else:
            side, name = word.split(".")
            map_[name.rstrip("2")] = ("BF".index(side), name.endswith("2"))
    return [(site(name), seat, town) for name, (seat, town) in map_.items()]


def setup(british: str = "", french: str = "", *, options: str = "", sites: str = "", forts: str = "",
          decks: tuple[str, str] = ("", ""), discards: tuple[str, str] = ("", ""),
          reserves: tuple[str, str] = ("", ""), known: tuple[str, str] = ("", ""),
          sieges: tuple[tuple[int, str, str, str], ...] = (), **arranged: Any) -> AcresState:
    """Return a position: both hands, changes of the map, and further arguments of `AcresState.arrange`.

    A siege is (besieger, site, its cards, the defender's cards).
    """
    state = start("acres" + (f":{options}" if options else ""))
    state.arrange(
        sites=pieces(sites), forts=[site(code) for code in forts.split()],
        hands=(types(british, B), types(french, F)),
        decks=(types(decks[0], B), types(decks[1], F)), discards=(types(discards[0], B), types(discards[1], F)),
        reserves=(types(reserves[0], B), types(reserves[1], F)), known=(types(known[0], B), types(known[1], F)),
        sieges=[(seat, site(code), types(mine, seat), types(other, 1 - seat)) for seat, code, mine, other in sieges],
        **arranged)
    state.verify()
    return state


def play(state: AcresState, *clauses: str) -> AcresState:
    """Play clauses, each with all its cards, and check the position after each move."""
    for text in clauses:
        clause = Clause(state)
        clause.play_action(text)
        for code in clause.moves:
            state.apply(code)
            state.verify()
    return state


def targets(state: AcresState, verb: str) -> set[str]:
    """Return the sites that a verb may name."""
    return {text.split()[1] for text in legal(state, verb + " ")}


def position(state: AcresState, seat: int | None = None) -> Position:
    """Return the position as a seat sees it."""
    game = state.game
    assert isinstance(game, Acres)
    return game.position(state, seat)


def zone(state: AcresState, seat: int, name: str) -> str:
    """Return the cards in a zone of a side, as that side sees them, by short name and joined by blanks."""
    return " ".join(card_codes()[card] for card in getattr(part(state, seat), name))


def part(state: AcresState, seat: int) -> SeatPosition:
    """Return a side's part of the position, as that side sees it."""
    return position(state, seat).seats[seat]


def played(state: AcresState, seat: int, besieger: int) -> Cards:
    """Return the cards that a side has played into a siege."""
    siege = position(state).siege_by(besieger)
    return siege.cards[seat] if siege is not None else ()


def money(state: AcresState) -> tuple[int, int]:
    """Return both sides' money."""
    return part(state, B).money, part(state, F).money


def owner(state: AcresState, code: str) -> str:
    """Return B, F or . for a site, with 2 for a town and # for a fort."""
    where = position(state)
    i = site(code)
    return "BF."[where.owner[i]] + "2" * where.town[i] + "#" * where.fort[i]


def lead(state: AcresState, besieger: int) -> int:
    """Return a besieger's lead."""
    siege = position(state).siege_by(besieger)
    return siege.lead if siege is not None else 0


def draw(state: AcresState, *cards: str) -> AcresState:
    """Draw cards one by one."""
    for card in cards:
        state.apply(state.parse(f"#draw={card}"))
        state.verify()
    return state


def end(state: AcresState, rng: Random | None = None) -> AcresState:
    """Pass the remaining actions, end the turn and draw at random, up to the next decision."""
    rng = rng or Random(1)
    while state.phase == "main" and "pass" in legal(state):
        play(state, "pass")
    play(state, "end")
    while state.is_chance:
        state.apply(state.sample_chance(rng))
        state.verify()
    return state
