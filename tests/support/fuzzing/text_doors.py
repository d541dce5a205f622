"""Doors for typed text: specs of games and agents, moves and whole turns."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from sfida.ai.registry import agent, agent_class, agent_names
from sfida.cython_ext.errors import SfidaError
from sfida.engines.moves import Choices
from sfida.engines.registry import game_class, game_names, make_game
from sfida.engines.spec import describe
from support.fuzzing import garbage, samples
from support.fuzzing.case import Broken, Case, Door, check_message


def value(rng: random.Random, option: dict[str, Any]) -> str:
    """Return a text for an option, mostly a valid one."""
    roll = rng.random()
    if roll < 0.25:
        return garbage.word(rng)
    if "values" in option and roll < 0.85:
        return str(rng.choice(option["values"])).lower()
    match option["type"]:
        case "bool":
            return rng.choice(("true", "false"))
        case "int":
            low, high = option.get("low", -2) or 0, option.get("high", 200) or 200
            return str(rng.choice((low, high, low - 1, high + 1, rng.randrange(int(low), min(int(high), 1000) + 1))))
        case "float":
            return f"{rng.choice((0, 0.5, 1, 1e-9, 3.25, -1))}"
    return "reconstructed" if option["key"] == "map" else garbage.word(rng)


def spec(rng: random.Random, names: Sequence[str], options: Any) -> str:
    """Return a spec: a name and some of its options, sometimes spoilt."""
    name = rng.choice(names)
    described = list(options(name))
    chosen = [rng.choice(described) for _ in range(rng.choice((0, 1, 1, 2, 4)))] if described else []
    text = name + "".join(("," if index else ":") + f"{option['key']}={value(rng, option)}"
                          for index, option in enumerate(chosen))
    return garbage.text(rng, text, names) if rng.random() < 0.4 else text


def game_spec(rng: random.Random) -> str:
    """Return a valid or invalid game spec."""
    names = (*game_names(), "zarahemla", "acres")
    return spec(rng, names, lambda name: describe(game_class(name).options_class))


def agent_spec(rng: random.Random) -> str:
    """Return a valid or invalid agent spec."""
    names = (*agent_names(), "hammer")
    return spec(rng, names, lambda name: [] if name == "hammer" else describe(agent_class(name).options_class))


def game_specs(case: Case) -> None:
    text = game_spec(case.rng)
    case.note(f"make_game({text!r})")
    try:
        game = make_game(text)
    except SfidaError as error:
        check_message(error, text)
        return
    again = make_game(game.spec())
    if again != game or again.spec() != game.spec():
        raise Broken(f"{game.spec()!r} is read as {again.spec()!r}")


def agent_specs(case: Case) -> None:
    text = agent_spec(case.rng)
    case.note(f"agent({text!r})")
    try:
        found = agent(text)
    except SfidaError as error:
        check_message(error, text)
        return
    if agent(found.spec).spec != found.spec:
        raise Broken(f"{found.spec!r} is read as {agent(found.spec).spec!r}")


QUESTIONS = ("adj", "adj GER", "tiles", "help", "moves", "prices", "adj adj", "stock", "cards")


def move_text(rng: random.Random, state: Any) -> str:
    """Return a text that a person might type as a move or a turn."""
    moves = state.legal_moves() or [0]
    texts = [state.format(move) for move in rng.sample(moves, min(3, len(moves)))] if state.legal_moves() else ["x"]
    roll = rng.random()
    if roll < 0.1:
        return rng.choice(texts)
    if roll < 0.2:
        number = rng.randrange(len(moves) + 3)
        return f"{number}{rng.choice(('', '+', ' ', ' -', '+c0', '+B', '+fB'))}{garbage.word(rng)}"
    if roll < 0.3:
        return garbage.word(rng)
    return garbage.text(rng, rng.choice(texts), (*texts, *QUESTIONS))


def _moves(specs: Sequence[str]) -> Any:
    def run(case: Case) -> None:
        state = samples.position(case.rng, case.rng.choice(specs))
        text = move_text(case.rng, state)
        case.note(f"{state.game.spec()}, {state.to_move} to move: {text!r}")
        legal = state.legal_moves()
        before = state.to_bytes()
        for read in (lambda: [state.parse(text)], lambda: state.game.parse_turn(state, text),
                     lambda: Choices(state).find(text) if legal else [], lambda: state.game.answer(state, text) and []):
            try:
                found = read()
            except SfidaError as error:
                check_message(error, text)
                continue
            played = state.clone()
            for move in found or ():
                if played.is_chance and not state.is_chance:
                    break
                played.apply(move)
        if state.to_bytes() != before:
            raise Broken("reading a text changed the position")
    return run


DOORS = (
    Door("game-specs", "specs of games", game_specs, short=400),
    Door("agent-specs", "specs of agents", agent_specs, short=400),
    *(Door(f"moves-{name}", f"moves and turns typed at {name}", _moves(specs), short=120)
      for name, specs in (*samples.FIVE.items(), ("examples", samples.EXAMPLES))),
)
