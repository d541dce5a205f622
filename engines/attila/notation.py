"""Moves of Attila as text, both ways (part 12).

    F          play a Frank card           @GER    place its token        +2       gain influence
    ,RAE       a second token instead      :F      lay a card             done     lay no more
    score      hold the century scoring    *D *X *I   tiles               -H       give a card away, end: draw
    I:F        a step of Influence 2       ~F      discard a dead card    end      end the turn

A whole card is one line: F@GER+2 or F@GER,RAE.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, cast

from sfida.cython_ext.errors import IllegalMove, InvalidNotation
from sfida.engines.attila import style
from sfida.engines.attila.illegal_reasons import why_no_pass, why_not
from sfida.engines.attila.map import Land
from sfida.engines.attila.narration import steps
from sfida.engines.attila.position import LETTERS, Move, Position, decode, encode, position_of
from sfida.engines.attila.style import of_tribe, the_tribe
from sfida.engines.language import NP_, _, in_every_language, ngettext
from sfida.engines.moves import Reason, first_meaning, legal_code, no_move, plain, played_through
from sfida.engines.spec import quoted

if TYPE_CHECKING:
    from sfida.cython_ext.attila.core import AttilaState
    from sfida.engines.attila.game import Attila

SIMPLE = {"done": "done", "go_on": "score", "end_turn": "end", "tile_double": "*D", "tile_exchange": "*X",
          "tile_influence": "*I", "give_done": "draw", "skip": "--", "draw_hidden": "c", "commit_hidden": ":?"}
TRIBES = {"card": "{}", "dump": "~{}", "commit": ":{}", "give": "-{}", "inf_a": "I:{}", "inf_b": "I:{}", "draw": "c:{}"}
PROVINCES = {"at": "@{}", "second": ",{}", "fight": "!{}"}
WORDS = {                               # synonyms of the simple moves
    NP_("attila", "score"): "go_on", NP_("attila", "continue"): "go_on", NP_("attila", "scoring"): "go_on",
    NP_("attila", "end"): "end_turn", NP_("attila", "end turn"): "end_turn",
    "*d": "tile_double", NP_("attila", "double"): "tile_double", NP_("attila", "double turn"): "tile_double",
    "*x": "tile_exchange", NP_("attila", "exchange"): "tile_exchange",
    "*i": "tile_influence", NP_("attila", "influence 2"): "tile_influence",
    NP_("attila", "draw"): "give_done", "--": "skip", NP_("attila", "skip"): "skip", NP_("attila", "done"): "done",
}
PASSES = (NP_("attila", "pass"), "no", NP_("attila", "none"), "0", NP_("attila", "stop"), "ok", ".", "=")
GAINS = (NP_("attila", "influence"), NP_("attila", "gain"))
NEIGHBOURS = ("adj", NP_("attila", "neighbours"), NP_("attila", "neighbors"))
PASS_MEANS = {"commit": "done", "prescore": "go_on", "end": "end_turn", "give": "give_done", "follow": "influence"}


# ---- to text ----------------------------------------------------------------------------------------


def format_move(state: AttilaState, code: int) -> str:
    """Return the canonical text of a move or chance outcome."""
    move = decode(code)
    if move.kind in SIMPLE:
        return SIMPLE[move.kind]
    if move.kind in TRIBES:
        return TRIBES[move.kind].format(LETTERS[move.what])
    if move.kind == "influence":
        return f"+{state.gain}"
    if move.kind == "first":
        return f"#first={move.what}"
    return PROVINCES[move.kind].format(_land(state).provinces[move.what].code)


def describe_move(state: AttilaState, code: int) -> str:
    """Return a move or chance outcome in words."""
    move = decode(code)
    spaces = steps(position_of(state)) if move.kind == "influence" else 0
    said = {
        "card": _("plays a card {of_tribe}"), "dump": _("discards a dead card {of_tribe}"),
        "skip": _("plays nothing: all cards are dead"), "at": _("places a token in {province}"),
        "second": _("places a second token in {province}"), "fight": _("the conflict in {province} comes first"),
        "influence": ngettext("gains {spaces} space of influence", "gains {spaces} spaces of influence", spaces),
        "commit": _("lays a card {of_tribe} face down"), "commit_hidden": _("lays a card face down"),
        "done": _("lays no more cards"), "go_on": _("continues to the scoring"), "end_turn": _("ends the turn"),
        "tile_double": _("uses the tile Double turn"), "tile_exchange": _("uses the tile Exchange"),
        "tile_influence": _("uses the tile Influence 2"), "give": _("gives a card {of_tribe} away"),
        "give_done": _("draws as many cards"), "inf_a": _("moves one space up with {the_tribe}"),
        "inf_b": _("moves one space up with {the_tribe}"), "draw": _("draws a card {of_tribe}"),
        "draw_hidden": _("draws a card"), "first": _("{seat} begins"),
    }[move.kind]
    if move.kind == "inf_b":
        position = position_of(state)
        if position.seats[position.seat_on_turn].influence[move.what] == position.land.last_space:
            said = _("stays on the last space with {the_tribe}")
    return said.format(
        spaces=spaces, seat=state.game.seat_name(move.what) if move.kind == "first" else "",
        province=_land(state).provinces[move.what].name if move.kind in PROVINCES else "",
        of_tribe=of_tribe(move.what) if move.kind in TRIBES else "",
        the_tribe=the_tribe(move.what) if move.kind in TRIBES else "")


def _land(state: AttilaState) -> Land:
    return cast("Attila", state.game).land


# ---- from text --------------------------------------------------------------------------------------


def parse_move(state: AttilaState, text: str) -> int:
    """Return the legal move of a text; raises InvalidNotation if it is no move at all, IllegalMove if it is illegal."""
    low = plain(text).lower()
    if low in _typed(PASSES) and low not in _words() and state.phase not in (*PASS_MEANS, "first"):
        return legal_code(state, -1, text, why=lambda: why_no_pass(_seen(state)))
    move = read(state, text)

    def why() -> Reason | None:
        return why_not(_seen(state), move, cast("Attila", state.game).options)

    return legal_code(state, encode(move), text, why=why)


def _seen(state: AttilaState) -> Position:
    """Return the position as the seat to move sees it, or the public position at a chance event."""
    return position_of(state, state.to_move if state.to_move >= 0 else None)


def read(state: AttilaState, text: str) -> Move:
    """Return the move of a text in a position, legal or not; raises InvalidNotation.

    A bare tribe or province means what the position needs: a card to play, to lay or to give, a place for a token.
    """
    bare = plain(text)
    low = bare.lower()
    if low in _words():
        return Move(_words()[low])
    if low in _typed(PASSES) and state.phase in PASS_MEANS:
        return Move(PASS_MEANS[state.phase])
    move = first_meaning((_read_signed, _read_luck, _read_bare), state, bare)
    if move is None:
        raise no_move(state, text, low, (*_words(), *_typed(PASSES)),
                      "F, @GER, +2, ,RAE, :F, done, score, end, *D, *X, *I, -H, ~F",
                      lambda word: parse_move(state, word))
    return move


@cache
def _words() -> dict[str, str]:
    """Return `WORDS` in every language."""
    return {said: kind for word, kind in WORDS.items() for said in _typed((word,))}


@cache
def _typed(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return words in every language."""
    return tuple(said for word in words for said in in_every_language(word, "attila"))


