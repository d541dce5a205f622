"""catanatron as an independent referee of preset `catan` (ZAR-24), and its tables as a place for our agents."""

import random
import subprocess
import sys
from collections import Counter

import pytest

from bench.opponents import play_block
from sfida.cython_ext.errors import IllegalMove, UnknownAgent
from sfida.engines.zarahemla.position import encode

pytestmark = pytest.mark.release_only("follows catanatron's account of the Longest Road, which a recount would refuse")

catanatron = pytest.importorskip("catanatron", reason="catanatron is not installed: pip install 'sfida[catanatron]'")

from catanatron.models.board import STATIC_GRAPH, Board  # noqa: E402
from catanatron.models.enums import Action, ActionType  # noqa: E402
from catanatron.models.map import MINI_MAP_TEMPLATE, CatanMap  # noqa: E402
from catanatron.players.weighted_random import WeightedRandomPlayer  # noqa: E402

from sfida.catanatron import SfidaPlayer  # noqa: E402
from sfida.engines.zarahemla.catanatron.chair import Chair  # noqa: E402
from sfida.engines.zarahemla.catanatron.library import names  # noqa: E402
from sfida.engines.zarahemla.catanatron.library import replay_game  # noqa: E402
from sfida.engines.zarahemla.catanatron.library import CatanatronError, LostTrack, cards_of, hand_of  # noqa: E402
from sfida.engines.zarahemla.catanatron.replay import RoadEmulation  # noqa: E402
from sfida.engines.zarahemla.catanatron.replay import BEFORE_DICE, EXPECTED, NO_MONEY, Replay  # noqa: E402
from sfida.engines.zarahemla.catanatron.steps import UNSEEN, LoggedStep, plan_of, step_of  # noqa: E402
from sfida.engines.zarahemla.tables import edge_of_corners  # noqa: E402

COLORS = list(catanatron.Color)
GAMES = 4
CARDS = ("KNIGHT", "YEAR_OF_PLENTY", "MONOPOLY", "ROAD_BUILDING", "VICTORY_POINT")


def table(players, seed, kind=catanatron.RandomPlayer):
    return catanatron.Game([kind(color) for color in COLORS[:players]], seed=seed)


# ---- the differential test -----------------------------------------------------------------------


@pytest.mark.rule("ZAR-24.1", "ZAR-24.2", "ZAR-24.3", "ZAR-24.6", "ZAR-24.7")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_games_replay_without_a_difference(players):
    found, comparisons = Counter(), 0
    for seed in range(1, 1 + GAMES):
        replay = Replay(table(players, seed))
        found += replay.run()
        comparisons += replay.comparisons
        assert not replay.broken
    assert set(found) <= set(EXPECTED), found
    assert comparisons > 150 * GAMES
    assert found[BEFORE_DICE]
    assert found[NO_MONEY]


@pytest.mark.rule("ZAR-24.7")
@pytest.mark.parametrize(("tamper", "named"), [
    (lambda state: state.resource_freqdeck.__setitem__(3, 0), "differs: bank"),
    (lambda state: state.player_state.__setitem__("P1_ROADS_AVAILABLE", 9), "differs: pieces of seat 1"),
    (lambda state: state.development_listdeck.pop(), "differs: deck"),
    (lambda state: state.board.road_lengths.__setitem__(state.colors[0], 9), "differs: road of seat 0, as catanatron"),
    (lambda state: state.playable_actions.pop(), "only we allow"),
    (lambda state: state.playable_actions.append(Action(state.colors[0], ActionType.BUILD_CITY, 0)),
     "only catanatron allows city"),
])
def test_the_comparison_sees_a_difference(tamper, named):
    game = table(2, 1)
    replay = Replay(game)
    for _ in range(30):
        replay.compare_legal()
        replay.follow(game.play_tick())
    assert set(replay.differences) <= set(EXPECTED)
    while game.state.current_color() != game.state.colors[0] or len(game.state.playable_actions) < 2:
        replay.follow(game.play_tick())
    tamper(game.state)
    replay.compare_legal()
    replay._compare()
    assert any(what.startswith(named) for what in replay.differences), replay.differences


