"""The options of The Settlers of Zarahemla (ZAR-19), and the rules that follow from options and preset.

Every rule that differs between presets is an option. An option that is not given takes the preset's value; presets
are tables of the data file.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any

from sfida.cython_ext.errors import InvalidOption
from sfida.engines.game import GameOptions
from sfida.engines.language import N_, _
from sfida.engines.spec import as_preset, quoted, refuse_idle

PRESETS = ("zarahemla", "zarahemla_10", "zarahemla_11", "catan", "catan_replay")
LETTERS = {"w": "wood", "b": "brick", "a": "water", "g": "wheat", "s": "stone"}
AS_PRESET = "preset"
TRADING = ("full", "simple")
OFFERS = {"trade_max_offers_per_turn": range(1, 256)}
TERRAIN_LETTERS = {**LETTERS, "h": "hideout"}
STATION_LETTERS = {**LETTERS, "3": "generic"}


@dataclass(frozen=True)
class ZarahemlaOptions(GameOptions):
    """Options of a game; an option that is None takes the preset's value (ZAR-19.1).

    Attributes
    ----------
    players : int
        Seats, 2 to 4.
    preset : str
        "zarahemla" (the rulebook), "zarahemla_10" and "zarahemla_11" (its variants), "catan" (the parent game,
        ZAR-19.2) or "catan_replay" (ZAR-19.3).
    terrain : str or None
        A custom map, one letter per hex: w wood, b brick, a water, g wheat, s stone, h the hideout.
    numbers : str or None
        The number tokens of a custom map, one per hex, separated by dots; 0 for the hideout.
    stations : str or None
        The kinds of the stations of a custom map, in order: the letter of a resource, or 3 for a generic one.
    board : str or None
        A board from the data file, in place of a custom map.
    """

    players: int = field(default=2, metadata={"low": 2, "high": 4, "doc": N_("number of seats"),
        "label": N_("Players")})
    preset: str = field(default="zarahemla", metadata={
        "values": PRESETS, "doc": N_("the rulebook, its variants to 10 or 11 points, or the parent game"),
        "label": N_("Rules"),
        "words": (N_("the rulebook"), N_("the rulebook, to 10 points"), N_("the rulebook, to 11 points"),
                  N_("Catan, the parent game"), N_("Catan, for recorded games"))})
    victory_points: int | None = as_preset("points needed to win", low=3, high=99,
        label=N_("Points needed to win"))
    trade_mode: str = field(default=AS_PRESET, metadata={       # a fixed list: "none" is one of its values
        "values": (AS_PRESET, "full", "simple", "none"), "needs": OFFERS,
        "doc": N_("trade between players: as in the preset, with counter-offers, without them, or none"),
        "label": N_("Trade between players"),
        "words": (N_("as in the preset"), N_("with counter-offers"), N_("without counter-offers"), N_("none"))})
    trade_max_offers_per_turn: int | None = as_preset("most offers that a player may make in a turn", low=0, high=255,
                                                      needs={"trade_mode": TRADING},
        label=N_("Most offers in a turn"))
    trade_max_cards_per_side: int | None = as_preset("most cards on each side of an offer", low=1, high=120,
                                                     needs={"trade_mode": TRADING, **OFFERS},
        label=N_("Most cards on each side of an offer"))
    trade_gifts: bool | None = as_preset("whether one side of an offer may be empty, to give or ask for cards",
                                         values=(False, True), needs={"trade_mode": TRADING, **OFFERS},
        label=N_("One side of an offer may be empty"))
    initial_settlements: int | None = as_preset("settlements that each player starts with", low=2, high=3,
        label=N_("Settlements at the start"))
    initial_resources: str | None = as_preset("which starting settlement yields the first cards",
                                              values=("choose", "last_placed"),
        label=N_("First cards come from"),
        words=(N_("a settlement of one's choice"), N_("the settlement placed last")))
    initial_site: str | None = as_preset("where starting settlements go: next to a number, or anywhere",
                                         values=("numbered", "any"),
                                         only_with={"terrain_mode": ("shuffle", "explicit"), "board": (None,)},
        label=N_("Starting settlements stand"), words=(N_("next to a number"), N_("anywhere")))
    temple_enabled: bool | None = as_preset("whether there is a temple to place stones in", values=(True, False),
        label=N_("The temple"))
    temple_before_roll: bool | None = as_preset("whether temple stones may be placed before the dice roll",
                                                values=(True, False), needs={"temple_enabled": (True,)},
        label=N_("Temple stones before the dice"))
    dev_deck: str | None = as_preset("the deck of development cards", values=("zarahemla", "catan"),
        label=N_("Development cards"), words=(N_("of Zarahemla"), N_("of Catan")))
    resource_cards_per_type: int | None = as_preset("cards of each resource in the bank", low=10, high=24,
        label=N_("Cards of each resource in the bank"))
    robber_home_allowed: bool | None = as_preset("whether the robber may return to the hideout", values=(False, True),
        label=N_("The robber may return to the hideout"))
    steal: str | None = as_preset("whether a theft is compulsory or may be declined",
                                  values=("must", "may"),
        label=N_("A theft"), words=(N_("is compulsory"), N_("may be declined")))
    bank_shortage: str | None = as_preset("who is paid when the bank runs short of a resource",
                                          values=("single_rest", "nobody", "turn_order"),
        label=N_("When the bank runs short"),
        words=(N_("a single player gets the rest, several get nothing"), N_("nobody is paid"),
               N_("in the order of turns")))
    longest_road_tie: str | None = as_preset("who holds the Longest Road when a broken road leaves a tie",
                                             values=("holder_keeps", "set_aside"),
        label=N_("A broken Longest Road leaves a tie"), words=(N_("the holder keeps it"), N_("it is set aside")))
    dev_same_turn: bool | None = as_preset("whether a development card may be played in the turn it is bought",
                                           values=(False, True),
        label=N_("Cards may be played in the turn they are bought"))
    harvest_partial: bool | None = as_preset("whether Bountiful Harvest may take only one card", values=(False, True),
        label=N_("Bountiful Harvest may take only one card"))
    discard_limit: int | None = as_preset("most cards a hand may hold without losing half of them to a seven",
                                          low=1, high=99,
        label=N_("Cards that are safe from a seven"))
    max_turns: int | None = as_preset("turns after which an unfinished game is a draw", low=1, high=60000,
        label=N_("Turns until a draw"))
    terrain_mode: str | None = as_preset("how the terrain is laid out", values=("strips", "shuffle", "explicit"),
        label=N_("Terrain"), words=(N_("in strips, as in the rulebook"), N_("at random"), N_("a map of my own")))
    token_mode: str | None = as_preset("how the number tokens are laid out", values=("spiral", "shuffle", "explicit"),
        label=N_("Number tokens"), words=(N_("in a spiral"), N_("at random"), N_("a map of my own")))
    station_mode: str | None = as_preset("how the trading stations are placed",
                                         values=("printed", "shuffle_types", "explicit"),
        label=N_("Trading stations"), words=(N_("as printed"), N_("kinds at random"), N_("a map of my own")))
    first_player: str | None = as_preset("the seat that starts", values=("random", "0", "1", "2", "3"),
        label=N_("First player"),
        words=(N_("drawn at random"), N_("the first seat"), N_("the second seat"), N_("the third seat"),
               N_("the fourth seat")))
    board: str | None = as_preset("a board from the data file", values=("figures",), unset=N_("random"),
        label=N_("Board"), words=(N_("the one in the rulebook's figures"),))
    terrain: str | None = as_preset("a custom map: one letter per hex", unset=N_("random"),
        label=N_("A map of my own: terrain"))
    numbers: str | None = as_preset("its number tokens: one per hex, separated by dots", unset=N_("random"),
        label=N_("A map of my own: numbers"))
    stations: str | None = as_preset("its trading stations: one letter each, or 3 for a 3:1 station",
                                     unset=N_("as printed"),
        label=N_("A map of my own: stations"))


@dataclass(frozen=True)
class Ruleset:
    """The value of every option, the input of the rules core. Fields have the names of the data file."""

    players: int
    victory_points: int
    resource_cards_per_type: int
    dev_deck: str
    temple_enabled: bool
    temple_before_roll: bool
    initial_settlements: int
    initial_resources: str
    initial_site: str
    robber_home_allowed: bool
    steal: str
    bank_shortage: str
    longest_road_tie: str
    dev_same_turn: bool
    harvest_partial: bool
    trade_mode: str
    trade_max_offers_per_turn: int
    trade_max_cards_per_side: int
    trade_gifts: bool
    terrain_mode: str
    token_mode: str
    station_mode: str
    first_player: str
    discard_limit: int
    max_turns: int
    terrain: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    stations: tuple[str, ...] = ()

    @property
    def order(self) -> tuple[int, ...]:
        """Offsets from the first player, one per placed pair: forwards, then backwards (ZAR-4.1, 4.2)."""
        way = range(self.players)
        rounds = [way if k % 2 == 0 else reversed(way) for k in range(self.initial_settlements)]
        return tuple(seat for one in rounds for seat in one)


def preset_values(data: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the value of every option of the data file in a preset."""
    changes = dict(data["presets"][name])
    below = changes.pop("extends", None)
    values = dict(data["options"]) if below is None else preset_values(data, below)
    return {**values, **changes}


