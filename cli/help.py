"""The help inside a game: the commands and signs on one screen, and topics with a screen of their own."""

from __future__ import annotations

from sfida.cython_ext.errors import InvalidNotation
from sfida.engines.drawing.plain import plain
from sfida.engines.faces.notation import Notation
from sfida.engines.language import N_, _, in_every_language, pgettext
from sfida.engines.spec import quoted
from sfida.engines.wording import listed

COMMANDS = N_("""\
Type a move by its number in the list or on the board, by name, or in notation.
hint  ask the computer   why MOVE  what speaks against it   why  its last move
undo  back to your last decision   redo  play it again   rule 5.3  rules  them
board  draw it again   moves  list them all   log  what was played
tiles  what is left   cards  codes, effects, prices   status  how it stands
quit  leave; it is kept   resign  give up   save FILE  keep it   ? hint  columns
The only legal move plays itself. While the computer thinks, Ctrl-C: move now.""")

PRACTICE = N_("""\
Type the move that you would play now, by its number, by name, or in notation.
hint  ask the computer   why MOVE  what speaks against it: with either of them
the position is not solved yet and stays for another day
solution  give up and see it   skip  leave it for now   quit  leave
board  draw it again   moves  list them all   log  what was played
tiles  what is left   cards  codes, effects, prices   status  how it stands
rule 5.3  rules  them   ? hint  columns""")

ADVICE = N_("""\
What the tables of hint and why say, best move first:
#         the number of the move in the list
visits    how often the search looked at the move: the more, the surer
share     its part of all visits; the search looks most at what it likes best
win       the share of the win that each seat can expect after the move; they
          add up to 100 %, and a tie is shared
reward ≥  a cautious estimate of what the move is worth to its player, from 0 to
          1: few visits make it low; the best among the well visited is played
prior     the chance that a good player chooses the move, guessed at first sight
play      for choices that are hidden and made at the same time: how often to
          choose the move, so that nobody can predict it
goes on   what the search expects next, in notation
best      the move that the computer would play; next: the second best; asked:
          the move that you asked about, searched on its own
costs     how much of the win is lost by that move
for it, against it   what the move, with the rest of the turn, changes in favour
          of its player and of the others; the answer brings: what the reply changes
-         the search has not tried the move, so nothing is known of it
Columns that are empty or have no room are left out.
Ctrl-C while the adviser thinks: it answers now.""")

TOPICS = {"hint": ADVICE, "why": ADVICE}


def help_on(topic: str, game: Notation, *, color: bool, width: int, commands: str = COMMANDS) -> str:
    """Return the help on a topic, on commands, given as a text, and signs if it is "".

    Raises
    ------
    InvalidNotation
        If there is no such topic.
    """
    if not topic:
        return f"{_(commands)}\n{game.help_text(color=color, width=width)}"
    found = next((text for name, text in TOPICS.items()
                  if plain(topic.lower()) in map(plain, in_every_language(name, "command"))), None)
    if found is None:
        raise InvalidNotation(_("there is no help on {text}; '?' alone shows the commands and signs, and {topics} the "
                                "columns of advice").format(text=quoted(topic), topics=listed(
                                    [f"'? {pgettext('command', name)}'" for name in TOPICS])))
    return _(found)
