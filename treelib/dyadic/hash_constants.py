"""Constants of the multiplicative hashes of the dyadic searches: odd multipliers, and the shift that folds
the high half of a product onto its low half."""

import numpy as np

GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio
SECOND = np.uint64(0xD6E8FEB86659FD93)
HALF = np.uint64(32)
