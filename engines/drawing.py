"""Helpers for SVG documents, shared by the pictures of the games."""

from __future__ import annotations

from xml.etree import ElementTree as ET


def num(value: float) -> str:
    """Write a coordinate with at most two decimals and no trailing zeros, so that equal pictures are equal text."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def add(parent: ET.Element, tag: str, **attributes: object) -> ET.Element:
    """Append an element; underscores in names become hyphens, numbers are rounded, None is left out."""
    texts = {name.rstrip("_").replace("_", "-"): num(value) if isinstance(value, float) else str(value)
             for name, value in attributes.items() if value is not None}
    return ET.SubElement(parent, tag, texts)
