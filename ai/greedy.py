"""The rule-based agent: it looks one turn ahead by the game's own evaluation, or follows its rules of play."""

from __future__ import annotations

from array import array
from dataclasses import dataclass

from sfida.ai.agent import NamedAgent
from sfida.ai.search import HAND, KnowledgeOptions, certain_win, judged, knowledge_option
from sfida.cython_ext.errors import IllegalMove, InvalidOption
from sfida.cython_ext.lookahead import BestTurn
from sfida.cython_ext.players import GreedyPlayer, Player
from sfida.cython_ext.rng import Random
from sfida.cython_ext.search.parameters import option
from sfida.cython_ext.state import View
from sfida.engines.game import Game
from sfida.engines.spec import quoted

TURN_STEPS = 3                           # most own decisions of one turn to look through
_BY_HAND = KnowledgeOptions(HAND)


@dataclass(frozen=True)
class GreedyOptions(KnowledgeOptions):
    """Parameters of `greedy`."""

    knowledge: str | None = knowledge_option("hand")
    worlds: int = option(8, "sampled worlds to average over (in games with hidden information)", low=1, high=10_000)
    strategy: str | None = option(None, "one of the game's own strategies, if it has any",
                                unset="the game's usual play")


class GreedyAgent(NamedAgent):
    """Plays the turn after which the game's evaluation gives it the largest expected win share.

    It looks through all steps of its own turn (placing a tile and deploying on it count as one); ties are broken
    at random. In a game without an evaluation it takes a win if there is one, otherwise a random move. If the
    hand-written priors of a game are rules of play (`Game.greedy_by_priors`), it chooses the most likely move by them,
    unless the options name an evaluation. A strategy of the game is used like such rules. A move that wins for
    certain comes before all of this.
    """

    name = "greedy"
    doc = "rule-based: one turn ahead by the game's own evaluation"
    options_class = GreedyOptions
    reusable = True

    def check_game(self, game: Game) -> None:
        """Refuse a game that lacks the requested strategy or knowledge; raises InvalidOption."""
        judged(game.initial_state().view(0), self.options)
        if self.options.strategy is not None:
            self._strategy(game)

    def choose(self, view: View) -> int:
        moves = view.candidate_moves()
        if not moves:
            raise IllegalMove(f"seat {view.seat} is not to move")
        rng = Random(self.seed)
        strategy = None if self.options.strategy is None else self._strategy(view.game)
        by_rules = strategy is not None or (view.game.greedy_by_priors and self.options.knowledge is None)
        win = certain_win(view, own_test=not by_rules)      # otherwise the turn with the best evaluation wins anyway
        if win is not None:
            return win
        if strategy is not None:
            return _drawn(view.game.strategy_worth(view.sample(rng), strategy), rng)
        if by_rules:
            return _drawn(dict(judged(view, _BY_HAND).move_priors()), rng)
        view = judged(view, self.options if self.options.knowledge is not None else _BY_HAND)
        codes, totals = array("Q", moves), array("d", [0.0]) * len(moves)
        worlds = [view.sample(rng) for _ in range(self.options.worlds if view.hidden else 1)]
        turns = BestTurn(worlds[0])
        for world in worlds:
            turns.add_worths(world, codes, TURN_STEPS, totals)
        return _drawn(dict(zip(moves, totals, strict=True)), rng)

    def player(self, game: Game) -> Player | None:
        if type(self) is not GreedyAgent or self.options.strategy is not None:
            return None
        start, by_rules = game.initial_state(), game.greedy_by_priors and self.options.knowledge is None
        chosen = game.initial_state()
        chosen.set_knowledge(judged(start.view(0), _BY_HAND if self.options.knowledge is None else
                                    self.options).knowledge)
        return GreedyPlayer(start, chosen, by_rules, TURN_STEPS, self.options.worlds)

    def _strategy(self, game: Game) -> str:
        """Return the requested strategy; raises InvalidOption if the game does not have it."""
        name, known = str(self.options.strategy), game.strategies
        if name not in known:
            raise InvalidOption(f"{game.title} has no strategy {quoted(name)}; "
                                + (f"it has {', '.join(known)}" if known else "it has none"))
        return name


def _drawn(worth: dict[int, float], rng: Random) -> int:
    """Return one of the best moves, drawn at random."""
    best = max(worth.values())
    top = [move for move, value in worth.items() if value == best]
    return int(top[rng.below(len(top))])
