"""Numbers shown in Attila: influence, conflicts, scorings and odds, against positions played by the core."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

from sfida.cython_ext.rng import Random
from sfida.engines.attila.position import LETTERS, TILES, Move, decode, encode
from sfida.engines.attila.style import centuries, seat_name, tile_names, tribes
from support.fuzzing.numbers import Spot, number_at, numbers_in

if TYPE_CHECKING:
    from sfida.cython_ext.attila.core import AttilaState

_FEW = 10                               # moves of a position whose effects are computed
_WORLDS = 1500                          # worlds in which an exchange is played
_SIGMAS = 5.0


def core(spot: Spot) -> AttilaState:
    """Return the state with its exact type."""
    return cast("AttilaState", spot.state)


def after(spot: Spot, move: Move) -> AttilaState:
    """Return the position after a move."""
    return cast("AttilaState", spot.after(encode(move)))


def legal(state: AttilaState) -> list[Move]:
    """Return the legal moves."""
    return [decode(code) for code in state.legal_moves()]


def fought(state: AttilaState, provinces: int = -1) -> AttilaState:
    """Return the position after all due conflicts, in which no seat lays further cards.

    Parameters
    ----------
    state : AttilaState
    provinces : int
        Only up to the conflict there.
    """
    at = state.clone()
    while at.phase in ("follow", "order", "commit", "prescore") and not at.is_over:
        raw = at.snapshot()
        if raw["battle"] is not None and raw["battle"]["province"] == provinces:
            break
        if at.phase == "prescore" and not raw["queue"]:
            break
        wanted = {"follow": ("influence",), "order": ("fight",), "commit": ("done",), "prescore": ("go_on",)}[at.phase]
        at.apply(encode(next(move for move in legal(at) if move.kind in wanted)))
    return at


def pays(state: AttilaState, tribe: int, tokens: Sequence[Sequence[int]], markers: Sequence[int]) -> list[int]:
    """Return the core's points for a tribe, with given markers, on a board without the other tribes."""
    raw = state.snapshot()
    alone = [[here[tribe] if kind == tribe else 0 for kind in range(len(LETTERS))] for here in tokens]
    row = [[marker if kind == tribe else 0 for kind in range(len(LETTERS))] for marker in markers]
    board = state.clone()
    board.arrange([[min(4, n) for n in here] for here in alone], [[0] * 6] * state.players, influence=row,
                  supply=[0] * 6)
    found = [seat["prospect"] for seat in board.snapshot()["seats"]]
    assert raw["phase"] != "game_over"
    return found


# ---- notes --------------------------------------------------------------------------------------------


def check_notes(spot: Spot) -> None:
    """Compare every note of the legal moves with what the move does."""
    spot.check_notes(_FEW, decode, _NOTES)


def _card(spot: Spot, move: Move, note: str) -> None:
    raw, tribe, seat = core(spot).snapshot(), move.what, spot.state.to_move
    column = [here[tribe] for here in raw["tokens"]]
    shown = numbers_in(note.split(";")[0]) or [0.0, 0.0]
    spot.equal(f"size in '{note}'", shown, [float(sum(column)), float(sum(n > 0 for n in column))])
    spaces = [one["influence"][tribe] for one in raw["seats"]]
    spot.equal(f"own marker in '{note}'", number_at(r"you (\d+)", note), float(spaces[seat]))
    spot.equal(f"best other marker in '{note}'", numbers_in(note)[-1],
               float(max(spaces[:seat] + spaces[seat + 1:])))


def _place(spot: Spot, move: Move, note: str) -> None:
    then, tribe = after(spot, move), core(spot).snapshot()["card"]
    raw = then.snapshot()
    there = raw["tokens"][move.what]
    if move.what in core(spot).snapshot()["queue"]:
        spot.fail(f"a token in a province that fights: {note}")
    fights = sum(there) == 5
    spot.equal(f"conflict in '{note}'", note.startswith("conflict, weakest "), fights)
    if fights:
        _weakest(spot, fought(then, move.what), note)
    else:
        spot.equal(f"'{note}'", note, "the next one starts a conflict" if sum(there) == 4 else
                   "a new province" if there[tribe] == 1 else "")


