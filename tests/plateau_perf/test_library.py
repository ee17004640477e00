"""The library in the checkout: one answer, tables, scores, figures."""

from __future__ import annotations

import doctest
import importlib
import json
import pkgutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import xarray as xr

import plateau_perf as pp
from detectors.contract import BadSeries, DetectorError, ParameterError, TooShort
from detectors.detection_rows import COLUMNS
from detectors.registry import UnknownDetector, get
from detectors.shapes.noise import shape_and_noise
from detectors.simulated.synthetic import simulate
from evidence.bench.processes import ROOT

SERIES = simulate("step", n=600)
VALUES = SERIES.values
FIXED = "fixed?iteration=20"


@pytest.mark.parametrize("name", ["answer", "scoring", "shapes", "tables", ""])
def test_examples_of_docstrings_are_true(name: str) -> None:
    module = importlib.import_module(f"plateau_perf.{name}".rstrip("."))
    failure_count, test_count = doctest.testmod(module)

    assert test_count
    assert not failure_count


def test_one_answer_says_start_certainty_and_change() -> None:
    answer = pp.detect(VALUES)

    assert answer.start == get("plateau")().answer(VALUES).steady_start
    assert answer.steady
    assert answer.mean == VALUES[answer.start :].mean()
    assert answer.change == pytest.approx(VALUES.mean() / answer.mean - 1)
    assert 0.5 < (answer.chance or 0) <= 1
    assert (answer.low or 0) <= (answer.high or 0)


@pytest.mark.parametrize("as_given", [list, pd.Series, pl.Series, np.asarray])
def test_any_column_of_numbers_is_a_series(as_given: Any) -> None:
    assert pp.detect(as_given(VALUES.tolist())) == pp.detect(VALUES)


def test_never_is_none() -> None:
    answer = pp.detect(np.linspace(1, 9, 3000) ** 2)

    assert (answer.start, answer.steady, answer.mean, answer.change) == (None, False, None, None)
    assert answer.chance is not None  # of the rest, an answer of never has no place
    assert (answer.low, answer.high, answer.near) == (None, None, None)
    assert str(answer).startswith("plateau: never steady in 3000 iterations (a drift over ")


def test_a_sentence_says_only_what_the_answer_can_tell() -> None:
    """All values are kept: no other mean; about 0: no share of it; nine values: no interval."""
    noise = np.random.default_rng(5).standard_normal(200)
    assert str(pp.detect(noise, "fixed", iteration=0)).endswith("not told apart from 0")
    quiet_text = str(pp.detect(10 + noise, "fixed", iteration=0))
    assert "their mean known to ±" in quiet_text
    assert "% off" not in quiet_text
    few_words = str(pp.detect(10 + noise[:29], "fixed", iteration=20))
    assert "worth 9 independent values: an interval of their mean needs 30; the mean" in few_words


def test_parameters_are_those_of_the_method() -> None:
    assert pp.detect(VALUES, "kb-kssd", prob_window=100).key == get("kb-kssd")(prob_window=100).key
    assert pp.detect(VALUES, FIXED).start == 20
    with pytest.raises(ParameterError, match="prob_windo"):
        pp.detect(VALUES, "kb-kssd", prob_windo=100)
    with pytest.raises(UnknownDetector):
        pp.detect(VALUES, "kbkssd")


@pytest.mark.parametrize(
    ("values", "error"), [([], TooShort), ([1.0], TooShort), ([[1.0]], BadSeries)]
)
def test_what_is_no_series_is_said(values: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        pp.detect(values)


def test_files_and_arrays_give_named_tuples(tmp_path: Path) -> None:
    first, second = tmp_path / "a.csv", tmp_path / "b.npy"
    pd.DataFrame({"a": VALUES, "b": VALUES[::-1]}).to_csv(first, index=False)
    np.save(second, VALUES)

    folder_rows = pp.detect_all(tmp_path, [FIXED, "plateau"])
    file_rows = pp.detect_all([first, str(second)], [FIXED, "plateau"])
    array_rows = pp.detect_all([VALUES, VALUES[:1]], [FIXED, "plateau"])

    assert [row[:4] for row in folder_rows] == [row[:4] for row in file_rows]
    assert [(row.series, row.method) for row in folder_rows] == [
        (name, method) for name in ("a", "b", "b") for method in ("fixed", "plateau")
    ]
    assert [row.steady_start for row in array_rows][::3] == [20, None]
    assert "too short" in array_rows[3].error
    assert pp.DetectionRow._fields == COLUMNS
    assert len(pp.detect_all(VALUES, [FIXED])) == 1
    assert pp.detect_all([], [FIXED]) == []


@pytest.mark.parametrize(
    "table", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "arrow"]
)
def test_a_table_comes_back_as_what_it_was(table: Any) -> None:
    table_of_values = table({"a": VALUES, "b": VALUES[::-1].copy()})

    detections = pp.detect_all(table_of_values, ["plateau", FIXED])

    assert type(detections) is type(table_of_values)
    columns = (
        detections.column_names if isinstance(detections, pa.Table) else list(detections.columns)
    )
    assert tuple(columns) == COLUMNS
    starts = [pp.detect(values).start for values in (VALUES, VALUES[::-1])]
    answer_starts = [
        None if start == -1 else start for start in detections["steady_start"].to_numpy()
    ]
    assert answer_starts == [starts[0], 20, starts[1], 20]


