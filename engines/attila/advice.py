"""Advice on Attila: gains of a move, the standing of a seat, and lessons for a first game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import comb
from typing import TYPE_CHECKING, cast

from sfida.cython_ext.rng import Random
from sfida.engines.attila.map import Land
from sfida.engines.attila.narration import emptied_century, ending_text, tribe_pays, two_players
from sfida.engines.attila.options import AttilaOptions
from sfida.engines.attila.position import (
    LETTERS, NOTHING, OF_TRIBES, Move, Position, Six, decode, encode, foreseen, known_strengths, six, weakest
)
from sfida.engines.attila.style import centuries, on_board, ordinal, peaceful_limit, seat_name, spread, tribes
from sfida.engines.attila.tables import load_data
from sfida.engines.language import N_, _, chance_text, counted, listed, ngettext, pgettext
from sfida.engines.narration import Lesson, Term

if TYPE_CHECKING:
    from sfida.cython_ext.attila.core import AttilaState


# ---- Notes on a move of Attila beyond its words: ranks, conflicts, odds of a draw

_WORLDS = 5000          # determinized worlds over which the draw pile is averaged
_RANKS = (N_("1st"), N_("2nd"), N_("3rd"), N_("4th"), N_("5th"))
_SHARED = (N_("shared 1st"), N_("shared 2nd"), N_("shared 3rd"), N_("shared 4th"), N_("shared 5th"))


def move_note(state: AttilaState, position: Position, move: Move, options: AttilaOptions) -> str:
    """Return a note on the gains of a legal move; `position` is the state as the mover sees it."""
    if move.kind == "card":
        return _tribe_note(position, move.what)
    if move.kind in ("at", "second"):
        return _place_note(position, move.what)
    if move.kind in ("influence", "inf_a", "inf_b"):
        tribe = position.card if move.kind == "influence" else move.what
        return _gain_note(position, tribe, position.gain if move.kind == "influence" else 1, options)
    if move.kind in ("commit", "done"):
        return _conflict_note(position, move)
    if move.kind in ("go_on", "end_turn"):
        return _scoring_note(state, position, move)
    if move.kind == "tile_exchange":
        if not position.pile:
            return _("the cards come from the discards, those put aside among them")
        return _("a card drawn is {odds}").format(odds=_draw_odds(state, position, 1))
    if move.kind == "give_done":
        return _("at least one {odds}").format(odds=_draw_odds(state, position, sum(position.given)))
    return ""


def _scoring_note(state: AttilaState, position: Position, move: Move) -> str:
    """Give the points that each seat gets in a scoring right after the move (ATT-8, 11.5, 11.6)."""
    after = state.clone()
    after.apply(encode(move))
    if move.kind == "end_turn" and not after.is_over:
        return ""
    if move.kind == "go_on" and not position.scored_next:
        return _("no scoring: the final one takes its place")
    paid = ", ".join(f"{seat_name(seat)} +{new - old:g}"
                     for seat, (old, new) in enumerate(zip(state.scores(), after.scores(), strict=True)))
    return _("final scoring: {points}").format(points=paid) if move.kind == "end_turn" else paid


def _tribe_note(position: Position, tribe: int) -> str:
    """Give the tokens and provinces of a tribe, and the influence of the mover and the strongest rival in it."""
    tokens, provinces = on_board(position)[tribe], spread(position)[tribe]
    size = (f"{counted(tokens, 'token', 'tokens')}, {counted(provinces, 'province', 'provinces')}" if tokens
            else _("no token yet"))
    spaces = [(one.influence[tribe], seat) for seat, one in enumerate(position.seats)]
    others = max((pair for pair in spaces if pair[1] != position.seat_to_move), key=lambda pair: pair[0])
    own = position.seats[position.seat_to_move].influence[tribe]
    return _("{size}; you {own}, {seat} {space}").format(size=size, own=own, seat=seat_name(others[1]), space=others[0])


def _place_note(position: Position, province: int) -> str:
    """Describe the effect of a token of the card in play in a province, as far as the viewer knows."""
    after = _placed(position, province)
    there = sum(after.tokens[province])
    if there > peaceful_limit():
        return _("conflict, {weakest}").format(weakest=weakest_text(after, province))
    if there == peaceful_limit():
        return _("the next one starts a conflict")
    return _("a new province") if after.tokens[province][position.card] == 1 else ""


def _placed(position: Position, province: int) -> Position:
    """Return a position with one more token of the card in play."""
    tokens = list(position.tokens)
    tokens[province] = _one_more(tokens[province], position.card)
    full = sum(tokens[province]) > peaceful_limit()
    return replace(position, tokens=tuple(tokens), queue=(*position.queue, province) if full else position.queue)


def _gain_note(position: Position, tribe: int, spaces: int, options: AttilaOptions) -> str:
    """Describe the space and rank that influence leads to, and the gain in the next scoring."""
    seat = position.seat_to_move
    who, tokens = position.seats[seat], foreseen(position)
    space = min(position.land.last_space, who.influence[tribe] + spaces)
    raised = replace(who, influence=six(space if i == tribe else n for i, n in enumerate(who.influence)))
    after = replace(position, seats=tuple(raised if i == seat else one for i, one in enumerate(position.seats)))
    more = (tribe_pays(after, tribe, tokens, options)[seat] - tribe_pays(position, tribe, tokens, options)[seat])
    rivals = [one.influence[tribe] for i, one in enumerate(position.seats) if i != seat]
    rank = 1 + sum(other > space for other in rivals)
    place = _((_SHARED if space in rivals else _RANKS)[rank - 1])
    if space == position.land.last_space:
        place = _("the last space")
    if more:
        return _("to {space}, {place}; pays {more} more").format(space=space, place=place, more=more)
    return _("to {space}, {place}; pays no more").format(space=space, place=place)


def _conflict_note(position: Position, move: Move) -> str:
    """Name the weakest tribes after the move, counting the cards that the viewer knows."""
    if move.kind == "commit":
        seat = position.seat_to_move
        cards = _one_more(position.seats[seat].laid_cards or NOTHING, move.what)
        position = replace(position, seats=tuple(replace(one, laid_cards=cards) if i == seat else one
                                                 for i, one in enumerate(position.seats)))
    return weakest_text(position, position.queue[0])


def _one_more(counts: Six, tribe: int) -> Six:
    return six(n + (i == tribe) for i, n in enumerate(counts))


def weakest_text(position: Position, province: int) -> str:
    strength = known_strengths(position, province)
    gone = weakest(strength)
    who = (listed([tribes()[tribe].name for tribe in gone]) if len(gone) < 3 else
           _("{number} tribes").format(number=len(gone)))
    return _("weakest {tribes} at {strength}").format(tribes=who, strength=strength[gone[0]])


def _draw_odds(state: AttilaState, position: Position, cards: int) -> str:
    """Give the chance of each tribe to be among the cards drawn in an exchange.

    When the pile runs out, cards are drawn from the discards, which then include the cards put aside (ATT-10.4). If
    every unseen card is equally likely to lie in the pile (ATT-16.3), a draw from the pile is a draw from all unseen
    cards; otherwise the odds are averages over worlds determinized for the mover.
    """
    first = min(cards, position.pile)
    rest = [a + b for a, b in zip(position.discards, position.given, strict=True)]
    later = [_without(rest, tribe, cards - first) for tribe in range(len(LETTERS))]
    view, seat = state.view(state.to_move), position.seats[position.seat_to_move]
    if _one_pile(state):
        assert seat.hand is not None
        seen = [a + b for a, b in zip(seat.hand, rest, strict=True)]
        unseen = [tribe.cards - seen[tribe.number] for tribe in tribes()]
        found = [_without(unseen, tribe, first) for tribe in range(len(LETTERS))]
    else:
        rng, found = Random(1), [0.0] * len(LETTERS)
        for _world in range(_WORLDS):
            pile = cast("AttilaState", view.sample(rng)).pile()
            for tribe in range(len(LETTERS)):
                found[tribe] += _without(pile, tribe, first) / _WORLDS
    return ", ".join(f"{letter} {chance_text(1 - none * after)}"
                     for letter, none, after in zip(LETTERS, found, later, strict=True))


def _one_pile(state: AttilaState) -> bool:
    """Return whether all cards known to have been drawn came from one pile, and nobody has shown a dead hand."""
    kinds = [kind for kind, _seat, _what in state.history()]
    return "dead" not in kinds and kinds.count("draw") <= sum(state.history_base())


def _without(cards: Sequence[int], tribe: int, drawn: int) -> float:
    """Return the probability that no drawn card belongs to a tribe."""
    return comb(sum(cards) - cards[tribe], drawn) / comb(sum(cards), drawn)


# ---- The standing of a seat in Attila, for hints


def standing_of(position: Position, seat: int, options: AttilaOptions) -> tuple[Term, ...]:
    """Return the standing of a seat, in a position as the viewer sees it.

    The points of the next scoring are computed after the pending conflicts, which are resolved with the cards that the
    viewer knows to lie there. The hand of the seat on turn counts as full, because it is refilled at the end of the
    turn (ATT-3.2), unless the game ends then (ATT-10.6).
    """
    who, tokens = position.seats[seat], foreseen(position)
    many, one = (ngettext("point a scoring ({tribe})", "points a scoring ({tribe})", number) for number in (2, 1))
    pays = [Term(many.format(tribe=tribe.name), tribe_pays(position, tribe.number, tokens, options)[seat],
                 one=one.format(tribe=tribe.name)) for tribe in tribes()]
    cards = load_data()["turn"]["hand_size"] if seat == position.seat_on_turn and not position.ending else \
        who.hand_size
    return (Term(ngettext("point", "points", 2), who.score, one=ngettext("point", "points", 1)), *pays,
            Term(pgettext("attila", "influence"), sum(who.influence)),
            Term(ngettext("card", "cards", 2), cards, one=ngettext("card", "cards", 1)),
            Term(ngettext("action tile", "action tiles", 2), len(who.tiles),
                 one=ngettext("action tile", "action tiles", 1)))


# ---- A person's first game of Attila: an introduction, and a lesson for each kind of decision

_INTRODUCTION = N_("""\
Six tribes pour into the Roman Empire. Nobody owns one: everybody moves all of them and gains influence with those that
pay well. Most points win.

