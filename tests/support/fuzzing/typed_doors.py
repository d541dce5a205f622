"""Doors for text typed at a table: possible and impossible chance outcomes, and moves that a rule forbids.

The conditions of the clauses that a refusal may cite are computed here from a position's numbers and the data,
independently of the code that words the refusals.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

from sfida.cython_ext.acres.core import KINDS
from sfida.cython_ext.errors import AmbiguousNotation, IllegalMove, InvalidNotation, SfidaError
from sfida.cython_ext.rng import Random
from sfida.engines.acres import style
from sfida.engines.acres.notation import synonyms
from sfida.engines.acres.position import decode as acres_move
from sfida.engines.acres.position import encode as acres_code
from sfida.engines.acres.tables import load_data as acres_data
from sfida.engines.attila.position import LETTERS as TRIBES
from sfida.engines.attila.position import decode as attila_move
from sfida.engines.attila.tables import load_data as attila_data
from sfida.engines.carcassonne.position import Deploy, Draw, Place
from sfida.engines.carcassonne.position import decode as carcassonne_move
from sfida.engines.carcassonne.position import encode as carcassonne_code
from sfida.engines.carcassonne.tables import load_tiles, tile_type
from sfida.engines.clauses import rules_of
from sfida.engines.language import LANGUAGES, speaking
from sfida.engines.moves import Choices
from sfida.engines.registry import make
from sfida.engines.risiko.position import Move as RisikoMove
from sfida.engines.risiko.position import decode as risiko_move
from sfida.engines.risiko.position import encode as risiko_code
from sfida.engines.risiko.tables import card_name
from sfida.engines.risiko.tables import load_data as risiko_data
from sfida.engines.zarahemla.map import board, hexes_at
from sfida.engines.zarahemla.notation import LETTERS as RESOURCES
from sfida.engines.zarahemla.position import decode as zarahemla_move
from sfida.engines.zarahemla.tables import CARD_IDS
from support.fuzzing.case import Broken, Case, Door, check_message
from support.recounts.acres import chain, neighbours

SPECS = {
    "carcassonne": ("carcassonne:first_player=random", "carcassonne:players=5,farmers=false,river=false",
                    "carcassonne:players=3,river_uturn=monotone,river_start_tile=shuffled"),
    "zarahemla": ("zarahemla", "zarahemla:preset=catan,players=4", "zarahemla:players=2,trade_gifts=true,steal=may",
                  "zarahemla:trade_mode=simple,temple_before_roll=false,harvest_partial=true,first_player=1"),
    "risiko": ("risiko:players=6", "risiko:preset=tournament,players=4", "risiko:preset=rtu,players=3,round_limit=3",
               "risiko:early_elimination=no_attack,choose_colors=true,players=5"),
    "attila": ("attila:start_player=random", "attila:players=2,removed_tokens=box",
               "attila:players=5,conflict_order=active_chooses,tile_windows=every_decision", "attila:players=4"),
    "acres": ("acres", "acres:preset=second,governor_not_on_start_locations=true",
              "acres:raid_routes=any,placement_after_siege_optional=true,location_cards_in_reserve=false,"
              "lost_location_cards_in_reserve=true",
              "acres:preset=online,french_picks_extra_initial_empire_card=true"),
}
GAMES = 3                       # random games of each spec
MOST_EVENTS = 900
CITED = re.compile(r"\b((?:RIS|ATT|FAS|ZAR|CAR)-\d+\.\d+)")
Ways = tuple[list[str], list[str]]      # texts for an outcome, and texts for no possible outcome


@cache
def _events(spec: str, number: int) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Return the positions of a random game in which luck decides, and those in which a seat decides."""
    luck, rng, state = random.Random(f"{spec} {number}"), Random(number), make(spec)
    chances, decisions = [], []
    for _ in range(MOST_EVENTS):
        if state.is_over:
            break
        (chances if state.is_chance else decisions).append(state.clone())
        moves = state.candidate_moves() if luck.random() < 0.8 and not state.is_chance else state.legal_moves()
        state.apply(state.sample_chance(rng) if state.is_chance else luck.choice(moves))
    return tuple(chances), tuple(decisions)


def _position(rng: random.Random, specs: Sequence[str], *, luck: bool) -> Any:
    """Return a position of a random game, each phase as likely as the others."""
    spec, number = rng.choice(specs), rng.randrange(GAMES)
    found = _events(spec, number)[0 if luck else 1]
    by_phase: dict[str, list[Any]] = {}
    for state in found:
        by_phase.setdefault(_phase(state), []).append(state)
    return rng.choice(by_phase[rng.choice(sorted(by_phase))]).clone()


def _phase(state: Any) -> str:
    return str(state.phase) if hasattr(state, "phase") else str(state.game.position(state).phase)


# ---- luck -------------------------------------------------------------------------------------------


def _shuffled(rng: random.Random, dice: Sequence[int]) -> list[int]:
    return rng.sample(dice, len(dice))


def _names(row: dict[str, Any]) -> list[str]:
    return [str(row[key]) for key in ("name_en", "name_it") if row.get(key)]


def _throw(rng: random.Random, state: Any) -> tuple[str, Ways]:
    """Return a throw of RisiKo!: its canonical text, and ways to type it."""
    raw = state.snapshot()
    attack = [rng.randint(1, 6) for _ in range(raw["attack_dice"])]
    defence = [rng.randint(1, 6) for _ in range(raw["defence_dice"])]
    lost = sum(a > d for a, d in zip(sorted(attack)[::-1], sorted(defence)[::-1], strict=False))
    told = f"-{min(len(attack), len(defence)) - lost}-{lost}"

    def dice(one: Sequence[Any], other: Sequence[Any], gap: str = " ") -> str:
        return f"[{gap.join(map(str, one))}|{gap.join(map(str, other))}]"

    right = [told, dice(attack, defence), dice(_shuffled(rng, attack), _shuffled(rng, defence), ""),
             dice(attack, defence, ", "), dice(attack, defence, "")[1:-1], dice(attack, defence)[1:-1],
             dice(attack, defence) + told, dice(attack, defence) + " " + told]
    wrong = [dice(attack[1:], defence), dice(attack, defence[1:]), dice([*attack, 3], defence),
             dice(attack, [*defence, 4]), dice([0, *attack[1:]], defence), dice(attack, [7, *defence[1:]]),
             dice(["x", *attack[1:]], defence), f"-{raw['attack_dice']}-{raw['defence_dice']}", "-4-0", "[|]",
             dice(attack, defence) + ("-0-1" if told != "-0-1" else "-1-0"), told[:-2], dice([*attack, *defence], [])]
    if len(attack) != len(defence):
        wrong.append(dice(defence, attack))
    return told, (right, wrong)


