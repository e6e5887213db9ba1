"""Which of many convex scores is the smallest, for every value of one parameter, with proof.

A candidate's score is ``U(x) - V(x) + C``, U and V convex in the parameter ``x``. Convexity alone bounds a
function between and beyond points where it is known: on ``[a, b]`` with middle ``m``, it lies below its
chords and above the chord of one half prolonged into the other. Where these bounds part, a candidate is out
of the race on the whole interval; where they do not, the interval is halved. What is left in the end are
intervals with one winner each, and between them brackets not wider than a tolerance, each around one change
of winner.

What is proved: outside the brackets the winner is smaller than every other candidate, or identical to it as
a function, up to the rounding of the scores, which enters every comparison through a bound of its relative
error. Where doubles cannot tell the candidates apart, near a crossing at a small angle or a touching, they
are compared in decimals of many digits (`treelib.topdown.learn.families`). Inside a bracket marked
*isolated* two candidates cross exactly once (their difference changes its sign and is strictly monotone
around the bracket); the others hold a touching, or three candidates that meet closer than the tolerance.
"""

from decimal import localcontext
from functools import partial
from typing import NamedTuple

import numpy as np

from treelib.table.checks import go_on as no_check
from treelib.topdown.learn.families import DIGITS

_KEYS_FROM = 64  # so few candidates are asked for their exact identity; more are halved away first
_PRECISE_UP_TO = 8  # candidates that doubles cannot tell apart
_STEP_BYTES, _HELD_BYTES = 240, 40  # a candidate's share of one step, and of an interval that waits
_UNKNOWN, _BY_KEY, _BY_EXACT_KEY = range(3)  # what tells candidates apart
_WIDEST_CERTIFICATE = 0.25  # scores are evaluated this far outside the interval, no further


class Bracket(NamedTuple):
    """Interval that holds a change of winner. isolated : bool, exactly one crossing of two candidates."""

    low: float
    high: float
    isolated: bool

    @property
    def middle(self):
        return self.low + (self.high - self.low) / 2


class Envelope(NamedTuple):
    """Winners on consecutive intervals.

    edges : list of n + 1 float, increasing. winners : list of n candidate indices, neighbours differ.
    brackets : dict of edge -> Bracket, for the inner edges. unresolved : list of Bracket without a change of
    winner (a touching, or functions too close for the rounding), or too wide and not isolated.
    """

    edges: list
    winners: list
    brackets: dict
    unresolved: list


def lower_envelope(scores, low, high, tolerance=1e-10, go_on=None):
    """The candidate of the smallest score at every ``x`` in [low, high].

    Parameters
    ----------
    scores : object with ``n`` (candidates); ``evaluate(x, which)``, for intp (k,) the parts U and V, both not
        negative, float64 (2, k); ``relative_error``, bound for each of them; ``constants(which)``, C, exact,
        float64 (k,); ``key(i)`` and ``exact_key(i)``, hashables that are equal only for candidates that are
        equal as functions (the latter, as far as it can tell, for all of them); ``precise()``, such an object
        in decimals of the context `DIGITS`, or None where there are no more digits to be had. It is asked for
        up to eight candidates: no more meet inside the domain, but all do at an end of it, as at alpha = 0
    low, high : float, low < high
    tolerance : float, width of a bracket, relative to max(1, abs(x)); one without decimals can be wider
    go_on : callable or None, called at every step with the bytes that are held; may raise to stop

    Returns
    -------
    Envelope. Of candidates that are equal as functions the one of smallest index wins.
    """
    with localcontext(DIGITS):
        return _joined(_pieces(scores, low, high, tolerance, go_on), tolerance)


def _pieces(scores, low, high, tolerance, go_on):
    """Consecutive pieces ``(low, high, winner or -1, isolated)`` of [low, high]."""
    all_ = np.arange(scores.n, dtype=np.intp)
    found, ask = [], no_check
    stack = [(low, high, all_, scores, scores.evaluate(low, all_), scores.evaluate(high, all_), _UNKNOWN)]
    while stack:
        a, b, which, scores, at_a, at_b, apart = stack.pop()
        if len(which) == 1:
            found.append((a, b, int(which[0]), False))
            continue
        if go_on is not None:
            ask = partial(go_on, _STEP_BYTES * len(which) + _HELD_BYTES * sum(len(w[2]) for w in stack))
            ask()
        m = a + (b - a) / 2
        at_m = scores.evaluate(m, which)
        keep, close = _not_beaten(at_a, at_m, at_b, scores.constants(which), scores.relative_error)
        keep, apart = _one_of_each(scores, which, keep, close, apart, ask)
        if len(keep) == 1:
            found.append((a, b, int(which[keep[0]]), False))
            continue
        which = which[keep]
        if close or b - a <= tolerance * max(1.0, abs(m)) or not a < m < b:
            precise = scores.precise() if len(which) <= _PRECISE_UP_TO else None
            if precise is None:
                found.append((a, b, -1, False))
            else:
                ends = precise.evaluate(a, which), precise.evaluate(b, which)
                stack.append((a, b, which, precise, *ends, apart))
            continue
        at_a, at_m, at_b = at_a[:, keep], at_m[:, keep], at_b[:, keep]
        if len(which) == 2:
            crossing = _crossing(scores, which, a, b, at_a, at_b, tolerance, ask)
            if crossing is not None:
                found += crossing
                continue
        stack.append((m, b, which, scores, at_m, at_b, apart))
        stack.append((a, m, which, scores, at_a, at_m, apart))
    return found


