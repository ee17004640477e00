"""Stages of single methods: where the time of an answer goes, over every kind of simulated series.

`python -m evidence.bench.stages` prints a Markdown table, milliseconds of one core for 3,000
values. Exit status 1: an answer of CP-SSD or of Plateau misses its budget.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from detectors.contract import Values, as_series
from detectors.kernels import kb_kssd
from detectors.learned.crossfit import FoldModel, FoldSet
from detectors.methods.barrett import Barrett
from detectors.methods.cp_ssd import CpSsd
from detectors.methods.kb_kssd import KbKssd
from detectors.methods.plateau import Plateau
from detectors.methods.plateau_online import PlateauOnline
from detectors.methods.rocket import RocketStopping
from detectors.panel.panel_models import SHIPPED, models_named
from detectors.panel.prefix_estimates import prefix_estimate
from detectors.panel.series_features import SeriesFeatures, grid_rows
from detectors.rules.segments.crops import MeanAndVariance, crops
from detectors.simulated.synthetic import simulate_all
from detectors.stories.plain_story import read_story
from evidence.bench.timing import fastest_ms, machine, parser_of
from formats.markdown import head, row

N = 3000
ROUNDS = 3
BUDGETS = {"cp-ssd, an answer": 150.0, "plateau, an answer": 5.0}  # milliseconds, median

Work = tuple[str, Callable[[], object]]


def main() -> int:
    parser_of("evidence.bench.stages", __doc__).parse_args()
    print(f"Machine: {machine()}\n")
    times_by_stage: dict[str, list[float]] = {}
    for series in simulate_all(n=N):
        values = as_series(series.values)
        for find_stages in (stages_of_kb_kssd, plateau_stages, cp_ssd_stages, rocket_stages):
            for name, work in find_stages(values):
                times_by_stage.setdefault(name, []).append(fastest_ms(work, ROUNDS))
    print(f"{len(times_by_stage['barrett, an answer'])} simulated series of {N} values\n")
    print(head("stage", "median ms", "mean", "most", "budget"))
    is_over_budget = False
    for name, times in times_by_stage.items():
        median, budget = float(np.median(times)), BUDGETS.get(name, math.inf)
        is_over_budget |= median >= budget
        budget_words = (
            f"{budget:.0f}: {'yes' if median < budget else 'NO'}" if name in BUDGETS else ""
        )
        figures = (f"{milliseconds:.3f}" for milliseconds in (median, np.mean(times), max(times)))
        print(row(name, *figures, budget_words))
    return int(is_over_budget)


def stages_of_kb_kssd(values: Values) -> Iterator[Work]:
    x = kb_kssd.prepare_values(values, 100, 2.0, 98.0)
    step = kb_kssd.find_step(x, 70, 15)
    yield "kb-kssd, outliers", partial(kb_kssd.prepare_values, values, 100, 2.0, 98.0)
    yield "kb-kssd, step", partial(kb_kssd.find_step, x, 70, 15)
    yield "kb-kssd, Kelly windows", partial(kb_kssd.steady_from, x, step, 500, 4.0, 0.95, 1)
    yield "kb-kssd, an answer", partial(KbKssd().answer, values)


def plateau_stages(values: Values) -> Iterator[Work]:
    model, features = models_named(SHIPPED).whole, SeriesFeatures.from_values(values)
    yield "plateau, the story", partial(read_story, values)
    yield "plateau, features at the grid", partial(grid_rows, values)
    yield "plateau, all that is seen", partial(SeriesFeatures.from_values, values)
    yield "plateau, forests of the distribution", partial(model.starts.sums, features.rows)
    yield "plateau, forests of nearness", partial(model.near.sums, features.steps)
    yield "plateau, an answer", partial(Plateau().answer, values)
    yield "plateau-online, the longest look", partial(prefix_estimate, values, model)
    yield "plateau-online, all looks", partial(PlateauOnline(chance=1.0).answer, values)


def cp_ssd_stages(values: Values) -> Iterator[Work]:
    detector = CpSsd()
    cut_series = detector.cut(values)
    log, y = math.log(cut_series.kept.size), np.array(values[cut_series.kept])
    costs = partial(
        MeanAndVariance, y, keeps_costs=True
    )  # anew for each path: searches are kept, too
    yield "cp-ssd, outliers", partial(detector.inlier_iterations, values)
    yield "cp-ssd, costs of all segments", costs
    yield "cp-ssd, costs and CROPS path", lambda: crops(costs(), 4 * log, 100_000 * log)
    yield "cp-ssd, comparisons", lambda: list(detector.walk(values, cut_series.ends))
    yield "cp-ssd, an answer", partial(detector.answer, values)
    yield "barrett, an answer", partial(Barrett().answer, values)


class NeverAccepting(RocketStopping):
    """ROCKET with thresholds that nothing reaches: every window up to the cap is asked about."""

    def fold_set(self) -> FoldSet:
        fold_set = super().fold_set()
        return FoldSet(
            tuple(FoldModel(f.number, f.model, 1e9) for f in fold_set.folds), fold_set.seen
        )


def rocket_stages(values: Values) -> Iterator[Work]:
    for model in ("fold0", "majority"):
        yield f"rocket, 500 windows, {model}", partial(NeverAccepting(model=model).answer, values)


if __name__ == "__main__":
    sys.exit(main())
