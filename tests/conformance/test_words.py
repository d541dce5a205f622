"""The texts of every game for people: points add up, each decision has a lesson, no secrets, and all in Italian."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.state import GameState
from sfida.engines.acres.advice import LESSONS as ACRES
from sfida.engines.attila.advice import LESSONS as ATTILA
from sfida.engines.carcassonne.advice import LESSONS as CARCASSONNE
from sfida.engines.clauses import rules_of
from sfida.engines.language import speaking
from sfida.engines.registry import make, make_game
from sfida.engines.zarahemla.advice import LESSONS as ZARAHEMLA
from support.crawling import english_in
from support.lessons import LONGEST, lines

Policy = Callable[[GameState, Random], int]


@dataclass(frozen=True)
class Told:
    """A game, and the facts about its texts.

    Attributes
    ----------
    lessons : set of str
        Keys of its lessons.
    options : tuple of str
        Five sets of options, which change the scoring and the kinds of decisions.
    short : str
        An option that keeps random games short.
    least : int
        Points that at least one seat makes in every game.
    introduction, lesson, longer : int
        Most lines of these texts, and the number of further lines in Italian.
    rare : set of str
        Keys of the lessons that random play rarely reaches; the game's own tests cover them.
    ends : set of str
        Reasons for the end of games that occur when the game is played by knowledge.
    """

    lessons: set[str]
    options: tuple[str, ...]
    short: str = ""
    least: int = 0
    introduction: int = 14
    lesson: int = LONGEST
    longer: int = 0
    rare: frozenset[str] = frozenset()
    ends: frozenset[str] = frozenset()


GAMES = {
    "acres": Told(set(ACRES), (
        "", "preset=second", "preset=online", "raid_may_target_besieged_site=true,placement_after_siege_optional=true",
        "french_picks_extra_initial_empire_card=true"), short="max_turns=100", introduction=15, longer=4,
        rare=frozenset({"order"}), ends=frozenset({"supply", "capture"})),
    "attila": Told(set(ATTILA), (
        "players=2,two_player_difference_scoring=true", "players=3,scoring_after_trigger=replaced,removed_tokens=box",
        "players=4,scoring_timing=after_all_conflicts,conflict_order=active_chooses,merge_final_scoring=false",
        "players=4,exhaustion_check=after_conflicts,no_live_card=skip,start_player=random",
        "players=5,tile_windows=every_decision,open_commitments=true"), longer=3,
        rare=frozenset({"order", "unscored"})),
    "carcassonne": Told(set(CARCASSONNE), (
        "players=2", "players=5,river=true,river_uturn=monotone", "players=3,farm_scoring=first_edition",
        "players=4,farm_scoring=per_farm,city2_scoring=full,river=true,river_start_tile=shuffled",
        "farmers=false,first_player=random"), least=10, longer=1),
    "risiko": Told({"color", "setup", "trade", "no_set", "place", "attack", "defend", "occupy", "fortify"}, (
        "players=3", "players=5,reveal_objective_on_elimination=true", "players=4,preset=tournament",
        "players=6,preset=rtu", "players=3,choose_colors=true"), short="round_limit=8", introduction=15, lesson=9,
        longer=1),
    "zarahemla": Told(set(ZARAHEMLA), (
        "players=2,preset=zarahemla_10,steal=may", "players=3,trade_gifts=true", "players=4,trade_mode=simple",
        "players=3", "players=4,preset=catan"), least=2),
}


def way(name: str, options: str, more: str = "") -> str:
    """Return the spec of a game."""
    return ":".join(filter(None, (name, ",".join(filter(None, (options, more))))))


SHORT = {name: [way(name, options, told.short) for options in told.options] for name, told in GAMES.items()}
LONG = {name: [way(name, options) for options in told.options] for name, told in GAMES.items()}
WAYS = [spec for specs in SHORT.values() for spec in specs]
# Games with each set of options and each policy, 120 per game: an error in one game of 40 is missed one time in 20.
EACH = 12
EXPLAINED = 6       # games with each set of options whose decisions are explained
MOST = 2500         # maximum number of events of these games
SEED = 5            # seed of these games: every lesson occurs
LOOKED_AT = 20      # one in this many decisions is checked in both languages
DRAWN = 60          # one in this many is also drawn


def at_random(state: GameState, rng: Random) -> int:
    """Return a random event among those worth searching."""
    moves = [] if state.is_chance else state.candidate_moves()
    return int(moves[rng.below(len(moves))] if moves else state.sample_chance(rng))


def any_legal(state: GameState, rng: Random) -> int:
    """Return a random legal event."""
    moves = [] if state.is_chance else state.legal_moves()
    return int(moves[rng.below(len(moves))] if moves else state.sample_chance(rng))


def by_knowledge(state: GameState, rng: Random) -> int:
    """Return an event; at a decision, the move that the game's knowledge prefers."""
    return at_random(state, rng) if state.is_chance else int(max(state.move_priors(), key=lambda pair: pair[1])[0])


