"""The texts of the pages, a catalogue for each language: `web/words/*.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any

LANGUAGES = ("en", "it")


def preferred(accepted: str) -> str:
    """Return the language of the pages that comes first in an ``Accept-Language`` header, English if none does."""
    codes = (each.strip()[:2].lower() for each in accepted.split(","))
    return next((code for code in codes if code in LANGUAGES), LANGUAGES[0])


@cache
def words_of(lang: str) -> dict[str, Any]:
    """Return the catalogue of a language, that of English for one that there is none of."""
    chosen = lang if lang in LANGUAGES else LANGUAGES[0]
    page = resources.files("sfida.web").joinpath("words", f"{chosen}.toml")
    if not page.is_file():
        return {}
    return tomllib.loads(page.read_text(encoding="utf-8"))
