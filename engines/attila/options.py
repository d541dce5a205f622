"""The options of Attila (ATT-13)."""

from __future__ import annotations

from dataclasses import dataclass, field

from sfida.engines.game import GameOptions
from sfida.engines.language import N_
from sfida.engines.spec import digests

BUILT_IN = "reconstructed"


@dataclass(frozen=True)
class AttilaOptions(GameOptions):
    """Options of a game.

    Attributes
    ----------
    players : int
        Seats, 2 to 5.
    map : str
        "reconstructed", or the path of a map file in TOML (docs/play/attila.md).
    start_player : str
        "seat_0" plays first, or a first chance event picks one at "random" (ATT-2.7).
    removed_tokens : str
        Tokens that lose a conflict return to the "supply" or leave the game for the "box" (ATT-6.10).
    exhaustion_check : str
        A tribe's last token ends the game when it is placed ("strict", ATT-11.2 to 11.4), or only if the supply is
        still empty "after_conflicts" of that card.
    scoring_timing : str
        A scoring between two conflicts of one card takes place at once ("immediate") or "after_all_conflicts" of the
        card (ATT-8.11).
    merge_final_scoring : bool
        The tenth peace tile is scored once, by the final scoring; if false, at once and again at the end (ATT-11.6).
    scoring_after_trigger : str
        Once the end of the game has been triggered, a century completed in the same turn is still scored ("held"), or
        its scoring is "replaced" by the final one (ATT-11.6, 13.13).
    conflict_order : str
        Two conflicts of one card are fought in the order of "placement", or "active_chooses" (ATT-6.13).
    no_live_card : str
        A player who holds only dead cards must "discard_one", or may "skip" (ATT-4.10, 4.13).
    open_commitments : bool
        House variant: conflict cards are laid face up.
    two_player_difference_scoring : bool
        With two players, only the difference between their points in a tribe is scored (ATT-12.8).
    final_tie : str
        Players tied for most points share the win: the rules have no tie-break (ATT-13).
    tile_windows : str
        Action tiles are offered at "decisive" moments (ATT-9.8), or at "every_decision" of the active player.
    """

    players: int = field(default=3, metadata={"low": 2, "high": 5, "doc": N_("number of seats"),
        "label": N_("Players")})
    map: str = field(default=BUILT_IN, metadata={
        "doc": N_("reconstructed (the printed map is not public), or the path of a map file (TOML)"),
        "contents": lambda value: {} if value == BUILT_IN else digests(value),
        "label": N_("Map")})
    start_player: str = field(default="seat_0", metadata={"values": ("seat_0", "random"), "doc": N_("who plays first"),
        "label": N_("First player"), "words": (N_("the first seat"), N_("drawn at random"))})
    removed_tokens: str = field(default="supply", metadata={
        "values": ("supply", "box"), "doc": N_("where tokens that lose a conflict go"),
        "label": N_("Tokens that lose a conflict"), "words": (N_("return to the supply"), N_("leave the game"))})
    exhaustion_check: str = field(default="strict", metadata={
        "values": ("strict", "after_conflicts"), "doc": N_("when a tribe's last token ends the game"),
        "label": N_("The last token of a tribe ends the game"),
        "words": (N_("when it is placed"), N_("only if none returns in the conflicts of that card"))})
    scoring_timing: str = field(default="immediate", metadata={
        "values": ("immediate", "after_all_conflicts"),
        "doc": N_("when a scoring due between two conflicts of one card is held"),
        "label": N_("A scoring between two conflicts"),
        "words": (N_("at once"), N_("after all conflicts of the card"))})
    merge_final_scoring: bool = field(default=True, metadata={
        "values": (True, False), "doc": N_("the tenth peace tile brings only the final scoring"),
        "label": N_("The tenth peace tile brings only the final scoring")})
    scoring_after_trigger: str = field(default="held", metadata={
        "values": ("held", "replaced"),
        "doc": N_("whether a century completed after the end was triggered is scored before the final scoring"),
        "label": N_("A century completed after the end was triggered"),
        "words": (N_("is still scored"), N_("is replaced by the final scoring"))})
    conflict_order: str = field(default="placement", metadata={
        "values": ("placement", "active_chooses"), "doc": N_("the order in which one card's two conflicts are fought"),
        "label": N_("Order of two conflicts of one card"),
        "words": (N_("as the tokens were placed"), N_("the player on turn chooses"))})
    no_live_card: str = field(default="discard_one", metadata={
        "values": ("discard_one", "skip"), "doc": N_("what a player holding only unplayable cards does"),
        "label": N_("A hand without a playable card"), "words": (N_("must discard one"), N_("may pass"))})
    open_commitments: bool = field(default=False, metadata={
        "values": (False, True), "doc": N_("conflict cards are laid face up"),
        "label": N_("Conflict cards lie face up")})
    two_player_difference_scoring: bool = field(default=False, metadata={
        "values": (False, True), "only_with": {"players": (2,)},
        "doc": N_("with two players, only the difference in each tribe is scored"),
        "label": N_("With two players, score only the difference")})
    final_tie: str = field(default="shared", metadata={
        "values": ("shared",), "doc": N_("players tied for most points share the win"),
        "label": N_("A tie for most points"), "words": (N_("the win is shared"),)})
    tile_windows: str = field(default="decisive", metadata={
        "values": ("decisive", "every_decision"), "doc": N_("when action tiles may be used"),
        "label": N_("Action tiles may be used"),
        "words": (N_("at the moments that matter"), N_("at every decision"))})
