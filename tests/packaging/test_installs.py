"""Each way to install gives a working `sfida` in a clean environment, and nothing else.

The modules are compiled without optimisation here, each of them once, and of the large ones the objects of the build
under test are taken: what is checked is what is shipped and found. Only a translation to the very same C takes one.
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
LEFT_OUT = shutil.ignore_patterns(".venv", ".git", "build", "dist", "__pycache__", "*.so", "*.egg-info",
                                  ".*_cache", ".hypothesis", ".benchmarks")
LARGE = 800_000         # bytes of C from which a module's object is taken from the build under test, if it has one
SDIST = "from setuptools import build_meta as b; b.build_sdist('dist')"


@pytest.fixture(scope="module", autouse=True)
def compiler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Compile a module that comes a second time, from another folder, only once, and large ones not at all."""
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


def objects_of_the_build() -> Iterator[tuple[Path, Path]]:
    """Yield the large translations of the build in this folder, with the objects that were compiled from them."""
    for source in (ROOT / "build" / "cython").rglob("*.c"):
        name = source.relative_to(ROOT).with_suffix(".o")
        for compiled in ROOT.glob(f"build/obj/*/temp.*{sys.implementation.cache_tag}/{name}"):
            if source.stat().st_size >= LARGE and compiled.stat().st_mtime > source.stat().st_mtime:
                yield source, compiled


SETTINGS: dict[str, str] = {}


def clean_environment() -> dict[str, str]:
    """Our variables, without what could lead to another sfida or another kind of build."""
    kept = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
            and not k.startswith("SFIDA_")}
    return kept | {"SFIDA_CFLAGS": "-O0 -g0", "PIP_DISABLE_PIP_VERSION_CHECK": "1"} | SETTINGS


def run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run([str(part) for part in command], cwd=cwd, env=clean_environment(), text=True,
                          capture_output=True, check=False)
    shown = " ".join(map(str, command))
    assert done.returncode == 0, f"{shown}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources as a fresh clone has them, and Cython's translations of them where they are at hand."""
    copy = Path(shutil.copytree(ROOT, tmp_path_factory.mktemp("clone") / "sfida-src", ignore=LEFT_OUT))
    if (ROOT / "build" / "cython").is_dir():            # only the source archive is translated anew
        shutil.copytree(ROOT / "build" / "cython", copy / "build" / "cython")
        later = time.time() + 86_400                    # than pip installs the translator, or all would be stale
        for translation in (copy / "build" / "cython").rglob("*.c"):
            os.utime(translation, (later, later))
    return copy


@pytest.fixture(scope="module")
def archives(tree: Path) -> dict[str, Path]:
    """The source archive, and the wheel built from nothing but it."""
    run(sys.executable, "-c", SDIST, cwd=tree)
    (sdist,) = (tree / "dist").glob("*.tar.gz")
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", "dist", sdist, cwd=tree)
    (wheel,) = (tree / "dist").glob("*.whl")
    return {"wheel": wheel, "sdist": sdist}


