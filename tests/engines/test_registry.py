"""Finding games by name, Sfida's own and other people's, sound and broken."""

import subprocess
import sys

import pytest

import sfida
from sfida.engines.registry import broken_games, game_class, game_names, make_game
from support.distributions import install, python

pytestmark = pytest.mark.release_only("nothing compiled")

GAME = '''
from sfida.engines.examples.tic_tac_toe import TicTacToe

class Mine(TicTacToe):
    name = "{name}"
'''


def test_every_registered_game_can_be_loaded():
    assert broken_games() == {}
    assert {"carcassonne", "tic_tac_toe", "kuhn_poker", "leduc_poker", "goofspiel",
            "phantom_tic_tac_toe"} <= set(game_names())


def test_examples_can_be_left_out():
    names = game_names(examples=False)
    assert "carcassonne" in names
    assert "kuhn_poker" not in names


def test_playing_a_game_loads_no_pictures_and_drawing_one_loads_its_own():
    code = ("import sys\nfrom sfida.engines.registry import game_names, make\n"
            "for name in game_names():\n    state = make(name)\n    str(state), state.game.help_text()\n"
            "def pictures(): return sorted(name for name in sys.modules if name.endswith('board_svg'))\n"
            "print(pictures())\nmake('attila').game.board_svg(make('attila'))\nprint(pictures())")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["[]", "['sfida.engines.attila.board_svg']"]


def test_unknown_game_names_the_nearest_and_lists_all():
    with pytest.raises(sfida.UnknownGame) as caught:
        sfida.make("tic_tac_to")
    assert "unknown game 'tic_tac_to'; did you mean 'tic_tac_toe'?" in str(caught.value)
    assert "kuhn_poker" in str(caught.value)


@pytest.mark.parametrize(("name", "spec"), [
    ("zarahemla", "settlers_of_zarahemla"), ("zarahemla:players=4", "settlers_of_zarahemla:players=4"),
    ("acres:preset=online", "a_few_acres_of_snow:preset=online"), ("catan", "settlers_of_zarahemla:preset=catan"),
    (" catan :players=3", "settlers_of_zarahemla:players=3,preset=catan"),
    ("catan:preset=catan,victory_points=8", "settlers_of_zarahemla:preset=catan,victory_points=8"),
])
def test_another_name_stands_for_a_game_or_one_of_its_presets(name, spec):
    assert make_game(name).spec() == spec
    assert sfida.make(name).game.spec() == spec
    assert game_class(name.partition(":")[0].strip()) is type(make_game(spec))


def test_keywords_go_with_the_name_of_a_preset():
    assert make_game("catan", players=3) == make_game("settlers_of_zarahemla", preset="catan", players=3)
    assert make_game("catan", preset="catan") == make_game("catan")


@pytest.mark.parametrize("preset", ["zarahemla", "zarahemla_10", "catan_replay"])
def test_the_name_of_a_preset_takes_no_other_preset(preset):
    said = (f"'catan' means settlers_of_zarahemla:preset=catan, so preset={preset} contradicts it; right would be "
            f"settlers_of_zarahemla:preset={preset}")
    for given, keywords in ((f"catan:preset={preset}", {}), ("catan:players=3", {"preset": preset})):
        with pytest.raises(sfida.InvalidOption) as caught:
            make_game(given, **keywords)
        assert str(caught.value) == said


@pytest.mark.parametrize(("slip", "meant"), [("riskio", "risiko"), ("catn", "catan"), ("zarahemal", "zarahemla"),
                                             ("acrs", "acres"), ("carcasonne", "carcassonne")])
def test_a_slip_is_compared_with_every_name(slip, meant):
    with pytest.raises(sfida.UnknownGame, match=f"unknown game '{slip}'; did you mean '{meant}'"):
        sfida.make(slip)


def test_spec_and_keywords_build_the_same_game():
    assert make_game("carcassonne:players=3,river=true") == make_game("carcassonne:players=3", river=True)
    assert make_game("carcassonne", players="3").spec() == "carcassonne:players=3"
    with pytest.raises(sfida.InvalidOption, match="'players' of game 'carcassonne' is given twice"):
        sfida.make("carcassonne:players=3", players=2)


def test_a_game_object_is_taken_as_it_is():
    game = make_game("tic_tac_toe")
    assert make_game(game) is game
    with pytest.raises(sfida.InvalidOption, match="has its options already"):
        make_game(game, players=2)


def test_canonical_spec_of_each_game_makes_the_same_game():
    for name in game_names():
        game = make_game(name)
        assert game.spec() == name
        assert type(game) is game_class(name)


SHOW = """
import sfida
from sfida.engines.registry import broken_games
print(sfida.game_names())
for name, reason in broken_games().items():
    print(name, '|', reason)
try:
    print(sfida.make({name!r}))
except sfida.UnknownGame as error:
    print('UnknownGame:', error)
"""


def test_a_third_party_game_is_found(tmp_path):
    install(tmp_path, "mygames", "[sfida.games]\nmine = my_games:Mine\n", my_games=GAME.format(name="mine"))
    out = python(tmp_path, SHOW.format(name="mine"))
    assert "'mine'" in out
    assert "UnknownGame" not in out


@pytest.mark.parametrize(("point", "module", "reason"), [
    ("bad = bad_games:Mine", "import a_library_that_is_not_there",
     "ModuleNotFoundError: No module named 'a_library_that_is_not_there'"),
    ("bad = bad_games:Mine", "raise SystemExit('bye')", "SystemExit: bye"),
    ("bad = bad_games:Other", "x = 1", "AttributeError: module 'bad_games' has no attribute 'Other'"),
    ("bad = bad_games:Mine", "class Mine: pass",
     "'bad_games:Mine' is not a subclass of sfida.engines.game.Game"),
    ("bad = bad_games:Mine", GAME.format(name="good"), "it calls itself 'good'"),
    ("bad = bad_games:Mine", "from sfida.engines.game import Game\nclass Mine(Game):\n    name = 'bad'\n",
     "its class does not define board_text, format_move, initial_state, observation"),
])
def test_a_broken_third_party_game_breaks_nothing_else(tmp_path, point, module, reason):
    install(tmp_path, "badgames", f"[sfida.games]\n{point}\n", bad_games=module)
    out = python(tmp_path, SHOW.format(name="bad")).splitlines()
    assert "tic_tac_toe" in out[0]
    assert "'bad'" not in out[0]
    expected = f"game 'bad' of distribution 'badgames' cannot be loaded: {reason}"
    assert [line for line in out if line.startswith(f"bad | {expected}")]
    assert out[-1].startswith(f"UnknownGame: {expected}")


def test_two_packages_cannot_share_a_name_and_none_can_take_ours(tmp_path):
    for package in ("one", "two"):
        points = f"[sfida.games]\nmine = m_{package}:Mine\ntic_tac_toe = m_{package}:Mine\n"
        install(tmp_path, package, points, **{f"m_{package}": GAME.format(name="mine")})
    out = python(tmp_path, SHOW.format(name="mine"))
    assert "game 'mine' is registered by more than one package: distribution 'one', distribution 'two'" in out
    assert "'tic_tac_toe'" in out.splitlines()[0]
    assert "tic_tac_toe |" not in out
