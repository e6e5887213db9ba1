"""HTML of the ledger: records of an experiment, what experiments cost; see also `ledger_scorecard`."""

import inspect
import json
from html import escape
from urllib.parse import quote

import citing
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from treelib.ledger import experiments as registry
from treelib.ledger import store
from treelib.ledger.papers import groups

ENVIRONMENT = ("treelib", "commit", "python", "packages", "platform", "cpu", "cores")
SHOWN = 160  # characters of a result that the page shows at once
MOST = 3000  # and that it shows on demand; the record's own file has all


def table(heads, rows, classes="", caption="", numeric=()):
    """A table of ready cells; `numeric` are the places of the columns to be set flush right."""
    sides = [' class="text-right"' if place in numeric else "" for place in range(len(heads))]
    head = "".join(f'<th scope="col"{side}>{cell}</th>' for side, cell in zip(sides, heads, strict=True))
    body = "\n".join(
        "<tr>" + "".join(f"<td{side}>{cell}</td>" for side, cell in zip(sides, row, strict=True)) + "</tr>"
        for row in rows
    )
    above = f"<caption>{caption}</caption>" if caption else ""
    return (
        f'<table class="table {classes}" tabindex="0">{above}<thead><tr>{head}</tr></thead>'
        f"<tbody>\n{body}\n</tbody></table>"
    )


# ---- records ----------------------------------------------------------------------------------------------


def record_page(experiment, base):
    """The page of one experiment: what was run, its records, how to run it again, how to cite it."""
    records = list(store.records(experiment).values())
    state, paper = store.status(experiment), citing.paper_link(experiment.paper)
    parts = [
        f"<h1>{escape(experiment.item)}: {escape(experiment.title)}</h1>",
        f"<p>Experiment <code>{experiment.name}</code> of {paper}, "
        f"{experiment.kind}: {_KINDS[experiment.kind]} {len(records)} of {state['cases']} cases are "
        "stored.</p>",
        "<h2>Run it again</h2>",
        f"<pre tabindex='0'>treelib reproduce {experiment.name} --fresh   # all cases anew\n"
        f"treelib check {experiment.name}               # anew, and compare with what is stored\n"
        f"treelib check {experiment.name} --key KEY     # one of them</pre>",
        "<h2>Records</h2>",
    ]
    if records:
        parts += [_records_table(records, experiment.name), *_environments(records), *_data(records)]
        parts.append(
            f'<p>Downloads: <a href="{experiment.name}/{experiment.name}.jsonl">records</a> (JSON lines, '
            f'<a href="../ledger/result.schema.json">schema</a>), '
            f'<a href="{experiment.name}/ro-crate-metadata.json">RO-Crate</a>.</p>'
        )
    else:
        parts.append("<p>Nothing is stored; the chapter runs the cases when it is built.</p>")
    parts += ['<h2 id="code">Code of one case</h2>', _code(experiment), "<h2>Cite this result</h2>"]
    parts += [cite_block(result, base) for result in _results_of(experiment)]
    return "\n".join(parts)


_KINDS = {
    registry.EXACT: "another run must give the same result to the last bit.",
    registry.STATISTICAL: "another run with the same seeds must agree within a stated tolerance.",
    registry.TIMING: "what is measured depends on machine and load.",
}


def cite_block(result, base):
    """How to cite a table or figure, as text and for BibTeX; its id is an anchor of the page."""
    head = f"<code>{result.id}</code> {escape(result.item)}"
    return (
        f'<details class="cite" id="{result.id}"><summary>{head}</summary>'
        f"<p>{escape(result.text(base))}</p>"
        f'<pre tabindex="0">{escape(result.bibtex(base))}</pre></details>'
    )


def _results_of(experiment):
    known = citing.results(experiment.paper)
    near = [r for r in known if experiment.name == r.id or experiment.name.startswith(f"{r.id}.")]
    near = near or [r for r in known if r.item in experiment.item]
    return near or [citing.Result(experiment.name, experiment.paper, experiment.item)]


