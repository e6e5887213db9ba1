"""Proofs of optimality as chapters show them: written, read line by line, checked in the reader's browser."""

import base64
import gzip
import json
import tempfile
from pathlib import Path

from treelib import OptimalSparseTreeClassifier
from treelib.papers.across.live import Part
from treelib.papers.osdt import settings


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
