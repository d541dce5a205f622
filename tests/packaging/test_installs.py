"""Each way to install gives a working `sfida` in a clean environment, and nothing else.

The tests check the shipped and importable files. To save time, modules are compiled without optimisation and only
once, and the C files and objects of large modules are taken from the build under test. The small modules, which use
the declarations of all others, show that the source archive can be translated and compiled.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import time
import tomllib
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest

from support import caching_cc

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = {"sfida": "api", "sfida/ai": "ai", "sfida/cli": "cli", "sfida/cython_ext": "cython_ext",
           "sfida/engines": "engines", "sfida/envs": "envs", "sfida/web": "web"}
LEFT_OUT = shutil.ignore_patterns(".venv", ".git", "build", "dist", "__pycache__", "*.so", "*.mo", "*.egg-info",
                                  ".*_cache", ".hypothesis", ".benchmarks")
LARGE = 800_000         # bytes of C from which a module is taken from the build under test, if that has it
SDIST = "from setuptools import build_meta as b; b.build_sdist('dist')"


@pytest.fixture(scope="module", autouse=True)
def compiler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Compile each module only once, and large ones not at all."""
    found = os.environ.get("CC") or sysconfig.get_config_var("CC")
    if os.name == "nt" or not found:
        yield
        return
    kept = tmp_path_factory.mktemp("objects")
    for source, compiled in objects_of_the_build():
        shutil.copyfile(compiled, caching_cc.place(kept, source))
    caching = [sys.executable, "-S", "-E", caching_cc.__file__, str(kept)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CC", shlex.join([*caching, *shlex.split(found)]))
        yield


def large_translations() -> Iterator[Path]:
    """Yield the C files of the large modules of the build in this folder."""
    for source in (ROOT / "build" / "cython").rglob("*.c"):
        if source.stat().st_size >= LARGE:
            yield source


def objects_of_the_build() -> Iterator[tuple[Path, Path]]:
    """Yield the C files of the large modules of the build in this folder, with the objects compiled from them."""
    for source in large_translations():
        name = source.relative_to(ROOT).with_suffix(".o")
        for compiled in ROOT.glob(f"build/obj/*/temp.*{sys.implementation.cache_tag}/{name}"):
            if compiled.stat().st_mtime > source.stat().st_mtime:
                yield source, compiled


SETTINGS: dict[str, str] = {}


def clean_environment() -> dict[str, str]:
    """Return our environment without variables that select another sfida or another kind of build."""
    kept = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
            and not k.startswith("SFIDA_")}
    quick = {"SFIDA_CFLAGS": "-O0 -g0", "PIP_COMPILE": "0", "PYTHONDONTWRITEBYTECODE": ""}    # bytecode on import
    return kept | quick | {"PIP_DISABLE_PIP_VERSION_CHECK": "1"} | SETTINGS


def run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run([str(part) for part in command], cwd=cwd, env=clean_environment(), text=True,
                          capture_output=True, check=False)
    shown = " ".join(map(str, command))
    assert done.returncode == 0, f"{shown}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the sources as in a fresh clone."""
    return Path(shutil.copytree(ROOT, tmp_path_factory.mktemp("clone") / "sfida-src", ignore=LEFT_OUT))


@pytest.fixture(scope="module")
def sdist(clone: Path) -> Path:
    """The source archive."""
    run(sys.executable, "-c", SDIST, cwd=clone)
    (archive,) = (clone / "dist").glob("*.tar.gz")
    return archive


