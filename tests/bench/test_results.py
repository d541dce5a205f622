"""`bench results`: figures that are measured, kept with their provenance, and written into pages."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

import bench.results as module
from bench import FIVE, BenchFailure, main
from bench.results import (
    PAGES, TABLES, Measurement, ResultTable, Stored, doubling_files, filled, measured, old_levels, quoted_in, why_stale
)
from sfida.ai.levels.scale import scale_of
from sfida.engines.registry import make_game

SMALL = Measurement("small", "sfida tournament leduc_poker greedy random -n 8 --seed 1 --quiet --json", "leduc_poker",
                    0.1)
QUOTED = sorted({name for page in PAGES for name in quoted_in(page.read_text("utf-8"))})


@pytest.fixture(scope="module")
def found() -> Stored:
    return measured(SMALL)


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder of results, with one small table that takes its row from it."""
    of = Stored.of
    monkeypatch.setattr(Stored, "of", lambda measurement, folder=tmp_path: of(measurement, folder))
    monkeypatch.setattr(module, "FOLDER", tmp_path)
    monkeypatch.setitem(TABLES, "small", ResultTable(("agent", "games"), (SMALL,), lambda stored: (
        (agent["agent"], str(agent["games"])) for agent in stored.result["agents"])))
    return tmp_path


def test_a_measurement_says_what_produced_it(kept: Path, found: Stored) -> None:
    found.write(SMALL.name, kept)
    held = Stored.of(SMALL)
    assert held == found
    assert held.command == SMALL.command
    assert held.signature == module.current("leduc_poker")
    assert len(held.commit.rstrip("+")) >= 7
    assert held.result["games"] == 8
    assert why_stale(SMALL, held) == ""


def test_a_result_of_another_search_is_stale_and_says_so(kept: Path, found: Stored) -> None:
    assert why_stale(SMALL, Stored.of(SMALL)) == "not measured yet"
    found.write(SMALL.name, kept)
    assert "| greedy | 8 |" in TABLES["small"].text()
    replace(found, signature="0" * 16, commit="abc1234", date="2026-01-02").write(SMALL.name, kept)
    assert why_stale(SMALL, Stored.of(SMALL)) == "measured with abc1234 of 2026-01-02, whose search or rules differ"
    assert "| greedy * | 8 |" in TABLES["small"].text()
    assert r"\* measured with version" in TABLES["small"].text()
    other = replace(SMALL, command="sfida tournament kuhn_poker --json")
    assert "by another command" in why_stale(other, Stored.of(SMALL))


def test_blocks_are_filled_and_the_rest_stays(kept: Path, found: Stored) -> None:
    found.write(SMALL.name, kept)
    page = "before\n\n<!-- results: small -->\nold\n<!-- end of results -->\n\nafter\n"
    new = filled(page)
    assert new.startswith("before\n\n<!-- results: small -->\n| agent | games |\n")
    assert new.endswith("<!-- end of results -->\n\nafter\n")
    assert "old" not in new
    assert filled(new) == new
    with pytest.raises(BenchFailure, match="there is no table of results 'other'"):
        filled("<!-- results: other -->\n<!-- end of results -->\n")


def test_what_is_due_is_listed(kept: Path, found: Stored, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["results", "small", "--stale"]) == 0
    assert capsys.readouterr().out == "  0.1 min  small: not measured yet\n  0.1 min in all, on two cores\n"
    found.write(SMALL.name, kept)
    assert main(["results", "small", "--stale"]) == 0
    assert capsys.readouterr().out == "  0.0 min in all, on two cores\n"
    assert main(["results", "smal"]) == 2
    assert "there is no table 'smal'" in capsys.readouterr().err


def test_a_command_that_fails_takes_one_line(kept: Path) -> None:
    with pytest.raises(BenchFailure, match="ends with code 2: "):
        measured(replace(SMALL, command="sfida tournament leduc_poker nobody random -n 2 --json"))
    assert not list(kept.iterdir())


def test_pages_show_what_is_stored() -> None:
    assert [str(page) for page in PAGES if filled(page.read_text("utf-8")) != page.read_text("utf-8")] == []


def test_the_files_of_doublings_are_those_of_the_results() -> None:
    assert {path: path.read_text("utf-8") for path in doubling_files()} == doubling_files()
    made = [(table["game"], table["players"]) for text in doubling_files().values()
            for table in tomllib.loads(text)["table"]]
    assert made == [(game.name, game.players) for game in map(make_game, FIVE)]


@pytest.mark.parametrize("name", [*QUOTED, "doubling"])
def test_no_page_quotes_a_result_of_another_search(name: str) -> None:
    due = {one.name: why for one in TABLES[name].measurements if (why := why_stale(one, Stored.of(one)))}
    assert due == {}, "measure them with 'make results', or take the table from the page"


def test_levels_of_another_search_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    fits = {spec: scale_of(make_game(spec)).fit for spec in ("acres", "attila:players=3")}
    monkeypatch.setattr(module, "EVERY", tuple(fits))
    monkeypatch.setattr(module, "current", lambda spec: "new" if spec == "acres" else fits[spec].signature)
    assert list(old_levels()) == ["acres"]
