"""Reviews that were done once: kept in a folder, so that a second call need not search again."""

from __future__ import annotations

import gzip
import hashlib
import zlib
from pathlib import Path

from sfida.ai.review.depths import Depth
from sfida.ai.review.model import SCHEMA, Review
from sfida.cython_ext.errors import InvalidRecord
from sfida.engines.files import read_at_most, write_whole
from sfida.engines.record_fields import FieldReader
from sfida.engines.records import GameRecord, sfida_version
from sfida.engines.spec import shown
from sfida.engines.visible import json_text

_MOST_BYTES = 1 << 26           # of a kept review, compressed


class ReviewCache:
    """The reviews in a folder, one file each.

    They are found by the game that was played, the seat and the depth, and by the version of the program: another one
    may judge differently.

    Parameters
    ----------
    folder : Path
        Created when something is kept.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def key(self, record: GameRecord, seat: int | None, depth: Depth) -> str:
        """Return the name under which a review is kept."""
        played = [record.game, record.rules_version, list(record.moves), list(record.seats),
                  record.extra.get("ended"), record.extra.get("forfeit")]
        told = json_text([SCHEMA, sfida_version(), depth.name, seat, played], compact=True)
        return hashlib.blake2b(told.encode(), digest_size=16).hexdigest()

    def find(self, record: GameRecord, seat: int | None, depth: Depth) -> Review | None:
        """Return a review; None if there is none that can be read: then it is done again."""
        path = self._path(record, seat, depth)
        try:
            text = gzip.decompress(read_at_most(path, _MOST_BYTES)).decode()
            return Review.from_json(FieldReader(shown(path)).parse(text, "the review"), shown(path))
        except (OSError, EOFError, zlib.error, UnicodeDecodeError, InvalidRecord):
            return None

    def keep(self, record: GameRecord, seat: int | None, depth: Depth, review: Review) -> None:
        """Keep a review; raises OSError."""
        self.folder.mkdir(parents=True, exist_ok=True)
        text = json_text(review.to_json(), compact=True)
        write_whole(self._path(record, seat, depth), gzip.compress(text.encode(), mtime=0))

    def _path(self, record: GameRecord, seat: int | None, depth: Depth) -> Path:
        return self.folder / f"{self.key(record, seat, depth)}.json.gz"
