"""Components, board, cards and setup: chapters 1 to 4."""

from __future__ import annotations

import copy
from collections import Counter
from math import comb

import pytest

from sfida.cython_ext.rng import Random
from sfida.engines.acres.tables import LOCATION_CARDS, card_codes, card_of, check_doubles, load_data, site_codes
from support.acres import B, F, end, lead, money, owner, part, play, played, position, setup, site, start, targets, zone
from support.playing import legal, step
from support.recounts.acres import neighbours

DATA = load_data()
SITES = DATA["board"]["locations"]
LOCATIONS = DATA["cards"]["location_cards"]
EMPIRE = DATA["cards"]["empire_cards"]


def empire(code: str, side: str) -> dict:
    """Return the row of an empire card."""
    return next(one for one in EMPIRE if one["code"] == code and one["side"] == side)


# ---- components -------------------------------------------------------------------------------------


@pytest.mark.rule("FAS-1.1", "FAS-1.2")
@pytest.mark.parametrize(("seat", "cubes", "discs"), [(B, 18, 12), (F, 18, 9)])
def test_pieces(seat: int, cubes: int, discs: int) -> None:
    where = position(start())
    one, towns = where.seats[seat], [town for held, town in zip(where.owner, where.town, strict=True) if held == seat]
    assert one.villages + towns.count(False) == cubes
    assert one.towns + towns.count(True) == discs
    assert DATA["supply"]["siege_location_markers"] == {"british": 1, "french": 1}


@pytest.mark.rule("FAS-1.3")
def test_shared_pieces_and_cards() -> None:
    assert position(start()).forts_left == 12
    assert len(LOCATIONS) + sum(one["count"] for one in EMPIRE) == DATA["supply"]["cards_total"] == 110
    assert (DATA["supply"]["silver_coins_value_1"], DATA["supply"]["gold_coins_value_5"]) == (15, 15)


@pytest.mark.rule("FAS-1.4")
def test_one_piece_a_shape() -> None:
    where = position(setup(sites="B.ALB2", forts="ALB"))
    assert (where.owner[site("ALB")], where.town[site("ALB")], where.fort[site("ALB")]) == (B, True, True)


@pytest.mark.rule("FAS-1.5", "FAS-7.5")
def test_pieces_are_limits_money_is_not() -> None:
    assert "DEE" in targets(setup("NHV STM BOS", supplies=((1, 5), None)), "settle")
    assert "DEE" not in targets(setup("NHV STM BOS", supplies=((0, 5), None)), "settle")
    assert not targets(setup("STM SE", supplies=((5, 0), None)), "develop")
    everywhere = " ".join(f"B.{code}" for code in site_codes()[:12])
    full = setup("FO PHI SE", sites=everywhere, forts=" ".join(code for code in site_codes()[:12] if code != "PHI")
                 + " QUE")
    assert not legal(full, "fortify")
    rich = play(setup("NHV BOS NYK", money=(1000, 0)), "merchant NHV BOS NYK")
    assert money(rich)[B] == 1006


@pytest.mark.rule("FAS-1.6")
def test_captured_pieces_do_not_come_back() -> None:
    state = setup("RG", sites="B.KEN", decks=("", "TAD"))
    before = part(state, F)
    play(state, "raid QUE RG", "allow")
    assert (part(state, B).captured_towns, part(state, B).captured_villages) == (1, 0)
    assert part(state, F).towns == before.towns
    assert part(state, F).villages == before.villages - 1
    assert owner(state, "QUE") == "F"


# ---- board ------------------------------------------------------------------------------------------


@pytest.mark.rule("FAS-2.1")
def test_what_a_site_shows() -> None:
    checks = DATA["checks"]
    assert len(SITES) == checks["locations"] == 36
    assert sum(one["vp"] for one in SITES) == checks["sum_vp"] == 70
    assert {one["code"]: one["defence"] for one in SITES if one["defence"]} == {
        "BOS": 1, "NYK": 1, "LOU": 1, "MTL": 1, "QUE": 2}
    value = {one["code"]: one["vp"] for one in SITES}
    assert (value["ALB"] > 0, value["OSW"] > 0, value["FST"]) == (True, True, 0)
    settler = {one["code"] for one in SITES if one["settler"]}
    assert {"DEE", "LOU"} <= settler
    assert "FNI" not in settler


