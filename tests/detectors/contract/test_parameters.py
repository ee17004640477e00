"""Parameters: bounds, sentences, text and back."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, strategies as st

from detectors.contract.parameters import (
    ParameterError,
    Parameters,
    parameter,
    parameter_text,
    seed_parameter,
)


class Params(Parameters):
    k: int = parameter(30, low=2, high=100_000, unit="iterations", help="Length of the window.")
    share: float = parameter(0.02, low=1e-6, high=10.0, help="A share.")
    strict: bool = parameter(False, help="Whether.")
    rule: str = parameter("median", choices=("median", "majority"), help="Which.")
    members: tuple[str, ...] = parameter(("a", "b"), low=2, high=25, help="Who.")
    seed: int = seed_parameter()


DEFAULTS = "k=30&share=0.02&strict=false&rule=median&members=a,b&seed=0"


@pytest.mark.parametrize(
    ("given_values", "sentence"),
    [
        ({"k": 1}, "k must be from 2 to 100000; got 1"),
        ({"k": 100_001}, "k must be from 2 to 100000; got 100001"),
        ({"k": 2.5}, "k must be a whole number from 2 to 100000; got 2.5"),
        ({"k": True}, "k must be a whole number from 2 to 100000; got True"),
        ({"k": None}, "k must be a whole number from 2 to 100000; got None"),
        ({"share": 0.0}, "share must be from 1e-06 to 10; got 0"),
        ({"share": math.nan}, "share must be a number from 1e-06 to 10; got nan"),
        ({"share": "much"}, "share must be a number from 1e-06 to 10; got much"),
        ({"strict": 1}, "strict must be true or false; got 1"),
        ({"rule": "mean"}, "rule must be one of median, majority; got mean"),
        ({"members": ("a",)}, "members must be from 2 to 25 detector keys; got 1 detector keys"),
        ({"members": "ab"}, "members must be a list of detector keys; got ab"),
        (
            {"length": 3},
            "there is no parameter 'length'; there are: k, share, strict, rule, members, seed",
        ),
    ],
)
def test_one_sentence_says_what_is_allowed_and_what_came(
    given_values: dict[str, object], sentence: str
) -> None:
    with pytest.raises(ParameterError) as error_info:
        Params.from_values(given_values)

    assert str(error_info.value) == sentence


@pytest.mark.parametrize(
    ("texts", "sentence"),
    [
        ({"k": "many"}, "k must be a whole number from 2 to 100000; got many"),
        ({"k": ""}, "k must be a whole number from 2 to 100000; got "),
        ({"strict": "yes"}, "strict must be true or false; got yes"),
        ({"share": "inf"}, "share must be a number from 1e-06 to 10; got inf"),
    ],
)
def test_text_is_refused_alike(texts: dict[str, str], sentence: str) -> None:
    with pytest.raises(ParameterError) as error_info:
        Params.parse(texts)

    assert str(error_info.value) == sentence


def test_defaults_are_written_out_in_the_order_of_declaration() -> None:
    assert Params().as_text() == DEFAULTS
    assert Params.from_text("rule=majority&k=7") == Params(k=7, rule="majority")
    assert Params.from_text("") == Params()


@pytest.mark.parametrize("text", ["k", "k=1=2&k", "&&"])
def test_text_that_is_no_list_of_pairs_is_refused(text: str) -> None:
    with pytest.raises(ParameterError):
        Params.from_text(text)


def test_a_parameter_given_twice_is_refused() -> None:
    with pytest.raises(ParameterError, match="each parameter may be given once; got k=3&k=4"):
        Params.from_text("k=3&k=4")


def test_whole_numbers_may_be_spelled_as_numbers() -> None:
    assert Params.parse({"k": " 1e3 "}).k == 1000
    assert type(Params(k=30.0).k) is int  # type: ignore[arg-type]
    assert type(Params(share=1).share) is float


@given(
    k=st.integers(2, 100_000),
    share=st.floats(1e-6, 10.0),
    strict=st.booleans(),
    rule=st.sampled_from(["median", "majority"]),
    members=st.lists(
        st.text(min_size=1).map(lambda text: text.strip() or "x"), min_size=2, max_size=5
    ),
    seed=st.integers(0, 2**32 - 1),
)
def test_text_reads_back_to_the_same_parameters(members: list[str], **values: object) -> None:
    try:
        "".join(members).encode()
    except UnicodeEncodeError:
        return  # lone surrogates are in no key
    params = Params.from_values({**values, "members": tuple(members)})

    assert Params.from_text(params.as_text()) == params


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_are_shown_as_the_shortest_text_that_reads_back(number: float) -> None:
    assert float(parameter_text(number)) == number
    assert len(parameter_text(number)) <= len(repr(number))


def test_rules_between_parameters_are_asked_on_every_way_in() -> None:
    class Ordered(Parameters):
        low: int = parameter(1, low=0, high=9, help="x")
        high: int = parameter(2, low=0, high=9, help="x")

        def check(self) -> None:
            if self.low > self.high:
                raise ParameterError("low must not be above high")

    for attempt in (lambda: Ordered(low=3), lambda: Ordered.from_text("low=3")):
        with pytest.raises(ParameterError, match="low must not be above high"):
            attempt()


def test_declarations_that_cannot_be_are_found_when_the_class_is_read() -> None:
    with pytest.raises(TypeError, match="declares its low and its high"):
        parameter(3, help="x")
    with pytest.raises(ParameterError, match="k must be from 2 to 3; got 9"):

        class Outside(Parameters):
            k: int = parameter(9, low=2, high=3, help="x")

    with pytest.raises(TypeError, match="is annotated float but its default 1 is int"):

        class Mixed(Parameters):
            k: float = parameter(1, low=0, high=3, help="x")

    with pytest.raises(TypeError, match=r"Bare.k is not made by parameter"):

        class Bare(Parameters):
            k: int = 3


def test_parameters_never_change() -> None:
    with pytest.raises(AttributeError):
        Params().k = 3  # type: ignore[misc]
