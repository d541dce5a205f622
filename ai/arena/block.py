"""The task of a worker: the missing games of one block."""

from __future__ import annotations

import pickle
import threading
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sfida.ai.arena.outcome import GameOutcome, forfeited
from sfida.ai.arena.player import Cast, GameReply, GameRequest
from sfida.ai.arena.playing import PlayingProcess
from sfida.ai.arena.schedule import Block
from sfida.ai.arena.store import Store
from sfida.ai.luck.terms import luck_of
from sfida.ai.luck.value import Value
from sfida.cython_ext.errors import SfidaError, faults_told
from sfida.cython_ext.measure import awake
from sfida.engines.records import GameRecord
from sfida.engines.spec import named_by, shown

_worker = threading.local()         # the worker's playing process, kept from block to block


class Stopped(SfidaError):
    """A strict tournament ends at the first forfeit."""


@dataclass(frozen=True)
class BlockTask:
    """What a worker needs to play games of one block.

    Attributes
    ----------
    tournament : str
        Identifies the tournament; a worker keeps its playing process within one.
    cast : Cast
    block : Block
    games : tuple of (int, int, int)
        Rotation, seed of the agents and seed of the luck of every game to play.
    store : Path or None
        Store to which finished games are added at once; None if the worker cannot reach it.
    strict : bool
    measured : bool
        Whether to measure the luck of the games, too.
    """

    tournament: str
    cast: Cast
    block: Block
    games: tuple[tuple[int, int, int], ...]
    store: Path | None
    strict: bool
    measured: bool = False


def play_block(task: BlockTask) -> list[GameOutcome]:
    """Play the games of a task in turn and return them.

    Raises
    ------
    Stopped
        At a forfeit, if the task is strict.
    SfidaError
        If the game cannot be played or the store cannot be written.
    """
    process = _process(task)
    outcomes = []
    for rotation, seed, luck in task.games:
        request = GameRequest(task.block.seating(rotation), seed, luck)
        started = awake()
        reply = process.play(request)
        outcome = _outcome(task, rotation, request, reply, awake() - started)
        if task.strict and outcome.forfeit is not None:
            who = task.cast.specs[request.seating[outcome.forfeit.seat]]
            raise Stopped(f"stopped at the first forfeit: '{who}' on seat {outcome.forfeit.seat} in block "
                          f"{task.block.index}, game {rotation}: {outcome.forfeit.reason}")
        if task.measured:
            with faults_told():
                outcome = replace(outcome, luck=luck_of(outcome.record, _value(task)))
        if task.store is not None:
            with Store.open(task.store) as store:
                store.add(outcome)
        outcomes.append(outcome)
    return outcomes


def dismiss() -> None:
    """End the playing process of this thread, if it has one."""
    process: PlayingProcess | None = getattr(_worker, "process", None)
    if process is not None:
        process.close()
    _worker.__dict__.clear()


def _process(task: BlockTask) -> PlayingProcess:
    if getattr(_worker, "tournament", None) != task.tournament:
        dismiss()
        _worker.process, _worker.tournament = PlayingProcess(task.cast), task.tournament
    process: PlayingProcess = _worker.process
    return process


def _value(task: BlockTask) -> Value:
    """Return the value function of the game, kept like the playing process."""
    if not hasattr(_worker, "value"):
        _worker.value = Value(pickle.loads(task.cast.game))
    value: Value = _worker.value
    return value


def _outcome(task: BlockTask, rotation: int, request: GameRequest, reply: GameReply, wall: float) -> GameOutcome:
    extra: dict[str, Any] = {"block": task.block.index, "rotation": rotation, "chance_seed": request.luck}
    if reply.forfeit is None:
        result = reply.record.result
        assert result is not None           # the playing process ends only with the game
        utilities, ranks = result.utilities, result.ranks
    else:
        utilities, ranks = forfeited(len(request.seating), reply.forfeit.seat)
        extra["forfeit"] = reply.forfeit.to_json()
    record = replace(reply.record, contents=_contents(task.cast, reply.record)).with_extra(**extra)
    return GameOutcome(
        block=task.block.index, rotation=rotation, agents=request.seating, record=record,
        utilities=utilities, ranks=ranks, scores=reply.scores, decisions=reply.decisions, seconds=reply.seconds,
        wall=wall, forfeit=reply.forfeit, move_seconds=reply.move_seconds,
        analyses=tuple(map(_analysis, reply.analyses)))


def _contents(cast: Cast, record: GameRecord) -> dict[str, str]:
    """Return the digests of the files that a record names; raises SfidaError if one has changed since the beginning."""
    for path, digest in cast.contents:
        if record.contents.get(path, digest) != digest:
            raise SfidaError(f"{shown(path)} has changed since the tournament began, so this game was not added: "
                             "restore the file and continue with --resume, or begin another tournament")
    return named_by((record.game, *record.seats), dict(cast.contents))


def _analysis(data: bytes | None) -> Any:
    """Return an agent's analysis, or None if it cannot be loaded here."""
    try:
        return None if data is None else pickle.loads(data)
    except Exception:
        return None
