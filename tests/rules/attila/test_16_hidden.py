"""Hidden information: chapter 16."""

from __future__ import annotations

import collections
import json

import pytest

from sfida.ai.session import step_of
from sfida.ai.table import MoveEvent
from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.state import GameState
from support.attila import exact_hands, hand, letters, play, position, seen_hands, setup, sizes, start, world
from support.playing import legal, step

GATES = "GER RAE NOR PAN DAC MOE"
# Unseen by seat 0: F, H and G alone; two cards are left in the pile.
FEW = {"discards": "S" * 9 + "T" * 9 + "V" * 9 + "G" * 5 + "F" * 3 + "H" * 3, "hands": ["GGGG", "FFHH", "FFHH"]}


def agrees(state, seat: int, worlds: int = 3000) -> None:
    """Check that a seat's worlds have the exact distribution: chi-square, five sigma, one false alarm in a million."""
    exact = exact_hands(state, seat)
    counts = collections.Counter(seen_hands(world(state, seat, derive(17, number)), seat) for number in range(worlds))
    assert set(counts) <= set(exact)
    cells = [(counts[key], worlds * chance) for key, chance in exact.items() if worlds * chance >= 5]
    rare = worlds - sum(mean for _, mean in cells)
    if rare > 5:
        cells.append((worlds - sum(n for n, _ in cells), rare))
    chi2 = sum((n - mean) ** 2 / mean for n, mean in cells)
    assert chi2 <= len(cells) - 1 + 5 * (2 * len(cells)) ** 0.5, (chi2, len(cells))


@pytest.mark.rule("ATT-16.1", "ATT-2.6", "ATT-6.5")
def test_what_a_seat_sees() -> None:
    state = play(setup("GER:FFHH", ["GGHHTT", "FFGGHH", "SSTTVV"]), "G@GER+1", ":H", "done", ":F")
    seen = state.view(1).observation()
    assert [one["hand"] for one in seen["seats"]] == [None, "FHHGG", None]
    assert [one["laid"] for one in seen["seats"]] == [1, 1, 0]
    assert [one["laid_cards"] for one in seen["seats"]] == [None, "F", ""]
    assert [one["hand_size"] for one in seen["seats"]] == [4, 5, 6]
    assert (seen["discards"], seen["pile"], seen["conflicts"]) == ("G", 36, ["GER"])
    assert json.loads(json.dumps(seen)) == seen
    assert state.game.secrets(state, 1) == {"hand of white": "HGTT", "cards laid by white": "H",
                                            "hand of green": "SSTTVV"}
    assert all(what is None for kind, who, what in seen["hands_log"] if kind == "draw" and who != 1)
    assert not state.view(2).legal_moves()
    assert state.view(1).legal_moves() == state.legal_moves()


@pytest.mark.rule("ATT-16.2", "ATT-16.3", "ATT-16.9")
def test_worlds_before_the_first_reshuffle() -> None:
    state = play(setup(hands=["FFGGHH", "SSTTVV", "FHGSTV"]), "F@GER+1", "end", "luck", "S@RAE+1")
    places: collections.Counter[int] = collections.Counter()
    unseen = [9 - own - out for own, out in zip(state.hand(0), position(state).discards, strict=True)]
    for number in range(2000):
        twin = world(state, 0, number)
        assert twin.hand(0) == state.hand(0)
        assert sizes(twin) == sizes(state)
        twin.verify()
        assert twin.view(0).key() == state.view(0).key()
        places.update("FHGSTV".index(letter) for letter in hand(twin, 2))
    for tribe, n in enumerate(unseen):
        mean = 2000 * 6 * n / sum(unseen)
        assert abs(places[tribe] - mean) < 5 * mean ** 0.5


@pytest.mark.rule("ATT-16.3", "ATT-16.5", "ATT-16.8")
def test_exact_in_one_pile() -> None:
    state = setup(**FEW)
    agrees(state, 0)
    play(state, "G@GER+1", "end", "c:F", "c:H")
    agrees(state, 0)


