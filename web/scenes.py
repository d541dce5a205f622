"""What a page shows of a table: everything that one seat, or a spectator, may know, as plain data."""

from __future__ import annotations

from typing import Any

from sfida.ai.levels.person import UNCOUNTED
from sfida.ai.story import CHANCE, PERSON
from sfida.ai.table import RESIGN
from sfida.cython_ext.state import GameState
from sfida.engines.choices import Choices
from sfida.engines.drawing.markers import seat_colour
from sfida.engines.language import _, in_english
from sfida.engines.records import GameResult
from sfida.web.links import Link
from sfida.web.moments import Moment
from sfida.web.rooms import Room

RECENT = 30             # events in a scene; the log has all


def viewer_of(room: Room, link: Link) -> int | None:
    """Return whose eyes a link looks through: its seat to move, else the one it moved last; None: a spectator's."""
    if not link.seats:
        return None
    if room.to_move in link.seats:
        return room.to_move
    moved = next((event.seat for event in reversed(room.table.events) if event.seat in link.seats), None)
    return link.seats[0] if moved is None else moved


def scene(room: Room, link: Link, seat: int | None = None) -> dict[str, Any]:
    """Return the scene of a table.

    Parameters
    ----------
    room : Room
    link : Link
    seat : int, optional
        One of the link's seats, through whose eyes the table is seen; by default as `viewer_of`.
    """
    with room.lock:                             # whose turn it is must be that of the position shown
        now = room.moment(viewer_of(room, link) if seat is None else seat, link.seats)
    viewer = now.viewer
    seen, game = now.seen, room.game
    board = room.drawn(seen, viewer, labels=now.to_move is not None)
    decides = now.asked is not None and now.to_move == viewer
    return {
        "version": now.version,
        "game": {"name": game.name, "title": _(game.title), "spec": game.spec(), "players": game.players,
                 "hidden": bool(seen.hidden)},
        "viewer": viewer, "mine": list(link.seats), "host": link.host,
        "seats": seats_of(room, link), "to_move": now.to_move, "over": now.to_move is None,
        "question": game.question(seen, viewer) if decides and viewer is not None else "",
        "board": board,
        "text_board": game.board_text(seen, seat=viewer, labels=decides),
        "status": game.status_text(seen, seat=viewer),
        "decision_art": _art(now.asked) if decides and now.asked is not None and not now.asked.is_chance else "",
        "decision_text": game.draw_decision(seen) if decides else "",
        "decision": None if now.asked is None else decision_of(now, now.asked),
        "events": [_event(now, told.ply) for told in [told for told in now.told if not told.quiet][-RECENT:]],
        "last": _last(now, board),
        "thinking": None if now.thought is None else now.thought.to_json(),
        "shares": None if now.shares is None else list(now.shares),
        "typed_luck": room.table.typed_luck,
        "result": result_of(now) if now.to_move is None else None,
        "trouble": now.trouble,
        "note": _(UNCOUNTED) if now.uncounted and link.seats else "",
        "can": _can(room, link, now),
    }


def seats_of(room: Room, link: Link) -> list[dict[str, Any]]:
    """Return who sits where."""
    found = []
    for number, spec in enumerate(room.table.specs):
        name = room.game.seat_name(number)
        colour = seat_colour(in_english(room.game.seat_name, number), number)
        found.append({"seat": number, "name": name, "color": colour, "agent": spec,
                      "person": spec == PERSON, "mine": number in link.seats, "present": room.is_present(number)})
    return found


def decision_of(now: Moment, asked: GameState) -> dict[str, Any]:
    """Return what a viewer may choose from, and the parts that are pointed at to choose."""
    choices, game = Choices(asked), asked.game
    label = {choice.move: choice.label for choice in choices.list}
    found = game.move_parts(asked, [choice.move for choice in choices.list])
    parts = {part.key: {"words": part.words, **({"picture": part.picture} if part.picture else {})}
             for path in found.values() for part in path}
    moves = [{"label": choice.label, "text": choice.text, "words": choice.words, "note": choice.note,
              "path": [part.key for part in found[choice.move]]} for choice in choices.list]
    groups = [{"name": group.name, "words": group.words, "moves": [label[move] for move in group.moves]}
              for group in choices.groups]
    turn = [] if asked.is_chance else _turn_so_far(now, asked)
    return {"moves": moves, "parts": parts, "groups": groups, "steps": "; ".join(turn),
            "back": now.can_undo and bool(turn)}


def _art(asked: GameState) -> str:
    """Return a picture of what the mover decides about, where each move ends in one; else ""."""
    pictures = [path[-1].picture for path in asked.game.move_parts(asked, asked.legal_moves()).values()]
    return pictures[0] if all(pictures) else ""


def _turn_so_far(now: Moment, asked: GameState) -> list[str]:
    """Return in words what the viewer has decided of the present turn."""
    words: list[str] = []
    for told in reversed(now.told):
        if told.seat == CHANCE and not words:
            continue
        if told.seat != now.viewer or told.turn != asked.turn_number:
            break
        words.append(told.words)
    return words[::-1]


def _event(now: Moment, ply: int) -> dict[str, Any]:
    event = now.told[ply].to_json()
    del event["quiet"], event["turn"]
    return {**event, "forced": True} if ply in now.forced else event


def _last(now: Moment, board: str) -> list[str]:
    """Return the places, as far as the board has them, that were touched since the viewer last moved."""
    keys: dict[str, None] = {}
    for told in reversed(now.told[-RECENT:]):
        if keys and told.seat == now.viewer:
            break
        keys |= dict.fromkeys(told.parts)
        if told.seat == now.viewer:
            break
    return [key for key in keys if f'data-place="{key}"' in board]


def result_of(now: Moment) -> dict[str, Any]:
    """Return how a game ended: in shares of the win, points and places, None where a resignation leaves them open."""
    state, game = now.seen, now.seen.game
    scores = list(state.scores())
    if now.resigned is not None:
        name = game.seat_name(now.resigned)
        told = {"utilities": None, "scores": scores, "ranks": None, "reason": RESIGN, "luck": now.luck}
        if game.players != 2:
            return {**told, "explained": [_("{seat} resigns; the game ends here without a result.").format(seat=name)]}
        won = 1 - now.resigned
        return {**told, "utilities": [float(seat == won) for seat in range(2)],
                "ranks": [1 if seat == won else 2 for seat in range(2)],
                "explained": [_("{seat} resigns: {winner} wins.").format(seat=name, winner=game.seat_name(won))]}
    result = GameResult.of(state)
    assert result is not None
    return {**result.to_json(), "reason": game.end_reason(state), "explained": game.explain_scores(state),
            "luck": now.luck}


def _can(room: Room, link: Link, now: Moment) -> dict[str, bool]:
    over = now.to_move is None
    return {"undo": now.can_undo, "redo": now.can_redo,
            "resign": room.may_resign(link.seats),
            "hint": now.asked is not None and now.to_move != CHANCE, "why": now.asked is not None,
            "review": over and (now.resigned is None or room.game.players == 2),
            "record": may_have_record(room, link), "seat": not over and (link.host or bool(link.seats))}


def may_have_record(room: Room, link: Link) -> bool:
    """Whether who has a link may have the record, which holds all secrets of the game."""
    return room.is_over or not room.table.state.hidden or (
        link.host and bool(link.seats) and set(room.table.people) <= set(link.seats))