def _not_beaten(at_a, at_m, at_b, constant, relative_error):
    """Positions of the candidates that are not proved larger than the smallest one at the middle, and whether
    those are all equal at the three points as far as rounding lets one see."""
    (u_a, v_a), (u_m, v_m), (u_b, v_b) = at_a, at_m, at_b
    best = int(np.argmin(u_m - v_m + constant))
    constant = constant - constant[best]
    size = 2 * (u_m + v_m) + u_a + u_b + v_a + v_b
    noise = 2 * relative_error * (size + size[best])
    # lower bounds of every candidate and upper bounds of the best, minus each other, at a, m and b
    gap_m = (u_m - v_m) - (u_m[best] - v_m[best]) + constant
    gap_a = (2 * u_m - u_b - v_a) - (u_a[best] - 2 * v_m[best] + v_b[best]) + constant
    gap_b = (2 * u_m - u_a - v_b) - (u_b[best] - 2 * v_m[best] + v_a[best]) + constant
    keep = np.flatnonzero(~((gap_m > noise) & (gap_a > noise) & (gap_b > noise)))
    apart = np.abs(gap_m)
    for u, v in ((u_a, v_a), (u_b, v_b)):
        apart = np.maximum(apart, np.abs((u - v) - (u[best] - v[best]) + constant))
    return keep, bool((apart[keep] <= noise[keep]).all())


def _one_of_each(scores, which, keep, close, apart, ask):
    """Positions `keep` without those whose candidate equals an earlier one as a function, and by what all are
    known to differ then. `ask` is called for each: an exact key of many classes takes milliseconds.

    apart : by what all of `which` are known to differ already: what is some of them differs so too
    """
    wanted = _BY_EXACT_KEY if close else _BY_KEY
    if apart >= wanted or (len(keep) > _KEYS_FROM and not close):
        return keep, apart
    seen = {}
    for position in keep:
        ask()
        candidate = int(which[position])
        seen.setdefault(scores.exact_key(candidate) if close else scores.key(candidate), position)
    return np.array(sorted(seen.values()), dtype=np.intp), wanted


def _crossing(scores, pair, a, b, at_a, at_b, tolerance, ask):
    """Pieces of [a, b] where the two candidates cross exactly once; None where that is not proved. `ask` is
    called at every halving: with decimals one takes milliseconds."""
    width = b - a
    error = 2 * scores.relative_error
    sign_a, sign_b = _sign(scores, pair, at_a), _sign(scores, pair, at_b)
    if sign_a * sign_b >= 0 or width > _WIDEST_CERTIFICATE:
        return None
    # by convexity a slope inside [a, b] lies between the chords on its left and on its right
    before, after = scores.evaluate(a - width, pair), scores.evaluate(b + width, pair)
    slope_low, slope_high = at_a - before, after - at_b
    noise = error * (at_a + before + after + at_b).sum()
    (u_low, v_low), (u_high, v_high) = slope_low, slope_high
    lowest = (u_low[0] + v_low[1]) - (v_high[0] + u_high[1]) - noise
    highest = (u_high[0] + v_high[1]) - (v_low[0] + u_low[1]) + noise
    if lowest <= 0 <= highest:
        return None
    left, right = a, b
    while right - left > tolerance * max(1.0, abs(left)):
        ask()
        m = left + (right - left) / 2
        sign = _sign(scores, pair, scores.evaluate(m, pair))
        precise = scores.precise() if sign == 0 else None
        if precise is not None:
            scores = precise
            sign = _sign(scores, pair, scores.evaluate(m, pair))
        if sign == 0 or not left < m < right:
            break
        left, right = (m, right) if sign == sign_a else (left, m)
    first, second = (pair[0], pair[1]) if sign_a < 0 else (pair[1], pair[0])
    pieces = [(a, left, int(first), False), (left, right, -1, True), (right, b, int(second), False)]
    return [piece for piece in pieces if piece[1] > piece[0]]


def _sign(scores, pair, at):
    """Sign of the first candidate's score minus the second's; 0 if rounding could turn it."""
    (u0, u1), (v0, v1) = at
    c0, c1 = scores.constants(pair)
    difference = (u0 + v1) - (v0 + u1) + (c0 - c1)
    if abs(difference) <= 2 * scores.relative_error * (u0 + u1 + v0 + v1):
        return 0
    return 1 if difference > 0 else -1


def _joined(found, tolerance):
    """Envelope of consecutive pieces ``(low, high, winner or -1, isolated)``."""
    gaps, known = {}, []  # a gap belongs to the piece that follows it
    pending = None
    for low, high, winner, isolated in found:
        if winner < 0:
            pending = Bracket(pending.low if pending else low, high, isolated and pending is None)
            continue
        if pending is not None:
            gaps[len(known)] = pending
        pending = None
        known.append([low, high, winner])
    edges, winners, brackets, unresolved = [found[0][0]], [], {}, []
    for i, (low, _, winner) in enumerate(known):
        gap = gaps.get(i)
        if winners and winner != winners[-1]:
            bracket = gap if gap is not None else Bracket(low, low, False)
            edges.append(bracket.middle)
            brackets[bracket.middle] = bracket
            winners.append(winner)
        elif not winners:
            winners.append(winner)
        if gap is not None and (edges[-1] != gap.middle or _is_doubtful(gap, tolerance)):
            unresolved.append(gap)
    if pending is not None:
        unresolved.append(pending)
    edges.append(found[-1][1])
    return Envelope(edges, winners or [0], brackets, unresolved)


def _is_doubtful(bracket, tolerance):
    return not bracket.isolated and bracket.high - bracket.low > 2 * tolerance * max(1.0, abs(bracket.low))
