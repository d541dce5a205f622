"""Every numbered clause of docs/rules/*.md is cited by a test, and every cited clause exists."""

from __future__ import annotations

import ast
import functools
import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.release_only("nothing compiled")

ROOT = Path(__file__).resolve().parents[2]
CLAUSE = re.compile(r"^(?:- |\| )([A-Z]{2,5}-\d+\.\d+)\b", re.MULTILINE)
RULES = sorted((ROOT / "docs" / "rules").glob("*.md"))


def clauses(path: Path) -> list[str]:
    return CLAUSE.findall(path.read_text(encoding="utf-8"))


@functools.cache
def cited(folder: Path) -> dict[str, list[str]]:
    """Return the clauses named by `@pytest.mark.rule(...)`, with the tests that name them."""
    found: dict[str, list[str]] = {}
    for path in sorted(folder.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef) or not node.name.startswith("test_"):
                continue
            for call in node.decorator_list:
                if isinstance(call, ast.Call) and ast.unparse(call.func).endswith("mark.rule"):
                    for argument in call.args:
                        if isinstance(argument, ast.Constant):
                            found.setdefault(str(argument.value), []).append(f"{path.name}::{node.name}")
    return found


def test_there_are_rules() -> None:
    assert "carcassonne.md" in [path.name for path in RULES]


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_every_clause_has_a_test(path: Path) -> None:
    listed = clauses(path)
    assert len(listed) == len(set(listed)), "a clause is listed twice"
    tests = cited(Path(__file__).parent)
    missing = [clause for clause in listed if clause not in tests]
    assert not missing, f"clauses of {path.name} without a test: {', '.join(missing)}"


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_chapters_are_numbered_without_gaps(path: Path) -> None:
    chapters: dict[str, list[int]] = {}
    for clause in clauses(path):
        chapter, number = clause.rsplit(".", 1)
        chapters.setdefault(chapter, []).append(int(number))
    for chapter, numbers in chapters.items():
        assert numbers == list(range(1, len(numbers) + 1)), f"{chapter} skips a clause"


def test_every_cited_clause_exists() -> None:
    known = {clause for path in RULES for clause in clauses(path)}
    unknown = {clause: tests for clause, tests in cited(Path(__file__).parent).items() if clause not in known}
    assert not unknown
