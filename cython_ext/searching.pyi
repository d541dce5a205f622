"""The agents that search, without Python."""

from collections.abc import Callable, Sequence

from sfida.cython_ext.players import Player
from sfida.cython_ext.search.search import Search
from sfida.cython_ext.state import GameState, View

class SearchPlayer(Player):
    """`ai.ismcts.IsmctsAgent` with a budget of iterations."""

    def __init__(self, start: GameState, make: Callable[[View], Search], iterations: int, early_stop: bool,
                 reuse: bool, look_for_win: bool, final: str, temperature: float, endgame: int, blend: float,
                 tau: float) -> None: ...

class LevelPlayer(SearchPlayer):
    """`ai.levels.agent.LevelAgent` of a level that errs."""

    def err(self, sight: int, misjudge: float) -> LevelPlayer:
        """Return this player, which looks at so many moves and misjudges each."""

def considered(key: bytes, priors: Sequence[tuple[int, float]], sight: int, misjudge: float,
               seed: int) -> list[tuple[int, float]]:
    """Return the moves that a player considers, each with the error of its evaluation in log odds."""
