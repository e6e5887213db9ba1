"""treelib.ledger.store.releases: what changed between releases; and the table of what was not run."""

import pytest

from treelib import cli
from treelib.ledger import reproduction, verdicts
from treelib.ledger.store import releases


def test_changes_are_those_of_verdict_or_value():
    """A claim that changed unseen, one listed for the way its number is printed, a claim that went."""
    before = {"a": ("match", "1"), "b": ("close", "2"), "c": ("match", "0.1"), "d": ("stated", "x")}
    after = {"a": ("match", "1.0"), "b": ("match", "2"), "c": ("differs", "0.3"), "e": ("match", "5")}
    found = {one.id: one for one in releases.changes(before, after)}
    assert list(found) == ["b", "c", "e", "d"]
    assert (found["b"].turn, found["c"].turn, found["e"].turn) == ("better", "worse", "")
    assert found["e"].before == releases.NONE == found["d"].after
    assert releases.changes(after, after) == []
    assert releases.counts(found.values())["match", "differs"] == 1
    assert sum(releases.counts([releases.Change("x", "match", "match", "1", "2")]).values()) == 0


def test_a_release_is_kept_once(tmp_path, monkeypatch):
    """A release that is written over, or that is not what stood in the table of verdicts."""
    monkeypatch.setattr(releases, "folder", lambda: tmp_path)
    releases.keep("0.9")
    assert releases.names() == ["0.9"] and releases.read("0.9") == releases.today()
    assert len(releases.today()) == len(verdicts.read())
    with pytest.raises(FileExistsError, match="not edited"):
        releases.keep("0.9")
    file = tmp_path / "elsewhere.txt"
    file.write_text("id,verdict,ours\na,match,1\n")
    assert releases.read(str(file)) == {"a": ("match", "1")}


def test_the_command_says_what_changed(tmp_path, capsys):
    """A difference that is not shown; a name that is taken for an option of another program."""
    rows = releases.today()
    claim = next(claim for claim, (verdict, _) in rows.items() if verdict == "match")
    file = tmp_path / "before.csv"
    file.write_text(
        "id,verdict,ours\n"
        + "".join(f'{one},{"differs" if one == claim else verdict},"{ours.replace(chr(34), chr(34) * 2)}"\n'
                  for one, (verdict, ours) in rows.items())
    )  # fmt: skip
    assert cli.main(["results", "--diff", str(file)]) == 0
    told = capsys.readouterr().out.splitlines()
    assert len(told) == 2 and told[0].startswith(claim) and "differs -> match" in told[0]
    assert told[1].startswith("1 claims changed") and "1 verdicts, 0 of them for the worse" in told[1]
    for wrong in ("no-such-release", "--output=x"):
        assert cli.main(["results", f"--diff={wrong}"]) == 2
        assert "is no release" in capsys.readouterr().err


def test_what_is_missing_is_said_once():
    """A long error for every case of a data set that is not there."""

    def miss(case, why, here):
        return {"case": case, "why": f"{case}: {why}", "not_at_hand": here, "stored": "fresh"}

    one = {"experiment": "osdt.t2", "not_run": [miss({"row": i}, "no compas", True) for i in range(5)]}
    two = {
        "experiment": "osdt.f1",
        "not_run": [miss({"n": 1}, "no compas", True), miss({"n": 2}, "broke", False)],
    }
    told = list(reproduction._not_run([one, two]))
    assert len(told) == 2 and "broke" in told[0] and "osdt.f1" in told[0]
    assert told[1].strip().startswith("6 cases of osdt.t2, osdt.f1: no compas") and "stays" in told[1]
