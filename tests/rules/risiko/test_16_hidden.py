"""Hidden information: chapter 16, and its worked examples."""

from __future__ import annotations

import collections
import itertools
import json
import math
from typing import Any

import pytest

from sfida.cython_ext.rng import Random, derive
from sfida.engines.risiko.tables import load_data
from support.playing import play
from support.risiko import BASE, cards, excluded, position, setup, start, step, words

NAMES = [row["code"] for row in load_data()["territory"]] + ["J1", "J2"]
ALL = set(range(44))
TEXT = "b CIN 9 EU | g MOR SIA | n *"


def world(state, seat: int, seed: int):
    """Return a determinization for a seat."""
    twin = state.clone()
    twin.determinize(seat, Random(seed))
    return twin


def late_games(count: int, seed: int = 1, options: str = "round_limit=30"):
    """Yield positions of random games after several draw cycles."""
    for k in range(count):
        rng = Random(derive(seed, k))
        state = start(f"risiko:{options}", players=3 + k % 4)
        for _ in range(400 + 150 * k):
            if state.is_over:
                break
            before = state.clone()
            step(state, rng)
        yield (before if state.is_over else state), rng


@pytest.mark.rule("RIS-16.1", "RIS-16.9")
def test_what_a_seat_sees() -> None:
    state = setup(TEXT, hands=["ALK ALB", "GRO ONT J1"], discards="PER", objectives=["o24", "as_af"])
    seen = state.view(0).observation()
    assert seen["seats"][0]["cards"] == ["ALK", "ALB"]
    assert seen["seats"][0]["objective"] == "o24"
    assert (seen["seats"][1]["cards"], seen["seats"][1]["card_count"]) == (None, 3)
    assert seen["seats"][1]["objective"] is None
    assert (seen["deck"], seen["discards"]) == (38, [10])
    assert json.loads(json.dumps(seen)) == seen
    assert position(state, 1).seats[0].progress == ""
    tour = setup(TEXT, options="preset=tournament")
    assert [one.points is None for one in position(tour, 0).seats] == [False, True, True]
    assert tour.view(0).scores() == [0, 0, 0]


@pytest.mark.rule("RIS-16.1", "RIS-16.3", "RIS-19.54")
def test_a_thousand_worlds() -> None:
    state = setup(TEXT, hands=["ALK ALB", "GRO ONT J1", "PER"], discards="SIA URA",
                  objectives=["o24", "as_af", "na_oc"], cycles={"GRO": 0, "ALK": 0, "ONT": 1, "CIN": 2})
    places: collections.Counter[int] = collections.Counter()
    for seed in range(1000):
        twin = world(state, 0, seed)
        raw = twin.snapshot()
        assert [len(twin.hand(i)) for i in range(3)] == [2, 3, 1]
        assert raw["discards"] == tuple(cards("URA SIA"))
        assert twin.hand(0) == [0, 3]
        assert twin.objective(0) == 0
        held = [*itertools.chain(*(twin.hand(i) for i in range(3))), *twin.deck_cards(), *raw["discards"]]
        assert sorted(held) == list(range(44))
        assert len({twin.objective(i) for i in range(3)}) == 3
        assert raw["card_cycles"] == state.snapshot()["card_cycles"]
        places.update(twin.hand(2))
        twin.verify()
    # one card of the 44, less two own, two discarded, one of cycle 0 and one of cycle 1: each as often
    assert set(places) == ALL - set(cards("ALK ALB SIA URA GRO ONT"))
    chi2 = sum((n - 1000 / len(places)) ** 2 / (1000 / len(places)) for n in places.values())
    assert chi2 < len(places) + 5 * (2 * len(places)) ** 0.5


@pytest.mark.rule("RIS-16.2", "RIS-16.3", "RIS-19.51")
def test_after_the_first_reshuffle_the_rest_is_known() -> None:
    """There are only the 39 cards of the deck and three own cards besides: yellow's two are certain."""
    fresh = [name for name in NAMES if name not in ("ALK", "ALB", "SUO", "GRO", "ONT")]
    state = setup(TEXT, hands=["ALK ALB SUO", "GRO ONT"],
                  cycles={**dict.fromkeys(("ALK", "ALB", "SUO", "GRO", "ONT"), 0), **dict.fromkeys(fresh, 1)})
    assert (state.snapshot()["deck"], state.snapshot()["draw_cycle"]) == (39, 1)
    for seed in range(20):
        assert world(state, 0, seed).hand(1) == cards("GRO ONT")
    drawn = setup(TEXT, hands=["ALK ALB SUO", "GRO ONT CIN PER"],
                  cycles={**dict.fromkeys(("ALK", "ALB", "SUO", "GRO", "ONT"), 0), **dict.fromkeys(fresh, 1)})
    seen = set()
    for seed in range(400):
        hand = world(drawn, 0, seed).hand(1)
        assert set(cards("GRO ONT")) < set(hand)
        seen |= set(hand)
    assert seen == ALL - set(cards("ALK ALB SUO"))
    assert drawn.view(0).observation()["seats"][1]["cards_by_cycle"] == {"0": 2, "1": 2}


