"""Windows of the HAPT recordings by 561 features: the recipe of the set ``har-like``.

The recordings (UCI 341) are those of the set "human activity recognition using smartphones" (UCI 240) and
more. The features follow that set's public description: filtered accelerations and angular velocities of
windows of 2.56 s that overlap by half, their jerks, magnitudes and spectra, and summaries of each. What the
description leaves open is chosen here, so the set looks alike, and is another one.
"""

import gzip
import io
import pickle

import numpy as np
from scipy.signal import butter, lfilter, lfilter_zi, medfilt

RATE, WINDOW, STEP = 50.0, 128, 64  # hertz, samples, samples
N_ACTIVITIES = 6  # labels 1 .. 6; the transitions between them come after
EVERY = 13  # one window in so many is stored
DIGITS = 3
AXES = "XYZ"
BANDS = (
    [(8 * i, 8 * i + 8) for i in range(8)] + [(16 * i, 16 * i + 16) for i in range(4)] + [(0, 24), (24, 48)]
)


def derive(member):
    """Header and rows of the stored table from the pickled recordings."""
    header, rows, at = None, [], 0
    for values, labels in recordings(member):
        signals = derived_signals(values[:, :3], values[:, 3:6])
        changes = np.flatnonzero(np.diff(labels)) + 1
        for begin, end in zip([0, *changes], [*changes, len(labels)], strict=True):
            if not 1 <= labels[begin] <= N_ACTIVITIES:
                continue
            for start in range(begin, end - WINDOW + 1, STEP):
                if at % EVERY == 0:
                    named = features({name: x[start : start + WINDOW] for name, x in signals.items()})
                    header = [name for name, _ in named]
                    rows.append([f"{value:.{DIGITS}g}" for _, value in named] + [str(labels[begin] - 1)])
                at += 1
    return [*header, "class"], rows


# ---- the recordings ----------------------------------------------------------------------------------------


class _Part:
    """Stands in for every pandas object of the pickle; only arrays in it are used."""

    def __init__(self, *arguments):
        self.arguments = arguments

    def __setstate__(self, state):
        self.state = state


class _Unpickler(pickle.Unpickler):
    """Makes arrays and `_Part`, and runs nothing else."""

    def find_class(self, module, name):
        if module.startswith("numpy") and name in ("_reconstruct", "ndarray", "dtype"):
            return np._core.multiarray._reconstruct if name == "_reconstruct" else getattr(np, name)
        if module in ("builtins", "__builtin__") and name == "slice":
            return slice
        if (module, name) == ("_codecs", "encode"):
            return str.encode
        if name in ("_reconstructor", "_new_Index"):
            return lambda *arguments: _Part(*arguments)
        if module.startswith("pandas") or name == "object":
            return _Part
        raise pickle.UnpicklingError(f"{module}.{name} is not expected in this file.")


def recordings(member):
    """Signals, float64 (n, 6), and labels, intp (n,), of each recording: users and their runs in order."""
    users = _Unpickler(io.BytesIO(gzip.decompress(member))).load()
    for user in sorted(users):
        for frame in users[user]:
            floats, whole = frame.state["_data"].state[3]["0.14.1"]["blocks"]
            yield floats["values"].T, whole["values"][1].astype(np.intp)


def derived_signals(acceleration, turning):
    """The time signals that are summarised, float64 (n, 3) or (n,)."""
    total = low_pass(np.apply_along_axis(medfilt, 0, acceleration, 3), 20.0)
    turning = low_pass(np.apply_along_axis(medfilt, 0, turning, 3), 20.0)
    gravity = low_pass(total, 0.3)
    body = total - gravity
    found = {
        "tBodyAcc": body,
        "tGravityAcc": gravity,
        "tBodyAccJerk": jerk(body),
        "tBodyGyro": turning,
        "tBodyGyroJerk": jerk(turning),
    }
    sizes = {"tBodyAccMag": body, "tGravityAccMag": body, "tBodyAccJerkMag": found["tBodyAccJerk"]}
    sizes |= {"tBodyGyroMag": turning, "tBodyGyroJerkMag": found["tBodyGyroJerk"]}
    return found | {name: np.linalg.norm(x, axis=1) for name, x in sizes.items()}


def low_pass(x, frequency):
    """Butterworth filter of order 3 along the columns, causal."""
    numerator, denominator = butter(3, frequency / (RATE / 2))
    start = lfilter_zi(numerator, denominator)
    return np.column_stack([lfilter(numerator, denominator, c, zi=start * c[0])[0] for c in x.T])


def jerk(x):
    return np.diff(x, axis=0, prepend=x[:1]) * RATE


# ---- summaries ---------------------------------------------------------------------------------------------


