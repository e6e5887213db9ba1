"""The process that runs one solver: ``python -m tests.benchmarks.jobs.worker NAME``.

It imports the solver and warms it up once, then reads one job a line from standard input. Every job runs in
a forked child: it starts warm, its memory is its own, and a crash, a hang or a runaway allocation ends the
child alone. A child writes what it has measured after each of the first fits, as one line of JSON.

Peak memory of a job is the growth of the child's resident set from the fork to its highest point
(``ru_maxrss``), data and loaded code excluded.
"""

import gc
import json
import os
import resource
import signal
import sys
import time

from tests.benchmarks.jobs.cases import load_columns
from tests.benchmarks.jobs.solvers import count_leaves, depth_of, load_solver, predict

# address space of a child; a search that wants more is stopped as "out of memory"
MEMORY_LIMIT = 10 * 2**30
# a solver that overruns its own time limit by this factor is ended
PATIENCE = 1.25
# seconds that the fits of a job take together at least, and how many more a short one is fitted for it: a
# child is cold after each collection of garbage, and five fits of half a millisecond tell that, not how long
# a fit takes. For the same reason it collects and writes nothing between the fits added
TOGETHER, MOST_MORE = 0.1, 100
# seconds of fits before those that are timed, where the first one took less: after the fork a program meets
# cold memory and caches, the larger it is the longer
WARM_UP = 0.05


def main():
    # what a solver prints goes nowhere, answers keep the true standard output
    answers = os.fdopen(os.dup(1), "w")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    solver = load_solver(sys.argv[1])
    solver.warm_up()
    os.dup2(nowhere, 2)
    say(answers, {"ready": True, "settings": solver.settings})
    for line in sys.stdin:
        job = json.loads(line)
        say(answers, {"done": run_apart(solver, job, *load_columns(job["data"]), answers)})


def run_apart(solver, job, columns, y, answers):
    """Do one job in a child process; returns how it ended."""
    prepared = solver.prepare(columns)
    child = os.fork()
    if child == 0:
        run(solver, job, prepared, columns, y, answers)
    _, status = os.waitpid(child, 0)
    return how_it_ended(status)


def run(solver, job, prepared, columns, y, answers):
    """Fit `repeats` times, short fits more often, or until `seconds` are used up; and leave the process.

    Where the first fit is short it counts for the tree and the memory, and is followed by a warm-up.
    """

    def fit():
        return solver.fit(prepared, y, job["regularization"], job["max_depth"], job["time_limit"])

    code = 1
    try:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        record = {"seconds": [], "cpu_seconds": [], "search_seconds": []}
        started, is_warm = time.perf_counter(), False
        while (
            is_too_few(record["seconds"], job["repeats"]) and time.perf_counter() - started < job["seconds"]
        ):
            if len(record["seconds"]) < job["repeats"]:
                gc.collect()
            signal.setitimer(signal.ITIMER_REAL, PATIENCE * job["time_limit"] + 1)
            wall, cpu = time.perf_counter(), time.process_time()
            model = fit()
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
            signal.setitimer(signal.ITIMER_REAL, 0)
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            answer = solver.read(model)
            tree, search = answer.pop("tree"), answer.pop("search_seconds")
            if not record["seconds"]:
                record["peak_bytes"] = record.get("peak_bytes", (peak - before) * 1024)
                record |= answer | score(tree, columns, y, job["regularization"])
                if wall < WARM_UP and not is_warm:
                    is_warm = warm_up(fit)
                    continue
            record["seconds"].append(wall)
            record["cpu_seconds"].append(cpu)
            if search is not None:
                record["search_seconds"].append(search)
            del model
            if len(record["seconds"]) <= job["repeats"]:
                say(answers, {"record": record})
        say(answers, {"record": record})
        code = 0
    except MemoryError:
        code = 3
    except BaseException as error:
        say(answers, {"error": f"{type(error).__name__}: {error}"[:300]})
    finally:
        answers.flush()
        os._exit(code)


def warm_up(fit):
    """Fit again and again for `WARM_UP` seconds; returns True."""
    end = time.perf_counter() + WARM_UP
    while time.perf_counter() < end:
        fit()
    return True


def is_too_few(seconds, repeats):
    """Whether to fit once more."""
    return len(seconds) < repeats or (len(seconds) < repeats + MOST_MORE and sum(seconds) < TOGETHER)


def score(tree, columns, y, regularization):
    """Errors and leaves counted on the rows, and the objective they make."""
    if tree is None:
        return {"errors": None, "leaves": None, "depth": None, "objective": None}
    errors, leaves = int((predict(tree, columns) != y).sum()), count_leaves(tree)
    return {
        "errors": errors,
        "leaves": leaves,
        "depth": depth_of(tree),
        "objective": errors / len(y) + regularization * leaves,
    }


def how_it_ended(status):
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        return "time limit" if number == signal.SIGALRM else f"crash: {signal.Signals(number).name}"
    return {0: "ok", 3: "out of memory"}.get(os.WEXITSTATUS(status), "error")


def say(answers, message):
    print(json.dumps(message), file=answers, flush=True)


if __name__ == "__main__":
    main()
