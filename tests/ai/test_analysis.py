"""Expected lines with the seat of each move."""

import pytest

import sfida
from sfida.ai.analysis import Line, Ply, follow
from sfida.ai.registry import agent


def kuhn(*moves):
    state = sfida.make("kuhn_poker")
    for move in moves:
        state.apply(state.parse(move))
    return state


def test_who_plays_what_until_the_end():
    line = follow(sfida.make("tic_tac_toe").view(0), ("a1", "b2", "a2", "b3", "a3"), 0)
    assert [ply.seat for ply in line.plies] == [0, 1, 0, 1, 0]
    assert [ply.move for ply in line.plies] == ["a1", "b2", "a2", "b3", "a3"]
    assert line.over
    assert line.answer == 1


def test_luck_is_nobodys_and_words_are_for_people():
    state = sfida.make("carcassonne")
    state.apply(state.parse("E"))
    first = state.format(state.legal_moves()[0])
    line = follow(state.view(0), (first, "-", "V"), 0)
    assert [ply.seat for ply in line.plies] == [0, 0, -1]
    assert line.plies[1].words == "no follower"
    assert line.plies[2].words.startswith("tile V, ")
    assert line.answer is None
    assert not line.over


def test_a_line_stops_where_it_cannot_be_played():
    view = sfida.make("tic_tac_toe").view(0)
    assert follow(view, ("a1", "a1", "b2"), 0).plies == (Ply(0, "a1", "a1"),)
    assert follow(view, ("A1",), 0) == Line((), False), "only the notation itself"
    assert len(follow(view, ("a1", "b1", "a2", "b2", "a3", "c1"), 0).plies) == 5, "the game is over before"


@pytest.mark.parametrize("spec", ["ismcts:iterations=500", "mo-ismcts:iterations=500", "pimc:iterations=500"])
def test_lines_of_searches_are_found_whole(spec):
    leduc = sfida.make("leduc_poker")
    for move in ("deal:K", "deal:J"):
        leduc.apply(leduc.parse(move))
    for state in (leduc, sfida.make("phantom_tic_tac_toe"), kuhn("deal:Q", "deal:K", "bet")):
        view = state.view(state.to_move)
        searcher = agent(spec, seed=3)
        for stats in searcher.analyze(view).moves:
            line = follow(view, stats.pv, searcher.seed)
            assert tuple(ply.move for ply in line.plies) == stats.pv
            assert line.plies[0].seat == view.seat


def test_nothing_hidden_is_taken_from_the_true_state():
    lines = [follow(kuhn("deal:Q", card).view(0), ("bet", "pass"), 5) for card in ("deal:J", "deal:K")]
    assert lines[0] == lines[1]
