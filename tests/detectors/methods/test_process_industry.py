"""Methods of the process industry: what package indsl computes, and the starts read from it."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from detectors.contract import NEVER, Context, Curve, Detection, Events, TooShort, Values, as_series
from detectors.kernels.smoothing import extremes
from detectors.methods.ssd_cpd import SsdCpd, change_points
from detectors.methods.ssid import Ssid, ratios
from detectors.methods.vma import Vma, is_flat, variable_average
from detectors.registry import registry
from detectors.simulated.synthetic import KINDS, simulate
from evidence.oracles import process_oracle as oracle
from evidence.oracles.simulation_oracle import least_contradicted_start
from tests.published_data import carried_vectors, replication_folder

PACKAGE = carried_vectors("simulation")
FILTERS = (0.2, 0.1, 0.1)


def cases(method: str, kind: str) -> list[tuple[Values, Any]]:
    """Series of the vectors, with what the package says of them."""
    seeds, n = PACKAGE["seeds"], PACKAGE["n"]
    series = [simulate(kind, n=n, seed=seed).values for seed in seeds]
    return list(zip(series, PACKAGE[method][kind], strict=True))


@pytest.mark.parity("ssid")
@pytest.mark.parametrize("kind", KINDS)
def test_ssid_flags_what_the_package_flags(kind: str) -> None:
    for values, (flag_after, first_flag, *changes) in cases("ssid", kind):
        filtered_ratios = ratios(values, *FILTERS)
        flags = filtered_ratios[flag_after:] > 2.5

        assert np.isnan(filtered_ratios[:flag_after]).all()
        assert flags[0] == first_flag
        assert (np.flatnonzero(np.diff(flags)) + flag_after + 1).tolist() == changes
        np.testing.assert_allclose(
            filtered_ratios[flag_after:], oracle.filtered_ratios(values, *FILTERS)
        )
        start = least_contradicted_start((~flags).tolist(), 0.1)
        expected_start = NEVER if start == NEVER else flag_after + start
        assert Ssid().answer(values).steady_start == expected_start


@pytest.mark.parity("vma")
@pytest.mark.parametrize("kind", KINDS)
def test_vma_is_the_packages_average(kind: str) -> None:
    for values, average in cases("vma", kind):
        averages = variable_average(values, 10)

        np.testing.assert_allclose(averages[:: PACKAGE["every"]], average, rtol=1e-9)
        np.testing.assert_allclose(
            averages, oracle.variable_average_by_definition(values, 10), rtol=1e-9
        )
        flat = is_flat(averages, 0.005).tolist()
        assert Vma().answer(values).steady_start == least_contradicted_start(flat, 0.1)


@pytest.mark.parity("ssd-cpd")
@pytest.mark.parametrize("kind", KINDS)
def test_segments_and_their_flags_are_the_packages(kind: str) -> None:
    method, reference_cases = SsdCpd(var_threshold=20.0), cases("ssd_cpd", kind)
    for (values, (_, first, *changes)), points in zip(
        reference_cases, PACKAGE["ed_pelt"][kind], strict=True
    ):
        is_steady = method.flags(values)

        assert change_points(values, 15) == points
        assert is_steady[0] == first
        assert (np.flatnonzero(np.diff(is_steady)) + 1).tolist() == changes
        assert method.answer(values).steady_start == least_contradicted_start(
            is_steady.tolist(), 0.1
        )


def test_ssid_on_every_published_series() -> None:
    """The first transient value, which the file counts from the first that has a flag."""
    folder = replication_folder()
    peers = json.loads((folder / "peers.json").read_text("utf-8"))["ssid"]
    wrong_rows = []
    for stem, key in (("series", "fork0"), ("stage1", "shown")):
        with np.load(folder / f"{stem}.npz") as file:
            series = file[key]
        for row, expected in peers[key].items():
            transient_indices = np.flatnonzero(ratios(series[int(row)], *FILTERS)[51:] > 2.5)
            own_start = int(transient_indices[0]) if transient_indices.size else NEVER
            if own_start != expected:
                wrong_rows.append((key, row, expected, own_start))

    # Hundreds of equal values: both filters hold rounding errors only, and so does their ratio.
    assert wrong_rows == [("fork0", "28", 1854, 1898)]


@pytest.mark.parametrize(
    ("values", "start"),
    [(np.full(200, 0.1), 11), (np.arange(300.0), NEVER), (1e300 * np.tile([1.0, 1.2], 150), 16)],
)
def test_ssid_by_hand(values: Values, start: int) -> None:
    assert Ssid().answer(values) == Detection(start, published_index=start)


@pytest.mark.parametrize(
    ("values", "start"),
    [
        (np.zeros(30), 0),
        (np.full(30, 0.1), 0),
        (np.r_[np.full(20, 9.0), np.ones(80)], 0),  # each of its two segments is constant
        (np.r_[np.arange(40.0) + 20, np.ones(60)], 40),
        (np.arange(100.0), NEVER),
        (1e300 * np.r_[np.arange(40.0) + 20, np.ones(60)], 40),
    ],
)
def test_ssd_cpd_by_hand(values: Values, start: int) -> None:
    assert SsdCpd().answer(values) == Detection(start, published_index=start)


@pytest.mark.parametrize(
    ("values", "start"),
    [
        (np.zeros(9), 0),
        (np.full(9, 3.0), 0),  # nothing moves: the average rests at 0
        (2.0 ** np.arange(60.0), NEVER),
    ],
)
def test_vma_by_hand(values: Values, start: int) -> None:
    assert Vma().answer(values) == Detection(start, published_index=start)


def test_the_average_worked_by_hand() -> None:
    """Ups 1/2 of 2, then downs: the weight is 1/2 at most, and 0 where strength is least."""
    average = variable_average(np.array([1.0, 3.0, 3.0, 2.0]), 2)

    assert average.tolist() == [0, 1.5, 2.25, 2.25]
    assert is_flat(average, 0.0).tolist() == [False, False, False, True]
    assert is_flat(average, 0.4).tolist() == [False, False, True, True]


@pytest.mark.parametrize("window", [1, 2, 3, 7, 20, 50])
def test_the_extremes_of_a_window_are_those_of_its_values(window: int) -> None:
    values = np.random.default_rng(window).normal(size=20)

    minima, maxima = extremes(values, window)

    windows = [values[max(i - window + 1, 0) : i + 1] for i in range(20)]
    assert minima.tolist() == [window_values.min() for window_values in windows]
    assert maxima.tolist() == [window_values.max() for window_values in windows]


@pytest.mark.parametrize(("slug", "least_length"), [("ssid", 200), ("vma", 3), ("ssd-cpd", 30)])
def test_too_short_says_how_long(slug: str, least_length: int) -> None:
    values = np.arange(least_length) % 3.0

    assert registry()[slug]().answer(values).steady_start >= NEVER
    with pytest.raises(TooShort, match=f"at least {least_length} values; got {least_length - 1}"):
        registry()[slug]().answer(values[1:])


@pytest.mark.parametrize("slug", ["ssid", "vma"])
def test_evidence_is_what_decided(slug: str) -> None:
    values, method = as_series(simulate("flat", n=300).values), registry()[slug]()

    curve, event = method.evidence(values, Context())

    assert isinstance(curve, Curve)
    assert curve.y.size == 300
    assert event == Events((method.answer(values).steady_start,), label=event.label)
