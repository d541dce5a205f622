"""The colour by which a screen marks a seat beside its name."""

from __future__ import annotations

_NAMED = {"red": "#c8312b", "blue": "#2b62b8", "green": "#2f8a3c", "yellow": "#e3b505", "black": "#26262b",
          "white": "#f4f1e8", "orange": "#e07b1a", "purple": "#7b3fa0", "british": "#b3262c", "french": "#2d4f9e"}
_OTHERS = ("#2b62b8", "#c8312b", "#2f8a3c", "#e3b505", "#7b3fa0", "#e07b1a")


def seat_colour(name: str, seat: int) -> str:
    """Return the colour of a seat, such as "#c8312b": that after which it is named, if it is."""
    return _NAMED.get(name.strip().lower(), _OTHERS[seat % len(_OTHERS)])
