"""Recorded games of A Few Acres of Snow in the turn-by-turn format, read into game records (FAS-0.1, 17.8).

A turn is one string::

    side | actions separated by ; | cards drawn | british money, french money, british points, french points

Blanks, letter case and separators are free, cards may be in any order, and sieges at the start of a turn may be
omitted if the rules decide them. Entries that contradict the rules are refused with the line and the reason.
"""

from __future__ import annotations

import itertools
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from sfida.cython_ext.acres.core import SIDES
from sfida.cython_ext.errors import InvalidRecord, SfidaError
from sfida.engines.acres.notation import Clause, format_move, read_card, read_site, words_of
from sfida.engines.acres.position import decode, position_of
from sfida.engines.acres.tables import card_codes, site_codes
from sfida.engines.data_files import load_toml
from sfida.engines.records import GameRecord, GameResult
from sfida.engines.registry import game_class
from sfida.engines.spec import did_you_mean, quoted, shown

if TYPE_CHECKING:
    from sfida.cython_ext.acres.core import AcresState


# ---- Files of recorded games: TOML with a ``[[replay]]`` table per game, and the line of each turn

RESIGNATION = "resignation"
UNRECORDED = "unrecorded"
ENDS = ("siege", "settle", "supply", "capture", "max_turns", RESIGNATION)
# comments and strings of TOML: the delimiter of one has no meaning within the other
_TOKEN = re.compile(
    r'''#[^\n]*|("""(?:\\.|(?!""").)*"{3,5}|\'\'\'.*?'{3,5}|"(?:\\.|[^"\\\n])*"|'[^'\n]*')''', re.DOTALL)


@dataclass(frozen=True)
class TurnLine:
    """One turn as written.

    Attributes
    ----------
    where : str
        File and line, for messages.
    text : str
    """

    where: str
    text: str


@dataclass(frozen=True)
class RecordedGame:
    """A ``[[replay]]`` table.

    Attributes
    ----------
    where : str
        File and game, for messages.
    name : str
        Id of the game; empty for none.
    preset : str
        Preset as written.
    options : dict of str to object
        Options of the game by name, as written.
    pick : str
        Empire card chosen by the French for their initial deck; empty for none.
    hands : tuple of str
        Opening hands, British and French.
    turns : tuple of TurnLine
    end : str
        Reason of the end, one of `ENDS`; empty if not recorded.
    winner : int or None
        Winning seat; None if not recorded.
    final : tuple of (str, int, int)
        Recorded figures of the end: "points" or "money", seat, number.
    """

    where: str
    name: str
    preset: str
    options: dict[str, object]
    pick: str
    hands: tuple[str, str]
    turns: tuple[TurnLine, ...]
    end: str
    winner: int | None
    final: tuple[tuple[str, int, int], ...]


def read_file(path: Path) -> list[RecordedGame]:
    """Return the games of a file.

    Raises
    ------
    InvalidRecord
        If the file cannot be read or does not have this format.
    """
    try:
        text, tables = load_toml(path, InvalidRecord)
    except OSError as error:
        raise InvalidRecord(f"{shown(path)}: cannot be read: {error.strerror}") from error
    games = tables.get("replay", [])
    if not isinstance(games, list) or not games or not all(isinstance(game, dict) for game in games):
        raise InvalidRecord(f"{shown(path)}: the file holds no [[replay]] table")
    strings = _strings(text)
    return [_game(game, f"{shown(path)}: game {quoted(game.get('id', number))}", path, strings)
            for number, game in enumerate(games, start=1)]


def _strings(text: str) -> Iterator[tuple[str, int]]:
    """Yield every string of a TOML text with its line."""
    line, seen = 1, 0
    for token in _TOKEN.finditer(text):
        line += text.count("\n", seen, token.start())
        seen = token.start()
        if token[1] is not None:
            yield tomllib.loads(f"x = {token[1]}")["x"], line


