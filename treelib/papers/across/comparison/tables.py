"""Tables and figures of the comparison of all methods."""

from functools import cache

import numpy as np
import pandas as pd

from treelib.ledger import store
from treelib.ledger.page import Markdown
from treelib.papers.across.comparison import methods as family_comparison
from treelib.papers.across.comparison.peers import PEERS
from treelib.papers.across.comparison.protocol import N_OUTER
from treelib.papers.tsallis import splits

METHODS = {**family_comparison.METHODS, **PEERS}
PEER_MARKERS = "*hp<>"
# the leaf penalty at which accuracy and size are weighed (Balcan and Sharma, Section 7, use 0.01)
ETA = 0.01


def results():
    """Stored results of the papers' methods and of the public programs, one row a data set and method."""
    frames = [store.results(name, partial=True) for name in ("family.comparison", "family.peers")]
    frame = pd.concat(frames, ignore_index=True)
    return frame.assign(not_run=frame["not_run"].fillna(""))


def comparison():
    """One row a data set, method and outer fold; methods that did not run on a data set are missing."""
    frame = results()
    frame = frame[frame["not_run"] == ""]
    lists = ["error", "train_error", "leaves", "depth", "chosen", "fit_seconds"]
    frame = frame[["data", "method", "agreement", "n_proved", *lists]].explode(lists, ignore_index=True)
    numbers = [name for name in lists if name != "chosen"]
    frame[numbers] = frame[numbers].astype(float)
    frame["fold"] = frame.groupby(["data", "method"]).cumcount()
    frame["objective"] = frame["error"] + ETA * frame["leaves"]
    return frame


def short(data):
    """Name of a data set in tables of this chapter: without its paper."""
    return data.removesuffix("/raw").rpartition("/")[2]


def over_data(values):
    """Mean of a number a data set, and the half width of its 95 % interval."""
    return float(np.mean(values)), float(splits.half_width(values))


def means(frame, column):
    """Mean over the folds, a frame of data sets by methods in the order of `METHODS`."""
    table = frame.pivot_table(index="data", columns="method", values=column, aggfunc="mean", sort=False)
    return table[[method for method in METHODS if method in table]]


def half_width(errors):
    """Half width of the 95 % confidence interval of the mean error of the folds.

    Folds share training rows, so the variance is corrected: 1/k + n_test/n_train in place of 1/k (Nadeau and
    Bengio 2003).
    """
    from scipy.stats import t

    k = len(errors)
    if k < 2:
        return np.nan
    variance = np.var(errors, ddof=1) * (1 / k + 1 / (N_OUTER - 1))
    return float(t.ppf(0.975, k - 1) * np.sqrt(variance))


def mean_ranks(table):
    """Mean rank of each method, 1 the lowest value, over the data sets that all methods have.

    Returns
    -------
    ranks : Series, ascending
    n_data : int
    p : float, of Friedman's test that all methods rank alike
    critical : float, difference of ranks that is significant at 5 % (Nemenyi)
    """
    from scipy.stats import friedmanchisquare

    whole = table.dropna()
    ranks = whole.rank(axis=1).mean().sort_values()
    p = friedmanchisquare(*(whole[name] for name in whole)).pvalue
    return ranks, len(whole), float(p), nemenyi(len(ranks), len(whole))


@cache
def nemenyi(n_methods, n_data, level=0.05):
    """Critical difference of mean ranks (Demsar 2006, equation 6): ranks closer than this do not differ."""
    from scipy.stats import studentized_range

    q = studentized_range.ppf(1 - level, n_methods, np.inf) / np.sqrt(2)
    return float(q * np.sqrt(n_methods * (n_methods + 1) / (6 * n_data)))


def paired(frame, first, second, column="error"):
    """Difference first - second of the mean over the folds, one row a data set, with its 95 % interval."""
    rows = []
    for data, part in frame.groupby("data", sort=False):
        a, b = (
            part[part["method"] == name].sort_values("fold")[column].to_numpy() for name in (first, second)
        )
        if len(a) and len(a) == len(b):
            rows.append({"data": data, "difference": float(np.mean(a - b)), "half_width": half_width(a - b)})
    return pd.DataFrame(rows)


def signed_rank_p(differences):
    """p of Wilcoxon's signed-rank test that two methods differ over data sets (Demsar 2006)."""
    from scipy.stats import wilcoxon

    differences = np.asarray(differences, float)
    return float(wilcoxon(differences).pvalue) if differences.any() else 1.0


