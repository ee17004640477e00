"""What is written out is read in again, value by value."""

from __future__ import annotations

import io
import json

import numpy as np
from hypothesis import example, given, strategies as st
from hypothesis.extra.numpy import arrays

import formats
from formats import preview, series_table
from formats.measurement import Measurement, RecordingHint
from formats.registry import FORMATS
from tests.formats.jmh_files import entry

numbers = st.floats(0, 1e300, allow_subnormal=True)
names = st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"]), min_size=1, max_size=8)
series = arrays(np.float64, st.integers(2, 20), elements=numbers)


@given(
    values=series,
    benchmark=names,
    system=names,
    params=st.sampled_from(["", "a=1&b=x,y", "=1"]),
    fork=st.integers(0, 99),
    unit=st.sampled_from(["", "s", "s/op", "ops/ms"]),
    label=st.sampled_from(["", "monday"]),
)
@example(np.array([1.5, 2.0]), "=cmd|x", "'tis", "", 0, "s/op", "@home")
def test_series_csv(
    values: formats.Values,
    benchmark: str,
    system: str,
    params: str,
    fork: int,
    unit: str,
    label: str,
) -> None:
    written_measurement = Measurement(
        benchmark=benchmark,
        values=values,
        label="",
        system=system,
        params=params,
        fork=fork,
        unit=unit,
        recording=RecordingHint(label=label),
    )

    text = "".join(series_table.series_table_text([written_measurement]))
    (measurement,) = formats.read_series_of_file(io.BytesIO(text.encode()), "x.csv", format="csv")

    assert measurement.values.tobytes() == values.tobytes()
    assert (measurement.system, measurement.benchmark, measurement.params) == (
        system,
        benchmark,
        params,
    )
    assert (measurement.fork, measurement.unit, measurement.recording.label) == (fork, unit, label)


@given(st.lists(series, min_size=1, max_size=4))
def test_jmh_json(forks: list[formats.Values]) -> None:
    data = json.dumps([entry([fork.tolist() for fork in forks], unit="s/op")]).encode()

    measurements = formats.read_series_of_file(io.BytesIO(data), "x.json")

    assert [m.values.tobytes() for m in measurements] == [fork.tobytes() for fork in forks]


@given(arrays(np.float64, st.tuples(st.integers(1, 4), st.integers(2, 9)), elements=numbers))
def test_numpy(values: formats.Values) -> None:
    stream = io.BytesIO()
    np.save(stream, values)
    stream.seek(0)

    series = formats.read_series_of_file(stream, "x.npy")

    assert [m.values.tobytes() for m in series] == [row.tobytes() for row in values]


@given(series)
def test_text(values: formats.Values) -> None:
    data = "".join(f"{value!r}\n" for value in values.tolist()).encode()

    (measurement,) = formats.read_series_of_file(io.BytesIO(data), "x.txt")

    assert measurement.values.tobytes() == values.tobytes()


@given(st.lists(series, min_size=2, max_size=4), st.sampled_from([",", ";", "\t", "|"]))
def test_wide_csv(columns: list[formats.Values], separator: str) -> None:
    most_values = max(column.size for column in columns)
    cells = [[repr(v) for v in c.tolist()] + [""] * (most_values - c.size) for c in columns]
    header = separator.join(f"fork {fork}" for fork in range(len(columns)))
    body = "\n".join(separator.join(row) for row in zip(*cells, strict=True))

    measurements = formats.read_series_of_file(io.BytesIO(f"{header}\n{body}\n".encode()), "x.csv")

    assert [m.values.tobytes() for m in measurements] == [column.tobytes() for column in columns]


@given(st.binary(max_size=200))
@example(b"\x1f\x8b")
@example(b"\x93NUMPY\x01\x00")
@example(b"PK\x03\x04.npy")
@example(b"[[1")
@example(b'{"keyname": 1}')
@example(b"\xff\xfe1")
def test_any_bytes_give_series_or_a_sentence(data: bytes) -> None:
    for format_name in FORMATS:
        file_preview = preview(io.BytesIO(data), "x", format=format_name)

        assert all(str(problem).startswith("x, ") for problem in file_preview.problems)
        assert file_preview.series or file_preview.problems
        assert all(np.isfinite(m.values).all() for m in file_preview.drawn)
