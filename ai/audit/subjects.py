"""What can be audited, by the text that names it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

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
        Game spec; ``pyspiel:game=NAME`` for OpenSpiel's own sampler of a game, ``pyspiel`` for all that it has.

    Raises
    ------
    SfidaError
        If it names nothing that can be audited.
    """
    if text.partition(":")[0].strip() != ADAPTER:
        yield StateSubject(make_game(text))
        return
    _, params = parse_spec(text)
    wrong = sorted(params.keys() - {"game"})
    if wrong:
        raise InvalidOption(f"{ADAPTER} has the option 'game' only, not '{wrong[0]}': {ADAPTER}:game=leduc_poker")
    for name in [params["game"]] if "game" in params else resampling_games():
        yield OpenSpielSubject(name)
