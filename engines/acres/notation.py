"""Moves and whole actions of A Few Acres of Snow as text, both ways (FAS-17.8)."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from sfida.cython_ext.errors import AmbiguousNotation, IllegalMove, InvalidNotation
from sfida.engines.acres.illegal_reasons import not_now, why_not, why_not_with
from sfida.engines.acres.position import NO_CARD, Move, decode, encode, position_of
from sfida.engines.acres.style import cards, sites, the_side
from sfida.engines.acres.tables import card_codes, card_of, site_codes
from sfida.engines.language import N_, NP_, _, spellings
from sfida.engines.moves import EXAMPLES, Reason, bounded, legal_code, no_move, played_through
from sfida.engines.spec import did_you_mean, quoted

if TYPE_CHECKING:
    from sfida.cython_ext.acres.core import AcresState


# ---- Moves of A Few Acres of Snow as text, both ways (FAS-17.8); the class `Clause` reads whole actions

WITH_CARD = ("ambush", "convert", "money", "merchant", "trader", "piracy", "draft", "discard", "reserve", "govern",
             "intendant", "pick")
WITH_SITE = ("develop", "raid")
ON_SIEGE = ("leader", "resolve")
BARE = {"pass": "pass", "retrieve": "retrieve", "home": "home", "stop": "done", "allow": "allow", "show": "none",
        "leave": "leave"}
STEPS = ("transport", "settler", "strength", "also")            # kinds for one more card: +CARD
ZONES = ("hand", "reserve")
VERBS = (*WITH_CARD, *WITH_SITE, *ON_SIEGE, *BARE.values(), "settle", "besiege", "fortify", "reinforce", "withdraw",
         "surrender", "end", "lost", "hit", "x")
_TYPED = {                              # synonyms of the verbs
    "money": NP_("typed in acres", "take|coin"), "draft": NP_("typed in acres", "buy|acquire"),
    "govern": NP_("typed in acres", "governor"), "besiege": NP_("typed in acres", "siege"),
    "settle": NP_("typed in acres", "colonize|colonise"), "leader": NP_("typed in acres", "leader:"),
    "home": NP_("typed in acres", "home_support"), "end": NP_("typed in acres", "endturn|end_turn"),
    "done": NP_("typed in acres", "stop"), "x": NP_("typed in acres", "block"), "none": NP_("typed in acres", "show"),
    "lost": NP_("typed in acres", "return"), "leave": NP_("typed in acres", "decline"),
    "develop": NP_("typed in acres", "develop"), "fortify": NP_("typed in acres", "fortify"),
    "reinforce": NP_("typed in acres", "reinforce"), "raid": NP_("typed in acres", "raid"),
    "ambush": NP_("typed in acres", "ambush"), "convert": NP_("typed in acres", "convert"),
    "merchant": NP_("typed in acres", "merchant"), "trader": NP_("typed in acres", "trader"),
    "piracy": NP_("typed in acres", "piracy"), "discard": NP_("typed in acres", "discard"),
    "reserve": NP_("typed in acres", "reserve"), "retrieve": NP_("typed in acres", "retrieve"),
    "intendant": NP_("typed in acres", "intendant"), "withdraw": NP_("typed in acres", "withdraw"),
    "surrender": NP_("typed in acres", "surrender"), "pass": NP_("typed in acres", "pass"),
    "allow": NP_("typed in acres", "allow"), "hit": NP_("typed in acres", "hit"),
    "resolve": NP_("typed in acres", "resolve"), "pick": NP_("typed in acres", "pick"),
}
_ZONES = {0: NP_("typed in acres", "hand"), 1: NP_("typed in acres", "reserve")}        # by number in `ZONES`
STEP_OF_PHASE = {"transport": "transport", "settler": "settler", "strength": "strength", "raiders": "also",
                 "coins": "also", "furs": "also", "discards": "also", "govern": "also"}


@cache
def synonyms() -> dict[str, str]:
    """Return the verbs by their synonyms in any language."""
    return {word: verb for verb, words in _TYPED.items() for word in spellings(words, "typed in acres")}


@cache
def zones_typed() -> dict[str, int]:
    """Return the numbers in `ZONES` by the words to type for them in any language."""
    return {word: number for number, words in _ZONES.items() for word in spellings(words, "typed in acres")}


_WORDS = {
    "pass": N_("passes"), "settle": N_("settles {site} from {card}"), "develop": N_("develops {site}"),
    "fortify": N_("fortifies {site}"), "besiege": N_("besieges {site} from {card}"),
    "reinforce": N_("sends {card} to {site}"), "leader": N_("sends the Military Leader to {site}"),
    "raid": N_("raids {site}"), "ambush": N_("ambushes with {card}"), "convert": N_("converts with {card}"),
    "money": N_("takes money with {card}"), "merchant": N_("trades by ship with {card}"),
    "trader": N_("sends the Trader"), "piracy": N_("sends pirates with {card}"), "draft": N_("drafts {card}"),
    "discard": N_("discards {card}"), "reserve": N_("puts {card} in the reserve"),
    "govern": N_("governs: returns {card}"), "intendant": N_("takes {card} back through the Intendant"),
    "retrieve": N_("takes the reserve back"), "home": N_("plays Home Support"),
    "withdraw": N_("gives the siege of {site} up"), "transport": N_("travels with {card}"),
    "settler": N_("settlers of {card}"), "strength": N_("opens with {card}"), "also": N_("and {card}"),
    "stop": N_("no more"), "block": N_("blocks with {card}"), "allow": N_("does not block"),
    "show": N_("shows the hand"), "return": N_("returns {card}"),
    "resolve": N_("resolves the siege of {site} first"), "leave": N_("leaves the site neutral"),
    "pick": N_("starts with {card}"),
}


# ---- to text ----------------------------------------------------------------------------------------


def target(state: AcresState, besieger: int) -> int:
    """Return the site that a side besieges; -1 for none."""
    return int(state.target(besieger))


def format_move(state: AcresState, code: int) -> str:
    """Return the canonical text of a move or draw."""
    move = decode(code)
    kind = move.kind
    card_code, site_code = card_codes(), site_codes()
    if kind in BARE:
        return BARE[kind]
    if kind in WITH_CARD:
        return f"{kind} {card_code[move.card]}"
    if kind in WITH_SITE:
        return f"{kind} {site_code[move.place]}"
    if kind in STEPS:
        return f"+{card_code[move.card]}"
    if kind in ("settle", "besiege", "fortify"):
        return f"{kind} {site_code[move.place]} {card_code[move.card]}"
    if kind == "end":
        return "end unfilled" if move.place else "end"
    if kind == "draw":
        return "#draw=?" if move.card == NO_CARD else f"#draw={card_code[move.card]}"
    if kind == "block":
        return f"x {card_code[move.card]}"
    if kind == "lose":
        return f"hit {card_code[move.card]} {ZONES[move.place]}"
    if kind == "give":
        return f"hit {ZONES[move.place]}"
    if kind == "return":
        return f"lost {card_code[move.card]}"
    if kind == "place":
        return "settle" if move.card == NO_CARD else f"settle {card_code[move.card]}"
    site = site_code[target(state, move.place)]
    if kind == "withdraw":
        return f"{'withdraw' if move.place == state.mover else 'surrender'} {site}"
    return f"{kind} {site} {card_code[move.card]}" if kind == "reinforce" else f"{kind} {site}"


def describe_move(state: AcresState, code: int) -> str:
    """Return a move or draw in words."""
    move = decode(code)
    kind = move.kind
    if kind == "draw":
        drawn = cards()[move.card].name if move.card != NO_CARD else _("a card")
        return _("{side} draw {card}").format(side=the_side(move.place % 2), card=drawn)
    number = target(state, move.place) if kind in ("reinforce", "leader", "withdraw", "resolve") else move.place
    site = sites()[number].name if number < len(sites()) else ""
    card = cards()[move.card].name if move.card != NO_CARD else ""
    return _words_for(move).format(site=site, card=card)


def _words_for(move: Move) -> str:
    """Return the words for a move, with placeholders for its site and card."""
    kind, place = move.kind, move.place
    if kind == "end":
        return _("ends the turn without drawing") if place else _("ends the turn")
    if kind == "lose":
        return _("loses {card} from the reserve") if place % 2 else _("loses {card} from the hand")
    if kind == "give":
        return _("gives Native Americans from the reserve") if place % 2 else _("gives Native Americans from the hand")
    if kind == "place":
        return _("places a village") if move.card == NO_CARD else _("places a village with {card}")
    return _(_WORDS[kind])


# ---- from text --------------------------------------------------------------------------------------


def _plain(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isalnum())


@cache
def _sites() -> dict[str, int]:
    return {_plain(name): site.number for site in sites() for name in (site.name_en, site.name_it, site.code)}


@cache
def _cards(seat: int) -> dict[str, int]:
    """Return the card types by the names that people type: short and full names, the side's own colour first."""
    found: dict[str, int] = {}
    mine = card_of(seat)
    for card in mine.values():
        for name in (cards()[card].name_en, cards()[card].name_it):
            found.setdefault(_plain(name), card)
    found.update({_plain(code): card for code, card in mine.items()})
    return found


