"""Numbers shown in A Few Acres of Snow: prices, odds, strengths and draws, against positions played by the core."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from sfida.cython_ext.rng import Random
from sfida.engines.acres.position import Move, SeatPosition, decode, encode, position_of
from sfida.engines.acres.style import cards, sites
from sfida.engines.acres.tables import load_data
from support.fuzzing.numbers import Spot, number_at, numbers_in

if TYPE_CHECKING:
    from sfida.cython_ext.acres.core import AcresState

_LOOKED_UP = 0.2                        # share of positions at which the pages of the cards are read
_FEW = 14                               # moves of a position whose effects are computed
_WORLDS = 400                           # worlds that estimate a probability
_SIGMAS = 5.0
_SIDES = ("British", "French")


def core(spot: Spot) -> AcresState:
    """Return the state with its exact type."""
    return cast("AcresState", spot.state)


def after(spot: Spot, move: Move) -> AcresState:
    """Return the position after a move."""
    return cast("AcresState", spot.after(encode(move.kind, move.card, move.place)))


def legal(state: AcresState) -> list[Move]:
    """Return the legal moves."""
    return [decode(code) for code in state.legal_moves()]


def play(state: AcresState, move: Move) -> AcresState:
    """Play a move in place."""
    state.apply(encode(move.kind, move.card, move.place))
    return state


def mine(spot: Spot, state: AcresState | None = None) -> SeatPosition:
    """Return the mover's part of the position, at the spot or later."""
    return position_of(state or core(spot), core(spot).mover).seats[core(spot).mover]


def theirs(spot: Spot, state: AcresState | None = None) -> SeatPosition:
    """Return the public part of the other side."""
    return position_of(state or core(spot)).seats[1 - core(spot).mover]


def lead(state: AcresState, attacker: int) -> int:
    """Return the lead of a besieger."""
    siege = position_of(state).siege_by(attacker)
    assert siege is not None
    return siege.lead


def finished(state: AcresState, wanted: Callable[[Move], float] = lambda move: -move.place) -> AcresState:
    """Play the further cards of an action, the most wanted first."""
    steps = ("transport", "settler", "strength", "raiders")
    while state.phase in steps:
        moves = legal(state)
        play(state, max(moves, key=lambda move: (move.kind != "stop", wanted(move))))
    return state


# ---- notes --------------------------------------------------------------------------------------------


def check_notes(spot: Spot) -> None:
    """Compare every note of the legal moves with what the move does."""
    spot.check_notes(_FEW, decode, _NOTES, unchecked=_WORDS)


def _cost(spot: Spot, note: str, then: AcresState, *, gained: int = 0) -> None:
    """Check that the mover's money falls by the shown price."""
    paid = mine(spot).money - mine(spot, then).money + gained
    spot.equal(f"price in '{note}'", number_at(r"costs (\d+)(?: money)?(?:;|$)", note) or 0.0, float(paid))


def _points(spot: Spot, note: str, pattern: str, then: AcresState, *, every: bool = False) -> None:
    change = mine(spot, then).points - mine(spot).points
    if every or number_at(pattern, note) is not None:
        spot.equal(f"points in '{note}'", number_at(pattern, note) or 0.0, float(change))


def _settle(spot: Spot, move: Move, note: str) -> None:
    then = finished(after(spot, move))
    spot.equal(f"the end in '{note}'", "wins the game" in note, then.is_over)
    spot.equal(f"the card again in '{note}'", "its card again" in note,
               position_of(core(spot)).owner[move.place] == core(spot).mover)
    if not then.is_over and "its card again" not in note:
        _points(spot, note, r"worth (\d+)", then, every=True)


def _develop(spot: Spot, move: Move, note: str) -> None:
    _points(spot, note, r"\+(\d+) points?", finished(after(spot, move)), every=True)


def _fortify(spot: Spot, move: Move, note: str) -> None:
    then = after(spot, move)
    _cost(spot, note, then)
    defence = [_defence(spot, move.place, state) for state in (core(spot), then)]
    spot.equal(f"defence in '{note}'", number_at(r"\+(\d+) defence", note), float(defence[1] - defence[0]))


