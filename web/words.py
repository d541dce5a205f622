"""The texts of the pages: `web/words.toml` in English, in other languages as their catalogues say them."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any

from sfida.engines.language import ENGLISH, LANGUAGES, pgettext, speaking

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
