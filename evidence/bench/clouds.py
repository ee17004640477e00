"""Plans for several machines, tried on simulated clouds: `python -m evidence.bench.clouds`.

Machines, forks and iterations have effects of known size. A recording of a few machines estimates
them, a plan is made of the estimates, and new measurements as planned say whether it kept its word.
Duets have disturbances that both sides share, and noise of each side. Prints the tables of
docs/design/clouds.md.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from analysis.statistics.answers import Floats
from analysis.statistics.duet_differences import duet_difference
from analysis.statistics.machine_plan import LevelVariances, MachineCosts, machine_plan
from analysis.statistics.variance_components import fork_moments, variance_components
from formats.markdown import markdown_table

TRIALS: Final = 400
FORKS, ITERATIONS = 3, 30
TARGET: Final = 0.02
COSTS: Final = MachineCosts(60, 5, 1)
CLOUDS: Final = (  # deviations of machine, fork, iteration as shares of the mean
    (0.003, 0.003, 0.01),
    (0.01, 0.005, 0.03),
    (0.03, 0.01, 0.05),
    (0.1, 0.02, 0.1),
)
HEADS: Final = (
    *("machine, fork, iteration", "recorded machines"),
    *("machine variance ÷ true", "fork variance ÷ true", "iteration variance ÷ true"),
    *("within, plan of the true sizes", "within, plan of estimates", "its cost ÷ true plan"),
)


def main() -> None:
    """Print a row for each cloud and number of recorded machines, and for each kind of duet."""
    rows = [_row(cloud, machines) for cloud in CLOUDS for machines in (5, 10, 20)]
    print(markdown_table(HEADS, rows))
    duet_rows = [_duet_row(sizes, forks) for sizes in DUETS for forks in (5, 10)]
    print(markdown_table(DUET_HEADS, duet_rows))


def _row(cloud: tuple[float, float, float], machines: int) -> tuple[str, ...]:
    generator = np.random.default_rng(20261128)
    true_variances = LevelVariances(*(deviation**2 for deviation in cloud))
    best_plan = machine_plan(true_variances, COSTS, TARGET, most_iterations=ITERATIONS)
    ratios, hit_shares, costs = [], [], []
    for _ in range(TRIALS):
        estimates = _estimate_variances(cloud, machines, generator)
        ratios.append(np.array(estimates) / np.array(true_variances))
        plan = machine_plan(
            LevelVariances(*(max(estimate, 0.0) for estimate in estimates)),
            *(COSTS, TARGET),
            most_iterations=ITERATIONS,
        )
        if plan is not None and best_plan is not None:
            deviation = np.sqrt(
                true_variances.of_machine(plan.forks, plan.iterations) / plan.machines
            )
            hit_shares.append(_share_within(float(deviation)))
            costs.append(plan.seconds / best_plan.seconds)
    means = np.mean(ratios, axis=0)
    kept_cell = "–"
    if best_plan is not None:
        deviation = np.sqrt(
            true_variances.of_machine(best_plan.forks, best_plan.iterations) / best_plan.machines
        )
        kept_cell = f"{_share_within(float(deviation)):.3f}"
    return (
        ", ".join(f"{deviation:.1%}" for deviation in cloud),
        str(machines),
        *(f"{mean:.2f}" for mean in means),
        kept_cell,
        f"{np.mean(hit_shares):.3f}" if hit_shares else "–",
        f"{np.median(costs):.2f}" if costs else "–",
    )


def _estimate_variances(
    cloud: tuple[float, float, float], machines: int, generator: np.random.Generator
) -> tuple[float, float, float]:
    """Variances of machine, fork and iteration by one recording, as squared shares of its mean."""
    machine, fork, iteration = cloud
    values = 1 + generator.normal(0, machine, (machines, 1, 1))
    values = values + generator.normal(0, fork, (machines, FORKS, 1))
    values = values + generator.normal(0, iteration, (machines, FORKS, ITERATIONS))
    moments = [fork_moments(row) for row in values.reshape(-1, ITERATIONS)]
    between_machines, between_forks = variance_components(
        [np.repeat(np.arange(machines), FORKS)],
        np.array([moment.mean for moment in moments]),
        np.array([moment.long_run / moment.n for moment in moments]),
    )
    long_run = float(np.mean([moment.long_run for moment in moments]))
    square = float(values.mean()) ** 2
    return between_machines / square, between_forks / square, long_run / square


def _share_within(deviation: float) -> float:
    """Share of normal results of mean 1 that lie within the target."""
    from scipy.special import ndtr  # noqa: PLC0415  # loads long

    return float(2 * ndtr(TARGET / deviation) - 1)


# --- duets ------------------------------------------------------------------------------------
DUETS: Final = ((0.05, 0.005), (0.05, 0.02), (0.01, 0.01))  # shared disturbance, noise of a side
DUET_HEADS: Final = (
    *("shared, own", "forks", "held by Student's t", "held by the bootstrap"),
    *("saving, median", "saving, true"),
)
DRAWS: Final = 300
CHANGE: Final = 0.02


def _duet_row(sizes: tuple[float, float], forks: int) -> tuple[str, ...]:
    """Row of a kind of duet: how often both intervals hold the change, and what pairs save."""
    shared_sd, own_sd = sizes
    generator = np.random.default_rng(forks)
    held_count, resampled_count, savings = 0, 0, []
    for _ in range(TRIALS):
        common_noise = generator.normal(0, shared_sd, (forks, 1)) + generator.normal(
            0, shared_sd, (forks, ITERATIONS)
        )
        noise = generator.normal(0, own_sd, (2, forks, ITERATIONS))
        noise = noise + generator.normal(0, own_sd / 2, (2, forks, 1))
        old_times, new_times = np.exp(common_noise + noise)
        difference = duet_difference(list(zip(old_times, new_times * (1 + CHANGE), strict=True)))
        held_count += (difference.low or 0) <= 1 + CHANGE <= (difference.high or 0)
        low, high = _bootstrap(np.log(new_times * (1 + CHANGE) / old_times), generator)
        resampled_count += low <= np.log1p(CHANGE) <= high
        savings.append(difference.saving or np.nan)
    own_mean = own_sd**2 / 4 + own_sd**2 / ITERATIONS
    true_saving = 1 + (shared_sd**2 + shared_sd**2 / ITERATIONS) / own_mean
    return (
        f"{shared_sd:.1%}, {own_sd:.1%}",
        str(forks),
        f"{held_count / TRIALS:.3f}",
        f"{resampled_count / TRIALS:.3f}",
        f"{np.median(savings):.1f}",
        f"{true_saving:.1f}",
    )


def _bootstrap(ratios: Floats, generator: np.random.Generator) -> tuple[float, float]:
    """Percentile interval of the mean (95 %): forks, then pairs of each, drawn with replacement."""
    forks, n = ratios.shape
    drawn_forks = generator.integers(0, forks, (DRAWS, forks))
    pairs = generator.integers(0, n, (DRAWS, forks, n))
    means = ratios[drawn_forks[:, :, np.newaxis], pairs].mean(axis=(1, 2))
    low, high = np.quantile(means, [0.025, 0.975])
    return float(low), float(high)


if __name__ == "__main__":
    main()