def _defence(spot: Spot, place: int, state: AcresState) -> int:
    """Return the defence of a site, measured by a siege that the core opens there with a card of strength 1."""
    found, board = state.clone(), position_of(state)
    owner = board.owner[place]
    card = next(card.number for card in cards() if card.kind == "militia" and card.side == 1 - owner)
    found.arrange(sites=[(site, seat, board.town[site]) for site, seat in enumerate(board.owner) if seat >= 0],
                  forts=[site for site, fort in enumerate(board.fort) if fort],
                  sieges=[(1 - owner, place, [card], [])])
    return cards()[card].strength - lead(found, 1 - owner)


def _besiege(spot: Spot, move: Move, note: str) -> None:
    seat, place = core(spot).mover, move.place
    defence = _defence(spot, place, core(spot))
    spot.equal(f"defence in '{note}'", number_at(r"defence (\d+)", note), float(defence))
    needed = load_data()["siege"]["attacker_wins_at"]
    spot.equal(f"strength in '{note}'", number_at(r"strength (\d+) takes", note), float(defence + needed))
    spot.equal(f"the end in '{note}'", "wins the game" in note, _ends(place, seat))
    worth = sites()[place].value * (2 if position_of(core(spot)).town[place] else 1)
    if "worth" in note:
        spot.equal(f"worth in '{note}'", number_at(r"worth (\d+) to them", note), float(worth))


def _ends(place: int, attacker: int) -> bool:
    """Return whether a side that wins a siege there ends the game (FAS-16.1)."""
    targets = load_data()["setup"]["victory_siege_targets"][("british", "french")[attacker]]
    return sites()[place].id in targets


def _siege(spot: Spot, move: Move, note: str) -> None:
    then = after(spot, move)
    attacker = core(spot).mover if move.kind == "strength" else move.place
    _cost(spot, note, then)
    now = lead(then, attacker)
    was = (lead(core(spot), attacker) if move.kind != "strength" else
           -_defence(spot, then.target(attacker), core(spot)))
    spot.equal(f"strength in '{note}'", number_at(r"strength (\d+)", note), float(abs(now - was)))
    stands(spot, note[note.index("then "):], attacker, now)


def stands(spot: Spot, text: str, attacker: int, lead: int) -> None:
    """Compare the description of a siege with the lead in the core."""
    if lead:
        spot.equal(f"who leads in '{text}'", re.findall(r"the (British|French) lead by (\d+)", text),
                   [(_SIDES[attacker if lead > 0 else 1 - attacker], str(abs(lead)))])
    else:
        spot.equal(f"lead in '{text}'", "equally strong" in text, True)
    rules = load_data()["siege"]
    spot.equal(f"taking in '{text}'", "enough to take it" in text, lead >= rules["attacker_wins_at"])
    spot.equal(f"keeping in '{text}'", "enough to keep it" in text, -lead >= rules["defender_wins_at"])
    if "short of taking" in text:
        spot.equal(f"rest in '{text}'", number_at(r"(\d+) short", text), float(rules["attacker_wins_at"] - lead))


def _withdraw(spot: Spot, move: Move, note: str) -> None:
    then, seat = after(spot, move), core(spot).mover
    spot.equal(f"free action in '{note}'", "free action" in note,
               then.is_over or position_of(then).actions_left == position_of(core(spot)).actions_left)
    spot.equal(f"the end in '{note}'", "loses the game" in note, then.is_over)
    if then.is_over:
        return
    place = core(spot).target(move.place)
    spot.equal(f"the site in '{note}'", f"{sites()[place].name} is lost" in note, position_of(then).owner[place] != seat
               and move.place != seat)
    given = _owned(spot)
    while then.phase in ("siege_settle", "siege_loss"):
        play(then, legal(then)[0])
    spot.equal(f"card lost in '{note}'", "empire card" in note, _owned(spot, then) == given - 1)