@pytest.mark.rule("RIS-16.2", "RIS-19.52")
@pytest.mark.parametrize(("shown", "left"), [("GRO ONT CIN", {"1": 1}), ("GRO CIN SCA", {"0": 1})])
def test_a_set_tells_which_slots_are_spent(shown: str, left: dict[str, int]) -> None:
    fresh = [name for name in NAMES if name not in ("ALK", "ALB", "SUO", "GRO", "ONT")]
    held = "GRO ONT CIN PER" if "SCA" not in shown else "GRO ONT CIN EUS"
    if "SCA" in shown:
        shown = "GRO CIN EUS"
    state = setup(TEXT, hands=["ALK ALB SUO", held], on_turn=1, phase="turn_start",
                  cycles={**dict.fromkeys(("ALK", "ALB", "SUO", "GRO", "ONT"), 0), **dict.fromkeys(fresh, 1)})
    play(state, f"T {shown}")
    assert state.view(0).observation()["seats"][1]["cards_by_cycle"] == left
    hands = {tuple(world(state, 0, seed).hand(1)) for seed in range(300)}
    if left == {"0": 1}:
        assert hands == {tuple(cards("ONT"))}
    else:
        assert hands == {(card,) for card in ALL - set(cards("ALK ALB SUO GRO ONT CIN"))}


@pytest.mark.rule("RIS-16.2", "RIS-16.8")
def test_cycles_of_random_games() -> None:
    """Slots by cycle are public; hidden cards of a cycle are in its slots or, in the current cycle, in the deck."""
    reshuffled = 0
    for state, _ in late_games(8):
        raw = state.snapshot()
        reshuffled += raw["draw_cycle"] > 0
        for seat in range(state.players):
            twin = world(state, seat, 3)
            for i in range(state.players):
                drawn = sorted(raw["card_cycles"][card] for card in state.hand(i))
                assert sorted(raw["card_cycles"][card] for card in twin.hand(i)) == drawn
            assert all(raw["card_cycles"][card] == raw["draw_cycle"] for card in twin.deck_cards())
    assert reshuffled >= 2


@pytest.mark.rule("RIS-16.8", "RIS-9.2")
def test_inherited_cards_keep_their_cycles() -> None:
    state = setup("b AFO 8 CIN | g MAD | n *", hands=["ALK", "GRO ONT"], cycles={"GRO": 0, "PER": 1},
                  objectives=["na_af"])
    before = state.view(2).observation()["seats"]
    play(state, "AFO>MAD 3", "-0-1")
    after = state.view(2).observation()["seats"]
    assert (before[0]["cards_by_cycle"], before[1]["cards_by_cycle"]) == ({"1": 1}, {"0": 1, "1": 1})
    assert (after[0]["cards_by_cycle"], after[1]["cards_by_cycle"]) == ({"0": 1, "1": 2}, {})
    assert world(state, 0, 1).hand(0) == cards("ALK GRO ONT")


# ---- objectives -------------------------------------------------------------------------------------


@pytest.mark.rule("RIS-16.4", "RIS-16.6")
def test_a_victory_test_excludes_objectives() -> None:
    many = "ISL GBR SCA EUS EUO EUM UCR URA SIB JAC CIT KAM GIA MON CIN AFG IND SIA IDN NGU AUO AUR ARG BRA"
    state = setup(f"b {many} | g MOR 5 | n *", phase="turn_start", objectives=["na_af"])
    # 24 territories: not that card, nor one whose colour is absent or the own one; Oceania and Europe need a third
    assert excluded(state, 0) == {"o24", "kill_blu", "kill_rosso", "kill_verde", "kill_viola"}
    assert excluded(state, 1) == set()
    gone = setup(f"b {many} | n *", phase="turn_start", objectives=["na_af"], eliminated=[(1, 2, 5)])
    assert "kill_giallo" in excluded(gone, 0)           # another seat has eliminated it
    own = setup(f"b {many} | n *", phase="turn_start", objectives=["na_af"], eliminated=[(1, 0, 5)])
    assert "kill_giallo" in excluded(own, 0)            # it would have been fulfilled
    few = setup("b ALK | g MOR 5 | n *", phase="turn_start", objectives=["na_oc"])
    assert excluded(few, 0) == set()