def read_site(text: str) -> int:
    """Return the site with a code or name; raises InvalidNotation."""
    site = _sites().get(_plain(text))
    if site is None:
        raise InvalidNotation(_("{text} is no site{hint}").format(
            text=quoted(text), hint=did_you_mean(text.upper(), site_codes())))
    return site


def read_card(text: str, seat: int) -> int:
    """Return the card type with a code or name, for a side; raises InvalidNotation."""
    card = card_named(text, seat)
    if card is None:
        raise InvalidNotation(_("{text} is no card of this side{hint}").format(
            text=quoted(text), hint=did_you_mean(text, card_of(seat))))
    return card


def card_named(text: str, seat: int) -> int | None:
    """Return the card type with a code or name, for a side; None for none."""
    return _cards(seat).get(_plain(text))


def words_of(state: AcresState, text: str) -> list[str]:
    """Split a text into words, of which the first is a known verb; raises InvalidNotation."""
    words = bounded(text).replace(",", " ").split()
    if words and words[0][0] == "+" and len(words[0]) > 1:
        words = ["+", words[0][1:], *words[1:]]
    if words and words[0].lower().startswith("#draw="):
        words = ["#draw", words[0][6:], *words[1:]]
    if not words:
        raise InvalidNotation(_("no move was given"))
    verb = synonyms().get(words[0].lower(), words[0].lower())

    def works(word: str) -> object:
        """Read a verb for a suggestion: alone, or as the start of a legal move."""
        meant = synonyms().get(word, word)
        legal = {state.format(move).split()[0] for move in state.legal_moves()}
        return meant in legal or parse_move(state, word)

    if verb not in VERBS and verb not in ("+", "#draw"):
        raise no_move(state, text, verb, (*VERBS, *synonyms()),
                      "settle DEE NHV, draft RG, money BOS, raid PEM, reserve RI, pass, end", works)
    return [verb, *_joined(words[1:])]


