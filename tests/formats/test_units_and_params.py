"""Units and parameters: one spelling for what means the same."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from formats import params
from formats.units import seconds, storage_unit

keys = st.from_regex(r"[A-Za-z]\w{0,5}", fullmatch=True)
plain = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("ms", "s"),
        ("µs/op", "s/op"),
        ("μs", "s"),
        ("NS/op", "s/op"),
        ("seconds", "s"),
        ("ops/us", "ops/us"),
        ("MB/s", "MB/s"),
        ("s/request", "s/request"),
        ("", ""),
    ],
)
def test_spellings(text: str, stored: str) -> None:
    assert storage_unit(text).name == stored


@given(st.integers(0, 10**9))
def test_nanoseconds_become_the_nearest_double(nanoseconds: int) -> None:
    assert storage_unit("ns").convert(float(nanoseconds)) == nanoseconds / 10**9


@pytest.mark.parametrize(
    ("text", "length"),
    [("10 s", 10.0), ("100 ms", 0.1), ("1 min", 60.0), ("single-shot", None), ("x s", None)],
)
def test_durations_as_jmh_writes_them(text: str, length: float | None) -> None:
    assert seconds(text) == length


def test_order_does_not_matter() -> None:
    assert params.canonical({"b": 1, "a": "x"}) == "a=x&b=1"
    assert params.canonical_text("b=1&a=x") == "a=x&b=1"
    assert params.canonical_text("depth 10") == "depth 10"
    assert params.split("depth 10") == {}
    assert params.split("") == {}


@given(st.dictionaries(keys, plain, min_size=1))
def test_parameters_can_be_taken_apart_again(given_params: dict[str, str]) -> None:
    assert params.split(params.canonical(given_params)) == given_params
