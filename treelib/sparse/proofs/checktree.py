"""Check a proof that no decision tree is better, exactly, sharing nothing with the program that wrote it.

    python checktree.py table.csv proof.jsonl.gz

A tree costs the weight (or the cost) of its errors plus a price for every leaf. A lemma says: on the rows of
a path, every tree of at most `depth` splits on a path costs at least `bound`. It follows from three rules:

1. A tree costs no more on a part of the rows than on all of them: leaving rows out adds no error.
2. A tree is a leaf, or a single split (all are tried), or it has three leaves or more and gets wrong at least
   what no test can tell apart: rows that are equal in all columns.
3. The splits of a column from one threshold to another cost at least the bound of the rows up to the first
   plus that of the rows above the last, since in between both sides only grow.
"""

import csv
import gzip
import hashlib
import json
import re
import sys
from bisect import bisect_left, bisect_right
from fractions import Fraction
from functools import lru_cache
from io import StringIO
from math import ceil, inf, lcm
from pathlib import Path


def must(holds, words):
    if not holds:
        raise ValueError(words)


def exact(value):  # a number as Fraction: digits, a decimal, or 1/3
    pattern = r"\d{1,400}(\.\d{1,400})?([eE][+-]?\d{1,3})?|\d{1,400}/\d{1,400}"
    must(re.fullmatch(pattern, str(value).strip()), f"{str(value)[:40]!r} is not a number of at least 0")
    return Fraction(str(value).strip())


def in_binary(costs):
    """For each binary place, the rows whose cost has a 1 there: costs are added by counting bits."""
    places = range(max(costs).bit_length())
    return [(place, sum((cost >> place & 1) << i for i, cost in enumerate(costs))) for place in places]


def added(rows, planes):
    return sum((rows & ones).bit_count() << place for place, ones in planes)


class Table:  # a CSV file: equal rows are one, and a set of rows is an integer, a bit for each
    def __init__(self, path, head):
        data, self.tests = Path(path).read_bytes(), {}
        must(head["sha256"] == hashlib.sha256(data).hexdigest(), "the proof is about another one")
        names, *rows = filter(None, csv.reader(StringIO(data.decode("utf-8-sig"), newline="")))
        must(rows and {len(row) for row in rows} == {len(names)}, "it is empty, or has rows of other lengths")
        wanted = [*head["numbers"], *head["categories"], head["target"], head["weight"]]
        for name in filter(None, wanted):
            must(wanted.count(name) == names.count(name) == 1, f"it must have one column {name!r}")
        column = {name: cells for name, *cells in zip(names, *rows, strict=True)}
        tests = {}  # thresholds of each column, and how many each row is above: a missing number all
        for name in head["numbers"]:
            cells, given = [float(cell.strip() or "nan") for cell in column[name]], head.get("thresholds")
            labels = sorted({x for x in cells if x == x} if given is None else {*given[name], inf})
            tests[name] = labels, [len(labels) if x != x else bisect_left(labels, x) for x in cells]
        for name in head["categories"]:
            for value in sorted(set(column[name])):
                test = f"{name} = {value}" if value else f"{name} is missing"
                must(test not in tests, f"two of its columns are called {test!r}")
                tests[test] = [0], [int(cell == value) for cell in column[name]]
        labels, known = column[head["target"]], {}
        keys = zip(rows, *(places for _, places in tests.values()), strict=True)
        groups = [known.setdefault(key[1:], len(known)) for key in keys]
        weights = [exact(cell) for cell in column.get(head["weight"], [1] * len(rows))]
        self.classes, self.total = sorted(set(labels)), sum(weights)
        costs = head["costs"] or {c: {k: int(c != k) for k in self.classes} for c in self.classes}
        by_group = [[Fraction(0)] * len(self.classes) for _ in known]
        for group, label, weight in zip(groups, labels, weights, strict=True):
            for k, predicted in enumerate(self.classes):
                by_group[group][k] += weight * exact(costs[label][predicted])
        unit, price = lcm(*(x.denominator for row in by_group for x in row)), exact(head["regularization"])
        self.unit = lcm(unit, (price * self.total).denominator)  # all sums below are whole numbers of 1/unit
        self.price, self.factor = int(price * self.total * self.unit), self.unit // unit
        self.rows = 2 ** len(known) - 1
        self.planes = [in_binary([int(x * unit) for x in row]) for row in zip(*by_group, strict=True)]
        self.floor = in_binary([int(min(row) * unit) for row in by_group])
        for i, (name, (labels, _)) in enumerate(tests.items()):
            masks = [0] * (len(labels) + 1)
            for key, group in known.items():
                masks[key[i]] |= 1 << group
            for k in range(1, len(labels)):
                masks[k] |= masks[k - 1]
            self.tests[name] = labels, masks[:-1]

    def sums(self, rows):  # what each class costs as the prediction of all rows
        return [added(rows, planes) * self.factor for planes in self.planes]

    def up_to(self, name, value):  # place of the last threshold that is at most a value; None: of all
        return bisect_right(self.tests[name][0], inf if value is None else value) - 1

    def where(self, rows, name, side, value):  # the rows on one side of a test
        low = [*self.tests[name][1], 0][self.up_to(name, value)]
        return rows & low if side == "<=" else rows & ~low

    @lru_cache(2**14)  # noqa: B019
    def split(self, rows):  # least cost of a single split
        best, total, last = inf, self.sums(rows), None
        for _, masks in self.tests.values():
            for left in (rows & mask for mask in masks):
                if left != last:
                    costs, last = self.sums(left), left
                    best = min(best, min(costs) + min(a - b for a, b in zip(total, costs, strict=True)))
        return best + 2 * self.price

    def bound(self, rows, depth, is_quick=False):  # what rule 2 says; where quick, less of it, but sooner
        leaf = min(self.sums(rows)) + self.price
        floor = added(rows, self.floor) * self.factor + 2 * self.price
        if depth == 0 or is_quick or leaf <= floor:
            return leaf if depth == 0 else min(leaf, floor)
        return min(leaf, self.split(rows), leaf if depth == 1 else floor + self.price)

    def cost(self, node, rows, depth):
        """Cost of a tree with at most `depth` splits on a path."""
        if "label" in node:
            return self.sums(rows)[self.classes.index(node["label"])] + self.price
        must(depth != 0, "the tree is deeper than the limit")
        parts = [(node[side], self.where(rows, node["column"], side, node["value"])) for side in ("<=", ">")]
        return sum(self.cost(child, part, None if depth is None else depth - 1) for child, part in parts)


