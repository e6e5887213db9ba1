"""Where values on a page come from, in one line: computed in a cell above, or stored, and how to run it."""

import json
from dataclasses import dataclass

from treelib.ledger import experiments, store
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

    @property
    def is_kept(self):
        """Whether it was run before this page was made, by the code and from the data of today."""
        return not (self.fresh or self.live or self.changed)


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


def _together(records):
    """One sentence for several kept records, HTML."""
    dates = sorted(date for one in records for date in (one.first, one.last))
    dates = dates[0] if dates[0] == dates[-1] else f"{dates[0]} to {dates[-1]}"
    seconds = sum(one.seconds for one in records)
    return (
        f"Stored records of {dates}, {seconds_text(seconds)} with their cases one after the other: "
        f"{', '.join(one.link() for one in records)}; <code>reproduce(name, fresh=True)</code> runs one anew."
    )


def seconds_text(seconds):
    """Seconds for readers: 0.03 s, 2.1 s, 28 s, 12 minutes."""
    if seconds >= 180:
        return f"{seconds / 60:.0f} minutes"
    if seconds >= 10:
        return f"{seconds:.0f} s"
    return f"{seconds:.1f} s" if seconds >= 0.1 else f"{max(seconds, 0.01):.2f} s"


def origin(verdicts=(), cells=1, watch=WATCH, of=()):
    """Where the values shown come from, HTML of one paragraph; empty where nothing is known.

    Parameters
    ----------
    verdicts : iterable of Verdict that are shown; their experiments are named
    cells : int, how many cells above made them: the last ones that do not judge themselves
    of : iterable of Record, the values are theirs; then the cells above are not asked
    """
    if of:
        return f'<p class="origin">{" ".join(record.origin.html() for record in of)}</p>'
    verdicts = list(verdicts)
    made = watch.made(cells)
    records = {(one.name, tuple(one.part.items())): one for cell in made for one in cell.records}
    for name in dict.fromkeys(verdict.experiment for verdict in verdicts if verdict.experiment):
        cases = [verdict.case or {} for verdict in verdicts if verdict.experiment == name]
        parts = [dict(part) for known, part in records if known == name]
        # a record of other cases is no source of these values: of all cases, then
        if all(any(part.items() <= case.items() for part in parts) for case in cases):
            continue
        entries = list(store.records(name).values())
        if entries:
            records = {key: one for key, one in records.items() if key[0] != name}
            records[(name, ())] = stored(name, {}, entries)
    here = [cell.seconds for cell in made if cell.seconds is not None and not cell.records]
    lines = []
    if here and (not verdicts or any(not verdict.experiment for verdict in verdicts)):
        lines.append(f"Computed here in {seconds_text(sum(here))}.")
    kept = [one for one in records.values() if one.is_kept]
    lines += [_together(kept)] if len(kept) > 1 else [one.html() for one in kept]
    lines += [one.html() for one in records.values() if not one.is_kept]
    return f'<p class="origin">{" ".join(lines)}</p>' if lines else ""