def _records_table(records, folder):
    """The records, each with a link to the file in `folder` that has it whole."""
    labels = _labels(records)
    lines = []
    for entry in records:
        ran = entry["provenance"]
        whole = (
            f'<a href="{quote(record_file(folder, entry))}" '
            f'aria-label="the whole record {escape(entry["key"])}">whole</a>'
        )
        peak = f"{ran['peak_bytes'] / 2**20:.0f}" if ran["peak_bytes"] else ""
        lines.append(
            (
                f'<code id="r{escape(entry["key"])}">{escape(entry["key"])}</code>',
                escape(_pairs(entry["case"])),
                f"{folded(short(_result(entry['result']), MOST), SHOWN)} {whole}",
                f"{ran['seconds']:.3g}",
                f"{ran['cpu_seconds']:.3g}",
                peak,
                "" if ran["seed"] is None else escape(str(ran["seed"])),
                labels[_environment(entry)],
            )
        )
    heads = ("key", "case", "result", "seconds", "CPU s", "peak MB", "seed", "run")
    return table(heads, lines, "records", numeric=(3, 4, 5))


def record_file(folder, entry):
    """Where the site has one record as a file of its own, relative to the pages of records, str."""
    return f"{folder}/{entry['key']}.json"


def _environment(entry):
    ran = entry["provenance"]
    return json.dumps({name: ran[name] for name in ENVIRONMENT} | {"sources": ran["sources"]}, sort_keys=True)


def _labels(records):
    """A number for each run: equal versions, commit and machine."""
    found = list(dict.fromkeys(map(_environment, records)))
    return {text: str(number) for number, text in enumerate(found, start=1)}


def _environments(records):
    rows = []
    for text, label in _labels(records).items():
        ran = json.loads(text)
        starts = [r["provenance"]["started"] for r in records if _environment(r) == text]
        packages = ", ".join(f"{name} {version}" for name, version in ran["packages"].items())
        rows.append(
            (
                label,
                escape(min(starts)),
                f"<code>{escape(ran['commit'] or 'installed')}</code>",
                f"<code>{escape(ran['sources'])}</code>",
                escape(f"{ran['cpu']}, {ran['cores']} cores, {ran['platform']}"),
                escape(f"treelib {ran['treelib']}, Python {ran['python']}, {packages}"),
            )
        )
    heads = ("run", "began", "commit", "sources", "machine", "versions")
    return ["<h3>Runs</h3>", table(heads, rows)]


def _data(records):
    found = {}
    for entry in records:
        found.update(entry["provenance"]["data"])
    if not found:
        return []
    rows = [
        (f"<code>{escape(name)}</code>", f"<code>{breakable(digest, 16)}</code>")
        for name, digest in found.items()
    ]
    return ["<h3>Data</h3>", table(("data set", "SHA-256"), sorted(rows))]


def _code(experiment):
    text = inspect.getsource(experiment.function)
    code = highlight(text, PythonLexer(), HtmlFormatter(nowrap=True))
    return (
        f"<p>In <code>{breakable(experiment.module)}</code>:</p>"
        '<div class="highlight-python notranslate"><div class="highlight">'
        f'<pre tabindex="0">{code}</pre></div></div>'
    )


def _pairs(values):
    return "; ".join(f"{name}: {value}" for name, value in values.items() if value is not None)


def _result(result):
    if isinstance(result, list):
        return f"{len(result)} rows; {_result(result[0])}"
    simple = {name: _value(value) for name, value in result.items() if not isinstance(value, dict | list)}
    groups = {name: value for name, value in result.items() if isinstance(value, dict)}
    inner = {f"{name}.{key}": _value(one) for name, some in groups.items() for key, one in some.items()}
    listed = {name: _listed(value) for name, value in result.items() if isinstance(value, list)}
    return _pairs({**simple, **{name: one for name, one in inner.items() if one != ""}, **listed})


def _value(value):
    """A number with six digits, other single values as they are, and nothing of what holds many."""
    if isinstance(value, dict | list):
        return ""
    return f"{value:.6g}" if isinstance(value, float) else value


