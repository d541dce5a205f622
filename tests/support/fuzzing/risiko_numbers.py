"""Numbers that RisiKo! shows, computed by playing: odds, losses, effects of conquests, armies, cards, progress.

Battles are fought in the true game, throw by throw, with the most dice on both sides (RIS-22.5).
"""

from __future__ import annotations

import re
from typing import Any

from sfida.cython_ext.state import GameState
from sfida.engines.risiko.objectives import objective_row
from sfida.engines.risiko.position import Move, decode, encode
from sfida.engines.risiko.style import continents, neighbours
from sfida.engines.risiko.tables import codes
from support.fuzzing.numbers import Ends, Spot, ends_of, number_at, numbers_in

_PLAIN = 32                 # maximum number of armies for which odds are exact
_ROUGH = 0.12               # accepted error of odds for scaled stacks
_LISTED = 8                 # moves of a position that are played
_PERCENT = r"(about )?(\d+(?:\.\d+)?) %"


def check(spot: Spot) -> None:
    """Compare all figures shown at a position of RisiKo!, and at a constructed one, with the core."""
    _check(spot)
    if spot.rng.random() < 0.5:
        _check(made(spot))


def made(spot: Spot) -> Spot:
    """Make a position that is rare in play: seats with one territory, full hands, no cards left, early rounds."""
    rng, state = spot.rng, spot.state.clone()
    players = state.players
    few = set(rng.sample(range(players), rng.randrange(players)))
    owner = [rng.choice([seat for seat in range(players) if seat not in few]) for _ in range(42)]
    for seat, place in zip(few, rng.sample(range(42), len(few)), strict=True):
        owner[place] = seat
    armies = [rng.choice((1, 1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 6, 8, 11, 34)) for _ in range(42)]
    pack, hands = rng.sample(range(44), 44), []
    for _ in range(players):
        held = rng.choice((0, 1, 3, 5))
        hands.append(pack[:held])
        del pack[:held]
    everything = rng.random() < 0.2
    if everything:
        hands[0] += pack                # no card is left to draw
    left = list(range(len(state.rules.objectives)))
    state.arrange(owner, armies, phase=rng.choice(("attack", "attack", "place", "turn_start", "fortify")),
                  on_turn=rng.randrange(players), first=rng.randrange(players), round_=rng.choice((1, 3, 4, 5, 9)),
                  left=rng.choice((1, 3, 7)), hands=hands, objectives=rng.sample(left, min(players, len(left))),
                  discards=[] if everything else pack[:rng.choice((0, 5))], conquests=rng.choice((0, 1)))
    return Spot(spot.case, state)


def _check(spot: Spot) -> None:
    _progress(spot)
    _armies_and_cards(spot)
    _told(spot)
    if spot.state.to_move < 0:
        return
    _at_risk(spot)
    _question(spot)
    for code in spot.moves(_LISTED):
        move = decode(code)
        if move.kind in ("attack", "assault", "safe_assault"):
            _attack(spot, code, move)
        elif move.kind == "place":
            _placement(spot, move)
        elif move.kind in _AFTER:
            _AFTER[move.kind](spot, code, move)
    _odds_of_groups(spot)


# ---- battles ----------------------------------------------------------------------------------------


def most_dice(state: GameState) -> int:
    """Return the move with the most dice, so that the defender throws all dice."""
    return max(state.legal_moves(), key=lambda code: decode(code).amount)


def fought(state: GameState, code: int, seed: int) -> Ends:
    """Play an attack until the battle is over; a single throw is continued by an assault to the end."""
    move = decode(code)
    further = encode(Move("assault", move.origin, move.target))

    def goes_on(at: GameState) -> bool:
        return move.kind == "attack" and at.phase == "attack" and further in at.legal_moves()

    def done(at: GameState) -> bool:
        return at.phase not in ("defend", "chance_roll") and not goes_on(at)

    def choose(at: GameState) -> int:
        return further if goes_on(at) else most_dice(at)

    return ends_of(state, code, done, choose, seed, alike=_battle_of)


def _battle_of(state: GameState) -> tuple[Any, ...]:
    """Return a key of positions in one battle: owners, armies, and the current dice."""
    raw = state.snapshot()
    return (raw["phase"], tuple(raw["owner"]), tuple(raw["armies"]), raw["attack_dice"], raw["defence_dice"],
            raw["assault"], raw["conquests"])


