"""What a run hands to a judge: trials of a statement, random draws, a ratio, readings of a table.

A verdict is never given on a bare truth value. These objects hold counts and values that a run made; they
refuse what cannot be one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from numbers import Integral, Real
from types import MappingProxyType
from typing import ClassVar

import numpy as np

from treelib.ledger.protocol.digits import at_printed_digits, grouped, significant

HOW = EXHAUSTIVE, RANDOM, GIVEN, WHOLE = ("exhaustive", "random", "given", "whole")


@dataclass(frozen=True)
class Trials:
    """Cases in which a statement was tried.

    Attributes
    ----------
    cases, failed : int, how many were tried, and in how many it did not hold
    worst : str, the case in which it fails most, with its numbers; needed where any fails
    where : str, what the cases are: "all trees of at most 4 leaves on 3 columns"
    how : {"exhaustive", "random", "given", "whole"}; all cases of some size, drawn ones, some of the paper's,
        or all that the sentence speaks of, so that nothing is left to chance
    chance : float, share of cases that would hold by chance alone where each is a test of random runs
    """

    cases: int
    failed: int
    worst: str
    where: str
    how: str = GIVEN
    chance: float = 0.0

    def __post_init__(self):
        for name in ("cases", "failed"):
            value = getattr(self, name)
            if isinstance(value, bool | np.bool_) or not isinstance(value, Integral):
                raise ValueError(f"{name}={value!r} must be the whole number of cases that a run counted.")
            object.__setattr__(self, name, int(value))
        if not self.cases > 0 or not 0 <= self.failed <= self.cases:
            raise ValueError(
                f"{self.failed} of {self.cases} cases failed: a run that tried nothing is no evidence."
            )
        if self.failed and not self.worst:
            raise ValueError(f"{self.failed} cases failed: name the worst, with its numbers.")
        if not self.where:
            raise ValueError("Say in `where` what the cases are.")
        if self.how not in HOW:
            raise ValueError(f"how={self.how!r} must be one of {', '.join(HOW)}.")

    @classmethod
    def of(cls, results, where, how=GIVEN, chance=0.0):
        """Count the cases of a run.

        Parameters
        ----------
        results : iterable of (case, holds) or (case, holds, excess) The name of each case, whether the
            statement holds in it (bool), and by how much it fails (number); the worst is that of the
            largest excess, else the first that fails.
        where, how, chance : as above
        """
        cases, failed, worst, most = 0, 0, "", None
        for case, holds, *excess in results:
            if not isinstance(holds, bool | np.bool_):
                raise ValueError(f"{case}: whether it holds must be True or False, not {holds!r}.")
            cases += 1
            if holds:
                continue
            failed += 1
            size = excess[0] if excess else None
            if most is None or (size is not None and size > most):
                worst, most = f"{case}{f', by {size:.3g}' if size is not None else ''}", size if excess else 0
        return cls(cases, failed, worst, where, how, chance)

    @property
    def held(self):
        """In how many cases it holds."""
        return self.cases - self.failed

    def text(self):
        """The trials in words."""
        sort = {EXHAUSTIVE: "all ", RANDOM: "random: "}.get(self.how, "")
        words = f"holds in {self.held:,} of {self.cases:,} cases ({sort}{self.where})"
        return f"{words}; the worst is {self.worst}" if self.failed else words


@dataclass(frozen=True)
class Draws:
    """Values of one quantity in repeated random runs of ours (splits, seeds, samples).

    Attributes
    ----------
    values : numbers, at least two
    within : (least, largest) that such a quantity can have at all: an accuracy in % lies within (0, 100)
    """

    values: tuple
    within: tuple = (float("-inf"), float("inf"))

    def __post_init__(self):
        values = tuple(float(value) for value in np.asarray(self.values, dtype=float).ravel())
        if len(values) < 2:
            raise ValueError(f"{len(values)} draws have no spread: run at least two.")
        if not np.isfinite(values).all():
            raise ValueError("A draw is not a finite number: leave out no run, mend it.")
        if not self.within[0] <= min(values) <= max(values) <= self.within[1]:
            raise ValueError(f"Draws from {min(values):g} to {max(values):g} lie outside {self.within}.")
        object.__setattr__(self, "values", values)

    def __len__(self):
        return len(self.values)


@dataclass(frozen=True)
class Ratio:
    """A measured value over that of the reference cell of the same table, both measured by us.

    Attributes
    ----------
    value, anchor : numbers above 0, in one unit
    shortest : number or None, the shorter of the two times, in seconds; None where no times are compared, or
        where the shorter is a median of repeated runs
    scale : number, 100 where the quotient is printed in per cent
    """

    value: Real
    anchor: Real
    shortest: Real | None = None
    scale: Real = 1

    def __post_init__(self):
        if not (self.value > 0 and self.anchor > 0):
            raise ValueError(f"{self.value} over {self.anchor}: both must be above 0.")

    @classmethod
    def of_seconds(cls, value, anchor):
        """The ratio of two times measured once, in seconds."""
        return cls(value, anchor, min(value, anchor))

    @property
    def ratio(self):
        """The quotient, Fraction."""
        return self.scale * Fraction(self.value) / Fraction(self.anchor)


@dataclass(frozen=True)
class Readings:
    """What the readings of a table give that the paper leaves open. All are run; one judges the whole table.

    Attributes
    ----------
    question : str, what is open: "what a tie does", "where the box ends"
    chosen : str, the reading that the text supports best
    values : mapping of reading to number, Draws or Ratio
    """

    MOST: ClassVar[int] = 4  # readings beside the chosen one that are told by name

    question: str
    chosen: str
    values: Mapping

    def __post_init__(self):
        if self.chosen not in self.values or len(self.values) < 2 or not self.question:
            raise ValueError(
                f"{self.question!r}: name the question, at least two readings, and one of them as chosen; "
                f"{self.chosen!r} of {', '.join(self.values)}."
            )
        object.__setattr__(self, "values", MappingProxyType(dict(self.values)))

    @property
    def value(self):
        """What the chosen reading gives."""
        return self.values[self.chosen]

    def others(self, part="mean", printed=""):
        """The readings not chosen and what they give, in words: of many, the least and the largest value.

        part : "min", "mean" or "max" of draws; printed : the printed number, whose digits numbers are shown
        with."""
        others = {name: value for name, value in self.values.items() if name != self.chosen}
        if len(others) <= self.MOST:
            return ", ".join(f"{short(value, part, printed)} as {name}" for name, value in others.items())
        ends = [end(others.values(), key=lambda value: size(value, part)) for end in (min, max)]
        least, most = (short(end, part, printed) for end in ends)
        return f"{least} to {most} as the other {len(others)}"


def size(value, part="mean"):
    """A value or evidence as one number; part : "min", "mean" or "max", what is taken of draws."""
    if isinstance(value, Draws):
        return {"min": np.min, "mean": np.mean, "max": np.max}[part](value.values)
    return value.ratio if isinstance(value, Ratio) else value


@dataclass(frozen=True)
class Alone:
    """A number by the only reading that was run of those that a table leaves open.

    Attributes
    ----------
    question, chosen : str, as for `Readings`
    value : number, Draws or Ratio
    """

    question: str
    chosen: str
    value: object


def short(value, part="mean", printed=""):
    """A value or evidence in few characters; part : "min", "mean" or "max", what is said of draws; printed :
    text of the number whose digits are enough, if there is one."""
    if isinstance(value, Draws):
        return f"{significant(size(value, part))} ({part} of {len(value)})"
    if isinstance(value, Ratio):
        return significant(value.ratio)
    if not isinstance(value, Real | Fraction):
        return str(value)
    return grouped(at_printed_digits(value, printed) if printed else f"{float(value):.12g}")


@dataclass(frozen=True)
class Wins:
    """How often each point of a grid was the best in random repetitions of a choice.

    Attributes
    ----------
    counts : mapping of grid point (number, or a tuple where several parameters are chosen together) to the
        number of repetitions it won; all points of the grid, 0 included. Where several are best in one
        repetition, all of them win it, or each a part of it.
    n_runs : int, number of repetitions
    printed : tuple or None, the point that the paper prints, where points are tuples
    place : int, which of its numbers the claim prints
    """

    LEAST: ClassVar[float] = 0.01

    counts: Mapping
    n_runs: int
    printed: tuple | None = None
    place: int = 0

    def __post_init__(self):
        counts = {self._key(point): n if self.printed else int(n) for point, n in self.counts.items()}
        if (
            len(counts) < 2
            or self.n_runs < 1
            or sum(counts.values()) < self.n_runs * (1 - 1e-6)
            or min(counts.values()) < 0
        ):
            raise ValueError(
                "Give the wins of all points of the grid, at least two, at least one win a repetition."
            )
        object.__setattr__(self, "counts", MappingProxyType(counts))

    @staticmethod
    def _key(point):
        return (
            tuple(Fraction(str(one)) for one in point) if isinstance(point, tuple) else Fraction(str(point))
        )

    def shown(self, point):
        """What of a grid point stands beside the claim's number."""
        return point[self.place] if isinstance(point, tuple) else point

    def name(self, point):
        """A grid point in words."""
        return f"({', '.join(map(short, point))})" if isinstance(point, tuple) else short(point)

    @property
    def n_points(self):
        """Number of grid points."""
        return len(self.counts)

    def of(self, point):
        """The grid point that the claim prints, the repetitions it won, the number of points with a share of
        `LEAST` or more, and the best.

        Raises
        ------
        ValueError
            The point is not on the grid.
        """
        key = self._key(self.printed) if self.printed else point
        if key not in self.counts or self.shown(key) != point:
            raise ValueError(f"{float(point):g} is not on the grid that was searched.")
        passing = sum(n >= self.LEAST * self.n_runs for n in self.counts.values())
        return key, self.counts[key], passing, max(self.counts, key=self.counts.get)
