"""A first game of A Few Acres of Snow: what it is about, and what to look at in each kind of decision."""

from __future__ import annotations

from typing import Any

from sfida.cython_ext.acres.parameters import QUIET_TURNS
from sfida.engines.acres.data import load_data
from sfida.engines.acres.looks import cards, money_text, sites
from sfida.engines.acres.options import Ruleset
from sfida.engines.acres.position import Position
from sfida.engines.acres.tables import HOME_DRAWS
from sfida.engines.language import N_, _
from sfida.engines.lessons import Lesson
from sfida.engines.wording import counted, listed

# Title, clause and text by kind of decision; numbers are those of the data and of the options (`_numbers`).
_LESSONS = {
    "pick": (N_("The card that the French choose"), "FAS-4.5", N_("""\
The French start with one more empire card of their choice, free of charge; it goes into the deck before the hands
are dealt. Coureurs de Bois (CB) raid, ambush and block both; Home Support (HS) draws {home_draws} cards as a free
action; Regular Infantry (RI) has strength 2 in sieges. Type the number of the line, or the card's code.""")),
    "main": (N_("Your actions"), "FAS-5", N_("""\
Play {actions} ({first} in your first turn); free actions come on top. Look for money (money, merchant, trader), free
sites of good value (settle), and villages to make towns (develop): these bring most points. Then draft settlers,
strength for sieges, cards that block raids.

After a site's code stand its owner (B, F), 1 for a village or 2 for a town, its value, and * if it takes settlers.
Type a number, a move (money BOS) or a verb alone to see its moves; most actions then ask for more cards.""")),
    "end": (N_("The end of a turn"), "FAS-5.7", N_("""\
Your actions are spent. 'end' ends the turn, and you draw until you hold {hand} cards. Before that you may still
play free actions: Home Support (home), a Military Leader into a siege (leader), taking your reserve back
(retrieve), or giving up a siege (withdraw). Cards that you keep are held for the enemy's turn: one that blocks
raids or ambushes is worth keeping.""")),
    "attacking": (N_("A siege of yours"), "FAS-11", N_("""\
You besiege a site. It is yours if you lead by {attacker} or more when your turn begins, and lost if the enemy leads
by {defender} or more when theirs begins. 'reinforce' adds one card for an action; a Military Leader is a free
action. The status line says who leads and what is missing. The enemy has one turn to answer each of yours, so keep
strength in hand or in the reserve. Whoever loses a siege returns an empire card from it.""")),
    "defending": (N_("A site of yours is besieged"), "FAS-12", N_("""\
The enemy wins if they lead by {attacker} or more when their turn begins; you win if you lead by {defender} or more
when yours begins. So before you do anything else, see whether they lead by {attacker} now: if they do, 'reinforce'
until they do not, or lose the site with its points. Fortification cards help the defender only; ships count at
sites marked ~. The card of the besieged site cannot be used.{surrender}""")),
    "transport": (N_("Which card travels"), "FAS-7.2", N_("""\
The site is reached by boat, wagon or ship, and the question says which. Play one more card that offers it; the list
holds all that do, with what else each of them offers. Every card has one use at a time, so keep the cards with
settlers or money if another one can travel. It goes to your discard pile and comes back with the next shuffle. Type
its number or its code, such as BOS.""")),
    "settler": (N_("Which card brings the settlers"), "FAS-7.2", N_("""\
Sites marked * take settlers, and so does every town. Play one more card that offers them: {settlers_british} for
the British, {settlers_french} for the French, or a Settlers card (SE, SEn) that was drafted. With it the action is
complete, and all its cards go to the discard pile. Type its number or its code.""")),
    "strength": (N_("The card that begins the siege"), "FAS-10", N_("""\
The card goes into the siege and stays there until it ends. The site begins with a defence of {intrinsic}, more in
strong places, and {fort} more with a fort. You need a lead of {attacker} when your next turn begins, and the enemy
can add cards before. So begin with your strongest card if it wins, and do not begin with one that cannot be
followed up. The list says how the siege stands with each card.""")),
    "raiders": (N_("Which cards raid"), "FAS-13", N_("""\
A raid goes one site for each card{bonus}, along rivers, lakes, roads and Indian trails, not by sea. At least one
card must be a raider: Native Americans, Rangers or Coureurs de Bois; Priests and the Indian Leader only make it
longer. Native Americans cost {natives} each. The cards are spent even if the raid is blocked. Type the number or
the code of each.""")),
    "coins": (N_("The merchant's cards"), "FAS-15.2", N_("""\
You trade by ship: choose the cards whose money you take, up to {coins} of them. The ship card's own money does not
count. So travel with a ship card of little use, and then play your richest cards. Type the number or the code of a
card; 'done' stops.""")),
    "furs": (N_("The trader's furs"), "FAS-15.3", N_("""\
Each location card with furs that you play now brings {fur}. Play as many as you do not need for something
else this turn; you draw up to {hand} cards at its end, so a big sale also brings new cards. 'done' stops.""")),
    "discards": (N_("More cards to discard?"), "FAS-15.6", N_("""\
The first card was free; each further one costs {further}. Discarding makes room for new cards at the end of
the turn, when you draw up to {hand}. Let go what you cannot use now; cards of lost sites are marked 'not usable' in
your hand. 'done' stops.""")),
    "govern": (N_("The Governor's second card"), "FAS-15.9", N_("""\
The Governor returns one or two cards from your hand to where they came from: they leave your deck, and you draw
your good cards more often. You keep the village or town of a location card that goes. Weak cards, and those of lost
sites, should go. Choose a second card, or 'done'.""")),
    "order": (N_("Two sieges won"), "FAS-11", N_("""\
You have won both sieges, the attack and the defence, and choose which one is resolved first. If the defence comes
first, the card of the site that you kept can be used again, for instance as settler for the site that you took.""")),
    "siege_settle": (N_("A site taken"), "FAS-11.6", N_("""\
The enemy's piece is captured and scores for you ({cube} points for a village, {disc} for a town). Now you may place
a village of your own there, and get the card of the site. Where the site is marked * that takes a card with
settlers from your hand, but no action. If you leave the site, nobody holds it and anybody may settle it.""")),
    "siege_loss": (N_("The price of a lost siege"), "FAS-11.12", N_("""\
You lost a siege, and one of your empire cards in it leaves your deck: it can be drafted again for its price. All
others go to your discard pile. So give up the card that is cheapest to get back or that you need least. Type its
number, or such as 'lost MI'.""")),
    "raid_response": (N_("A raid on you"), "FAS-13.8", N_("""\
If you do not block, the enemy captures the piece: a village scores {cube} points for them and the site becomes
neutral; a town scores {disc} and becomes a village, or neutral if you have no village left to place. You block by
discarding a card that blocks raids, or the card of the raided site; it costs no money, and the raiders' cards are
spent. 'x FO' blocks with FO, 'allow' does not. You are asked even if you hold no such card, so that the enemy
cannot tell.""")),
    "ambush_response": (N_("An ambush"), "FAS-14", N_("""\
If you do not block, you lose a card with the ambush sign from your hand or reserve (Regular Infantry, Siege
Artillery, British Militia); without one you only show your hand. Native Americans, Rangers, Coureurs de Bois and
French Militia block, free of charge. 'x RG' blocks with RG, 'allow' does not. You are asked even if you hold no
such card.""")),
    "ambush_loss": (N_("A card lost to the ambush"), "FAS-14.3", N_("""\
One of your cards that may be ambushed leaves your deck, from your hand or your reserve; it can be drafted again for
its price. Choose the one that you miss least: cheap Militia before Infantry, and Artillery last. Without such a
card you show your hand, and lose nothing. Type the number, or such as 'hit MI hand'.""")),
    "give_zone": (N_("Native Americans change sides"), "FAS-14.7", N_("""\
A Priest or the Indian Leader makes you hand over one neutral Native Americans card (NAn). If you hold one in your
hand and one in your reserve, you choose which; a card in the hand could have blocked a raid or an ambush this turn.
Without one you show your hand. It cannot be blocked.""")),
}


