"""A series as levels of equal blocks: single spikes cut, cycles taken out. Pure NumPy.

Blocks have a power of two of values, so that one value more at the end moves no block.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from detectors.contract import Values

FEWEST_BLOCKS: Final = 64  # and fewer than twice as many
MAD: Final = 0.954  # median distance of two standard normal values
MAD_TO_DEVIATION: Final = 1.4826
SAMPLED: Final = 20_000  # values from which scales are taken; of more, evenly spaced ones
FARTHEST: Final = 1e7  # spreads off the median that a value may lie
PARTS: Final = 2.0**20  # of a spread: rounded to whole ones, sums do not depend on an offset
RESOLUTION: Final = 1e-5  # of the level: finer than that nothing is read
HUGE: Final = 1e150  # squares of more are infinite
CUT: Final = 4.0  # spreads off the median of seven, beyond which a value is a spike
SHORT: Final = 30  # values, below which only flat, a step and never are told
SMALL_BLOCK: Final = 5  # values, in whose median one spike still counts
LOOKED_AT: Final = 4096  # last values, in which cycles are looked for
FEWEST_PERIODS: Final = 7
SHORTEST_PERIOD: Final = 4  # values
REPEATS: Final = 0.3  # autocorrelation at the period, and above the trough before it
AGAIN: Final = 0.2  # and at twice the period
BEST_SHARE: Final = 0.85  # of the best repetition: the shortest such period is the period
EXPLAINED: Final = 0.35  # of the spread: cycles that explain less stay in
MOST_PHASES: Final = 48
HALF: Final = 0.5  # of the way between two values: the nearer one is the base of a quantile


@dataclass(frozen=True, slots=True, eq=False)
class BlockLevels:
    """Blocks and values to which stories are fitted.

    values: (n,) in units of the distance of neighbours, off the median of the second half; cycles
    taken out. raw: the same before spikes and cycles. levels: (N,) of blocks of `size` values from
    the first on. spread: robust standard deviation of values about their block. period: of
    cycles, 0 without.
    """

    values: Values
    raw: Values
    levels: Values
    size: int
    spread: float
    period: float = 0.0

    @property
    def n(self) -> int:
        return self.values.size


def scale_by_noise(values: Values) -> Values:
    """Values off the median of their second half, in units of the distance of neighbours.

    Any finite values; all 0 where all are equal.
    """
    x = values / 1e160 if np.abs(values).max() > HUGE else values
    sample = x[:: max(1, x.size // SAMPLED)]
    centre = upper_median(sample[sample.size // 2 :])
    distances = np.abs(np.diff(sample))
    unit = upper_median(distances) / MAD
    if not unit:  # more than half of all neighbours are equal
        unit = float(np.sqrt(distances).mean()) ** 2
    unit = max(unit, RESOLUTION * abs(centre))
    if not unit:
        unit = float(np.abs(x).max()) or 1.0
    far_limit = FARTHEST * max(unit, upper_median(np.abs(sample - centre)))
    return np.rint(np.clip(x - centre, -far_limit, far_limit) / unit * PARTS) / PARTS


def upper_median(values: Values) -> float:
    """Median; of an even number the upper one of the two in the middle."""
    half = values.size // 2
    return float(np.partition(values, half)[half])


def quantile(values: Values, share: float) -> float:
    """Linear quantile: to the bit that of NumPy, which takes four times as long to check it."""
    return quantile_of_sorted(np.sort(values), share)


def quantile_of_sorted(sorted_values: Values, share: float) -> float:
    position = share * (sorted_values.size - 1)
    lower = int(position)
    part = position - lower
    low, high = (
        float(sorted_values[lower]),
        float(sorted_values[min(lower + 1, sorted_values.size - 1)]),
    )
    return low + (high - low) * part if part < HALF else high - (high - low) * (1 - part)


def spread_of_neighbours(values: Values) -> float:
    return upper_median(np.abs(np.diff(values))) / MAD


def block_levels(raw_values: Values) -> BlockLevels:
    """Levels of `raw_values`, 8 or more."""
    n = raw_values.size
    size = 1 << max(0, (n // FEWEST_BLOCKS).bit_length() - 1)
    cut = (
        cut_spikes(raw_values, max(1.0, spread_of_neighbours(raw_values)))
        if size < SMALL_BLOCK
        else raw_values
    )
    period, values = remove_cycles(cut)
    blocks = values[: n - n % size].reshape(-1, size)
    if size < SMALL_BLOCK:
        levels, spread = blocks.mean(axis=1), spread_of_neighbours(values)
    else:
        quarter = size // 4
        partitioned_blocks = np.partition(blocks, [quarter, size - quarter - 1], axis=1)
        levels = partitioned_blocks[:, quarter : size - quarter].mean(axis=1)
        spread = MAD_TO_DEVIATION * upper_median(np.abs(blocks - levels[:, None]).ravel())
    if n > LOOKED_AT and not period:
        blocks_a_period, levels = remove_cycles(levels)
        period = size * blocks_a_period
    levels = cut_spikes(levels, max(spread_of_neighbours(levels), 1e-9))
    return BlockLevels(values, raw_values, levels, size, max(spread, 1e-3), period)


def cut_spikes(values: Values, spread: float) -> Values:
    """Values cut to `CUT` spreads off the median of the seven around them.

    The first three are cut to as many spreads beyond the three after each, but of few values,
    where they may be a level; the last two stay.
    """
    if values.size < 9:
        return values
    medians = np.partition(sliding_window_view(values, 7), 3, axis=1)[:, 3]
    limit = CUT * spread
    cut = values.copy()
    np.clip(values[3:-3], medians - limit, medians + limit, out=cut[3:-3])
    for k in (2, 1, 0) if values.size >= SHORT else ():
        low, high = cut[k + 1 : k + 4].min(), cut[k + 1 : k + 4].max()
        reach = max(limit, high - low)  # a decay goes on as it fell
        cut[k] = min(max(cut[k], low - reach), high + reach)
    last = slice(-3, -2)  # of the last two values nobody knows whether they are spikes
    np.clip(values[last], medians[-1] - limit, medians[-1] + limit, out=cut[last])
    return cut


# --- cycles ---------------------------------------------------------------------------------------


def remove_cycles(values: Values) -> tuple[float, Values]:
    """The period of cycles and the values without them; 0 and the values where there are none."""
    period = period_of(values[-LOOKED_AT:])
    if not period:
        return 0.0, values
    deviations = values - moving_mean(values, max(3, round(period)))
    wave = mean_cycle(deviations, period)
    distance_off_wave, distance = np.abs(deviations - wave).mean(), np.abs(deviations).mean()
    if not distance or 1 - (distance_off_wave / distance) ** 2 < EXPLAINED:
        return 0.0, values
    return period, values - wave


def moving_mean(values: Values, width: int) -> Values:
    """Mean of the `width` values around each; at the ends that of the first and last of them."""
    sums = np.append(0.0, np.cumsum(values))
    means = (sums[width:] - sums[:-width]) / width
    count_before = width // 2
    return np.pad(means, (count_before, values.size - means.size - count_before), mode="edge")


def period_of(values: Values) -> float:
    """Period of cycles, in values; 0 where nothing repeats.

    A lag whose autocorrelation is well above the trough before it, and above 0 at twice the lag.
    """
    n = values.size
    most_period = n // FEWEST_PERIODS
    if most_period < SHORTEST_PERIOD:
        return 0.0
    sorted_values = np.sort(values)
    low_limit, high_limit = (quantile_of_sorted(sorted_values, share) for share in (0.01, 0.99))
    clipped_values = np.clip(values, low_limit, high_limit)
    clipped_values -= moving_mean(clipped_values, n // 4)
    spectrum = np.fft.rfft(clipped_values, transform_length(n + n // 2 + 1))
    sums = np.fft.irfft(spectrum.real**2 + spectrum.imag**2)[: n // 2 + 1]
    if sums[0] <= 0:
        return 0.0
    r = sums / (n - np.arange(sums.size)) * (n / sums[0])
    lag = np.arange(2, most_period + 1)
    trough = np.minimum.accumulate(r)[lag - 1]
    peak = (r[lag] >= r[lag - 1]) & (r[lag] >= r[lag + 1]) & (r[lag] > REPEATS)
    lags = lag[peak & (r[lag] - trough > REPEATS) & (r[np.minimum(2 * lag, n // 2)] > AGAIN)]
    if not lags.size:
        return 0.0
    first = int(lags[r[lags] >= BEST_SHARE * r[lags].max()][0])
    return _refined_period(r, float(first))


def transform_length(least_length: int) -> int:
    """5 to 8 times a power of two: a large prime factor would take ten times as long."""
    step = 1 << max(1, least_length.bit_length() - 3)
    return -(-least_length // step) * step


def _refined_period(r: Values, period: float) -> float:
    """The period by its multiples: the peak at 2, 4, 8, … periods says it more exactly."""
    times = 2
    while times * period < r.size - 2:
        expected_lag, reach = round(times * period), max(1, round(period / 4))
        top = (
            expected_lag - reach + int(r[expected_lag - reach : expected_lag + reach + 1].argmax())
        )
        if top + 1 >= r.size:
            break
        bend = r[top - 1] - 2 * r[top] + r[top + 1]
        shift = (r[top - 1] - r[top + 1]) / (2 * bend) if bend else 0.0
        period = (top + float(np.clip(shift, -0.5, 0.5))) / times
        times *= 2
    return period


def mean_cycle(deviations: Values, period: float) -> Values:
    """The median by phase of values off their level, at each value."""
    phases = int(np.clip(round(period), 2, MOST_PHASES))
    phase = ((np.arange(deviations.size) / period) % 1.0 * phases).astype(np.int64)
    order = np.argsort(phase, kind="stable")
    cuts = np.searchsorted(phase[order], np.arange(1, phases))
    cycle = np.array(
        [
            upper_median(values) if values.size else 0.0
            for values in np.split(deviations[order], cuts)
        ]
    )
    cycle -= cycle.mean()
    wave: Values = cycle[phase]
    return wave
