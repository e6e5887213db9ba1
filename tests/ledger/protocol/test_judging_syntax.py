"""Nothing is judged by a literal: what the judging code hands over is read from its syntax."""

import textwrap

import pytest

from tests.ledger.protocol import judging_syntax
from tests.ledger.protocol.judging_syntax import AROUND, TYPED

NAMES = "Draws, Ratio, Readings, Trials, judge, judge_statement"


def found(body, imports=f"from treelib.ledger.protocol.judging import {NAMES}"):
    source = f"{imports}\n\n\ndef judge_it(run, some):\n" + textwrap.indent(textwrap.dedent(body), "    ")
    return judging_syntax.offenders(source)


@pytest.mark.parametrize(
    "body",
    [
        "judge('osdt.x', 5)",
        "judge('osdt.x', ours=-0.5)",
        "judge('osdt.x', FOLDS)",
        "judge('osdt.x', len(settings.DATA))",
        "judge('osdt.x', ROWS[some].n)",
        "judge('osdt.x', 2 if run() else 0)",
        "n = 5\njudge('osdt.x', Fraction(n, 2))",
        "judge_statement('osdt.x', True)",
        "judge_statement('osdt.x', Trials(5, run(), '', 'x'))",
        "judge_statement('osdt.x', Trials(cases=run(), failed=0, worst='', where='x'))",
        "judge_statement('osdt.x', Trials.of([('a', True)], 'x'))",
        "judge('osdt.x', Draws([1.0, 2.0]))",
        "judge('osdt.x', Ratio(run(), 3))",
        "judge('osdt.x', Readings('ties', 'a', {'a': 1, 'b': 2}))",
        "facts = {'osdt.x': (True, 'seen')}\nfor name, (holds, text) in facts.items():\n"
        "    judge_statement(name, holds)",
    ],
)
def test_typed_evidence_is_found(body):
    """A constant compared with itself, a typed True, evidence whose counts nobody counted."""
    assert sum(n for (function, kind), n in found(body).items() if kind == TYPED) >= 1, body


@pytest.mark.parametrize(
    "body",
    [
        "judge('osdt.x', run(5))",
        "judge('osdt.x', len(run().trees) - 1)",
        "n = run()\njudge('osdt.x', n / 2)",
        "judge('osdt.x', comb(14, 7) // 8)",
        "judge_statement('osdt.x', Trials.of(run(some), 'trees of 3 leaves'))",
        "judge_statement('osdt.x', Trials(run().cases, some['failed'], some['worst'], 'x'))",
        "judge('osdt.x', Draws(run()['accuracy']))",
        "judge('osdt.x', Ratio(run('a'), run('b')))",
        "judge('osdt.x', Readings('ties', 'a', {'a': run(1), 'b': run(2)}))",
        "for n in some:\n    judge('osdt.x', n)",
    ],
)
def test_computed_evidence_passes(body):
    """A test that forbids what it should ask for."""
    assert not found(body)


@pytest.mark.parametrize(
    ("imports", "body"),
    [
        ("from treelib.ledger.claims import judge", "judge('osdt.x', run(), tolerance=1, why='x')"),
        ("from treelib.ledger.claims import untestable as cannot", "cannot('osdt.x', 'why')"),
        ("from treelib.ledger import claims", "claims.judge_statement('osdt.x', run(), 'seen')"),
        ("from treelib.ledger import claims", "claims.Verdict(claims.find('osdt.x'), 'match', run())"),
        ("import treelib.ledger.claims", "treelib.ledger.claims.Verdict(some, 'match', run())"),
        ("from treelib.ledger.claims import Verdict", "make = Verdict\nmake(some, 'match', run())"),
        ("from treelib.ledger.protocol import rulebook", "rulebook.decide(some, run())"),
        ("from treelib.ledger.protocol.rules import RULES", "RULES['ties'].decide(some, run(), '')"),
        ("from dataclasses import replace", "replace(some, verdict='match')"),
        ("import dataclasses", "dataclasses.replace(some, refused='')"),
    ],
)
def test_verdicts_around_the_rules_are_found(imports, body):
    """A verdict that is typed, taken from another claim's rule, or changed after it was given."""
    assert found(body, imports) == {("judge_it", AROUND): 1}


def test_what_only_reads_verdicts_passes():
    """A test that forbids to look claims up, to count verdicts, or to change another thing."""
    assert not found("judge('osdt.x', 5)", "from elsewhere import judge")
    assert not found("claims.count(run())\nclaims.find('osdt.x')", "from treelib.ledger import claims")
    assert not found("replace(some, cost=run())", "from dataclasses import replace")


def test_the_papers_judge_by_the_rules_and_by_what_they_ran():
    """A verdict on typed evidence, or by no rule, anywhere in the package."""
    assert judging_syntax.everywhere() == {}


def test_an_offender_among_the_papers_is_found():
    """A search that finds nothing because it reads nothing: each module that judges gets an offender."""
    judging = [
        source
        for path in (judging_syntax.ROOT / "treelib" / "papers").rglob("*.py")
        if "import Trials, judge" in (source := path.read_text(encoding="utf-8"))
    ]
    for source in judging:
        name = "judge" if " judge, " in source else "judge_statement"
        more = f"{source}\n\ndef offend():\n    return {name}('osdt.x', True)\n"
        assert judging_syntax.offenders(more) == {("offend", TYPED): 1}
    assert judging