@pytest.mark.rule("ZAR-24.3")
def test_an_action_that_is_not_legal_for_us_breaks_the_replay():
    game = table(2, 1)
    replay = Replay(game)
    replay.follow(game.play_tick())
    replay.follow(Action(game.state.colors[0], ActionType.END_TURN, None))
    assert replay.broken
    assert replay.differences == {"not legal for us: END_TURN": 1}


@pytest.mark.rule("ZAR-24.6")
def test_a_segment_towards_an_opponents_building_is_not_counted():
    edge = edge_of_corners()
    road = RoadEmulation(2)
    road.build_settlement(1, 35)
    road.build_settlement(0, 8)
    for a, b in ((8, 13), (13, 18), (18, 24), (24, 30)):
        road.build_road(0, edge[a, b])
    assert road.lengths == [4, 0]
    road.build_road(0, edge[30, 35])            # ZAR-9.2 counts it
    assert road.lengths == [4, 0]
    assert road.holder == -1


@pytest.mark.rule("ZAR-24.4")
def test_a_cut_gives_the_road_to_the_greatest_stored_length_without_a_minimum():
    edge = edge_of_corners()
    road = RoadEmulation(2)
    road.build_settlement(0, 39)
    for a, b in ((34, 39), (28, 34), (22, 28), (17, 22), (12, 17)):
        road.build_road(0, edge[a, b])
    assert (road.holder, road.lengths) == (0, [5, 0])
    road.build_settlement(1, 27)
    for a, b in ((21, 27), (16, 21), (16, 22)):
        road.build_road(1, edge[a, b])
    road.build_settlement(1, 22)
    assert (road.holder, road.lengths) == (0, [3, 3])


@pytest.mark.rule("ZAR-24.3")
def test_translation_of_actions():
    red, blue = COLORS[:2]
    table_, colors = names(), (blue, red)

    def plan(kind, value):
        return plan_of(Action(red, ActionType[kind], value), colors)

    place = (0, 2, -2)
    assert plan("BUILD_SETTLEMENT", 45) == (encode("settle", 0),)
    assert plan("BUILD_ROAD", (47, 45)) == (encode("road", 0),)
    assert plan("MOVE_ROBBER", (place, blue, None)) == (encode("move_robber", 0), encode("steal_from", 0))
    assert plan("MARITIME_TRADE", ("ORE", "ORE", None, None, "WOOD")) == (encode("bank_trade", 20),)
    assert plan("PLAY_YEAR_OF_PLENTY", ("ORE", "SHEEP")) == (
        encode("play_harvest"), encode("take", 2), encode("take", 4))
    assert plan("DISCARD", ["ORE", "WOOD"]) == (encode("discard", 0), encode("discard", 4))
    step = step_of(Action(red, ActionType.MOVE_ROBBER, (place, blue, "WHEAT")), colors)
    assert step.moves[-1] == encode("stolen_card", 3)
    assert step.seen_by(0) == step.seen_by(1) == step
    assert step.seen_by(2).moves == (*step.moves[:-1], UNSEEN)
    bought = step_of(Action(red, ActionType.BUY_DEVELOPMENT_CARD, "MONOPOLY"), colors)
    assert bought.moves == (encode("buy_dev"), encode("draw_dev", table_.card["MONOPOLY"]))
    assert bought.seen_by(0).moves == (encode("buy_dev"), UNSEEN)


# ---- the information of a seat -------------------------------------------------------------------


def followed_games():
    """Yield (game, true replay, chairs) at every decision of some random games with thefts and cards."""
    for players, seed in ((2, 3), (3, 5), (4, 4)):
        game = table(players, seed, WeightedRandomPlayer)
        replay, chairs = Replay(game), [Chair(game, seat) for seat in range(players)]
        while game.winning_color() is None and game.state.num_turns < 300:
            replay.follow(game.play_tick())
            if not game.state.is_discarding and len(game.state.playable_actions) > 1:
                yield game, replay, chairs


@pytest.mark.rule("ZAR-17.1", "ZAR-17.2", "ZAR-17.5")
def test_a_chair_knows_what_redacting_the_truth_leaves():
    most = 1
    for _, (game, replay, chairs) in zip(range(225 * GAMES), followed_games(), strict=False):
        seat = game.state.current_player_index
        chair = chairs[seat]
        chair.read(game)
        truth = replay.state.view(seat).key()
        assert {world.view(seat).key() for world in chair._worlds} == {truth}
        assert any(all(world.hand(i) == hand_of(game, i) for i in range(world.players)) for world in chair._worlds)
        most = max(most, len(chair._worlds))
    assert most > 1


