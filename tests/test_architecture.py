"""The arrows between the folders: cli -> web -> envs -> ai -> engines -> cython_ext, and `api` in front of them all."""

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
    """Return the floor of an imported module; `sfida` itself and what else lies in `api` is the top."""
    return FLOORS.get([*module.split("."), ""][1], FLOORS["api"])


def imported(path: Path) -> list[str]:
    """Return the modules of Sfida that a file imports, also inside functions."""
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
    """What is imported lies where the import says, so that an editor finds it under build/package."""
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
