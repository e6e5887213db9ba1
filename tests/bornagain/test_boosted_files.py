"""Damaged and hostile files of boosted models: a ValueError with a word, never another error."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treelib.bornagain.boosting.reading import parse_boosted, read_boosted

MODELS = Path(__file__).with_name("models")
XGBOOST = (MODELS / "xgboost_dart.json").read_text(encoding="utf-8")
LIGHTGBM = (MODELS / "lightgbm_categories.txt").read_text(encoding="utf-8")
VALUES = [None, True, -1, 0, 1, 2**31, 1e308, float("nan"), "", "x", "1e999", "9" * 5000, [], {}, [[]], [-1]]


def reads_or_refuses(text):
    try:
        ensemble = parse_boosted(text)
    except ValueError as error:
        assert str(error)
        return
    ensemble.predict([[0.0] * ensemble.n_features])


def places(value, path=()):
    """Paths of all items of nested lists and dicts, at most three of each list."""
    yield path
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], (*path, key))
    elif isinstance(value, list):
        for i in range(min(len(value), 3)):
            yield from places(value[i], (*path, i))


PLACES = [path for path in places(json.loads(XGBOOST)) if path]


@settings(max_examples=150)
@given(st.sampled_from(PLACES), st.sampled_from(VALUES), st.booleans())
def test_any_item_of_xgboost_may_be_anything(path, value, remove):
    """A crash, or a walk without end, where one item of the JSON is wrong or gone."""
    raw = json.loads(XGBOOST)
    holder = raw
    for step in path[:-1]:
        holder = holder[step]
    if remove:
        del holder[path[-1]]
    else:
        holder[path[-1]] = value
    reads_or_refuses(json.dumps(raw))


@settings(max_examples=150)
@given(st.integers(0, len(LIGHTGBM) - 1), st.integers(0, 30), st.text("0123456789-. \nTree=infa", max_size=8))
def test_any_part_of_lightgbm_may_be_anything(start, length, new):
    """A crash, or a walk without end, where a part of the text is wrong or gone."""
    reads_or_refuses(LIGHTGBM[:start] + new + LIGHTGBM[start + length :])


@settings(max_examples=100)
@given(st.integers(0, len(XGBOOST) - 1), st.integers(0, 30), st.text('0123456789-.e"[]{},:', max_size=8))
def test_any_part_of_the_json_may_be_anything(start, length, new):
    """As above, where the file is no JSON any more."""
    reads_or_refuses(XGBOOST[:start] + new + XGBOOST[start + length :])


@pytest.mark.parametrize("text", ["", "{}", "[1]", "tree", "tree\nend of trees", "{" * 100_000, "\0"])
def test_what_is_no_model_is_refused(text):
    """An empty or foreign file that ends in an error of the parser."""
    with pytest.raises(ValueError):
        parse_boosted(text)


def test_files_that_are_too_large_or_no_text_are_refused(tmp_path):
    """A file that fills the memory before it is looked at, or XGBoost's binary format without a word on
    it."""
    path = tmp_path / "model.ubj"
    path.write_bytes(b"{L\x00\x00\xff\xfe" * 100)
    with pytest.raises(ValueError, match=r"\.json"):
        read_boosted(path)
    with pytest.raises(ValueError, match="max_bytes"):
        read_boosted(path, max_bytes=10)
