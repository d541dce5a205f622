"""A person's first game of Attila: what it is about, and a lesson for each kind of decision."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfida.engines.attila.data import load_data
from sfida.engines.attila.land import Land
from sfida.engines.attila.looks import centuries, ordinal, peaceful_limit
from sfida.engines.attila.moves import LETTERS, OF_TRIBES, decode
from sfida.engines.attila.options import AttilaOptions
from sfida.engines.attila.position import Position
from sfida.engines.attila.sentences import emptied_century, ending_text, two_players
from sfida.engines.language import N_, _
from sfida.engines.lessons import Lesson
from sfida.engines.wording import listed

if TYPE_CHECKING:
    from sfida.cython_ext.attila.core import AttilaState

_INTRODUCTION = N_("""\
Six tribes pour into the Roman Empire. Nobody owns one: everybody moves all of them and gains influence with those that
pay well. Most points win.

{turn} The fifth token in a province is a conflict: all may lay cards to help tribes there, the weakest leave, a peace
tile closes the province.

Points come after peace tiles {scorings}. In each tribe, most influence brings a point for each of its tokens on the
map, second most a point for each province it is in.

The game ends after the last peace tile, the last token of a tribe, or a marker on space {last} of the chart, with a
last scoring.""")

# Key: title, text, clause. Examples of moves are taken from those that are legal.
_LESSONS = {
    "play": (N_("Playing a card"), N_("""\
Choose a card: a token of its tribe goes onto the map, and then you gain {gain} influence with it, or place a second
token.{two} The table below the map has, for each tribe, its tokens, its provinces and everybody's influence.

Look for a tribe with many tokens in which a step makes you first, or one in many provinces in which it makes you
second. Alone in a tribe you are paid both. Cards without a place for a token are not offered.

Type the letter of the tribe, here {letter}, or all at once: {letter}@{code}+{gain} for influence,
{letter}@{code},{code} for two tokens."""), "ATT-3"),
    "dead": (N_("Only dead cards"), N_("""\
No card of your hand has a province that is open to its tribe, so none can be played: {dead}

Pacified provinces close the way for tribes behind them. The tile Exchange (*X) brings other cards, if you still have
it."""), "ATT-4.10"),
    "place": (N_("Placing a token"), N_("""\
