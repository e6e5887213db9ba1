"""Findings follow from verdicts and stored runs, and from nothing else."""

from fnmatch import fnmatchcase

import pytest

from treelib.ledger import claims
from treelib.ledger.page import findings as shown
from treelib.ledger.papers import papers
from treelib.ledger.verdicts import read
from treelib.papers import findings, judged_findings
from treelib.papers.judged_findings import Effect

ROWS = {row["id"]: row for row in read()}
LISTED = judged_findings.listed()


@pytest.mark.parametrize("finding", LISTED, ids=lambda finding: finding["id"])
def test_a_finding_rests_on_claims_that_there_are(finding):
    """A finding about a claim that was renamed, or one that rests on nothing."""
    paper = finding["id"].partition(".")[0]
    for pattern in finding["claims"].split():
        assert any(fnmatchcase(one, pattern) for one in claims.load(paper)), pattern
    assert bool(finding["claims"]) != bool(finding["effect"])
    assert finding["sentence"].endswith(".") and len(finding["sentence"].split()) < 35


@pytest.mark.parametrize("finding", [one for one in LISTED if one["claims"]], ids=lambda one: one["id"])
def test_kept_judgements_are_those_of_today(finding):
    """A word that stands although the verdicts beneath it have changed."""
    kept = next(row for row in shown.kept(finding["id"].partition(".")[0]) if row["id"] == finding["id"])
    assert judged_findings.judge(finding, ROWS) == {
        key: kept[key] for key in ("id", "word", "paper", "ours", "rests_on")
    }


def test_words_follow_from_verdicts():
    """A finding that is called reproduced by cells that were fitted, or that cannot be told."""
    ids = ["osdt.t2.all-bounds.trees-evaluated", "osdt.t2.no-support-bound.trees-evaluated"]
    finding = {
        "id": "osdt.finding.x",
        "claims": " ".join(ids),
        "rule": "cells",
        "number": ids[0],
        "effect": "",
    }

    def word(*verdicts, **more):
        rows = {
            one: ROWS[one] | {"fitted": "", "verdict": said} | more
            for one, said in zip(ids, verdicts, strict=True)
        }
        return judged_findings.judge(finding, rows)["word"]

    assert word("match", "close") == "reproduced" and word("match", "differs") == "partly"
    assert word("differs", "differs") == "not reproduced" and word("untestable", "match") == "reproduced"
    assert (
        word("untestable", "untestable") == word("match", "match", fitted="a choice") == "cannot be checked"
    )
    with pytest.raises(ValueError, match="no rule"):
        judged_findings.judge(finding | {"rule": "by feel"}, ROWS)
    with pytest.raises(ValueError, match="rests on nothing"):
        judged_findings.judge(finding | {"claims": "osdt.none.*"}, ROWS)


def test_sentences_are_judged_by_the_cases_they_were_tried_in():
    """ "Much worse" that is never told, since no number says how much is much."""
    one = "osdt.sk.cart.claim"
    finding = {"id": "osdt.finding.x", "claims": one, "number": "", "effect": ""}
    rows = {one: ROWS[one] | {"ours": "holds in 2 of 3 cases (a); holds in 9 of 9 cases (random: b)"}}
    found = judged_findings.judge(finding | {"rule": "all cases"}, rows)
    assert (found["word"], found["rests_on"]) == ("partly", "11 of 12 cases hold")
    assert judged_findings.judge(finding | {"rule": "most cases"}, rows)["word"] == "reproduced"


@pytest.mark.parametrize(
    ("size", "rule", "holds"),
    [
        (Effect("x", 3.0, 2.0, 1.5, 2.5), "effect above 0", True),
        (Effect("x", 3.0, 0.1, -0.2, 0.4), "effect above 0", False),  # nothing, beside a printed 3
        (Effect("x", 0.5, 0.1, -0.2, 0.4), "effect above 0", None),  # too few runs to tell
        (Effect("x", 3.0, 1.0, 0.9, 1.1), "effect above half", False),
        (Effect("x", 3.0, 2.0, 1.4, 2.6), "effect above half", None),
        (Effect("x", 0.8, 0.7, 0.6, 0.9), "effect below 1", True),
        (Effect("x", 0.8, 1.2, 0.9, 1.5), "effect below 1", None),
        (Effect("x", 20.0, 18.0, 16.0, 21.0), "effect as printed", True),
        (Effect("x", 20.0, 18.0, 16.0, 19.0), "effect as printed", False),
        (Effect("x", None, 5.0, 1.0, 9.0), "effect above 0", True),
    ],
)
def test_effects_are_judged_by_direction_and_size(size, rule, holds):
    """A lead that may be chance called a lead; a difference too small to be the printed one called open."""
    assert size.holds(rule) is holds


def test_effects_come_from_stored_runs():
    """An effect without runs behind it, or with its sides exchanged."""
    leads = {one.name: one for one in judged_findings.tuned_leads(ROWS)}
    assert len(leads) == 12 and all(one.low < one.ours < one.high for one in leads.values())
    assert leads["Wine over Gini"].printed > 0
    behind = judged_findings.cart_behind(ROWS)
    assert [one.name for one in behind] == ["compas", "tic-tac-toe", "monk1"]
    assert behind[2].printed == pytest.approx(100 - 91.935)


def test_every_paper_has_findings_and_they_show_themselves():
    """A paper that is left out; a table without its words."""
    for paper in papers():
        found = findings(paper)
        assert 1 <= len(found.frame) <= 18 and set(found.frame["word"]) <= set(judged_findings.WORDS)
        assert found.frame.index.str.startswith(f"{paper}.finding.").all()
        assert len(findings(paper, top=4).frame) == 4
    assert len(findings().frame) == len(LISTED)
    assert ">reproduced</a>" in findings("osdt") and ":::" not in findings("osdt").plain()
    with pytest.raises(ValueError, match="paper"):
        findings("another")
