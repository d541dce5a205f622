"""Tables and weights of a game: the structs, their filling and its errors follow from one declaration."""

from __future__ import annotations

import random
import re
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import sfida
from sfida.cython_ext import generate
from sfida.cython_ext.declare import Field, feature, table, weight, weights_of_features
from support.declared import handed, thoughts

GAMES = {"a_few_acres_of_snow": "acres", "attila": "attila", "carcassonne": "carcassonne", "risiko": "risiko",
         "settlers_of_zarahemla": "zarahemla"}


def declared(game: str) -> Any:
    return import_module(f"sfida.cython_ext.{GAMES[game]}.parameters")


def test_generated_files_are_up_to_date() -> None:
    """If they are not, run `python cython_ext/generate.py`, as every build does."""
    for path, text in generate.written_files().items():
        assert path.read_text(encoding="utf-8") == text, path


def shuffled(fields: tuple[Field, ...], seed: int) -> tuple[Field, ...]:
    return tuple(random.Random(seed).sample(fields, len(fields)))


@pytest.mark.parametrize("game", GAMES)
def test_a_permuted_declaration_generates_the_same_statements(game: str) -> None:
    """Only the order of the statements differs: fields are filled by name, and numbers before arrays."""
    module = declared(game)
    plain = generate.tables_source(module)
    for seed in range(5):
        other = SimpleNamespace(**vars(module) | {"STRUCTS": {
            name: shuffled(fields, seed) for name, fields in module.STRUCTS.items()}})
        source = generate.tables_source(other)
        assert source != plain
        assert sorted(source.splitlines()) == sorted(plain.splitlines())
        for function in source.split("cdef inline int fill_")[1:]:
            arrays = [line.startswith(("    fill_numbers", "    found")) for line in function.splitlines()
                      if line.startswith(("    t.", "    fill_numbers", "    found"))]
            assert arrays == sorted(arrays)


@pytest.mark.parametrize("game", GAMES)
def test_the_order_of_what_is_handed_over_means_nothing(game: str) -> None:
    state: Any = sfida.make(game)
    tables, weights = handed(game)
    turned = type(state.rules)(dict(reversed(tables.items())), dict(reversed(weights.items())))
    assert thoughts(state, turned) == thoughts(state, state.rules)


@pytest.mark.parametrize("game", GAMES)
def test_every_declared_name_is_needed_and_no_other_is_known(game: str) -> None:
    rules: Any = type(sfida.make(game).rules)       # type: ignore[attr-defined]
    parts = handed(game)
    rules(*parts)
    for which, called in enumerate(("tables", "weights")):
        def with_part(part: dict[str, Any], which: int = which) -> tuple[dict[str, Any], ...]:
            return tuple(part if i == which else one for i, one in enumerate(parts))
        for name in parts[which]:
            left = {key: value for key, value in parts[which].items() if key != name}
            with pytest.raises(ValueError, match=f"^the table of {called} lacks {re.escape(name)}$"):
                rules(*with_part(left))
        with pytest.raises(ValueError, match=f"^the table of {called} lacks nothing, and does not know more$"):
            rules(*with_part({**parts[which], "more": 1}))


@pytest.mark.parametrize("game", GAMES)
def test_every_number_has_bounds(game: str) -> None:
    """A number beyond the bounds of its declaration is refused in one line, and so are NaN and infinities."""
    rules: Any = type(sfida.make(game).rules)       # type: ignore[attr-defined]
    module = declared(game)
    parts = handed(game)
    for which, struct in enumerate(("Tables", "Coefficients")):
        for one in module.STRUCTS[struct]:
            if not one.given or one.kind in module.STRUCTS:
                continue
            wrong: list[Any] = [1 << 70, -(1 << 70)]
            if one.kind in ("double", "float"):
                wrong += [float("nan"), float("inf")]
            for value in wrong:
                key = f"{one.name}.{one.names[0]}" if one.names else one.name
                given = value if not one.shape or one.names else put_first(parts[which][key], value)
                changed = tuple({**part, key: given} if i == which else part for i, part in enumerate(parts))
                called = re.escape(key if one.names else one.called)
                with pytest.raises(ValueError, match=f"^{called}: the numbers? .* not [^ ]+$"):
                    rules(*changed)


def put_first(rows: Any, value: Any) -> Any:
    """Return nested sequences with another first number."""
    if not hasattr(rows, "__len__"):
        return value
    return [put_first(rows[0], value), *rows[1:]]


@pytest.mark.parametrize("game", GAMES)
def test_every_array_has_a_shape(game: str) -> None:
    rules: Any = type(sfida.make(game).rules)       # type: ignore[attr-defined]
    tables, weights = handed(game)
    for one in declared(game).STRUCTS["Tables"]:
        if one.given and one.shape:
            rows = tables[one.name]
            told = f"^the table of {one.called} has {len(rows)} rows, not {len(rows) + 1}$"
            with pytest.raises(ValueError, match=told):
                rules({**tables, one.name: [*rows, rows[0]]}, weights)


def test_a_declaration_is_written_as_in_c() -> None:
    one = table("uint8_t gain[MOST + 1][4]", "steps", high=9)
    assert (one.kind, one.name, one.shape, one.low, one.high) == ("uint8_t", "gain", ("MOST + 1", "4"), 0, 9)
    with pytest.raises(ValueError, match="a declaration is like"):
        table("gain", "steps")


def test_a_line_in_a_declaration_is_all_that_a_new_table_needs() -> None:
    features = {"lead": feature("points ahead", win=0.5), "left": feature("share of the game")}
    game = SimpleNamespace(__doc__="A game: its tables.", SIZES={"SEATS": 4}, FEATURES=features, STRUCTS={
        "Piece": (table("uint8_t worth", "points (G-3)", high=9),),
        "Tables": (table("Piece piece[SEATS]", "pieces"), table("int target", "points that win (G-1)", low=5, high=20)),
        "Coefficients": (weight("double heat", 0.5, "temperature", low=0, high=1),
                         weights_of_features("double win[FEATURES]", "in the exponent", features))})
    source = generate.tables_source(game)
    for line in (
            "    F_LEAD = 0                          # points ahead", "    FEATURES = 1", "    ALL_FEATURES = 2",
            "    int target                          # points that win (G-1)",
            '    t.target = number(given["target"], 5, 20, "target")',
            "        fill_piece(&(<Piece*> t.piece)[i], found[i])",
            '    t.win[0] = number(given["win.lead"], -1000000000.0, 1000000000.0, "win.lead")'):
        assert line in source.splitlines()


def test_declarations_need_nothing_compiled() -> None:
    for game in GAMES.values():
        text = (Path(generate.HERE) / game / "parameters.py").read_text(encoding="utf-8")
        assert set(re.findall(r"^(?:from|import) (\S+)", text, flags=re.MULTILINE)) == {
            "__future__", "sfida.cython_ext.declare"}
