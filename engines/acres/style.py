"""Names, codes, colours and places shared by the texts and pictures of A Few Acres of Snow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from sfida.engines.acres.position import Cards, Position, Siege
from sfida.engines.acres.tables import load_data
from sfida.engines.language import N_, _, counted, named, names_codes

# ---- Names, codes and colours, from the data file

LETTERS, RGB = ("B", "F"), ("#b3261e", "#1f4e9c")
_NAMES = N_("British"), N_("French")
_SUBJECTS = (N_("the British"), N_("the French")), (N_("The British"), N_("The French"))        # within, and first
NEUTRAL_RGB = "#3f7d3a"
TRANSPORTS = {"bateau": "boat", "wagon": "wagon", "ship": "ship"}
_OFFERS = {"boat": N_("boat"), "wagon": N_("wagon"), "ship": N_("ship"), "settler": N_("settler"),
           "military": N_("military"), "fur": N_("fur")}
KINDS = ("river", "lake", "road", "trail")                      # connections in drawings; estuaries are rivers there


@dataclass(frozen=True)
class Site:
    """The data of a site: number, code, names, value, defence, symbols, places on the canvas and in text."""

    number: int
    id: str
    code: str
    name_en: str
    name_it: str
    value: int
    defence: int
    settler: bool
    sea: bool
    ship: bool
    x: float
    y: float
    row: int
    column: int

    @property
    def name(self) -> str:
        """The name in the current language."""
        return named(vars(self))


@dataclass(frozen=True)
class SiteLink:
    """A connection of the board between two sites, a below b; its kind is one of KINDS."""

    a: int
    b: int
    kind: str


@dataclass(frozen=True)
class Card:
    """A card type.

    Attributes
    ----------
    number : int
        0..58 location cards, 59..90 empire cards.
    code, name_en, name_it : str
    side : int
        Seat of its colour; -1 for neutral cards.
    site : int
        Site of a location card; -1 for empire cards.
    links : tuple of (transport, sites)
        Sites that a location card reaches by "boat", "wagon" and "ship", without transports that reach no site.
    symbols : tuple of str
        Symbols of its uses: "boat", "wagon", "ship", "settler", "military", "fur".
    coins : int
    kind : str
        Kind of empire card; "location" for location cards.
    cost, strength : int
        Price of drafting, and strength in a siege (1 for a location card's military symbol; without ships).
    row : dict
        Row in the data.
    """

    number: int
    code: str
    name_en: str
    name_it: str
    side: int
    site: int
    links: tuple[tuple[str, tuple[int, ...]], ...]
    symbols: tuple[str, ...]
    coins: int
    kind: str
    cost: int
    strength: int
    row: Mapping[str, Any] = field(repr=False, compare=False)

    @property
    def name(self) -> str:
        """The name in the current language."""
        return named(vars(self))

    @property
    def abilities(self) -> tuple[str, ...]:
        """Further abilities, in words."""
        return _abilities(self.row) if self.site < 0 else ()

    @property
    def offers(self) -> list[str]:
        """Uses of a location card other than its links, in words."""
        return [*map(offered, self.symbols), *([money_text(self.coins)] if self.coins else [])]


# ---- the board ----------------------------------------------------------------------------------------


@cache
def sites(every_ship: bool = False) -> tuple[Site, ...]:
    """Return the 36 sites by number; `every_ship` as in Position."""
    return tuple(Site(number, row["id"], row["code"], row["name_en"], row["name_it"], row["vp"], row["defence"],
                      row["settler"], row["sea"], row["ship_in_siege"] or (every_ship and row["sea"]),
                      float(row["x"]), float(row["y"]), row["text_row"], row["text_col"])
                 for number, row in enumerate(load_data()["board"]["locations"]))


@cache
def site_numbers() -> Mapping[str, int]:
    """Return the number of each site by its id."""
    return {site.id: site.number for site in sites()}


@cache
def links() -> tuple[SiteLink, ...]:
    """Return the connections of the board except those by sea."""
    found = []
    for row in load_data()["board"]["edges"]:
        a, b = sorted((site_numbers()[row["a"]], site_numbers()[row["b"]]))
        found.append(SiteLink(a, b, "river" if row["kind"] == "estuary" else str(row["kind"])))
    return tuple(found)


@cache
def links_of(number: int) -> tuple[tuple[str, int], ...]:
    """Return kind and other end of each connection of a site except those by sea, in the order of KINDS."""
    found = [(link.kind, link.b if link.a == number else link.a) for link in links() if number in (link.a, link.b)]
    return tuple(sorted(found, key=lambda item: (KINDS.index(item[0]), item[1])))


@cache
def home_sites(attacker: int) -> frozenset[int]:
    """Return the sites whose siege ends the game if the side wins it as attacker (FAS-11.15, 16.1)."""
    data = load_data()
    return frozenset(site_numbers()[name]
                     for name in data["setup"]["victory_siege_targets"][data["game"]["sides"][attacker]])


# ---- cards --------------------------------------------------------------------------------------------


@cache
def cards(by_board: bool = False) -> tuple[Card, ...]:
    """Return the 91 card types by number; `by_board` as in Position."""
    data = load_data()["cards"]
    found = [_location_card(number, row, by_board) for number, row in enumerate(data["location_cards"])]
    return tuple(found + [_empire_card(len(found) + i, row) for i, row in enumerate(data["empire_cards"])])


def _seat(side: str) -> int:
    sides = load_data()["game"]["sides"]
    return int(sides.index(side)) if side in sides else -1


def _location_card(number: int, row: Mapping[str, Any], by_board: bool) -> Card:
    site = sites()[site_numbers()[row["location"]]]
    linked = {key: row[key] for key in TRANSPORTS}
    if by_board and site.id == "fort_st_john":
        linked = {key: [] for key in TRANSPORTS} | load_data()["alternative"]["fort_st_john_cards"]
    reached = tuple((name, tuple(site_numbers()[place] for place in linked[key]))
                    for key, name in TRANSPORTS.items() if linked[key])
    symbols = tuple(TRANSPORTS.get(symbol, symbol) for symbol in row["symbols"])
    return Card(number, site.code, site.name_en, site.name_it, _seat(row["side"]), site.number, reached, symbols,
                row["coins"], "location", 0, int("military" in symbols), row)


def _empire_card(number: int, row: Mapping[str, Any]) -> Card:
    symbols = tuple(TRANSPORTS.get(symbol, symbol) for symbol in row["symbols"])
    return Card(number, row["code"], row["name_en"], row["name_it"], _seat(row["side"]), -1, (), symbols, 0,
                row["kind"], row["cost"], row["strength"], row)


def _abilities(row: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the abilities in the flags and the kind of an empire card, in words."""
    blocks = {(True, True): _("blocks both"), (True, False): _("blocks raids"), (False, True): _("blocks ambushes")}
    said = {"home_support": _("draw 3 cards"), "governor": _("remove 1 or 2 cards"),
            "trader": _("{price} a fur").format(price=money_text(load_data()["income"]["trader_per_fur_card"])),
            "intendant": _("take a discard ({price})").format(price=money_text(row["use_pay"])),
            "convert": _("takes Native Americans"),
            "fortification": _("fortify ({price})").format(price=money_text(load_data()["cost"]["fortify"]))}
    found = [said[row["kind"]]] if row["kind"] in said else []
    found += [_("raid, ambush")] if row["raid"] and row["ambush"] else []
    found += [_("({price} each)").format(price=money_text(row["use_pay"]))] if row["use_pay"] and row["raid"] else []
    found += [_("lengthens raids")] if row["raid_extra"] else []
    found += [blocks[row["block_raid"], row["block_ambush"]]] if row["block_raid"] or row["block_ambush"] else []
    found += [_("defender only")] if row["defender_only"] else []
    found += [_("pay {price} in a siege").format(price=row["siege_pay"])] if row["siege_pay"] else []
    found += [_("free action")] if row["free_action"] else []
    found += [_("may be ambushed")] if row["vulnerable"] else []
    return tuple(found)


def offered(symbol: str) -> str:
    """Return the word for a symbol of a card, such as "boat"."""
    return _(_OFFERS[symbol])


def money_text(amount: int) -> str:
    """Return an amount of money, such as "3 money"."""
    return counted(amount, "money", "money")


def offer_text(card: Card) -> str:
    """Return the links and uses of a card, such as "boat ALB; ship PHI NHV BOS | ship, settler, military, 3 money"."""
    if card.site < 0:
        offers = [*(offered(symbol) for symbol in card.symbols if symbol != "military"),
                  *([_("strength {force}").format(force=card.strength)] if card.strength else []), *card.abilities]
        return ", ".join(offers).replace(", (", " (")
    reached = "; ".join(f"{offered(way)} {' '.join(sites()[place].code for place in places)}"
                        for way, places in card.links)
    return f"{reached or _('no links')} | {', '.join(card.offers) or _('nothing')}"


def strength_at(card: Card, site: Site) -> int:
    """Return the strength of a card in a siege of a site: its better symbol only (FAS-3.8)."""
    ship = int(load_data()["siege"]["ship_symbol_strength"]) if site.ship and "ship" in card.symbols else 0
    return max(card.strength, ship)


def codes_text(piles: Iterable[int]) -> str:
    """Return the codes of cards with numbers of copies, location cards first, such as "BOS RI x2 SA"."""
    pile = sorted(piles)
    return " ".join(cards()[card].code + (f" x{pile.count(card)}" if pile.count(card) > 1 else "")
                    for card in dict.fromkeys(pile))


def dead_cards(position: Position, seat: int, pile: Cards) -> Cards:
    """Return the location cards of a pile that the seat cannot use now (FAS-6)."""
    usable = position.seats[seat].usable
    return tuple(card for card in pile if cards()[card].site >= 0 and cards()[card].site not in usable)


# ---- seats and sieges ---------------------------------------------------------------------------------


def seat_rgb(seat: int) -> str:
    """Return the paint colour of a side, or -1 for the neutral cards."""
    return RGB[seat] if seat >= 0 else NEUTRAL_RGB


def side_name(seat: int) -> str:
    """Return the name of a side, such as "British"."""
    return _(_NAMES[seat])


def the_side(seat: int, *, first: bool = False) -> str:
    """Return a side as the subject of a sentence, such as "the British"; `first`: at the start of the sentence."""
    return _(_SUBJECTS[first][seat])


def captured_points(position: Position, seat: int) -> int:
    """Return the points for the captured pieces of a seat (FAS-16.5)."""
    worth = load_data()["scoring"]
    who = position.seats[seat]
    return int(worth["captured_cube"]) * who.captured_villages + int(worth["captured_disc"]) * who.captured_towns


def siege_prospect(siege: Siege) -> str:
    """Name the side that would win a siege if nothing changes before its turn (FAS-11.2 to 11.4)."""
    rules = load_data()["siege"]
    if siege.lead >= rules["attacker_wins_at"]:
        return _("{side} would win").format(side=side_name(siege.attacker))
    if -siege.lead >= rules["defender_wins_at"]:
        return _("{side} would win").format(side=side_name(1 - siege.attacker))
    return _("undecided")


# ---- Keys of the parts of A Few Acres of Snow at which people point

HAND, RESERVE, SUPPLY, DISCARDS = "card", "reserve", "supply", "discards"   # piles of the mover; supplies are open


def card_name(number: int) -> str:
    """Return the name of a card, with its code if words name codes."""
    card = cards()[number]
    return f"{card.name} ({card.code})" if names_codes() else card.name


def site_key(site: int) -> str:
    """Return the key of a site."""
    return f"site:{sites()[site].code}"


def card_key(pile: str, card: int) -> str:
    """Return the key of the cards of a type in a pile."""
    return f"{pile}:{cards()[card].code}"


def siege_pile(site: int) -> str:
    """Return the pile, for keys, of the cards that the mover has played into a siege of a site."""
    return f"siege-{sites()[site].code}"
