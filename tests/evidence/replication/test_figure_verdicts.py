"""What is said of a figure beside the published one."""

from __future__ import annotations

import pytest

from evidence.replication.comparison_tally import ComparisonTally
from evidence.replication.figure_verdicts import (
    NOT_HERE,
    PART,
    agrees,
    figure_verdict,
    figures_table,
    published_number,
    six_digits,
)
from evidence.replication.monte_carlo import MonteCarloSpread
from evidence.replication.published_figures import PublishedFigure

MISPRINT = PublishedFigure(
    key="sum", group="g", what="sum", value="95,958", found="98,958", why="misprint"
)
RANDOM = PublishedFigure(key="q", group="g", what="quartile", value="4.7", random=True)
BESIDE = PublishedFigure(key="b", group="g", what="recall", value="0.659", why="no thresholds")
SPREAD = MonteCarloSpread(n=1000, sd=0.1)  # of one run: between two runs the deviation is 0.14


@pytest.mark.parametrize(
    ("own_figure", "text"),
    [
        (137094, "137,094"),
        (522.2497, "522.3"),  # a half, rounded up from four digits
        (-789.43, "-789.4"),
        (-789.43, "−789.4"),
        (7.84e-10, "7.8e-10"),
        (0.0035, "0"),
    ],
)
def test_a_figure_agrees_to_the_printed_digits(own_figure: float, text: str) -> None:
    assert agrees(own_figure, text)


@pytest.mark.parametrize(
    ("own_figure", "text"),
    [(137095, "137,094"), (522.24, "522.3"), (7.9e-10, "7.8e-10"), (0.6, "0")],
)
def test_another_figure_does_not_agree(own_figure: float, text: str) -> None:
    assert not agrees(own_figure, text)


def test_thousands_and_signs_are_read() -> None:
    assert [published_number(text) for text in ("1,234.5", "−0.5", "2e-3")] == [1234.5, -0.5, 0.002]


@pytest.mark.parametrize(
    ("claim", "own_figure", "outcome", "words"),
    [
        (MISPRINT, 95958, "equal", "equal"),
        (MISPRINT, 98958, "explained", "misprint"),
        (MISPRINT, 98959, "differs", "DIFFERS"),
        (MISPRINT, None, "missing", NOT_HERE),
        (RANDOM, 4.7, "equal", "equal"),
        (RANDOM, 4.2, "explained", "by chance: z 3.2 (n 1,000, sd 0.1)"),
        (RANDOM, 4.0, "differs", "DIFFERS: z 4.6 (n 1,000, sd 0.1)"),
        (BESIDE, 0.659, "beside", "beside: no thresholds"),
    ],
)
def test_equal_explained_different_or_beside(
    claim: PublishedFigure, own_figure: float | None, outcome: str, words: str
) -> None:
    assert figure_verdict(claim, own_figure, is_complete=True, spread=SPREAD) == (words, outcome)


def test_chance_that_may_explain_nearly_anything_is_no_comparison() -> None:
    wide_spread = MonteCarloSpread(n=1000, sd=0.3)  # 4 deviations of two runs: 1.7 of 4.7

    assert figure_verdict(RANDOM, 4.0, is_complete=True, spread=wide_spread) == (
        "not compared: chance alone moves it by 1.7",
        "open",
    )
    assert figure_verdict(RANDOM, 4.7, is_complete=True, spread=wide_spread).came_to == "equal"
    tally = ComparisonTally()
    figures_table(
        [RANDOM], {"q": 4.0}, tally, is_complete=True, missing_words="", spreads={"q": wide_spread}
    )
    assert tally.compared == 0
    assert tally.missing == [
        ("g", 1, "chance alone moves them by more than 25 % of the published figure")
    ]


def test_without_a_deviation_chance_explains_nothing() -> None:
    assert figure_verdict(RANDOM, 4.8, is_complete=True).came_to == "differs"
    assert (
        figure_verdict(RANDOM, 4.8, is_complete=True, spread=MonteCarloSpread(9, 0.0)).came_to
        == "differs"
    )


def test_on_a_part_of_the_series_nothing_is_compared() -> None:
    assert figure_verdict(MISPRINT, 1.0, is_complete=False) == (PART, "missing")


def test_a_table_takes_every_figure_into_the_tally() -> None:
    tally = ComparisonTally()
    own_figures = {"sum": 98958.0, "q": 9.0, "b": 0.6}

    other_claim = PublishedFigure(key="other", group="g", what="other", value="1")
    lines = figures_table(
        [MISPRINT, RANDOM, BESIDE, other_claim],
        own_figures,
        tally,
        is_complete=True,
        missing_words="no marks",
    )

    assert lines[2:] == [
        "| sum | 95,958 | 98,958 | misprint |",
        "| quartile | 4.7 | 9 | DIFFERS |",
        "| recall | 0.659 | 0.6 | beside: no thresholds |",
        "| other | 1 |  | not computed |",
    ]
    assert list(tally.summary()) == [
        "DIFFERS  g, quartile: 9, published 4.7",
        "not computed  g (1): no marks",
        "0 of 2 comparisons equal, 1 others explained, 1 differ; 1 not made; 1 only put beside",
    ]
    assert six_digits(None) == ""
    assert six_digits(1234.5678) == "1,234.57"


@pytest.mark.parametrize(
    ("tally", "status"),
    [
        (ComparisonTally(compared=1), 0),
        (ComparisonTally(), 3),
        (ComparisonTally(compared=1, missing=[("g", 1, "no marks")]), 3),
        (ComparisonTally(compared=1, differing=["g"], missing=[("g", 1, "no marks")]), 1),
    ],
)
def test_the_exit_status_says_what_was_not_compared(tally: ComparisonTally, status: int) -> None:
    assert tally.status == status
