"""Plain series on the pages: of today, a reason wherever flat series come out wrong, pictures."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from detectors.methods.mser import Mser
from detectors.simulated.plain_series import LEVELS
from docs import all_methods, plain_section
from docs.plain_pictures import mistake_of, pictured_series, shape_picture, shape_words

FIGURES = plain_section.rows_with_plain(
    all_methods.current_figures(), list(all_methods.documented_methods())
)


def test_every_method_that_was_asked_has_figures() -> None:
    rows = all_methods.current_figures()["methods"]
    asked_keys = {key for key, row in rows.items() if "groups" in row}

    assert {method.key for method, _ in FIGURES} == asked_keys
    assert len(FIGURES) > 30


@pytest.mark.parametrize("figures", FIGURES, ids=lambda pair: pair[0].slug)
def test_a_page_says_why_flat_series_come_out_wrong_if_more_than_half_do(
    figures: tuple[object, dict[str, object]],
) -> None:
    method, row = figures

    assert plain_section.has_reason(method) is plain_section.has_to_say_why(row)  # type: ignore[arg-type]


def test_blocks_and_pictures_are_of_today() -> None:
    assert not plain_section.write_files(FIGURES, check=True)


def test_a_block_has_its_place_and_is_replaced_there() -> None:
    page = "# T\n\n<!-- parameters: x -->\n<!-- /parameters -->\n\nText.\n"
    first = plain_section.put_block(page, f"{plain_section.BEGIN}\none\n{plain_section.END}")
    second = plain_section.put_block(first, f"{plain_section.BEGIN}\ntwo\n{plain_section.END}")

    assert first.index("one") < first.index("Text.")
    assert second == first.replace("one", "two")
    with pytest.raises(ValueError, match="is missing"):
        plain_section.put_block("# T\n", "")


@pytest.mark.parametrize("shape", LEVELS)
def test_a_picture_of_a_shape_marks_right_answers_and_counts_methods(shape: str) -> None:
    series = pictured_series(shape)  # type: ignore[arg-type]
    answers = [series.low, series.low, 499, None]
    root = ET.fromstring(shape_picture(shape, answers))  # type: ignore[arg-type]  # noqa: S314  # ours

    bands = [element for element in root.iter() if element.get("class") == "pic-band"]
    assert bool(bands) is series.is_steady
    assert "Of 4 methods 2 are right" in shape_words(shape, answers)  # type: ignore[arg-type]


def test_the_mistake_of_a_page_is_made_by_the_method() -> None:
    row = next(row for method, row in FIGURES if method.slug == "mser")
    mistake = mistake_of(row)

    assert mistake is not None
    series = mistake.drawn()
    assert Mser().answer(series.values).steady_start == mistake.example.answer
    assert not series.is_right(mistake.example.answer or 0)