def _of_risiko(rng: random.Random, state: Any, code: int) -> Ways:
    move, data, raw = risiko_move(code), risiko_data(), state.snapshot()
    rows = data["territory"]
    if move.kind == "draw":
        row = rows[move.amount] if move.amount < len(rows) else {}
        missing = [card_name(card) for card in range(44) if card not in state.deck_cards()]
        return ([f"c:{card_name(move.amount)}", card_name(move.amount), *_names(row),
                 f"C : {card_name(move.amount).lower()}"],
                ["c", "c:", "c:XXX", *(f"c:{card}" for card in missing), *missing])
    if move.kind == "deal":
        row = rows[move.target]
        dealt = [rows[i]["code"] for i, owner in enumerate(raw["owner"]) if owner >= 0]
        return ([f"#deal={row['code']}", row["code"], row["code"].lower(), *_names(row)],
                ["#deal=", "#deal=XXX", *(f"#deal={one}" for one in dealt), *dealt, "J1"])
    if move.kind == "start":
        named = [] if state.game.ruleset.choose_colors else [state.game.seat_name(move.amount)]
        return ([f"#first={move.amount}", str(move.amount), f"#first = {move.amount}", *named],
                [f"#first={state.players}", str(state.players), "#first=-1", "#first=9", "pink", "#first="])
    if move.kind == "objective":
        name, deck = state.rules.objectives[move.amount], state.rules.objectives
        left = {risiko_move(each).amount for each in state.legal_moves()}
        dealt = [each for i, each in enumerate(deck) if i not in left and deck.index(each) not in left]
        return [f"#objective={name}", name, name.upper()], ["#objective=moon", "#objective=", *dealt,
                                                            *(f"#objective={each}" for each in dealt)]
    pairs = [(a, move.amount - a) for a in range(1, 7) if 1 <= move.amount - a <= 6]
    a, b = rng.choice(pairs)
    return ([f"#dice={move.amount}", str(move.amount), f"{a} {b}", f"{b}+{a}", f"{a},{b}"],
            ["#dice=1", "#dice=13", "1", "13", "0 7", "7+1", f"#dice={a},{b},1", "6 6 6"])


def _of_carcassonne(_rng: random.Random, state: Any, code: int) -> Ways:
    move, tiles = carcassonne_move(code), load_tiles()
    if isinstance(move, Draw):
        tile, text = tiles[move.tile], state.format(code)
        left = {carcassonne_move(each).tile for each in state.legal_moves()}
        missing = [one.code for number, one in enumerate(tiles) if number not in left]
        right = [text, text.lower(), tile.code, f"draw {tile.code}", f"pesca {text}", tile.name_en, tile.name_it]
        return right, [*missing, "Z9", "?", "draw", *([] if text.startswith("!") else [f"!{tile.code}"])]
    seat = move.seat
    return ([f"first:{seat}", f"first: {seat}", str(seat), state.game.seat_name(seat)],
            [f"first:{state.players}", str(state.players), "first:", "pink", "first:-1"])


def _of_attila(_rng: random.Random, state: Any, code: int) -> Ways:
    move = attila_move(code)
    if move.kind == "first":
        return ([f"#first={move.what}", str(move.what), *_names(attila_data()["player_colors"][move.what])],
                [f"#first={state.players}", "#first=9", str(state.players), "#first=", "pink"])
    letter, row = TRIBES[move.what], attila_data()["tribes"][move.what]
    held = {attila_move(each).what for each in state.legal_moves()}
    missing = [each for i, each in enumerate(TRIBES) if i not in held]
    return ([f"c:{letter}", letter, f"C: {letter.lower()}", *_names(row)],
            ["c", "c:", "c:?", "c:X", "c:FF", *missing, *(f"c:{each}" for each in missing)])


def _of_acres(_rng: random.Random, state: Any, code: int) -> Ways:
    move, cards = acres_move(code), style.cards()
    card = cards[move.card]
    deck = {acres_move(each).card for each in state.legal_moves()}
    missing = [one.code for one in cards if one.side in (state.mover, -1) and one.number not in deck]
    theirs = [one.code for one in cards if one.side == 1 - state.mover]
    mine = {one.code for one in cards if one.side in (state.mover, -1)}
    twins = [one for one in cards if one.side in (state.mover, -1) and one.name_en == card.name_en]
    return ([f"#draw={card.code}", card.code, card.code.lower(), *([card.name_en] if len(twins) == 1 else [])],
            ["#draw=?", "?", "#draw=", "#draw=XXX", *missing, *(f"#draw={each}" for each in missing),
             *(f"#draw={each}" for each in theirs if each not in mine)])


def _of_zarahemla(rng: random.Random, state: Any, code: int) -> Ways:
    move = zarahemla_move(code)
    arg, text = move.arg, state.format(code)
    sign = text[:text.index("=") + 1]
    if move.kind == "dice":
        a, b = rng.choice([(a, arg + 2 - a) for a in range(1, 7) if 1 <= arg + 2 - a <= 6])
        return ([text, str(arg + 2), f"{a} {b}", f"{b}+{a}", f"#dice = {arg + 2}"],
                ["#dice=1", "#dice=13", "1", "13", "0 8", "7+1", "6 6 6", "#dice=", "#dice=x"])
    if move.kind in ("layout", "token_start", "first_player"):
        most = {"layout": 12288, "token_start": 12, "first_player": state.players}[move.kind]
        named = [state.game.seat_name(arg)] if move.kind == "first_player" else []
        return [text, str(arg), *named], [f"{sign}{most}", str(most), f"{sign}-1", sign, f"{sign}x"]
    possible = {zarahemla_move(each).arg for each in state.legal_moves()}
    if move.kind == "draw_dev":
        missing = [card for i, card in enumerate(CARD_IDS) if i not in possible]
        with speaking(rng.choice(LANGUAGES)):
            named = [state.game.describe_move(state, code)]
        return ([text, text[len(sign):], text.upper()] if named else [],
                [*missing, *(sign + card for card in missing), f"{sign}ace", sign])
    if move.kind == "number":
        absent = [str(n + 2) for n in range(11) if n not in possible]
        return [text, text[len(sign):]], [*(sign + each for each in absent), f"{sign}1", f"{sign}13", sign]
    letters = {"station": RESOURCES + "3", "terrain": RESOURCES + "h"}.get(move.kind, RESOURCES)
    absent = [each for i, each in enumerate(letters) if i not in possible]
    return [text, text[len(sign):]], [*absent, *(sign + each for each in absent), f"{sign}z", sign]


