"""Seeds as learners' libraries give them."""

from __future__ import annotations

import operator
from typing import Any

from sfida.ai.seeds import check_seed


def as_seed(seed: Any) -> int:
    """Return a seed that may be a number of numpy; raises InvalidOption unless it is a whole number from 0 on."""
    try:
        return check_seed(seed if isinstance(seed, bool) else operator.index(seed))
    except TypeError:
        return check_seed(seed)
