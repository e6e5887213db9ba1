"""Columns of many categories, dates and ordered categories: asked, exported and predicted alike."""

import sqlite3
from contextlib import closing

import numpy as np
import pandas as pd
import pytest

from treelib.cli import main
from treelib.owndata import export
from treelib.owndata.columns.preparing import OTHER, PARTS, Preparing, order_of, times_of
from treelib.owndata.predict import stored
from treelib.owndata.read import read_table


@pytest.fixture
def trips(tmp_path):
    """Trips to 70 towns, of which few have many rows; with dates, ranges of speed, and an amount."""
    random = np.random.default_rng(0)
    n = 600
    towns = [f"town {i:02d}" for i in range(70)]
    frame = pd.DataFrame(
        {
            "town": random.choice(towns, n, p=np.arange(70, 0, -1) / np.arange(71).sum()),
            "day": pd.date_range("2021-03-05", periods=n, freq="36h").strftime("%Y-%m-%d"),
            "speed": random.choice(["1-9km/h", "10-24", "25-39", "40+"], n),
            "code": random.integers(100, 180, n),
            "cost": random.normal(50, 20, n).round(2),
        }
    )
    month = pd.to_datetime(frame["day"]).dt.month
    late = month.isin([1, 2, 3]) ^ frame["speed"].isin(["25-39", "40+"]) ^ (frame["town"] == "town 00")
    frame["late"] = np.where(late, "yes", "no")
    path = tmp_path / "trips.csv"
    frame.to_csv(path, index=False)
    return path


def fit(path, *words, target="late"):
    out = path.with_name("r.html")
    return main(["fit", str(path), "--target", target, "--out", str(out), "--quiet", *words]), out


def test_every_column_counts(trips):
    """A column of 70 categories, a date or an order that is dropped, or asked one category at a time."""
    plain = read_table(trips, "late")
    assert not any("town" in name or "day" in name for name in plain.X.columns)
    table = read_table(trips, "late", preparing=Preparing())
    names = list(table.X.columns)
    assert [name for name in names if name.startswith("day")] == [
        f"day ({part})" for part in ("year", "month", "weekday", "day")
    ]
    assert [name for name in names if "at least" in name] == [
        f"speed at least {low}" for low in ("10-24", "25-39", "40+")
    ]
    assert f"town = {OTHER}" in names and sum(name.startswith("town = ") for name in names) == 50
    frame = pd.read_csv(trips)
    times = pd.to_datetime(frame["day"])
    assert table.X["day (month)"].tolist() == times.dt.month.tolist()
    assert table.X["day (weekday)"].tolist() == (times.dt.weekday + 1).tolist()
    rare = frame["town"].map(frame["town"].value_counts()).sum()
    assert rare and table.X[[name for name in names if name.startswith("town = ")]].sum(axis=1).eq(1).all()
    assert set(table.source) == {"town", "day", "speed", "code", "cost"}
    notes = " ".join(table.notes)
    assert "49 most frequent are kept" in notes and "1-9km/h < 10-24 < 25-39 < 40+" in notes


def test_categorical_is_obeyed_above_the_limit(trips):
    """--categorical that is accepted and ignored, of a column of many codes."""
    table = read_table(trips, "late", preparing=Preparing(10, categorical=("code",)), reading=_codes())
    assert sum(name.startswith("code = ") for name in table.X.columns) == 10


def _codes():
    from treelib.owndata.columns.cells import Reading

    return Reading(categorical=("code",))


def test_a_new_file_is_prepared_alike(trips, capsys):
    """Another tree for the rows of the fit than the one in the report; a town that nobody saw."""
    code, out = fit(trips, "--method", "topdown", "--regularization", "0")
    assert code == 0
    tree, _ = stored(out.with_suffix(".json"))
    table = read_table(trips, "late", preparing=Preparing())
    there = np.array(tree.class_names)[tree.predict(table.X[list(tree.feature_names)].to_numpy())]
    capsys.readouterr()
    assert main(["predict", str(out.with_suffix(".json")), str(trips)]) == 0
    lines = capsys.readouterr().out.splitlines()[1:]
    assert [line.partition(",")[0] for line in lines] == there.tolist()
    frame = pd.read_csv(trips).head(3).assign(town="nowhere")
    frame.to_csv(trips.with_name("new.csv"), index=False)
    assert main(["predict", str(out.with_suffix(".json")), str(trips.with_name("new.csv"))]) == 0