LUCK: dict[str, Callable[[random.Random, Any, int], Ways]] = {
    "risiko": _of_risiko, "carcassonne": _of_carcassonne, "attila": _of_attila, "acres": _of_acres,
    "zarahemla": _of_zarahemla}


def typed_luck(case: Case) -> None:
    """Check that valid ways of typing an outcome are understood, and that invalid ones are refused in one line."""
    rng = case.rng
    name = rng.choice(sorted(SPECS))
    state = _position(rng, SPECS[name], luck=True)
    code = rng.choice(state.legal_moves())
    text = state.format(code)
    if _phase(state) == "chance_roll":
        text, ways = _throw(rng, state)
    else:
        ways = LUCK[name](rng, state, code)
    before, long = state.to_bytes(), len(state.legal_moves()) > 100
    reads: list[Callable[[str], int]] = [state.parse, lambda line: _only(state.game.parse_turn(state, line))]
    reads += [] if long else [Choices(state).find_one]
    for right in ways[0]:
        for read in reads:
            case.note(f"{state.game.spec()}, {_phase(state)}: {right!r} is {text}")
            if state.format(read(right)) != text:
                raise Broken(f"{right!r} is read as {state.format(read(right))}, not as {text}")
    for wrong in rng.sample(ways[1], min(6, len(ways[1]))):
        for read in reads:
            case.note(f"{state.game.spec()}, {_phase(state)}: {wrong!r} cannot happen")
            try:
                found = read(wrong)
            except SfidaError as error:
                check_message(error, wrong)
                continue
            raise Broken(f"{wrong!r} cannot happen, and is read as {state.format(found)}")
    if state.to_bytes() != before:
        raise Broken("reading luck changed the position")


def _only(moves: list[int]) -> int:
    if len(moves) != 1:
        raise Broken(f"one event of luck is read as {len(moves)}")
    return moves[0]


# ---- refusals ---------------------------------------------------------------------------------------


def _risiko_conditions(state: Any, code: int) -> Iterator[str]:
    """Yield the clauses that forbid a move of RisiKo! in its phase."""
    move, raw, rules, seat = risiko_move(code), state.snapshot(), state.game.ruleset, int(state.to_move)
    owner, armies, near = raw["owner"], raw["armies"], _neighbours()
    kind, f, t, n = move.kind, move.origin, move.target, move.amount
    dice = min(3, armies[f] - 1)

    def stay(place: int) -> int:
        return rules.min_garrison if any(owner[other] != seat for other in near[place]) else 1

    if kind == "place":
        yield from (["RIS-3.11" if state.phase == "setup_place" else "RIS-5.5"] if owner[t] != seat else [])
        yield from (["RIS-14.3"] if not 1 <= n <= raw["left"] else [])
    if kind == "trade":
        hand = state.hand(seat)
        yield from (["RIS-14.4"] if not set(move.cards) <= set(hand) else ["RIS-6.4"])
    if kind in ("attack", "assault", "safe_assault"):
        yield from (["RIS-7.2"] if owner[f] != seat or owner[t] == seat or armies[f] < 2 else [])
        yield from (["RIS-7.3"] if t not in near[f] else [])
        yield from (["RIS-7.5"] if kind == "attack" and not 1 <= n <= dice else [])
        yield from (["RIS-14.6"] if kind == "safe_assault" and armies[f] < 5 else [])
        early = (raw["round"] <= rules.early_elimination_rounds and owner.count(owner[t]) == 1
                 and rules.early_elimination != "off")
        able = [n] if kind == "attack" else list(range(1, dice + 1))
        if rules.no_inferior_attack:
            yield from (["RIS-11.4"] if all(k < min(3, armies[t]) for k in able) else [])
            able = [k for k in able if k >= min(3, armies[t])]
        if early and rules.early_elimination == "no_attack":
            yield "RIS-18.9"
        elif early and all(k >= armies[t] for k in able):
            yield "RIS-9.6"
    if kind == "defend":
        yield from (["RIS-7.6"] if not 1 <= n <= min(3, armies[raw["target"]]) else [])
    if kind == "fortify":
        yield from (["RIS-8.2"] if owner[f] != seat or owner[t] != seat or t not in near[f] or n > armies[f] - 1
                    else [])
        yield from (["RIS-14.7"] if n < 1 else [])
        yield from (["RIS-11.5"] if stay(f) > 1 and n > armies[f] - stay(f) else [])
    if kind == "occupy":
        yield from (["RIS-7.12"] if n > armies[raw["origin"]] - 1 else [])
        yield from (["RIS-11.5"] if stay(raw["origin"]) > 1 and n > armies[raw["origin"]] - stay(raw["origin"]) else [])
    if kind == "color":
        yield from (["RIS-3.5"] if risiko_data()["color"][n]["id"] in [row["color"] for row in raw["seats"]] else [])


@cache
def _neighbours() -> list[set[int]]:
    data = risiko_data()
    ids = [row["id"] for row in data["territory"]]
    found: list[set[int]] = [set() for _ in ids]
    for edge in data["board"]["edges"]:
        a, b = ids.index(edge["a"]), ids.index(edge["b"])
        found[a].add(b)
        found[b].add(a)
    return found