@pytest.mark.rule("ZAR-17.5")
def test_a_chair_that_begins_anew_remembers_how_large_the_hands_were():
    """The gain of a Monopoly shows only in the hand sizes, and a later one may make the sizes equal again."""
    met = Counter()

    class Anew(Chair):
        def _after(self, step):
            sizes = seen[self.seat].get(self._followed)
            if sizes is not None:
                assert all([sum(world.hand(i)) for i in range(world.players)] == sizes for world in self._worlds)
                met[len(self._worlds) > 1] += 1
            return super()._after(step)

    for seed in range(1, 1 + 3 * GAMES):
        game = table(4, seed, WeightedRandomPlayer)
        chairs, seen = [Anew(game, seat) for seat in range(4)], [{} for _ in range(4)]
        while game.winning_color() is None and game.state.num_turns < 300:
            game.play_tick()
            seat = game.state.current_player_index
            if not game.state.is_discarding and len(game.state.playable_actions) > 1:
                chairs[seat].read(game)
                seen[seat][len(chairs[seat]._steps)] = [sum(hand_of(game, i)) for i in range(4)]
        for chair in chairs:
            chair._restart()
            chair.read(game)
    assert met[True] > 100


def with_hidden_shuffled(game, seat, rng):
    """Return a copy in which all information that a seat cannot see is changed or removed."""
    copy = game.copy()
    state = copy.state
    me = state.colors[seat]
    for i in range(len(state.colors)):
        if i == seat:
            continue
        size = sum(hand_of(game, i))
        held = sum(cards_of(game, i).values())
        hand = [rng.randrange(5) for _ in range(size)]
        cards = [rng.randrange(5) for _ in range(held)]
        for k, name in enumerate(("WOOD", "BRICK", "SHEEP", "WHEAT", "ORE")):
            state.player_state[f"P{i}_{name}_IN_HAND"] = hand.count(k)
        for k, name in enumerate(CARDS):
            state.player_state[f"P{i}_{name}_IN_HAND"] = cards.count(k)
        state.player_state[f"P{i}_ACTUAL_VICTORY_POINTS"] = state.player_state[f"P{i}_VICTORY_POINTS"]
    rng.shuffle(state.development_listdeck)
    for n, action in enumerate(state.actions):
        kind, value = action.action_type, action.value
        if kind == ActionType.BUY_DEVELOPMENT_CARD and action.color != me:
            state.actions[n] = action._replace(value=rng.choice(CARDS))
        elif kind == ActionType.MOVE_ROBBER and value[1] is not None and me not in (action.color, value[1]):
            state.actions[n] = action._replace(value=(*value[:2], rng.choice(("WOOD", "ORE", "WHEAT"))))
    return copy


