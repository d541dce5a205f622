"""Numbers shown in Zarahemla: prices, yields, odds and effects, against positions played by the core."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from sfida.cython_ext.rng import Random
from sfida.engines.zarahemla.narration import DEALING
from sfida.engines.zarahemla.position import Move, decode, encode
from sfida.engines.zarahemla.style import RESOURCES
from sfida.engines.zarahemla.tables import CARD_IDS, load_data
from support.fuzzing.numbers import SAMPLES, Spot, number_at, numbers_in

if TYPE_CHECKING:
    from sfida.cython_ext.zarahemla.core import ZarahemlaState

_CARDS = re.compile(rf"(\d+) ({'|'.join(RESOURCES)})")
_LOOKED_UP = 0.1                        # share of positions at which the pages of the cards are read
_FEW = 12                               # moves of a position whose effects are computed
_SEVEN = 5                              # argument of the dice
_PLENTY = 16                            # cards of a resource that no roll can exhaust
_NEAR = 4                               # maximum points from two roads and a settlement
_RICH = (3, 3, 1, 1, 0)                 # a hand that pays for two roads and a settlement, in any order


def core(spot: Spot) -> ZarahemlaState:
    """Return the state with its exact type."""
    return cast("ZarahemlaState", spot.state)


def cards_in(text: str) -> list[int]:
    """Return the resource cards that a text names, by resource."""
    found = {name: int(count) for count, name in _CARDS.findall(text)}
    return [found.get(name, 0) for name in RESOURCES]


def got(before: ZarahemlaState, after: ZarahemlaState, seat: int) -> list[int]:
    """Return the gain of a seat in each resource."""
    return [new - old for old, new in zip(before.hand(seat), after.hand(seat), strict=True)]


# ---- constructed positions ----------------------------------------------------------------------------


def arranged(state: ZarahemlaState, **changed: Any) -> ZarahemlaState:
    """Return the same board with empty hands, except for the given changes."""
    raw = state.snapshot()
    found = state.clone()
    found.arrange(**{
        "phase": "pre_roll", "robber": raw["robber"], "roads": [(owner, edge) for edge, owner in raw["roads"]],
        "buildings": [(owner, corner, kind) for corner, owner, kind in raw["buildings"]], **changed})
    return found


def harvests(state: ZarahemlaState, **changed: Any) -> list[tuple[int, list[int]]]:
    """Return for each total of the dice its chances in 36 and each seat's number of cards, computed by the core."""
    start = arranged(state, **changed)
    start.apply(encode("roll"))
    found = []
    for outcome, weight in start.chance_outcomes():
        after = start.clone()
        after.apply(outcome)
        found.append((weight, [sum(after.hand(seat)) for seat in range(state.players)]))
    return found


def production(state: ZarahemlaState, **changed: Any) -> list[int]:
    """Return the number of cards of each seat over the 36 rolls."""
    found = harvests(state, **changed)
    return [sum(weight * cards[seat] for weight, cards in found) for seat in range(state.players)]


def free_board(state: ZarahemlaState) -> int:
    """Return a hex without a number, on which the robber stops no production."""
    return int(state.snapshot()["numbers"].index(0))


def kept(state: ZarahemlaState, kind: str) -> set[int]:
    """Return the arguments of the legal moves of a kind."""
    return {move.arg for move in map(decode, state.legal_moves()) if move.kind == kind}


def builder(state: ZarahemlaState, seat: int) -> ZarahemlaState:
    """Return the board with a seat on turn that can pay for two roads and a settlement."""
    hands = [(0,) * 5] * seat + [_RICH]
    return arranged(state, phase="main", on_turn=seat, hands=hands)


def reaches(state: ZarahemlaState) -> tuple[set[int], set[int]]:
    """Return the corners where the seat on turn may settle, now and after one more road."""
    now, further = kept(state, "settle"), set()
    for edge in kept(state, "road"):
        after = state.clone()
        after.apply(encode("road", edge))
        if not after.is_over:
            further |= kept(after, "settle")
    return now, further - now


