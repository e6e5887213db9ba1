"""The one budget: limits that several searches share, tables that are counted."""

import pickle
import threading

import pytest

from treelib.search.budget import INTERRUPTED, MEMORY_LIMIT, NODE_LIMIT, Budget, Stopped
from treelib.topdown.learn.shared_time import part_of_memory


def test_shares_count_against_the_limits_of_all():
    """A limit that each of several searches may use up alone."""
    budget = Budget(node_limit=100, memory_limit=1000)
    one, other = budget.share(), budget.share()
    assert one.exceeded(60, 600) is None and budget.exceeded() is None
    assert other.exceeded(40, 300) == NODE_LIMIT == one.due() == budget.exceeded()
    assert budget.used() == (100, 900)
    other = budget.share()
    one.record(0.5, 0.5, 60, last=True)
    assert budget.used() == (100, 300)  # the tables of a search that is over are gone, its nodes are not


def test_shares_of_a_share_are_counted_once():
    """Nodes of a search in two parts that count for both parts and for the whole again."""
    budget = Budget(node_limit=100)
    search = budget.share(node_limit=50)
    parts = search.share(), search.share()
    for part in parts:
        part.exceeded(20, 10)
    assert budget.used() == search.used() == (40, 20)
    search.record(0.5, 0.2, 40)
    assert budget.used() == (40, 20) and parts[0].due() is None
    assert parts[1].exceeded(30, 10) == NODE_LIMIT and budget.exceeded() is None
    search.record(0.5, 0.5, 50, last=True)
    assert budget.used() == (50, 0)


def test_a_share_has_a_limit_of_its_own_and_the_time_of_the_whole():
    """A trial that ends all, or one that has all the time there is."""
    budget = Budget(time_limit=100, node_limit=1000)
    trial = budget.share(node_limit=10)
    assert trial.exceeded(10) == NODE_LIMIT and budget.exceeded() is None
    assert 90 < trial.time_left <= 100
    budget.start -= 200
    assert trial.time_left < 0 and trial.due() == "time_limit"


def test_what_is_claimed_counts_until_it_is_released():
    """Tables that are forgotten, a limit met by what was given back, or a claim counted that was refused."""
    budget = Budget(memory_limit=1000)
    budget.claim(700)
    with pytest.raises(Stopped, match=MEMORY_LIMIT):
        budget.claim(301)
    assert budget.used() == (0, 700)
    budget.release(500)
    budget.claim(800)
    assert budget.n_bytes == budget.peak_bytes == 1000
    budget.release(1000)
    budget.check()
    assert (budget.n_bytes, budget.peak_bytes) == (0, 1000)
    budget.forget()
    assert budget.peak_bytes == 0


def test_a_claim_of_a_share_sees_what_the_others_hold():
    """Two searches that together take twice the limit."""
    budget = Budget(memory_limit=1000)
    one, other = budget.share(), budget.share()
    one.claim(600)
    with pytest.raises(Stopped, match=MEMORY_LIMIT):
        other.claim(401)
    other.claim(400)
    assert budget.used() == (0, 1000)
    assert budget.share().share().most_bytes == 1000  # a share that asks before it makes its tables


def test_steps_at_once_take_their_room_so_many_times():
    """A forest of four threads that may hold four times its limit."""
    budget = Budget(memory_limit=1000, n_at_once=4)
    budget.claim(200)
    budget.check(150, together=200)
    assert budget.peak_bytes == 1000 and budget.n_bytes == 200
    with pytest.raises(Stopped, match=MEMORY_LIMIT):
        budget.check(201)


def test_nodes_that_are_counted_here_meet_the_limit():
    """A count that `check` does not look at."""
    budget = Budget(node_limit=5)
    budget.n_nodes = 4
    budget.check()
    budget.n_nodes = 5
    assert budget.due() is None
    with pytest.raises(Stopped, match=NODE_LIMIT):
        budget.check()


def test_stop_ends_all_searches_and_keeps_the_first_word():
    """Ctrl-C that reaches one of several threads, or a cause that the next one overwrites."""
    budget = Budget()
    share = budget.share()
    budget.stop()
    budget.stop(MEMORY_LIMIT)
    assert share.due() == share.exceeded(1, 1) == budget.exceeded() == INTERRUPTED
    assert pickle.loads(pickle.dumps(budget)).status == INTERRUPTED


def test_items_come_until_a_limit_is_met():
    """Work that is handed out after the end, or an end that nobody is told."""
    budget = Budget()
    done = []
    for k in budget.until_stopped(range(5)):
        done.append(k)
        if k == 2:
            budget.stop(MEMORY_LIMIT)
    assert done == [0, 1, 2] and budget.status == MEMORY_LIMIT


def test_a_long_step_is_watched_and_told_of():
    """A step that nobody stops, or progress that stands still during one."""
    flag, looks = threading.Event(), []

    def look():
        looks.append(1)
        if len(looks) == 3:
            budget.stop(INTERRUPTED)

    budget = Budget()
    assert budget.watch(lambda: flag.wait(30), flag.set, look) is True
    assert len(looks) >= 3


@pytest.mark.parametrize("has_begun", [False, True])
def test_ctrl_c_while_the_thread_starts_leaves_no_step_behind(monkeypatch, has_begun):
    """A step that goes on in its thread while its caller reads what it writes: a tree of two minds."""
    start, flag, running, began = threading.Thread.start, threading.Event(), [], threading.Event()

    def interrupted(thread):
        if has_begun:
            start(thread)
            began.wait()
            raise KeyboardInterrupt
        threading.Timer(0.05, lambda: start(thread)).start()  # it begins when its caller has given up
        raise KeyboardInterrupt

    def work():
        running.append(True)
        began.set()
        flag.wait(60)
        running.pop()

    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", lambda thread: _once(patched, start, interrupted, thread))
        with pytest.raises(KeyboardInterrupt):
            Budget().watch(work, flag.set)
    assert not running and flag.is_set()
    assert began.wait(0.2) == has_begun


def _once(patched, start, instead, thread):
    """The first start of a thread is another; those after it are as ever."""
    patched.setattr(threading.Thread, "start", start)
    instead(thread)


def test_a_table_that_stays_leaves_less_room():
    """A search that counts its own tables beside one that was made before it, or a part of a limit that is
    not held."""
    budget = Budget(memory_limit=100)
    share = budget.share()
    budget.reserve(30)
    assert budget.exceeded(n_bytes=70) is None
    assert budget.exceeded(n_bytes=71) == MEMORY_LIMIT == share.exceeded(n_bytes=71)
    part = part_of_memory(budget, 0.5)
    assert part.exceeded(n_bytes=35) is None and part.exceeded(n_bytes=36) == MEMORY_LIMIT


def test_a_share_has_seconds_of_its_own():
    """A part of the time that lasts as long as all of it, or longer."""
    budget = Budget(time_limit=100)
    assert 29 < budget.share(seconds=30).time_left <= 30
    assert 99 < budget.share(seconds=1000).time_left <= 100
    assert budget.share(seconds=-1.0).due() == "time_limit" and budget.due() is None
