"""The grammar of specs and typed options, as a caller meets them."""

import string
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfida.cython_ext.errors import InvalidOption
from sfida.engines.spec import canonical, describe, merge_params, nearest, options_from, parse_spec

pytestmark = pytest.mark.release_only("nothing compiled")


@dataclass(frozen=True)
class Options:
    players: int = field(default=2, metadata={"low": 2, "high": 5, "doc": "seats", "unit": "seats"})
    river: bool = True
    farms: str = field(default="third", metadata={"values": ("first", "second", "third"), "doc": "edition"})
    label: str = "plain"
    c: float = field(default=0.7, metadata={"low": 0.0})
    iterations: int | None = field(default=None, metadata={"low": 1})
    seconds: float | None = field(default=1.0, metadata={"low": 0.0})
    priors: bool | None = field(default=None, metadata={"values": (True, False)})


WHAT = "game 'carcassonne'"

words = st.text(string.ascii_letters + string.digits + "_-+/.=: é", min_size=1, max_size=12).filter(
    lambda text: text == text.strip())
finite = st.floats(min_value=0, allow_nan=False, allow_infinity=False)
options = st.builds(
    Options, players=st.integers(2, 5), river=st.booleans(),
    farms=st.sampled_from(["first", "second", "third"]), label=words, c=finite,
    iterations=st.none() | st.integers(1, 10**30), seconds=st.none() | finite,
    priors=st.none() | st.booleans())


@given(options)
def test_canonical_spec_parses_back_to_the_same_options(value):
    text = canonical("carcassonne", value)
    name, params = parse_spec(text)
    assert name == "carcassonne"
    back = options_from(Options, params, WHAT)
    assert back == value
    assert canonical(name, back) == text


@given(st.text(max_size=40))
def test_any_text_is_a_spec_or_one_clear_line(text):
    problem = "none"
    try:
        name, params = parse_spec(text)
        assert name == name.strip() != ""
        options_from(Options, params, WHAT)
    except InvalidOption as error:
        problem = str(error)
    assert problem.strip()
    assert len(problem.splitlines()) == 1


def test_canonical_omits_defaults_and_keeps_field_order():
    assert canonical("carcassonne", Options()) == "carcassonne"
    value = options_from(Options, parse_spec("x: c=0.70, river = false ,players=4,seconds=none")[1], WHAT)
    assert canonical("x", value) == "x:players=4,river=false,seconds=none"
    assert canonical("x", Options(c=2.0, iterations=5)) == "x:c=2,iterations=5"
    assert canonical("x", Options(c=0.1 + 0.2)) == "x:c=0.30000000000000004"


@pytest.mark.parametrize(("text", "words"), [
    ("", "names nothing"),
    ("  ", "names nothing"),
    (":river=false", "names nothing"),
    ("carcassonne:", "not key=value"),
    ("carcassonne:river", "'river' in 'carcassonne:river' is not key=value"),
    ("carcassonne:=false", "not key=value"),
    ("carcassonne:river=", "not key=value"),
    ("carcassonne:river=true,", "not key=value"),
    ("carcassonne:river=true,river=true", "key 'river' is given twice"),
])
def test_malformed_specs(text, words):
    with pytest.raises(InvalidOption, match=words.replace("(", r"\(")):
        parse_spec(text)