# ---- notes --------------------------------------------------------------------------------------------


def check_notes(spot: Spot) -> None:
    """Compare every note of the legal moves with what the move does."""
    spot.check_notes(_FEW, decode, _NOTES)


def _after(spot: Spot, move: Move) -> ZarahemlaState:
    return cast("ZarahemlaState", spot.after(encode(move.kind, move.arg)))


def _paid(spot: Spot, move: Move, note: str) -> None:
    """Check that the mover's cards fall by the shown price."""
    seat = spot.state.to_move
    spot.equal(f"price in '{note}'", [-n for n in cards_in(note[note.index("costs"):])],
               got(core(spot), _after(spot, move), seat))


def _yields(spot: Spot, corner: int, note: str) -> None:
    """Check a corner's number of yielding rolls of 36, and the mention of the robber, in a note."""
    seat, kinds = spot.state.to_move, [(spot.state.to_move, corner, "settlement")]
    rolls = [sum(weight for weight, cards in harvests(core(spot), roads=[], buildings=kinds, robber=robber)
                 if cards[seat]) for robber in (core(spot).snapshot()["robber"], free_board(core(spot)))]
    spot.equal(f"chances of corner {corner} in '{note}'", number_at(r"(\d+) of 36", note) or 0, float(rolls[0]))
    spot.equal(f"word of the robber at corner {corner} in '{note}'", "the robber stops" in note,
               _robbed(core(spot), corner))


def _settle(spot: Spot, move: Move, note: str) -> None:
    _yields(spot, move.arg, note)
    after = _after(spot, move)
    seat, state = spot.state.to_move, core(spot)
    said = [part for part in note.split("; ") if part.endswith("at once")]
    spot.equal(f"cards at once in '{note}'", cards_in("".join(said)), [max(0, n) for n in got(state, after, seat)])
    rates = production_rates(arranged(state, buildings=[(seat, move.arg, "settlement")], roads=[]), seat)
    worth = number_at(r"station (\d):1", note) or 4.0
    spot.equal(f"ratio of the station in '{note}'", worth, float(min(rates)))


def production_rates(state: ZarahemlaState, seat: int) -> list[int]:
    """Return the number of cards of each resource that the bank takes for one card."""
    return list(state.rates(seat))


def _corner(spot: Spot, move: Move, note: str) -> None:
    _yields(spot, move.arg, note)
    if move.kind == "choose_start":
        named = re.findall(rf"({'|'.join(RESOURCES)}) on", note)
        spot.equal("first cards", [named.count(name) for name in RESOURCES],
                   got(core(spot), _after(spot, move), spot.state.to_move))


def _road(spot: Spot, move: Move, note: str) -> None:
    seat = spot.state.to_move
    raw = core(spot).snapshot()["seats"][seat]
    if (raw["roads_left"] < 2 or not raw["settlements_left"]
            or raw["points"] + _NEAR >= spot.game.ruleset.victory_points):
        return
    before = builder(core(spot), seat)
    after = before.clone()
    after.apply(encode("road", move.arg))
    if after.is_over:
        return
    fresh = kept(after, "settle") - kept(before, "settle")
    corners = [int(corner) for corner in re.findall(r"(?:reaches |towards |and )(\d+)", note)]
    if fresh:
        spot.equal(f"corner reached in '{note}'", corners, [min(fresh)])
        _yields(spot, corners[0], note)
        return
    beyond = reaches(after)[1] - reaches(before)[1]
    spot.equal(f"corners ahead in '{note}'", bool(corners), bool(beyond))
    if not set(corners) <= beyond:
        spot.fail(f"'{note}' leads to {sorted(beyond)}")
    for corner, chances in re.findall(r"(\d+) \((\d+) of 36\)", note):
        word = "; the robber stops" if _robbed(core(spot), int(corner)) else ""
        _yields(spot, int(corner), f"{chances} of 36{word}")


def _robbed(state: ZarahemlaState, corner: int) -> bool:
    raw = state.snapshot()
    return raw["robber"] in load_data()["board"]["corner"][corner]["hexes"] and raw["numbers"][raw["robber"]] > 0