def _same(spot: Spot, what: str, shown: tuple[bool, float] | None, true: tuple[float, float], digits: int) -> None:
    """Compare a shown percentage with a probability, which may come from a sample."""
    if shown is None:
        spot.fail(f"{what}: no percentage is shown")
        return
    about, percent = shown
    chance, error = true
    room = 0.5 * 10.0 ** -(digits + 2) + 5.0 * error + 1e-6 + (_ROUGH if about else 0.0)
    if abs(percent / 100.0 - chance) > room:
        spot.fail(f"{what}: shown {percent} %, true {100 * chance:.{digits + 2}f} %")


def _percent(pattern: str, text: str) -> tuple[bool, float] | None:
    found = re.search(pattern.replace("PERCENT", _PERCENT), text)
    return None if found is None else (bool(found[1]), float(found[2]))


def _attack(spot: Spot, code: int, move: Move) -> None:
    state, rng = spot.state, spot.rng
    raw = state.snapshot()
    seat, loser = raw["seat_to_move"], raw["owner"][move.target]
    armies = raw["armies"][move.origin], raw["armies"][move.target]
    if max(armies) > _PLAIN + 8 or (sum(armies) > 20 and rng.random() < 0.8):
        return                          # long battles take too much time
    text, words = state.format(code), spot.words(code)
    ends = fought(state, code, rng.getrandbits(32))
    _same(spot, text, _percent("PERCENT to conquer", words),
          ends.chance(lambda at: at.snapshot()["owner"][move.target] == seat), 1)
    if (max(armies) > _PLAIN) != ("about" in words):
        spot.fail(f"{text}: {words} for armies of {armies}")
    _losses(spot, code, move, words, ends, raw)
    if "a conquest " not in words:
        if any(at.snapshot()["owner"][move.target] == seat and at.snapshot()["seats"][loser]["eliminated_by"] >= 0
               for _chance, at in ends.found):
            spot.fail(f"{text}: {words}, but it can eliminate seat {loser}")
        return
    _conquest(spot, text, words.partition("a conquest ")[2], ends, move, raw)


def _losses(spot: Spot, code: int, move: Move, words: str, ends: Ends, raw: dict[str, Any]) -> None:
    """Check the mean losses of both sides, for one throw or for the whole assault."""
    seat, loser = raw["seat_to_move"], raw["owner"][move.target]
    if move.kind == "attack":
        ends = ends_of(spot.state, code, lambda at: at.phase not in ("defend", "chance_roll"), most_dice, 1,
                       alike=_battle_of)
    name = re.escape(spot.game.seat_name(loser))
    found = re.search(rf"costs (?:about )?(\d+\.\d) armies on average, {name} (\d+\.\d)", words)
    if found is None:
        spot.fail(f"{spot.state.format(code)}: no losses are told: {words}")
        return
    if "about" in words:
        return
    for who, shown in ((seat, found[1]), (loser, found[2])):
        spot.near(f"losses of seat {who} by {spot.state.format(code)}", float(shown), ends,
                  lambda at, who=who: raw["seats"][who]["armies"] - at.snapshot()["seats"][who]["armies"])


