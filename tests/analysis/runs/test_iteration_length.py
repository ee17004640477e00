"""`manage.py iteration_length`: what an import did not say, said of stored series."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from django.core.management import CommandError, call_command

from analysis.runs.models import Detection
from series.models import Benchmark, Series
from tests.analysis.comparison.conftest import key_of, store

__all__ = ["store"]
WHERE = "startup-times/nightly"


def length_output(*words: str) -> str:
    output = io.StringIO()
    call_command("iteration_length", WHERE, *words, stdout=output)
    return output.getvalue().strip()


def length(series: Series) -> str:
    return str(Series.objects.get(pk=series.pk).iteration_length)


def test_only_what_is_not_known_is_said(
    make_series: Callable[..., Series], store: Callable[..., None]
) -> None:
    unknown_series = make_series([3.0, 2.0], "org.Unknown")
    series = make_series([3.0, 2.0], "org.Known", settings={"seconds_per_iteration": 1.0})
    for slug in ("fixed-time", "kb-kssd"):
        store(key_of(slug), [unknown_series, series], [0, 0])

    output = length_output("100 ms")

    assert (
        output == f"{WHERE}: 1 of 2 series told; answers of methods that count seconds deleted: 1"
    )
    assert (length(unknown_series), length(series)) == ("0.1 s", "1 s")
    assert Series.objects.get(pk=unknown_series.pk).seconds_per_iteration == 0.1
    remaining_pairs = set(Detection.objects.values_list("series", "slug"))
    assert remaining_pairs == {
        (unknown_series.pk, "kb-kssd"),
        (series.pk, "kb-kssd"),
        (series.pk, "fixed-time"),
    }


def test_of_one_recording_and_one_operation(make_series: Callable[..., Series]) -> None:
    times, rates = make_series([3.0, 2.0]), make_series([3.0, 2.0], "org.Rates")
    Benchmark.objects.filter(pk=rates.benchmark_id).update(unit="ops/s", mode="thrpt")

    assert length_output("one operation", "--recording", "another").startswith(
        f"{WHERE}: 0 of 0 series"
    )
    assert length_output("one operation").startswith(f"{WHERE}: 1 of 2 series told; answers")
    assert (length(times), length(rates)) == ("one operation", "None")


@pytest.mark.parametrize("word", ["", "3", "soon"])
def test_what_is_no_length_is_refused(make_series: Callable[..., Series], word: str) -> None:
    series = make_series([3.0, 2.0])

    with pytest.raises(CommandError, match="expected a length such as 100 ms or 1 s") as error_info:
        length_output(word)

    assert error_info.value.returncode == 2
    assert length(series) == "None"
