"""Games of OpenSpiel: they keep the contract, and have the rules and secrets of OpenSpiel itself."""

import json
import math
import subprocess
import sys
from collections import Counter

import pytest
from click.testing import CliRunner

import sfida
from sfida.cli.main import main
from sfida.cython_ext.errors import InvalidOption, InvalidRecord, SfidaError
from sfida.cython_ext.rng import Random, derive
from sfida.engines.openspiel.library import integer_weights
from sfida.engines.openspiel.worlds import Drawer, Matcher, list_worlds
from sfida.engines.python_game import position_of
from sfida.engines.registry import broken_games, game_class, game_names, make_game
from sfida.testing import check_game
from support.exploitability import GameTree

pytestmark = pytest.mark.release_only("the rules are those of OpenSpiel; test_python_game.py uses the same module")

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed: pip install 'sfida[openspiel]'")

GOOFSPIEL = "goofspiel(imp_info=True;num_cards=4;points_order=descending)"
GIN_RUMMY = "gin_rummy(hand_size=2;num_ranks=4;num_suits=2)"
HIDING = ["kuhn_poker", "leduc_poker", "liars_dice", "phantom_ttt", GOOFSPIEL, GIN_RUMMY]


def make(text):
    return sfida.make(f"openspiel:game={text}")


def walk(text, seed, plies=None):
    """Yield the states of a random game, up to its end or a number of plies."""
    state, rng = make(text), Random(seed)
    while plies is None or plies > 0:
        yield state
        if state.is_over:
            return
        moves = state.legal_moves()
        state.apply(state.sample_chance(rng) if state.is_chance else moves[rng.below(len(moves))])
        plies = None if plies is None else plies - 1
    yield state


def play(text, moves):
    """Play moves given in notation, from the start."""
    state = make(text)
    for move in moves.split():
        state.apply(state.parse(move))
    return state


# ---- the contract --------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "seeds"), [
    ("tic_tac_toe", 4), ("kuhn_poker", 4), ("kuhn_poker(players=3)", 3), ("leduc_poker", 3), ("phantom_ttt", 2),
    ("liars_dice", 2), (GOOFSPIEL, 3), (GIN_RUMMY, 1),
])
def test_game_conforms(text, seeds):
    report = check_game(f"openspiel:game={text}", seeds=seeds, seed=4)
    assert report.games == seeds
    assert report.positions >= 4 * seeds


@pytest.mark.parametrize("text", ["tic_tac_toe", "kuhn_poker(players=3)", "leduc_poker", "liars_dice", "backgammon",
                                  GOOFSPIEL, GIN_RUMMY])
def test_every_state_is_openspiels(text):
    """The same moves lead to the same movers, legal moves, chance outcomes and returns."""
    game = pyspiel.load_game_as_turn_based(text.replace(";", ","))
    spread = game.max_utility() - game.min_utility()
    theirs = game.new_initial_state()
    ours = make(text)
    rng = Random(6)
    while not theirs.is_terminal():
        assert ours.to_move == theirs.current_player()
        assert ours.legal_moves() == sorted(theirs.legal_actions())
        if theirs.is_chance_node():
            weights = dict(ours.chance_outcomes())
            total = sum(weights.values())
            assert {move: weight / total for move, weight in weights.items()} == pytest.approx(
                dict(theirs.chance_outcomes()))
            move = ours.sample_chance(rng)
        else:
            move = ours.legal_moves()[rng.below(len(ours.legal_moves()))]
        ours.apply(move)
        theirs.apply_action(move)
    returns = theirs.returns()
    assert ours.scores() == returns
    assert ours.utilities() == pytest.approx(
        [1 / len(returns) + value / ((len(returns) - 1) * spread) for value in returns])


@pytest.mark.parametrize(("own", "text"), [
    ("kuhn_poker", "kuhn_poker"), ("leduc_poker", "leduc_poker(suit_isomorphism=True)"),
])
def test_trees_are_those_of_our_own_engines(own, text):
    """Two implementations of one game have the same number of information sets, value and exploitability."""
    ours, theirs = GameTree(sfida.make(own)), GameTree(make(text))
    assert len(theirs.sets) == len(ours.sets)
    assert Counter(len(each.moves) for each in theirs.sets.values()) == Counter(
        len(each.moves) for each in ours.sets.values())
    assert theirs.value(theirs.uniform()) == pytest.approx(ours.value(ours.uniform()), abs=1e-12)
    assert theirs.exploitability(theirs.uniform()) == pytest.approx(ours.exploitability(ours.uniform()), abs=1e-12)


