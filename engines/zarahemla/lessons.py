"""A first game of Zarahemla: what it is about, and a lesson for each kind of decision.

The texts name what differs between options in braces; `_values` fills them in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfida.engines.language import N_, _
from sfida.engines.lessons import Lesson
from sfida.engines.wording import counted, listed
from sfida.engines.zarahemla.looks import RESOURCES, resource_letters, resource_noun
from sfida.engines.zarahemla.moves import decode
from sfida.engines.zarahemla.notes import cost_text
from sfida.engines.zarahemla.options import Ruleset
from sfida.engines.zarahemla.rules import load_data
from sfida.engines.zarahemla.seen import position_of
from sfida.engines.zarahemla.tables import CARD_IDS

if TYPE_CHECKING:
    from sfida.cython_ext.zarahemla.core import ZarahemlaState

_PLAYS = ("play_warrior", "play_prosperity", "play_harvest", "play_road_building", "play_temple_building")
_TURN = (("liahona", ("play_liahona",)), ("card", _PLAYS), ("stone", ("temple_stone",)), ("city", ("city",)),
         ("settlement", ("settle",)), ("buying", ("buy_dev",)), ("bank", ("bank_trade",)))

INTRODUCTION = N_("""\
You settle a new land, and win with {target} points in your own turn. A settlement is worth {settlement}, a city
{city}, some development cards {point_card} each. {longest_road} points go to whoever leads in {races}.

In a turn you roll two dice. Every hex with that number gives a card to each settlement at its corners, and two to
each city. You trade these cards and build {things}. The dots beside a number are its chances out of 36.

On a seven nobody gets anything: hands of more than {limit} cards lose half, and whoever rolled moves the robber, who
stops the harvest of one hex, and steals a card.""")

LESSONS = {                             # by kind of decision: title, clause, text
    "init_settlement": (N_("A starting settlement"), "ZAR-4.4", N_("""\
You start with {starting} settlements. Each goes to a corner {site}, with no settlement one path away. A corner gives
cards of the hexes around it. Count the dots: ten or more is good, and so are different resources and numbers. Wood
and brick make roads and settlements, wheat and stone cities.

Type the number of a corner as the board shows it, such as 23 (or S23).""")),
    "init_road": (N_("The road beside it"), "ZAR-4.5", N_("""\
Each settlement comes with a road, along one of the paths at its corner. Lead it to where you want to settle next:
that is at least two paths away, so look at the corners beyond the next one.

Type the number of the corner where the road ends, or both corners, such as R23-29.""")),
    "init_choose": (N_("The first cards"), "ZAR-4.7", N_("""\
One of your settlements gives you your first cards: one for each hex around it. Wood and brick bring a road at once;
with water and wheat as well you can soon build a settlement.

Type the number of the corner where that settlement stands, such as 23 (or G23).""")),
    "pre_roll": (N_("A turn begins"), "ZAR-5.1", N_("""\
A turn begins with the dice. Before them you may play a development card{stones_before}; everything else waits until
they have fallen. A Warrior before the dice drives the robber off a hex of yours in time for the harvest.

Type roll.""")),
    "main": (N_("Trading and building"), "ZAR-5.3", N_("""\
After the dice you trade and build in any order, as often as your cards allow. A road costs {road_cost}; cards tells
you what everything costs. If you lack a card, swap with the bank, {bank_ratio} equal ones for one{trade}.

build, trades and plays list what you can do. R23-29 builds a road{offer_line}, end passes the dice on.""")),
    "settlement": (N_("A new settlement"), "ZAR-8.4", N_("""\
You can build a settlement for {settlement_cost}. It is worth {settlement} point, gives cards of up to three hexes,
and at a station on the shore it makes trades with the bank cheaper. It needs a road of yours and no neighbour one
path away, so good places are soon taken. Prefer resources that you do not get yet.

Type the number of the corner, such as 23 (or S23); build lists the places with what they yield.""")),
    "city": (N_("A city"), "ZAR-8.5", N_("""\
A settlement of yours can become a city for {city_cost}. It is worth {city} points instead of {settlement}, and each
hex gives it two cards instead of one. Choose the settlement with the most dots, above all on wheat and stone, which
pay for the next city. The settlement goes back to you and can be built elsewhere.

Type the number of its corner, such as 23 (or C23).""")),
    "buying": (N_("Buying a development card"), "ZAR-10.1", N_("""\
