"""Piecewise-constant functions of one parameter, the form of exact losses."""

from dataclasses import dataclass

import numpy as np

from treelib.tree.building import frozen


@dataclass(frozen=True, eq=False, repr=False)
class StepFunction:
    """A function that is constant between breakpoints.

    Attributes
    ----------
    breakpoints : float64 (n_pieces + 1,)
        Increasing; the first and the last are the ends of the domain, the last may be inf. Piece ``i`` is
        ``[breakpoints[i], breakpoints[i + 1])``. A single piece may begin and end at the same point if the
        function is known only there.
    values : (n_pieces,)

    Examples
    --------
    >>> import numpy as np
    >>> from treelib.topdown.learn.step_function import StepFunction
    >>> steps = StepFunction(np.array([0.0, 1.0, 3.0]), np.array([0.5, 0.2]))
    >>> float(steps(0.5)), float(steps(1.0))
    (0.5, 0.2)
    >>> float(steps.minimum), steps.minimisers()
    (0.2, [(1.0, 3.0)])
    """

    breakpoints: np.ndarray
    values: np.ndarray

    def __post_init__(self):
        breakpoints, values = np.asarray(self.breakpoints, dtype=np.float64), np.asarray(self.values)
        if values.ndim != 1 or len(values) == 0 or breakpoints.shape != (len(values) + 1,):
            raise ValueError(
                f"breakpoints {breakpoints.shape} must be one more than values {values.shape}, at least one."
            )
        is_point = len(values) == 1 and breakpoints[0] == breakpoints[1]
        if not is_point and not (np.diff(breakpoints) > 0).all():
            raise ValueError("The breakpoints must increase.")
        object.__setattr__(self, "breakpoints", frozen(breakpoints))
        object.__setattr__(self, "values", frozen(values))

    def __len__(self):
        return len(self.values)

    def __repr__(self):
        low, high = self.domain
        return f"<StepFunction: {len(self)} pieces on [{low:g}, {high:g}]>"

    @property
    def domain(self):
        """Ends of the domain, two floats."""
        return float(self.breakpoints[0]), float(self.breakpoints[-1])

    @property
    def lengths(self):
        """Length of each piece, float64 (n_pieces,)."""
        return np.diff(self.breakpoints)

    def piece(self, x):
        """Index of the piece that contains each point.

        Parameters
        ----------
        x : float or array-like
            Points of the domain.

        Returns
        -------
        intp ndarray of the shape of `x`
            The pieces.

        Raises
        ------
        ValueError
            For a point outside the domain.
        """
        x = np.asarray(x, dtype=np.float64)
        if not ((x >= self.breakpoints[0]) & (x <= self.breakpoints[-1])).all():
            raise ValueError(f"x must lie in the domain {self.domain}.")
        return np.clip(np.searchsorted(self.breakpoints, x, side="right") - 1, 0, len(self) - 1)

    def __call__(self, x):
        """Value at each `x`; on a breakpoint, that of the piece to its right."""
        return self.values[self.piece(x)]

    def points(self):
        """One point inside each piece.

        Returns
        -------
        float64 ndarray of shape (n_pieces,)
            The midpoint, or a step past the start of an unbounded piece.
        """
        low, high = self.breakpoints[:-1], self.breakpoints[1:]
        return np.where(np.isfinite(high), (low + high) / 2, low + 1)

    def simplified(self):
        """The same function without breakpoints across which the value does not change.

        Returns
        -------
        StepFunction
            A function with at most as many pieces.
        """
        keep = np.append(True, self.values[1:] != self.values[:-1])
        return StepFunction(np.append(self.breakpoints[:-1][keep], self.breakpoints[-1]), self.values[keep])

    @property
    def minimum(self):
        """The minimum value."""
        return self.values.min()

    def minimisers(self, tolerance=0.0):
        """Maximal intervals on which the value is within `tolerance` of the minimum.

        Parameters
        ----------
        tolerance : float
            Allowed excess over the minimum.

        Returns
        -------
        list of (low, high)
            The intervals, in order.
        """
        intervals = []
        for i in np.flatnonzero(self.values <= self.minimum + tolerance):
            low, high = float(self.breakpoints[i]), float(self.breakpoints[i + 1])
            if intervals and intervals[-1][1] == low:
                intervals[-1] = (intervals[-1][0], high)
            else:
                intervals.append((low, high))
        return intervals

    @property
    def best(self):
        """Midpoint of the longest bounded interval of minimum value; if none is bounded, its lower end."""
        intervals = self.minimisers()
        bounded = [interval for interval in intervals if interval[1] < np.inf]
        if not bounded:
            return intervals[0][0]
        low, high = max(bounded, key=lambda interval: interval[1] - interval[0])
        return low + (high - low) / 2


def add_steps(functions, combine=None):
    """One step function of several on the same domain.

    Parameters
    ----------
    functions : sequence of StepFunction
    combine : callable of (n_functions, n_pieces) values -> (n_pieces,), default their sum

    Returns
    -------
    StepFunction, with a breakpoint wherever one of `functions` has one
    """
    functions = list(functions)
    if not functions or len({function.domain for function in functions}) != 1:
        raise ValueError("Step functions can be added when there are some, all on one domain.")
    breakpoints = np.unique(np.concatenate([function.breakpoints for function in functions]))
    values = np.stack([f.values[f.piece(breakpoints[:-1])] for f in functions])
    return StepFunction(breakpoints, values.sum(axis=0) if combine is None else combine(values))


def mean_steps(functions):
    """Mean of step functions on the interval that all of them cover, without breakpoints where it does not
    change; rounded to 14 digits, so that equal means are equal numbers."""
    low = max(function.domain[0] for function in functions)
    high = min(function.domain[1] for function in functions)
    if low == high:
        return StepFunction([low, high], [np.round(np.mean([function(low) for function in functions]), 14)])
    cut = []
    for function in functions:
        inside = (function.breakpoints > low) & (function.breakpoints < high)
        breakpoints = np.concatenate([[low], function.breakpoints[inside], [high]])
        cut.append(StepFunction(breakpoints, function(breakpoints[:-1])))
    return add_steps(cut, lambda values: np.round(values.mean(axis=0), 14)).simplified()