@pytest.mark.rule("RIS-16.4", "RIS-16.5", "RIS-19.53")
def test_two_continents_held_exclude_their_card() -> None:
    state = setup("b NA AF 3 | g EU | n *", phase="turn_start", objectives=["o24"])
    assert excluded(state, 0) == {"na_af"}
    for seat in (1, 2):
        assert all(world(state, seat, seed).objective(0) != BASE.index("na_af") for seed in range(300))
    assert any(world(state, 1, seed).objective(2) == BASE.index("na_af") for seed in range(300))


@pytest.mark.rule("RIS-16.4")
def test_objectives_by_armies_are_excluded_after_placing() -> None:
    codes = words("ISL GBR SCA EUS EUO EUM UCR URA SIB JAC CIT KAM GIA MON CIN AFG IND")
    state = setup("b SIA " + " ".join(f"{code} 2" for code in codes) + " | g MOR | n *", phase="place", left=2,
                  objectives=["na_af"])
    assert excluded(state, 0) == set()
    play(state, "+SIA 1")
    assert excluded(state, 0) == {"o18x2"}


def assignments(may: list[set[int]]) -> list[tuple[int, ...]]:
    """Return all ways to give the seats different cards from their sets."""
    return [one for one in itertools.product(*may) if len(set(one)) == len(one)]


@pytest.mark.rule("RIS-16.5")
@pytest.mark.parametrize("possible", [
    [range(14), range(14), range(14), range(14)],
    [range(14), [1, 2], [1, 2, 3], [3, 4, 5]],
    [[0], [7], [7, 8], [8, 9]],
    [range(14), [3, 4], [3, 4], [3, 4, 5, 6]],
])
def test_objectives_are_drawn_uniformly(possible: list[Any]) -> None:
    """The draws are compared with all assignments that the exclusions allow; one false alarm in about 10**6."""
    truth = next(one for one in assignments([set(p) for p in possible[1:]]) if 0 not in one)
    state = setup("b CIN 3 | g EU | n AF | r *", players=4, objectives=["o24", *(BASE[k] for k in truth)],
                  possible=[list(p) for p in possible])
    ways = assignments([set(p) - {0} for p in possible[1:]])
    rng, counts = Random(4), collections.Counter[tuple[int, ...]]()
    games = 3000
    for _ in range(games):
        twin = state.clone()
        twin.determinize(0, rng)
        counts[tuple(twin.objective(i) or 0 for i in (1, 2, 3))] += 1
    assert set(counts) <= set(ways)
    mean = games / len(ways)
    chi2 = sum((counts[way] - mean) ** 2 / mean for way in ways)
    spread = math.sqrt(2 * len(ways) + len(ways) / mean)
    assert chi2 < len(ways) + 6 * spread + 10


@pytest.mark.rule("RIS-16.5", "RIS-9.7")
def test_objectives_of_who_is_out() -> None:
    """They are drawn like the others, unless they were shown."""
    for reveal in (False, True):
        state = setup("b CIN 9 EU | n *", objectives=["o24", "as_af", "na_oc"], eliminated=[(1, 2, 6)],
                      options=f"reveal_objective_on_elimination={str(reveal).lower()}")
        found = {world(state, 0, seed).objective(1) for seed in range(300)}
        assert found == ({BASE.index("as_af")} if reveal else set(range(1, 14)))
        others = {world(state, 0, seed).objective(2) for seed in range(300)}
        assert others == set(range(1, 14)) - ({BASE.index("as_af")} if reveal else set())


@pytest.mark.rule("RIS-16.5", "RIS-16.7")
def test_worlds_of_random_games_keep_what_is_known() -> None:
    for state, rng in late_games(6, seed=2):
        for seat in range(state.players):
            key = state.view(seat).key()
            for _ in range(5):
                twin = state.clone()
                twin.determinize(seat, rng)
                assert twin.view(seat).key() == key
                assert twin.objective(seat) == state.objective(seat)
                given = [twin.objective(i) for i in range(state.players)]
                assert len(set(given)) == state.players
                for i, row in enumerate(state.snapshot()["seats"]):
                    assert given[i] in row["possible"]
                twin.verify()


# ---- seats that are asked for a set -----------------------------------------------------------------

SYMBOLS = [row["card_symbol"] for row in load_data()["territory"]] + ["joker"] * 2


def is_set(three: tuple[int, ...]) -> bool:
    """Return whether three cards are a set (RIS-6.3 and 6.4)."""
    symbols = collections.Counter(SYMBOLS[card] for card in three)
    if "joker" in symbols:
        return symbols["joker"] == 1 and len(symbols) == 2
    return len(symbols) != 2


