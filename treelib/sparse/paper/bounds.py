"""The bounds of the search: their names, which are switches, and what each says.

A new bound is added here: its name in `IS_DEFAULT`, its test in the function of what it looks at (a leaf, a
pair of new leaves, a state, a combination of columns). Only the permutation bound stands elsewhere: it is the
cache of trees.
"""

import math

import numpy as np

from treelib.compiled.jit import kernel
from treelib.sparse.paper.leaf_cache import count_apart

# whether a bound is on unless the caller says otherwise; the search asks ``s.on[0]["lookahead"]``
IS_DEFAULT = {
    "node_support": True,
    "incremental_accuracy": True,
    "accuracy": True,
    "lookahead": True,
    "equivalent_points": True,
    "leaf_count": True,
    "permutation": True,
    "similar_support": False,
}
BOUNDS = tuple(IS_DEFAULT)
DEFAULT_BOUNDS = tuple(name for name in BOUNDS if IS_DEFAULT[name])
SWITCHES = np.dtype([(name, np.uint8) for name in BOUNDS])


def switches(names):
    """SWITCHES (1,) with the bounds `names` on."""
    on = np.zeros(1, SWITCHES)
    for name in names:
        on[name] = 1
    return on


@kernel(inner=True)
def may_split(s, leaf):
    """Whether the leaf of that number can be split at a profit."""
    loss = s.leaf_loss[leaf]["loss"]
    if s.on[0]["node_support"] and loss <= s.regularization:  # Theorem 3.3
        return False
    return s.leaf[leaf]["n_open"] > 0


@kernel(inner=True)
def is_too_weak(s, leaf):
    """Theorem 3.5: a leaf that gets at most a fraction lambda of all rows right costs more than it saves."""
    is_weak = (s.leaf[leaf]["n_rows"] - s.leaf[leaf]["n_wrong"]) / s.n_rows <= s.regularization
    return s.on[0]["accuracy"] != 0 and is_weak


@kernel(inner=True)
def gains_too_little(s, leaf, false, true):
    """Theorem 3.4: a split that saves no more than a leaf costs is of use only if a half is split again."""
    gain = s.leaf_loss[leaf]["loss"] - s.leaf_loss[false]["loss"] - s.leaf_loss[true]["loss"]
    return s.on[0]["incremental_accuracy"] != 0 and gain <= s.regularization


@kernel(inner=True)
def most_leaves(s, bound, length):
    """Leaves, float, that a better tree grown from `length` leaves can have (Theorem C.3)."""
    now = s.now[0]
    return min(length + math.floor((now["best"] - bound) / s.regularization), now["most_leaves"])


@kernel(inner=True)
def is_beaten(s, bound, length, n_split, equivalent):
    """Whether no tree grown from a state can beat the incumbent, by the bounds switched on.

    Each test holds the better the incumbent is: a state that is beaten once stays so.

    Parameters
    ----------
    bound : float, loss of the unchanged leaves and the price of all `length` leaves
    n_split : int, leaves to be split
    equivalent : float, their equivalent-points loss
    """
    if s.on[0]["leaf_count"] and length + n_split > most_leaves(s, bound, length):
        return True
    if s.on[0]["equivalent_points"]:
        bound += equivalent
    if s.on[0]["lookahead"]:
        bound += n_split * s.regularization
    return bound >= s.now[0]["best"]


@kernel(inner=True)
def is_hopeless(s):
    """Whether the state at hand is beaten, or dropped by the paper's strict leaf-count bound."""
    now = s.now[0]
    n_split = now["n_split"]
    length = now["n_unchanged"] + n_split
    bound = now["unchanged_loss"] + s.regularization * length
    if is_beaten(s, bound, length, n_split, now["split_equivalent"]):
        return True
    if s.on[0]["leaf_count"] and s.paper and length + n_split == most_leaves(s, bound, length):
        # dropped without proof: what it could have held stays in the lower bound of the search
        proven = bound + now["split_equivalent"] + n_split * s.regularization
        now["dropped"] = min(now["dropped"], proven)
        return True
    return False


@kernel(inner=True)
def is_like_hopeless(s):
    """Theorem F.1: a sibling that differs only in the column of the last leaf is hopeless by a margin.

    Two columns can swap at most the rows on which they differ, or on which they agree when the halves are
    exchanged.
    """
    if not s.on[0]["similar_support"]:
        return False
    now = s.now[0]
    last = now["n_split"] - 1
    leaf = s.place[last]["split"]
    if s.place[last]["choice"] == 0:
        s.similar_bound[:] = -np.inf
    column = s.candidate[last, s.place[last]["choice"]]
    for k in range(s.place[last]["choice"]):
        other = s.candidate[last, k]
        if s.similar_bound[other] >= now["best"]:
            n_apart = count_apart(s, leaf, column, other)
            omega = min(n_apart, s.leaf[leaf]["n_rows"] - n_apart) / s.n_rows
            if s.similar_bound[other] - omega >= now["best"]:
                return True
    return False


@kernel(inner=True)
def remember_sibling(s):
    """Keep a bound of the child at hand and all that grows from it: each new leaf stays, or is split."""
    if not s.on[0]["similar_support"]:
        return
    now = s.now[0]
    last = now["n_split"] - 1
    n_fresh = 2 * now["n_split"]
    bound = now["unchanged_loss"]
    price = s.regularization if s.on[0]["lookahead"] else 0.0
    for k in range(n_fresh):
        leaf = s.place[k]["fresh"]
        equivalent = s.leaf_loss[leaf]["equivalent"] if s.on[0]["equivalent_points"] else 0.0
        bound += min(s.leaf_loss[leaf]["loss"], equivalent + price)
    bound += s.regularization * (now["n_unchanged"] + n_fresh)
    s.similar_bound[s.candidate[last, s.place[last]["choice"]]] = bound
