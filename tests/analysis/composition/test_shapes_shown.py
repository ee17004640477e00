"""Shapes and noise where they are shown, counted, chosen by and exported."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable
from io import StringIO

import numpy as np
import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from analysis.composition.exports import SHAPE_COLUMNS
from annotate.campaigns import selection
from annotate.models import Campaign, Task
from detectors.shapes.series_shape import RULE
from detectors.shapes.shape_examples import example
from formats import Measurement
from people.models import Study, User
from series import shapes
from series.importing.services import import_measurements
from series.models import Dataset, Series, SeriesShape
from series.shape_facts import shape_facts, shape_row
from tests.replayed_rows import replayed

STEP, WALK = example("step-down", n=300, seed=1), example("random-walk", n=300, seed=1)


@pytest.fixture
@replayed
def shaped_series(make_series: Callable[..., Series]) -> list[Series]:
    """Four benchmarks: two steps, a walk, one too short."""
    return [
        make_series(STEP, "b.one"),
        make_series(STEP * 1.5, "b.two"),
        make_series(WALK, "b.walk"),
        make_series([2.0, 1.0], "b.short"),
    ]


def page(client: Client, name: str, *args: str, **query: str) -> str:
    htmx = {"hx-request": "true"} if name == "composition" else {}
    answer = client.get(reverse(name, args=args), query, headers=htmx)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def rows_of(*command: str) -> list[dict[str, str]]:
    output = StringIO()
    call_command(*command, stdout=output)
    return list(csv.DictReader(StringIO(output.getvalue())))


# --- stored -----------------------------------------------------------------------------------
def test_an_import_stores_shapes_with_their_numbers(dataset: Dataset) -> None:
    import_measurements(dataset, [Measurement(benchmark="b", label="b", values=STEP)], "made")

    stored_shape = SeriesShape.objects.get()
    shape, noise = shape_facts(stored_shape.facts)

    assert (stored_shape.rule, stored_shape.shape, stored_shape.noise) == (
        RULE,
        "step-down",
        noise.noise,
    )
    assert shape.changes
    assert shape.classes == ("step-down",)
    assert shape_facts(shape_row(STEP)["facts"]) == (shape, noise)


def test_what_is_missing_or_of_older_rules_is_made_anew(shaped_series: list[Series]) -> None:
    SeriesShape.objects.filter(series=shaped_series[0]).delete()
    SeriesShape.objects.filter(series=shaped_series[1]).update(rule=RULE - 1, shape="flat")

    assert shapes.refresh(max_count=1) == 1  # a series at a time, where the values are many
    assert shapes.refresh() == 1
    assert shapes.refresh() == 0
    assert [shapes.current_shape(series_row).shape for series_row in shaped_series] == [  # type: ignore[union-attr]
        *("step-down", "step-down", "random-walk", "short")
    ]


def test_extremes_are_stored(make_series: Callable[..., Series]) -> None:
    for values in (np.repeat([1e-300, 1e300], 50), np.zeros(80), np.r_[-1e300, np.ones(99)]):
        make_series(values, f"b{values[0]}")

    assert SeriesShape.objects.count() == 3


# --- pages ------------------------------------------------------------------------------------
def test_the_table_shows_filters_and_counts_shapes(
    as_vic: Client, dataset: Dataset, shaped_series: list[Series]
) -> None:
    names = dataset.study.slug, dataset.slug
    text = page(as_vic, "dataset", *names)
    steps = page(as_vic, "dataset", *names, shape="step-down")
    quiet_page = page(as_vic, "dataset", *names, noise="quiet")

    assert "step down 2 · random walk 1" in text
    assert 'href="?shape=random-walk"' in text
    assert ("two</a>" in steps, "</i>walk</a>" in steps) == (True, False)
    assert ("</i>short</a>" in quiet_page, "</i>one</a>" in quiet_page) == (False, True)


def test_what_a_series_shows_beside_its_shape_is_a_filter_too(
    as_vic: Client, dataset: Dataset, make_series: Callable[..., Series]
) -> None:
    spikes = STEP.copy()
    spikes[[20, 90, 250, 280]] *= 3
    make_series(spikes, "b.spiky")
    make_series(STEP, "b.smooth")

    text = page(as_vic, "dataset", dataset.study.slug, dataset.slug, shape="with-spikes")

    assert ("spiky</a>" in text, "smooth</a>" in text) == (True, False)


def test_the_page_of_a_series_shows_the_numbers_that_decided(
    as_vic: Client, study: Study, shaped_series: list[Series]
) -> None:
    text = page(as_vic, "series", study.slug, shaped_series[0].public_id)

    assert "<b>step down</b>, faster" in text
    assert "Explains of the spread" in text
    assert "at least 20 %" in text


def test_rates_that_fall_are_slower(
    as_vic: Client, study: Study, make_series: Callable[..., Series]
) -> None:
    series = make_series(STEP, "b.rate")
    series.benchmark.unit, series.benchmark.mode = "ops/s", "thrpt"
    series.benchmark.save()

    assert "<b>step down</b>, slower" in page(as_vic, "series", study.slug, series.public_id)


def test_a_series_that_no_worker_has_told_says_so(
    as_vic: Client, study: Study, dataset: Dataset, series: Series
) -> None:
    SeriesShape.objects.all().delete()

    assert "Not determined yet" in page(as_vic, "series", study.slug, series.public_id)
    assert "not determined yet" in page(as_vic, "composition", study.slug, dataset.slug)


def test_the_composition_counts_systems_series_truth_and_shapes(
    as_vic: Client,
    dataset: Dataset,
    shaped_series: list[Series],
    make_series: Callable[..., Series],
) -> None:
    make_series(STEP, "b.one", fork=1, known_start=-1)
    Series.objects.filter(pk=shaped_series[0].pk).update(known_start=100)
    benchmark = make_series(WALK, "c.other").benchmark
    benchmark.system = "second"
    benchmark.save()
    first, second, totals = rows_of("composition", f"{dataset.study.slug}/{dataset.slug}")

    assert (first["system"], second["system"], totals["system"]) == ("example", "second", "all")
    assert (first["benchmarks"], first["series"], first["visible"]) == ("4", "5", "5")
    assert (first["forks_least"], first["forks_most"]) == ("1", "2")
    assert (first["iterations_least"], first["iterations_most"]) == ("2", "300")
    assert (first["steady"], first["never"], first["unanswered"]) == ("1", "1", "3")
    assert (totals["shape_step_down"], totals["shape_random_walk"]) == ("3", "2")
    assert (totals["shape_short"], totals["untold"]) == ("1", "0")
    assert totals["values"] == str(5 * 300 + 2)
    text = page(as_vic, "composition", dataset.study.slug, dataset.slug)
    assert "Random walk" in text
    assert "2 systems" in page(as_vic, "dataset", dataset.study.slug, dataset.slug)


def test_its_old_address_opens_it_on_the_page_of_the_data_set(
    as_vic: Client, dataset: Dataset
) -> None:
    answer = as_vic.get(reverse("composition", args=[dataset.study.slug, dataset.slug]))

    assert answer.status_code == 308
    assert answer["Location"] == f"{dataset.get_absolute_url()}#composition"


def test_the_composition_of_nothing_says_so(as_vic: Client, dataset: Dataset) -> None:
    assert "No series yet" in page(as_vic, "composition", dataset.study.slug, dataset.slug)
    assert rows_of("composition", f"{dataset.study.slug}/{dataset.slug}") == []


# --- blindness --------------------------------------------------------------------------------
def test_who_has_yet_to_answer_a_series_sees_no_shape_of_it(
    client: Client,
    dataset: Dataset,
    shaped_series: list[Series],
    make_task: Callable[[Series], Task],
    ana: User,
) -> None:
    task = make_task(shaped_series[2])
    Campaign.objects.exclude(pk=task.campaign.pk).delete()
    client.force_login(ana)
    names = dataset.study.slug, dataset.slug
    table = page(client, "dataset", *names)
    walks = page(client, "dataset", *names, shape="random-walk")
    composition_page = page(client, "composition", *names)
    files = b"".join(client.get(reverse("composition-file", args=names), {"what": "shapes"}))

    assert "Shape</h2>" not in page(client, "series", names[0], shaped_series[2].public_id)
    assert "random walk</a>" not in table
    assert "</i>walk</a>" not in walks
    assert "Random walk" not in composition_page
    assert "left out because" in composition_page
    assert b"random-walk" not in files


# --- exports ----------------------------------------------------------------------------------
def test_the_command_tells_what_is_not_told_and_writes_every_number(
    dataset: Dataset, shaped_series: list[Series]
) -> None:
    SeriesShape.objects.all().delete()
    rows = rows_of("shapes", f"{dataset.study.slug}/{dataset.slug}")

    assert Counter(row["shape"] for row in rows) == {"step-down": 2, "random-walk": 1, "short": 1}
    assert tuple(rows[0]) == tuple(shape_column.name for shape_column in SHAPE_COLUMNS)
    stepping_row = next(row for row in rows if row["benchmark"] == "b.one")
    shape, noise = shape_facts(SeriesShape.objects.get(series=shaped_series[0]).facts)
    assert stepping_row["changes"] == " ".join(map(str, shape.changes))
    assert float(stepping_row["integrated_time"]) == noise.time


def test_the_command_can_tell_again(dataset: Dataset, shaped_series: list[Series]) -> None:
    SeriesShape.objects.update(shape="flat")
    name = f"{dataset.study.slug}/{dataset.slug}"

    assert {row["shape"] for row in rows_of("shapes", name)} >= {"step-down"}  # of the numbers
    rows_of("shapes", name, "--anew")
    assert not SeriesShape.objects.filter(shape="flat").exists()


# --- choosing ---------------------------------------------------------------------------------
@pytest.fixture
@replayed
def many_series(make_series: Callable[..., Series]) -> list[Series]:
    """Six steps, two walks, one short."""
    steps = [make_series(STEP * (1 + i / 10), f"s.{i}") for i in range(6)]
    walks = [make_series(WALK * (1 + i / 10), f"w.{i}") for i in range(2)]
    return [*steps, *walks, make_series([1.0, 2.0], "short")]


def drawn_shapes(rule: str, count: int, seed: int = 1) -> Counter[str]:
    keys = selection.choose_series(Series.objects.order_by("pk"), rule=rule, count=count, seed=seed)
    assert keys == sorted(set(keys))
    return Counter(SeriesShape.objects.filter(pk__in=keys).values_list("shape", flat=True))


def test_a_draw_takes_each_shape_by_its_share(many_series: list[Series]) -> None:
    assert drawn_shapes(selection.BY_SHAPE, 4)["step-down"] == 3
    assert drawn_shapes(selection.BY_SHAPE, 9) == {"step-down": 6, "random-walk": 2, "short": 1}
    assert drawn_shapes(selection.BY_SHAPE, 99).total() == 9


@pytest.mark.parametrize(
    ("count", "step_count", "walk_count", "short_count"),
    [(0, 0, 0, 0), (1, 1, 0, 0), (2, 1, 1, 0), (3, 1, 1, 1), (5, 2, 2, 1), (8, 5, 2, 1)],
)
def test_a_draw_takes_as_many_of_each_shape_as_there_are(
    many_series: list[Series], count: int, step_count: int, walk_count: int, short_count: int
) -> None:
    drawn_counts = drawn_shapes(selection.EVEN_SHAPES, count)

    assert (drawn_counts["step-down"], drawn_counts["random-walk"], drawn_counts["short"]) == (
        step_count,
        walk_count,
        short_count,
    )


def test_a_draw_takes_noisy_and_quiet_by_their_share(many_series: list[Series]) -> None:
    SeriesShape.objects.filter(series__in=many_series[:6]).update(noise="noisy")
    SeriesShape.objects.filter(series__in=many_series[6:]).update(noise="quiet")
    keys = selection.choose_series(Series.objects.all(), rule=selection.BY_NOISE, count=3, seed=1)

    assert SeriesShape.objects.filter(pk__in=keys, noise="noisy").count() == 2


def test_a_draw_by_shape_tells_shapes_first_where_they_are_not_told(
    many_series: list[Series],
) -> None:
    SeriesShape.objects.all().delete()

    assert drawn_shapes(selection.EVEN_SHAPES, 3) == {"step-down": 1, "random-walk": 1, "short": 1}


def test_a_draw_is_repeated_by_its_seed(many_series: list[Series]) -> None:
    series = Series.objects.order_by("pk")
    first_draw, repeated_draw, other_draw = (
        selection.choose_series(series, rule=selection.EVEN_SHAPES, count=4, seed=seed)
        for seed in (1, 1, 2)
    )

    assert first_draw == repeated_draw
    assert first_draw != other_draw