def _read_signed(state: AttilaState, text: str) -> Move | None:
    """Read a text that begins with the sign of its kind."""
    sign, rest = text[0], text[1:].strip()
    if sign == "+" or text.lower() in _typed(GAINS):
        gain = state.gain
        if state.phase == "follow" and rest.isdecimal() and int(rest) != gain:
            raise InvalidNotation(_("{text}: a card brings +{gain} now").format(text=quoted(text), gain=gain))
        if sign != "+" or not rest or rest.isdecimal():
            return Move("influence")
        raise InvalidNotation(_("{text}: influence is written +{gain}").format(text=quoted(text), gain=gain))
    if not rest:
        return None
    if sign == "@":
        return Move("second" if state.phase == "follow" else "at", style.province(_land(state), rest))
    if sign in ",!":
        return Move({",": "second", "!": "fight"}[sign], style.province(_land(state), rest))
    if sign in ":~-":
        return Move({":": "commit", "~": "dump", "-": "give"}[sign], style.tribe(rest))
    found = re.fullmatch(r"[iI] ?: ?(.+)", text)
    if found:
        return Move("inf_b" if state.phase == "inf_b" else "inf_a", style.tribe(found[1]))
    return None


def _read_luck(state: AttilaState, text: str) -> Move | None:
    found = re.fullmatch(r"c ?: ?(.+)", text, re.IGNORECASE)
    if found:
        return Move("draw", style.tribe(found[1]))
    found = re.fullmatch(r"#? ?first ?= ?(.+)", text, re.IGNORECASE)
    if found is None and state.phase != "first":
        return None
    return Move("first", style.seat(found[1] if found else text))


def _read_bare(state: AttilaState, text: str) -> Move | None:
    """Read a tribe or a province without a sign."""
    if not re.search(r"\w", text):
        return None
    places = {"place": "at", "follow": "second", "order": "fight"}
    if state.phase in places:
        try:
            return Move(places[state.phase], style.province(_land(state), text))
        except InvalidNotation:
            if style.is_tribe(text):            # a card at the wrong time
                return Move("card", style.tribe(text))
            raise
    kind = {"commit": "commit", "give": "give", "inf_a": "inf_a", "inf_b": "inf_b", "deal": "draw",
            "draw": "draw"}.get(state.phase, "card")
    try:
        return Move(kind, style.tribe(text))
    except InvalidNotation:
        if len(text) == 1:
            raise
    try:
        return Move("at", style.province(_land(state), text))
    except InvalidNotation:
        return None


