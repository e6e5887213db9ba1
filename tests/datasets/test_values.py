"""The data sets: what is loaded is what the papers used, value by value."""

import gzip
import hashlib
import itertools
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from treelib import datasets
from treelib.datasets import files
from treelib.datasets.binning import quantile_bins
from treelib.datasets.registry import READERS
from treelib.datasets.sources import car_evaluation, monk, mushroom, tic_tac_toe, titanic, uci_downloads

HERE = [name for name, entry in datasets.REGISTRY.items() if entry.kind not in ("mirror", "online")]
MIRROR = [name for name, entry in datasets.REGISTRY.items() if entry.kind == "mirror"]

# name -> reference file below TREELIB_DATA_DIR, delimiter, lines above the numbers
REFERENCE = {
    "compas-binary": ("osdt/compas-binary.csv", ";", 1),
    "fico-binary": ("osdt/fico_binary.csv", ";", 1),
    "tic-tac-toe": ("osdt/tic-tac-toe.csv", ";", 1),
    "car-evaluation": ("osdt/car-evaluation.csv", ";", 1),
    "monk1": ("osdt/monk1-train.csv", ";", 1),
    "monk2": ("osdt/monk2-train.csv", ";", 1),
    "monk3": ("osdt/monk3-train.csv", ";", 1),
    "dyadic/mushroom": ("dyadic/mushroom_names_coding.csv", ",", 1),
    "dyadic/spambase": ("dyadic/spambase_4feat.csv", ",", 1),
    "tsallis/banknote": ("tsallis/banknote.csv", ",", 1),
    "tsallis/seeds": ("tsallis/seeds.csv", ",", 1),
    "tsallis/glass": ("tsallis/glass.csv", ",", 1),
    "tsallis/cryotherapy": ("tsallis/cryotherapy.csv", ",", 1),
}
for _name in ("Breast-Cancer-Wisconsin", "COMPAS-ProPublica", "FICO", "HTRU2", "Pima-Diabetes", "Seeds"):
    REFERENCE[f"bornagain/{_name}"] = (f"bornagain/{_name}/{_name}.full.csv", ",", 1)
    REFERENCE[f"bornagain/{_name}/raw"] = (f"bornagain/{_name}/{_name}.csv", ",", 2)
for _name in ("banana", "breast_cancer", "diabetes", "flare_solar", "thyroid", "titanic"):
    REFERENCE[f"dyadic/{_name}"] = (f"dyadic/{_name}.csv", ",", 1)
# the references call these columns x1, x2, ...
UNNAMED = ("tsallis/banknote", "tsallis/seeds")


@pytest.fixture
def mirror():
    """Folder of the reference copies."""
    folder = os.environ.get(files.MIRROR_VARIABLE)
    if not folder or not Path(folder).is_dir():
        pytest.skip(f"{files.MIRROR_VARIABLE} does not name a folder, so there is nothing to compare with")
    return Path(folder)


@pytest.mark.parametrize("name", HERE)
def test_load_without_network(name, monkeypatch):
    """A set that should need no download needs one, or its content is not that of the registry."""
    monkeypatch.delenv(files.MIRROR_VARIABLE, raising=False)
    monkeypatch.setattr(files, "fetch", None)
    datasets._read.cache_clear()
    data = datasets.load(name)
    entry = datasets.info(name)
    assert data.X.dtype == np.float64 and data.X.flags.c_contiguous and data.y.dtype == np.intp
    assert data.X.shape == (entry.n_samples, entry.n_features)
    assert len(data.feature_names) == entry.n_features
    assert tuple(np.bincount(data.y)) == entry.class_counts
    assert datasets.content_sha256(data.X, data.y, data.feature_names, data.class_names) == entry.sha256
    assert data.origin.startswith("https://") and data.licence


@pytest.mark.parametrize("name", MIRROR)
def test_load_from_mirror(name, mirror):
    """A set of the mirror cannot be read, or its content is not that of the registry."""
    data = datasets.load(name)
    assert data.X.shape == (datasets.info(name).n_samples, datasets.info(name).n_features)