class CleanPlace:
    """A virtual environment where only Sfida's dependencies stay between installations."""

    def __init__(self, folder: Path) -> None:
        self.empty = folder / "elsewhere"
        self.empty.mkdir()
        venv.create(folder / "env", with_pip=True)
        self.bin = folder / "env" / ("Scripts" if os.name == "nt" else "bin")

    def python(self, *arguments: str | Path) -> str:
        return run(self.bin / "python", *arguments, cwd=self.empty)

    def packages(self) -> set[str]:
        """Names that can be imported from site-packages."""
        site = Path(self.python("-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
        return {item.name.split(".")[0] for item in site.iterdir()
                if not item.name.endswith((".dist-info", ".pth")) and item.name != "__pycache__"}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> CleanPlace:
    place = CleanPlace(tmp_path_factory.mktemp("clean"))
    needs = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    place.python("-m", "pip", "install", "-q", *needs)
    return place


@pytest.fixture
def installed(place: CleanPlace) -> Iterator[CleanPlace]:
    """The clean place; whatever the test installs is removed afterwards."""
    yield place
    place.python("-m", "pip", "uninstall", "-q", "-y", "sfida")
    assert "None" in place.python("-c", "import importlib.util; print(importlib.util.find_spec('sfida'))")


def assert_works(place: CleanPlace) -> Path:
    """Make a state from Python, list the games, play one; return where `sfida` was found."""
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


def test_wheel_holds_only_the_package(tree: Path, archives: dict[str, Path]) -> None:
    names = [PurePosixPath(name) for name in zipfile.ZipFile(archives["wheel"]).namelist()]
    assert {name.parts[0].split("-")[0] for name in names} == {"sfida"}
    assert all(name.parts[0] == "sfida" or name.parts[0].endswith(".dist-info") for name in names)
    assert not [name for name in names if name.suffix in (".c", ".pyx", ".cpp", ".o", ".pyc")]
    files = {str(name) for name in names}
    assert {"sfida/py.typed", "sfida/engines/carcassonne/data.toml", "sfida/cython_ext/state.pxd",
            "sfida/engines/locale/it/LC_MESSAGES/sfida.mo", "sfida/web/static/index.html",
            "sfida/web/words.toml"} <= files
    compiled = {path.relative_to(tree).with_suffix("") for path in (tree / "cython_ext").rglob("*.pyx")}
    assert len(compiled) > 15
    for module in compiled:
        assert f"sfida/{module.as_posix()}.pyi" in files
        assert [n for n in names if n.parent == "sfida" / PurePosixPath(module.parent)
                and n.name.split(".")[0] == module.name and n.suffix in (".so", ".pyd")]
    sources = {f"{package}/{path.relative_to(tree / folder)}"
               for package, folder in FOLDERS.items() for path in (tree / folder).rglob("*.py")}
    assert {name for name in files if name.endswith(".py")} == sources


def test_sdist_holds_what_a_build_needs(tree: Path, archives: dict[str, Path]) -> None:
    with tarfile.open(archives["sdist"]) as archive:
        names = {"/".join(name.split("/")[1:]) for name in archive.getnames()}
    for path in (tree / "cython_ext").rglob("*.p*"):
        if path.suffix in (".pyx", ".pxd", ".pyi"):
            assert path.relative_to(tree).as_posix() in names
    assert {"setup.py", "pyproject.toml", "LICENSE", "README.md", "CHANGELOG.md", "Makefile", "api/py.typed",
            "docs/architecture.md", "docs/example_bot.c", "tests/packaging/test_installs.py",
            "CONTRIBUTING.md", ".github/ISSUE_TEMPLATE/bug.md",
            "engines/carcassonne/data.toml", "engines/carcassonne/locale/it.po",
            "engines/locale/it/LC_MESSAGES/sfida.mo", "web/static/index.html", "web/static/page.js",
            "web/words.toml", "web/locale/it.po"} <= names
    assert not [name for name in names - {"docs/example_bot.c"}
                if name.endswith((".c", ".so", ".pyc")) or name.startswith("build/")]


def test_wheel_installs(archives: dict[str, Path], installed: CleanPlace) -> None:
    before = installed.packages()
    installed.python("-m", "pip", "install", "-q", archives["wheel"])
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


def test_folder_installs(tree: Path, archives: dict[str, Path], installed: CleanPlace) -> None:
    before = installed.packages()
    run(installed.bin / "python", "-m", "pip", "install", "-q", ".", cwd=tree)
    assert installed.packages() - before == {"sfida"}
    assert "site-packages" in assert_works(installed).parts


def test_folder_installs_editable(tree: Path, archives: dict[str, Path], installed: CleanPlace) -> None:
    before = installed.packages()
    run(installed.bin / "python", "-m", "pip", "install", "-q", "-e", ".", cwd=tree)
    assert not {"ai", "api", "cli", "cython_ext", "engines", "envs", "tests", "web"} & (installed.packages() - before)
    assert assert_works(installed) == tree / "api" / "__init__.py"
    for folder in ("ai", "cli", "engines", "envs", "web"):
        spec = f"import importlib.util; print(importlib.util.find_spec({folder!r}))"
        assert installed.python("-c", spec).strip() == "None"