def _conquest(spot: Spot, text: str, told: str, ends: Ends, move: Move, raw: dict[str, Any]) -> None:
    """Check that exactly the announced effects of a conquest occur in a position where the target has fallen."""
    seat, loser = raw["seat_to_move"], raw["owner"][move.target]
    conquered = next((at for _chance, at in ends.found if at.snapshot()["owner"][move.target] == seat), None)
    if conquered is None:
        spot.fail(f"{text}: a conquest {told}, but there is none")
        return
    after = conquered.snapshot()
    who = after["seats"][loser]
    spot.equal(f"{text}: {told}: whether it eliminates", "eliminates" in told, who["eliminated_by"] == seat)
    cards = number_at(r"eliminates [^,(]+\((\d+) card", told)
    if "eliminates" in told:
        spot.equal(f"{text}: {told}: cards", cards or 0, raw["seats"][loser]["card_count"])
    falls = [at for _chance, at in ends.found if at.snapshot()["owner"][move.target] == seat]
    won = all(at.is_over and at.snapshot()["winner"] == seat for at in falls)
    if _needs_armies(spot):
        return
    if ("wins the game" in told) != won:
        spot.fail(f"{text}: {told}, but it {'wins' if won else 'does not win'} the game")
    mine, theirs = set(raw["seats"][seat]["continents"]), set(raw["seats"][loser]["continents"])
    for number, land in enumerate(continents()):
        gained = number in set(after["seats"][seat]["continents"]) - mine
        broken = number in theirs - set(who["continents"]) and not gained
        spot.equal(f"{text}: {told}: completes {land.name}",
                   f"completes {land.name} (+{land.bonus} armies per turn)" in told, gained)
        spot.equal(f"{text}: {told}: breaks {land.name}",
                   f"breaks {land.name} (-{land.bonus} for" in told, broken)
    if won:
        return
    spot.equal(f"{text}: {told}: a card", "earns a card" in told,
               not raw["conquests"] and draws_card(conquered, seat, raw["seats"][seat]["card_count"] + (cards or 0)))


def _needs_armies(spot: Spot) -> bool:
    """Return whether the mover's objective needs several armies per territory, so that the last throw matters."""
    seat = spot.state.to_move
    which = spot.state.snapshot(seat)["seats"][seat]["effective"]
    return which is not None and objective_row(spot.game.ruleset, which).get("min_armies", 1) > 1


def draws_card(state: GameState, seat: int, held: float) -> bool:
    """Play to the end of the turn without further attacks, and return whether the seat has drawn a card."""
    state = state.clone()
    while not state.is_over and state.seat_on_turn == seat and state.phase != "draw":
        moves = state.legal_moves()
        ends = [code for code in moves if decode(code).kind.startswith("end_")]
        state.apply(ends[0] if ends else moves[0])
    return state.phase == "draw" and state.seat_on_turn == seat and held >= 0


# ---- armies -----------------------------------------------------------------------------------------


def _hypothetical(spot: Spot, origin: int, target: int, armies: dict[int, int], seat: int) -> tuple[float, float]:
    """Return the probability that a seat's next attack, with these armies, conquers a territory."""
    state, raw = spot.state.clone(), spot.state.snapshot()
    if state.phase == "setup_place":
        coming = 1
    elif seat == raw["seat_on_turn"]:
        coming = raw["round"] + (state.phase in ("fortify", "draw", "sdadata"))
    else:
        order = [(raw["first_seat"] + i) % state.players for i in range(state.players)]
        coming = raw["round"] + (order.index(seat) < order.index(raw["seat_on_turn"]))
    state.arrange(raw["owner"], [armies.get(place, n) for place, n in enumerate(raw["armies"])], on_turn=seat,
                  first=raw["first_seat"], round_=coming, eliminated=[
                      (i, one["eliminated_by"], one["eliminated_round"])
                      for i, one in enumerate(raw["seats"]) if not one["alive"]])
    code = encode(Move("assault", origin, target))
    if state.phase != "attack" or code not in state.legal_moves():
        return 0.0, 0.0
    return fought(state, code, spot.rng.getrandbits(32)).chance(lambda at: at.snapshot()["owner"][target] == seat)


def _placement(spot: Spot, move: Move) -> None:
    raw = spot.state.snapshot()
    seat, here = raw["seat_to_move"], raw["armies"][move.target] + move.amount
    enemies = [place for place in neighbours()[move.target] if raw["owner"][place] != seat]
    note = spot.game.move_note(spot.state, encode(move))
    if not enemies:
        spot.equal("note of an inner placement", note, "no enemy borders it")
        return
    if here > _PLAIN or any(raw["armies"][place] > _PLAIN for place in enemies):
        return
    best = max(_hypothetical(spot, move.target, place, {move.target: here}, seat) for place in enemies)
    worst = max(_hypothetical(spot, place, move.target, {move.target: here}, raw["owner"][place])
                for place in enemies)
    text = f"{spot.state.format(encode(move))}: {note}"
    _same(spot, text, _percent(r"falls with PERCENT, ", note), best, 0)
    _same(spot, text, _percent(r" with PERCENT$", note), worst, 0)


