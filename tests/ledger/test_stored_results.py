"""Stored results are fresh and come out again; every claim has its verdict; the ledger's files are sound."""

import csv
import json
import os
import random
import re
import signal
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from treelib import cli
from treelib.ledger import claims, experiments, repeatability, store, verdicts
from treelib.ledger.page import findings
from treelib.ledger.papers import groups, papers
from treelib.ledger.protocol import judging, rulebook, rules, signed
from treelib.ledger.store import schedule
from treelib.sparse.proofs import checktree

ROOT = Path(__file__).resolve().parents[2]
SAMPLE, SECONDS = 6, 3.0
STORED = [name for name in experiments.names() if (store.committed() / f"{name}.jsonl").is_file()]


# ---- honesty ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", STORED)
def test_stored_results_belong_to_the_sources(name):
    """Results of code or data that have changed since: the message names the command that renews them."""
    state = store.status(name)
    assert not state["stale"] and not state["missing"], f"{state}: run `treelib reproduce {name}`"


def test_stored_results_come_out_again():
    """A stored number that nobody gets any more, or that was never computed: a random choice is run anew."""
    seed = int.from_bytes(os.urandom(4), "big")
    wrong = []
    for experiment, case in repeatability.sample(
        [experiments.get(name) for name in STORED], SAMPLE, SECONDS, seed
    ):
        try:
            found = repeatability.differences(experiment, case)
        except store.Missing as error:
            if "not at hand" in str(error):  # a data set that may not be shipped, an optional package
                continue
            raise
        wrong += [f"{experiment.name} {case}: {text}" for text in found]
    assert not wrong, f"seed {seed}: {wrong}"


def test_another_result_is_noticed():
    """A comparison that passes whatever comes out."""
    about = {"name": "osdt.x", "paper": "osdt", "item": "", "title": "", "function": None, "module": ""}
    about |= {"cases": list, "seconds": 1.0, "measured": ("drawn",), "tolerance": 1e-3}
    kinds = experiments.EXACT, experiments.STATISTICAL
    exact, loose = (experiments.Experiment(**about, kind=kind) for kind in kinds)
    kept = {"n": 3, "value": 0.5, "path": [1, {"a": 2.0}], "seconds": 1.0, "drawn": 4}
    assert repeatability.compare(exact, kept, {**kept, "seconds": 9.0, "drawn": 5}) == []
    for change in ({"n": 4}, {"value": 0.5000001}, {"path": [1, {"a": 2.5}]}, {"path": [1]}, {"n": None}):
        assert len(repeatability.compare(exact, kept, {**kept, **change})) == 1
    assert repeatability.compare(loose, kept, {**kept, "value": 0.5004}) == []
    assert len(repeatability.compare(loose, kept, {**kept, "value": 0.51})) == 1
    assert repeatability.compare(exact, [kept, kept], [kept]) == ["2 rows stored, 1 now"]


