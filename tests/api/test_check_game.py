"""`check_game` passes sound games and reports the fault of a broken game in one line."""

import random
import re

import pytest

from sfida.cython_ext.errors import InvalidOption, UnknownGame
from sfida.engines.examples.goofspiel import Goofspiel, GoofspielPosition
from sfida.engines.examples.kuhn_poker import CARDS, DEAL, KuhnPoker, KuhnPosition
from sfida.engines.examples.phantom_tic_tac_toe import PhantomPosition, PhantomTicTacToe
from sfida.engines.examples.tic_tac_toe import TicTacToe, TicTacToePosition
from sfida.engines.python_game import TERMINAL
from sfida.testing import GameReport, check_game

BROKEN = {}


class Misnumbered(TicTacToe):
    max_codes = 8


def broken(base, message):
    """Register a position class with one fault, and the message of `check_game` for it."""

    def register(kind):
        name = f"{kind.__name__}Game"
        game = type(name, (base,), {"position_class": kind, "__module__": __name__})
        globals()[name] = game                  # so that it can be pickled
        BROKEN[kind.__name__] = (game, message)
        return kind

    return register


# ---- information that leaks ----------------------------------------------------------------------


@broken(KuhnPoker, r"view\([01]\) depends on what seat [01] cannot know: it leaks")
class LeakingView(KuhnPosition):
    __slots__ = ()

    def redact(self, seat):
        pass


@broken(KuhnPoker, r"observation\([01]\) .*(leaks|differs)")
class LeakingObservation(KuhnPosition):
    __slots__ = ()

    def observation(self, seat):
        return {"cards": [CARDS[card] if card >= 0 else None for card in self.cards]}


@broken(KuhnPoker, r"event_label\([01]\) of 'deal:.' shows more than view\([01]\) shows: it leaks")
class LeakingLabel(KuhnPosition):
    __slots__ = ()

    def event_label(self, seat):
        return self.history or (*self.cards, "dealt")


@broken(KuhnPoker, r"event_label\([01]\) is the same after 'deal:.' and after 'deal:.', but view\(.\) is not: it")
class DullLabel(KuhnPosition):
    __slots__ = ()

    def event_label(self, seat):
        return self.history or (seat == (self.cards[1] >= 0) and "dealt")


@broken(KuhnPoker, r"event_label\([01]\) is the same after 'bet' and after 'bet', but view\(.\) is not: it")
class ShownHandWithoutLabel(KuhnPosition):
    """A seat that answers a pass with a bet shows its card, but the label mentions only the bet."""

    __slots__ = ()

    def hides_from(self, seat):
        return super().hides_from(seat) and not (seat == 0 and self.history == "pb")


@broken(KuhnPoker, r"board_text\(seat=None\) shows what seat [01] cannot know: it leaks")
class LeakingBoard(KuhnPosition):
    __slots__ = ()

    def text(self, seat):
        return str(self.cards) if seat is None else super().text(seat)


@broken(KuhnPoker, r"determinize\([01]\) of the view and of the state differ: it depends on hidden data")
class PeekingDeterminize(KuhnPosition):
    """Swaps the hidden card with the third one half of the time, instead of drawing from both."""

    __slots__ = ()

    def determinize(self, seat, rng):
        if self.hides_from(seat) and rng.below(2):
            unseen = [card for card in range(3) if card not in self.cards]
            self.cards[1 - seat] = unseen[0]


@broken(KuhnPoker, r"depends? on what seat|changes what|differ")
class DeterminizeRedrawsOwnCard(KuhnPosition):
    __slots__ = ()

    def determinize(self, seat, rng):
        if self.hides_from(seat):
            cards = [0, 1, 2]
            rng.shuffle(cards)
            self.cards = cards[:2] if self.cards[1] >= 0 else [cards[0], -1]


@broken(KuhnPoker, r"determinize\([01]\) (with the same seed gives|of the view and of the state) differ")
class UnseededDeterminize(KuhnPosition):
    __slots__ = ()

    def determinize(self, seat, rng):
        if self.hides_from(seat):
            self.cards[1 - seat] = random.choice([card for card in range(3) if card != self.cards[seat]])