A token goes to a start province (*), to a province where its tribe stands, or next to one, by land or over water. A
tribe that is not on the map begins in a start province. Provinces at peace (#) are closed.

Tokens pay whoever is first in the tribe, provinces whoever is second. The token that makes {fight} starts a conflict
in your turn; if you leave {calm} there, the next player can start it. At peace tokens are safe.

Type the code of a province, here {code}; 'adj {code}' names its neighbours."""), "ATT-4"),
    "follow": (N_("Influence or a second token"), N_("""\
You do one of two. Influence moves your marker of this tribe up by {gain}; markers never go back, and a card brings
{gains} in the four centuries. A second token of the tribe goes where the first might have gone.

Influence decides who is paid, tokens how much. A second token is good where you lead by far, or to start a conflict:
conflicts are fought after this choice. A marker on space {last} ends the game.

Type +{gain} for influence, or the code of a province."""), "ATT-5"),
    "order": (N_("Two conflicts"), N_("""\
Both your tokens were the fifth of a province, so there are two conflicts, one after the other. The first gets the next
peace tile, which may end the century{scored}. Cards laid in the first are gone in
the second.

Type the code of the province that comes first, here {code}."""), "ATT-6.13"),
    "commit": (N_("A conflict in your turn"), N_("""\
The province is too full: the weakest tribe will leave it. A tribe is as strong as its tokens there and all cards laid
for it, by anybody; tribes that share the lowest strength all leave. The rest stay for good, at peace.

You begin, then the others, each once; they see how many cards you lay{hidden}. You draw at the end of this turn, so
cards are cheap for you. The strengths shown count the cards that you know.

Type letters of tribes, such as {letters} for two, or done for none (or no more)."""), "ATT-6"),
    "answer": (N_("A conflict in another's turn"), N_("""\
You may lay cards for tribes of this province, too. The weakest leave, tokens and cards counted together; the others
stay at peace for good. Help a tribe that pays you, or one whose rival you want gone.

Others see how many cards you lay{hidden}. You draw none before the end of your own next turn, and need cards for that
turn: they are dear.

Type letters of tribes, or done for none (or no more)."""), "ATT-6"),
    "prescore": (N_("Before a scoring"), N_("""\
The {century} century is over, so all tribes are scored. First in a tribe: a point for each token. Second: a point for
each province. Alone: both. Several first share both, without a second; several second share theirs, rounded up.{second}

Influence 2 (*I) is worth most where it takes a first place or breaks a tie in a big tribe. The note beside 'score' says
who gets what.

Type score to go on, or *I(F2) or *I(F,V) for two steps."""), "ATT-8"),
    "unscored": (N_("No scoring now"), N_("""\
The {century} century is over, but the game ends with this turn: {ending}. So this century is not scored; the final
scoring at the end of the turn takes its place.

Type score to go on."""), "ATT-13.13"),
    "end": (N_("Ending the turn, and tiles"), N_("""\
Your card is played. One action tile a turn may be used, each once in the game: Double turn (*D) plays one more card,
Exchange (*X) swaps cards of your hand for as many from the pile, Influence 2 (*I) moves up twice in one tribe or once
in two.

Keep Influence 2 for a scoring that it decides and Double turn for a turn that wins a conflict; at the end of the game
unused tiles are worth nothing.

Type end: you draw up to {hand} cards, and the next player begins. *X(HHG) or *I(F2) use a tile at once."""), "ATT-9"),
    "last": (N_("The last turn"), N_("""\
The game ends with this turn: {ending}. When you end it, all tribes are scored a last time, and whoever has most points
wins. Nobody draws any more.

A tile is worth nothing afterwards: two steps of Influence 2 (*I) may still take a place, a card of Double turn (*D) may
still bring tokens or influence. The note beside 'end' says what everybody gets.

Type end, or a tile."""), "ATT-11"),
    "give": (N_("Exchanging cards"), N_("""\
Put aside the cards that you want to be rid of, at least one, then draw as many. Everybody sees which they are. Keep the
tribes in which you stand well, and give away those that have no place or that pay somebody else.

The note beside 'draw' says how likely each tribe is among the cards to come. Type the letter of a tribe, card by card,
then draw."""), "ATT-9.5"),
    "inf_a": (N_("Influence 2: the first step"), N_("""\
Your markers go up by two in all: one step now, one more after it, in the same tribe or another. The note beside a tribe
says where you would stand. A tie shares both prizes of a tribe, one more step takes the tokens alone.

Type the letter of a tribe, here {letter}."""), "ATT-9.6"),
    "inf_b": (N_("Influence 2: the second step"), N_("""\
One step is left, in the same tribe or one further down the chart: the order means nothing, so each pair is offered
once.

Type the letter of a tribe, here {letter}."""), "ATT-9.6"),
}


def introduction(land: Land, options: AttilaOptions) -> str:
    """Tell what the game is about."""
    if options.players == 2:
        turn = _("In a turn you play two cards, one after the other. Each token goes onto the map; then you gain "
                 "influence with its tribe, or place a second token.")
    else:
        turn = _("In a turn you play a card. Its token goes onto the map; then you gain influence with its tribe, or "
                 "place a second token.")
    tiles = [row["last_tile_number"] for row in load_data()["centuries"]]
    return _plain(_(_INTRODUCTION)).format(turn=turn, scorings=listed([str(number) for number in tiles]),
                                           last=land.last_space)


def lesson_of(state: AttilaState, position: Position, options: AttilaOptions) -> Lesson:
    """Return what a new player should know about a decision; `position` is the state as the mover sees it."""
    moves = [decode(code) for code in state.legal_moves()]
    kinds = {move.kind for move in moves}
    key = position.phase
    if key == "play" and "card" not in kinds:
        key = "dead"
    elif key == "commit" and position.seat_to_move != position.seat_on_turn:
        key = "answer"
    elif key == "prescore" and not position.scored_next:
        key = "unscored"
    elif key == "end" and position.ending:
        key = "last"
    title, text, rule = _LESSONS[key]
    tribes = [move.what for move in moves if move.kind in OF_TRIBES]
    places = [move.what for move in moves if move.kind in ("at", "second", "fight")]
    if key == "play":
        places = sorted(state.allowed(tribes[0]), key=lambda province: sum(position.tokens[province]))
    letter = LETTERS[tribes[0]] if tribes else ""
    data = load_data()
    return Lesson(key, _(title), _plain(_(text)).format(
        gain=position.gain, gains=listed([str(one.gain) for one in centuries()]), hand=data["turn"]["hand_size"],
        last=position.land.last_space, fight=peaceful_limit() + 1, calm=peaceful_limit(), letter=letter,
        letters=letter * 2 or "HG", code=position.land.provinces[places[0]].code if places else "",
        two=_(" You play two cards in a turn.") if options.players == 2 else "",
        hidden=_(" and which") if options.open_commitments else _(", not which, until all are done"),
        century=ordinal(emptied_century(position)), ending=ending_text(position),
        dead=_dead(letter, "skip" in kinds), second=two_players(options), scored=_scored(options)), rule)


def _scored(options: AttilaOptions) -> str:
    """Say when a century is scored that the first of two conflicts ends (ATT-8.11)."""
    if options.scoring_timing == "immediate":
        return _(": then the second is fought after a scoring")
    return _(", and is scored after the second")


def _dead(letter: str, skip: bool) -> str:
    """Say what follows when no card can be played (ATT-4.10, 13.7)."""
    if skip:
        return _("you keep them and play nothing. Type --.")
    return _("you discard one, without a token and without influence. Get rid of one that you need least. "
             "Type ~ and its letter, here ~{letter}.").format(letter=letter)


def _plain(text: str) -> str:
    """Return paragraphs in one line each."""
    return "\n\n".join(" ".join(paragraph.split("\n")) for paragraph in text.split("\n\n"))
