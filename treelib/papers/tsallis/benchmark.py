"""The measurements of `make bench-topdown` as the chapter shows them."""

import json

from treelib.datasets.files import data_root


def benchmark_lines():
    """Cells of the table of `make bench-topdown`: for each data set the rows, and the largest share of
    scikit-learn's time that single trees, a grid of criteria and forests took; empty where not measured.

    There are none where ``data/results/bench_topdown.json`` has not been written.
    """
    parts = ("fit", "grid", "forest")
    rows, shares = {}, {}
    for record in _benchmark_records(*parts):
        part, data = record["part"], record["data"]
        rows[data] = record["n_rows"]
        share = record["seconds"] / record["peer_seconds"]
        shares[data, part] = max(share, shares.get((data, part), 0.0))
    order = sorted(rows, key=lambda data: (rows[data], data))
    return [
        (
            _data_label(data),
            f"{rows[data]:,}",
            *(f"{shares[data, part]:.3f}" if (data, part) in shares else "" for part in parts),
        )
        for data in order
    ]


def own_criterion_lines():
    """The fits of `make bench-topdown` with a criterion that is a Python function.

    Returns
    -------
    peers : list of str, the other programs
    lines : list of tuples of str: data, rows, milliseconds here, and for each of `peers` how many times as
        long it took; empty where not measured
    """
    records = _benchmark_records("own")
    peers = list(dict.fromkeys(record["peer"] for record in records))
    sets = sorted({(record["n_rows"], record["data"]) for record in records})
    times = {(r["data"], r["peer"]): r["peer_seconds"] / r["seconds"] for r in records}
    ours = {record["data"]: record["seconds"] for record in records}
    return peers, [
        (
            _data_label(data),
            f"{n_rows:,}",
            f"{1000 * ours[data]:.2f}",
            *(f"{times[data, peer]:.0f}" if (data, peer) in times else "" for peer in peers),
        )
        for n_rows, data in sets
    ]


def _benchmark_records(*parts):
    path = data_root() / "results" / "bench_topdown.json"
    if not path.is_file():
        return []
    records = json.loads(path.read_text(encoding="utf-8"))["records"]
    return [record for record in records if record["part"] in parts]


def _data_label(data):
    return data.removeprefix("tsallis/").replace("_", " ")