def features(window):
    """(name, value) of the 561 features of one window, in the order of the description."""
    three = ("tBodyAcc", "tGravityAcc", "tBodyAccJerk", "tBodyGyro", "tBodyGyroJerk")
    found = []
    for name in three:
        found += _summaries(name, window[name].T) + _autoregression(name, window[name].T)
        correlation = _correlation(window[name].T)
        for i, j in ((0, 1), (0, 2), (1, 2)):
            found.append((f"{name}-correlation()-{AXES[i]};{AXES[j]}", correlation[i, j]))
    sizes = ("tBodyAccMag", "tGravityAccMag", "tBodyAccJerkMag", "tBodyGyroMag", "tBodyGyroJerkMag")
    for name in sizes:
        found += _summaries(name, window[name][None]) + _autoregression(name, window[name][None])
    for name in ("tBodyAcc", "tBodyAccJerk", "tBodyGyro"):
        spectra = _spectra(window[name].T)
        found += _summaries("f" + name[1:], spectra) + _shapes("f" + name[1:], spectra)
        for axis, spectrum in zip(AXES, spectra, strict=True):
            for a, b in BANDS:
                energy = (spectrum[a:b] ** 2).sum()
                found.append((f"f{name[1:]}-bandsEnergy()-{a + 1}-{b}-{axis}", energy))
    for name in sizes[:1] + sizes[2:]:
        spectra = _spectra(window[name][None])
        found += _summaries("f" + name[1:], spectra) + _shapes("f" + name[1:], spectra)
    gravity = window["tGravityAcc"].mean(axis=0)
    for name in ("tBodyAcc", "tBodyAccJerk", "tBodyGyro", "tBodyGyroJerk"):
        found.append((f"angle({name}Mean;gravity)", _angle(window[name].mean(axis=0), gravity)))
    for axis, unit in zip(AXES, np.eye(3), strict=True):
        found.append((f"angle({axis};gravityMean)", _angle(unit, gravity)))
    return found


def _each(name, what, values):
    """One (name, value) for each row of a signal of three axes, or of one."""
    ends = [f"-{axis}" for axis in AXES] if len(values) == len(AXES) else [""]
    return [(f"{name}-{what}{end}", float(value)) for end, value in zip(ends, values, strict=True)]


def _summaries(name, x):
    """Of the rows of x, float64 (1 or 3, n)."""
    n = x.shape[1]
    found = _each(name, "mean()", x.mean(axis=1)) + _each(name, "std()", x.std(axis=1, ddof=1))
    centred = np.abs(x - np.median(x, axis=1)[:, None])
    found += _each(name, "mad()", np.median(centred, axis=1))
    found += _each(name, "max()", x.max(axis=1)) + _each(name, "min()", x.min(axis=1))
    found.append((f"{name}-sma()", float(np.abs(x).sum() / n)))
    found += _each(name, "energy()", (x**2).mean(axis=1))
    found += _each(name, "iqr()", np.subtract(*np.percentile(x, [75, 25], axis=1)))
    return found + _each(name, "entropy()", [_entropy(row) for row in x])


def _entropy(x):
    """Of the shares of the energy, as a fraction of the largest possible."""
    share = x**2 / max((x**2).sum(), 1e-300)
    share = share[share > 0]
    return -(share * np.log(share)).sum() / np.log(len(x))


def _autoregression(name, x):
    """Four coefficients for each row of x, by Burg's method."""
    found = []
    for i, row in enumerate(x):
        for order, value in enumerate(_burg(row, 4)):
            end = f"-{AXES[i]};{order + 1}" if len(x) > 1 else f"{order + 1}"
            found.append((f"{name}-arCoeff(){end}", value))
    return found


def _burg(x, order):
    forward, backward, coefficients = x.copy(), x.copy(), np.ones(1)
    for _ in range(order):
        ahead, behind = forward[1:], backward[:-1]
        energy = ahead @ ahead + behind @ behind
        reflection = -2 * (ahead @ behind) / energy if energy > 0 else 0.0
        longer = np.append(coefficients, 0.0)
        coefficients = longer + reflection * longer[::-1]
        forward, backward = ahead + reflection * behind, behind + reflection * ahead
    return coefficients[1:]


def _spectra(x):
    """Amplitudes at 0 .. 63 times the lowest frequency of the rows of x, float64 (1 or 3, 64)."""
    return np.abs(np.fft.rfft(x, axis=1))[:, : WINDOW // 2] * (2 / WINDOW)


def _shapes(name, spectra):
    """Place of the largest amplitude, mean frequency, skewness and kurtosis of the amplitudes."""
    frequencies = np.fft.rfftfreq(WINDOW, 1 / RATE)[: WINDOW // 2]
    found = _each(name, "maxInds", spectra.argmax(axis=1))
    found += _each(name, "meanFreq()", spectra @ frequencies / spectra.sum(axis=1))
    centred = spectra - spectra.mean(axis=1)[:, None]
    spread = spectra.std(axis=1)
    found += _each(name, "skewness()", (centred**3).mean(axis=1) / spread**3)
    return found + _each(name, "kurtosis()", (centred**4).mean(axis=1) / spread**4)


def _correlation(x):
    """Of the rows of x; 0 for a row that is constant."""
    centred = x - x.mean(axis=1)[:, None]
    size = np.linalg.norm(centred, axis=1)
    return centred @ centred.T / np.maximum(np.outer(size, size), 1e-300)


def _angle(u, v):
    return float(np.arccos(np.clip(u @ v / max(np.linalg.norm(u) * np.linalg.norm(v), 1e-300), -1, 1)))
