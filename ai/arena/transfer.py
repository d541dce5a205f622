"""Tournaments as JSON Lines: every game one record that says for itself where it belongs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sfida.ai.arena.outcome import Forfeit, GameOutcome, forfeited
from sfida.ai.arena.schedule import Schedule, Setup
from sfida.ai.arena.store import Store, header_of, setup_of
from sfida.cython_ext.errors import InvalidOption, InvalidRecord
from sfida.engines.record_fields import FieldReader
from sfida.engines.record_files import read_records, write_records
from sfida.engines.records import GameRecord
from sfida.engines.spec import shown

_HEADER, _GAME = "tournament", "tournament_game"        # fields of our own in the records


def export_games(store: Store, path: Path) -> int:
    """Write all games of a store to a file of records, which is replaced; return how many.

    Raises
    ------
    InvalidRecord
        If the file cannot be written.
    """
    header = store.header
    records = [outcome.record.with_extra(**{_HEADER: header, _GAME: _timing(outcome)}) for outcome in store.outcomes()]
    write_records(path, records)
    return len(records)


def import_games(path: Path, store_path: Path) -> int:
    """Add the games of a file to a store, which is made when there is none; return how many are new.

    Every game is replayed first, and must be where its tournament's schedule has it.

    Raises
    ------
    InvalidRecord
        If a record is not a game of a tournament, does not replay, or belongs to another one than the store; nothing
        is added then.
    """
    outcomes = []
    header: dict[str, Any] | None = None
    schedule: Schedule | None = None
    for record in read_records(path):
        reader = FieldReader(record.where)
        fields = dict(record.extra)
        found = reader.take(fields, _HEADER, dict)
        if schedule is None or found != header:
            setup = _setup(found, reader)
            if schedule is not None and Schedule(setup).digest != schedule.digest:
                reader.fail("a game of another tournament than the games before it")
            header, schedule = found, Schedule(setup)
        outcomes.append(_outcome(record, reader, fields, schedule))
    if schedule is None:
        raise InvalidRecord(f"{shown(path)}: the file holds no game")
    new = not (store_path.exists() and store_path.stat().st_size)
    with Store.create(store_path, schedule.setup) if new else Store.open(store_path) as store:
        store.check(schedule.setup)
        before = len(store)
        for outcome in outcomes:
            store.add(outcome)
        return len(store) - before


def _timing(outcome: GameOutcome) -> dict[str, Any]:
    return {"decisions": list(outcome.decisions), "seconds": list(outcome.seconds), "wall": outcome.wall}


def _setup(header: dict[str, Any], reader: FieldReader) -> Setup:
    try:
        setup = setup_of(header)
        if header_of(setup)["schedule"] != header.get("schedule"):
            reader.fail("the schedule of its tournament is not one that this program makes")
    except (KeyError, TypeError, InvalidOption) as error:
        reader.fail(f"'{_HEADER}' does not describe a tournament: {error}")
    return setup


def _outcome(record: GameRecord, reader: FieldReader, fields: dict[str, Any], schedule: Schedule) -> GameOutcome:
    block, rotation = reader.take(fields, "block", int), reader.take(fields, "rotation", int)
    timing = reader.take(fields, _GAME, dict)
    given = reader.take(fields, "forfeit", dict, None)
    forfeit = None if given is None else dict(given)
    setup = schedule.setup
    if block < 0 or not 0 <= rotation < setup.players:
        reader.fail(f"block {block}, rotation {rotation} is not in the schedule")
    seating = schedule.block(block).seating(rotation)
    seats = tuple(setup.agents[index] for index in seating)
    if record.seats != seats or record.seed != schedule.game_seed(block, rotation):
        reader.fail(f"block {block}, rotation {rotation} of this tournament is another game")
    state = record.replay()
    if (record.result is None) != (forfeit is not None):
        reader.fail("a game of a tournament has either a result or a forfeit")
    if forfeit is None:
        assert record.result is not None
        utilities, ranks, fault = record.result.utilities, record.result.ranks, None
    else:
        fault = Forfeit(reader.take(forfeit, "seat", int), reader.take(forfeit, "kind", str),
                        reader.take(forfeit, "reason", str))
        if not 0 <= fault.seat < setup.players:
            reader.fail(f"there is no seat {fault.seat} to forfeit")
        utilities, ranks = forfeited(setup.players, fault.seat)
    kept = {key: value for key, value in record.extra.items() if key not in (_HEADER, _GAME)}
    return GameOutcome(
        block=block, rotation=rotation, agents=seating,
        record=GameRecord(**{**{name: getattr(record, name) for name in (
            "game", "rules_version", "moves", "seats", "seed", "chance", "result", "sfida")}, "extra": kept}),
        utilities=utilities, ranks=ranks, scores=tuple(state.scores()),
        decisions=reader.take_list(timing, "decisions", int), seconds=reader.take_list(timing, "seconds", float),
        wall=reader.take(timing, "wall", float), forfeit=fault)