def _weakest(spot: Spot, ended: AttilaState, note: str) -> None:
    battle = spot.game.position(ended).battle
    gone = [tribe.name for tribe in tribes() if battle.removed[tribe.number]]
    named = re.search(r"weakest (.*) at (\d+)", note)
    assert named is not None
    told = re.split(", | and ", named[1])
    spot.equal(f"who leaves in '{note}'", told if not told[0][0].isdecimal() else int(told[0].split()[0]),
               gone if len(gone) < 3 else len(gone))
    least = min(n for n in battle.strength if n)
    spot.equal(f"strength in '{note}'", int(named[2]), least)


def _conflict(spot: Spot, move: Move, note: str) -> None:
    """Check a conflict with the cards that the mover knows; others' cards count nothing unless they lie open."""
    state, seat = core(spot), spot.state.to_move
    if not spot.game.options.open_commitments and any(
            state.snapshot()["seats"][other]["laid"] for other in range(state.players) if other != seat):
        return
    province = state.snapshot()["queue"][0]
    _weakest(spot, fought(after(spot, move), province), note)


def _influence(spot: Spot, move: Move, note: str) -> None:
    raw, seat = core(spot).snapshot(), spot.state.to_move
    tribe = raw["card"] if move.kind == "influence" else move.what
    then = after(spot, move)
    old, new = ([one["influence"][tribe] for one in state.snapshot()["seats"]] for state in (core(spot), then))
    spot.equal(f"space in '{note}'", number_at(r"to (\d+)", note), float(new[seat]))
    rank, shared = 1 + sum(n > new[seat] for n in new), new.count(new[seat]) > 1
    if new[seat] == spot.game.land.last_space:
        spot.equal(f"place in '{note}'", "the last space" in note, True)
    else:
        place = f"{'shared ' * shared}{('1st', '2nd', '3rd', '4th', '5th')[rank - 1]}"
        spot.equal(f"place in '{note}'", note.split(", ")[1].split(";")[0], place)
    if move.kind != "influence" and raw["back"] == "commit":
        return                          # cards may lie there already
    tokens = then.snapshot()["tokens"]
    if move.kind == "influence" or raw["back"] != "prescore":
        tokens = fought(then).snapshot()["tokens"]
    more = pays(then, tribe, tokens, new)[seat] - pays(then, tribe, tokens, old)[seat]
    spot.equal(f"points in '{note}'", number_at(r"pays (\d+) more", note) or 0.0, float(more))


def _scoring(spot: Spot, move: Move, note: str) -> None:
    then = after(spot, move)
    change = [float(new - old) for old, new in zip(spot.state.scores(), then.scores(), strict=True)]
    told = [number_at(rf"{seat_name(seat)} \+(\d+)", note) for seat in range(spot.state.players)]
    if move.kind == "end_turn":
        spot.equal(f"end of the game in '{note}'", note.startswith("final scoring"), then.is_over)
    spot.equal(f"points in '{note}'", [n or 0.0 for n in told], change)


def _exchange(spot: Spot, move: Move, note: str) -> None:
    """Compare odds with the draws in worlds that are possible for the mover."""
    if spot.rng.random() > 0.3:
        return
    if "%" not in note:
        spot.equal(f"pile in '{note}'", core(spot).snapshot()["pile"], 0)
        return
    view, rng = spot.state.view(spot.state.to_move), Random(spot.rng.getrandbits(32))
    found = [0] * len(LETTERS)
    for _ in range(_WORLDS):
        world = cast("AttilaState", view.sample(rng))
        if move.kind == "tile_exchange":
            drawn = {next(kind for kind, n in enumerate(_one_of(world.pile(), rng)) if n)}
        else:
            held = world.hand(spot.state.to_move)
            world.apply(encode(move))
            while world.phase == "draw":
                world.apply(world.sample_chance(rng))
            drawn = {kind for kind, (a, b) in enumerate(zip(held, world.hand(spot.state.to_move), strict=True))
                     if b > a}
        for kind in drawn:
            found[kind] += 1
    shown = dict(re.findall(r"([FHGSTV]) (\d+) %", note))
    for letter, count in zip(LETTERS, found, strict=True):
        share = count / _WORLDS
        error = _SIGMAS * max(share * (1 - share), 1 / _WORLDS) ** 0.5 / _WORLDS ** 0.5
        if abs(int(shown[letter]) / 100 - share) > 0.0151 + error:
            spot.fail(f"odds of {letter} in '{note}': {100 * share:.1f} % of {_WORLDS} worlds")
        if shown[letter] in ("0", "100") and 0 < share < 1:
            spot.fail(f"odds of {letter} in '{note}' are not certain")


