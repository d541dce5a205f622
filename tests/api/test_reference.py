"""The reference (`docs/api`) has every public name, and the list of pages names every page of the documentation."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from typing import Any

import pytest

from support.pages import PAGES, text_of
from support.public_names import CLASSES, full_names, imported, listed

pytestmark = pytest.mark.release_only("pages and docstrings alone")

DIRECTIVE = re.compile(r"^\.\. (?:auto(module|class|function|exception|data)|py:(data)):: ([\w.]+).*\n((?:   :.*\n)*)",
                       re.MULTILINE)


def described() -> Iterator[tuple[str, Any]]:
    """Yield name and object of all entries in the reference."""
    for page in (page for page in PAGES if page.startswith("docs/api/")):
        module = ""
        for kind, data, name, options in DIRECTIVE.findall(text_of(page)):
            if kind == "module":
                module = name
                loaded = importlib.import_module(name)
                if ":no-members:" not in options:
                    yield from ((each, getattr(loaded, each)) for each in dir(loaded) if not each.startswith("_")
                                and getattr(getattr(loaded, each), "__module__", "") == name)
            elif name.startswith("sfida."):
                yield name, imported(name)
            else:
                assert module, f"{page}: {data or kind} {name}"
                yield name, getattr(importlib.import_module(module), name)


DESCRIBED = dict(described())


def test_every_public_name_is_described() -> None:
    there = {id(value) for value in DESCRIBED.values()}
    assert [name for name in full_names() if name != "sfida.testing" and id(imported(name)) not in there] == []


@pytest.mark.parametrize("owner", CLASSES)
def test_every_public_attribute_is_described(owner: str) -> None:
    """An attribute has its own docstring, or an entry among the attributes of a class in the reference."""
    homes = [kind for kind in CLASSES[owner].__mro__ if kind in DESCRIBED.values()]
    assert homes
    told = {name for kind in homes for names in re.findall(r"^ *([\w, ]+) : ", kind.__doc__ or "", re.MULTILINE)
            for name in names.split(", ")}
    told |= {name for kind in homes for name, value in vars(kind).items()
             if (callable(value) or hasattr(value, "__get__")) and value.__doc__}
    assert sorted({*listed(owner)} - told) == []


def test_the_list_of_pages_is_complete() -> None:
    """The list becomes the sidebar of the built pages; the lab is separate."""
    linked = set(re.findall(r"^\| \[[^]]*\]\(([\w./]+)\) \|", text_of("docs/README.md"), re.MULTILINE))
    assert {page.removeprefix("docs/") if page.startswith("docs/") else f"../{page}" for page in PAGES
            } - {"README.md", "lab/experiments.md"} == linked
