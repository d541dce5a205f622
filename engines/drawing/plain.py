"""Drawings and texts for terminals that take nothing but ASCII."""

from __future__ import annotations

import unicodedata
from functools import cache

# One character for each wherever columns must stay in line. Signs that a drawing uses side by side stay different.
_SIGNS = str.maketrans({
    # frames, piers, rivers; the corners of Carcassonne's last tile
    "─": "-", "│": "|", "╱": "/", "╲": "\\", "├": "+", "┤": "+", "┬": "+", "┴": "+", "┼": "+",
    "╭": "+", "╮": "+", "╰": "+", "╯": "+", "┌": "[", "└": "[", "┐": "]", "┘": "]",
    # roads, villages, monasteries, open places, walls in two colours, rotations
    "═": "=", "║": "|", "╔": "+", "╗": "+", "╚": "+", "╝": "+", "■": "x", "⌂": "^", "·": ":", "▀": " ",
    "↻": "/", "°": "o",
    # terrain, pips, markers of supplies
    "♣": "&", "▬": "=", "≈": "~", "ψ": "Y", "▲": "^", "∩": "n", "•": "*", "●": "*", "○": "o", "★": "*", "█": "#",
    # text
    "×": "x", "−": "-", "–": "-", "—": "-", "’": "'", "“": '"', "”": '"', "→": ">", "←": "<", "…": "...",
    "≥": ">=", "≤": "<=", "±": "+-", "µ": "u",
})
_DOTS, _LAST_DOTS = 0x2800, 0x28FF                      # braille characters
_LEFT, _RIGHT = 0b01000111, 0b10111000                  # bits of their two columns
_UPPER, _LOWER = 0b00011011, 0b11100100                 # of their upper and lower halves


def plain(text: str) -> str:
    """Return a text in ASCII: signs by the table, lines of dots by their slope, letters without their accents."""
    if text.isascii():
        return text
    return "".join(sign if sign.isascii() else _letter(sign) for sign in text.translate(_SIGNS))


@cache
def _letter(sign: str) -> str:
    if _DOTS <= ord(sign) <= _LAST_DOTS:
        return _stroke(ord(sign) - _DOTS)
    return unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode() or "?"


def _stroke(dots: int) -> str:
    """Return the sign most like the dots of a character: a few are a point, others a line."""
    if dots.bit_count() <= 1:
        return "." if dots else " "
    left, right = dots & _LEFT, dots & _RIGHT
    if not left or not right:
        return "|"
    if not dots & _UPPER:
        return "_"
    if not dots & _LOWER:
        return "-"
    left_low, right_low = bool(left & _LOWER) - bool(left & _UPPER), bool(right & _LOWER) - bool(right & _UPPER)
    return "/" if left_low > right_low else "\\" if left_low < right_low else "-"
