"""From a problem and a number to lemmas that show that no tree costs less, as far as they reach.

The prover knows the rules of the checker and which trees are good; what it takes for granted about bounds it
proves itself. Where a bound cannot be reached it says what was: the proof is then of less, never wrong.
"""

import time
from typing import NamedTuple

import numpy as np

from treelib.sparse.proofs.one_split import best_of_one_split

UNLIMITED = 2**31  # a depth


class Lemma(NamedTuple):
    """A bound of the trees on a set of rows, and why it holds.

    Attributes
    ----------
    rows : int, the set
    depth : int, most splits on a path, or None
    bound : int
    path : tuple of (column, "<=" or ">", place of a threshold), the tests that lead to the rows
    cuts : dict of a column to runs of its splits, (place of the last one, lemmas of the low side, and of the
        high side)
    """

    rows: int
    depth: int | None
    bound: int
    path: tuple
    cuts: dict


def below(depth):
    """The depth that is left after a split."""
    return None if depth is None else depth - 1


class Prover:
    """The lemmas so far, and what is known of sets of rows.

    Parameters
    ----------
    problem : treelib.sparse.proofs.problem.ProvedProblem
    costs_of : list of callables of (rows, depth) that give the cost of a good tree, each with more work than
        the one before
    seconds : float, after which only rule 2 is tried
    """

    def __init__(self, problem, costs_of, seconds=np.inf):
        self.problem, self.costs_of = problem, costs_of
        self.deadline = time.perf_counter() + seconds
        self.lemmas, self.known, self.one_split, self.upper_of = [], {}, {}, {}
        # rows, bounds and depths of the lemmas once more, to look through all of them at once
        self._words = np.zeros((64, -(-len(problem.costs) // 64)), np.uint64)
        self._bounds, self._depths = np.zeros(64, np.int64), np.zeros(64, np.int64)

    def of_one_split(self, rows):
        """Costs of the best leaf, of the best split, and of three leaves at least."""
        found = self.one_split.get(rows)
        if found is None:
            problem, price = self.problem, self.problem.price
            arrays = problem.places, problem.n_places, problem.costs
            leaf, split, floor = best_of_one_split(*arrays, problem.members(rows))
            found = leaf + price, split + 2 * price, floor + 3 * price
            self.one_split[rows] = found
        return found

    def by_rule_2(self, rows, depth):
        """Lower bound that the checker finds by itself."""
        leaf, split, three = self.of_one_split(rows)
        if depth == 0 or leaf <= three - self.problem.price:
            return leaf
        return min(leaf, split) if depth == 1 else min(leaf, split, three)

    def upper(self, rows, depth, need=-np.inf):
        """Cost of a good tree; of one that is sooner found where that costs less than `need`."""
        simple = min(self.of_one_split(rows)[: 1 if depth == 0 else 2])
        if depth in (0, 1) or simple <= self.by_rule_2(rows, depth):
            return simple
        found = min(simple, self.upper_of.get((rows, depth), simple))
        for cost_of in self.costs_of:
            if found < need:
                break
            found = min(found, cost_of(rows, depth))
        return found

    def lower(self, rows, depth):
        """The best bound so far, and the lemmas that it takes."""
        bound, used = self.by_rule_2(rows, depth), ()
        known = self.known.get((rows, depth))
        if known is not None and self.lemmas[known].bound > bound:
            bound, used = self.lemmas[known].bound, (known,)
        return bound, used

    def prove(self, rows, depth, need, path=()):
        """A lower bound of the trees on a set of rows, and the lemmas to name for it: `need`, where every
        tree costs that much and the time suffices, else what was shown.

        Parameters
        ----------
        rows, depth, path : as in `Lemma`
        need : int

        Returns
        -------
        bound : int. lemmas : tuple of int
        """
        bound, used = self.lower(rows, depth)
        if bound >= need or depth in (0, 1) or bound >= self.upper(rows, depth):
            return bound, used
        k = self._lemma_of_a_part(rows, depth, need)
        if k is not None:
            return self.lemmas[k].bound, (k,)
        if time.perf_counter() > self.deadline:
            return bound, used
        need = min(need, self.upper(rows, depth))
        cuts, found = {}, need
        for column in range(len(self.problem.masks)):
            runs, found = self._refute(rows, depth, found, column, path)
            if runs:
                cuts[column] = runs
        if found <= bound:
            return bound, used
        if found < need:
            self.upper_of[rows, depth] = found  # what cannot be shown is not tried again
        self._add(Lemma(rows, depth, found, path, cuts))
        return found, (len(self.lemmas) - 1,)

    def _add(self, lemma):
        n = len(self.lemmas)
        if n == len(self._bounds):
            self._words = np.resize(self._words, (2 * n, self._words.shape[1]))
            self._bounds, self._depths = np.resize(self._bounds, 2 * n), np.resize(self._depths, 2 * n)
        self._words[n] = self._in_words(lemma.rows)
        self._bounds[n], self._depths[n] = lemma.bound, UNLIMITED if lemma.depth is None else lemma.depth
        self.known[lemma.rows, lemma.depth] = n
        self.lemmas.append(lemma)

    def _in_words(self, rows):
        return np.frombuffer(rows.to_bytes(8 * self._words.shape[1], "little"), np.uint64)

    def _lemma_of_a_part(self, rows, depth, need):
        """A lemma about a part of the rows that gives the bound that is needed, or None."""
        n, limit = len(self.lemmas), UNLIMITED if depth is None else depth
        fit = np.flatnonzero((self._bounds[:n] >= need) & (self._depths[:n] >= limit))
        inside = ~(self._words[fit] & ~self._in_words(rows)).any(axis=1)
        return int(fit[inside][-1]) if inside.any() else None

    def needed_lemmas(self):
        """The lemmas that the last one stands on, in order, and itself; none where rule 2 is enough."""
        whole = self.problem.rows
        if not self.lemmas or self.lemmas[-1].rows != whole:
            return []
        needed = {len(self.lemmas) - 1}
        for k in range(len(self.lemmas) - 1, -1, -1):
            if k in needed:
                for runs in self.lemmas[k].cuts.values():
                    needed.update(other for _, low, high in runs for other in (*low, *high))
        place = {k: i for i, k in enumerate(sorted(needed))}

        def renamed(runs):
            return [(end, [place[k] for k in low], [place[k] for k in high]) for end, low, high in runs]

        lemmas = (self.lemmas[k] for k in place)
        return [lemma._replace(cuts={j: renamed(runs) for j, runs in lemma.cuts.items()}) for lemma in lemmas]

    def _refute(self, rows, depth, need, column, path):
        """Runs that show that the splits of a column cost at least a number; and it, `need` or less."""
        masks, cuts, last = self.problem.masks[column], [], 0
        for place, mask in enumerate(masks):
            low = rows & mask
            if low == rows:
                break
            if low == last and cuts:
                cuts[-1] = place
            elif low:
                cuts.append(place)
            last = low
        runs, start = [], 0
        while start < len(cuts):
            stop, need, named = self._run(rows, below(depth), need, (column, masks, cuts, start), path)
            runs.append((cuts[stop], *named))
            start = stop + 1
        if len(runs) == 1 and not any(runs[0][1:]):  # what the checker tries where it is told nothing
            runs = []
        return runs, need

    def _run(self, rows, depth, need, where, path):
        """The longest run of splits that a lemma or two refute: (its end, what is shown, the lemmas)."""
        column, masks, cuts, start = where
        low = rows & masks[cuts[start]]
        low_bound, low_used = self.lower(low, depth)

        def high(stop):
            return rows & ~masks[cuts[stop]]

        def by_bounds(stop):
            return low_bound + self.lower(high(stop), depth)[0] >= need

        if by_bounds(start):
            stop = _furthest(start, len(cuts) - 1, by_bounds)
            high_used = self.lower(high(stop), depth)[1]
            return stop, need, (low_used, high_used)

        def by_high(stop):
            return self.upper(high(stop), depth, need - low_bound) >= need - low_bound

        def by_low(stop):
            return self.upper(low, depth) + self.lower(high(stop), depth)[0] >= need

        options = []
        if by_high(start):
            options.append((_furthest(start, len(cuts) - 1, by_high), 1))
        if by_low(start):
            options.append((_furthest(start, len(cuts) - 1, by_low), 0))
        stop, is_high = max(options, default=(start, low.bit_count() > high(start).bit_count()))
        part = high(stop)
        low_path, high_path = (*path, (column, "<=", cuts[start])), (*path, (column, ">", cuts[stop]))
        part_bound, part_used = self.lower(part, depth)
        if is_high:
            part_bound, part_used = self.prove(part, depth, need - low_bound, high_path)
            if low_bound + part_bound < need:
                low_bound, low_used = self.prove(low, depth, need - part_bound, low_path)
        else:
            low_bound, low_used = self.prove(low, depth, need - part_bound, low_path)
            if low_bound + part_bound < need:
                part_bound, part_used = self.prove(part, depth, need - low_bound, high_path)
        if low_bound + part_bound < need and stop > start:
            return self._one(rows, depth, need, where, path)
        return stop, min(need, low_bound + part_bound), (low_used, part_used)

    def _one(self, rows, depth, need, where, path):
        """As `_run`, for a single split."""
        column, masks, cuts, start = where
        low = rows & masks[cuts[start]]
        high = rows & ~low
        low_path, high_path = (*path, (column, "<=", cuts[start])), (*path, (column, ">", cuts[start]))
        high_bound, high_used = self.lower(high, depth)
        low_bound, low_used = self.prove(low, depth, need - high_bound, low_path)
        if low_bound + high_bound < need:
            high_bound, high_used = self.prove(high, depth, need - low_bound, high_path)
        return start, min(need, low_bound + high_bound), (low_used, high_used)


def _furthest(start, end, holds):
    """The last place up to `end` that still `holds`, as `start` does: by doubling, then halving."""
    good, step = start, 1
    while good + step <= end and holds(good + step):
        good, step = good + step, 2 * step
    while step:
        if good + step <= end and holds(good + step):
            good += step
        step //= 2
    return good
