"""Moves of Carcassonne as text, both ways.

Canonical texts: draw "E", or "!C" if the drawn tile fits nowhere and is discarded; place "E@0,-1/2"; deploy "+c0",
nobody "-"; first seat "first:1". A whole turn may be typed as "E@0,-1/2+c0".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from sfida.cython_ext.errors import AmbiguousNotation, IllegalMove, InvalidNotation
from sfida.engines import moves
from sfida.engines.carcassonne.illegal_reasons import why_not_deployed, why_not_placed
from sfida.engines.carcassonne.options import CarcassonneOptions
from sfida.engines.carcassonne.position import Deploy, Draw, First, Place, Position, decode, encode, position_of
from sfida.engines.carcassonne.style import (
    color, compass, direction, directions, kinds_typed, nobody_typed, role, seats_called, segment_words, short_name,
    terrain_word, touches
)
from sfida.engines.carcassonne.tables import TileType, load_tiles, tile_type, type_number
from sfida.engines.language import N_, _, names_codes
from sfida.engines.moves import Reason
from sfida.engines.spec import quoted, shortened

if TYPE_CHECKING:
    from sfida.cython_ext.carcassonne.core import CarcassonneState

FILLERS = ("", "on", "in", "to", "the", "at", "a", "my", "deploy", "put", "place", "of", "follower",
           "corner", "inside", "bend", "middle", "centre", "center",
           "al", "alla", "nel", "nella", "nell", "su", "sul", "sulla", "il", "lo", "la", "un", "una", "mio", "di",
           "dentro", "verso", "schiera", "metti", "piazza", "seguace", "angolo", "curva", "centro", "mezzo")
CORNER, BEND, MIDDLE = ("corner", "angolo"), ("bend", "curva"), ("middle", "centre", "center", "centro", "mezzo")

PLACEMENT = re.compile(r"""
    (?:(?:place|put|lay|posa|metti|piazza)\s+)?
    (?:(?!(?:at|in)\b)(?P<code>[a-z]{1,2})(?=[\s(@+\d-])\s*)?
    (?:@\s*|(?:at|in)\s+)?
    \(?\s*(?P<x>[+-]?\d{1,4})(?:\s*[,;]\s*|\s+|(?=[+-]))(?P<y>[+-]?\d{1,4})(?!\d)(?:\s*\))?
    (?:
        \s*[,;]?\s*(?P<zero>not\s+turned\b|upright\b|non\s+girata\b|dritta\b)
        | \s*[,;]?\s*(?:/|↻|rot(?:ation|ated)?\b|turned\b|girata\b|ruotata\b|k(?=\d))\s*
          (?:(?:by|di)\s*)?(?P<turn>\d{1,4})
        | \s*[,;]\s*(?P<third>\d{1,4})
        | (?:\s+|(?<=\)))(?P<bare>\d{1,4})
    )?
    \s*(?P<degrees>°|deg(?:rees)?\b|gradi\b)?
    \s*[,;]?\s*
    """, re.VERBOSE | re.IGNORECASE)
LIKE_PLACE = N_("E@0,-1/2 or 0,-1/2 (x,y/quarter turns clockwise; x grows east, y grows south)")
LIKE_DEPLOY = N_("+c0, 'knight north', or - for nobody")


class Positions(Protocol):
    """The members of the game that `parse_turn` needs."""

    options: CarcassonneOptions

    def position(self, state: CarcassonneState) -> Position: ...


# ---- to text ----------------------------------------------------------------------------------------


def describe_move(state: CarcassonneState, position: Position, move: int) -> str:
    """Return a move or chance outcome in words; `position` is the position of the state."""
    tiles = load_tiles()
    match decode(move):
        case Draw(number):
            tile = tiles[number]
            if not names_codes():
                said = "{name}" if state.can_place(number) else _("{name}; it fits nowhere and is discarded")
                return said.format(name=short_name(tile))
            said = (_("tile {code}, {name}") if state.can_place(number) else
                    _("tile {code}, {name}; it fits nowhere and is discarded"))
            return said.format(code=tile.code, name=tile.name)
        case Place(number, x, y, rotation):
            if not names_codes():
                return _("lays {name}").format(name=short_name(tiles[number]))
            said = _("{code} at ({x},{y}) turned {degrees}°") if rotation else _("{code} at ({x},{y}) not turned")
            return said.format(code=tiles[number].code, x=x, y=y, degrees=90 * rotation)
        case Deploy(None):
            return _("no follower")
        case Deploy(segment):
            tile, number = _last_type(position), segment or 0
            return _("{role} {place}").format(
                role=role(tile.segments[number].kind),
                place=segment_words(tile, number, position.tiles[-1].rotation, place=True))
        case First(seat):
            return _("{seat} starts").format(seat=color(seat))


def _last_type(position: Position) -> TileType:
    return tile_type(position.tiles[-1].code)


# ---- from text --------------------------------------------------------------------------------------


def parse_move(game: Positions, state: CarcassonneState, text: str) -> int:
    """Return the legal move of a text.

    Parameters
    ----------
    game : Positions
    state : CarcassonneState
    text : str
        Tolerated: any case, blanks, a missing tile code, degrees, role words, "none" or "pass".

    Raises
    ------
    InvalidNotation
        If the text is no move at all.
    IllegalMove
        If the move is not legal now; the message gives the reason.
    AmbiguousNotation
        If the text fits several legal moves; the message lists them.
    """
    plain, position, options, legal = moves.plain(text), game.position(state), game.options, state.legal_moves()
    if position.phase == "over":
        raise IllegalMove(_("the game is over: no move is legal (CAR-10.2)"))
    if position.phase == "first":
        return _parse_first(plain, legal)
    if position.phase == "draw":
        return _parse_draw(state, plain, legal)
    if position.phase == "place":
        move, rest = _parse_place(position, plain, options)
        if rest:
            raise InvalidNotation(_("{text} after the placement is not understood here; a placement looks like {like}")
                                  .format(text=quoted(rest), like=_(LIKE_PLACE)))
        return move
    return _parse_deploy(position, plain, options)


def parse_turn(game: Positions, state: CarcassonneState, text: str) -> list[int]:
    """Return the moves of a turn typed as one text, such as "E@0,-1/2+c0", or of a part of it.

    Before a draw, the whole turn "E@0,-1/2+c0" also determines the drawn tile.

    Raises
    ------
    InvalidNotation, IllegalMove, AmbiguousNotation
    """
    position = game.position(state)
    if position.phase == "draw":
        plain = moves.plain(text)
        found = PLACEMENT.match(plain)
        if found and found["code"]:
            draw = parse_move(game, state, found["code"])
            state = state.clone()
            state.apply(draw)
            return [draw, *parse_turn(game, state, text)]
    if position.phase != "place":
        return [parse_move(game, state, text)]
    move, rest = _parse_place(position, moves.plain(text), game.options)
    if not rest:
        return [move]
    seat, laid = position.seat_on_turn, state.unscored(move)
    state = state.clone()
    state.apply(move)
    if state.phase == "deploy":
        return [move, parse_move(game, state, rest)]
    if rest.removeprefix("+").strip().lower() in nobody_typed():
        return [move]
    if not position.supply[seat]:
        raise IllegalMove(_("{seat} has no follower left to deploy (CAR-6.8)").format(seat=color(seat)))
    return [move, _parse_deploy(position_of(laid), rest, game.options)]


# ---- first seat, draws ------------------------------------------------------------------------------


def _parse_first(text: str, legal: Sequence[int]) -> int:
    seats = [seat for move in legal if isinstance(first := decode(move), First) for seat in (first.seat,)]
    word = re.sub(r"^(first|seat|inizia|comincia)\s*:?\s*", "", text.lower())
    for seat in seats:
        if word == str(seat) or seat in seats_called(word):
            return encode(First(seat))
    known = ", ".join(f"first:{seat} ({color(seat)})" for seat in seats)
    if re.fullmatch(r"\d{1,4}", word):
        raise IllegalMove(str(Reason(_("there is no seat {number}; who starts is one of {known}").format(
            number=word, known=known), "CAR-3.6")))
    raise InvalidNotation(_("{text} does not say who starts; right would be one of {known}").format(
        text=quoted(text), known=known))


def _parse_draw(state: CarcassonneState, text: str, legal: Sequence[int]) -> int:
    word = re.sub(r"^(draw|tile|pesca|tessera)\s+", "", text.lower())
    gone = word.startswith("!")
    word = word.removeprefix("!").strip()
    left = {load_tiles()[draw.tile].code: move for move in legal if isinstance(draw := decode(move), Draw)}
    tile = next((t for t in load_tiles()
                 if word in (t.code.lower(), t.name_en.lower(), t.name_it.lower(), t.id, t.id.replace("_", " "))),
                None)
    known = ", ".join(left)
    if tile is None:
        if PLACEMENT.match(word) or _deploy_words(word.removeprefix("+")) or word.removeprefix("+") in nobody_typed():
            raise IllegalMove(str(Reason(_("a tile is drawn first: give its code, one of {known}").format(known=known),
                                         "CAR-4.2")))
        raise InvalidNotation(_("{text} is no tile; give the code of the drawn tile, one of {known}").format(
            text=quoted(text), known=known))
    if tile.code not in left:
        raise IllegalMove(str(Reason(_("no tile {code} can be drawn now; left are {known}").format(
            code=tile.code, known=known), "CAR-11.2" if tile.set != _set_drawn(left) else "CAR-5.1")))
    if gone and (places := state.places_for(type_number(tile.code))):
        x, y, rotation = places[0]
        raise IllegalMove(_("{code} can be placed, for example {example}, so it may not be discarded (CAR-5.10)")
                          .format(code=tile.code, example=f"{tile.code}@{x},{y}/{rotation}"))
    return left[tile.code]


def _set_drawn(left: Iterable[str]) -> str:
    """Return the stack of the next draw, the river's or the land's."""
    return tile_type(next(iter(left))).set


# ---- placements -------------------------------------------------------------------------------------


def _parse_place(position: Position, text: str, options: CarcassonneOptions) -> tuple[int, str]:
    """Return the placement at the start of a text, and the rest of the text."""
    code = position.tile_in_hand or ""
    tile = tile_type(code)
    found = PLACEMENT.match(text)
    if found is None:
        if _deploy_words(text.removeprefix("+")) or text.lower() in nobody_typed():
            raise IllegalMove(_("{code} is in hand and must be placed first, for example {example} (CAR-4.5, CAR-5.10)")
                              .format(code=code, example=_example(position)))
        _refuse_luck(text, code, example=_example(position))
        raise InvalidNotation(_("{text} is no placement; right would be like {like}").format(
            text=quoted(text), like=_(LIKE_PLACE)))
    named = found["code"]
    if named and named.upper() not in [t.code for t in load_tiles()]:
        raise InvalidNotation(_("{text} is no tile; {code} is in hand: write {code}@x,y/rotation or leave the code out")
                              .format(text=quoted(named), code=code))
    if named and named.upper() != code:
        raise IllegalMove(str(Reason(_("the tile in hand is {code}, not {other}").format(
            code=code, other=named.upper()), "CAR-4.2")))
    x, y = int(found["x"]), int(found["y"])
    rest = text[found.end():].strip()
    given = found["turn"] or found["third"] or found["bare"] or ("0" if found["zero"] else None)
    if given is None and (found["degrees"] or rest.startswith("/")):
        raise InvalidNotation(_("{text} names no rotation; right would be like {like}").format(
            text=quoted(text), like=_(LIKE_PLACE)))
    if given is None:
        rotation = _only_rotation(position, tile, x, y, options, rest)
    else:
        turn = _quarter_turns(int(given), bool(found["degrees"]))
        rotation = turn % tile.rotations
        if (x, y, rotation) not in position.placements:
            raise IllegalMove(why_not_placed(position, code, x, y, turn, options))
    return encode(Place(load_tiles().index(tile), x, y, rotation)), rest


def _example(position: Position) -> str:
    x, y, rotation = position.placements[0]
    return f"{position.tile_in_hand}@{x},{y}/{rotation}"


def _quarter_turns(number: int, degrees: bool) -> int:
    if not degrees and number <= 3:
        return number
    if number % 90 == 0 and number <= 360:
        return number // 90 % 4
    raise InvalidNotation(_("rotation {number} is not understood; right would be 0 to 3 quarter turns clockwise, or "
                            "0°, 90°, 180°, 270°").format(number=number))


def _only_rotation(position: Position, tile: TileType, x: int, y: int, options: CarcassonneOptions,
                   rest: str) -> int:
    here = [k for px, py, k in position.placements if (px, py) == (x, y)]
    if not here:
        raise IllegalMove(why_not_placed(position, tile.code, x, y, None, options))
    if len(here) > 1:
        choice = ", ".join(f"{tile.code}@{x},{y}/{k}" for k in here)
        said = (_("{code} fits at ({x},{y}) in {number} rotations ({text} is no rotation): {choice}")
                if re.match(r"[rk]\s*\d", rest.lower()) else
                _("{code} fits at ({x},{y}) in {number} rotations: {choice}"))
        raise AmbiguousNotation(said.format(code=tile.code, x=x, y=y, number=len(here), text=quoted(rest),
                                            choice=choice))
    return here[0]


# ---- deployments ------------------------------------------------------------------------------------


def _deploy_words(text: str) -> tuple[str, str, int | None] | None:
    """Return (kind, number or "", direction or None) of words for a segment."""
    text = text.lower()
    if match := re.fullmatch(r"([crfm])\s?(\d*)", text):
        return kinds_typed()[match[1]], match[2], None
    if re.search(r"[^\w\s,.-]", text):
        return None
    kind, towards = None, None
    words = re.sub(r"\b(north|south|nord|sud)[ -]?(east|west|est|ovest)\b", r"\1\2", text)
    for word in re.split(r"[^\w]+", words):
        if word in kinds_typed() and kind is None:
            kind = kinds_typed()[word]
        elif word in directions() and towards is None:
            towards = directions()[word]
        elif word in kinds_typed() and kinds_typed()[word] == kind:
            continue                                # "knight in the city"
        elif word not in FILLERS:
            return None
    return (kind or "", "", towards) if kind or towards is not None else None


def _parse_deploy(position: Position, text: str, options: CarcassonneOptions) -> int:
    word = text.removeprefix("+").strip().lower()
    if word in nobody_typed():
        return encode(Deploy(None))
    tile, rotation = _last_type(position), position.tiles[-1].rotation
    asked = ("river", "", None) if text.lower() == "+w" else _deploy_words(word)
    choices = [f"+{tile.segments[s].id} ({segment_words(tile, s, rotation)})"
               for s in position.deploy_segments]
    free = (_("free are {choices}, or - for nobody").format(choices=", ".join(choices)) if choices else
            _("no part of it is free"))
    if asked is None:
        if PLACEMENT.match(text):
            raise IllegalMove(_placed(tile.code, free))
        _refuse_luck(text, tile.code, free=free)
        raise InvalidNotation(_("{text} names no part of a tile; right would be like {like}").format(
            text=quoted(text), like=_(LIKE_DEPLOY)))
    kind, number, towards = asked
    if number:
        name = f"{word[0]}{int(number)}"
        meant = [s for s, segment in enumerate(tile.segments) if segment.id == name]
    else:
        meant = [s for s, segment in enumerate(tile.segments) if kind in ("", segment.kind)]
        if towards is not None:
            meant = ([s for s in meant if direction(tile.segments[s], rotation) == towards]
                     or [s for s in meant if touches(tile.segments[s], rotation, towards)])
        if _says(word, CORNER) and towards is not None:
            meant = [s for s in meant if touches(tile.segments[s], rotation, towards)]
        elif _says(word, BEND) and towards is not None:
            meant = [s for s in meant if not touches(tile.segments[s], rotation, towards)]
        elif _says(word, MIDDLE):
            meant = [s for s in meant if direction(tile.segments[s], rotation) is None]
    if not meant:
        what = shortened(name) if number else terrain_word(kind) if kind else _("part")
        said = (_("tile {code} has no {what}; {free}") if towards is None else
                _("tile {code} has no {what} to the {direction}; {free}"))
        raise IllegalMove(said.format(code=tile.code, what=what, free=free,
                                      direction="" if towards is None else compass(towards)))
    possible = [s for s in meant if s in position.deploy_segments]
    if not possible:
        raise IllegalMove(f"{why_not_deployed(position, meant[0], options)}; {free}")
    if len(possible) > 1:
        raise AmbiguousNotation(_("{text} may mean {choices}").format(text=quoted(text), choices=_(" or ").join(
            f"+{tile.segments[s].id} ({segment_words(tile, s, rotation)})" for s in possible)))
    return encode(Deploy(possible[0]))


def _placed(code: str, free: str) -> str:
    return str(Reason(_("{code} is placed already; now deploy a follower: {free}").format(code=code, free=free),
                      "CAR-4.5"))


def _refuse_luck(text: str, code: str, *, example: str = "", free: str = "") -> None:
    """Refuse a chance outcome during the placement of a tile, with an example, or of a follower.

    Raises
    ------
    IllegalMove
    """
    if re.fullmatch(r"(?:first|inizia|comincia) ?:? ?\w+", text, re.IGNORECASE):
        raise IllegalMove(str(Reason(_("it is settled who starts"), "CAR-3.6")))
    if text.removeprefix("!").upper() in (tile.code for tile in load_tiles()):
        raise IllegalMove(_placed(code, free) if free else _(
            "{code} is in hand and must be placed first, for example {example} (CAR-4.5, CAR-5.10)").format(
                code=code, example=example))


def _says(text: str, words: Sequence[str]) -> bool:
    return any(word in text for word in words)
