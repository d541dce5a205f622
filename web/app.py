"""The application: the addresses that pages ask, on a server or in a browser alone, and their answers."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import tomllib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import copy_context
from functools import cache, partial
from importlib import resources
from typing import Any

from sfida.ai.agent import PERSON
from sfida.ai.levels.scale import NAMES as LEVEL_NAMES
from sfida.cython_ext.errors import SfidaError
from sfida.engines.language import ENGLISH, LANGUAGES, N_, _, language, naming_codes, pgettext, speaking
from sfida.engines.records import GameRecord
from sfida.engines.spec import quoted
from sfida.web.lobby import Entry, Link, Lobby, agent_for
from sfida.web.lookback import POLICY as REVIEW_POLICY
from sfida.web.requests import Answer, Fields, Forbidden, NotAsked, NotHere, Request, RequestRefused, Stale, TooMuch
from sfida.web.runner import Result
from sfida.web.scenes import (
    LOOKED_UP, Reading, hint, home, lesson, may_have_record, pictured, position, preview, record_for, scene, usual,
    viewer_of, why
)
from sfida.web.session import GameSession

# ---- The texts of the pages: `web/words.toml` in English, catalogues in other languages

_CONTEXT = "page "          # before the key of a text: its context in the catalogues


def preferred(accepted: str) -> str:
    """Return the language of the pages that comes first in an ``Accept-Language`` header, English if none does."""
    codes = (each.strip()[:2].lower() for each in accepted.split(","))
    return next((code for code in codes if code in LANGUAGES), ENGLISH)


@cache
def words_of(lang: str) -> dict[str, Any]:
    """Return the texts in a language, or in English if Sfida does not speak it.

    The key `language` is its code, and `levels` has the levels in words.
    """
    chosen = lang if lang in LANGUAGES else ENGLISH
    text = resources.files("sfida.web").joinpath("words.toml").read_text(encoding="utf-8")
    with speaking(chosen):
        return {"language": chosen, **_spoken(tomllib.loads(text), ""),
                "levels": [{"name": _(name), "words": _(words)} for name, words in LEVEL_NAMES]}


def _spoken(texts: dict[str, Any], above: str) -> dict[str, Any]:
    found = {}
    for key, value in texts.items():
        context = _CONTEXT + above + key
        found[key] = _spoken(value, f"{above}{key}.") if isinstance(value, dict) else pgettext(context, value)
    return found


# ---- The language in which a request is answered

_CHOSEN = "x-sfida-language"            # header with the language that was chosen on the page
_CODES = "x-sfida-codes"                # header that is "no" where people point at things and need no codes


@contextmanager
def answering(query: Mapping[str, str], headers: Mapping[str, str], usual: str = "") -> Iterator[None]:
    """Use the words that a page has chosen while its request is answered; parameters as for `language_of`."""
    with speaking(language_of(query, headers, usual)), naming_codes(headers.get(_CODES) != "no"):
        yield


def language_of(query: Mapping[str, str], headers: Mapping[str, str], usual: str = "") -> str:
    """Return the language that a page has chosen, else the usual one, else the browser's.

    Parameters
    ----------
    query : mapping of str to str
    headers : mapping of str to str
        By their names in small letters.
    usual : str
        Language of the application; "" for none.
    """
    chosen = (query.get("lang", ""), headers.get(_CHOSEN, ""), usual)
    return next((code for code in chosen if code in LANGUAGES), preferred(headers.get("accept-language", "")))


# ---- Server-sent events: changes of a table, and the progress of a search

_BEAT = 15.0            # seconds without events before a comment is sent
_LOOK = 0.5             # seconds between two checks whether the server is ending
_CALM = 0.2             # least seconds between two reports of a search


class Streams:
    """The open streams of the application.

    Parameters
    ----------
    most : int
        Largest number of open streams.
    ends : callable
        Returns whether the server is ending; then all streams end.
    """

    def __init__(self, most: int, ends: Callable[[], bool]) -> None:
        self._most = most
        self._ends = ends
        self._open = 0

    def check(self) -> None:
        """Raise TooMuch if no further stream may be opened."""
        if self._open >= self._most:
            raise TooMuch(_("too many pages are open; close some"))

    async def events(self, session: GameSession, link: Link) -> AsyncIterator[str]:
        """Yield the events of a table for a page that has a link, until it closes the stream or the server ends."""
        self._open += 1
        try:
            async for event in _events(session, link, self._ends):
                yield event
        finally:
            self._open -= 1


async def _events(session: GameSession, link: Link, ends: Callable[[], bool]) -> AsyncIterator[str]:
    """Yield the events; changes that occur while an event is being sent are merged, so a slow page gets fewer."""
    loop, news = asyncio.get_running_loop(), asyncio.Event()

    def tell() -> None:
        with contextlib.suppress(RuntimeError):             # the server has ended
            loop.call_soon_threadsafe(news.set)

    with session.listened(link.seats, tell):
        last, quiet = None, 0.0
        while not ends():
            news.clear()
            now = session.public_mark()
            if now != last:
                last = now
                yield _event("changed", {"version": session.version})
            thought = session.thought
            if thought is not None:
                yield _event("thinking", thought.to_json())
            await asyncio.sleep(_CALM)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(news.wait(), _LOOK)
                quiet = 0.0
                continue
            quiet += _LOOK
            if quiet >= _BEAT:
                quiet = 0.0
                yield ": still here\n\n"


def _event(name: str, data: dict[str, object]) -> str:
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"


# ---- The addresses: pages, requests of the host, and requests of a table

Handler = Callable[[Request, str], Awaitable[Answer]]       # second argument: token of a table's link, game, or ""
STATIC = resources.files("sfida.web").joinpath("static")
NEWCOMERS = N_("this page is for whoever started the server: open the address that 'sfida serve' has printed")
_HTML = "text/html; charset=utf-8"
_TABLE = re.compile(r"(/play/|/review/|/api/table/)([\w-]+)((?:/\w+)?)")
_PICTURE = re.compile(r"/pictures/(\w+)\.svg")
_GUESTS = re.compile(r"human|level:(auto|\d{1,2}(\.\d{1,2})?)")        # agents that may replace an invited person


class Application:
    """Answers the requests of pages.

    Parameters
    ----------
    lobby : Lobby
    streams : Streams
    """

    def __init__(self, lobby: Lobby, streams: Streams) -> None:
        self._lobby = lobby
        self._streams = streams
        self._advised: set[str] = set()         # tokens of the links that wait for the adviser
        table = "/api/table/TOKEN"
        self._routes: dict[str, dict[str, Handler]] = {
            "/": {"GET": self.start}, "/practice": {"GET": self.start},
            "/play/TOKEN": {"GET": self.play_page}, "/review/TOKEN": {"GET": self.play_page},
            "/api/practice": {"GET": self.practice, "POST": self.examine},
            "/api/practice/position": {"GET": self.position},
            "/api/practice/judge": {"POST": self.judge}, "/api/practice/solution": {"POST": self.solution},
            "/api/words": {"GET": self.words}, "/api/home": {"GET": self.home}, "/api/tables": {"POST": self.open},
            "/api/usual": {"GET": self.usual}, "/api/preview": {"GET": self.preview},
            "/pictures/GAME.svg": {"GET": self.picture},
            f"{table}/scene": {"GET": self.scene}, f"{table}/stream": {"GET": self.stream},
            f"{table}/record": {"GET": self.record}, f"{table}/review": {"GET": self.review},
            f"{table}/board": {"GET": self.board}, f"{table}/lesson": {"GET": self.lesson},
            f"{table}/lookback": {"GET": self.lookback}, f"{table}/turn": {"GET": self.turn},
            **{f"{table}/{name}": {"GET": partial(self.look_up, read)} for name, read in LOOKED_UP.items()},
            **{f"{table}/{act.__name__}": {"POST": act} for act in (
                self.play, self.undo, self.redo, self.resign, self.hurry, self.seat, self.aids, self.hint,
                self.why, self.branch, self.contribute, self.begin)},
        }

    async def answer(self, request: Request) -> Answer:
        """Answer a request, in the language that is spoken; errors of requests and of the game are answers, too."""
        try:
            parts = _TABLE.fullmatch(request.path)
            token, path = (parts[2], f"{parts[1]}TOKEN{parts[3]}") if parts else ("", request.path)
            drawn = _PICTURE.fullmatch(path)
            token, path = (drawn[1], "/pictures/GAME.svg") if drawn else (token, path)
            methods = self._routes.get(path)
            if methods is None:
                raise NotHere(_("there is no such page"))
            handler = methods.get(request.method)
            if handler is None:
                raise NotAsked(_("this page is not asked for in that way"))
            return await handler(request, token)
        except SfidaError as error:
            status = error.status if isinstance(error, RequestRefused) else 400
            return refusal(str(error), status)
    # ---- pages --------------------------------------------------------------------------------

    async def start(self, request: Request, _token: str) -> Answer:
        """The start page, and that of practice."""
        self._check_host(request)
        return _page()

    async def play_page(self, _request: Request, token: str) -> Answer:
        """The page of a table, and that of its review."""
        if self._lobby.links.find(token) is None:
            raise NotHere(_("this link leads nowhere; ask for a new one"))
        return _page()

    async def words(self, _request: Request, _token: str) -> Answer:
        """The texts of the pages."""
        return Answer.of(words_of(language()))

    # ---- the host -----------------------------------------------------------------------------

    def _check_host(self, request: Request) -> None:
        if not request.host:
            raise Forbidden(_(NEWCOMERS))

    async def home(self, request: Request, _token: str) -> Answer:
        """The contents of the start page."""
        self._check_host(request)
        return Answer.of(await self._lobby.runner.call(home, self._lobby))

    async def open(self, request: Request, _token: str) -> Answer:
        """Open a table."""
        self._check_host(request)
        fields = Fields.read(request.body)
        return Answer.of(_links_of(await self._lobby.runner.call(open_table, self._lobby, fields)))

    async def usual(self, request: Request, _token: str) -> Answer:
        """The values that the options of a game have unless others are given."""
        self._check_host(request)
        return Answer.of(await self._lobby.runner.call(usual, self._lobby, request.query.get("game", "")))

    async def preview(self, request: Request, _token: str) -> Answer:
        """A game that is kept or in play as the host sees it, in small."""
        self._check_host(request)
        return Answer.of(await self._lobby.runner.call(
            preview, self._lobby, request.query.get("table", ""), request.query.get("kept", "")))

    async def picture(self, _request: Request, name: str) -> Answer:
        """The picture of a game."""
        drawn = await self._lobby.runner.call(pictured, name)
        return Answer(drawn.encode(), "image/svg+xml", headers={"cache-control": "max-age=3600"})

    # ---- a table ------------------------------------------------------------------------------

    async def _enter(self, token: str) -> tuple[Link, GameSession]:
        return await self._lobby.runner.call(self._lobby.enter, token)

    async def scene(self, request: Request, token: str) -> Answer:
        """The scene of a table."""
        link, session = await self._enter(token)
        return Answer.of(await self._lobby.runner.call(scene, session, link, _seat(request, link)))

    async def stream(self, request: Request, token: str) -> Answer:
        """The stream of a table's events."""
        link, session = await self._enter(token)
        self._streams.check()
        return Answer(media="text/event-stream", headers={"x-accel-buffering": "no"},
                      stream=self._streams.events(session, link))

    async def play(self, request: Request, token: str) -> Answer:
        """Play a move."""
        return await self._act(request, token, lambda session, link, fields: session.play(
            link.seats, fields.take("version", int), fields.take("move", str), fields.take("then", str, "")))

    async def undo(self, request: Request, token: str) -> Answer:
        """Take back the last decision."""
        return await self._act(
            request, token, lambda session, link, fields: session.undo(link.seats, fields.take("version", int)))

    async def redo(self, request: Request, token: str) -> Answer:
        """Replay the decision that was taken back last."""
        return await self._act(
            request, token, lambda session, link, fields: session.redo(link.seats, fields.take("version", int)))

    async def resign(self, request: Request, token: str) -> Answer:
        """Resign the game."""
        def give_up(session: GameSession, link: Link, fields: Fields) -> None:
            viewer = viewer_of(session, link)
            if viewer is None or not session.may_resign(link.seats):
                raise Forbidden(_("this game cannot be given up from here"))
            session.resign(viewer, fields.take("version", int))

        return await self._act(request, token, give_up)

    async def hurry(self, request: Request, token: str) -> Answer:
        """Make the thinking agent move now."""
        def hurry(session: GameSession, link: Link, _fields: Fields) -> None:
            if not link.seats and not link.host:
                raise Forbidden(_("spectators cannot hurry anybody"))
            session.hurry()

        return await self._act(request, token, hurry)

    async def contribute(self, request: Request, token: str) -> Answer:
        """Take what a guest's browser contributes to the luck."""
        return await self._act(request, token, lambda session, link, fields: session.contribute(
            link.seats, fields.take("promise", str, ""), fields.take("given", str, "")))

    async def begin(self, request: Request, token: str) -> Answer:
        """Begin without those who have not contributed to the luck."""
        def begin(session: GameSession, link: Link, _fields: Fields) -> None:
            if not link.host:
                raise Forbidden(_("only the host can begin without those who are missing"))
            session.begin_without()

        return await self._act(request, token, begin)

    async def seat(self, request: Request, token: str) -> Answer:
        """Hand a seat to an agent, or back to a person."""
        return await self._act(request, token, partial(take_seat, self._lobby))

    async def aids(self, request: Request, token: str) -> Answer:
        """Switch a kind of aids on or off for everybody at the table."""
        return await self._act(request, token, lambda session, link, fields: self._lobby.switch_aid(
            link, session, fields.take("kind", str), on=fields.take("on", bool)))

    async def branch(self, request: Request, token: str) -> Answer:
        """A new table that continues a finished game from an earlier position."""
        link, session = await self._enter(token)
        if not link.host:
            raise Forbidden(_("only the host can play on from here"))
        if not session.is_over:
            raise RequestRefused(_("the game is not over"))
        fields = Fields.read(request.body)
        ply, fresh = fields.take("ply", int), fields.take("fresh", bool, False)
        if ply < 0:
            raise RequestRefused(_("'{name}' must be a whole number, not {text}").format(name="ply", text=quoted(ply)))
        return Answer.of(_links_of(await self._lobby.runner.call(
            lambda: self._lobby.branch(session.record(), ply, fresh=fresh))))

    async def board(self, request: Request, token: str) -> Answer:
        """The board after some moves of a game that is over."""
        link, session = await self._enter(token)
        if not session.is_over:
            raise RequestRefused(_("the game is not over"))
        ply, viewer = _number(request, "ply"), _viewer(request, link, session)
        drawn = await self._lobby.runner.call(
            lambda: session.drawn(session.position(ply, viewer), viewer, labels=False))
        return Answer.of({"ply": ply, "board": drawn})

    async def lesson(self, request: Request, token: str) -> Answer:
        """What a learner who knows some pages of the walk-through is to read next."""
        link, session = await self._enter(token)
        known = request.query.get("taught", "").split(",")
        return Answer.of({"pages": await self._lobby.runner.call(lesson, session, link, known)})

    async def hint(self, request: Request, token: str) -> Answer:
        """The move that the computer would play."""
        return await self._advise(request, token, lambda session, link, _fields: hint(session, link.seats))

    async def why(self, request: Request, token: str) -> Answer:
        """The objections to a move."""
        return await self._advise(request, token, lambda session, link, fields: why(
            session, link.seats, fields.take("move", str, ""), fields.take("ply", int, None)))

    async def _advise(self, request: Request, token: str,
                      ask: Callable[[GameSession, Link, Fields], dict[str, Any]]) -> Answer:
        """Ask the adviser; it runs among the decisions of agents and answers one question of a link at a time."""
        link, session = await self._enter(token)
        fields = Fields.read(request.body)
        if link.token in self._advised:
            raise Stale(_("the adviser is still thinking"))
        self._advised.add(link.token)
        try:
            return Answer.of(await self._decided(partial(ask, session, link, fields)))
        finally:
            self._advised.discard(link.token)

    async def look_up(self, read: Reading, request: Request, token: str) -> Answer:
        """A text to read beside the board: log, stock, cards, help or rules."""
        link, session = await self._enter(token)
        return Answer.of(await self._lobby.runner.call(read, session, _viewer(request, link, session),
                                                    request.query.get("find", "")))

    async def record(self, request: Request, token: str) -> Answer:
        """The record of the game, as a file."""
        link, session = await self._enter(token)
        if not may_have_record(session, link):
            raise Forbidden(_("a record holds what others hide; it can be had when the game is over"))
        line = await self._lobby.runner.call(lambda: record_for(session, link).to_json_line())
        return Answer(f"{line}\n".encode(), "application/jsonl",
                      headers={"content-disposition": f'attachment; filename="{session.game.name}.jsonl"'})

    async def review(self, _request: Request, token: str) -> Answer:
        """The review of a finished game as one HTML file."""
        html = await self._look_back(token, self._lobby.lookback.page)
        return Answer(html.encode(), _HTML, headers={"content-security-policy": REVIEW_POLICY})

    async def lookback(self, request: Request, token: str) -> Answer:
        """The review of a finished game, or how far it is."""
        found = await self._look_back(token, self._lobby.lookback.overview)
        link, _session = await self._enter(token)
        return Answer.of({**found, "mine": list(link.seats), "branch": link.host, "practice": request.host})

    async def turn(self, request: Request, token: str) -> Answer:
        """A decision of a reviewed game, and a better one."""
        ply = _number(request, "ply")
        return Answer.of(await self._look_back(
            token, lambda name, record: self._lobby.lookback.turn(name, record, ply)))

    async def _look_back(self, token: str, look: Callable[[str, GameRecord], Result]) -> Result:
        """Look back at a game that is over."""
        link, session = await self._enter(token)
        if not session.is_over:
            raise RequestRefused(_("the game is not over"))
        record = partial(self._lobby.kept_record, self._lobby.entry(link.table), session)
        return await self._lobby.runner.call(lambda: look(link.table, record()))

    # ---- practice -----------------------------------------------------------------------------

    async def practice(self, request: Request, _token: str) -> Answer:
        """The positions in which the host went wrong."""
        self._check_host(request)
        return Answer.of(await self._lobby.runner.call(self._lobby.practice.overview))

    async def examine(self, request: Request, _token: str) -> Answer:
        """Look for mistakes in the games that were not examined yet."""
        self._check_host(request)
        await self._lobby.runner.call(self._lobby.practice.examine)
        return Answer.of({})

    async def position(self, request: Request, _token: str) -> Answer:
        """A position as a question."""
        self._check_host(request)
        return Answer.of(await self._lobby.runner.call(
            position, self._lobby.practice, request.query.get("key", "")))

    async def judge(self, request: Request, _token: str) -> Answer:
        """The verdict on an answer."""
        return await self._judged(request, self._lobby.practice.answer)

    async def solution(self, request: Request, _token: str) -> Answer:
        """The better move of a position."""
        return await self._judged(request, self._lobby.practice.solution)

    async def _judged(self, request: Request, judge: Callable[..., dict[str, Any]]) -> Answer:
        """Search a move in a position, among the decisions of agents."""
        self._check_host(request)
        fields = Fields.read(request.body)
        job = partial(judge, fields.take("key", str), fields.take("move", str, ""), counts=fields.take("counts", bool))
        return Answer.of(await self._decided(job))

    async def _decided(self, job: Callable[[], Result]) -> Result:
        """Run a search among the decisions of agents."""
        return await asyncio.wrap_future(self._lobby.runner.submit(partial(copy_context().run, job)))

    async def _act(self, request: Request, token: str, act: Callable[[GameSession, Link, Fields], object]) -> Answer:
        """Change something at a table, and return its version."""
        link, session = await self._enter(token)
        fields = Fields.read(request.body)
        await self._lobby.runner.call(act, session, link, fields)
        return Answer.of({"version": session.version})