def set_is_possible(raw: dict[str, Any], slots: list[int]) -> bool:
    """Return whether cards of these draw cycles may form a set by public information, by trying all cards."""
    unseen = [card for card in range(44) if card not in raw["discards"]]
    places = [[card for card in unseen if raw["card_cycles"][card] == cycle] for cycle in slots]
    return any(len(set(three)) == 3 and is_set(three) for some in itertools.combinations(places, 3)
               for three in itertools.product(*some))


def cycles_of(state, seat: int) -> list[int]:
    """Return the draw cycles of a seat's cards."""
    return sorted(state.snapshot()["card_cycles"][card] for card in state.hand(seat))


@pytest.mark.rule("RIS-14.2")
def test_who_holds_no_set_is_asked_all_the_same() -> None:
    """Being asked does not reveal that a seat holds a set."""
    state = setup(TEXT, hands=["ALK", "GRO ONT ALB"], on_turn=1, phase="turn_start")
    assert state.phase == "trade"
    assert [state.format(code) for code in state.legal_moves()] == ["="]
    assert state.candidate_moves() == state.legal_moves()
    worlds = [world(state, 0, seed) for seed in range(200)]
    assert {twin.phase for twin in worlds} == {"trade"}
    assert {len(twin.legal_moves()) > 1 for twin in worlds} == {False, True}
    assert play(state, "=").phase == "place"
    assert setup(TEXT, hands=["", "GRO ONT"], on_turn=1, phase="turn_start").phase == "place"


@pytest.mark.rule("RIS-14.2")
def test_after_a_set_one_is_asked_again_while_there_may_be_another() -> None:
    state = setup(TEXT, hands=["", "GRO ONT CIN ALK ALB QUE"], on_turn=1, phase="turn_start")
    play(state, "T GRO ONT CIN")
    assert (state.phase, len(state.legal_moves())) == ("trade", 1)
    assert play(setup(TEXT, hands=["", "GRO ONT CIN ALK ALB"], on_turn=1, phase="turn_start"),
                "T GRO ONT CIN").phase == "place"


@pytest.mark.rule("RIS-14.2")
@pytest.mark.parametrize(("blue", "green", "old", "asked"), [
    ("PER", "ALK ALB GRO", "ALK ALB GRO", False),               # all seats know these three
    ("SUO", "ALK ALB GRO", "ALK ALB GRO SUO", True),            # one of them may be blue's infantry
    ("", "ALK ALB GRO ONT", "ALK ALB GRO ONT", False),
    ("", "ALK ALB GRO PER", "ALK ALB GRO", True),               # the fourth may be any card
    ("", "ALK J1 J2", "ALK J1 J2", False),
    ("", "ALK J1 PER", "ALK J1", True),
])
def test_what_was_shown_may_leave_no_set(blue: str, green: str, old: str, asked: bool) -> None:
    state = setup(TEXT, hands=[blue, green], on_turn=1, phase="turn_start",
                  cycles={**dict.fromkeys(old.split(), 0), "CIT": 1})
    assert (state.phase == "trade") == asked
    assert set_is_possible(state.snapshot(), cycles_of(state, 1)) == asked


@pytest.mark.rule("RIS-14.2")
def test_who_is_asked_follows_from_what_all_can_see() -> None:
    """Hands of small draw cycles are compared with trying all cards."""
    rng, asked = Random(9), collections.Counter[bool]()
    for _ in range(400):
        names = NAMES[:]
        rng.shuffle(names)
        size, other = 3 + rng.below(2), rng.below(3)
        green, blue, rest = names[:size], names[size:size + other], names[size + other:]
        cycles = {name: rng.below(3) for name in green + blue}
        state = setup(TEXT, hands=[" ".join(blue), " ".join(green)], discards=" ".join(rest[:rng.below(6)]),
                      on_turn=1, phase="turn_start", cycles=cycles | {rest[-1]: 3})
        expected = set_is_possible(state.snapshot(), cycles_of(state, 1))
        assert (state.phase == "trade") == expected
        for seat in range(3):
            assert (world(state, seat, 1).phase == "trade") == expected
        asked[expected] += 1
    assert min(asked.values()) > 50


