"""The contents of a table's page: the scene of one viewer, texts beside the board, and advice."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any

from sfida.ai.advice import Comparison, answer, sentence, verdict
from sfida.ai.agent import PERSON
from sfida.ai.analysis import MoveStats, reasons_text
from sfida.ai.levels.person_rating import UNCOUNTED
from sfida.ai.luck.chart import luck_charts
from sfida.ai.luck.commitment import FIELD
from sfida.ai.review.page import line_words
from sfida.ai.session import Question
from sfida.ai.table import RESIGN
from sfida.cython_ext.errors import IllegalMove
from sfida.cython_ext.state import CHANCE, GameState
from sfida.engines.clauses import LANGUAGE, language_note
from sfida.engines.drawing.colors import seat_colour
from sfida.engines.language import N_, _, in_english
from sfida.engines.moves import Choices
from sfida.engines.records import GameRecord, GameResult
from sfida.web.events import Moment
from sfida.web.lobby import Link
from sfida.web.requests import Forbidden
from sfida.web.session import GameSession

# ---- Texts beside the board: log, stock, cards, help and rules

Reading = Callable[[GameSession, "int | None", str], dict[str, Any]]


def log(session: GameSession, viewer: int | None, _find: str) -> dict[str, Any]:
    """Return all events as a viewer knows them."""
    lines = []
    for told in session.told(viewer):
        who = _("chance") if told.seat < 0 else session.game.seat_name(told.seat)
        notation = f"  {told.text}" if told.text and told.text not in told.words.replace(",", "").split() else ""
        lines.append({"ply": told.ply, "seat": told.seat, "text": f"{told.ply + 1:>4}  {who}: {told.words}{notation}"})
        lines += [{"ply": told.ply, "seat": told.seat, "text": f"        {effect}"} for effect in told.effects]
    return {"lines": lines}


def stock(session: GameSession, viewer: int | None, _find: str) -> dict[str, Any]:
    """Return the contents of the stock as far as a viewer knows them."""
    return {"text": session.stock(session.seen(viewer), viewer)}


def cards(session: GameSession, viewer: int | None, _find: str) -> dict[str, Any]:
    """Return the effect of each kind of card."""
    return {"text": session.cards(session.seen(viewer))}


def help_on(session: GameSession, _viewer: int | None, _find: str) -> dict[str, Any]:
    """Return the notation of moves and the meaning of the signs."""
    return {"text": session.game.help_text()}


def rule(session: GameSession, _viewer: int | None, find: str) -> dict[str, Any]:
    """Return the clauses that a text names, or the chapters, with their language.

    Raises
    ------
    InvalidNotation
        If the text names no clause.
    """
    return {"lines": session.rules(find), "language": LANGUAGE, "note": language_note()}


def charted(session: GameSession, viewer: int | None, _find: str) -> dict[str, Any]:
    """Return the charts of dice and draws, as far as a viewer knows them, everything after the end."""
    with session.lock:
        steps, over = list(session.steps), session.is_over
    found = luck_charts(session.game, ((step.before, step.event.code, step.after) for step in steps), viewer,
                        everything=over)
    return {"charts": [{**chart.to_json(), "svg": chart.svg} for chart in found]}


LOOKED_UP: Mapping[str, Reading] = {"luck": charted, "log": log, "stock": stock, "cards": cards, "help": help_on,
                                    "rule": rule}


# ---- Advice to the mover: the move to play, what speaks against another

_OTHERS = 4             # moves that are shown beside the best one
_GUESSED = N_("Explained with a hand and cards that fit what you have seen, not with the true ones.")


def hint(session: GameSession, seats: Collection[int]) -> dict[str, Any]:
    """Return the computer's choice for the holder of `seats`; this takes a second."""
    question = _question(session, seats, None)
    assert question is not None
    analysis, line = question.best()
    seen = question.state
    choices = {choice.move: choice for choice in Choices(seen).list}
    parts = seen.game.move_parts(seen, list(choices))

    def told(stats: MoveStats) -> dict[str, Any]:
        choice = choices[stats.code]
        return {"label": choice.label, "text": choice.text, "words": choice.words,
                "parts": [part.key for part in parts[stats.code]], "win": stats.value,
                "visits": None if analysis.stopped == "solved" else stats.visits}

    reasons = reasons_text(seen, analysis.best, line)
    return {"best": told(analysis.best), "win": analysis.best.value,
            "others": [told(stats) for stats in analysis.moves[1:1 + _OTHERS] if stats.code in choices],
            "line": [ply.to_json() for ply in line.plies], "reasons": [reasons] if reasons else [],
            "iterations": analysis.iterations}


def why(session: GameSession, seats: Collection[int], text: str) -> dict[str, Any]:
    """Return the objections to a typed move; for "", the reasons of the last decision of an agent."""
    question = _question(session, seats, text)
    if question is None:
        raise IllegalMove(_("no decision of the computer was seen that could be explained; name a move of yours"))
    note = [_(_GUESSED)] if question.step is not None and question.state.hidden else []
    return {"lines": [*note, *_lines(question.state, question.compared())]}


def _question(session: GameSession, seats: Collection[int], about: str | None) -> Question | None:
    """Return the question of the seat to move; raises Forbidden if it is not one of `seats`."""
    with session.lock:
        if not session.decides(seats) or session.to_move is None or session.to_move < 0:
            raise Forbidden(_("advice is for whoever is to move"))
        return session.question(session.seen(session.to_move), about)


