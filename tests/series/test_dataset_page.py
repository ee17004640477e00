"""The table of a data set: what stands in it, how it is narrowed, and what it costs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from people.models import Study, User
from series import columns
from series.columns import Asked, ColumnFilter, FilteredRows, ProvidedColumns
from series.importing import services
from series.models import Benchmark, Dataset, Recording, Series
from series.models.series import SeriesQuerySet

MOST_QUERIES, MOST_BYTES = 13, 62_500


@pytest.fixture
def page(client: Client, vic: User, dataset: Dataset) -> Callable[..., str]:
    client.force_login(vic)

    def get(query: str = "", **headers: str) -> str:
        answer = client.get(dataset.get_absolute_url() + query, headers=headers, follow=True)
        assert answer.status_code == 200
        return answer.content.decode()

    return get


@pytest.fixture
def benchmarks(make_series: Callable[..., Series]) -> list[Series]:
    """Four benchmarks with one or two forks."""
    names = ["org.example.Sort.merge", "org.example.Sort.quick", "io.net.Server.start", "hash"]
    series = [
        make_series([3.0 - number, 1.0, 2.0 + number], name) for number, name in enumerate(names)
    ]
    series.append(make_series([9.0, 9.0], "hash", fork=1))
    Benchmark.objects.filter(name="io.net.Server.start").update(system="net", unit="ops/s")
    return series


def test_a_row_names_draws_and_measures_a_benchmark(
    page: Callable[..., str], benchmarks: list[Series]
) -> None:
    text = page("?q=merge")

    assert "<i>Sort.</i>merge</a>" in text
    assert "Sort.quick" not in text
    assert text.count('<svg class="outline"') == 1  # of three values: stretched by itself
    assert "1 benchmark found" in text


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("?q=sort+QUICK", ["quick"]),
        ("?system=net", ["start"]),
        ("?unit=ops%2Fs", ["start"]),
        ("?min=4", ["merge"]),
        ("?max=3", ["hash", "quick", "start"]),
        ("?min=3&max=3&q=sort", ["quick"]),
        ("?min=soon&max=99999999999999999999", ["hash", "merge", "quick", "start"]),
        ("?sort=-median", ["hash", "quick", "merge", "start"]),
        ("", ["hash", "merge", "quick", "start"]),
    ],
)
def test_filters_and_orders(
    page: Callable[..., str], benchmarks: list[Series], query: str, names: list[str]
) -> None:
    Series.objects.filter(benchmark__name="hash").update(median=9.0)
    Series.objects.filter(benchmark__name__endswith="quick").update(median=3.0)
    Series.objects.filter(benchmark__name__endswith="merge").update(median=2.0, n=4)
    Series.objects.filter(benchmark__name__endswith="start").update(median=1.0)

    text = page(query)

    places = [text.index(f"{name}</a>") for name in names]
    assert places == sorted(places)
    assert text.count('<svg class="outline"') == len(names)


def test_a_filter_without_hits_says_so(page: Callable[..., str], series: Series) -> None:
    assert "No benchmark matches “netty”" in page("?q=netty&system=x")


def test_lengths_are_asked_for_where_they_differ(
    page: Callable[..., str], make_series: Callable[..., Series]
) -> None:
    make_series([3.0, 2.0], "short")
    equal_page = page()
    make_series([3.0, 2.0, 1.0], "long")
    differing_page, empty_page = page(), page("?min=4")

    assert 'name="min"' not in equal_page
    assert 'name="min"' in differing_page
    assert 'placeholder="2"' in differing_page
    assert "No benchmark matches iterations" in empty_page


def test_an_address_has_no_empty_fields(client: Client, vic: User, series: Series) -> None:
    client.force_login(vic)
    address = series.benchmark.dataset.get_absolute_url()

    answer = client.get(address + "?q=sort&system=&unit=&sort=")

    assert answer.status_code == 302
    assert answer.headers["Location"] == address + "?q=sort"


def test_a_filter_by_script_gets_the_list_alone(page: Callable[..., str], series: Series) -> None:
    text = page("?q=merge", **{"hx-request": "true"})

    assert "<html" not in text
    assert "<table" in text


def test_more_rows_come_as_rows(
    page: Callable[..., str], make_series: Callable[..., Series]
) -> None:
    for number in range(60):
        make_series([2.0, 1.0], f"b{number:02}")

    first, second = page(), page("?page=2", **{"hx-request": "true"})

    assert "Load 10 more" in first
    assert ("b49</a>" in first, "b50</a>" in first) == (True, False)
    assert "<table" not in second
    assert ("b50</a>" in second, "b59</a>" in second, "Load" in second) == (True, True, False)


def test_a_recording_can_be_chosen(
    page: Callable[..., str], dataset: Dataset, series: Series
) -> None:
    recording = Recording.objects.create(dataset=dataset, label="second")
    benchmark = series.benchmark
    Series.objects.create(
        **{
            **{f.attname: getattr(series, f.attname) for f in Series._meta.concrete_fields},
            "id": None,
            "public_id": "secondfork",
            "recording_id": recording.pk,
            "median": 77.0,
        }
    )
    services.choose_shown([benchmark.pk])

    assert "77.00" in page()  # the newest recording
    assert "77.00" in page("?recording=second")
    assert "77.00" not in page("?recording=first")


def test_the_menu_offers_the_newest_recordings_and_the_one_asked_for(
    page: Callable[..., str], dataset: Dataset, series: Series, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("series.listing.MOST_RECORDINGS", 2)
    for number in (2, 3, 4):
        Recording.objects.create(dataset=dataset, label=f"night {number}")

    assert option_values(page()) == ["", "night 4", "night 3"]
    assert "2 older" in age_text(page())
    assert option_values(page("?recording=night+2")) == ["", "night 4", "night 3", "night 2"]
    assert "1 older" in age_text(page("?recording=night+2"))


def age_text(text: str) -> str:
    return text.partition("data-older")[2].partition("</option>")[0]


def option_values(text: str) -> list[str]:
    """Values of the menu of recordings."""
    menu = text.partition('<select name="recording">')[2].partition("</select>")[0]
    return re.findall(r'<option value="([^"]*)"', menu)


def queries_and_bytes(get: Callable[..., str]) -> tuple[int, int]:
    get()  # caches of the process are not what is counted
    with CaptureQueriesContext(connection) as captured_queries:
        text = get()
    return len(captured_queries), len(text.encode())


def test_fifty_rows_are_cheap_however_many_there_are(
    page: Callable[..., str], make_series: Callable[..., Series], dataset: Dataset
) -> None:
    noise = np.random.default_rng(1)
    for number in range(10):
        make_series(noise.normal(1.0, 0.1, 3000), f"org.example.Some{number}.benchmark")
    few_queries, _ = queries_and_bytes(page)
    for number in range(110):
        make_series(noise.normal(1.0, 0.1, 3000), f"org.example.Other{number}.benchmark")

    query_count, size = queries_and_bytes(page)

    assert query_count == few_queries
    assert query_count <= MOST_QUERIES
    assert size <= MOST_BYTES  # pure noise: measured series take a quarter less


class RegisteredColumns(ProvidedColumns):
    """What another room would register."""

    head, cells = "head.html", "cells.html"

    def values(self, reader: User, rows: Sequence[Series]) -> Mapping[int, Any]:
        return {row.pk: row.n for row in rows}

    def choices(self, study: Study, asked: Asked) -> Sequence[ColumnFilter]:
        options = (("steady", "steady"), ("never", "never"))
        return [ColumnFilter("answer", "Answer", options, asked.get("answer", ""))]

    def orders(self) -> Mapping[str, str]:
        return {"spread": "spread"}

    def narrow(self, reader: User, rows: SeriesQuerySet, asked: Asked) -> FilteredRows:
        if asked.get("answer") == "never":
            return FilteredRows(rows.filter(n=2), left_out=3)
        return (
            FilteredRows(rows.order_by("n"))
            if asked.get("sort") == "spread"
            else FilteredRows(rows)
        )


@pytest.fixture
def answers(settings: Any, tmp_path: Path) -> Iterator[None]:
    (tmp_path / "head.html").write_text("<th>Length</th>")
    (tmp_path / "cells.html").write_text("<td>{{ cell }} in {{ row.forks }}</td>")
    template_settings = settings.TEMPLATES[0]
    settings.TEMPLATES = [{**template_settings, "DIRS": [*template_settings["DIRS"], tmp_path]}]
    entries = list(columns._registered.entries)
    columns._registered.entries[:] = [RegisteredColumns()]
    yield
    columns._registered.entries[:] = entries


@pytest.mark.usefixtures("answers")
def test_other_rooms_add_columns_filters_and_orders(
    page: Callable[..., str], make_series: Callable[..., Series]
) -> None:
    make_series([1.0, 2.0], "short")
    make_series([1.0, 2.0, 3.0], "long")

    plain = page()
    assert "<th>Length</th>" in plain
    assert plain.index("long</a>") < plain.index("<td>3 in 1</td>") < plain.index("short</a>")
    assert '<select name="answer">' in plain
    assert "3 left out because you" in page("?answer=never")
    assert "long</a>" not in page("?answer=never")
    sorted_by = page("?sort=spread")
    assert sorted_by.index("short</a>") < sorted_by.index("long</a>")


def test_all_data_sets_stand_in_one_list(
    client: Client, vic: User, benchmarks: list[Series], study: Study
) -> None:
    client.force_login(vic)
    address = reverse("datasets", args=[study.slug])
    lone_response = client.get(f"{address}?q=merge")
    dataset = Dataset.objects.create(study=study, name="Weekly", slug="weekly")
    occasion = Recording.objects.create(dataset=dataset, label="first")
    moved_benchmark = Benchmark.objects.get(name="hash")
    Benchmark.objects.filter(pk=moved_benchmark.pk).update(dataset=dataset)
    moved_benchmark.series.update(recording=occasion)

    listing = client.get(address).context["listing"]
    rows = {(row.name, row.dataset) for row in listing}
    page = client.get(f"{address}?q=hash").content.decode()
    first = moved_benchmark.series.earliest("fork")

    assert (
        lone_response.headers["Location"]
        == f"{benchmarks[0].benchmark.dataset.get_absolute_url()}?q=merge"
    )
    assert rows == {
        ("hash", "Weekly"),
        *((name, "Nightly") for name in ("merge", "quick", "start")),
    }
    assert (listing.facts.benchmarks, listing.facts.series) == (4, 5)
    assert f'href="../series/{first.public_id}/"' in page
    assert f'href="{dataset.get_absolute_url()}"' in page


def test_an_empty_study_says_what_to_do(
    client: Client, olga: User, vic: User, study: Study
) -> None:
    for person, words in ((olga, "Import values"), (vic, "An owner of the study imports them.")):
        client.force_login(person)

        assert words in client.get(reverse("datasets", args=[study.slug])).content.decode()
