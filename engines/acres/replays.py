"""Recorded games in the data's turn-by-turn form, read into game records and checked on the way (FAS-0.1, 17.8).

A file is TOML with a ``[[replay]]`` table for each game. A turn is one string::

    side | actions separated by ; | cards drawn | british money, french money, british points, french points

Blanks, letter case and separators are free, cards may stand in any order, and sieges that start a turn may be left
out where the rules decide them. What the rules contradict is refused with the line and the reason.
"""

from __future__ import annotations

import itertools
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from sfida.cython_ext.errors import InvalidRecord, SfidaError
from sfida.engines.acres.clauses import Clause
from sfida.engines.acres.moves import decode
from sfida.engines.acres.notation import format_move, read_card, read_site, words_of
from sfida.engines.acres.rules import SIDES, card_codes, site_codes
from sfida.engines.records import GameRecord, GameResult
from sfida.engines.registry import make_game
from sfida.engines.spec import quoted

if TYPE_CHECKING:
    from sfida.cython_ext.acres import AcresState

PRESETS = {"online_second_edition": "online", "second_edition": "second", "first_edition": "first"}
ASKED = ("raid", "ambush", "convert")


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


def is_replay_file(path: Path) -> bool:
    """Say whether a file is of this form, by its name."""
    return path.suffix == ".toml"


def read_replays(path: str | Path) -> list[GameRecord]:
    """Read every game of a file.

    Raises
    ------
    InvalidRecord
        If the file cannot be read, or a turn contradicts the rules: file, line, turn and reason are named.
    """
    return [_read_game(table, turns) for table, turns in _tables(Path(path))]


def read_replay(path: str | Path, number: int = 1) -> GameRecord:
    """Read one game of a file, counted from 1; raises InvalidRecord."""
    tables = _tables(Path(path))
    if not 1 <= number <= len(tables):
        raise InvalidRecord(f"{path}: there is no game {number}; the file holds game 1 to {len(tables)}")
    return _read_game(*tables[number - 1])