def shuffled_decisions():
    """Yield, at some decisions, the views and answers for the true game and for two shuffled copies."""
    rng = random.Random(1)
    for number, (game, _, _) in enumerate(followed_games()):
        if number % (160 // GAMES) or len(game.state.actions) < 40:
            continue
        seat, before = game.state.current_player_index, random.getstate()
        views, answers = set(), set()
        for other in (game, *(with_hidden_shuffled(game, seat, rng) for _ in range(2))):
            player = SfidaPlayer(game.state.colors[seat], "ismcts:iterations=30", seed=number)
            views.add(player.seat_state(other).view(seat).key())
            answers.add(player.decide(other, game.state.playable_actions))
        random.setstate(before)
        yield views, answers


@pytest.mark.rule("ZAR-17.2", "ZAR-17.11")
def test_shuffling_what_is_hidden_changes_nothing():
    decisions = 0
    for views, answers in shuffled_decisions():
        assert len(views) == len(answers) == 1
        decisions += 1
    assert decisions > GAMES // 2


def test_shuffling_would_be_noticed(monkeypatch):
    """A chair that reads the whole log sees a different position, or none."""
    monkeypatch.setattr(LoggedStep, "seen_by", lambda step, viewer: step)
    noticed = False
    try:
        noticed = any(len(views) > 1 for views, _ in shuffled_decisions())
    except CatanatronError:
        noticed = True
    assert noticed


def test_an_agent_is_given_a_redacted_view():
    seen = []

    class Spy:
        spec, seed = "spy", 0

        def choose(self, view):
            seen.append(view)
            return view.legal_moves()[0]

    game = catanatron.Game([SfidaPlayer(COLORS[0], Spy()), catanatron.RandomPlayer(COLORS[1])], seed=2)
    for _ in range(60):
        game.play_tick()
    assert seen
    assert all(view.redacted and view.seat == game.state.colors.index(COLORS[0]) for view in seen)


def test_an_agent_hears_what_its_seat_sees_and_no_more():
    """The events are those of the log, in order; cards that others drew or stole all look alike."""
    told = []

    class Ear:
        spec = "ear"

        def new_game(self):
            told.clear()

        def observe(self, event):
            told.append(event)

        def choose(self, view):
            return view.legal_moves()[len(told) % len(view.legal_moves())]

    player = SfidaPlayer(COLORS[0], Ear(), seed=1)
    game = catanatron.Game([player, WeightedRandomPlayer(COLORS[1]), WeightedRandomPlayer(COLORS[2])], seed=5)
    seat = game.state.colors.index(COLORS[0])
    for _ in range(260):
        game.play_tick()
    player.seat_state(game)
    assert [event.number for event in told] == list(range(len(told)))
    assert {event.seat for event in told} == {seat}
    assert all(event.view.redacted and event.label for event in told)
    assert {event.actor for event in told} == {-1, 0, 1, 2}
    assert all((event.move is not None) == (event.actor == seat) for event in told)
    assert len(told) > 200
    # the same events from a log with shuffled hidden information
    wanted = [(event.actor, event.label, event.view.key()) for event in told]
    again = SfidaPlayer(COLORS[0], Ear(), seed=1)
    again.seat_state(with_hidden_shuffled(game, seat, random.Random(2)))
    assert [(event.actor, event.label, event.view.key()) for event in told] == wanted


# ---- at the table --------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "agent"), [(2, "random"), (3, "ismcts:iterations=10"), (4, "random")])
def test_games_are_played(players, agent):
    ours = [SfidaPlayer(color, agent, seed=7) for color in COLORS[:2]]
    game = catanatron.Game(ours + [WeightedRandomPlayer(color) for color in COLORS[2:players]], seed=players)
    while game.winning_color() is None and game.state.num_turns < 1000:
        game.play_tick()                        # raises where an action is not playable
    assert all(one.agent.spec == agent and one._log for one in ours)
    assert game.state.num_turns > 20


def test_same_seed_same_actions():
    logs = []
    for _ in range(2):
        game = catanatron.Game([SfidaPlayer(color, "ismcts:iterations=10", seed=3) for color in COLORS[:2]], seed=9)
        for _ in range(80):
            game.play_tick()
        logs.append(game.state.actions)
    assert logs[0] == logs[1]


def test_a_player_goes_on_to_the_next_game():
    player = SfidaPlayer(COLORS[0], "random", seed=1)
    for seed in (1, 2):
        game = catanatron.Game([player, catanatron.RandomPlayer(COLORS[1])], seed=seed)
        for _ in range(50):
            game.play_tick()
        assert player._log == game.state.actions[:len(player._log)]


@pytest.fixture
def lenient(monkeypatch):
    """Change catanatron to its behaviour after 3.2.1: a road may continue past the building that has cut it."""
    monkeypatch.setattr(Board, "buildable_edges", lambda board, color: [
        tuple(sorted(edge)) for edge in STATIC_GRAPH.subgraph(board.map.land_nodes).edges(
            set().union(*board.connected_components[color])) if board.get_edge_color(edge) is None])


class Trespasser(WeightedRandomPlayer):
    """Cuts roads, and continues past the buildings that have cut its own, whenever it can."""

    strays = 0

    def decide(self, game, playable_actions):
        board = game.state.board
        for action in playable_actions:
            if action.action_type == ActionType.BUILD_ROAD and is_stray(board, self.color, action.value):
                self.strays += 1
                return action
            if action.action_type == ActionType.BUILD_SETTLEMENT and any(
                    color != self.color for edge in STATIC_GRAPH.edges(action.value)
                    if (color := board.get_edge_color(edge)) is not None):
                return action
        return super().decide(game, playable_actions)


def is_stray(board, color, edge):
    """Return whether a road would touch only own roads that lie beyond the buildings of others."""
    return not any(board.get_node_color(node) == color or (
        board.get_node_color(node) is None and any(board.get_edge_color(one) == color
                                                   for one in STATIC_GRAPH.edges(node))) for node in edge)


@pytest.mark.rule("ZAR-8.3")
def test_a_road_past_a_building_is_followed(lenient):
    """The rules forbid it, later versions of catanatron allow it: the agent continues from the actual board."""
    for seed in range(60):
        player, others = SfidaPlayer(COLORS[0], "random", seed=seed), [Trespasser(color) for color in COLORS[1:4]]
        game = catanatron.Game([player, *others], seed=seed)
        while game.winning_color() is None and game.state.num_turns < 300 and not any(one.strays for one in others):
            game.play_tick()
        if any(one.strays for one in others) and game.winning_color() is None:
            break
    for _ in range(300):
        if game.winning_color() is None or game.state.is_discarding:
            game.play_tick()
    state = player.seat_state(game)
    shown, table_ = state.snapshot(), names()
    assert player.strays == sum(other.strays for other in others) > 0
    assert list(shown["roads"]) == sorted({(table_.edge[pair], game.state.colors.index(color))
                                           for pair, color in game.state.board.roads.items()})
    assert [seat["roads_left"] for seat in shown["seats"]] == [
        game.state.player_state[f"P{i}_ROADS_AVAILABLE"] for i in range(4)]
    assert any(all(world.hand(i) == hand_of(game, i) for i in range(4)) for world in player._chair.worlds(game))


def test_a_stray_road_is_paid_for_and_needs_a_free_edge():
    state = replay_game(table(2, 1)).initial_state()
    while state.is_chance:
        state.apply(state.chance_outcomes()[0][0])
    state.arrange(buildings=[(0, 0, "settlement")], hands=[(1, 1, 0, 0, 0), (0,) * 5])
    far = max(edge for edge in range(72) if encode("road", edge) not in state.legal_moves())
    state.lay_road(far)
    assert state.hand(0) == (0, 0, 0, 0, 0)
    assert (far, 0) in state.snapshot()["roads"]
    before = state.to_bytes()
    for edge, free in ((far, True), (far - 1, False), (72, True)):
        with pytest.raises(IllegalMove):
            state.lay_road(edge, free)
    assert state.to_bytes() == before
    state.lay_road(far - 1, free=True)
    assert len(state.snapshot()["roads"]) == 2


def test_a_lost_game_counts_as_lost_and_the_others_of_its_block_count_too(monkeypatch):
    read = Chair.read

    def lose_track(chair, game):
        if game.state.colors[chair.seat] == COLORS[1]:
            raise LostTrack("no more")
        read(chair, game)

    whole = play_block("random", "weighted-random", 2, 5)
    monkeypatch.setattr(Chair, "read", lose_track)
    found = play_block("random", "weighted-random", 2, 5)
    assert (whole.lost_track, found.lost_track) == (0, 1)
    assert whole.wins + whole.losses + whole.unfinished == found.wins + found.losses + found.unfinished == 2
    assert found.losses >= 1
    assert len(found.shares) == 1


def test_another_map_is_refused():
    game = catanatron.Game([SfidaPlayer(COLORS[0], "random"), SfidaPlayer(COLORS[1], "random")], seed=1,
                           catan_map=CatanMap.from_template(MINI_MAP_TEMPLATE))
    with pytest.raises(CatanatronError, match="base map"):
        game.play_tick()


def test_unknown_agent():
    with pytest.raises(UnknownAgent):
        SfidaPlayer(COLORS[0], "mctss")


def test_without_the_package_one_line_says_what_to_install():
    code = "import sys; sys.modules['catanatron'] = None; import sfida.catanatron"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.strip().splitlines()[-1].endswith("pip install 'sfida[catanatron]'")
