"""The tables of figures on the pages of both Plateaus: of today's methods, weights and settings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from detectors.panel.panel_models import SHIPPED, card_of
from detectors.training.figures.method_figures import method_name
from detectors.training.figures.panel_figures import row_of_document
from docs import panel_figures
from docs.panel_figures import BEGIN, END, PAGES, kept_figures, panel_methods, panel_tables
from formats.markdown import replace_between

CANNOT_ANSWER = {"classifier", "developer"}  # for want of a configuration, and of weights


def test_the_pages_are_of_today() -> None:
    assert panel_figures.write_panel_figures(check=True) == 0


def test_every_method_was_asked_under_the_key_that_it_has_today() -> None:
    name_by_key = {
        method.key: method_name(method)
        for method in panel_methods()
        if method.slug not in CANNOT_ANSWER
    }

    assert {key: row["name"] for key, row in kept_figures()["methods"].items()} == name_by_key
    assert kept_figures()["weights"] == panel_figures.weights()


def test_a_method_is_asked_with_its_defaults_or_its_name_says_otherwise() -> None:
    for method in panel_methods():
        assert (method_name(method) == method.title) == (method == type(method)())


def test_every_row_is_of_all_series_and_stands_in_the_table() -> None:
    table = panel_tables()["plateau"]

    for method_document in kept_figures()["methods"].values():
        figures = row_of_document(method_document)
        assert (figures.series, figures.labelled) == (264, 396)
        assert f"| {figures.name} | 264 | {figures.never or ''} | {figures.mean:.0f} | " in table


def test_the_card_says_of_the_first_folding_what_the_page_says() -> None:
    rows = {row["name"]: row for row in kept_figures()["methods"].values()}

    for method in card_of(SHIPPED)["cross_validation"][0]["methods"]:
        row = rows.get(method["name"], kept_figures()["constant"])
        assert list(numbers(method)) == pytest.approx(list(numbers(row)), abs=1e-4), method["name"]


def numbers(document: Any) -> Iterator[float]:
    """All numbers of a document, in order; what is none is -1, to be found missing."""
    if isinstance(document, dict):
        document = list(document.values())
    if isinstance(document, list):
        for part in document:
            yield from numbers(part)
    elif not isinstance(document, str):
        yield -1 if document is None else document


def test_only_what_is_between_the_marker_lines_is_written() -> None:
    page = f"before\n{BEGIN}\nold\n{END}\nafter\n"

    assert (
        replace_between(page, BEGIN, END, "| new |") == f"before\n{BEGIN}\n| new |\n{END}\nafter\n"
    )
    with pytest.raises(ValueError, match="found no lines <!-- figures: written by"):
        replace_between("before\n", BEGIN, END, "")


def test_nothing_that_is_kept_names_a_series() -> None:
    text = (PAGES / "panel-figures.json").read_text("utf-8")

    assert "#" not in text  # as in system#benchmark#params
    assert len(text) < 60_000
