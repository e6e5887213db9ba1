"""Ways to falsify a proof, each a function of its lines that changes them in place."""

from fractions import Fraction
from math import inf


def _one(lines, rng):
    """A lemma, or an empty one where there is none."""
    return lines[rng.integers(1, len(lines))] if len(lines) > 1 else {}


def raise_bound(lines, rng):
    """A lemma claims more."""
    one = _one(lines, rng)
    one["bound"] = str(Fraction(one.get("bound", 0)) * Fraction(int(rng.integers(11, 30)), 10))


def raise_all(lines, rng):
    """All lemmas claim more, as if trees were dearer."""
    for one in lines[1:]:
        one["bound"] = str(Fraction(one["bound"]) + Fraction(1, 4))


def drop_lemma(lines, rng):
    if len(lines) > 1:
        del lines[rng.integers(1, len(lines))]
        lines[0]["lemmas"] = len(lines) - 1


def drop_run(lines, rng):
    """The splits of a part of a column are left out."""
    cuts = _one(lines, rng).get("cuts")
    if cuts:
        runs = cuts[rng.choice(list(cuts))]
        if runs:  # another forgery may have left none
            del runs[rng.integers(len(runs))]


def widen_run(lines, rng):
    cuts = _one(lines, rng).get("cuts")
    if cuts:
        runs = cuts[rng.choice(list(cuts))]
        if runs:
            runs[rng.integers(len(runs))][0] = None


def other_lemma(lines, rng):
    """A run leans on another lemma, or on one more."""
    one = _one(lines, rng)
    for column in one.get("cuts", {}):
        for run in one["cuts"][column]:
            run[int(rng.integers(1, 3))].append(int(rng.integers(-1, len(lines))))


def no_lemma(lines, rng):
    for runs in _one(lines, rng).get("cuts", {}).values():
        for run in runs:
            run[1], run[2] = [], []


def other_path(lines, rng):
    """A lemma is about other rows."""
    one = _one(lines, rng)
    if one.get("path"):
        if rng.random() < 0.5:
            one["path"].pop()
        else:
            one["path"][-1][1] = "<=" if one["path"][-1][1] == ">" else ">"


def other_depth(lines, rng):
    """A lemma is about trees of another depth."""
    _one(lines, rng)["depth"] = [None, 0, 1, 2][rng.integers(4)]


def leaf_claim(lines, rng):
    """All trees cost what a leaf does: a lemma without depth about all rows, and the tree is that leaf."""
    lines[0]["tree"] = {"label": rng.choice(["no", "yes", "perhaps"])}
    lines.append(
        {"path": [], "depth": int(rng.integers(0, 2)), "bound": str(Fraction(int(rng.integers(1, 40)), 8))}
    )
    lines[0]["lemmas"] = len(lines) - 1


def swap(lines, rng):
    """Lemmas in another order."""
    if len(lines) > 2:
        i, k = rng.integers(1, len(lines), 2)
        lines[i], lines[k] = lines[k], lines[i]


def deeper_limit(lines, rng):
    """The claim is about trees of less depth, the tree is the same."""
    lines[0]["max_depth"] = int(rng.integers(0, 3))
    if len(lines) > 1:
        lines[-1]["depth"] = lines[0]["max_depth"]


def from_nothing(table, head, rng):
    """Lines of a proof that a leaf or a single split is optimal, which a careless checker believes: lemmas
    about trees without a split are taken for more."""

    def leaf(rows):
        return Fraction(table.bound(rows, 0)) / table.unit

    depth = head["max_depth"]
    lines = [head, {"path": [], "depth": 0, "bound": str(leaf(table.rows))}]
    best, cuts = leaf(table.rows), {}
    for name, (labels, masks) in table.tests.items():
        cuts[name] = []
        for label, mask in zip(labels, masks, strict=True):
            label, low, high = None if label == inf else label, mask, table.rows & ~mask
            if low and high:
                best = min(best, leaf(low) + leaf(high))
                for side, rows in (("<=", low), (">", high)):
                    lines.append({"path": [[name, side, label]], "depth": 0, "bound": str(leaf(rows))})
                cuts[name].append([label, [len(lines) - 3], [len(lines) - 2]])
    kind = rng.integers(4)
    if kind == 1:  # a leaf, since all splits lean on the leaf of all rows
        best, cuts = leaf(table.rows), {name: [[None, [0], [0]]] for name in cuts}
    elif kind == 2:  # a leaf, since no split is looked at
        best, cuts = leaf(table.rows), {name: [] for name in cuts}
    elif kind == 3:  # more than a leaf
        best = leaf(table.rows) + Fraction(1, 1000)
        cuts = {name: [[label, [], []] for label, *_ in runs] for name, runs in cuts.items()}
    lines.append({"path": [], "depth": depth, "bound": str(best), "cuts": cuts})
    head["lemmas"] = len(lines) - 1
    return lines


WAYS = (
    raise_bound, raise_all, drop_lemma, drop_run, widen_run, other_lemma, no_lemma, other_path, other_depth,
    leaf_claim, swap, deeper_limit,
)  # fmt: skip
