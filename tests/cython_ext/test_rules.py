"""Rules objects take arrays: arrays that do not fit the core's tables are refused, weights can be overridden."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import sfida
from sfida.cython_ext.rng import Random
from support.declared import FOLDERS, handed, part, settled, thoughts


def tables_of(name: str) -> tuple[Any, tuple[Any, ...]]:
    """Return the tables of a game, and the further arguments of its rules object."""
    tables, weights = handed(name)
    return tables, (weights,)


def rules_with(name: str, *weights: tuple[str, Any]) -> Any:
    """Return the rules object of a game with some weights changed."""
    return part(name, "tables").build_rules(*settled(name), weights)


def altered(array: np.ndarray, index: Any, value: int) -> np.ndarray:
    """Return a copy with one number changed."""
    copy = array.copy()
    copy[index] = value
    return copy


def put(field: str, index: Any, value: int) -> Callable[[Any], dict[str, Any]]:
    return lambda tables: {field: altered(np.array(tables[field]), index, value)}


def objective(field: str, value: int) -> Callable[[Any], dict[str, Any]]:
    """Change a number of the last objective."""
    return lambda tables: {"objective": [*tables["objective"][:-1], {**tables["objective"][-1], field: value}]}


def face(field: str, number: int, index: int | None, value: int) -> Callable[[Any], dict[str, Any]]:
    """Change a number of a tile face."""
    def change(tables: Any) -> dict[str, Any]:
        faces = [dict(one) for one in tables["face"]]
        if index is None:
            faces[number][field] = value
        else:
            faces[number][field] = [*faces[number][field][:index], value, *faces[number][field][index + 1:]]
        return {"face": faces}
    return change


def longer(*fields: str) -> Callable[[Any], dict[str, Any]]:
    """Double arrays until they are longer than any table of a core."""
    return lambda tables: {field: np.concatenate([tables[field]] * 16) for field in fields}


@pytest.mark.parametrize(("name", "change", "told"), [
    ("carcassonne", lambda t: {"n_types": 41}, r"tile types: the number is 1\.\.40, not 41"),
    ("carcassonne", lambda t: {"copies": t["copies"][1:]}, "the table of copies has 34 rows, not 33"),
    ("carcassonne", lambda t: {"codes": t["codes"][1:]}, "there are 34 tile types, not 33"),
    ("carcassonne", put("copies", 0, 60), "too many"),
    ("carcassonne", face("edge_seg", 0, 0, 7), "do not fit together"),
    ("carcassonne", face("contact_field", 12, 0, 0), "do not fit together"),
    ("carcassonne", face("n_segs", 5, None, 9), r"segments of a tile: the number is 0\.\.8, not 9"),
    ("carcassonne", lambda t: {"supply": 8, "players": 5}, "too many"),
    ("carcassonne", lambda t: {"start_type": 39}, "a tile type is"),
    ("settlers_of_zarahemla", lambda t: {"n_hexes": 20}, r"hexes: the number is 1\.\.19, not 20"),
    ("settlers_of_zarahemla", put("edge_at", (3, 0), 72), "edges: the numbers are 0..71"),
    ("settlers_of_zarahemla", put("end_a", 0, 54), "ends of edges: the numbers are 0..53"),
    ("settlers_of_zarahemla", put("strip_line", (0, 0, 0), 18), "strips: each hex"),
    ("settlers_of_zarahemla", put("inner", 0, 0), "spiral: each hex"),
    ("settlers_of_zarahemla", lambda t: {"strip_side": np.array(t["strip_side"]) % 5},
     "18 tokens are too few for 19 hexes"),
    ("settlers_of_zarahemla", put("order", 0, 2), "seats of the order"),
    ("settlers_of_zarahemla", put("chance_bases", 3, 1), "chance_codes"),
    ("settlers_of_zarahemla", lambda t: {"costs": t["costs"][:4]}, "the table of costs has 5 rows, not 4"),
    ("settlers_of_zarahemla", lambda t: {"players": 5}, r"players: the number is 2\.\.4, not 5"),
    ("settlers_of_zarahemla", put("station_at", 0, 9), "there is no station 9"),
    ("risiko", put("adjacent", 0, 1 << 42), r"borders: the numbers are 0\.\.4398046511103"),
    ("risiko", put("continent", 0, 1), "do not share out"),
    ("risiko", put("symbol_of", 0, 4), "symbols: the numbers are 0..3"),
    ("risiko", objective("fallback", 40), r"fall-backs of objectives: the number is 0\.\.31, not 40"),
    ("risiko", objective("fallback", 31), "its fall-back is another one of its kind, or none"),
    ("risiko", objective("color", 6), "colours"),
    ("risiko", put("ways", (3, 3), 0), "there is no throw"),
    ("risiko", objective("copies", 32), "at most 32 objectives"),
    ("risiko", lambda t: {"value": t["value"][1:]}, "the table of values has 42 rows, not 41"),
    ("risiko", lambda t: {"objectives": t["objectives"][1:]}, "there are 14 objectives, not 13"),
    ("risiko", lambda t: {"last_round": 1}, "the last round is 100 or a later one, not 1"),
    ("attila", longer("adjacent"), "the table of borders has 25 rows, not 400"),
    ("attila", lambda t: {"provinces": 33}, r"provinces: the number is 1\.\.32, not 33"),
    ("attila", put("adjacent", 0, 1 << 30), "borders"),
    ("attila", put("closes", 1, 5), "centuries"),
    ("attila", lambda t: {"peace_tiles": 16}, r"peace tiles: the number is 1\.\.15, not 16"),
    ("attila", put("cards", 0, 10), r"cards of a tribe: the numbers are 0\.\.9, not 10"),
    ("attila", lambda t: {"hand_size": 7}, r"cards in a hand: the number is 1\.\.6, not 7"),
    ("attila", lambda t: {"start": 1 << 25}, "tribes start in others too"),
])
def test_what_does_not_fit_the_tables_is_refused(name: str, change: Callable[[Any], dict[str, Any]], told: str) -> None:
    rules = type(sfida.make(name).rules)        # type: ignore[attr-defined]
    tables, rest = tables_of(name)
    rules(tables, *rest)
    with pytest.raises(ValueError, match=told):
        rules({**tables, **change(tables)}, *rest)


@pytest.mark.parametrize("name", FOLDERS)
def test_weights_have_the_names_that_the_core_knows(name: str) -> None:
    rules = type(sfida.make(name).rules)        # type: ignore[attr-defined]
    tables, (weights,) = tables_of(name)
    some = list(weights)[-1]
    with pytest.raises(ValueError, match=f"the table of weights lacks {some}"):
        rules(tables, {key: value for key, value in weights.items() if key != some})
    with pytest.raises(ValueError, match="the table of weights lacks nothing, and does not know more"):
        rules(tables, {**weights, "more": 1.0})


def backwards(table: dict[str, Any]) -> dict[str, Any]:
    return dict(reversed(table.items()))


@pytest.mark.parametrize("name", FOLDERS)
def test_the_order_in_which_weights_are_declared_means_nothing(name: str) -> None:
    state: Any = sfida.make(name)
    tables, (weights,) = tables_of(name)
    turned = type(state.rules)(tables, backwards(weights))
    assert thoughts(state, turned) == thoughts(state, state.rules)


def test_neither_does_the_order_of_the_strategies(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = part("a_few_acres_of_snow", "tables")
    state: Any = sfida.make("a_few_acres_of_snow")
    straight = [thoughts(state, state.rules), [state.move_worth(i) for i in range(3)]]
    monkeypatch.setattr(tables, "STRATEGIES", backwards(tables.STRATEGIES))
    monkeypatch.setattr(tables, "PREFERENCES", tables.PREFERENCES[::-1])
    turned = tables.build_rules.__wrapped__(state.game.ruleset)
    twin = type(state)(state.game, turned)
    twin.load(state.to_bytes())
    assert [thoughts(state, turned), [twin.move_worth(i) for i in range(3)]] == straight


@pytest.mark.parametrize(("name", "weight", "value"), [
    ("carcassonne", "spread", 3.2), ("settlers_of_zarahemla", "win.income", 3.0),
    ("risiko", "win.land", 0.0), ("attila", "scale", 30.0),
])
def test_a_weight_is_overridden_by_its_name(name: str, weight: str, value: Any) -> None:
    state, rng = sfida.make(name), Random(4)
    for _ in range(120):
        legal = state.legal_moves() if state.to_move >= 0 else [state.sample_chance(rng)]
        state.apply(legal[rng.below(len(legal))])
    twin = type(state)(state.game, rules_with(name, (weight, value)))       # type: ignore[call-arg]
    twin.load(state.to_bytes())
    for each in (state, twin):
        each.set_knowledge(None)              # the weights are those of the hand-written evaluation
    assert twin.evaluation() != state.evaluation()
    same = type(state)(state.game, rules_with(name))                        # type: ignore[call-arg]
    same.load(state.to_bytes())
    same.set_knowledge(None)
    assert same.evaluation() == state.evaluation()
    with pytest.raises(ValueError, match=f"unknown weights: \\['{weight}s'\\]"):
        rules_with(name, (f"{weight}s", value))