def open_table(lobby: Lobby, fields: Fields) -> Entry:
    """Open the table that a request describes: a new game, one that was kept, or a record."""
    kept, record = fields.take("kept", str, None), fields.take("record", str, None)
    if record is not None:
        return lobby.resume_text(record)
    if kept is not None:
        return lobby.resume_kept(kept)
    seed = fields.take("seed", str, None)
    if seed is not None and not (seed.isascii() and seed.isdecimal() and len(seed) < 40):
        raise RequestRefused(_("a seed is a whole number, not {text}").format(text=quoted(seed)))
    return lobby.open(fields.take("game", str), fields.take_list("seats", str),
                      seed=None if seed is None else int(seed), typed_luck=fields.take("typed_luck", bool, False),
                      invited=fields.take_list("invited", int, ()))


def take_seat(lobby: Lobby, session: GameSession, link: Link, fields: Fields) -> None:
    """Let an agent or a person take a seat: the host any where nobody is present, others their own."""
    number, spec = fields.take("seat", int), fields.take("agent", str).strip()
    if number not in (range(session.game.players) if link.host else link.seats):
        raise Forbidden(_("this seat is not yours to give"))
    if number not in link.seats and session.table.is_person(number) and session.is_present(number):
        raise Stale(_("somebody sits there"))
    if spec == PERSON and not any(number in each.seats for each in lobby.entry(link.table).links):
        raise RequestRefused(_("no link leads to this seat, so no person can take it"))
    if not link.host and not _GUESTS.fullmatch(spec):
        raise Forbidden(_("a guest's seat goes to a level from 1 to 10, or back to a person"))
    lobby.consent(spec)
    session.sit(number, agent_for(spec))