def _owned(spot: Spot, state: AcresState | None = None) -> int:
    """Count the cards that the mover of the spot owns."""
    return len(position_of(state or core(spot)).owned(core(spot).mover))


def _raid(spot: Spot, move: Move, note: str) -> None:
    then = after(spot, move)
    played = 0
    while then.phase == "raiders":
        moves = legal(then)
        stop = next((one for one in moves if one.kind == "stop"), None)
        if stop is not None and played:
            play(then, stop)
        else:
            play(then, moves[0])
            played += 1
    if spot.game.ruleset.raid_routes == "shortest":
        spot.equal(f"cards in '{note}'", number_at(r"(\d+) cards?", note), float(played))
    _allowed(then)
    spot.equal(f"points in '{note}'", number_at(r"\+(\d+) points?", note),
               float(mine(spot, then).points - mine(spot).points))
    _odds(spot, note, r"(\d+) % unblocked", lambda world: not any(one.kind == "block" for one in legal(
        _raided(world, move))))


def _raided(world: AcresState, move: Move) -> AcresState:
    return finished(play(world, move))


def _allowed(state: AcresState) -> None:
    play(state, next(one for one in legal(state) if one.kind == "allow"))


def _odds(spot: Spot, note: str, pattern: str, holds: Callable[[AcresState], bool]) -> None:
    """Compare a probability with its share in worlds that are possible for the mover."""
    view, rng = spot.state.view(spot.state.to_move), Random(spot.rng.getrandbits(32))
    share = sum(holds(cast("AcresState", view.sample(rng))) for _ in range(_WORLDS)) / _WORLDS
    shown = number_at(pattern, note)
    if shown is None:
        spot.fail(f"no odds in '{note}'")
        return
    error = _SIGMAS * max(share * (1 - share), 1 / _WORLDS) ** 0.5 / _WORLDS ** 0.5
    if abs(shown / 100 - share) > 0.0101 + error:
        spot.fail(f"odds in '{note}': {100 * share:.1f} % of {_WORLDS} worlds")
    if shown in (0, 100) and 0 < share < 1:
        spot.fail(f"odds in '{note}' are not certain")


