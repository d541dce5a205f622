"""The line protocol between Sfida and programs that play: the format and the contents of its lines.

A message is one JSON object on one line of UTF-8. `docs/measure/protocol.md` describes all of them; both sides ignore
types and fields that they do not know.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import json
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any, NoReturn

from sfida.ai.chance import LARGEST_SEED
from sfida.ai.seat import MOST_SECONDS, Observation
from sfida.cython_ext.errors import InvalidRecord, SfidaError
from sfida.cython_ext.state import View, restore
from sfida.engines.game import Game, Rules
from sfida.engines.language import listed
from sfida.engines.spec import quoted
from sfida.engines.untrusted import json_text

VERSIONS = (1,)                 # the versions of the protocol that this side speaks, the oldest first
SCHEMA = 1
MAX_ANSWER = 1 << 20            # most bytes of a line from a program that plays
MAX_REQUEST = 1 << 26           # most bytes of a line to it: large games have long lists
_LONGEST = 200                  # most characters of foreign text in a message


class BadLine(SfidaError):
    """A line is not a message of the protocol."""


@functools.cache
def sfida_version() -> str:
    """Return the version of the running Sfida."""
    return version("sfida")


# ---- lines --------------------------------------------------------------------------------------


def encode(kind: str, **fields: Any) -> bytes:
    """Return a message as a line with its newline; raises ValueError if a field holds NaN."""
    return json_text({"schema": SCHEMA, "type": kind, **fields}, compact=True).encode() + b"\n"


def decode(line: bytes) -> dict[str, Any]:
    """Return the message of a line.

    Raises
    ------
    BadLine
        Unless it is UTF-8 and a JSON object without NaN that has a `type`.
    """
    try:
        message = json.loads(line.decode(), parse_constant=_no_constant)
    except UnicodeDecodeError:
        raise BadLine(f"the line is not UTF-8: {quoted(line)}") from None
    except (ValueError, RecursionError):
        raise BadLine(f"the line is not JSON: {quoted(line.decode().strip())}") from None
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise BadLine(f"the line is no object with a type: {quoted(line.decode().strip())}")
    return message


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


def whole(message: Mapping[str, Any], field: str) -> int:
    """Return a field that must be a whole number from 0 to 2**64 - 1; raises BadLine."""
    value = message.get(field)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise BadLine(f"'{field}' must be a whole number of at least 0, not {quoted(value)}")
    if value > LARGEST_SEED:
        raise BadLine(f"'{field}' must be a whole number from 0 to {LARGEST_SEED}, not {quoted(value)}")
    return value


def text(message: Mapping[str, Any], field: str) -> str:
    """Return a field that must be text; raises BadLine."""
    value = message.get(field)
    if not isinstance(value, str):
        raise BadLine(f"'{field}' must be text, not {quoted(value)}")
    return value


def seconds(message: Mapping[str, Any], field: str) -> float | None:
    """Return a field that is a time in seconds; None if it is missing or null. Raises BadLine for other values."""
    value = message.get(field)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= MOST_SECONDS:
        raise BadLine(f"'{field}' must be a number of seconds, more than 0, not {quoted(value)}")
    return float(value)


def in_short(words: str) -> str:
    """Return foreign text as one printable line of bounded length."""
    words = " ".join("".join(sign if sign.isprintable() else " " for sign in words).split())
    return words if len(words) <= _LONGEST else f"{words[:_LONGEST]}..."


# ---- versions -----------------------------------------------------------------------------------


def spoken(message: Mapping[str, Any]) -> tuple[int, ...]:
    """Return the versions that the other side's `hello` or `ready` names, in ascending order; raises BadLine.

    The field `versions` lists them; without it they are the single version `protocol`, or version 1.
    """
    if "versions" not in message:
        return (whole({"protocol": 1, **message}, "protocol"),)
    said = message["versions"]
    if not isinstance(said, list) or not said:
        raise BadLine(f"'versions' must be a list of at least one version, not {quoted(said)}")
    return tuple(sorted({whole({"versions": one}, "versions") for one in said}))


def agree(message: Mapping[str, Any]) -> int | None:
    """Return the newest version that both sides speak, given the other's `hello` or `ready`; None if there is none.

    Raises
    ------
    BadLine
        If the message does not name the other side's versions.
    """
    return max(set(spoken(message)) & set(VERSIONS), default=None)


def naming(versions: Sequence[int]) -> str:
    """Return versions in words, such as "version 2" or "versions 2 and 3"."""
    return in_short(f"version{'s' * (len(versions) > 1)} {listed([str(one) for one in versions])}")


# ---- messages from Sfida ------------------------------------------------------------------------


def hello() -> bytes:
    """Return the first line to a program."""
    return encode("hello", protocol=VERSIONS[0], versions=VERSIONS, sfida=sfida_version())


def ready(name: str, observes: bool, longest: float | None = None) -> bytes:
    """Return the answer to `hello`; `longest` is the time limit of a decision, if the agent has a time budget."""
    return encode("ready", protocol=VERSIONS[0], versions=VERSIONS, name=name, sfida=sfida_version(),
                  observes=observes, **({} if longest is None else {"longest": longest}))


def new_game(game: Rules, seed: int = 0) -> bytes:
    """Return the line that announces a new game."""
    return encode("new_game", game=game.spec(), rules_version=game.rules_version, players=game.players,
                  layout=layout(game), seed=seed)


def choose(number: int, view: View, moves: list[str], seed: int, limit: float | None) -> bytes:
    """Return the line that asks for a move. All its contents come from the seat's redacted view.

    Parameters
    ----------
    number : int
        The `id` of the request.
    view : View
    moves : list of str
        Texts of its legal moves.
    seed : int
        Seed of this decision.
    limit : float or None
        Seconds that the answer may take.
    """
    return encode("choose", id=number, seat=view.seat, seed=seed, limit=limit, legal_moves=moves,
                  observation=view.observation(), scores=view.scores(),
                  state=base64.b64encode(view.key()).decode())


def observe(seen: Observation) -> bytes:
    """Return the line about an event as a seat saw it. All its contents come from the seat's redacted view."""
    return encode("observe", seat=seen.seat, number=seen.number, actor=seen.actor, label=f"{seen.label:016x}",
                  code=seen.move, observation=seen.view.observation(), scores=seen.view.scores(),
                  state=base64.b64encode(seen.view.key()).decode())