@pytest.mark.parametrize("name", REFERENCE)
def test_equals_reference(name, mirror):
    """A value, a label, a column name or the row order differs from the reference copy."""
    file, delimiter, skip = REFERENCE[name]
    table = np.loadtxt(mirror / file, delimiter=delimiter, skiprows=skip)
    data = datasets.load(name)
    np.testing.assert_array_equal(data.X, table[:, :-1])
    np.testing.assert_array_equal(data.y, np.unique(table[:, -1], return_inverse=True)[1])
    if name not in UNNAMED:
        header = (mirror / file).read_text().split("\n")[0].strip().replace('"', "").split(delimiter)
        assert list(data.feature_names) == header[:-1]


def test_algerian_equals_reference(mirror):
    """A value of the fires differs from the reference, whose first column is a name."""
    lines = (mirror / "tsallis/algerian_forest_fires.csv").read_text().splitlines()
    data = datasets.load("tsallis/algerian_forest_fires")
    assert list(data.feature_names) == lines[0].split(",")[:-1]
    for row, x, y in zip(lines[1:], data.X, data.y, strict=True):
        region, *values = row.split(",")
        assert uci_downloads.ALGERIAN_REGIONS[int(x[0])] == region
        assert [*x[1:], y] == [float(value) for value in values]


def test_mushroom_decodes_to_the_raw_file(mirror):
    """The coding of a mushroom category is not the inverse of its letter."""
    data = datasets.load("dyadic/mushroom")
    levels = list(mushroom.MUSHROOM_LEVELS.values())
    rows = [
        ",".join(["ep"[y], *(levels[j][int(code) - 1] for j, code in enumerate(x))])
        for x, y in zip(data.X, data.y, strict=True)
    ]
    assert rows == (mirror / "dyadic/agaricus-lepiota.data").read_text().split()


def test_intrusion_equals_reference(mirror):
    """A count of the intrusion data differs from the reference, or the two forms differ from each other."""
    with gzip.open(mirror / "dyadic/kdd10pct_4feat_counts.csv.gz", "rt") as lines:
        reference = np.loadtxt(lines, delimiter=",", skiprows=1)
    counted = datasets.load("dyadic/intrusion-counts")
    ours = np.column_stack([counted.X, counted.y, counted.sample_weight])
    np.testing.assert_array_equal(ours, reference[np.lexsort(reference.T[::-1])])
    rows = datasets.load("dyadic/intrusion")
    unique, counts = np.unique(np.column_stack([rows.X, rows.y]), axis=0, return_counts=True)
    np.testing.assert_array_equal(np.column_stack([unique, counts]), ours)


@pytest.mark.parametrize("name", datasets.RAETSCH_SETS)
def test_raetsch_is_affine_to_ours(name, mirror):
    """A feature of the benchmark is not, class by class, an affine image of ours up to the order of rows."""
    theirs = datasets.load(f"dyadic/raetsch/{name}")
    ours = datasets.load(f"dyadic/{'diabetes' if name == 'diabetis' else name}")

    for u, v in zip(theirs.X.T, ours.X.T, strict=True):
        u, v = (u - u.mean()) / u.std(), (v - v.mean()) / v.std()
        equal = [
            all(
                np.allclose(np.sort(u[theirs.y == k]), np.sort(sign * v[ours.y == k]), atol=1e-5)
                for k in (0, 1)
            )
            for sign in (1, -1)
        ]
        assert any(equal)


@pytest.mark.parametrize(("name", "n_train"), [("banana", 400), ("titanic", 150)])
def test_raetsch_split_from_mirror(name, n_train, mirror):
    """The official split 1 has another size, or its rows are not those of the benchmark set."""
    train, test = datasets.raetsch_split(name, 1)
    whole = datasets.load(f"dyadic/raetsch/{name}")
    assert len(train.X) == n_train and len(train.X) + len(test.X) == len(whole.X)
    rows = np.vstack([np.column_stack([part.X, part.y]) for part in (train, test)])
    wanted = np.column_stack([whole.X, whole.y])
    np.testing.assert_allclose(
        rows[np.lexsort(rows.round(4).T)], wanted[np.lexsort(wanted.round(4).T)], atol=1e-6
    )


