"""HiGHS on the program of `binoct_program`, here or in a process of its own.

HiGHS looks at clocks and callbacks seldom: before its first branching, seconds may pass on a program of a
million terms. So a larger program is built and solved in another process, which tells what it finds, and is
ended when the time is up.
"""

import json
import math
import os
import queue
import subprocess
import sys
import threading
import time
from contextlib import suppress
from typing import NamedTuple

import numpy as np

from treelib.search.budget import INTERRUPTED, LOOK, OPTIMAL, TIME_LIMIT, Budget
from treelib.search.highs import import_highspy, silent_solver
from treelib.sparse.binoct.program import MergedRows, Program, count_terms

INEXACT = "inexact"
NEEDS = "BinOCT is solved by"

# HiGHS keeps constraints to 1e-6; objectives that differ by less of a row than this are equal
TOLERANCE = 1e-3
# terms up to which HiGHS answers within hundredths of a second, and starting a process would take longer
FEW_TERMS = 20_000


class Solved(NamedTuple):
    """What HiGHS found.

    Attributes
    ----------
    status : {"optimal", "time_limit", "interrupted", "inexact"}
    features : intp (2**depth - 1,), features of the inner nodes in the best solution, or None
    bound : float, lower bound of the program in rows, -inf without one
    n_nodes : int, nodes of the branch and bound
    shape : (int, int), constraints and variables, 0 where the program was not built in time
    """

    status: str
    features: np.ndarray = None
    bound: float = -math.inf
    n_nodes: int = 0
    shape: tuple = (0, 0)


def solve(rows, depth, price, features, threads, seed, budget, follow):
    """`Solved` program within `budget`. Ctrl-C ends the search and is not raised again.

    Parameters
    ----------
    rows, depth, price : as in `Program`
    features : intp (2**depth - 1,), the solution to start from
    threads, seed : int, of HiGHS
    follow : callable, given the objective, lower bound and number of nodes whenever HiGHS tells them
    """
    if count_terms(rows, depth) <= FEW_TERMS:
        return _Solver(Program(rows, depth, price), features, threads, seed).run(budget, follow)
    return _solve_apart(rows, depth, price, features, threads, seed, budget, follow)


class _Solver:
    """One run of HiGHS on a `Program`."""

    def __init__(self, program, features, threads, seed):
        self.highspy = import_highspy(NEEDS)
        self.program = program
        self.highs = silent_solver(self.highspy, threads, seed, mip_abs_gap=TOLERANCE / 2)
        self.highs.passModel(self._model())
        first = self.highspy.HighsSolution()
        first.col_value = program.values_of(features).tolist()
        self.highs.setSolution(first)

    def _model(self):
        highspy, program = self.highspy, self.program
        model = highspy.HighsLp()
        model.num_row_, model.num_col_ = program.matrix.shape
        model.col_cost_, model.col_lower_, model.col_upper_ = program.cost, program.lower, program.upper
        model.row_lower_, model.row_upper_ = program.row_lower, program.row_upper
        model.offset_ = program.rows.base_errors
        model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        model.a_matrix_.start_ = program.matrix.indptr
        model.a_matrix_.index_ = program.matrix.indices
        model.a_matrix_.value_ = program.matrix.data
        kinds = np.array([highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger])
        model.integrality_ = kinds[program.is_integer.astype(int)].tolist()
        return model

    def run(self, budget, follow, tell=None):
        """Solve within `budget`; returns `Solved`.

        follow : callable, given the objective, lower bound and number of nodes at each line of HiGHS's log
        tell : callable, given the features of each better solution, or None
        """
        highs = self.highs

        def listen(event):
            data = event.data_out
            follow(data.mip_primal_bound, data.mip_dual_bound, int(data.mip_node_count))

        def show(event):
            if tell is not None:
                tell(self.program.features_of(np.array(event.data_out.mip_solution)))
            listen(event)

        highs.cbMipImprovingSolution += show
        highs.cbMipLogging += listen
        if tell is not None:
            highs.cbMipInterrupt += listen  # whoever ends this process has no other way to the last bound
        highs.HandleUserInterrupt = True
        interrupted = self._run(budget)
        codes = self.highspy.HighsModelStatus
        if highs.getModelStatus() == codes.kOptimal and self._is_mistaken():
            highs.clearSolver()
            highs.setOptionValue("presolve", "off")
            interrupted = self._run(budget)
        endings = {codes.kOptimal: OPTIMAL, codes.kTimeLimit: TIME_LIMIT}
        endings[codes.kInterrupt] = INTERRUPTED if interrupted else budget.due()
        status = INTERRUPTED if interrupted else endings.get(highs.getModelStatus(), INEXACT)
        return Solved(status, self.features, self.bound, self.n_nodes, self.program.matrix.shape)

    def _run(self, budget):
        """Run HiGHS to its end or that of `budget`; whether Ctrl-C ended it."""
        highs, interrupted, finished = self.highs, False, False
        if budget.time_limit is not None:
            highs.setOptionValue("time_limit", max(budget.time_left, 0.0))
        highs.startSolve()
        while not finished:
            try:
                finished, _ = highs.wait(LOOK)
                if budget.due() is not None:
                    highs.cancelSolve()
            except KeyboardInterrupt:
                interrupted = True
                highs.cancelSolve()
        return interrupted

    def _is_mistaken(self):
        """Whether the solution costs more than HiGHS says: 1.16 may count a start wrongly once it has made
        the program smaller, and proves that."""
        program, solution = self.program, np.array(self.highs.getSolution().col_value)
        costs = program.rows.base_errors + program.cost @ solution
        return costs > self.highs.getInfo().objective_function_value + TOLERANCE

    @property
    def features(self):
        """Features of the inner nodes in the best solution, or None."""
        solution = self.highs.getSolution()
        return self.program.features_of(np.array(solution.col_value)) if solution.value_valid else None

    @property
    def bound(self):
        """Lower bound of the program in rows, -inf without one."""
        return self.highs.getInfo().mip_dual_bound

    @property
    def n_nodes(self):
        return max(int(self.highs.getInfo().mip_node_count), 0)