def events(state: GameState, rng: Random, choose: Policy = at_random, most: int = 10**9) -> Iterator[
        tuple[GameState, int]]:
    """Play a game, and yield each position with the next event, which is applied to the state afterwards."""
    while not state.is_over and most > 0:
        before, most = state.clone(), most - 1
        move = choose(state, rng)
        state.apply(move)
        yield before, move


# ---- events -------------------------------------------------------------------------------------------


@pytest.mark.release_only("one program that tells of games")
@pytest.mark.parametrize("name", [*GAMES, "tic_tac_toe"])
@pytest.mark.parametrize("choose", [at_random, by_knowledge])
def test_the_points_told_add_up_to_the_score_at_every_moment(name: str, choose: Policy) -> None:
    ends = set()
    for spec in (SHORT if choose is at_random else LONG).get(name, [name]):
        game = make_game(spec)
        for number in range(EACH):
            state, rng = game.initial_state(), Random(derive(17, number))
            told = list(state.scores())
            for count, (before, move) in enumerate(events(state, rng, choose)):
                narration = game.narrate(before, move, state, None)
                told = [a + b for a, b in zip(told, narration.gains(game.players), strict=True)]
                assert told == list(state.scores()), narration
                if count % 6 == 0:
                    viewed = game.narrate(before, move, state, count // 6 % game.players)
                    assert viewed.gains(game.players) == narration.gains(game.players), "whoever is told"
            assert name not in GAMES or max(told) > GAMES[name].least
            ends.add(game.end_reason(state))
    assert name not in GAMES or choose is at_random or ends >= GAMES[name].ends


@pytest.mark.parametrize("spec", WAYS)
def test_every_decision_has_a_question_and_every_event_has_words(spec: str) -> None:
    game = make_game(spec)
    state = game.initial_state()
    for before, move in events(state, Random(6), most=300):
        if before.to_move >= 0:
            asked = game.question(before, before.to_move)
            assert asked
            assert "\n" not in asked
        for viewer in (None, *range(game.players)):
            story = game.narrate(before, move, state, viewer)
            assert story.words
            for text in (story.words, *(effect.text for effect in story.effects)):
                assert text.strip() == text
                assert "=?" not in text
                assert "_" not in text
        assert game.narrate(before, move, state, None, everything=True).words == game.describe_move(before, move)


# ---- lessons ------------------------------------------------------------------------------------------


@pytest.mark.release_only("texts are plain Python")
@pytest.mark.parametrize("name", GAMES)
def test_every_decision_has_a_lesson_and_every_lesson_comes_up(name: str) -> None:
    """Each lesson has few lines and names an existing clause."""
    rules, met = rules_of(make_game(name).name), set[str]()
    assert rules is not None
    for spec in LONG[name]:
        for number in range(EXPLAINED):
            here = set[str]()
            choose = any_legal if number % 2 and name != "zarahemla" else at_random     # offers upon offers
            for before, _ in events(make(spec), Random(derive(SEED, number)), choose, MOST):
                if before.to_move >= 0:
                    lesson = before.game.lesson(before, before.to_move)
                    assert lesson is not None
                    if lesson.key not in here:
                        here.add(lesson.key)
                        assert lesson.title
                        assert rules.find(lesson.rule)
                        assert 3 <= lines(lesson.text) <= GAMES[name].lesson
                        assert "{" not in lesson.text
            met |= here
    assert met | GAMES[name].rare == GAMES[name].lessons


@pytest.mark.release_only("texts are plain Python")
@pytest.mark.parametrize("name", GAMES)
def test_the_introduction_fits_a_screen(name: str) -> None:
    for spec in (*SHORT[name], *LONG[name]):
        assert 5 <= lines(make_game(spec).introduction()) <= GAMES[name].introduction


# ---- no secret ----------------------------------------------------------------------------------------


@pytest.mark.release_only("texts are plain Python")
@pytest.mark.parametrize("spec", [spec for spec in WAYS if make(spec).hidden])
def test_what_is_said_is_the_same_in_every_world_that_a_seat_thinks_possible(spec: str) -> None:
    """The texts are notes on moves, lessons, and the standings of all seats."""
    rng, every = Random(6), 1 if spec.startswith("acres") else 6       # its moves have the most notes with odds
    for number, (before, _) in enumerate(events(make(spec), rng, most=MOST)):
        if before.to_move >= 0 and number % every == 0:
            game, seat, moves = before.game, int(before.to_move), before.legal_moves()[:30]
            world = before.view(seat).sample(rng)
            assert [game.move_note(world, move) for move in moves] == [game.move_note(before, move) for move in moves]
            assert game.lesson(world, seat) == game.lesson(before, seat)
            for other in range(before.players):
                assert game.standing(world, other, seat) == game.standing(before, other, seat)


# ---- in Italian ---------------------------------------------------------------------------------------


WRONG = ("@", "99,99/1", "+f7", "knight", "0,0", "river", "ABC>DEF", "money", "yes", "F@X", "~A>B")
# Verbs are typed in English in both languages, and cards and clauses have their printed names.
_ENGLISH = re.compile(
    r"\b(the|and|of(?! Snow)|with|which|their|have|takes|places?|points?|villages?|towns?|tokens?|tiles?|turn|century|"
    r"draws|to|from|left|strength)\b")
_WORD = re.compile(r"\b[a-z]{2,}\b")


def said_of(state: GameState, *, drawn: bool) -> list[str]:
    """Return the texts on a position; with `drawn` also those of pictures, and of refusals of mistyped moves."""
    game, moves, seat = state.game, state.legal_moves(), max(int(state.to_move), 0)
    few = moves[:20]
    screens = [game.status_text(state, seat=seat, width=80), game.stock_text(state, seat=seat, width=80),
               game.board_text(state, seat=seat, width=80, labels=True)]
    assert all(len(line) <= 80 for text in screens for line in text.splitlines())
    said = [game.question(state, seat), game.introduction(), game.help_text(), game.cards_text(state, width=80),
            *screens, str(game.secrets(state, seat)), *game.explain_scores(state),
            *(game.describe_move(state, move) for move in moves)]
    if state.to_move >= 0:
        lesson = game.lesson(state, seat)
        said += [lesson.title, lesson.text, *(game.move_note(state, move) for move in few),
                 *(group.words for group in game.move_groups(state, moves)),
                 *(part.words for parts in game.move_parts(state, few).values() for part in parts),
                 *(term.text for one in range(state.players) for term in game.standing(state, one, seat))]
    if drawn:
        said += [game.low_board_text(state, 20, seat=seat, width=80),
                 *re.findall(r"<(?:text|title)[^>]*>([^<]*)", game.board_svg(state, seat=seat, labels=True)),
                 *(refusal.replace(text, "") for text in WRONG for refusal in refusals(state, text))]
    return said


def refusals(state: GameState, text: str) -> list[str]:
    """Return the reason why a text is no move, if it is none."""
    try:
        state.game.parse_turn(state, text)
    except ValueError as refused:
        return [str(refused)]
    return []


@pytest.mark.release_only("texts are plain Python")
@pytest.mark.parametrize("spec", [specs[k] for specs in SHORT.values() for k in (1, -1)])
def test_a_game_is_told_in_italian_and_english_comes_back(spec: str) -> None:
    """No text of one language is cached for the other, and observations have no language."""
    state, decisions, told, before_that = make(spec), 0, set[str](), set[str]()
    game, allowed = state.game, GAMES[spec.partition(":")[0]]
    for before, move in events(state, Random(4), most=1500):
        decisions += before.to_move >= 0
        looked, drawn = before.to_move >= 0 and decisions % LOOKED_AT == 0, decisions % DRAWN == 0
        english = said_of(before, drawn=drawn) if looked else []
        seen = game.observation(before, 0) if drawn else None
        with speaking("it"):
            if looked:
                italian = said_of(before, drawn=drawn)
                assert lines(game.lesson(before, before.to_move).text) <= allowed.lesson + allowed.longer
                assert not drawn or game.observation(before, 0) == seen
                assert all(map(str.__ne__, english[:3], italian[:3]))
                assert not {text for text in english if len(_WORD.findall(text)) > 9} & set(italian)
                told.update(italian)
            story = game.narrate(before, move, state, None)
            told.update((story.words, *(effect.text for effect in story.effects)))
        assert not looked or said_of(before, drawn=drawn) == english
        before_that.update(english)
    with speaking("it"):
        told.update((*game.explain_scores(state), game.status_text(state, width=80)))
        assert lines(game.introduction()) <= allowed.introduction + allowed.longer
    assert english_in("\n".join(told), "it") == []
    assert [text for text in told if _ENGLISH.search(text)] == []
    assert len(english_in("\n".join(before_that), "it")) > 20, "English would be found"
