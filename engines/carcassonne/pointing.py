"""Choosing a move of Carcassonne by pointing: place and rotation of a tile, the spot of a follower, or nobody."""

from __future__ import annotations

from functools import lru_cache

from sfida.cython_ext.carcassonne.core import CarcassonneState
from sfida.engines.carcassonne.board_svg import tile_svg
from sfida.engines.carcassonne.notation import describe_move
from sfida.engines.carcassonne.position import Deploy, Draw, First, Place, Position, decode
from sfida.engines.carcassonne.style import cell_key, spot_key
from sfida.engines.carcassonne.tables import load_tiles
from sfida.engines.game import Part
from sfida.engines.language import _, language


def parts_of(state: CarcassonneState, position: Position, move: int) -> tuple[Part, ...]:
    """Return the parts to point at to choose a move or chance outcome."""
    match decode(move):
        case Draw(number):
            code = load_tiles()[number].code
            return (Part(f"tile:{code}", describe_move(state, position, move), _picture(code, 0, language())),)
        case Place(number, x, y, rotation):
            turned = _("turned {degrees}°").format(degrees=90 * rotation) if rotation else _("not turned")
            return (Part(cell_key(x, y), _("at ({x},{y})").format(x=x, y=y)),
                    Part(f"turn:{rotation}", turned, _picture(load_tiles()[number].code, rotation, language()),
                         dial=rotation))
        case Deploy(None):
            return (Part("nobody", describe_move(state, position, move), dial=0),)
        case Deploy(int(segment)):
            tile = position.tiles[-1]
            return (Part(spot_key(tile, segment), describe_move(state, position, move),
                         _picture(tile.code, tile.rotation, language(), (segment, position.seat_on_turn)),
                         dial=1 + segment),)
        case First(seat):
            return (Part(f"first:{seat}", describe_move(state, position, move)),)
    raise ValueError(f"{move} is no move of Carcassonne")


def touched(position: Position, move: int) -> tuple[str, ...]:
    """Return the keys of the places that a move touches."""
    match decode(move):
        case Place(_, x, y, _):
            return (cell_key(x, y),)
        case Deploy(int(segment)):
            return (spot_key(position.tiles[-1], segment),)
    return ()


@lru_cache(maxsize=1024)
def _picture(code: str, rotation: int, _language: str, follower: tuple[int, int] | None = None) -> str:
    return tile_svg(code, rotation, follower=follower)