@broken(KuhnPoker, r"determinize\([01]\) changes the result")
class DeterminizeAfterShowdown(KuhnPosition):
    __slots__ = ()

    def hides_from(self, seat):
        return self.cards[1 - seat] != -1


@broken(Goofspiel, r"legal_moves\(\)|KeyError|IndexError|raised")
class MovesDependOnHiddenCard(GoofspielPosition):
    __slots__ = ()

    def legal_moves(self):
        return [m for m in super().legal_moves() if m != self.face_down] or super().legal_moves()


@broken(KuhnPoker, r"evaluation\(\) depends on what the seat to move cannot know")
class PeekingEvaluation(KuhnPosition):
    __slots__ = ()

    def evaluate(self):
        first, second = ([card, 0][card < 0] for card in self.cards)
        return [0.5 + (first - second) / 4, 0.5 - (first - second) / 4]


@broken(KuhnPoker, r"priors of seat [01] depend on what the seat cannot know")
class PeekingPriors(KuhnPosition):
    __slots__ = ()

    def priors(self, moves):
        return [1.0, 2.0 if self.cards[0] > self.cards[1] else 0.5]


@broken(PhantomTicTacToe, r"view\([01]\) depends on what seat [01] cannot know: it leaks")
class ForgetsToHideTries(PhantomPosition):
    __slots__ = ()

    def redact(self, seat):
        if self.to_move != TERMINAL:
            self.marks[1 - seat] = -2


# ---- rules that break the contract ---------------------------------------------------------------


# by chance it may act the same twice; then another check finds the fault
@broken(TicTacToe, r"applying '..' twice to equal states gave different positions|"
                   r"reads what the position before it does not use")
class RandomApply(TicTacToePosition):
    __slots__ = ()

    def apply(self, move):
        super().apply(random.choice(self.legal_moves()))


@broken(TicTacToe, r"legal_moves\(\) lists move 8 twice")
class DuplicateMoves(TicTacToePosition):
    __slots__ = ()

    def legal_moves(self):
        moves = super().legal_moves()
        return moves[1:] + moves[-1:]


@broken(TicTacToe, r"legal_moves\(\) is empty although the game is not over")
class NoMoves(TicTacToePosition):
    __slots__ = ()

    def legal_moves(self):
        return super().legal_moves() if self.board.count(-1) > 6 else []


@broken(TicTacToe, r"the state changed when '..' was applied to its clone")
class AliasingClone(TicTacToePosition):
    __slots__ = ()

    def clone(self):
        twin = super().clone()
        twin.board = self.board
        return twin


@broken(TicTacToe, r"legal_moves\(\) gives two different lists|looking at the state has changed it")
class LookingChangesState(TicTacToePosition):
    __slots__ = ()

    def legal_moves(self):
        moves = super().legal_moves()
        if len(moves) == 5:
            self.board[moves[0]] = 0
        return moves


@broken(TicTacToe, r"the game raised ZeroDivisionError: .*\(raised by apply\(\) of the game tic_tac_toe\)")
class Raises(TicTacToePosition):
    __slots__ = ()

    def apply(self, move):
        super().apply(move)
        if self.board.count(-1) == 4:
            self.winner = 1 // 0


@broken(TicTacToe, r"gives \[1.0, 1.0\]: not shares of one win")
class BothWin(TicTacToePosition):
    __slots__ = ()

    def utilities(self):
        return [1.0, 1.0]


@broken(TicTacToe, r"scores\(\) gives \[-?\d+, 0\]: no record takes points beyond 1e\+09")
class PointsWithoutEnd(TicTacToePosition):
    __slots__ = ()

    def scores(self):
        return [1e30, 0.0]


@broken(TicTacToe, r"not ended after")
class NeverEnds(TicTacToePosition):
    __slots__ = ()

    def apply(self, move):
        if self.board.count(-1) > 2:
            super().apply(move)
            self.to_move = max(self.to_move, 0)


