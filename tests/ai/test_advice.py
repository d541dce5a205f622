"""The best move compared with another move, and the reply that refutes the other."""

import dataclasses
import json

import pytest

import sfida
from sfida.ai.advice import compare
from sfida.ai.registry import agent
from sfida.cython_ext.errors import IllegalMove, InvalidOption
from sfida.cython_ext.rng import Random

SEARCHERS = ["ismcts:iterations=1500", "mo-ismcts:iterations=1500", "pimc:iterations=1500"]

FULL = ["a1", "b2", "c3", "c1", "a3", "a2", "c2", "b3"]      # one cell is left


def position(game, *moves):
    state = sfida.make(game)
    for move in moves:
        state.apply(state.parse(move))
    return state


def threat():
    """O wins at a3 unless X plays there, which wins for X."""
    return position("tic_tac_toe", "a1", "b2", "c3", "c1")


def asked(spec, state, move, seed=1):
    return compare(agent(spec, seed=seed), state.view(state.to_move), state.parse(move))


def timeless(found):
    return dataclasses.replace(found, seconds=0.0)




# ---- known truth ------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", SEARCHERS)
@pytest.mark.parametrize("blunder", ["a2", "b1", "b3", "c2"])
def test_a_blunder_is_refuted_by_the_winning_reply(spec, blunder):
    found = asked(spec, threat(), blunder)
    assert found.best.move == "a3"
    assert found.asked.move == blunder
    assert not found.same
    assert found.loss > 0.9
    assert (found.reply.seat, found.reply.move, found.reply.after) == (1, "a3", (blunder,))
    assert found.asked_line.over
    assert found.asked.visits == 1500, "as well searched as the best move"


@pytest.mark.parametrize("spec", SEARCHERS)
def test_the_best_move_itself(spec):
    found = asked(spec, threat(), "a3")
    assert found.same
    assert found.best is found.asked
    assert found.loss == 0.0
    assert found.next_best.move in ("a2", "b1", "b3", "c2")
    assert found.next_best.value < 0.5
    assert found.reply.seat == 1
    assert found.iterations == (1500, 0)


def test_a_solved_endgame_is_exact():
    found = asked("ismcts:endgame=100000", threat(), "b1")
    assert found.stopped == "solved"
    assert found.best.value == 1.0
    assert found.asked.value == 0.0
    assert found.loss == 1.0
    assert found.reply.move == "a3"
    assert found.iterations[1] == 0


def test_the_only_move_has_no_rival():
    found = asked("ismcts:iterations=50", position("tic_tac_toe", *FULL), "b1")
    assert found.same
    assert found.next_best is None
    assert found.reply is None
    assert found.asked_line.over


def test_folding_the_best_card():
    found = asked("mo-ismcts:iterations=1000", position("kuhn_poker", "deal:J", "deal:K", "bet"), "pass")
    assert found.best.move == "bet"
    assert found.asked.value < 0.5 < found.best.value
    assert found.reply is None, "the game is over"
    assert found.asked_line.over


# ---- the compared moves -----------------------------------------------------------------------------


def test_luck_and_later_steps_come_before_the_reply():
    state = position("carcassonne", "E")
    move = state.legal_moves()[-1]
    found = compare(agent("ismcts:iterations=600", seed=2), state.view(0), move)
    for stats, line in ((found.best, found.best_line), (found.asked, found.asked_line)):
        assert tuple(ply.move for ply in line.plies) == stats.pv
        ahead = state.clone()
        for ply in line.plies:
            assert ply.seat == ahead.to_move
            ahead.apply(ahead.parse(ply.move))
    assert found.reply.seat == 1
    assert found.reply.after[0] == state.format(move)
    assert len(found.reply.after) == 3, "tile, follower, and the tile that is drawn next"
    assert found.reply.words.startswith(found.reply.move.split("@")[0])


