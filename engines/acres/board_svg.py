"""The picture of A Few Acres of Snow: one SVG document of the map, the pieces, both sides and the viewer's cards."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from xml.etree import ElementTree as ET

from sfida.engines.acres.map import map_data, scenery, sheet
from sfida.engines.acres.narration import sentence
from sfida.engines.acres.panel_svg import draw_panel
from sfida.engines.acres.pieces_svg import (
    HALO, INK, LAND, OUTLINE, SEA, harbour, last_ring, letter_badge, say, shield, sign, town, value_sign, village,
    wilderness, with_cards
)
from sfida.engines.acres.position import Position, Siege
from sfida.engines.acres.style import Site, links_of, seat_rgb, side_name, site_key, sites
from sfida.engines.drawing.colors import PLACE, PLACE_RIM, TABLE
from sfida.engines.drawing.svg import add, hit, keep_place, moved, new_sheet, num, title, write, written
from sfida.engines.language import N_, _, language

# ---- Shapes of the sites of A Few Acres of Snow that can be pointed at

_SITE = 33.0                            # radius of the shape of a site


@lru_cache(maxsize=2)
def site_hits(every_ship: bool) -> str:
    """Write the shapes of the sites."""
    root = ET.Element("g")
    group = add(root, "g", class_="hits")
    for site in sites(every_ship):
        hit(group, site_key(site.number), "circle", cx=site.x, cy=site.y, r=_SITE)
    return written(root)


# ---- The picture: the map, the pieces on it, and the news

TOP = 62.0
_NEWS = 1950.0                                      # room for the sentence: letters by their size


def board_svg(position: Position, *, seat: int | None = None, size: int = 800, labels: bool = False,
              places: Collection[tuple[str, int]] = ()) -> str:
    """Draw the map with all pieces and sieges, the two sides, and hand and reserve of the viewing seat as cards.

    Labels are the codes of the sites on plates; the kind of a place is "site".

    Parameters are as in all drawings: see `sfida.engines.drawing`.
    """
    left, top, broad, high = sheet()
    wide = broad + 20
    table = new_sheet(f"{_('A Few Acres of Snow')}: {sentence(position)}", wide, size, TABLE)
    root = table.root
    say(root, 16, 43, _("A Few Acres of Snow"), 34, bold=True, serif=True, fill="#6f1d18")
    if not position.is_over:
        say(root, 420, 42, _("Turn {number}").format(number=position.turn), 21, bold=True, serif=True, class_="turn")
    news = sentence(position)
    say(root, wide - 14, 30, news, min(20.0, _NEWS / len(news)), anchor="end", class_="news")
    last = position.action
    if last is not None:
        say(root, wide - 14, 53, f"{side_name(last.seat)}: {last.text}", 17, anchor="end", fill=seat_rgb(last.seat),
            class_="last-text")
    field = add(add(root, "g", class_="board", transform=f"translate({num(10 - left)} {num(TOP - top)})"), "g",
                clip_path="url(#fas-sheet)")
    keep_place(field, "ground")
    keep_place(field, "sites")
    keep_place(field, "hits")
    height = draw_panel(root, position, seat, TOP + high + 10, wide)
    chosen = frozenset(number for _, number in places) if labels else frozenset()
    drawn = "".join(_site(site, position.owner[site.number], position.town[site.number],
                          position.fort[site.number], position.siege_at(site.number), labels, site.number in chosen,
                          position.last_site == site.number, language()) for site in sites(position.every_ship))
    return with_cards(write(table, height, scenery() | {"sites": f'<g class="sites">{drawn}</g>',
                                                             "hits": site_hits(position.every_ship)}))


@lru_cache(maxsize=4096)
def _site(site: Site, owner: int, is_town: bool, fort: bool, siege: Siege | None, labels: bool, chosen: bool,
          last: bool, _language: str) -> str:
    """Write a site and what stands there; most positions share most of them with the one before."""
    root = ET.Element("g")
    group = moved(root, site.x, site.y, class_=f"site seat-{owner}" if owner >= 0 else "site",
                  data_site=site.number)
    if chosen:
        add(group, "circle", class_="place", r=31.0, fill=PLACE, fill_opacity=0.75, stroke=PLACE_RIM, stroke_width=2.0)
    if siege is not None:
        add(group, "use", href="#fas-burst", fill="#f08a2a", stroke="#7a1d0c", stroke_width=2.2, class_="siege")
    if last:
        last_ring(group, "last")
    if fort:
        add(group, "use", href="#fas-fort-ring", fill="#26221d", stroke="#ffffff", stroke_width=1.6, class_="fort")
    if owner < 0:
        wilderness(group)
    else:
        (town if is_town else village)(group, owner)
    if site.value:
        value_sign(moved(group, 20, -17), site.value, is_town)
    if site.defence:
        shield(moved(group, -20, -17), site.defence)
    _draw_label(group, site, labels, chosen)
    if siege is not None:
        below = map_data()["label"][site.id][1] > 20                # then the plate stands above
        _draw_siege(moved(group, -16, -44 if below else 36, class_="siege-lead"), siege)
    return written(root)


def _draw_label(group: ET.Element, site: Site, labels: bool, chosen: bool) -> None:
    """Write the code with the signs of the site beside it, and the name below."""
    dx, dy, anchor = map_data()["label"][site.id]
    signs = [name for name, has in (("settler", site.settler), ("ship", site.ship), ("harbour", site.sea)) if has]
    signs = [name for name in signs if name != "harbour" or "ship" not in signs]
    wide = (48.0 if signs else 44.0) + 19 * len(signs)
    start = dx - {"start": 0.0, "middle": wide / 2, "end": wide}[anchor]
    if labels:
        add(group, "rect", x=start - 4, y=dy - 14.5, width=50.0, height=18.5, rx=4.0,
            fill=PLACE if chosen else "#fffdf3", stroke=OUTLINE, stroke_width=1.0)
    code, side = (start + 21, "middle") if labels else (start, "start") if signs else (dx, anchor)
    say(group, code, dy, site.code, 16, anchor=side, bold=True, fill=INK, halo=None if labels else HALO, class_="code")
    for i, name in enumerate(signs):
        spot = add(group, "g", class_=f"sign {name}", fill=LAND if name == "settler" else SEA)
        spot.set("color", spot.attrib["fill"])
        place = moved(spot, start + 57 + 19 * i, dy - 6.5)
        add(place, "circle", r=9.4, fill=HALO, opacity=0.85)
        if name == "harbour":
            harbour(place)
        else:
            sign(place, name, 0, 0, 0.62)
    say(group, dx, dy + 14.5, site.name, 13, anchor=anchor, serif=True, italic=True, halo=HALO, class_="site-name")
    title(group, _told(site))


_WAYS_TO = {"river": N_("river to {site}"), "lake": N_("lake to {site}"), "road": N_("road to {site}"),
            "trail": N_("trail to {site}")}


def _told(site: Site) -> str:
    """Say all of a site in one line."""
    parts = [f"{site.name} ({site.code})", _("value {value}").format(value=site.value)]
    parts += [_("defence {defence}").format(defence=site.defence)] if site.defence else []
    parts += [_("needs a settler")] if site.settler else []
    parts += [_("sea, ships count in sieges") if site.ship else _("sea")] if site.sea else []
    parts += [_(_WAYS_TO[kind]).format(site=sites()[other].name) for kind, other in links_of(site.number)]
    return "; ".join(parts)


def _draw_siege(group: ET.Element, siege: Siege) -> None:
    """Draw whose siege it is and by how much the attacker leads."""
    add(group, "rect", x=-13.0, y=-12.0, width=58.0, height=24.0, rx=6.0, fill="#2a1a10", stroke="#ffd23d",
        stroke_width=1.8)
    letter_badge(moved(group, 0, 0, 0.9), siege.attacker)
    say(group, 28, 6, f"{siege.lead:+d}" if siege.lead else "0", 17, anchor="middle", bold=True, fill="#ffd23d",
        class_="lead")
