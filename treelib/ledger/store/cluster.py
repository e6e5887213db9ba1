"""Many machines: cases of experiments, and all else that runs on joblib, sent to a Dask cluster.

A result must not depend on where it was computed. So a cluster is taken only if each worker has the sources,
the Python and the packages of the machine that asks, and runs one case at a time; and a record is kept only
if its key is the one expected here (`treelib.ledger.store.running`).
"""

import contextlib
import platform
from concurrent.futures import FIRST_COMPLETED, wait

from treelib.compiled import sources
from treelib.ledger import experiments
from treelib.ledger.store import one_case
from treelib.ledger.store.schedule import admissible

PATIENCE = 30  # seconds to wait for the scheduler, and for the first worker
_clients = []


@contextlib.contextmanager
def connect(address):
    """Let joblib run on the Dask cluster with the scheduler `address`, such as ``"tcp://10.0.0.1:8786"``.

    Raises
    ------
    ValueError
        Dask is missing, nobody answers, or a worker differs from this machine in its sources or versions, or
        runs several threads.
    """
    try:
        from distributed import Client
    except ImportError:
        raise ValueError("--scheduler needs Dask: pip install 'treelib-companion[cluster]'.") from None
    import joblib

    try:
        client = Client(address, timeout=PATIENCE)
    except OSError:
        raise ValueError(f"no Dask scheduler answers at {address}.") from None
    with client:
        _check_workers(client, address)
        _clients.append(client)
        try:
            with joblib.parallel_config(backend="dask", client=client):
                yield client
        finally:
            _clients.pop()


def current():
    """The cluster that `connect` has entered last and not left, a Dask client; None without one."""
    return _clients[-1] if _clients else None


def outcomes(client, tasks, lanes=None):
    """(task, record or None, error text or None) of each task as it is done, on the workers of a cluster.

    tasks : list of `schedule.Task`, in the order in which they are sent
    lanes : int or None, most tasks at a time; None: one a worker, also those that join later

    A case whose worker is lost goes to another one; only one that has cost several their life is given up
    (``distributed.scheduler.allowed-failures`` of Dask).
    """
    waiting, running, executor = list(tasks), {}, client.get_executor(pure=False)
    try:
        while waiting or running:
            at_once = lanes or len(client.nthreads())
            while len(running) < at_once:
                one = admissible(waiting, running.values(), float("inf"))
                if one is None:
                    break
                waiting.remove(one)
                function, arguments = experiments.elsewhere(_run, one.name, one.case)
                running[executor.submit(function, *arguments)] = one
            for future in wait(running, timeout=PATIENCE, return_when=FIRST_COMPLETED).done:
                one = running.pop(future)
                yield one, *_read(future, one)
    finally:  # broken off from outside
        for future in running:
            future.cancel()


def _read(future, one):
    from distributed import KilledWorker

    try:
        return future.result()[1:]
    except KilledWorker:
        return None, f"{one.case}: each worker that ran it was lost, perhaps for want of memory"
    except Exception as error:
        return None, f"{one.case}: the cluster did not run it: {type(error).__name__} {error}"


def _run(name, case):
    """One case on a worker: what it runs in parallel itself stays there."""
    from joblib import parallel_config

    with parallel_config(backend="threading", n_jobs=1):
        return one_case.run_case(name, case)


def fingerprint():
    """What must be the same on all machines, dict: digest of all sources, Python, and packages."""
    return {
        "sources": sources.digest(_all_modules()),
        "python": ".".join(platform.python_version_tuple()[:2]),
        **one_case.machine()["packages"],
    }


def _check_workers(client, address):
    from dask.distributed import TimeoutError as TooLate

    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TooLate:
        raise ValueError(f"the Dask scheduler at {address} has no workers.") from None
    crowded = sorted(worker for worker, threads in client.nthreads().items() if threads != 1)
    if crowded:
        raise ValueError(
            f"the Dask worker {crowded[0]} runs several threads, which blurs times and memory of a case; "
            "start workers with `dask worker --nthreads 1 --nworkers <processors>`."
        )
    own = fingerprint()
    for worker, outcome in sorted(client.run(fingerprint, on_error="return").items()):
        if isinstance(outcome, Exception):
            raise ValueError(f"the Dask worker {worker} cannot import treelib: {outcome}")
        other = [name for name in own if outcome.get(name) != own[name]]
        if other:
            name = other[0]
            raise ValueError(
                f"the Dask worker {worker} has other {name} ({outcome.get(name, 'none')}, here {own[name]}): "
                "results could differ. Install the same versions on all machines."
            )


def _all_modules():
    root = sources.PACKAGE
    names = (path.relative_to(root.parent).with_suffix("").parts for path in root.rglob("*.py"))
    return sorted({".".join(parts).removesuffix(".__init__") for parts in names})
