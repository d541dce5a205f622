"""What is told of a game of Attila: points that add up, in 120 games, and conflicts in sentences."""

from __future__ import annotations

import pytest

from sfida.cython_ext.attila.core import AttilaState
from sfida.cython_ext.rng import Random
from sfida.engines.registry import make_game
from support.attila import play, setup

# Options that change when scorings are held, who is paid, and how a game ends.
SPECS = ("players=2", "players=2,two_player_difference_scoring=true", "players=3",
         "players=3,merge_final_scoring=false", "players=3,scoring_after_trigger=replaced,removed_tokens=box",
         "players=4,scoring_timing=after_all_conflicts,conflict_order=active_chooses",
         "players=4,exhaustion_check=after_conflicts,no_live_card=skip", "players=5",
         "players=5,tile_windows=every_decision,open_commitments=true", "players=5,start_player=random")
GAMES = 120 // len(SPECS)       # a slip in one game of 40 is met but for one time in 20


def chosen(state: AttilaState, rng: Random, by_priors: bool) -> int:
    """Return an event: luck, the move that the priors like best, or a random one."""
    if state.is_chance:
        return state.sample_chance(rng)
    if by_priors:
        return max(state.move_priors(), key=lambda move: move[1])[0]
    moves = state.legal_moves()
    return moves[rng.below(len(moves))]


@pytest.mark.release_only("one program that tells of games")
@pytest.mark.rule("ATT-8.10")
@pytest.mark.parametrize("spec", SPECS)
def test_the_points_told_add_up_to_the_score_at_every_moment(spec: str) -> None:
    game = make_game(f"attila:{spec}")
    for seed in range(GAMES):
        state, rng = game.initial_state(), Random(seed)
        while not state.is_over:
            before = state.clone()
            move = chosen(state, rng, by_priors=seed % 2 == 1)
            state.apply(move)
            gains = game.narrate(before, move, state, None).gains(game.players)
            assert [a + b for a, b in zip(before.scores(), gains, strict=True)] == state.scores()


def told(state: AttilaState, line: str, viewer: int | None = None) -> list[str]:
    """Play a line and return what came of its last event."""
    *first, last = state.game.parse_turn(state, line)
    for move in first:
        state.apply(move)
    before = state.clone()
    state.apply(last)
    return [effect.text for effect in state.game.narrate(before, last, state, viewer).effects]


@pytest.mark.rule("ATT-6.7", "ATT-7.1")
def test_a_conflict_is_told_in_sentences() -> None:
    state = setup("GER:FFHH", ["GGHHFF", "FFHHGG"], used=1)
    assert told(state, "G@GER") == ["Germania is too crowded: there will be a conflict"]
    play(state, "+2", "FH", "done")
    assert told(state, "done") == [
        "White had laid 1 Frank and 1 Hun", "conflict in Germania: Franks 3, Huns 3, Goths 1", "Goths left, 1 token",
        "Germania gets a peace tile of the 5th century; 8 tiles left in all"]


@pytest.mark.rule("ATT-5.1")
def test_influence_is_told_from_where_to_where() -> None:
    state = play(setup(hands=["FFHHGG"], used=3, influence={"0.F": 4}), "F@GER")
    assert told(state, "+3") == ["White's marker of the Franks goes from 4 to 7"]
    assert told(play(state, "*I"), "I:V") == ["White's marker of the Vandals goes from 0 to 1"]


@pytest.mark.rule("ATT-8.1", "ATT-8.4")
def test_a_scoring_tells_the_sums_and_each_tribe_that_pays() -> None:
    state = play(setup("GER:FFHH RAE:S", ["GGHHFF", "FFHHGG"], influence={"0.F": 1, "1.H": 2}), "G@GER+1", "nobody")
    assert told(state, "score") == [
        "scoring of the 4th century: White 3, Red 3, Green 0", "the Franks, 2 tokens in 1 province, pay White 3",
        "the Huns, 2 tokens in 1 province, pay Red 3", "the Goths, the Saxons, the Teutons and the Vandals pay nobody"]


@pytest.mark.rule("ATT-6.13")
def test_the_order_of_two_conflicts_is_told_as_the_last_move() -> None:
    state = play(setup("GER:FFHH RAE:SSTT", ["VGGHHF"], options="conflict_order=active_chooses"), "V@GER,RAE", "RAE")
    assert "Last move: the order of the conflicts." in state.game.status_text(state)
