"""Fit decision trees to your own tables, check proofs, and run the experiments of the papers again.

Each command is a function of the parsed arguments that returns the exit code.
"""

import argparse
import contextlib
import json
import os
import shlex
import signal
import sys
import threading

import treelib
from treelib.owndata import options as options_of_fit

MOST_LEAVES_SHOWN = 30  # a larger tree is looked at in the report


def main(arguments=None):
    """Run one command; returns the exit code."""
    options = _parser().parse_args(arguments)
    options.arguments = sys.argv[1:] if arguments is None else list(arguments)
    try:
        with _ended_as_by_ctrl_c(), _silent_when_nobody_reads():
            return options.command(options)
    except (ValueError, RuntimeError) as error:
        print(f"treelib {options.name}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        kept = "; finished cases are kept, run the same command to resume" * (
            options.name not in ("fit", "warm")
        )
        print(f"\nStopped{kept}.", file=sys.stderr)
        return 130


@contextlib.contextmanager
def _ended_as_by_ctrl_c():
    """A block that `kill` and batch systems (SIGTERM) end as Ctrl-C does: what is done is kept, and worker
    processes end too."""
    if threading.current_thread() is not threading.main_thread():  # only that one may handle signals
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class _WhileRead:
    """An output that swallows what is written after its reader went away, as `head` does."""

    def __init__(self, stream):
        self._stream = stream

    def __getattr__(self, name):
        return getattr(self._stream, name)

    def write(self, text):
        try:
            return self._stream.write(text)
        except BrokenPipeError:
            return self._close()

    def flush(self):
        try:
            self._stream.flush()
        except BrokenPipeError:
            self._close()

    def _close(self):
        """What is left in the buffer goes nowhere, also when the interpreter ends and flushes it."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self._stream.fileno())
        os.close(nowhere)


@contextlib.contextmanager
def _silent_when_nobody_reads():
    """A block whose work goes on when the program that reads its output has ended."""
    with contextlib.redirect_stdout(_WhileRead(sys.stdout)) as out:
        try:
            yield
        finally:
            out.flush()


def fit(options):
    """Fit a tree to your own table and write a report."""
    from treelib.owndata.by_options import fit_by
    from treelib.owndata.predict import description, tested
    from treelib.owndata.read import read_table
    from treelib.owndata.report.facts import facts, verdict
    from treelib.owndata.report.notes import grouped, reading
    from treelib.owndata.report.page import check_place, write_report
    from treelib.owndata.report.templates import words

    check_place(options.out)
    options_of_fit.check(options)
    table = read_table(
        options.data,
        options.target,
        separator=options.separator,
        drop=options.drop,
        task=options.task,
        reading=options_of_fit.reading(options),
        preparing=options_of_fit.preparing(options),
        weights=options.weights,
    )
    for note in grouped(table.notes, table.names):
        print(note)
    is_quantity = table.task == "regression"
    kind = "a quantity" if is_quantity else f"{len(table.classes)} classes"
    print(f"{len(table.y):,} rows, {words('columns_used', table)}, {kind}", flush=True)
    fitted = fit_by(table, options, say=lambda line: None if options.quiet else print(line, flush=True))
    if options.test is not None:
        given = description(fitted.table), options.test, options.separator, options.score
        fitted.tested, notes = tested(fitted.tree, *given)
        fitted.notes += notes
    paths = write_report(fitted, options.out, shlex.join(["treelib", *options.arguments]))
    if line := verdict(fitted):
        print(line)
    if fitted.tree.n_leaves <= MOST_LEAVES_SHOWN:
        print("\n".join([fitted.tree.to_text(**fitted.table.wording), *reading(fitted)]))
    for name, text in facts(fitted):
        print(f"{name}: {text}")
    for note in fitted.notes[len(table.notes) :]:
        print(note)
    for path in paths:
        print(f"wrote {path}")
    if fitted.is_interrupted:
        raise KeyboardInterrupt  # the tree and its report are kept
    return 0


def predict(options):
    """Predict the rows of a file with a tree stored by `treelib fit`."""
    from treelib.owndata.predict import predict_file, stored

    asked = {
        "wanted": options.wanted,
        "fixed": options.fixed,
        "directions": options_of_fit.ways("--change", options.change),
    }
    wishes = asked if options.why or any(asked.values()) else None
    found, notes = predict_file(*stored(options.tree), options.data, options.separator, wishes)
    for note in notes:
        print(note, file=sys.stderr)
    text = found.to_csv(index=False, lineterminator="\n")
    if options.out is None:
        print(text, end="")
        return 0
    try:
        with open(options.out, "w", encoding="utf-8", newline="") as file:
            file.write(text)
    except OSError as error:
        raise ValueError(f"{options.out!r} cannot be written: {error.strerror}.") from None
    print(f"wrote {options.out}: {len(found):,} rows")
    return 0


def export(options):
    """Export a tree from `treelib fit` as a program or as text."""
    from pathlib import Path

    from treelib.owndata.export import exported

    if options.to == "onnx" and options.out is None:
        raise ValueError("ONNX is a binary format; name a file with --out.")
    made = exported(options.tree, options.to)
    if options.out is None:
        print(made)
        return 0
    try:
        Path(options.out).write_bytes(made if options.to == "onnx" else (made.rstrip("\n") + "\n").encode())
    except OSError as error:
        raise ValueError(f"{options.out!r} cannot be written: {error.strerror}.") from None
    print(f"wrote {options.out}")
    return 0


def _know_the_papers():
    """The papers register their experiments and verdicts when they are first looked for."""
    import treelib.papers  # noqa: F401


def check_proof(options):
    """Check a proof that no tree is better, written by `OptimalSparseTreeClassifier.write_proof`."""
    from treelib.sparse.proofs import checktree

    return checktree.main([options.table, options.proof])


def audit_solver(options):
    """Check a public solver's claims of optimality on random problems, each against a proof."""
    from importlib.metadata import version

    from treelib.papers.across import solver_audit

    if options.solver not in solver_audit.SOLVERS:
        raise ValueError(f"{options.solver!r} is unknown; choose one of {', '.join(solver_audit.SOLVERS)}.")
    try:
        found = solver_audit.on_random_problems(
            options.solver, range(options.seed, options.seed + options.problems)
        )
    except ImportError as error:
        raise ValueError(f"{options.solver} is not installed ({error}); run `make env-ci`.") from None
    print(f"{found['n_claims']} claims of optimality, {found['n_false']} false")
    if found["example"]:
        print(solver_audit.report(options.solver, found["example"], version(options.solver)))
    return 1 if found["n_false"] or found["n_refuted_proofs"] else 0


