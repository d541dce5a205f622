"""The modules for browsers: in Pyodide, without a browser, they play the games that they play here."""

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path

import pytest

from sfida.engines.records import read_records
from sfida.web import site
from support.site import CACHE, ROOT, written

PROGRAM = """
import hashlib
import json
import sfida
from sfida.engines.records import read_records

found = []
for record in read_records("/data/games.jsonl"):
    again = sfida.play(record.game, record.seats, seed=record.seed)
    assert (again.moves, again.result) == (record.moves, record.result), record.game
    found.append(hashlib.blake2b(record.replay().to_bytes()).hexdigest())
json.dumps(found)
"""


@pytest.fixture(scope="module")
def folder() -> Path:
    """The site."""
    return written()


def test_golden_games_are_played_again(folder: Path, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    runtime, package = CACHE / f"pyodide-{site.RUNTIME}", CACHE / "package"
    told = subprocess.run(
        ["node", ROOT / "tests/support/in_wasm.mjs", runtime, package, program, ROOT / "tests/golden"],
        capture_output=True, text=True)
    assert told.returncode == 0, told.stderr
    last = [hashlib.blake2b(record.replay().to_bytes()).hexdigest()
            for record in read_records(ROOT / "tests/golden/games.jsonl")]
    assert json.loads(told.stdout) == last, "a state has other bytes there"


def test_what_is_downloaded(folder: Path) -> None:
    sizes = {path.relative_to(folder).as_posix(): path.stat().st_size for path in folder.rglob("*") if path.is_file()}
    assert sum(sizes.values()) <= site.MOST_BYTES
    assert {"index.html", "worker.js", "service.js", "manifest.webmanifest", "licences.txt"} <= set(sizes)


def test_the_service_worker_keeps_every_file(folder: Path) -> None:
    service = (folder / "service.js").read_text()
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    for name in files - {"service.js", "index.html"}:
        assert f'"{name}"' in service
    assert "@" not in service.split("addEventListener")[0]


def test_the_page_asks_for_nothing_outside_its_folder(folder: Path) -> None:
    page = (folder / "index.html").read_text()
    assert 'data-transport="local"' in page
    for outside in ('="/', "http:", "https:"):
        assert outside not in page


def test_licences_of_everything(folder: Path) -> None:
    text = (folder / "licences.txt").read_text()
    for name in ("Sfida", "platformdirs", "cloudpickle", "Pyodide", "Python", "Emscripten", "musl", "zlib", "bzip2",
                 "libffi", "Expat"):
        assert f"\n{name}" in text
    assert "Mozilla Public License Version 2.0" in text
    assert "PYTHON SOFTWARE FOUNDATION LICENSE VERSION 2" in text
