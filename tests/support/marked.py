"""A marking catalogue: it turns Italian messages into Cyrillic letters, so that untranslated words stand out."""

from __future__ import annotations

import functools
import gettext
import html
import inspect
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from sfida.cython_ext.errors import SfidaError
from sfida.cython_ext.state import GameState
from sfida.engines import language
from sfida.engines.language import ENGLISH
from sfida.engines.moves import Choices
from support.fuzzing.case import Case, Door
from support.fuzzing.numbers import spots

_LATIN, _OTHER = "abcdefghijklmnopqrstuvwxyzàèéìòù", "абцдефгчийклмнопярстувшхызаееиоу"
_MARKED = str.maketrans(_LATIN + _LATIN.upper(), _OTHER + _OTHER.upper())
_VALUE = re.compile(r"(\{[^{}]*\})")
_WORD = re.compile(r"[A-Za-zÀ-ÿ]*[a-zà-ÿ]{2,}")        # notation is short, or in capital letters
_SHOWN = re.compile(r'\b(?:aria-label|title|alt)="([^"]*)"')
_CODES = {"_language", "lang", "spoken"}       # parameters of functions whose results are cached by language
_NAMES = frozenset({"Attila", "Carcassonne", "RisiKo", "Sfida", "sfida"})


def mark(text: str) -> str:
    """Return a text in other letters, except for the values in braces."""
    return "".join(part if number % 2 else part.translate(_MARKED) for number, part in enumerate(_VALUE.split(text)))


class Marking(gettext.NullTranslations):
    """The marked Italian catalogue; `asked` collects the messages that were looked up, as context and English text."""

    def __init__(self, known: gettext.NullTranslations) -> None:
        super().__init__()
        self._known = known
        self.asked: set[tuple[str, str]] = set()

    def gettext(self, message: str) -> str:
        self.asked.add(("", message))
        return mark(self._known.gettext(message))

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        self.asked.add(("", msgid1))
        return mark(self._known.ngettext(msgid1, msgid2, n))

    def pgettext(self, context: str, message: str) -> str:
        self.asked.add((context, message))
        return mark(self._known.pgettext(context, message))

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
        self.asked.add((context, msgid1))
        return mark(self._known.npgettext(context, msgid1, msgid2, n))


@contextmanager
def speaking_marked() -> Iterator[Marking]:
    """Mark Italian messages while the block runs; words that a person may type stay unchanged."""
    here, marking = language._here, Marking(language._catalogue("it"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(language, "_here", lambda: here() if language.language() == ENGLISH else marking)
        _forget()
        yield marking
    _forget()


def _forget() -> None:
    """Clear the caches of pictures and texts that depend on the language."""
    for module in [module for name, module in sys.modules.items() if name.startswith("sfida.")]:
        for kept in [value for value in vars(module).values() if hasattr(value, "cache_clear")]:
            if _CODES & set(inspect.signature(kept).parameters):
                kept.cache_clear()


def unmarked(text: str, allowed: Iterable[str] = ()) -> list[str]:
    """Return the words of a text, a picture or a page that did not come through the catalogue.

    Names of the data files, which have their own translations, and the words in `allowed` are left out.
    """
    if "</" in text:
        text = re.sub(r"<(style|script).*?</\1>", " ", text, flags=re.DOTALL)
        text = html.unescape(" ".join([re.sub(r"<[^>]*>", " ", text), *_SHOWN.findall(text)]))
    found = [word for word in _WORD.findall(text) if word not in _NAMES and word not in _italian_names()]
    ours = {word for one in allowed for word in _WORD.findall(one)} if found else ()
    return [word for word in found if word not in ours]


def is_marked(text: str) -> bool:
    """Return whether a text has marked letters, which no English text may have."""
    return bool(re.search(f"[{_OTHER}]", text))


@functools.cache
def _italian_names() -> frozenset[str]:
    """Return the words of the Italian names in the data files."""
    folder = Path(language.__file__).parent
    data = (tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.toml")))
    names = [word for tables in data for name in _names(tables) for word in _WORD.findall(name)]
    return frozenset(names) | frozenset(name.capitalize() for name in names)


def _names(data: Any, italian: bool = False) -> Iterator[str]:
    if isinstance(data, dict):
        for key, value in data.items():
            yield from _names(value, italian or key.endswith("_it"))
    elif isinstance(data, list):
        for value in data:
            yield from _names(value, italian)
    elif italian and isinstance(data, str):
        yield data


# ---- the door -------------------------------------------------------------------------------------------

# Words of notation: verbs of moves, prices in Zarahemla.
NOTATION = ("roll end done score pass give want counter deal nodeal offer yes none", "wb wbag ggsss ags bs",
            "allow ambush besiege convert develop discard draft draw fortify govern hand hit home intendant leader "
            "leave lost merchant money none piracy raid reinforce reserve retrieve settle surrender trader withdraw")
_GAMES = ("carcassonne", "zarahemla", "risiko", "attila", "acres")
_TYPED = ("boh", "99", "0,0", "ALB", "pass", "a1>b2 3", "draft XX", "F", "+9", "[9]", "=", "settle ALB PHI")
_MOVES = 4              # moves of a position that are described in words


def italian(case: Case) -> None:
    """Every word that a game with random options shows in Italian comes through the catalogue."""
    with speaking_marked():
        seen: set[str] = set()          # moves of the game so far, which later texts repeat in notation
        for spot in spots(case, case.rng.choice(_GAMES)):
            state, game = spot.state, spot.game
            with language.speaking("it"):
                seat = state.to_move if state.to_move >= 0 else None
                moves = [] if state.is_over else spot.moves(_MOVES)
                seen |= {state.format(move) for move in moves}
                texts = [game.board_text(state, seat=seat), game.status_text(state, seat=seat), game.cards_text(state),
                         game.stock_text(state, seat=seat), *map(spot.words, moves)]
                for move in moves:
                    told = game.narrate(state, move, spot.after(move), seat)
                    texts += [told.words, *(effect.text for effect in told.effects)]
                    texts += [part.words for part in game.move_parts(state, moves)[move]]
                if seat is not None:
                    texts += [game.question(state, seat), *(_refusal(state, typed) for typed in _TYPED)]
                if state.is_over:
                    texts += game.explain_scores(state)
            ending = str(game.end_reason(state) or "") if state.is_over else ""
            allowed = (*seen, *NOTATION, *_TYPED, game.spec(), ending)
            for text in texts:
                words = unmarked(text, allowed)
                if words:
                    spot.fail(f"not in the catalogue: {', '.join(words[:8])} in {text[:400]!r}")


def _refusal(state: GameState, typed: str) -> str:
    try:
        Choices(state).find(typed)
    except SfidaError as error:
        return str(error)
    return ""


DOORS = (Door("italian", "what games show in Italian, through a catalogue that marks its words", italian, share=0.1,
              short=6),)