def _roll(spot: Spot, move: Move, note: str) -> None:
    seat, rolled, brings, lost = spot.state.to_move, _after(spot, move), 0, 0
    for outcome, weight in rolled.chance_outcomes():
        after = rolled.clone()
        after.apply(outcome)
        brings += weight * sum(got(core(spot), after, seat))
        if decode(outcome).arg == _SEVEN and after.phase == "discard":
            while after.phase == "discard" and after.to_move != seat:
                after.apply(after.legal_moves()[0])
            lost = after.snapshot()["left"] if after.phase == "discard" else 0
    spot.equal(f"cards on average in '{note}'", number_at(r"brings ([\d.]+) cards on average", note),
               float(f"{brings / 36:.1f}"))
    spot.equal(f"loss by a seven in '{note}'", number_at(r"a seven \(1 in 6\) takes (\d+)", note) or 0, float(lost))


def _percentages(spot: Spot, what: str, shown: Sequence[float], counts: Sequence[float], total: int) -> None:
    """Compare percentages with frequencies in sampled worlds that are possible for the mover."""
    for percent, count in zip(shown, counts, strict=True):
        share = count / total
        error = 5 * max(share * (1 - share), 1 / total) ** 0.5 / total ** 0.5
        exact = 0.0051 if 1 < percent < 99 else 0.0101          # only certain outcomes are shown as 0 or 100 %
        if abs(percent / 100 - share) > exact + error:
            spot.fail(f"{what}: shown {percent:g} %, of {total} samples {100 * share:.2f} %")
        if percent in (0, 100) and 0 < share < 1:
            spot.fail(f"{what}: shown {percent:g} %, but it is not certain")


def _draw(spot: Spot, move: Move, note: str) -> None:
    _paid(spot, move, note)
    view, rng = spot.state.view(spot.state.to_move), Random(spot.rng.getrandbits(32))
    counts, samples = [0.0] * len(CARD_IDS), SAMPLES // 10
    for _ in range(samples):
        deck = cast("ZarahemlaState", view.sample(rng)).deck_cards()
        counts = [a + b / sum(deck) for a, b in zip(counts, deck, strict=True)]
    warriors, points = counts[CARD_IDS.index("stripling_warrior")], counts[CARD_IDS.index("victory_point")]
    shown = [float(percent) for percent in re.findall(r"(\d+) %", note)]
    spot.equal(f"sum of '{note}'", sum(shown) in (100, 101), True)
    _percentages(spot, note, shown[:2], [warriors, points], samples)


def _steal(spot: Spot, move: Move, note: str) -> None:
    view, rng = spot.state.view(spot.state.to_move), Random(spot.rng.getrandbits(32))
    size = core(spot).snapshot()["seats"][move.arg]["hand_size"]
    if "%" not in note:
        spot.equal("cards to steal from", note, f"{size} card{'s' * (size > 1)}")
        return
    counts, samples = [0.0] * len(RESOURCES), SAMPLES // 10
    for _ in range(samples):
        hand = cast("ZarahemlaState", view.sample(rng)).hand(move.arg)
        counts = [a + b / size for a, b in zip(counts, hand, strict=True)]
    shown = {name: float(percent) for name, percent in re.findall(r"(\w+) (\d+) %", note)}
    _percentages(spot, note, [shown.get(name, 0) for name in RESOURCES], counts, samples)


def _robber(spot: Spot, move: Move, note: str) -> None:
    state, seat = core(spot), spot.state.to_move
    raw, corners = state.snapshot(), load_data()["board"]["hex"][move.arg]["corners"]
    owners = {owner for corner, owner, _kind in raw["buildings"] if corner in corners}
    lost = [a - b for a, b in zip(production(state, robber=free_board(state)), production(state, robber=move.arg),
                                  strict=True)]
    if spot.game.ruleset.resource_cards_per_type < _PLENTY:
        return
    spot.equal(f"'{note}': nobody has built there", note == "nobody has built there", not owners)
    for owner in owners:
        name = "you" if owner == seat else spot.game.seat_name(owner)
        told = next((part for part in note.split("; ") if part.startswith(name)), "")
        spot.equal(f"harvest of {name} in '{note}'", number_at(r"gets? (\d+) in 36", told) or 0,
                   float(lost[owner]))
        if owner != seat:
            spot.equal(f"cards of {name} in '{note}'", number_at(r"holds (\d+)", told),
                       float(raw["seats"][owner]["hand_size"]))