def test_forests_of_all_folds(mirror):
    """A forest file is not found under its name, or is not the fold it claims to be."""
    for name in ("Breast-Cancer-Wisconsin", "COMPAS-ProPublica", "FICO", "HTRU2", "Pima-Diabetes", "Seeds"):
        for fold in range(1, 11):
            text = datasets.path(f"bornagain/{name}/forests", fold=fold).read_text()
            assert text.startswith(f"DATASET_NAME: {name}.train{fold}.csv") and text.count("[TREE") == 10


def test_arrays_are_fresh():
    """Changing a loaded array changes what the next caller loads."""
    datasets.load("monk1").X[:] = 7
    assert datasets.load("monk1").X.max() == 1


def test_two_names_one_copy():
    """Papers that use the same file get different values."""
    for one, other in (
        ("fico-binary", "bornagain/FICO"),
        ("compas-binary", "bornagain/COMPAS-ProPublica/raw"),
    ):
        np.testing.assert_array_equal(datasets.load(one).X, datasets.load(other).X)
        np.testing.assert_array_equal(datasets.load(one).y, datasets.load(other).y)


def test_frame_and_table():
    """The pandas view loses a column, a class name or a set."""
    data = datasets.load("tsallis/glass")
    frame = data.frame()
    assert list(frame.columns) == [*data.feature_names, "type"]
    assert frame["type"].value_counts()["headlamps"] == 29
    assert list(datasets.table()["name"]) == list(datasets.names())


def test_registry_is_complete():
    """A set lacks a reader, a count, a checksum, a licence or a paper."""
    assert set(READERS) == set(datasets.REGISTRY)
    for entry in datasets.REGISTRY.values():
        assert entry.n_samples == sum(entry.class_counts) and len(entry.class_counts) == len(
            entry.class_names
        )
        assert len(entry.sha256) == (0 if entry.kind == "online" else 64)
        assert entry.description and entry.licence and entry.citation
    assert {paper: len(datasets.names(paper)) for paper in ("osdt", "bornagain", "dyadic", "tsallis")} == {
        "osdt": 10,
        "bornagain": 14,
        "dyadic": 16,
        "tsallis": 11,
    }


def test_stored_copies_have_a_readme_and_nothing_foreign_is_stored():
    """A stored copy lacks its README or carries another checksum, or a file we may not ship is in data/."""
    foreign = {download.sha256 for download in files.downloads().values()} - {""}
    copies = sorted(files.data_root().glob("*/*.csv.gz"))
    assert len(copies) == 16 and sum(path.stat().st_size for path in copies) < 2e6
    for path in copies:
        digest = hashlib.sha256(gzip.decompress(path.read_bytes())).hexdigest()
        assert digest in (path.parent / "README.md").read_text()
        assert digest not in foreign and hashlib.sha256(path.read_bytes()).hexdigest() not in foreign
    assert not [path for path in files.downloads() if (files.data_root() / path).exists()]


@pytest.mark.parametrize(
    ("wrong", "suggested"),
    [
        ("compas", "compas-binary"),
        ("iris", "tsallis/iris"),
        ("bornagain/htru2", "bornagain/HTRU2"),
        ("monk4", "monk"),
    ],
)
def test_unknown_name(wrong, suggested):
    """An unknown name is answered without the name that was meant."""
    with pytest.raises(ValueError, match="There is no data set") as caught:
        datasets.load(wrong)
    assert f"Did you mean '{suggested}" in str(caught.value).replace("' or '", "Did you mean '")