def settle(options: ZarahemlaOptions, data: dict[str, Any]) -> Ruleset:
    """Return the rules that follow from options and preset.

    Raises
    ------
    InvalidOption
        If a custom map is incomplete or contradicts another option.
    """
    values = preset_values(data, options.preset)
    values["initial_settlements"] = values["initial_settlements"][str(options.players)]
    values["first_player"] = str(values["first_player"])
    given = {f.name: getattr(options, f.name) for f in dataclasses.fields(Ruleset) if hasattr(options, f.name)}
    for key in ("terrain", "numbers", "stations"):
        del given[key]
    preset = dict(values)
    values.update({key: value for key, value in given.items() if value not in (None, AS_PRESET)})
    values.update(_custom_board(options, data, values))
    names = {f.name for f in dataclasses.fields(Ruleset)}
    rules = Ruleset(**{key: value for key, value in values.items() if key in names})
    if rules.first_player != "random" and int(rules.first_player) >= rules.players:
        raise InvalidOption(_("first_player={value}: there is no such seat with {players} players").format(
            value=rules.first_player, players=rules.players))
    refuse_idle(options, values, vars(options) | preset)
    most = _most_points(data, rules)
    if rules.victory_points > most and options.preset != "catan_replay":
        raise InvalidOption(_("victory_points={points}: no player can have more than {most} with these "
                              "options, so nobody could win").format(points=rules.victory_points, most=most))
    return rules


