"""Numbers of actions: one for each move, the same at every decision."""

from __future__ import annotations

import pytest

import sfida
from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.rng import Random
from sfida.cython_ext.state import GameState
from sfida.engines.registry import make_game
from sfida.envs.spaces import CandidateChoices, FixedChoices, choices_of

pytestmark = pytest.mark.release_only("no rules: their moves by number")

GAMES = ("a_few_acres_of_snow", "attila:players=5", "carcassonne:river=true,players=4", "risiko", "risiko:players=6",
         "settlers_of_zarahemla:players=4", "goofspiel", "kuhn_poker", "leduc_poker", "phantom_tic_tac_toe",
         "tic_tac_toe")


def decisions(game: str, seed: int, most: int = 400) -> list[GameState]:
    """Return the positions of a random game in which a seat decides."""
    state, rng, found = sfida.make(game), Random(seed), []
    while not state.is_over and len(found) < most:
        if state.is_chance:
            state.apply(state.sample_chance(rng))
            continue
        found.append(state.clone())
        moves = state.candidate_moves()
        state.apply(moves[rng.below(len(moves))])
    return found


@pytest.mark.parametrize("game", GAMES)
def test_fixed_numbers_are_one_for_each_move(game: str) -> None:
    actions = make_game(game).actions
    assert actions is not None
    choices = FixedChoices(actions)
    for state in decisions(game, 5):
        moves = state.legal_moves() if actions.complete else state.candidate_moves()
        offered = choices.at(state)
        assert list(offered.values()) == moves, "each move once"
        assert all(0 <= action < choices.size for action in offered)
        assert list(choices.mask(offered).nonzero()[0]) == sorted(offered)


@pytest.mark.parametrize("game", ["a_few_acres_of_snow", "attila", "carcassonne", "settlers_of_zarahemla"])
def test_a_fixed_number_means_the_same_move_everywhere(game: str) -> None:
    """The exception is the tile of Carcassonne, which is visible in hand."""
    choices = choices_of(make_game(game), "fixed", None)
    meant: dict[int, int] = {}
    for seed in (1, 2):
        for state in decisions(game, seed):
            for action, move in choices.at(state).items():
                kept = move & ~(255 << 24) if game == "carcassonne" else move
                assert meant.setdefault(action, kept) == kept


def test_armies_of_risiko_are_numbered_by_their_share() -> None:
    """RIS-14.9: one, half and all of the armies to place, for any number of armies."""
    state = next(state for state in decisions("risiko", 3) if state.phase == "place" and len(state.legal_moves()) > 60)
    offered = choices_of(state.game, "fixed", None).at(state)
    texts = {action: state.format(move) for action, move in offered.items()}
    places = sorted(texts)
    territory = texts[places[0]].split()[0]
    amounts = [int(texts[action].split()[1]) for action in places[:3]]
    assert [texts[action].split()[0] for action in places[:3]] == [territory] * 3
    assert amounts[0] == 1
    assert amounts[1] == (amounts[2] + 1) // 2
    assert amounts[2] > 2


def test_candidates_are_the_moves_worth_searching() -> None:
    game = make_game("risiko")
    wide, narrow = CandidateChoices(game), CandidateChoices(game, 5)
    cut = 0
    for state in decisions("risiko", 7):
        assert list(wide.at(state).values()) == state.candidate_moves()
        offered = narrow.at(state)
        priors = dict(state.move_priors())
        rest = set(priors) - set(offered.values())
        assert list(offered) == list(range(len(offered)))
        assert not rest or max(priors[move] for move in rest) <= min(priors[move] for move in offered.values())
        cut += bool(rest)
    assert cut > 20


@pytest.mark.parametrize(("game", "actions", "width", "message"), [
    ("carcassonne", "all", None, "actions must be 'fixed' or 'candidates', not 'all'"),
    ("carcassonne", "fixed", 9, "width goes with actions='candidates'"),
    ("carcassonne", "candidates", 0, "width must be a whole number from 1 to"),
    ("risiko:move_granularity=full", "fixed", None, "has no fixed numbers of actions; right would be"),
])
def test_what_is_not_possible_is_said_in_one_line(game: str, actions: str, width: int | None, message: str) -> None:
    with pytest.raises(InvalidOption) as caught:
        choices_of(make_game(game), actions, width)
    assert message in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1
