"""OpenSpiel's own sampler: its leaks are found again, and clean games pass."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

import pytest

from sfida.ai.research.audit.auditing import Auditor, subjects_of
from sfida.ai.research.audit.of_openspiel import OpenSpielSubject
from sfida.ai.research.audit.reference import Record, SeatPlace
from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.rng import Random

pytestmark = pytest.mark.release_only("the rules are those of OpenSpiel")

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed: pip install 'sfida[openspiel]'")

try:
    RELEASE = version("open_spiel")
except PackageNotFoundError:
    RELEASE = ""
affected = pytest.mark.skipif(RELEASE not in ("2.0", "2.0.1", "2.0.2"), reason="OpenSpiel has changed since")

# A random game of gin rummy: seat 1 has knocked, seat 0 lays off.
LAYOFF = (
    20, 32, 44, 49, 34, 41, 24, 15, 29, 0, 26, 1, 11, 38, 12, 42, 19, 17, 6, 2, 48, 52, 32, 53, 7, 17, 52, 24, 52, 11,
    53, 23, 48, 52, 38, 52, 38, 53, 5, 5, 52, 34, 52, 48, 53, 28, 17, 53, 25, 12, 53, 8, 15, 53, 36, 7, 53, 33, 5, 53,
    51, 2, 53, 22, 33, 52, 36, 53, 46, 49, 53, 30, 34, 53, 9, 22, 52, 25, 52, 23, 52, 33, 53, 16, 29, 53, 3, 30, 52,
    25, 52, 3, 53, 13, 20, 53, 10, 1, 53, 50, 9, 52, 51, 53, 45, 41, 52, 10, 52, 16, 53, 27, 9, 52, 44, 53, 43, 55, 19,
    156, 184, 54)


def looked_at(name, events, samples=100):
    """Return the findings of an audit of one position."""
    subject = OpenSpielSubject(name)
    auditor = Auditor(subject, samples=samples)
    auditor.look(walked(subject, events), list(events))
    return found_by(auditor)


def found_by(auditor):
    auditor.judge()
    return {(finding.check, finding.what): finding.p for finding in auditor.result().findings}


def walked(subject, events):
    places = [subject.start()]
    for event in events:
        places.append(subject.after(places[-1], event))
    return places


@affected
def test_the_published_leaks_of_gin_rummy_are_found():
    """Card 0 of the defender's hand is swapped with an undrawn card; the knocker saw neither."""
    subject = OpenSpielSubject("gin_rummy")
    places = walked(subject, LAYOFF)
    undrawn = min(set(range(52)) - set(LAYOFF))
    other = walked(subject, [undrawn if event == 0 else event for event in LAYOFF])[-1]
    place = SeatPlace(subject, places, list(LAYOFF), 1, 5)
    assert other.record(1) == places[-1].record(1)
    auditor = Auditor(subject, samples=100)
    auditor.look_as(place, False, other)
    found = found_by(auditor)
    assert ("shown", "to_observation_struct depends on what the seat cannot know") in found
    assert found["permuted", "the whole secret is drawn otherwise if the true secrets are others"] < 1e-20


@affected
def test_cards_that_were_not_dealt_are_never_in_a_hand_of_euchre():
    """With dealer 0, cards 0 to 19 dealt and 20 turned up, cards 21 to 23 are out of play."""
    found = looked_at("euchre", (0, *range(21)))
    assert {check for check, _ in found} == {"permuted"}


@affected
def test_hearts_tells_the_cards_that_are_being_passed():
    """Cards are passed across: player 2, who has not passed yet, gets the three lowest clubs of player 0."""
    subject, events = OpenSpielSubject("hearts"), [2, *range(52), 0, 4, 8, 1, 5, 9]
    place = SeatPlace(subject, walked(subject, events), events, 2, 5)
    auditor = Auditor(subject)
    other = walked(subject, [2, *range(52), 12, 16, 20, 1, 5, 9])[-1]
    assert other.record(2) == place.truth.record(2)
    auditor.look_as(place, False, other)
    assert ("shown", "to_observation_struct depends on what the seat cannot know") in found_by(auditor)
    assert {tuple(place.sample(number).state.history()[53:56]) for number in range(20)} == {(0, 4, 8)}


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker"])
def test_clean_samplers_pass(name):
    audit = Auditor(*subjects_of(f"pyspiel:game={name}"), positions=2, samples=100).run()
    assert audit.clean
    assert audit.sampler == "resample_from_infostate"
    assert {check.name: check.tried for check in audit.checks}["permuted"] > 0


def test_names_are_checked():
    with pytest.raises(InvalidOption, match="must be a game of OpenSpiel"):
        list(subjects_of("pyspiel:game=nosuch"))


def test_another_history_is_made_from_the_true_one():
    """The knocker cannot distinguish it from the true history, and the defender holds other cards."""
    subject = OpenSpielSubject("gin_rummy")
    places = walked(subject, LAYOFF)
    record = Record(subject, places, list(LAYOFF), 1)
    other = record.varied(Random(3), 4000)
    assert other.record(1) == places[-1].record(1)
    assert subject.secret(other, 1) != subject.secret(places[-1], 1)
    assert list(other.history()) != list(LAYOFF)
