"""Every advice that a fit prints is obeyed: it has to be an option that works, and to help."""

import ast
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import treelib.owndata
from treelib.cli import main
from treelib.owndata.options import OF_PREDICT, OPTIONS
from treelib.tree import Tree

# values of options that an advice names without one
VALUES = {
    "--time-limit": ["20"],
    "--max-thresholds": ["3"],
    "--max-depth": ["2"],
    "--max-leaves": ["4"],
    "--allow": ["x0"],
    "--criterion": ["absolute_error"],
    "--regularization": ["0.02"],
}
OF_OTHERS = {"--help"}  # options of other commands


def noise(n=300, p=8):
    random = np.random.default_rng(0)
    frame = pd.DataFrame(random.random((n, p))).add_prefix("x")
    return frame, random


def rare():
    frame, random = noise(600)
    share = np.where(frame["x0"] > 0.7, 0.3, 0.02)
    return frame.assign(y=np.where(random.random(600) < share, "dead", "alive"))


def hard():
    frame, random = noise(900, 14)
    return frame.assign(y=random.integers(0, 2, 900))


def steps(n_steps=24):
    frame, random = noise(4000, 3)
    return frame.assign(y=(np.floor(frame["x0"] * n_steps) % 2).astype(int) ^ (random.random(4000) < 0.05))


def skewed():
    frame, random = noise(400)
    return frame.assign(y=random.lognormal(3 * frame["x0"], 1.0).round())


# name -> (table, words of the command, an option of the advice that has to be printed)
SCENES = {
    "a rare class": (rare, ["--tune", "--time-limit", "6"], "--score balanced-accuracy"),
    "the clock, at a price": (hard, ["--regularization", "0.001", "--time-limit", "0.2"], "--max-depth"),
    "the clock, tuned": (hard, ["--tune", "--time-limit", "0.05"], "--max-depth 2"),
    "many steps": (lambda: steps(500), ["--tune", "--time-limit", "6"], "--lowest-price"),
    "a skewed quantity": (skewed, ["--tune"], "--criterion"),
    "the dyadic grid": (steps, ["--method", "dyadic", "--regularization", "0.002"], "--method topdown"),
}


@pytest.mark.parametrize("scene", SCENES)
def test_advice_is_obeyed(scene, tmp_path, capsys):
    """Advice that the command refuses (--max-depth with --tune), or that changes nothing (--score auc)."""
    make, words, wanted = SCENES[scene]
    make().to_csv(path := tmp_path / "table.csv", index=False)
    command = ["fit", str(path), "--target", "y", "--quiet", "--out", str(tmp_path / "r.html")]
    assert main([*command, *words]) == 0
    said = capsys.readouterr().out
    assert wanted in said, said
    for name, value in sorted(set(advice_in(said))):
        more = [name, value] if value else [name, *VALUES.get(name, [])]
        kept = (
            words
            if name not in words
            else [w for w in words if w not in (name, words[words.index(name) + 1])]
        )
        if name == "--regularization":
            kept = [word for word in kept if word != "--tune"]
        assert main([*command, *kept, *more]) == 0, (name, capsys.readouterr().err)
        tree = Tree.from_json((tmp_path / "r.json").read_text())
        capsys.readouterr()
        if scene == "a rare class" and name in ("--score", "--class-weight"):
            assert tree.n_leaves > 1
        if name in ("--max-depth", "--max-leaves"):
            limit = int(more[1])
            assert (tree.max_depth if name == "--max-depth" else tree.n_leaves) <= limit


@pytest.mark.parametrize("score", ["auc", "log-loss"])
def test_scores_of_rare_classes_have_trees_to_choose_from(score, tmp_path):
    """A path by the plain error, which knows a rare class by a single leaf, whatever the score."""
    rare().to_csv(path := tmp_path / "table.csv", index=False)
    words = ["fit", str(path), "--target", "y", "--quiet", "--tune", "--score", score]
    assert main([*words, "--out", str(tmp_path / "r.html")]) == 0
    tree, text = Tree.from_json((tmp_path / "r.json").read_text()), (tmp_path / "r.html").read_text()
    shares = tree.value[tree.is_leaf] / tree.value[tree.is_leaf].sum(axis=1, keepdims=True)
    assert tree.n_leaves > 1 and np.ptp(shares[:, 1]) > 0.15
    assert "share (lift)" in text and "gave all classes the same weight" in text


def advice_in(text):
    """(option, value or "") of what a text tells to give."""
    for name, value in re.findall(r"(--[a-z-]+)((?: [A-Za-z0-9_.-]+)?)", text):
        value = value.strip().rstrip(".,")
        choices = OPTIONS.get(name, {}).get("choices", ())
        is_value = value in choices or value == "balanced" or re.fullmatch(r"[\d.e-]+", value)
        yield name, value if is_value else ""


def test_options_that_messages_name_exist():
    """A message that tells to give an option which was renamed."""
    for path in Path(treelib.owndata.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                for name in re.findall(r"(?<![\w-])--[a-z]+[a-z-]*", node.value):
                    assert name in {*OPTIONS, *OF_PREDICT, *OF_OTHERS}, f"{path.name}: {name}"
