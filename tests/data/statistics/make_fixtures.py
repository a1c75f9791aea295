#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes what SciPy says of the numbers that analysis_test checks.

Usage: make_fixtures.py > scipy.json
Needs numpy and scipy (made with SciPy 1.17.1); the tests need neither.
"""

import json
import math

import numpy as np
import scipy
from scipy import optimize, stats


def numbers(seed, count, centre=1000.0, spread=12.0):
    """Values as a benchmark gives them, rounded so that the file is exact."""
    random = np.random.default_rng(seed)
    return [round(float(v), 3) for v in centre + spread * random.standard_normal(count)]


def order(values):
    result = stats.quantile_test(values, q=np.median(values), p=0.5)
    interval = result.confidence_interval(0.95)
    return {"low": float(interval.low), "high": float(interval.high)}


def trend(values):
    slope = stats.theilslopes(values, np.arange(len(values)))
    tau = stats.kendalltau(np.arange(len(values)), values, method="asymptotic")
    return {"slope": float(slope.slope), "p": float(tau.pvalue)}


def fit(model, devices, throughput, start):
    """Least squares on logarithms, with the covariance of the parameters."""
    log = lambda n, *p: np.log(model(n, *p))
    found, covariance = optimize.curve_fit(log, devices, np.log(throughput), p0=start, xtol=1e-14, ftol=1e-14)
    rest = np.log(throughput) - log(np.array(devices, float), *found)
    freedom = len(devices) - len(found)
    reach = stats.t.ppf(0.975, freedom) * np.sqrt(np.diag(covariance))
    # The rate is fitted as a logarithm by the program: its interval is that of the logarithm.
    return {"parameters": [float(v) for v in found], "reach": [float(v) for v in reach],
            "spread": float(math.sqrt(np.sum(rest**2) / freedom))}


def amdahl(n, log_rate, serial):
    return np.exp(log_rate) * n / (1 + serial * (n - 1))


def usl(n, log_rate, serial, crosstalk):
    return np.exp(log_rate) * n / (1 + serial * (n - 1) + crosstalk * n * (n - 1))


def collective(sizes, seconds, ranks):
    steps = 2.0 * (ranks - 1)
    model = lambda s, a, b: np.log(steps * np.exp(a) + steps / ranks * s * np.exp(-b))
    found, covariance = optimize.curve_fit(model, sizes, np.log(seconds), p0=[math.log(1e-5), math.log(1e9)],
                                           xtol=1e-14, ftol=1e-14)
    reach = stats.t.ppf(0.975, len(sizes) - 2) * np.sqrt(np.diag(covariance))
    return {"latency_us": 1e6 * math.exp(found[0]), "bus_gbps": 1e-9 * math.exp(found[1]),
            "reach": [float(v) for v in reach]}


def ratio(a, b):
    """Hodges and Lehmann's interval, its cut from SciPy's exact rank-sum distribution."""
    n, m = len(a), len(b)
    cut = -1
    for u in range(n * m):
        # Samples without ties whose statistic is u: b below, between and above the values of a.
        if rank_sum_cdf(u, n, m) <= 0.025:
            cut = u
        else:
            break
    quotients = np.sort(np.divide.outer(np.array(a), np.array(b)).ravel())
    return {"cut": cut, "low": float(quotients[cut]), "high": float(quotients[len(quotients) - 1 - cut])}


def rank_sum_cdf(u, n, m):
    """P(U <= u), through the p-value of samples that are built to have the statistic u."""
    ranks = list(range(n))  # the first sample at the bottom: U = 0
    left = u
    for i in reversed(range(n)):
        step = min(m, left)
        ranks[i] += step
        left -= step
    first = [float(r) for r in ranks]
    second = [float(r) for r in range(n + m) if r not in ranks]
    result = stats.mannwhitneyu(first, second, alternative="less", method="exact")
    assert result.statistic == u
    return result.pvalue


def main():
    seven = numbers(1, 7)
    hundred = numbers(2, 100)
    drifting = [round(v * (1 - 0.0004 * i), 3) for i, v in enumerate(numbers(3, 100, spread=6))]
    odd = numbers(4, 40)
    odd[7], odd[31] = 900.0, 1100.0
    deviation = stats.median_abs_deviation(odd, scale="normal")
    devices = [1, 2, 4, 8, 16, 32]
    noise = np.random.default_rng(5).standard_normal(6) * 0.004
    curve_a = [round(float(v), 3) for v in amdahl(np.array(devices, float), math.log(380), 0.004) * np.exp(noise)]
    noise = np.random.default_rng(6).standard_normal(6) * 0.004
    curve_u = [round(float(v), 3)
               for v in usl(np.array(devices, float), math.log(380), 0.01, 0.0004) * np.exp(noise)]
    sizes = [2**k for k in range(10, 31, 2)]
    noise = np.random.default_rng(7).standard_normal(len(sizes)) * 0.03
    seconds = [float("%.6g" % v) for v in (14 * 6e-6 + 14 / 8 * np.array(sizes, float) / 1.2e10) * np.exp(noise)]
    faster = numbers(8, 7, 1030)
    five = numbers(9, 5)
    fixture = {
        "schema": 1,
        "scipy": scipy.__version__,
        "student": [{"p": p, "freedom": f, "value": float(stats.t.ppf(p, f))}
                    for p in (0.9, 0.975, 0.995) for f in (1, 2, 5.5, 12, 100)],
        "binomial": [{"k": k, "n": n, "value": float(stats.binom.cdf(k, n, 0.5))}
                     for k, n in ((0, 5), (1, 7), (3, 7), (39, 100), (480, 1000))],
        "rank_sum": [{"n": n, "m": m, "cdf": [float(rank_sum_cdf(u, n, m)) for u in range(6)]}
                     for n, m in ((4, 4), (5, 5), (5, 7), (7, 7))],
        "quantiles": [{"values": values, "p": p, "value": float(np.quantile(values, p))}
                      for values in (seven, hundred) for p in (0.05, 0.25, 0.5, 0.95, 0.99)],
        "median_interval": [{"values": values, **order(values)} for values in (numbers(10, 9), numbers(11, 20), hundred)],
        "trend": [{"values": values, **trend(values)} for values in (hundred, drifting)],
        "outliers": {"values": odd, "places": [i for i, v in enumerate(odd)
                                                if abs(v - np.median(odd)) > 3.5 * deviation]},
        "amdahl": {"devices": devices, "throughput": curve_a, **fit(amdahl, devices, curve_a, [6, 0.01])},
        "usl": {"devices": devices, "throughput": curve_u, **fit(usl, devices, curve_u, [6, 0.01, 1e-5])},
        "collective": {"ranks": 8, "bytes": sizes, "seconds": seconds, **collective(np.array(sizes, float), seconds, 8)},
        "ratio": [{"a": a, "b": b, **ratio(a, b)} for a, b in ((faster, seven), (five, seven))],
        "welch": {"a": seven[:3], "b": faster[:3],
                  **dict(zip(("low", "high"), (float(math.exp(v)) for v in stats.ttest_ind(
                      np.log(seven[:3]), np.log(faster[:3]), equal_var=False).confidence_interval(0.95))))},
    }
    print(json.dumps(fixture, indent=1))


if __name__ == "__main__":
    main()