def _lines(state: GameState, found: Comparison) -> list[str]:
    game = state.game
    lines = [sentence(verdict(found))]
    for stats, line in ((found.best, found.best_line), (found.asked, found.asked_line))[:2 - found.same]:
        said = reasons_text(state, stats, line)
        if said:
            lines.append(f"{stats.move}: {said}")
    lines.append(sentence(answer(game, found)))
    for stats, line in ((found.best, found.best_line), (found.asked, found.asked_line))[:2 - found.same]:
        lines += [_("expected with {move}:").format(move=stats.move),
                  *(f"  {said}" for said in line_words(game, line.plies))]
    return lines


# ---- The scene: everything that one seat or a spectator may know, as plain data

RECENT = 30             # most events in a scene; the log has all


def viewer_of(session: GameSession, link: Link) -> int | None:
    """Return the viewer of a link: its seat to move, else its seat that moved last; None for a spectator."""
    if not link.seats:
        return None
    if session.to_move in link.seats:
        return session.to_move
    moved = next((event.seat for event in reversed(session.table.events) if event.seat in link.seats), None)
    return link.seats[0] if moved is None else moved


def scene(session: GameSession, link: Link, seat: int | None = None) -> dict[str, Any]:
    """Return the scene of a table.

    Parameters
    ----------
    session : GameSession
    link : Link
    seat : int, optional
        One of the link's seats as the viewer; by default that of `viewer_of`.
    """
    with session.lock:                             # the turn must belong to the position shown
        now = session.moment(viewer_of(session, link) if seat is None else seat, link.seats)
    viewer = now.viewer
    seen, game = now.seen, session.game
    board = session.drawn(seen, viewer, labels=now.to_move is not None)
    decides = now.asked is not None and now.to_move == viewer
    return {
        "version": now.version,
        "game": {"name": game.name, "title": _(game.title), "spec": game.spec(), "players": game.players,
                 "hidden": bool(seen.hidden)},
        "viewer": viewer, "mine": list(link.seats), "host": link.host,
        "seats": seats_of(session, link), "to_move": now.to_move, "over": now.to_move is None,
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
        "typed_luck": session.table.typed_luck,
        "result": result_of(now) if now.to_move is None else None,
        "trouble": now.trouble,
        "note": _(UNCOUNTED) if now.uncounted and link.seats else "",
        "luck": luck_of(session, link),
        "can": _can(session, link, now),
    }


def seats_of(session: GameSession, link: Link) -> list[dict[str, Any]]:
    """Return the seats with their agents and people."""
    found = []
    for number, spec in enumerate(session.table.specs):
        name = session.game.seat_name(number)
        colour = seat_colour(in_english(session.game.seat_name, number), number)
        found.append({"seat": number, "name": name, "color": colour, "agent": spec,
                      "person": spec == PERSON, "mine": number in link.seats, "present": session.is_present(number)})
    return found


def decision_of(now: Moment, asked: GameState) -> dict[str, Any]:
    """Return the legal choices of a viewer, and the parts of the board that select them."""
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
    """Return a picture of the object of the decision if every move ends in one; else ""."""
    pictures = [path[-1].picture for path in asked.game.move_parts(asked, asked.legal_moves()).values()]
    return pictures[0] if all(pictures) else ""


def _turn_so_far(now: Moment, asked: GameState) -> list[str]:
    """Return the viewer's decisions of the current turn in words."""
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
    """Return the places on the board that events have touched since the viewer's last move."""
    keys: dict[str, None] = {}
    for told in reversed(now.told[-RECENT:]):
        if keys and told.seat == now.viewer:
            break
        keys |= dict.fromkeys(told.parts)
        if told.seat == now.viewer:
            break
    return [key for key in keys if f'data-place="{key}"' in board]


def result_of(now: Moment) -> dict[str, Any]:
    """Return the result of a game: win shares, points and ranks; None for those that a resignation leaves open."""
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


def _can(session: GameSession, link: Link, now: Moment) -> dict[str, bool]:
    over = now.to_move is None
    return {"undo": now.can_undo, "redo": now.can_redo,
            "resign": session.may_resign(link.seats),
            "hint": now.asked is not None and now.to_move != CHANCE, "why": now.asked is not None,
            "review": over and (now.resigned is None or session.game.players == 2),
            "record": may_have_record(session, link), "branch": over and link.host,
            "seat": not over and (link.host or bool(link.seats))}


def luck_of(session: GameSession, link: Link) -> dict[str, Any] | None:
    """Return what is known of the commitment to the luck; None if there is no luck, or it is typed in.

    Numbers are texts, since they are larger than the numbers of a page. Without a commitment the hash is "".
    """
    table = session.table
    if table.typed_luck or not session.game.chance_sources:
        return None
    if table.commitment is None:
        return {"sha256": ""}
    commitment = table.commitment if session.is_over else table.commitment.sealed
    opened = {} if commitment.seed is None else {
        "seed": str(commitment.seed), "salt": commitment.salt, "game_seed": str(table.seed)}
    return {"sha256": commitment.sha256, "contributions": [
                {**part.to_json(), "name": session.game.seat_name(part.seat)} for part in commitment.contributions],
            "stage": commitment.stage, "awaited": session.awaited(), "mine": session.contributes(link.seats), **opened}


def may_have_record(session: GameSession, link: Link) -> bool:
    """Whether the holder of a link may have the record, which contains all secrets of the game."""
    return session.is_over or not session.table.state.hidden or _is_alone(session, link)


def record_for(session: GameSession, link: Link) -> GameRecord:
    """Return the record for the holder of a link; while others play along, it does not name the seed of the luck."""
    record = session.record()
    if session.is_over or _is_alone(session, link):
        return record
    commitment = session.table.commitment
    extra = {**record.extra, **({} if commitment is None else {FIELD: commitment.sealed.to_json()})}
    return replace(record, seed=None, extra=extra)


def _is_alone(session: GameSession, link: Link) -> bool:
    return link.host and bool(link.seats) and set(session.table.people) <= set(link.seats)