def _at_risk(spot: Spot) -> None:
    """Check that the territories at risk are those that a neighbour conquers with a probability above one half."""
    raw = spot.state.snapshot()
    if spot.state.phase not in ("place", "attack", "fortify", "occupy", "trade") or spot.rng.random() < 0.7:
        return
    seat = spot.rng.randrange(spot.state.players)
    risks = 0
    for place, owner in enumerate(raw["owner"]):
        if owner != seat:
            continue
        attackers = [other for other in neighbours()[place] if raw["owner"][other] != seat]
        if any(max(raw["armies"][other], raw["armies"][place]) > _PLAIN for other in attackers):
            return
        risks += any(_hypothetical(spot, other, place, {}, raw["owner"][other])[0] > 0.5 for other in attackers)
    shown = next(term.value for term in spot.game.standing(spot.state, seat, seat)
                 if term.name == "territories at risk")
    spot.equal(f"territories of seat {seat} at risk", shown, risks)


def _odds_of_groups(spot: Spot) -> None:
    """Check the probabilities in the words of groups of attacks and placements."""
    state, raw = spot.state, spot.state.snapshot()
    if state.phase not in ("attack", "place", "setup_place"):
        return
    groups = spot.game.move_groups(state, list(state.legal_moves()))
    for group in spot.rng.sample(groups, min(2, len(groups))):
        if group.name not in codes():
            continue
        here = codes().index(group.name)
        more = 0 if state.phase == "attack" else max(decode(code).amount for code in group.moves)
        if raw["armies"][here] + more > _PLAIN:
            continue
        for code, about, shown in re.findall(rf"\b([A-Z]{{3}}) {_PERCENT}", group.words):
            target = codes().index(code)
            if raw["armies"][target] <= _PLAIN:
                true = _hypothetical(spot, here, target, {here: raw["armies"][here] + more}, raw["seat_to_move"])
                _same(spot, f"group {group.name}: {group.words}", (bool(about), float(shown)), true, 0)


def _defence(spot: Spot, code: int, move: Move) -> None:
    raw = spot.state.snapshot()
    thrown = spot.after(code)
    outcomes = thrown.chance_outcomes()
    ends = Ends(tuple((weight / sum(each for _code, each in outcomes), Spot(spot.case, thrown).after(roll))
                      for roll, weight in outcomes), sampled=False)
    found = re.search(r"costs (\d+\.\d) armies on average, .* (\d+\.\d)$", spot.game.move_note(spot.state, code))
    if found is None:
        spot.fail(f"{spot.state.format(code)}: no losses are told")
        return
    for who, shown in ((raw["seat_to_move"], found[1]), (raw["seat_on_turn"], found[2])):
        spot.near(f"losses of seat {who} by {spot.state.format(code)}", float(shown), ends,
                  lambda at, who=who: raw["seats"][who]["armies"] - at.snapshot()["seats"][who]["armies"])


def _moved(spot: Spot, code: int, move: Move) -> None:
    raw, after = spot.state.snapshot(), spot.after(code).snapshot()["armies"]
    origin, target = (raw["origin"], raw["target"]) if move.kind == "occupy" else (move.origin, move.target)
    found = re.search(r"(\d+) in .*, (\d+) in ", spot.game.move_note(spot.state, code))
    shown = None if found is None else (int(found[1]), int(found[2]))
    spot.equal(f"armies after {spot.state.format(code)}", shown, (after[origin], after[target]))


def _trade(spot: Spot, code: int, move: Move) -> None:
    note = spot.game.move_note(spot.state, code)
    brought = spot.after(code).snapshot()["left"] - spot.state.snapshot()["left"]
    spot.equal(f"{spot.state.format(code)}: {note}", number_at(r"brings (\d+) arm", note), brought)


def _attacks_end(spot: Spot, code: int, move: Move) -> None:
    note = spot.game.move_note(spot.state, code)
    seat = spot.state.seat_on_turn
    after = spot.after(code)
    drawn = not after.is_over and (after.phase == "draw" or draws_card(after, seat, 0))
    spot.equal(f"'=' with the note '{note}'", note == "a card at the end of the turn",
               drawn and after.seat_on_turn == seat)


_AFTER = {"defend": _defence, "occupy": _moved, "fortify": _moved, "trade": _trade, "end_attack": _attacks_end}


# ---- texts ------------------------------------------------------------------------------------------


