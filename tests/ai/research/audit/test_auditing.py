"""Every check of the audit finds its kind of leak, and clean games pass."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from sfida.ai.research.audit.auditing import Auditor, fit, same, tail
from sfida.ai.research.audit.of_sfida import StateSubject
from sfida.ai.research.audit.reference import PRIORS, Record
from sfida.ai.research.audit.subject import FOUND, NOT_APPLICABLE, SAMPLED
from sfida.cli.main import main
from sfida.cython_ext.rng import Random
from sfida.engines.examples.kuhn_poker import PASS, UNSEEN, KuhnPoker, KuhnPosition
from sfida.engines.python_game import position_of
from sfida.engines.registry import make_game
from support.noted import Noted

pytestmark = pytest.mark.release_only("no rules core takes part")


class Impossible(KuhnPosition):
    """The other player is given the card that the seat holds itself."""

    __slots__ = ()

    def determinize(self, seat, rng):
        if self.hides_from(seat):
            self.cards[1 - seat] = self.cards[seat]


class Biased(KuhnPosition):
    """The lower of two cards comes up three times as often."""

    __slots__ = ()

    def determinize(self, seat, rng):
        if self.hides_from(seat):
            unseen = [card for card in range(3) if card != self.cards[seat]]
            self.cards[1 - seat] = unseen[rng.below(4) // 3]


class Peeking(KuhnPosition):
    """Every other time the true card stays."""

    __slots__ = ()

    def determinize(self, seat, rng):
        if self.hides_from(seat) and (rng.below(2) or self.cards[1 - seat] == UNSEEN):
            super().determinize(seat, rng)


class Restricted(KuhnPosition):
    """No seat may bet against a king."""

    __slots__ = ()

    def legal_moves(self):
        return [PASS] if self.cards[1 - self.to_move] == 2 else super().legal_moves()


class Telling(KuhnPosition):
    """The label of a bet reveals the card."""

    __slots__ = ()

    def event_label(self, seat):
        return (self.history, self.cards[0]) if self.history else super().event_label(seat)


class Silent(KuhnPosition):
    """The second card is shown with the first bet, but the label does not mention it."""

    __slots__ = ()

    def hides_from(self, seat):
        return super().hides_from(seat) and not self.history


class Open(KuhnPosition):
    """A seat's view contains the other seat's card."""

    __slots__ = ()

    def observation(self, seat):
        return {**super().observation(seat), "other": self.cards[1 - seat]}


def game_of(kind):
    """Return Kuhn poker with other positions; its class is found by name when it is pickled."""
    name = f"{kind.__name__}Poker"
    if name not in globals():
        globals()[name] = type(name, (KuhnPoker,), {
            "position_class": kind, "name": kind.__name__.lower(), "__module__": __name__})
    return globals()[name]()


def audited(game, positions=8, samples=120, **more):
    return Auditor(StateSubject(game), positions=positions, samples=samples, **more).run()


@pytest.mark.parametrize(("kind", "checks"), [
    (Impossible, ["reachability"]), (Biased, ["distribution"]), (Peeking, ["permuted", "poisoned"]),
    (Restricted, ["legal lists"]), (Telling, ["labels"]), (Silent, ["labels"]), (Open, ["shown"]),
    (Noted, ["serialisation"]),
])
def test_each_leak_is_found_by_its_check(kind, checks):
    audit = audited(game_of(kind))
    found = {check.name for check in audit.checks if check.status == FOUND}
    assert found >= set(checks)
    assert not audit.clean
    for finding in audit.findings:
        where = finding.reproduction
        assert where.spec == kind.__name__.lower()
        assert where.seat in (0, 1)
        assert 1 <= len(where.moves) <= 5


def test_a_reproduction_leads_to_what_it_says():
    """The moves, played from the start, show the seat a card that it cannot know."""
    audit = audited(game_of(Open))
    where = next(each for each in audit.findings if each.what.startswith("observation ")).reproduction
    state = game_of(Open).initial_state()
    for code, text in zip(where.codes, where.moves, strict=True):
        assert state.format(code) == text
        state.apply(code)
    position = position_of(state)
    assert position.hides_from(where.seat)
    assert state.observation(where.seat)["other"] == position.cards[1 - where.seat]


@pytest.mark.parametrize("spec", ["kuhn_poker", "leduc_poker", "goofspiel"])
def test_clean_games_pass(spec):
    audit = audited(make_game(spec), positions=3)
    assert audit.findings == ()
    assert {check.name for check in audit.checks if check.status == NOT_APPLICABLE} == set()


def test_a_game_without_secrets_has_nothing_to_leak():
    audit = audited(make_game("tic_tac_toe"), positions=4)
    assert audit.clean
    assert {check.name for check in audit.checks if check.status == NOT_APPLICABLE} == set(SAMPLED) - {
        "reachability", "serialisation"}


def test_the_same_seed_gives_the_same_audit():
    game = game_of(Biased)
    first = audited(game, positions=2)
    assert audited(game, positions=2) == first
    assert audited(game, positions=2, seed=2) != first


# ---- references ------------------------------------------------------------------------------------


def line_of(subject, moves):
    places, events = [subject.start()], []
    for move in moves:
        events.append(places[-1].parse(move))
        places.append(subject.after(places[-1], events[-1]))
    return places, events


def test_all_histories_of_a_record_are_listed():
    """In Leduc poker seat 0 holds a king and sees a jack; the other seat holds one of the other four cards, by rank."""
    subject = StateSubject(make_game("leduc_poker"))
    places, events = [subject.start()], []
    while subject.actor(places[-1]) == -1:
        events.append(subject.events(places[-1])[0][0])
        places.append(subject.after(places[-1], events[-1]))
    reference = Record(subject, places, events, 0).listed()
    weights = reference.weights[PRIORS[0]]
    own, other = places[-1].observation(0), sum(weights)
    assert own
    shares = sorted(weight / other for weight in weights)
    assert shares == pytest.approx([1 / 5, 2 / 5, 2 / 5])


def test_rejection_agrees_with_the_list():
    subject = StateSubject(make_game("kuhn_poker"))
    places, events = line_of(subject, [subject.start().format(subject.start().legal_moves()[1])])
    for _ in range(2):
        events.append(subject.events(places[-1])[0][0])
        places.append(subject.after(places[-1], events[-1]))
    record = Record(subject, places, events, 0)
    listed, drawn = record.listed(), record.drawn(600, Random(3), 100_000)
    assert len(listed.places) == 2
    first = subject.secret(listed.places[0], 0)
    kept = [subject.secret(place, 0) == first
            for place, weight in zip(drawn.places, drawn.weights[PRIORS[0]], strict=True) if weight]
    assert len(kept) >= 300
    assert abs(sum(kept) / len(kept) - 0.5) < 0.1


# ---- statistics ------------------------------------------------------------------------------------


def test_tails_are_those_of_the_chi_square_distribution():
    stats = pytest.importorskip("scipy.stats")
    for freedom in (1, 2, 5, 40, 300):
        for value in (0.01, 0.5, freedom, 2.0 * freedom + 3, 5.0 * freedom + 40):
            assert tail(value, freedom) == pytest.approx(stats.chi2.sf(value, freedom), rel=1e-6, abs=1e-15)


def test_p_values_are_uniform_where_nothing_is_wrong():
    rng = Random(8)

    def counts(n):
        found = {}
        for _ in range(n):
            cell = min(rng.below(8), rng.below(8))
            found[cell] = found.get(cell, 0) + 1
        return found

    shares = {cell: 15 - 2 * cell for cell in range(8)}
    fits = [fit(counts(200), shares) for _ in range(400)]
    sames = [same(counts(200), counts(300)) for _ in range(400)]
    for found in (fits, sames):
        assert 0.01 < sum(p < 0.05 for p in found) / 400 < 0.10
    assert fit({0: 1, 9: 1}, shares) == 0.0


# ---- the command -----------------------------------------------------------------------------------


def test_the_command_says_what_it_found(monkeypatch):
    monkeypatch.setattr("sfida.ai.research.audit.auditing.make_game", lambda text: game_of(Open))
    done = CliRunner().invoke(main, ["audit", "open", "--positions", "3", "--samples", "100", "-q"])
    assert done.exit_code == 1
    assert "shown" in done.output
    assert "FOUND" in done.output
    assert max(map(len, done.output.splitlines())) <= 100
    done = CliRunner().invoke(main, ["audit", "open", "--positions", "3", "--samples", "100", "--json"])
    audit = json.loads(done.stdout.splitlines()[0])
    assert done.exit_code == 1
    assert (audit["type"], audit["clean"]) == ("audit", False)
    assert audit["findings"][0]["reproduction"]["codes"]


def test_the_command_is_content_with_a_fair_game():
    done = CliRunner().invoke(main, ["audit", "kuhn_poker", "--positions", "3", "--samples", "100", "-q"])
    assert done.exit_code == 0
    assert "nothing found" in done.output


@pytest.mark.parametrize(("args", "message"), [
    (["nosuch"], "unknown game"), (["kuhn_poker", "--alpha", "1"], "less than 1"),
    (["kuhn_poker", "--positions", "0"], "at least 1"), ([], "missing argument"),
    (["pyspiel:seats=2"], "'game' only"),
])
def test_wrong_arguments_are_explained(args, message):
    done = CliRunner().invoke(main, ["audit", *args])
    assert done.exit_code != 0
    assert message in done.output or message in str(done.exception)