def test_sql_reads_orders_and_pooled_categories(trips):
    """SQL that knows no rare category, or one threshold of an order."""
    frame = pd.read_csv(trips)
    table = read_table(trips, "late", drop=["day"], preparing=Preparing(5))
    with closing(sqlite3.connect(":memory:")) as connection:
        frame.to_sql("trips", connection, index=False)
        listed = ", ".join(f"{sql} AS c{i}" for i, sql in enumerate(table.sql))
        found = pd.read_sql(f"SELECT {listed} FROM trips", connection)
    np.testing.assert_array_equal(found.to_numpy(float), table.X.to_numpy())
    assert export.of_tree is not None


def test_orders_are_seen_and_given(trips, capsys):
    """Text taken for an order, or an order that the command does not know."""
    assert order_of(["10-24", "1-9km/h", "55+", "25-39"]) == ["1-9km/h", "10-24", "25-39", "55+"]
    assert order_of(["<18", "18-30", "31-50", "51+"]) == ["<18", "18-30", "31-50", "51+"]
    for words in (["red", "green", "blue"], ["1a", "2b", "3c"], ["A-1", "B-2", "C-3"], ["1-9", "10-24"]):
        assert order_of(words) is None
    frame = pd.read_csv(trips).assign(size=np.resize(["small", "large", "medium"], 600))
    frame.to_csv(trips, index=False)
    preparing = Preparing(ordered={"size": ["small", "medium", "large"]})
    table = read_table(trips, "late", preparing=preparing)
    assert table.X["size at least medium"].tolist() == (frame["size"] != "small").astype(float).tolist()
    for words, message in (
        (["--ordered", "size"], "give it as --ordered size=FIRST"),
        (["--ordered", "size=small,large"], "the order lacks 'medium'"),
        (["--ordered", "weight"], "no column 'weight'"),
        (["--max-categories", "1"], "give 2 or more"),
    ):
        assert fit(trips, *words)[0] == 2
        assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("form", "n", "says"),
    [
        ("03/{:02d}/2021", 12, "'03/01/2021' is read as month/day"),
        ("03.{:02d}.2021", 12, "'03.01.2021' is read as day.month"),
        ("03/{:02d}/2021", 13, ""),
        ("2021-03-{:02d}", 12, ""),
    ],
)
def test_days_that_may_be_months_are_named(tmp_path, form, n, says):
    """Dates that are read month first or day first by their marks, and nobody is told."""
    rows = [f"{form.format(1 + i % n)},{i % 3},{i % 2}" for i in range(60)]
    (tmp_path / "t.csv").write_text("\n".join(["when,b,y", *rows]))
    notes = " ".join(read_table(tmp_path / "t.csv", "y", preparing=Preparing()).notes)
    assert "when: read as its" in notes and says in notes and bool(says) == ("is read as" in notes)


def test_dates_as_people_write_them():
    """Months and days that change places, times of day, spans."""
    assert times_of(["03.02.2024", "4.12.2023"])[0] == pd.Timestamp("2024-02-03")
    assert times_of(["03/02/2024", "13/02/2024"])[0] == pd.Timestamp("2024-02-03")
    assert times_of(["03/13/2024", "04/02/2024"])[1] == pd.Timestamp("2024-04-02")
    assert times_of(["08:30", "17:15"]).hour.tolist() == [8, 17]
    assert times_of(["3 days", "10 days"]).day.tolist() == [4, 11]


@pytest.mark.parametrize(("n_values", "task"), [(12, "classification"), (25, "regression")])
def test_counts_are_quantities(tmp_path, n_values, task):
    """49 different counts taken for 49 classes."""
    path = tmp_path / "visits.csv"
    path.write_text("a,visits\n" + "".join(f"{i % 7},{i % n_values}\n" for i in range(200)))
    table = read_table(path, "visits", task="auto")
    assert table.task == task
    assert read_table(path, "visits", task="classification").task == "classification"


def test_sql_of_dates_is_computed_or_refused(trips):
    """SQL that asks for a made-up column "day (month)", which SQLite takes for a string."""
    columns = read_table(trips, "late", preparing=Preparing())
    expressions = dict(zip(columns.X.columns, columns.sql, strict=True))
    made = {name.partition("(")[2][:-1] for name in expressions if name.startswith("day (")}
    assert made == {"year", "month", "weekday", "day"} < set(PARTS) == set(export.PARTS)
    assert expressions["day (month)"] == 'EXTRACT(MONTH FROM "day")'
    assert not [text for text in expressions.values() if "(month)" in text]
    with sqlite3.connect(":memory:") as database, pytest.raises(sqlite3.OperationalError):
        database.execute('CREATE TABLE trips ("day" TEXT)')
        database.execute(f"SELECT {expressions['day (month)']} FROM trips")
