"""Colours such as "#c8312b": mixtures, letters on them, nearest colours of a terminal's palette, and seats' colours."""

from __future__ import annotations

from functools import cache

# ---- Colours shared by the pictures; further inks of a game are in its `pieces_svg`

INK, PAPER, OUTLINE, GOLD, RED = "#2f2517", "#f8efd8", "#1d150b", "#e2b13c", "#c0241d"
TABLE = "#efe5cd"                       # ground below the sheet
PLACE, PLACE_RIM = "#ffe14d", "#8a6508"  # a place where the mover may play


# ---- Colours such as "#c8312b": mixtures, letters on them, and the nearest colours of a terminal's palette

# Numbers of the 256-colour palette, shared by the terminal views.
DIM, YELLOW, GREEN, BLACK, WHITE = 245, 220, 71, 16, 231
PLACE_PAINT = (BLACK, 226)              # letters and ground of a place where the mover may play


def _levels(rgb: str) -> tuple[int, int, int]:
    return int(rgb[1:3], 16), int(rgb[3:5], 16), int(rgb[5:7], 16)


def mixed(rgb: str, other: str, share: float) -> str:
    """Return a colour mixed with a share of another colour."""
    parts = (round((1 - share) * a + share * b) for a, b in zip(_levels(rgb), _levels(other), strict=True))
    return "#" + "".join(f"{part:02x}" for part in parts)


def is_light(rgb: str) -> bool:
    """Return whether dark letters read better than white ones on a colour."""
    red, green, blue = _levels(rgb)
    return 0.3 * red + 0.59 * green + 0.11 * blue > 140


def ink_on(rgb: str, dark: str) -> str:
    """Return the colour of letters on a colour: `dark` or white."""
    return dark if is_light(rgb) else "#ffffff"


def palette(rgb: str) -> int:
    """Return the nearest colour of the 256-colour palette's cube."""
    steps = (0, 95, 135, 175, 215, 255)
    red, green, blue = (min(range(6), key=lambda i: abs(steps[i] - level)) for level in _levels(rgb))
    return 16 + 36 * red + 6 * green + blue


@cache
def paint(rgb: str) -> tuple[int, int]:
    """Return the colours of letters and ground, in the 256-colour palette, for a colour."""
    return (BLACK if is_light(rgb) else WHITE), palette(rgb)


# ---- The colour of the mark beside a seat's name on a screen

_NAMED = {"red": "#c8312b", "blue": "#2b62b8", "green": "#2f8a3c", "yellow": "#e3b505", "black": "#26262b",
          "white": "#f4f1e8", "orange": "#e07b1a", "purple": "#7b3fa0", "british": "#b3262c", "french": "#2d4f9e"}
_OTHERS = ("#2b62b8", "#c8312b", "#2f8a3c", "#e3b505", "#7b3fa0", "#e07b1a")


def seat_colour(name: str, seat: int) -> str:
    """Return the colour of a seat, such as "#c8312b": the colour of its name, if it is named after one."""
    return _NAMED.get(name.strip().lower(), _OTHERS[seat % len(_OTHERS)])
