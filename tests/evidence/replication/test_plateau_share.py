"""How high the plateau of published series is drawn."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.arrays.robust_range import robust_range
from evidence.replication.plateau_share import main, quantiles_and_fence, share_of
from tests.published_data import replication_folder


def test_todays_range_shows_more_of_the_plateau_and_cuts_no_more_than_a_quarter(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["plateau_share", str(replication_folder())])

    assert main() == 0
    old_line, new_line = capsys.readouterr().out.splitlines()[-2:]
    assert old_line.startswith("| 1: quantiles of values | 394 | 7.4 % | 78 px |")
    assert new_line.startswith("| 2: running medians | 394 | 4.3 % | 160 px |")


def test_a_constant_series_has_no_share_and_a_spike_costs_nothing() -> None:
    flat_values = np.tile([1.0, 2.0], 50)
    spike = np.where(np.arange(100) == 60, 1e9, flat_values)

    share = share_of("today", [np.ones(100), flat_values, spike], robust_range)

    assert (share.series, share.low, share.cut, share.worst) == (2, 0.0, 0.5, 1 / 300)
    assert share.pixels == pytest.approx(358 / 1.65)


@pytest.mark.parametrize(
    ("values", "expected"),
    [(range(1000), (-49.95, 1048.95)), ([10] * 300 + [11] * 300 + [100_000], (9.95, 11.05))],
)
def test_the_range_of_before_is_what_it_was(
    values: list[int], expected: tuple[float, float]
) -> None:
    assert quantiles_and_fence(np.array(values, dtype=float)) == pytest.approx(expected)
