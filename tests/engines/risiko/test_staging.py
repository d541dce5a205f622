"""The dice that RisiKo! shows for a throw of which only the losses are known."""

from __future__ import annotations

import itertools

from sfida.engines.risiko.staging import throws_with


def test_shown_throws_are_all_those_with_the_losses() -> None:
    for attack, defence in itertools.product(range(1, 4), repeat=2):
        pairs = min(attack, defence)
        found = {defender: throws_with(attack, defence, pairs - defender, defender) for defender in range(pairs + 1)}
        for defender, throws in found.items():
            assert throws
            for one, other in throws:
                assert (len(one), len(other)) == (attack, defence)
                assert all(list(row) == sorted(row, reverse=True) for row in (one, other))
                assert sum(a > b for a, b in zip(one, other, strict=False)) == defender
        sets = (len(list(itertools.combinations_with_replacement(range(6), dice))) for dice in (attack, defence))
        assert sum(map(len, found.values())) == next(sets) * next(sets)
