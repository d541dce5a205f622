"""catanatron's identifiers and ours, from the tables of the data (ZAR-24.1)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from sfida.engines.zarahemla.rules import load_data


@dataclass(frozen=True)
class Names:
    """Tables from catanatron's identifiers to our numbers.

    Attributes
    ----------
    corner : tuple of int
        By node.
    edge : dict
        By pair of nodes, either order.
    hex : dict
        By coordinate.
    station_of_port : tuple of int
        By port id.
    resource, card : dict
        By name; the desert, None, is the hideout.
    """

    corner: tuple[int, ...]
    edge: dict[tuple[int, int], int]
    hex: dict[tuple[int, int, int], int]
    station_of_port: tuple[int, ...]
    resource: dict[str | None, int]
    card: dict[str, int]


@cache
def names() -> Names:
    """Return the tables, checked against our own map.

    Raises
    ------
    ValueError
        If the tables of the data do not fit its map.
    """
    data = load_data()
    rows: dict[str, Any] = data["catanatron"]
    corner = tuple(rows["node_to_corner"])
    pairs = [tuple(pair) for pair in rows["edge_to_nodes"]]
    for edge, (a, b) in enumerate(pairs):
        if sorted((corner[a], corner[b])) != data["board"]["edge"][edge]["corners"]:
            raise ValueError(f"[catanatron] edge_to_nodes: edge {edge} has other corners")
    station = {row["edge"]: row["id"] for row in data["station"]}
    resource: dict[str | None, int] = {row["catanatron"]: row["index"] for row in data["resource"]}
    return Names(
        corner=corner,
        edge={pair: edge for edge, (a, b) in enumerate(pairs) for pair in ((a, b), (b, a))},
        hex={(x, y, z): number for number, (x, y, z) in enumerate(rows["hex_to_cube"])},
        station_of_port=tuple(station[edge] for edge in rows["port_id_to_edge"]),
        resource={**resource, None: len(resource)},
        card={row["catanatron"]: row["index"] for row in data["dev_card"] if "catanatron" in row},
    )
