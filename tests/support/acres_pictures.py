"""Hand-made positions of A Few Acres of Snow for its pictures; they look legal, but were not reached by play."""

from __future__ import annotations

from dataclasses import replace

from sfida.engines.acres.position import Action, Cards, Position, SeatPosition, Siege
from sfida.engines.acres.style import cards, sites
from sfida.engines.acres.tables import load_data

SITE = {site.code: site.number for site in sites()}


def card(code: str, seat: int) -> int:
    """Return the card type of a code as a side sees it: its own colour, or neutral."""
    return next(one.number for one in cards() if one.code == code and one.side in (seat, -1))


def numbers(text: str) -> tuple[int, ...]:
    """Return sites by their codes."""
    return tuple(sorted(SITE[code] for code in text.split()))


def pile(text: str, seat: int) -> Cards:
    """Return cards by their codes."""
    return tuple(sorted(card(code, seat) for code in text.split()))


def rest(seat: int, text: str, empire: bool) -> Cards:
    """Return the cards of a colour except those with the given codes; copies of an empire card count once each."""
    taken = pile(text, seat)
    return tuple(one.number for one in cards()
                 if one.side == seat and (one.site < 0) == empire and one.number not in taken)


def start(viewer: int | None = None) -> Position:
    """Return the position of the first turn, as a seat sees it; None sees everything."""
    rows = load_data()["board"]["locations"]
    owner = tuple({"british": 0, "french": 1}.get(row["start_owner"], -1) for row in rows)
    town = tuple(row["start_piece"] == "town" for row in rows)
    british = SeatPosition(
        pile("BOS NHV NYK PHI STM", 0), 5, (), pile("NFK PEM", 0), 2, pile("BOS NHV NYK NFK PEM PHI STM", 0), (), (),
        rest(0, "BOS NHV NYK NFK PEM PHI STM", False), rest(0, "", True), 12, 17, 13, 10, 0, 0,
        tuple(i for i in range(36) if owner[i] == 0))
    french = SeatPosition(
        pile("GAS LOU QUE RI0 TR0", 1), 5, (), pile("MTL PRO TAD TRI BX", 1), 5,
        pile("GAS LOU QUE RI0 TR0 MTL PRO TAD TRI BX", 1), (), (), rest(1, "GAS LOU MTL QUE PRO TAD TRI", False),
        rest(1, "BX RI0 TR0", True), 5, 29, 12, 8, 0, 0, tuple(i for i in range(36) if owner[i] == 1))
    return seen(Position("main", 0, 0, 0, 1, 1, owner, town, (False,) * 36, 12,
                         pile("FOn FOn NAn NAn NAn NAn NAn SEn SEn", -1), (british, french)), viewer)


def seen(position: Position, viewer: int | None) -> Position:
    """Return a position as a seat sees it; None sees everything."""
    if viewer is None:
        return position
    seats = [who if seat == viewer else replace(who, hand=None, deck=None) for seat, who in enumerate(position.seats)]
    return replace(position, seats=(seats[0], seats[1]))


def placed(position: Position, seat: int, codes: str, *, town: bool = False, fort: bool = False) -> Position:
    """Return a position with pieces of a side (-1: none) on sites."""
    owner, towns, forts = list(position.owner), list(position.town), list(position.fort)
    for code in codes.split():
        owner[SITE[code]], towns[SITE[code]], forts[SITE[code]] = seat, town, fort
    return replace(position, owner=tuple(owner), town=tuple(towns), fort=tuple(forts))


def war(viewer: int | None = None) -> Position:
    """Return a position late in a game: two sieges, forts, captures, reserves, a partly known hand."""
    position = start()
    for seat, codes, town, fort in ((0, "ALB DEE BAL", True, False), (0, "FHA FST HAL RIC CUM", False, False),
                                    (0, "PEM", False, True), (1, "FFR FNI FPI", False, False), (1, "MTL", True, True),
                                    (1, "KEN", False, True), (1, "DET", True, False), (-1, "GAS", False, False),
                                    (1, "PRO TRI", True, False), (1, "LOU", False, True)):
        position = placed(position, seat, codes, town=town, fort=fort)
    british = replace(
        position.seats[0], hand=pile("ALB FHA HAL NYK ML RI SA NAn PHI", 0), hand_size=9, known=pile("RI NAn", 0),
        deck=pile("BOS BAL MI MI STM", 0), deck_size=5,
        unseen=pile("ALB FHA HAL NYK ML RI SA NAn PHI BOS BAL MI MI STM", 0),
        discards=pile("NHV PEM DEE RG HS TR", 0), reserve=pile("FO SH", 0), money=7, points=38, villages=8, towns=5,
        captured_villages=1, captured_towns=1, empire=pile("RI RI RI SE IL BX GV MI SH", 0),
        usable=numbers("BOS NYK NHV PHI ALB DEE BAL STM NFK RIC CUM HAL PEM FST"))
    french = replace(
        position.seats[1], hand=pile("QUE TRI CB NA FOn", 1), hand_size=5, known=pile("FOn", 1),
        deck=pile("MTL TAD RI BX", 1), deck_size=4, unseen=pile("QUE TRI CB NA FOn MTL TAD RI BX", 1),
        discards=pile("FFR FNI FPI DET TR0 PR MI MI GAS KEN PRO", 1), reserve=pile("SA", 1), money=3, points=41,
        villages=6, towns=2, captured_villages=2, captured_towns=0,
        usable=numbers("QUE TRI MTL TAD PRO FFR FNI FPI DET KEN"))
    sieges = (Siege(0, SITE["LOU"], 3, (pile("RI RI SH", 0), pile("RI0 PRO", 1))),
              Siege(1, SITE["BOS"], -1, (pile("NHV MI", 0), pile("RI RI ML", 1))))
    return seen(replace(position, actions_left=2, turn=37, forts_left=7, sieges=sieges, seats=(british, french),
                        neutral=pile("FOn NAn NAn NAn SEn SEn", -1),
                        action=Action(1, "reinforce", SITE["BOS"], pile("RI", 1))), viewer)


def ended() -> Position:
    """Return a game that the French won by siege."""
    return replace(war(), phase="game_over", seat_to_move=-4, winner=1, reason="siege")


DEALT = replace(start(), phase="deal", seat_to_move=-1)
POSITIONS = {"start": start(0), "French start": start(1), "dealt": DEALT, "war": war(0), "French war": war(1),
             "open": war(), "over": ended()}