@pytest.mark.rule("ATT-16.5")
@pytest.mark.parametrize("spec", ["players=2", "players=3", "players=5"])
def test_what_a_reshuffle_tells(spec: str) -> None:
    """From a reshuffle until the next draw the others' hands together are known; one opponent's is certain."""
    checked = 0
    for number in range(12):
        state, rng = start(spec), Random(derive(3, number))
        while not state.is_over:
            before = position(state).reshuffles
            step(state, rng)
            if position(state).reshuffles == before or state.is_over:
                continue
            seat = (state.active + 1) % state.players       # another seat draws next
            others = [i for i in range(state.players) if i != seat]
            for seed in range(4):
                twin = world(state, seat, seed)
                assert sorted("".join(hand(twin, i) for i in others)) == sorted(
                    "".join(hand(state, i) for i in others))
                if state.players == 2:
                    assert hand(twin, others[0]) == hand(state, others[0])
                checked += 1
    assert checked >= 40


@pytest.mark.rule("ATT-16.4", "ATT-6.3")
def test_cards_face_down_are_of_tribes_present() -> None:
    state = play(setup("GER:FFSS", ["GGTTVV", "FFSSHT", "FFSSHT"]), "G@GER+1", "done", "FS")
    assert state.to_move == 2
    for seed in range(300):
        twin = world(state, 2, seed)
        assert sum(twin.laid(1)) == 2
        assert set(letters(twin.laid(1))) <= set("FSG")
        assert sum(twin.hand(1)) == 4


@pytest.mark.rule("ATT-16.6", "ATT-4.10")
def test_a_dead_hand_is_remembered() -> None:
    state = setup("LUG:H RAE:G", ["FFFFVV", "HHHGGG"], pacified=GATES, discards="S" * 9 + "T" * 9)
    play(state, "~F")
    assert state.phase == "end"
    for seed in range(200):
        assert set(hand(world(state, 1, seed), 0)) <= set("FSTV")
    play(state, "end", "luck")
    hands = {hand(world(state, 1, seed), 0) for seed in range(300)}
    assert any("H" in one or "G" in one for one in hands)
    assert all(sum(letter in "FV" for letter in one) >= 5 for one in hands)


@pytest.mark.rule("ATT-16.6", "ATT-9.4")
def test_a_double_turn_needs_a_live_card() -> None:
    state = setup("LUG:H", ["HHHFFF", "GGGSSS"], pacified=GATES)
    play(state, "H@LUG+1", "*D")
    for seed in range(200):
        assert "H" in hand(world(state, 1, seed), 0)


@pytest.mark.rule("ATT-16.7")
def test_a_choice_proves_nothing() -> None:
    """A seat that lays nothing may hold cards that it could lay."""
    state = play(setup("GER:FFSS", ["GGTTVV", "FFSSHT"]), "G@GER+1", "done", "done")
    found = [hand(world(state, 2, seed), 1) for seed in range(300)]
    with_some = sum(bool(set(one) & set("FSG")) for one in found) / 300
    fresh = play(setup("GER:FFSS", ["GGTTVV", "FFSSHT"]), "G@GER+1", "done")
    before = sum(bool(set(hand(world(fresh, 2, seed), 1)) & set("FSG")) for seed in range(300)) / 300
    assert with_some == before > 0.9


@pytest.mark.rule("ATT-16.3", "ATT-16.5", "ATT-16.6")
@pytest.mark.parametrize("players", [2, 3])
def test_exact_across_piles(players: int) -> None:
    """Hands of two and three cards across a reshuffle are compared with the whole filter."""
    out = "S" * 9 + "T" * 9 + "V" * 9 + "G" * 7 + "H" * 7
    hands = ["GGH", "FFH", "FFF"][:players]
    rest = {2: "F" * 5, 3: "F" * 2}[players]
    state = setup(hands=hands, players=players, discards=out + rest, pacified="")
    assert position(state).pile == 2
    for line in {2: ("G@GER+1", "H@RAE+1"), 3: ("G@GER+1",)}[players]:
        play(state, line)
    play(state, "end")
    while state.is_chance:
        state.apply(state.legal_moves()[0])
    play(state, "F@NOR+1")
    if state.phase == "play":
        play(state, sorted(legal(state) - {"*X"})[0], "@DAC", "+1")
    for seat in range(players):
        agrees(state, seat)


