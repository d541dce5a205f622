"""The worst habits of translated prose stay out of sources and pages (docs/maintain/style.md)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("ai", "api", "bench", "cli", "cython_ext", "docs", "engines", "envs", "web")
SUFFIXES = {".py", ".pyx", ".pxd", ".pyi", ".md", ".js"}
HABITS = re.compile(r"\b(as so many|likewise|foret(ell|old)s?|broken off|(drawn|made|begins?|fitted|trained) anew"
                    r"|an? [a-z]+ a seat|(results?|shares?|elo) without luck|shares? of the win|% of the win\b(?! prob)"
                    r"|(made|judged|priors?) by hand|at the present|learnt)\b", re.IGNORECASE)


def pages() -> list[Path]:
    """Return every file whose prose is checked; the style page quotes what it forbids, and rules follow rulebooks."""
    found = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in SUFFIXES
             and "node_modules" not in path.parts]
    return [*found, ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]


def habits(text: str) -> list[str]:
    """Return the lines with a habit, with their numbers."""
    return [f"{number}: {line.strip()}" for number, line in enumerate(text.splitlines(), start=1)
            if HABITS.search(line)]


def test_prose_has_none_of_the_worst_habits() -> None:
    spared = {ROOT / "docs" / "maintain" / "style.md", *(ROOT / "docs" / "rules").rglob("*.md")}
    found = {str(path.relative_to(ROOT)): lines for path in pages() if path not in spared
             and (lines := habits(path.read_text("utf-8")))}
    assert found == {}


@pytest.mark.parametrize("line", ["# as so many searches more", "Likewise of moves.", "it foretells the result",
                                  "The match was broken off.", "it is drawn anew", "mo-ismcts: a tree a seat",
                                  "the results without luck", "its share of the win", "an evaluation made by hand",
                                  "what was learnt"])
def test_a_habit_would_be_found(line: str) -> None:
    assert habits(line)


def test_plain_words_pass() -> None:
    assert habits("Each seat has its own tree.\nThe match was stopped early and a network predicts the result.") == []
