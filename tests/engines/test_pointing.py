"""The parts at which a person points to choose a move, in each board game: drawn places, in a natural order."""

from __future__ import annotations

import re

from sfida.cython_ext.state import GameState
from support import acres, attila, carcassonne, risiko, zarahemla


def path(state: GameState, text: str) -> list[str]:
    """Return the keys that lead to a move."""
    move = state.parse(text)
    return [part.key for part in state.game.move_parts(state, [move])[move]]


def buttons(state: GameState) -> list[str]:
    """Return the keys of the buttons that the drawing offers to the mover, in the order of the document."""
    return re.findall('data-part="([^"]*)"', state.game.board_svg(state, seat=state.to_move, labels=True))


def touched(state: GameState, text: str, viewer: int | None = None) -> tuple[str, ...]:
    keys: tuple[str, ...] = state.game.event_parts(state, state.parse(text), viewer)
    return keys


def test_carcassonne_asks_for_the_place_then_how_the_tile_lies_then_where_the_follower_stands() -> None:
    table = carcassonne.Table(players=2)
    table.draw("L")
    state = table.state
    assert path(state, "L@0,-1/2") == ["cell:0,-1", "turn:2"]
    assert {key.split(":")[0] for key in buttons(state)} == {"cell"}
    found = state.game.move_parts(state, state.legal_moves())
    pictures = {parts[1].key: parts[1].picture for parts in found.values()}
    assert len(set(pictures.values())) == len(pictures) > 1
    state.apply(state.parse("L@0,-1/2"))
    assert path(state, "-") == ["nobody"]
    spots = [path(state, state.format(move))[0] for move in state.legal_moves() if state.format(move) != "-"]
    assert sorted(spots) == sorted(buttons(state)) != []
    assert all(spot.startswith("spot:0,-1,") for spot in spots)
    assert touched(state, state.format(state.legal_moves()[-1])) == (spots[-1],)


def test_zarahemla_is_played_on_the_land_and_with_the_cards_of_hand_and_bank() -> None:
    state = zarahemla.setup("S 0 19; R 0 19-24; H 0 5 5 5 5 5; H 1 1 0 0 0 0", cards=[zarahemla.cards(liahona=1)])
    assert path(state, "B4w>s") == ["hand:wood", "bank:stone"]
    assert path(state, "C19") == ["corner:19"]
    assert path(state, "D") == ["deck"]
    assert {"hand:wood", "bank:stone", "corner:19", "deck", "temple"} <= set(buttons(state))
    assert touched(state, "C19", 1) == ("corner:19",)
    state.apply(state.parse("offer"))
    assert path(state, "give:b") == ["hand:brick"]
    state = zarahemla.setup("S 0 19", phase="pre_roll", cards=[zarahemla.cards(liahona=1)])
    assert path(state, "L8") == ["card:liahona", "total:8"]
    assert path(state, "roll") == ["dice"]
    assert {"card:liahona", "dice"} == set(buttons(state))


def test_risiko_asks_for_territories_then_how_many() -> None:
    state = risiko.setup("b CIN 10 MOR | g SIA 3 | n *")
    assert path(state, "CIN>SIA 3") == ["territory:CIN", "territory:SIA", "dice:3"]
    assert path(state, "CIN>>SIA") == ["territory:CIN", "territory:SIA", "assault"]
    assert path(state, "CIN>>SIA 4") == ["territory:CIN", "territory:SIA", "assault:reserve"]
    assert {"territory:CIN", "territory:SIA"} <= set(buttons(state))
    assert touched(state, "CIN>SIA 3", 2) == ("territory:CIN", "territory:SIA")
    placing = risiko.setup("b CIN 10 MOR | g SIA 3 | n *", phase="place", left=2)
    assert path(placing, "+CIN 2") == ["territory:CIN", "amount:2"]
    assert set(buttons(placing)) == {"territory:CIN", "territory:MOR"}


def test_the_cards_of_a_set_are_pointed_at_from_left_to_right() -> None:
    state = risiko.setup("b CIN 10 MOR | g SIA 3 | n *", hands=["J1 ALK PER SIA AFG"], phase="turn_start")
    shown = [key for key in buttons(state) if key.startswith("card:")]
    assert sorted(shown) == ["card:AFG", "card:ALK", "card:J1", "card:PER", "card:SIA"]
    sets = [path(state, state.format(move)) for move in state.legal_moves() if state.format(move) != "="]
    assert sets
    assert all(keys == sorted(keys, key=shown.index) for keys in sets)


def test_attila_is_played_with_cards_provinces_and_the_chart() -> None:
    state = attila.setup("GER:F", ["FFHGSV"])
    assert path(state, "F") == ["card:F"]
    assert {"card:F", "card:H", "tile:exchange"} <= set(buttons(state))
    state.apply(state.parse("F"))
    assert path(state, "@GER") == ["province:GER"]
    assert "province:GER" in buttons(state)
    state.apply(state.parse("@GER"))
    assert path(state, "+1") == ["column:F"]
    assert "column:F" in buttons(state)
    assert touched(state, "+1", 1) == ("column:F",)


def test_acres_asks_for_a_site_or_a_card_then_what_to_do_with_it() -> None:
    state = acres.setup("NHV NYK BOS", "LOU")
    assert path(state, "money BOS") == ["card:BOS", "do:money"]
    assert path(state, "discard BOS") == ["card:BOS", "do:discard"]
    assert path(state, "draft ML") == ["supply:ML"]
    settle = next(text for text in map(state.format, state.legal_moves()) if text.startswith("settle "))
    _, site, card = settle.split()
    assert path(state, settle) == [f"site:{site}", "do:settle", f"card:{card}"]
    assert {"card:BOS", "supply:ML", f"site:{site}"} <= set(buttons(state))
    assert touched(state, settle, 1) == (f"site:{site}",)


def test_what_a_siege_cost_is_pointed_at_in_the_siege() -> None:
    sieges = ((0, "LOU", "SA RI RI ML", "RI0 PRO MI"),)
    state = acres.setup("NYK", "LOU", sites="B.HAL", sieges=sieges, phase="start")
    assert path(state, "settle NYK") == ["card:NYK"] == buttons(state)
    state.apply(state.parse("leave"))
    assert path(state, "lost MI") == ["siege-LOU:MI"]
    assert set(buttons(state)) == {"siege-LOU:MI", "siege-LOU:RI0"}


def test_nobody_is_told_what_was_played_face_down() -> None:
    state = attila.setup("GER:VVSS", ["FFHGSV"])
    attila.play(state, "F@GER+1")
    assert state.phase == "commit"
    for viewer in (None, *range(state.players)):
        assert {state.game.event_parts(state, move, viewer) for move in state.legal_moves()} == {()}
