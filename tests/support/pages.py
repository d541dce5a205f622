"""The pages that people read, and the Python code in them."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = [str(path.relative_to(ROOT)) for path in sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])]


def text_of(page: str) -> str:
    """Return the text of a page such as ``docs/measure/tuning.md``."""
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(page: str) -> list[str]:
    """Return the blocks of Python of a page."""
    return re.findall(r"^```python\n(.*?)^```$", text_of(page), re.MULTILINE | re.DOTALL)