def _game(table: dict[str, Any], where: str, path: Path, strings: Iterator[tuple[str, int]]) -> RecordedGame:
    def text(key: str, default: str = "") -> str:
        value = table.get(key, default)
        if not isinstance(value, str):
            raise InvalidRecord(f"{where}: '{key}' must be a text, not {quoted(value)}")
        return value

    def one_of(key: str, known: tuple[str, ...]) -> str:
        value = text(key)
        if value and value not in known:
            raise InvalidRecord(f"{where}: '{key}' must be one of {', '.join(known)}, not {quoted(value)}"
                                f"{did_you_mean(value, known)}")
        return value

    name = table.get("id", "")
    if not isinstance(name, str | int):
        raise InvalidRecord(f"{where}: 'id' must be a text, not {quoted(name)}")
    turns = table.get("turns", [])
    if not isinstance(turns, list) or not turns or not all(isinstance(turn, str) for turn in turns):
        raise InvalidRecord(f"{where} has no turns: 'turns' must be a list of texts, one a turn")
    lines = [next((line for string, line in strings if string == turn), None) for turn in turns]
    final = []
    for key, field in (("final_points", "points"), ("final_money", "money")):
        told = table.get(key, {})
        if not isinstance(told, dict) or not all(side in SIDES and type(n) is int for side, n in told.items()):
            raise InvalidRecord(f"{where}: '{key}' must be like {{ british = 48, french = 61 }}, not {quoted(told)}")
        final += [(field, SIDES.index(side), n) for side, n in told.items()]
    options = table.get("options", {})
    if not isinstance(options, dict):
        raise InvalidRecord(f"{where}: 'options' must be like {{ british_bateaux_in_initial_deck = true }}, "
                            f"not {quoted(options)}")
    if "preset" in options:
        raise InvalidRecord(f"{where}: 'preset' stands beside 'options', not within")
    winner = one_of("winner", (*SIDES, UNRECORDED))
    return RecordedGame(
        where, str(name), text("preset", "online_second_edition"), options, text("pick_french"),
        (text("hand_british"), text("hand_french")),
        tuple(TurnLine(f"{shown(path)}, line {line}" if line else shown(path), turn)
              for turn, line in zip(turns, lines, strict=True)),
        one_of("end", ENDS), SIDES.index(winner) if winner in SIDES else None, tuple(final))


# ---- Recorded games as game records, checked against the rules

PRESETS = {"online_second_edition": "online", "second_edition": "second", "first_edition": "first"}
ASKED = ("raid", "ambush", "convert")


def read_replay(path: str | Path, number: int = 1) -> GameRecord:
    """Read one game of a file, counted from 1; raises InvalidRecord."""
    games = read_file(Path(path))
    if not 1 <= number <= len(games):
        raise InvalidRecord(f"{shown(path)}: there is no game {number}; the file holds game 1 to {len(games)}")
    return _read_game(games[number - 1])


def _read_game(recorded: RecordedGame) -> GameRecord:
    options = {"preset": PRESETS.get(recorded.preset, recorded.preset), **recorded.options}
    if any(turn.text.split("|")[2:3] and turn.text.split("|")[2].strip() == "-" for turn in recorded.turns):
        options.setdefault("refill_may_be_skipped", True)
    try:
        game = game_class("a_few_acres_of_snow").from_params(options)
    except SfidaError as error:
        raise InvalidRecord(f"{recorded.where}: {error}") from error
    reader = _Reader(game.initial_state())  # type: ignore[arg-type]
    try:
        reader.pick(recorded.pick)
    except SfidaError as error:
        raise InvalidRecord(f"{recorded.turns[0].where}: pick_french: {error}") from error
    for seat, hand in enumerate(recorded.hands):
        try:
            reader.deal(seat, hand.split())
        except SfidaError as error:
            raise InvalidRecord(f"{recorded.turns[0].where}: hand_{SIDES[seat]}: {error}") from error
    for number, turn in enumerate(recorded.turns, start=1):
        try:
            reader.play_turn(turn.text)
        except SfidaError as error:
            raise InvalidRecord(f"{turn.where}: turn {number}: {error}") from error
    try:
        reader.check_end(recorded)
    except SfidaError as error:
        raise InvalidRecord(f"{recorded.turns[-1].where}: {error}") from error
    extra: dict[str, object] = {"replay": recorded.name}
    if recorded.end == RESIGNATION:
        extra["ended"] = "resign"               # FAS-16.7
        if recorded.winner is not None:
            extra["forfeit"] = {"seat": 1 - recorded.winner, "reason": "resign"}
    return GameRecord(game=game.spec(), rules_version=game.rules_version, moves=tuple(reader.texts),
                      seats=("human", "human"), chance=tuple(reader.chance), result=GameResult.of(reader.state),
                      extra=extra, where=recorded.turns[0].where)


@dataclass(frozen=True)
class SiegeEnd:
    """A clause about the end of a siege.

    Attributes
    ----------
    lost : str or None
        Card lost in the siege.
    village : str or None
        "settle", "settle CARD" or "leave"; None if not recorded.
    """

    lost: str | None = None
    village: str | None = None


