"""The options of RisiKo! (RIS-13), the rules that follow from options and preset, and custom objectives (RIS-11.8).

Every rule that differs between presets is an option. An option that is not given takes the preset's value; presets are
columns of the `[[option]]` tables of the data file.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any

from sfida.cython_ext.errors import InvalidOption
from sfida.engines.game import GameOptions
from sfida.engines.language import N_, _
from sfida.engines.spec import as_preset, digests, quoted, refuse_idle, shown

# ---- A custom objective (RIS-11.8), independent of its file

MOST_OBJECTIVES = 32                    # cards in a deck, copies included (MAX_OBJECTIVES of the rules core)
TERRITORIES = 42


@dataclass(frozen=True)
class OwnObjective:
    """One card, or several copies of it.

    Attributes
    ----------
    id : str
        Id for typing, as in ``#objective=``.
    name : str
        Text of the card.
    type : str
        "named" (all of `territories`), or as in the data file: "territories" (any `count`, each with `min_armies`),
        "continents", "continents_plus" (and `extra` others) or "destroy" (`color`, or else `fallback`).
    territories, continents : tuple of str
        Ids of the data file, in its order.
    count, min_armies, extra : int
        0 if the type does not use the field.
    color, fallback : str
        Ids of a colour and of another objective; "" if the type does not use the field.
    copies : int
        Number of copies of the card.
    name_it : str
        Italian text of the card; "" for `name`.
    """

    id: str
    name: str
    type: str
    territories: tuple[str, ...] = ()
    continents: tuple[str, ...] = ()
    count: int = 0
    min_armies: int = 0
    extra: int = 0
    color: str = ""
    fallback: str = ""
    copies: int = 1
    name_it: str = ""

    def row(self) -> dict[str, Any]:
        """Return the objective as a table of the data file."""
        common = {"id": self.id, "name_en": self.name, "name_it": self.name_it, "copies": self.copies}
        if self.type == "named":
            return {**common, "territories": list(self.territories)}
        if self.type == "territories":
            return {**common, "type": self.type, "count": self.count, "min_armies": self.min_armies}
        if self.type == "destroy":
            return {**common, "type": self.type, "color": self.color, "fallback": self.fallback}
        row = {**common, "type": self.type, "continents": list(self.continents)}
        return {**row, "extra": self.extra} if self.type == "continents_plus" else row


# ---- The options of RisiKo! (RIS-13) and the rules that follow from options and preset

PRESETS = ("base", "tournament", "rtu")
MOST_ROUNDS = 10000
SETS = (0, *range(3, 45))               # hand limits that allow a set of cards (RIS-13.7)


@dataclass(frozen=True)
class RisikoOptions(GameOptions):
    """Options of a game; an option that is None takes the preset's value (RIS-13).

    Attributes
    ----------
    players : int
        Number of seats, 3 to 6.
    preset : str
        "base" (the rulebook), "tournament" (its tournament rules) or "rtu" (the clubs' regulation).
    objective_deck : str or None
        "base", "tournament" (custom objectives join it) or "custom" (custom objectives alone).
    objectives : str or None
        Path of a TOML file of custom objectives (docs/play/risiko.md); None: no custom objectives.
    forced_max_defense, no_inferior_attack : bool or None
        RIS-11.3 and RIS-11.4.
    min_garrison : int or None
        Armies that must stay on a territory next to an enemy when others leave it by choice (RIS-11.5).
    points : bool or None
        Score points by the values of territories (RIS-11.10).
    round_limit : int or None
        Last round; 0: no limit, except that the game ends after 10,000 rounds (RIS-17.3).
    limit_result : str or None
        After the last round: "draw" among the survivors, or ranking by "points".
    tie_break : str or None
        Players with equal points share a rank ("shared") or are ranked by further tie-breaks ("rtu", RIS-13.5).
    sdadata : bool or None
        From `round_limit` on, two dice decide at the end of each turn whether the game ends (RIS-13.4).
    trade_table : str or None
        Armies for a set of cards: "base" (4/6/8/10/12) or "rtu" (8/8/8/10/12).
    army_cap : int or None
        Maximum number of armies per player; 0: unlimited (RIS-12.2).
    deal_half_continent_cap : bool or None
        Repeat the deal until nobody has more than half of any continent (RIS-13.3).
    early_elimination : str or None
        Prevention of eliminations in the first `early_elimination_rounds` rounds: "bounded", "no_attack" or "off"
        (RIS-9.6).
    early_elimination_rounds : int or None
    min_reinforcement, extra_reinforcement : int or None
        Minimum of the armies for territories, and armies added in every turn (RIS-5.2, 13.6).
    hand_limit : int or None
        Number of cards in hand at which no more are drawn; 0: unlimited (RIS-13.7).
    reshuffle : str or None
        The discard pile becomes the deck as soon as the last card is drawn ("eager") or at the next draw ("lazy",
        RIS-18.5).
    reveal_objective_on_elimination : bool or None
        Show the objective of an eliminated player (RIS-18.10).
    choose_colors : bool or None
        Players choose their colours (RIS-3.5).
    move_granularity : str or None
        Amounts of armies that a search considers: "compact" or "full" (RIS-14.10).
    """

    players: int = field(default=4, metadata={"low": 3, "high": 6, "doc": N_("number of seats"),
        "label": N_("Players")})
    preset: str = field(default="base", metadata={
        "values": PRESETS, "doc": N_("the rulebook, its tournament rules, or the clubs' regulation"),
        "label": N_("Rules"),
        "words": (N_("the rulebook"), N_("tournament rules of the rulebook"), N_("regulation of the clubs (RTU)"))})
    objective_deck: str | None = as_preset("which objective cards are dealt", values=("base", "tournament", "custom"),
        label=N_("Objective cards"), words=(N_("of the rulebook"), N_("of the tournament"), N_("my own")))
    objectives: str | None = field(default=None, metadata={
        "doc": N_("TOML file of custom objectives, for the custom deck or to join the tournament deck"),
        "unset": N_("no file"), "contents": digests,
        "label": N_("File of my own objectives")})
    forced_max_defense: bool | None = as_preset("the defender always throws as many dice as possible",
                                                values=(False, True),
        label=N_("The defender always throws all dice"))
    no_inferior_attack: bool | None = as_preset("no attack with fewer dice than the defender", values=(False, True),
        label=N_("No attack with fewer dice than the defender"))
    min_garrison: int | None = as_preset("armies that must stay on a border territory when others move on",
                                         low=1, high=9,
        label=N_("Armies that stay on a border"))
    points: bool | None = as_preset("score points by the values of territories", values=(False, True),
        label=N_("Points for territories"))
    round_limit: int | None = as_preset(
        "last round; 0 or none: no limit. base: 100, because the rulebook sets none and a game might never end; "
        "tournament and rtu: 35, for the agreed duration", low=0, high=MOST_ROUNDS, none=0,
        label=N_("Last round"))
    limit_result: str | None = as_preset("result after the last round", values=("draw", "points"),
        label=N_("After the last round"), words=(N_("a draw"), N_("points decide")))
    tie_break: str | None = as_preset("players with equal points share a rank, or are ranked by further tie-breaks",
                                      values=("shared", "rtu"), needs={"limit_result": ("points",)},
        label=N_("Equal points"), words=(N_("share the rank"), N_("go to further tie-breaks")))
    sdadata: bool | None = as_preset("from the last round on, two dice may end the game", values=(False, True),
        label=N_("Dice may end the game from the last round on"))
    trade_table: str | None = as_preset("armies for sets of cards", values=("base", "rtu"),
                                        only_with={"hand_limit": SETS},
        label=N_("Armies for sets of cards"), words=(N_("4, 6, 8, 10 or 12"), N_("8, 8, 8, 10 or 12")))
    army_cap: int | None = as_preset("maximum number of armies per player; 0: unlimited", low=0, high=60000,
        label=N_("Most armies of a player (0: no limit)"))
    deal_half_continent_cap: bool | None = as_preset("nobody is dealt more than half of a continent",
                                                     values=(False, True),
        label=N_("Nobody is dealt more than half a continent"))
    early_elimination: str | None = as_preset("how eliminations are prevented in the first rounds",
                                              values=("bounded", "no_attack", "off"),
                                              only_with={"early_elimination_rounds": range(1, 100)},
        label=N_("Eliminations in the first rounds"),
        words=(N_("limited"), N_("the attack is forbidden"), N_("allowed")))
    early_elimination_rounds: int | None = as_preset("number of rounds without eliminations", low=0, high=99,
                                                     needs={"early_elimination": ("bounded", "no_attack")},
        label=N_("Rounds without eliminations"))
    min_reinforcement: int | None = as_preset("minimum number of armies for territories", low=0, high=9,
        label=N_("Fewest armies for territories"))
    extra_reinforcement: int | None = as_preset("armies added in every turn", low=0, high=9,
        label=N_("Extra armies in every turn"))
    hand_limit: int | None = as_preset("number of cards in hand at which no more are drawn; 0: unlimited",
                                       low=0, high=44,
        label=N_("Most cards in hand (0: no limit)"))
    reshuffle: str | None = as_preset("discards become the deck when it runs out, or at the next draw",
                                      values=("eager", "lazy"), only_with={"hand_limit": SETS},
        label=N_("Discards become the deck"), words=(N_("as soon as it runs out"), N_("at the next draw")))
    reveal_objective_on_elimination: bool | None = as_preset("show the objective of an eliminated player",
                                                             values=(False, True),
        label=N_("Show the objective of an eliminated player"))
    choose_colors: bool | None = as_preset("players choose their colours", values=(False, True),
        label=N_("Players choose their colours"))
    move_granularity: str | None = as_preset("amounts of armies that a search considers", values=("compact", "full"),
        label=N_("Amounts that the computer considers"), words=(N_("a few"), N_("all")))


@dataclass(frozen=True)
class Ruleset:
    """The value of every option, the input of the rules core. Fields have the names of the data file."""

    players: int
    objective_deck: str
    own_objectives: tuple[OwnObjective, ...]
    forced_max_defense: bool
    no_inferior_attack: bool
    min_garrison: int
    points: bool
    round_limit: int
    limit_result: str
    tie_break: str
    sdadata: bool
    trade_table: str
    army_cap: int
    deal_half_continent_cap: bool
    early_elimination: str
    early_elimination_rounds: int
    min_reinforcement: int
    extra_reinforcement: int
    hand_limit: int
    reshuffle: str
    reveal_objective_on_elimination: bool
    choose_colors: bool
    move_granularity: str


def settle(options: RisikoOptions, data: dict[str, Any], own: tuple[OwnObjective, ...] = ()) -> Ruleset:
    """Return the rules that follow from options and preset; `own` are the custom objectives of the options' file.

    Raises
    ------
    InvalidOption
        If options contradict each other or the data file.
    """
    values = {row["id"]: row[options.preset] for row in data["option"]}
    names = {f.name for f in dataclasses.fields(Ruleset)} - {"own_objectives"}
    given = {name: getattr(options, name) for name in names}
    preset = dict(values)
    values.update({name: value for name, value in given.items() if value is not None})
    rules = Ruleset(own_objectives=own, **{name: value for name, value in values.items() if name in names})
    if rules.points != (rules.limit_result == "points"):
        raise InvalidOption(_("points={value} contradicts limit_result={result}: points are shown where they "
                              "decide; give points=true,limit_result=points or points=false,limit_result=draw").format(
            value=str(rules.points).lower(), result=rules.limit_result))
    if rules.sdadata and not rules.points:
        raise InvalidOption(_("sdadata needs points: when the closing dice end the game, points decide; add "
                              "points=true,limit_result=points"))
    if rules.sdadata and not rules.round_limit:
        raise InvalidOption(_("sdadata needs a round_limit: the closing dice are thrown from that round on"))
    armies = next(row["initial_armies"] for row in data["setup"] if row["players"] == rules.players)
    if 0 < rules.army_cap < armies:
        raise InvalidOption(_("army_cap={cap}: each player starts with {armies} armies").format(
            cap=rules.army_cap, armies=armies))
    _check_deck(rules, options.objectives, data)
    refuse_idle(options, values, vars(options) | preset)
    return rules


def _check_deck(rules: Ruleset, file: str | None, data: dict[str, Any]) -> None:
    """Refuse an unused file, too few or too many cards, and objectives that cannot be played."""
    deck = rules.objective_deck
    if file is not None and deck == "base":
        raise InvalidOption(_("the base deck takes no custom objectives: add objective_deck=custom (these alone) or "
                              "objective_deck=tournament (these too)"))
    rows = deck_rows(deck, data, rules.own_objectives)
    if deck == "custom" and not rows:
        raise InvalidOption(_("objective_deck=custom has 0 cards: name a file of them with objectives=FILE "
                              "(docs/play/risiko.md)"))
    source = f"objective_deck={deck}" + (f" with {shown(file)}" if file is not None else "")
    cards = sum(row.get("copies", 1) for row in rows)
    if cards < rules.players:
        raise InvalidOption(_("{source} has {cards} cards, fewer than the {players} players").format(
            source=source, cards=cards, players=rules.players))
    if file is None:                    # the tables and the rules core check the data file
        return
    if cards > MOST_OBJECTIVES:
        raise InvalidOption(_("{source} has {cards} cards, copies counted; at most {most} are possible").format(
            source=source, cards=cards, most=MOST_OBJECTIVES))
    ids = [row["id"] for row in rows]
    twice = next((name for name in ids if ids.count(name) > 1), None)
    if twice is not None:
        raise InvalidOption(_("{source} has two objectives with the id {name}").format(
            source=source, name=quoted(twice)))
    dealt = TERRITORIES // rules.players
    for one in rules.own_objectives:
        asked = one.count * one.min_armies
        if 0 < rules.army_cap < asked:
            raise InvalidOption(_("{source}: {id} asks for {asked} armies, more than army_cap={cap}").format(
                source=source, id=one.id, asked=asked, cap=rules.army_cap))
        if 0 < one.count <= dealt and one.min_armies == 1:
            raise InvalidOption(_("{source}: {id} asks for {count} territories, but each of {players} players is "
                                  "dealt {dealt} or more; ask for {least} at least").format(
                source=source, id=one.id, count=one.count, players=rules.players, dealt=dealt, least=dealt + 1))


def deck_rows(deck: str, data: dict[str, Any], own_objectives: tuple[OwnObjective, ...] = ()) -> list[dict[str, Any]]:
    """Return the tables of the objectives in a deck, in order."""
    if deck == "base":
        return list(data["objective"])
    own = [*data.get("custom_objective", []), *(one.row() for one in own_objectives)]
    return own if deck == "custom" else [*data["tournament_objective"], *own]