def test_what_others_cannot_see_they_do_not_learn_to_answer():
    bid = asked("mo-ismcts:iterations=2000", position("goofspiel"), "1")
    assert bid.iterations == (2000, 0)
    assert bid.asked.strategy is not None
    assert bid.best.strategy == max(bid.best.strategy, bid.asked.strategy)
    assert asked("mo-ismcts:iterations=300", position("phantom_tic_tac_toe"), "a2").iterations == (300, 0)
    seen = asked("mo-ismcts:iterations=300", position("leduc_poker", "deal:Q", "deal:K"), "raise")
    assert seen.same or seen.iterations == (300, 300)


def test_a_hidden_card_does_not_matter():
    found = [timeless(asked("mo-ismcts:iterations=400", position("leduc_poker", "deal:Q", card), move))
             for move in ("call", "raise") for card in ("deal:J", "deal:K")]
    assert found[0] == found[1]
    assert found[2] == found[3]
    assert found[0] != found[2]


@pytest.mark.parametrize("spec", [*SEARCHERS, "ismcts:iterations=1500,threads=2"])
def test_the_same_again(spec):
    state = position("carcassonne", "E")
    move = state.legal_moves()[0]
    searcher = agent(spec, seed=4)
    first = compare(searcher, state.view(0), move)
    assert timeless(compare(searcher, state.view(0), move)) == timeless(first)
    assert timeless(compare(agent(spec, seed=4), state.view(0), move)) == timeless(first)


def test_an_agent_decides_as_if_it_had_not_been_asked():
    searcher, state, rng = agent("ismcts:iterations=300", seed=1), position("carcassonne"), Random(1)
    for _ in range(12):
        if state.is_chance:
            state.apply(state.sample_chance(rng))
            continue
        view = state.view(state.to_move)
        compare(searcher, view, state.legal_moves()[-1])
        move = searcher.choose(view)
        assert move == agent("ismcts:iterations=300", seed=1).choose(view)
        state.apply(move)


# ---- Ctrl-C, mistakes, JSON -------------------------------------------------------------------------


@pytest.mark.parametrize(("spec", "cancelled"), [("ismcts:seconds=60", 1), ("pimc:seconds=60", 1),
                                                 ("mo-ismcts:seconds=0.1", 2)])
def test_a_cancelled_comparison_tells_what_was_found(monkeypatch, spec, cancelled):
    searcher = agent(spec, seed=1)
    searches, search = [], searcher.search

    def counted(*args, **more):
        searches.append(more)
        if len(searches) == 2:          # long enough to be cancelled on a busy machine
            searcher.options = dataclasses.replace(searcher.options, seconds=60)
        return search(*args, **more)

    def listen(_progress):
        if len(searches) == cancelled:
            searcher.cancel()

    monkeypatch.setattr(searcher, "search", counted)
    searcher.on_progress = listen
    state = threat()
    found = compare(searcher, state.view(0), state.parse("a2"))
    assert found.stopped == "cancelled"
    assert found.seconds < 30
    assert found.asked.visits > 0
    assert found.reply.move == "a3"
    assert searcher.on_progress is listen


def test_mistakes():
    state = threat()
    with pytest.raises(IllegalMove, match="not a legal move here; legal are for example: a3"):
        compare(agent("ismcts"), state.view(0), 6)
    with pytest.raises(IllegalMove, match="seat 1 is not to move"):
        compare(agent("ismcts"), state.view(1), 0)
    for spec in ("random", "greedy", "flat:iterations=10"):
        with pytest.raises(InvalidOption, match="cannot be held to a move; take one that searches a tree"):
            compare(agent(spec), state.view(0), 0)


def test_json():
    data = json.loads(json.dumps(asked(SEARCHERS[0], threat(), "b1").to_json(threat().game), allow_nan=False))
    assert (data["schema"], data["type"], data["seat"], data["same"]) == (1, "comparison", 0, False)
    assert data["best"]["move"] == "a3"
    assert data["asked"]["line"][1] == {"seat": 1, "move": "a3", "words": "a3", "effects": ["O scores 1"]}
    assert data["reply"] == {"seat": 1, "move": "a3", "words": "a3", "after": ["b1"]}
    assert data["loss"] == pytest.approx(data["best"]["value"] - data["asked"]["value"])
    assert data["iterations"] == [1500, 1500]
