"""Kernels that turn the trees of an ensemble into the classes of all cells.

A cell is given by one level per feature: level ``i`` of feature ``j`` lies between the thresholds ``i - 1``
and ``i`` of that feature (the first and last reach to infinity), and all points of a cell end in one leaf of
each tree. A leaf is a box of levels. Cells are numbered with the last feature running fastest.
"""

import numpy as np

from treelib.bornagain.softmax import softmax_class
from treelib.compiled.jit import kernel


@kernel
def leaf_boxes(root, left, right, feature, threshold, levels, first_level):
    """Leaves of all trees as boxes of levels; a leaf that no point reaches is left out.

    Parameters
    ----------
    root, left, right, feature, threshold : as in `treelib.bornagain.ensemble.voting.Nodes`
    levels : float64 (n_levels,), thresholds of all features, ascending within a feature
    first_level : int64 (n_features + 1,), where each feature begins in `levels`

    Returns
    -------
    node : int64 (n_leaves,), in the order of the trees
    low, high : int32 (n_leaves, n_features), first and last level of each leaf
    """
    n_features = len(first_level) - 1
    node = np.empty(len(left), dtype=np.int64)
    low = np.empty((len(left), n_features), dtype=np.int32)
    high = np.empty((len(left), n_features), dtype=np.int32)
    box_low = np.empty((len(left), n_features), dtype=np.int32)
    box_high = np.empty((len(left), n_features), dtype=np.int32)
    stack = np.empty(len(left) + 1, dtype=np.int64)
    n_found = 0
    for start in root:
        stack[0] = start
        for j in range(n_features):
            box_low[start, j] = 0
            box_high[start, j] = first_level[j + 1] - first_level[j]
        n_stack = 1
        while n_stack > 0:
            n_stack -= 1
            i = stack[n_stack]
            if left[i] < 0:
                node[n_found] = i
                low[n_found] = box_low[i]
                high[n_found] = box_high[i]
                n_found += 1
                continue
            j = feature[i]
            begin, end = first_level[j], first_level[j + 1]
            split = np.searchsorted(levels[begin:end], threshold[i])
            if split < box_high[i, j]:
                child = right[i]
                box_low[child] = box_low[i]
                box_high[child] = box_high[i]
                box_low[child, j] = max(box_low[i, j], split + 1)
                stack[n_stack] = child
                n_stack += 1
            if split >= box_low[i, j]:
                child = left[i]
                box_low[child] = box_low[i]
                box_high[child] = box_high[i]
                box_high[child, j] = min(box_high[i, j], split)
                stack[n_stack] = child
                n_stack += 1
    return node[:n_found].copy(), low[:n_found].copy(), high[:n_found].copy()


