"""Write what follows from the table of parameters: the C struct and the keywords in the stub.

    python cython_ext/search/generate_params.py

Every build runs it; files that are up to date are left alone.
"""

from __future__ import annotations

import importlib.util
import sys
import textwrap
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).resolve().parent
C_TYPES = {bool: "bint", int: "int", float: "double", str: "int"}
FIRST, LAST = "        # <keywords: generate_params.py>", "        # </keywords>"


def load_table() -> ModuleType:
    """Load the table beside this file: the package is not built yet when a build asks."""
    name = "parameters"
    spec = importlib.util.spec_from_file_location(name, HERE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def struct_source(table: ModuleType) -> str:
    """Return params.pxd: the words as numbers, and the struct."""
    declared = table.DECLARED.values()
    lines = ['"""What a search is told once and does not change.',
             "",
             "Written by generate_params.py from the table in parameters.py: not to be edited.",
             '"""', "", "", "cdef enum:",
             f"    MAX_WINDOW = {table.DECLARED['window'].high}"]
    for each in declared:
        lines += [f"    {each.keyword}_{word}".upper() + f" = {number}" for number, word in enumerate(each.values)]
    lines += ["", "", "cdef struct SearchParams:"]
    for each in declared:
        lines += [f"    # {line}" for line in textwrap.wrap(each.doc, 112)]
        lines.append(f"    {C_TYPES[each.kind]} {each.keyword}")
    return "\n".join(lines) + "\n"


def stub_source(table: ModuleType, stub: str) -> str:
    """Return search.pyi with the keywords of the table between its marks."""
    before, rest = stub.split(FIRST)
    after = rest.split(LAST)[1]
    keywords = [f"        {each.keyword}: {each.kind.__name__} = {literal(each.default)}," for each in
                table.DECLARED.values()]
    return before + "\n".join([FIRST, *keywords, LAST]) + after


def literal(value: object) -> str:
    """Return a value as the sources write it."""
    return f'"{value}"' if isinstance(value, str) else repr(value)


def main() -> None:
    """Write the files that are not up to date."""
    table = load_table()
    struct, stub = HERE / "params.pxd", HERE / "search.pyi"
    for path, text in ((struct, struct_source(table)), (stub, stub_source(table, stub.read_text()))):
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


if __name__ == "__main__":
    main()
