"""The arrows between the folders, cli -> web -> envs -> ai -> engines -> cython_ext, and the number of modules."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FLOORS = {"cython_ext": 0, "engines": 1, "ai": 2, "envs": 3, "web": 4, "cli": 5, "api": 6}
TYPED_AS = ("cython_ext/state.pyi", "sfida.engines.game")  # the type of `GameState.game`: a stub is never run
CIMPORT = re.compile(r"^\s*from\s+(sfida[\w.]*)\s+c?import|^\s*c?import\s+(sfida[\w.]*)", re.MULTILINE)


def floor_of(module: str) -> int:
    """Return the floor of an imported module; `sfida` itself and the other modules of `api` are the top."""
    return FLOORS.get([*module.split("."), ""][1], FLOORS["api"])


def imported(path: Path) -> list[str]:
    """Return the modules of Sfida that a file imports, including imports inside functions."""
    text = path.read_text()
    if path.suffix != ".py":
        return [one or other for one, other in CIMPORT.findall(text)]
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found.append(f"sfida.{node.module}" if node.level and node.module else node.module or "sfida")
    return [name for name in found if name.split(".")[0] == "sfida"]


def sources(folder: str) -> list[Path]:
    return sorted(path for suffix in ("py", "pyi", "pyx", "pxd") for path in (ROOT / folder).rglob(f"*.{suffix}"))


@pytest.mark.parametrize("folder", FLOORS)
def test_imports_point_down(folder: str) -> None:
    edges = [(path, name) for path in sources(folder) for name in imported(path)]
    assert edges
    upward = [(str(path.relative_to(ROOT)), name) for path, name in edges if floor_of(name) > FLOORS[folder]]
    assert upward == ([TYPED_AS] if folder == "cython_ext" else [])


def test_an_upward_import_would_be_seen(tmp_path: Path) -> None:
    core, rules = tmp_path / "core.pyx", tmp_path / "rules.py"
    core.write_text("from sfida.engines.game import Game\nfrom sfida.cython_ext.rng cimport Rng\n")
    rules.write_text("def f():\n    import sfida.ai.table\n")
    assert [floor_of(name) for name in imported(core)] == [1, 0]
    assert [floor_of(name) for name in imported(rules)] == [2]
    assert floor_of("sfida") == floor_of("sfida.testing") == FLOORS["api"]


def test_every_import_is_that_of_a_file() -> None:
    """Each imported module lies at the path in its import, so that an editor finds it under build/package."""
    homes = {name: name for name in FLOORS if name != "api"}
    missing = []
    for folder in FLOORS:
        for path in sources(folder):
            for name in imported(path):
                parts = name.split(".")[1:]
                place = ROOT / "api" / "/".join(parts) if not parts or parts[0] not in homes else ROOT / "/".join(parts)
                found = place.is_dir() or any(place.with_suffix(f".{suffix}").exists()
                                              for suffix in ("py", "pyx", "pxd", "pyi"))
                if not found:
                    missing.append(f"{path.relative_to(ROOT)}: {name}")
    assert not missing


# ---- the number of modules, and the map for newcomers

GAMES = ("acres", "attila", "carcassonne", "risiko", "zarahemla")
PAGE = ROOT / "docs" / "maintain" / "architecture.md"
SAME = {"game", "options", "tables", "position", "style", "notation", "illegal_reasons", "narration", "advice",
        "pointing", "board_text", "board_svg", "pieces_svg"}
SAME_CORE = {"parameters", "board", "moves", "turn", "features", "inputs", "evaluation", "policy", "core"}


def modules(folder: str, *suffixes: str) -> set[str]:
    """Return the names of the modules directly in a folder."""
    return {path.stem for suffix in suffixes or ("py",) for path in (ROOT / folder).glob(f"*.{suffix}")} - {"__init__"}


@pytest.mark.parametrize(("folder", "most"), [
    ("ai", 12), ("ai/arena", 15), ("cli", 35), ("web", 12), ("envs", 6), ("bench", 16),
    *((f"engines/{game}", 18) for game in GAMES)])
def test_a_folder_stays_small(folder: str, most: int) -> None:
    assert 0 < len(modules(folder)) <= most


@pytest.mark.parametrize(("folder", "most"), [("search", 18), *((game, 12) for game in GAMES)])
def test_a_core_stays_small(folder: str, most: int) -> None:
    made = {ROOT / "cython_ext" / folder / name for name in ("tables.pxd", "params.pxd")}
    assert 0 < len([path for path in sources(f"cython_ext/{folder}") if path not in made]) <= most


@pytest.mark.parametrize("game", GAMES)
def test_games_have_the_same_modules(game: str) -> None:
    assert modules(f"engines/{game}") >= SAME
    assert modules(f"cython_ext/{game}", "py", "pyx", "pxd") >= SAME_CORE


def test_the_map_names_every_module() -> None:
    """The map has at most 300 lines; a module that only selects the processor's build of a core need not be named."""
    page = PAGE.read_text(encoding="utf-8")
    assert page.count("\n") <= 300
    named = {part for name in re.findall(r"`([^`\n]+)`", page) for part in re.split(r"[/.]", name)}
    missing = {f"{folder}/{path.stem}" for folder in FLOORS for path in sources(folder)
               if path.stem not in named and path.stem not in ("__init__", "__main__", "params")}
    assert not missing


def test_a_class_name_is_used_once() -> None:
    """A search for a class name finds one class, except for the parts that every game has under the same name."""
    homes: dict[str, list[str]] = {}
    for folder in (*FLOORS, "bench"):
        for path in (ROOT / folder).rglob("*.py"):
            games = path.parent.parent.name == "engines"
            for node in ast.parse(path.read_text()).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    homes.setdefault(node.name, []).append(path.name if games else str(path.relative_to(ROOT)))
    assert {name: found for name, found in homes.items() if len(set(found)) > 1} == {}
