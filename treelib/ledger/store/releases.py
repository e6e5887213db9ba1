"""What changed between releases, in numbers and verdicts.

``data/releases/<release>.csv`` holds the verdict and the value of each claim as they were: the columns
``id``, ``verdict`` and ``ours`` of ``data/results/verdicts.csv``. A release adds its file (`keep`), and
nothing edits one.
"""

import csv
import io
import subprocess
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from treelib.compiled.whole_files import write_whole
from treelib.datasets.files import as_csv, data_root
from treelib.ledger import claims, verdicts

COLUMNS = ("id", "verdict", "ours")
NONE = "(none)"  # a claim that one of the two does not have
_SAME = 1e-9  # relative: less is a matter of printing
BETTER, WORSE = "better", "worse"
_ORDER = (claims.MATCH, claims.CLOSE, claims.DIFFERS)


@dataclass(frozen=True)
class Change:
    """One claim whose verdict or value is not what it was.

    Attributes
    ----------
    id : str
    before, after : str, verdicts; `NONE` where there was or is none
    was, ours : str, values; empty where there is none
    """

    id: str
    before: str
    after: str
    was: str
    ours: str

    @property
    def turn(self):
        """Whether the verdict got "better" or "worse" in the order match, close, differs; else empty."""
        if self.before in _ORDER and self.after in _ORDER and self.before != self.after:
            return BETTER if _ORDER.index(self.after) < _ORDER.index(self.before) else WORSE
        return ""


def folder():
    return data_root() / "releases"


def names():
    """Releases that are kept, the oldest first, list of str."""
    return sorted(path.stem for path in folder().glob("*.csv"))


def keep(name):
    """Write the verdicts of today as those of a release.

    Raises
    ------
    FileExistsError
        There is a release of this name: what was released stays as it was.
    """
    path = folder() / f"{name}.csv"
    if path.exists():
        raise FileExistsError(f"{path.name} is there already; a release is not edited, give another name.")
    path.parent.mkdir(exist_ok=True)
    write_whole(path, as_csv(COLUMNS, verdicts.read()).encode(), durable=True)
    return path


def read(release):
    """Verdict and value of each claim at a release: dict of id to (verdict, ours).

    Parameters
    ----------
    release : str, a name in ``data/releases``, a file of verdicts, or a commit or tag of the checkout

    Raises
    ------
    ValueError
        It is none of these.
    """
    path = folder() / f"{release}.csv"
    if not path.is_file():
        path = Path(release)
    text = path.read_text(encoding="utf-8") if path.is_file() else _at_commit(release)
    return {row["id"]: (row["verdict"], row["ours"]) for row in csv.DictReader(io.StringIO(text))}


def _at_commit(revision):
    """The table of verdicts in a commit of the checkout: that of the package, or the one we stand in."""
    for folder in (data_root(), Path.cwd()):
        command = ["git", "-C", str(folder), "show", f"{revision}:data/results/verdicts.csv"]
        if not revision.startswith("-"):  # git would take it for an option
            try:
                return subprocess.run(command, capture_output=True, text=True, check=True).stdout
            except (OSError, subprocess.CalledProcessError):
                continue
    known = ", ".join(names()) or "none yet"
    raise ValueError(
        f"{revision!r} is no release ({known}), no file and no commit with verdicts; commits are looked up "
        "in the checkout that you stand in."
    )


def today():
    """Verdict and value of each claim now, dict of id to (verdict, ours)."""
    return {row["id"]: (row["verdict"], row["ours"]) for row in verdicts.read()}


def changes(before, after):
    """Claims whose verdict or value changed, list of `Change`, in the order of `after`; what went is last."""
    found = []
    for claim in [*after, *(claim for claim in before if claim not in after)]:
        old, new = before.get(claim, (NONE, "")), after.get(claim, (NONE, ""))
        if old[0] != new[0] or not _equal(old[1], new[1]):
            found.append(Change(claim, old[0], new[0], old[1], new[1]))
    return found


def _equal(first, second):
    if first == second:
        return True
    try:
        a, b = float(first), float(second)
    except ValueError:
        return False
    return abs(a - b) <= _SAME * max(abs(a), abs(b))


def counts(found):
    """How many claims went from one verdict to another: Counter of (before, after)."""
    return Counter((one.before, one.after) for one in found if one.before != one.after)


def lines(release, prefix=""):
    """What changed since a release, for a terminal: a line a claim, and a sum.

    prefix : only claims whose id begins so, ``osdt.t2``
    """
    found = [one for one in changes(read(release), today()) if one.id.startswith(prefix)]
    for one in found:
        verdict = one.after if one.before == one.after else f"{one.before} -> {one.after}"
        yield f"{one.id:<52} {verdict:<24} {one.was or '-'} -> {one.ours or '-'}"
    moved = sum(counts(found).values())
    worse = sum(one.turn == WORSE for one in found)
    yield f"{len(found)} claims changed since {release}: {moved} verdicts, {worse} of them for the worse."