def _tables(path: Path) -> list[tuple[dict[str, Any], list[TurnLine]]]:
    """Return the games of a file with their turns, each knowing its line."""
    try:
        text = path.read_text(encoding="utf-8")
        games = tomllib.loads(text).get("replay", [])
    except OSError as error:
        raise InvalidRecord(f"{path}: cannot be read: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidRecord(f"{path}: {error}") from error
    if not isinstance(games, list) or not games:
        raise InvalidRecord(f"{path}: the file holds no [[replay]] table")
    lines = enumerate(text.splitlines(), start=1)
    found: list[tuple[dict[str, Any], list[TurnLine]]] = []
    for game in games:
        turns = []
        for turn in game.get("turns", ()):
            at = next((n for n, line in lines if f'"{turn}"' in line or f"'{turn}'" in line), 0)
            turns.append(TurnLine(f"{path}, line {at}" if at else str(path), str(turn)))
        if not turns:
            raise InvalidRecord(f"{path}: game {quoted(game.get('id', len(found) + 1))} has no turns")
        found.append((game, turns))
    return found


def _read_game(table: dict[str, Any], turns: list[TurnLine]) -> GameRecord:
    where = turns[0].where
    preset = str(table.get("preset", "online_second_edition"))
    options = {"preset": PRESETS.get(preset, preset)}
    if any(line.text.split("|")[2:3] and line.text.split("|")[2].strip() == "-" for line in turns):
        options["refill_may_be_skipped"] = "true"
    try:
        game = make_game("a_few_acres_of_snow", **options)
    except SfidaError as error:
        raise InvalidRecord(f"{where}: {error}") from error
    reader = _Reader(game.initial_state())  # type: ignore[arg-type]
    for seat, side in enumerate(SIDES):
        try:
            reader.deal(seat, str(table.get(f"hand_{side}", "")).split())
        except SfidaError as error:
            raise InvalidRecord(f"{where}: hand_{side}: {error}") from error
    for number, line in enumerate(turns, start=1):
        try:
            reader.play_turn(line.text)
        except SfidaError as error:
            raise InvalidRecord(f"{line.where}: turn {number}: {error}") from error
    try:
        reader.check_end(table)
    except SfidaError as error:
        raise InvalidRecord(f"{turns[-1].where}: {error}") from error
    return GameRecord(game=game.spec(), rules_version=game.rules_version, moves=tuple(reader.texts),
                      seats=("human", "human"), chance=tuple(reader.chance), result=GameResult.of(reader.state),
                      extra={"replay": str(table.get("id", ""))}, where=where)


class _Reader:
    """Plays a recorded game on a state."""

    def __init__(self, state: AcresState) -> None:
        self.state = state
        self.texts: list[str] = []
        self.chance: list[int] = []
        self.sieges = self._sieges()            # as the last turn left them
        self.owned = self._available()

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
        """Draw cards, in whatever order the deck and its reshuffle allow."""
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

    def deal(self, seat: int, cards: list[str]) -> None:
        """Deal an opening hand."""
        if self.state.mover != seat or self.state.phase != "deal":
            self.fail("there is nothing to deal")
        self.draw(cards)
        if self.state.phase == "deal" and self.state.mover == seat:
            self.fail(f"{len(cards)} cards are too few for a hand")

    # ---- a turn -------------------------------------------------------------------------------

    def play_turn(self, text: str) -> None:
        """Play one turn: its actions, its draws, and compare money and points."""
        parts = [part.strip() for part in text.split("|")]
        if len(parts) != 4:
            self.fail(f"{quoted(text)}: a turn is written 'side | actions | cards drawn | four numbers'")
        side, actions, cards, numbers = parts
        if self.state.is_over:
            self.fail("the game is over before this turn")
        if side.upper()[:1] != "BF"[self.state.seat_on_turn]:
            self.fail(f"it is the turn of the {SIDES[self.state.seat_on_turn]}, not of {quoted(side)}")
        clauses = [clause.strip() for clause in actions.split(";") if clause.strip()]
        first = [list(group) for _, group in itertools.groupby(clauses, lambda c: c.split()[0].lower() == "siege")]
        opening = first[0] if first and first[0][0].split()[0].lower() == "siege" else []
        self.start_turn(opening)
        for clause in clauses[len(opening):]:
            self.play_clause(clause)
        while self.state.phase == "main" and self.state.snapshot()["actions"]:
            self.fail(f"{self.state.snapshot()['actions']} of the turn's actions are not told")
        if self.state.phase != "main":
            self.fail(f"the last action is not complete: {self.state.phase.replace('_', ' ')} comes next")
        self.sieges, self.owned = self._sieges(), self._available()
        self.numbers = self._numbers()
        self.play("end unfilled" if cards == "-" else "end")
        if cards != "-":
            mover = self.state.mover
            self.draw(cards.split())
            if self.state.phase == "draw" and self.state.mover == mover:
                self.fail("more cards are to be drawn")
        self.check_numbers(numbers)

    def check_numbers(self, text: str) -> None:
        told = [int(word) for word in re.findall(r"-?\d+", text)]
        names = ("british money", "french money", "british points", "french points")
        if len(told) != 4:
            self.fail(f"{quoted(text)}: a turn ends with {', '.join(names)}")
        for name, mine, found in zip(names, self.numbers, told, strict=True):
            if mine != found:
                self.fail(f"{name} should be {mine} after this turn, not {found}")

    def _numbers(self) -> list[int]:
        rows = self.state.snapshot()["seats"]
        return [rows[0]["money"], rows[1]["money"], rows[0]["points"], rows[1]["points"]]

    def play_clause(self, text: str) -> None:
        """Play one clause with all that the other side answers to it."""
        words = words_of(text) if text.split()[0].lower() != "siege" else text.split()
        verb = words[0]
        if verb == "home":
            self.play("home")
            seat = self.state.mover
            self.draw(words[1:])
            if self.state.phase == "home":
                self.fail(f"{quoted(text)}: more cards are to be drawn")
            assert seat == self.state.mover
        elif verb in ("withdraw", "surrender"):
            before = self._available()
            self.play(" ".join(words[:2]))
            self.finish_siege(words[2:])
            if not self.state.is_over:
                self.compare_losses(before, [self._lost(self.state.seat_on_turn, words[2:])])
        elif verb in ASKED:
            self.play_asked(verb, words, text)
        else:
            self.play_action(text)

    def play_asked(self, verb: str, words: list[str], text: str) -> None:
        """A raid, an ambush or a conversion with its answer."""
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
        """Resolve the sieges of the start of a turn, and compare with what is told of them."""
        told = []
        for clause in clauses:
            words = clause.split()
            if len(words) < 3 or words[2].lower() not in ("won", "held"):
                self.fail(f"{quoted(clause)}: right would be like siege LOU won lost RI settle NYK")
            told.append((read_site(words[1]), words[2].lower(), words[3:]))
        for site, _, rest in told:
            if self.state.phase == "order":
                self.play(f"resolve {site_codes()[site]}")
            self.finish_siege(rest)
        if self.state.phase in ("order", "siege_settle", "siege_loss"):
            self.fail("a siege is won at the start of this turn: it is not told how it ends")
        if self.state.is_over:
            return
        now = self._sieges()
        ended = {site: attacker for attacker, site in self.sieges.items() if attacker not in now}
        if set(ended) != {site for site, _, _ in told}:
            names = ", ".join(site_codes()[site] for site in ended) or "no siege"
            self.fail(f"at the start of this turn ends {names}")
        losses = []
        for site, how, rest in told:
            won = ended[site] == self.state.seat_on_turn
            if won != (how == "won"):
                self.fail(f"the siege of {site_codes()[site]} is {'won' if won else 'held'}, not {how}")
            losses.append(self._lost(1 - self.state.seat_on_turn, rest))
        self.compare_losses(self.owned, losses)

    def finish_siege(self, words: list[str]) -> None:
        """Decide about the card lost and the village placed, where the rules ask."""
        lower = [word.lower() for word in words]
        while self.state.phase in ("siege_settle", "siege_loss") and not self.state.is_over:
            if self.state.phase == "siege_loss":
                if "lost" not in lower:
                    self.fail("it is not told which card the siege costs")
                self.play(" ".join(words[lower.index("lost"):][:2]))
            elif "settle" in lower:
                at = lower.index("settle")
                after = words[at + 1:at + 2] if lower[at + 1:at + 2] != ["lost"] else []
                self.play(" ".join(["settle", *after]))
            else:
                self.play("leave")

    def _lost(self, seat: int, words: list[str]) -> int | None:
        """Card type that a clause says the loser returned."""
        lower = [word.lower() for word in words]
        if "lost" not in lower:
            return None
        after = words[lower.index("lost") + 1:][:1]
        return read_card(after[0], seat) if after else None

    def _sieges(self) -> dict[int, int]:
        return {seat: site for seat in range(2) if (site := self.state.target(seat)) >= 0}

    def _available(self) -> list[int]:
        raw = self.state.snapshot()
        return sorted([*raw["neutral"], *raw["seats"][0]["empire"], *raw["seats"][1]["empire"]])

    def compare_losses(self, before: list[int], told: list[int | None]) -> None:
        """Compare the cards that sieges have cost with those that are told."""
        returned = self._available()
        for card in before:
            returned.remove(card)
        expected = sorted(card for card in told if card is not None)
        if returned != expected:
            def names(cards: list[int]) -> str:
                return " ".join(card_codes()[card] for card in cards) or "no card"
            self.fail(f"the siege costs {names(returned)}, not {names(expected)}")

    # ---- the end ------------------------------------------------------------------------------

    def check_end(self, table: dict[str, Any]) -> None:
        """Compare the end of the game with the header."""
        end = str(table.get("end", ""))
        if end == "resignation":
            if self.state.is_over:
                self.fail("the game has ended by the rules before anybody resigned")
        elif end:
            raw = self.state.snapshot()
            if raw["reason"] != end:
                self.fail(f"the game should end by {quoted(end)}, but by the rules "
                          + (f"ends by {quoted(raw['reason'])}" if raw["reason"] else "it goes on"))
            if table.get("winner") in SIDES and SIDES.index(table["winner"]) != raw["winner"]:
                self.fail(f"the winner is {SIDES[raw['winner']]}, not {table['winner']}")
        rows = self.state.snapshot()["seats"]
        for key, field in (("final_points", "points"), ("final_money", "money")):
            for seat, side in enumerate(SIDES):
                told = table.get(key, {}).get(side)
                if told is not None and told != rows[seat][field]:
                    self.fail(f"{key}: {side} has {rows[seat][field]}, not {told}")
