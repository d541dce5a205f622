"""The coefficients of what agents know about A Few Acres of Snow: siege odds, worth of moves, win shares.

The one place where their values stand. The compiled core copies them by name into `Coefficients` of
cython_ext/acres/weights.pxd, so a value can be changed here without a new build. What a strategy holds dear, and the
exponent of the win shares, is in `strategies`. Worth is in points unless the meaning says otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

BY_HAND = "set by hand; no fit or tuning is on record"


@dataclass(frozen=True)
class Coefficient:
    """A number that no rule gives.

    Attributes
    ----------
    value : float or int
        A whole number where the struct has one.
    meaning : str
        What it stands for.
    origin : str
        Where the value comes from.
    """

    value: float
    meaning: str
    origin: str = BY_HAND


COEFFICIENTS: Mapping[str, Coefficient] = {
    # the odds of a siege (evaluation.pxd)
    "odds_lost": Coefficient(0.01, "chance of a side that has as good as lost the siege"),
    "odds_least": Coefficient(0.02, "chance at the bad end of the curve"),
    "odds_span": Coefficient(0.97, "from there to the good end"),
    "odds_slope": Coefficient(0.7, "logit for a point of lead"),
    "odds_attack": Coefficient(0.8, "lead after the reply at which the besieger's chance is even"),
    "odds_defence": Coefficient(0.2, "the besieger's lead and the reply together at which the defender's is even"),
    "odds_edge": Coefficient(0.14, "logit for a point of strength in stock beyond the other side's"),
    # what a side thinks of its position (evaluation.pxd)
    "money_first": Coefficient(0.55, "a coin of the first few"),
    "money_first_coins": Coefficient(3, "how many these are, in coins"),
    "money_saved": Coefficient(0.38, "a further coin, as long as it is worth saving"),
    "money_idle": Coefficient(0.06, "a coin beyond that"),
    "turns_most": Coefficient(40.0, "turns a side expects at most"),
    "turns_least": Coefficient(1.0, "turns it expects with an empty supply"),
    "turns_a_piece": Coefficient(2.2, "turns it expects for each piece of the smaller supply"),
    "stake_value": Coefficient(0.8, "share of a site's value that its card and place add to the stake of a siege"),
    "stake_base": Coefficient(1.5, "stake of any siege besides: the loser's card, the tempo"),
    "late_turns": Coefficient(9.0, "turns left with which a card drafted now is worth all of its worth"),
    "threat_slope": Coefficient(0.15, "threat (0 to 1) of a point of strength that the other side owns more"),
    "threat_base": Coefficient(0.1, "threat when both are as strong"),
    "raid_base": Coefficient(1.0, "what a raid costs the other side beyond the points"),
    "raid_most": Coefficient(3, "cards of a raid that the other side is feared to have together"),
    "settler_force": Coefficient(1, "strength that a settler card counts as when the weakest transport is looked for"),
    # verbs (policy.pxd)
    "card_dead": Coefficient(-1.0, "a card in the deck that is of no use"),
    "burden_most": Coefficient(1.5, "factor of being rid of a card early in the game"),
    "burden_turns": Coefficient(8.0, "turns left with which the factor is 1"),
    "key_price": Coefficient(1.5, "spending a card that the strategy's siege needs on something else"),
    "ending": Coefficient(25.0, "emptying a supply, which ends the game: gained when ahead, lost otherwise"),
    "ending_lead": Coefficient(3.0, "lead from which the end is welcome"),
    "race_slope": Coefficient(0.06, "developing, for each point of lead: it brings the end nearer"),
    "race_behind": Coefficient(-10.0, "lead at and below which developing counts"),
    "race_least": Coefficient(-0.6, "so much"),
    "settle_again": Coefficient(1.0, "a card of the deck that works again when its site is settled"),
    "settle_late": Coefficient(0.4, "share of a site's value that is added while the game is long"),
    "settle_wins": Coefficient(100.0, "settling a site that wins the game"),
    "draft_arms": Coefficient(1.0, "strength that a card of arms counts as beyond its own, by threat"),
    "draft_copies": Coefficient(4, "copies owned, at most, that lower the worth of one more"),
    "draft_copy": Coefficient(0.72, "factor for each of them"),
    "draft_governor": Coefficient(0.34, "factor of a Governor for each useless card and one more"),
    "draft_governor_most": Coefficient(5, "most of these that count"),
    "draft_home": Coefficient(1.2, "factor of Home Support"),
    "draft_size": Coefficient(0.05, "price of a draft for each card of the deck beyond some"),
    "draft_free": Coefficient(8, "so many cards"),
    "reinforce_pay": Coefficient(0.35, "a coin that a card costs in a siege"),
    "reinforce_force": Coefficient(0.12, "a point of strength that is bound in a siege"),
    "fort_base": Coefficient(0.02, "share of a siege's stake that a fort saves without threat"),
    "fort_threat": Coefficient(0.10, "share that it saves at full threat besides"),
    "fort_steps": Coefficient(2, "cards of the raids that it is feared for"),
    "fort_raid": Coefficient(0.3, "share of such a raid's worth that it saves"),
    "fort_town": Coefficient(1.2, "factor of a town"),
    "fort_always": Coefficient(0.3, "share of a fort's worth at the end of the game"),
    "fort_late": Coefficient(0.7, "share that is added while the game is long"),
    "siege_odds": Coefficient(0.35, "chance from which a siege is worth its cards"),
    "siege_cost": Coefficient(0.8, "actions and cards that opening a siege takes"),
    "raid_site": Coefficient(0.5, "share of a site's worth to the strategy that a raid of it brings"),
    "raid_card": Coefficient(0.45, "each card that a raid takes"),
    "raid_blocked": Coefficient(0.25, "a raid that costs the other side the card that blocks"),
    "ambush_hit": Coefficient(3.0, "an ambush that finds a card"),
    "ambush_blocked": Coefficient(0.15, "an ambush that costs the other side the card that blocks"),
    "ambush_cost": Coefficient(0.35, "action and card of an ambush"),
    "convert_hit": Coefficient(1.3, "a conversion that finds Native Americans"),
    "convert_cost": Coefficient(0.1, "action and card of a conversion"),
    "retrieve_action": Coefficient(0.5, "taking up the reserve, for what it makes of the turn"),
    "retrieve_odds": Coefficient(0.5, "chance above which the reserve is called for a new siege"),
    "retrieve_more": Coefficient(0.05, "by how much the reserve must raise that chance"),
    "retrieve_dead": Coefficient(0.3, "a coin paid for a useless card of the reserve"),
    "reserve_cost": Coefficient(0.1, "an action for a card that gains nothing in the reserve"),
    "reserve_dead": Coefficient(0.75, "share of a useless card's burden that the reserve takes off"),
    "reserve_lying": Coefficient(0.1, "each card that lies in the reserve already"),
    "reserve_key": Coefficient(2.0, "strength that a card which a siege needs counts as in the reserve"),
    "reserve_exposed": Coefficient(0.1, "the first card there that an ambush can take"),
    "reserve_poor_below": Coefficient(-0.2, "worth below which a location card is better put away"),
    "reserve_poor": Coefficient(0.6, "share of its burden that the reserve takes off"),
    "idle_bad": Coefficient(0.42, "discarding a bad card to draw another"),
    "idle_bad_below": Coefficient(-0.5, "worth below which a card is bad"),
    "idle_poor": Coefficient(0.25, "discarding a poor card"),
    "idle_poor_below": Coefficient(0.2, "worth below which a card is poor"),
    "idle_good": Coefficient(0.05, "discarding any other card"),
    "intendant_card": Coefficient(0.2, "share of a card's worth that taking it up brings"),
    "intendant_home": Coefficient(1.6, "taking up Home Support besides"),
    "merchant_cost": Coefficient(0.15, "two or three cards for one action's money"),
    "merchant_ship": Coefficient(0.1, "a coin on the card that serves as the ship"),
    "leader_cost": Coefficient(0.2, "the Military Leader bound in a siege"),
    "piracy_loss": Coefficient(0.3, "a coin that the other side loses"),
    "piracy_cost": Coefficient(0.1, "the second card of piracy"),
    "govern_base": Coefficient(0.2, "governing besides the burden of the first card: a second may follow"),
    "home_first": Coefficient(6.0, "Home Support: first of all, since it shows what there is to choose from"),
    "withdraw": Coefficient(-4.0, "giving up one's own siege"),
    "surrender_home": Coefficient(-60.0, "giving up a site whose siege wins the game"),
    "surrender": Coefficient(-8.0, "giving up another site"),
    # what a card in hand could still be used for (policy.pxd)
    "held_card": Coefficient(0.15, "share of a card's worth"),
    "held_dead": Coefficient(-0.3, "a useless card: spend it first"),
    "held_settler": Coefficient(1.0, "a settler"),
    "held_develop": Coefficient(0.3, "a point of the site that the card could develop"),
    "held_coin": Coefficient(0.25, "a coin"),
    "held_strength": Coefficient(0.35, "a point of strength"),
    "held_siege": Coefficient(1.5, "a card that a siege under way can use"),
    # further cards of an action, and answers (policy.pxd)
    "open_strength": Coefficient(1.2, "a point of strength of the card that opens a siege"),
    "open_pay": Coefficient(0.3, "a coin that it costs"),
    "open_settler": Coefficient(0.3, "a settler symbol on it"),
    "step_base": Coefficient(1.0, "a transport, a settler or a raider that is needed"),
    "step_longer": Coefficient(-1.0, "a raider for a longer route than need be"),
    "fur_card": Coefficient(0.1, "a fur card spent"),
    "fur_order": Coefficient(0.001, "order of fur cards, for each type: none is passed over"),
    "govern_more": Coefficient(0.1, "a second card of the Governor"),
    "loss_price": Coefficient(0.4, "a coin of the price of an empire card that is lost"),
    "block_card": Coefficient(0.4, "share of what a card could still do that blocking with it costs"),
    "block_hit": Coefficient(3.0, "blocking an ambush that would hit"),
    "block_miss": Coefficient(0.4, "blocking one that would not"),
    "resolve_defence": Coefficient(1.0, "resolving the siege that the side defends first"),
    "place_base": Coefficient(3.0, "a cube on a site that was won, besides its worth"),
    "place_card": Coefficient(0.2, "share of what the settler card could still do"),
    # priors (policy.pxd) and win shares (evaluation.pxd)
    "prior_floor": Coefficient(-12.0, "least exponent of a prior: a move is so much worse than the best, in heat"),
    "prior_least": Coefficient(0.002, "added to each prior before they are divided by their sum"),
    "score_growth": Coefficient(0.3, "share of the points by developing that a predicted score counts"),
    "share_range": Coefficient(12.0, "bound of the exponent of a win share, without sieges of victory sites"),
    "share_late": Coefficient(0.15, "how slowly the end comes near, for each turn left (race, growth)"),
    "share_captured": Coefficient(3.0, "captured points count beyond those that end the game divided by this"),
    "share_guard": Coefficient(3.0, "cards that block, in a hand, that count at most"),
    "share_hand": Coefficient(5, "cards of a hand, and of the least deck, that guard and settlers are related to"),
    "share_size": Coefficient(10, "cards beyond which a deck is large"),
}


def values() -> dict[str, float]:
    """Return the value of each coefficient by name, as the compiled core copies them."""
    return {name: one.value for name, one in COEFFICIENTS.items()}
