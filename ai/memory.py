"""How much memory the tree of a decision may take."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfida.ai.search_options import TreeOptions

LEAST, MOST = 64, 1024                  # MB
_AN_ITERATION = 2048                    # bytes; none of the board games was seen to need more than 1,600
_SHARE = 4                              # a tree takes at most one part in so many of the machine's memory
_LIMIT_OF_GROUP = Path("/sys/fs/cgroup/memory.max")


def memory_of(options: TreeOptions) -> int:
    """Return the memory limit of a tree in MB: the one given, or what the budget needs.

    With iterations it depends on them alone: the same seed and iterations give the same tree on every machine. With
    seconds alone it is the most, but never more than a quarter of the machine's memory.
    """
    if options.memory is not None:
        return options.memory
    iterations, _ = options.budget
    if options.iterations is None and options.clock is not None:
        iterations = None
    if iterations is not None:
        return min(MOST, max(LEAST, -(-iterations * _AN_ITERATION // 2**20)))
    return max(1, min(MOST, machine_memory() // _SHARE // 2**20))


def machine_memory() -> int:
    """Return the bytes of memory that this machine has, or that this process may use if that is less."""
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return _SHARE * LEAST << 20     # not told: as little as possible
    with suppress(OSError, ValueError):     # no control group, or one without a limit ("max")
        total = min(total, int(_LIMIT_OF_GROUP.read_text()))
    return total
