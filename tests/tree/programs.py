"""Models that were written as programs, run: what a compiler, Node and onnxruntime make of them."""

import json
import shutil
import subprocess
import sys
from importlib.util import find_spec

import numpy as np
import pandas as pd

from treelib.tree.formats.c import to_c
from treelib.tree.formats.exported import NUMBER, read_model
from treelib.tree.formats.javascript import to_javascript
from treelib.tree.formats.onnx import to_onnx

_ALL_ROWS = """
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  long n = atol(argv[1]), p = atol(argv[2]), width = atol(argv[3]), i;
  double *x = malloc(sizeof(double) * (p + 1)), *out = malloc(sizeof(double) * (width + 1));
  if (argc != 6) return 2;
  FILE *in = fopen(argv[4], "rb"), *to = fopen(argv[5], "wb");
  for (i = 0; i < n; i++) {
    if (fread(x, sizeof(double), p, in) != (size_t)p) return 1;
    out[0] = model_predict(x);
    PROBABILITIES
    fwrite(out, sizeof(double), width + 1, to);
  }
  return fclose(to);
}
"""
_ALL_ROWS_JS = """
import { readFileSync, writeFileSync } from "node:fs";
import * as model from "./model.mjs";
const { n, texts } = JSON.parse(readFileSync("texts.json"));
const numbers = new Float64Array(new Uint8Array(readFileSync("numbers.bin")).buffer);
let place = 0;
const columns = texts.map((text) => text ?? numbers.subarray(place * n, ++place * n));
const said = [], chances = [];
for (let i = 0; i < n; i++) {
  const row = columns.map((column) => (Number.isNaN(column[i]) ? null : column[i]));
  said.push(model.predict(row));
  if (model.probabilities) chances.push(...model.probabilities(row));
}
writeFileSync("said.json", JSON.stringify(said));
writeFileSync("chances.bin", new Uint8Array(new Float64Array(chances).buffer));
"""


def compiler():
    """The command of a C compiler that is here, as a list, or None."""
    for name in ("cc", "gcc", "clang"):
        if shutil.which(name):
            return [name]
    return [sys.executable, "-m", "ziglang", "cc"] if find_spec("ziglang") else None


def run_c(model, X, folder, options=("-O2",)):
    """(answers, probabilities or None) of a model as compiled C on the rows of a table."""
    exported = read_model(model)
    width = 0 if exported.is_regression else exported.width
    more = "model_probabilities(x, out + 1);" if width else ""
    source = to_c(model) + _ALL_ROWS.replace("PROBABILITIES", more)
    (folder / "model.c").write_text(source, encoding="utf-8")
    coded(exported, X).tofile(folder / "rows.bin")
    program = folder / "model.exe"
    strict = ["-std=c99", "-Wall", "-Wextra", "-Werror"]
    subprocess.run([*compiler(), *strict, *options, "model.c", "-o", str(program)], cwd=folder, check=True)
    sizes = [str(len(X)), str(len(exported.columns)), str(width)]
    subprocess.run([str(program), *sizes, "rows.bin", "said.bin"], cwd=folder, check=True)
    said = np.fromfile(folder / "said.bin").reshape(len(X), width + 1)
    if not width:
        return said[:, 0], None
    return np.array(exported.classes)[said[:, 0].astype(int)], said[:, 1:]


def run_javascript(model, X, folder):
    """(answers, probabilities or None) of a model as a module of Node on the rows of a table."""
    (folder / "model.mjs").write_text(to_javascript(model), encoding="utf-8")
    (folder / "all.mjs").write_text(_ALL_ROWS_JS, encoding="utf-8")
    columns = [_texts_or_numbers(column) for _, column in table_of(X).items()]
    np.concatenate([np.zeros(0), *(c for c in columns if isinstance(c, np.ndarray))]).tofile(
        folder / "numbers.bin"
    )
    texts = {"n": len(X), "texts": [column if isinstance(column, list) else None for column in columns]}
    (folder / "texts.json").write_text(json.dumps(texts), encoding="utf-8")
    subprocess.run(["node", "--max-old-space-size=8192", "all.mjs"], cwd=folder, check=True)
    answers = np.array(json.loads((folder / "said.json").read_text(encoding="utf-8")))
    chances = np.fromfile(folder / "chances.bin")
    return answers, chances.reshape(len(X), -1) if chances.size else None


