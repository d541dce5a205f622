"""The last conflict of a game of Attila for two, with hands that both know: small enough for exact best responses."""

from __future__ import annotations

from dataclasses import dataclass

import sfida
from sfida.cython_ext.attila.core import AttilaState
from sfida.cython_ext.rng import derive
from sfida.engines.attila.position import LETTERS
from support.attila import play, setup
from support.exploitability import GameTree


@dataclass(frozen=True)
class Conflict:
    """Two Franks and three Huns are in Germania, only seat 0 has influence, and the tenth peace tile ends the game.

    A tribe that stays brings points to seat 0, so seat 0 loses if the tribes tie and both leave. The other seat tries
    to reach this tie, and sees only the number of laid cards.

    Attributes
    ----------
    hands : tuple of str
        By seat.
    behind : int
        Points that seat 0 needs for a draw; the Franks pay 3, the Huns 4.
    """

    hands: tuple[str, str]
    behind: int

    def state(self) -> AttilaState:
        """Return the position in which seat 0 is to lay cards."""
        hands = (self.hands[0] + "HV", self.hands[1])
        rest = "".join(letter * (9 - "".join(hands).count(letter)) for letter in LETTERS)
        state = setup("GER:FFHH", hands, players=2, used=9, tiles=("", ""), discards=rest,
                      scores=(20, 20 + self.behind), influence={"0.F": 5, "0.H": 5})
        return play(state, "V@RAE,RAE", "H@GER+4")

    def tree(self) -> GameTree:
        """Return the whole game tree; a won game counts 1, a lost one -1."""
        return GameTree(self.state(), lambda end: [2 * share - 1 for share in end.utilities() or ()])


CONFLICTS = {
    "one of two cards": Conflict(("FH", "FF"), 2),              # matching pennies; the value is 0
    "unequal prizes": Conflict(("FH", "FF"), 3),                # two to one for the Franks; -1/3
    "one or two of three": Conflict(("FHH", "FFF"), 2),
    "prizes and numbers": Conflict(("FHH", "FFF"), 3),
}


def learned(tree: GameTree, spec: str, seed: int) -> tuple[dict[bytes, list[float]], dict[bytes, list[float]]]:
    """Return an agent's strategy in every information set, and its single likeliest moves.

    Moves with less than 5 % of the largest share are never played. An agent that learns no strategies is assumed to
    draw in proportion to visits.
    """
    mixed, pure = {}, {}
    for number, (key, info) in enumerate(tree.sets.items()):
        shares = [1.0]
        if len(info.moves) > 1:
            rows = {row.code: row for row in sfida.agent(spec, seed=derive(seed, number)).analyze(info.view).moves}
            shares = [0.0] * len(info.moves)
            for i, move in enumerate(info.moves):
                if move in rows:
                    learned_share = rows[move].strategy
                    shares[i] = float(rows[move].visits) if learned_share is None else learned_share
            shares = [x if x >= 0.05 * max(shares) else 0.0 for x in shares]
        mixed[key] = [x / sum(shares) for x in shares]
        pure[key] = [float(i == shares.index(max(shares))) for i in range(len(shares))]
    return mixed, pure
