"""Further figures of the complete published packages (586 series), for comparison with ours.

Counts, moments of errors, and sums with the recipe `jagt`, as the program of Beseda et al. 2025
gives them on its data; what is printed stands in `published_figures.csv`. Errors are truth -
detected, standard deviations divide by the count.
"""

from __future__ import annotations

from typing import Any, Final

SERIES: Final = 586
DECIMALS: Final = 3


def _moments(*values: float) -> dict[str, float]:
    names = ("mean", "sd", "median", "mean_abs", "sd_abs", "median_abs")
    return dict(zip(names, values, strict=True))


def _sums(clustered_sum: int, scattered_sum: int) -> dict[str, int]:
    return {
        "manhattan": clustered_sum + scattered_sum,
        "clustered": clustered_sum,
        "scattered": scattered_sum,
    }


TOTALS: Final[dict[str, Any]] = {
    "steady_rows": 407,
    "clustered": 217,
    "scattered": 190,
    "jagt_published": {
        "pair": {
            "n": 377,
            "cp_ssd": _moments(110.326, 658.392, 139, 425.260, 514.593, 271),
            "kb_kssd": _moments(255.072, 522.250, 187, 363.645, 453.398, 222),
        },
        "five": {
            "n": 202,
            "cp_ssd": _moments(163.351, 676.656, 191, 460.629, 521.890, 283),
            "kb_kssd": _moments(283.718, 554.556, 197, 403.559, 474.518, 252.5),
            "sdm": _moments(206.733, 692.425, 236.5, 489.891, 531.222, 314),
            "t_test": _moments(-760.470, 997.960, -712.5, 1006.124, 749.635, 826.5),
            "r_test": _moments(321.045, 510.079, 204, 377.995, 469.436, 221),
            "f_test": _moments(333.416, 534.174, 235, 409.782, 478.108, 262),
        },
    },
    "jagt": {
        "pair": {"n": 377, "cp_ssd": _sums(70978, 89744), "kb_kssd": _sums(62321, 75170)},
        "five": {
            "n": 202,
            "cp_ssd": _sums(39663, 53609),
            "kb_kssd": _sums(35869, 45821),
            "sdm": _sums(50636, 48521),
            "t_test": _sums(106468, 96534),
            "r_test": _sums(41254, 35230),
            "f_test": _sums(45006, 37911),
        },
    },
}