def _question(spot: Spot) -> None:
    """Check that the question states whether a card comes, and the number of armies to place."""
    state, raw = spot.state, spot.state.snapshot()
    said = spot.game.question(state, raw["seat_to_move"])
    if state.phase == "attack":
        end = next(code for code in state.legal_moves() if decode(code).kind == "end_attack")
        note = spot.game.move_note(state, end)
        spot.equal(f"{said} and {note}", "a card is due" in said and "no card" not in said,
                   note == "a card at the end of the turn")
    elif state.phase in ("place", "setup_place"):
        spot.equal(said, number_at(r"places (\d+) arm", said), raw["left"])


def _told(spot: Spot) -> None:
    """Check the narrated losses and remaining armies of a throw, and the armies of the next turn."""
    state, raw = spot.state, spot.state.snapshot()
    for code in spot.moves(4):
        after = spot.after(code)
        new = after.snapshot()
        for effect in spot.game.narrate(state, code, after, None).effects:
            if found := re.search(r"is next, with (\d+) arm", effect.text):
                spot.equal(effect.text, int(found[1]), new["left"])
            if state.phase == "chance_roll" and "left)" in effect.text:
                left = [0 if word == "none" else int(word) for word in re.findall(r"\((\d+|none) left\)", effect.text)]
                lost = [int(word) if word.isdigit() else 0 for word in re.findall(r"loses (\d+|no) arm", effect.text)]
                roll = decode(code)
                spot.equal(f"{effect.text}: lost", lost, [roll.amount >> 2, roll.amount & 3])
                spot.equal(f"{effect.text}: left", left, [raw["armies"][raw["origin"]] - (roll.amount >> 2),
                                                          raw["armies"][raw["target"]] - (roll.amount & 3)])
            if found := re.search(r"and moves (\d+) arm", effect.text):
                spot.equal(effect.text, int(found[1]), new["armies"][raw["target"]])


def _armies_and_cards(spot: Spot) -> None:
    """Check that turns begin with the shown incomes, cards add up, and the result's lines name the scores."""
    state, raw = spot.state, spot.state.snapshot()
    said = numbers_in(spot.game.stock_text(state).partition(":")[0])
    spot.equal("cards in deck and hands", said, [raw["deck"], sum(one["card_count"] for one in raw["seats"])])
    spot.equal("cards of all", sum(said) + len(raw["discards"]), 44)
    if state.is_over:
        for seat, line in enumerate(spot.game.explain_scores(state)):
            if raw["seats"][seat]["alive"]:
                what = "points" if spot.game.ruleset.points else "territories"
                spot.equal(line, number_at(rf"(\d+) {what}", line), state.scores()[seat])
        return
    if raw["round"] == 0:
        return
    seat = spot.rng.choice([i for i, one in enumerate(raw["seats"]) if one["alive"] and i != raw["seat_on_turn"]])
    begun = state.clone()
    begun.arrange(raw["owner"], raw["armies"], phase="turn_start", on_turn=seat, round_=raw["round"], eliminated=[
        (i, one["eliminated_by"], one["eliminated_round"]) for i, one in enumerate(raw["seats"]) if not one["alive"]])
    if begun.is_over or begun.seat_on_turn != seat:
        return
    shown = spot.game.position(state).seats[seat].income
    spot.equal(f"income of seat {seat}", shown, begun.snapshot()["left"])
    spot.equal(f"armies per turn of seat {seat}", next(
        term.value for term in spot.game.standing(state, seat, seat) if term.name == "armies per turn"), shown)


def _progress(spot: Spot) -> None:
    """Check that an objective is shown as complete exactly when the core says so."""
    state, raw = spot.state, spot.state.snapshot()
    if raw["round"] == 0:
        return
    for seat in range(state.players):
        which = state.snapshot(seat)["seats"][seat]["effective"]
        if which is None or not raw["seats"][seat]["alive"]:
            continue
        told = spot.game.position(state, seat).seats[seat].progress
        counts = re.findall(r"(\d+) of (\d+)", told)
        complete = all(int(done) >= int(wanted) for done, wanted in counts) and "left to destroy" not in told
        spot.equal(f"progress of seat {seat}: {told}", complete, state.fulfils(seat, which))


CHECKS = (check,)