def warm(options):
    """Precompile the kernels of all estimators, in parallel."""
    from treelib.compiled.cache_root import cache_root
    from treelib.owndata.warm import warm as compile_all

    jobs = (os.cpu_count() or 1) if options.jobs is None else options.jobs
    failed = compile_all(options.names, jobs, say=lambda line: print(line, flush=True))
    print(f"Kernels are in {cache_root() / 'kernels'}.")
    return 1 if failed else 0


def reproduce(options):
    """Run the chosen experiments, store their results and judge the claims again."""
    import time
    from datetime import datetime, timezone

    if not options.quiet:  # before the seconds that loading everything takes
        print("checking stored results ...", flush=True)
    from treelib.ledger import experiments, reproduction, store
    from treelib.ledger.page.origins import seconds_text
    from treelib.ledger.store import schedule

    _know_the_papers()
    if not options.names and not options.all:
        raise ValueError(f"name a paper or an experiment, or give --all. Available: {_known()}.")
    chosen, left = experiments.to_run(*options.names)
    tasks = [task for experiment in chosen for task in store.tasks(experiment, fresh=options.fresh)]
    lanes = schedule.lanes(tasks, options.jobs)
    takes = seconds_text(schedule.expected_seconds(tasks, lanes))
    work = f"{_several(len(tasks), 'case')} to run"
    if tasks:
        work += f", about {takes} in {_several(lanes, 'process')}; results go to {store.target()}"
    head = f"{_several(len(chosen), 'experiment')}: {work}"
    print("\n".join([head, *reproduction.left(left)]), flush=True)
    before = {task.name: store.kept(task.name) for task in tasks}
    began, clock = datetime.now(timezone.utc), time.perf_counter()
    with _scheduler(options.scheduler):
        made = store.run_all(chosen, jobs=options.jobs, fresh=options.fresh, progress=not options.quiet)
    command = shlex.join(["treelib", *options.arguments])
    found = reproduction.report(made, began, time.perf_counter() - clock, options.jobs, command)
    print("\n".join(reproduction.lines(found)), flush=True)
    for line in reproduction.as_stored(tasks, made, before, store.target()):
        print(line, flush=True)
    if options.all and not any(one["n_kept"] for one in found["experiments"]):  # a run from nothing
        reproduction.write(found)
    failed = reproduction.failures(found)
    if failed:
        print(f"{failed} cases have no result.", file=sys.stderr)
        return 1
    if store.target() != store.committed():
        print("The project's own records and verdicts are unchanged.")
        return 0
    if not options.quiet:  # theorems are tried anew: minutes on a busy machine
        papers = ", ".join(sorted({experiment.paper for experiment in chosen}))
        print(f"judging the claims of {papers} ...", flush=True)
    return _judge_complete({experiment.paper: None for experiment in chosen})