# ---- positions ----------------------------------------------------------------------------------


def layout(game: Rules) -> str:
    """Return 16 hex digits that are equal in two processes that write positions of the game in the same way.

    They depend on the version of Sfida, the game and its rules version, and the bytes of its first position, which
    differ with another byte order or compiler.
    """
    words = [sfida_version(), game.spec(), str(game.rules_version)]
    start = game.initial_state().to_bytes()
    return hashlib.blake2b("\n".join(words).encode() + b"\n" + start, digest_size=8).hexdigest()


def read_observation(game: Game, message: Mapping[str, Any]) -> Observation:
    """Return the event in an `observe` message; its position is trusted like that of `read_view`.

    Raises
    ------
    SfidaError
        If the message does not belong to this game.
    """
    view = _position(game, message)
    actor, code = message.get("actor"), message.get("code")
    if isinstance(actor, bool) or not isinstance(actor, int) or not -1 <= actor < game.players:
        raise BadLine(f"'actor' must be -1 to {game.players - 1}, not {quoted(actor)}")
    if code is not None:
        whole(message, "code")
    try:
        label = int(text(message, "label"), 16)
    except ValueError:
        raise BadLine(f"'label' must be 16 hex digits, not {quoted(message['label'])}") from None
    return Observation(whole(message, "number"), view.seat, actor, label, code, view)


def read_view(game: Game, message: Mapping[str, Any]) -> View:
    """Return the view in a `choose` message.

    The position is trusted: it must come from a Sfida with the same `layout` of the game.

    Raises
    ------
    SfidaError
        If it is not a position of the game as seen by the seat to move.
    """
    view = _position(game, message)
    if view.to_move != view.seat:
        raise InvalidRecord(f"seat {view.seat} is not to move in 'state'")
    moves = message.get("legal_moves")
    if moves is not None and moves != [view.format(move) for move in view.legal_moves()]:
        raise InvalidRecord("'legal_moves' are not those of 'state'")
    return view


def _position(game: Game, message: Mapping[str, Any]) -> View:
    """Return the view of a message's seat from the `state` of the message."""
    seat = whole(message, "seat")
    if seat >= game.players:
        raise BadLine(f"'seat' must be 0 to {game.players - 1}, not {seat}")
    packed = text(message, "state")
    try:
        data = base64.b64decode(packed, validate=True)
    except ValueError:
        raise BadLine("'state' is not base64") from None
    view = restore(game, data).view(seat)
    if view.key() != data:
        raise InvalidRecord(f"'state' holds what seat {seat} cannot see, or is not a position of {quoted(game.spec())}")
    return view
