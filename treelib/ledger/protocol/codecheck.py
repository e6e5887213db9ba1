"""Two hundred printed cells, rerun from nothing and compared with the values we publish.

The papers alone decide which: of all claims of kind exact or statistical with a printed number, those whose
ids have the smallest SHA-256. Their manifest, ``codecheck.csv``, lies beside the verdicts. A rerun computes
every case of the experiments named there in a folder of its own and judges the claims from these results. A
claim without experiment is counted while judging; what else a judge reads comes from the stored results.
"""

import hashlib
import math
import os

from treelib.compiled.whole_files import write_whole
from treelib.datasets.files import as_csv, read_csv
from treelib.ledger import claims, experiments, store, verdicts
from treelib.ledger.papers import papers
from treelib.ledger.store import lines

N_CELLS = 200
COLUMNS = ("id", "printed", "expected", "experiment", "digest")
EXPECTED, DIFFERS, NOT_RERUN = "as expected", "differs", "not rerun"


def path():
    """The manifest."""
    return store.committed() / "codecheck.csv"


def cells(count=N_CELLS):
    """The claims to check, list of `claims.Claim`; nothing of our results decides which."""
    numbers = [
        claim
        for paper in papers()
        for claim in claims.load(paper).values()
        if claim.kind in ("exact", "statistical") and claim.number is not None
    ]
    return sorted(numbers, key=lambda claim: hashlib.sha256(claim.id.encode()).hexdigest())[:count]


def manifest():
    """The lines of the manifest, from the kept verdicts and results: list of dict of str."""
    kept, found = {row["id"]: row for row in verdicts.read()}, []
    for claim in cells():
        if row := kept.get(claim.id):
            digest = digest_of(row["experiment"], store.committed()) if row["experiment"] else ""
            about = claim.id, claim.value, row["ours"], row["experiment"], digest
            found.append(dict(zip(COLUMNS, about, strict=True)))
    return found


def read(file=None):
    """The manifest as it is kept, list of dict of str; file : another one."""
    return read_csv(file or path())


def write():
    """Write the manifest anew."""
    write_whole(path(), as_csv(COLUMNS, manifest()).encode())


def digest_of(name, folder):
    """Digest of the results of an experiment without what was measured, 16 hexadecimal digits.

    name : str
    folder : path, where its results are
    """
    experiment, found = experiments.get(name), {}
    for entry in lines.read(folder / f"{name}.jsonl"):
        rows = entry["result"] if isinstance(entry["result"], list) else [entry["result"]]
        found[lines.canonical(entry["case"])] = [
            {column: value for column, value in row.items() if not experiment.is_measured(column)}
            for row in rows
        ]
    return lines.digest_of(found)


def rerun(rows, folder, jobs=None):
    """Run the experiments behind some cells from nothing, and compare.

    It judges from `folder` for the rest of the process.

    Parameters
    ----------
    rows : list of dict of str, lines of the manifest
    folder : path, where the new results are written
    jobs : int or None, processes

    Returns
    -------
    list of dict of str
        The rows, with ``now`` (our value), ``digest_now``, ``word`` (as expected, differs, or not rerun:
        some case of its experiment could not be run) and ``why`` it was not.
    """
    names = [name for name in dict.fromkeys(row["experiment"] for row in rows) if name]
    made = store.run_all(names, jobs=jobs, fresh=True, folder=folder)
    failed = {one.experiment: one.failed[0][1] for one in made if one.failed}
    os.environ[store.LIVE_VARIABLE] = str(folder)
    judged = {
        verdict.claim.id: verdicts.text_of(verdict.ours)
        for paper in dict.fromkeys(row["id"].partition(".")[0] for row in rows)
        for verdict in verdicts.judged(paper)
    }
    digests = {"": "", **{name: digest_of(name, folder) for name in names}}
    return [
        row
        | {
            "now": judged[row["id"]],
            "digest_now": digests[row["experiment"]],
            "word": NOT_RERUN if row["experiment"] in failed else _word(row, judged[row["id"]]),
            "why": failed.get(row["experiment"], ""),
        }
        for row in rows
    ]


def _word(row, now):
    """Whether a value came out: to the last digit, or within the tolerance of a statistical experiment."""
    same = now == row["expected"]
    experiment = experiments.get(row["experiment"]) if row["experiment"] else None
    if not same and experiment and experiment.kind == experiments.STATISTICAL:
        try:
            same = math.isclose(float(now), float(row["expected"]), rel_tol=experiment.tolerance)
        except ValueError:  # a value that is text
            same = False
    return EXPECTED if same else DIFFERS


def report(rows, about):
    """What came out, as Markdown.

    rows : list of dict, of `rerun`
    about : dict of str, shown at the head: versions, machine, seconds
    """
    counts = {word: sum(row["word"] == word for row in rows) for word in (EXPECTED, DIFFERS, NOT_RERUN)}
    text = ["# CODECHECK report", "", ", ".join(f"{n} {word}" for word, n in counts.items()) + ".", ""]
    text += [f"- {name}: {value}" for name, value in about.items()]
    text += [
        "",
        "Codechecker, date, signature:",
        "",
        *_table(
            ("claim", "printed", "expected", "now", ""),
            ((f"`{row['id']}`", row["printed"], row["expected"], row["now"], row["word"]) for row in rows),
        ),
    ]
    digests = {
        row["experiment"]: (row["digest"], row["digest_now"], row["why"]) for row in rows if row["experiment"]
    }
    heads = "experiment", "digest expected", "digest now", "not rerun because"
    return "\n".join([*text, "", *_table(heads, ((name, *rest) for name, rest in digests.items())), ""])


def _table(heads, rows):
    return [f"| {' | '.join(row)} |" for row in (heads, ["---"] * len(heads), *rows)]
