"""The searches measured: stored benchmark runs, and small live looks at how the exact search works.

The runs are made by ``make bench-sparse`` and its like, all programs in one run on one machine, and kept as
JSON under ``data/results``. Here they are only read.
"""

import json
import math
from statistics import median

import numpy as np

from treelib.datasets import load
from treelib.datasets.files import data_root

# file of each stored run, and the target of make that renews it
KINDS = {
    "free": ("bench_sparse", "bench-sparse"),
    "depth": ("bench_sparse_depth", "bench-sparse"),
    "wide": ("bench_sparse_wide", 'bench-sparse ARGS="--wide"'),
    "growth": ("bench_sparse_growth", 'bench-sparse ARGS="--growth"'),
    "continuous": ("bench_continuous", "bench-continuous"),
    "compress": ("bench_compress", "bench-compress"),
}
# two objectives are the same when they differ by less
SAME = 1e-9


def stored(kind):
    """A stored run as dict: "records", "machine", "summary" where it has one.

    Parameters
    ----------
    kind : {"free", "depth", "wide", "growth", "continuous", "compress"}

    Raises
    ------
    FileNotFoundError
        Where the run has not been made yet; the message names the command.
    """
    file, target = KINDS[kind]
    path = data_root() / "results" / f"{file}.json"
    if not path.is_file():
        raise FileNotFoundError(f"No stored run {path.name}; make it with `make {target}`.")
    return json.loads(path.read_text(encoding="utf-8"))


def seconds_of(record, kind="seconds"):
    """Median seconds of a record's fits, or None where the problem was not solved in the time allowed."""
    times = record.get(kind) or []
    return median(times) if times and record["ended"] == "ok" else None


def problem_of(record):
    """What a record was asked: (data, regularization, max_depth)."""
    return record["data"], record["regularization"], record["max_depth"]


def pairs(records, solver):
    """[(ours, theirs)] of the problems that treelib and `solver` were both given."""
    ours = {problem_of(r): r for r in records if r["solver"] == "treelib"}
    return [(ours[problem_of(r)], r) for r in records if r["solver"] == solver and problem_of(r) in ours]


def compare(records, solver, kind="seconds"):
    """Our time as a fraction of `solver`'s, over the problems that both solved.

    Returns
    -------
    dict with n_problems, n_not_solved (by the peer, while ours did), geometric_mean, worst (ratio),
    worst_problem, n_slower (ours is), n_worse_trees (the peer's claimed optimum is above ours by over 1e-9).
    """
    ratios, n_not_solved, n_worse = {}, 0, 0
    for ours, theirs in pairs(records, solver):
        own, other = seconds_of(ours, kind), seconds_of(theirs, kind)
        if own and other:
            ratios[problem_of(theirs)] = own / other
            n_worse += theirs["objective"] - ours["objective"] > SAME
        n_not_solved += bool(own and not other)
    if not ratios:
        return {"n_problems": 0, "n_not_solved": n_not_solved}
    worst = max(ratios, key=ratios.get)
    return {
        "n_problems": len(ratios),
        "n_not_solved": n_not_solved,
        "geometric_mean": math.exp(sum(map(math.log, ratios.values())) / len(ratios)),
        "worst": ratios[worst],
        "worst_problem": worst,
        "n_slower": sum(ratio > 1 for ratio in ratios.values()),
        "n_worse_trees": n_worse,
    }


def contree(name, depth):
    """Where pycontree ended in the stored run on numbers: (CPU seconds, errors, whether it ended on its own),
    a list of none or one."""
    return [
        (record["peer_seconds"], record["peer_errors"], record["peer_status"] == "ended")
        for record in stored("continuous")["records"]
        if (record["data"], record["max_depth"]) == (name, depth) and record.get("peer_errors") is not None
    ]


def wide_table():
    """The stored run on wide problems: {(data, price, limit in s): {program: words}}."""
    table = {}
    for record in stored("wide")["records"]:
        program = {"treelib": "ours"}.get(record["solver"], record["solver"])
        if record["max_depth"] is not None:
            program += f", depth {record['max_depth']}"
        key = _words_of_data(record["data"]), record["regularization"], record["time_limit"]
        table.setdefault(key, {})[program] = _state(record)
    return table


def _words_of_data(name):
    """Words for a data set of the benchmark, such as "glass, 10 quantiles" for "tsallis/glass/q10"."""
    source, _, rest = name.partition("/")
    if source == "synthetic":
        parts = dict(part.split("=") for part in rest.split(","))
        return f"synthetic, {int(parts['n']):,} rows, {parts['p']} columns"
    data, _, cuts = rest.partition("/q")
    return f"{data}, {cuts} quantiles"


def _state(record):
    """What a program held when it was stopped."""
    if record.get("objective") is None:
        return f"no tree ({record['ended']})"
    value, bound = f"{record['objective']:.4f}", record.get("lower_bound")
    if record["proved"]:
        return f"{value}, proved in {median(record['seconds']):.2f} s"
    if bound is None:
        return f"{value}, no bound told"
    return f"{value}, gap {100 * (record['objective'] - bound) / record['objective']:.0f} %"


