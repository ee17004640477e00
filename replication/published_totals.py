"""Figures of the complete published packages (586 series), for comparison with ours.

Sums, means, deviations and counts that Beseda et al. 2025 print for the two sets of series of
their comparison, and the same figures where they print none but their published program gives
them. Errors are truth - detected, standard deviations divide by the count. Two printed figures
are misprints and stand here as the published data give them: the sum of SDM (printed 95,958; its
own parts add to 98,958) and the mean of KB-KSSD on the 377 series (printed 255.7).
"""

from __future__ import annotations

from typing import Any, Final

SERIES: Final = 586
DECIMALS: Final = 3


def _sums(clustered: int, scattered: int, *moments: float) -> dict[str, float]:
    names = ("mean", "sd", "median", "mean_abs", "sd_abs", "median_abs")
    sums = {"manhattan": clustered + scattered, "clustered": clustered, "scattered": scattered}
    return sums | dict(zip(names, moments, strict=False))


def _yes_no(agreements: int, tp: int, fn: int, fp: int, tn: int) -> dict[str, int]:
    return {"agreements": agreements, "tp": tp, "fn": fn, "fp": fp, "tn": tn}


PAIR: Final = ["cp_ssd", "kb_kssd"]
FIVE: Final = ["cp_ssd", "kb_kssd", "sdm", "t_test", "r_test"]

TOTALS: Final[dict[str, Any]] = {
    "steady_rows": 407,
    "clustered": 217,
    "scattered": 190,
    "jagt_published": {
        "pair": {
            "excluded_by": PAIR,
            "n": 377,
            "cp_ssd": _sums(70579, 89744, 110.326, 658.392, 139, 425.260, 514.593, 271),
            "kb_kssd": _sums(61924, 75170, 255.072, 522.250, 187, 363.645, 453.398, 222),
        },
        "five": {
            "excluded_by": FIVE,
            "n": 202,
            "cp_ssd": _sums(39438, 53609, 163.351, 676.656, 191, 460.629, 521.890, 283),
            "kb_kssd": _sums(35698, 45821, 283.718, 554.556, 197, 403.559, 474.518, 252.5),
            "sdm": _sums(50437, 48521, 206.733, 692.425, 236.5, 489.891, 531.222, 314),
            "t_test": _sums(106703, 96534, -760.470, 997.960, -712.5, 1006.124, 749.635, 826.5),
            "r_test": _sums(41125, 35230, 321.045, 510.079, 204, 377.995, 469.436, 221),
            "f_test": _sums(44865, 37911, 333.416, 534.174, 235, 409.782, 478.108, 262),
        },
    },
    "jagt": {
        "pair": {
            "excluded_by": PAIR,
            "n": 377,
            "cp_ssd": _sums(70978, 89744),
            "kb_kssd": _sums(62321, 75170),
        },
        "five": {
            "excluded_by": FIVE,
            "n": 202,
            "cp_ssd": _sums(39663, 53609),
            "kb_kssd": _sums(35869, 45821),
            "sdm": _sums(50636, 48521),
            "t_test": _sums(106468, 96534),
            "r_test": _sums(41254, 35230),
            "f_test": _sums(45006, 37911),
        },
    },
    "yes_no": {
        "cp_ssd": _yes_no(409, 380, 27, 150, 29),
        "kb_kssd": _yes_no(405, 402, 5, 176, 3),
        "sdm": _yes_no(399, 345, 62, 125, 54),
        "t_test": _yes_no(324, 257, 150, 112, 67),
        "r_test": _yes_no(407, 406, 1, 178, 1),
        "f_test": _yes_no(407, 407, 0, 179, 0),
    },
}