@broken(TicTacToe, r"candidate_moves\(\) is not a non-empty subset")
class StrangeCandidates(TicTacToePosition):
    __slots__ = ()

    def candidate_moves(self):
        return [9, 10][:1]


@broken(TicTacToe, r"moves \d and \d both read 'cell'")
class AmbiguousText(TicTacToePosition):
    __slots__ = ()

    def format(self, move):
        return "cell"


@broken(TicTacToe, r"is written for move \d but read as another")
class WrongParse(TicTacToePosition):
    __slots__ = ()

    def parse(self, text):
        return self.legal_moves()[-1] if re.fullmatch("[abc][123]", text) else None


@broken(TicTacToe, r"is not JSON-able")
class StrangeObservation(TicTacToePosition):
    __slots__ = ()

    def observation(self, seat):
        return {"board": {1, 2}}


@broken(TicTacToe, r"the game raised .*pickle")
class NotPlain(TicTacToePosition):
    __slots__ = ("hook",)

    def __init__(self, options):
        super().__init__(options)
        self.hook = lambda: None

    def clone(self):
        twin = super().clone()
        twin.hook = self.hook
        return twin


@broken(KuhnPoker, r"gives outcome 10 the weight 0")
class ZeroWeight(KuhnPosition):
    __slots__ = ()

    def chance_outcomes(self):
        return [(DEAL + card, card) for card in range(3) if card not in self.cards]


@broken(TicTacToe, r"to_move is 2; it must be a seat 0\.\.1")
class ThirdSeat(TicTacToePosition):
    __slots__ = ()

    def apply(self, move):
        super().apply(move)
        if self.to_move == 1 and self.board.count(-1) < 6:
            self.to_move = 2


@pytest.mark.parametrize("name", BROKEN)
def test_broken_games_fail(name):
    game, message = BROKEN[name]
    with pytest.raises(AssertionError) as caught:
        check_game(game(), seeds=12, max_plies=300)
    line = str(caught.value)
    assert "\n" not in line
    assert re.match(r"game '\w+', seed \d+, ply \d+", line), line
    assert re.search(message, line), line


def test_games_longer_than_the_bound_fail():
    with pytest.raises(AssertionError, match="the game has not ended after 4 plies"):
        check_game("tic_tac_toe", seeds=1, max_plies=4)


def test_codes_beyond_a_fixed_action_space_fail():
    with pytest.raises(AssertionError, match="the numbers of actions are not different ones below 8"):
        check_game(Misnumbered(), seeds=1)


def test_the_line_says_where():
    with pytest.raises(AssertionError) as caught:
        check_game(BROKEN["ThirdSeat"][0](), seeds=1)
    assert re.match(r"game 'tic_tac_toe', seed 0, ply \d \(after [abc][123]\): ", str(caught.value))


# ---- sound games -----------------------------------------------------------------------------------


def test_report_and_reproducibility():
    report = check_game("leduc_poker", seeds=5, seed=3)
    assert isinstance(report, GameReport)
    assert (report.game, report.players, report.games) == ("leduc_poker", (2,), 5)
    assert report.chance_events >= 2 * report.games
    assert report.most_moves == 3
    assert report == check_game("leduc_poker", seeds=5, seed=3)
    plies = {check_game("leduc_poker", seeds=5, seed=seed).plies for seed in range(4)}
    assert len(plies) > 1


def test_accepts_a_game_object():
    assert check_game(Goofspiel(), seeds=3).longest == 8


def test_unknown_games_are_user_errors():
    with pytest.raises(UnknownGame, match="kuhn_poker"):
        check_game("kuhn_pokr")
    with pytest.raises(InvalidOption):
        check_game("kuhn_poker:cards=4")


def test_a_long_check_says_so_beforehand(monkeypatch, capsys):
    check_game("tic_tac_toe", seeds=2)
    assert capsys.readouterr() == ("", "")
    monkeypatch.setattr("sfida.testing.LONG", 0.0)
    check_game("tic_tac_toe", seeds=2)
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "check_game: 2 random games of tic_tac_toe and their twins take about 0 s\n"
