"""Files of the ledger at stable addresses of the site.

``ledger/verdicts.csv``, ``ledger/verdicts.json``, ``ledger/badge.svg``, ``ledger/claims/<paper>.csv``,
``ledger/result.schema.json``, ``ledger/changes.csv``, ``ledger/objections.csv``,
``ledger/croissant/<folder>.json``; for each paper ``ledger/papers/<paper>/``,
an RO-Crate of its findings and cells with a command each, and of proofs of the optima that it shows; and for
each experiment ``records/<experiment>/``, an RO-Crate that holds the records, and beside it each record in a
file of its own.
"""

import csv
import hashlib
import json
import shutil
from datetime import datetime, timedelta
from fnmatch import fnmatchcase
from pathlib import Path
from urllib.parse import quote

import citing
import ledger_html
import ledger_scorecard
from rendering import rendered, versions

from treelib import datasets
from treelib.datasets import files
from treelib.datasets.registry import REGISTRY
from treelib.ledger import claims, experiments, store, verdicts
from treelib.ledger.page import findings
from treelib.ledger.papers import papers
from treelib.ledger.protocol import referee, signed
from treelib.papers.across import proofs

PROCESS_RUN = "https://w3id.org/ro/wfrun/process/0.5"
CRATE = "https://w3id.org/ro/crate/1.1"
LICENCE = "https://creativecommons.org/licenses/by/4.0/"
AUTHORS = "#authors"
SHEETS = 40  # claims on the referee's sheets that the site offers


def write(site, base):
    """Write all files below the folder `site`; `base` is its address on the web, or empty."""
    ledger = Path(site) / "ledger"
    (ledger / "claims").mkdir(parents=True, exist_ok=True)
    rows = verdicts.read()
    if rows:
        shutil.copyfile(verdicts.path(), ledger / "verdicts.csv")
        _dump(ledger / "verdicts.json", rows)
        (ledger / "badge.svg").write_text(badge(rows), encoding="utf-8")
        drawn = referee.draw(rows, min(SHEETS, sum(map(ledger_scorecard.is_counted, rows))), seed=1)
        (ledger / "referee.html").write_text(referee.sheet(drawn, seed=1), encoding="utf-8")
    _dump_csv(ledger / "changes.csv", ledger_scorecard.changed_claims())
    _dump_csv(ledger / "objections.csv", ledger_scorecard.objections(signed.draws(), rows))
    for paper in papers():
        shutil.copyfile(files.data_root() / "claims" / f"{paper}.csv", ledger / "claims" / f"{paper}.csv")
        write_paper(ledger / "papers" / paper, paper, [row for row in rows if row["paper"] == paper])
    shutil.copyfile(store.committed() / "schema.json", ledger / "result.schema.json")
    for folder, name in shipped().items():
        target = ledger / "croissant" / f"{folder}.json"
        target.parent.mkdir(exist_ok=True)
        _dump(target, croissant(name))
    for name in experiments.names():
        records = list(store.records(name).values())
        if records:
            write_crate(Path(site) / "records" / name, experiments.get(name), records, base)


def badge(rows):
    """An SVG that says how many of the counted claims match, and how many are close: two numbers."""
    counted = [row["verdict"] for row in rows if ledger_scorecard.is_counted(row)]
    match, close = (counted.count(word) for word in (claims.MATCH, claims.CLOSE))
    return rendered("badge", left="claims", right=f"{match} match, {close} close, of {len(counted)}")


# ---- Croissant --------------------------------------------------------------------------------------------


def shipped():
    """The data sets whose files lie in the project, dict of folder to one of its names."""
    found = {}
    for name, entry in REGISTRY.items():
        if entry.kind == "vendored":
            found.setdefault(_folder(entry), name)
    return found


def croissant(name):
    """Croissant metadata (version 1.0) of a data set that the project ships, dict."""
    entry = datasets.info(name)
    folder = _folder(entry)
    path = files.data_root() / folder / f"{folder}.csv.gz"
    content = files.read_vendored(folder)
    columns = next(csv.reader(content.decode().splitlines()))
    key = folder
    numeric = _numeric(content)
    return {
        "@context": _CROISSANT_CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": key,
        "description": f"{entry.title}. {entry.description}",
        "license": entry.licence,
        "url": entry.origin,
        "citeAs": entry.citation,
        "version": f"{citing.source()['version']}",
        "datePublished": citing.source()["date-released"],
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": f"{key}.csv.gz",
                "name": f"{key}.csv.gz",
                "contentUrl": f"data/{key}/{key}.csv.gz",
                "encodingFormat": "application/gzip",
                "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
            },
            {
                "@type": "cr:FileObject",
                "@id": f"{key}.csv",
                "name": f"{key}.csv",
                "containedIn": {"@id": f"{key}.csv.gz"},
                "contentUrl": f"{key}.csv",
                "encodingFormat": "text/csv",
                "sha256": hashlib.sha256(content).hexdigest(),
            },
        ],
        "recordSet": [
            {
                "@type": "cr:RecordSet",
                "@id": "rows",
                "name": "rows",
                "field": [
                    {
                        "@type": "cr:Field",
                        "@id": f"rows/{quote(column)}",
                        "name": column,
                        "dataType": "sc:Float" if numeric[place] else "sc:Text",
                        "source": {"fileObject": {"@id": f"{key}.csv"}, "extract": {"column": column}},
                    }
                    for place, column in enumerate(columns)
                ],
            }
        ],
    }


