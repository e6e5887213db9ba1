"""The checker accepts what holds and nothing else: all trees are tried, proofs forged, holes made in it."""

import gzip
import json
import types
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from tests.sparse.proofs.forgeries import WAYS, from_nothing
from tests.sparse.proofs.problems import random_case, read, write
from treelib.sparse.proofs import checktree

SOURCE = Path(checktree.__file__).read_text(encoding="utf-8")
MANY = [200, pytest.param(10_000, marks=pytest.mark.long)]


@pytest.fixture(scope="module")
def cases(tmp_path_factory):
    """A few hundred problems with their proofs."""
    folder = tmp_path_factory.mktemp("proofs")
    return [random_case(seed, folder) for seed in range(150)]


@pytest.mark.parametrize("n", MANY)
def test_proofs_show_the_optimum_that_trying_every_tree_finds(n, tmp_path):
    """A proof that is refused, that shows less than the optimum, or a checker that accepts more."""
    for seed in range(n):
        case = random_case(seed, tmp_path)
        bound, cost, _ = checktree.check(case.table, case.proof)
        assert bound == cost == case.optimum(case.depth), seed
        assert (bound, cost) == (case.written.lower_bound, case.written.objective), seed
        case.table.unlink(), case.proof.unlink()


def forged(case, rng, path):
    """A proof that up to three forgeries have changed."""
    lines = read(case.proof)
    if rng.random() < 0.2:
        lines = from_nothing(checktree.Table(case.table, lines[0]), lines[0], rng)
    else:
        for way in rng.choice(len(WAYS), int(rng.integers(1, 4))):
            WAYS[way](lines, rng)
    return write(path, lines)


def shown(case, path, check):
    """The bound that a checker takes from a proof if it is wrong; None where it is right, or refused."""
    try:
        bound, cost, _ = check(case.table, path)
    except ValueError:
        return None
    depth = read(path)[0]["max_depth"]
    return bound if bound > case.optimum(depth) or cost < case.optimum(depth) else None


@pytest.mark.parametrize("n", [10, pytest.param(300, marks=pytest.mark.long)])
def test_forged_proofs_show_nothing_false(n, cases, tmp_path):
    """A forgery by which the checker believes more than trying every tree finds."""
    rng = np.random.default_rng(n)
    for case in cases:
        for _ in range(n):
            assert shown(case, forged(case, rng, tmp_path / "forged.jsonl"), checktree.check) is None


# each rule of the checker, and what is left of it where it has a hole
HOLES = {
    "a leaf may cost less": ("must(table.bound(rows, 0) >= least", "must(True"),
    "a run need not be refuted": ("must(found >= least", "must(True"),
    "splits may be left out": ("must(first > end", "must(True"),
    "any rows will do": ("some & ~part == 0 and", ""),
    "any depth will do": (" and (limit is None or (below is not None and below <= limit))", ""),
    "the last lemma may be of another depth": ("must(limit == depth,", "must(True,"),
    "three leaves cost four": ("floor + self.price)", "floor + 2 * self.price)"),
    "two leaves cost three": ("* self.factor + 2 * self.price", "* self.factor + 3 * self.price"),
    "no split is tried": ("return best + 2 * self.price", "return best + 3 * self.price"),
    "equal rows are told apart twice": ("min(row) * unit) for row", "max(row) * unit) for row"),
    "the tree may be deeper": ("must(depth != 0,", "must(True,"),
    "the low side is the whole": ("low, high = rows & masks[first]", "low, high = rows"),
    "the high side is the whole": ("rows & ~masks[last]\n", "rows\n"),
    "a run ends one later": ("first = last + 1", "first = last + 2"),
    "a side has the depth of the whole": ("else depth - 1, lemma.get", "else depth, lemma.get"),
    "a deep tree is one of depth one": ("leaf if depth == 1 else floor", "leaf if depth != 0 else floor"),
    "a missing number is the largest one": ("[len(labels) if x", "[len(labels) - 1 if x"),
    "a category is not asked for": ("sorted(set(column[name]))", "sorted(set(column[name]))[1:]"),
    "weights do not count": ('column.get(head["weight"], ', 'column.get("", '),
    "costs do not count": ('costs = head["costs"] or', "costs ="),
    "a leaf costs half": ("int(price * self.total * self.unit)", "int(price * self.total * self.unit) // 2"),
}  # fmt: skip


@pytest.mark.parametrize("hole", HOLES)
def test_every_rule_is_needed(hole, cases, tmp_path):
    """A rule of the checker that could be left out without a test that sees it."""
    rule, left = HOLES[hole]
    assert SOURCE.count(rule) == 1
    leaky = types.ModuleType("leaky")
    exec(SOURCE.replace(rule, left), vars(leaky))
    rng = np.random.default_rng(0)
    for case in cases * 8:
        if shown(case, case.proof, leaky.check) or wrongly_refused(case, leaky.check):
            return
        if shown(case, forged(case, rng, tmp_path / "forged.jsonl"), leaky.check):
            return
    pytest.fail("no forgery went through")