def _attila_conditions(state: Any, code: int) -> Iterator[str]:
    """Yield the clauses that forbid a move of Attila in its phase."""
    move, raw, seat, options = attila_move(code), state.snapshot(), int(state.to_move), state.game.options
    land, hand, who = state.game.land, state.hand(seat), raw["seats"][seat]
    what, phase = move.what, state.phase
    standing = [sum(counts[tribe] for counts in raw["tokens"]) for tribe in range(6)]

    def shut(tribe: int, place: int) -> str:
        if raw["pacified"][place]:
            return "ATT-4.5"
        if sum(raw["tokens"][place]) >= 5:
            return "ATT-4.6"
        around = {place} | {end for link in land.links if place in (link.a, link.b) for end in (link.a, link.b)}
        if land.provinces[place].start or any(raw["tokens"][one][tribe] for one in around):
            return ""
        return "ATT-4.3" if standing[tribe] else "ATT-4.2"

    def live(tribe: int) -> bool:
        return bool(raw["supply"][tribe]) and any(not shut(tribe, place) for place in range(len(land.provinces)))

    if move.kind == "card":
        yield from (["ATT-4.1"] if not hand[what] else [])
        yield from (["ATT-4.8"] if not raw["supply"][what] else ["ATT-4.10"] if not live(what) else [])
    if move.kind in ("dump", "skip"):
        yield from (["ATT-4.10"] if (move.kind == "dump" and not hand[what])
                    or any(count and live(tribe) for tribe, count in enumerate(hand))
                    or (move.kind == "skip" and options.no_live_card != "skip") else [])
        yield from (["ATT-13.7"] if move.kind == "dump" and options.no_live_card == "skip" else [])
    if move.kind in ("at", "second"):
        if not raw["supply"][raw["card"]]:
            yield "ATT-4.8"
        yield shut(raw["card"], what)
    if move.kind == "commit":
        yield from (["ATT-6.3"] if not raw["tokens"][raw["queue"][0]][what] else [])
        yield from (["ATT-6.2"] if not hand[what] else [])
        yield from (["ATT-14.3"] if hand[what] and any(state.laid(seat)[what + 1:]) else [])
    if move.kind == "give":
        yield from (["ATT-9.5"] if not hand[what] else [])
        yield from (["ATT-14.3"] if any(raw["given"][what + 1:]) else [])
    if move.kind == "give_done":
        yield from (["ATT-9.5"] if not any(raw["given"]) else [])
    if move.kind in ("inf_a", "inf_b"):
        yield from (["ATT-5.8"] if who["influence"][what] >= land.last_space else [])
        yield from (["ATT-14.3"] if phase == "inf_b" else [])
    if move.kind.startswith("tile_"):
        tile = {"tile_double": "double_turn", "tile_exchange": "exchange", "tile_influence": "influence_2"}[move.kind]
        yield from (["ATT-9.1"] if seat != raw["seat_on_turn"] or raw["tile_used"] else [])
        yield from (["ATT-9.2"] if tile not in who["tiles"] else [])
        yield from (["ATT-9.4"] if tile == "double_turn" and not any(
            count and live(tribe) for tribe, count in enumerate(hand)) else [])
        yield from (["ATT-10.6"] if tile == "exchange" and phase == "end" and raw["ending"] else [])
        yield from (["ATT-14.2"] if (tile == "exchange" and not any(hand)) or (
            tile == "influence_2" and min(who["influence"]) >= land.last_space) else [])
        windows = {"double_turn": {"end"}, "exchange": {"play", "commit", "end"},
                   "influence_2": {"commit", "prescore", "end"}}[tile]
        yield from (["ATT-9.8"] if phase not in windows or (phase == "commit" and any(state.laid(seat))) else [])
        yield from (["ATT-9.6"] if phase in ("inf_a", "inf_b") else ["ATT-9.5"] if phase == "give" else [])
    if move.kind == "fight":
        yield from (["ATT-6.13"] if what not in raw["queue"] else [])


def _reached(seat: int, own: set[int]) -> set[int]:
    """Return the sites that reinforcements of a side can reach (FAS-12.3)."""
    homes: set[int] = set()
    for table in ("home_for_location_cards", "home_for_reinforcement"):
        homes |= {style.site_numbers()[name] for name in acres_data()["setup"][table][("british", "french")[seat]]}
    joined = chain(own, homes)
    return joined.union(*(neighbours()[site] for site in joined))