# what the words of a description mean; most are Croissant's own
_OWN_WORDS = (
    *("citeAs", "column", "equivalentProperty", "extract", "field", "fileObject", "fileProperty", "fileSet"),
    *("format", "includes", "isLiveDataset", "jsonPath", "key", "md5", "parentField", "path", "recordSet"),
    *("references", "regex", "repeated", "replace", "samplingRate", "separator", "source", "subField"),
    "transform",
)
_CROISSANT_CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "dct": "http://purl.org/dc/terms/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "sc": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    **{word: f"cr:{word}" for word in _OWN_WORDS},
}


def _folder(entry):
    """Folder below ``data`` that a data set of the project is read from."""
    found = getattr(entry.read, "args", (entry.name.rpartition("/")[2].lower(),))[0]
    return found if isinstance(found, str) else found.args[0]  # binned from another form


def _numeric(content):
    """Which columns of a CSV file hold numbers only, list of bool."""
    _, *rows = csv.reader(content.decode().splitlines())

    def is_number(text):
        try:
            float(text)
        except ValueError:
            return text == ""
        return True

    return [all(map(is_number, column)) for column in zip(*rows, strict=True)]


# ---- RO-Crate of a paper ----------------------------------------------------------------------------------


def write_paper(folder, paper, rows):
    """An RO-Crate of a paper: what it claims, what came out, and the command that checks each cell."""
    folder.mkdir(parents=True, exist_ok=True)
    _dump_csv(folder / "verdicts.csv", rows)
    proved = {}
    for item in (item for item in proofs.ITEMS if item.startswith(f"{paper}.")):
        for name, content in zip(proof_files(item), proofs.ITEMS[item](), strict=True):
            (folder / name).write_bytes(content)
            proved[name] = item
    _dump(folder / "ro-crate-metadata.json", paper_crate(papers()[paper], rows, proved))


def proof_files(item):
    """Names of the table and of the proof of an item of a paper, in the folder of the paper."""
    return f"{item}.csv", f"{item}.proof.jsonl.gz"


def paper_crate(paper, rows, proved):
    """Metadata of the crate of a `Paper` with these rows of ``verdicts.csv``, dict; `proved` has the items of
    the files of proofs."""
    commands = list(dict.fromkeys(map(command, rows)))
    found = [_finding(row, rows) for row in findings.kept(paper.key)]
    return {
        "@context": f"{CRATE}/context",
        "@graph": [
            _descriptor(),
            {
                "@id": "./",
                "@type": "Dataset",
                "name": f"{paper.title}: findings and cells",
                "description": "What the paper claims and prints, what a rerun gave, and a command each.",
                "datePublished": citing.source()["date-released"],
                "license": {"@id": LICENCE},
                "author": {"@id": AUTHORS},
                "about": {"@id": "#paper"},
                "hasPart": [{"@id": name} for name in ("verdicts.csv", *proved)],
                "mentions": [{"@id": one["@id"]} for one in found],
                "variableMeasured": [{"@id": f"#{row['id']}"} for row in rows],
            },
            {"@id": "#paper", "@type": "ScholarlyArticle", "name": paper.title, "url": paper.url},
            {"@id": LICENCE, "@type": "CreativeWork", "name": "CC BY 4.0"},
            {"@id": AUTHORS, "@type": "Organization", "name": citing.authors_of(citing.source())[0]},
            {"@id": "verdicts.csv", "@type": "File", "name": "Verdicts", "encodingFormat": "text/csv"},
            *(_proof_file(name, item) for name, item in proved.items()),
            *found,
            *(_cell(row) for row in rows),
            *({"@id": _command_id(text), "@type": "Action", "name": text} for text in commands),
        ],
    }


def _proof_file(name, item):
    is_table = name.endswith(".csv")
    return {
        "@id": name,
        "@type": "File",
        "name": f"{'Table' if is_table else 'Proof of optimality'}, {item}",
        "description": f"treelib check-proof {' '.join(proof_files(item))}",
        "encodingFormat": "text/csv" if is_table else "application/gzip",
    }


def command(row):
    """The command that computes the value of a line of ``verdicts.csv`` again, and compares."""
    if not row["experiment"]:
        return "treelib verdicts"  # counted while judging
    return f"treelib check {row['experiment']}" + (f" --key {row['key']}" if row["key"] else "")


def _cell(row):
    return {
        "@id": f"#{row['id']}",
        "@type": "PropertyValue",
        "name": row["item"],
        "propertyID": row["id"],
        "value": row["ours"],
        "unitText": row["unit"],
        "description": f"printed {row['printed'] or '-'}, ours {row['ours'] or '-'}: {row['verdict']}",
        "potentialAction": {"@id": _command_id(command(row))},
    }


