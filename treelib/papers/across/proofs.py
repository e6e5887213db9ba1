"""Proofs of optimality as chapters show them: written, read line by line, checked in the reader's browser."""

import base64
import gzip
import json
import subprocess
import tempfile
import time
import warnings
from fractions import Fraction
from pathlib import Path

from treelib import OptimalSparseTreeClassifier, datasets
from treelib.ledger.experiments import experiment
from treelib.papers.across.live import Part
from treelib.papers.osdt import settings
from treelib.sparse.proofs import checktree

# data set, leaf penalty, largest depth: numbers with all their thresholds
NUMBERS = (
    ("tsallis/iris", "1/50", None),
    ("tsallis/iris", "1/100", None),
    ("tsallis/wine", "1/50", None),
    ("tsallis/wine", "1/100", None),
    ("tsallis/wdbc", "1/20", None),
    ("tsallis/banknote", "1/50", None),
    # no price and depth 2, as ConTree's paper has it
    ("tsallis/iris", "0", 2),
    ("tsallis/wine", "0", 2),
    ("tsallis/seeds", "0", 2),
    ("tsallis/wdbc", "0", 2),
    ("tsallis/banknote", "0", 2),
)
WRITE_SECONDS = 120.0


def problems():
    """Cases of the table: numbers, and the data sets of OSDT at the prices of its figures."""
    prices = [
        settings.SEVEN,
        settings.LAMBDA,
        {name: price for name, (price, _) in settings.FIGURE_8.items()},
    ]
    sparse = {(settings.DATA[name], str(price), None) for some in prices for name, price in some.items()}
    listed = [*sorted(sparse, key=lambda one: (one[0], -Fraction(one[1]))), *NUMBERS]
    return [{"data": data, "regularization": price, "max_depth": depth} for data, price, depth in listed]


@experiment(
    "family.proofs",
    item="Proofs of optimality",
    title="Proofs of optimality: what they take to write, to check in Python and to check in the page",
    cases=problems,
    datasets=lambda case: (case["data"],),
    kind="timing",
    measured=("n_lemmas", "lower_bound", "is_proved"),  # of those that the limit of time ends
    seconds=148,
)
def proof_of(case):
    """A fit, its proof, and both checkers; the page's runs in Node, and has no seconds where that is missing.

    Returns
    -------
    dict: ``objective``, ``lower_bound`` that the proof shows, ``is_proved`` whether they are equal,
    ``n_lemmas``, ``n_bytes``, compressed; seconds of the processor: ``fit_seconds``, ``write_seconds``,
    ``check_seconds``, ``page_seconds``
    """
    data, price = datasets.load(case["data"]), float(Fraction(case["regularization"]))
    model = OptimalSparseTreeClassifier(price, max_depth=case["max_depth"])
    with warnings.catch_warnings(), tempfile.TemporaryDirectory() as folder:
        warnings.simplefilter("ignore")
        table, proof = Path(folder) / "table.csv", Path(folder) / "proof.jsonl.gz"
        _write(OptimalSparseTreeClassifier(0.3, max_depth=1), data, table, proof)  # compiles what is timed
        start = time.process_time()
        model.fit(data.X, data.y)
        fitted = time.process_time()
        written = model.write_proof(proof, data.X, data.y, table=table, time_limit=WRITE_SECONDS)
        end = time.process_time()
        bound, cost, _ = checktree.check(table, proof)
        checked = time.process_time()
        page_seconds = seconds_in_node(table, proof, bound)
    return {
        "objective": str(cost),
        "lower_bound": str(bound),
        "is_proved": bound == cost,
        "n_lemmas": written.n_lemmas,
        "n_bytes": written.n_bytes,
        "fit_seconds": fitted - start,
        "write_seconds": end - fitted,
        "check_seconds": checked - end,
        "page_seconds": page_seconds,
    }


def what_they_take():
    """The stored experiment as a page shows it, a data frame."""
    from treelib.papers import reproduce

    record = reproduce("family.proofs")
    names = {
        "data": "data",
        "regularization": "λ",
        "max_depth": "depth",
        "objective": "objective",
    }
    names |= {"is_proved": "proved", "n_lemmas": "lemmas", "n_bytes": "bytes", "fit_seconds": "search"}
    names |= {"write_seconds": "write", "check_seconds": "check", "page_seconds": "in page"}
    shown = record[list(names)].rename(columns=names)
    shown["data"] = [name.rpartition("/")[2] for name in shown["data"]]
    shown["depth"] = ["any" if depth != depth else f"{depth:g}" for depth in shown["depth"].astype(float)]
    shown["objective"] = [round(float(Fraction(text)), 6) for text in shown["objective"]]
    return shown.set_index("data").round(2)


def _write(model, data, table, proof):
    model.fit(data.X, data.y).write_proof(proof, data.X, data.y, table=table)


