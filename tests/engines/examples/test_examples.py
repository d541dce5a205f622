"""Rules of the five tiny games, and the information of their players."""

import itertools
from collections import Counter
from pathlib import Path

import pytest

from sfida.cython_ext.errors import IllegalMove
from sfida.cython_ext.rng import Random
from sfida.engines.examples.phantom_tic_tac_toe import PhantomPosition, consistent
from sfida.engines.python_game import TERMINAL
from sfida.engines.registry import game_class, game_names, make

EXAMPLES = ["tic_tac_toe", "kuhn_poker", "leduc_poker", "goofspiel", "phantom_tic_tac_toe"]
TUTORIAL = Path(__file__).parents[3] / "docs" / "measure" / "adding_a_game.md"


def play(name, text):
    """Play moves given in notation, from the start."""
    state = make(name)
    for word in text.split():
        state.apply(state.parse(word))
    return state


def chi_square(counts, expected):
    return sum((counts[key] - mean) ** 2 / mean for key, mean in expected.items())


def test_examples_are_marked():
    assert sorted(name for name in game_names() if game_class(name).example) == sorted(EXAMPLES)


@pytest.mark.parametrize("name", EXAMPLES)
def test_tutorial_names_every_example(name):
    title = name.replace("_", " ").replace("tic tac", "tic-tac").replace("tac toe", "tac-toe")
    assert title in TUTORIAL.read_text(encoding="utf-8").lower()


# ---- tic-tac-toe ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("moves", "shares"), [
    ("a1 b1 a2 b2 a3", [1.0, 0.0]),
    ("a1 a2 b1 b2 c3 c2", [0.0, 1.0]),
    ("a1 b1 b2 a2 c3", [1.0, 0.0]),
    ("a1 b2 c3 b3 b1 c1 a3 a2 c2", [0.5, 0.5]),
])
def test_tic_tac_toe_results(moves, shares):
    state = play("tic_tac_toe", moves)
    assert state.is_over
    assert state.utilities() == shares


def test_tic_tac_toe_games():
    """Every game of tic-tac-toe: 255,168 in all, of which X wins 131,184 and O 77,904."""
    counts = Counter()

    def walk(position):
        if position.to_move == TERMINAL:
            counts[position.winner] += 1
            return
        for move in position.legal_moves():
            child = position.clone()
            child.apply(move)
            walk(child)

    walk(make("tic_tac_toe").position)
    assert counts == {0: 131_184, 1: 77_904, -1: 46_080}


def test_tic_tac_toe_board():
    assert str(play("tic_tac_toe", "a3 b2 c1")) == "3 X . .\n2 . O .\n1 . . X\n  a b c"


# ---- Kuhn poker ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("moves", "chips"), [
    ("deal:K deal:Q pass pass", 1), ("deal:J deal:Q pass pass", -1),
    ("deal:J deal:K bet pass", 1), ("deal:K deal:J pass bet pass", -1),
    ("deal:K deal:J bet bet", 2), ("deal:Q deal:K bet bet", -2), ("deal:Q deal:J pass bet bet", 2),
])
def test_kuhn_results(moves, chips):
    state = play("kuhn_poker", moves)
    assert state.is_over
    assert state.scores() == [chips, -chips]
    assert state.utilities() == [0.5 + chips / 4, 0.5 - chips / 4]


def test_kuhn_deals_every_card_once():
    state = make("kuhn_poker")
    assert state.chance_outcomes() == [(10, 1), (11, 1), (12, 1)]
    state.apply(state.parse("deal:Q"))
    assert state.chance_outcomes() == [(10, 1), (12, 1)]


def test_kuhn_shows_cards_only_at_a_showdown():
    folded = play("kuhn_poker", "deal:J deal:K bet pass")
    assert folded.observation(0)["other"] == "hidden"
    assert play("kuhn_poker", "deal:J deal:K pass pass").observation(0)["other"] == "K"
    assert "K" not in folded.game.board_text(folded, seat=0)
    assert "K" in folded.game.board_text(folded, seat=1)
    assert "K" not in folded.game.board_text(folded)


