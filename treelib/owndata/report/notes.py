"""Notes on a fit: what a reader of its report has to know, and what he can do about it.

Each advice is a command line that works: `tests/owndata/test_advice.py` obeys them all.
"""

import re

import numpy as np

from treelib.owndata import tuning as tuned
from treelib.owndata.guided import LOWEST
from treelib.owndata.methods import make

CHOSEN_HERE = (
    "The leaf penalty was chosen on the same folds as the cross-validated error, "
    "which is therefore a little too low."
)
STOPPED = (
    "Ctrl-C stopped the run before all folds were evaluated: the tree comes from a short search on all rows, "
    "and its error on held-out rows is not known."
)
GROWTH_STOPPED = (
    "Growth hit its share of the time limit of {:g} s: the tree may lack good splits. Raise --time-limit, or "
    "simplify: --max-depth, or a larger --min-samples-leaf."
)
ROWS_COUNT = (
    "Counts in the tree ignore the class weights; a leaf predicts the class with the most weight in it, even "
    "if only a few of its rows have that class."
)
MISSING = "A missing value counts as larger than every number, unless the test names it."
NO_PATH = "Sizes and errors of other trees are not shown: their path does not support these constraints."
ALIKE = (
    "The search gave all classes the same weight, since the score does not favour frequent classes; "
    "predictions of the leaves and errors count rows."
)
SAME = 3  # columns of which the same is said, and which then share a note
POOR = 0.5  # a share of a rare class, predicted right, below which a note names it
UNEVEN = 0.5  # a class with less than this part of an even share makes accuracy a poor score: a note says so


def grouped(notes, names):
    """Notes of which those on columns that say the same, but for numbers and words, are one.

    names : collection of str, the columns of the file
    """
    groups = {}
    for note in notes:
        name, _, text = note.partition(": ")
        is_on_column = name in names
        key = re.sub(r"'[^']*'|\d[\d.,]*", "#", text.replace(name, "")) if is_on_column else note
        groups.setdefault((is_on_column, key), []).append((name, note))
    found = []
    for group in groups.values():
        if len(group) < SAME:
            found += [note for _, note in group]
            continue
        some = ", ".join(name for name, _ in group[:SAME]) + ", ..." * (len(group) > SAME)
        first, note = group[0]
        found.append(f"{len(group)} columns ({some}), as {first}: {note.partition(': ')[2]}")
    return found


def on_table(table, method, n_folds):
    notes = list(table.notes)
    if method == "bornagain" and table.X.isna().to_numpy().any():
        notes.append("For the ensemble, missing values were replaced by the median of their column.")
    classes, counts = np.unique(table.y, return_counts=True)
    rare = [str(name) for name in classes[counts < n_folds]]
    if rare:
        notes.append(
            f"Fewer than {n_folds} rows have the class {', '.join(rare)}: some folds lack it, and its error "
            "is poorly estimated."
        )
    return notes


def reading(fitted):
    """How the tree is to be read, as list of str."""
    is_weighted = fitted.class_weights is not None
    return [MISSING] * fitted.table.wording["missing"] + [ROWS_COUNT] * is_weighted


def on_judging(judged, y, has_weights, tune):
    if judged is None:
        return ["Every class has too few rows: nothing was cross-validated."]
    notes = []
    classes, counts = np.unique(y, return_counts=True)
    rare, share = classes[counts.argmin()], counts.min() / len(y)
    recall = np.mean(judged.predicted[y == rare] == rare)
    if share < UNEVEN / len(classes) and recall < POOR and not has_weights:
        notes.append(
            f"The class {rare} has {100 * share:.1f} % of the rows, and {100 * recall:.0f} % of these were "
            "predicted correctly when held out: accuracy hardly reflects it. Consider --class-weight "
            f"balanced{', or --score balanced-accuracy or auc' if tune else ''}, and see the confusion "
            "matrix."
        )
    return notes


def on_stopped_folds(judged, limit, share="what the searches of all rows leave"):
    if judged is None or not judged.n_stopped:
        return []
    return [
        f"On {judged.n_stopped} of {len(judged.errors)} folds the search ended with its share of the limit "
        f"of {limit:g} s ({share}, for all folds); the error on held-out rows is that of the trees found by "
        "then."
    ]


def on_choice(method, families, family, place, rule, low, score):
    """What is to be known of a choice: where it ended too early, and the proof that a greedy tree lacks."""
    notes = still_falling(family, low)
    proved = [one for one in families if one.path.is_proved]
    if method == "sparse" and not proved:
        notes.append(
            "No depth was proved in its share of the time, half of what was left, as the folds have the "
            "other half: the tree is the best found. Raise --time-limit, or simplify: --max-depth 2, "
            "--max-leaves 8, a lower --max-thresholds, or --allow."
        )
    if family.method == "topdown" and proved:
        other, k = tuned.choose(proved, rule)
        pairs = ((family, place), (other, k))
        shown, best = (
            f"{one.tuning[i][1].loss:.4f} with {one.path.at(one.tuning[i][0]).n_leaves} leaves"
            for one, i in pairs
        )
        gain, error = tuned.gain(*pairs)
        notes.append(
            f"The tree shown is greedy, without proof: its held-out loss (--score {score}) is {shown}; "
            f"that of the proved trees is {best} at depth {other.path.depth}, which --max-depth "
            f"{other.path.depth} shows. The difference is {gain:.4f}, its standard error {error:.4f}. "
            "--max-leaves 8 asks for smaller trees of both kinds."
        )
    return notes


def still_falling(family, low):
    """A note where the lowest price that was tried has the lowest loss, or leaves a single leaf."""
    losses = family.losses.mean(axis=1)
    if len(losses) == 1 and low >= LOWEST:
        return [
            f"At the lowest leaf penalty tried, {low:.4g}, no split pays off. --lowest-price {low / 5:.1g} "
            "tries larger trees."
        ]
    if losses.argmin() < len(losses) - 1 or family.tuning[-1][0] > 2 * low:
        return []
    return [
        f"The error on held-out rows is still falling at the lowest leaf penalty tried, {low:.4g}: larger "
        f"trees may predict better. --lowest-price {low / 5:.1g} tries them."
    ]


def on_deepest_proof(proved, shown):
    """A proved tree of limited depth beside one that is better and has no proof."""
    return (
        f"Proved at depth {proved.depth}: no tree of that depth has a smaller objective than "
        f"{proved.objective_:.4f}, with {proved.tree_.n_leaves} leaves; the tree shown has "
        f"{shown.objective_:.4f}. --max-depth {proved.depth} shows the proved one."
    )


def on_greedy(method, model, table, price, options, weights):
    """The tests of the dyadic grid are not all there are: say so where greedy growth finds a better tree.

    options : dict of `class_weight` and `constraints`. weights : float (n,), of rows and classes, or None
    """
    if method != "dyadic":
        return []
    X, y = table.X, table.y
    found, greedy = (
        (np.average(one.predict(X) != y, weights=weights), one.tree_.n_leaves)
        for one in (model, make("topdown", float(price), **options).fit(X, y, table.weights))
    )
    if greedy[0] + price * greedy[1] > found[0] + price * (found[1] - 0.5):  # less than half a leaf better
        return []
    return [
        f"A greedy tree, which may split at any value and send missing values to either side, has "
        f"{greedy[1]} leaves and {100 * greedy[0]:.2f} % training error at the same leaf penalty: "
        "compare --method topdown."
    ]
