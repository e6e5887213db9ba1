"""KDD Cup 1999: network connections, four features."""

import gzip
from collections import Counter

import numpy as np

from treelib.datasets import files
from treelib.datasets.origin import uci
from treelib.datasets.tables import parse_table

ORIGINS = {
    "intrusion": uci(
        130,
        "KDD Cup 1999 intrusion detection (10 %), four features",
        "Network connections by bytes sent, bytes received, connections to the same host in two seconds "
        "and in the last hundred: an attack?",
        "S. Stolfo, W. Fan, W. Lee, A. Prodromidis, P. Chan: KDD Cup 1999 Data. UCI Machine Learning "
        "Repository, 1999.",
    ),
}


INTRUSION_FEATURES = ("src_bytes", "dst_bytes", "count", "dst_host_count")


INTRUSION_COLUMNS = (4, 5, 22, 31)  # of the 41 in the file of the competition


def intrusion_counts():
    """Distinct (features, class) of the KDD Cup data in ascending order, weighted by how often they occur."""
    counted = files.mirror_file("dyadic/kdd10pct_4feat_counts.csv.gz")
    if counted:
        _, table = parse_table(gzip.decompress(counted.read_bytes()))
        rows, counts = table[:, :-1], table[:, -1]
    else:
        seen = Counter()
        with gzip.open(files.fetch("dyadic/kddcup.data_10_percent.gz"), "rt") as lines:
            for line in lines:
                cells = line.rstrip(".\n").split(",")
                seen[(*(float(cells[j]) for j in INTRUSION_COLUMNS), cells[41] != "normal")] += 1
        rows, counts = np.array(list(seen), dtype=np.float64), np.array(list(seen.values()))
    order = np.lexsort(rows.T[::-1])
    return rows[order, :-1], rows[order, -1], INTRUSION_FEATURES, counts[order]


def intrusion():
    """All rows of the KDD Cup data, sorted."""
    X, y, feature_names, counts = intrusion_counts()
    counts = counts.astype(np.intp)
    return np.repeat(X, counts, axis=0), np.repeat(y, counts), feature_names


READERS = {
    "dyadic/intrusion": intrusion,
    "dyadic/intrusion-counts": intrusion_counts,
}
