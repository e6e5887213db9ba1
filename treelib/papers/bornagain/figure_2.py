"""Figure 2 and Section 4.2: the time of the search under each objective."""

from treelib.ledger import store
from treelib.ledger.protocol.declared import cpu_seconds, kept
from treelib.ledger.protocol.judging import judge_statement, judges
from treelib.papers.bornagain.settings import DATA

OBJECTIVE_STYLES = {"D": ("#34a779", "D"), "L": ("#2f76fd", "L"), "DL": ("#ad480a", "DL")}


def draw(panels):
    """CPU seconds for each data set and objective (Figure 2): the exact search left, the recursion right."""
    exact, recursion = kept("bornagain.exact"), kept("bornagain.recursion")
    recursion["search_seconds"] = cpu_seconds(recursion)  # the clock inside is the wall's, beside other runs
    for axes, found, title in zip(
        panels, (exact, recursion), ("exact search", "the paper's recursion"), strict=True
    ):
        for shift, (objective, (color, name)) in enumerate(OBJECTIVE_STYLES.items()):
            some = found[found["objective"] == objective]
            at, boxes = [], []
            for place, data in enumerate(DATA):
                seconds = some[some["data"] == data]["search_seconds"].tolist()
                if seconds:
                    at.append(place + 0.25 * (shift - 1))
                    boxes.append(seconds)
            if boxes:
                boxes_of(axes, boxes, at, 0.2, color)
                axes.plot([], [], color=color, linewidth=6, label=name)
        axes.set_xticks(range(len(DATA)), DATA)
        axes.set(yscale="log", title=title)
    panels[0].set_ylabel("CPU seconds")
    panels[0].legend(loc="upper right", ncols=3)


def boxes_of(axes, boxes, at, width, color):
    """Box-whisker plots: whiskers to 1.5 times the interquartile range, outliers as circles."""
    line = {"color": color, "linewidth": 1.2}
    axes.boxplot(
        boxes,
        positions=list(at),
        widths=width,
        whis=1.5,
        boxprops=line,
        whiskerprops=line,
        capprops=line,
        medianprops={"color": color, "linewidth": 2.5},
        flierprops={"marker": "o", "markersize": 3, "markeredgecolor": color},
        manage_ticks=False,
    )


@judges("bornagain.s4-2.runtime.*")
def judge_runtime():
    """Verdicts on what the text says of the objectives' time, list of Verdict."""
    timed = store.results("bornagain.t5.recursion").groupby("data", sort=False).mean(numeric_only=True)
    printed = kept("bornagain.recursion", objective="DL").groupby("data")["n_calls"].mean()
    pairs = [(f"{data}, L", row.D_calls, row.L_calls) for data, row in timed.iterrows()]
    pairs += [(f"{data}, DL", row.D_calls, printed[data]) for data, row in timed.iterrows()]
    more = timed["L_seconds"] / timed["D_seconds"]
    return [
        judge_statement(
            "bornagain.s4-2.runtime.d-faster",
            ((f"{data}, L", times > 1, 1 / times) for data, times in more.items()),
            numbers={"least": timed["D_seconds"].min(), "low": more.min(), "high": more.max()},
            experiment="bornagain.t5.recursion",
        ),
        judge_statement(
            "bornagain.s4-2.runtime.fewer-calls",
            ((name, one < other, one / other) for name, one, other in pairs),
            experiment="bornagain.t5.recursion",
        ),
    ]
