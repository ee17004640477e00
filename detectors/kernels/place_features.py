"""Features of places in a series: medians, quantiles and steps, each with an equal NumPy form."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from detectors.contract import Values
from detectors.kernels.jit import kernel, numpy_version_of

Places = NDArray[np.int64]
MIDDLE_WINDOW, SHORT_WINDOW = 40, 10  # places on either side of a step that it is compared with
SMALL, LEAST = 1e-9, 1e-12
ALONE = 50.0  # times as strong as nothing


@kernel
def running_medians(values: Values) -> Values:
    """Medians of the first value, the first two, …, all."""
    n = values.size
    medians, sorted_values = np.empty(n), np.empty(n)
    for count in range(n):
        value, k = values[count], count
        while k > 0 and sorted_values[k - 1] > value:
            sorted_values[k] = sorted_values[k - 1]
            k -= 1
        sorted_values[k] = value
        lower, half_weight = count // 2, 0.5 * (count % 2)
        upper = sorted_values[min(lower + 1, count)]
        medians[count] = sorted_values[lower] * (1 - half_weight) + upper * half_weight
    return medians


@numpy_version_of(running_medians)
def _running_medians_at_once(values: Values) -> Values:
    """Medians of the first value, the first two, …, all: sorted in one call."""
    n = values.size
    firsts = np.broadcast_to(values, (n, n)).copy()
    firsts[np.arange(n) > np.arange(n)[:, None]] = np.inf
    firsts.sort(axis=1)
    medians: Values = sorted_quantiles(firsts, np.arange(1, n + 1), np.array([0.5]))[0]
    return medians


@kernel
def sorted_quantiles(sorted_rows: Values, counts: Places, shares: Values) -> Values:
    """(shares, rows): linear quantiles, as NumPy has them, of the first `counts` values of rows."""
    quantiles = np.empty((shares.size, counts.size))
    for k in range(counts.size):
        for s in range(shares.size):
            position = shares[s] * (counts[k] - 1)
            lower = int(position)
            fraction = position - lower
            upper = sorted_rows[k, min(lower + 1, counts[k] - 1)]
            quantiles[s, k] = sorted_rows[k, lower] * (1 - fraction) + upper * fraction
    return quantiles


@numpy_version_of(sorted_quantiles)
def _sorted_quantiles_at_once(sorted_rows: Values, counts: Places, shares: Values) -> Values:
    """(shares, rows): linear quantiles of the first `counts` values of rows, by indexing."""
    positions = np.multiply.outer(shares, counts - 1)
    lower = positions.astype(np.int64)
    rows = np.arange(counts.size)
    upper = sorted_rows[rows, np.minimum(lower + 1, counts - 1)]
    fraction = positions - lower
    quantiles: Values = sorted_rows[rows, lower] * (1 - fraction) + upper * fraction
    return quantiles


@kernel
def shares_far(levels: Values, first: Places, centres: Values, limits: Values) -> Values:
    """(limits, rows): share of `levels` from `first` on that lies farther off than each limit."""
    shares = np.empty((limits.size, first.size))
    for k in range(first.size):
        for limit in range(limits.size):
            far_count = 0
            for level in levels[first[k] :]:
                far_count += abs(level - centres[k]) > limits[limit]
            shares[limit, k] = far_count / (levels.size - first[k])
    return shares


@numpy_version_of(shares_far)
def _shares_far_at_once(levels: Values, first: Places, centres: Values, limits: Values) -> Values:
    """(limits, rows): share of `levels` from `first` on, by distances of all from all."""
    deviations = np.abs(levels - centres[:, None])
    deviations *= np.arange(levels.size) >= first[:, None]
    shares: Values = (deviations > limits[:, None, None]).sum(axis=2) / (levels.size - first)
    return shares


@kernel
def step_strengths(sums: Values, half_width: int, least_size: int) -> Values:
    """Distance of the means of `half_width` values before and from each on, windows cut at the
    ends.

    sums: running sums from 0 on. 0 where fewer than `least_size` values are on either side.
    """
    n = sums.size - 1
    strengths = np.zeros(n)
    for place in range(least_size, n - least_size):
        first, last = max(place - half_width, 0), min(place + half_width, n)
        mean_before = (sums[place] - sums[first]) / (place - first)
        strengths[place] = abs(mean_before - (sums[last] - sums[place]) / (last - place))
    return strengths


@numpy_version_of(step_strengths)
def _step_strengths_at_once(sums: Values, half_width: int, least_size: int) -> Values:
    """Distance of the means before and from each value on, by indexing."""
    n = sums.size - 1
    strengths = np.zeros(n)
    places = np.arange(least_size, n - least_size)
    first, last = np.maximum(places - half_width, 0), np.minimum(places + half_width, n)
    means_before = (sums[places] - sums[first]) / (places - first)
    strengths[least_size : n - least_size] = np.abs(
        means_before - (sums[last] - sums[places]) / (last - places)
    )
    return strengths


@kernel
def highest(strengths: Values, places: Places) -> float:
    """Greatest strength at any of the places; 0 without one."""
    highest_strength = 0.0
    for place in places:
        highest_strength = max(highest_strength, strengths[place])
    return float(highest_strength)


@kernel
def highest_near(strengths: Values, place: int, reach: int) -> float:
    """Greatest strength within `reach` of a place."""
    highest_strength = 0.0
    for near_place in range(max(place - reach, 0), min(place + reach + 1, strengths.size)):
        highest_strength = max(highest_strength, strengths[near_place])
    return float(highest_strength)


@kernel
def step_rows(  # noqa: PLR0917  # kernels take no keywords
    steps: Places,
    tops: tuple[Places, Places],
    short: Values,
    middle: Values,
    long: Values,
    usual_short: float,
    usual_middle: float,
) -> Values:
    """(k, 11): how the step at each of `steps` compares with usual, strongest and other ones.

    Strengths of three widths; tops: strongest steps of the middle width and of the short one.
    """
    rows = np.zeros((steps.size, 11))
    highest_middle, highest_short = highest(middle, tops[0]), highest(short, tops[1])
    for k in range(steps.size):
        step, row, highest_later, highest_sooner = steps[k], rows[k], 0.0, 0.0
        a, b = middle[step], short[step]
        for top in tops[0]:
            row[5] += middle[top] > a
            highest_later = max(highest_later, middle[top] * (top > step + MIDDLE_WINDOW))
            highest_sooner = max(highest_sooner, middle[top] * (top < step - MIDDLE_WINDOW))
        for top in tops[1]:
            row[6] += short[top] > b
        row[0], row[1], row[2] = a / usual_middle, b / usual_short, long[step] / usual_middle
        row[3], row[4] = a / (highest_middle + LEAST), b / (highest_short + LEAST)
        row[7] = a / (highest_later + SMALL) if highest_later > 0 else ALONE
        row[8] = a / (highest_sooner + SMALL) if highest_sooner > 0 else ALONE
        row[9] = a / (highest_near(middle, step, MIDDLE_WINDOW) + LEAST)
        row[10] = b / (highest_near(short, step, SHORT_WINDOW) + SMALL)
    return rows


@numpy_version_of(step_rows)
def _step_rows_at_once(  # noqa: PLR0917  # as above
    steps: Places,
    tops: tuple[Places, Places],
    short: Values,
    middle: Values,
    long: Values,
    usual_short: float,
    usual_middle: float,
) -> Values:
    """(k, 11): the figures of all steps beside all others at once."""
    middle_tops, short_tops = middle[tops[0]], short[tops[1]]
    a, b = middle[steps], short[steps]
    is_later = tops[0] > steps[:, None] + MIDDLE_WINDOW
    is_sooner = tops[0] < steps[:, None] - MIDDLE_WINDOW
    reach = np.arange(-MIDDLE_WINDOW, MIDDLE_WINDOW + 1)
    places_around = np.clip(steps[:, None] + reach, 0, short.size - 1)
    return np.column_stack(
        [
            a / usual_middle,
            b / usual_short,
            long[steps] / usual_middle,
            a / (middle_tops.max(initial=0.0) + LEAST),
            b / (short_tops.max(initial=0.0) + LEAST),
            (middle_tops > a[:, None]).sum(axis=1),
            (short_tops > b[:, None]).sum(axis=1),
            strength_ratios(a, np.where(is_later, middle_tops, 0.0).max(axis=1, initial=0.0)),
            strength_ratios(a, np.where(is_sooner, middle_tops, 0.0).max(axis=1, initial=0.0)),
            a / (middle[places_around].max(axis=1) + LEAST),
            b / (short[places_around[:, np.abs(reach) <= SHORT_WINDOW]].max(axis=1) + SMALL),
        ]
    )


def strength_ratios(strengths: Values, other_strengths: Values) -> Values:
    return np.where(other_strengths > 0, strengths / (other_strengths + SMALL), ALONE)
