"""What each answer would make of the result, in the table of detections and in its file."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest
from django.test import Client

from analysis.series_page.series_overlay import read_overlay
from analysis.statistics.steady_summary import steady_summary
from analysis.web.templatetags import results
from annotate.models import Campaign
from people.models import User
from series.models import Series, SeriesValues

HARD = "\u00a0"


def test_every_answer_has_the_result_that_it_gives(
    compared_study: Campaign, four_series: list[Series]
) -> None:
    values = four_series[1].array()

    overlay = read_overlay(four_series[1])

    rows = {row.look.code: row for row in overlay.rows}
    assert overlay.result == steady_summary(values, 62)
    assert rows["KB"].summary == steady_summary(values, 90)
    assert rows["KB"].change is not None
    assert rows["KB"].change.share == pytest.approx(values[90:].mean() / values[62:].mean() - 1)
    assert (rows["SDM"].summary, rows["SDM"].change) == (None, None)


def test_page_and_file_say_what_would_change(
    compared_study: Campaign, four_series: list[Series], client: Client, vic: User
) -> None:
    client.force_login(vic)

    page = client.get(four_series[1].get_absolute_url()).content.decode()
    file = b"".join(client.get(f"{four_series[1].get_absolute_url()}detections/")).decode()

    row_by_method = {row["method"]: row for row in csv.DictReader(io.StringIO(file))}
    change = read_overlay(four_series[1]).rows[-1].change
    rows = {row.look.slug: row for row in read_overlay(four_series[1]).rows}
    kb = rows["kb-kssd"]
    assert kb.change is not None
    assert kb.summary is not None
    assert results.percent_signed(kb.change.share) in page
    assert "matters from ±1 % on" in page
    assert float(row_by_method["kb-kssd"]["change"]) == kb.change.share
    assert float(row_by_method["kb-kssd"]["mean"]) == kb.summary.mean
    assert row_by_method["kb-kssd"]["consequence"] == kb.change.word
    assert (row_by_method["sdm"]["mean"], row_by_method["sdm"]["consequence"], change) == (
        "",
        "",
        None,
    )


def test_any_iteration_and_each_person_has_a_result(
    compared_study: Campaign, four_series: list[Series], client: Client, vic: User
) -> None:
    """ana says 60, ben 62, which is the ground truth; the reader looks at 90."""
    client.force_login(vic)
    address, values = f"{four_series[1].get_absolute_url()}results/", four_series[1].array()

    page = client.get(f"{address}?from=90", headers={"hx-request": "true"}).content.decode()
    file = b"".join(client.get(f"{address}?from=90&as=csv")).decode()

    row_by_source = {row["of"]: row for row in csv.DictReader(io.StringIO(file))}
    assert {name: row["start"] for name, row in row_by_source.items()} == {
        "here": "90",
        "ground truth": "62",
        "A1": "60",
        "A2": "62",
    }
    for row in row_by_source.values():
        summary = steady_summary(values, int(row["start"]))
        assert (float(row["mean"]), int(row["steady_n"])) == (summary.mean, summary.n)
    change = values[90:].mean() / values[62:].mean() - 1
    assert float(row_by_source["here"]["change"]) == pytest.approx(change)
    assert results.percent_signed(change) in page
    assert "against ground truth" in page


@pytest.mark.parametrize(("query", "first"), [("", "100"), ("-3", "100"), ("9999", "199")])
def test_without_a_yardstick_it_begins_in_the_middle(
    four_series: list[Series], client: Client, vic: User, query: str, first: str
) -> None:
    client.force_login(vic)

    file = b"".join(client.get(f"{four_series[0].get_absolute_url()}results/?from={query}&as=csv"))

    (row,) = csv.DictReader(io.StringIO(file.decode()))
    assert (row["of"], row["start"], row["change"]) == ("here", first, "")


@pytest.mark.parametrize(
    ("share", "expected_digits"),
    [(0.031, "+3.1"), (-0.0023, "−0.23"), (0.00001, "0"), (0.00996, "+1.0"), (12.5, "+1250")],
)
def test_a_change_is_written_with_the_digits_that_count(share: float, expected_digits: str) -> None:
    assert results.percent_signed(share) == f"{expected_digits}{HARD}%"


def test_a_result_says_what_stands_behind_it() -> None:
    noise = 1e-3 + np.random.default_rng(2).normal(0, 2e-5, 200)

    words = results.in_words(steady_summary(noise, 100), "s/op")
    few_words = results.in_words(steady_summary(noise, 190), "s/op")
    equal_words = results.in_words(steady_summary(np.ones(50), 0), "s/op")

    assert words.startswith("mean of 100 iterations, median 999.8\u00a0µs, 95 % interval 99")
    assert words.endswith("independent values, enough for ±1 %")
    assert few_words.endswith("independent values, too few for an interval (30)")
    assert "95 %" not in few_words
    assert equal_words.endswith("interval unknown: too few values, or all alike")


def test_a_result_of_few_independent_values_says_how_many(
    four_series: list[Series], client: Client, vic: User
) -> None:
    client.force_login(vic)
    values = four_series[0].array() + np.random.default_rng(1).normal(0, 0.1, four_series[0].n)
    SeriesValues.objects.filter(pk=four_series[0].pk).update(data=values.astype("<f8").tobytes())
    address = f"{four_series[0].get_absolute_url()}results/?from=185"

    page = client.get(address, headers={"hx-request": "true"}).content.decode()
    (row,) = csv.DictReader(io.StringIO(b"".join(client.get(f"{address}&as=csv")).decode()))

    effective_n = round(float(row["effective_n"]))
    assert 0 < effective_n < 30
    assert f"none: {effective_n} of 30" in page
    assert "fewer than 30 of" in page
    assert (row["mean_low"], row["mean_high"], row["enough_for_1_percent"]) == ("", "", "")


def test_decimals_have_a_sign_but_for_zero() -> None:
    numbers = [0.5, -1, 0, -0.004, 10]

    texts = [results.signed_decimals(number) for number in numbers]

    assert texts == ["+0.50", "−1.00", "0.00", "0.00", "+10.00"]
