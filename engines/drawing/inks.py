"""Colours that pictures share; a game with inks of its own keeps them in its `piece_art`."""

from __future__ import annotations

INK, PAPER, OUTLINE, GOLD, RED = "#2f2517", "#f8efd8", "#1d150b", "#e2b13c", "#c0241d"
TABLE = "#efe5cd"                       # what the sheet lies on
PLACE, PLACE_RIM = "#ffe14d", "#8a6508"  # where the mover may play
