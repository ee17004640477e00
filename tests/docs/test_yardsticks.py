"""Orders of methods by several yardsticks: places, correlations, and the first lines."""

from __future__ import annotations

from typing import Any

import pytest

from detectors.methods.fixed import Fixed
from docs import all_methods, all_methods_page, panel_figures, yardsticks
from docs.yardsticks import MethodOrder, order_correlation


def yardstick(figures: dict[str, float], *, descending: bool = False) -> MethodOrder:
    return MethodOrder("y", "", "share", figures, (), descending)


@pytest.fixture(scope="module")
def document() -> Any:
    return all_methods.current_figures()


def test_places_are_from_one_on_and_shared_by_equal_figures() -> None:
    errors = yardstick({"a": 3.0, "b": 1.0, "c": 3.0})
    shares = yardstick({"a": 0.3, "b": 0.9}, descending=True)

    assert errors.places() == {"b": 1, "a": 2, "c": 2}
    assert shares.ordered_keys() == ["b", "a"]


def test_the_same_order_has_correlation_1_whichever_way_figures_run() -> None:
    errors = yardstick({"a": 1.0, "b": 2.0, "c": 3.0, "other": 0.0})
    shares = yardstick({"a": 0.9, "b": 0.5, "c": 0.1}, descending=True)
    reversed_shares = yardstick({"a": 0.1, "b": 0.5, "c": 0.9}, descending=True)

    assert order_correlation(errors, shares) == pytest.approx(1)
    assert order_correlation(errors, reversed_shares) == pytest.approx(-1)
    assert order_correlation(errors, yardstick({"a": 1.0})) is None


def test_the_page_begins_with_how_much_the_orders_differ_and_why(document: Any) -> None:
    page = all_methods.PAGE.read_text("utf-8")
    beginning = page.partition("## ")[0]
    people, construction_order, plain_order, cost = yardsticks.all_yardsticks(
        document, panel_figures.kept_figures()
    )

    assert beginning.startswith("# All methods\n\n**The order of the methods depends on")
    for yardstick in (construction_order, plain_order, cost):
        assert f"{order_correlation(people, yardstick):.2f}" in beginning
    assert "**Why they differ.**" in beginning


def test_no_method_is_called_the_best_without_its_yardstick() -> None:
    page = all_methods.PAGE.read_text("utf-8")

    assert " best " not in page


def test_a_method_is_called_the_first_by_each_only_where_it_is() -> None:
    methods = [Fixed(iteration=1), Fixed(iteration=2)]
    one, two = (method.key for method in methods)
    errors, shares = (
        yardstick({one: 1.0, two: 2.0}),
        yardstick({one: 0.9, two: 0.5}, descending=True),
    )
    other_errors = yardstick({one: 2.0, two: 1.0})

    agreeing, differing = (
        yardsticks.first_sentence(orders, methods)
        for orders in ([errors, shares], [errors, other_errors])
    )

    assert agreeing.startswith(f"{methods[0].title} is first by all four yardsticks;")
    assert differing.startswith("No method is first")


def test_every_method_with_a_figure_stands_beside_the_others(document: Any) -> None:
    methods = list(all_methods.documented_methods())
    text = yardsticks.method_comparison(document, methods, panel_figures.kept_figures())

    for row in all_methods_page.methods_by_distance(document, methods):
        assert f"| {row.name} | " in text


def test_without_figures_there_are_no_first_lines() -> None:
    empty_document: dict[str, Any] = {"methods": {}}

    assert yardsticks.yardstick_sentences(empty_document, [], empty_document) == ""
