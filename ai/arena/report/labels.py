"""Names of agents that are short enough for figures and crowded tables."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sfida.cython_ext.errors import SfidaError
from sfida.engines.spec import parse_spec

LIMIT = 30
_BLANKS = re.compile(r"[ \t\n\r\f\v]+")
_THIN = "\u00a0\u202f"        # blanks that keep a number and its unit on one line


def plain(text: str) -> str:
    """Return a text on one line; unprintable characters become U+FFFD."""
    return "".join(c if c.isprintable() or c in _THIN else "\ufffd" for c in _BLANKS.sub(" ", text).strip(" "))


def short_labels(labels: Sequence[str], limit: int = LIMIT) -> tuple[str, ...]:
    """Return a short name for each agent, all different.

    A long spec loses the options that it shares with every other agent of its name, then its middle.

    Parameters
    ----------
    labels : sequence of str
        Specs, all different.
    limit : int
        Most characters of a name, at least 12.
    """
    parts = [_parts(plain(label)) for label in labels]
    kin: dict[str, list[list[str]]] = {}
    for name, options in parts:
        kin.setdefault(name, []).append(options)
    result: list[str] = []
    for label, (name, options) in zip(labels, parts, strict=True):
        text = plain(label)
        if len(text) > limit and len(kin[name]) > 1:
            own = [option for option in options if not all(option in other for other in kin[name])]
            text = f"{name}:{','.join(own)}" if own else name
        if len(text) > limit:
            text = f"{text[:limit // 2]}…{text[len(text) - (limit - limit // 2 - 1):]}"
        result.append(_unlike(text, result))
    return tuple(result)


def seat_label(seat: int, name: str) -> str:
    """Return the number of a seat, with its name if it has one."""
    return name if name == f"seat {seat}" else f"seat {seat}, {name}"


def _parts(label: str) -> tuple[str, list[str]]:
    """Return the name of a spec and its options as text; a label that is not a spec is all name."""
    try:
        name, params = parse_spec(label)
    except SfidaError:
        return label, []
    return name, [f"{key}={value}" for key, value in params.items()]


def _unlike(text: str, taken: Sequence[str]) -> str:
    number, result = 1, text
    while result in taken:
        number += 1
        result = f"{text} #{number}"
    return result
