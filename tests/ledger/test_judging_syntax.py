"""Nothing is judged by a literal: what the judging code hands over is read from its syntax."""

import textwrap

import pytest
from suites import judging_syntax
from suites.judging_syntax import TYPED, WITHOUT_RULE

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


def test_calls_without_a_rule_are_found():
    """A verdict that is still given by a tolerance of its own."""
    for imports, call in (
        ("from treelib.ledger.claims import judge", "judge('osdt.x', run(), tolerance=1, why='x')"),
        ("from treelib.ledger.claims import untestable as cannot", "cannot('osdt.x', 'why')"),
        ("from treelib.ledger import claims", "claims.judge_statement('osdt.x', run(), 'seen')"),
    ):
        assert found(call, imports) == {("judge_it", WITHOUT_RULE): 1}
    assert not found("judge('osdt.x', 5)", "from elsewhere import judge")


def test_offenders_become_fewer():
    """A new verdict without a rule, or on typed evidence. (A renamed function: run judging_syntax.py.)"""
    new = judging_syntax.everywhere() - judging_syntax.listed()
    assert not new, dict(new)