def introduction(rules: Ruleset) -> str:
    """Tell a new player what the game is about."""
    data = load_data()
    setup, scoring = data["setup"], data["scoring"]
    homes = {side: _(" or ").join(site.name for site in sites() if site.id in names)
             for side, names in setup["victory_siege_targets"].items()}
    if rules.settling_victory_target_wins:
        aim = _("Win the siege of {quebec} (British) or of {boston} (French), or settle it, and you win at once; else "
                "points decide, and a tie is French.")
    else:
        aim = _("Win the siege of {quebec} (British) or of {boston} (French) and you win at once; else points decide, "
                "and a tie is French.")
    ends = [_("no villages or no towns left to place while there is no siege") if rules.supply_end_needs_no_siege else
            _("no villages or no towns left to place"),
            (_("{points} captured points while there is no siege") if rules.capture_end_needs_no_siege else
             _("{points} captured points")).format(points=scoring["capture_points_to_end"])]
    end = (_("The game ends when a side begins its turn with {pieces}, or with {captured}, or after {turns} turns in "
             "which no village or town was placed or lost.")
           if rules.max_turns is None else
           _("The game ends when a side begins its turn with {pieces}, or with {captured}, or after {turns} turns."))
    return "\n\n".join((
        aim.format(quebec=homes["british"], boston=homes["french"]),
        _("A turn is {actions} actions ({first} in your first), then you draw up to {hand} cards. Actions take cards: "
          "those of your sites, to settle, besiege and get money, or empire cards, which you draft. What you use or "
          "gain goes to your discards, which become the next deck: you build the deck that you draw from.").format(
              actions=setup["turn_actions"], first=setup["first_turn_actions"], hand=setup["hand_size"]),
        _("Points: the value of each site with a village of yours, {times} that with a town; {cube} for a captured "
          "village, {disc} for a town.").format(times=_times(scoring["town_multiplier"]), cube=scoring["captured_cube"],
                                                disc=scoring["captured_disc"])
        + " " + end.format(pieces=ends[0], captured=ends[1], turns=rules.max_turns or QUIET_TURNS),
        _("BOS is Boston, the site and its card: 'cards' has all codes, '?' the signs.")))