# ---- Leduc poker ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("moves", "chips"), [
    ("deal:J deal:Q raise fold", 1), ("deal:J deal:Q raise raise fold", -3),
    ("deal:J deal:Q call call deal:J call call", 1), ("deal:J deal:Q call call deal:K call call", -1),
    ("deal:K deal:K raise call deal:Q raise raise call", 0),
    ("deal:Q deal:K raise raise call deal:Q raise raise call", 13),
    ("deal:Q deal:K call raise raise call deal:J call raise fold", -5),
])
def test_leduc_results(moves, chips):
    state = play("leduc_poker", moves)
    assert state.is_over
    assert state.scores() == [chips, -chips]
    assert state.utilities()[0] == pytest.approx(0.5 + chips / 26)


def test_leduc_legal_moves():
    def names(moves):
        state = play("leduc_poker", moves)
        return [state.format(move) for move in state.legal_moves()]

    assert names("deal:J deal:Q") == ["call", "raise"]
    assert names("deal:J deal:Q call") == ["call", "raise"]
    assert names("deal:J deal:Q raise") == ["fold", "call", "raise"]
    assert names("deal:J deal:Q raise raise") == ["fold", "call"]
    assert names("deal:J deal:Q raise raise call deal:J") == ["call", "raise"]
    with pytest.raises(IllegalMove):
        play("leduc_poker", "deal:J deal:Q fold")


def test_leduc_deck_and_posterior():
    """The probability of a rank is proportional to its cards left, in deals and in determinizations."""
    assert play("leduc_poker", "deal:J").chance_outcomes() == [(10, 1), (11, 2), (12, 2)]
    assert play("leduc_poker", "deal:J deal:J call call").chance_outcomes() == [(11, 2), (12, 2)]
    state = play("leduc_poker", "deal:J deal:K call call deal:Q")
    rng = Random(11)
    counts = Counter(state.view(0).sample(rng).position.cards[1] for _ in range(10_000))
    assert chi_square(counts, {0: 2500, 1: 2500, 2: 5000}) < 16     # 2 degrees of freedom


# ---- Goofspiel -----------------------------------------------------------------------------------


def test_goofspiel_game():
    state = play("goofspiel", "1 2 3 3 4 1 2 4")
    assert state.scores() == [2, 5]                     # prizes 4, 3, 2, 1; equal bids discard the 3
    assert state.utilities() == [0.0, 1.0]
    assert play("goofspiel", "1 1 2 2 3 3 4 4").utilities() == [0.5, 0.5]


def test_goofspiel_bid_is_hidden_until_both_lie():
    three, four = play("goofspiel", "3"), play("goofspiel", "4")
    assert three.view(1).key() == four.view(1).key()
    assert three.view(0).key() != four.view(0).key()
    assert three.observation(1)["face_down"] == "hidden"
    assert three.label(1) == four.label(1) != 0
    assert three.label(0) != four.label(0)
    rng = Random(2)
    counts = Counter(three.view(1).sample(rng).position.face_down for _ in range(8_000))
    assert chi_square(counts, dict.fromkeys((1, 2, 3, 4), 2000)) < 19
    for state in (three, four):
        state.apply(2)
    assert three.view(1).key() != four.view(1).key()


# ---- phantom tic-tac-toe -------------------------------------------------------------------------


def test_phantom_rejection_is_told_to_the_mover_only():
    before = play("phantom_tic_tac_toe", "b2")
    after = play("phantom_tic_tac_toe", "b2 b2")
    assert after.to_move == 1
    assert after.view(0).key() == before.view(0).key()
    assert after.label(0) == 0
    assert after.label(1) != 0
    assert after.observation(1)["board"][4] == "X"
    assert before.observation(1)["board"] == ["."] * 9
    assert after.parse("a1") in after.legal_moves()
    with pytest.raises(IllegalMove):
        after.parse("b2")
    accepted = play("phantom_tic_tac_toe", "b2 b2 a1")
    assert accepted.to_move == 0
    assert accepted.label(0) == play("phantom_tic_tac_toe", "b2 a3").label(0) != 0


def test_phantom_board_is_shown_at_the_end():
    state = play("phantom_tic_tac_toe", "a1 b1 a2 b2 a3")
    assert state.utilities() == [1.0, 0.0]
    assert state.game.board_text(state, seat=0) == state.game.board_text(state, seat=1)
    assert state.observation(0)["board"].count("O") == 2


