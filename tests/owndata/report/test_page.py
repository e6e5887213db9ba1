"""The page of a fit: what its tables hold."""

import re
import warnings

import numpy as np
import pandas as pd

from treelib.cli import main
from treelib.tree import Tree


def test_leaves_that_no_row_reaches_have_no_shares(tmp_path, capsys):
    """ "nan % (nan x)", and a warning of a division, in the report of a born-again tree."""
    random = np.random.default_rng(0)
    x = random.random(200).round(2)
    frame = pd.DataFrame({"a": x, "b": x, "y": np.where(random.random(200) < x, "yes", "no")})
    frame.to_csv(path := tmp_path / "twins.csv", index=False)
    words = ["fit", str(path), "--target", "y", "--method", "born-again", "--out", str(tmp_path / "r.html")]
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        assert main([*words, "--quiet"]) == 0
    tree, page = Tree.from_json((tmp_path / "r.json").read_text()), (tmp_path / "r.html").read_text()
    n_empty = int((tree.n_node_samples[tree.is_leaf] == 0).sum())
    assert n_empty and len(re.findall("<td>0</td><td></td>", page)) == n_empty
    assert "nan %" not in page and "nan" not in capsys.readouterr().out
