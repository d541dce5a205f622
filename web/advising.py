"""Advice to who is to move at a table: the move to play, what speaks against another, what an agent had in mind."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sfida.ai.advice import adviser, last_choice, seed_of_advice
from sfida.ai.analysis import MoveStats
from sfida.ai.lines import follow
from sfida.ai.reasons import reasons_text
from sfida.ai.review.words import line_words
from sfida.ai.why import Comparison, compare
from sfida.ai.why_words import answer, sentence, verdict
from sfida.cython_ext.errors import IllegalMove
from sfida.cython_ext.state import GameState
from sfida.engines.choices import Choices
from sfida.engines.language import N_, _
from sfida.web.errors import Forbidden
from sfida.web.rooms import Room

_OTHERS = 4             # moves that are shown beside the best one
_GUESSED = N_("Explained with a hand and cards that fit what you have seen, not with the true ones.")


def hint(room: Room, seats: Collection[int]) -> dict[str, Any]:
    """Return what the computer would play for who may decide for `seats`; takes a second."""
    with room.lock:
        seat, seed = _asker(room, seats), seed_of_advice(room.table)
        view, seen = room.table.view(seat), room.seen(seat)
    asked = adviser(seed)
    analysis = asked.analyze(view)
    choices = {choice.move: choice for choice in Choices(seen).list}
    parts = seen.game.move_parts(seen, list(choices))

    def told(stats: MoveStats) -> dict[str, Any]:
        choice = choices[stats.code]
        return {"label": choice.label, "text": choice.text, "words": choice.words,
                "parts": [part.key for part in parts[stats.code]], "win": stats.value,
                "visits": None if analysis.stopped == "solved" else stats.visits}

    line = follow(view, analysis.best.pv, seed)
    reasons = reasons_text(seen, analysis.best, line)
    return {"best": told(analysis.best), "win": analysis.best.value,
            "others": [told(stats) for stats in analysis.moves[1:1 + _OTHERS] if stats.code in choices],
            "line": [ply.to_json() for ply in line.plies], "reasons": [reasons] if reasons else [],
            "iterations": analysis.iterations}


def why(room: Room, seats: Collection[int], text: str) -> dict[str, Any]:
    """Return what speaks against a move, as typed; "": the reasons of the last decision of an agent."""
    with room.lock:
        seat, seed = _asker(room, seats), seed_of_advice(room.table)
        view, seen, note = room.table.view(seat), room.seen(seat), ""
        if text.strip():
            move = Choices(seen).find_one(text)
        else:
            found = last_choice(room.story.steps, room.table.people, seat, seed)
            if found is None:
                raise IllegalMove(
                    _("no decision of the computer was seen that could be explained; name a move of yours"))
            step, seen = found
            view, move = seen.view(step.seat), step.event.code
            note = _(_GUESSED) if seen.hidden else ""
    asked = adviser(seed)
    comparison = compare(asked.agent, view, move)
    return {"lines": [*([note] if note else []), *_lines(seen, comparison)]}


def _asker(room: Room, seats: Collection[int]) -> int:
    """Return the seat that is advised; raises Forbidden if none of `seats` is to decide."""
    if not room.decides(seats) or room.to_move is None or room.to_move < 0:
        raise Forbidden(_("advice is for whoever is to move"))
    return room.to_move


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