def test_wrong_arguments():
    """A wrong type, fold, paper, file or split is answered by something other than a clear error."""
    with pytest.raises(TypeError, match="is text, not int"):
        datasets.load(3)
    with pytest.raises(ValueError, match="must be one of 'bornagain'"):
        datasets.names("osd")
    with pytest.raises(ValueError, match="folds 1 to 10"):
        datasets.path("bornagain/HTRU2/forests", fold=11)
    with pytest.raises(ValueError, match="Did you mean 'bornagain/HTRU2/forests'"):
        datasets.path("bornagain/HTRU/forests", fold=1)
    with pytest.raises(ValueError, match="no meaning"):
        datasets.path("dyadic/raetsch/banana.mat", fold=1)
    with pytest.raises(ValueError, match="none of the benchmark's sets"):
        datasets.raetsch_split("diabetes", 1)
    with pytest.raises(ValueError, match="give 1, 2 or 3"):
        monk.monk(4)


def test_tic_tac_toe_against_all_boards():
    """A board is missing or cannot occur: all 19,683 fillings are tried by counting marks."""
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    ends = set()
    for board in itertools.product("xob", repeat=9):
        lead = board.count("x") - board.count("o")
        x_wins, o_wins = (any(all(board[i] == mark for i in line) for line in lines) for mark in "xo")
        if (x_wins and not o_wins and lead == 1) or (o_wins and not x_wins and lead == 0):
            ends.add((board, x_wins))
        elif not x_wins and not o_wins and "b" not in board and lead == 1:
            ends.add((board, False))
    rows = tic_tac_toe.tic_tac_toe()
    assert len(rows) == len(ends) == 958 and set(rows) == ends


def test_car_evaluation_is_monotone():
    """A car that is better in one attribute gets a worse class (except: room for more than four)."""
    rank = {"unacc": 0, "acc": 1, "good": 2, "vgood": 3}
    cars = dict(car_evaluation.car_evaluation())
    assert [list(cars.values()).count(label) for label in rank] == [1210, 384, 69, 65]
    for car, label in cars.items():
        for j, (attribute, levels) in enumerate(car_evaluation.CAR_LEVELS.items()):
            place = levels.index(car[j])
            if place + 1 < len(levels) and (attribute, car[j]) != ("persons", "4"):
                better = (*car[:j], levels[place + 1], *car[j + 1 :])
                assert rank[cars[better]] >= rank[label]


@pytest.mark.parametrize(("problem", "n_wrong"), [(1, 0), (2, 0), (3, 6)])
def test_monk_training_subset(problem, n_wrong):
    """A training row is repeated, out of order, or has a label the problem does not explain."""
    X, y = monk.monk(problem)
    truth = {tuple(x): label for x, label in zip(X.tolist(), y, strict=True)}
    X_train, y_train = monk.monk_train(problem)
    rows = [tuple(x) for x in X_train.tolist()]
    assert rows == sorted(set(rows))
    assert sum(truth[row] != label for row, label in zip(rows, y_train, strict=True)) == n_wrong


def test_titanic_margins():
    """The contingency table is mistyped: its margins are published too."""
    X, y = titanic.titanic()
    travel_class, child, male = X.T
    assert np.bincount(travel_class).tolist() == [0, 325, 285, 706, 885]
    assert (child.sum(), (male == 0).sum(), y.sum()) == (109, 470, 711)


@settings(max_examples=50, deadline=None)
@given(
    arrays(np.float64, st.tuples(st.integers(2, 40), st.just(1)), elements=st.integers(-20, 20).map(float))
)
def test_quantile_bins_keep_the_order(X):
    """Binning swaps two values, splits equal ones, leaves its range, or skips equally filled bins."""
    codes = quantile_bins(X)[:, 0]
    order = np.argsort(X[:, 0])
    assert (np.diff(codes[order]) >= 0).all() and codes.min() >= 0 and codes.max() <= 9
    assert len({(x, code) for x, code in zip(X[:, 0], codes, strict=True)}) == len(np.unique(X))


def test_quantile_bins_by_hand():
    """Ten equally frequent values do not get ten codes, or a constant column gets more than one."""
    X = np.column_stack([np.repeat(np.arange(10.0), 10), np.full(100, 3.0)])
    assert quantile_bins(X)[:, 0].tolist() == np.repeat(np.arange(10), 10).tolist()
    assert not quantile_bins(X)[:, 1].any()
