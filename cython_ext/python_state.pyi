"""Adapter for games written in plain Python: their positions under the contract of a game."""

from typing import Any

from sfida.cython_ext.state import GameState

class Hooks:
    name: str
    max_moves: int
    max_plies: int
    hidden: bool
    labels: bool
    candidates: bool
    priors: bool
    playout: bool
    evaluate: bool
    bucket: bool
    scores: bool
    bids: bool
    retract: bool
    sure_win: bool
    features: tuple[str, ...]
    move_features: tuple[str, ...]
    def __init__(
        self,
        name: str,
        max_moves: int,
        max_plies: int,
        *,
        hidden: bool = False,
        labels: bool = False,
        candidates: bool = False,
        priors: bool = False,
        playout: bool = False,
        evaluate: bool = False,
        bucket: bool = False,
        scores: bool = False,
        bids: bool = False,
        retract: bool = False,
        sure_win: bool = False,
        features: tuple[str, ...] = (),
        move_features: tuple[str, ...] = (),
    ) -> None: ...

class PythonState(GameState):
    position: Any
    def __init__(self, game: Any, position: Any, players: int, hooks: Hooks) -> None: ...

def canonical_bytes(obj: object, position_class: type | None = None) -> bytes: ...
def encode_label(label: object) -> bytes: ...
def stable_label(label: object) -> int: ...
