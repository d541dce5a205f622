"""Comparing what a rules core says with what is counted anew, in the checks of the debug build."""

from __future__ import annotations


def same(what: str, core: object, anew: object) -> None:
    """Raise AssertionError, with both, where the core's value differs from the recount."""
    if core != anew:
        raise AssertionError(f"{what}: the core has {core}, the recount {anew}")