def _joined(words: list[str]) -> list[str]:
    """Join names of several words, such as New and Haven, the longest first."""
    known, found = {*_sites(), *_cards(0), *_cards(1)}, []
    while words:
        long = next((n for n in range(min(4, len(words)), 1, -1) if _plain("".join(words[:n])) in known), 1)
        found.append("".join(words[:long]))
        words = words[long:]
    return found


def read_move(state: AcresState, text: str) -> int:
    """Return the code of a text's move, legal or not; raises InvalidNotation.

    For a draw the name of the card is enough.
    """
    seat, bare = state.mover, bounded(text)
    if state.is_chance and bare.lstrip("#").lower().removeprefix("draw=") in ("?", ""):
        raise InvalidNotation(_("{text}: the card that was drawn has a name, as in #draw=BOS").format(
            text=quoted(bare)))
    if state.is_chance and card_named(bare, seat) is not None:
        return encode("draw", read_card(bare, seat), seat)
    step = STEP_OF_PHASE.get(state.phase)
    if step and _plain(bare) in _cards(seat):
        return encode(step, read_card(bare, seat))
    verb, *rest = words_of(state, text)

    def need(count: int, form: str) -> None:
        if len(rest) != count:
            raise InvalidNotation(_("{text}: right would be like {form}").format(text=quoted(text.strip()), form=form))

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
            why = not_now(state, verb if verb != "surrender" else "withdraw")
            raise IllegalMove(str(why or Reason(_("{site} is not under siege").format(site=sites()[site].name),
                                                "FAS-12.1")))
        kind = "withdraw" if verb == "surrender" else verb
        return encode(kind, read_card(rest[1], seat) if verb == "reinforce" else 0, besieger)
    if verb == "end":
        if rest and (len(rest) > 1 or rest[0].lower() != "unfilled"):
            raise InvalidNotation(_("{text}: right would be {form}").format(text=quoted(text.strip()), form="end"))
        return encode("end", 0, len(rest))
    if verb in ("x", "lost"):
        need(1, f"{verb} RI")
        return encode("block" if verb == "x" else "return", read_card(rest[0], seat))
    if verb == "hit":
        if not rest or rest[-1].lower() not in zones_typed():
            raise InvalidNotation(_("{text}: right would be like {form}").format(
                text=quoted(text.strip()), form="hit RI hand"))
        zone = zones_typed()[rest[-1].lower()]
        if state.phase == "give_zone":
            return encode("give", card_of(seat)["NAn"], zone)
        need(2, "hit RI hand")
        return encode("lose", read_card(rest[0], seat), zone)
    need(0, verb)
    return encode(next(kind for kind, word in BARE.items() if word == verb))


