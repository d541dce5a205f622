"""Moves of The Settlers of Zarahemla as text, both ways (ZAR-22.3, 22.4)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from sfida.cython_ext.errors import IllegalMove, InvalidNotation
from sfida.engines import moves
from sfida.engines.language import LANGUAGES, N_, NP_, _, in_every_language, names_codes, pgettext, speaking, spellings
from sfida.engines.moves import first_meaning, legal_code, no_move, played_through
from sfida.engines.spec import quoted
from sfida.engines.zarahemla.illegal_reasons import why_not, wrong_lot
from sfida.engines.zarahemla.map import board
from sfida.engines.zarahemla.position import Move, chance_codes, decode, encode, position_of
from sfida.engines.zarahemla.style import (
    RESOURCES, card_names, cards_text, resource_cards, resource_noun, seat_spellings, terrain_name
)
from sfida.engines.zarahemla.tables import CARD_IDS, TERRAIN_IDS, corners_of_edge, edge_of_corners

if TYPE_CHECKING:
    from sfida.cython_ext.zarahemla.core import ZarahemlaState

LETTERS = "wbags"                       # wood, brick, water, wheat, stone
TERRAIN = LETTERS + "h"
STATIONS = LETTERS + "3"
WORDS = {                               # moves without argument
    "roll": "roll", "end_turn": "end", "buy_dev": "D", "temple_stone": "T", "play_warrior": "W", "play_harvest": "H",
    "play_road_building": "RB", "play_temple_building": "TB", "take_stop": "stop", "steal_nothing": "x-",
    "trade_open": "offer", "trade_submit": "done", "trade_accept": "yes", "trade_reject": "no",
    "trade_counter": "counter", "trade_no_deal": "nodeal",
}
_TYPED = {                              # synonyms of the words
    "D": NP_("typed in zarahemla", "buy|card"), "T": NP_("typed in zarahemla", "temple|stone"),
    "W": NP_("typed in zarahemla", "warrior|knight"), "H": NP_("typed in zarahemla", "harvest"),
    "RB": NP_("typed in zarahemla", "roads"), "yes": NP_("typed in zarahemla", "accept"),
    "no": NP_("typed in zarahemla", "reject|refuse"), "offer": NP_("typed in zarahemla", "?"),
    "counter": NP_("typed in zarahemla", "!"), "end": NP_("typed in zarahemla", "pass|endturn"),
    "roll": NP_("typed in zarahemla", "dice"), "nodeal": NP_("typed in zarahemla", "no deal"),
    "done": NP_("typed in zarahemla", "done"), "stop": NP_("typed in zarahemla", "stop"),
    "x-": NP_("typed in zarahemla", "nothing"),
}
LETTERED = {                            # kinds with a resource letter: the text before the letter
    "play_prosperity": "P:", "take": "+", "discard": "-", "trade_give": "give:", "trade_want": "want:",
}
NUMBERED = {                            # kinds with a number: the text before the number
    "settle": "S", "city": "C", "choose_start": "G", "move_robber": ">h", "steal_from": "x", "trade_pick": "deal",
}
_NAMED = {                              # full names that may precede a number
    "settle": NP_("typed in zarahemla", "settle|settlement"), "city": NP_("typed in zarahemla", "city"),
    "move_robber": NP_("typed in zarahemla", "robber|robberto|robberh|robbertoh"),
}
LUCK: dict[str, tuple[str, Callable[[int], str]]] = {
    "layout": ("#layout=", str), "token_start": ("#start=", str), "first_player": ("#first=", str),
    "dice": ("#dice=", lambda n: str(n + 2)), "draw_dev": ("#draw=", lambda n: CARD_IDS[n]),
    "stolen_card": ("#stolen=", lambda n: LETTERS[n]), "terrain": ("#terrain=", lambda n: TERRAIN[n]),
    "number": ("#number=", lambda n: str(n + 2)), "station": ("#station=", lambda n: STATIONS[n]),
}
COUNTS = {kind: count for kind, _base, count in chance_codes()}
_SIDE = re.compile(r"(?:[1-9][0-9]?)?[wbags]")
_ATOMIC = re.compile(r"([?!])([0-9wbags]+|-)/([0-9wbags]+|-)")         # "-": an empty side (ZAR-13.17)


@cache
def synonyms() -> dict[str, str]:
    """Return words of moves by their synonyms in any language."""
    return {word: meant for meant, words in _TYPED.items() for word in spellings(words, "typed in zarahemla")}


# ---- to text ----------------------------------------------------------------------------------------


def format_move(state: ZarahemlaState, code: int) -> str:
    """Return the canonical text of a move or chance outcome."""
    move = decode(code)
    kind, arg = move.kind, move.arg
    if kind in WORDS:
        return WORDS[kind]
    if kind in NUMBERED:
        return f"{NUMBERED[kind]}{arg}"
    if kind in LETTERED:
        return LETTERED[kind] + LETTERS[arg]
    if kind in LUCK:
        sign, text = LUCK[kind]
        return sign + text(arg)
    if kind == "road":
        a, b = corners_of_edge()[arg]
        return f"R{a}-{b}"
    if kind == "play_liahona":
        return f"L{arg + 2}"
    give, get = divmod(arg, 5)
    return f"B{lot(state, give)}{LETTERS[give]}>{LETTERS[get]}"


def lot(state: ZarahemlaState, give: int) -> int:
    """Return the number of cards of a resource that the seat on turn gives the bank for one card (ZAR-12)."""
    return state.rates(state.seat_on_turn)[give]


SAID = {                                # moves without argument, in words
    "roll": N_("rolls the dice"), "end_turn": N_("ends the turn"), "buy_dev": N_("buys a development card"),
    "temple_stone": N_("places a temple stone"), "play_warrior": N_("plays a Stripling Warrior"),
    "play_harvest": N_("plays Bountiful Harvest"), "play_road_building": N_("plays Road Building"),
    "play_temple_building": N_("plays Temple Building"), "take_stop": N_("takes no more"),
    "steal_nothing": N_("steals nothing"), "trade_open": N_("opens an offer"), "trade_reject": N_("refuses"),
    "trade_counter": N_("makes a counter-offer"), "trade_no_deal": N_("makes no deal"),
}
RESOURCE_SAID = {                       # moves of a resource
    "play_prosperity": N_("plays Prosperity for {resource}"), "take": N_("takes {resource}"),
    "discard": N_("discards {resource}"), "stolen_card": N_("{resource} is stolen"),
}
NUMBER_SAID = {                         # moves of a corner or a number
    "settle": N_("settlement at {number}"), "city": N_("city at {number}"),
    "choose_start": N_("takes the first cards at {number}"), "layout": N_("layout {number}"),
    "token_start": N_("tokens from place {number}"),
}
TOTAL_SAID = {                          # moves of a total of the dice
    "dice": N_("the dice show {total}"), "number": N_("number {total}"),
    "play_liahona": N_("names {total} with the Liahona"),
}
_PLAIN = {"settle": N_("builds a settlement"), "city": N_("builds a city"), "road": N_("builds a road"),
          "choose_start": N_("takes the first cards here")}
SEAT_SAID = {"steal_from": N_("steals from {name}"), "first_player": N_("{name} starts")}


def describe_move(state: ZarahemlaState, code: int) -> str:
    """Return a move or chance outcome in words."""
    move = decode(code)
    arg = move.arg
    if move.kind in SAID:
        return _(SAID[move.kind])
    if move.kind in ("trade_submit", "trade_accept"):
        return _offer_words(state, move.kind)
    if move.kind == "bank_trade":
        give, get = divmod(arg, 5)
        return _("trades {given} for {got} with the bank").format(
            given=resource_cards(RESOURCES[give], lot(state, give)), got=resource_cards(RESOURCES[get], 1))
    if move.kind in _PLAIN and not names_codes():
        return _(_PLAIN[move.kind])
    if move.kind == "road":
        a, b = corners_of_edge()[arg]
        return _("road from {a} to {b}").format(a=a, b=b)
    if move.kind in RESOURCE_SAID:
        return _(RESOURCE_SAID[move.kind]).format(resource=resource_noun(RESOURCES[arg]))
    if move.kind == "trade_give":
        return _("offers {cards}").format(cards=resource_cards(RESOURCES[arg], 1))
    if move.kind == "trade_want":
        return _("asks for {cards}").format(cards=resource_cards(RESOURCES[arg], 1))
    if move.kind in NUMBER_SAID:
        return _(NUMBER_SAID[move.kind]).format(number=arg)
    if move.kind in TOTAL_SAID:
        return _(TOTAL_SAID[move.kind]).format(total=arg + 2)
    if move.kind in SEAT_SAID:
        return _(SEAT_SAID[move.kind]).format(name=state.game.seat_name(arg))
    if move.kind == "trade_pick":
        return _deal_words(state, arg)
    if move.kind == "move_robber":
        return _robber_words(state, arg)
    if move.kind == "draw_dev":
        return _("draws {card}").format(card=card_names()[CARD_IDS[arg]])
    if move.kind == "terrain":
        return _("the next hex is {terrain}").format(terrain=terrain_name(TERRAIN_IDS[arg]))
    if arg == len(RESOURCES):
        return _("the next station is for any resource")
    return _("the next station is for {resource}").format(resource=resource_noun(RESOURCES[arg]))


def _offer_words(state: ZarahemlaState, kind: str) -> str:
    """Describe an offer, or both sides of its acceptance from the accepting seat's view."""
    position = position_of(state)
    if kind == "trade_submit":
        seat = position.seat_to_move
        return _("offers {give} for {want}").format(give=cards_words(position.gives[seat]),
                                                    want=cards_words(position.wants[seat]))
    seat = position.seat_on_turn
    return _("agrees to give {give} for {want}").format(give=cards_words(position.wants[seat]),
                                                        want=cards_words(position.gives[seat]))


