"""The contents of the files of a tournament, declared once for writing and reading stores and exported games.

The record of a game contains nearly everything. A store keeps parts of it again in columns, which must agree.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sfida.ai.arena.outcome import GameOutcome, forfeited
from sfida.ai.arena.schedule import LUCKS, MODES, MOST_GAMES, Schedule, Setup
from sfida.ai.arena.sequential import SprtOptions, check_setup
from sfida.ai.seat import MOST_SECONDS
from sfida.cython_ext.errors import InvalidOption
from sfida.engines.records import LARGEST_SCORE, LARGEST_VERSION, MAX_SEATS, GameRecord, read_contents, sfida_version
from sfida.engines.spec import named_by, quoted
from sfida.engines.untrusted import LARGEST, FieldReader

FORMAT = 1
COLUMNS = ("block", "rotation", "agents", "utilities", "ranks", "scores", "decisions", "seconds", "wall", "forfeit",
           "record")
MOST_AGENTS = 2000
MOST_DECISIONS = 10**9
_MOST_BLOCKS = 2**62            # largest number of blocks that fits the arrays of a tally


@dataclass(frozen=True)
class Header:
    """The description of a tournament in a store or an exported game.

    Attributes
    ----------
    schedule : Schedule
    current : bool
        Whether the current rules made the schedule; earlier rules seated the agents and derived the seeds in another
        way.
    sprt : SprtOptions or None
        The sequential test of the latest run.
    value : str or None
        Key of the value function that measures luck.
    """

    schedule: Schedule
    current: bool
    sprt: SprtOptions | None
    value: str | None = None

    @property
    def setup(self) -> Setup:
        """The setup, which determines the games of the tournament."""
        return self.schedule.setup


# ---- tournaments ----------------------------------------------------------------------------------------


def header_of(setup: Setup) -> dict[str, Any]:
    """Return the data that identify a tournament: versions, specs, seed and schedule; JSON-able."""
    return {
        "format": FORMAT, "sfida": sfida_version(), "game": setup.game, "rules_version": setup.rules_version,
        "players": setup.players, "agents": list(setup.agents), "seed": setup.seed, "mode": setup.mode,
        "mirror": setup.mirror, "luck": setup.luck, "schedule": Schedule(setup).digest, "games": setup.games,
        **({"contents": dict(setup.contents)} if setup.contents else {}),
    }


def read_header(data: Mapping[str, Any], reader: FieldReader) -> Header:
    """Read a header; raises InvalidRecord."""
    reader.check(dict(data))
    fields = dict(data)
    found = reader.take(fields, "format", int)
    if found != FORMAT:
        reader.fail(f"format {found} is not one that this program reads (it reads {FORMAT})")
    reader.take(fields, "sfida", str)
    values = {
        "game": reader.take(fields, "game", str),
        "rules_version": reader.take(fields, "rules_version", int, low=0, high=LARGEST_VERSION),
        "players": reader.take(fields, "players", int, low=2, high=MAX_SEATS),
        "agents": reader.take_list(fields, "agents", str, least=2, most=MOST_AGENTS),
        "games": reader.take(fields, "games", int, low=1, high=MOST_GAMES),
        "seed": reader.take(fields, "seed", int, low=0, high=LARGEST),
        "mode": reader.take(fields, "mode", str),
        "mirror": reader.take(fields, "mirror", bool),
        "luck": reader.take(fields, "luck", str),
        "contents": tuple(read_contents(fields, reader).items()),
    }
    for key, right in (("mode", MODES), ("luck", LUCKS)):       # the setup's own message would quote it in full
        if values[key] not in right:
            reader.fail(f"'{key}' must be {' or '.join(right)}, not {quoted(values[key])}")
    digest = reader.take(fields, "schedule", str)
    asked = reader.take(fields, "sprt", str, None)
    reader.take(fields, "limit", float, None, low=0, high=MOST_SECONDS)
    value = reader.take(fields, "value", str, None)
    if value is not None and not re.fullmatch("[0-9a-f]{16}", value):
        reader.fail(f"'value' must be 16 hex digits, not {quoted(value)}")
    try:
        setup = Setup(**values)
        schedule = Schedule(setup)
        current = schedule.digest == digest
        if not current and digest not in schedule.older_digests:
            reader.fail(f"the schedule is {quoted(digest)} there, but such a tournament has {quoted(schedule.digest)}: "
                        "its data were changed")
        sprt = None if asked is None else SprtOptions.parse(asked)
        if sprt is not None:
            check_setup(setup)
    except InvalidOption as error:
        reader.fail(str(error))
    return Header(schedule, current, sprt, value)


# ---- games ----------------------------------------------------------------------------------------------


def timing_of(outcome: GameOutcome) -> dict[str, Any]:
    """Return the measured times of a game, which are not in its record; JSON-able."""
    return {"decisions": list(outcome.decisions), "seconds": list(outcome.seconds), "wall": outcome.wall}


def columns_of(outcome: GameOutcome) -> dict[str, Any]:
    """Return the columns of a game in a store, except its record; JSON-able."""
    forfeit = outcome.forfeit
    return {
        "block": outcome.block, "rotation": outcome.rotation, "agents": list(outcome.agents),
        "utilities": list(outcome.utilities), "ranks": list(outcome.ranks), "scores": list(outcome.scores),
        **timing_of(outcome), "forfeit": None if forfeit is None else list(forfeit.to_json().values()),
    }


def read_game(record: GameRecord, timing: Mapping[str, Any], header: Header, reader: FieldReader, *,
              agents: tuple[int, ...] | None = None, scores: tuple[float, ...]) -> GameOutcome:
    """Return the outcome of a game of a tournament.

    Parameters
    ----------
    record : GameRecord
    timing : mapping
        As returned by `timing_of`.
    header : Header
        Header of the tournament.
    reader : FieldReader
    agents : tuple of int, optional
        Agent on each seat; by default from the schedule, unless earlier rules made it.
    scores : tuple of float
        Points when the game ended, for a game without a result.

    Raises
    ------
    InvalidRecord
        If a field is wrong, or the game is not the scheduled one at this place.
    """
    setup, schedule = header.setup, header.schedule
    fields, measured = dict(record.extra), dict(timing)
    block = reader.take(fields, "block", int)
    rotation = reader.take(fields, "rotation", int)
    if not 0 <= block < _MOST_BLOCKS or not 0 <= rotation < setup.players:
        reader.fail(f"block {quoted(block)}, rotation {quoted(rotation)} is not in the schedule")
    seating = agents if agents is not None and not header.current else schedule.block(block).seating(rotation)
    seats = tuple(setup.agents[index] for index in seating)
    game, agents_there = setup.meaning
    meant = game, setup.rules_version, tuple(agents_there[index] for index in seating)
    if ((record.meaning[0], record.rules_version, record.meaning[1]) != meant
            or (header.current and record.seed != schedule.game_seed(block, rotation))):
        reader.fail(f"block {block}, rotation {rotation} of this tournament is another game")
    forfeit, result = record.forfeit, record.result
    if (result is None) != (forfeit is not None):
        reader.fail("a game of a tournament has either a result or a forfeit")
    if result is not None:
        utilities, ranks, scores = result.utilities, result.ranks, result.scores
    else:
        assert forfeit is not None
        if forfeit.seat >= setup.players:
            reader.fail(f"there is no seat {forfeit.seat} to forfeit")
        utilities, ranks = forfeited(setup.players, forfeit.seat)
    if not len(utilities) == len(scores) == setup.players:
        reader.fail(f"the result is one of {len(utilities)} seats, but the tournament has {setup.players}")
    each = {"least": setup.players, "most": setup.players}
    record = replace(record, game=setup.game, seats=seats,      # the files may have moved since then
                     contents=named_by((setup.game, *seats), dict(setup.contents)))
    return GameOutcome(
        block=block, rotation=rotation, agents=seating, record=record, utilities=utilities, ranks=ranks, scores=scores,
        decisions=reader.take_list(measured, "decisions", int, low=0, high=MOST_DECISIONS, **each),
        seconds=reader.take_list(measured, "seconds", float, low=0, high=MOST_SECONDS, **each),
        wall=reader.take(measured, "wall", float, low=0, high=MOST_SECONDS), forfeit=forfeit)


def read_columns(columns: Mapping[str, Any], header: Header, reader: FieldReader) -> GameOutcome:
    """Return the outcome in the columns of a game in a store; raises InvalidRecord, also if they disagree."""
    fields = dict(columns)
    players, agents = header.setup.players, len(header.setup.agents)
    record = GameRecord.from_json_line(reader.take(fields, "record", str), reader.where)
    each = {"least": players, "most": players}
    outcome = read_game(
        record, fields, header, reader,
        agents=reader.take_list(fields, "agents", int, low=0, high=agents - 1, **each),
        scores=reader.take_list(fields, "scores", float, low=-LARGEST_SCORE, high=LARGEST_SCORE, **each))
    for key, value in columns_of(outcome).items():
        if columns[key] != value:
            reader.fail(f"'{key}' is {quoted(columns[key])}, but its record says {quoted(value)}")
    return outcome
