"""The agent `level`: an opponent of one of ten strengths that errs as people do, or one that follows the person.

A keyed hash of (seed, position, move) draws everything: a player who returns to a position with the same seed considers
the same moves with the same errors.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

from sfida.ai.agent import NamedAgent
from sfida.ai.analysis import Analysis
from sfida.ai.ismcts import IsmctsAgent
from sfida.ai.levels.person_rating import person_level
from sfida.ai.levels.scale import LEVELS, Strength, scale_of
from sfida.ai.search import IsmctsOptions, certain_win
from sfida.ai.seat import Seat
from sfida.cython_ext.errors import IllegalMove, InvalidOption
from sfida.cython_ext.players import Player
from sfida.cython_ext.searching import LevelPlayer, SearchPlayer, considered
from sfida.cython_ext.state import View, restore
from sfida.engines.characters import Character, characters
from sfida.engines.game import Game
from sfida.engines.language import _
from sfida.engines.spec import canonical, options_from, parse_spec, quoted

# ---- The moves that a player considers, and the misjudgement of each

_ALL = 2**31 - 1                        # a sight without limit


def looked_at(view: View, strength: Strength, seed: int) -> dict[int, float]:
    """Return the moves that a player considers, each with the error of its evaluation in log odds.

    The likeliest move by the game's priors comes first. Others are drawn without replacement, likelier ones sooner.
    Errors have a triangular distribution: none is larger than 2.45 standard deviations, so errors never bridge a clear
    gap between two moves.

    Parameters
    ----------
    view : View
    strength : Strength
    seed : int
        Seed of the decision.
    """
    return dict(considered(view.key(), view.move_priors(), strength.sight or _ALL, strength.misjudge, seed))


# ---- The agent `level`: an opponent of one of ten strengths, or one that follows the person

AUTO = "auto"
_FINEST = 2                             # decimals of a level


@dataclass(frozen=True)
class LevelOptions:
    """The only option of `level`: a number from 1 to 10, `auto`, or the parameters of a `Strength`; and a character."""

    level: str = field(metadata={
        "doc": "1 (loses to a beginner) to 10 (about 2 s a move), also between, such as 4.5; auto: by the record "
               "of your games; or its parameters: " + ", ".join(f"{each.name}=" for each in fields(Strength))
               + "; after a slash one of the game's characters, such as 5/raider"})

    def __post_init__(self) -> None:
        object.__setattr__(self, "level", _text(self.level))

    @property
    def plain(self) -> str:
        """The level without its character."""
        return self.level.partition("/")[0]

    @property
    def character(self) -> str | None:
        """The name of the character; None if it has none."""
        return self.level.partition("/")[2] or None

    @property
    def number(self) -> float | None:
        """The level; None if a number does not give it."""
        return None if self.plain == AUTO or "=" in self.plain else float(self.plain)

    @property
    def strength(self) -> Strength | None:
        """The strength; None if it depends on the game."""
        return _strength(self.plain) if "=" in self.plain else None


class LevelAgent(NamedAgent):
    """Searches like `ismcts`, but overlooks and misjudges more moves and looks less far the lower its level.

    `docs/play/levels.md` describes the model. Every level sees a move that wins at once.
    `auto` takes its value when the game is known, from the record of the person.
    """

    name = "level"
    doc = "an opponent of your strength: level:1 to level:10, or level:auto"
    options_class = LevelOptions
    free_text = "level"
    reusable: ClassVar[bool] = True

    def __init__(self, options: LevelOptions, seed: int = 0) -> None:
        super().__init__(options, seed)
        self._game: Game | None = None
        self._level = options.number
        self._strength = options.strength
        self._played = Strength()
        self._player: IsmctsAgent | None = None
        self._character: Character | None = None
        self._mind: Game | None = None          # the game with the character's weights

    @property
    def level(self) -> float | None:
        """The level, 1 to 10; None if it is given by parameters, or not determined yet."""
        return self._level

    @property
    def follows_person(self) -> bool:
        """Whether the record of the person determines the level."""
        return bool(self.options.plain == AUTO)

    @property
    def longest(self) -> float | None:
        """Seconds that a decision may take, as for the search behind it."""
        return None if self._player is None else Seat(self._player).longest

    @property
    def spec(self) -> str:
        """Spec that builds the agent again: with the level that `auto` has taken."""
        name = self.options.character
        return super().spec if self._level is None else (
            f"{self.name}:{level_text(self._level)}" + (f"/{name}" if name else ""))

    def check_game(self, game: Game) -> None:
        """Determine the strength of the level in a game.

        Raises
        ------
        InvalidOption
            If the game has no such character.
        InvalidLevels
            If the game's own table is wrong.
        """
        if self._game == game and self._player is not None:
            return
        character = character_of(game, self.options.character)
        if self.follows_person:
            self._level = person_level(game)
        strength = self._strength
        if strength is None:
            assert self._level is not None
            shift = 0.0 if character is None else character.shift
            strength = scale_of(game).strength(min(max(self._level + shift, 1.0), float(LEVELS)))
        if strength.depth is not None and not game.initial_state().has_evaluation:
            raise InvalidOption(f"the game '{game.name}' has no evaluation, so playouts cannot be cut off: "
                                "leave 'depth' out")
        self._game, self._played, self._player = game, strength, IsmctsAgent(_options(strength), self.seed)
        self._player.check_game(game)
        self._character, self._mind = character, None if character is None else character.game(game)

    def new_game(self) -> None:
        """Forget the previous game."""
        super().new_game()
        if self._player is not None:
            self._player.new_game()

    def choose(self, view: View) -> int:
        """Return the move to play; raises IllegalMove if the seat is not to move."""
        player, view = self._ready(view)
        if self._played.is_whole:
            move = player.choose(view)
            self.last_analysis = player.last_analysis
            return move
        self.last_analysis = self._looking(player, view, choosing=True)
        return int(self.last_analysis.best.code)

    def analyze(self, view: View) -> Analysis:
        """Spend the whole budget and return the moves that the player considers."""
        player, view = self._ready(view)
        return player.analyze(view) if self._played.is_whole else self._looking(player, view, choosing=False)

    def player(self, game: Game) -> Player | None:
        self.check_game(game)
        if type(self) is not LevelAgent or self._player is None:
            return None
        start = game.initial_state()
        if self._character is not None and self._mind is not None:
            known, start = start.knowledge, self._mind.initial_state()
            start.set_knowledge(self._character.knowledge(known))
        if self._played.is_whole:
            return self._player.searching(SearchPlayer, start)
        return self._player.searching(LevelPlayer, start).err(self._played.sight or _ALL, self._played.misjudge)

    def rest(self) -> None:
        """Release the memory of the tree."""
        if self._player is not None:
            self._player.rest()

    def cancel(self) -> None:
        """End the running search with its present result; may be called from a signal handler or a thread."""
        if self._player is not None:
            self._player.cancel()

    def _ready(self, view: View) -> tuple[IsmctsAgent, View]:
        """Return the search, and the view as the character judges it."""
        self.check_game(view.game)
        assert self._player is not None
        self._player.seed, self._player.on_progress = self.seed, self.on_progress
        if self._character is None or self._mind is None:
            return self._player, view
        return self._player, restore(self._mind, view.key(), self._character.knowledge(view.knowledge)).view(view.seat)

    def _looking(self, player: IsmctsAgent, view: View, *, choosing: bool) -> Analysis:
        moves = view.candidate_moves()
        if not moves:
            raise IllegalMove(f"seat {view.seat} is not to move")
        only = moves[0] if len(moves) == 1 else certain_win(view)
        if only is not None:
            return player.forced(view, only)
        seen = looked_at(view, self._played, self.seed)
        return player.search(view, choosing=choosing, lines=1 if choosing else len(seen), only=seen)


def character_of(game: Game, name: str | None) -> Character | None:
    """Return a character of a game, None for no name; raises InvalidOption, which names those that the game has."""
    known = characters(type(game))
    if name is None or name in known:
        return None if name is None else known[name]
    raise InvalidOption(
        _("there is no character {name} in {game}; it has {known}").format(
            game=_(game.title), name=quoted(name), known=", ".join(known)) if known else
        _("there are no characters in {game}: leave {name} out").format(game=_(game.title), name=quoted(f"/{name}")))


def level_text(level: float) -> str:
    """Return a level in the form of a spec: 4, 4.5."""
    return f"{round(level, _FINEST):g}"


def _text(level: Any) -> str:
    """Return the text of a level; raises InvalidOption."""
    text = level.strip() if isinstance(level, str) else str(level)
    plain, slash, character = text.partition("/")
    if slash:
        if not re.fullmatch(r"[a-z_]{1,40}", character.strip()):
            raise InvalidOption(_("after the slash of a level stands the name of a character, such as {example}, not "
                                  "{text}").format(example="5/raider", text=quoted(character)))
        return f"{_text(plain)}/{character.strip()}"
    if text == AUTO:
        return text
    if "=" in text:
        return canonical("level", _strength(text)).partition(":")[2] or f"iterations={Strength().iterations}"
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 1.0 <= number <= LEVELS or isinstance(level, bool):
        raise InvalidOption(_("a level is a number from 1 to {most}, or {auto}, not {text}").format(
            most=LEVELS, auto=AUTO, text=quoted(level)))
    return level_text(number)


def _strength(text: str) -> Strength:
    return options_from(Strength, parse_spec(f"level:{text}")[1], "agent 'level'")


def _options(strength: Strength) -> IsmctsOptions:
    """Return the options of the search behind a strength; players who err do not solve endgames."""
    if strength.is_whole:
        return IsmctsOptions(iterations=strength.iterations, cutoff=strength.depth)
    return IsmctsOptions(iterations=strength.iterations, cutoff=strength.depth, endgame=0, reuse=False)