@pytest.mark.rule("ATT-16.9")
@pytest.mark.parametrize("spec", ["players=2", "players=3", "players=5", "players=4,no_live_card=skip",
                                  "players=4,open_commitments=true"])
def test_worlds_keep_what_is_known(spec: str) -> None:
    """The log alone always gives a world, even in long games with few conflict cards; worlds keep the view."""
    for number in range(3):
        state, rng = start(spec), Random(derive(9, number))
        while not state.is_over:
            if not state.is_chance and state.phase == "follow" and rng.below(10) < 8:
                state.apply(76)
            elif not state.is_chance and 83 in state.legal_moves() and rng.below(10) < 6:
                state.apply(83)
            else:
                step(state, rng)
            if state.is_over or rng.below(8):
                continue
            for seat in range(state.players):
                twin = state.clone()
                assert twin.determinize_by_log(seat, rng)
                assert twin.view(seat).key() == state.view(seat).key()
                assert state.view(seat).sample(Random(number)) == world(state, seat, number)
                twin.verify()
                again = twin.clone()
                again.determinize((seat + 1) % state.players, rng)
                again.verify()


@pytest.mark.rule("ATT-16.1", "ATT-16.8")
def test_labels() -> None:
    state = play(setup("GER:FFHH", ["GGHHTT", "FFGGHH", "SSTTVV"]), "G@GER+1", "done")
    one, other = play(state.clone(), ":F"), play(state.clone(), ":H")
    assert one.label(1) != other.label(1)
    assert one.label(0) == other.label(0) != 0
    assert one.view(0).key() == other.view(0).key()
    shown = [play(twin, "done", "done") for twin in (one, other)]
    assert shown[0].label(0) != shown[1].label(0)
    state = play(setup(hands=["FFGGHH"]), "F@GER+1", "end")
    drawn = [play(state.clone(), f"c:{letter}") for letter in "FV"]
    assert drawn[0].label(0) != drawn[1].label(0)
    assert drawn[0].label(1) == drawn[1].label(1)
    assert drawn[0].view(1).key() == drawn[1].view(1).key()


def seen(state: GameState, code: int) -> tuple[str, ...]:
    """Play a move; return it as each seat saw it, and last as a spectator saw it."""
    before, actor = state.clone(), state.to_move
    state.apply(code)
    return step_of(before, MoveEvent(0, actor, code, before.format(code), actor < 0, 0.0, None, state)).seen


@pytest.mark.rule("ATT-16.1")
def test_forced_choices_and_draws_are_told_like_free_ones() -> None:
    """The observation of a move does not depend on the choices that the hidden hand or the pile allows."""
    for cards in ("FFTTSV", "FHTTSV"):                  # one tribe that can be laid, or two
        state = play(setup("GER:FFHH", ["GGHHTT", cards, "FHGSTV"]), "G@GER+1", "done")
        assert seen(state, state.parse(":F")) == (":?", ":F", ":?", ":?")
    state = play(setup(hands=["GGHHTT", "FFTTSV"], players=2, discards="FFFFFFHHHHHHHGGGGGGGSSSSSSSSTTTTTVVVVVVVV"),
                 "G@GER+1", "H@GER+1", "end")
    assert len(state.legal_moves()) == 1                # the last card of the pile
    assert seen(state, state.legal_moves()[0]) == ("c:F", "c", "c")


@pytest.mark.rule("ATT-16.1", "ATT-16.9")
@pytest.mark.parametrize("players", [2, 3, 5])
def test_a_view_keeps_nothing_of_a_log_begun_anew(players: int) -> None:
    """The log comes last in the block; after a reshuffle it is shorter, and the old bytes named others' draws."""
    state, rng = start(players=players), Random(players)
    log, again = 480, 0
    while not state.is_over:
        before = len(state.history())
        moves = state.legal_moves()
        state.apply(state.sample_chance(rng) if state.is_chance else moves[rng.below(len(moves))])
        again += len(state.history()) < before
        used = sum(2 if kind == "dead" else 1 for kind, _, _ in state.history())
        for seat in range(players):
            assert not any(state.view(seat).key()[state.state_bytes - log + used:]), (seat, state.phase)
    assert again