You can buy a development card for {card_cost}. Of the {deck} cards {warriors} are Warriors, who move the robber, and
{point_cards} are worth {point_card} point each. {playable} The others do not see what you draw; points stay secret
until they win.

Type D; cards tells you what each card does.""")),
    "card": (N_("Playing a development card"), "ZAR-10.3", N_("""\
You hold a development card that can be played: one in a turn, before or after the dice. A Warrior pays most when the
robber stands on a hex of yours, or when a leader has a hex to lose. Whoever is first to play {army} has the Largest
Army. Prosperity pays when the others hold much of one resource.

plays lists what you can do: W is a Warrior, P:g Prosperity for wheat, H:wb Bountiful Harvest with wood and brick, RB
Road Building{temple_building}.""")),
    "liahona": (N_("The Liahona"), "ZAR-10.11", N_("""\
You hold a Liahona: instead of rolling, name the total of the dice. It is the one card of your turn. Name the number
that gives you the most, or seven to move the robber; or keep it until a number brings just what you lack.

Type L8 for a total of eight; plays shows what each number brings. Or type roll.""")),
    "stone": (N_("A stone for the temple"), "ZAR-11.2", N_("""\
You can place a temple stone for {stone_cost}. A stone alone is worth nothing, but the first player with {temple},
and later whoever has more than the holder, gets {temple_points} points. It pays as a race that you can win, so look
at the stones of the others.

Type T.""")),
    "bank": (N_("Trading with the bank"), "ZAR-12.1", N_("""\
You have enough equal cards to trade with the bank: {bank_ratio} for one of your choice, {generic_ratio} with a
building at a station for everything, {special_ratio} at the station of that resource. It is dear, so do it for the
card that completes a building, or when you hold more than {limit} cards and a seven would take half of them.

trades lists what you can do; B{bank_ratio}w>s is {bank_ratio} wood for a stone. Letters: {letters}.""")),
    "discard": (N_("Too many cards"), "ZAR-7.2", N_("""\
After a seven whoever has more than {limit} cards gives half of them to the bank. Keep what completes your next
building, and give what you have most of.

Type all of them at once, such as -wwa for two wood and a water, or one at a time. Letters: {letters}.""")),
    "robber": (N_("Moving the robber"), "ZAR-7.5", N_("""\
You move the robber to another hex with a number{hideout}. While it is there the hex yields nothing, and you steal a
card from a player who has built at it. Choose a hex with many dots where the leader has built and you have not; the
list says what each player gets there.

Type the number of the hex as the board shows it: 12 or h12.""")),
    "steal": (N_("Whom to rob"), "ZAR-7.7", N_("""\
You steal a card at random from a player who has built at the robber's hex. Take from whoever is closest to winning,
or from the hand that probably holds what you lack; the list gives the odds as far as you can know them.

Type the colour, such as blue, or the number in the list.{decline}""")),
    "take": (N_("Bountiful Harvest"), "ZAR-10.8", N_("""\
Bountiful Harvest: take two cards of your choice from the bank, equal or different, and use them at once if you like.
Take what completes a building in this turn.

Type one resource after the other, in full or by its letter: {letters}.""")),
    "free_roads": (N_("Two free roads"), "ZAR-10.9", N_("""\
Road Building: place two roads free of charge, one after the other. Each joins your roads or buildings. They reach a
new place for a settlement, close a gap between your roads, or win the Longest Road, which takes {road} in a row.

Type a road by its two corners, such as R23-29, or its number in the list.""")),
    "offer": (N_("Making an offer"), "ZAR-13.9", N_("""\
You make an offer: first the cards that you give, then those that you want, {side} on each side.{gifts} The others
accept or refuse{counter}, and you pick a partner or none. You may make {offers} in a turn. Offer what others lack,
and do not help whoever is ahead.

Type the number of each card in the list, then done. In one line, ?2w/1s offers two wood for a stone. Letters:
{letters}.""")),
    "trade_respond": (N_("Answering an offer"), "ZAR-13.10", N_("""\
Another player offers you a trade: what they give would come to you, what they want would leave your hand. They pick
among the answers. Accept if the cards bring you a building sooner than they bring them one; be careful with a player
who is close to winning.

Type yes or no.{counter_line}""")),
    "counter": (N_("A counter-offer"), "ZAR-13.10", N_("""\
You answer with an offer of your own: first the cards that you would give, then those that you want, {side} on each
side. The player on turn may take it instead of their own.

