"""Everything that a seat is shown of a position, which must not depend on what the seat cannot know."""

from __future__ import annotations

import json
import pickle
from typing import Any

from sfida.ai.external import protocol
from sfida.cython_ext.rng import Random
from sfida.cython_ext.state import GameState

_FORMATTED = 40         # most moves of a legal list whose texts are compared


def sights_of(state: GameState, seat: int, *, texts: bool = True, pictures: bool = False) -> dict[str, Any]:
    """Return what a seat is shown of a position, each item under the name of its source.

    Parameters
    ----------
    state : GameState
    seat : int
    texts, pictures : bool
        Whether to draw the board as text and as SVG, which is slow.

    Returns
    -------
    dict
        Values that compare equal if the seat is shown the same.
    """
    game, view = state.game, state.view(seat)
    found: dict[str, Any] = {
        "view.key()": view.key(),
        "pickle of the view": pickle.dumps(view),
        "to_move": state.to_move,
        "label": state.label(seat),
        "observation": json.dumps(state.observation(seat)),
        "observation of the view": json.dumps(view.observation()),
        "scores": state.scores(),
        "utilities": state.utilities(),
        "world": view.sample(Random(1)).to_bytes(),
    }
    if state.to_move == seat:
        moves = state.legal_moves()
        texts_of_moves = [state.format(move) for move in moves[:_FORMATTED]]
        found |= {
            "legal_moves": moves,
            "legal_moves of the view": view.legal_moves(),
            "candidate_moves": state.candidate_moves(),
            "texts of the moves": texts_of_moves,
            "descriptions of the moves": [game.describe_move(state, move) for move in moves[:_FORMATTED]],
            "parts of the moves": game.move_parts(state, moves[:_FORMATTED]),
            "move_priors": state.move_priors(),
            "move_features": state.move_features(),
            "evaluation": state.evaluation(),
            "line to a program": protocol.choose(1, view, texts_of_moves, 1, None),
        }
    if texts:
        found |= {
            "board_text": game.board_text(state, seat=seat, color=True, width=100, labels=True),
            "status_text": game.status_text(state, seat=seat, width=100),
            "stock_text": game.stock_text(state, seat=seat, width=100),
        }
        if state.to_move == seat:
            found["draw_decision"] = game.draw_decision(state, width=100)
            found["question"] = game.question(state, seat)
    if pictures:
        found["board_svg"] = game.board_svg(state, seat=seat, labels=True)
    return found


def differing(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    """Return the names under which two results of `sights_of` differ."""
    return [name for name in one.keys() | other.keys() if name not in one or name not in other
            or one[name] != other[name]]