def _acres_conditions(state: Any, code: int) -> Iterator[str]:
    """Yield the clauses that forbid a move of A Few Acres of Snow in its phase."""
    move, seat, rules, phase = acres_move(code), state.mover, state.game.ruleset, state.phase
    kind = move.kind
    position = state.game.position(state, seat)
    mine, owner, siege = position.seats[seat], position.owner, position.siege_by(move.place)
    cards = style.cards(rules.fort_st_john_cards == "by_board")
    card = cards[move.card] if move.card < len(cards) else None
    place, sites, money = move.place, style.sites(rules.ships_in_every_sea_siege), mine.money
    hand = [cards[each] for each in mine.hand]
    row: Any = {} if card is None or card.site >= 0 else card.row

    def dead(one: Any) -> str:
        if one.site < 0 or one.site in mine.usable:
            return ""
        return ("FAS-6.1" if owner[one.site] != seat else "FAS-6.3" if one.site in position.besieged else "FAS-6.2")

    def fights(one: Any, site: int, defends: bool) -> bool:
        pay = 0 if one.site >= 0 else one.row["siege_pay"]
        return (not dead(one) and pay <= money and style.strength_at(one, sites[site]) > 0
                and (defends or one.kind != "fortification"))

    def other(*without: int) -> list[Any]:
        left = list(mine.hand)
        for each in without:
            if each in left:
                left.remove(each)
        return [cards[each] for each in left if not dead(cards[each])]

    def yes(clause: str, holds: object) -> Iterator[str]:
        if holds:
            yield clause

    if phase == "main":
        yield from yes("FAS-5.2", not position.actions_left)
        yield from yes("FAS-15.16", kind == "end" and position.actions_left)
    absent = card is not None and move.card not in mine.hand
    uses = {"settle": "FAS-7.1", "besiege": "FAS-10.1", "money": "FAS-15.1", "merchant": "FAS-15.2",
            "piracy": "FAS-15.4", "reinforce": "FAS-12.1"}
    if kind in uses and card is not None:
        yield from yes(uses[kind], absent)
        yield dead(card)
    if kind in ("settle", "besiege") and card is not None:
        linked = next((way for way, places in card.links if place in places), "")
        yield from yes(uses[kind], not linked)
        rest = other(move.card)
        movers = [i for i, one in enumerate(rest) if linked in one.symbols]
        yield from yes("FAS-7.2" if kind == "settle" else "FAS-10.2", not movers)
        third = [i for i, one in enumerate(rest) if (
            "settler" in one.symbols if kind == "settle" else fights(one, place, False))]
        alone = not any(i != j for i in movers for j in third)
        yield from yes("FAS-2.7", kind == "settle" and sites[place].settler and alone)
        yield from yes("FAS-10.3", kind == "besiege" and alone)
        yield from yes("FAS-10.5", kind == "besiege" and alone and any(
            one.site < 0 and one.row["siege_pay"] > money for one in rest))
    if kind == "settle":
        regained = owner[place] == seat and any(cards[each].site == place for each in mine.locations)
        yield from yes("FAS-7.1", owner[place] == 1 - seat)
        yield from yes("FAS-7.7", owner[place] == seat and not regained)
        yield from yes("FAS-7.5", not mine.villages and not regained)
    if kind == "besiege":
        yield from yes("FAS-10.1", owner[place] != 1 - seat)
        yield from yes("FAS-10.6", position.siege_by(seat) is not None)
    own = next((one for one in cards if one.site == place and one.side == seat), None)
    if kind in ("develop", "fortify"):
        yield from yes("FAS-8.1" if kind == "develop" else "FAS-9.1", own is None or own.number not in mine.hand)
        yield dead(own) if own is not None else ""
    if kind == "develop":
        yield from yes("FAS-8.2", owner[place] != seat or position.town[place] or not sites[place].value)
        yield from yes("FAS-8.3", not mine.towns)
        yield from yes("FAS-8.1", own is not None and not any(
            "settler" in one.symbols for one in other(own.number)))
    if kind == "fortify" and card is not None:
        yield from yes("FAS-9.1", owner[place] != seat or absent or card.kind != "fortification" or money < 3)
        yield from yes("FAS-9.2", position.fort[place] or not position.forts_left)
        yield from yes("FAS-9.4", place in position.besieged)
    if kind in ("reinforce", "leader", "withdraw"):
        yield from yes("FAS-12.1", siege is None)
    if kind in ("reinforce", "leader") and siege is not None:
        target = siege.site
        yield from yes("FAS-12.3", target not in _reached(seat, {i for i in range(len(owner)) if owner[i] == seat}))
        yield from yes("FAS-12.6", not any(one.kind == "military_leader" for one in hand) if kind == "leader"
                       else card is not None and card.kind == "military_leader")
        if kind == "reinforce" and card is not None:
            strong = style.strength_at(card, sites[target])
            yield from yes("FAS-12.8", card.site == target)
            yield from yes("FAS-12.4", card.kind == "fortification" and place == seat)
            yield from yes("FAS-12.5", not strong and "ship" in card.symbols)
            yield from yes("FAS-12.1", not strong)
            yield from yes("FAS-10.5", row.get("siege_pay", 0) > money)
    if kind == "raid":
        raiders = [one.row for one in hand if one.site < 0 and one.row["raid"]]
        yield from yes("FAS-13.9", owner[place] != 1 - seat)
        yield from yes("FAS-13.7", position.fort[place])
        yield from yes("FAS-13.13", place in position.besieged)
        yield from yes("FAS-13.1", not raiders)
        yield from yes("FAS-13.3", not raiders and any(one.site < 0 and one.row["raid_extra"] for one in hand))
        yield from yes("FAS-13.4", raiders and all(each["use_pay"] > money for each in raiders))
        yield from yes("FAS-13.2", raiders)     # the core computes the reach of cards; all other reasons are excluded
    if kind in ("ambush", "convert", "trader") and card is not None:
        able = {"ambush": row.get("ambush"), "convert": card.kind == "convert", "trader": card.kind == "trader"}[kind]
        clause = {"ambush": "FAS-14.1", "convert": "FAS-14.7", "trader": "FAS-15.3"}[kind]
        yield from yes(clause, absent or not able or (kind == "ambush" and row["use_pay"] > money) or (
            kind == "trader" and not any("fur" in one.symbols for one in other())))
    if kind == "money" and card is not None:
        yield from yes("FAS-15.1", not card.coins)
    if kind == "merchant" and card is not None:
        yield from yes("FAS-15.2", "ship" not in card.symbols or not any(one.coins for one in other(move.card)))
    if kind == "piracy" and card is not None:
        harbour = next(one for one in cards if one.code == "LOU" and one.side == 1)
        yield from yes("FAS-15.4", seat == 0 or harbour.number not in mine.hand or card is harbour
                       or "ship" not in card.symbols)
        yield dead(harbour)
    if kind == "draft" and card is not None:
        yield from yes("FAS-15.5", card.site >= 0 or move.card not in (*mine.empire, *position.neutral)
                       or card.cost > money)
    yield from yes("FAS-15.6", kind == "discard" and absent)
    if kind == "reserve" and card is not None:
        yield from yes("FAS-15.7", absent or len(mine.reserve) >= 5 or card.site >= 0)
    if kind == "govern" and card is not None:
        yield from yes("FAS-15.9", absent or not any(one.kind == "governor" for one in hand) or card.kind == "governor"
                       or (rules.governor_not_on_start_locations and card.site >= 0))
    if kind == "intendant":
        yield from yes("FAS-15.11", seat == 0 or not any(one.kind == "intendant" for one in hand) or money < 2
                       or move.card not in mine.discards)
    yield from yes("FAS-15.8", kind == "retrieve" and (not mine.reserve or money < len(mine.reserve)))
    if kind == "home":
        yield from yes("FAS-15.12", not any(one.kind == "home_support" for one in hand) or not mine.deck)
        yield from yes("FAS-5.9", not mine.deck and not mine.discards)
    yield from yes("FAS-15.15", kind == "withdraw" and place != seat and not rules.defender_may_surrender)
    yield from yes("FAS-5.7", kind == "end" and place == 1)
    steps = {"raiders": "FAS-13.1", "coins": "FAS-15.2", "furs": "FAS-15.3", "discards": "FAS-15.6",
             "govern": "FAS-15.9"}
    if kind in ("transport", "settler", "strength", "also") and card is not None:
        clause = steps.get(phase) or {"settle": "FAS-7.2", "besiege": "FAS-10.2", "develop": "FAS-8.1"}[position.verb]
        early = position.chosen and move.card < position.chosen[-1]
        lacks = {"transport": True, "settler": "settler" not in card.symbols, "strength": False,
                 "raiders": not (row.get("raid") or row.get("raid_extra")), "coins": not card.coins,
                 "furs": "fur" not in card.symbols, "discards": money < 1,
                 "govern": card.kind == "governor" or (
                     rules.governor_not_on_start_locations and card.site >= 0)}[phase]
        yield from yes(clause, absent or lacks or (early and phase in steps))
        yield dead(card)
        yield from yes("FAS-13.4", phase == "raiders" and row.get("use_pay", 0) > money)
        yield from yes("FAS-13.2" if not row.get("raid_extra") else "FAS-13.3", phase == "raiders")
        if phase == "strength":
            strong = style.strength_at(card, sites[position.site])
            yield from yes("FAS-10.3", not strong)
            yield from yes("FAS-10.4", card.kind == "fortification")
            yield from yes("FAS-10.5", row.get("siege_pay", 0) > money)
    if kind == "stop":
        yield from yes("FAS-13.2", phase == "raiders" and position.need)
        yield from yes(steps.get(phase, ""), len(position.chosen) == (phase in ("coins", "furs")))
    if kind == "block" and card is not None:
        raid = phase == "raid_response"
        yield from yes("FAS-13.8" if raid else "FAS-14.2",
                       absent or not row.get("block_raid" if raid else "block_ambush"))
        yield from ([dead(card)] if raid and card.site == position.site else [])
    if kind == "lose" and card is not None:
        zone = mine.reserve if place % 2 else mine.hand
        yield from yes("FAS-14.3", not row.get("vulnerable") or move.card not in zone)
    if kind in ("give", "show"):
        natives = [zone for zone, held in (("hand", mine.hand), ("reserve", mine.reserve)) if any(
            cards[each].kind == "natives" and cards[each].side < 0 for each in held)]
        yield from yes("FAS-14.7", natives if kind == "show" else ("hand", "reserve")[place % 2] not in natives)
        yield from yes("FAS-14.3", kind == "show" and phase == "ambush_loss")
    if kind == "return" and card is not None:
        yield from yes("FAS-11.13" if card.site >= 0 else "FAS-11.12",
                       card.site >= 0 or move.card not in position.siege_at(position.ending).cards[seat])
    if kind == "place":
        wants = sites[position.ending].settler
        yield from yes("FAS-11.7", not wants and card is not None)
        yield from yes("FAS-11.6", wants and (card is None or absent or "settler" not in card.symbols))
        yield dead(card) if card is not None else ""
    if kind == "pick":
        yield from yes("FAS-4.5", move.card not in mine.empire)