def moves_about(state: AcresState, text: str) -> list[int] | None:
    """Return the legal moves with the card or site of a text; None: the text is no such name."""
    bare = _plain(bounded(text))
    site, card = _sites().get(bare, -1), _cards(state.mover).get(bare, -1)
    if bare in VERBS or bare in synonyms() or (site < 0 and card < 0):
        return None
    names = {site_codes()[site]} if site >= 0 else set()
    names |= {card_codes()[card]} if card >= 0 else set()
    return [move for move in state.legal_moves() if names.intersection(format_move(state, move).split()[1:])]


def parse_move(state: AcresState, text: str) -> int:
    """Return the legal move of a text; raises InvalidNotation if it is no move at all, IllegalMove if it is illegal."""
    code = read_move(state, text)
    verb = synonyms().get(text.split()[0].lower(), text.split()[0].lower())
    return legal_code(state, code, text, lambda shown: shown.split()[0] == verb, why=lambda: why_not(state, code))


# ---- Whole actions written as one clause, such as ``settle DEE NHV STM BOS`` (FAS-17.8)

OPTIONAL = ("coins", "furs", "discards", "govern")       # steps that may stop
STEPPED = ("transport", "settler", "strength", "raiders", *OPTIONAL)
# Number of words of the first move; the cards after them follow one by one.
HEADS = {"settle": 3, "besiege": 3, "develop": 2, "raid": 2, "merchant": 2, "trader": 2, "discard": 2, "govern": 2}
OBJECTS = (*WITH_CARD, *WITH_SITE, *ON_SIEGE, "settle", "besiege", "fortify", "reinforce", "withdraw", "surrender")
WHOLE = ("discard", "govern")           # the first move is already a whole action; more cards are optional
SORTED_FROM = {"raid": 2, "merchant": 2, "trader": 2, "discard": 1, "govern": 1}