@pytest.mark.parametrize(("params", "message"), [
    ({"rivr": "false"}, "unknown option 'rivr' of game 'carcassonne'; did you mean 'river'? its options: "
                        "players, river, farms, label, c, iterations, seconds, priors"),
    ({"zzzz": "1"}, "unknown option 'zzzz' of game 'carcassonne'; its options: "
                    "players, river, farms, label, c, iterations, seconds, priors"),
    ({"players": "9"}, "option 'players' of game 'carcassonne' must be a whole number from 2 to 5, not '9'"),
    ({"players": "2.0"}, "option 'players' of game 'carcassonne' must be a whole number from 2 to 5, "
                         "not '2.0'"),
    ({"players": 2.0}, "option 'players' of game 'carcassonne' must be a whole number from 2 to 5, not 2.0"),
    ({"players": True}, "option 'players' of game 'carcassonne' must be a whole number from 2 to 5, "
                        "not True"),
    ({"river": "yes"}, "option 'river' of game 'carcassonne' must be true or false, not 'yes'"),
    ({"river": 1}, "option 'river' of game 'carcassonne' must be true or false, not 1"),
    ({"farms": "thrid"}, "option 'farms' of game 'carcassonne' must be first, second or third, not 'thrid'; "
                         "did you mean 'third'?"),
    ({"label": "a,b"}, "option 'label' of game 'carcassonne' must be a word, not 'a,b'"),
    ({"c": "nan"}, "option 'c' of game 'carcassonne' must be a number of at least 0.0, not 'nan'"),
    ({"c": float("inf")}, "option 'c' of game 'carcassonne' must be a number of at least 0.0, not inf"),
    ({"c": "-1"}, "option 'c' of game 'carcassonne' must be a number of at least 0.0, not '-1'"),
    ({"c": "1_0"}, "option 'c' of game 'carcassonne' must be a number of at least 0.0, not '1_0'"),
    ({"iterations": "0"}, "option 'iterations' of game 'carcassonne' must be a whole number of at least 1, "
                          "or none, not '0'"),
    ({"priors": "maybe"}, "option 'priors' of game 'carcassonne' must be true or false, or none, "
                          "not 'maybe'"),
    ({"players": "none"}, "option 'players' of game 'carcassonne' must be a whole number from 2 to 5, "
                          "not 'none'"),
])
def test_wrong_options_say_what_would_be_right(params, message):
    with pytest.raises(InvalidOption) as caught:
        options_from(Options, params, WHAT)
    assert str(caught.value) == message


def test_a_huge_value_is_refused_in_a_short_line():
    with pytest.raises(InvalidOption) as caught:
        options_from(Options, {"players": "9" * 100_000}, WHAT)
    assert len(str(caught.value)) < 250


def test_python_values_are_taken_too():
    value = options_from(Options, {"players": np.int64(3), "c": 1, "river": False, "seconds": None}, WHAT)
    assert value == Options(players=3, c=1.0, river=False, seconds=None)
    assert isinstance(value.players, int)
    assert isinstance(value.c, float)


def test_required_option():
    @dataclass(frozen=True)
    class Strict:
        size: int

    with pytest.raises(InvalidOption, match="option 'size' of game 'x' must be given"):
        options_from(Strict, {}, "game 'x'")


def test_spec_and_keywords_together():
    merged = merge_params(Options, {"river": "false", "players": "3"}, {"players": 3, "c": 2}, WHAT)
    assert options_from(Options, merged, WHAT) == Options(players=3, river=False, c=2.0)
    with pytest.raises(InvalidOption, match=r"'players' of .* is given twice: '3' in the spec and 4"):
        merge_params(Options, {"players": "3"}, {"players": 4}, WHAT)


def test_description_tells_everything_once():
    entries = {entry["key"]: entry for entry in describe(Options)}
    assert list(entries) == ["players", "river", "farms", "label", "c", "iterations", "seconds",
                             "priors"]
    assert entries["players"] == {"key": "players", "type": "int", "default": 2, "doc": "seats", "low": 2,
                                  "high": 5, "unit": "seats"}
    assert entries["farms"]["values"] == ["first", "second", "third"]
    assert entries["farms"]["type"] == "word"
    assert entries["iterations"] == {"key": "iterations", "type": "int", "default": None, "doc": "",
                                     "optional": True, "low": 1}


@pytest.mark.parametrize(("word", "name"), [
    ("carcasonne", "carcassonne"), ("Carcassonne", "carcassonne"), ("carc", "carcassonne"),
    ("mo_ismcts", "mo-ismcts"), ("qqq", None), ("", None),
])
def test_nearest_name(word, name):
    assert nearest(word, ["carcassonne", "risiko", "ismcts", "mo-ismcts"]) == name