def _solve_apart(rows, depth, price, features, threads, seed, budget, follow):
    """`solve` in a process of its own, which is ended with the budget."""
    task = {
        "columns": rows.columns.tolist(),
        "weights": rows.weights.tolist(),
        "base_errors": rows.base_errors,
        "depth": depth,
        "price": price,
        "features": np.asarray(features).tolist(),
        "threads": threads,
        "seed": seed,
    }
    said = {"status": INEXACT, "features": None, "bound": -math.inf, "n_nodes": 0, "shape": (0, 0)}
    process = subprocess.Popen(
        [sys.executable, "-m", __name__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)},
        start_new_session=True,  # Ctrl-C is ours to answer
    )
    lines = queue.SimpleQueue()
    talk = threading.Thread(target=_talk, args=(process, json.dumps(task).encode(), lines), daemon=True)
    talk.start()
    try:
        stopped = None
        while stopped is None and (line := _next(lines)) != "":
            stopped = budget.due()
            if line is not None:
                said |= json.loads(line)
                follow(said.pop("upper", math.inf), said["bound"], said["n_nodes"])
    except KeyboardInterrupt:
        stopped = INTERRUPTED
    finally:
        process.kill()
        process.wait()
        talk.join()
        with suppress(BrokenPipeError):  # it was ended before it had read the whole task
            process.stdin.close()
        process.stdout.close()
    said["status"] = stopped or said["status"]
    found = said.pop("features")
    return Solved(**said, features=None if found is None else np.array(found, dtype=np.intp))


def _talk(process, task, lines):
    """Hand the task over and put the lines of the answer into a queue, "" last."""
    try:
        process.stdin.write(task + b"\n")
        process.stdin.flush()
        for line in process.stdout:
            lines.put(line.decode())
    except (OSError, ValueError):  # the process was ended
        pass
    lines.put("")


def _next(lines):
    """The next line, or None when there was none for a while."""
    try:
        return lines.get(timeout=LOOK)
    except queue.Empty:
        return None


def _end_with_parent():
    """End this process when the other end of standard input is gone."""
    os.read(sys.stdin.fileno(), 1)
    os._exit(1)


def main():
    """Solve the task on standard input; each line of standard output says what is new."""
    task = json.loads(sys.stdin.readline())
    threading.Thread(target=_end_with_parent, daemon=True).start()
    last = [0.0]
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what a library prints is no answer

    def say(**news):
        print(json.dumps(news), file=answers, flush=True)

    def follow(upper, bound, n_nodes):
        now = time.monotonic()
        if now - last[0] > LOOK:
            last[0] = now
            say(upper=upper, bound=bound, n_nodes=n_nodes)

    rows = MergedRows(np.array(task["columns"]), np.array(task["weights"]), task["base_errors"])
    program = Program(rows, task["depth"], task["price"])
    say(shape=program.matrix.shape)
    solver = _Solver(program, np.array(task["features"]), task["threads"], task["seed"])
    solved = solver.run(Budget(), follow, lambda features: say(features=features.tolist()))
    found = solved.features if solved.features is None else solved.features.tolist()
    say(**solved._replace(features=found)._asdict())
    os._exit(0)  # a thread that waits for input must not hold up the end


if __name__ == "__main__":
    main()
