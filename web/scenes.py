"""The contents of the pages: the start page; the scene of one viewer, texts beside the board, advice and lessons."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cache
from importlib import resources
from itertools import islice
from typing import Any

from sfida.ai.advice import Comparison, answer, sentence, verdict
from sfida.ai.agent import PERSON
from sfida.ai.analysis import MoveStats, reasons_text
from sfida.ai.levels.person_rating import UNCOUNTED
from sfida.ai.luck.chart import luck_charts
from sfida.ai.luck.commitment import FIELD
from sfida.ai.review.page import line_words
from sfida.ai.session import Question, Teacher, midgame
from sfida.ai.table import RESIGN
from sfida.cython_ext.errors import IllegalMove
from sfida.cython_ext.state import CHANCE, GameState
from sfida.engines.characters import characters
from sfida.engines.clauses import LANGUAGE, language_note
from sfida.engines.drawing.colors import seat_colour
from sfida.engines.game import luck_words
from sfida.engines.language import ENGLISH, N_, _, in_english, speaking
from sfida.engines.moves import Choices
from sfida.engines.records import GameRecord, GameResult
from sfida.engines.registry import describe_game, foreign_game, game_class, game_names, make_game
from sfida.engines.spec import words_of_value
from sfida.web.events import Moment, SeenEvent
from sfida.web.lobby import Link, Lobby
from sfida.web.lookback import Practice
from sfida.web.requests import Forbidden, NotHere
from sfida.web.session import GameSession, seen_by

# ---- Texts beside the board: log, stock, cards, help and rules

Reading = Callable[[GameSession, "int | None", str], dict[str, Any]]


def log(session: GameSession, viewer: int | None, _find: str) -> dict[str, Any]:
    """Return all events as a viewer knows them, those of the setup among them."""
    with session.lock:                             # the seat to move must be that after the last event
        told, to_move = session.told(viewer), session.to_move
    return {"events": _events(told, told, to_move)}


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
    return {"charts": [chart.to_json() for chart in found]}


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


def why(session: GameSession, seats: Collection[int], text: str, ply: int | None = None) -> dict[str, Any]:
    """Return the objections to a typed move; for "", the reasons of an agent's decision: that at `ply`, or the last."""
    question = _question(session, seats, text, ply)
    if question is None and ply is not None:
        raise IllegalMove(_("this cannot be explained: there was no other choice, or not all of it was seen"))
    if question is None:
        raise IllegalMove(_("no decision of the computer was seen that could be explained; name a move of yours"))
    note = [_(_GUESSED)] if question.step is not None and question.state.hidden else []
    return {"lines": [*note, *_lines(question.state, _worded(question.state, question.compared()))]}


def _question(session: GameSession, seats: Collection[int], about: str | None,
              ply: int | None = None) -> Question | None:
    """Return the question of the seat to move; raises Forbidden if it is not one of `seats`."""
    with session.lock:
        if not session.decides(seats) or session.to_move is None or session.to_move < 0:
            raise Forbidden(_("advice is for whoever is to move"))
        return session.question(session.seen(session.to_move), about, ply)


def _worded(state: GameState, found: Comparison) -> Comparison:
    """Return a comparison that names moves in words, in quotation marks."""
    def worded(stats: MoveStats) -> MoveStats:
        return replace(stats, move=_quoted(state.game.describe_move(state, stats.code)))

    plies = tuple(replace(ply, move=_quoted(ply.words)) for ply in found.asked_line.plies)
    reply = found.reply and replace(found.reply, move=_quoted(found.reply.words), words=_quoted(found.reply.words),
                                    after=tuple(ply.move for ply in plies[:found.asked_line.answer]))
    return replace(found, best=worded(found.best), asked=worded(found.asked), reply=reply,
                   next_best=found.next_best and worded(found.next_best),
                   asked_line=replace(found.asked_line, plies=plies))


def _quoted(words: str) -> str:
    return f"“{words}”"


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