@pytest.fixture(scope="module")
def unpacked(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the unpacked source archive, with the large C files of the build under test."""
    place = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(sdist) as archive:
        archive.extractall(place, filter="data")
    (folder,) = place.iterdir()
    for translation in large_translations():
        copy = folder / translation.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(translation, copy)
    keep_translations(folder)
    return folder


def keep_translations(folder: Path) -> None:
    """Make the C files of a folder newer than the translator that pip will install; otherwise all would be stale."""
    later = time.time() + 86_400
    for translation in (folder / "build" / "cython").rglob("*.c"):
        os.utime(translation, (later, later))


@pytest.fixture(scope="module")
def wheel(unpacked: Path) -> Path:
    """Return the wheel that pip builds from the source archive alone."""
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", "dist", ".", cwd=unpacked)
    keep_translations(unpacked)
    (built,) = (unpacked / "dist").glob("*.whl")
    return built


class CleanPlace:
    """A virtual environment where only Sfida's dependencies stay between installations."""

    def __init__(self, folder: Path) -> None:
        self.empty = folder / "elsewhere"
        self.empty.mkdir()
        self.folder = folder / "env"
        venv.create(self.folder)
        self.bin = self.folder / ("Scripts" if os.name == "nt" else "bin")

    def python(self, *arguments: str | Path) -> str:
        return run(self.bin / "python", *arguments, cwd=self.empty)

    def pip(self, *arguments: str | Path, cwd: Path | None = None) -> None:
        """Run our pip for this environment."""
        run(sys.executable, "-m", "pip", "--python", self.folder, *arguments, cwd=cwd or self.empty)

    def packages(self) -> set[str]:
        """Return the names that can be imported from site-packages."""
        site = Path(self.python("-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
        return {item.name.split(".")[0] for item in site.iterdir()
                if not item.name.endswith((".dist-info", ".pth")) and item.name != "__pycache__"}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> CleanPlace:
    place = CleanPlace(tmp_path_factory.mktemp("clean"))
    needs = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    place.pip("install", "-q", *needs)
    return place


@pytest.fixture
def installed(place: CleanPlace) -> Iterator[CleanPlace]:
    """Yield the clean place; packages that the test installs are removed afterwards."""
    yield place
    place.pip("uninstall", "-q", "-y", "sfida")
    assert "None" in place.python("-c", "import importlib.util; print(importlib.util.find_spec('sfida'))")


def assert_works(place: CleanPlace) -> Path:
    """Make a state from Python, list the games, play one; return the folder of the installed `sfida`."""
    found = json.loads(place.python("-c", """
import json, sfida, sfida.testing
state = sfida.make("carcassonne", players=3)
state.apply(state.legal_moves()[0])
print(json.dumps({"file": sfida.__file__, "moves": len(state.legal_moves())}))"""))
    assert found["moves"] > 0
    games = run(place.bin / "sfida", "games", cwd=place.empty)
    for name in ("carcassonne", "kuhn_poker", "tic_tac_toe"):
        assert name in games
    lines = run(place.bin / "sfida", "play", "tic_tac_toe", "--seat", "random",
                "--seat", "ismcts:iterations=20", "--seed", "3", "--json", cwd=place.empty).splitlines()
    assert json.loads(lines[-1])["type"] == "result"
    assert place.python("-m", "sfida", "games") == games
    return Path(found["file"])


def test_every_package_is_listed() -> None:
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    here = {".".join([*package.split("/"), *init.parent.relative_to(ROOT / folder).parts])
            for package, folder in FOLDERS.items() for init in (ROOT / folder).rglob("__init__.py")}
    assert set(config["packages"]) == here


def test_wheel_holds_only_the_package(clone: Path, wheel: Path) -> None:
    names = [PurePosixPath(name) for name in zipfile.ZipFile(wheel).namelist()]
    assert {name.parts[0].split("-")[0] for name in names} == {"sfida"}
    assert all(name.parts[0] == "sfida" or name.parts[0].endswith(".dist-info") for name in names)
    assert not [name for name in names if name.suffix in (".c", ".pyx", ".cpp", ".o", ".pyc")]
    files = {str(name) for name in names}
    assert {"sfida/py.typed", "sfida/engines/carcassonne/data.toml", "sfida/cython_ext/state.pxd",
            "sfida/engines/locale/it/LC_MESSAGES/sfida.mo", "sfida/web/static/index.html",
            "sfida/web/words.toml"} <= files
    compiled = {path.relative_to(clone).with_suffix("") for path in (clone / "cython_ext").rglob("*.pyx")}
    assert len(compiled) > 12
    for module in compiled:             # modules that only compiled ones use have no stub
        assert f"sfida/{module.as_posix()}.pyi" in files or not (clone / module).with_suffix(".pyi").exists()
        assert [n for n in names if n.parent == "sfida" / PurePosixPath(module.parent)
                and n.name.split(".")[0] == module.name and n.suffix in (".so", ".pyd")]
    sources = {f"{package}/{path.relative_to(clone / folder)}"
               for package, folder in FOLDERS.items() for path in (clone / folder).rglob("*.py")}
    assert {name for name in files if name.endswith(".py")} == sources


def test_sdist_holds_what_a_build_needs(clone: Path, sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {"/".join(name.split("/")[1:]) for name in archive.getnames()}
    for path in (clone / "cython_ext").rglob("*.p*"):
        if path.suffix in (".pyx", ".pxd", ".pyi"):
            assert path.relative_to(clone).as_posix() in names
    assert {"setup.py", "pyproject.toml", "LICENSE", "README.md", "CHANGELOG.md", "Makefile", "api/py.typed",
            "docs/maintain/architecture.md", "docs/example_bot.c", "tests/packaging/test_installs.py",
            "CONTRIBUTING.md", ".github/ISSUE_TEMPLATE/bug.md",
            "engines/carcassonne/data.toml", "engines/carcassonne/locale/it.po",
            "engines/locale/it/LC_MESSAGES/sfida.po", "web/static/index.html", "web/static/page.js",
            "web/words.toml", "web/locale/it.po"} <= names
    assert not [name for name in names - {"docs/example_bot.c"}
                if name.endswith((".c", ".so", ".mo", ".pyc")) or name.startswith("build/")]


def test_wheel_installs(wheel: Path, installed: CleanPlace) -> None:
    before = installed.packages()
    installed.pip("install", "-q", wheel)
    assert installed.packages() - before == {"sfida"}
    assert "site-packages" in assert_works(installed).parts
    games = {}
    for chosen in ("", "portable"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(SETTINGS, "SFIDA_INSTRUCTIONS", chosen)
            core = installed.python("-c", "import sfida.cython_ext.acres.core as core; print(core.__file__)")
            record = installed.python("-m", "sfida", "play", "acres:max_turns=6", "--seat", "greedy",
                                      "--seat", "ismcts:iterations=20", "--seed", "1", "--json")
            games[chosen] = core, record
    assert games[""][1] == games["portable"][1]
    assert "avx2" not in Path(games["portable"][0]).parts
    able = installed.python("-c", "import sfida.cython_ext.processor as p; print(p.has_avx2())").strip() == "True"
    twice = (Path(games["portable"][0].strip()).parent / "avx2").is_dir()
    assert ("avx2" in Path(games[""][0]).parts) == (able and twice)


def test_folder_installs_editable(unpacked: Path, wheel: Path, installed: CleanPlace) -> None:
    before = installed.packages()
    installed.pip("install", "-q", "-e", ".", cwd=unpacked)
    assert not {"ai", "api", "cli", "cython_ext", "engines", "envs", "tests", "web"} & (installed.packages() - before)
    assert assert_works(installed) == unpacked / "api" / "__init__.py"
    for folder in ("ai", "cli", "engines", "envs", "web"):
        spec = f"import importlib.util; print(importlib.util.find_spec({folder!r}))"
        assert installed.python("-c", spec).strip() == "None"
