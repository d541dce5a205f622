"""Play random games of A Few Acres of Snow and recount cards, pieces, points and chains during play.

    python bench/acres_conservation.py --games 10000
    SFIDA_DEBUG=1 PYTHONPATH=build/debug python bench/acres_conservation.py --games 10000 --max-turns 60

In the debug build every move is checked, whatever the stride. The games use the presets and some rare options in turn.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter

import sfida
from sfida.cython_ext.rng import Random, derive
from sfida.engines.acres.options import PRESETS

RARE = ("raid_may_target_besieged_site=true,placement_after_siege_optional=true,end_check=before_sieges,"
        "refill_may_be_skipped=true,blocked_raid_costs_no_action=true,blocked_ambush_costs_no_action=true,"
        "ships_in_every_sea_siege=true,raid_routes=any,"
        "french_picks_extra_initial_empire_card=true,start_fortification_quebec=true,fort_st_john_cards=by_board",
        "raid_may_start_from_besieged_site=false,defender_may_surrender=false,governor_not_on_start_locations=true,"
        "british_siege_needs_french_siege_or_25_points=true,british_bateaux_in_initial_deck=true,reshuffle=lazy,"
        "french_bateaux_in_initial_deck=false,british_regular_infantry_removed=3,raid_range_bonus=1")
OPTIONS = (*(f"preset={preset}" for preset in PRESETS), *RARE)


def play(spec: str, seed: int, stride: int) -> tuple[int, str]:
    """Play one game; return its number of events and the reason of its end. Raises AssertionError at a difference."""
    state, rng = sfida.make(spec), Random(derive(seed, 0))
    events = 0
    while not state.is_over:
        if state.is_chance:
            state.apply(state.sample_chance(rng))
        else:
            moves = state.legal_moves()
            state.apply(moves[rng.below(len(moves))])
        events += 1
        if events % stride == 0:
            state.verify()
    state.verify()
    return events, state.game.end_reason(state) or ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--max-turns", type=int, default=400)
    parser.add_argument("--stride", type=int, default=10, help="number of events between recounts")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    began, events, reasons = time.process_time(), 0, Counter[str]()
    for number in range(args.games):
        spec = f"acres:{OPTIONS[number % len(OPTIONS)]},max_turns={args.max_turns}"
        count, reason = play(spec, derive(args.seed, number), args.stride)
        events += count
        reasons[reason] += 1
    print(f"{args.games} games, {events} events, all conserved, {time.process_time() - began:.0f} s of CPU time")
    for reason, count in reasons.most_common():
        print(f"{count / args.games:7.1%}  {reason}")


if __name__ == "__main__":
    main()