def run_onnx(model, X, dtype="float64"):
    """(answers, probabilities or None) of a model in onnxruntime on the rows of a table."""
    import onnxruntime

    exported, frame = read_model(model), table_of(X)
    session = onnxruntime.InferenceSession(to_onnx(model, dtype).SerializeToString())
    numbers = [i for i, column in enumerate(exported.columns) if column.categories is None]
    feed = {"X": frame.iloc[:, numbers].to_numpy(dtype)} if numbers else {}
    for i, column in enumerate(exported.columns):
        if column.categories is not None:
            values = frame.iloc[:, [i]]
            feed[column.name] = (
                values.astype(object).where(values.notna(), "").to_numpy(object)
                if column.is_text
                else values.to_numpy(dtype, na_value=np.nan)
            )
    said = session.run(None, feed)
    return (said[0][:, 0], None) if exported.is_regression else (said[0], said[1])


def table_of(X):
    return X if isinstance(X, pd.DataFrame) else pd.DataFrame(X)


def coded(exported, X):
    """Rows as C reads them, float64 (n, n_columns): categories of text by their number."""
    found, frame = np.empty((len(X), len(exported.columns))), table_of(X)
    for i, column in enumerate(exported.columns):
        values = frame.iloc[:, i]
        if column.is_text:
            codes = {text: code for code, text in enumerate(column.categories)}
            codes = [np.nan if pd.isna(value) else codes.get(value, -1) for value in values]
            values = pd.Series(codes, dtype=float)
        found[:, i] = values.to_numpy(float, na_value=np.nan)
    return found


def border_rows(model, n_rows, seed=0, infinite=False, dtype=float):
    """Random rows of the table that a model reads: on thresholds and beside them, missing, not seen before.

    Parameters
    ----------
    model : Tree or fitted estimator. n_rows, seed : int
    infinite : bool, infinities too, which estimators refuse
    dtype : float, or numpy.float32 for numbers that float32 holds

    Returns
    -------
    DataFrame (n_rows, n_columns)
    """
    exported, random = read_model(model), np.random.default_rng(seed)
    frame = {}
    for i, column in enumerate(exported.columns):
        tested = [k for k, f in enumerate(exported.features) if f.column == i and f.kind == NUMBER]
        if column.categories is None:
            cuts = [tree.threshold[np.isin(tree.feature, tested)] for tree in exported.trees]
            cuts = np.concatenate([*cuts, [0.0, 1.0]])
            cuts = cuts[np.isfinite(cuts)]
            near = cuts.astype(np.float32).astype(float)
            wide = [np.nextafter(near.astype(np.float32), np.float32(s * np.inf)) for s in (-1, 1)]
            fine = [np.nextafter(cuts, s * np.inf) for s in (-1, 1)]
            between = random.normal(cuts.mean(), cuts.std() + 1, 500)
            pool = np.concatenate([cuts, near, *wide, *fine, between, np.full(1 + len(cuts) // 5, np.nan)])
            pool = np.concatenate([pool, [np.inf, -np.inf] * 20]) if infinite else pool
            frame[column.name] = random.choice(pool.astype(dtype), n_rows).astype(float)
        elif column.is_text or not column.categories:
            pool = np.array([*column.categories, None, "never seen"], dtype=object)
            frame[column.name] = pool[random.integers(0, len(pool), n_rows)]
        else:
            frame[column.name] = random.choice([*column.categories, np.nan, 987.0], n_rows)
    return pd.DataFrame(frame)


def n_mismatches(model, X, said):
    """Rows whose answer or probabilities differ from those of `predict`; of probabilities every bit."""
    answers, probabilities = said
    expected = model.predict(X)
    wrong = np.asarray(expected) != answers
    if probabilities is not None and hasattr(model, "predict_proba"):
        wrong |= (model.predict_proba(X) != probabilities).any(axis=1)
    return int(np.count_nonzero(wrong))


def _texts_or_numbers(column):
    """Values of a column as a list of texts, missing as None, or as an array of float64, missing as NaN."""
    kind = column.cat.categories.dtype if isinstance(column.dtype, pd.CategoricalDtype) else column.dtype
    if pd.api.types.is_numeric_dtype(kind):
        return column.to_numpy(float, na_value=np.nan)
    return column.astype(object).where(column.notna(), None).tolist()