def test_stored_results_keep_to_the_schema():
    """A record that the published schema does not describe."""
    jsonschema = pytest.importorskip("jsonschema", reason="the extra 'test' is not installed")
    schema = json.loads((store.committed() / "schema.json").read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    for name in STORED:
        entries = list(store.records(name).values())
        for entry in random.Random(0).sample(entries, min(5, len(entries))):
            validator.validate(entry)
            assert experiments.get(name).on_request or entry["key"] == store.key(name, entry["case"])


def test_verdicts_name_records_that_are_kept():
    """A verdict whose link leads to no record, where the code changed under what runs on request."""
    kept = {(name, entry["key"]) for name in STORED for entry in store.kept(name).values()}
    named = {(row["experiment"], row["key"]) for row in verdicts.read() if row["key"]}
    assert {pair for pair in named if pair[0] in STORED} <= kept


def test_what_is_declared_to_take_so_long_does():
    """A time left, and a promise of minutes, that come from guesses."""
    wrong = {}
    for name in STORED:
        ran = [entry["provenance"] for entry in store.kept(name).values()]
        cpu, wall = (sum(one[key] for one in ran) for key in ("cpu_seconds", "seconds"))
        if not cpu / 2 - 10 <= experiments.get(name).seconds <= 2 * max(cpu, wall) + 10:
            wrong[name] = f"{experiments.get(name).seconds} s declared, {cpu:.0f} s of CPU in {wall:.0f} s"
    assert not wrong


def test_everything_is_reproduced_in_half_an_hour_on_two_cores():
    """A command that nobody runs because it takes the afternoon."""
    chosen, left = experiments.to_run()
    tasks = [schedule.task(one, case) for one in chosen for case in one.cases()]
    assert schedule.expected_seconds(tasks, 2) < 30 * 60
    # left out is only what is stored: its time limit is what is tried, or its files are not shipped
    for one in left:
        assert store.status(one)["missing"] == 0
        limits = [case["time_limit"] for case in one.cases() if "time_limit" in case]
        assert not limits or one.seconds == sum(limits)
    assert {one.name for one in left} == {"osdt.f5.half-hour", "tsallis.human-activity"}


# ---- verdicts ---------------------------------------------------------------------------------------------


def test_every_claim_has_one_verdict():
    """A claim without a verdict, or with two, or a verdict that nobody can read."""
    rows = verdicts.read()
    ids = [claim_id for paper in papers() for claim_id in claims.load(paper)]
    assert [row["id"] for row in rows] == ids
    for row in rows:
        assert row["verdict"] in claims.VERDICTS and row["check"], row["id"]
        if row["verdict"] in (claims.DIFFERS, claims.UNTESTABLE):
            assert len(row["cause"]) > 10, row["id"]
        if row["experiment"]:
            assert row["experiment"] in experiments.names(), row["id"]


def test_list_of_changed_verdicts_ends_with_those_of_today():
    """A verdict that changed and that the list of changes does not name; its last row of a claim counts."""
    with (ROOT / "data/claims/verdict_changes.csv").open(newline="", encoding="utf-8") as file:
        newest = {change["id"]: change["after"] for change in csv.DictReader(file)}
    today = {verdict["id"]: verdict["verdict"] for verdict in verdicts.read()}
    assert {id: today.get(id, "(removed)") for id in newest} == newest


@pytest.mark.parametrize("paper", papers())
def test_kept_verdicts_are_those_of_the_stored_results(paper, monkeypatch):
    """A table of verdicts that was edited by hand, or not renewed: run `treelib verdicts`.

    Also a claim that nobody judges or that two functions judge, or that is refused without a reason and
    without what would have passed.
    """

    def refuse(experiment, **_):
        raise AssertionError(f"{experiment.name} is not stored: run `treelib reproduce {experiment.name}`")

    monkeypatch.setattr(store, "run", refuse)
    kept = {row["id"]: row for row in verdicts.read() if row["paper"] == paper}
    found = verdicts.judged(paper)
    assert claims.missing(paper, found) == []
    for verdict in found:
        if verdict.is_counted:
            assert verdict.reason or verdict.ours is not None, verdict.claim.id
        if verdict.verdict in (claims.CLOSE, claims.DIFFERS):
            assert verdict.reason and verdict.refused, verdict.claim.id
    now = {verdict.claim.id: verdicts.row(verdict) for verdict in found}
    assert [verdict.claim.id for verdict in found] == list(kept)  # each once, in the paper's order
    changed = [
        claim_id
        for claim_id, row in now.items()
        # what is measured while the verdict is asked for need not come out twice
        if row["kind"] not in ("timing", "memory")
        and any(
            kept[claim_id][name] != row[name]
            for name in ("verdict", "printed", "reading", "experiment", "key")
        )
    ]
    assert not changed


@judging.judges("osdt.f5.*")
def judge_accuracies(claim, values):
    found = [judging.judge(claim, ours, cause="x") for ours in values]
    return [*found, judging.untestable(claim, "no data")]


def test_deviation_is_relative_and_signed():
    """A sort by deviation that puts a large miss behind a small one."""
    low, high, none = judge_accuracies("osdt.f5.osdt.accuracy", (80, 90))
    assert verdicts.deviation(low) < 0 < verdicts.deviation(high)
    assert verdicts.deviation(high) == pytest.approx((90 - 82.881) / 82.881)
    assert verdicts.deviation(none) is None
    assert verdicts.text_of(10**20) == "1" + 20 * "0" and verdicts.text_of(None) == ""


def test_shares_are_those_of_the_kept_verdicts(book):
    """A share that leaves out what speaks against it, adds close to match, or counts what is no evidence."""
    rows = verdicts.read()
    apart = ("stated", "redrawn")
    counted = [r for r in rows if r["verdict"] not in apart and not r["fitted"] and not r["trivial"]]
    text = book("ledger_scorecard").kind_table(rows)
    lines = [re.sub("<[^>]+>", "|", line).split("|") for line in text.splitlines() if "<tr><td>" in line]
    cells = [[cell for cell in line if cell] for line in lines]
    assert sum(int(line[6]) for line in cells if line[0] != "all papers") == len(counted)
    for paper in (*papers(), None):
        mine = [r for r in counted if paper in (None, r["paper"]) and r["kind"] == "statistical"]
        if not mine:
            continue
        found = [sum(row["verdict"] == word for row in mine) for word in claims.COUNTED]
        name = groups()[paper] if paper else "all papers"
        line = next(line for line in cells if line[:2] == [name, "statistical"])
        shares = [f"{100 * n / len(mine):.1f}\u202f%" for n in found[:2]]
        assert line[2:] == [*map(str, found), str(len(mine)), *shares]


def test_headline_counts_evidence_only(book):
    """A headline in which settings, figures or fitted values raise a number."""
    row = {"kind": "exact", "verdict": "match", "fitted": "", "trivial": "", "paper": "osdt"}
    others = [{"verdict": "stated"}, {"verdict": "redrawn"}, {"fitted": "a choice"}, {"verdict": "close"}]
    others.append({"trivial": "it repeats another"})
    text = book("ledger_scorecard").headline([row, *(row | other for other in others)])
    line = next(line for line in text.splitlines() if "<strong>all" in line)
    assert re.findall(r">(\d+)<", line) == ["1", "1", "0", "0", "2"]
    assert "1 fitted" in text and "1 stated" in text and "1 redrawn" in text
    sorts = [kind for kinds in book("ledger_scorecard").SORTS.values() for kind in kinds]
    assert sorted(sorts) == sorted(claims.KINDS)


def test_objections_are_kept_with_the_verdict_of_today(book):
    """A signed disagreement that the download leaves out once it is mended."""
    scorecard = book("ledger_scorecard")
    assert "No draw" in scorecard.signed_draws([], [])
    row = dict.fromkeys(signed.COLUMNS, "1") | {"id": "osdt.x", "verdict": "match", "answer": "disagree"}
    draws = [signed.Draw("first", (row | {"because": "a < b"}, row | {"answer": "agree"}))]
    found = scorecard.objections(draws, [{"id": "osdt.x", "verdict": "differs", "fitted": ""}])
    assert [(one["verdict"], one["today"], one["because"]) for one in found] == [
        ("match", "differs", "a < b")
    ]
    assert "1 lines" in scorecard.signed_draws(draws, []) and "objections.csv" in scorecard.signed_draws(
        draws, []
    )


def test_the_protocol_page_holds_the_rules(book):
    """A rule that the page leaves out, or a choice whose claims it does not count."""
    text = book("ledger_scorecard").rules_list()
    for name in rules.RULES:
        assert f'id="rule-{name.replace(" ", "-")}"' in text
    choices = book("ledger_scorecard").choices_table(verdicts.read())
    for one in rulebook.choices().values():
        assert one["chosen"] in choices


# ---- command line -----------------------------------------------------------------------------------------


def test_commands(capsys):
    """A command that fails in silence, or that succeeds on a name that is not there."""
    assert cli.main(["results", "osdt.t2"]) == 0
    assert "232402" in capsys.readouterr().out
    key = store.key("osdt.theorems", experiments.get("osdt.theorems").cases()[0])
    assert cli.main(["results", "osdt.theorems", "--key", key]) == 0
    assert json.loads(capsys.readouterr().out)["key"] == key
    assert cli.main(["results", "osdt", "--check"]) == 0
    assert cli.main(["reproduce"]) == 2 and cli.main(["results", "osdt.nothing"]) == 2
    assert "osdt.t2" in capsys.readouterr().err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_command_in_order(capsys, monkeypatch, number):
    """A run ended by a batch system whose worker processes go on, or that does not say what is kept."""
    ended, before = [], signal.getsignal(signal.SIGTERM)

    def long_command(options):
        """Go on for long."""
        try:
            signal.raise_signal(number)
            time.sleep(30)
        finally:
            ended.append(options.name)

    monkeypatch.setattr(cli, "results", long_command)
    assert cli.main(["results", "osdt.t2"]) == 130 and ended == ["results"]
    assert "finished cases are kept" in capsys.readouterr().err
    assert signal.getsignal(signal.SIGTERM) == before


def test_reproducing_one_experiment_does_not_run_the_others(capsys, monkeypatch):
    """A command for one table that takes the minutes of all."""
    state = {"cases": 1, "fresh": 0, "stale": 0, "missing": 1}
    monkeypatch.setattr(store, "status", lambda name: state)
    monkeypatch.setattr(
        store, "run_all", lambda some, **_: [store.Summary(one.name, 1, 0, [], 0.0) for one in some]
    )
    monkeypatch.setattr(verdicts, "judged", lambda paper: pytest.fail("claims were judged"))
    assert cli.main(["reproduce", "osdt.theorems", "--quiet"]) == 0
    assert "0 cases run, 1 kept" in capsys.readouterr().out


# ---- files of the ledger ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def site(book, tmp_path_factory):
    """The ledger's files, written as at the end of a build."""
    folder = tmp_path_factory.mktemp("site")
    book("ledger_files").write(folder, "https://example.org/book")
    return folder


def test_downloads_are_the_stored_tables(site):
    """A download that is not what the repository holds."""
    with open(site / "ledger" / "verdicts.csv", newline="", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    assert rows == json.loads((site / "ledger" / "verdicts.json").read_text()) == verdicts.read()
    badge = ElementTree.parse(site / "ledger" / "badge.svg").getroot()
    told = [r for r in rows if r["verdict"] not in ("stated", "redrawn")]
    counted = [r["verdict"] for r in told if not r["fitted"] and not r["trivial"]]
    match, close = counted.count("match"), counted.count("close")
    assert (site / "ledger" / "referee.html").read_text(encoding="utf-8").count("<section") == 40
    assert badge.get("aria-label") == f"claims: {match} match, {close} close, of {len(counted)}"


def read_crate(folder):
    """The entities of an RO-Crate by id; each names only what the crate holds."""
    document = json.loads((folder / "ro-crate-metadata.json").read_text(encoding="utf-8"))
    graph = {entity["@id"]: entity for entity in document["@graph"]}
    assert len(graph) == len(document["@graph"])

    def references(value):
        if isinstance(value, dict):
            if set(value) == {"@id"}:
                yield value["@id"]
            for part in value.values():
                yield from references(part)
        elif isinstance(value, list):
            for part in value:
                yield from references(part)

    missing = {
        target
        for entity in graph.values()
        for key, value in entity.items()
        if key != "@id"
        for target in references(value)
    } - graph.keys()
    assert missing == {"https://w3id.org/ro/crate/1.1"}
    files = {key for key, entity in graph.items() if entity["@type"] == "File"}
    assert files and all((folder / file).is_file() for file in files)
    return graph


@pytest.mark.parametrize("paper", papers())
def test_crate_of_a_paper_has_all_findings_and_cells(site, paper):
    """A cell or finding that is left out, or whose command does not exist."""
    graph = read_crate(site / "ledger" / "papers" / paper)
    cells = {entity["propertyID"]: entity for entity in graph.values() if entity["@type"] == "PropertyValue"}
    rows = {row["id"]: row for row in verdicts.read() if row["paper"] == paper}
    assert cells.keys() == rows.keys() and rows
    assert [cells[key]["value"] for key in rows] == [row["ours"] for row in rows.values()]
    assert all(row["verdict"] in cells[key]["description"] for key, row in rows.items())
    found = {key: entity for key, entity in graph.items() if entity["@type"] == "Claim"}
    assert {f"#{row['id']}" for row in findings.kept(paper)} == found.keys()
    based = {target["@id"][1:] for entity in found.values() for target in entity["isBasedOn"]}
    assert based and based <= rows.keys()
    keys = {name: {record["key"] for record in store.kept(name).values()} for name in experiments.names()}
    for cell in cells.values():
        _, action, *rest = graph[cell["potentialAction"]["@id"]]["name"].split()
        assert (action == "verdicts" and not rest) or (action == "check" and rest[0] in keys)
        assert len(rest) < 2 or rest[2] in keys[rest[0]], rest


def test_the_crate_and_the_card_offer_the_proof_of_figure_4(site, book):
    """A proof that is listed and not there, or that does not go through with its table."""
    graph = read_crate(site / "ledger" / "papers" / "osdt")
    names = [part["@id"] for part in graph["./"]["hasPart"] if "osdt.f4" in part["@id"]]
    folder = site / "ledger" / "papers" / "osdt"
    bound, cost, _ = checktree.check(*(folder / name for name in names))
    assert bound == cost
    rows = [row for row in verdicts.read() if row["id"].startswith("osdt.f4.")]
    page = book("cards").page_html("claims/osdt.f4", rows, {}, book("citing").Site())
    assert all(f'href="../ledger/papers/osdt/{name}"' in page for name in names)


@pytest.mark.parametrize("name", ["osdt.t2", "osdt.f8"])
def test_crate_is_sound(site, name):
    """An RO-Crate that names what it does not hold, or a run without program, time or result."""
    folder = site / "records" / name
    graph = read_crate(folder)
    root = graph["./"]
    assert root["conformsTo"]["@id"].startswith("https://w3id.org/ro/wfrun/process/")
    assert {"name", "description", "datePublished", "license"} <= root.keys()
    actions = [entity for entity in graph.values() if entity["@type"] == "CreateAction"]
    assert actions and {a["@id"] for a in actions} == {a["@id"] for a in root["mentions"]}
    for action in actions:
        assert graph[action["instrument"]["@id"]]["@type"] == "SoftwareApplication"
        assert action["startTime"] <= action["endTime"] and action["result"] == [{"@id": f"{name}.jsonl"}]
    lines = (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(experiments.get(name).cases())


def test_croissant_describes_the_files(site):
    """A checksum that is not that of the file, or a column that is not there."""
    import gzip
    import hashlib

    found = sorted((site / "ledger" / "croissant").glob("*.json"))
    assert len(found) > 10
    for path in found:
        document = json.loads(path.read_text(encoding="utf-8"))
        packed, plain = document["distribution"]
        content = (ROOT / packed["contentUrl"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == packed["sha256"]
        assert hashlib.sha256(gzip.decompress(content)).hexdigest() == plain["sha256"]
        header = gzip.decompress(content).decode().splitlines()[0]
        fields = [field["name"] for field in document["recordSet"][0]["field"]]
        assert fields == next(csv.reader([header]))
        assert {"name", "description", "license", "url", "citeAs", "datePublished"} <= document.keys()


def test_citations_come_from_one_source(book):
    """A .zenodo.json that was edited alone: run `python book/_ext/citing.py`."""
    citing = book("citing")
    assert json.loads((ROOT / ".zenodo.json").read_text(encoding="utf-8")) == citing.zenodo()
    assert json.loads((ROOT / "codemeta.json").read_text(encoding="utf-8")) == citing.codemeta()
    titles = {"osdt": "Sparse", "bornagain": "Born-Again", "tsallis": "interpretable", "dyadic": "dyadic"}
    assert all(word in papers()[paper].title for paper, word in titles.items())


def test_papers_are_cited_with_their_address(book):
    """A bibliography without the address by which a reader finds the paper, or with another one."""
    citing = book("citing")
    text = (ROOT / "book" / "papers.bib").read_text(encoding="utf-8")
    for key, paper in papers().items():
        entry = re.search(rf"@\w+{{{key},.*?\n}}", text, re.DOTALL)[0]
        assert re.findall(r"url\s*= {(.*?)}", entry) == ([paper.url] if paper.url else [])
        assert citing.paper_link(key).count(f'href="{paper.url}"') == bool(paper.url)


def test_page_says_what_it_is_to_search_engines(book):
    """JSON-LD that is no JSON, or a title that ends the script."""
    citing = book("citing")
    text = citing.json_ld("a </script> b", "https://example.org/a.html")
    assert text.count("</script>") == 1
    found = json.loads(text.removeprefix('<script type="application/ld+json">').removesuffix("</script>"))
    assert found["name"] == "a </script> b" and found["url"].endswith("/a.html")


def test_book_has_an_entry_for_bibtex(book):
    """A way to cite the book that only reference managers can read."""
    citing = book("citing")
    entry = citing.book_bibtex("https://example.org/")
    assert entry.count("{") == entry.count("}") and citing.source()["title"] in entry


def test_tables_and_figures_can_be_cited(book):
    """A table without an id, or a citation that names another one."""
    citing = book("citing")
    results = [result for paper in papers() for result in citing.results(paper)]
    assert len({result.id for result in results}) == len(results) > 40
    table = next(result for result in results if result.id == "osdt.t2")
    text, entry = table.text("https://example.org/"), table.bibtex("https://example.org/")
    assert "Table 2 of Xiyang Hu" in text and "result osdt.t2" in text
    assert entry.startswith("@misc{treelib.osdt.t2,") and entry.count("{") == entry.count("}")
    assert "https://example.org/claims/osdt.t2.html" in entry
    number = citing.Result("osdt.f4.osdt.accuracy", "osdt", "Figure 4", "OSDT, accuracy")
    assert "https://example.org/claims/osdt.f4.html#osdt.f4.osdt.accuracy" in number.text(
        "https://example.org"
    )
    assert "Figure 4 (OSDT, accuracy) of" in number.bibtex("https://example.org")
    tags = citing.meta_tags('A "quoted" title', "https://example.org/a.html")
    assert "citation_title" in tags and "&quot;quoted&quot;" in tags and "DC.identifier" in tags
