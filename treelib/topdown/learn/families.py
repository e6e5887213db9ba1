"""Families of splitting criteria with one free parameter, as convex scores for `envelope`.

A family turns splits, given by the class counts (or the sums of targets) on their sides, into scores whose
smallest one is the split that the criterion prefers. All are sums of ``w exp(-L x)`` with ``w, L >= 0``, or
means of such sums over ``x``, and so convex on the whole line (completely monotone):

- alpha of (alpha, beta)-Tsallis: ``(1 - S^beta) / (alpha - 1)`` is ``sum p L phi((alpha - 1) L)`` times
  ``1 + S + ... + S^(beta - 1)``, with ``S = sum p^alpha``, ``L = -ln p``, ``phi(t) = (1 - e^-t) / t``;
- gamma: ``(prod p)^gamma``;
- beta at fixed alpha: ``S^beta``, to be made large where alpha > 1 and small where alpha < 1;
- the Tweedie power: ``sum_i y_i^(2-p)`` is the same for all trees, so that only ``n mean^(2-p)`` counts, and
  with ``u = mean / scale`` that is the alpha family of beta = 1 with p = 2 - alpha and ``u`` for a share.
"""

from decimal import MAX_EMAX, MIN_EMIN, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from math import comb, gcd

import numpy as np

from treelib.compiled.jit import kernel

# Python's decimals round ``ln`` and ``exp`` correctly to the last digit
DIGITS = Context(prec=80, rounding=ROUND_HALF_EVEN, Emin=MIN_EMIN, Emax=MAX_EMAX)
FAR = 2.03125  # no value that anyone tries: a criterion of its own may have ties at 2
_ROUNDING = 2.0**-53
_MOST_TERMS = 100  # of an exponential sum that is compared term by term


