"""What a run of ``treelib reproduce`` took, and what it could not run; that of the last whole run is kept.

``data/results/reproduction.json`` holds the last run of all experiments.
"""

import json
import os
from dataclasses import asdict

from treelib.compiled.whole_files import write_whole
from treelib.ledger import experiments, repeatability, store
from treelib.ledger.page.origins import seconds_text
from treelib.ledger.store import lines as store_files
from treelib.ledger.store import one_case, running


def path():
    """The file that keeps the last run of all experiments."""
    return store.committed() / "reproduction.json"


def report(summaries, began, seconds, jobs, command):
    """What became of a run, dict of JSON values.

    Parameters
    ----------
    summaries : list of store.Summary
    began : datetime, with its time zone
    seconds : float, wall clock
    jobs : int or None, processes that were asked for
    command : str, how to do it again
    """
    return {
        "command": command,
        "began": began.isoformat(timespec="seconds"),
        "seconds": round(seconds, 1),
        "cpu_seconds": round(sum(summary.cpu_seconds for summary in summaries), 1),
        "jobs": jobs or os.cpu_count() or 1,
        **running.environment(),
        "experiments": [_entry(summary) for summary in summaries],
    }


def lines(found):
    """The report as lines of text: one an experiment, then the whole, then what was not run."""
    heads = ("experiment", "cases", "kept", "run", "not run", "seconds", "CPU s", "longest", "peak MB")
    yield f"{heads[0]:<32}" + "".join(f"{head:>9}" for head in heads[1:])
    for one in found["experiments"]:
        counts = (one["n_kept"] + one["n_run"] + len(one["not_run"]), one["n_kept"], one["n_run"])
        took = (one["seconds"], one["cpu_seconds"], one["longest"])
        yield (
            f"{one['experiment']:<32}"
            + "".join(f"{n:>9}" for n in (*counts, len(one["not_run"])))
            + "".join(f"{s:>9.1f}" for s in took)
            + f"{one['peak_bytes'] / 2**20:>9.0f}"
        )
    n_run, n_kept, n_not = (
        sum(one["n_run"] for one in found["experiments"]),
        sum(one["n_kept"] for one in found["experiments"]),
        sum(len(one["not_run"]) for one in found["experiments"]),
    )
    busy = 100 * found["cpu_seconds"] / (found["jobs"] * found["seconds"]) if found["seconds"] else 0.0
    yield (
        f"{n_run} cases run, {n_kept} kept, {n_not} not run: "
        f"{seconds_text(found['seconds'])} on the clock, {seconds_text(found['cpu_seconds'])} of CPU, "
        f"{found['jobs']} processes busy for {busy:.0f} % of the time"
    )
    yield from _not_run(found["experiments"])


MOST_DIFFERENCES = 10  # of one experiment, that the terminal shows


def as_stored(tasks, summaries, before, folder):
    """Whether what was run came out as it was stored: lines of text, one an experiment, and what differs.

    What was measured (seconds, memory) is not compared.

    Parameters
    ----------
    tasks : list of schedule.Task, what was to be run
    summaries : list of store.Summary, what became of it
    before : dict of the name of an experiment to its stored records, by the canonical text of the case
    folder : path, where the new records are
    """
    for summary in summaries:
        failed = {store_files.canonical(case) for case, _ in summary.failed}
        ran = [store_files.canonical(task.case) for task in tasks if task.name == summary.experiment]
        compared = [case for case in ran if case in before.get(summary.experiment, {}) and case not in failed]
        if not compared:
            continue
        experiment = experiments.get(summary.experiment)
        again = {
            store_files.canonical(entry["case"]): entry
            for entry in store_files.read(folder / f"{experiment.name}.jsonl")
        }
        found = {
            case: repeatability.compare(
                experiment, before[experiment.name][case]["result"], again[case]["result"]
            )
            for case in compared
        }
        n_same = sum(not differences for differences in found.values())
        within = f" to within {experiment.tolerance:g}" if experiment.kind == experiments.STATISTICAL else ""
        yield f"{experiment.name}: {n_same} of {len(compared)} as stored{within}"
        different = [f"  {case} {one}" for case, differences in found.items() for one in differences]
        yield from different[:MOST_DIFFERENCES]
        if len(different) > MOST_DIFFERENCES:
            yield f"  and {len(different) - MOST_DIFFERENCES} more fields"


def left(experiments):
    """What stays as it is stored, since it runs on request: a line for each experiment, and how to run it."""
    for one in experiments:
        dates = sorted(entry["provenance"]["started"][:10] for entry in store.kept(one).values())
        stays = f"its record of {dates[-1]} stays" if dates else "nothing is stored"
        yield (
            f"{one.name} runs on request only, {seconds_text(one.seconds)}: {stays}; "
            f"`treelib reproduce {one.name} --fresh` runs it"
        )


def _not_run(experiments):
    """What was not run: a line for each case that failed, one for each data set or package missing."""
    missing = {}
    for one in experiments:
        for miss in one["not_run"]:
            if miss["not_at_hand"]:
                reason = miss["why"].removeprefix(f"{miss['case']}: ")
                cases = missing.setdefault((reason, miss["stored"]), {})
                cases[one["experiment"]] = cases.get(one["experiment"], 0) + 1
            else:
                yield f"  {one['experiment']}: {miss['why']}{KEPT[miss['stored']]}"
    for (reason, stored), cases in missing.items():
        n = sum(cases.values())
        yield f"  {n} case{'s' * (n != 1)} of {', '.join(cases)}: {reason}{KEPT[stored]}"


KEPT = {
    "fresh": "; the stored result stays",
    "stale": "; the stored result stays, but belongs to other sources or data",
    "missing": "; nothing is stored",
}


def failures(found):
    """How many cases have no result that holds: broken off, or missing here and not stored either."""
    return sum(
        not (miss["not_at_hand"] and miss["stored"] == "fresh")
        for one in found["experiments"]
        for miss in one["not_run"]
    )


def write(found):
    """Keep the report of a run of all experiments."""
    write_whole(path(), (json.dumps(found, indent=1) + "\n").encode(), durable=True)


def read():
    """The kept report, None where there is none."""
    try:
        return json.loads(path().read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None


def _entry(summary):
    entry = asdict(summary)
    failed = entry.pop("failed")
    entry |= {name: round(entry[name], 2) for name in ("seconds", "cpu_seconds", "longest")}
    ours = (store.committed(),)  # not the copy in a user's cache folder
    stored = {
        "fresh": store.records(summary.experiment, folders=ours),
        "stale": store.kept(summary.experiment),
    }
    entry["not_run"] = [
        {
            "case": case,
            "why": str(text),
            "not_at_hand": isinstance(text, one_case.NotAtHand),
            "stored": next((how for how, some in stored.items() if _has(some, case)), "missing"),
        }
        for case, text in failed
    ]
    return entry


def _has(records, case):
    return store_files.canonical(case) in records
