"""C types have the same size on every platform; `long` has 32 bits on Windows and in WebAssembly.

Rules cores use only fixed sizes. The other compiled modules use `size_t` and similar types for bytes of memory and for
lengths of Python objects, and no other type of varying size.
"""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "cython_ext"
CORES = ("acres", "attila", "carcassonne", "risiko", "zarahemla")
SOURCES = sorted(path for suffix in ("pyx", "pxd") for path in FOLDER.rglob(f"*.{suffix}"))

# For all modules: integers whose size or sign varies by platform. A plain `char` is unsigned on ARM.
DIFFERING = re.compile(r"(?<!long )\blong\b(?! long\b)|\b(wchar_t|Py_UNICODE|Py_hash_t|time_t|clock_t|off_t|intmax_t|"
                       r"uintmax_t|u?int_(fast|least)\d+_t|long double)\b|(?<!signed )(?<!unsigned )\bchar\b(?!\s*\*)")
# For the cores: sizes of memory, which depend on the address space.
SIZES = re.compile(r"\b(s?size_t|Py_ssize_t|u?intptr_t|ptrdiff_t)\b")
# Padding that is never read.
ALLOWED = {"search/arena.pxd": ["char"]}


def code_of(text: str) -> str:
    """Return a source without comments and docstrings, except for the C code of `cdef extern from *`."""
    def kept(match: re.Match[str]) -> str:
        return match[0] if match[1] else '""'
    text = re.sub(r'(extern from \*(?:\s+nogil)?:\s*)?"""(.*?)"""', kept, text, flags=re.DOTALL)
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL)
    lines = (re.sub(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'', '""', line) for line in text.splitlines())
    return "\n".join(line if line.lstrip().startswith(("#define", "#if")) else line.split("#")[0] for line in lines)


def found(pattern: re.Pattern[str], path: Path) -> list[str]:
    return [match[0].strip() for match in pattern.finditer(code_of(path.read_text()))]


def test_types_have_one_size_everywhere() -> None:
    assert len(SOURCES) > 50
    differing = {path.relative_to(FOLDER).as_posix(): names for path in SOURCES if (names := found(DIFFERING, path))}
    assert differing == ALLOWED
    in_cores = {str(path): found(SIZES, path) for path in SOURCES if path.parent.name in CORES}
    assert not any(in_cores.values()), in_cores


def test_a_differing_type_would_be_seen(tmp_path: Path) -> None:
    core = tmp_path / "core.pxd"
    core.write_text('cdef inline int f(long low, unsigned long x, long long y):\n    """As long as it takes."""\n'
                    'cdef extern from *:\n    """\n    typedef struct { long n; } s;\n    """\n'
                    "cdef struct S:\n    char sign   # long\n    signed char s\n    const char* text\n    size_t n\n")
    assert found(DIFFERING, core) == ["long", "long", "long", "char"]
    assert found(SIZES, core) == ["size_t"]