def _zarahemla_conditions(state: Any, code: int) -> Iterator[str]:
    """Yield the clauses that forbid a move of Zarahemla in its phase."""
    move, raw, seat, rules = zarahemla_move(code), state.snapshot(), int(state.to_move), state.game.ruleset
    kind, arg, phase, hand, me = move.kind, move.arg, state.phase, state.hand(seat), raw["seats"][int(state.to_move)]
    edges = {edge.number if hasattr(edge, "number") else i: edge.corners for i, edge in enumerate(board().edges)}
    owners = {corner: owner for corner, owner, _kind in raw["buildings"]}
    roads = dict(raw["roads"])
    mine = [edges[edge] for edge, owner in roads.items() if owner == seat]

    def yes(clause: str, holds: object) -> Iterator[str]:
        if holds:
            yield clause

    costs = {"settle": (1, 1, 1, 1, 0), "road": (1, 1, 0, 0, 0), "city": (0, 0, 0, 2, 3), "buy_dev": (0, 0, 1, 1, 1),
             "temple_stone": (0, 1, 0, 0, 1)}
    if kind in costs and phase in ("main", "pre_roll"):
        yield from yes("ZAR-8.1", any(a > b for a, b in zip(costs[kind], hand, strict=True)))
        yield from yes("ZAR-8.6", kind == "settle" and not me["settlements_left"])
        yield from yes("ZAR-8.2", (kind == "road" and not me["roads_left"])
                       or (kind == "city" and not me["cities_left"]))
        yield from yes("ZAR-10.1", kind == "buy_dev" and not raw["deck"])
        yield from yes("ZAR-11.3", kind == "temple_stone" and not me["stones_left"])
    if kind == "settle":
        near = [sum(ends) - arg for ends in edges.values() if arg in ends]
        yield from yes("ZAR-8.4" if phase == "main" else "ZAR-4.4",
                       arg in owners or any(one in owners for one in near)
                       or (phase == "main" and not any(arg in ends for ends in mine))
                       or (phase != "main" and not any(raw["numbers"][one] for one in hexes_at()[arg])))
    if kind == "city":
        yield from yes("ZAR-8.5", (arg, seat, "settlement") not in map(tuple, raw["buildings"]))
    if kind == "road":
        ends = edges[arg]
        reach = any(owners.get(end) == seat or (end not in owners and any(end in other for other in mine))
                    for end in ends)
        yield from yes("ZAR-8.3", arg in roads or not reach)
        yield from yes("ZAR-4.5", phase == "init_road" and raw["placed"] not in ends)
    if kind == "move_robber":
        yield from yes("ZAR-7.5", raw["robber"] == arg or not raw["numbers"][arg])
    if kind == "choose_start":
        yield from yes("ZAR-4.7", owners.get(arg) != seat)
    if kind.startswith("play_"):
        names = {"play_warrior": 0, "play_prosperity": 1, "play_harvest": 2, "play_road_building": 3,
                 "play_temple_building": 4, "play_liahona": 5}
        held, fresh = (counts[names[kind]] for counts in state.dev_cards(seat))
        yield from yes("ZAR-10.2", held <= fresh)
        yield from yes("ZAR-5.7", raw["card_played"])
        yield from yes("ZAR-10.11", kind == "play_liahona" and phase == "main")
        yield from yes("ZAR-10.8", kind == "play_harvest" and not sum(raw["bank"]))
        yield from yes("ZAR-10.9", kind == "play_road_building")
        yield from yes("ZAR-10.10", kind == "play_temple_building" and not me["stones_left"])
    if kind == "temple_stone":
        yield from yes("ZAR-11.5", not rules.temple_enabled)
    if kind == "bank_trade":
        give, get = divmod(arg, 5)
        rate = state.rates(seat)[give]
        yield from yes({4: "ZAR-12.1", 3: "ZAR-12.2", 2: "ZAR-12.3"}[rate], hand[give] < rate)
        yield from yes("ZAR-12.5", not raw["bank"][get])
    if kind == "discard":
        yield from yes("ZAR-7.2", not hand[arg])
        yield from yes("ZAR-7.4", arg < raw["floor"] or sum(hand[arg:]) < raw["left"])
    if kind == "take":
        yield from yes("ZAR-6.5", not raw["bank"][arg])
        yield from yes("ZAR-10.8", arg < raw["floor"] or sum(raw["bank"][arg:]) < raw["left"])
    if kind == "steal_from":
        there = {owner for corner, owner in owners.items() if raw["robber"] in hexes_at()[corner]}
        yield from yes("ZAR-7.7", arg == seat or arg >= state.players or arg not in there
                       or not raw["seats"][arg]["hand_size"])
    if kind == "steal_nothing":
        yield from yes("ZAR-7.8", rules.steal == "must")
    if kind == "take_stop":
        yield from yes("ZAR-10.8", True)
    if kind == "trade_open":
        yield from yes("ZAR-13.15", rules.trade_mode == "none")
        yield from yes("ZAR-13.8", True)        # the number of cards, and whether the trade can be completed
    if kind in ("trade_give", "trade_want"):
        this, that = (raw[side][seat] for side in (("gives", "wants") if kind == "trade_give" else ("wants", "gives")))
        yield from yes("ZAR-13.6", sum(this) >= rules.trade_max_cards_per_side)
        yield from yes("ZAR-13.5", that[arg])
        yield from yes("ZAR-13.7", kind == "trade_give" and hand[arg] <= this[arg])
        each = (sum(raw["bank"]) + sum(row["hand_size"] for row in raw["seats"])) // 5
        others = each - raw["bank"][arg] - hand[arg]
        partners = [row["hand_size"] for i, row in enumerate(raw["seats"]) if i != seat and (
            seat == raw["seat_on_turn"] or i == raw["seat_on_turn"])]
        wants = any(not raw["gives"][seat][r] and r != arg and each - raw["bank"][r] - hand[r] > 0 for r in range(5))
        yield from yes("ZAR-13.9", (any(this) and arg < raw["floor"]) or (kind == "trade_give" and (
            any(that) or not wants)) or (kind == "trade_want" and (
                not any(that) or this[arg] >= others or sum(this) >= max(partners))))
    if kind == "trade_submit":
        yield from yes("ZAR-13.5", not any(raw["gives"][seat]) or not any(raw["wants"][seat]))
    if kind == "trade_accept":
        yield from yes("ZAR-13.7", any(a > b for a, b in zip(raw["wants"][raw["seat_on_turn"]], hand, strict=True)))
    if kind == "trade_counter":
        yield from yes("ZAR-13.15", rules.trade_mode != "full")
        yield from yes("ZAR-13.8", True)
    if kind == "trade_pick":
        yield from yes("ZAR-13.1", arg == seat)
        yield from yes("ZAR-13.11", arg >= state.players or raw["answers"][arg] not in ("yes", "counter") or any(
            a > b for a, b in zip(raw["wants"][arg], hand, strict=True)))


