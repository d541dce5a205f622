"""What determines a training, and the file that keeps it beside the games."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from sfida.ai.arena.sequential import SprtOptions
from sfida.ai.registry import agent as make_agent
from sfida.ai.seat import Seat
from sfida.ai.seeds import LARGEST_SEED
from sfida.ai.training.fitting import FitOptions
from sfida.cython_ext.errors import InvalidOption
from sfida.engines.files import read_at_most, write_whole
from sfida.engines.game import Game
from sfida.engines.record_fields import FieldReader
from sfida.engines.records import read_contents
from sfida.engines.spec import by_contents, changes, contents_of, shown
from sfida.engines.visible import json_text

FILE_NAME = "training.json"
MOST_ROUNDS, MOST_GAMES, MOST_HIDDEN = 1000, 10**9, 1024
USUAL: dict[str, Any] = {"agent": "ismcts:iterations=200", "games": 1000, "rounds": 1, "seed": None,
                         "hidden": FitOptions.hidden, "mix": FitOptions.mix, "sprt": "", "evaluation": True,
                         "priors": False}
_MOST_BYTES = 1 << 16


@dataclass(frozen=True)
class Plan:
    """What determines a training.

    Attributes
    ----------
    game : Game
        It lists features.
    agent : str
        Who plays the games of the first round.
    against : str
        Whom the first network meets in its match.
    candidate : str
        Who plays with a network.
    games : int
        Of each round; rounded up to whole blocks.
    rounds : int
    seed : int
    options : FitOptions
    sprt : SprtOptions or None
        The test that a network must pass; None: no matches, every network is taken.
    evaluation, priors : bool
        What is learned. An evaluation that is not learned stays what it is.

    Raises
    ------
    InvalidOption
        If the game lists no features for it, or nothing is to be learned.
    """

    game: Game
    agent: str
    against: str
    candidate: str
    games: int
    rounds: int
    seed: int
    options: FitOptions = field(default_factory=FitOptions)
    sprt: SprtOptions | None = field(default_factory=SprtOptions)
    evaluation: bool = True
    priors: bool = False

    def __post_init__(self) -> None:
        if not (self.evaluation or self.priors):
            raise InvalidOption("there is nothing to learn without evaluation and priors")
        if self.priors and not self.game.initial_state().move_feature_names:
            raise InvalidOption(f"{self.game.title} lists no features of moves, so there are no priors to learn; "
                                "docs/training.md tells how a game does")
        if not self.game.initial_state().feature_names:
            raise InvalidOption(f"{self.game.title} lists no features, so there is nothing to learn from; "
                                "docs/training.md tells how a game does")

    @property
    def command(self) -> str:
        """The command that does the same, but for where its files are."""
        words = ["sfida", "train", self.game.spec(), "--games", str(self.games), "--rounds", str(self.rounds),
                 "--agent", self.agent]
        if self.against != self.agent:
            words += ["--against", self.against]
        if self.candidate != self.agent:
            words += ["--candidate", self.candidate]
        words += ["--hidden", str(self.options.hidden), "--mix", f"{self.options.mix:g}", "--seed", str(self.seed)]
        if not self.evaluation:
            words.append("--no-evaluation")
        if self.priors:
            words.append("--priors")
        return shlex.join([*words, *(["--no-match"] if self.sprt is None else ["--sprt", str(self.sprt)])])

    @property
    def choices(self) -> dict[str, Any]:
        """All but the game, as plain data."""
        return {"agent": self.agent, "against": self.against, "candidate": self.candidate, "games": self.games,
                "rounds": self.rounds, "seed": self.seed, "hidden": self.options.hidden, "mix": self.options.mix,
                "sprt": None if self.sprt is None else str(self.sprt), "evaluation": self.evaluation,
                "priors": self.priors}

    @classmethod
    def of(cls, game: Game, choices: dict[str, Any]) -> Plan:
        """Return the plan of `choices`; raises InvalidOption."""
        asked = dict(choices)
        options = replace(FitOptions(), hidden=asked.pop("hidden"), mix=asked.pop("mix"))
        sprt = asked.pop("sprt")
        return cls(game, options=options, sprt=None if sprt is None else SprtOptions.parse(sprt), **asked)

    def save(self, folder: Path) -> None:
        """Keep the plan in a folder; raises OSError."""
        agents = [Seat(make_agent(spec)).options for spec in (self.agent, self.against, self.candidate)]
        contents = contents_of(self.game.options, *agents)
        write_whole(folder / FILE_NAME, json_text({"game": self.game.spec(), **self.choices, **(
            {"contents": contents} if contents else {})}) + "\n")


def is_begun(folder: Path) -> bool:
    """Return whether a folder holds a training."""
    return (folder / FILE_NAME).exists()


def kept_choices(folder: Path, game: Game) -> dict[str, Any]:
    """Return the choices of the training that a folder holds; empty if there is none.

    Raises
    ------
    InvalidOption
        If it is a training of another game.
    InvalidRecord, OSError
        If its file is damaged or cannot be read.
    """
    if not is_begun(folder):
        return {}
    path = folder / FILE_NAME
    reader = FieldReader(shown(path))
    fields = reader.parse(read_at_most(path, _MOST_BYTES).decode(errors="replace"))
    if not isinstance(fields, dict):
        reader.fail("no description of a training")
    held, contents = reader.take(fields, "game", str), read_contents(fields, reader)
    now = contents_of(game.options)
    if changed := changes(contents, now):
        raise InvalidOption(f"{shown(folder)} holds a training of another game ({changed[0]}): name another --folder")
    if by_contents(held, contents) != by_contents(game.spec(), now):
        raise InvalidOption(f"{shown(folder)} holds a training of '{held}', not of '{game.spec()}': name another "
                            "--folder")
    return {
        "agent": reader.take(fields, "agent", str), "against": reader.take(fields, "against", str),
        "candidate": reader.take(fields, "candidate", str),
        "games": reader.take(fields, "games", int, low=1, high=MOST_GAMES),
        "rounds": reader.take(fields, "rounds", int, low=1, high=MOST_ROUNDS),
        "seed": reader.take(fields, "seed", int, low=0, high=LARGEST_SEED),
        "hidden": reader.take(fields, "hidden", int, low=0, high=MOST_HIDDEN),
        "mix": reader.take(fields, "mix", float, low=0, high=1), "sprt": reader.take(fields, "sprt", str, None),
        "evaluation": reader.take(fields, "evaluation", bool, True),
        "priors": reader.take(fields, "priors", bool, False)}