def _several(n, word):
    return f"{n} {word}{'es' if word.endswith('s') else 's'}" if n != 1 else f"1 {word}"


def results(options):
    """List the experiments and the state of their stored results, or show the results of one."""
    _know_the_papers()
    from treelib.ledger import experiments, store
    from treelib.ledger.store import releases

    if options.diff:
        print("\n".join(releases.lines(options.diff, options.name_of or "")))
        return 0
    if options.key:
        return _show_record(options.name_of, options.key)
    chosen = experiments.select(*([options.name_of] if options.name_of else []))
    if chosen[0].name == options.name_of and not options.check:
        found = store.records(chosen[0])
        for entry in found.values():
            print(entry["key"], json.dumps(entry["case"]), json.dumps(entry["result"])[:120])
        print(f"{len(found)} of {len(chosen[0].cases())} cases are stored and fresh.")
        return 0
    rows = [(e, store.status(e)) for e in chosen]
    print(f"{'experiment':<34}{'item':<22}{'kind':<13}{'cases':>7}{'fresh':>7}{'stale':>7}{'missing':>9}")
    for e, state in rows:
        counts = f"{state['cases']:>7}{state['fresh']:>7}{state['stale']:>7}{state['missing']:>9}"
        print(f"{e.name:<34}{e.item[:21]:<22}{e.kind:<13}{counts}")
    old = [e.name for e, state in rows if state["stale"] or state["missing"]]
    if old:
        print(f"\nRenew with: treelib reproduce {' '.join(old)}")
    return 1 if old and options.check else 0


def check(options):
    """Rerun stored cases from scratch and compare: all of an experiment, one case or a random sample."""
    from treelib.ledger import experiments, repeatability, store

    _know_the_papers()
    chosen, _ = experiments.to_run(*([options.name_of] if options.name_of else []))
    if options.sample:
        pairs = repeatability.sample(chosen, options.sample, options.seconds, options.seed)
    else:
        pairs = [(e, r["case"]) for e in chosen for r in store.records(e).values()]
        pairs = [(e, case) for e, case in pairs if options.key in (None, store.key(e, case))]
    if not pairs:
        raise ValueError("no stored result matches.")
    wrong = 0
    for experiment, case in pairs:
        found = repeatability.differences(experiment, case)
        wrong += bool(found)
        print(f"{experiment.name} {json.dumps(case)}: {'; '.join(found) or 'agrees'}", flush=True)
    print(f"{len(pairs) - wrong} of {len(pairs)} stored results are reproduced.")
    return 1 if wrong else 0


def codecheck(options):
    """Rerun 200 printed cells from scratch and write a report: as expected, or differs."""
    import time
    from pathlib import Path

    from treelib.ledger.page.origins import seconds_text
    from treelib.ledger.protocol import codecheck as check_cells
    from treelib.ledger.store import running

    _know_the_papers()
    folder, clock = Path(options.out), time.perf_counter()
    rows = check_cells.rerun(check_cells.read(options.manifest), folder, options.jobs)
    about = running.environment() | {"took": seconds_text(time.perf_counter() - clock)}
    text = check_cells.report(rows, about)
    (folder / "report.md").write_text(text, encoding="utf-8")
    print(f"{text.splitlines()[2]} The report is in {folder / 'report.md'}.")
    return 0 if all(row["word"] == check_cells.EXPECTED for row in rows) else 1


def verdicts(options):
    """Judge all claims and findings from the stored results: ``verdicts.csv`` and ``findings.csv``."""
    return _judge(options.papers)


def referee(options):
    """Draw claims at random and write a sheet for each, to be checked against the papers and signed."""
    from treelib.ledger.protocol import referee as sheets

    _know_the_papers()
    rows = sheets.draw(sheets.of_papers(options.paper), options.sample, options.seed)
    for path in sheets.write(options.out, rows, options.seed):
        print(f"wrote {path}: {len(rows)} claims")
    return 0


def _judge(papers):
    from treelib.ledger import store, verdicts
    from treelib.ledger.protocol import codecheck
    from treelib.papers import judged_findings

    _know_the_papers()
    for paper, counts in verdicts.renew(list(papers) or None).items():
        words = ", ".join(f"{count} {word}" for word, count in counts.items())
        print(f"{paper}: {words}")
    words = ", ".join(f"{count} {word}" for word, count in judged_findings.renew().items())
    print(f"findings: {words}")
    if store.target() == store.committed():
        codecheck.write()
    return 0


def _judge_complete(papers):
    """Judge the claims of those papers whose results are all there: judging runs nothing by the way."""
    from treelib.ledger import experiments, store

    ready = []
    for paper in papers:
        lacking = [
            name
            for name in experiments.names(paper)
            if not experiments.get(name).on_request
            and ((state := store.status(name))["stale"] or state["missing"])
        ]
        if lacking:
            print(f"{paper}: claims not judged; results missing or stale: {', '.join(lacking)}")
        else:
            ready.append(paper)
    return _judge(ready) if ready else 0


