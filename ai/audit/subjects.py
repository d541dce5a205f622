"""What can be audited, by the text that names it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sfida.ai.audit import of_pettingzoo
from sfida.ai.audit.of_openspiel import ADAPTER, OpenSpielSubject, resampling_games
from sfida.ai.audit.of_sfida import StateSubject
from sfida.ai.audit.subject import Subject
from sfida.cython_ext.errors import InvalidOption
from sfida.engines.registry import make_game
from sfida.engines.spec import parse_spec


def subjects_of(text: str) -> Iterator[Subject[Any]]:
    """Yield what a text names.

    Parameters
    ----------
    text : str
        Game spec; ``pyspiel:game=NAME`` for OpenSpiel's own sampler of a game, ``pyspiel`` for all that it has;
        ``pettingzoo:env=NAME`` for an environment, with its options.

    Raises
    ------
    SfidaError
        If it names nothing that can be audited.
    """
    name = text.partition(":")[0].strip()
    if name == of_pettingzoo.ADAPTER:
        _, params = parse_spec(text)
        if "env" not in params:
            raise InvalidOption(f"{name} needs the option 'env': {name}:env=classic/leduc_holdem_v4")
        yield of_pettingzoo.PettingZooSubject(params.pop("env"), params)
        return
    if name != ADAPTER:
        yield StateSubject(make_game(text))
        return
    _, params = parse_spec(text)
    wrong = sorted(params.keys() - {"game"})
    if wrong:
        raise InvalidOption(f"{ADAPTER} has the option 'game' only, not '{wrong[0]}': {ADAPTER}:game=leduc_poker")
    for name in [params["game"]] if "game" in params else resampling_games():
        yield OpenSpielSubject(name)
