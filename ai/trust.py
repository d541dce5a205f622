"""Code named by a file that is not Sfida's own: programs, and games and agents of other packages."""

from __future__ import annotations

from collections.abc import Iterable

from sfida.ai.registry import foreign_agent
from sfida.engines.registry import foreign_game


def foreign_code(game: str | None, agents: Iterable[str] = ()) -> list[tuple[str, str]]:
    """Return the code that specs would run and that is not Sfida's own; none of it is loaded to find out.

    Parameters
    ----------
    game : str or None
        Game spec, valid or not.
    agents : iterable of str
        Agent specs.

    Returns
    -------
    list of (str, str)
        Each spec once, with what it runs.
    """
    found = [] if game is None else [(game, foreign_game(game))]
    found += [(spec, foreign_agent(spec)) for spec in agents]
    return list(dict.fromkeys((spec.strip(), what) for spec, what in found if what is not None))
