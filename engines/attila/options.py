"""The options of Attila (ATT-13)."""

from __future__ import annotations

from dataclasses import dataclass, field

from sfida.engines.game import GameOptions

BUILT_IN = "reconstructed"


@dataclass(frozen=True)
class AttilaOptions(GameOptions):
    """Options of a game.

    Attributes
    ----------
    players : int
        Seats, 2 to 5.
    map : str
        "reconstructed", or the path of a map file in TOML (docs/attila.md).
    start_player : str
        "seat_0", or "random": a first chance event picks who begins (ATT-2.7).
    removed_tokens : str
        Tokens that lose a conflict return to the "supply" or go to the "box" (ATT-6.10).
    exhaustion_check : str
        The last token of a tribe counts when it is placed ("strict", ATT-11.2 to 11.4), or if it is missing
        "after_conflicts" of the card.
    scoring_timing : str
        A scoring between two conflicts of one card is "immediate" or comes "after_all_conflicts" (ATT-8.11).
    merge_final_scoring : bool
        The tenth peace tile is scored once, by the final scoring, or at once and again at the end (ATT-11.6).
    scoring_after_trigger : str
        A century whose last tile is laid after the end was triggered is scored, and the game in the end ("held"),
        or the final scoring alone is (ATT-11.6, 13.13).
    conflict_order : str
        Two conflicts of one card in the order of "placement", or "active_chooses" (ATT-6.13).
    no_live_card : str
        Who holds dead cards alone must "discard_one", or may "skip" (ATT-4.10).
    open_commitments : bool
        House variant: conflict cards are laid face up.
    two_player_difference_scoring : bool
        Two players score the difference only (ATT-12.8).
    final_tie : str
        Equal scores share the win: the rules have no tie-break (ATT-13).
    tile_windows : str
        Tiles are offered at "decisive" moments (ATT-9.8) or at "every_decision" of the active player.
    """

    players: int = field(default=3, metadata={"low": 2, "high": 5, "doc": "number of seats"})
    map: str = field(default=BUILT_IN, metadata={
        "doc": "the map: reconstructed, since the printed one is not public, or the path of a map file (TOML)"})
    start_player: str = field(default="seat_0", metadata={"values": ("seat_0", "random"), "doc": "who begins"})
    removed_tokens: str = field(default="supply", metadata={
        "values": ("supply", "box"), "doc": "where tokens go that lose a conflict"})
    exhaustion_check: str = field(default="strict", metadata={
        "values": ("strict", "after_conflicts"), "doc": "when the last token of a tribe ends the game"})
    scoring_timing: str = field(default="immediate", metadata={
        "values": ("immediate", "after_all_conflicts"), "doc": "a scoring between two conflicts of one card"})
    merge_final_scoring: bool = field(default=True, metadata={
        "values": (True, False), "doc": "the tenth peace tile is scored once, by the final scoring"})
    scoring_after_trigger: str = field(default="held", metadata={
        "values": ("held", "replaced"),
        "doc": "the scoring of a century that is over after the end was triggered, besides the final one"})
    conflict_order: str = field(default="placement", metadata={
        "values": ("placement", "active_chooses"), "doc": "the order of two conflicts of one card"})
    no_live_card: str = field(default="discard_one", metadata={
        "values": ("discard_one", "skip"), "doc": "what to do with cards that cannot be placed"})
    open_commitments: bool = field(default=False, metadata={
        "values": (False, True), "doc": "conflict cards are laid face up"})
    two_player_difference_scoring: bool = field(default=False, metadata={
        "values": (False, True), "doc": "two players score only the difference"})
    final_tie: str = field(default="shared", metadata={
        "values": ("shared",), "doc": "equal scores share the win"})
    tile_windows: str = field(default="decisive", metadata={
        "values": ("decisive", "every_decision"), "doc": "when action tiles are offered"})