def lesson(session: GameSession, link: Link, taught: Collection[str]) -> list[dict[str, str]]:
    """Return the pages of the walk-through that are due for the holder of a link, who has read others.

    Parameters
    ----------
    session : GameSession
    link : Link
    taught : collection of str
        Keys of the pages that were read.

    Raises
    ------
    InvalidOption
        If no walk-through comes with the game.
    """
    teacher = Teacher(session.game, taught)
    with session.lock:
        seat = session.to_move
        asked = seat is not None and seat in link.seats and session.decides(link.seats)
        state = session.seen(seat) if asked else None
    pages = [teacher.introduction()]
    if state is not None and seat is not None:
        asked_together = (after for move in state.legal_moves() if (after := _after(state, move)) is not None)
        pages += [teacher.lesson(one, seat) for one in (state, *islice(asked_together, 1))]
    return [asdict(page) for page in pages if page is not None]


# ---- The scene: everything that one seat or a spectator may know, as plain data

RECENT = 30             # most events in a scene; the log has all
IN_MOTION = 12          # latest events in a scene that a page can show in motion


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
                 "hidden": bool(seen.hidden), "teaches": bool(game.introduction()),
                 "characters": characters_of(type(game))},
        "viewer": viewer, "mine": list(link.seats), "host": link.host,
        "seats": seats_of(session, link), "to_move": now.to_move, "over": now.to_move is None,
        "question": game.question(seen, viewer) if decides and viewer is not None else "",
        "board": board,
        "text_board": game.board_text(seen, seat=viewer, labels=decides),
        "status": game.status_text(seen, seat=viewer),
        "decision_art": _art(now.asked) if decides and now.asked is not None and not now.asked.is_chance else "",
        "decision_text": game.draw_decision(seen) if decides else "",
        "decision": None if now.asked is None else decision_of(now, now.asked),
        "events": _recent(now),
        "aids": _aids(session, now),
        "last": _last(now, board),
        "thinking": None if now.thought is None else now.thought.to_json(),
        "shares": None if now.shares is None else list(now.shares),
        "typed_luck": session.table.typed_luck,
        "clock": None if session.table.clocks is None else session.table.clocks.running,
        "result": result_of(now) if now.to_move is None else None,
        "trouble": now.trouble,
        "note": _(UNCOUNTED) if now.uncounted and link.seats else "",
        "luck": luck_of(session, link),
        "can": _can(session, link, now),
    }


def position(practice: Practice, key: str) -> dict[str, Any]:
    """Return the scene of a position to practise, with what is known of it; nothing in it tells the better move."""
    card, session = practice.asked(key)
    found = scene(session, Link("", "", (card.seat,)))
    found["decision"]["back"] = False           # the earlier part of the turn stays as it was played
    for move in found["decision"]["moves"]:
        move["then"] = []                       # one decision is asked, the one that was a mistake
    return {**found, **practice.about(card)}


def characters_of(game_class: type) -> list[dict[str, str]]:
    """Return the characters that the levels of a game may have, in the current language."""
    return [{"name": name, "title": each.title, "about": each.about} for name, each in characters(game_class).items()]


def seats_of(session: GameSession, link: Link) -> list[dict[str, Any]]:
    """Return the seats with their agents and people."""
    found, clocks = [], session.table.clocks
    for number, spec in enumerate(session.table.specs):
        name = session.game.seat_name(number)
        colour = seat_colour(in_english(session.game.seat_name, number), number)
        found.append({"seat": number, "name": name, "color": colour, "agent": spec,
                      "person": spec == PERSON, "mine": number in link.seats, "present": session.is_present(number),
                      "left": None if clocks is None else clocks.left(number)})
    return found


def decision_of(now: Moment, asked: GameState) -> dict[str, Any]:
    """Return the legal choices of a viewer, and the parts of the board that select them."""
    choices = Choices(asked)
    label = {choice.move: choice.label for choice in choices.list}
    parts: dict[str, dict[str, Any]] = {}
    moves = [{**told, "label": choice.label, "then": _then(asked, choice.move, parts)}
             for choice, told in zip(choices.list, _told_moves(asked, choices, parts), strict=True)]
    groups = [{"name": group.name, "words": group.words, "moves": [label[move] for move in group.moves]}
              for group in choices.groups]
    turn = [] if asked.is_chance else _turn_so_far(now, asked)
    return {"moves": moves, "parts": parts, "groups": groups, "steps": "; ".join(turn),
            "back": now.can_undo and bool(turn)}


