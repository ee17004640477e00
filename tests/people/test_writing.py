"""Numbers and times as pages write them."""

from __future__ import annotations

import pytest

from people.templatetags.writing import breakable, grouped, lasting, share, si, signed, version

THIN, HARD = "\u2009", "\u00a0"


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (2e-9, "s", f"2.000{HARD}ns"),
        (6.0791e-8, "s", f"60.79{HARD}ns"),
        (8.65659687e-6, "s", f"8.657{HARD}µs"),
        (0.00099996, "s", f"1.000{HARD}ms"),
        (1.6584278, "s/op", f"1.658{HARD}s"),
        (3661.2, "s", f"3{THIN}661{HARD}s"),
        (36612.2, "s", f"36{THIN}612{HARD}s"),
        (0, "s", f"0{HARD}s"),
        (1234567, "op/s", f"1.235{HARD}Mop/s"),
        (0.5, "op/s", f"0.5000{HARD}op/s"),
        (0.00100234, "", "0.001002"),
        (2e-9, "op/s", f"2.000·10⁻⁹{HARD}op/s"),
        (1.501e-5, "", "1.501·10⁻⁵"),
        (-1.501e-5, "", "\u22121.501·10⁻⁵"),
        (1.501e-4, "", "0.0001501"),
        (-0.0446, "s", f"−44.60{HARD}ms"),
        (None, "s", "–"),
    ],
)
def test_quantities_have_four_digits_and_a_prefix(
    value: float | None, unit: str, text: str
) -> None:
    assert si(value, unit) == text


def test_counts_are_grouped_from_ten_thousand_on() -> None:
    assert [grouped(0), grouped(3000), grouped(81519), grouped(-81519)] == [
        "0",
        "3000",
        f"81{THIN}519",
        f"−81{THIN}519",
    ]


def test_errors_carry_their_sign() -> None:
    assert [signed(140), signed(-12), signed(0), signed(None)] == ["+140", "−12", "0", "–"]


def test_shares_have_one_decimal() -> None:
    assert [share(0.6951), share(float("nan")), share(None)] == [f"69.5{HARD}%", "–", "–"]


def test_durations_are_said_as_people_say_them() -> None:
    assert [lasting(12), lasting(200), lasting(7500)] == [
        f"12{HARD}s",
        f"3{HARD}min",
        f"2{HARD}h{HARD}5{HARD}min",
    ]


@pytest.mark.parametrize(
    ("text", "shown"), [("1", "v1"), (2, "v2"), ("2024-05", "v2024-05"), ("v3", "v3"), ("", "")]
)
def test_a_version_reads_as_such(text: object, shown: str) -> None:
    assert version(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("steady", "steady"),
        ("", ""),
        ("a.b", "a.<wbr>b"),
        ("searchBenchmark", "search<wbr>Benchmark"),
        ("org.Foo#run_fast", "org.<wbr>Foo#<wbr>run_<wbr>fast"),
        ("two words", "two words"),
        ("<b>.x", "&lt;b&gt;.<wbr>x"),
    ],
)
def test_a_name_breaks_between_its_words_only(text: str, shown: str) -> None:
    assert breakable(text) == shown
