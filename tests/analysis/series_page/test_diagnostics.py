"""Diagnostic plots of a series: what remains after a cut, for those who may see it."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable

import numpy as np
import pytest
from django.http import QueryDict
from django.test import Client
from numpy.testing import assert_equal

from analysis.series_page.diagnostics import figures
from analysis.series_page.diagnostics.query import DiagnosticsQuery
from annotate.models import Campaign
from people.models import User
from series.models import Series
from tests.analysis.drawn_figures import drawn_figure

HTMX = {"hx-request": "true"}


def address(series: Series, query: str = "") -> str:
    return f"{series.get_absolute_url()}diagnostics/{query}"


def test_they_begin_where_the_yardstick_says_steady(
    compared_study: Campaign, four_series: list[Series], as_vic: Client
) -> None:
    page = as_vic.get(address(four_series[0]), headers=HTMX).content.decode()

    assert "158 values from iteration 42 to 199" in page
    assert "ground truth 42" in page
    assert "first iteration 0" in page
    assert page.count("data-plot-json") == 1 + 2 * 2
    assert "of the published procedure" in page


def test_another_start_other_lags_and_another_order(
    compared_study: Campaign, four_series: list[Series], as_vic: Client
) -> None:
    page = as_vic.get(
        address(four_series[0], "?from=20&lags=2 7&order=5&bartlett=1"), headers=HTMX
    ).content.decode()

    assert "180 values from iteration 20 to 199" in page
    lags, bars = drawn_figure(page, "lags-as-measured"), drawn_figure(page, "correlation-shuffled")
    assert [annotation["text"][:5] for annotation in lags["layout"]["annotations"]] == [
        "lag 2",
        "lag 7",
    ]
    assert len(bars["data"]) == 1 + 2  # the band of Bartlett above and below
    assert "order=6" in page


def test_the_series_page_asks_for_them_only_when_opened(
    compared_study: Campaign, four_series: list[Series], as_vic: Client
) -> None:
    page = as_vic.get(four_series[0].get_absolute_url()).content.decode()
    fragment = as_vic.get(address(four_series[0]), headers={"HX-Request": "true"}).content.decode()

    assert f'hx-get="{address(four_series[0])}"' in page
    assert "aids-order" not in page
    assert "<html" not in fragment
    assert "aids-order" in fragment


@pytest.mark.parametrize(
    ("query", "says"),
    [("?from=195", "5 values remain: too few"), ("?from=9999", "1 value remains: too few")],
)
def test_too_few_values_are_said_not_drawn(
    compared_study: Campaign, four_series: list[Series], as_vic: Client, query: str, says: str
) -> None:
    page = as_vic.get(address(four_series[0], query), headers=HTMX).content.decode()

    assert says in page
    assert "aids-order" not in page


def test_equal_values_have_a_run_sequence_only(
    make_series: Callable[..., Series], as_vic: Client
) -> None:
    page = as_vic.get(address(make_series([0.25] * 50)), headers=HTMX).content.decode()

    assert "constant, so that there" in page
    assert "Run sequence" in page
    assert "aids-order" not in page


@pytest.mark.parametrize("scale", [1e-310, 1e-9, 1e300])
def test_any_size_of_values_is_drawn(
    make_series: Callable[..., Series], as_vic: Client, scale: float
) -> None:
    noise = np.random.default_rng(1).uniform(1, 2, 200)
    page = as_vic.get(address(make_series(list(noise * scale))), headers=HTMX).content.decode()

    assert "aids-order" in page
    assert not re.search(r"\b(nan|inf)\b", page)


def test_a_million_values_are_drawn_in_little() -> None:
    values = np.random.default_rng(1).normal(5, 1, 1_000_000)
    values[123_456] = 50.0

    iterations, extremes = figures.column_extremes(values)
    counts = figures.lag_counts(values, 1, figures.value_limits(values, shows_everything=True))

    assert len(iterations) == len(extremes) <= 1200
    assert extremes[iterations.tolist().index(123_456)] == 50.0  # the one spike is there
    assert counts.shape == (72, 72)
    assert counts.sum() == 999_999


def test_lag_cells_hold_every_pair() -> None:
    counts = figures.lag_counts(np.array([0.0, 1.0, 0.0, 1.0, 0.0]), 1, (0.0, 1.0))

    # (0, 1) at the top left and (1, 0) at the bottom right, twice each.
    assert counts[71, 0] == counts[0, 71] == 2
    assert counts.sum() == 4


def test_figures_say_what_their_tables_say(
    compared_study: Campaign, four_series: list[Series], as_vic: Client
) -> None:
    page = as_vic.get(address(four_series[0]), headers=HTMX).content.decode()
    run, bars = drawn_figure(page, "run-sequence"), drawn_figure(page, "correlation-as-measured")

    values = four_series[0].array()[42:]
    factor = {"s": 1.0, "ms": 1e-3, "µs": 1e-6}[run["layout"]["yaxis"]["ticksuffix"].strip()]
    assert run["data"][0]["x"][0] == 42
    assert np.array(run["data"][0]["y"]) * factor == pytest.approx(values, rel=1e-5)
    correlations = [f"{value:.4f}".replace("-", "−") for value in bars["data"][0]["y"][1:]]
    cells = re.findall(r'<td class="number">\s*(−?[01]\.\d{4})', page)
    assert cells[: len(correlations)] == correlations
    is_outside = [colour == "var(--ink)" for colour in bars["data"][0]["marker"]["color"]]
    assert page.count("yes") == sum(is_outside)


@pytest.mark.parametrize(
    ("query", "is_same"),
    [
        ("from=7&lags=1 5&all=1&bartlett=1&order=3", True),
        ("from=-3&lags=a 0 99&all=x&order=y", False),
        ("", True),
    ],
)
def test_the_address_says_the_same_again(query: str, is_same: bool) -> None:  # noqa: FBT001
    first_query = DiagnosticsQuery.from_query(QueryDict(query)).within(50)
    read_query = DiagnosticsQuery.from_query(QueryDict(first_query.query()[1:])).within(50)

    assert read_query == first_query
    assert is_same or first_query == DiagnosticsQuery()


def test_who_has_yet_to_answer_gets_none(
    compared_study: Campaign,
    four_series: list[Series],
    make_person: Callable[..., User],
    client: Client,
) -> None:
    client.force_login(make_person("cleo", "annotator"))

    assert client.get(address(four_series[1])).status_code == 404
    assert 'id="diagnostics"' not in client.get(four_series[1].get_absolute_url()).content.decode()


def drawn_numbers(typed_array: dict[str, str]) -> np.ndarray:
    assert typed_array["dtype"] == "f4"
    return np.frombuffer(base64.b64decode(typed_array["bdata"]), "<f4")


def test_runs_of_cells_of_one_shade_are_one_rectangle() -> None:
    cells = figures.shaded_cells(np.array([[0, 1, 1], [5, 0, 99]]), plot_index=1)

    assert [(trace["text"], trace["fillcolor"]) for trace in cells] == [
        ("1 pair", "var(--heat-3)"),
        ("4 to 6 pairs", "var(--heat-6)"),
        ("16 pairs or more", "var(--heat-10)"),
    ]
    assert cells[0]["line"]["shape"] == "hv"  # from one corner to the other, and back
    assert_equal(drawn_numbers(cells[0]["x"]), [0.5, 2.5, 0.5, np.nan])
    assert_equal(drawn_numbers(cells[0]["y"]), [-0.5, 0.5, -0.5, np.nan])
    assert {trace["xaxis"] for trace in cells} == {"x2"}
