"""Where values on a page come from, in one line: computed in a cell above, or stored, and how to run it."""

import json
from dataclasses import dataclass

from treelib.ledger import experiments, store
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
    commits : tuple of str
    packages : dict of package to version, of the newest record
    fresh : bool, run now
    live : bool, run when the site was built (``make book LIVE=1``)
    changed : str, what beneath it has changed since: "code", "data", both or nothing; only what runs on
        request is shown then
    """

    name: str
    part: dict
    first: str
    last: str
    seconds: float
    commits: tuple
    packages: dict
    fresh: bool = False
    live: bool = False
    changed: str = ""

    @property
    def call(self):
        """How to run it again, Python."""
        return f"reproduce({', '.join([json.dumps(self.name), *self._cases(), 'fresh=True'])})"

    def _cases(self):
        return [
            f"{key}={json.dumps(value) if isinstance(value, str) else value}"
            for key, value in self.part.items()
        ]

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
            f"Stored record of {self.dates}, {seconds_text(self.seconds)} with its cases one after the "
            "other; "
            f"{self.call} runs it again.{self.since()}"
        )

    def since(self):
        """What has changed since, a sentence or nothing."""
        if not self.changed:
            return ""
        commit = "".join(f" ({one[:7]})" for one in self.commits[-1:] if one)
        return (
            f" It runs only when it is named: this is the last run, and the {self.changed} beneath it "
            f"changed since{commit}."
        )

    def html(self):
        """The sentence with the call as code, which leads to the function that runs a case."""
        before, _, after = self.line().partition(self.call)
        return f"{before}{self.link(self.call)}{after}"

    def link(self, text=""):
        """`text` as code, or the experiment and the cases, with a link to the function that runs a case."""
        text = (text or ", ".join([self.name, *self._cases()])).replace('"', "&quot;")
        return f'<a href="{address(f"records/{self.name}.html#code")}"><code>{text}</code></a>'


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
        commits=tuple(sorted({one.get("commit", "") for one in ran})),
        packages={"treelib": newest.get("treelib", ""), "python": newest["python"], **newest["packages"]},
        fresh=fresh,
        live={entry["key"] for entry in entries} <= lately,
        changed=_changed(name, entries),
    )


def _changed(name, entries):
    """What beneath some records is not as it was when they ran."""
    old = [entry for entry in entries if not store.is_fresh(name, entry)]
    if not old:
        return ""
    sources = experiments.loaded_digest(name)
    code = any(entry["provenance"].get("sources") != sources for entry in old)
    data = any(
        store.data_digest(one) != digest
        for entry in old
        for one, digest in entry["provenance"].get("data", {}).items()
    )
    return " and ".join(["code"] * code + ["data"] * data) or "code or data"


def seconds_text(seconds):
    """Seconds for readers: 0.03 s, 2.1 s, 28 s, 12 minutes."""
    if seconds >= 180:
        return f"{seconds / 60:.0f} minutes"
    if seconds >= 10:
        return f"{seconds:.0f} s"
    return f"{seconds:.1f} s" if seconds >= 0.1 else f"{max(seconds, 0.01):.2f} s"
