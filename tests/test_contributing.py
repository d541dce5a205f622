"""The pages for newcomers: valid links, existing commands, correct versions."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from support.pages import PAGES, text_of

pytestmark = pytest.mark.release_only("pages and settings alone")

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "CONTRIBUTING.md").read_text()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
HOOKS = (ROOT / ".pre-commit-config.yaml").read_text()


def anchors(page: Path) -> set[str]:
    """Return the anchors of the headings of a page, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("source", PAGES)
def test_links_lead_somewhere(source: str) -> None:
    prose = re.sub(r"^```.*?^```$|`[^`\n]*`", "", text_of(source), flags=re.MULTILINE | re.DOTALL)
    links = re.findall(r"\]\(((?!https?:)[^)\s]*)\)", prose)
    for link in links:
        path, _, anchor = link.partition("#")
        target = (ROOT / source).parent / path if path else ROOT / source
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_commands_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"^(?:\|? ?`)?make ([a-z-]+)", PAGE, re.MULTILINE))
    assert {"setup", "test", "lint"} <= named <= targets
    for path in re.findall(r"(?:python|pytest) (tests/[\w./]+)", PAGE):
        assert (ROOT / path).exists(), path


def test_supported_versions_are_those_that_install() -> None:
    supported = sorted(int(minor) for row in re.findall(r"^\| ([^|]+) \| supported", PAGE, re.MULTILINE)
                       for minor in re.findall(r"3\.(\d+)", row))
    assert PROJECT["requires-python"] == f">=3.{supported[0]}"
    looked_for = re.search(r"PYTHON:-python3 (python3[^}]*)\}", (ROOT / ".ci" / "venv").read_text())
    assert looked_for
    assert sorted(int(minor) for minor in re.findall(r"3\.(\d+)", looked_for[1])) == supported


def test_hooks_are_the_linters_of_make_lint() -> None:
    lint = (ROOT / "Makefile").read_text().partition("\nlint:")[2].partition("\n\n")[0]
    for tool in re.findall(r"- id: ([\w-]+)", HOOKS):
        assert tool in lint
        assert any(need.startswith(tool) for need in PROJECT["optional-dependencies"]["lint"])
    assert any(need.startswith("pre-commit") for need in PROJECT["optional-dependencies"]["lint"])


@pytest.mark.parametrize("name", ["bug", "rules_question", "feature"])
def test_templates_say_what_they_are_for(name: str) -> None:
    head = (ROOT / ".github" / "ISSUE_TEMPLATE" / f"{name}.md").read_text().split("---\n")[1]
    assert re.findall(r"^(\w+): \S", head, re.MULTILINE) == ["name", "about", "labels"]
