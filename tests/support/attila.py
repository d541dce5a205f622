"""Hand-made positions of Attila, and short functions that read positions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sfida.cython_ext.attila.core import AttilaState
from sfida.cython_ext.rng import Random
from sfida.engines.attila.game import Attila
from sfida.engines.attila.map import Land
from sfida.engines.attila.position import LETTERS, Position
from sfida.engines.attila.tables import load_data
from sfida.engines.registry import make

STARTS = {"GER", "RAE", "NOR", "PAN", "DAC", "MOE"}
TILES = {"D": "double_turn", "X": "exchange", "I": "influence_2"}


def land_of(state: AttilaState) -> Land:
    """Return the map of a state."""
    game = state.game
    assert isinstance(game, Attila)
    return game.land


def six(letters: str) -> list[int]:
    """Return the counts of a row of letters."""
    return [letters.count(letter) for letter in LETTERS]


def letters(counts: Sequence[int]) -> str:
    """Return counts as a row of letters."""
    return "".join(letter * n for letter, n in zip(LETTERS, counts, strict=True))


def start(options: str = "", **more: object) -> AttilaState:
    """Return a game before the deal."""
    state = make("attila" + (f":{options}" if options else ""), **more)
    assert isinstance(state, AttilaState)
    return state


def setup(board: str = "", hands: Sequence[str] = (), *, players: int = 3, options: str = "", used: int = 0,
          pacified: str = "", influence: Mapping[str, int] | None = None, supply: Mapping[str, int] | None = None,
          tiles: Sequence[str] | None = None, **arranged: object) -> AttilaState:
    """Return the start of a turn, of seat 0 unless `active` is given.

    Parameters
    ----------
    board : str
        Such as ``GER:VVSS RAE:FF``.
    hands : sequence of str
        Cards by seat; missing cards are taken from those that no hand names.
    players : int
    options : str
        More options of the game, as in a spec.
    used : int
        Peace tiles laid.
    pacified : str
        Codes of provinces.
    influence : dict of str to int
        By seat and tribe, such as ``{"0.F": 21}``.
    supply : dict of str to int
        Tokens left, for tribes whose supply is not the rest of the tokens.
    tiles : sequence of str
        Letters of D X I by seat.
    **arranged
        Further arguments of `AttilaState.arrange`.
    """
    state = start(options, players=players)
    codes = [one.code for one in land_of(state).provinces]
    tokens = [[0] * 6 for _ in codes]
    for part in board.split():
        code, _, there = part.partition(":")
        tokens[codes.index(code)] = six(there)
    dealt = [six(hand) for hand in hands]
    named = arranged.get("discards")
    left = [9 - sum(hand[i] for hand in dealt) - (0 if named is None else six(str(named))[i]) for i in range(6)]
    while len(dealt) < players:
        hand = [0] * 6
        for _ in range(6):
            most = max(range(6), key=lambda i: left[i])
            hand[most] += 1
            left[most] -= 1
        dealt.append(hand)
    if named is not None:
        arranged["discards"] = six(str(named))
    markers = [[0] * 6 for _ in range(players)]
    for where, spaces in (influence or {}).items():
        markers[int(where[0])][LETTERS.index(where[2])] = spaces
    stock = [20 - sum(here[i] for here in tokens) for i in range(6)]
    for letter, n in (supply or {}).items():
        stock[LETTERS.index(letter)] = n
    if tiles is not None:
        arranged["tiles"] = [[TILES[letter] for letter in row] for row in tiles]
    state.arrange(tokens, dealt, pacified=[codes.index(code) for code in pacified.split()], peace_used=used,
                  influence=markers, supply=stock, **arranged)  # type: ignore[arg-type]
    return state


def play(state: AttilaState, *lines: str) -> AttilaState:
    """Play lines of notation; ``nobody`` lets no seat lay a card, ``luck`` draws the first possible card."""
    for line in lines:
        if line == "nobody":
            place = state.snapshot()["queue"]
            while state.phase == "commit" and state.snapshot()["queue"] == place:
                state.apply(state.parse("done"))
        elif line == "luck":
            while state.is_chance:
                state.apply(state.legal_moves()[0])
        else:
            game = state.game
            assert isinstance(game, Attila)
            for code in game.parse_turn(state, line):
                state.apply(code)
    return state


def position(state: AttilaState, seat: int | None = None) -> Position:
    """Return the position as a seat sees it."""
    game = state.game
    assert isinstance(game, Attila)
    return game.position(state, seat)


def tokens(state: AttilaState, code: str) -> str:
    """Return the tokens in a province."""
    codes = [one.code for one in land_of(state).provinces]
    return letters(position(state).tokens[codes.index(code)])


def at_peace(state: AttilaState) -> set[str]:
    """Return the codes of the pacified provinces."""
    return {one.code for one, calm in zip(land_of(state).provinces, position(state).pacified, strict=True) if calm}


def places(state: AttilaState, tribe: str) -> set[str]:
    """Return the codes of the provinces where a tribe may be placed."""
    return {land_of(state).provinces[i].code for i in state.allowed(LETTERS.index(tribe))}


def supply(state: AttilaState, tribe: str) -> int:
    """Return the supply of a tribe."""
    return position(state).supply[LETTERS.index(tribe)]


def marker(state: AttilaState, where: str) -> int:
    """Return the space of a marker, named by seat and tribe such as ``0.F``."""
    return position(state).seats[int(where[0])].influence[LETTERS.index(where[2])]


def sizes(state: AttilaState) -> list[int]:
    """Return the sizes of the hands."""
    return [one.hand_size for one in position(state).seats]


def used(state: AttilaState) -> int:
    """Return the peace tiles laid."""
    return int(sum(row["peace_tiles"] for row in load_data()["centuries"]) - sum(position(state).peace))


def hand(state: AttilaState, seat: int) -> str:
    """Return a seat's cards."""
    return letters(state.hand(seat))