class _Reader:
    """Plays a recorded game on a state."""

    def __init__(self, state: AcresState) -> None:
        self.state = state
        self.texts: list[str] = []
        self.chance: list[int] = []
        self.sieges = self._sieges()            # sieges after the last turn
        self.owned = self._available()
        self.numbers = self._numbers()
        self.won_at_start = False               # a siege has won the game, and no line has reported it

    # ---- moves --------------------------------------------------------------------------------

    def fail(self, reason: str) -> NoReturn:
        raise InvalidRecord(reason)

    def apply(self, code: int) -> None:
        if self.state.is_chance:
            self.chance.append(len(self.texts))
        self.texts.append(format_move(self.state, code))
        self.state.apply(code)

    def play(self, text: str) -> None:
        self.apply(self.state.parse(text))

    def play_action(self, text: str) -> None:
        clause = Clause(self.state)
        clause.play_action(text)
        for code in clause.moves:
            self.apply(code)

    def draw(self, cards: list[str]) -> None:
        """Draw cards, in any order that the deck and its reshuffle allow."""
        left = [read_card(card, self.state.mover) for card in cards]
        while left:
            if not self.state.is_chance:
                self.fail(f"no more cards are drawn, but {card_codes()[left[0]]} is left")
            codes = {decode(code).card: code for code, _ in self.state.chance_outcomes()}
            card = next((card for card in left if card in codes), None)
            if card is None:
                self.fail(f"{card_codes()[left[0]]} cannot be drawn: it is not in the deck")
            left.remove(card)
            self.apply(codes[card])

    def pick(self, card: str) -> None:
        """Choose the card that an option adds to the initial deck of the French."""
        asked = self.state.phase == "pick"
        if asked and not card:
            self.fail("it is not told which card the French start with; right would be like pick_french = \"CB\"")
        if card and not asked:
            self.fail("no card is chosen without the option french_picks_extra_initial_empire_card")
        if asked:
            self.play(f"pick {card}")
            self.owned = self._available()

    def deal(self, seat: int, cards: list[str]) -> None:
        """Deal an opening hand."""
        if self.state.mover != seat or self.state.phase != "deal":
            self.fail("there is nothing to deal")
        self.draw(cards)
        if self.state.phase == "deal" and self.state.mover == seat:
            self.fail(f"{len(cards)} cards are too few for a hand")

    # ---- turns --------------------------------------------------------------------------------

    def play_turn(self, text: str) -> None:
        """Play one turn: its actions and draws; then compare money and points."""
        parts = [part.strip() for part in text.split("|")]
        if len(parts) != 4:
            self.fail(f"{quoted(text)}: a turn is written 'side | actions | cards drawn | four numbers'")
        side, actions, cards, numbers = parts
        clauses = [clause.strip() for clause in actions.split(";") if clause.strip()]
        if self.state.is_over:
            self.tell_of_the_end(side, clauses)
        else:
            if side.upper()[:1] != "BF"[self.state.seat_on_turn]:
                self.fail(f"it is the turn of the {SIDES[self.state.seat_on_turn]}, not of {quoted(side)}")
            self.play_actions(clauses)
            if not self.state.is_over:
                self.end_turn(cards)
                cards = ""
        if cards:
            self.fail("the game is over: no cards are drawn")
        self.check_numbers(numbers)

    def play_actions(self, clauses: list[str]) -> None:
        """Play the sieges at the start of a turn and its actions; any of them may end the game."""
        first = [list(group) for _, group in itertools.groupby(clauses, lambda c: c.split()[0].lower() == "siege")]
        opening = first[0] if first and first[0][0].split()[0].lower() == "siege" else []
        self.start_turn(opening)
        for clause in clauses[len(opening):]:
            if self.state.is_over:
                self.fail(f"{quoted(clause)}: the game is over before this")
            self.play_clause(clause)
        self.numbers = self._numbers()
        if self.state.is_over:
            return
        if self.state.phase == "main" and position_of(self.state).actions_left:
            self.fail(f"{position_of(self.state).actions_left} of the turn's actions are not told")
        if self.state.phase != "main":
            self.fail(f"the last action is not complete: {self.state.phase.replace('_', ' ')} comes next")

    def end_turn(self, cards: str) -> None:
        """Draw the cards at the end of a turn."""
        self.sieges, self.owned = self._sieges(), self._available()
        self.play("end unfilled" if cards == "-" else "end")
        if cards != "-":
            mover = self.state.mover
            self.draw(cards.split())
            if self.state.phase == "draw" and self.state.mover == mover:
                self.fail("more cards are to be drawn")
        self.won_at_start = self.state.is_over and position_of(self.state).reason == "siege"

    def tell_of_the_end(self, side: str, clauses: list[str]) -> None:
        """Read the last line, about the siege that won the game at the start of its turn."""
        winner = position_of(self.state).winner
        words = clauses[0].lower().split() if len(clauses) == 1 else []
        if (not self.won_at_start or side.upper()[:1] != "BF"[winner] or len(words) != 3
                or words[0] != "siege" or words[2] != "won" or read_site(words[1]) != self.sieges[winner]):
            self.fail("the game is over before this turn")
        self.won_at_start = False

    def check_numbers(self, text: str) -> None:
        words = re.findall(r"-?\d+", text)
        names = ("british money", "french money", "british points", "french points")
        if len(words) != 4 or max(map(len, words)) > 9:
            self.fail(f"{quoted(text)}: a turn ends with {', '.join(names)}")
        for name, mine, found in zip(names, self.numbers, map(int, words), strict=True):
            if mine != found:
                self.fail(f"{name} should be {mine} after this turn, not {found}")

    def _numbers(self) -> list[int]:
        british, french = position_of(self.state).seats
        return [british.money, french.money, british.points, french.points]

    def play_clause(self, text: str) -> None:
        """Play one clause with the answers of the other side."""
        words = words_of(self.state, text) if text.split()[0].lower() != "siege" else text.split()
        verb = words[0]
        if verb == "home":
            self.play("home")
            seat = self.state.mover
            self.draw(words[1:])
            if self.state.phase == "home":
                self.fail(f"{quoted(text)}: more cards are to be drawn")
            assert seat == self.state.mover
        elif verb in ("withdraw", "surrender"):
            self.give_up(words, text)
        elif verb in ASKED:
            self.play_asked(verb, words, text)
        else:
            self.play_action(text)

    def play_asked(self, verb: str, words: list[str], text: str) -> None:
        """Play a raid, an ambush or a conversion with its answer."""
        signs = [i for i, word in enumerate(words) if word.lower() in ("x", "hit", "none")]
        cut = signs[0] if signs else len(words)
        self.play_action(" ".join(words[:cut]))
        answer = words[cut:]
        if verb != "convert":
            if answer and answer[0].lower() == "x":
                self.play(" ".join(answer))
                return
            self.play("allow")
        if verb == "raid":
            if answer:
                self.fail(f"{quoted(text)}: right would be 'x CARD' or nothing")
            return
        if not answer:
            self.fail(f"{quoted(text)}: it is not told what came of it")
        self.play(" ".join(answer))

    # ---- sieges -------------------------------------------------------------------------------

    def start_turn(self, clauses: list[str]) -> None:
        """Resolve the sieges at the start of a turn, and compare them with the record."""
        told: dict[int, tuple[str, SiegeEnd]] = {}
        for clause in clauses:
            words = clause.split()
            if len(words) < 3 or words[2].lower() not in ("won", "held"):
                self.fail(f"{quoted(clause)}: right would be like siege LOU won lost RI settle NYK")
            site = read_site(words[1])
            if site in told:
                self.fail(f"{quoted(clause)}: the end of this siege is told twice")
            told[site] = (words[2].lower(), self.read_end(words[3:], clause))
        asked = set()
        while self.state.phase in ("order", "siege_settle", "siege_loss"):
            if self.state.phase == "order":
                open_ = self._sieges().values()
                first = next((site for site in told if site in open_), None)
                if first is not None:
                    self.play(f"resolve {site_codes()[first]}")
                    continue
            site = position_of(self.state).ending
            if self.state.phase == "order" or site not in told:
                self.fail("a siege is won at the start of this turn: it is not told how it ends")
            if self.decide(told[site][1]):
                asked.add(site)
        if self.state.is_over:
            return
        now = self._sieges()
        ended = {site: attacker for attacker, site in self.sieges.items() if attacker not in now}
        if set(ended) != set(told):
            names = ", ".join(site_codes()[site] for site in ended) or "no siege"
            self.fail(f"at the start of this turn ends {names}")
        losses = []
        for site, (how, end) in told.items():
            won = ended[site] == self.state.seat_on_turn
            if won != (how == "won"):
                self.fail(f"the siege of {site_codes()[site]} is {'won' if won else 'held'}, not {how}")
            self.check_village(site, ended[site] if won else None, end, site in asked)
            losses.append(self._lost(1 - self.state.seat_on_turn, end))
        self.compare_losses(self.owned, losses)

    def give_up(self, words: list[str], text: str) -> None:
        """Play a withdrawal from the siege of the side on turn, or the surrender of a site that the side defends."""
        code = self.state.parse(" ".join(words[:2]))
        right = format_move(self.state, code)
        if words[0] != right.split()[0]:
            self.fail(f"{quoted(text)}: right would be {right}")
        end = self.read_end(words[2:], text)
        before, loser = self._available(), self.state.seat_on_turn
        attacker = decode(code).place
        site, asked = self.state.target(attacker), False
        self.apply(code)
        if self.state.is_over:
            if end != SiegeEnd():
                self.fail(f"{quoted(text)}: the game is over with it, and nothing more happens")
            return
        while self.state.phase in ("siege_settle", "siege_loss"):
            asked |= self.decide(end)
        self.check_village(site, attacker if attacker != loser else None, end, asked)
        self.compare_losses(before, [self._lost(loser, end)])

    def read_end(self, words: list[str], clause: str) -> SiegeEnd:
        """Read the words after the site: the lost card, and the use of the site."""
        lost: str | None = None
        village: str | None = None
        left = words[::-1]
        while left:
            word = left.pop()
            verb = word.lower()
            if verb == "lost" and lost is None and left:
                lost = left.pop()
            elif verb == "leave" and village is None:
                village = "leave"
            elif verb == "settle" and village is None:
                village = " ".join(["settle", *([left.pop()] if left and left[-1].lower() != "lost" else [])])
            else:
                self.fail(f"{quoted(clause)}: {quoted(word)} has no meaning there; right would be like "
                          "lost RI settle NYK, settle, or leave")
        return SiegeEnd(lost, village)

    def decide(self, end: SiegeEnd) -> bool:
        """Decide about the lost card or the village as recorded; return whether the decision was about the village."""
        if self.state.phase == "siege_loss":
            if end.lost is None:
                self.fail("it is not told which card the siege costs")
            self.play(f"lost {end.lost}")
            return False
        if end.village is None and len(self.state.legal_moves()) > 1:
            self.fail("it is not told whether a village is placed: settle CARD, settle, or leave")
        self.play(end.village or "leave")
        return True

    def check_village(self, site: int, attacker: int | None, end: SiegeEnd, asked: bool) -> None:
        """Compare the recorded village with the rules; `attacker`: the winner of the site, None if it was held."""
        if asked or end.village is None:
            return
        placed = attacker is not None and position_of(self.state).owner[site] == attacker
        if end.village != ("settle" if placed else "leave") or attacker is None:
            what = "a village is placed there without a card" if placed else "no village is placed there"
            self.fail(f"{quoted(end.village)} does not fit the siege of {site_codes()[site]}: {what}")

    def _lost(self, seat: int, end: SiegeEnd) -> int | None:
        """Return the card type that the loser returned according to a clause."""
        return None if end.lost is None else read_card(end.lost, seat)

    def _sieges(self) -> dict[int, int]:
        return {seat: site for seat in range(2) if (site := self.state.target(seat)) >= 0}

    def _available(self) -> list[int]:
        position = position_of(self.state)
        return sorted((*position.neutral, *(card for side in position.seats for card in side.empire)))

    def compare_losses(self, before: list[int], told: list[int | None]) -> None:
        """Compare the cards lost in sieges with the recorded ones."""
        returned = self._available()
        for card in before:
            returned.remove(card)
        expected = sorted(card for card in told if card is not None)
        if returned != expected:
            def names(cards: list[int]) -> str:
                return " ".join(card_codes()[card] for card in cards) or "no card"
            self.fail(f"the siege costs {names(returned)}, not {names(expected)}")

    # ---- the end ------------------------------------------------------------------------------

    def check_end(self, recorded: RecordedGame) -> None:
        """Compare the end of the game with the record."""
        position = position_of(self.state)
        if recorded.end == RESIGNATION:
            if self.state.is_over:
                self.fail("the game has ended by the rules before anybody resigned")
        elif recorded.end and position.reason != recorded.end:
            self.fail(f"the game should end by {quoted(recorded.end)}, but by the rules "
                      + (f"ends by {quoted(position.reason)}" if position.reason else "it continues"))
        if recorded.winner is not None and self.state.is_over and recorded.winner != position.winner:
            self.fail(f"the winner is {SIDES[position.winner]}, not {SIDES[recorded.winner]}")
        for field, seat, told in recorded.final:
            found = getattr(position.seats[seat], field)
            if told != found:
                self.fail(f"final_{field}: {SIDES[seat]} has {found}, not {told}")
