"""What the start page shows: games and their options, opponents, games that were left, tables in play."""

from __future__ import annotations

from functools import cache
from typing import Any

from sfida.ai.levels.ladder import LEVELS
from sfida.engines.language import N_, _, language
from sfida.engines.registry import describe_game, foreign_game, game_names
from sfida.web.house import House
from sfida.web.words import words_of

_AGENTS = (("human", N_("a person")), ("greedy", N_("weak: looks one turn ahead; answers at once")),
           ("ismcts:seconds=1", N_("strong: searches a second a move; the longer, the stronger")),
           ("random", N_("plays anything")))


def home(house: House) -> dict[str, Any]:
    """Return what the start page shows; takes a moment, because games that were left are looked at."""
    tables = []
    for entry, room in house.tables():
        if room is not None or entry.file is not None:
            tables.append({"title": _(entry.title), "link": f"/play/{entry.links[0].token}",
                           "over": room.is_over if room is not None else entry.over,
                           "to_move": None if room is None else room.to_move})
    return {"games": [{**game, "title": _(game["title"]), "options": list(map(_translated, game["options"]))}
                      for game in _games()],
            "agents": [{"spec": spec, "words": _(words)} for spec, words in _AGENTS],
            "levels": LEVELS, "kept": house.kept(), "tables": tables, "words": words_of(language())}


def _translated(option: dict[str, Any]) -> dict[str, Any]:
    return {**option, **{key: _(option[key]) for key in ("doc", "unset") if key in option}}


@cache
def _games() -> list[dict[str, Any]]:
    """Return the games, those for tests and the tutorial last."""
    found = []
    for name in game_names():
        entry = describe_game(name)
        presets: list[Any] = next((option["values"] for option in entry["options"] if option["key"] == "preset"), [])
        found.append({"name": name, "title": entry["title"], "players": entry["players"], "options": entry["options"],
                      "example": entry["example"], "levels": foreign_game(name) is None, "presets": list(presets)})
    return sorted(found, key=lambda game: bool(game["example"]))