Type the number of each card in the list, then done. In one line, !2b/3s gives two brick for three stone. Letters:
{letters}.""")),
    "trade_pick": (N_("Picking a partner"), "ZAR-13.11", N_("""\
The others have answered your offer: choose with whom to trade, if at all.{countered} A partner who is far from
winning is best.

Type the colour, such as blue, or nodeal.""")),
}


def introduction(rules: Ruleset) -> str:
    """Tell what the game is about, by the options in force."""
    return _filled(_(INTRODUCTION), rules)


def lesson(state: ZarahemlaState, rules: Ruleset) -> Lesson:
    """Return the lesson of the decision of the seat to move."""
    key = _key(state)
    title, rule, text = LESSONS[key]
    return Lesson(key, _(title), _filled(_(text), rules), rule)


def _key(state: ZarahemlaState) -> str:
    phase = str(state.phase)
    if phase == "trade_compose":
        return "offer" if state.to_move == state.seat_on_turn else "counter"
    # The first turn of each seat is explained as a whole, later ones by what is possible.
    if phase not in ("main", "pre_roll") or position_of(state).turns < state.players:
        return phase
    kinds = {decode(code).kind for code in state.legal_moves()}
    return next((key for key, members in _TURN if kinds & set(members)), phase)


def _filled(text: str, rules: Ruleset) -> str:
    """Return a text with its values, one line for each paragraph."""
    paragraphs = text.format_map(_values(rules)).split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def _values(rules: Ruleset) -> dict[str, object]:
    """Return what the braces of the texts stand for."""
    data = load_data()
    worth, ratios = data["scoring"], data["station_types"]
    least = {row["id"]: row["minimum"] for row in data["special_card"]}
    deck = dict(zip(CARD_IDS, data["dev_decks"][rules.dev_deck], strict=True))
    full, temple = rules.trade_mode == "full", rules.temple_enabled
    races = [_("the longest road (from {least})").format(least=least["longest_road"]),
             _("the largest army (from {least} Warriors)").format(least=least["largest_army"])]
    things = [_("roads"), _("settlements"), _("cities"), _("development cards")]
    if temple:
        races.append(_("stones of the temple (from {least})").format(least=least["greatest_temple_contributor"]))
        things.append(_("temple stones"))
    return {
        **ratios, "target": rules.victory_points, "settlement": worth["settlement"], "city": worth["city"],
        "point_card": worth["vp_card"], "longest_road": worth["longest_road"], "races": listed(races),
        "temple_points": worth["greatest_temple_contributor"], "temple": least["greatest_temple_contributor"],
        "army": least["largest_army"], "road": least["longest_road"],
        "things": listed(things),
        "limit": rules.discard_limit, "starting": rules.initial_settlements,
        "site": _("at a hex with a number") if rules.initial_site == "numbered" else _("of the land"),
        "road_cost": cost_text("road"), "settlement_cost": cost_text("settle"), "city_cost": cost_text("city"),
        "card_cost": cost_text("buy_dev"), "stone_cost": cost_text("temple_stone"),
        "deck": sum(deck.values()), "warriors": deck["stripling_warrior"], "point_cards": deck["victory_point"],
        "playable": _("You may play it at once.") if rules.dev_same_turn else
        _("You may play it from your next turn on."),
        "stones_before": _(" or place temple stones") if temple and rules.temple_before_roll else "",
        "temple_building": _(", TB Temple Building") if deck["temple_building"] else "",
        "letters": listed([f"{resource_letters()[name]} {resource_noun(name)}" for name in RESOURCES]),
        "hideout": _(" or to the hideout") if rules.robber_home_allowed else "",
        "decline": _(" x- steals nothing.") if rules.steal == "may" else "",
        "trade": "" if rules.trade_mode == "none" else _(", or offer the others a trade"),
        "offer_line": "" if rules.trade_mode == "none" else _(", ?1s/1b offers a stone for a brick"),
        "side": _("up to {cards}").format(cards=counted(rules.trade_max_cards_per_side, "card", "cards")),
        "gifts": _(" One side may stay empty.") if rules.trade_gifts else "",
        "offers": counted(rules.trade_max_offers_per_turn, "offer", "offers"),
        "counter": _(" or make an offer of their own") if full else "",
        "counter_line": _(" Or make an offer of your own: !2b/3s gives two brick for three stone.") if full else "",
        "countered": _(" A counter-offer is listed with its own cards, so read what you would give.") if full else "",
    }
