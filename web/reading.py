"""What can be looked up beside the board: what was played, what may still be drawn, cards, help, rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sfida.cython_ext.errors import InvalidNotation
from sfida.engines.clauses import LANGUAGE, language_note, rules_of
from sfida.engines.language import _
from sfida.web.rooms import Room

Reading = Callable[[Room, "int | None", str], dict[str, Any]]


def log(room: Room, viewer: int | None, _find: str) -> dict[str, Any]:
    """Return all that was played, as a viewer was told it."""
    lines = []
    for told in room.told(viewer):
        who = _("chance") if told.seat < 0 else room.game.seat_name(told.seat)
        notation = f"  {told.text}" if told.text and told.text not in told.words.replace(",", "").split() else ""
        lines.append({"ply": told.ply, "seat": told.seat, "text": f"{told.ply + 1:>4}  {who}: {told.words}{notation}"})
        lines += [{"ply": told.ply, "seat": told.seat, "text": f"        {effect}"} for effect in told.effects]
    return {"lines": lines}


def stock(room: Room, viewer: int | None, _find: str) -> dict[str, Any]:
    """Return what may still be drawn, as far as a viewer can tell."""
    text = room.game.stock_text(room.seen(viewer), seat=viewer)
    return {"text": text or _("There is nothing to draw from whose contents may be seen.")}


def cards(room: Room, viewer: int | None, _find: str) -> dict[str, Any]:
    """Return what each kind of card does."""
    return {"text": room.game.cards_text(room.seen(viewer)) or _("There are no cards to explain.")}


def help_on(room: Room, _viewer: int | None, _find: str) -> dict[str, Any]:
    """Return how moves are typed, and what the signs mean."""
    return {"text": room.game.help_text()}


def rule(room: Room, _viewer: int | None, find: str) -> dict[str, Any]:
    """Return the clauses that a text names, or the chapters, with the language that they are in.

    Raises
    ------
    InvalidNotation
        If there are none.
    """
    rules = rules_of(room.game.name)
    if rules is None:
        raise InvalidNotation(_("no rules come with {game}").format(game=_(room.game.title)))
    return {"lines": rules.find(find) if find.strip() else rules.contents(), "language": LANGUAGE,
            "note": language_note()}


LOOKED_UP: Mapping[str, Reading] = {"log": log, "stock": stock, "cards": cards, "help": help_on, "rule": rule}
