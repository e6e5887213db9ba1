"""Readers: each returns ``X`` (n, p), the class codes ``y`` (n,) and the feature names of one data set.

A reader may return a fourth item, the sample weights (n,).
"""

import gzip
from collections import Counter

import numpy as np

from treelib.datasets import files, generate
from treelib.datasets.binning import quantile_bins
from treelib.datasets.files import DatasetError

# Category letters in the order of the names file of the mushroom set; a letter's code is its place, from 1.
MUSHROOM_LEVELS = {
    "cap-shape": "bcxfks",
    "cap-surface": "fgys",
    "cap-color": "nbcgrpuewy",
    "bruises": "tf",
    "odor": "alcyfmnps",
    "gill-attachment": "adfn",
    "gill-spacing": "cwd",
    "gill-size": "bn",
    "gill-color": "knbhgropuewy",
    "stalk-shape": "et",
    "stalk-root": "bcuezr?",
    "stalk-surface-above-ring": "fyks",
    "stalk-surface-below-ring": "fyks",
    "stalk-color-above-ring": "nbcgopewy",
    "stalk-color-below-ring": "nbcgopewy",
    "veil-type": "pu",
    "veil-color": "nowy",
    "ring-number": "not",
    "ring-type": "ceflnpsz",
    "spore-print-color": "knbhrouwy",
    "population": "acnsvy",
    "habitat": "glmpuwd",
}
INTRUSION_FEATURES = ("src_bytes", "dst_bytes", "count", "dst_host_count")
INTRUSION_COLUMNS = (4, 5, 22, 31)  # of the 41 in the file of the competition
CRYOTHERAPY_FEATURES = ("sex", "age", "Time", "Number_of_Warts", "Type", "Area")
ALGERIAN_REGIONS = ("Bejaia", "Sidi-Bel Abbes")


def parse_table(text):
    """Header and numbers of comma-separated text (bytes) with one header line.

    Returns
    -------
    header : list of str.
    table : float64 (n, columns).
    """
    head, _, body = text.replace(b"\r", b"").rstrip(b"\n").partition(b"\n")
    header = head.decode().split(",")
    characters = np.frombuffer(body, dtype=np.uint8)
    digits, separators = characters[::2], characters[1::2]
    if np.isin(separators, (ord(","), ord("\n"))).all() and (digits - ord("0") < 10).all():
        table = (digits - ord("0")).astype(np.float64)  # one digit a cell: 188,000 cells in 2 ms, else 30 ms
    else:
        table = np.fromstring(body.replace(b"\n", b","), sep=",")
    return header, table.reshape(-1, len(header))


def vendored(folder, feature_names=None):
    """The project's own copy of `folder`, classes coded in ascending order."""
    header, table = parse_table(files.read_vendored(folder))
    return table[:, :-1], _codes(table[:, -1]), feature_names or header[:-1]


def binned(reader):
    """The set of `reader` with every feature coded by ten quantile bins."""
    X, y, feature_names = reader()
    return quantile_bins(X), y, feature_names


def mushroom():
    head, *rows = files.read_vendored("mushroom").decode().splitlines()
    feature_names = head.split(",")[:-1]
    codes = [{letter: i + 1 for i, letter in enumerate(MUSHROOM_LEVELS[name])} for name in feature_names]
    cells = [row.split(",") for row in rows]
    X = [[code[letter] for code, letter in zip(codes, row[:-1], strict=True)] for row in cells]
    return np.array(X), np.array([row[-1] == "p" for row in cells]), feature_names


def tic_tac_toe():
    X, y = generate.tic_tac_toe_binary()
    return X, y, [f"Feat{square}_{mark}" for square in range(9) for mark in "ox"]


def car_evaluation():
    X, y = generate.car_evaluation_binary()
    kept = enumerate(generate.CAR_BINARY_LEVELS.values(), start=1)
    return X, y, [f"a{j}_{level}" for j, levels in kept for level in levels]


def monk_train(problem):
    return _monk(*generate.monk_train(problem))


def monk_test(problem):
    return _monk(*generate.monk(problem))


def titanic():
    return *generate.titanic(), ["pclass", "child", "male"]


def htru2():
    text = files.fetch("bornagain/HTRU2/HTRU2.csv").read_bytes()
    head, _, body = text.partition(b"\n")
    header, table = parse_table(head + b"\n" + body.partition(b"\n")[2])  # the second line is a row of types
    return table[:, :-1], table[:, -1], header[:-1]


def raetsch(name):
    """One set of Raetsch's benchmark in the benchmark's own scaling."""
    from scipy.io import loadmat

    content = loadmat(files.fetch(f"dyadic/raetsch/{name}.mat"))
    if "data" in content:
        X, t = content["data"], content["target"]
    else:
        X, t = np.vstack([content["X_tr"], content["X_tst"]]), np.vstack([content["T_tr"], content["T_tst"]])
    return X.astype(np.float64), _codes(t.ravel()), [f"x{j + 1}" for j in range(X.shape[1])]