def _links_of(entry: Entry) -> dict[str, Any]:
    host, *others, watch = entry.links
    return {"play": f"/play/{host.token}", "watch": f"/play/{watch.token}",
            "seats": [{"seat": link.seats[0], "link": f"/play/{link.token}"} for link in others]}


def _viewer(request: Request, link: Link, session: GameSession) -> int | None:
    """Return whose eyes a request looks through; raises Forbidden."""
    seat = _seat(request, link)
    return viewer_of(session, link) if seat is None else seat


def _seat(request: Request, link: Link) -> int | None:
    """Return the seat that a request names, None if it names none; raises Forbidden."""
    if "seat" not in request.query:
        return None
    seat = _number(request, "seat")
    if seat not in link.seats:
        raise Forbidden(_("this link does not show that seat"))
    return seat


def _number(request: Request, name: str) -> int:
    text = request.query.get(name, "")
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise RequestRefused(_("'{name}' must be a whole number, not {text}").format(name=name, text=quoted(text)))
    return int(text)


def _page() -> Answer:
    return Answer(STATIC.joinpath("index.html").read_bytes(), _HTML)


def refusal(words: str, status: int, headers: Mapping[str, str] | None = None) -> Answer:
    """Return the answer to a request that cannot be granted."""
    return Answer.of({"error": " ".join(words.split())}, status, headers)