class _Scores:
    """Scores of n splits; `sides` are left child, right child and parent (zeros inside a node)."""

    def __init__(self, sides):
        self.sides = sides
        self.n = len(sides)
        self.constant = np.zeros(self.n)

    def constants(self, which):
        """C of the candidates `which`, float64 (k,)."""
        return self.constant[which]

    def key(self, i):
        """Equal for splits whose children (and parents) are equal, permuted or proportional."""
        return _net(self._shapes(i))

    def exact_key(self, i):
        return self.key(i)

    def precise(self):
        """The same scores in decimals, None where the inputs themselves are rounded."""
        return Precise(self, self.precise_side, self.is_turned)

    # whether the larger of what the children have together is the better
    is_turned = False

    def _shapes(self, i):
        for side, sign in zip(self.sides[i], (1, 1, -1), strict=True):
            counts = sorted(int(count) for count in side if count > 0)
            if len(counts) > 1:  # a pure side has no impurity
                scale = gcd(*counts)
                yield tuple(count // scale for count in counts), sign * sum(counts)


class _Tsallis(_Scores):
    def __init__(self, sides, beta):
        super().__init__(sides)
        self.beta = int(beta)
        self.weight, self.share, self.loss = _shares(sides)

    def exact_key(self, i):
        if comb(self.beta + self.sides.shape[2] - 1, self.beta) > _MOST_TERMS:
            return _Scores.key(self, i)
        # what is constant is fixed by the rest, since all vanish at alpha = 1; no base of two classes is 1
        return _net(
            (base, weight * ways)
            for shape, weight in self._shapes(i)
            for base, ways in _terms_of_shape(shape, self.beta)
        )

    def key(self, i):
        return self.exact_key(i) if self.beta == 1 else super().key(i)


class TsallisAlpha(_Tsallis):
    """Scores in alpha below `FAR`, beta a positive integer; `sides` : float64 (n, 3, c), class counts."""

    def __init__(self, sides, beta, interval):
        super().__init__(sides, beta)
        # expm1 magnifies the error of its argument where that is positive: left of alpha = 1. An error of S
        # counts at most beta - 1 times in the sum of its powers, relative to that sum
        reach = max(0.0, 1.25 - interval[0]) * self.loss.max(initial=0.0)
        self.relative_error = 2 * (4 * reach + 16 + sides.shape[2]) * (1 + self.beta) * _ROUNDING

    def evaluate(self, x, which):
        scores = np.empty((2, len(which)))
        score_tsallis(which, self.weight, self.share, self.loss, x - 1.0, self.beta, scores)
        return scores

    def precise_side(self, counts, x):
        """Weighted entropy of class counts (tuple of int) at `x`, Decimal."""
        n = sum(counts)
        if x == 1:
            return self.beta * sum(k * (Decimal(n) / k).ln() for k in counts)
        return n * (1 - power_sum(counts, x) ** self.beta) / (x - 1)


class TsallisFarAlpha(_Tsallis):
    """Scores in alpha above `FAR`, where S^beta is so small that 1 - S^beta would hide it.

    What the children have together is made large: the rows of pure children, which is the constant, and
    ``w S^beta`` of the others.
    """

    def __init__(self, sides, beta, interval):
        super().__init__(sides, beta)
        self.constant = self.weight[:, :2].sum(axis=1) - sides[:, :2].sum(axis=(1, 2))
        # a pure parent has no splits, so no constant
        reach = (interval[1] + 0.25) * self.loss.max(initial=0.0)
        self.relative_error = 2 * (4 * reach + 8 + sides.shape[2]) * (1 + self.beta) * _ROUNDING

    def evaluate(self, x, which):
        scores = np.empty((2, len(which)))
        score_powers(which, self.weight, self.share, self.loss, x, self.beta, scores)
        return scores[::-1]

    is_turned = True

    def precise_side(self, counts, x):
        """Weighted S^beta of class counts (tuple of int) at `x`, Decimal; 0 for a pure side."""
        return sum(counts) * power_sum(counts, x) ** self.beta if len(counts) > 1 else Decimal(0)


class Gamma(_Scores):
    """Scores in gamma, of the geometric family ``(prod p)^gamma``."""

    def __init__(self, sides, interval):
        super().__init__(sides)
        self.weight, share, loss = _shares(sides)
        self.rate = np.where((share > 0).all(axis=2), loss.sum(axis=2), np.inf)
        finite = self.rate[np.isfinite(self.rate)]
        reach = (max(map(abs, interval)) + 0.25) * finite.max(initial=0.0)
        self.relative_error = (8 * reach + 8 + sides.shape[2]) * _ROUNDING

    def evaluate(self, x, which):
        scores = np.empty((2, len(which)))
        score_exponential(which, self.weight, self.rate, x, scores)
        return scores

    def precise_side(self, counts, x):
        """Weighted ``(prod p)^x`` of class counts (tuple of int), Decimal."""
        if len(counts) < self.sides.shape[2]:
            return Decimal(0)
        return sum(counts) * exponential(_product(counts), x)

    def key(self, i):
        return _net(
            (product, weight)
            for shape, weight in self._shapes(i)
            if len(shape) == self.sides.shape[2] and (product := _product(shape))
        )


class TsallisBeta(_Scores):
    """Scores in beta, a real number, at fixed alpha other than 1."""

    def __init__(self, sides, alpha, interval):
        super().__init__(sides)
        if alpha == 1 or alpha <= 0:
            raise ValueError(
                f"alpha={alpha} must be positive and not 1, where beta is a factor of no effect."
            )
        self.alpha = alpha
        _, share, loss = _shares(sides)
        self.weight = sides.sum(axis=2)  # pure sides too: they are a constant here, but not 0
        power = (share * np.exp(-(alpha - 1) * loss)).sum(axis=2)
        self.rate = -np.log(power, out=np.zeros_like(power), where=power > 0)  # negative where alpha < 1
        of_rate = 4 * loss.max(initial=0.0) * abs(alpha - 1) + 8 + sides.shape[2]
        reach = max(map(abs, interval)) + 0.25
        self.relative_error = (reach * (of_rate + 8 * np.abs(self.rate).max(initial=0.0)) + 8) * _ROUNDING

    def evaluate(self, x, which):
        scores = np.empty((2, len(which)))
        score_exponential(which, self.weight, self.rate, x, scores)
        return scores[::-1] if self.alpha > 1 else scores

    @property
    def is_turned(self):
        return self.alpha > 1

    def precise_side(self, counts, x):
        """Weighted ``S^x`` of class counts (tuple of int), Decimal; a pure side weighs its rows."""
        return sum(counts) * (x * power_sum(counts, Decimal(self.alpha)).ln()).exp()

    def exact_key(self, i):
        if self.alpha != int(self.alpha):
            return self.key(i)
        alpha = int(self.alpha)
        return _net(
            (Fraction(sum(n**alpha for n in shape), sum(shape) ** alpha), weight)
            for shape, weight in self._shapes(i)
        )


class Tweedie(_Scores):
    """Scores in ``1 - p``, p the Tweedie power; `sides` : float64 (n, 3, 2), rows and sums of targets."""

    def __init__(self, sides, scale, interval):
        super().__init__(sides)
        self.weight = sides[:, :, 0].copy()
        mean = np.divide(sides[:, :, 1], self.weight, out=np.zeros(self.weight.shape), where=self.weight > 0)
        # a scale of twice the largest target keeps -ln u away from 0, where it would lose its digits
        self.share = np.ascontiguousarray((mean / scale)[:, :, None])
        self.loss = -np.log(self.share, out=np.zeros_like(self.share), where=self.share > 0)
        reach = (max(map(abs, interval)) + 0.25) * self.loss.max(initial=0.0)
        self.relative_error = (8 * reach + 32 + 2 * self.weight.max(initial=0.0)) * _ROUNDING

    def evaluate(self, x, which):
        scores = np.empty((2, len(which)))
        score_tsallis(which, self.weight, self.share, self.loss, x, 1, scores)
        return scores

    def precise(self):
        return None  # sums of targets are rounded already

    def key(self, i):
        return _net(
            (Fraction(total) / Fraction(rows), sign * rows)
            for (rows, total), sign in zip(self.sides[i].tolist(), (1, 1, -1), strict=True)
            if rows > 0 and total > 0
        )


def _shares(sides):
    """Weights (n, 3), and shares and their -ln (n, 3, c), of counts (n, 3, c); pure sides weigh nothing."""
    total = sides.sum(axis=2)
    pure = (sides > 0).sum(axis=2) < 2
    present = sides > 0
    share = np.divide(sides, total[:, :, None], out=np.zeros_like(sides), where=present)
    # ln(n / n_i) as log1p keeps its digits where n_i is nearly n
    rest = np.divide(total[:, :, None] - sides, sides, out=np.zeros_like(sides), where=present)
    return np.where(pure, 0.0, total), share, np.log1p(rest)


def _net(terms):
    """Hashable of a linear combination, terms of one base added and zeros dropped."""
    net = {}
    for base, coefficient in terms:
        net[base] = net.get(base, 0) + coefficient
    return frozenset((base, coefficient) for base, coefficient in net.items() if coefficient != 0)


def _product(shape):
    product = Fraction(1)
    for count in shape:
        product *= Fraction(count, sum(shape))
    return product


@lru_cache(maxsize=1024)
def _terms_of_shape(counts, beta):
    """``S(alpha)^beta`` of class counts (tuple of int) as ``sum coefficient * base^alpha``: list of (base,
    coefficient), the C(beta + c - 1, c - 1) terms of the multinomial theorem (proof of Theorem 3.3, which
    prints C(beta + c - 1, c)). Equal bases are not yet added. A base is a pair of numbers in lowest terms:
    millions are told apart."""
    under, terms = sum(counts) ** beta, []

    def expand(i, left, over, ways):
        if i == len(counts) - 1:
            over *= counts[i] ** left
            common = gcd(over, under)
            terms.append(((over // common, under // common), ways))
            return
        for power in range(left + 1):
            expand(i + 1, left - power, over * counts[i] ** power, ways * comb(left, power))

    expand(0, beta, 1, 1)
    return terms


class Precise:
    """Scores of a family in decimals, for the few comparisons that doubles cannot decide; used in the context
    `DIGITS`.

    Of 80 digits, next to alpha = 1 the difference ``1 - S^beta`` loses as many as ``alpha - 1`` and the
    entropy are small: 16, since alpha is a double, and the logarithm of the rows. What else is lost is the
    logarithm of beta, of the largest exponent and of the number of classes. Forty are enough by far.

    Parameters
    ----------
    scores : family, whose attributes `sides`, `constant`, `key` and `exact_key` count here too
    side : callable of the positive class counts of a side (tuple of int) and x, Decimal -> Decimal from 0
    is_turned : bool, the score is that of the parent minus that of the children
    """

    relative_error = Decimal(10) ** -40

    def __init__(self, scores, side, is_turned):
        self.sides, self.constant = scores.sides, scores.constant
        self.side, self.is_turned = side, is_turned
        self.key, self.exact_key = scores.key, scores.exact_key

    def constants(self, which):
        """C of the candidates `which`, Decimal (k,)."""
        return np.array([Decimal(value) for value in self.constant[which].tolist()], dtype=object)

    def evaluate(self, x, which):
        """Parts U and V, Decimal (2, k), of the candidates `which`, intp (k,), at a float `x`."""
        x, known = Decimal(float(x)), {}

        def value(counts):
            counts = tuple(sorted(int(count) for count in counts if count > 0))
            if counts not in known:
                known[counts] = self.side(counts, x) if counts else Decimal(0)
            return known[counts]

        parts = np.empty((2, len(which)), dtype=object)
        for position, candidate in enumerate(which):
            left, right, parent = map(value, self.sides[candidate])
            parts[:, position] = left + right, parent
        return parts[::-1] if self.is_turned else parts

    def precise(self):
        """None: there are no more digits."""


def power_sum(counts, exponent):
    """``sum (k / n)^exponent`` over the class counts k of n rows."""
    ln_n = _ln(sum(counts))
    return sum((exponent * (_ln(k) - ln_n)).exp() for k in counts)


def exponential(base, exponent):
    """``base^exponent`` of a Fraction above 0."""
    return (exponent * (Decimal(base.numerator) / base.denominator).ln()).exp()


@lru_cache(maxsize=4096)
def _ln(count):
    return DIGITS.ln(Decimal(count))


# ---- compiled scores of many splits at one value of the parameter ------------------------------------------
#
# A split has three sides: left child, right child, parent. Its score is a sum over the children minus the
# parent's share; a side of weight 0 does not count.


@kernel(allocates=False)
def score_tsallis(which, weight, share, loss, delta, beta, scores):
    """Weighted (alpha, beta)-Tsallis entropy, alpha = 1 + `delta`.

    With S the sum of p^alpha, ``(1 - S^beta) / (alpha - 1)`` is ``(1 - S) / (alpha - 1)`` times
    ``1 + S + ... + S^(beta - 1)``, and ``1 - p^(alpha - 1)`` comes from expm1: all terms are positive, so
    nothing cancels, also where alpha is next to 1 (where it is the entropy, times beta).

    Parameters
    ----------
    which : intp (k,), the splits to score
    weight : float64 (n, 3). share, loss : float64 (n, 3, c), p and -ln p; p = 0 where a class is absent
    delta : float. beta : int, at least 1
    scores : float64 (2, k), written: children, parent
    """
    n_classes = share.shape[2]
    for position in range(len(which)):
        split = which[position]
        scores[0, position] = 0.0
        scores[1, position] = 0.0
        for side in range(3):
            if weight[split, side] == 0.0:
                continue
            entropy, power = 0.0, 1.0
            for i in range(n_classes):
                p = share[split, side, i]
                if p > 0.0:
                    change = np.expm1(-delta * loss[split, side, i])
                    entropy += p * (loss[split, side, i] if delta == 0.0 else -change / delta)
                    power += p * change
            factor = 1.0
            for _ in range(beta - 1):
                factor = 1.0 + power * factor
            scores[side // 2, position] += weight[split, side] * entropy * factor


@kernel(allocates=False)
def score_powers(which, weight, share, loss, alpha, beta, scores):
    """Weighted powers ``(sum p^alpha)^beta``; arguments as in `score_tsallis`."""
    for position in range(len(which)):
        split = which[position]
        scores[0, position] = 0.0
        scores[1, position] = 0.0
        for side in range(3):
            if weight[split, side] == 0.0:
                continue
            power = 0.0
            for i in range(share.shape[2]):
                if share[split, side, i] > 0.0:
                    power += np.exp(-alpha * loss[split, side, i])
            whole = power
            for _ in range(beta - 1):
                whole *= power
            scores[side // 2, position] += weight[split, side] * whole


@kernel(allocates=False)
def score_exponential(which, weight, rate, x, scores):
    """Weighted sums of ``exp(-rate x)``; a rate of inf makes a term 0 for every x.

    Parameters
    ----------
    which : intp (k,)
    weight, rate : float64 (n, 3)
    x : float
    scores : float64 (2, k), written: children, parent
    """
    for position in range(len(which)):
        split = which[position]
        scores[0, position] = 0.0
        scores[1, position] = 0.0
        for side in range(3):
            if weight[split, side] != 0.0 and rate[split, side] != np.inf:
                scores[side // 2, position] += weight[split, side] * np.exp(-rate[split, side] * x)


@kernel
def find_splits(X, first, last, rows, codes, targets, n_classes):
    """All splits of a set of rows by the features from `first` to before `last`: one for each gap between
    neighbouring distinct values of a feature.

    Parameters
    ----------
    X : float64 (n, p), C-contiguous, finite. rows : intp (m,)
    codes : intp (n,), classes 0 .. n_classes - 1, or zeros for regression with n_classes = 1
    targets : float64 (n,), summed on the left of each split; zeros for classification

    Returns
    -------
    feature : intp (k,), and threshold : float64 (k,), ascending: first by feature, then by threshold
    counts : float64 (k, n_classes), rows on the left
    sums : float64 (k,), of targets on the left
    """
    m = len(rows)
    most = max((last - first) * (m - 1), 0)
    feature = np.empty(most, dtype=np.intp)
    threshold = np.empty(most)
    counts = np.empty((most, n_classes))
    sums = np.empty(most)
    values = np.empty(m)
    below = np.empty(n_classes)
    k = 0
    for column in range(first, last):
        for i in range(m):
            values[i] = X[rows[i], column]
        order = np.argsort(values, kind="mergesort")
        below[:] = 0.0
        total = 0.0
        for i in range(m - 1):
            row = rows[order[i]]
            below[codes[row]] += 1.0
            total += targets[row]
            low, high = values[order[i]], values[order[i + 1]]
            if low < high:
                middle = low / 2 + high / 2
                feature[k] = column
                threshold[k] = middle if low <= middle < high else low
                counts[k] = below
                sums[k] = total
                k += 1
    return feature[:k].copy(), threshold[:k].copy(), counts[:k].copy(), sums[:k].copy()