def against(frame, first, others):
    """`first` against each of the others in test error and leaves, over the data sets that both have.

    Returns
    -------
    DataFrame, one row a method of `others`: ``n_data``; ``lower`` and ``higher``, data sets on which the mean
    error of `first` is such; ``clearly_lower`` and ``clearly_higher``, those whose 95 % interval excludes
    zero; ``difference``, mean over the data sets, with the ``half_width`` of its 95 % interval; ``p`` of
    Wilcoxon's test, corrected for the number of rows by Holm; ``leaves``, geometric mean of the ratios
    """
    leaves = means(frame, "leaves")
    rows = []
    for other in others:
        pairs = paired(frame, first, other)
        difference, clear = pairs["difference"], pairs["difference"].abs() > pairs["half_width"]
        mean, half_width = over_data(difference)
        ratio = (leaves[first] / leaves[other]).dropna()
        rows.append(
            {
                "method": other,
                "n_data": len(pairs),
                "lower": int((difference < 0).sum()),
                "higher": int((difference > 0).sum()),
                "clearly_lower": int((clear & (difference < 0)).sum()),
                "clearly_higher": int((clear & (difference > 0)).sum()),
                "difference": mean,
                "half_width": half_width,
                "p": signed_rank_p(difference),
                "leaves": float(np.exp(np.log(ratio).mean())),
            }
        )
    found = pd.DataFrame(rows)
    return found.assign(p=holm(found["p"]))


def holm(values):
    """P-values corrected for their number by Holm's step-down procedure."""
    values = np.asarray(values, float)
    order = np.argsort(values)
    corrected = np.empty(len(values))
    corrected[order] = np.maximum.accumulate(values[order] * np.arange(len(values), 0, -1))
    return np.minimum(corrected, 1.0)


def forests():
    """Results of family.tsallis-forests: all folds, and their means, data sets by (column, forest)."""
    frame = store.results("family.tsallis-forests", partial=True).rename(columns={"forest": "method"})
    columns = ["error", "leaves", "depth", "pruned_leaves", "pruned_error"]
    return frame, frame.pivot_table(
        index="data", columns="method", values=columns, aggfunc="mean", sort=False
    )


def draw_panels(axes, errors, leaves):
    """Test error against leaves, one panel a data set, one mark a method; marks lower left are better.

    Parameters
    ----------
    axes : array of Axes that share x, as many as data sets or more
    errors, leaves : DataFrame, data sets by methods
    """
    for ax, data in zip(axes.flat, errors.index, strict=False):
        for method in errors:
            ax.plot(
                leaves.loc[data, method], 100 * errors.loc[data, method], linestyle="none", **look(method)
            )
        ax.set_title(short(data), fontsize=8)
        ax.tick_params(labelsize=8)
    axes.flat[0].set(xscale="log", xticks=[10.0**k for k in range(0, 5, 2)])
    for ax in axes.flat[len(errors) :]:
        ax.set_axis_off()


def look(method):
    """Colour and marker of a method of the comparison, for figures in which colour alone does not tell."""
    from treelib.tree.style import method_style

    if method in PEERS:
        style = method_style("peers") | {"marker": PEER_MARKERS[list(PEERS).index(method)]}
    else:
        style = method_style(method.removesuffix("-pruned").removesuffix("-10"))
    hollow = {"markerfacecolor": "none"} if method in ("born-again-pruned", "exact-10") else {}
    return {"color": style["color"], "marker": style["marker"], "label": METHODS[method], **hollow}


def draw_ranks(ax, ranks, critical):
    """Critical-difference view: methods on the axis of mean ranks, bars join those that do not differ."""
    from treelib.tree.style import INK

    names, values = list(ranks.index), ranks.to_numpy()
    for i, (name, value) in enumerate(zip(names, values, strict=True)):
        ax.plot(value, -i, linestyle="none", **look(name))
        ax.annotate(METHODS[name], (value, -i), xytext=(8, 0), textcoords="offset points", va="center")
    bars, reach = [], 0
    for i in range(len(values)):
        j = int(np.searchsorted(values, values[i] + critical, side="right")) - 1
        if j > max(i, reach):
            bars.append((i, j))
            reach = j
    for place, (i, j) in enumerate(bars):
        ax.plot(
            [values[i], values[j]], [0.7 + 0.35 * place] * 2, color=INK, linewidth=4, solid_capstyle="butt"
        )
    ax.set_yticks([])
    ax.spines["left"].set_visible(False)
    ax.grid(axis="y", visible=False)
    ax.set_xlim(values.min() - 0.3, values.max() + 2.2)
    ax.set_xlabel("mean rank (left is better)")


def draw_rank_panels(axes, tables, methods):
    """`draw_ranks` of some methods for each table of values, dict of title to frame, on one of the axes."""
    for ax, (title, values) in zip(axes, tables.items(), strict=True):
        ranks, _, _, critical = mean_ranks(values[methods])
        draw_ranks(ax, ranks, critical)
        ax.set_title(title)


# ---- frames that the chapter shows ------------------------------------------------------------------------


def groups(errors):
    """Names of the methods: of the papers, of the programs for optimal sparse trees, and of single trees.

    The programs begin with our search over their thresholds and end with CART, which they all mean to beat.
    """
    peers = [name for name in PEERS if name in errors]
    papers = [name for name in errors if name not in (*peers, "exact-10")]
    return papers, ["exact-10", *peers, "cart"], [name for name in papers if name != "forest"]


def named(table):
    """A frame of data sets by methods, with both in words."""
    return table.rename(index=short, columns=METHODS)