def _deal_words(state: ZarahemlaState, partner: int) -> str:
    """Describe both sides of a deal for the seat on turn: its own offer, or the partner's counter-offer."""
    position, seat = position_of(state), state.seat_on_turn
    gives, gets = position.gives[seat], position.wants[seat]
    if position.answers[partner] == "counter":
        gives, gets = position.wants[partner], position.gives[partner]
    return _("deals with {name}: gives {give}, gets {get}").format(
        name=state.game.seat_name(partner), give=cards_words(gives), get=cards_words(gets))


def cards_words(cards: Sequence[int]) -> str:
    """Return cards in words, such as "2 wood and 1 stone", or "nothing"."""
    return cards_text(cards) or pgettext("zarahemla", "nothing")


def _robber_words(state: ZarahemlaState, number: int) -> str:
    position = position_of(state)
    terrain, token = terrain_name(position.terrain[number]), position.numbers[number]
    if not names_codes():
        return (_("robber to the {terrain} on {token}") if token else _("robber to the {terrain}")).format(
            terrain=terrain, token=token)
    if not token:
        return _("robber to hex {number}, the {terrain}").format(number=number, terrain=terrain)
    return _("robber to hex {number}, the {terrain} on {token}").format(number=number, terrain=terrain, token=token)


# ---- numbers to type ----------------------------------------------------------------------------------