@pytest.mark.rule("FAS-2.2", "FAS-2.3", "FAS-4.4")
def test_who_controls_what_at_the_start() -> None:
    state = start()
    assert {code: owner(state, code) for code in site_codes() if position(state).owner[site(code)] >= 0} == {
        "BOS": "B2", "NYK": "B2", "NHV": "B", "NFK": "B", "PEM": "B", "PHI": "B", "STM": "B",
        "QUE": "F2", "GAS": "F", "LOU": "F", "MTL": "F", "PRO": "F", "TAD": "F", "TRI": "F"}
    assert position(state).owner[site("DEE")] == -1
    with pytest.raises(ValueError, match="both sides"):
        state.arrange(sites=[(0, B, False), (0, F, False)])
    assert "DEE" not in targets(setup("NHV STM BOS", sites="F.DEE"), "settle")     # one owner a site
    assert not legal(setup("NHV STM BOS NYK", sites="B.DEE", discards=("DEE", "")), "settle DEE")


@pytest.mark.rule("FAS-2.4")
def test_kinds_of_connections() -> None:
    edges, checks = DATA["board"]["edges"], DATA["checks"]
    kinds = Counter(edge["kind"] for edge in edges)
    assert kinds == {"river": 18, "lake": 7, "road": 2, "trail": 9, "estuary": 3}
    assert sum(edge["raid"] for edge in edges) == checks["edges_raid"]
    assert len(edges) == checks["edges_total"]
    assert all(edge["raid"] and not edge["connect"] for edge in edges if edge["kind"] == "trail")
    sea = [one["index"] for one in SITES if one["sea"]]
    assert all(set(sea) - {a} <= neighbours()[a] for a in sea)


@pytest.mark.rule("FAS-2.5", "FAS-6.5")
def test_one_lake_links_all_its_shores() -> None:
    assert site("OSW") in neighbours()[site("FNI")]
    assert site("DET") in neighbours()[site("FPI")]
    assert site("MIC") not in neighbours()[site("FPI")]     # another lake
    state = setup("", "FFR FPI TR0", sites="F.FFR F.FNI F.FPI F.DET", on_turn=F)
    state.apply(state.parse("trader TR0"))
    assert legal(state) == {"+FFR", "+FPI"}
    raid = setup("", "CB", sites="F.FFR B.OSW", on_turn=F)
    assert "OSW" in targets(raid, "raid")


@pytest.mark.rule("FAS-2.6", "FAS-3.7", "FAS-12.5")
def test_ships_count_at_ship_sites_only() -> None:
    assert legal(setup("SH", sites="B.HAL", sieges=((B, "LOU", "RI", ""),)), "reinforce") == {"reinforce LOU SH"}
    assert not legal(setup("SH", sieges=((B, "TRI", "RI", ""),)), "reinforce")
    assert not legal(setup("SH", sites="B.ALB F.FWH", sieges=((F, "ALB", "RI", ""),)), "reinforce")


@pytest.mark.rule("FAS-2.8")
def test_card_spaces() -> None:
    state = setup("BOS", "QUE", decks=("NYK", "TAD"), discards=("PHI", "GAS"), reserves=("RI", "SA"), sites="B.HAL",
                  sieges=((B, "LOU", "MI", "MI"), (F, "PEM", "ML", "FO")))
    for seat, siege in ((B, [["MI"], ["FO"]]), (F, [["MI"], ["ML"]])):
        one = part(state, seat)
        assert [[card_codes()[card] for card in played(state, seat, besieger)] for besieger in (B, F)] == siege
        assert all((one.deck, one.discards, one.reserve, one.locations, one.empire))


# ---- cards ------------------------------------------------------------------------------------------


@pytest.mark.rule("FAS-3.1")
def test_two_kinds_of_cards() -> None:
    assert LOCATION_CARDS == len(LOCATIONS) == 59
    assert len(card_codes()) == 91
    assert all(one["location"] in {place["id"] for place in SITES} for one in LOCATIONS)


@pytest.mark.rule("FAS-3.2")
def test_colours() -> None:
    checks = DATA["checks"]
    sides = Counter(one["side"] for one in LOCATIONS)
    assert sides == {"british": checks["location_cards_british"], "french": checks["location_cards_french"]}
    copies: Counter = Counter()
    for one in EMPIRE:
        copies[one["side"]] += one["count"]
    assert copies == {"british": 21, "french": 21, "neutral": 9}
    drafts = legal(setup(money=(99, 99)), "draft")
    assert {"draft RG", "draft NAn", "draft SEn", "draft FOn"} <= drafts
    assert not {"draft CB", "draft IN", "draft PR"} & drafts