def binary_problem(name):
    """(columns uint8, costs float64) of one of the seven 0/1 data sets, as the engine takes them."""
    data = load(name)
    return np.ascontiguousarray(data.X, dtype=np.uint8), (data.y[:, None] != np.arange(2)).astype(float)


def reduction(name):
    """What the three reductions leave of a data set: dict of counts of rows, and cancelled errors."""
    from treelib.sparse.exact.reduction import reduce_problem
    from treelib.table.packed import group_rows, pack_rows

    columns, costs = binary_problem(name)
    _, first = group_rows(pack_rows(columns))
    reduced = reduce_problem(columns, costs)
    return {
        "n_rows": len(columns),
        "n_columns": columns.shape[1],
        "n_merged": len(first),
        "n_kept": reduced.n_rows,
        "n_cancelled": round(reduced.base_cost),
    }


# ---- frames that the chapter shows ------------------------------------------------------------------------

PROGRAMS = {
    "imodels": "imodels FastSmallTreeClassifier",
    "pystreed": "pystreed, depth 6",
    "gosdt": "GOSDT",
    "licketysplit": "licketysplit, exact, depth 3 to 6",
}
COLORS = {"imodels": "#2f76fd", "pystreed": "#ad480a", "gosdt": "#34a779", "licketysplit": "#dd1fa6"}
MARKS = {"imodels": "o", "pystreed": "s", "gosdt": "^", "licketysplit": "D"}


def records_with(solver):
    """Records of the stored run in which a program took part: licketysplit needs a limit of depth."""
    return stored("depth" if solver == "licketysplit" else "free")["records"]


def against_programs():
    """Our time divided by that of each public program, over the problems that both solved: a line each."""
    import pandas as pd

    lines = {}
    for solver, name in PROGRAMS.items():
        found = compare(records_with(solver), solver)
        data, penalty, depth = found.get("worst_problem", ("", 0, None))
        lines[name] = {
            "problems": len(pairs(records_with(solver), solver)),
            "solved by both": found["n_problems"],
            "mean ratio": round(found.get("geometric_mean", math.nan), 3),
            "worst ratio": round(found.get("worst", math.nan), 2),
            "worst problem": data and f"{data}, λ = {penalty:g}" + (f", depth {depth}" if depth else ""),
            "we are slower": found.get("n_slower", 0),
            "not solved by it": found["n_not_solved"],
            "worse trees": found.get("n_worse_trees", 0),
        }
    return pd.DataFrame(lines).T


def against_contree(records):
    """Processor seconds of pycontree divided by ours, data sets by depths.

    A fit that was stopped gives a bound on the ratio: ">" where pycontree was, "neither" where both were.
    """
    import pandas as pd

    def ratio(record):
        ended, proved = record["peer_status"] == "ended", record["status"] == "optimal"
        value = f"{record['peer_seconds'] / record['seconds']:.1f}"
        return value if ended and proved else f"> {value}" if proved else "< " + value if ended else "neither"

    frame = pd.DataFrame(records).assign(ratio=[ratio(record) for record in records])
    return frame.pivot_table("ratio", "data", "max_depth", aggfunc="first", sort=False).fillna("")


def draw_pass(axes, mask, cost, label):
    """A pass of lanes: colour is the side of the root's split, numbers the errors on both sides.

    Parameters
    ----------
    axes : matplotlib Axes
    mask : int array (rows, lanes), 0 left and 1 right
    cost : int array (rows, lanes, 2), errors of both sides, split again after each row
    label : int array (rows,), classes
    """
    from matplotlib.colors import ListedColormap

    axes.imshow(mask, cmap=ListedColormap(["#9ec5fe", "#f9c795"]), vmin=0, vmax=1, aspect="auto")
    least = cost.sum(axis=2).min(axis=0)
    for (row, lane), total in np.ndenumerate(cost.sum(axis=2)):
        weight = "bold" if total == least[lane] else "normal"
        text = "{} + {}".format(*cost[row, lane])
        axes.text(lane, row, text, ha="center", va="center", color="#111418", weight=weight)
    axes.set_yticks(range(len(label)), [f"class {kind}" for kind in label])
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.grid(False)


def machines():
    """When and where the stored runs were made: a line each."""
    import pandas as pd

    runs = {kind: stored(kind)["machine"] for kind in ("free", "depth", "growth", "wide", "continuous")}
    numbers = stored("continuous")
    runs |= {f"continuous, {part}": run["machine"] for part, run in numbers["parts"].items()}
    runs |= {f"continuous, depth {run['depths'][0]}": run["machine"] for run in numbers.get("added", ())}
    what = ["date", "cpu", "cores", "python", "commit", "load_at_start"]
    return pd.DataFrame(runs).T[what].rename(columns={"load_at_start": "load"})