def _most_points(data: dict[str, Any], rules: Ruleset) -> int:
    """Return the largest possible points of a player: all pieces built and all cards drawn (ZAR-14.1)."""
    points, pieces = data["scoring"], data["pieces_per_player"]
    cards = data["dev_decks"][rules.dev_deck][[card["id"] for card in data["dev_card"]].index("victory_point")]
    return int(pieces["settlements"] * points["settlement"] + pieces["cities"] * points["city"]
               + cards * points["vp_card"] + points["longest_road"] + points["largest_army"]
               + rules.temple_enabled * points["greatest_temple_contributor"])


def _custom_board(options: ZarahemlaOptions, data: dict[str, Any], values: dict[str, Any]) -> dict[str, Any]:
    """Return the checked fields of a given board."""
    n_hexes, n_stations = data["board"]["hexes"], len(data["station"])
    found: dict[str, Any] = {}
    if options.board is not None:
        if options.terrain or options.numbers:
            raise InvalidOption(_("board=... sets terrain and numbers: leave out terrain=... and numbers=..."))
        row = next(row for row in data["test_board"] if row["id"] == options.board)
        found = {"terrain": tuple(row["terrain"]), "numbers": tuple(row["numbers"])}
    if options.terrain is not None:
        found["terrain"] = _letters("terrain", options.terrain, TERRAIN_LETTERS, n_hexes)
    if options.numbers is not None:
        found["numbers"] = _numbers(options.numbers, n_hexes)
    if options.stations is not None:
        found["stations"] = _letters("stations", options.stations, STATION_LETTERS, n_stations)
    terrain = found.get("terrain")
    if terrain is not None and terrain.count("hideout") != 1:
        raise InvalidOption(_("terrain=... needs exactly one hideout (h), not {number}").format(
            number=terrain.count("hideout")))
    if "numbers" in found:
        if terrain is None:
            raise InvalidOption(_("numbers=... needs a custom map: give terrain=... too"))
        wrong = [h for h in range(n_hexes) if (found["numbers"][h] == 0) != (terrain[h] == "hideout")]
        if wrong:
            raise InvalidOption(_("hex {number}: the hideout, and only the hideout, has the number 0").format(
                number=wrong[0]))
    for key, mode in (("terrain", "terrain_mode"), ("numbers", "token_mode"), ("stations", "station_mode")):
        if key in found:
            if getattr(options, mode) not in (None, "explicit"):
                source = f"board={options.board}" if getattr(options, key) is None else f"{key}=..."
                raise InvalidOption(_("{mode}={value} and {source} exclude each other").format(
                    mode=mode, value=getattr(options, mode), source=source))
            found[mode] = "explicit"
        elif values[mode] == "explicit" and not (key == "stations" and options.board):
            raise InvalidOption(_("{mode}=explicit needs {key}=... (see docs/rules/settlers_of_zarahemla.md, "
                                  "ZAR-19.4)").format(mode=mode, key=key))
    if values["station_mode"] == "explicit" and options.board and "stations" not in found:
        found["station_mode"] = "printed"
    return found


def _letters(key: str, text: str, letters: dict[str, str], count: int) -> tuple[str, ...]:
    if len(text) != count or any(letter not in letters for letter in text.lower()):
        raise InvalidOption(_("{key} must be {count} of the letters {letters}, not {text}").format(
            key=key, count=count, letters=", ".join(letters), text=quoted(text)))
    return tuple(letters[letter] for letter in text.lower())


def _numbers(text: str, count: int) -> tuple[int, ...]:
    parts = text.split(".")
    allowed = {str(n) for n in (0, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12)}
    if len(parts) != count or any(part not in allowed for part in parts):
        raise InvalidOption(_("numbers must be {count} of 0, 2..6 and 8..12 separated by dots, not {text}").format(
            count=count, text=quoted(text)))
    return tuple(map(int, parts))
