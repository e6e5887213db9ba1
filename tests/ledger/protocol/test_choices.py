"""A choice costs the cells that were needed to make it, and no others."""

from dataclasses import replace

import pytest

from treelib.ledger import claims, verdicts
from treelib.ledger.protocol import choices, rulebook

ROW = {"chosen": "a", "groups": "p.t1.{group}.*", "whole": "avg", "seen": "p.t1.*"}


def verdict(group, under, cell="x", fitted="", question="how it is read"):
    claim = claims.Claim(f"p.t1.{group}.{cell}", "Table 1", "", "", "1", "", "exact", "", fitted=fitted)
    reading = f"{question}: a" if question else ""
    return claims.Verdict(claim, under["a"], 1, rule="printed digits", reading=reading, under=under)


A, B, BOTH = ({"a": a, "b": b} for a, b in (("match", "differs"), ("differs", "match"), ("match", "match")))


@pytest.fixture(autouse=True)
def one_choice(monkeypatch):
    monkeypatch.setattr(rulebook, "choices", lambda: {"some-choice": ROW})


def test_cells_that_the_others_predict_count():
    """Cells of all data sets called fitted, although any one of them could have been left out."""
    [found] = choices.tried([verdict(group, A) for group in ("one", "two", "three", "avg")])
    assert (found.groups, found.agree) == (3, 3)
    assert found.predicted == {"p.t1.one.x", "p.t1.two.x", "p.t1.three.x", "p.t1.avg.x"}


def test_a_group_that_the_choice_needs_stays_fitted():
    """A cell that alone told the readings apart, and is counted as predicted."""
    [found] = choices.tried([verdict("one", A), verdict("two", BOTH), verdict("three", BOTH)])
    assert found.agree == 2 and found.predicted == {"p.t1.two.x", "p.t1.three.x"}


def test_others_that_choose_otherwise_predict_nothing():
    """A reading that most groups refuse, confirmed by the one that it was made for."""
    [found] = choices.tried([verdict("one", A), verdict("two", B), verdict("three", B)])
    assert found.agree == 0 and not found.predicted


def test_means_over_the_groups_choose_nothing():
    """An average that contains the group left out, and so predicts it by itself."""
    [found] = choices.tried([verdict("one", A), verdict("avg", A)])
    assert not found.predicted & {"p.t1.one.x"}


def test_questions_are_chosen_apart():
    """Cells of one question that decide another."""
    other = [verdict(group, A, "y", question="another") for group in ("one", "two")]
    [found] = choices.tried([verdict("one", BOTH), verdict("two", BOTH), *other])
    assert found.predicted == {"p.t1.one.y", "p.t1.two.y"}


def test_digits_that_are_cut_are_told_by_the_other_cells(monkeypatch):
    """A table called cut off by its one cell that cannot be rounded."""
    monkeypatch.setitem(ROW, "chosen", choices.CUT)
    cut = {group: verdict(group, {"a": "match"}) for group in ("one", "two", "three")}
    ours = {"one": 1.7, "two": 1.8, "three": 1.2}  # of a printed 1
    cells = [replace(one, rule="cut digits", ours=ours[group]) for group, one in cut.items()]
    [found] = choices.tried(cells)
    assert found.agree == 3 and len(found.predicted) == 3
    [found] = choices.tried([cells[0], cells[2]])
    assert found.predicted == {"p.t1.three.x"}


def test_what_counts_is_just_what_is_predicted():
    """A claim that counts although its choice needed it; one that stays fitted although it did not."""
    right = [verdict("one", A, fitted="some-choice"), verdict("two", BOTH), verdict("three", BOTH)]
    choices.check(right)
    with pytest.raises(ValueError, match=r"p\.t1\.one\.x"):
        choices.check([replace(right[0], claim=replace(right[0].claim, fitted="")), *right[1:]])
    with pytest.raises(ValueError, match=r"p\.t1\.two\.x"):
        choices.check([right[0], verdict("two", BOTH, fitted="some-choice"), right[2]])


def test_the_kept_table_of_choices_is_that_of_the_claims(monkeypatch):
    """A table of choices that says other numbers than the claims do."""
    monkeypatch.undo()
    kept = {row["choice"]: row for row in verdicts.read_choices()}
    assert set(kept) == {name for name, row in rulebook.choices().items() if row["groups"]}
    for name, row in kept.items():
        seen = rulebook.choices()[name]["seen"]
        of = [one for one in verdicts.read() if choices._is_of(one["id"], seen)]
        stay = sum(one["fitted"] == name for one in of)
        assert len(of) - stay == int(row["counted"]) and int(row["agree"]) <= int(row["groups"])
