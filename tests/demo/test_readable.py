"""The shipped measurements go through the reader that a user's own files go through."""

from __future__ import annotations

import numpy as np
import pytest

from demo import layout
from demo.catalogue import CATALOGUE, Workload
from formats.reading import read_series_of_file


@pytest.mark.parametrize("workload", CATALOGUE, ids=lambda workload: workload.name)
def test_a_recording_is_read_as_one_series_a_fork_in_seconds(workload: Workload) -> None:
    entry = layout.read_recording(workload.path)
    raw_values = np.array(entry["primaryMetric"]["rawData"], dtype=np.float64)

    with workload.path.open("rb") as stream:
        series = list(read_series_of_file(stream, workload.file))

    assert [measurement.fork for measurement in series] == list(range(len(raw_values)))
    assert {measurement.benchmark for measurement in series} == {workload.benchmark}
    assert {measurement.unit for measurement in series} == {"s/op"}
    assert {measurement.recording.label for measurement in series} == {entry["recording"]["label"]}
    assert {measurement.recording.runtime for measurement in series} == {
        entry["recording"]["runtime"]
    }
    assert not any(measurement.notes for measurement in series)
    # Nanoseconds to seconds is one rounding; 1e-15 relative allows for either way to write it.
    np.testing.assert_allclose([m.values for m in series], raw_values / 1e9, rtol=1e-15)