@pytest.mark.parametrize(("chances", "weights"), [
    ((1 / 52,) * 52, (1,) * 52),
    ((1 / 3, 2 / 3), (1, 2)),
    ((0.2, 0.4, 0.4), (1, 2, 2)),
    ((1 / 36, 2 / 36, 33 / 36), (1, 2, 33)),
    ((0.1, 0.2, 0.3, 0.4), (1, 2, 3, 4)),
    ((1.0,), (1,)),
])
def test_weights_undo_the_rounding_of_floats(chances, weights):
    assert integer_weights(chances) == weights


def test_weights_of_chances_that_are_no_fractions():
    chances = (math.exp(-1), 1 - math.exp(-1) - 1e-12, 1e-12)
    weights = integer_weights(chances)
    assert sum(weights) < 2**32
    assert [weight / sum(weights) for weight in weights] == pytest.approx(chances, abs=1e-9)
    assert weights[2] == 1


# ---- the information of the seats ----------------------------------------------------------------


def test_a_dealt_card_is_seen_by_its_owner_only():
    state = play("kuhn_poker", "Deal:0")
    assert state.label(0) != 0
    assert state.label(1) == 0
    other = play("kuhn_poker", "Deal:1")
    assert state.view(1).key() == other.view(1).key()
    assert state.view(0).key() != other.view(0).key()
    assert state.label(0) != other.label(0)


def test_a_failed_try_in_phantom_tic_tac_toe_is_the_movers_secret():
    before, after = play("phantom_ttt", "x(1,1)"), play("phantom_ttt", "x(1,1) o(1,1)")
    assert after.to_move == 1
    assert after.label(0) == 0
    assert after.label(1) != 0
    assert after.view(0).key() == before.view(0).key()
    assert after.view(1).key() != before.view(1).key()


def test_simultaneous_moves_are_bids():
    state = make(GOOFSPIEL)
    assert position_of(state).is_bid()
    first = state.legal_moves()
    bids = []
    for move in first:
        twin = state.clone()
        twin.apply(move)
        bids.append(twin)
    assert len({twin.view(1).key() for twin in bids}) == 1
    assert len({twin.view(0).key() for twin in bids}) == len(first)
    assert position_of(bids[0]).is_bid()
    assert not hasattr(position_of(make("tic_tac_toe")), "is_bid") or not position_of(make("tic_tac_toe")).is_bid()


@pytest.mark.parametrize(("text", "played", "move", "seen"), [
    ("tic_tac_toe", "", "x(0,0)", ["x(0,0)"] * 3),
    ("kuhn_poker", "", "Deal:2", ["Deal:2", "", "?"]),
    ("kuhn_poker", "Deal:2", "Deal:0", ["", "Deal:0", "?"]),
    ("kuhn_poker", "Deal:2 Deal:0", "Bet", ["Bet", "Bet", "Bet"]),
    ("phantom_ttt", "x(1,1)", "o(1,1)", ["", "o(1,1)", "?"]),
])
def test_seen_moves(text, played, move, seen):
    state = play(text, played)
    code = state.parse(move)
    assert [state.game.seen_move(state, code, viewer) for viewer in (0, 1, None)] == seen


def test_imagined_cards_are_uniform():
    """Chi-square of 10,000 draws over the four cards that seat 0 sees neither in its hand nor on the table."""
    state = play("leduc_poker", "Chanceoutcome:4 Chanceoutcome:1 Call Call Chanceoutcome:2")
    view, rng = state.view(0), Random(11)
    counts = Counter(position_of(view.sample(rng)).node.history()[1] for _ in range(10_000))
    assert set(counts) == {0, 1, 3, 5}
    assert sum((n - 2500) ** 2 / 2500 for n in counts.values()) < 16.3      # 3 degrees of freedom, p = .001