# ---- questions --------------------------------------------------------------------------------------


def neighbours(land: Land, text: str) -> str | None:
    """Answer ``adj GER``: "GER Germania: by land BEL RAE; over water BRI"; None for any other text.

    Raises
    ------
    InvalidNotation
        If the province does not exist.
    """
    question = text.split(maxsplit=1)
    if len(question) < 2 or question[0].lower() not in _typed(NEIGHBOURS):
        return None
    here = style.province(land, plain(question[1]))
    parts = []
    for water, said in ((False, _("by land {codes}")), (True, _("over water {codes}"))):
        codes = sorted(land.provinces[link.b if link.a == here else link.a].code for link in land.links
                       if here in (link.a, link.b) and link.water == water)
        parts += [said.format(codes=" ".join(codes))] if codes else []
    one = land.provinces[here]
    return f"{one.code} {one.name}: {'; '.join(parts)}"


# ---- whole lines ------------------------------------------------------------------------------------

_CARD = re.compile(r"([^\s@,+~*]+)\s*@\s*([^@,+]+?)\s*(?:(\+\s*\d*)|[,&]\s*([^@,+]+?))?")
_SPACED = re.compile(r"([^\W\d_]+)\s+([^\W\d_][^@,+~*:]*?)\s*(?:(\+\s*\d*)|[,&]\s*([^@,+]+?))?")
_TILE = re.compile(r"\*\s*([xXiI])\s*\((.*)\)")
_LAID = re.compile(r"(?:([A-Ea-e])\s*:)?\s*([^\W\d_][\w\s,]*)")


def parse_turn(state: AttilaState, text: str) -> list[int]:
    """Return the moves of one line: ``F@GER+2``, ``F@GER,RAE``, ``*X(HHG)``, ``*I(F2)``, ``*I(F,V)``, ``VV`` to lay.

    A blank may separate a card and its province: ``F GER+2``, ``Franks Germania``.

    Raises
    ------
    InvalidNotation, IllegalMove
    """
    bare = plain(text)
    card = _card(state, bare)
    if card:
        return _in_turn(state, card, bare)
    found = _TILE.fullmatch(bare)
    if found and found[1] in "xX":
        return _in_turn(state, ["*X", *(f"-{LETTERS[i]}" for i in sorted(style.letters(found[2]))), "draw"], bare)
    if found:
        return _in_turn(state, ["*I", *(f"I:{LETTERS[i]}" for i in _steps(found[2]))], bare)
    found = _LAID.fullmatch(bare) if state.phase == "commit" else None
    if found is None or found[2].lower() in (*_words(), *_typed(PASSES)):
        return [parse_move(state, text)]
    if found[1] and "ABCDE".index(found[1].upper()) != state.to_move:
        raise IllegalMove(_("{text}: it is {name}, seat {seat}, that lays cards now").format(
            text=quoted(bare), name=state.game.seat_name(state.to_move), seat="ABCDE"[state.to_move]))
    try:
        tribes = sorted(style.letters(found[2]))
    except InvalidNotation:
        return [parse_move(state, text)]
    if len(tribes) == 1 and not found[1]:
        return [parse_move(state, text)]
    return _in_turn(state, [*(f":{LETTERS[i]}" for i in tribes), "done"], bare)


def _card(state: AttilaState, text: str) -> list[str]:
    """Return the steps of a whole card, such as F@GER+2; empty if the text is no such card."""
    found = _CARD.fullmatch(text)
    if found is None and state.phase == "play" and text.lower() not in _words():
        found = _SPACED.fullmatch(text)
        try:
            if found is not None:
                style.province(_land(state), found[2])
        except InvalidNotation:
            return []
    if found is None:
        return []
    parts = [found[1], "@" + found[2]]
    if found[3] or found[4]:
        parts.append(found[3].replace(" ", "") if found[3] else "," + found[4])
    return parts


def _steps(text: str) -> list[int]:
    """Return the two steps of Influence 2: ``F2``, ``FF`` or ``F,V``."""
    twice = re.fullmatch(r"\s*([^\W\d_]+)\s*2\s*", text)
    tribes = 2 * style.letters(twice[1]) if twice else style.letters(text)
    if len(tribes) != 2:
        raise InvalidNotation(_("{text}: Influence 2 has two steps, as in *I(F2) or *I(F,V)").format(text=quoted(text)))
    return sorted(tribes)


def _in_turn(state: AttilaState, parts: list[str], typed: str) -> list[int]:
    """Parse the parts of a line one after the other, each in the position after the last."""
    return played_through(state, parts, parse_move, lambda _state: _("somebody else decides"), typed)