@pytest.mark.rule("FAS-3.3")
def test_the_sides_have_cards_of_their_own() -> None:
    cards = {(one["side"], one["location"]): one for one in LOCATIONS}
    assert cards["british", "louisbourg"]["symbols"] != cards["french", "louisbourg"]["symbols"]
    assert cards["british", "tadoussac"]["symbols"] != cards["french", "tadoussac"]["symbols"]
    assert legal(setup("", "LOU MTL", on_turn=F), "merchant") == {"merchant LOU"}
    assert not legal(setup("LOU BOS", sites="B.LOU"), "merchant LOU")


@pytest.mark.rule("FAS-3.4")
def test_links_and_transports() -> None:
    for cards, found in (("NHV BX", {"DEE"}), ("NHV RI", set()), ("PHI NFK", {"BAL"}), ("FHA PHI", {"KEN"})):
        state = setup(f"{cards} SE", sites="B.FHA")
        assert {code for code in targets(state, "settle") if owner(state, code) == "."} == found, cards


@pytest.mark.rule("FAS-3.5")
def test_requirements_are_no_offers() -> None:
    """Baltimore lists ship links but offers no ship, Philadelphia has ship links and offers a wagon."""
    assert "+BAL" not in legal(play(setup("PHI BAL NFK SE", sites="B.BAL -STM"), "settle STM PHI"))
    assert legal(play(setup("PHI BAL NFK SE", sites="B.BAL -STM"), "settle STM PHI")) == {"+NFK"}


@pytest.mark.rule("FAS-3.6")
def test_symbols_offer_what_they_say() -> None:
    state = setup("BOS STM PEM NYK TR RI", sites="B.HAL", sieges=((B, "LOU", "MI", ""),))
    assert {"money BOS", "money NYK"} == legal(state, "money")
    assert legal(state, "trader") == {"trader TR"}
    assert legal(state, "reinforce") == {"reinforce LOU BOS", "reinforce LOU NYK", "reinforce LOU RI"}
    assert legal(play(setup("STM BOS"), "develop STM")) == {"+BOS"}
    hit = play(setup("RI BOS", "CB", decks=("NYK", ""), on_turn=F), "ambush CB", "allow")
    assert legal(hit) == {"hit RI hand"}


@pytest.mark.rule("FAS-3.9")
def test_played_cards_are_discarded() -> None:
    state = play(setup("BOS NHV NYK", sites="B.HAL", sieges=((B, "LOU", "MI", ""),)), "money NHV", "reinforce LOU NYK")
    assert zone(state, B, "discards") == "NHV"
    assert [card_codes()[card] for card in played(state, B, B)] == ["NYK", "MI"]


@pytest.mark.rule("FAS-3.10", "FAS-12.2")
def test_sieges_have_spaces_of_their_own() -> None:
    state = setup("RI MI NYK", sites="B.HAL", sieges=((B, "LOU", "MI", ""), (F, "PEM", "RI", "")))
    assert {"reinforce LOU RI", "reinforce PEM RI"} <= legal(state)
    before = lead(state, B), lead(state, F)
    play(state, "reinforce PEM RI", "reinforce LOU NYK")
    assert (lead(state, B), lead(state, F)) == (before[0] + 1, before[1] - 2)
    assert [card_codes()[card] for card in played(state, B, F)] == ["RI"]


