"""Time and memory of the exact search against the size of the problem, one axis at a time."""

from tests.benchmarks.jobs.cases import Case
from tests.benchmarks.searches import report

TIME_LIMIT = 60
SOLVERS = ("treelib", "imodels")

# axis -> (value on the axis, problem)
AXES = {
    "rows, repeated": [
        (n, Case(f"synthetic/n={n},p=20,distinct=1000,seed=3", 0.01))
        for n in (1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
    ],
    "rows, fresh": [
        (n, Case(f"synthetic/n={n},p=20,seed=3", 0.01))
        for n in (1000, 3000, 10_000, 30_000, 100_000, 300_000)
    ],
    "columns": [(p, Case(f"synthetic/n=2000,p={p},seed=4", 0.01)) for p in (10, 15, 20, 30, 40, 60, 80)],
    "1 / regularization": [
        (round(1 / price), Case("tic-tac-toe", price))
        for price in (0.1, 0.05, 0.025, 0.01, 0.005, 0.0025, 0.001)
    ],
}


def measure(workers, options):
    records = []
    for axis, points in AXES.items():
        tired = set()
        for x, case in points[:4] if options.quick else points:
            if options.cases and not any(part in f"{axis} {case.name}" for part in options.cases):
                continue
            for solver in SOLVERS:
                # what took more than the limit at one size is not asked at the next
                if solver not in workers.solvers or solver in tired:
                    continue
                record = {"axis": axis, "x": x} | workers.run(solver, case, TIME_LIMIT, options.repeats)
                record.pop("trace", None)
                records.append(record)
                seconds = report.show_seconds(report.seconds_of(record))
                print(f"  {axis:18} {x:>9g} {solver:8} {seconds:>9} s {record['ended']}", flush=True)
                if record["ended"] != "ok":
                    tired.add(solver)
    return records
