"""Fuzz one reader with atheris, guided by coverage: ``python tests/suites/fuzz/run.py tree --seconds 180``.

atheris is no dependency of the project (``make fuzz`` installs it). An input that fails is kept by libFuzzer
as ``crash-...`` in the folder of the corpus.
"""

import argparse
import sys
import tempfile
from pathlib import Path

import atheris

# numba cannot compile what atheris has instrumented
KERNELS = ["treelib.tree.walking", "treelib.bornagain.softmax"]
with atheris.instrument_imports(
    include=["treelib", "json", "tests.suites"], exclude=KERNELS, enable_loader_override=False
):
    sys.path.insert(0, str(Path(__file__).parents[3]))
    from tests.suites.fuzz import readers


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("reader", choices=readers.READERS)
    parser.add_argument("--seconds", type=int, default=180)
    parser.add_argument("--corpus", help="folder to start from and to add to (default: a new one)")
    options = parser.parse_args()
    corpus = Path(options.corpus or tempfile.mkdtemp())
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(readers.seeds(options.reader)):
        (corpus / f"seed-{number}").write_bytes(seed)
    arguments = [
        sys.argv[0],
        str(corpus),
        f"-max_total_time={options.seconds}",
        f"-artifact_prefix={corpus}/",
        "-max_len=4096",
        "-timeout=20",
        "-rss_limit_mb=2048",
        "-print_final_stats=1",
    ]
    atheris.Setup(arguments, readers.READERS[options.reader])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