@pytest.mark.rule("FAS-3.11")
def test_empire_cards() -> None:
    expected = {            # code, side: copies, price, strength
        ("FO", "british"): (1, 0, 1), ("FOn", "neutral"): (2, 3, 1), ("GV", "french"): (1, 0, 0),
        ("HS", "british"): (1, 5, 0), ("IL", "british"): (1, 2, 0), ("PR", "french"): (2, 2, 0),
        ("IN", "french"): (1, 0, 0), ("ML", "british"): (1, 5, 1), ("MI", "british"): (3, 2, 1),
        ("MI", "french"): (3, 2, 1), ("RG", "british"): (1, 5, 1), ("CB", "french"): (1, 0, 1),
        ("NAn", "neutral"): (5, 0, 0), ("NA", "french"): (1, 0, 0), ("RI", "british"): (6, 7, 2),
        ("RI", "french"): (3, 7, 2), ("RI0", "french"): (1, 0, 2), ("SA", "british"): (1, 8, 3),
        ("SE", "british"): (1, 5, 0), ("SEn", "neutral"): (2, 7, 0), ("SH", "british"): (2, 6, 0),
        ("SH", "french"): (1, 6, 0), ("TR", "french"): (1, 0, 0), ("TR0", "french"): (1, 0, 0),
        ("BX", "british"): (1, 0, 0), ("BX", "french"): (1, 0, 0)}
    for (code, side), row_ in expected.items():
        one = empire(code, side)
        assert (one["count"], one["cost"], one["strength"]) == row_, (code, side)
    state = setup("", "", money=(99, 99), discards=("", "QUE"), on_turn=F)
    before = money(state)[F]
    play(state, "draft HS", "draft RI")
    assert money(state)[F] == before - 12
    assert "RI" in zone(state, F, "discards").split()


@pytest.mark.rule("FAS-3.12")
def test_cards_that_a_side_lacks() -> None:
    british, french = card_of(B), card_of(F)
    assert not {"MTL", "QUE", "MIC"} & set(british)
    assert not {"BOS", "NHV", "NYK", "NFK", "PHI", "STM", "BAL", "CUM", "DEE", "RIC"} & set(french)
    assert not any("wagon" in one["symbols"] or one["wagon"] for one in LOCATIONS if one["side"] == "french")


# ---- setup ------------------------------------------------------------------------------------------


@pytest.mark.rule("FAS-4.1", "FAS-4.2")
def test_open_piles() -> None:
    state, checks = start(), DATA["checks"]
    for seat, side in enumerate(("british", "french")):
        assert len(part(state, seat).locations) == checks[f"available_location_cards_{side}"]
        assert len(part(state, seat).empire) == checks[f"available_empire_cards_{side}"]
    display = [card_codes()[card] for card in position(state).neutral]
    assert display == ["FOn"] * 2 + ["NAn"] * 5 + ["SEn"] * 2


@pytest.mark.rule("FAS-4.3")
def test_money() -> None:
    assert money(start()) == (12, 5)


@pytest.mark.rule("FAS-4.5")
def test_initial_decks() -> None:
    state = start()
    assert zone(state, B, "unseen") == "BOS NHV NYK NFK PEM PHI STM"
    assert sorted(zone(state, F, "unseen").split()) == sorted(
        ["GAS", "LOU", "MTL", "QUE", "PRO", "TAD", "TRI", "BX", "RI0", "TR0"])


@pytest.mark.rule("FAS-4.6")
def test_deals_are_uniform() -> None:
    rng, hands = Random(7), (Counter(), Counter())
    for _ in range(840):
        state = start()
        while state.is_chance:
            step(state, rng)
        for seat in range(2):
            hands[seat][zone(state, seat, "hand")] += 1
    assert len(hands[B]) == comb(7, 5)
    assert max(hands[B].values()) < 75
    assert min(hands[B].values()) > 15
    assert len(hands[F]) > 220


@pytest.mark.rule("FAS-4.7", "FAS-5.1", "FAS-5.3")
def test_the_british_begin_with_one_action() -> None:
    state, rng = start(), Random(3)
    while state.is_chance:
        step(state, rng)
    turns = []
    for _ in range(5):
        turns.append((state.seat_on_turn, position(state).actions_left))
        end(state, rng)
    assert turns == [(B, 1), (F, 1), (B, 2), (F, 2), (B, 2)]


@pytest.mark.parametrize(("row", "column"), [("b_fortification", "strength"), ("b_siege_artillery", "siege_pay"),
                                             ("n_native_americans", "use_pay")])
def test_what_the_data_tell_twice_must_agree(row: str, column: str) -> None:
    check_doubles(load_data())
    data = copy.deepcopy(load_data())
    found = [card for card in data["cards"]["empire_cards"] if card["id"] == row]
    assert found, [card["id"] for card in data["cards"]["empire_cards"]]
    found[0][column] += 1
    with pytest.raises(ValueError, match=f"{column} of {row} is .* they must agree"):
        check_doubles(data)
