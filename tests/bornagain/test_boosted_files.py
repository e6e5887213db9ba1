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


def xgboost_of(trees, n_features=1):
    """Text of a binary model with these trees, dicts of their lists."""
    whole = [{"split_indices": [0] * len(one["left_children"]), **one} for one in trees]
    for one in whole:
        one |= {key: [0] * len(one["left_children"]) for key in ("default_left", "split_conditions")}
    model = {"trees": whole, "tree_info": [0] * len(whole)}
    param = {"base_score": "5E-1", "num_class": "0", "num_feature": str(n_features)}
    booster = {"name": "gbtree", "model": model}
    learner = {"gradient_booster": booster, "learner_model_param": param}
    return json.dumps({"learner": learner | {"objective": {"name": "binary:logistic"}}})


def test_a_chain_of_nodes_is_refused_at_once():
    """A reader that keeps the path to each node: minutes and gigabytes for a chain of ten thousands."""
    n = 60_001
    left = [k + 1 if k % 2 == 0 and k + 2 < n else -1 for k in range(n)]
    right = [k + 2 if k % 2 == 0 and k + 2 < n else -1 for k in range(n)]
    with pytest.raises(ValueError, match="less deep"):
        parse_boosted(xgboost_of([{"left_children": left, "right_children": right}]))
    deep = xgboost_of([{"left_children": [*left[:1500], -1], "right_children": [*right[:1500], -1]}])
    assert parse_boosted(deep).trees[0].max_depth == 750


def test_shared_nodes_do_not_fill_the_memory():
    """A small file whose nodes are children of several others: millions of nodes a tree."""
    left = [*range(1, 41), -1]
    right = [2, *range(2, 41), -1]
    with pytest.raises(ValueError, match="damaged"):
        parse_boosted(xgboost_of([{"left_children": left, "right_children": right}] * 1000))


def test_lists_that_are_shorter_than_the_file_says_are_refused():
    """A file that lost trees, or nodes at the end of its lists, read as another model."""
    raw = json.loads(XGBOOST)
    model = raw["learner"]["gradient_booster"]["gbtree"]["model"]
    drop = raw["learner"]["gradient_booster"]["weight_drop"]
    for some in (model["trees"], model["tree_info"], drop):
        del some[-3:]
    with pytest.raises(ValueError, match="num_trees"):
        parse_boosted(json.dumps(raw))
    first, last = LIGHTGBM.index("\nTree=5"), LIGHTGBM.index("end of trees")
    with pytest.raises(ValueError, match="tree_sizes"):
        parse_boosted(LIGHTGBM[:first] + "\n" + LIGHTGBM[last:])


def lightgbm_of_categories(n_leaves, words):
    """Text of a tree that is a chain of splits by the set of these words."""
    n = n_leaves
    lines = {"num_leaves": n, "num_cat": 1, "split_feature": " ".join(["0"] * (n - 1))}
    lines |= {"threshold": " ".join(["0"] * (n - 1)), "decision_type": " ".join(["1"] * (n - 1))}
    lines |= {"left_child": " ".join(map(str, [*range(1, n - 1), -n]))}
    lines |= {"right_child": " ".join(str(-1 - k) for k in range(n - 1)), "leaf_value": " ".join(["0.5"] * n)}
    lines |= {"cat_boundaries": f"0 {len(words)}", "cat_threshold": " ".join(map(str, words))}
    head = "tree\nnum_class=1\nnum_tree_per_iteration=1\nmax_feature_idx=0\nobjective=binary\n\nTree=0\n"
    return head + "".join(f"{key}={value}\n" for key, value in lines.items()) + "end of trees\n"


def test_categories_do_not_fill_the_memory():
    """Sets of millions at each of many nodes, or intervals that copy what is below them, over and over."""
    assert parse_boosted(lightgbm_of_categories(5, [2**32 - 1] * 10)).trees[0].n_nodes > 9
    for text in (
        lightgbm_of_categories(900, [2**32 - 1] * 100_000),
        lightgbm_of_categories(20, [0x55555555]),
    ):
        with pytest.raises(ValueError, match="smaller model"):
            parse_boosted(text)


@pytest.mark.parametrize("old, new", [("0.46", "0_46"), ("=4", "=٤"), ("\n", "\x0b"), ("\n", "\r")])
def test_numbers_and_lines_that_python_alone_reads_are_refused(old, new):
    """A damaged text that Python takes for a number, and LightGBM for another one or for none."""
    assert old in LIGHTGBM
    with pytest.raises(ValueError, match="anew"):
        parse_boosted(LIGHTGBM.replace(old, new, 1))


def test_scores_of_many_trees_have_a_limit(monkeypatch):
    """A file of categories that copies what is below them until the memory is full."""
    from treelib.bornagain.boosting import damage

    monkeypatch.setattr(damage, "MAX_SCORES", 50)
    for text in (LIGHTGBM, XGBOOST):
        with pytest.raises(ValueError, match="smaller model"):
            parse_boosted(text)