BUILDING = ("init_settlement", "init_choose", "main")       # phases in which numbers of corners are moves
SITED = {"settle": "S", "city": "C", "choose_start": "G", "move_robber": ">h"}      # kinds with a number on the board
TOTALS, COUNTED = ("dice", "number"), ("layout", "token_start", "first_player")     # chance outcomes that are numbers
ABOVE = 61                              # first number of the other moves; corners end at 53


def move_labels(state: ZarahemlaState, moves: Sequence[int]) -> list[str]:
    """Return the labels: moves at a corner or hex have its number, others begin at 61, or at 1 without such places.

    Chance outcomes that are numbers are their own labels: totals of the dice, seats, layouts.

    The road beside a starting settlement has the number of the corner where it ends.
    """
    decoded = [decode(code) for code in moves]
    if state.phase == "init_road":
        placed = position_of(state).placed
        return [str(sum(corners_of_edge()[move.arg]) - placed) for move in decoded]
    if all(move.kind in TOTALS for move in decoded):
        return [str(move.arg + 2) for move in decoded]
    if all(move.kind in COUNTED for move in decoded):
        return [str(move.arg) for move in decoded]
    first = ABOVE if state.phase in (*BUILDING, "robber", "setup_stations") else 1     # 3 is a kind of station
    others = iter(range(first, first + len(moves)))
    return [str(move.arg if move.kind in SITED else next(others)) for move in decoded]


def label_text(state: ZarahemlaState, number: int) -> str:
    """Return the meaning of a number that is no label: a corner or hex without a legal move, or a kind of station."""
    if state.phase == "setup_stations" and str(number) in STATIONS:
        return f"#station={number}"
    kind = {"init_settlement": "settle", "init_choose": "choose_start", "robber": "move_robber"}.get(state.phase, "")
    placed = position_of(state).placed
    if state.phase == "init_road" and number != placed and number < len(board().corners):
        return f"R{placed}-{number}"
    if state.phase == "main":
        own = any(corner == number and seat == state.to_move
                  for corner, seat, _kind in position_of(state).buildings)
        kind = "city" if own else "settle"
    places = len(board().hexes) if kind == "move_robber" else len(board().corners)
    return f"{SITED[kind]}{number}" if kind and number < places else ""


