"""Moves of Carcassonne as text, both ways.

Canonical texts: draw "E", or "!C" when the drawn tile fits nowhere and is discarded; place "E@0,-1/2";
deploy "+c0", nobody "-"; who starts "first:1". A whole turn may be typed as "E@0,-1/2+c0".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from sfida.cython_ext.errors import AmbiguousNotation, IllegalMove, InvalidNotation
from sfida.engines import typed
from sfida.engines.carcassonne.moves import Deploy, Draw, First, Place, decode, encode
from sfida.engines.carcassonne.options import CarcassonneOptions
from sfida.engines.carcassonne.position import PlacedTile, Position
from sfida.engines.carcassonne.recount import iter_placements, legal_placements, tile_type
from sfida.engines.carcassonne.refusals import why_not_deployed, why_not_placed
from sfida.engines.carcassonne.tiles import TileType, load_tiles
from sfida.engines.carcassonne.words import (
    DIRECTIONS,
    KIND_OF_WORD,
    LONG,
    NOBODY,
    color,
    direction,
    role,
    segment_words,
    touches,
)
from sfida.engines.spec import quoted, shortened

if TYPE_CHECKING:
    from sfida.cython_ext.carcassonne.core import CarcassonneState

FILLERS = ("", "on", "in", "to", "the", "at", "a", "my", "deploy", "put", "place", "of", "follower",
           "corner", "inside", "bend", "middle", "centre", "center")

PLACEMENT = re.compile(r"""
    (?:(?:place|put|lay)\s+)?
    (?:(?!at\b)(?P<code>[a-z]{1,2})(?=[\s(@+\d-])\s*)?
    (?:@\s*|at\s+)?
    \(?\s*(?P<x>[+-]?\d{1,4})(?:\s*[,;]\s*|\s+|(?=[+-]))(?P<y>[+-]?\d{1,4})(?!\d)(?:\s*\))?
    (?:
        \s*[,;]?\s*(?P<zero>not\s+turned\b|upright\b)
        | \s*[,;]?\s*(?:/|↻|rot(?:ation|ated)?\b|turned\b|k(?=\d))\s*(?:by\s*)?(?P<turn>\d{1,4})
        | \s*[,;]\s*(?P<third>\d{1,4})
        | (?:\s+|(?<=\)))(?P<bare>\d{1,4})
    )?
    \s*(?P<degrees>°|deg(?:rees)?\b)?
    \s*[,;]?\s*
    """, re.VERBOSE | re.IGNORECASE)
LIKE_PLACE = "E@0,-1/2 or 0,-1/2 (x,y/quarter turns clockwise; x grows east, y grows south)"
LIKE_DEPLOY = "+c0, 'knight north', or - for nobody"


class Positions(Protocol):
    """What `parse_turn` needs of the game."""

    options: CarcassonneOptions

    def position(self, state: CarcassonneState) -> Position: ...


# ---- to text ----------------------------------------------------------------------------------------


def fits_somewhere(position: Position, code: str, options: CarcassonneOptions) -> bool:
    """Return whether a tile has a legal placement (CAR-5.9)."""
    return any(True for _ in iter_placements(position.tiles, code, options))


def format_move(position: Position, move: int, options: CarcassonneOptions) -> str:
    """Return the canonical text of a move or chance outcome."""
    tiles = load_tiles()
    match decode(move):
        case Draw(number):
            code = tiles[number].code
            return code if fits_somewhere(position, code, options) else f"!{code}"
        case Place(number, x, y, rotation):
            return f"{tiles[number].code}@{x},{y}/{rotation}"
        case Deploy(None):
            return "-"
        case Deploy(segment):
            return f"+{_last_type(position).segments[segment or 0].id}"
        case First(seat):
            return f"first:{seat}"


def describe_move(position: Position, move: int, options: CarcassonneOptions) -> str:
    """Return a move or chance outcome in words."""
    tiles = load_tiles()
    match decode(move):
        case Draw(number):
            tile = tiles[number]
            fits = fits_somewhere(position, tile.code, options)
            return f"tile {tile.code}, {tile.name_en}{'' if fits else '; it fits nowhere and is discarded'}"
        case Place(number, x, y, rotation):
            turned = f"turned {90 * rotation}°" if rotation else "not turned"
            return f"{tiles[number].code} at ({x},{y}) {turned}"
        case Deploy(None):
            return "no follower"
        case Deploy(segment):
            tile, number = _last_type(position), segment or 0
            kind = tile.segments[number].kind
            where = segment_words(tile, number, position.tiles[-1].rotation)
            return f"{role(kind)} {'on' if kind == 'road' else 'in'} {where}"
        case First(seat):
            return f"{color(seat)} starts"


def _last_type(position: Position) -> TileType:
    return tile_type(position.tiles[-1].code)


# ---- from text --------------------------------------------------------------------------------------


def parse_move(position: Position, text: str, legal: Sequence[int], options: CarcassonneOptions) -> int:
    """Return the legal move that a text names.

    Parameters
    ----------
    position : Position
    text : str
        Forgiving: case, blanks, a missing tile code, degrees, role words, "none" or "pass".
    legal : sequence of int
        Codes that are legal now.
    options : CarcassonneOptions

    Raises
    ------
    InvalidNotation
        If the text is no move at all.
    IllegalMove
        If it is one, but not legal now; the message says why.
    AmbiguousNotation
        If it fits several legal moves; the message lists them.
    """
    plain = typed.plain(text)
    if position.phase == "over":
        raise IllegalMove("the game is over: no move is legal (CAR-10.2)")
    if position.phase == "first":
        return _parse_first(plain, legal)
    if position.phase == "draw":
        return _parse_draw(position, plain, legal, options)
    if position.phase == "place":
        move, rest = _parse_place(position, plain, options)
        if rest:
            raise InvalidNotation(f"{quoted(rest)} after the placement is not understood here; "
                                  f"a placement looks like {LIKE_PLACE}")
        return move
    return _parse_deploy(position, plain, options)


def parse_turn(game: Positions, state: CarcassonneState, text: str) -> list[int]:
    """Return the moves of a turn typed as one text, such as "E@0,-1/2+c0", or of a part of it.

    While a tile is to be drawn the whole turn "E@0,-1/2+c0" also names the draw.

    Raises
    ------
    InvalidNotation, IllegalMove, AmbiguousNotation
    """
    position = game.position(state)
    if position.phase == "draw":
        plain = typed.plain(text)
        found = PLACEMENT.match(plain)
        if found and found["code"]:
            draw = parse_move(position, found["code"], state.legal_moves(), game.options)
            state = state.clone()
            state.apply(draw)
            return [draw, *parse_turn(game, state, text)]
    if position.phase != "place":
        return [parse_move(position, text, state.legal_moves(), game.options)]
    move, rest = _parse_place(position, typed.plain(text), game.options)
    if not rest:
        return [move]
    seat = position.seat_on_turn
    state = state.clone()
    state.apply(move)
    after = game.position(state)
    if after.phase == "deploy":
        return [move, parse_move(after, rest, state.legal_moves(), game.options)]
    if rest.removeprefix("+").strip().lower() in NOBODY:
        return [move]
    if not position.supply[seat]:
        raise IllegalMove(f"{color(seat)} has no follower left to deploy (CAR-6.8)")
    place = decode(move)
    assert isinstance(place, Place)
    laid = (*position.tiles, PlacedTile(load_tiles()[place.tile].code, place.x, place.y, place.rotation))
    return [move, _parse_deploy(_with_tiles(position, laid), rest, game.options)]


def _with_tiles(position: Position, tiles: tuple[PlacedTile, ...]) -> Position:
    return Position(position.players, "deploy", position.seat_on_turn, tiles, position.followers,
                    position.scores, position.supply, tiles[-1].code)


# ---- who starts, draws ------------------------------------------------------------------------------


def _parse_first(text: str, legal: Sequence[int]) -> int:
    seats = [seat for move in legal if isinstance(first := decode(move), First) for seat in (first.seat,)]
    word = re.sub(r"^(first|seat)\s*:?\s*", "", text.lower())
    for seat in seats:
        if word in (str(seat), color(seat)):
            return encode(First(seat))
    known = ", ".join(f"first:{seat} ({color(seat)})" for seat in seats)
    if re.fullmatch(r"\d{1,4}", word):
        raise IllegalMove(f"there is no seat {word}; who starts is one of {known}")
    raise InvalidNotation(f"{quoted(text)} does not say who starts; right would be one of {known}")


def _parse_draw(position: Position, text: str, legal: Sequence[int], options: CarcassonneOptions) -> int:
    word = re.sub(r"^(draw|tile)\s+", "", text.lower())
    gone = word.startswith("!")
    word = word.removeprefix("!").strip()
    left = {load_tiles()[draw.tile].code: move for move in legal if isinstance(draw := decode(move), Draw)}
    tile = next((t for t in load_tiles()
                 if word in (t.code.lower(), t.name_en.lower(), t.id, t.id.replace("_", " "))), None)
    if tile is None:
        if PLACEMENT.match(word) or _deploy_words(word):
            raise IllegalMove(f"a tile is drawn first: give its code, one of {', '.join(left)}")
        raise InvalidNotation(f"{quoted(text)} is no tile; give the code of the drawn tile, "
                              f"one of {', '.join(left)}")
    if tile.code not in left:
        raise IllegalMove(f"no tile {tile.code} can be drawn now; left are {', '.join(left)}")
    if gone and (places := legal_placements(position.tiles, tile.code, options)):
        x, y, rotation = places[0]
        raise IllegalMove(f"{tile.code} can be placed, for example {tile.code}@{x},{y}/{rotation}, "
                          "so it may not be discarded (CAR-5.10)")
    return left[tile.code]


# ---- placements -------------------------------------------------------------------------------------


def _parse_place(position: Position, text: str, options: CarcassonneOptions) -> tuple[int, str]:
    """Return the placement at the start of a text, and the rest of the text."""
    code = position.tile_in_hand or ""
    tile = tile_type(code)
    found = PLACEMENT.match(text)
    if found is None:
        if _deploy_words(text.removeprefix("+")) or text.lower() in NOBODY:
            raise IllegalMove(f"{code} is in hand and must be placed first, for example "
                              f"{_example(position)} (CAR-4.5, CAR-5.10)")
        raise InvalidNotation(f"{quoted(text)} is no placement; right would be like {LIKE_PLACE}")
    named = found["code"]
    if named and named.upper() not in [t.code for t in load_tiles()]:
        raise InvalidNotation(f"{quoted(named)} is no tile; {code} is in hand: write {code}@x,y/rotation "
                              "or leave the code out")
    if named and named.upper() != code:
        raise IllegalMove(f"the tile in hand is {code}, not {named.upper()}")
    x, y = int(found["x"]), int(found["y"])
    rest = text[found.end():].strip()
    given = found["turn"] or found["third"] or found["bare"] or ("0" if found["zero"] else None)
    if given is None and (found["degrees"] or rest.startswith("/")):
        raise InvalidNotation(f"{quoted(text)} names no rotation; right would be like {LIKE_PLACE}")
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
    raise InvalidNotation(f"rotation {number} is not understood; right would be 0 to 3 quarter turns "
                          "clockwise, or 0°, 90°, 180°, 270°")


def _only_rotation(position: Position, tile: TileType, x: int, y: int, options: CarcassonneOptions,
                   rest: str) -> int:
    here = [k for px, py, k in position.placements if (px, py) == (x, y)]
    if not here:
        raise IllegalMove(why_not_placed(position, tile.code, x, y, None, options))
    if len(here) > 1:
        choice = ", ".join(f"{tile.code}@{x},{y}/{k}" for k in here)
        more = f" ({quoted(rest)} is no rotation)" if re.match(r"[rk]\s*\d", rest.lower()) else ""
        raise AmbiguousNotation(f"{tile.code} fits at ({x},{y}) in {len(here)} rotations{more}: {choice}")
    return here[0]


# ---- deployments ------------------------------------------------------------------------------------


def _deploy_words(text: str) -> tuple[str, str, int | None] | None:
    """Return (kind, number or "", direction or None) of words that name a segment."""
    text = text.lower()
    if match := re.fullmatch(r"([crfm])\s?(\d*)", text):
        return KIND_OF_WORD[match[1]], match[2], None
    if re.search(r"[^\w\s,.-]", text):
        return None
    kind, towards = None, None
    words = re.sub(r"\b(north|south|nord|sud)[ -]?(east|west|est|ovest)\b", r"\1\2", text)
    for word in re.split(r"[^\w]+", words):
        if word in KIND_OF_WORD and kind is None:
            kind = KIND_OF_WORD[word]
        elif word in DIRECTIONS and towards is None:
            towards = DIRECTIONS[word]
        elif word in KIND_OF_WORD and KIND_OF_WORD[word] == kind:
            continue                                # "knight in the city"
        elif word not in FILLERS:
            return None
    return (kind or "", "", towards) if kind or towards is not None else None


def _parse_deploy(position: Position, text: str, options: CarcassonneOptions) -> int:
    word = text.removeprefix("+").strip().lower()
    if word in NOBODY:
        return encode(Deploy(None))
    tile, rotation = _last_type(position), position.tiles[-1].rotation
    asked = ("river", "", None) if text.lower() == "+w" else _deploy_words(word)
    choices = [f"+{tile.segments[s].id} ({segment_words(tile, s, rotation)})"
               for s in position.deploy_segments]
    free = f"free are {', '.join(choices)}, or - for nobody" if choices else "no part of it is free"
    if asked is None:
        if PLACEMENT.match(text):
            raise IllegalMove(f"{tile.code} is placed already; now deploy a follower: {free}")
        raise InvalidNotation(f"{quoted(text)} names no part of a tile; right would be like {LIKE_DEPLOY}")
    kind, number, towards = asked
    if number:
        name = f"{word[0]}{int(number)}"
        meant = [s for s, segment in enumerate(tile.segments) if segment.id == name]
    else:
        meant = [s for s, segment in enumerate(tile.segments) if kind in ("", segment.kind)]
        if towards is not None:
            meant = ([s for s in meant if direction(tile.segments[s], rotation) == towards]
                     or [s for s in meant if touches(tile.segments[s], rotation, towards)])
        if "corner" in word and towards is not None:
            meant = [s for s in meant if touches(tile.segments[s], rotation, towards)]
        elif "bend" in word and towards is not None:
            meant = [s for s in meant if not touches(tile.segments[s], rotation, towards)]
        elif any(middle in word for middle in ("middle", "centre", "center")):
            meant = [s for s in meant if direction(tile.segments[s], rotation) is None]
    if not meant:
        what = shortened(name) if number else kind or "part"
        where = f" to the {LONG[towards]}" if towards is not None else ""
        raise IllegalMove(f"tile {tile.code} has no {what}{where}; {free}")
    possible = [s for s in meant if s in position.deploy_segments]
    if not possible:
        raise IllegalMove(f"{why_not_deployed(position, meant[0], options)}; {free}")
    if len(possible) > 1:
        raise AmbiguousNotation(f"{quoted(text)} may mean " + " or ".join(
            f"+{tile.segments[s].id} ({segment_words(tile, s, rotation)})" for s in possible))
    return encode(Deploy(possible[0]))
