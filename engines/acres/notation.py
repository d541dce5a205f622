"""Moves of A Few Acres of Snow as text, both ways (FAS-17.8). Whole actions are read by `clauses`."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from sfida.cython_ext.acres.core import SIDES
from sfida.cython_ext.errors import IllegalMove, InvalidNotation
from sfida.engines.acres.moves import NO_CARD, decode, encode
from sfida.engines.acres.refusals import why_not
from sfida.engines.acres.rules import card_codes, card_names, card_of, site_codes, site_names
from sfida.engines.parsing import legal_code, no_move
from sfida.engines.spec import did_you_mean, quoted
from sfida.engines.typed import bounded

if TYPE_CHECKING:
    from sfida.cython_ext.acres.core import AcresState

WITH_CARD = ("ambush", "convert", "money", "merchant", "trader", "piracy", "draft", "discard", "reserve", "govern",
             "intendant", "pick")
WITH_SITE = ("develop", "raid")
ON_SIEGE = ("leader", "resolve")
BARE = {"pass": "pass", "retrieve": "retrieve", "home": "home", "stop": "done", "allow": "allow", "show": "none",
        "leave": "leave"}
STEPS = ("transport", "settler", "strength", "also")            # one more card: +CARD
ZONES = ("hand", "reserve")
VERBS = (*WITH_CARD, *WITH_SITE, *ON_SIEGE, *BARE.values(), "settle", "besiege", "fortify", "reinforce", "withdraw",
         "surrender", "end", "lost", "hit", "x")
SYNONYMS = {
    "take": "money", "coin": "money", "buy": "draft", "acquire": "draft", "governor": "govern", "siege": "besiege",
    "colonize": "settle", "colonise": "settle", "leader:": "leader", "home_support": "home", "endturn": "end",
    "end_turn": "end", "stop": "done", "block": "x", "show": "none", "return": "lost", "decline": "leave",
}
STEP_OF_PHASE = {"transport": "transport", "settler": "settler", "strength": "strength", "raiders": "also",
                 "coins": "also", "furs": "also", "discards": "also", "govern": "also"}


# ---- to text ----------------------------------------------------------------------------------------


def target(state: AcresState, besieger: int) -> int:
    """Return the site that a side besieges; -1 for none."""
    return int(state.target(besieger))


def format_move(state: AcresState, code: int) -> str:
    """Return the canonical text of a move or draw."""
    move = decode(code)
    kind = move.kind
    cards, sites = card_codes(), site_codes()
    if kind in BARE:
        return BARE[kind]
    if kind in WITH_CARD:
        return f"{kind} {cards[move.card]}"
    if kind in WITH_SITE:
        return f"{kind} {sites[move.place]}"
    if kind in STEPS:
        return f"+{cards[move.card]}"
    if kind in ("settle", "besiege", "fortify"):
        return f"{kind} {sites[move.place]} {cards[move.card]}"
    if kind == "end":
        return "end unfilled" if move.place else "end"
    if kind == "draw":
        return "#draw=?" if move.card == NO_CARD else f"#draw={cards[move.card]}"
    if kind == "block":
        return f"x {cards[move.card]}"
    if kind == "lose":
        return f"hit {cards[move.card]} {ZONES[move.place]}"
    if kind == "give":
        return f"hit {ZONES[move.place]}"
    if kind == "return":
        return f"lost {cards[move.card]}"
    if kind == "place":
        return "settle" if move.card == NO_CARD else f"settle {cards[move.card]}"
    site = sites[target(state, move.place)]
    if kind == "withdraw":
        return f"{'withdraw' if move.place == state.mover else 'surrender'} {site}"
    return f"{kind} {site} {cards[move.card]}" if kind == "reinforce" else f"{kind} {site}"


def describe_move(state: AcresState, code: int) -> str:
    """Return a move or draw in words."""
    move = decode(code)
    kind = move.kind
    card = card_names()[move.card] if move.card != NO_CARD else "a card" if kind == "draw" else "no card"
    site = site_names()[move.place] if move.place < len(site_names()) else ""
    if kind in ("reinforce", "leader", "withdraw", "resolve"):
        site = site_names()[target(state, move.place)]
    words = {
        "pass": "passes", "end": "ends the turn without drawing" if move.place else "ends the turn",
        "settle": f"settles {site} from {card}", "develop": f"develops {site}",
        "fortify": f"fortifies {site}", "besiege": f"besieges {site} from {card}",
        "reinforce": f"sends {card} to {site}", "leader": f"sends the Military Leader to {site}",
        "raid": f"raids {site}", "ambush": f"ambushes with {card}", "convert": f"converts with {card}",
        "money": f"takes money with {card}", "merchant": f"trades by ship with {card}",
        "trader": "sends the Trader", "piracy": f"sends pirates with {card}", "draft": f"drafts {card}",
        "discard": f"discards {card}", "reserve": f"puts {card} in the reserve", "govern": f"governs: returns {card}",
        "intendant": f"takes {card} back through the Intendant", "retrieve": "takes the reserve back",
        "home": "plays Home Support", "withdraw": f"gives the siege of {site} up", "transport": f"travels with {card}",
        "settler": f"settlers of {card}", "strength": f"opens with {card}", "also": f"and {card}", "stop": "no more",
        "block": f"blocks with {card}", "allow": "does not block",
        "lose": f"loses {card} from the {ZONES[move.place % 2]}", "show": "shows the hand",
        "give": f"gives Native Americans from the {ZONES[move.place % 2]}",
        "return": f"returns {card}", "resolve": f"resolves the siege of {site} first",
        "place": "places a village" if move.card == NO_CARD else f"places a village with {card}",
        "leave": "leaves the site neutral", "pick": f"starts with {card}",
        "draw": f"the {SIDES[move.place % 2].capitalize()} draw {card}",
    }
    return words[kind]


# ---- from text --------------------------------------------------------------------------------------


def _plain(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isalnum())


@cache
def _sites() -> dict[str, int]:
    return {_plain(name): i for names in (site_names(), site_codes()) for i, name in enumerate(names)}


@cache
def _cards(seat: int) -> dict[str, int]:
    """Card types of a side by what people write: short names, full names, and their own colour first."""
    found: dict[str, int] = {}
    mine = card_of(seat)
    for card in mine.values():
        found.setdefault(_plain(card_names()[card]), card)
    found.update({_plain(code): card for code, card in mine.items()})
    return found


def read_site(text: str) -> int:
    """Return the site that a code or name means; raises InvalidNotation."""
    site = _sites().get(_plain(text))
    if site is None:
        raise InvalidNotation(f"{quoted(text)} is no site{did_you_mean(text.upper(), site_codes())}")
    return site


def read_card(text: str, seat: int) -> int:
    """Return the card type that a code or name means for a side; raises InvalidNotation."""
    card = _cards(seat).get(_plain(text))
    if card is None:
        raise InvalidNotation(f"{quoted(text)} is no card of this side{did_you_mean(text, card_of(seat))}")
    return card


def words_of(text: str) -> list[str]:
    """Split a text into words, the first one a known verb; raises InvalidNotation."""
    words = bounded(text).replace(",", " ").split()
    if words and words[0][0] == "+" and len(words[0]) > 1:
        words = ["+", words[0][1:], *words[1:]]
    if words and words[0].lower().startswith("#draw="):
        words = ["#draw", words[0][6:], *words[1:]]
    if not words:
        raise InvalidNotation("no move was given")
    verb = SYNONYMS.get(words[0].lower(), words[0].lower())
    if verb not in VERBS and verb not in ("+", "#draw"):
        raise no_move(text, verb, VERBS, "settle DEE NHV, draft RG, money BOS, raid PEM, reserve RI, pass, end")
    return [verb, *_joined(words[1:])]


def _joined(words: list[str]) -> list[str]:
    """Put names of several words together, such as New and Haven; the longest first."""
    known, found = {*_sites(), *_cards(0), *_cards(1)}, []
    while words:
        long = next((n for n in range(min(4, len(words)), 1, -1) if _plain("".join(words[:n])) in known), 1)
        found.append("".join(words[:long]))
        words = words[long:]
    return found


def read_move(state: AcresState, text: str) -> int:
    """Return the code of the move that a text means, legal or not; raises InvalidNotation.

    Where a card is drawn, its name alone is enough.
    """
    seat, bare = state.mover, bounded(text)
    if state.is_chance and not bare.startswith("#"):
        return encode("draw", NO_CARD if bare == "?" else read_card(bare, seat), seat)
    step = STEP_OF_PHASE.get(state.phase)
    if step and _plain(bare) in _cards(seat):
        return encode(step, read_card(bare, seat))
    verb, *rest = words_of(text)

    def need(count: int, form: str) -> None:
        if len(rest) != count:
            raise InvalidNotation(f"{quoted(text.strip())}: right would be like {form}")

    if verb == "#draw":
        need(1, "#draw=BOS")
        return encode("draw", NO_CARD if rest[0] == "?" else read_card(rest[0], seat), seat)
    if verb == "+":
        need(1, "+BOS")
        return encode(STEP_OF_PHASE.get(state.phase, "also"), read_card(rest[0], seat))
    if verb == "settle" and state.phase == "siege_settle":
        if not rest:
            return encode("place", NO_CARD)
        need(1, "settle NYK")
        return encode("place", read_card(rest[0], seat))
    if verb in ("settle", "besiege", "fortify"):
        need(2, f"{verb} DEE NHV")
        return encode(verb, read_card(rest[1], seat), read_site(rest[0]))
    if verb in WITH_CARD:
        need(1, f"{verb} RI")
        return encode(verb, read_card(rest[0], seat))
    if verb in WITH_SITE:
        need(1, f"{verb} ALB")
        return encode(verb, 0, read_site(rest[0]))
    if verb in (*ON_SIEGE, "withdraw", "surrender", "reinforce"):
        need(2 if verb == "reinforce" else 1, f"{verb} LOU" + " RI" * (verb == "reinforce"))
        site = read_site(rest[0])
        besieger = next((i for i in range(2) if target(state, i) == site), None)
        if besieger is None:
            raise IllegalMove(f"{site_names()[site]} is not under siege")
        kind = "withdraw" if verb == "surrender" else verb
        return encode(kind, read_card(rest[1], seat) if verb == "reinforce" else 0, besieger)
    if verb == "end":
        if rest and (len(rest) > 1 or rest[0].lower() != "unfilled"):
            raise InvalidNotation(f"{quoted(text.strip())}: right would be end")
        return encode("end", 0, len(rest))
    if verb in ("x", "lost"):
        need(1, f"{verb} RI")
        return encode("block" if verb == "x" else "return", read_card(rest[0], seat))
    if verb == "hit":
        if not rest or rest[-1].lower() not in ZONES:
            raise InvalidNotation(f"{quoted(text.strip())}: right would be like hit RI hand")
        zone = ZONES.index(rest[-1].lower())
        if state.phase == "give_zone":
            return encode("give", card_of(seat)["NAn"], zone)
        need(2, "hit RI hand")
        return encode("lose", read_card(rest[0], seat), zone)
    need(0, verb)
    return encode(next(kind for kind, word in BARE.items() if word == verb))


def moves_about(state: AcresState, text: str) -> list[int] | None:
    """Return the legal moves with the card or site that a text names; None: it is no such name."""
    bare = _plain(bounded(text))
    site, card = _sites().get(bare, -1), _cards(state.mover).get(bare, -1)
    if bare in VERBS or bare in SYNONYMS or (site < 0 and card < 0):
        return None
    names = {site_codes()[site]} if site >= 0 else set()
    names |= {card_codes()[card]} if card >= 0 else set()
    return [move for move in state.legal_moves() if names.intersection(format_move(state, move).split()[1:])]


def parse_move(state: AcresState, text: str) -> int:
    """Return the legal move that a text names; raises InvalidNotation for no move at all, IllegalMove for none now."""
    code = read_move(state, text)
    verb = text.split()[0].lower()
    return legal_code(state, code, text, lambda shown: shown.split()[0] == verb, why=lambda: why_not(state, code))