# ---- from text --------------------------------------------------------------------------------------


def parse_move(state: ZarahemlaState, text: str) -> int:
    """Return the legal move of a text; raises InvalidNotation if it is no move at all, IllegalMove if it is illegal."""
    move = _read_asked(state, text) or read(text, state)
    lot = re.fullmatch(r"b(?:ank|anca)?(\d)[wbags]>[wbags]", moves.plain(text).lower().replace(" ", ""))
    if lot is not None and (wrong := wrong_lot(state, move.arg // len(RESOURCES), int(lot[1]))) is not None:
        raise IllegalMove(_("{text} is not legal here: {why}").format(text=quoted(text.strip()), why=wrong))
    return legal_code(state, encode(move.kind, move.arg), text, why=lambda: why_not(state, move))


ASKED = {"discard": "discard", "take": "take"}          # phases with a choice of a resource, and the move
SEATED = {"steal": "steal_from", "trade_pick": "trade_pick"}    # phases with a choice of a seat, and the move


def _read_asked(state: ZarahemlaState, text: str) -> Move | None:
    """Return the move of a bare name or code in a phase with a single kind of choice: wood, blue, h12."""
    plain = moves.plain(text).lower()
    if state.phase in ASKED:
        resource = next((i for i, (letter, name) in enumerate(zip(LETTERS, RESOURCES, strict=True))
                         if plain in (letter, *in_every_language(name, "zarahemla"))), None)
        return None if resource is None else Move(ASKED[state.phase], resource)
    if state.phase in SEATED:
        seat = next((i for i in range(state.players) if plain in seat_spellings(i)), None)
        return None if seat is None else Move(SEATED[state.phase], seat)
    if state.is_chance and not plain.startswith("#"):
        return _luck_named(decode(state.legal_moves()[0]).kind, plain)
    found = re.fullmatch(r"(?:h(?:ex)?|esagono) ?(\d{1,2})", plain)
    if state.phase == "robber" and found and int(found[1]) < len(board().hexes):
        return Move("move_robber", int(found[1]))
    return None


def read(text: str, state: ZarahemlaState | None = None) -> Move:
    """Return the move of a text, legal or not; raises InvalidNotation, with a hint that works in the state."""
    plain = moves.plain(text).lower()
    plain = synonyms().get(plain, plain).lower()
    for kind, word in WORDS.items():
        if plain == word.lower():
            return Move(kind)
    bare = plain.replace(" ", "")
    move = first_meaning((_read_luck, _read_road, _read_bank, _read_lettered, _read_numbered), bare)
    if move is None:
        raise no_move(state, text, plain, (*WORDS.values(), *synonyms()),
                      "S23, R23-29, C23, D, B4w>s, W, >h13, x1, P:g, L8, -w, roll, end",
                      lambda word: read(word) if state is None else parse_move(state, word))
    return move


def _read_luck(text: str) -> Move | None:
    for kind, (sign, shown) in LUCK.items():
        if text.startswith(sign):
            move = _luck_named(kind, text[len(sign):])
            if move is None:
                last = COUNTS[kind] - 1
                raise InvalidNotation(_("{text}: right would be {first} to {last}").format(
                    text=quoted(text), first=sign + shown(0), last=sign + shown(last)) if kind in (*TOTALS, *COUNTED)
                    else _("{text}: right would be one of {examples}").format(
                        text=quoted(text), examples=", ".join(sign + shown(arg) for arg in range(last + 1))))
            return move
    return None


def _luck_named(kind: str, text: str) -> Move | None:
    """Return the outcome of a kind with a value, in notation or in words; None: there is no such outcome."""
    if kind == "dice" and (dice := re.fullmatch(r"([1-6])(?: ?[+,] ?| )([1-6])", text)):
        return Move(kind, int(dice[1]) + int(dice[2]) - 2)
    if kind in (*TOTALS, *COUNTED) and text.isdecimal() and len(text) < 6:
        arg = int(text) - (2 if kind in TOTALS else 0)
        return Move(kind, arg) if 0 <= arg < COUNTS[kind] else None
    said: list[tuple[str, ...]] = [(LUCK[kind][1](arg),) for arg in range(COUNTS[kind] if kind not in COUNTED else 0)]
    if kind == "first_player":
        said = [tuple(seat_spellings(seat)) for seat in range(COUNTS[kind])]
    if kind == "draw_dev":
        said = [(card, card.replace("_", ""), *names) for (card,), names in zip(said, _card_spellings(), strict=True)]
    if kind in ("stolen_card", "terrain", "station"):
        said = [(letter, *(in_every_language(name, "zarahemla") if name else ())) for (letter,), name in zip(
            said, (*RESOURCES, "hideout" if kind == "terrain" else ""), strict=False)]
    return next((Move(kind, arg) for arg, names in enumerate(said) if text in (name.lower() for name in names)), None)


def _card_spellings() -> list[tuple[str, ...]]:
    """Return the names of the development cards in every language, without and with blanks."""
    found = []
    for card in CARD_IDS:
        names = []
        for code in LANGUAGES:
            with speaking(code):
                names += [card_names()[card], card_names()[card].replace(" ", "")]
        found.append(tuple(names))
    return found


def _read_road(text: str) -> Move | None:
    found = re.fullmatch(r"(?:r(?:oad)?|strada)?(\d{1,2})-(\d{1,2})", text)
    if found is None:
        return None
    ends = int(found[1]), int(found[2])
    if ends not in edge_of_corners():
        raise InvalidNotation(_("there is no path between the corners {a} and {b}").format(a=ends[0], b=ends[1]))
    return Move("road", edge_of_corners()[ends])


def _read_bank(text: str) -> Move | None:
    found = re.fullmatch(r"b(?:ank|anca)?\d?([wbags])>([wbags])", text)
    if found is None:
        return None
    if found[1] == found[2]:
        raise InvalidNotation(_("a trade with the bank is for another resource"))
    return Move("bank_trade", 5 * LETTERS.index(found[1]) + LETTERS.index(found[2]))


def _read_lettered(text: str) -> Move | None:
    for kind, sign in LETTERED.items():
        colon = ":?" if sign.endswith(":") else ""
        found = re.fullmatch(re.escape(sign.rstrip(":").lower()) + colon + "([wbags])", text)
        if found:
            return Move(kind, LETTERS.index(found[1]))
    return None


def _read_numbered(text: str) -> Move | None:
    found = re.fullmatch(r"l(\d{1,2})", text)
    if found:
        if not 2 <= int(found[1]) <= 12:
            raise InvalidNotation(_("the Liahona names a total from 2 to 12, not {total}").format(total=found[1]))
        return Move("play_liahona", int(found[1]) - 2)
    for kind, sign in NUMBERED.items():
        names = spellings(_NAMED[kind], "typed in zarahemla") if kind in _NAMED else ()
        found = re.fullmatch(rf"(?:{'|'.join(map(re.escape, (sign.lower(), *names)))})(\d{{1,2}})", text)
        if found:
            try:
                encode(kind, int(found[1]))
            except ValueError as error:
                raise InvalidNotation(str(error)) from None
            return Move(kind, int(found[1]))
    return None


# ---- whole lines ------------------------------------------------------------------------------------


def parse_turn(state: ZarahemlaState, text: str) -> list[int]:
    """Return the small moves of one line (ZAR-13.16).

    The line is an offer ``?1s/1b``, a counter-offer ``!2b/3s``, a gift ``?2w/-``, a discard ``-wwa``, a harvest
    ``H:wb``, or any single move.

    Raises
    ------
    InvalidNotation, IllegalMove
    """
    plain = moves.plain(text).lower().replace(" ", "")
    found = _ATOMIC.fullmatch(plain)
    if found:
        words = ["offer" if found[1] == "?" else "counter"]
        words += [f"give:{letter}" for letter in _side(found[2])]
        words += [f"want:{letter}" for letter in _side(found[3])]
        words.append("done")
    elif re.fullmatch(r"-[wbags]{2,}", plain):
        words = [f"-{letter}" for letter in sorted(plain[1:], key=LETTERS.index)]
    elif re.fullmatch(r"h:[wbags]{1,2}", plain):
        words = ["H", *(f"+{letter}" for letter in sorted(plain[2:], key=LETTERS.index))]
    else:
        return [parse_move(state, text)]
    return played_through(state, words, parse_move, typed=text)


def _side(text: str) -> str:
    """Return the letters of one side of an offer in the order of the resources."""
    if text == "-":
        return ""
    letters = "".join(part[-1] * int(part[:-1] or 1) for part in _SIDE.findall(text))
    if "".join(_SIDE.findall(text)) != text:
        raise InvalidNotation(_("{text} is no side of an offer; right would be like 2w1s").format(text=quoted(text)))
    return "".join(sorted(letters, key=LETTERS.index))