def _one_of(pile: Sequence[int], rng: Random) -> list[int]:
    """Return one card of a pile, each equally likely."""
    at = rng.below(sum(pile))
    found = [0] * len(pile)
    for kind, n in enumerate(pile):
        if 0 <= at < n:
            found[kind] = 1
        at -= n
    return found


_NOTES: dict[str, Callable[[Spot, Move, str], None]] = {
    "card": _card, "at": _place, "second": _place, "influence": _influence, "inf_a": _influence, "inf_b": _influence,
    "commit": _conflict, "done": _conflict, "go_on": _scoring, "end_turn": _scoring, "tile_exchange": _exchange,
    "give_done": _exchange,
}


# ---- groups, words, questions, standings ----------------------------------------------------------------


def check_words(spot: Spot) -> None:
    """Compare the steps of a marker in the words of a move with its actual steps."""
    for code in spot.moves(_FEW):
        move = decode(code)
        if move.kind not in ("influence", "inf_a", "inf_b"):
            continue
        then, seat, words = after(spot, move), spot.state.to_move, spot.game.describe_move(spot.state, code)
        change = [sum(state.snapshot()["seats"][seat]["influence"]) for state in (core(spot), then)]
        told = {"one": 1, "stays": 0}.get(next((word for word in words.split() if word in ("one", "stays")), ""),
                                          numbers_in(words)[0] if numbers_in(words) else 0)
        spot.equal(f"steps of '{words}'", float(told), float(change[1] - change[0]))


def check_told(spot: Spot) -> None:
    """Compare the markers, strengths and peace tiles in the narration of events with the core."""
    for code in spot.moves(_FEW):
        then = cast("AttilaState", spot.after(code))
        told = " | ".join(effect.text for effect in spot.game.narrate(spot.state, code, then, None).effects)
        old, new = core(spot).snapshot(), then.snapshot()
        moved = [(seat_name(seat), str(a), str(b)) for seat, (one, two) in enumerate(zip(old["seats"], new["seats"],
                                                                                        strict=True))
                 for a, b in zip(one["influence"], two["influence"], strict=True) if a != b]
        spot.equal(f"markers in '{told}'", re.findall(r"(\w+)'s marker .*? goes from (\d+) to (\d+)", told), moved)
        spot.equal(f"peace tiles in '{told}'", number_at(r"(\d+) tiles? left in all", told),
                   float(sum(new["peace"])) if new["peace"] != old["peace"] else None)
        battle = spot.game.position(then).battle
        if "conflict in" in told and battle is not None:
            said = told.split("conflict in ")[1].split("|")[0]
            shown = {name: int(n) for name, n in re.findall(r"(\w+) (\d+)", said)}
            spot.equal(f"strengths in '{told}'", shown, {tribe.name: battle.strength[tribe.number] for tribe in tribes()
                                                         if battle.strength[tribe.number]})


def check_groups(spot: Spot) -> None:
    """Compare the groups of places with the effect of a token there."""
    if spot.state.phase not in ("place", "follow"):
        return
    tribe = core(spot).snapshot()["card"]
    for group in spot.game.move_groups(spot.state, list(spot.state.legal_moves())):
        for move in map(decode, group.moves if group.name else ()):
            there = after(spot, move).snapshot()["tokens"][move.what]
            true = ("fights" if sum(there) == 5 else "fills" if sum(there) == 4 else
                    "opens" if there[tribe] == 1 else "adds")
            spot.equal(f"group of {spot.state.format(encode(move))}", group.name, true)


