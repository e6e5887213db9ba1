"""Compiled impurities of a node, by the number of the criterion.

Numba cannot cache a kernel that takes a function, so kernels take a criterion as three numbers, ``(code,
alpha, beta)`` of `treelib.topdown.criteria.Criterion`. All classification criteria but the misclassification
rate are built from one number a class, its `part`, and one function of the combined parts, `finish`:

- (alpha, beta)-Tsallis, with Gini (2, 1), entropy (1, 1) and Kearns-Mansour (1/2, 2): the part of a count is
  ``(n^alpha - n) / (alpha - 1)``, in the limit ``n ln n``. The part of the total minus the sum of the parts,
  over ``N^alpha``, is the Tsallis entropy q of beta = 1; with ``S = 1 - (alpha - 1) q`` that of beta is
  ``q (1 + S + ... + S^(beta - 1))``. Nothing cancels next to alpha = 1.
- gamma-geometric: the part is ``n^gamma``, and parts are multiplied.

Where weights are whole numbers, parts are looked up in a table (`fill_parts`).
"""

import numpy as np

from treelib.compiled.jit import kernel

GINI, TSALLIS, GEOMETRIC, MISCLASSIFICATION, SQUARED_ERROR, TWEEDIE, ABSOLUTE_ERROR = range(7)
# costs that differ by less than this share are equal: more than rounding adds up to, less than rows make
TIE = 1e-12


@kernel(inner=True)
def margin(cost, scale):
    """By how much a split must cost less than one of `cost` to be better, in a node whose cost is `scale`.

    So neither a constant weight nor the direction of a column decides between equal splits: the first of them
    is taken.
    """
    return TIE * max(abs(cost), abs(scale))


@kernel(inner=True)
def tsallis_part(count, alpha):
    """``(count^alpha - count) / (alpha - 1)``; ``count ln count`` at alpha = 1; 0 for a count of 0."""
    if count <= 0.0:
        return 0.0
    if alpha == 2.0:
        return count * count - count
    log = np.log(count)
    if alpha == 1.0:
        return count * log
    return count * np.expm1((alpha - 1.0) * log) / (alpha - 1.0)


@kernel(inner=True)
def part(code, alpha, count):
    """What one class contributes to the impurity of a node; `count` is its weight there."""
    if code == TSALLIS:
        return tsallis_part(count, alpha)
    if code == GEOMETRIC:
        return count**alpha
    return count * count if code == GINI else count


@kernel(inner=True)
def is_whole(beta):
    """Whether the sum ``1 + S + ... + S^(beta - 1)`` is taken term by term."""
    return beta <= 16.0 and beta == np.floor(beta)


@kernel(inner=True)
def tsallis_cost(alpha, beta, total, entropy):
    """(alpha, beta)-Tsallis entropy times `total`, from the one of beta = 1."""
    excess = (alpha - 1.0) * entropy  # 1 - S
    if is_whole(beta):
        factor = 1.0
        for _ in range(int(beta) - 1):
            factor = 1.0 + (1.0 - excess) * factor
        return total * entropy * factor
    return tsallis_power(alpha, beta, total, total * entropy, np.log1p(-excess))


@kernel(inner=True)
def tsallis_power(alpha, beta, total, whole_entropy, log_sum):
    """The same for any beta, from ``whole_entropy = total * entropy`` and ``log_sum = ln S``."""
    if log_sum == 0.0:
        return whole_entropy * beta
    return total * -np.expm1(beta * log_sum) / (alpha - 1.0)


@kernel(inner=True)
def finish(code, alpha, beta, total, total_part, parts):
    """Impurity times weight of a node with combined `parts` (a sum; for GEOMETRIC the product over the
    classes, divided by ``total_part^n_classes`` already; for MISCLASSIFICATION the largest)."""
    if total <= 0.0:
        return 0.0
    if code == GINI:
        return (total * total - parts) / total  # whole weights: rounded once
    if code == TSALLIS:
        power = total + (alpha - 1.0) * total_part  # total^alpha
        entropy = (total_part - parts) / power
        return tsallis_cost(alpha, beta, total, entropy)
    return total * parts if code == GEOMETRIC else total - parts


@kernel(inner=True)
def node_cost(code, alpha, beta, counts):
    """Impurity times weight of a node with class weights `counts`, float64 (n_classes,)."""
    total = 0.0
    for k in range(len(counts)):
        total += counts[k]
    if total <= 0.0:
        return 0.0
    total_part = part(code, alpha, total)
    parts = 1.0 if code == GEOMETRIC else 0.0
    for k in range(len(counts)):
        here = part(code, alpha, float(counts[k]))
        if code == GEOMETRIC:
            parts *= here / total_part
        elif code == MISCLASSIFICATION:
            parts = max(parts, here)
        else:
            parts += here
    return finish(code, alpha, beta, total, total_part, parts)


@kernel(inner=True)
def gini_cost(counts):
    """`node_cost` of the Gini impurity."""
    total, parts = 0.0, 0.0
    for k in range(len(counts)):
        total += counts[k]
        parts += counts[k] * counts[k]
    return (total * total - parts) / total if total > 0.0 else 0.0


@kernel(allocates=False)
def node_costs(code, alpha, beta, counts, costs):
    """Impurity times weight of many nodes.

    Parameters
    ----------
    code, alpha, beta : criterion for classification
    counts : float64 (m, n_classes), class weights
    costs : float64 (m,), written
    """
    for i in range(len(counts)):
        costs[i] = node_cost(code, alpha, beta, counts[i])


@kernel(inner=True)
def mean_gain(code, power, weight, total):
    """Weight times the convex function of the mean whose sum over the leaves a regression tree increases.

    The deviance of a node is its value at the single targets minus this one at their mean, up to terms that
    every split of the node shares: ``mean^2`` for the squared error, and for the Tweedie deviance
    ``2 mean^(2 - p) / ((1 - p) (2 - p))``, less a linear term, so that p = 1 is the limit ``2 mean ln mean``
    (Section 3.4; the middle term of the printed formula lacks a power of the mean).

    Parameters
    ----------
    weight, total : weight of the node, and its weighted sum of targets
    """
    if weight <= 0.0:
        return 0.0
    mean = total / weight
    if code == SQUARED_ERROR:
        return total * mean
    return 2.0 / (2.0 - power) * weight * tsallis_part(mean, 2.0 - power)


@kernel(allocates=False)
def fill_parts(code, alpha, table):
    """Parts of the counts 0, 1, 2, ... ; `table` float64 (n,), written."""
    for count in range(len(table)):
        table[count] = part(code, alpha, float(count))
