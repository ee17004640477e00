"""What is said of a figure beside the published one."""

from __future__ import annotations

import pytest

from bench.claims import NOT_HERE, SUBSET, Claim, agrees, judged, number, shown, table

MISPRINT = Claim(key="sum", group="g", what="sum", value="95,958", found="98,958", why="misprint")
LOOSE = Claim(key="q", group="g", what="quartile", value="4.7", within=0.5, why="no seed")


@pytest.mark.parametrize(
    ("ours", "text"),
    [
        (137094, "137,094"),
        (522.2497, "522.3"),  # a half, rounded up from four digits
        (-789.43, "-789.4"),
        (-789.43, "−789.4"),
        (7.84e-10, "7.8e-10"),
        (0.0035, "0"),
    ],
)
def test_a_figure_agrees_to_the_printed_digits(ours: float, text: str) -> None:
    assert agrees(ours, text)


@pytest.mark.parametrize(
    ("ours", "text"), [(137095, "137,094"), (522.24, "522.3"), (7.9e-10, "7.8e-10"), (0.6, "0")]
)
def test_another_figure_does_not_agree(ours: float, text: str) -> None:
    assert not agrees(ours, text)


def test_thousands_and_signs_are_read() -> None:
    assert [number(each) for each in ("1,234.5", "−0.5", "2e-3")] == [1234.5, -0.5, 0.002]


@pytest.mark.parametrize(
    ("claim", "ours", "words"),
    [
        (MISPRINT, 95958, "equal"),
        (MISPRINT, 98958, "misprint"),
        (MISPRINT, 98959, "DIFFERS"),
        (MISPRINT, None, NOT_HERE),
        (LOOSE, 4.7, "equal"),
        (LOOSE, 4.2, "within 0.5: no seed"),
        (LOOSE, 4.1, "DIFFERS"),
    ],
)
def test_equal_explained_or_different(claim: Claim, ours: float | None, words: str) -> None:
    assert judged(claim, ours, complete=True) == (words, words != "DIFFERS")


def test_on_a_part_of_the_series_nothing_is_compared() -> None:
    assert judged(MISPRINT, 1.0, complete=False) == (SUBSET, True)


def test_a_table_names_what_differs_without_a_reason() -> None:
    made = table([MISPRINT, LOOSE], {"sum": 98958.0, "q": 9.0}, complete=True)

    assert made.lines[2:] == [
        "| sum | 95,958 | 98,958 | misprint |",
        "| quartile | 4.7 | 9 | DIFFERS |",
    ]
    assert made.unexplained == ["g, quartile: 9, published 4.7"]
    assert shown(None) == ""
    assert shown(1234.5678) == "1,234.57"