def possible_worlds(seat, own_tries, turns):
    """Play all possible moves of the other seat, and group the worlds by the observations of `seat`.

    `own_tries` lists the cells that the seat tries in each turn until one is accepted. Returns a dict from the
    sequence of labels that the seat saw to the set of (other's marks, cells that the other found taken).
    """
    worlds = {}

    def walk(position, script, turn, seen):
        if position.to_move == TERMINAL:
            return
        if position.to_move == seat:
            if turn == turns:
                other = 1 - seat
                found = worlds.setdefault(seen, (position, set()))[1]
                found.add((position.marks[other], position.found[other]))
                return
            moves = [next(cell for cell in script[turn] if cell in position.legal_moves())]
        else:
            moves = position.legal_moves()
        for move in moves:
            child = position.clone()
            child.apply(move)
            label = child.event_label(seat)
            done = position.to_move == seat and child.to_move != seat
            walk(child, script, turn + done, (*seen, label) if label else seen)

    walk(PhantomPosition(None), own_tries, 0, ())
    return worlds


@pytest.mark.parametrize(("seat", "own_tries", "turns"), [
    (0, [[4], [0, 8, 1, 2], [1, 2, 3, 5]], 1),
    (0, [[4], [0, 8, 1, 2], [1, 2, 3, 5]], 2),
    (0, [[4], [0, 8, 1, 2], [1, 2, 3, 5, 6]], 3),
    (1, [[0, 1], [8, 4, 2], [2, 5, 6, 7]], 0),
    (1, [[0, 1], [8, 4, 2], [2, 5, 6, 7]], 1),
    (1, [[0, 1], [8, 4, 2], [2, 5, 6, 7]], 2),
])
def test_phantom_worlds_are_exactly_the_possible_ones(seat, own_tries, turns):
    """Brute force over all possible tries of the other: every possible world can be drawn, and no other."""
    rows = possible_worlds(seat, own_tries, turns)
    assert rows
    for position, worlds in rows.values():
        own, found = position.marks[seat], position.found[seat]
        boards = consistent(own, found, position.counts[1 - seat])
        cells = [cell for cell in range(9) if own >> cell & 1]
        subsets = [sum(1 << cell for cell in chosen) for size in range(len(cells) + 1)
                   for chosen in itertools.combinations(cells, size)]
        assert worlds == set(itertools.product(boards, subsets))


def test_phantom_worlds_are_uniform():
    """Chi-square of 60,000 draws over the pairs (board, what X found) for O after a rejected try."""
    state = play("phantom_tic_tac_toe", "b2 a1 c3 b2")
    view = state.view(1)
    rng = Random(5)
    draws = 60_000
    counts = Counter()
    for _ in range(draws):
        world = view.sample(rng).position
        counts[world.marks[0], world.found[0]] += 1
    worlds = list(itertools.product(consistent(1 << 6, 1 << 4, 2), [0, 1 << 6]))
    assert len(worlds) == 14
    assert chi_square(counts, dict.fromkeys(worlds, draws / len(worlds))) < 43      # 13 degrees of freedom
    assert set(counts) == set(worlds)


# ---- the observations of the seats ---------------------------------------------------------------


@pytest.mark.parametrize(("name", "played", "move", "seen"), [
    ("tic_tac_toe", "", "a1", ["a1", "a1", "a1"]),
    ("kuhn_poker", "", "deal:Q", ["deal:Q", "deal:?", "deal:?"]),
    ("kuhn_poker", "deal:Q", "deal:K", ["deal:?", "deal:K", "deal:?"]),
    ("kuhn_poker", "deal:Q deal:K", "bet", ["bet", "bet", "bet"]),
    ("leduc_poker", "deal:Q", "deal:K", ["deal:?", "deal:K", "deal:?"]),
    ("leduc_poker", "deal:Q deal:K call call", "deal:J", ["deal:J", "deal:J", "deal:J"]),
    ("goofspiel", "", "3", ["3", "a card face down", "a card face down"]),
    ("goofspiel", "3", "4", ["4", "4", "4"]),
    ("phantom_tic_tac_toe", "b2", "a1", ["a mark", "a1", "a mark"]),
    ("phantom_tic_tac_toe", "b2", "b2", ["", "b2", ""]),
])
def test_seen_moves(name, played, move, seen):
    state = play(name, played)
    code = state.parse(move)
    assert [state.game.seen_move(state, code, viewer) for viewer in (0, 1, None)] == seen