@kernel
def classify_cells(low, high, votes, n_values, n_inner, divisor, first, classes):
    """Class of each cell of some blocks: most votes, ties to the smaller class.

    The cells of the last `n_inner` features are a block; a leaf adds its votes to a whole block at once.
    Which leaves meet a block is the AND of one bitset for each outer feature.

    Parameters
    ----------
    low, high : int32 (n_leaves, p), inclusive
    votes : (n_leaves, n_classes), int16 or int64, which must hold the sums, or float64
    n_values : int64 (p,), levels of each feature
    n_inner : int, features of a block
    divisor : votes are divided by it before they are compared if they are floats, as scikit-learn does; below
        0 the class is that of the largest softmax
    first : int, number of the first block
    classes : uint8 (n_blocks * cells of a block,), is filled
    """
    n_leaves, p = low.shape
    n_classes = votes.shape[1]
    n_outer = p - n_inner
    width = 1
    for j in range(n_outer, p):
        width *= n_values[j]

    # inside[k] is 1 at the cells of the block that leaf k holds
    inside = np.ones((n_leaves, width), dtype=votes.dtype)
    for k in range(n_leaves):
        stride = width
        for j in range(n_outer, p):
            stride //= n_values[j]
            if low[k, j] == 0 and high[k, j] == n_values[j] - 1:
                continue
            cell = 0
            while cell < width:
                for z in range(n_values[j]):
                    if z < low[k, j] or z > high[k, j]:
                        inside[k, cell : cell + stride] = 0
                    cell += stride

    n_words = (n_leaves + 63) // 64
    most = 1
    for j in range(n_outer):
        most = max(most, n_values[j])
    meets = np.zeros((n_outer, most, n_words), dtype=np.uint64)
    for j in range(n_outer):
        for k in range(n_leaves):
            for z in range(low[k, j], high[k, j] + 1):
                meets[j, z, k // 64] |= np.uint64(1) << np.uint64(k % 64)

    # alive[j] : leaves that meet the current levels of the features before j
    alive = np.zeros((n_outer + 1, n_words), dtype=np.uint64)
    for k in range(n_leaves):
        alive[0, k // 64] |= np.uint64(1) << np.uint64(k % 64)
    z = np.zeros(n_outer + 1, dtype=np.int64)
    rest = first
    for j in range(n_outer - 1, -1, -1):
        z[j] = rest % n_values[j]
        rest //= n_values[j]
    total = np.zeros((n_classes, width), dtype=votes.dtype)
    changed = 0
    for block in range(len(classes) // width):
        for j in range(changed, n_outer):
            for word in range(n_words):
                alive[j + 1, word] = alive[j, word] & meets[j, z[j], word]
        total[:] = 0
        for word in range(n_words):
            bits = alive[n_outer, word]
            while bits != np.uint64(0):
                k = 64 * word + _lowest_bit(bits)
                bits &= bits - np.uint64(1)
                row = inside[k]
                for c in range(n_classes):
                    weight = votes[k, c]
                    if weight != 0:
                        sums = total[c]
                        for cell in range(width):
                            sums[cell] += weight * row[cell]
        _pick_classes(total, divisor, classes[block * width : (block + 1) * width])
        changed = n_outer - 1
        while changed >= 0:
            z[changed] += 1
            if z[changed] < n_values[changed]:
                break
            z[changed] = 0
            changed -= 1


@kernel(inner=True)
def _lowest_bit(bits):
    """Index of the lowest set bit of a uint64 that is not 0."""
    index = 0
    while not bits & np.uint64(0xFF):
        bits >>= np.uint64(8)
        index += 8
    while not bits & np.uint64(1):
        bits >>= np.uint64(1)
        index += 1
    return index


@kernel(inner=True)
def _pick_classes(total, divisor, classes):
    """First class of the largest total at each cell; `total` is (n_classes, width) and is overwritten."""
    n_classes, width = total.shape
    if divisor < 0:
        for cell in range(width):
            classes[cell] = softmax_class(total[:, cell])
        return
    best = total[0]
    if divisor > 1:
        for cell in range(width):
            best[cell] = best[cell] / divisor
    classes[:] = 0
    for c in range(1, n_classes):
        other = total[c]
        for cell in range(width):
            value = other[cell] / divisor if divisor > 1 else other[cell]
            if value > best[cell]:
                best[cell] = value
                classes[cell] = c


@kernel
def relevant_levels(classes, size, n):
    """Which hyperplanes of a feature separate two neighbouring cells of different class.

    Parameters
    ----------
    classes : uint8 (number of cells,)
    size : int, cells that follow each other without a change of the features before this one
    n : int, levels of the feature

    Returns
    -------
    bool (n - 1,), for the hyperplane between each level and the next
    """
    relevant = np.zeros(n - 1, dtype=np.bool_)
    stride = size // n
    for i in range(n - 1):
        for before in range(i * stride, len(classes), size):
            differs = 0
            for cell in range(before, before + stride):
                differs |= classes[cell] ^ classes[cell + stride]
            if differs:
                relevant[i] = True
                break
    return relevant
