"""The queue and the tables of the paper's branch and bound: many states at once, wide masks, room to grow."""

import heapq

import numpy as np
import pytest

from treelib.sparse.paper import border, search_state, state_queue
from treelib.sparse.paper.bounds import switches


def empty_queue(room):
    """Search of nothing, with room for so many states."""
    X, y = np.eye(2, dtype=np.uint8), np.array([0, 1])
    search = search_state.new_search(*border.merge_rows(X, y, np.arange(2)), 0.1, 0, False, None)
    return search._replace(
        on=switches(()),
        queue=np.empty(room, search_state.STATE),
        wide=np.empty(room, search_state.WIDE_STATE),
    )


@pytest.mark.parametrize("n_metrics, share", [(2, 1.0), (5, 0.9), (40, 0.99), (1000, 1.0), (1000, 0.5)])
def test_many_states_taken_at_once_are_those_taken_one_by_one(n_metrics, share):
    """An entry that sinks in the way of one before it; a state taken with the beaten ones that is not."""
    rng = np.random.default_rng(n_metrics)
    search, heap = empty_queue(20_000), []
    now = search.now[0]
    for name in range(200):
        for metric in rng.integers(n_metrics, size=rng.integers(100)):
            is_beaten = rng.random() < share
            state_queue.push_state(search, float(metric), name, np.uint64(name + 1), np.int64(is_beaten))
            heapq.heappush(heap, Taken(metric, name, is_beaten))
        most, last = int(rng.integers(1, 120)), None
        n_taken = state_queue.take_beaten(search, most)
        for _ in range(n_taken):
            last = heapq.heappop(heap)
            assert last.is_beaten
        assert n_taken == most or not heap or not heap[0].is_beaten
        assert last is None or (now["tree"], now["mask"]) == (last.name, last.name + 1)
        assert now["queue_size"] == len(heap)
        queue = search.queue[: len(heap)]
        assert queue["metric"].tolist() == [one.metric for one in heap]
        assert (queue["tree"] >> 1).tolist() == [one.name for one in heap]
        if heap:
            state_queue.take_state(search)
            assert now["tree"] == heapq.heappop(heap).name


def test_a_long_run_of_beaten_states():
    """States that sink behind one another at the bottom of a heap that has little left."""
    rng, n = np.random.default_rng(0), 300_000
    search = empty_queue(n)
    metrics = rng.integers(1000, size=n)
    heap = []
    for name, metric in enumerate(metrics.tolist()):
        state_queue.push_state(search, float(metric), name, np.uint64(1), np.int64(1))
        heapq.heappush(heap, Taken(metric, name, True))
    left = n
    while left:
        left -= state_queue.take_beaten(search, left - left // 3)
        while len(heap) > left:
            heapq.heappop(heap)
        assert search.queue["metric"][:left].tolist() == [one.metric for one in heap]
        assert (search.queue["tree"][:left] >> 1).tolist() == [one.name for one in heap]


class Taken:
    """An entry of `heapq`."""

    def __init__(self, metric, name, is_beaten):
        self.metric, self.name, self.is_beaten = metric, name, is_beaten

    def __lt__(self, other):
        return self.metric < other.metric


def test_masks_of_any_width_come_back():
    """A mask of more than 32 bits that is cut off, or all ones that mean something else."""
    masks = [1, 2**32 - 2, 2**32 - 1, 2**32, 2**63 + 5, 2**64 - 1]
    search = empty_queue(len(masks))
    for k, mask in enumerate(masks):
        state_queue.push_state(search, float(k), 100 + k, np.uint64(mask), k % 2)
    for k, mask in enumerate(masks):
        if k % 2:
            assert state_queue.take_beaten(search, 9) == 1
        else:
            state_queue.take_state(search)
        assert (search.now[0]["tree"], int(search.now[0]["mask"])) == (100 + k, mask)