def _ambush(spot: Spot, move: Move, note: str) -> None:
    _cost(spot, note, after(spot, move))

    def hits(world: AcresState) -> bool:
        play(world, move)
        if any(one.kind == "block" for one in legal(world)):
            return False
        _allowed(world)
        return any(one.kind == "lose" for one in legal(world))

    if "they have no card to lose" in note:
        view, rng = spot.state.view(spot.state.to_move), Random(1)
        if any(hits(cast("AcresState", view.sample(rng))) for _ in range(_WORLDS // 4)):
            spot.fail(f"'{note}', but a card is lost in some world")
    else:
        _odds(spot, note, r"(\d+) % that it costs them", hits)


def _convert(spot: Spot, move: Move, note: str) -> None:
    _odds(spot, note, r"(\d+) % that they hold",
          lambda world: any(one.kind == "give" for one in legal(play(world, move))))


def _block(spot: Spot, move: Move, note: str) -> None:
    then = after(spot, move)
    old, new = position_of(core(spot)), position_of(then)
    spot.equal(f"sites after '{note}'", (new.owner, new.town), (old.owner, old.town))
    spot.equal(f"points after '{note}'", then.scores(), core(spot).scores())
    spot.equal(f"card in '{note}'", len(mine(spot, then).discards) - len(mine(spot).discards), 1)


def _allow(spot: Spot, move: Move, note: str) -> None:
    then = after(spot, move)
    if spot.state.phase == "raid_response":
        place = position_of(core(spot)).site
        what = "town" if position_of(core(spot)).town[place] else "village"
        spot.equal(f"piece in '{note}'", note.startswith(f"the {what} in {sites()[place].name} is captured"), True)
        spot.equal(f"points in '{note}'", number_at(r"(\d+) points? for", note),
                   float(theirs(spot, then).points - theirs(spot).points))
    else:
        spot.equal(f"card in '{note}'", note == "a card is lost", any(one.kind == "lose" for one in legal(then)))


def _again(spot: Spot, move: Move, note: str) -> None:
    """Check that a lost card can be drafted at the shown price."""
    then = after(spot, move)
    free = [*mine(spot, then).empire, *position_of(then).neutral]
    spot.equal(f"'{note}': the card can be drafted", move.card in free, True)
    spot.equal(f"price in '{note}'", number_at(r"costs (\d+)", note), float(cards()[move.card].cost))


def _most(state: AcresState, seat: int, least: int = 0) -> int:
    """Return the most money that the remaining choices of cards can bring."""
    if state.phase not in ("coins", "furs"):
        return position_of(state).seats[seat].money
    best = 0
    for move in legal(state):
        if move.kind != "stop" and move.card < least:
            continue
        best = max(best, _most(play(state.clone(), move), seat, move.card if move.kind != "stop" else 0))
    return best


def _money(spot: Spot, move: Move, note: str) -> None:
    then, seat = after(spot, move), core(spot).mover
    if move.kind == "trader":
        while then.phase == "furs":
            play(then, max(legal(then), key=lambda one: (one.kind != "stop", -one.card)))
        most = mine(spot, then).money
    else:
        most = _most(then, seat)
    spot.equal(f"money in '{note}'", number_at(r"\+(\d+) money", note), float(most - mine(spot).money))
    if move.kind == "piracy":
        spot.equal(f"loss in '{note}'", number_at(r"lose (\d+)", note),
                   float(theirs(spot).money - theirs(spot, then).money))


def _draft(spot: Spot, move: Move, note: str) -> None:
    then = after(spot, move)
    spot.equal(f"price in '{note}'", number_at(r"price (\d+)", note),
               float(mine(spot).money - mine(spot, then).money))


def _further(spot: Spot, move: Move, note: str) -> None:
    then = after(spot, move)
    more = next((one for one in legal(then) if one.kind == "also"), None) if then.phase == "discards" else None
    if more is not None:
        left = mine(spot, then).money - mine(spot, play(then.clone(), more)).money
        spot.equal(f"price in '{note}'", number_at(r"costs (\d+)", note), float(left))


def _reserve(spot: Spot, move: Move, note: str) -> None:
    then = after(spot, move)
    back = next((one for one in legal(then) if one.kind == "retrieve"), None)
    if back is not None and not mine(spot).reserve:
        paid = mine(spot, then).money - mine(spot, play(then.clone(), back)).money
        spot.equal(f"price in '{note}'", number_at(r"(\d+) money", note), float(paid))


def _govern(spot: Spot, move: Move, note: str) -> None:
    then = after(spot, move)
    spot.equal(f"second card in '{note}'", "a second card may follow" in note, then.phase == "govern")
    spot.equal(f"'{note}'", _owned(spot) - _owned(spot, then), 1)


def _paid(spot: Spot, move: Move, note: str) -> None:
    _cost(spot, note, after(spot, move))


def _also(spot: Spot, move: Move, note: str) -> None:
    then = after(spot, move)
    gained = number_at(r"\+(\d+) money", note)
    spot.equal(f"money in '{note}'", (gained or 0.0) - (number_at(r"costs (\d+)", note) or 0.0),
               float(mine(spot, then).money - mine(spot).money))


def _drawn(spot: Spot, move: Move, note: str) -> None:
    then, drawn = after(spot, move), 0
    while then.phase in ("draw", "home") and then.mover == core(spot).mover:
        then.apply(then.legal_moves()[0] if then.legal_moves() else then.chance_outcomes()[0][0])
        drawn += 1
    spot.equal(f"cards in '{note}'", number_at(r"draws (\d+) cards?", note) or 0.0, float(drawn))


def _placed(spot: Spot, move: Move, note: str) -> None:
    _points(spot, note, r"worth (\d+)", after(spot, move), every=True)


_NOTES: dict[str, Callable[[Spot, Move, str], None]] = {
    "settle": _settle, "develop": _develop, "fortify": _fortify, "besiege": _besiege, "reinforce": _siege,
    "strength": _siege, "leader": _siege, "withdraw": _withdraw, "raid": _raid, "ambush": _ambush,
    "convert": _convert, "block": _block, "allow": _allow, "lose": _again, "return": _again, "money": _money,
    "merchant": _money, "trader": _money, "piracy": _money, "draft": _draft, "discard": _further,
    "reserve": _reserve, "govern": _govern, "intendant": _paid, "retrieve": _paid, "also": _also, "home": _drawn,
    "end": _drawn, "place": _placed,
}
_WORDS = ("transport", "settler", "pick", "leave", "pass")       # their notes hold no figures of the move


def check_told(spot: Spot) -> None:
    """Compare the money and the sieges in the narration of events with the core."""
    for code in spot.moves(_FEW):
        then = cast("AcresState", spot.after(code))
        texts = [effect.text for effect in spot.game.narrate(spot.state, code, then, None).effects]
        for seat, (old, new) in enumerate(zip(position_of(core(spot)).seats, position_of(then).seats,
                                              strict=True)):
            told = next((numbers_in(text) for text in texts
                         if re.match(rf"the {_SIDES[seat]} (get|lose|pay) \d", text)), None)
            change = float(abs(new.money - old.money))
            spot.equal(f"money of seat {seat} in {texts}", told, [change, float(new.money)] if change else None)
        for siege in position_of(then).sieges:
            name = sites()[siege.site].name
            text = next((text for text in texts if "lead" in text or "equally" in text
                         if re.search(rf"(besiege|siege of) {re.escape(name)}:", text)), "")
            if text:
                stands(spot, text.split(": ", 1)[1], siege.attacker, siege.lead)


# ---- groups, questions, standings ---------------------------------------------------------------------


def check_groups(spot: Spot) -> None:
    """Compare the figures in brackets of the groups with the money that the moves take or bring."""
    if spot.state.to_move < 0:
        return
    for group in spot.game.move_groups(spot.state, list(spot.state.legal_moves())):
        if group.name not in ("draft", "money"):
            continue
        shown = dict(re.findall(r"(\w+) \(\+?(\d+)\)", group.words))
        for move in map(decode, group.moves):
            change = abs(mine(spot, after(spot, move)).money - mine(spot).money)
            spot.equal(f"{cards()[move.card].code} in '{group.words}'", int(shown[cards()[move.card].code]), change)


def check_questions(spot: Spot) -> None:
    """Compare the numbers of the question with the core."""
    state, seat = core(spot), spot.state.to_move
    if seat < 0:
        return
    asked, position = spot.game.question(state, seat), position_of(state)
    if state.phase == "main":
        spot.equal(f"actions of '{asked}'", number_at(r"(\d+) actions?", asked) or 0.0, float(position.actions_left))
        spot.equal(f"money of '{asked}'", number_at(r"(\d+) money", asked), float(mine(spot).money))
        spot.equal(f"end of '{asked}'", "no actions left" in asked, position.actions_left == 0)
    if state.phase == "furs":
        gain = [mine(spot, after(spot, move)).money - mine(spot).money for move in legal(state)
                if move.kind == "also"]
        spot.equal(f"money of '{asked}'", number_at(r"for (\d+) money each", asked), float(gain[0]) if gain else 2.0)


def check_sieges(spot: Spot) -> None:
    """Compare the strengths in the standing with the core's leads, and the announced losses with the core's."""
    state = core(spot)
    if state.is_over or state.phase in ("order", "siege_settle", "siege_loss"):
        return
    for siege in position_of(state).sieges:
        attacker, place = siege.attacker, siege.site
        key = f"strength at {sites()[place].name}"
        force = [{term.name: term.value for term in spot.game.standing(state, seat, seat)}[key] for seat in range(2)]
        spot.equal(f"lead at {sites()[place].name}", force[attacker] - force[1 - attacker]
                   - _defence(spot, place, state), float(siege.lead))
        terms = {term.name: term.value for term in spot.game.standing(state, 1 - attacker, 0)}
        falls = siege.lead >= load_data()["siege"]["attacker_wins_at"]
        spot.equal("home sites about to fall", bool(terms["home sites about to fall"]),
                   falls and _ends(place, attacker))
        spot.equal("sites about to fall", bool(terms["sites about to fall"]), falls and not _ends(place, attacker))


def check_hands(spot: Spot) -> None:
    """Check that the cards that a viewer is shown in a hand or a deck are there."""
    state = core(spot)
    for viewer in (None, 0, 1):
        for seat, one in enumerate(spot.game.position(state, viewer).seats):
            own = position_of(state, seat).seats[seat]
            true = {"hand": own.hand or (), "deck": own.deck or ()}
            missing = Counter(one.known) - Counter(true["hand"])
            spot.equal(f"known cards of seat {seat} that it does not hold", sorted(missing), [])
            spot.equal(f"hand and deck of seat {seat} together", sorted(one.unseen),
                       sorted([*true["hand"], *true["deck"]]))
            for name, shown in (("hand", one.hand), ("deck", one.deck)):
                if shown is not None:
                    spot.equal(f"{name} of seat {seat} as seat {viewer} is told", sorted(shown), sorted(true[name]))


def check_draws(spot: Spot) -> None:
    """Compare the number of cards to draw in the standing with the draws at the end of the turn."""
    state = core(spot)
    end = next((move for move in legal(state) if move.kind == "end" and not move.place), None) \
        if state.to_move >= 0 else None
    if end is None:
        return
    then, drawn = after(spot, end), 0
    while then.phase == "draw" and then.mover == state.mover:
        then.apply(then.chance_outcomes()[0][0])
        drawn += 1
    terms = {term.name: term.value for term in spot.game.standing(state, state.mover, state.mover)}
    spot.equal("cards to draw", terms["cards to draw"], float(drawn))


def check_pages(spot: Spot) -> None:
    """Compare the page of the cards and the supply with the existing cards, and the prices with the draft."""
    if spot.rng.random() > _LOOKED_UP:
        return
    first = spot.game.position(spot.game.initial_state())
    there = {*first.neutral, *(card for side in first.seats for card in (*side.unseen, *side.empire))}
    told = dict(re.findall(r"^(\w+) [^,]*, price (\d+):", spot.game.cards_text(spot.state, width=400), re.MULTILINE))
    empire = [card for card in cards() if card.site < 0 and card.number in there]
    spot.equal("cards of the page", set(told), {card.code for card in empire})
    shown = dict(re.findall(r"(\w+)(?: x\d+)? \((\d+)\)", spot.game.stock_text(spot.state, width=400)))
    for move in legal(core(spot)) if spot.state.phase == "main" else ():
        if move.kind == "draft":
            paid = mine(spot).money - mine(spot, after(spot, move)).money
            spot.equal(f"price of {cards()[move.card].code} in the supply", int(shown[cards()[move.card].code]), paid)


def check_end(spot: Spot) -> None:
    """Compare the explained result with the scores and the winner of the core."""
    state = core(spot)
    if not state.is_over:
        return
    lines = spot.game.explain_scores(state)
    for line, score in zip(lines, state.scores(), strict=False):
        spot.equal(f"'{line}'", number_at(r": (-?\d+) points?", line), float(score))
        spot.equal(f"sum of '{line}'", sum(float(n) for n in re.findall(r"(\d+) from", line)), float(score))
    winner = max(range(2), key=lambda seat: (state.utilities() or [0, 0])[seat])
    spot.equal(f"winner of '{lines[-1]}'", f"the {_SIDES[winner]}" in lines[-1].split(": ", 1)[1], True)
    points = {float(score) for score in state.scores()}
    if "to " in lines[-1]:
        spot.equal(f"points of '{lines[-1]}'", points, set(numbers_in(lines[-1].split(": ", 1)[1])))


CHECKS: tuple[Callable[[Spot], None], ...] = (check_notes, check_told, check_groups, check_questions, check_sieges,
                                              check_hands, check_draws, check_pages, check_end)
