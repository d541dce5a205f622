"""What maps are adorned with, and paints that change over a surface."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from sfida.engines.drawing.elements import add


def gradient(defs: ET.Element, kind: str, name: str, stops: Iterable[tuple[float, str]], **shape: object) -> None:
    """Define a paint that changes from colour to colour.

    Parameters
    ----------
    defs : Element
    kind : str
        "linear" or "radial".
    name : str
        Its id.
    stops : iterable of (offset, colour)
        Offsets from 0 to 1.
    **shape
        Where it runs, as attributes of the gradient.
    """
    element = add(defs, f"{kind}Gradient", id=name, **shape)
    for offset, colour in stops:
        add(element, "stop", offset=offset, stop_color=colour)


@dataclass(frozen=True)
class Rose:
    """How a compass is drawn.

    Attributes
    ----------
    rings : tuple of (radius, stroke)
    rays : tuple of (turn in degrees, length)
        Four of each, a quarter turn apart; the later ones lie above.
    waist : float
        How broad a ray is near the middle, half.
    light, dark, ring : str
        Colours of a ray's two halves, and of the rings.
    ring_opacity : float
    opacity, light_opacity : float, optional
        Of a ray, and of its light half.
    hub : tuple of (radius, fill, line, stroke)
        The disc in the middle.
    """

    rings: tuple[tuple[float, float], ...]
    rays: tuple[tuple[int, int], ...]
    waist: int
    light: str
    dark: str
    ring: str
    ring_opacity: float
    hub: tuple[float, str, str, float]
    opacity: float | None = None
    light_opacity: float | None = None


def draw_rose(group: ET.Element, rose: Rose) -> None:
    """Draw a compass round the origin."""
    for radius, stroke in rose.rings:
        add(group, "circle", r=float(radius), fill="none", stroke=rose.ring, stroke_width=stroke,
            opacity=rose.ring_opacity)
    side = rose.waist
    for turn, long in rose.rays:
        for quarter in range(4):
            ray = add(group, "g", transform=f"rotate({turn + 90 * quarter})", opacity=rose.opacity)
            add(ray, "path", d=f"M0,{-long} L{side},{-side} L0,0 Z", fill=rose.light, opacity=rose.light_opacity)
            add(ray, "path", d=f"M0,{-long} L{-side},{-side} L0,0 Z", fill=rose.dark)
    radius, fill, line, stroke = rose.hub
    add(group, "circle", r=radius, fill=fill, stroke=line, stroke_width=stroke)
