"""The C types of the compiled modules: none has another size on another platform than the game's rules assume."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted(path for suffix in ("pyx", "pxd") for path in (ROOT / "cython_ext").rglob(f"*.{suffix}"))
# `long` has 32 bits on Windows and in WebAssembly, and 64 elsewhere.
PLATFORM = re.compile(r"\b(?:long|ulong|u_long|off_t|time_t)\b")
TEXT = re.compile(r'''[rbuf]*"""(?:.|\n)*?"""|[rbuf]*"(?:[^"\\\n]|\\.)*"|[rbuf]*'(?:[^'\\\n]|\\.)*'|#[^\n]*''')
EMBEDDED = re.compile(r'"""(?P<c>\s*(?:/\*|#|static|typedef)(?:.|\n)*?)"""')


def types_of(source: str) -> str:
    """Return a source without comments and texts, except for C that it embeds as a text."""
    embedded = "\n".join(re.sub(r"/\*(?:.|\n)*?\*/|//[^\n]*", "", found["c"]) for found in EMBEDDED.finditer(source))
    return TEXT.sub("", source) + embedded


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_type_depends_on_the_platform(path: Path) -> None:
    found = [line.strip() for line in types_of(path.read_text(encoding="utf-8")).splitlines() if PLATFORM.search(line)]
    assert found == []


@pytest.mark.parametrize(("source", "wrong"), [
    ("cdef inline bint within(long low, long high):", True), ("cdef unsigned long x", True), ("<long> y", True),
    ('"as long as"', False), ("x = 1  # how long", False),
    ('cdef extern from *:\n    """\n    /* C */\n    static long f(long x) { return x; }\n    """', True),
])
def test_a_platform_type_would_be_seen(source: str, wrong: bool) -> None:
    assert bool(PLATFORM.search(types_of(source))) == wrong