def _finding(row, rows):
    patterns = row["claims"].split()
    cells = [one["id"] for one in rows if any(fnmatchcase(one["id"], pattern) for pattern in patterns)]
    return {
        "@id": f"#{row['id']}",
        "@type": "Claim",
        "name": row["sentence"],
        "description": f"{row['word']}: {row['rests_on']}",
        "isBasedOn": [{"@id": f"#{cell}"} for cell in cells],
    }


def _command_id(text):
    return "#" + text.replace(" ", "-")


# ---- RO-Crate of an experiment ----------------------------------------------------------------------------


def write_crate(folder, experiment, records, base):
    """An RO-Crate (Process Run Crate) of an experiment: its records, and how they came about."""
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{experiment.name}.jsonl"
    lines = (json.dumps(record, separators=(",", ":")) + "\n" for record in records)
    (folder / name).write_text("".join(lines), encoding="utf-8")
    _dump(folder / "ro-crate-metadata.json", crate(experiment, records, name, base))
    for record in records:
        _dump(folder.parent / ledger_html.record_file(folder.name, record), record)


def crate(experiment, records, name, base):
    """Metadata of the crate, dict: one action for each run of equal versions, commit and machine."""
    runs = [[record["provenance"] for record in run] for run in ledger_html.runs(records)]
    data = sorted({item for ran in records for item in ran["provenance"]["data"].items()})
    actions = [_action(i, ran, experiment, name, base) for i, ran in enumerate(runs, start=1)]
    programs = {action["instrument"]["@id"]: ran[0] for action, ran in zip(actions, runs, strict=True)}
    return {
        "@context": [f"{CRATE}/context", "https://w3id.org/ro/terms/workflow-run/context"],
        "@graph": [
            _descriptor(),
            {
                "@id": "./",
                "@type": "Dataset",
                "name": f"{experiment.item} of {citing.title_of(experiment.paper)}",
                "description": experiment.title,
                "datePublished": citing.source()["date-released"],
                "license": {"@id": LICENCE},
                "author": {"@id": AUTHORS},
                "publisher": {"@id": AUTHORS},
                "conformsTo": {"@id": PROCESS_RUN},
                **({"identifier": f"{base.rstrip('/')}/records/{experiment.name}.html"} if base else {}),
                "hasPart": [{"@id": name}, *({"@id": _data_id(key)} for key, _ in data)],
                "mentions": [{"@id": action["@id"]} for action in actions],
            },
            {
                "@id": PROCESS_RUN,
                "@type": "CreativeWork",
                "name": "Process Run Crate",
                "version": PROCESS_RUN.rpartition("/")[2],
            },
            {"@id": LICENCE, "@type": "CreativeWork", "name": "CC BY 4.0"},
            {"@id": AUTHORS, "@type": "Organization", "name": citing.authors_of(citing.source())[0]},
            {"@id": name, "@type": "File", "name": "Records", "encodingFormat": "application/jsonl"},
            *(
                {
                    "@id": _data_id(key),
                    "@type": "Dataset",
                    "name": key,
                    "identifier": f"sha256:{digest}" if digest else key,
                }
                for key, digest in data
            ),
            *(_program(key, ran, base) for key, ran in programs.items()),
            *actions,
        ],
    }


def _action(number, runs, experiment, name, base):
    began = [datetime.fromisoformat(ran["started"]) for ran in runs]
    ended = [start + timedelta(seconds=ran["seconds"]) for start, ran in zip(began, runs, strict=True)]
    used = sorted({key for ran in runs for key in ran["data"]})
    first, root = runs[0], f"{base.rstrip('/')}/" if base else ""
    return {
        "@id": f"#run-{number}",
        "@type": "CreateAction",
        "name": f"treelib reproduce {experiment.name}",
        "description": f"{len(runs)} cases on {first['cpu']}, {first['cores']} cores, {first['platform']}",
        "startTime": min(began).isoformat(),
        "endTime": max(ended).isoformat(timespec="seconds"),
        "agent": {"@id": AUTHORS},
        "instrument": {"@id": f"{root}#treelib-{first['commit'] or first['treelib']}"},
        "object": [{"@id": _data_id(key)} for key in used],
        "result": [{"@id": name}],
        "actionStatus": "http://schema.org/CompletedActionStatus",
    }


def _program(key, ran, base):
    return {
        "@id": key,
        "@type": "SoftwareApplication",
        "name": "treelib",
        **({"url": base} if base else {}),
        "softwareVersion": f"{ran['treelib']} ({ran['commit'] or 'installed'})",
        "softwareRequirements": f"Python {ran['python']}, {versions(ran['packages'])}",
        "license": citing.source()["license"],
    }


def _descriptor():
    return {
        "@id": "ro-crate-metadata.json",
        "@type": "CreativeWork",
        "about": {"@id": "./"},
        "conformsTo": {"@id": CRATE},
    }


def _data_id(name):
    return f"#data-{name.replace('/', '-')}"


def _dump_csv(path, rows):
    path.write_text(files.as_csv(list(rows[0]) if rows else ["id"], rows), encoding="utf-8")


def _dump(path, value):
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