def test_imagined_dice_weigh_as_they_were_thrown():
    """Each face has probability one in six, whatever the bids."""
    state = play("liars_dice", "Roll3 Roll5 2-6")
    view, rng = state.view(1), Random(3)
    counts = Counter(position_of(view.sample(rng)).node.history()[0] for _ in range(12_000))
    assert len(counts) == 6
    assert sum((n - 2000) ** 2 / 2000 for n in counts.values()) < 20.6      # 5 degrees of freedom, p = .001


@pytest.mark.parametrize(("text", "plies"), [("phantom_ttt", 3), (GOOFSPIEL, 5), (GIN_RUMMY, 8), ("leduc_poker", 3)])
def test_drawn_worlds_are_worlds_and_miss_none(text, plies):
    """If too many worlds are possible, worlds are drawn, not listed; for few worlds both methods give the same set."""
    *_, state = walk(text, 9, plies)
    node = position_of(state).node
    for seat in (0, 1):
        record = node.record(seat)
        matcher = Matcher(node.rules, seat, record, node.actor)
        listed = {world.history() for world, _ in list_worlds(matcher)}
        assert node.history() in listed
        drawer = Drawer(matcher)
        drawn = [drawer.world(number) for number in range(12 * len(listed))]
        assert {world.history() for world in drawn} <= listed
        assert all(world.record(seat) == record and world.actor == node.actor for world in drawn[:50])
        if seat == state.to_move:
            assert len({world.history() for world in drawn}) >= 0.9 * len(listed)


def analysed(view, seed):
    found = sfida.agent("ismcts:iterations=120", seed=seed).analyze(view)
    return sorted((move.code, move.visits) for move in found.moves)


@pytest.mark.parametrize("text", HIDING)
def test_equal_information_gives_equal_searches(text):
    """An agent counts the same visits for all states that look alike to its seat, although the states differ."""
    different = decisions = 0
    for number, state in enumerate(state for seed in (5, 6, 7) for state in walk(text, seed, 9)):
        if state.to_move < 0:
            continue
        twin = state.clone()
        twin.determinize(state.to_move, Random(derive(8, number)))
        different += twin != state
        decisions += 1
        assert analysed(state.view(state.to_move), number) == analysed(twin.view(state.to_move), number)
    assert decisions >= 5
    assert different >= 1


def test_a_view_holds_nothing_of_the_truth():
    """All five possible cards of the other seat give the same view, byte for byte."""
    states = [play("leduc_poker", f"Chanceoutcome:4 Chanceoutcome:{card}") for card in (0, 1, 2, 3, 5)]
    assert len({state.view(0).key() for state in states}) == 1
    assert len({state.to_bytes() for state in states}) == 5


# ---- learning ------------------------------------------------------------------------------------


def test_features_are_the_observations_of_openspiel():
    """Each seat's features hold its number and its observation; secrets of other seats are left out."""
    state = play("tic_tac_toe", "x(1,1) o(0,0)")
    board = list(position_of(state).node.state.observation_tensor(0))
    for seat in (0, 1):
        assert list(state.features(seat).values()) == [float(seat == 0), float(seat == 1), *board]
    dealt = play("kuhn_poker", "Deal:2 Deal:0")
    assert list(dealt.features(0).values())[2:] == list(position_of(dealt).node.state.observation_tensor(0))
    assert set(list(dealt.features(1).values())[2:]) == {0.0}


@pytest.mark.parametrize(("text", "count"), [("connect_four", 128), ("gin_rummy", 0), ("goofspiel", 242)])
def test_games_without_observations_or_with_too_many_numbers_list_no_features(text, count):
    assert len(make(text).feature_names) == count


def test_an_evaluation_is_learned_from_play(tmp_path):
    """In mancala the network predicts results, and the search uses it."""
    runner = CliRunner()
    done = runner.invoke(main, [
        "train", "openspiel:game=mancala", "--games", "20", "--iterations", "20", "--hidden", "2", "--no-match",
        "--seed", "1", "--folder", str(tmp_path), "--json"])
    assert done.exit_code == 0, done.output
    state = make("mancala")
    judged = sfida.agent(f"ismcts:iterations=50,cutoff=2,knowledge={tmp_path / 'learned.json'}", seed=1)
    assert len(judged.analyze(state.view(0)).moves) == len(state.legal_moves())
    other = runner.invoke(main, ["analyze", "openspiel:game=oware", "--agent",
                                 f"ismcts:knowledge={tmp_path / 'learned.json'}"])
    assert other.exit_code == 2
    assert "features" in other.output


