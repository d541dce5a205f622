"""Random networks, and their outputs computed by numpy: a second implementation of `cython_ext/learned.pxd`."""

from decimal import Decimal

import numpy as np

from sfida.cython_ext.learned import Learned


def random_table(features, hidden=4, seed=0, *, gain=64.0, s1=6, s2=12):
    """Return a network with small weights."""
    rng = np.random.default_rng(seed)

    def drawn(*shape):
        return rng.integers(-100, 101, shape).tolist()

    return {"mean": rng.normal(size=features).tolist(), "gain": [gain] * features, "W1": drawn(hidden, 2 * features),
            "b1": drawn(hidden), "s1": s1, "W2": drawn(hidden), "L": drawn(2 * features), "s2": s2}


def random_network(state, hidden=4, seed=0):
    """Return a random network for a state's game and number of players."""
    return Learned(state.game.name, state.game.rules_version, state.feature_names,
                   {state.players: random_table(len(state.feature_names), hidden, seed)})


def reference_outputs(table, x):
    """Return z of every seat, for features of shape (players, features)."""
    q = np.clip(np.floor((x - np.array(table["mean"])) * np.array(table["gain"]) + 0.5), -2047, 2047).astype(np.int64)
    u = np.concatenate([q, q.sum(axis=0) - q], axis=1)
    w1 = np.array(table["W1"], np.int64).reshape(len(table["b1"]), u.shape[1])
    hidden = np.clip((u @ w1.T + np.array(table["b1"], np.int64)) >> table["s1"], 0, 1023)
    return hidden @ np.array(table["W2"], np.int64) + u @ np.array(table["L"], np.int64)


def _rounded(exponent):
    return int((exponent.exp() * 2**20).to_integral_value())


_COARSE = [_rounded(Decimal(-k) / 16) for k in range(256)]
_FINE = [_rounded(Decimal(-k) / 4096) for k in range(256)]


def reference_shares(outputs, s2):
    """Return the softmax of z / 2**s2 from its tables, which are made from exact decimals."""
    top = max(map(int, outputs))
    weights = []
    for z in map(int, outputs):
        step = ((top - z) << 12) >> s2
        weights.append((_COARSE[step >> 8] * _FINE[step & 255]) >> 20 if step < 16 << 12 else 0)
    return [weight / sum(weights) for weight in weights]


def random_priors(features, seed=0, *, gain=64.0, shift=12):
    """Return small weights of priors."""
    rng = np.random.default_rng(seed)
    return {"mean": rng.normal(size=features).tolist(), "gain": [gain] * features,
            "W": rng.integers(-100, 101, features).tolist(), "s": shift}


def prior_network(state, part):
    """Return priors, without an evaluation, for a state's game and number of players."""
    return Learned(state.game.name, state.game.rules_version, state.feature_names,
                   {state.players: {"moves": part}}, {}, state.move_feature_names)


def random_prior_network(state, seed=0):
    """Return a random network with random priors for a state's game and number of players."""
    table = {**random_table(len(state.feature_names), seed=seed),
             "moves": random_priors(len(state.move_feature_names), seed)}
    return Learned(state.game.name, state.game.rules_version, state.feature_names, {state.players: table}, {},
                   state.move_feature_names)


def by_hand_priors(state):
    """Return priors that equal the hand-written ones, with logarithms rounded to steps of 1/128."""
    rest = [0] * (len(state.move_feature_names) - 1)
    return prior_network(state, {"mean": [0.0, *rest], "gain": [128.0, *rest], "W": [1, *rest], "s": 7})


def reference_priors(part, x):
    """Return the priors of moves with features x, of shape (moves, features)."""
    q = np.clip(np.floor((x - np.array(part["mean"])) * np.array(part["gain"]) + 0.5), -2047, 2047).astype(np.int64)
    outputs = [sum(w * int(each) for w, each in zip(part["W"], row, strict=True)) for row in q]
    top, shift = max(outputs), part["s"]
    weights = []
    for z in outputs:
        step = ((top - z) << 12) >> shift
        weights.append(1 + ((_COARSE[step >> 8] * _FINE[step & 255]) >> 20 if step < 16 << 12 else 0))
    return [weight / sum(weights) for weight in weights]