def _times(factor: int) -> str:
    return _("twice") if factor == 2 else _("{factor} times").format(factor=factor)


def lesson(position: Position, seat: int, rules: Ruleset) -> Lesson | None:
    """Return what a new player should know about the decision of a seat."""
    key = _key(position, seat)
    if key not in _LESSONS:
        return None
    title, rule, text = _LESSONS[key]
    return Lesson(key, _(title), " ".join(_(text).replace("\n\n", "\0").split()).replace("\0", "\n\n")
                  .format(**_numbers(rules)), rule)


def _key(position: Position, seat: int) -> str:
    """Return the kind of decision: the phase; the actions of a turn by the sieges, and by whether any is left."""
    if position.phase != "main":
        return position.phase
    if position.siege_by(1 - seat):
        return "defending"
    if position.siege_by(seat):
        return "attacking"
    return "main" if position.actions_left else "end"


def _settlers(seat: int) -> list[str]:
    """Return the codes of the location cards of a first deck that offer settlers."""
    rows = load_data()["cards"]["location_cards"]
    return [card.code for card, row in zip(cards(), rows, strict=False)
            if card.side == seat and row["deck"] == "initial" and "settler" in card.symbols]


def _numbers(rules: Ruleset) -> dict[str, Any]:
    data = load_data()
    setup, siege, cost = data["setup"], data["siege"], data["cost"]
    return {
        "actions": counted(setup["turn_actions"], "action", "actions"), "first": setup["first_turn_actions"],
        "hand": setup["hand_size"], "home_draws": HOME_DRAWS,
        "bonus": _(" and one more") if rules.raid_range_bonus else "",
        **{f"settlers_{side}": listed(_settlers(seat)) for seat, side in enumerate(("british", "french"))},
        "attacker": siege["attacker_wins_at"], "defender": siege["defender_wins_at"],
        "intrinsic": siege["intrinsic_defence"], "fort": siege["fortification_defence"],
        "surrender": _(" You may also surrender the site.") if rules.defender_may_surrender else "",
        "natives": money_text(cost["native_americans_per_card_in_raid_or_ambush"]),
        "further": money_text(cost["discard_each_further_card"]),
        "coins": data["income"]["merchant_max_coin_cards"],
        "fur": money_text(data["income"]["trader_per_fur_card"]),
        "cube": data["scoring"]["captured_cube"], "disc": data["scoring"]["captured_disc"],
    }