{turn} The fifth token in a province is a conflict: all may lay cards to help tribes there, the weakest leave, a peace
tile closes the province.

Points come after peace tiles {scorings}. In each tribe, most influence brings a point for each of its tokens on the
map, second most a point for each province it is in.

The game ends after the last peace tile, the last token of a tribe, or a marker on space {last} of the chart, with a
last scoring.""")

# Key: title, text, clause. Examples of moves are taken from the legal moves.
LESSONS = {
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

Type score to continue, or *I(F2) or *I(F,V) for two steps."""), "ATT-8"),
    "unscored": (N_("No scoring now"), N_("""\
The {century} century is over, but the game ends with this turn: {ending}. So this century is not scored; the final
scoring at the end of the turn takes its place.

Type score to continue."""), "ATT-13.13"),
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
    """Return the introduction to the game."""
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
    """Return the lesson for a new player on a decision; `position` is the state as the mover sees it."""
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
    title, text, rule = LESSONS[key]
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
    """Describe the time of the scoring when the first of two conflicts ends a century (ATT-8.11)."""
    if options.scoring_timing == "immediate":
        return _(": then the second is fought after a scoring")
    return _(", and is scored after the second")


def _dead(letter: str, skip: bool) -> str:
    """Describe the consequence when no card can be played (ATT-4.10, 13.7)."""
    if skip:
        return _("you keep them and play nothing. Type --.")
    return _("you discard one, without a token and without influence. Get rid of one that you need least. "
             "Type ~ and its letter, here ~{letter}.").format(letter=letter)


def _plain(text: str) -> str:
    """Return a text with each paragraph on one line."""
    return "\n\n".join(" ".join(paragraph.split("\n")) for paragraph in text.split("\n\n"))
