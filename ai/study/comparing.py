"""What one variant of a game has more of than another."""

from __future__ import annotations

from sfida.ai.study.estimates import Estimate
from sfida.ai.study.parts import ALL, PARTS
from sfida.ai.study.study import Study

COMPARED = ("first", *PARTS, "turns", "changes", "led", "sure")


def differences(study: Study, other: Study) -> dict[str, Estimate]:
    """Return the figures of a study minus those of another, by the names in `COMPARED`; `first` is the first seat's
    share of the win beyond an even one.
    """
    keys = {"first": "seat 0", **{part: f"{part} of {ALL}" for part in PARTS}}
    return {name: study.figures[keys.get(name, name)] - other.figures[keys.get(name, name)] for name in COMPARED}