def _listed(values):
    """A list as it is where it is short, else how long it is."""
    text = json.dumps(values)
    return text if len(text) <= 80 else f"a list of {len(values)}"


def short(text, length):
    return text if len(text) <= length else text[: length - 1] + "…"


def folded(text, length):
    """HTML of a text; of a long one what stands behind about `length` characters opens on demand."""
    if len(text) <= 1.5 * length:
        return escape(text)
    end = next(
        (place for mark in ("; ", ", ", " ") if (place := text.rfind(mark, length // 2, length)) > 0), length
    )
    head, rest = text[: end + 1].rstrip(), text[end + 1 :].lstrip()
    return f'{escape(head)} <details class="more"><summary>the rest</summary>{escape(rest)}</details>'


def breakable(text, every=0):
    """Long names may be broken at dots and underscores, digests every so many characters."""
    if every:
        return "<wbr>".join(escape(text[i : i + every]) for i in range(0, len(text), every))
    return escape(text).replace(".", ".<wbr>").replace("_", "_<wbr>")


# ---- index and reports ------------------------------------------------------------------------------------


def records_index(base):
    """All experiments and all tables and figures that can be cited, by paper."""
    parts = []
    for paper, name in groups().items():
        parts.append(f"<h2>{name}</h2>")
        experiments = [registry.get(key) for key in registry.names(paper)]
        if experiments:
            rows = []
            for one in experiments:
                state = store.status(one)
                link = f'<a href="../records/{one.name}.html">{one.name}</a>'
                rows.append(
                    (
                        link,
                        escape(one.item),
                        escape(one.title),
                        one.kind,
                        f"{state['fresh']} of {state['cases']}",
                    )
                )
            heads = ("experiment", "item", "what it runs", "kind", "cases stored")
            parts.append(f"<p>{len(rows)} experiments, each with a page of its records:</p>")
            parts.append(table(heads, rows, numeric=(4,)))
        if citing.results(paper):
            parts.append("<p>Cite a table or figure:</p>")
        parts += [cite_block(result, base) for result in citing.results(paper)]
    return "\n".join(parts)


def cost_table(experiments):
    """Processor seconds and peak memory of the stored runs of each experiment."""
    lines = []
    for one in experiments:
        runs = [entry["provenance"] for entry in store.records(one).values()]
        if runs:
            peak = max((run["peak_bytes"] or 0) for run in runs) / 2**20
            link = f'<a href="../records/{one.name}.html">{one.name}</a>'
            lines.append((link, len(runs), f"{sum(run['cpu_seconds'] for run in runs):.1f}", f"{peak:.0f}"))
    if not lines:
        return "<p>No results are stored.</p>"
    return table(("experiment", "cases", "CPU seconds", "peak MB"), lines, numeric=(1, 2, 3))


def last_reproduction(found):
    """What the last run of all experiments took, by experiment."""
    if found is None:
        return "<p>No run of all experiments is recorded.</p>"
    rows = [
        (
            f'<a href="../records/{one["experiment"]}.html">{one["experiment"]}</a>',
            one["n_run"],
            len(one["not_run"]) or "",
            f"{one['cpu_seconds']:.1f}",
            f"{one['longest']:.1f}",
            f"{one['peak_bytes'] / 2**20:.0f}",
        )
        for one in found["experiments"]
    ]
    n_run, n_not = (sum(row[place] or 0 for row in rows) for place in (1, 2))
    packages = ", ".join(f"{name} {version}" for name, version in found["packages"].items())
    about = (
        f"<p><code>{escape(found['command'])}</code>, {found['began'][:10]}, on {escape(found['cpu'])}, "
        f"{found['jobs']} processes: {found['seconds'] / 60:.0f} minutes on the clock, "
        f"{found['cpu_seconds'] / 60:.0f} of CPU; {n_run} cases run, {n_not} not. Python {found['python']}, "
        f"{escape(packages)}.</p>"
    )
    heads = ("experiment", "cases run", "not run", "CPU seconds", "longest case, s", "peak MB")
    return about + table(heads, rows, numeric=(1, 2, 3, 4, 5))