def raetsch_split(name, split):
    """Published split number `split` of Raetsch's benchmark set `name`.

    Returns
    -------
    X_train, y_train, X_test, y_test : float64 (n, p) and class codes (n,).
    """
    parts = [f"dyadic/raetsch/{name}_{part}_{split}.asc" for part in _ASC_PARTS]
    if all(part in files.downloads() and files.mirror_file(part) for part in parts):
        X_train, t_train, X_test, t_test = (np.loadtxt(files.mirror_file(part)) for part in parts)
    else:
        from scipy.io import loadmat

        path = files.fetch("dyadic/raetsch/benchmarks.mat")
        content = loadmat(path, variable_names=[name], simplify_cells=True)[name]
        n_splits = len(content["train"])
        if not 1 <= split <= n_splits:
            raise ValueError(f"split={split} does not exist: {name} has the splits 1 to {n_splits}.")
        train, test = (content[part][split - 1].astype(np.intp) - 1 for part in ("train", "test"))
        X_train, t_train = content["x"][train], content["t"][train]
        X_test, t_test = content["x"][test], content["t"][test]
    return X_train, _codes(t_train), X_test, _codes(t_test)


def intrusion_counts():
    """Distinct (features, class) of the KDD Cup data in ascending order, weighted by how often they occur."""
    counted = files.mirror_file("dyadic/kdd10pct_4feat_counts.csv.gz")
    if counted:
        _, table = parse_table(gzip.decompress(counted.read_bytes()))
        rows, counts = table[:, :-1], table[:, -1]
    else:
        seen = Counter()
        with gzip.open(files.fetch("dyadic/kddcup.data_10_percent.gz"), "rt") as lines:
            for line in lines:
                cells = line.rstrip(".\n").split(",")
                seen[(*(float(cells[j]) for j in INTRUSION_COLUMNS), cells[41] != "normal")] += 1
        rows, counts = np.array(list(seen), dtype=np.float64), np.array(list(seen.values()))
    order = np.lexsort(rows.T[::-1])
    return rows[order, :-1], rows[order, -1], INTRUSION_FEATURES, counts[order]


def intrusion():
    """All rows of the KDD Cup data, sorted."""
    X, y, feature_names, counts = intrusion_counts()
    counts = counts.astype(np.intp)
    return np.repeat(X, counts, axis=0), np.repeat(y, counts), feature_names


def cryotherapy():
    path = files.mirror_file("tsallis/cryotherapy.csv") or files.fetch("tsallis/cryotherapy_online.csv")
    _, table = parse_table(path.read_bytes())
    return table[:, :-1], table[:, -1], CRYOTHERAPY_FEATURES


def algerian_forest_fires():
    """Columns as in the file, before them the region (0 Bejaia, 1 Sidi-Bel Abbes)."""
    path = files.mirror_file("tsallis/algerian_forest_fires.csv")
    if path:
        header, *rows = (line.split(",") for line in path.read_text().splitlines())
        rows = [[ALGERIAN_REGIONS.index(row[0]), *row[1:]] for row in rows]
    else:
        header, rows = parse_algerian(files.fetch("tsallis/algerian_forest_fires_online.csv").read_text())
    table = np.array(rows, dtype=np.float64)
    return table[:, :-1], table[:, -1], header[:-1]


def parse_algerian(text):
    """Header and rows of the published file: one block a region, each with its title and header."""
    rows, region, header = [], -1, None
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.rstrip(", ").split(",")]
        if cells[0].endswith("Region Dataset"):
            region += 1
        elif cells[0] == "day":
            header = ["region", *cells]
        elif cells[0]:
            # one row runs two values into one field: "14.6 9"
            rows.append([region, *(value for cell in cells for value in cell.split())])
    return header, rows


def scikit_learn(function):
    """A set that ships with scikit-learn, by the name of its loader."""
    from sklearn import datasets

    bunch = getattr(datasets, function)()
    return bunch.data, bunch.target, [str(name) for name in bunch.feature_names]


def har():
    """The smartphone data from OpenML (number 1478), through scikit-learn; there is no offline copy."""
    from sklearn.datasets import fetch_openml

    try:
        bunch = fetch_openml(
            data_id=1478, as_frame=False, parser="liac-arff", data_home=str(files.cache_folder())
        )
    except (OSError, ValueError) as error:
        raise DatasetError(
            "the download of set 1478 from https://www.openml.org/d/1478 failed "
            f"({type(error).__name__}: {error}). This set is online only: neither the project nor "
            f"{files.MIRROR_VARIABLE} holds a copy, and a look-alike computed from other recordings (HAPT) "
            "must not stand in under this name. Connect to the network and try again."
        ) from None
    return bunch.data, bunch.target.astype(np.intp) - 1, [str(name) for name in bunch.feature_names]


_ASC_PARTS = ("train_data", "train_labels", "test_data", "test_labels")


def _codes(labels):
    return np.unique(labels, return_inverse=True)[1]


def _monk(X, y):
    columns = [f"a{j + 1}_{level}" for j, levels in enumerate(generate.MONK_LEVELS) for level in levels[:-1]]
    return generate.monk_binary(X), y, columns
