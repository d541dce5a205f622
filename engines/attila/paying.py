"""What the tribes of Attila pay in a scoring (ATT-8)."""

from __future__ import annotations

from collections.abc import Sequence

from sfida.engines.attila.checks import share
from sfida.engines.attila.options import AttilaOptions
from sfida.engines.attila.position import Position, Six


def tribe_pays(position: Position, tribe: int, tokens: Sequence[Six], options: AttilaOptions) -> list[int]:
    """Return what a tribe would pay each seat if it were scored with some tokens on the board.

    Parameters
    ----------
    position : Position
    tribe : int
    tokens : sequence of Six
        By province.
    options : AttilaOptions
    """
    markers = [one.influence[tribe] for one in position.seats]
    return share(markers, sum(here[tribe] for here in tokens), sum(here[tribe] > 0 for here in tokens),
                 options.two_player_difference_scoring)