def check_questions(spot: Spot) -> None:
    """Compare the choices in the question with the legal moves, and its numbers with the results of play."""
    seat, state = spot.state.to_move, core(spot)
    if seat < 0:
        return
    asked, kinds, raw = spot.game.question(state, seat), {move.kind for move in legal(state)}, state.snapshot()
    if state.phase == "play":
        spot.equal(f"card of '{asked}'", "plays a card" in asked, "card" in kinds)
        more = number_at(r"then (\d+) more", asked) or 0
        cards = raw["seats"][seat]["hand_size"]
        spot.equal(f"plays of '{asked}'", more, float(min(raw["plays_left"], cards - 1)) if "card" in kinds else 0.0)
    elif state.phase == "follow":
        spot.equal(f"second token of '{asked}'", "or places a second token" in asked, "second" in kinds)
        marker = raw["seats"][seat]["influence"][raw["card"]]
        then = after(spot, Move("influence")).snapshot()["seats"][seat]["influence"][raw["card"]]
        spot.equal(f"gain of '{asked}'", number_at(r"gains (\d+) influence", asked), float(then - marker))
    elif state.phase == "end":
        spot.equal(f"tiles of '{asked}'", {tile for tile, name in tile_names().items() if name in asked},
                   {TILES[kind] for kind in kinds & TILES.keys()})
    elif state.phase == "prescore":
        spot.equal(f"tile of '{asked}'", "may use a tile" in asked, bool(kinds & TILES.keys()))
        number = next((i for i, (a, b) in enumerate(zip(
            map(sum, zip(*(one["gained"] for one in raw["seats"]), strict=True)),
            map(sum, zip(*(one["gained"] for one in after(spot, Move("go_on")).snapshot()["seats"]), strict=True)),
            strict=True)) if a != b), None)
        if number is not None:
            spot.equal(f"century of '{asked}'", number_at(r"(\d+)th century", asked), float(centuries()[number].number))
        gained = [sum(one["gained"][:-1]) for one in after(spot, Move("go_on")).snapshot()["seats"]]
        held = [sum(one["gained"][:-1]) for one in raw["seats"]]
        if "takes the place" in asked:
            spot.equal(f"scoring of '{asked}'", gained, held)
        else:
            due = [one["prospect"] for one in raw["seats"]]
            spot.equal(f"scoring of '{asked}'", [b - a for a, b in zip(held, gained, strict=True)], due)


def check_standings(spot: Spot) -> None:
    """Compare the points of a scoring with conflicts that the core finishes, if nothing is hidden."""
    state = core(spot)
    raw = state.snapshot()
    if state.is_over or any(one["laid"] for one in raw["seats"]) or state.phase in ("place", "follow", "give", "draw"):
        return
    due = state.phase == "prescore" or raw["back"] == "prescore"
    tokens = raw["tokens"]
    if raw["queue"] and not (due and raw["scoring_due"]):
        if raw["back"]:
            return
        tokens = fought(state).snapshot()["tokens"]
    for seat in range(state.players):
        terms = {term.name: term.value for term in spot.game.standing(state, seat, seat)}
        for tribe in tribes():
            markers = [one["influence"][tribe.number] for one in raw["seats"]]
            shown = terms.get(f"points a scoring ({tribe.name})")
            spot.equal(f"scoring of {tribe.name} for seat {seat}", shown,
                       pays(state, tribe.number, tokens, markers)[seat])


def check_counts(spot: Spot) -> None:
    """Compare the shown counts of cards with the core."""
    state, raw = core(spot), core(spot).snapshot()
    for viewer in (None, spot.rng.randrange(state.players)):
        first, *rest = spot.game.stock_text(state, seat=viewer, width=200).splitlines()
        spot.equal("cards not seen", sum(numbers_in(first)), sum(numbers_in(" ".join(rest))))
        spot.equal("cards of the pile", numbers_in(first)[0], float(raw["pile"]))
        hidden = [state.pile()]
        for seat, one in enumerate(spot.game.position(state, viewer).seats):
            if one.hand is None:
                hidden.append(state.hand(seat))
            else:
                spot.equal(f"hand of seat {seat} as seat {viewer} is told", one.hand, state.hand(seat))
            if one.laid_cards is None:
                hidden.append(state.laid(seat))
            else:
                spot.equal(f"cards laid by seat {seat} as seat {viewer} is told", one.laid_cards, state.laid(seat))
        spot.equal("cards not seen by tribe", numbers_in(" ".join(rest)),
                   [float(sum(n)) for n in zip(*hidden, strict=True)])
    if state.is_over:
        for line, score in zip(spot.game.explain_scores(state), state.scores(), strict=True):
            spot.equal(f"'{line}'", number_at(r": (-?\d+) points?", line), float(score))
            spot.equal(f"sum of '{line}'", sum(float(n) for n in re.findall(r"(\d+) from", line)), float(score))


CHECKS: tuple[Callable[[Spot], Any], ...] = (check_notes, check_words, check_told, check_groups, check_questions,
                                             check_standings, check_counts)