class Clause:
    """An action in progress on a copy of a state.

    Attributes
    ----------
    state : AcresState
        The copy, after the moves so far.
    moves : list of int
        Codes.
    """

    def __init__(self, state: AcresState) -> None:
        self.state: AcresState = state.clone()
        self.moves: list[int] = []

    def play(self, text: str) -> None:
        """Play the move of a text; raises InvalidNotation or IllegalMove."""
        self.play_code(parse_move(self.state, text))

    def play_code(self, code: int) -> None:
        """Play a legal move."""
        self.state.apply(code)
        self.moves.append(code)

    def play_action(self, text: str) -> None:
        """Play one action of the side to move with all its cards, and end it if it may end.

        Cards whose order does not matter may come in any order.

        Raises
        ------
        InvalidNotation, IllegalMove
        """
        words = words_of(self.state, text)
        verb = words[0]
        if self.state.phase == "siege_settle":
            self.play(text)
            return
        if verb in SORTED_FROM:
            at, seat = SORTED_FROM[verb], self.state.mover
            cards = sorted(read_card(word, seat) for word in words[at:])
            words[at:] = [card_codes()[card] for card in cards]
        head = HEADS.get(verb, len(words))
        self.play(" ".join(words[:head]) if verb not in ("+", "#draw") else text)
        for word in words[head:]:
            if self.state.phase not in STEPPED:
                raise InvalidNotation(_("{text} has more cards than the action takes").format(
                    text=quoted(text.strip())))
            try:
                self.play(f"+{word}")
            except IllegalMove as error:
                raise IllegalMove(str(error).replace(quoted(f"+{word}"), quoted(word))) from None
        if verb in HEADS and (self.state.phase in OPTIONAL or self._may_go()):
            self.play("done")

    def _may_go(self) -> bool:
        """Return whether a raid has enough cards and may take more (R-7)."""
        return self.state.phase == "raiders" and position_of(self.state).need == 0


def parse_turn(state: AcresState, text: str) -> list[int]:
    """Return the small moves of one action, such as ``settle DEE NHV STM BOS`` or ``trader TR MTL TAD``.

    A first move that is not a whole action (``trader TR``) stays open: its cards may follow one by one.

    Actions are separated by semicolons: ``draft RG; money BOS; end``.

    Raises
    ------
    InvalidNotation, IllegalMove
    """
    actions = filter(None, map(str.strip, bounded(text).split(";")))
    moves = played_through(state, actions, _action, lambda _ahead: _("somebody else decides, or luck"))
    if not moves:
        raise InvalidNotation(_("no move was given"))
    return moves


def _action(state: AcresState, text: str) -> list[int]:
    if state.phase in STEPPED or state.is_chance:       # a card alone is enough
        return [parse_move(state, text)]
    about = moves_about(state, text)
    if about is not None:
        return _meant(state, text, about)
    words = words_of(state, text)
    if len(words) == 1 and words[0] in OBJECTS and not any(
            state.format(move).split()[0] == words[0] for move in state.legal_moves()):
        why = not_now(state, "withdraw" if words[0] == "surrender" else words[0])
        raise IllegalMove(_("no move with {text} is legal here").format(text=quoted(words[0]))
                          + ("" if why is None else f": {why}"))
    if len(words) <= HEADS.get(words[0], len(words)) and words[0] not in WHOLE:
        return [parse_move(state, text)]
    clause = Clause(state)
    clause.play_action(text)
    return clause.moves


def _meant(state: AcresState, text: str, about: list[int]) -> list[int]:
    """Return the only move for a card or site typed alone; if there are several, the refusal lists them."""
    if not about:
        card = card_named(bounded(text), state.mover)
        why = None if card is None else why_not_with(state, card)
        raise IllegalMove(_("there is no move with {text} here").format(text=quoted(text.strip()))
                          + ("" if why is None else f": {why}"))
    if len(about) == 1 and state.phase != "main":
        return about
    moves = ", ".join([*map(state.format, about[:EXAMPLES]), *(["..."] if len(about) > EXAMPLES else [])])
    raise AmbiguousNotation(_("say what to do with {text}: {moves}").format(text=quoted(text.strip()), moves=moves))
