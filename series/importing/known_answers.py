"""Known answers of a simulated data set, stated by a file: what comparison has as a yardstick."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from django.db import transaction

from formats import FormatError, answers
from formats.answers import AnswerRow
from series.models import Dataset, Series

ROWS: Final = 500  # a statement
Named = tuple[str, str, int]


def read_answers(path: Path) -> list[AnswerRow]:
    """The rows of an answers CSV that have an answer. Raises FormatError and OSError."""
    with path.open("rb") as stream:
        return [
            row
            for row in answers.read_answers(stream, path.name).rows
            if row.steady_start is not None
        ]


@transaction.atomic
def state_answers(dataset: Dataset, rows: Sequence[AnswerRow], *, file: str) -> int:
    """Say what is known of the series that the rows name; how many they are.

    A row names a series by benchmark, parameters and fork, in every recording, and with
    `series_digest` its values too. Raises FormatError for a row that fits no series, and for a
    data set of measurements; nothing is stated then.
    """
    if not dataset.simulated:
        raise FormatError(
            file,
            "known answers",
            found=f"the data set {dataset.slug}, which was measured",
            expected="a simulated one, or one that is not there yet",
        )
    series_by_name = _series(dataset, {answer_row.benchmark for answer_row in rows})
    stated_series = [
        named_series for row in rows for named_series in _state_answers(row, series_by_name, file)
    ]
    Series.objects.bulk_update(stated_series, ["known_start", "known_reason"], ROWS)
    return len(stated_series)


def _series(dataset: Dataset, names: Iterable[str]) -> dict[Named, list[Series]]:
    series_by_name: dict[Named, list[Series]] = {}
    dataset_series = Series.objects.filter(benchmark__dataset=dataset).select_related("benchmark")
    wanted_names = set(names)
    for series in dataset_series.only(
        "pk", "fork", "n", "digest", "benchmark__name", "benchmark__params"
    ):
        if series.benchmark.name in wanted_names:
            key = series.benchmark.name, series.benchmark.params, series.fork
            series_by_name.setdefault(key, []).append(series)
    return series_by_name


def _state_answers(
    row: AnswerRow, series_by_name: Mapping[Named, list[Series]], file: str
) -> list[Series]:
    """The series of a row, with its answer."""
    named_series = series_by_name.get((row.benchmark, row.params, row.fork or 0), [])
    matching_series = [
        series for series in named_series if row.series_digest in {"", series.digest}
    ]
    start = row.steady_start
    if not matching_series or start is None or any(start >= series.n for series in matching_series):
        raise FormatError(
            file,
            f"row {row.row}",
            found=_found_words(row, named_series, matching_series),
            expected=_expected_words(named_series, matching_series),
        )
    for series in matching_series:
        series.known_start, series.known_reason = start, f"Stated in {file}, row {row.row}."
    return matching_series


def _found_words(
    row: AnswerRow, named_series: Sequence[Series], matching_series: Sequence[Series]
) -> str:
    if matching_series:
        return f"iteration {row.steady_start} for {row.name}"
    return f"other values of {row.name}" if named_series else row.name


def _expected_words(named_series: Sequence[Series], matching_series: Sequence[Series]) -> str:
    if matching_series:
        return f"less than {min(series.n for series in matching_series)}, its length"
    return "the values that the answer is of" if named_series else "a series of this data set"
