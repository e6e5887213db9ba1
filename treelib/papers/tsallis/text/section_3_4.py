"""The Tweedie criterion for regression, Section 3.4."""

import numpy as np

from treelib.ledger.protocol.judging import judge_statement, judges


def tweedie_forms(power, y=(0.0, 1.0, 2.0, 5.0)):
    """The mean Tweedie deviance of targets from their mean: as printed, and with the middle term
    ``y mean^(1-p) / (1-p)`` that it must have (Section 3.4); 0 <= power < 1.

    Returns
    -------
    dict: ``printed``, ``corrected``, ``mse`` and ``hpd`` (mean squared error and half Poisson deviance)
    """
    y = np.asarray(y, dtype=np.float64)
    mean, p = y.mean(), power
    first, last = np.maximum(y, 0) ** (2 - p) / ((1 - p) * (2 - p)), mean ** (2 - p) / (2 - p)
    ratio = np.divide(y, mean)
    hpd = (y * np.log(ratio, out=np.zeros_like(y), where=y > 0) - y + mean).mean()
    return {
        "printed": float(2 * (first - y * mean / (1 - p) + last).mean()),
        "corrected": float(2 * (first - y * mean ** (1 - p) / (1 - p) + last).mean()),
        "mse": float(((y - mean) ** 2).mean()),
        "hpd": float(hpd),
    }


def tweedie_terms(seed=0, n=40):
    """How far sums over all rows of ``y^(2-p)`` change the order of splits (Theorem 3.7): not at all.

    Returns
    -------
    float, the largest difference, over splits and powers, between the decrease of the deviance and
    ``2 (n_l m_l^(2-p) + n_r m_r^(2-p) - n m^(2-p)) / ((1-p) (2-p))``, which has three terms, not n
    """
    rng = np.random.default_rng(seed)
    y, worst = rng.gamma(2.0, 1.0, n), 0.0
    for power in (0.0, 0.3, 0.9):
        for cut in range(1, n):
            parts = y[:cut], y[cut:]
            decrease = n * tweedie_forms(power, y)["corrected"] - sum(
                len(part) * tweedie_forms(power, part)["corrected"] for part in parts
            )
            q = 2 - power
            short = sum(len(part) * part.mean() ** q for part in parts) - n * y.mean() ** q
            worst = max(worst, abs(decrease - 2 * short / ((1 - power) * q)))
    return worst


@judges("tsallis.s3-4.tweedie.*")
def judge_tweedie(samples=((0.0, 1.0, 2.0, 5.0), (1.0, 1.0, 3.0), (2.0, 7.0, 9.0, 10.0)), power=0.999):
    """Verdict on the printed formula of the Tweedie deviance at both ends of its powers, list of Verdict."""
    trials = []
    for y in samples:
        near = tweedie_forms(power, y)
        away = abs(near["printed"] / (2 * near["hpd"]) - 1)
        text = f"p = {power:g}, y = {', '.join(f'{v:g}' for v in y)}: {near['printed']:.0f} for "
        trials.append((f"{text}{2 * near['hpd']:.3f}", bool(away < 0.01), away))
    for y in (*samples, (-1.0, 2.0, 5.0)):
        at_0 = tweedie_forms(0.0, y)
        away = abs(at_0["printed"] / at_0["mse"] - 1)
        text = f"p = 0, y = {', '.join(f'{v:g}' for v in y)}: {at_0['printed']:.3f} for {at_0['mse']:.3f}"
        trials.append((text, bool(away < 0.01), away))
    numbers = {"power": power, **tweedie_forms(power, samples[0])}
    return [judge_statement("tsallis.s3-4.tweedie.definition", trials, numbers=numbers)]