def _named_starts(table: Any) -> list[tuple[str, int, int]]:
    rows = pp.detect_all(table, [FIXED])[["series", "n", "steady_start"]]
    return [tuple(row) for row in rows.to_numpy().tolist()]


TWO_FORKS = np.concatenate([VALUES, VALUES])


def test_a_multi_index_gives_a_series_a_fork() -> None:
    index = pd.MultiIndex.from_product([["p", "q"], range(VALUES.size)], names=["fork", None])
    frame = pd.DataFrame({"time": TWO_FORKS}, index=index)
    without_iterations = frame.set_axis(
        pd.MultiIndex.from_arrays([["m"] * TWO_FORKS.size, np.repeat([1, 2], VALUES.size)])
    )

    assert _named_starts(frame) == [("p", VALUES.size, 20), ("q", VALUES.size, 20)]
    assert _named_starts(frame["time"]) == _named_starts(frame)
    assert [name for name, *_ in _named_starts(frame.assign(memory=TWO_FORKS))] == [
        "time p",
        "time q",
        "memory p",
        "memory q",
    ]
    assert _named_starts(without_iterations) == [("m 1", VALUES.size, 20), ("m 2", VALUES.size, 20)]


@pytest.mark.parametrize("iterations", [[*range(VALUES.size)], [0] * VALUES.size])
def test_one_answer_is_of_one_fork_of_a_multi_index(iterations: list[int]) -> None:
    """The last level counts iterations; without one, all levels name forks."""
    index = pd.MultiIndex.from_product([["p", "q"], iterations], names=["fork", None])
    times = pd.Series(TWO_FORKS, index=index)

    with pytest.raises(BadSeries, match="detect_all"):
        pp.detect(times)
    assert pp.detect(times[: VALUES.size], "fixed?iteration=20").start == 20


def test_a_fork_without_a_name_is_a_series_too() -> None:
    index = pd.MultiIndex.from_product([[None, "q"], range(VALUES.size)])
    times = pd.Series(TWO_FORKS, index=index)

    assert len(pp.detect_all(times)) == 2
    with pytest.raises(BadSeries, match="2 series"):
        pp.detect(times)


def test_a_lazy_frame_is_read() -> None:
    assert _named_starts(pl.LazyFrame({"a": VALUES})) == [("a", VALUES.size, 20)]


def test_an_xarray_gives_a_series_along_its_iterations() -> None:
    array = xr.DataArray(
        np.stack([VALUES, VALUES]),
        dims=("fork", "iteration"),
        coords={"fork": ["p", "q"]},
        name="time",
    )
    by_fork = [("time fork=p", VALUES.size, 20), ("time fork=q", VALUES.size, 20)]

    assert _named_starts(array) == _named_starts(array.transpose()) == by_fork
    dataset = xr.Dataset({"time": array, "memory": array[0].drop_vars("fork")})
    assert _named_starts(dataset) == [*by_fork, ("memory", VALUES.size, 20)]
    assert pp.detect(array[0], FIXED).start == 20


def test_a_number_beyond_doubles_is_refused_with_a_sentence() -> None:
    with pytest.raises(DetectorError, match="values must be numbers: int too large"):
        pp.detect([10**400])


def test_a_missing_package_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "urllib3", None)
    monkeypatch.setitem(sys.modules, "plotly.graph_objects", None)

    with pytest.raises(ModuleNotFoundError, match=r"pip install plateau-perf\[client\]"):
        pp.Client("https://plateau.example.org", "token")
    with pytest.raises(ModuleNotFoundError, match=r"pip install plateau-perf\[plot\]"):
        pp.plot(VALUES)


