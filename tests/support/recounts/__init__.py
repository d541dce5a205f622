"""The five games counted a second time in the slow and obvious way, for comparison with their cores.

`install` makes these recounts the games' `verify` and `verify_step`, which a debug build calls after each move.
Nothing here shares code with the cores, and the numbers come from the data files.
"""

from __future__ import annotations

from typing import Any

from sfida.engines.acres.game import Acres
from sfida.engines.attila.game import Attila
from sfida.engines.attila.position import decode
from sfida.engines.carcassonne.game import Carcassonne
from sfida.engines.risiko.game import Risiko
from sfida.engines.zarahemla.game import Zarahemla
from support.recounts import acres, attila, carcassonne, risiko, zarahemla


def _carcassonne(game: Any, state: Any) -> None:
    position = game.position(state)
    carcassonne.check_position(position, game.options)
    carcassonne.check_features(position, [state.features(seat) for seat in range(game.players)], game.options)


# The functions of each game that recount a position and a move.
_RECOUNTS: dict[type, tuple[Any, Any]] = {
    Acres: (lambda game, state: acres.check_position(game.position(state)),
            lambda game, before, move, after: acres.check_step(before, move, after)),
    Attila: (lambda game, state: attila.check_position(state, game.position(state), game.options),
             lambda game, before, move, after: attila.check_step(
                 game.position(before), decode(move), game.position(after))),
    Carcassonne: (_carcassonne, lambda game, before, move, after: carcassonne.check_step(
        game.position(before), move, game.position(after), game.options)),
    Risiko: (lambda game, state: risiko.check_position(game.position(state), game.ruleset),
             lambda game, before, move, after: risiko.check_step(before, move, after, game.ruleset)),
    Zarahemla: (lambda game, state: zarahemla.check_position(game.position(state), game.ruleset),
                lambda game, before, move, after: zarahemla.check_step(before, move, after, game.ruleset)),
}


def install() -> None:
    """Let every game recount its positions and moves."""
    for kind, (position, step) in _RECOUNTS.items():
        kind.verify, kind.verify_step = position, step      # type: ignore[attr-defined]
