"""Build the book: execute the chapters that changed, side by side, then write the site.

Run by ``make book``. Executed chapters live in ``_build/.jupyter_cache`` and are used again until the
chapter, the library modules it imports, the data or the numerical stack change.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from html import unescape

import citing
import front
import nbformat
import places
import plain
import shape
import yaml
from chapters import BUILD, FIGURES, ROOT, chapters, open_cache, read, site_digest
from jupyter_cache.base import CacheBundleIn
from ledger import stale
from nbclient import NotebookClient
from nbclient.exceptions import CellControlSignal

import treelib.papers  # noqa: F401, registers the experiments
from treelib.ledger import experiments, reproduction, store, verdicts
from treelib.ledger.page.place import BOOK_VARIABLE
from treelib.ledger.store import LIVE_VARIABLE, STALE_VARIABLE, one_case

SITE = BUILD / "html"
RECORD = BUILD / "site.json"
LIVE = BUILD / "live"  # results computed for this site
CELL_TIMEOUT = 1800  # seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="chapters executed at a time")
    parser.add_argument("--force", action="store_true", help="execute every chapter again")
    parser.add_argument(
        "--renew", action="store_true", help="run stale results anew while building, instead of refusing"
    )
    parser.add_argument(
        "--live",
        action="store_true",
        help="compute all experiments for this site, but those whose data or packages are missing",
    )
    options = parser.parse_args()

    if options.live:
        compute_experiments(options.jobs)
    start, digest = time.perf_counter(), site_digest()
    if not options.force and built_from(digest):
        report(json.loads(RECORD.read_text())["seconds"], (), time.perf_counter() - start, rebuilt=False)
        return
    RECORD.unlink(missing_ok=True)
    if not options.renew:
        refuse_stale_results()
    seconds, fresh, failed = execute(options.jobs, options.force)
    if failed:
        raise SystemExit(f"\nThe book was not built: {', '.join(failed)} failed.")
    shape.write(shape.shapes(open_cache()))
    places.write(places.places(executed_chapters()))
    write_site()
    if site_digest() != digest:
        raise SystemExit("\nA source was edited while the book was being built; run `make book` again.")
    front.write(SITE)
    write_notebooks()
    silent = chapters_without_output()
    if silent:
        raise SystemExit(f"\nThe book is not complete: no output on the page of {', '.join(silent)}.")
    pack_site()
    RECORD.write_text(json.dumps({"digest": digest, "seconds": seconds}))
    report(seconds, fresh, time.perf_counter() - start, rebuilt=True)


def compute_experiments(jobs):
    """Run all experiments into a folder of the build, from which the chapters then take them.

    What was computed there before, by the same code from the same data, is not run again. A case whose data
    or packages are not at hand keeps its stored result, and is named.
    """
    os.environ[LIVE_VARIABLE] = str(LIVE)
    LIVE.mkdir(parents=True, exist_ok=True)
    chosen, left = experiments.to_run()
    print("\n".join(reproduction.left(left)), flush=True)
    summaries = store.run_all(chosen, jobs=jobs, progress=True, folder=LIVE)
    n_run, n_kept = (sum(getattr(one, name) for one in summaries) for name in ("n_run", "n_kept"))
    print(f"{n_run} cases computed now, {n_kept} before", flush=True)
    failed = [(one.experiment, case, text) for one in summaries for case, text in one.failed]
    for name, _, text in failed:
        print(f"  stored result instead: {name}: {text}", flush=True)
    broken = [name for name, _, text in failed if not isinstance(text, one_case.NotAtHand)]
    if broken:
        raise SystemExit(f"\nThe book was not built: {', '.join(dict.fromkeys(broken))} failed.")


def refuse_stale_results():
    """The book shows no stored result that the present code and data would not give."""
    old = stale()
    if old:
        raise SystemExit(
            f"\nStored results are stale: {', '.join(old)}. Code or data beneath them have changed.\n"
            f"Renew them with: treelib reproduce {' '.join(old)}\n"
            "To see the book before that: python book/_ext/build.py --renew"
        )
    os.environ[STALE_VARIABLE] = "error"


def built_from(digest):
    """Whether the site in place was made from exactly these inputs."""
    return (
        RECORD.is_file()
        and (SITE / "index.html").is_file()
        and json.loads(RECORD.read_text())["digest"] == digest
    )


def execute(jobs, force=False):
    """Bring the cache up to date; returns seconds by chapter, names executed now, and names that failed."""
    os.environ[BOOK_VARIABLE] = "1"
    os.environ["JUPYTER_PREFER_ENV_PATH"] = os.environ["JUPYTER_PLATFORM_DIRS"] = "1"
    # matplotlib builds its font list at the first import on a machine: once here, not in every kernel
    subprocess.run([sys.executable, "-c", "import matplotlib.font_manager"], check=True, capture_output=True)
    cache = open_cache()
    seconds, todo = {}, []
    for path in chapters():
        notebook = read(path.read_text(encoding="utf-8"))
        try:
            seconds[path.stem] = cache.match_cache_notebook(notebook).data["execution_seconds"]
        except KeyError:
            todo.append((path, notebook))
        else:
            if force:
                todo.append((path, notebook))
    failed = []
    with ThreadPoolExecutor(max(1, jobs)) as pool:
        for (path, notebook), (elapsed, error) in zip(todo, pool.map(run_chapter, todo), strict=True):
            if error:
                failed.append(path.stem)
                print(f"\n{path.relative_to(ROOT)} failed after {elapsed:.1f} s:\n{error}", file=sys.stderr)
                continue
            bundle = CacheBundleIn(notebook, str(path), data={"execution_seconds": elapsed})
            cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)
            seconds[path.stem] = elapsed
    ordered = {path.stem: seconds[path.stem] for path in chapters() if path.stem in seconds}
    return ordered, [path.stem for path, _ in todo], failed


def run_chapter(chapter):
    """Execute one notebook in place, in its own kernel; returns seconds and the error text or None."""
    path, notebook = chapter
    print(f"executing {path.relative_to(ROOT)}", flush=True)
    start, error = time.perf_counter(), None
    client = NotebookClient(
        notebook,
        timeout=CELL_TIMEOUT,
        kernel_name="python3",
        record_timing=False,  # it would write into the cells' metadata, which the cache key covers
        resources={"metadata": {"path": str(path.parent)}},
        extra_arguments=["--IPKernelApp.log_level=ERROR", *FIGURES],
    )
    try:
        # drawings carry the time at which they were made: two builds shall write the same files
        client.execute(env={**os.environ, "SOURCE_DATE_EPOCH": "0"})
    except CellControlSignal as caught:
        error = str(caught)
    except Exception as caught:
        error = f"{type(caught).__name__}: {caught}"
    return time.perf_counter() - start, error


def write_site():
    """Sphinx over all pages; a warning is an error. Starts from nothing: pages that went stay gone."""
    for folder in (SITE, BUILD / ".doctrees", BUILD / "jupyter_execute"):
        shutil.rmtree(folder, ignore_errors=True)
    command = [sys.executable, "-c", "from jupyter_book.cli.main import main; main()"]
    command += ["build", str(ROOT), "-W", "--keep-going", "-q"]
    print("writing the site", flush=True)
    # warnings and errors come on standard error; standard output repeats where the site is
    if subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL).returncode:
        raise SystemExit("\nThe book was not built: see the warnings above.")


def executed_chapters():
    """The chapters with their outputs, dict of page (``notebooks/osdt``) to notebook."""
    cache = open_cache()
    return {
        path.relative_to(ROOT).with_suffix("").as_posix(): cache.merge_match_into_notebook(
            read(path.read_text(encoding="utf-8"))
        )[1]
        for path in chapters()
    }


def write_notebooks():
    """The executed chapters as .ipynb and .py downloads, in plain Markdown."""
    executed = executed_chapters()
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    references = json.loads((BUILD / plain.REFERENCES).read_text(encoding="utf-8"))
    writer = plain.Plain(
        references,
        plain.glued(executed.values()),
        {row["id"]: row["verdict"] for row in verdicts.read()},
        *citing.addresses(config),
    )
    for page, notebook in executed.items():
        target = SITE / "_sources" / f"{page}.ipynb"
        target.parent.mkdir(parents=True, exist_ok=True)
        download = writer.notebook(notebook, page)
        nbformat.write(download, target)
        target.with_suffix(".py").write_text(writer.script(download), encoding="utf-8")


def pack_site():
    """The whole site in one file, to read without a network."""
    shutil.make_archive(str(BUILD / "site"), "zip", SITE)


def chapters_without_output():
    """Chapters whose page shows no result of their code."""

    def has_output(path):
        page = unescape((SITE / path.relative_to(ROOT).with_suffix(".html")).read_text(encoding="utf-8"))
        return re.search(r'class="[^"]*\bcell_output\b', page)

    return [path.stem for path in chapters() if not has_output(path)]


def report(seconds, fresh, total, rebuilt):
    print("\nChapter                  seconds")
    for name, elapsed in seconds.items():
        note = "" if name in fresh else "  (unchanged, not executed again)"
        print(f"  {name:<22} {elapsed:7.1f}{note}")
    print(f"\nThe site is in {SITE.relative_to(ROOT)}: open {SITE / 'index.html'}")
    done = "Built" if rebuilt else "Nothing has changed; checked"
    print(f"{done} in {total:.1f} s.")


if __name__ == "__main__":
    main()