def _told_moves(asked: GameState, choices: Choices, parts: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the moves of a decision with the parts that select them, and add these to `parts`."""
    found = asked.game.move_parts(asked, [choice.move for choice in choices.list])
    for part in (part for path in found.values() for part in path):
        parts[part.key] = {"words": part.words, **({"picture": part.picture} if part.picture else {}),
                           **({} if part.dial is None else {"dial": part.dial})}
    return [{"text": choice.text, "words": choice.words, "note": choice.note,
             "path": [part.key for part in found[choice.move]]} for choice in choices.list]


def _then(asked: GameState, move: int, parts: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the mover's moves after one that people choose together with the next; else an empty list."""
    after = _after(asked, move)
    return [] if after is None else _told_moves(after, Choices(after), parts)


def _after(asked: GameState, move: int) -> GameState | None:
    """Return the position of the mover's next decision if people choose both together, else None."""
    if asked.is_chance or not asked.game.goes_on(asked, move):
        return None
    after = asked.clone()
    after.apply(move)
    return after if not after.is_over and after.to_move == asked.to_move else None


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


def _recent(now: Moment) -> list[dict[str, Any]]:
    """Return the latest events; the page shows in motion those that it did not know yet."""
    recent = [told for told in now.told if not told.quiet][-RECENT:]
    events = _events(recent, now.told, now.to_move)
    for event, told in list(zip(events, recent, strict=True))[-IN_MOTION:]:
        event["cues"] = [cue.to_json() for cue in told.cues]
    return [{**event, "forced": True} if event["ply"] in now.forced else event for event in events]


def _events(chosen: Sequence[SeenEvent], told: Sequence[SeenEvent], to_move: int | None) -> list[dict[str, Any]]:
    """Return chosen events among all that a viewer was told of, with their turns as people count them."""
    turns = dict(zip((each.ply for each in told), _turns(told, to_move), strict=True))
    return [{**{key: value for key, value in each.to_json().items() if key not in ("quiet", "cues")},
             "turn": turns[each.ply][0], "turn_of": turns[each.ply][1]} for each in chosen]


def _turns(told: Sequence[SeenEvent], to_move: int | None) -> list[tuple[int, int]]:
    """Return the number of each event's turn, from 1, and the seat that decides first in it; 0: before all turns.

    In a game that does not count its turns, such as Carcassonne, luck after a decision begins a turn.
    """
    keys, count, after = [], 0, True
    for each in told:
        if each.turn < 0 and each.seat < 0 and after:
            count += 1
        after = each.seat >= 0
        keys.append(each.turn if each.turn >= 0 else count)
    movers: dict[int, int] = {}
    for key, each in zip(keys, told, strict=True):
        if each.seat >= 0:
            movers.setdefault(key, each.seat)
    if count and to_move is not None and to_move >= 0:
        movers.setdefault(count, to_move)
    counts = bool(count) or any(each.turn >= 0 for each in told)
    numbers = {key: number for number, key in enumerate(movers, start=1)} if counts else {}
    return [(numbers.get(key, len(numbers) + 1 if numbers and key > max(numbers) else 0), movers.get(key, CHANCE))
            for key in keys]


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


def _aids(session: GameSession, now: Moment) -> dict[str, Any]:
    """Return the kinds of aids, and the aids of those that are on, with the places that they are about."""
    return {"kinds": [{"kind": kind, "name": _(name), "on": kind not in session.without}
                      for kind, name in session.game.aid_kinds.items()],
            "told": [asdict(aid) for aid in session.aids(now.seen, now.viewer)]}


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


# ---- The start page: games and their options, opponents, unfinished games, tables in play

_AGENTS = (("human", N_("a person")), ("greedy", N_("weak: looks one turn ahead; answers at once")),
           ("ismcts:seconds=1", N_("strong: searches a second a move; the longer, the stronger")),
           ("random", N_("plays anything")))
PICTURES = "web/pictures"       # pictures that are drawn already, where drawing takes long
_PICTURE = 480          # pixels, width of a picture
_FEW = 12               # a number with fewer values is chosen from a list


def home(lobby: Lobby) -> dict[str, Any]:
    """Return the contents of the start page; this takes a moment, because it reads the unfinished games."""
    tables = []
    for entry, session in lobby.tables():
        if session is not None or entry.file is not None:
            tables.append({"id": entry.id, "title": _(entry.title), "link": f"/play/{entry.links[0].token}",
                           "over": session.is_over if session is not None else entry.over,
                           "to_move": None if session is None else session.to_move})
    return {"games": [{**game, "title": _(game["title"]), "luck": luck_words(game["luck"]),
                       "options": list(map(_option, game["options"])),
                       "characters": characters_of(game_class(game["name"])) if game["levels"] else []}
                      for game in games()],
            "agents": [{"spec": spec, "words": _(words)} for spec, words in _AGENTS],
            "friends": not lobby.alone, "kept": lobby.kept(), "tables": tables}


def _option(option: dict[str, Any]) -> dict[str, Any]:
    """Return an option in words; `choices` are its listed values, as a spec writes them and in words."""
    key, low, high = option["key"], option.get("low"), option.get("high")
    values = option.get("values", ())
    if option["type"] == "bool":
        values = (False, True)
    elif not values and low is not None and high is not None and high - low < _FEW:
        values = range(low, high + 1)
    choices = [{"value": str(value).lower() if option["type"] == "bool" else str(value),
                "words": words_of_value(option, value)} for value in values]
    return {"key": key, "title": _(option["label"]) if "label" in option else key.replace("_", " "),
            "doc": _(option["doc"]), "type": option["type"], "default": option["default"], "choices": choices}


@cache
def games() -> list[dict[str, Any]]:
    """Return the games; examples come last."""
    found = []
    for name in game_names():
        entry = describe_game(name)
        found.append({**{key: entry[key] for key in (
            "name", "title", "players", "minutes", "luck", "options", "example")},
                      "levels": foreign_game(name) is None, "teaches": bool(game_class(name)().introduction()),
                      "pictured": _has_picture(name)})
    return sorted(found, key=lambda game: bool(game["example"]))


def usual(lobby: Lobby, spec: str) -> dict[str, Any]:
    """Return the values of a game's options in words, by which it is played; raises as `Lobby.open`."""
    lobby.consent(game=spec)
    game = make_game(spec)
    values = game.settled()
    return {option["key"]: words_of_value(option, values[option["key"]])
            for option in describe_game(game.name)["options"]}


def _has_picture(name: str) -> bool:
    """Whether the start page shows a picture of a game: those of Sfida, except the small ones."""
    return name in game_names(examples=False) and foreign_game(name) is None


@cache
def pictured(name: str) -> str:
    """Return the picture of one of Sfida's games, a position in its middle; raises NotHere."""
    if not _has_picture(name):
        raise NotHere(_("there is no such page"))
    drawn = resources.files("sfida").joinpath(PICTURES, f"{name}.svg")
    if drawn.is_file():
        return drawn.read_text(encoding="utf-8")
    with speaking(ENGLISH):
        state = midgame(make_game(name))
        return state.game.board_svg(seen_by(None, state), seat=None, size=_PICTURE)


def preview(lobby: Lobby, table: str, kept: str) -> dict[str, Any]:
    """Return a game that is kept or in play as the host sees it: picture, seats, points and last move.

    Parameters
    ----------
    lobby : Lobby
    table, kept : str
        Id of a table or of a kept game; one of them is "".

    Raises
    ------
    NotHere, InvalidRecord
    """
    found = lobby.glimpse(table, kept)
    state, game, own = found.state, found.state.game, found.own
    viewer = own[0] if own and (len(own) == 1 or not state.hidden) else None        # several share one screen
    seen = seen_by(viewer, state)
    return {"picture": game.board_svg(seen, seat=viewer, size=_PICTURE), "scores": list(seen.scores()),
            "moved": found.moved, "seats": [
                {"name": game.seat_name(seat), "agent": spec, "mine": seat in own,
                 "color": seat_colour(in_english(game.seat_name, seat), seat)}
                for seat, spec in enumerate(found.specs)]}