def _warrior(spot: Spot, move: Move, note: str) -> None:
    after, seat = _after(spot, move), spot.state.to_move
    raw = after.snapshot()
    spot.equal(f"number of the Warrior in '{note}'", numbers_in(note)[0], float(raw["seats"][seat]["warriors"]))
    spot.equal(f"the Largest Army in '{note}'", "takes the Largest Army" in note,
               [one["largest_army"] for one in core(spot).snapshot()["seats"]] !=
               [one["largest_army"] for one in raw["seats"]])
    spot.equal(f"the end in '{note}'", "wins the game" in note, after.is_over)
    spot.equal(f"the robber in '{note}'", "move the robber" in note, after.phase == "robber")
    if not after.is_over:
        robs = any(_after(Spot(spot.case, after), decode(code)).phase == "steal" for code in after.legal_moves())
        spot.equal(f"the theft in '{note}'", "steal a card" in note, robs)


def _prosperity(spot: Spot, move: Move, note: str) -> None:
    after = _after(spot, move)
    spot.equal("cards taken", numbers_in(note), [float(got(core(spot), after, spot.state.to_move)[move.arg])])


def _liahona(spot: Spot, move: Move, note: str) -> None:
    after = _after(spot, move)
    if move.arg == _SEVEN:
        spot.equal("hands that lose half", "lose half" in note, after.phase == "discard")
        return
    for seat in range(spot.state.players):
        name = "you get" if seat == spot.state.to_move else f"{spot.game.seat_name(seat)} gets"
        told = re.search(rf"{name} (.*?)(?:, \w+ gets|$)", note)
        spot.equal(f"cards of seat {seat} in '{note}'", cards_in(told[1] if told else ""),
                   got(core(spot), after, seat))


def _offer(spot: Spot, move: Move, note: str) -> None:
    after, tries = _after(spot, move), int(numbers_in(note)[1])
    spot.equal("offers made", numbers_in(note)[0], float(after.snapshot()["offers_made"]))
    spot.equal("offers in a turn", tries, spot.game.ruleset.trade_max_offers_per_turn)


_NOTES: dict[str, Callable[[Spot, Move, str], None]] = {
    "settle": _settle, "city": _corner, "choose_start": _corner, "road": _road, "roll": _roll, "buy_dev": _draw,
    "temple_stone": _paid, "steal_from": _steal, "move_robber": _robber, "play_warrior": _warrior,
    "play_prosperity": _prosperity, "play_liahona": _liahona, "trade_open": _offer,
}


# ---- words of moves, groups, questions, standings -------------------------------------------------------


def check_words(spot: Spot) -> None:
    """Compare the cards that the words of a trade name with those that change hands."""
    for code in spot.moves(_FEW):
        move = decode(code)
        if move.kind not in ("bank_trade", "trade_pick"):
            continue
        words, seat = spot.game.describe_move(spot.state, code), core(spot).seat_on_turn
        gives, gets = re.split(r" for |, gets ", words)
        change = [b - a for a, b in zip(cards_in(gives), cards_in(gets), strict=True)]
        spot.equal(f"cards of '{words}'", change, got(core(spot), _after(spot, move), seat))


