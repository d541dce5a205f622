"""A map of Attila as plain data: provinces, their borders and how long the influence chart is (ATT-1.8)."""

from __future__ import annotations

from dataclasses import dataclass

from sfida.engines.language import named


@dataclass(frozen=True)
class Province:
    """A province.

    Attributes
    ----------
    id, code : str
        Id of the map file, three letters for moves.
    name_en, name_it : str
        English name; Italian name, may be empty. Both may be typed.
    start : bool
        It has the red border (ATT-1.15).
    x, y : float
        Its middle on the picture of the map, y down.
    row, column : int
        Its cell in the text map.
    """

    id: str
    code: str
    name_en: str
    start: bool
    x: float
    y: float
    row: int
    column: int
    name_it: str = ""

    @property
    def name(self) -> str:
        """The name in the language that is spoken."""
        return named({"name_en": self.name_en, "name_it": self.name_it})


@dataclass(frozen=True)
class Link:
    """Two adjacent provinces by number (ATT-1.14); `water` is an arrow across the sea, else a common border."""

    a: int
    b: int
    water: bool


@dataclass(frozen=True)
class Island:
    """Land that is no province (ATT-1.12): its names, as of `Province`, and its middle on the picture."""

    name_en: str
    x: float
    y: float
    name_it: str = ""

    @property
    def name(self) -> str:
        """The name in the language that is spoken."""
        return named({"name_en": self.name_en, "name_it": self.name_it})


@dataclass(frozen=True)
class Land:
    """A whole map. Hashable: drawings keep by it what they computed.

    Attributes
    ----------
    provinces : tuple of Province
        At most 32.
    links : tuple of Link
        Each pair once.
    islands : tuple of Island
        Drawn, never played on.
    wide, high : float
        Size of the picture that x and y refer to.
    rows, columns : int
        Size of the text map.
    last_space : int
        Last space of each column of the influence chart (ATT-5.8).
    reconstructed : bool
        The borders are not those of the printed board.
    """

    provinces: tuple[Province, ...]
    links: tuple[Link, ...]
    islands: tuple[Island, ...]
    wide: float
    high: float
    rows: int
    columns: int
    last_space: int
    reconstructed: bool = False