PROGRAM = """
require(process.argv[1]);
const [table, proof] = process.argv.slice(2).map((path) => new Uint8Array(require("fs").readFileSync(path)));
const start = process.cpuUsage();
checktree.check(table, proof).then((found) => {
  const { user, system } = process.cpuUsage(start);
  console.log((user + system) / 1e6, found.bound);
});
"""


def seconds_in_node(table, proof, bound):
    """Seconds of the processor that the checker of the page takes, or None where Node is missing.

    Raises
    ------
    RuntimeError
        The page finds another bound proved.
    """
    script = Path(checktree.__file__).parents[3] / "book" / "_static" / "checktree.js"
    command = ["node", "-e", PROGRAM, *map(str, (script, table, proof))]
    try:
        out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except FileNotFoundError:
        return None
    seconds, found = out.split()
    if Fraction(found) != bound:
        raise RuntimeError(f"the page finds {found} proved, and checktree.py {bound}.")
    return float(seconds)


def written(X, y, regularization, **options):
    """Table and proof of the optimal tree, as bytes; the proof is compressed. Options as of the estimator."""
    model = OptimalSparseTreeClassifier(float(regularization), **options).fit(X, y)
    with tempfile.TemporaryDirectory() as folder:
        table, proof = Path(folder) / "table.csv", Path(folder) / "proof.jsonl.gz"
        model.write_proof(proof, X, y, table=table)
        return table.read_bytes(), proof.read_bytes()


def lines_of(proof):
    """The lines of a proof, dicts, the head first."""
    data = Path(proof).read_bytes()
    data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    return [json.loads(line) for line in data.splitlines()]


def path_in_words(path):
    """The rows of a lemma, in words."""
    if not path:
        return "all rows"
    return ", ".join(
        f"{name} {side} {'missing' if value is None else f'{value:g}'}" for name, side, value in path
    )


def drawn(lemma, X, ax):
    """Draw the runs of splits that a lemma refutes, a bar a run: pale by rule 2 alone, dark where it leans
    on other lemmas, whose numbers stand there.

    Parameters
    ----------
    lemma : dict, a line of a proof
    X : data frame of the rows of the lemma
    ax : matplotlib axes
    """
    for height, name in enumerate(X.columns):
        values = sorted(set(X[name]))
        start = values[0]
        for end, low, high in lemma["cuts"].get(name, [[None, [], []]]):
            last = values[-1] if end is None else next(value for value in values if value > end)
            left, width = _share(start, values), _share(last, values) - _share(start, values)
            used = sorted({*low, *high})
            ax.barh(height, width, left=left, height=0.7, color="C0", alpha=0.65 if used else 0.2, ec="white")
            if used:
                ax.text(
                    left + width / 2, height, ",".join(map(str, used)), ha="center", va="center", fontsize=7
                )
            start = last
    ax.set_yticks(range(len(X.columns)), X.columns)
    ax.invert_yaxis()
    ax.set_xticks([0, 1], ["smallest value", "largest"])


def _share(value, values):
    return (value - values[0]) / (values[-1] - values[0])


def figure_4():
    """Table and proof of the optimum of Figure 4, as bytes."""
    data = settings.load("COMPAS")
    return written(data.X, data.y, settings.LAMBDA["COMPAS"])


# item of a paper -> function that gives table and proof of the optimum that it shows
ITEMS = {"osdt.f4": figure_4}


def check_part(table, proof, title):
    """HTML of a button that checks a proof in the reader's browser, with both files to keep."""
    files = {
        "table": base64.b64encode(gzip.compress(table, mtime=0)).decode(),
        "proof": base64.b64encode(proof).decode(),
    }
    names = {"table": ("table.csv.gz", "table"), "proof": ("proof.jsonl.gz", "proof")}
    links = [
        f'<a download="{names[kind][0]}" href="data:application/gzip;base64,{code}">{names[kind][1]}</a>'
        for kind, code in files.items()
    ]
    return Part(
        f'<div class="proof-check part"><div class="part-bar"><button type="button" class="part-button">'
        f"Check this proof</button><span>{title}</span></div>"
        f'<p class="proof-answer" role="status"></p><p>Files: {", ".join(links)}</p>'
        f'<script type="application/json">{json.dumps(files)}</script></div>{SCRIPT}'
    )


def drop_part():
    """HTML of a field that takes a table and a proof, and checks them in the reader's browser."""
    return Part(
        '<div class="proof-check part"><label>Drop a table (.csv) and its proof here, or choose both: '
        '<input type="file" multiple accept=".csv,.gz,.jsonl"></label>'
        f'<p class="proof-answer" role="status"></p></div>{SCRIPT}'
    )


SCRIPT = '<script src="../_static/checktree.js" defer></script>'