def _show_record(name, key):
    from treelib.ledger import store

    for entry in store.records(name).values():
        if entry["key"] == key:
            print(json.dumps(entry, indent=2))
            return 0
    raise ValueError(f"{name} has no fresh result with the key {key}.")


def _known():
    from treelib.ledger import experiments

    return ", ".join(experiments.names()) or "none"


def _scheduler(address):
    """Let joblib send the cases to a Dask cluster, if one is named."""
    if not address:
        return contextlib.nullcontext()
    from treelib.ledger.store import cluster

    return cluster.connect(address)


def _parser():
    parser = argparse.ArgumentParser(prog="treelib", description=__doc__.partition("\n")[0])
    parser.add_argument("--version", action="version", version=f"treelib {treelib.__version__}")
    commands = parser.add_subparsers(
        dest="name", required=True, metavar="command", parser_class=options_of_fit.Command
    )

    def command(name, function):
        text = function.__doc__.partition("\n")[0].replace("``", "")
        added = commands.add_parser(name, help=text, description=text)
        added.set_defaults(command=function)
        return added

    options_of_fit.add(command("fit", fit))
    zero = command("predict", predict)
    options_of_fit.add(zero, options_of_fit.OF_PREDICT)
    six = command("export", export)
    six.add_argument("tree", help="the tree as JSON, written by `treelib fit` beside its report")
    six.add_argument(
        "--to",
        required=True,
        choices=("c", "javascript", "onnx", "sql", "rules", "text", "dot", "svg"),
        help="output format; SQL uses the columns of the file, programs the encoded features",
    )
    six.add_argument("--out", metavar="FILE", help="output file (default: print it)")
    proof = command("check-proof", check_proof)
    proof.add_argument("table", help="the CSV file that the proof is about")
    proof.add_argument("proof", help="the proof, compressed or not")
    audit = command("audit-solver", audit_solver)
    audit.add_argument("solver", help="imodels, pystreed, gosdt, licketysplit or pycontree")
    audit.add_argument("--problems", type=int, default=1000, metavar="N", help="how many (default: 1000)")
    audit.add_argument("--seed", type=int, default=0, help="seed of the first problem")
    ahead = command("warm", warm)
    ahead.add_argument("names", nargs="*", metavar="name", help="only these (default: all)")
    ahead.add_argument("--jobs", type=int, metavar="N", help="processes (default: one per processor)")
    one = command("reproduce", reproduce)
    one.add_argument("names", nargs="*", metavar="name", help="osdt, osdt.t2, ...: a paper or an experiment")
    one.add_argument("--all", action="store_true", help="all experiments of all papers")
    one.add_argument("--fresh", action="store_true", help="also rerun results that are not stale")
    one.add_argument("--jobs", type=int, metavar="N", help="processes (default: one per processor)")
    one.add_argument("--scheduler", metavar="ADDRESS", help="a Dask scheduler, tcp://host:port")
    one.add_argument("--quiet", action="store_true", help="show no progress")
    two = command("results", results)
    two.add_argument("name_of", nargs="?", metavar="name", help="a paper or an experiment")
    two.add_argument("--key", help="show the whole record with this key")
    two.add_argument("--check", action="store_true", help="exit code 1 if any result is stale or missing")
    two.add_argument("--diff", metavar="RELEASE", help="what changed since: a release, a commit or a file")
    three = command("check", check)
    three.add_argument("name_of", nargs="?", metavar="name", help="a paper or an experiment")
    three.add_argument("--key", help="only the result with this key")
    three.add_argument("--sample", type=int, metavar="N", help="a random sample of N stored results")
    three.add_argument(
        "--seconds", type=float, default=20.0, help="of those that took this long at most (20)"
    )
    three.add_argument("--seed", type=int, help="seed of the random sample")
    cells = command("codecheck", codecheck)
    cells.add_argument("--out", required=True, metavar="FOLDER", help="folder for the results and report.md")
    cells.add_argument("--manifest", metavar="FILE", help="cells to rerun instead of the project's")
    cells.add_argument("--jobs", type=int, metavar="N", help="processes (default: one per processor)")
    four = command("verdicts", verdicts)
    four.add_argument("papers", nargs="*", metavar="paper", help="only these papers")
    five = command("referee", referee)
    five.add_argument("--sample", type=int, required=True, metavar="N", help="how many claims")
    five.add_argument("--seed", type=int, required=True, help="seed of the random sample")
    five.add_argument("--paper", action="append", default=[], help="claims of this paper; may be repeated")
    five.add_argument("--out", default="referee.html", metavar="FILE", help="the sheets, for printing")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
