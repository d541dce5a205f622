"""OpenSpiel's game strings, such as ``goofspiel(imp_info=True,num_cards=4)``, as values of a Sfida spec.

A comma separates the options of a spec, so a spec has ``;`` where OpenSpiel has ``,`` between parameters:
``openspiel:game=goofspiel(imp_info=True;num_cards=4)``. A ``;`` inside a value, as in
``nim(pile_sizes=1;3;5)``, stays what it is: no ``name=`` follows it.
"""

from __future__ import annotations

import re
from typing import Any

_SEPARATOR = re.compile(r"(?<!\s)\s*[;,]\s*(?=\w+\s*=)")      # from the first blank on: once, not from each


def as_openspiel(text: str) -> str:
    """Return a game string the way OpenSpiel writes it, whichever separator it was given with."""
    return _SEPARATOR.sub(",", text.strip())


def as_option(text: str) -> str:
    """Return a game string of OpenSpiel as the value of an option: no commas, no empty brackets at the end."""
    return _SEPARATOR.sub(";", text.strip()).removesuffix("()")


def bare_name(text: str) -> str:
    """Return the short name that a game string begins with."""
    return text.partition("(")[0].strip()


def balanced(text: str) -> bool:
    """Say whether every bracket that is opened is closed, and the other way round."""
    depth = 0
    for sign in text:
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if depth < 0:
            return False
    return depth == 0


def with_players(text: str, players: int, parameters: dict[str, Any]) -> str:
    """Return a game string that asks for so many players, where it leaves that open.

    Parameters
    ----------
    text : str
        In OpenSpiel's writing.
    players : int
    parameters : dict
        Parameters that the game has, by name.
    """
    if "players" not in parameters or re.search(r"[(,]players=", text):
        return text
    name, _, rest = text.partition("(")
    rest = rest.removesuffix(")")
    return f"{name}({rest},players={players})" if rest else f"{name}(players={players})"