def check_lemma(table, lemma, known):
    """The rows, depth and bound of a lemma that follows from the rules and the lemmas `known` before it."""
    rows, depth, least = table.rows, lemma.get("depth"), ceil(exact(lemma["bound"]) * table.unit)
    below, cuts = None if depth is None else depth - 1, lemma.get("cuts", {})
    for test in lemma["path"]:
        rows = table.where(rows, *test)
    must(table.bound(rows, 0) >= least, "a single leaf costs less than it claims")

    def bound(part, named, is_quick=False):
        for some, limit, _ in (known[k] for k in named):
            fits = some & ~part == 0 and (limit is None or (below is not None and below <= limit))
            must(fits, f"it names a lemma of other rows or less depth, {named}")
        return max([table.bound(part, below, is_quick), *(known[k][2] for k in named)])

    for name, (labels, masks) in table.tests.items() if depth != 0 else ():
        real = [i for i, mask in enumerate(masks) if rows & mask and rows & ~mask] or [0, -1]
        first, end = real[0], real[-1]
        for value, left, right in cuts.get(name, [[None, [], []]]):
            last = min(table.up_to(name, value), end)
            if first <= last:
                low, high = rows & masks[first], rows & ~masks[last]
                found = bound(low, left, True) + bound(high, right, True)
                if found < least:
                    found = bound(low, left) + bound(high, right)
                words = (
                    f"splits from {labels[first]} to {labels[last]}: {float(found / table.unit):g} is shown"
                )
                must(found >= least, f"column {name!r}, {words}, and it claims more")
                first = last + 1
        must(first > end, f"column {name!r}: the splits from {labels[min(first, end)]} on are left out")
    return rows, depth, least


def check(table_path, proof_path):
    """(lower bound, cost of the tree, which trees) that a proof shows; raises ValueError where it fails."""
    known, place = [], "head"
    try:
        with (gzip.open if str(proof_path).endswith(".gz") else open)(proof_path, "rb") as file:
            head, *lines = file.read(2**28).splitlines()
        head = json.loads(head, parse_constant=exact)
        must(head["format"] == "checktree 1", "its format is not 'checktree 1'")
        place, depth = "table", head["max_depth"]
        table = Table(table_path, head)
        for line in lines:
            place = f"lemma {len(known)}"
            known.append(check_lemma(table, json.loads(line, parse_constant=exact), known))
        place = "end"
        must(len(known) == head["lemmas"], f"cut off: {len(known)} of {head['lemmas']} lemmas are there")
        _, limit, least = known[-1] if known else (None, depth, table.bound(table.rows, depth))
        must(limit == depth, "the last lemma is about trees of another depth")
        part, cost = table.unit * table.total, table.cost(head["tree"], table.rows, depth)
        trees = f"{len(table.tests)} columns, {head['regularization']} a leaf, depth {depth or 'unlimited'}"
        trees += ", at the thresholds it lists" * ("thresholds" in head)
        return Fraction(least) / part, Fraction(cost) / part, trees
    except Exception as error:
        words = error if isinstance(error, ValueError) else f"{type(error).__name__} {str(error)[:90]}"
        raise ValueError(f"{place}: {words}") from None


def main(arguments):
    try:
        bound, cost, trees = check(*arguments)
    except (ValueError, TypeError) as words:
        print(f"REFUSED, {words}." if arguments[1:] else "usage: checktree.py table.csv proof.jsonl.gz")
        return 1
    print(f"PROVED of all trees ({trees}): none costs less than {bound} = {float(bound):.9g}.")
    print("The tree costs as much: it is optimal." if cost == bound else f"The tree costs {float(cost):.9g}.")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
