"""Addresses that ask for what a page does not have."""

from __future__ import annotations

import pytest
from django.http import QueryDict

from people.query_settings import (
    AddressSetting,
    bounded_integer,
    choice_of,
    unused_parameters,
    whole_number,
)

SETTINGS = {
    "y": AddressSetting("yardstick"),
    "tol": whole_number("tolerance", 0, 1_000, fallback="5 %"),
    "cap": whole_number("cap", 0, 500, fallback="500", or_word="none"),
    "unit": choice_of("unit", "iterations", "seconds", fallback="iterations"),
}


@pytest.mark.parametrize(
    "query", ["", "tol=0&cap=none&unit=seconds", "y=&tol=&nope=", "tol=1000&y=anything&y=else"]
)
def test_what_is_understood_is_not_spoken_of(query: str) -> None:
    assert list(unused_parameters(QueryDict(query), SETTINGS)) == []


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        (
            "tol=-5",
            (
                "The address says “tol=-5”, but tolerance takes a whole number from 0 to 1,000. "
                "This page shows 5 % instead."
            ),
        ),
        (
            "cap=501",
            (
                "The address says “cap=501”, but cap takes a whole number from 0 to 500, or none. "
                "This page shows 500 instead."
            ),
        ),
        (
            "unit=years",
            (
                "The address says “unit=years”, but unit takes one of iterations, seconds. "
                "This page shows iterations instead."
            ),
        ),
        (
            "yardstick=nope",
            (
                "The address says “yardstick=nope”. "
                "It was not used: in an address, yardstick is written y=…"
            ),
        ),
        (
            "colour=blue",
            (
                "The address says “colour=blue”. "
                "This page has no such setting and shows the same without it."
            ),
        ),
    ],
)
def test_what_is_not_understood_is_told_with_what_is_shown(query: str, sentence: str) -> None:
    assert list(unused_parameters(QueryDict(query), SETTINGS)) == [sentence]


@pytest.mark.parametrize("text", ["", "-1", "1.5", "²", "9" * 5_000, "1001"])
def test_no_number_within_the_bounds(text: str) -> None:
    assert bounded_integer(text, 0, 1_000) is None
