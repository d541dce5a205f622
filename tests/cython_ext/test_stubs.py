"""The stubs match the compiled modules; modules that only compiled modules use have no stubs.

mypy's stubtest compares names, properties and the arguments of functions and methods. It cannot see constructors,
because the compiler shows each as `(*args, **kwargs)`, so the test reads them from the source.
"""

import ast
import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import sfida
from sfida.cython_ext.search import parameters as search_parameters

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "cython_ext"
MODULES = {"sfida.cython_ext." + ".".join(path.relative_to(FOLDER).with_suffix("").parts): path
           for path in sorted(FOLDER.rglob("*.pyx"))}
SOURCES = {module: path for module, path in MODULES.items() if path.with_suffix(".pyi").exists()}
# Names, as regular expressions, that stubtest ignores.
ALLOWED = r"""
sfida\..*\.__(reduce|setstate)_cython__     # written by the compiler, as the next two
sfida\..*\.__test__
(sfida\..*\.__pyx_capi__)?
sfida\..*\.__init__                         # compared below
sfida\.cython_ext\.search\.\w+\.(DEFAULTS|DECLARED)     # imported from `parameters`
sfida\.cython_ext\.attila\.core\.Six        # a name for a type
"""


def stub_of(module):
    return ast.parse(SOURCES[module].with_suffix(".pyi").read_text())


def test_stubtest_finds_no_difference(tmp_path):
    """The package around the stubs is empty, because mypy would otherwise read all its imports."""
    pytest.importorskip("mypy.stubtest")
    package = tmp_path / "stubs" / "sfida"
    package.mkdir(parents=True)
    (package / "__init__.pyi").touch()
    (package / "engines").mkdir()
    (package / "engines" / "__init__.pyi").touch()
    (package / "engines" / "game.pyi").write_text("class Game: ...\n")      # the only other name in the stubs
    (package / "cython_ext").symlink_to(FOLDER, target_is_directory=True)
    (tmp_path / "allowed").write_text(ALLOWED)
    (tmp_path / "mypy.ini").write_text("[mypy]\nstrict = true\n")
    path = [str(Path(sfida.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    done = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "--concise", "--ignore-disjoint-bases", "--allowlist", "allowed",
         "--mypy-config-file", "mypy.ini", *SOURCES], cwd=tmp_path, capture_output=True, text=True,
        env={**os.environ, "MYPYPATH": "stubs", "PYTHONPATH": os.pathsep.join(filter(None, path))})
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


# ---- constructors -----------------------------------------------------------------------------------


def signature(arguments):
    """Return kind, name and default of every argument except the first."""
    def row(kind, arg, default):
        return kind, arg.arg, None if default is None else ast.unparse(default)

    plain = [None] * (len(arguments.args) - len(arguments.defaults)) + arguments.defaults
    found = [row("positional", *pair) for pair in zip(arguments.args, plain, strict=True)][1:]
    found += [row(kind, arg, None) for kind, arg in (("*", arguments.vararg), ("**", arguments.kwarg)) if arg]
    return found + [row("keyword", *pair) for pair in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]


def without_types(text):
    """Turn the arguments of a compiled function into those of one in Python."""
    return re.sub(r"(?<![\w.])(?:const )?\w+(?:\[[:, 1]+\])? (?=\w)", "", text.replace(" not None", ""))


def constructors():
    """Yield for each class the module, the signature in the stub, and the one in the source."""
    for module, path in SOURCES.items():
        made = {}
        for part in re.split(r"^(?:cdef )?class ", path.read_text(), flags=re.MULTILINE)[1:]:
            found = dict(re.findall(r"^    def (__c?init__)\((.*?)\):$", part, flags=re.MULTILINE | re.DOTALL))
            if found:                   # if there are both, __init__ has the arguments
                taken = found.get("__init__", found.get("__cinit__"))
                made[re.match(r"\w+", part)[0]] = ast.parse(f"def f({without_types(taken)}): ...").body[0].args
        for node in stub_of(module).body:
            if isinstance(node, ast.ClassDef):
                inits = [item.args for item in node.body if getattr(item, "name", "") == "__init__"]
                yield module, node.name, inits[0] if inits else None, made.get(node.name)


@pytest.mark.parametrize(("module", "name", "stub", "source"), [
    pytest.param(*row, id=".".join(row[:2])) for row in constructors() if row[2] or row[3]])
def test_constructors(module, name, stub, source):
    told = signature(source) if source else []
    if ("**", "parameters", None) in told:              # parameters of a search, as declared
        told.remove(("**", "parameters", None))
        told += [("keyword", key, repr(default)) for key, default in search_parameters.DEFAULTS.items()]
    if {kind for kind, _, _ in told} == {"*", "**"}:    # arguments of subclasses
        told = []
    shown = signature(stub) if stub else []
    unsaid = {key for _, key, default in shown if default == "..."}
    told = [(kind, key, "..." if key in unsaid else default) for kind, key, default in told]
    assert [row for row in shown if row[0] == "positional"] == [row for row in told if row[0] == "positional"]
    assert sorted(shown) == sorted(told)


# ---- docstrings -------------------------------------------------------------------------------------


def undocumented(stub, loaded):
    """Yield public classes, functions, methods and properties whose only docstring is the compiler's line."""
    for node in stub.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_"):
            value = getattr(loaded, node.name)
            if not re.sub(rf"\A[\w.]*\b{node.name}\(.*", "", value.__doc__ or "").strip():
                yield node.name
            if isinstance(node, ast.ClassDef):
                yield from undocumented(node, value)


@pytest.mark.parametrize("module", SOURCES)
def test_docstrings(module):
    loaded = importlib.import_module(module)
    assert loaded.__doc__
    assert ast.get_docstring(stub_of(module))
    assert list(undocumented(stub_of(module), loaded)) == []


# ---- modules without a stub -------------------------------------------------------------------------


@pytest.mark.parametrize("module", sorted(MODULES.keys() - SOURCES.keys()))
def test_modules_without_a_stub_are_for_compiled_modules_alone(module):
    assert importlib.import_module(module).__doc__
    imported = re.compile(rf"^\s*(from|import) {re.escape(module)}\b", re.MULTILINE)
    for folder in ("ai", "api", "bench", "cli", "engines", "envs", "tests", "web"):
        for path in (ROOT / folder).rglob("*.py"):
            assert not imported.search(path.read_text()), path
    for path in FOLDER.rglob("*.pyi"):
        assert not imported.search(path.read_text()), path