# ---- names ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("spec", "canonical", "players"), [
    ("openspiel:game=kuhn_poker", "openspiel:game=kuhn_poker", 2),
    ("openspiel:game=kuhn_poker()", "openspiel:game=kuhn_poker", 2),
    ("openspiel:game=kuhn_poker,players=3", "openspiel:game=kuhn_poker(players=3)", 3),
    ("openspiel:game=goofspiel(num_cards=4; imp_info=true)", "openspiel:game=goofspiel(imp_info=True;num_cards=4)", 2),
    ("openspiel:game=nim(pile_sizes=1;3;5)", "openspiel:game=nim(pile_sizes=1;3;5)", 2),
    ("openspiel:game=misere(game=tic_tac_toe())", "openspiel:game=misere(game=tic_tac_toe())", 2),
    ("openspiel:game=matching_pennies_3p", "openspiel:game=matching_pennies_3p", 3),
])
def test_canonical_specs(spec, canonical, players):
    game = make_game(spec)
    assert game.spec() == canonical
    assert game.players == players
    assert make_game(canonical) == game


@pytest.mark.parametrize(("spec", "message"), [
    ("openspiel", "option 'game' of game 'openspiel' must be given"),
    ("openspiel:game=kuhn", "not 'kuhn'; did you mean 'kuhn_poker'?"),
    ("openspiel:game=kuhn_poker(players=3", "brackets"),
    ("openspiel:game=kuhn_poker(player=3)", "Unknown parameter 'player'"),
    ("openspiel:game=tic_tac_toe,players=3", "must be 2 with 'tic_tac_toe', not 3"),
    ("openspiel:game=solitaire", "it has 1 players"),
    ("openspiel:game=hanabi", "win or lose together"),
    ("openspiel:game=tarok", "draws its luck out of sight"),
    ("openspiel:game=mfg_garnet", "mean-field"),
])
def test_what_cannot_be_played_is_said_in_one_line(spec, message):
    with pytest.raises(InvalidOption) as caught:
        sfida.make(spec)
    assert message in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_without_the_package_one_line_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(SfidaError, match=r"needs the package open_spiel: pip install 'sfida\[openspiel\]'"):
        sfida.make("openspiel:game=not_loaded_before")
    assert broken_games() == {}


def test_the_family_is_found_but_neither_listed_nor_imported():
    assert game_class("openspiel").name == "openspiel"
    assert "openspiel" not in game_names()
    code = ("import sys, sfida; from sfida.engines.registry import game_class; sfida.game_names(); "
            "game_class('openspiel'); print('pyspiel' in sys.modules)")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_bytes_of_impossible_positions_are_refused():
    data = play("kuhn_poker", "Deal:0 Deal:1 Bet").to_bytes()
    fresh = make("kuhn_poker")
    with pytest.raises(InvalidRecord):
        fresh.load(data.replace(b"K\x00K\x01", b"K\x00K\x00"))
    fresh.load(data)
    assert fresh.legal_moves() == [0, 1]


# ---- the commands --------------------------------------------------------------------------------


def command(*args):
    result = CliRunner().invoke(main, list(args))
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]


def test_play_analyze_and_tournament():
    game = "openspiel:game=leduc_poker"
    *moves, result = command("play", game, "--seat", "ismcts:iterations=50", "--seat", "random", "--seed", "3",
                             "--json")
    assert result["game"] == game
    assert sum(result["scores"]) == 0
    assert moves[0]["chance"]
    (analysis,) = command("analyze", "openspiel:game=phantom_ttt", "--agent", "ismcts:iterations=90", "--json")
    assert analysis["iterations"] == 90
    assert len(analysis["moves"]) == 9
    (table,) = command("tournament", "openspiel:game=kuhn_poker", "ismcts:iterations=50", "random", "-n", "2",
                       "--seed", "1", "-j", "1", "--json")
    assert table["games"] == 2