def test_a_file_is_read_with_its_names(tmp_path: Path) -> None:
    path = tmp_path / "step.npy"
    np.save(path, VALUES)

    (series,) = pp.read(path)

    assert series.values.tolist() == VALUES.tolist()
    with pytest.raises(OSError, match="nothing"):
        pp.read(tmp_path / "nothing.csv")


@pytest.mark.parametrize("relative", [False, True])
def test_files_are_named_by_their_neighbours(
    *, relative: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("fib", "sort"):
        folder = tmp_path / "criterion" / name / "new"
        folder.mkdir(parents=True)
        sample = {"sampling_mode": "Flat", "iters": [1, 1], "times": [2e9, 1e9]}
        (folder / "sample.json").write_text(json.dumps(sample))
        (folder / "benchmark.json").write_text(json.dumps({"group_id": "g", "full_id": name}))
    machine = tmp_path / "results" / "cheetah"
    machine.mkdir(parents=True)
    (machine.parent / "benchmarks.json").write_text('{"time_b": {"param_names": ["size"]}}')
    results = {"time_b": [[1.5, 2.5], [["1", "2"]]]}
    commit = {"commit_hash": "abc", "result_columns": ["result", "params"], "results": results}
    (machine / "abc.json").write_text(json.dumps(commit))
    if relative:
        monkeypatch.chdir(machine)

    samples = [tmp_path / "criterion" / name / "new" / "sample.json" for name in ("fib", "sort")]

    assert [pp.read(path)[0].benchmark for path in samples] == ["fib", "sort"]
    asv = Path("abc.json") if relative else machine / "abc.json"
    assert [series_row.params for series_row in pp.read(asv)] == ["size=1", "size=2"]
    (machine.parent / "benchmarks.json").write_text('{"time_b": {"param_names": ["length"]}}')
    assert pp.read(asv)[0].params == "length=1"


def test_scores_count_each_kind_of_error() -> None:
    score = pp.score([10, 200, None, -1, pp.detect(VALUES, FIXED)], [0, 20, 30, None, -1])

    assert (score.n, score.both, score.missed, score.invented) == (5, 2, 1, 1)
    assert (score.mean, score.median, score.bias, score.within) == (95.0, 95.0, 95.0, 0.5)
    assert score.balanced == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert pp.score([], []).mean is None
    with pytest.raises(ValueError, match="1 for 2"):
        pp.score([1], [1, 2])


@pytest.mark.parametrize(("values", "direction"), [(VALUES, "down"), (1 / VALUES, "up")])
def test_shape_and_noise_are_those_of_every_other_place(values: Any, direction: str) -> None:
    answer = pp.shape(values.tolist())

    assert (answer.level, answer.half) == shape_and_noise(values)
    assert (answer.shape, answer.classes, answer.n) == (
        f"step-{direction}",
        (f"step-{direction}",),
        600,
    )
    assert (answer.noise, answer.reasons) == ("quiet", ())
    assert str(answer) == f"step {direction}; noise: quiet"


@pytest.mark.parametrize("n", [0, 1, 2, 59])
def test_a_few_values_have_no_shape(n: int) -> None:
    assert str(pp.shape(VALUES[:n])) == "too short; noise: too short"
    with pytest.raises(BadSeries):
        pp.shape([[1.0, 2.0]])


def test_a_figure_has_the_values_and_a_line_for_each_start() -> None:
    answers = [pp.detect(VALUES, FIXED), pp.detect(np.linspace(1, 9, 3000) ** 2)]

    figure = pp.plot(VALUES, answers, unit="s")

    assert figure.data[0].y.tolist() == VALUES.tolist()
    assert [shape.x0 for shape in figure.layout.shapes] == [20]
    assert figure.layout.title.text == "Never steady: plateau"
    assert pp.plot(VALUES, answers[0]).layout.shapes[0].x0 == 20


def test_the_notebook_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    notebook = json.loads((ROOT / "docs" / "library.ipynb").read_text("utf-8"))
    namespace: dict[str, Any] = {}

    cells = [code_cell for code_cell in notebook["cells"] if code_cell["cell_type"] == "code"]
    for cell in cells:
        exec("".join(cell["source"]), namespace)  # noqa: S102

    assert cells
    assert namespace["rows"]


def test_everything_public_is_typed_and_described() -> None:
    for name in pp.__all__:
        assert getattr(pp, name).__doc__, name
    assert (Path(pp.__file__).parent / "py.typed").is_file()
    assert {module.name for module in pkgutil.iter_modules(pp.__path__)} >= {"answer", "tables"}
