"""What a file names that is not Sfida's own code: programs, and games and agents of other packages."""

from __future__ import annotations

from sfida.ai.registry import foreign_agent
from sfida.engines.records import GameRecord
from sfida.engines.registry import foreign_game


def foreign_code(record: GameRecord, *, seats: bool) -> dict[str, str]:
    """Return what a record would run that is not Sfida's own code; nothing of it is loaded to find out.

    Parameters
    ----------
    record : GameRecord
    seats : bool
        Its agents are to play on; without, its game alone is played again.

    Returns
    -------
    dict of str to str
        Specs as the record has them, and what each of them runs.
    """
    found = {record.game: foreign_game(record.game)}
    if seats:
        found |= {spec: foreign_agent(spec) for spec in record.seats}
    return {spec: what for spec, what in found.items() if what is not None}