def _carcassonne_conditions(state: Any, code: int) -> Iterator[str]:
    """Yield the clauses that forbid a placement or a follower; if all others allow it, CAR-5.5 or 6.6 remains."""
    move, position, options = carcassonne_move(code), state.game.position(state), state.game.options
    laid = {(tile.x, tile.y) for tile in position.tiles}
    if isinstance(move, Place):
        if load_tiles()[move.tile].code != position.tile_in_hand:
            yield "CAR-4.2"
        near = [max(abs(move.x - x), abs(move.y - y)) + min(abs(move.x - x), abs(move.y - y)) for x, y in laid]
        corner = any(abs(move.x - x) == abs(move.y - y) == 1 for x, y in laid)
        river = load_tiles()[move.tile].set == "river"
        if (move.x, move.y) in laid or (1 not in near and not corner):
            yield "CAR-5.3"
        elif 1 not in near:
            yield "CAR-5.4"
        else:
            yield "CAR-5.5"
        if river:
            yield from ("CAR-11.8", "CAR-11.5" if options.river_uturn == "immediate" else "CAR-13.4")
    if isinstance(move, Deploy) and move.segment is not None:
        segments = tile_type(position.tiles[-1].code).segments
        kind = segments[move.segment].kind if move.segment < len(segments) else ""
        if kind == "river":
            yield "CAR-11.6"
        elif not position.supply[position.seat_on_turn]:
            yield "CAR-6.8"
        elif kind == "field" and not options.farmers:
            yield "CAR-13.6"
        else:
            yield "CAR-6.6"


CONDITIONS: dict[str, tuple[Callable[[int], Any], Callable[[Any, int], Iterator[str]]]] = {
    "risiko": (risiko_move, _risiko_conditions), "attila": (attila_move, _attila_conditions),
    "acres": (acres_move, _acres_conditions), "zarahemla": (zarahemla_move, _zarahemla_conditions),
    "carcassonne": (carcassonne_move, _carcassonne_conditions)}


def _any_code(rng: random.Random, name: str, state: Any) -> int:
    """Return the code of a possible move of a game, in any position."""
    if name == "risiko":
        origin = rng.randrange(42)
        target = rng.choice([*_neighbours()[origin]]) if rng.random() < 0.8 else rng.randrange(42)
        kind = rng.choice(("attack", "assault", "safe_assault", "fortify", "place", "trade", "defend", "occupy"))
        cards = tuple(sorted(rng.sample(range(44), 3)))
        return risiko_code(RisikoMove(kind, cards=cards) if kind == "trade" else RisikoMove(
            kind, *((0, origin) if kind == "place" else (0, 0) if kind in ("defend", "occupy") else (origin, target)),
            0 if "assault" in kind else rng.randrange(5)))
    if name == "attila":
        return rng.randrange(117)
    if name == "zarahemla":
        return rng.randrange(338)
    if name == "acres":
        kind, seat = rng.choice(KINDS[1:-1]), state.mover
        own = [card.number for card in style.cards() if card.side in (seat, -1)]
        with_site = kind in ("settle", "develop", "fortify", "besiege", "raid")
        return acres_code(kind, 0 if kind in ("develop", "raid") else rng.choice(own),
                          rng.randrange(36) if with_site else rng.randrange(2))
    place = rng.choice([move for move in state.legal_moves() if isinstance(carcassonne_move(move), Place)] or [0])
    if not place:
        return carcassonne_code(Deploy(rng.randrange(4)))
    near = carcassonne_move(place)
    assert isinstance(near, Place)
    return carcassonne_code(Place(near.tile, near.x + rng.randrange(-1, 2), near.y + rng.randrange(-1, 2),
                                  rng.randrange(4)))


def _text(rng: random.Random, name: str, state: Any) -> tuple[int, str]:
    """Return a move, legal or not, and its text: a move from another position, or an arbitrary one."""
    if rng.random() < 0.5:
        code = _any_code(rng, name, state)
        try:
            return code, state.format(code)
        except (ValueError, IndexError, KeyError):      # the move has no text here, such as one in a missing siege
            pass
    other = _position(rng, SPECS[name], luck=rng.random() < 0.1)
    code = rng.choice(other.legal_moves())
    return code, other.format(code)


def refusals(case: Case) -> None:
    """Check that a move from another position is legal here, or is refused with a clause that forbids it."""
    rng = case.rng
    name = rng.choice(sorted(SPECS))
    state = _position(rng, SPECS[name], luck=False)
    code, text = _text(rng, name, state)
    if name == "carcassonne" and text.startswith("+"):      # the part of this tile with that name
        ids = [segment.id for segment in tile_type(state.game.position(state).tiles[-1].code).segments]
        code = carcassonne_code(Deploy(ids.index(text[1:]))) if text[1:] in ids else code
    legal = state.legal_moves()
    case.note(f"{state.game.spec()}, {_phase(state)}, {state.to_move} to move: {text!r}")
    before = state.to_bytes()
    with speaking(rng.choice(LANGUAGES)):
        try:
            found = state.parse(text)
        except (InvalidNotation, AmbiguousNotation) as error:
            check_message(error, text)
            if code in legal and state.format(code) == text:
                raise Broken(f"{text!r} is legal and not read: {error}") from error
            return
        except IllegalMove as error:
            check_message(error, text)
            if code in legal and state.format(code) == text:
                raise Broken(f"{text!r} is legal and refused: {error}") from error
            _check_reason(name, state, code, text, str(error))
            return
    if found not in legal:
        raise Broken(f"{text!r} is read as {found}, which is not legal")
    if state.to_bytes() != before:
        raise Broken("reading a move changed the position")


