"""The start page, the texts of the pages, and the language in which a request is answered."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any
from urllib.parse import parse_qs

from starlette.types import ASGIApp, Receive, Scope, Send

from sfida.ai.levels.scale import LEVELS
from sfida.engines.language import ENGLISH, LANGUAGES, N_, _, language, pgettext, speaking
from sfida.engines.registry import describe_game, foreign_game, game_names
from sfida.web.lobby import House

# ---- The texts of the pages: `web/words.toml` in English, in other languages as their catalogues say them

_CONTEXT = "page "          # before the key of a text: its context in the catalogues


def preferred(accepted: str) -> str:
    """Return the language of the pages that comes first in an ``Accept-Language`` header, English if none does."""
    codes = (each.strip()[:2].lower() for each in accepted.split(","))
    return next((code for code in codes if code in LANGUAGES), ENGLISH)


@cache
def words_of(lang: str) -> dict[str, Any]:
    """Return the texts in a language, in English if it is not spoken; `language` is its code."""
    chosen = lang if lang in LANGUAGES else ENGLISH
    text = resources.files("sfida.web").joinpath("words.toml").read_text(encoding="utf-8")
    with speaking(chosen):
        return {"language": chosen, **_spoken(tomllib.loads(text), "")}


def _spoken(texts: dict[str, Any], above: str) -> dict[str, Any]:
    found = {}
    for key, value in texts.items():
        context = _CONTEXT + above + key
        found[key] = _spoken(value, f"{above}{key}.") if isinstance(value, dict) else pgettext(context, value)
    return found


# ---- The language in which a request is answered

_HEADER = b"x-sfida-language"           # what was chosen on the page


class Speaking:
    """Answers each request in the language that its page has chosen, else in the server's, else in the browser's.

    Parameters
    ----------
    app : ASGI application
    lang : str
        Language of the server; "" for none.
    """

    def __init__(self, app: ASGIApp, lang: str = "") -> None:
        self._app = app
        self._lang = lang

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        with speaking(self._language(scope)):
            await self._app(scope, receive, send)

    def _language(self, scope: Scope) -> str:
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        asked = parse_qs(scope["query_string"].decode("latin-1")).get("lang", [""])[-1]
        chosen = (asked, headers.get(_HEADER, ""), self._lang)
        return next((code for code in chosen if code in LANGUAGES), preferred(headers.get(b"accept-language", "")))


# ---- What the start page shows: games and their options, opponents, games that were left, tables in play

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
