"""Where values on a page come from, in one line: computed in a cell above, or stored, and how to run it."""

import json
from dataclasses import dataclass

from treelib.ledger import store
from treelib.ledger.page.cells import WATCH
from treelib.ledger.page.place import address


@dataclass(frozen=True)
class Stored:
    """What is worth knowing of the records of an experiment, or of some of its cases.

    Attributes
    ----------
    name : str, of the experiment
    part : dict, the cases with these values; empty: all
    first, last : str, dates of the oldest and the newest record, ISO
    seconds : float, of all cases one after the other
    cores : int, processors of the machine
    commits : tuple of str
    packages : dict of package to version, of the newest record
    fresh : bool, run now
    live : bool, run when the site was built (``make book LIVE=1``)
    stale : bool, code or data beneath have changed since; only what runs on request is shown then
    """

    name: str
    part: dict
    first: str
    last: str
    seconds: float
    cores: int
    commits: tuple
    packages: dict
    fresh: bool = False
    live: bool = False
    stale: bool = False

    @property
    def call(self):
        """How to run it again, Python."""
        values = {
            key: json.dumps(value) if isinstance(value, str) else value for key, value in self.part.items()
        }
        arguments = [json.dumps(self.name), *(f"{key}={value}" for key, value in values.items())]
        return f"reproduce({', '.join([*arguments, 'fresh=True'])})"

    @property
    def dates(self):
        return self.first if self.first == self.last else f"{self.first} to {self.last}"

    def line(self):
        """One sentence, plain text."""
        if self.fresh:
            return f"Computed here in {seconds_text(self.seconds)} by {self.call}."
        if self.live:
            return f"Computed for this page in {seconds_text(self.seconds)}; {self.call} runs it again."
        return (
            f"Stored record of {self.dates}, {seconds_text(self.seconds)} on {self.cores} cores; "
            f"{self.call} runs it again." + " Code or data beneath it have changed since." * self.stale
        )

    def html(self):
        """The sentence with the call as code, and a link to the function that runs a case."""
        text = self.line().replace(self.call, f"<code>{self.call}</code>").replace('"', "&quot;")
        return f'{text} <a href="{address(f"records/{self.name}.html#code")}">Its code</a>.'


def stored(name, part, entries, fresh=False):
    """`Stored` of records (list of dict as the store keeps them, at least one)."""
    ran = [entry["provenance"] for entry in entries]
    dates = sorted(one["started"][:10] for one in ran)
    folder = store.live()
    lately = {entry["key"] for entry in store.records(name, None, (folder,)).values()} if folder else set()
    newest = max(ran, key=lambda one: one["started"])
    return Stored(
        name=name,
        part=dict(part),
        first=dates[0],
        last=dates[-1],
        seconds=sum(one["seconds"] for one in ran),
        cores=newest["cores"],
        commits=tuple(sorted({one.get("commit", "") for one in ran})),
        packages={"treelib": newest.get("treelib", ""), "python": newest["python"], **newest["packages"]},
        fresh=fresh,
        live={entry["key"] for entry in entries} <= lately,
        stale=not all(store.is_fresh(name, entry) for entry in entries),
    )


def seconds_text(seconds):
    """Seconds for readers: 0.03 s, 2.1 s, 28 s, 12 minutes."""
    if seconds >= 180:
        return f"{seconds / 60:.0f} minutes"
    if seconds >= 10:
        return f"{seconds:.0f} s"
    return f"{seconds:.1f} s" if seconds >= 0.1 else f"{max(seconds, 0.01):.2f} s"


def origin(verdicts=(), cells=1, watch=WATCH):
    """Where the values shown come from, HTML of one paragraph; empty where nothing is known.

    Parameters
    ----------
    verdicts : iterable of Verdict that are shown; their experiments are named
    cells : int, how many cells above made them: the last ones that do not judge themselves
    """
    verdicts = list(verdicts)
    made = watch.made(cells)
    records = {(one.name, tuple(one.part.items())): one for cell in made for one in cell.records}
    named = {one.name for one in records.values()}
    for name in dict.fromkeys(verdict.experiment for verdict in verdicts if verdict.experiment):
        entries = [] if name in named else list(store.records(name).values())
        if entries:
            records[(name, ())] = stored(name, {}, entries)
    here = [cell.seconds for cell in made if cell.seconds is not None and not cell.records]
    lines = []
    if here and (not verdicts or any(not verdict.experiment for verdict in verdicts)):
        lines.append(f"Computed here in {seconds_text(sum(here))}.")
    lines += [one.html() for one in records.values()]
    return f'<p class="origin">{" ".join(lines)}</p>' if lines else ""