def wrongly_refused(case, check):
    """Whether a proof that holds is refused, or shows less."""
    try:
        return check(case.table, case.proof)[0] != case.optimum(case.depth)
    except ValueError:
        return True


def test_another_table_is_named_as_such(cases, tmp_path):
    """A proof that is checked against the wrong rows."""
    other = tmp_path / "other.csv"
    other.write_text(cases[0].table.read_text().replace("yes", "no"))
    other.write_bytes(other.read_bytes() + b"\n")
    with pytest.raises(ValueError, match="table: the proof is about another one"):
        checktree.check(other, cases[0].proof)


@pytest.mark.parametrize("cut", [0, 1, 3, -1])
def test_a_truncated_proof_is_named_as_such(cut, cases, tmp_path):
    """A file that ends early, at a line or within it."""
    case = max(cases, key=lambda case: case.written.n_lemmas)
    lines = read(case.proof)
    path = write(tmp_path / "cut.jsonl", lines[: cut or None])
    if cut == 0:
        path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(ValueError, match=r"cut off|lemma|head"):
        checktree.check(case.table, path)
    broken = tmp_path / "cut.jsonl.gz"
    broken.write_bytes(case.proof.read_bytes()[:-5])
    with pytest.raises(ValueError, match="head: EOFError"):
        checktree.check(case.table, broken)


HOSTILE = [
    b"", b"\n", b"[]", b"null", b'{"format":"checktree 1"}', b"\xff\xfe", b"[" * 100_000,
    b'{"format":' + b"1" * 5000 + b"}",
    b'{"format":"checktree 2"}',
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:20]))
def test_hostile_files_get_a_word(text, cases, tmp_path):
    """A file that ends the checker with another error than its own."""
    path = tmp_path / "hostile.jsonl"
    path.write_bytes(text)
    with pytest.raises(ValueError, match=r"^head: |^table: "):
        checktree.check(cases[0].table, path)


@pytest.mark.parametrize(
    "value", ["-1", "nan", "inf", "1e999999999", "1/0", "", "1_0", None, [], True, "9" * 500]
)
@pytest.mark.parametrize("key", ["regularization", "bound"])
def test_numbers_that_are_none_are_refused(key, value, cases, tmp_path):
    """A negative price, or a number that takes the machine a year to write down."""
    case = next(case for case in cases if case.written.n_lemmas)
    lines = read(case.proof)
    lines[0 if key == "regularization" else 1][key] = value
    with pytest.raises(ValueError):
        checktree.check(case.table, write(tmp_path / "odd.jsonl", lines))


@pytest.mark.parametrize("n", [300, pytest.param(20_000, marks=pytest.mark.long)])
def test_fuzzed_files_get_a_word_or_hold(n, cases, tmp_path):
    """Bytes changed at random: the checker fails otherwise than by its word, or believes something false."""
    rng = np.random.default_rng(1)
    path = tmp_path / "fuzzed.jsonl"
    for _ in range(n):
        case = cases[rng.integers(len(cases))]
        data = bytearray(gzip.decompress(case.proof.read_bytes()))
        for _ in range(int(rng.integers(1, 6))):
            data[rng.integers(len(data))] = b'0123456789.,:"[]{}-e nul<>/'[rng.integers(27)]
        path.write_bytes(data)
        try:
            bound, _, _ = checktree.check(case.table, path)
        except ValueError:
            continue
        head = json.loads(path.read_bytes().splitlines()[0])
        first = read(case.proof)[0]
        keys = "regularization", "max_depth", "costs", "numbers", "categories", "target", "weight", "sha256"
        same = [head.get(key) == first[key] for key in keys]
        assert not all(same) or bound <= case.optimum(case.depth)


def test_the_checker_is_short_and_stands_alone():
    """A checker that nobody reads, or that imports what it is to check."""
    lines = SOURCE.splitlines()
    assert len(lines) <= 200
    imports = [line for line in lines if line.startswith(("import", "from"))]
    assert not any("treelib" in line or "numpy" in line for line in imports)
    package = Path(checktree.__file__).parents[2]
    others = {
        line.strip()
        for path in package.rglob("*.py")
        if path != Path(checktree.__file__)
        for line in path.read_text(encoding="utf-8").splitlines()
    }
    usual = (
        "import",
        "from",
        "if __name__",
        "else:",
        "try:",
        "}",
        ")",
        "]",
        "continue",
        "return",
        '"""',
        "def main",
        "except",
    )
    shared = {line.strip() for line in lines if len(line.strip()) > 24} & others
    assert {line for line in shared if not line.startswith(usual)} == set()


def test_a_wrong_claim_is_told_with_lemma_and_column(cases, tmp_path):
    """A refusal that does not say where to look."""
    for case in cases:
        lines = read(case.proof)
        if len(lines) > 1 and not lines[1].get("depth") == 0:
            leaf = max(Fraction(line["bound"]) for line in lines[1:])
            lines[1]["bound"] = str(leaf + Fraction(1, 1000))
            with pytest.raises(ValueError, match=r"lemma \d+: (column '|a single leaf)"):
                checktree.check(case.table, write(tmp_path / "wrong.jsonl", lines))
