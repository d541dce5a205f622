"""Twins of a game find leaks in views and gaps in labels; in our own games they find nothing."""

import pytest

import sfida.testing
from bench import main
from sfida.ai.research.audit.of_sfida import TwinCounts, twins_of_game
from sfida.cython_ext.rng import Random
from sfida.cython_ext.twins import Tape
from sfida.engines.examples.kuhn_poker import NOT_DEALT, KuhnPoker, KuhnPosition
from sfida.engines.registry import make_game
from sfida.testing import check_game
from support.noted import Noted

HIDDEN = [("settlers_of_zarahemla:max_turns=80", 2), ("settlers_of_zarahemla:max_turns=30", 4),
          ("risiko:round_limit=1", 3), ("risiko:round_limit=1", 6), ("a_few_acres_of_snow:max_turns=60", 2),
          ("attila", 2), ("attila", 3), ("attila", 5), ("leduc_poker", 2)]


class Redacted(Noted):
    """A note of the last deal is redacted only before the betting; `determinize` leaves it unchanged."""

    __slots__ = ()

    def redact(self, seat):
        super().redact(seat)
        if not self.history:
            self.note = NOT_DEALT


class Shown(KuhnPosition):
    """The second card is shown to all seats with the first bet, but the label does not mention it."""

    __slots__ = ()

    def hides_from(self, seat):
        return super().hides_from(seat) and not self.history


class NotedPoker(KuhnPoker):
    position_class = Redacted


class ShownPoker(KuhnPoker):
    position_class = Shown


@pytest.mark.parametrize(("game", "fault"), [
    (NotedPoker, "the view keeps what the seat never saw"),
    (ShownPoker, "the label of the last event leaves out what the seat was shown"),
])
def test_twins_find_a_leak_and_say_whose_it_is(game, fault):
    counts = TwinCounts()
    for seed in range(5):
        twins_of_game(game(), seed, counts=counts)
    assert counts.differences
    text = str(counts.differences[0])
    assert fault in text
    assert "game 'kuhn_poker', seed 0" in text
    one = counts.differences[0]
    assert one.history != one.twin
    assert one.history[0].startswith("deal:")


def test_check_game_looks_at_twins(monkeypatch):
    """The other checks of `check_game` do not matter here."""
    monkeypatch.setattr(sfida.testing._Walk, "run", lambda walk: None)
    with pytest.raises(AssertionError, match="a seat is shown what it did not see: game 'kuhn_poker', seed"):
        check_game(NotedPoker(), seeds=5)


@pytest.mark.parametrize(("spec", "players"), HIDDEN)
def test_twins_look_alike(spec, players):
    counts = TwinCounts()
    for seed in range(2):
        twins_of_game(make_game(spec, players=players), seed, twins=8, every=400, counts=counts)
    assert counts.differences == []
    assert counts.games == 2
    assert counts.positions > 100
    assert counts.outcomes


def test_a_game_without_secrets_has_open_views():
    counts = twins_of_game(make_game("carcassonne", players=3), 1)
    assert (counts.positions > 150, counts.swaps, counts.outcomes, counts.differences) == (True, 0, 0, [])


def test_a_tape_is_the_game():
    tape = Tape(make_game("attila").initial_state(), Random(1), 60)
    state = make_game("attila").initial_state()
    for ply, move in enumerate(tape.moves):
        assert state == tape.states[ply]
        assert state.to_move == tape.actors[ply]
        state.apply(move)
        assert [state.label(seat) for seat in range(state.players)] == [labels[ply] for labels in tape.labels]
    for plies in tape.hidden_events(0):
        assert all(tape.actors[ply] != 0 for ply in plies)
        assert len({tape.labels[0][ply] for ply in plies}) == 1


def test_a_twin_lets_two_events_change_places():
    tape = Tape(make_game("attila", players=2).initial_state(), Random(1), 12)   # the deal
    mine = [ply for ply in tape.hidden_events(0)[0] if tape.moves[ply] != tape.moves[6]]
    positions, found = tape.twin(0, 6, mine[0], Random(1))
    assert (positions, found) == (6, None)      # to the end of the tape
    assert tape.line[0] == tape.moves[mine[0]]
    assert tape.line[mine[0] - 6] == tape.moves[6]


@pytest.fixture
def bench(monkeypatch, capsys):
    """Run the command in this process, with few games and twins."""
    monkeypatch.setattr("bench.fuzz.GAMES_AT_ONCE", 1)
    monkeypatch.setattr("bench.fuzz.TWINS", 4)

    def run(*args):
        code = main(["twins", *map(str, args)])
        return code, *capsys.readouterr()
    return run


def test_the_bench_goes_on_from_its_state(bench, tmp_path):
    state = tmp_path / "state.json"
    code, first, _ = bench("--games", "attila", "--positions", 500, "--state", state)
    assert code == 0
    assert "| attila:players=5 |" in first
    assert bench("--games", "attila", "--positions", 500, "--state", state)[1] == first     # all work was done before
    code, _, said = bench("--games", "attila", "--seed", 2, "--state", state)
    assert code == 2
    assert "is of seed 1, not 2" in said.splitlines()[-1]
    state.write_text("[]")
    code, _, said = bench("--games", "attila", "--state", state)
    assert (code, "holds no state of this command" in said) == (2, True)
    assert state.read_text() == "[]"
    assert "the games are" in bench("--games", "chess")[2].splitlines()[-1]
