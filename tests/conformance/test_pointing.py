"""Every legal move can be chosen by pointing at its parts, one after the other, and no part reveals a secret."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Iterator
from xml.etree import ElementTree as ET

import pytest

from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.state import GameState, restore
from sfida.engines.game import Part
from sfida.engines.registry import game_class, game_names, make

pytestmark = pytest.mark.release_only("drawing takes most of it, and is not compiled")

BOARDS = ["carcassonne:players=3", "carcassonne:river=false", "settlers_of_zarahemla:players=3",
          "settlers_of_zarahemla:preset=catan,trade_gifts=true", "risiko:players=3",
          "risiko:choose_colors=true,move_granularity=full,hand_limit=3,round_limit=4", "attila:players=3",
          "attila:players=2,open_commitments=true,conflict_order=active_chooses,tile_windows=every_decision",
          "a_few_acres_of_snow",
          "a_few_acres_of_snow:placement_after_siege_optional=true,refill_may_be_skipped=true,"
          "french_picks_extra_initial_empire_card=true"]
SPECS = [*(name for name in game_names() if game_class(name).example), *BOARDS]
LONGEST = 2500          # maximum number of events of a game
LOOKED_AT = 15          # decisions of a game that are checked closely
ALIKE = 12              # alternative events that are compared with the actual one


def decisions(spec: str, seed: int) -> Iterator[GameState]:
    """Yield decisions throughout a random game."""
    rng, state = Random(derive(seed, 31)), make(spec)
    plies = []
    for _ in range(LONGEST):
        if state.is_over:
            break
        if state.to_move >= 0:
            plies.append(state.clone())
        codes = state.legal_moves()
        state.apply(codes[rng.below(len(codes))])
    step = max(1, len(plies) // LOOKED_AT)
    yield from plies[seed % step::step]


def redacted(state: GameState, seat: int) -> GameState:
    """Return the position with all information overwritten that a seat cannot know."""
    return restore(state.game, state.view(seat).key())


def paths_of(state: GameState, moves: list[int]) -> dict[int, tuple[Part, ...]]:
    paths: dict[int, tuple[Part, ...]] = state.game.move_parts(state, moves)
    return paths


def drawn(document: str, attribute: str) -> list[ET.Element]:
    return [element for element in ET.fromstring(document).iter() if element.get(attribute) is not None]


@pytest.mark.parametrize("spec", SPECS)
def test_every_move_has_a_path_of_its_own(spec: str) -> None:
    for state in decisions(spec, 1):
        moves = state.legal_moves()
        found = paths_of(state, moves)
        assert list(found) == moves
        paths = sorted(tuple(part.key for part in parts) for parts in found.values())
        assert all(paths)
        for path, after in itertools.pairwise(paths):
            assert path != after[:len(path)], state.format(moves[0])
        parts = {part for path in found.values() for part in path}
        assert len({part.key for part in parts}) == len(parts)      # one key, one meaning
        assert all(re.fullmatch(r'[^\s"<>&]+', part.key) and part.words.strip() for part in parts)
        assert all(ET.fromstring(part.picture).tag.endswith("svg") for part in parts if part.picture)
        for move in moves[:10]:
            assert paths_of(state, [move]) == {move: found[move]}


@pytest.mark.parametrize("spec", SPECS)
def test_no_two_parts_that_follow_the_same_ones_read_alike(spec: str) -> None:
    for state in decisions(spec, 2):
        following: dict[tuple[str, ...], dict[str, str]] = defaultdict(dict)
        for path in paths_of(state, state.legal_moves()).values():
            for number, part in enumerate(path):
                following[tuple(one.key for one in path[:number])][part.key] = part.words
        for before, choices in following.items():
            assert len(set(choices.values())) == len(choices), (before, choices)


@pytest.mark.parametrize("spec", SPECS)
def test_the_drawing_shows_the_places_of_moves_as_buttons_to_the_mover_alone(spec: str) -> None:
    for state in decisions(spec, 3):
        seat, game = state.to_move, state.game
        words = {part.key: part.words for path in paths_of(state, state.legal_moves()).values() for part in path}
        document = game.board_svg(state, seat=seat, labels=True)
        places = [element.attrib["data-place"] for element in drawn(document, "data-place")
                  if "@" not in element.attrib["data-place"]]          # on a ghost, which a page puts in its place
        assert len(set(places)) == len(places)
        buttons = drawn(document, "data-part")
        assert {one.attrib["data-part"] for one in buttons} == words.keys() & set(places)
        for one in buttons:
            assert one.get("data-place") == one.get("data-part")
            assert one.get("aria-label") == words[one.attrib["data-part"]]
            assert (one.get("role"), one.get("tabindex")) == ("button", "0")
        assert drawn(document, "role") == [] or document.count('role="button"') == len(buttons)
        for element in ET.fromstring(document).iter():
            assert element.get("style") is None
        plain = [game.board_svg(state, seat=seat), game.board_svg(state, labels=True),
                 game.board_svg(state, seat=(seat + 1) % state.players, labels=True)]
        for other in plain:
            assert not re.search(r"data-part|tabindex|aria-label|role=.button", other)
        assert {one.get("data-place") for one in drawn(plain[0], "data-place")} <= set(places)


@pytest.mark.parametrize("spec", BOARDS)
def test_most_moves_of_long_lists_begin_on_the_board(spec: str) -> None:
    shares = []
    for state in decisions(spec, 4):
        if len(state.legal_moves()) > 6:
            paths = paths_of(state, state.legal_moves()).values()
            document = state.game.board_svg(state, seat=state.to_move, labels=True)
            places = {one.get("data-part") for one in drawn(document, "data-part")}
            shares.append(sum(path[0].key in places for path in paths) / len(paths))
    assert sum(shares) > 0.6 * len(shares)


@pytest.mark.parametrize("spec", [spec for spec in SPECS if make(spec).hidden])
def test_parts_and_drawing_are_those_of_the_view(spec: str) -> None:
    for state in decisions(spec, 5):
        seat, moves = state.to_move, state.legal_moves()
        view = redacted(state, seat)
        assert paths_of(view, moves) == paths_of(state, moves)
        assert (state.game.board_svg(view, seat=seat, labels=True)
                == state.game.board_svg(state, seat=seat, labels=True))


@pytest.mark.parametrize("spec", SPECS)
def test_an_event_touches_places_that_a_viewer_sees(spec: str) -> None:
    rng, state = Random(derive(6, 31)), make(spec)
    game = state.game
    for number in range(400):
        if state.is_over:
            break
        codes = state.legal_moves()
        move = codes[rng.below(len(codes))]
        after = state.clone()
        after.apply(move)
        for viewer in (None, *range(state.players)):
            touched = game.event_parts(state, move, viewer)
            seen = game.seen_move(state, move, viewer)
            for other in codes[:ALIKE]:
                if game.seen_move(state, other, viewer) == seen:
                    assert game.event_parts(state, other, viewer) == touched
            if touched and number % 10 == 0:
                document = game.board_svg(state, seat=viewer) + game.board_svg(after, seat=viewer)
                assert all(f'data-place="{key}"' in document for key in touched)
        state = after
