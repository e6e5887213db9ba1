"""Convergence diagnostics of Markov chains.

References
----------
Gelman, Carlin, Stern, Dunson, Vehtari, Rubin (2013), Bayesian Data Analysis, third edition, Section 11.4:
R-hat of split chains, and the effective sample size from autocorrelations, cut off where the sum of two
neighbouring ones (Geyer 1992) becomes negative.
"""

import numpy as np

# Vehtari, Gelman, Simpson, Carpenter and Buerkner (2021) ask for an R-hat below 1.01 and 100 draws a chain;
# over trees, whose posteriors have many modes, few chains come near: these are the older, milder bounds
MOST_R_HAT = 1.1
LEAST_ESS = 100


def split_r_hat(draws):
    """Potential scale reduction of a quantity, near 1 where all chains agree.

    Parameters
    ----------
    draws : float (n_chains, n_draws)

    Returns
    -------
    float; NaN for fewer than 4 draws, inf for chains that stand still in different places
    """
    halves = _halves(draws)
    if halves is None:
        return np.nan
    n = halves.shape[1]
    between = n * halves.mean(axis=1).var(ddof=1)
    within = halves.var(axis=1, ddof=1).mean()
    if within <= 0:
        return 1.0 if between <= 0 else np.inf
    return float(np.sqrt((n - 1) / n + between / (n * within)))


def effective_sample_size(draws):
    """Number of independent draws that tell as much about the mean as all chains together; NaN for fewer
    than 4 draws or where nothing moves.

    Parameters
    ----------
    draws : float (n_chains, n_draws)
    """
    halves = _halves(draws)
    if halves is None:
        return np.nan
    m, n = halves.shape
    centred = halves - halves.mean(axis=1, keepdims=True)
    spectrum = np.abs(np.fft.rfft(centred, 2 * n, axis=1)) ** 2
    autocovariance = np.fft.irfft(spectrum, axis=1)[:, :n].mean(axis=0) / n
    total = autocovariance[0] + halves.mean(axis=1).var(ddof=1)  # of a draw, over all chains
    if total <= 0:
        return np.nan
    correlation = 1 - (autocovariance[0] - autocovariance) / total
    correlation[0] = 1.0
    pairs = correlation[: n // 2 * 2].reshape(-1, 2).sum(axis=1)
    negative = np.flatnonzero(pairs < 0)
    pairs = np.minimum.accumulate(pairs[: negative[0] if len(negative) else None])
    return float(min(m * n / max(2 * pairs.sum() - 1, 1 / np.log10(m * n)), m * n * np.log10(m * n)))


def _halves(draws):
    """Both halves of every chain, (2 n_chains, n_draws // 2), or None if they are too short."""
    draws = np.asarray(draws, dtype=np.float64)
    half = draws.shape[1] // 2
    if half < 2:
        return None
    return np.concatenate([draws[:, :half], draws[:, -half:]])


def disagreement(r_hat, ess):
    """Which of the two conditions of agreement is not met, in words; at least one is not."""
    parts = []
    if r_hat > MOST_R_HAT:
        digits = 2 if round(r_hat, 2) > MOST_R_HAT else 4
        parts.append(f"the chains disagree: R-hat is {r_hat:.{digits}f} and should be at most {MOST_R_HAT}")
    if ess < LEAST_ESS:
        parts.append(
            f"the draws are too much alike: they are worth {int(ess)} independent ones and should be worth "
            f"{LEAST_ESS} at least (effective sample size)"
        )
    text = "; ".join(parts)
    return text[0].upper() + text[1:]
