"""The stubs of the search say what the compiled modules have."""

import ast
import importlib
import inspect
from pathlib import Path

import pytest

from sfida.cython_ext.search import parameters as search_parameters

MODULES = ["search", "shared_tree", "thread", "tree", "results", "lines", "reuse", "descent", "selection",
           "playout", "backup", "flat", "solve"]


def stub_of(module):
    return ast.parse(Path(search_parameters.__file__).with_name(f"{module}.pyi").read_text())


def stub_arguments(function):
    """Names and defaults of the arguments in a stub; an ellipsis stands for any default."""
    args = function.args
    plain = [None] * (len(args.args) - len(args.defaults)) + args.defaults
    pairs = [*zip(args.args, plain, strict=True), *zip(args.kwonlyargs, args.kw_defaults, strict=True)]
    found = {arg.arg: None if default is None else ast.unparse(default) for arg, default in pairs}
    found.pop("self", None)
    return found


def told_arguments(text):
    """The same of a signature that the compiler wrote into a docstring, C types before the names."""
    parts = [part.partition("=") for part in text[text.index("(") + 1:text.rindex(")")].split(", ")]
    found = {name.split()[-1]: default or None for name, _, default in parts if name and "*" not in name}
    found.pop("self", None)
    return found


def functions():
    """(module, class or None, function) of every stub."""
    for module in MODULES:
        for node in stub_of(module).body:
            if isinstance(node, ast.FunctionDef):
                yield module, None, node
            elif isinstance(node, ast.ClassDef):
                for item in node.body:
                    if isinstance(item, ast.FunctionDef) and not item.decorator_list:
                        yield module, node.name, item


@pytest.mark.parametrize(("module", "owner", "function"), list(functions()),
                         ids=lambda part: part.name if isinstance(part, ast.FunctionDef) else part)
def test_arguments_and_defaults(module, owner, function):
    where = importlib.import_module(f"sfida.cython_ext.search.{module}")
    if owner is not None:
        where = getattr(where, owner)
    real = where if function.name == "__init__" else getattr(where, function.name)
    told = told_arguments(real.__doc__.splitlines()[0])
    if (owner, function.name) == ("Search", "__init__"):
        told.update({name: repr(default) for name, default in search_parameters.DEFAULTS.items()})
    stub = stub_arguments(function)
    assert set(stub) == set(told)
    assert {name: told[name] if default == "..." else default for name, default in stub.items()} == told


def stub_names(module):
    """Public names of each class in a stub, those of its bases in the search's own modules included."""
    found = {}
    for node in stub_of(module).body:
        if isinstance(node, ast.ClassDef):
            found[node.name] = {item.name for item in node.body if isinstance(item, ast.FunctionDef)} | {
                item.target.id for item in node.body if isinstance(item, ast.AnnAssign)}
    return found


@pytest.mark.parametrize("module", MODULES)
def test_public_names(module):
    real = importlib.import_module(f"sfida.cython_ext.search.{module}")
    for name, stub in stub_names(module).items():
        cls = getattr(real, name)
        own = {key for key in (*vars(cls), *getattr(cls, "__dataclass_fields__", ())) if not key.startswith("_")}
        assert {key for key in stub if not key.startswith("_")} == own, name
    defined = {name for name, value in vars(real).items()
               if inspect.isclass(value) and value.__module__ == real.__name__}
    assert defined == set(stub_names(module))