@pytest.mark.rule("RIS-14.2")
def test_that_a_seat_is_asked_tells_nobody_anything() -> None:
    """The seat on turn is asked in all worlds of the others or in none."""
    rng, turns, without = Random(11), 0, 0
    for options in ("players=3,round_limit=25", "players=4,preset=rtu,round_limit=20", "players=3,reshuffle=lazy"):
        for _ in range(12):
            state = start("risiko:" + options)
            while not state.is_over:
                before, turn = state.clone(), state.snapshot()["turns"]
                code = step(state, rng)
                raw = state.snapshot()
                seat_on_turn = raw["seat_on_turn"]
                if raw["turns"] == turn or not raw["round"] or state.is_over or len(state.hand(seat_on_turn)) < 3:
                    continue
                turns += 1
                without += state.phase == "trade" and len(state.legal_moves()) == 1
                assert (state.phase == "trade") == set_is_possible(raw, cycles_of(state, seat_on_turn))
                for seat in range(state.players):
                    twin = world(before, seat, turns)
                    twin.apply(code if code in twin.legal_moves() else twin.sample_chance(rng))
                    if twin.is_over:                    # there the next seat has fulfilled its objective
                        continue
                    assert twin.phase == state.phase
                    assert twin.legal_moves() == state.legal_moves() or seat != seat_on_turn
    assert turns > 300
    assert without > 50


@pytest.mark.rule("RIS-16.1", "RIS-15.4")
def test_a_draw_is_seen_by_the_drawer() -> None:
    state = setup(TEXT, hands=["ALK"], conquests=1, phase="turn_end")
    one, other = play(state.clone(), "c:PER"), play(state.clone(), "c:J1")
    assert one.label(0) != other.label(0)
    for seat in (1, 2):
        assert one.label(seat) == other.label(seat) != 0
        assert one.view(seat).key() == other.view(seat).key()
    assert one.view(0).key() != other.view(0).key()
    code = state.parse("c:PER")
    assert [state.game.seen_move(state, code, seat) for seat in (0, 1, None)] == ["c:PER", "c", "c"]
    dealt = play(start(players=3), "#first=1")
    code = dealt.parse("#objective=o24")
    assert [dealt.game.seen_move(dealt, code, seat) for seat in (0, 1, None)] == [
        "#objective=?", "#objective=o24", "#objective=?"]


@pytest.mark.rule("RIS-9.2", "RIS-9.7")
def test_an_elimination_shows_the_cards_to_the_conqueror() -> None:
    """The label of the throw shows the cards to the conqueror, and the objective to all if it is revealed."""
    for reveal in (False, True):
        options = "reveal_objective_on_elimination=true" if reveal else ""
        worlds = [play(setup("b CIN 5 | g SIA | n *", hands=["", hand], objectives=["o24", goal], options=options),
                       "CIN>SIA 3", "-0-1")
                  for hand, goal in (("ALK", "as_af"), ("ALK", "na_oc"), ("GRO", "as_af"))]
        assert all(not state.is_over and not position(state).seats[1].alive for state in worlds)
        labels = [[state.label(seat) for state in worlds] for seat in range(3)]
        keys = [[state.view(seat).key() for state in worlds] for seat in range(3)]
        for seat in (0, 2):
            for i, k in itertools.combinations(range(3), 2):
                assert (labels[seat][i] == labels[seat][k]) == (keys[seat][i] == keys[seat][k])
        assert labels[0][0] != labels[0][2]
        assert (labels[2][0] != labels[2][1]) == reveal
        assert labels[2][0] == labels[2][2]


@pytest.mark.rule("RIS-16.1")
def test_secrets_name_what_is_hidden() -> None:
    state = setup(TEXT, hands=["ALK", "GRO ONT"], objectives=["o24", "as_af", "na_oc"])
    assert state.game.secrets(state, 0) == {"objective of yellow": "Asia + Africa", "cards of yellow": "GRO ONT",
                                            "objective of black": "North America + Oceania"}
    assert set(state.game.secrets(world(state, 0, 1), 0)) == set(state.game.secrets(state, 0))


@pytest.mark.rule("RIS-16.7")
def test_no_world_is_excluded_that_is_possible() -> None:
    """Every objective that no test has excluded occurs in the worlds."""
    state = setup("b CIN 3 | g EU | n *", objectives=["o24", "as_af", "na_oc"])
    found = {world(state, 0, seed).objective(1) for seed in range(400)}
    assert found == set(range(1, 14))


@pytest.mark.rule("RIS-14.8")
def test_views_do_not_tell_worlds_from_the_game() -> None:
    state = setup(TEXT, hands=["ALK", "GRO ONT"])
    twin = world(state, 0, 1)
    assert twin.view(0).key() == state.view(0).key()
    assert twin.observation(0) == state.observation(0)
    assert twin.candidate_moves() == state.candidate_moves()
    assert twin.legal_moves() == state.legal_moves()
