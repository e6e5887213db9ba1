"""The exact sparse tree search against its public peers: ``make bench-sparse``.

Every solver gets the same 0/1 columns, in the form it takes without a copy, in one run, in a process of its
own that has fitted once before. What is timed is the whole ``fit``; the search alone stands beside it where
the program tells. Each time is the median of five fits, or of as many as start within `REPEAT_SECONDS` (60 s
unless said otherwise); of up to 105 where these are short, after 0.05 s of fits that are not timed, the same
for every program (see `tests.benchmarks.worker`). Objectives are counted by us on the rows from the tree that
a solver returns.

Sets of cases: ``free`` (seven data sets, five prices of a leaf, no depth limit; pystreed needs a limit and is
paired with ours at depth 6), ``depth`` (limits 3 to 6 against licketysplit's exact mode), ``wide`` and
``growth`` (see the modules of these names). Results: ``data/results/bench_sparse*.json``.
"""

import argparse
import sys

from tests.benchmarks.jobs.cases import DEPTHS, osdt_cases
from tests.benchmarks.jobs.runner import ROOT, Workers, machine, write_results
from tests.benchmarks.jobs.solvers import SOLVERS
from tests.benchmarks.searches import growth, report, wide

RESULTS = ROOT / "data" / "results"
TIME_LIMIT = 60
# seconds within which a problem's fits must start; less for the peers that are far from the front
REPEAT_SECONDS = {"gosdt": 10, "licketysplit": 10}
QUICK_SETS = ("monk", "tic-tac-toe", "compas")


def free_pairs(case):
    """Problems to give to each solver for a case without depth limit."""
    at_six = case._replace(max_depth=6)
    return [
        ("treelib", case),
        ("imodels", case),
        ("licketysplit", case),
        ("gosdt", case),
        ("treelib", at_six),
        ("pystreed", at_six),
    ]


def depth_pairs(case):
    return [("treelib", case), ("licketysplit", case)]


def main(arguments=None):
    options = parse(arguments)
    what = [name for name in MEASURE if getattr(options, name)] or ["free", "depth"]
    wanted = ["treelib", *options.peers]
    ok = True
    for name in what:
        with Workers(wanted) as workers:
            for missing in workers.missing:
                print(f"{missing} is not installed and left out; `make env-ci` installs the peers")
            results = {"bench": f"sparse {name}", "machine": machine(), "time_limit": TIME_LIMIT}
            results["records"] = MEASURE[name](workers, options)
            results["settings"] = workers.settings
        ok &= report.SUMMARY[name](results)
        if options.cases or options.quick:
            print("part of the cases only: results not kept")
        else:
            write_results(
                RESULTS / ("bench_sparse.json" if name == "free" else f"bench_sparse_{name}.json"), results
            )
    return 0 if ok else 1


def measure_pairs(cases, pairs):
    """Measurement of all `cases`, each with the solvers and problems that ``pairs(case)`` lists.

    Prices fall from case to case. A solver that has used up its time on a data set is not asked for a lower
    price there, which is harder.
    """

    def measure(workers, options):
        records, tired = [], set()
        for case in cases:
            if not is_wanted(case, options):
                continue
            now = []
            for solver, problem in pairs(case):
                who = solver, problem.data, problem.max_depth
                if solver not in workers.solvers or who in tired:
                    continue
                seconds = REPEAT_SECONDS.get(solver, TIME_LIMIT)
                now.append(workers.run(solver, problem, TIME_LIMIT, options.repeats, seconds))
                now[-1].pop("trace", None)
                if now[-1]["ended"] != "ok":
                    tired.add(who)
            report.print_case(case, now)
            records += now
        return records

    return measure


def is_wanted(case, options):
    if options.quick and not (case.data.startswith(QUICK_SETS) and case.regularization >= 0.01):
        return False
    return not options.cases or any(part in case.name for part in options.cases)


MEASURE = {
    "free": measure_pairs(osdt_cases(), free_pairs),
    "depth": measure_pairs(osdt_cases(DEPTHS), depth_pairs),
    "wide": wide.measure,
    "growth": growth.measure,
}


def parse(arguments):
    parser = argparse.ArgumentParser(prog="bench-sparse", description=__doc__.partition("\n")[0])
    parser.add_argument("--free", action="store_true", help="only the seven data sets without depth limit")
    parser.add_argument(
        "--depth", action="store_true", help="only the depth limits 3 to 6 against licketysplit"
    )
    parser.add_argument("--wide", action="store_true", help="many columns and many rows, 10 s and 60 s")
    parser.add_argument("--growth", action="store_true", help="time and memory against rows, columns, price")
    parser.add_argument("--quick", action="store_true", help="small cases only, a minute or two")
    parser.add_argument(
        "--cases", nargs="+", metavar="TEXT", help="cases whose name holds one of these texts"
    )
    parser.add_argument(
        "--peers", nargs="*", default=[name for name in SOLVERS if name != "treelib"], choices=list(SOLVERS)
    )
    parser.add_argument("--repeats", type=int, default=5, help="fits of each problem (default 5)")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
