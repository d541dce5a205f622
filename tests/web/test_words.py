"""The texts of the pages: complete in every language, and no key of a script is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import resources
from typing import Any

import pytest

from sfida.engines.language import LANGUAGES
from sfida.web.app import preferred, words_of

STATIC = resources.files("sfida.web").joinpath("static")


def _texts(catalogue: dict[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    for key, value in catalogue.items():
        if isinstance(value, str):
            yield above + key, value
        else:
            yield from _texts(value, f"{above}{key}.")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_languages_have_the_same_texts_with_the_same_blanks(lang: str) -> None:
    def blanks(catalogue: dict[str, Any]) -> dict[str, list[str]]:
        return {key: sorted(re.findall(r"\{\w+\}", text)) for key, text in _texts(catalogue)
                if key != "move.all.one"}

    assert blanks(words_of(lang)) == blanks(words_of("en"))
    assert words_of(lang)["language"] == lang
    assert all(text.strip() for _, text in _texts(words_of(lang)))


def test_every_key_in_a_script_has_a_text() -> None:
    known = {key.removesuffix(".other") for key, _ in _texts(words_of("en"))}
    used = {key for script in STATIC.iterdir() if script.name.endswith(".js")
            for key in re.findall(r'say\("([\w.]+)"', script.read_text(encoding="utf-8"))}
    assert len(used) > 60
    assert used - known == set()


def test_scripts_and_styles_keep_to_the_policy() -> None:
    page = STATIC.joinpath("index.html").read_text(encoding="utf-8")
    assert not re.search(r"<style|style=|\bon\w+=|<script(?![^>]*src=)", page)
    for script in STATIC.iterdir():
        if script.name.endswith(".js"):
            assert not re.search(r"innerHTML|insertAdjacentHTML|outerHTML|\beval\(|https?://(?!www\.w3\.org)",
                                 script.read_text(encoding="utf-8")), script.name


def test_the_page_names_all_scripts_so_that_they_come_at_once() -> None:
    page = STATIC.joinpath("index.html").read_text(encoding="utf-8")      # that of a browser alone names local.js
    named = re.findall(r'href="/static/(\w+\.js)"|src="/static/(\w+\.js)"', page)
    assert sorted(one or other for one, other in named) == sorted(
        script.name for script in STATIC.iterdir() if script.name.endswith(".js") and script.name != "local.js")


@pytest.mark.parametrize(("accepted", "lang"), [
    ("it-IT,it;q=0.9,en;q=0.8", "it"), ("de-DE,de;q=0.9,it;q=0.5", "it"), ("en-GB,it", "en"), ("fr", "en"), ("", "en")])
def test_language_of_the_browser(accepted: str, lang: str) -> None:
    assert preferred(accepted) == lang
