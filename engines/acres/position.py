"""Positions and moves of A Few Acres of Snow as plain data: a viewer's position from the core, and move codes.

Sites are numbers 0..35 of the data's locations. Cards are numbers 0..90 of card types: 0..58 the location cards, then
the 32 rows of empire cards, both in the order of the data. A pile is a tuple of types in ascending order, with one
entry per copy. Seat 0 is British, seat 1 French.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from sfida.cython_ext.acres.core import KINDS
from sfida.engines.acres.tables import card_codes, site_codes

if TYPE_CHECKING:
    from sfida.cython_ext.acres.core import AcresState
    from sfida.engines.acres.game import Acres


# ---- Move codes of A Few Acres of Snow and their meaning: kind << 16 | card type << 8 | place

NO_CARD = 255


@dataclass(frozen=True)
class Move:
    """A move or a draw.

    Attributes
    ----------
    kind : str
        A name of `KINDS`.
    card : int
        Card type; 0 if the kind needs none. 255 stands for no card in "place" and for an unseen card in "draw".
    place : int
        A site, with exceptions: in "reinforce", "leader", "withdraw" and "resolve" the seat of the besieger; in "lose"
        and "give" 0 for the hand and 1 for the reserve; in "draw" the seat; in "end" 1 for a turn without refill.
    """

    kind: str
    card: int = 0
    place: int = 0


def encode(kind: str, card: int = 0, place: int = 0) -> int:
    """Return the code of a move; raises ValueError if there is no such kind."""
    if kind not in KINDS or not kind:
        raise ValueError(f"'{kind}' is no kind of move")
    return KINDS.index(kind) << 16 | card << 8 | place


def decode(code: int) -> Move:
    """Return the move of a code; raises ValueError for a number that is no code."""
    kind = code >> 16
    if not 0 < kind < len(KINDS):
        raise ValueError(f"{code} is no move of A Few Acres of Snow")
    return Move(KINDS[kind], code >> 8 & 255, code & 255)


# ---- The position as one viewer sees it

Cards = tuple[int, ...]

STEPS = ("transport", "settler", "strength", "raiders", "coins", "furs", "discards", "govern")
ZONES = ("hand", "reserve")             # by the number in an answer


@dataclass(frozen=True)
class Siege:
    """A siege in progress.

    Attributes
    ----------
    attacker : int
        Seat of the besieger.
    site : int
        Site under siege.
    lead : int
        Strength of the attacker's cards minus the strength of the defender's cards and of the site (FAS-10.9).
    cards : tuple of 2 Cards
        Cards that each seat has played into the siege.
    """

    attacker: int
    site: int
    lead: int
    cards: tuple[Cards, Cards] = ((), ())


@dataclass(frozen=True)
class Action:
    """The last action that was begun, draws excepted; it is public.

    Attributes
    ----------
    seat : int
    verb : str
        A verb of 17.3, such as "settle".
    site : int
        Site of the action; -1 for none.
    cards : Cards
        Cards played for the action so far, in order of play.
    surrenders : bool
        The action gives up a site that the other side besieges, not a siege by the seat.
    answer : str
        "block", "lose", "give", "show" or "allow"; "" for none.
    answer_card : int
        Card type that blocks or is lost.
    answer_zone : int
        Zone of the card that is lost or given: 0 for the hand, 1 for the reserve.
    """

    seat: int
    verb: str
    site: int = -1
    cards: Cards = ()
    surrenders: bool = False
    answer: str = ""
    answer_card: int = 0
    answer_zone: int = 0

    @property
    def text(self) -> str:
        """The action in the notation of 17.8, such as "settle DEE NHV STM BOS"."""
        cards = [card_codes()[card] for card in self.cards]
        if self.verb in ("develop", "fortify"):     # the notation omits the site's own card
            cards = cards[1:] if self.verb == "develop" else cards[:1]
        words = ["surrender" if self.surrenders else self.verb, *([site_codes()[self.site]] if self.site >= 0 else ()),
                 *cards]
        if self.answer == "block":
            words += ["x", card_codes()[self.answer_card]]
        elif self.answer == "lose":
            words += ["hit", card_codes()[self.answer_card], ZONES[self.answer_zone]]
        elif self.answer == "give":
            words += ["hit", ZONES[self.answer_zone]]
        elif self.answer == "show":
            words += ["none"]
        return " ".join(words)


@dataclass(frozen=True)
class SeatPosition:
    """The holdings of one side, as far as the viewer can know them.

    Attributes
    ----------
    hand : Cards or None
        None when hidden.
    hand_size : int
    known : Cards
        Cards of the hand that both sides know; public (17.5).
    deck : Cards or None
        Cards in the draw deck, in no particular order; None when hidden.
    deck_size : int
    unseen : Cards
        Hand and deck together: owned cards that lie nowhere else; public (17.5).
    discards, reserve, in_play : Cards
        Public (R-23); the card in play is Home Support while it draws.
    locations, empire : Cards
        Cards of its own colour that can be gained: location cards and empire cards (FAS-2.8).
    money, points : int
        Money; points as if the game ended now (FAS-16.5).
    villages, towns : int
        Cubes and discs left in the supply.
    captured_villages, captured_towns : int
        Cubes and discs captured from the other side.
    usable : tuple of int
        Sites whose location cards the side may use: controlled, connected to its home, not under siege (FAS-6).
    may_besiege : bool
        The side may open a siege: it has none (FAS-10.6), and no option makes it wait.
    """

    hand: Cards | None
    hand_size: int
    known: Cards
    deck: Cards | None
    deck_size: int
    unseen: Cards
    discards: Cards
    reserve: Cards
    locations: Cards
    empire: Cards
    money: int
    points: int
    villages: int
    towns: int
    captured_villages: int
    captured_towns: int
    usable: tuple[int, ...]
    in_play: Cards = ()
    may_besiege: bool = True


@dataclass(frozen=True)
class Position:
    """A position as one viewer sees it.

    Attributes
    ----------
    phase : str
        Phase of the core: "deal", "draw" and "home" (draws of Home Support) for chance; one of `STEPS` for a step of an
        action; else "pick" (the extra initial card of an option), "main", "order", "siege_settle", "siege_loss",
        "raid_response", "ambush_response", "ambush_loss", "give_zone" (section 17.2) or "game_over".
    seat_on_turn : int
        The seat whose turn it is, also while the other seat answers.
    seat_to_move : int
        A seat, -1 (a chance event is next) or -4 (the game is over).
    mover : int
        The seat that decides or draws.
    actions_left : int
        Actions left in the current turn.
    turn : int
        Turns begun by both sides together.
    owner : tuple of 36 int
        Controlling seat by site; -1 for neutral.
    town, fort : tuple of 36 bool
        Whether the piece on each site is a disc, and whether a fortification disc lies under it.
    forts_left : int
        Fortification discs in the common supply.
    neutral : Cards
        Neutral empire cards on display.
    seats : tuple of 2 SeatPosition
    sieges : tuple of Siege
        By attacker; two at most.
    besieged : tuple of int
        Sites under siege; a site whose capture is being resolved is not among them.
    ending : int
        Site whose siege is being resolved; -1 for none.
    action : Action or None
        The last action, also after its completion.
    under_way : bool
        The action is in progress or being answered.
    need : int
        Cards still needed by the raid in progress.
    winner : int
        -1 while the game runs.
    reason : str
        "siege", "settle", "supply", "capture", "max_turns" or "resign" (FAS-16.7); "" while the game runs.
    quiet : int
        Without a limit of turns: number of latest consecutive turns in which no piece was placed or lost (R-31).
    by_board : bool
        Option `fort_st_john_cards`: the cards of Fort St. John list the links of the board (R-20).
    every_ship : bool
        Option `ships_in_every_sea_siege`: ships count in sieges of all sites joined to the sea (R-19).
    """

    phase: str
    seat_on_turn: int
    seat_to_move: int
    mover: int
    actions_left: int
    turn: int
    owner: tuple[int, ...]
    town: tuple[bool, ...]
    fort: tuple[bool, ...]
    forts_left: int
    neutral: Cards
    seats: tuple[SeatPosition, SeatPosition]
    sieges: tuple[Siege, ...] = ()
    besieged: tuple[int, ...] = ()
    ending: int = -1
    action: Action | None = None
    under_way: bool = False
    need: int = 0
    winner: int = -1
    reason: str = ""
    quiet: int = 0
    by_board: bool = False
    every_ship: bool = False

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.phase == "game_over"

    @property
    def step(self) -> str:
        """The kind of card that the action needs next, one of `STEPS`; "" for none."""
        return self.phase if self.phase in STEPS else ""

    @property
    def stage(self) -> str:
        """The phase, with "main" for every step of an action and "draw" for every draw within a turn."""
        return "main" if self.step else "draw" if self.phase == "home" else self.phase

    @property
    def verb(self) -> str:
        """The verb of the action in progress or being answered; "" for none."""
        return self.action.verb if self.under_way and self.action is not None else ""

    @property
    def site(self) -> int:
        """The site of the action in progress or being answered; -1 for none."""
        return self.action.site if self.under_way and self.action is not None else -1

    @property
    def chosen(self) -> Cards:
        """Cards played so far for the action in progress or being answered."""
        return self.action.cards if self.under_way and self.action is not None else ()

    @property
    def last_site(self) -> int:
        """The site of the last action; -1 for none."""
        return -1 if self.action is None else self.action.site

    def owned(self, seat: int) -> Cards:
        """Return all cards of a side, wherever they lie, in no particular order."""
        side = self.seats[seat]
        return (*side.unseen, *side.discards, *side.reserve, *side.in_play,
                *(card for siege in self.sieges for card in siege.cards[seat]))

    def siege_by(self, attacker: int) -> Siege | None:
        """Return the siege that a side has laid, if there is one."""
        return next((siege for siege in self.sieges if siege.attacker == attacker), None)

    def siege_at(self, site: int) -> Siege | None:
        """Return the siege of a site, if there is one."""
        return next((siege for siege in self.sieges if siege.site == site), None)


def position_of(state: AcresState, seat: int | None = None) -> Position:
    """Return the position as `seat` sees it; None: the public position."""
    rules, given = cast("Acres", state.game).ruleset, state.snapshot(seat)
    british, french = (SeatPosition(**side) for side in given.pop("seats"))
    sieges, action = given.pop("sieges"), given.pop("action")
    return Position(**given, seats=(british, french), sieges=tuple(Siege(**siege) for siege in sieges),
                    action=None if action is None else Action(**action),
                    by_board=rules.fort_st_john_cards == "by_board", every_ship=rules.ships_in_every_sea_siege)