def world(state: AttilaState, seat: int, seed: int) -> AttilaState:
    """Return a determinization for a seat."""
    twin = state.clone()
    assert isinstance(twin, AttilaState)
    twin.determinize(seat, Random(seed))
    return twin


def exact_hands(state: AttilaState, seat: int) -> dict[tuple[str, ...], float]:
    """Return the probability of all hands and laid cards that are possible for a seat, by filtering its log forward.

    Every draw branches over the tribes that remain in its pile; every card that leaves a hand is one of the hand's
    cards, each equally likely. The filter is exponential, so use it for positions with few unseen cards.
    """
    others = [i for i in range(state.players) if i != seat]
    left = [[*state.history_base()]]                        # cards of each pile that `seat` has not drawn
    events, out, size = [], [9 - n for n in left[0]], sum(left[0])
    for kind, who, what in state.view(seat).observation()["hands_log"]:
        if kind == "draw":
            if size == 0:
                left.append(out)
                size, out = sum(out), [0] * 6
            size -= 1
            if who == seat:
                left[-1][what] -= 1
            what = len(left) - 1
        elif kind == "leave":
            out[what] += 1
        if who != seat:
            events.append((kind, others.index(who), what))
    if size == 0 and position(state).pile:
        left.append(out)
    empty = ((0,) * (6 * len(left)),) * len(others)
    worlds = {(empty, tuple(map(tuple, left)), ("",) * len(others)): 1.0}
    if state.phase == "commit":
        here = position(state).tokens[position(state).queue[0]]
        present = [i for i in range(6) if here[i]]
        for place, who in enumerate(others):
            events += [("lay", place, present)] * position(state).seats[who].laid
    for kind, who, what in events:
        after: dict[tuple, float] = {}
        for (hands, owed, laid), chance in worlds.items():
            held = hands[who]
            if kind == "dead":
                if all(what >> (i % 6) & 1 for i, n in enumerate(held) if n):
                    after[hands, owed, laid] = after.get((hands, owed, laid), 0.0) + chance
                continue
            places = range(6 * what, 6 * what + 6) if kind == "draw" else [
                i for i, n in enumerate(held) if n and (i % 6 in what if kind == "lay" else i % 6 == what)]
            for i in places:
                n = owed[what][i % 6] if kind == "draw" else held[i]
                if not n:
                    continue
                total = sum(owed[what]) if kind == "draw" else sum(held)
                hand_then = tuple(m + (1 if kind == "draw" else -1) * (k == i) for k, m in enumerate(held))
                owed_then = owed if kind != "draw" else tuple(
                    tuple(m - (k == i % 6) for k, m in enumerate(row)) if g == what else row
                    for g, row in enumerate(owed))
                laid_then = laid if kind != "lay" else tuple(
                    "".join(sorted(one + LETTERS[i % 6])) if k == who else one for k, one in enumerate(laid))
                key = (tuple(hand_then if k == who else one for k, one in enumerate(hands)), owed_then, laid_then)
                after[key] = after.get(key, 0.0) + chance * n / total
        worlds = after
    found: dict[tuple[str, ...], float] = {}
    whole = sum(worlds.values())
    for (hands, _, laid), chance in worlds.items():
        key = (*(letters([sum(one[k::6]) for k in range(6)]) for one in hands), *laid)
        found[key] = found.get(key, 0.0) + chance / whole
    return found


def seen_hands(state: AttilaState, seat: int) -> tuple[str, ...]:
    """Return the hands and laid cards of the other seats in a world, in the format of `exact_hands`."""
    others = [i for i in range(state.players) if i != seat]
    laid = ["".join(sorted(letters(state.laid(i)))) for i in others]
    return (*(hand(state, i) for i in others), *laid)
