"""The examples of pages and docstrings run as printed."""

from __future__ import annotations

import doctest
import inspect
import re
import sys
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

import sfida
from sfida.ai.arena.tournament import Tournament
from support.pages import PAGES, blocks
from support.public_names import full_names, imported

pytestmark = pytest.mark.release_only("games of all kinds, at their interface")

TUTORIAL = "docs/measure/adding_a_game.md"
ELSEWHERE = {"docs/measure/protocol.md", "docs/measure/tuning.md"}      # tests/ai has tests that run them
NEEDED = {"docs/measure/openspiel.md": "pyspiel", "docs/measure/catanatron.md": "catanatron",
          "sfida.catanatron": "catanatron"}
SHORTER = {                                 # replacements, so that all examples together take seconds
    r"iterations=\d+": "iterations=5", "games=20": "games=2, adjusted=False", "jobs=2": "jobs=1",
    r'check_game\("carcassonne"\)': 'check_game("tic_tac_toe", seeds=1)',
    r'DEPTHS\["fast"\]': 'dataclasses.replace(DEPTHS["fast"], iterations=100, playouts=1)'}
# Code that a page's examples or SHORTER need in addition.
GIVEN = {"docs/play/review.md": "import dataclasses", "docs/measure/beliefs.md": """
import sfida
from sfida.ai.beliefs import BeliefOptions, Beliefs, marginals
from sfida.ai.seat import recorded_observations
from sfida.cython_ext.search.search import Search
record = sfida.play("kuhn_poker", ["random", "random"], seed=1)
state, seed = sfida.make("kuhn_poker"), 1
for move in ("deal:K", "deal:J"):
    state.apply(state.parse(move))
view, event = state.view(0), next(recorded_observations(record, 0))
"""}


def shortened(text: str) -> str:
    """Return an example with smaller budgets."""
    for long, short in SHORTER.items():
        text = re.sub(long, short, text)
    return text


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run_page(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the Python blocks of a page one after the other, as one module."""
    if page in NEEDED:
        pytest.importorskip(NEEDED[page])
    module = types.ModuleType("sfida_example")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    for run in (Tournament.run, sfida.tournament):         # processes would take longer to start than to play
        monkeypatch.setitem(run.__kwdefaults__, "backend", "threading")
    for block in (GIVEN.get(page, ""), *blocks(page)):
        exec(compile(shortened(block), page, "exec"), module.__dict__)


@pytest.mark.parametrize("source", [page for page in PAGES if blocks(page) and page not in {TUTORIAL, *ELSEWHERE}])
def test_blocks_of_a_page(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run_page(source, monkeypatch)


def test_the_tutorial(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    run_page(TUTORIAL, monkeypatch)
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "[0, 1, 2, 3, 5, 6, 7, 8]"
    assert int(printed[-2]) in (0, 2, 6, 8)
    assert printed[-1].startswith("10 games, ")


# ---- docstrings -------------------------------------------------------------------------------------


def docstrings() -> Iterator[tuple[str, str]]:
    """Yield name and docstring of every public object, its members and its module."""
    for name in full_names():
        found = imported(name)
        yield name.rpartition(".")[0], inspect.getmodule(sys.modules[name.rpartition(".")[0]]).__doc__ or ""
        yield name, getattr(found, "__doc__", None) or ""
        for member, value in vars(found).items() if isinstance(found, type) else ():
            yield f"{name}.{member}", str(getattr(value, "__doc__", None) or "")


EXAMPLES = {name: text for name, text in docstrings() if ">>>" in text}


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_examples_of_a_docstring(name: str) -> None:
    if name in NEEDED:
        pytest.importorskip(NEEDED[name])
    examples = doctest.DocTestParser().get_doctest(EXAMPLES[name], {"sfida": sfida}, name, None, None)
    told: list[str] = []
    assert doctest.DocTestRunner(verbose=False).run(examples, out=told.append).failed == 0, "".join(told)


def test_the_first_names_of_a_script_have_examples() -> None:
    assert {f"sfida.{name}" for name in ("make", "agent", "play", "tournament", "GameState", "View")} <= {*EXAMPLES}