def with_intervals(frame, methods):
    """Mean test error and the half width of its 95 % interval, per cent as text: data sets by methods."""

    def cell(errors):
        return f"{100 * errors.mean():.1f} ± {100 * half_width(errors.to_numpy()):.1f}"

    table = frame.groupby(["data", "method"], sort=False)["error"].agg(cell).unstack()
    return named(table[methods].fillna(""))


def half_width_over_data(values):
    """Half width of the 95 % interval of a mean over data sets."""
    return over_data(values)[1]


def _rivals(frame):
    """`against` for the methods of the papers, and over ten thresholds for the public programs.

    GOSDT proves few penalties in time, so its errors reflect the limit: compared alone, not in the correction
    of the others' p.
    """
    errors = means(frame, "error")
    _, programs, trees = groups(errors)
    peers = [name for name in programs if name in PEERS and name != "gosdt"]
    found = [against(frame, "exact", [*(name for name in trees if name != "exact"), "exact-10"])]
    found += [against(frame, "exact-10", names) for names in (peers, ["gosdt"]) if set(names) <= set(errors)]
    return [one.set_index("method") for one in found]


def head_to_head(frame):
    """The optimal sparse tree against each other single tree: a line each, in words."""
    found = pd.concat(_rivals(frame))
    points = [
        f"{100 * row['difference']:+.1f} ± {100 * row['half_width']:.1f}" for _, row in found.iterrows()
    ]
    ranked = found.index != "gosdt"
    return pd.DataFrame(
        {
            "data sets": found["n_data"],
            "lower": found["lower"],
            "higher": found["higher"],
            "clearly lower": found["clearly_lower"],
            "clearly higher": found["clearly_higher"],
            "difference": points,
            "p": [f"{p:.2g}" if one else "not ranked" for p, one in zip(found["p"], ranked, strict=True)],
            "leaves, ratio": found["leaves"].round(2),
        }
    ).rename(index=METHODS)


def by_eta(frame, trees, etas=(0.001, 0.005, 0.01, 0.02, 0.05)):
    """Mean ranks of single trees by test error + eta x leaves, and the sparse minus the tuned tree."""
    lines = {}
    for eta in etas:
        part = frame.assign(objective=frame["error"] + eta * frame["leaves"])
        pairs = 100 * paired(part, "exact", "tsallis", "objective")["difference"]
        lines[eta] = mean_ranks(means(part, "objective")[trees])[0].rename(METHODS).round(1).to_dict()
        lines[eta]["sparse - Tsallis, points"] = "{:+.2f} ± {:.2f}".format(*over_data(pairs))
        lines[eta]["p"] = f"{signed_rank_p(pairs):.2g}"
    return pd.DataFrame(lines).T.rename_axis("η")


def stability(frame):
    """Agreement of folds, share of final searches with a proof, and seconds of the final fit, by method."""
    seconds, n_proved = means(frame, "fit_seconds"), means(frame, "n_proved")
    proves = [name for name in n_proved if n_proved[name].max() > 0]
    return (
        pd.DataFrame(
            {
                "agreement": means(frame, "agreement").mean().map("{:.1%}".format),
                "proved": (n_proved[proves].mean() / N_OUTER).map("{:.0%}".format),
                "seconds, median": seconds.median().map("{:.3g}".format),
                "seconds, largest": seconds.max().map("{:.3g}".format),
            }
        )
        .reindex(seconds.columns)
        .fillna("")
        .rename(index=METHODS)
    )


def in_short(frame):
    """What the comparison says of four questions, computed from its runs: Markdown."""
    papers, programs, *_ = _rivals(frame)
    leaves = means(frame, "leaves")
    cart, all_thresholds = papers.loc["cart"], papers.loc["exact-10"]
    n_smaller = int((leaves["exact"] < leaves["cart"]).sum())
    level = int((programs["p"] >= 0.05).sum())
    points = f"{100 * all_thresholds['difference']:+.1f} ± {100 * all_thresholds['half_width']:.1f}"

    def significantly(row):
        return "significant" if row["p"] < 0.05 else "not significant"

    lines = (
        (
            "Does the optimal sparse tree err less than CART on test samples?",
            f"Its mean error is lower on {cart['lower']:.0f} of {cart['n_data']:.0f} data sets. "
            f"Over all of them the difference is {significantly(cart)}.",
        ),
        ("Is it smaller?", f"It has fewer leaves than CART on {n_smaller} of {len(leaves)} data sets."),
        (
            "Does it pay to consider all thresholds instead of ten per feature?",
            f"The mean error changes by {points} percentage points, {significantly(all_thresholds)}.",
        ),
        (
            "Do public programs for the same problem predict better or worse?",
            f"Over the same thresholds, {level} of {len(programs)} do not differ significantly from ours. "
            f"On single data sets ours is clearly better {programs['clearly_lower'].sum()} times "
            f"and clearly worse {programs['clearly_higher'].sum()} times.",
        ),
    )
    return Markdown(
        "**In short**\n\n"
        + "\n".join(f"- *{question}* {answer}" for question, answer in lines)
        + "\n\nEvery search has a time limit: another machine can find other trees."
    )