def check_told(spot: Spot) -> None:
    """Compare the narrated gains and losses of cards with the hands, for events that all seats see."""
    for code in spot.moves(_FEW):
        move = decode(code)
        if move.kind not in DEALING - {"settle", "discard"}:
            continue
        then = _after(spot, move)
        effects = [effect.text for effect in spot.game.narrate(spot.state, code, then, None).effects]
        for seat in range(spot.state.players):
            name = spot.game.seat_name(seat).capitalize()
            text = next((text for text in effects if re.match(rf"{name} (gets|loses) \d", text)), "")
            gains, _, pays = text.partition(" for ") if "gets" in text else ("", "", text)
            change = [a - b for a, b in zip(cards_in(gains), cards_in(pays), strict=True)]
            spot.equal(f"cards of seat {seat} in {effects}", change, got(core(spot), then, seat))


def check_groups(spot: Spot) -> None:
    """Compare prices and ratios of the groups with the cards that a move of the group takes."""
    if spot.state.to_move < 0:
        return
    seat = spot.state.to_move
    for group in spot.game.move_groups(spot.state, list(spot.state.legal_moves())):
        kinds: dict[str, list[int]] = {}
        for code in group.moves:
            kinds.setdefault(decode(code).kind, []).append(code)
        if group.name == "build":
            told = dict(zip(("settle", "city", "road"), map(partial(_part, group.words),
                                                            ("settlement", "city", "road")), strict=True))
            for kind, codes in kinds.items():
                spot.equal(f"places in '{told[kind]}'", number_at(r"at (\d+) place", told[kind]), float(len(codes)))
                after = _after(spot, decode(codes[0]))
                spot.equal(f"price in '{told[kind]}'", [-n for n in cards_in(told[kind].split("(")[1])],
                           got(core(spot), after, seat))
        elif group.name == "trades":
            shown = dict(zip(*reversed(tuple(zip(*_CARDS.findall(group.words), strict=True))), strict=True))
            for code in group.moves:
                give, get = divmod(decode(code).arg, 5)
                change = got(core(spot), _after(spot, decode(code)), seat)
                spot.equal(f"ratio in '{group.words}'", int(shown[RESOURCES[give]]), -change[give])
                spot.equal(f"cards got in '{group.words}'", change[get], 1)
        elif group.name == "plays":
            spot.equal("ways to play a card", numbers_in(group.words), [float(len(group.moves))])


def _part(words: str, what: str) -> str:
    found = re.search(rf"{what} at [^)]*\)", words)
    return found[0] if found else ""


def check_questions(spot: Spot) -> None:
    """Compare the numbers in the mover's question with the results of playing the phase to its end."""
    seat = spot.state.to_move
    if seat < 0:
        return
    asked, state = spot.game.question(spot.state, seat), core(spot)
    if state.phase in ("discard", "take", "free_roads"):
        pattern = {"discard": r"gives up (\d+)", "take": r"takes (\d+)", "free_roads": r"places (\d+)"}[state.phase]
        spot.equal(f"choices of '{asked}'", number_at(pattern, asked), float(_longest(state, state.phase, seat)))
    if state.phase == "steal":
        names = [spot.game.seat_name(move.arg).capitalize() for move in map(decode, state.legal_moves())
                 if move.kind == "steal_from"]
        spot.equal(f"victims of '{asked}'", re.findall(r"(\w+) \(\d+ cards?\)", asked), names)
    if state.phase == "main" or state.phase == "trade_respond":
        spot.equal(f"hand of '{asked}'", cards_in(asked.split("with" if state.phase == "main" else "holds")[-1]),
                   list(state.hand(seat)))


def _longest(state: ZarahemlaState, phase: str, seat: int) -> int:
    """Return the longest run of moves within a phase."""
    if state.phase != phase or state.to_move != seat:
        return 0
    best = 0
    for code in state.legal_moves():
        if decode(code).kind != "take_stop":
            after = state.clone()
            after.apply(code)
            best = max(best, 1 + _longest(after, phase, seat))
            if best == state.snapshot()["left"]:
                break
    return best


