"""Pages of the ledger: records of an experiment, what experiments cost; see also `ledger_scorecard`."""

import inspect
import json

import citing
from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer
from rendering import rendered

from treelib.ledger import experiments as registry
from treelib.ledger import store
from treelib.ledger.papers import groups

ENVIRONMENT = ("treelib", "commit", "python", "packages", "platform", "cpu", "cores", "sources")

_KINDS = {
    registry.EXACT: "another run must give the same result to the last bit.",
    registry.STATISTICAL: "another run with the same seeds must agree within a stated tolerance.",
    registry.TIMING: "what is measured depends on machine and load.",
}


def record_page(experiment, base):
    """The page of one experiment: what was run, its records, how to run it again, how to cite it."""
    records = list(store.records(experiment).values())
    source = inspect.getsource(experiment.function)
    return rendered(
        "record",
        one=experiment,
        paper=citing.paper_link(experiment.paper),
        means=_KINDS[experiment.kind],
        n_cases=store.status(experiment)["cases"],
        records=records and records_html(records, experiment.name),
        n_records=len(records),
        source=Markup(highlight(source, PythonLexer(), HtmlFormatter(nowrap=True))),
        results=_results_of(experiment),
        base=base,
    )


def _results_of(experiment):
    known = citing.results(experiment.paper)
    near = [r for r in known if experiment.name == r.id or experiment.name.startswith(f"{r.id}.")]
    near = near or [r for r in known if r.item in experiment.item]
    return near or [citing.Result(experiment.name, experiment.paper, experiment.item)]


def records_html(records, folder):
    """The records, each with a link to the file in `folder` that has it whole; their runs and data sets."""
    by_run = runs(records)
    return rendered(
        "records",
        records=records,
        files={entry["key"]: record_file(folder, entry) for entry in records},
        runs=by_run,
        number={entry["key"]: place for place, run in enumerate(by_run, start=1) for entry in run},
        data=sorted({one for entry in records for one in entry["provenance"]["data"].items()}),
    )


def record_file(folder, entry):
    """Where the site has one record as a file of its own, relative to the pages of records, str."""
    return f"{folder}/{entry['key']}.json"


def runs(records):
    """Lists of the records of equal versions, commit and machine."""
    found = {}
    for entry in records:
        label = json.dumps([entry["provenance"][name] for name in ENVIRONMENT])
        found.setdefault(label, []).append(entry)
    return list(found.values())


def records_index(base):
    """All experiments and all tables and figures that can be cited, by paper."""
    found = {
        name: (
            [(one, store.status(one)) for one in map(registry.get, registry.names(paper))],
            citing.results(paper),
        )
        for paper, name in groups().items()
    }
    return rendered("records_index", groups=found, base=base)


def cost_table(experiments):
    """Processor seconds and peak memory of the stored runs of each experiment."""
    runs = {one.name: [entry["provenance"] for entry in store.records(one).values()] for one in experiments}
    return rendered("cost", runs={name: some for name, some in runs.items() if some})


def last_reproduction(found):
    """What the last run of all experiments took, by experiment."""
    return rendered("last_reproduction", found=found)
