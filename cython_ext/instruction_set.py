"""Which build of a module is imported: that for any processor, or that for the instructions of newer ones.

A portable build for x86-64 holds some modules twice (`FASTER` in setup.py). Both do exactly the same; the second one,
in a folder `avx2` of its package, is faster. `SFIDA_INSTRUCTIONS=portable` keeps to the first.
"""

from __future__ import annotations

import os
from collections.abc import Iterable


def with_faster(path: Iterable[str]) -> list[str]:
    """Return the folders of a package, those of its faster modules in front where there are any that run here."""
    folders = list(path)
    faster = [found for folder in folders if os.path.isdir(found := os.path.join(folder, "avx2"))]      # noqa: PTH112, PTH118
    if not faster or os.environ.get("SFIDA_INSTRUCTIONS") == "portable":
        return folders
    from sfida.cython_ext.processor import has_avx2

    return faster + folders if has_avx2() else folders