def check_standings(spot: Spot) -> None:
    """Compare income, places to build and the loss by a seven with the core."""
    state, raw, rules = core(spot), core(spot).snapshot(), spot.game.ruleset
    if state.is_chance or state.is_over:
        return
    cards = production(state) if rules.resource_cards_per_type >= _PLENTY else None
    risks = _discards(state) if state.phase == "pre_roll" else []
    for seat, row in enumerate(raw["seats"]):
        terms = {term.name: term.value for term in spot.game.standing(state, seat, seat)}
        if cards is not None:
            spot.equal(f"cards in 36 rolls of seat {seat}", terms["cards in 36 rolls"], cards[seat])
        if row["roads_left"] >= 2 and row["settlements_left"] and row["points"] + _NEAR < rules.victory_points:
            now, further = reaches(builder(state, seat))
            spot.equal(f"places to settle of seat {seat}", terms["places to settle"], len(now))
            spot.equal(f"places one road away of seat {seat}", terms["places to settle one road away"], len(further))
        spot.equal(f"loss of seat {seat} by a seven", terms["cards that a seven would cost"],
                   risks[seat] if risks else terms["cards that a seven would cost"])
        points = state.dev_cards(seat)[0][CARD_IDS.index("victory_point")] * load_data()["scoring"]["vp_card"]
        spot.equal(f"points of seat {seat}", terms["points"], state.scores()[seat] + points)


def _discards(state: ZarahemlaState) -> list[int]:
    """Return the number of cards that each seat gives up if the dice show a seven now."""
    at, found = state.clone(), [0] * state.players
    for code in (encode("roll"), encode("dice", _SEVEN)):
        at.apply(code)
    while at.phase == "discard":
        found[at.to_move] += 1
        at.apply(at.legal_moves()[0])
    return found


# ---- the whole game -----------------------------------------------------------------------------------


def check_hands(spot: Spot) -> None:
    """Check that a hand shown to a viewer is the true one, and that the shown total of the other hands is right."""
    state = core(spot)
    for viewer in (None, *range(state.players)):
        position = spot.game.position(state, viewer)
        for seat, row in enumerate(position.seats):
            if row.hand is not None:
                spot.equal(f"hand of seat {seat} as seat {viewer} is told", row.hand, state.hand(seat))
            if row.cards is not None:
                spot.equal(f"cards of seat {seat} as seat {viewer} is told", row.card_count,
                           sum(count for _name, count in row.cards))
        if viewer is not None and not state.is_over:
            others = zip(*(state.hand(seat) for seat in range(state.players) if seat != viewer), strict=True)
            told = re.search(r"the others hold together (.*?)(?=\n  \w|\n\w)",
                             spot.game.status_text(state, seat=viewer, width=300), re.DOTALL)
            if told:
                spot.equal(f"what the others of seat {viewer} hold", cards_in(told[1]), list(map(sum, others)))


def check_stock(spot: Spot) -> None:
    """Compare the shown development cards with the deck: the unplayed cards, and the cards that the page explains."""
    if spot.rng.random() > _LOOKED_UP:
        return
    raw, deck = core(spot).snapshot(), spot.game.initial_state().deck_cards()
    held = sum(row["card_count"] for row in raw["seats"])
    first, *rest = spot.game.stock_text(spot.state, seat=None, width=200).splitlines()
    spot.equal("cards not played", numbers_in(first), [float(raw["deck"]), float(held)])
    spot.equal("kinds not played", sum(numbers_in(rest[0])), float(raw["deck"] + held))
    told = dict(re.findall(r"^(\S.*?) \((\d+)\): ", spot.game.cards_text(spot.state, width=300), re.MULTILINE))
    spot.equal("cards of the page", sum(map(int, told.values())), sum(deck))


def check_end(spot: Spot) -> None:
    """Compare the explained result with the scores of the core."""
    if not spot.state.is_over:
        return
    for line, score in zip(spot.game.explain_scores(spot.state), spot.state.scores(), strict=True):
        total = number_at(r": (\d+) points?", line)
        spot.equal(f"'{line}'", total, float(score))
        spot.equal(f"sum of '{line}'", sum(float(n) for n in re.findall(r"(\d+) from", line)), float(score))


CHECKS = (check_notes, check_words, check_told, check_groups, check_questions, check_standings, check_hands,
          check_stock, check_end)