def _check_reason(name: str, state: Any, code: int, text: str, said: str) -> None:
    """Report a refusal that cites no clause, or a clause that does not forbid the move."""
    cited = CITED.findall(said)
    if not cited and name != "carcassonne":     # "tile E has no road" cites no rule
        raise Broken(f"no clause is cited: {said}")
    if not cited:
        return
    rules = rules_of(state.game.name)
    if rules is None or cited[-1] not in rules.clauses:
        raise Broken(f"{cited[-1]} is no clause of the rules: {said}")
    decode, conditions = CONDITIONS[name]
    kind = _kind(decode(code))
    if not _at_its_time(name, state, kind, {_kind(decode(move)) for move in state.legal_moves()}):
        return                          # the reason is the phase, whatever the move
    forbidding = {*conditions(state, code), *_contradicted(state, kind, code, text)} - {""}
    if cited[-1] not in forbidding:
        raise Broken(f"{cited[-1]} does not forbid this, but {sorted(forbidding)}: {said}")


def _kind(move: Any) -> str:
    """Return the kind of a move."""
    return str(getattr(move, "kind", type(move).__name__))


def _contradicted(state: Any, kind: str, code: int, text: str) -> Iterator[str]:
    """Yield the clauses by which a text contradicts the position, in addition to those that forbid its move."""
    raw = state.snapshot()
    if kind == "occupy":
        _x, place, armies = text.split()
        if place != card_name(raw["target"]):
            yield "RIS-7.11"
        if armies.split("+")[0] != str(raw["attack_dice"]):
            yield "RIS-7.10"
    if kind == "bank_trade":
        rate = state.rates(int(state.to_move))[zarahemla_move(code).arg // 5]
        if text[1] != str(rate):
            yield {4: "ZAR-12.1", 3: "ZAR-12.2", 2: "ZAR-12.3"}[rate]


# Kinds of move that belong to a phase, even if none of them is legal.
AT_TIMES = {
    ("acres", "main"): ("pass", "end", "settle", "develop", "fortify", "besiege", "reinforce", "leader", "raid",
                        "ambush", "convert", "money", "merchant", "trader", "piracy", "draft", "discard", "reserve",
                        "govern", "intendant", "retrieve", "home", "withdraw"),
    ("zarahemla", "main"): ("settle", "road", "city", "buy_dev", "bank_trade", "trade_open"),
    ("attila", "play"): ("card", "dump", "skip"), ("attila", "inf_b"): ("inf_b",), ("attila", "give"): ("give_done",),
    ("risiko", "trade"): ("trade",), ("zarahemla", "trade_respond"): ("trade_accept", "trade_counter"),
    ("zarahemla", "trade_pick"): ("trade_pick",), ("zarahemla", "take"): ("take_stop",),
    ("zarahemla", "steal"): ("steal_nothing",), ("acres", "give_zone"): ("give", "show"),
    ("acres", "ambush_loss"): ("lose", "show"), ("acres", "raid_response"): ("block",),
    ("acres", "ambush_response"): ("block",), ("acres", "siege_settle"): ("place",),
    **{("acres", phase): ("also", "stop") for phase in ("raiders", "coins", "furs", "discards", "govern")},
}


def _at_its_time(name: str, state: Any, kind: str, due: set[str]) -> bool:
    """Return whether a kind of move belongs to the phase, so that only its own conditions can forbid a move."""
    card = name == "zarahemla" and kind.startswith("play_") and state.phase in ("main", "pre_roll")
    return card or kind in due or kind.startswith("tile_") or kind in AT_TIMES.get((name, _phase(state)), ())


# ---- words ------------------------------------------------------------------------------------------

WORDS = (
    "pass", "=", "no", "ok", "stop", "none", ".", "end", "done", "passa", "passo", "fine", "basta", "fatto",
    "trade", "tris", "draw", "pesca", "score", "scoring", "influence", "double", "exchange", "skip", "go",
    "on", "turn", "settle", "develop", "fortify", "besiege", "reinforce", "leader", "raid", "ambush",
    "convert", "money", "merchant", "trader", "piracy", "draft", "discard", "reserve", "retrieve", "govern",
    "intendant", "home", "withdraw", "surrender", "allow", "show", "leave", "block", "take", "buy",
    "colonizza", "sviluppa", "fortifica", "assedia", "razzia", "imboscata", "scarta", "riserva", "roll",
    "card", "temple", "warrior", "harvest", "roads", "accept", "reject", "refuse", "offer", "counter", "deal",
    "nodeal", "lancia", "tira", "dadi", "compra", "carta", "tempio", "guerriero", "raccolto", "strade",
    "offri", "accetta", "rifiuta", "nessuno", "niente", "punti", "scambio", "salta", "nobody",
)
MEANT = re.compile(r"(?:did you mean|intendevi) '([^']*)'")


def words(case: Case) -> None:
    """Check that a word that is no move is never suggested for itself, and that suggestions work."""
    rng = case.rng
    name = rng.choice(sorted(SPECS))
    state = _position(rng, SPECS[name], luck=rng.random() < 0.2)
    word = rng.choice(WORDS)
    at = rng.randrange(len(word) + 1)
    typed = rng.choice((word, word, word.upper(), word.title(), word[:at] + word[at + 1:], word[:at] + "e" + word[at:]))
    case.note(f"{state.game.spec()}, {_phase(state)}, {state.to_move} to move: {typed!r}")
    with speaking(rng.choice(LANGUAGES)):
        for read in (state.parse, lambda line: state.game.parse_turn(state, line)):
            try:
                read(typed)
            except SfidaError as error:
                check_message(error, typed)
                _check_hint(state, typed, str(error))


def _check_hint(state: Any, typed: str, said: str) -> None:
    """Refuse a suggestion that repeats the typed text, or does not work."""
    found = MEANT.search(said)
    if found is None:
        return
    if found[1].strip().lower() == typed.strip().lower():
        raise Broken(f"{typed!r} is suggested for itself: {said}")
    if "is no move" not in said and "non è una mossa" not in said:
        return                          # the suggestion is the name of a card or a place
    try:
        state.game.parse_turn(state, found[1])
    except SfidaError as error:
        begins = {state.format(move).split()[0] for move in state.legal_moves()}
        if not begins & {found[1], synonyms().get(found[1], found[1])}:
            raise Broken(f"{found[1]!r} is suggested and does not work: {error}") from error


DOORS = (
    Door("words", "words of commands, right and misspelt", words, share=1, short=150),
    Door("typed-luck", "luck as it fell and as it cannot have fallen", typed_luck, share=0.3, short=60),
    Door("refusals", "moves that a rule forbids", refusals, share=1, short=150),
)

