"""Average ranks of methods, and which of them are not told apart: figure, table and sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from analysis.comparison.columns import decimal, one_decimal, p_value
from analysis.comparison.figures import csv_file, labelled_symbols, pdf_file
from analysis.comparison.query import ALPHAS, ComparisonLink
from analysis.comparison.table import ComparisonResult, covered_methods, rank_pairs
from analysis.methods.method_style import MethodStyle
from analysis.methods.symbols import colour
from analysis.statistics.multiple_comparisons import MethodRank, NoRankTest, RankedPair, RankTest
from analysis.web.figures import WIDTH, FigureTable, Trace, WebFigure, level, line_trace, ticks

SIDE: Final = 96  # px for labels beside the axis
AXIS: Final = 26  # px of the axis from the top
BAR_STEP: Final = 8
ROW: Final = 20
MOST_PAIRS: Final = 8  # pairs that the sentence names; further ones are counted


@dataclass(frozen=True, slots=True)
class RankSection:
    """The diagram with its sentences; without one, why."""

    alphas: Sequence[ComparisonLink]
    sentence: str
    figure: WebFigure | None = None
    test: RankTest | None = None

    def still(self) -> RankSection:
        """Return a copy for a file: no part of it leads anywhere."""
        return replace(self, figure=self.figure and self.figure.without_links)


def rank_section(comparison: ComparisonResult) -> RankSection:
    """Average ranks of the chosen methods but baselines, on series that all have answered."""
    test = rank_pairs(comparison.inputs, comparison.asked.alpha)
    alphas = [
        ComparisonLink(
            f"{alpha:g}",
            comparison.asked.changed(alpha=alpha),
            is_chosen=alpha == comparison.asked.alpha,
        )
        for alpha in ALPHAS
    ]
    looks, missing_words = comparison.looks, _missing_methods_words(comparison)
    if isinstance(test, NoRankTest):
        return RankSection(alphas, f"{test.sentence}{missing_words}")
    pairs = [f"{looks[a].code} – {looks[b].code}" for a, b in test.also]
    pairs_text = ", ".join(pairs) if len(pairs) <= MOST_PAIRS else f"{len(pairs)} pairs"
    pairs_sentence = f" Also without a significant difference: {pairs_text}." if pairs else ""
    sentence = f"{_replace_keys_by_codes(test.sentence, comparison)}{missing_words}{pairs_sentence}"
    return RankSection(alphas, sentence, rank_diagram(comparison, test), test)


def _missing_methods_words(comparison: ComparisonResult) -> str:
    """Words for methods that have answered too few series to be in the test."""
    covered_names = covered_methods(comparison.inputs)
    codes = [
        comparison.looks[name].code
        for name in comparison.inputs.ranked
        if name not in covered_names
    ]
    return f" Not among them, having answered too few series: {', '.join(codes)}." if codes else ""


def _replace_keys_by_codes(sentence: str, comparison: ComparisonResult) -> str:
    """The sentence with codes instead of keys; longest names first, as one may begin another."""
    for name in sorted(comparison.looks, key=len, reverse=True):
        sentence = sentence.replace(name, comparison.looks[name].code)
    return sentence


# --- the diagram ------------------------------------------------------------------------------
def rank_diagram(comparison: ComparisonResult, test: RankTest) -> WebFigure:
    """Axis of average ranks, bars of methods that are not told apart, labels in two halves.

    The vertical axis counts pixels from above.
    """
    ranks = {method_rank.method: method_rank.average_rank for method_rank in test.methods}
    low, high = math.floor(min(ranks.values())), math.ceil(max(ranks.values()))
    high = max(high, low + 1)
    pixel = (high - low) / (WIDTH - 2 * SIDE)
    half_count = (len(test.methods) + 1) // 2
    start = AXIS + 24 + BAR_STEP * len(test.bars)
    label_ends = [
        (method_rank, start + ROW * row_index, end)
        for ranks_of_side, end in (
            (test.methods[:half_count], low - 4 * pixel),
            (test.methods[half_count:][::-1], high + 4 * pixel),
        )
        for row_index, method_rank in enumerate(ranks_of_side)
    ]
    height = start + ROW * half_count
    step = max(1, math.ceil((high - low) / 10))
    tick_ranks = list(range(low, high + 1, step))
    return WebFigure(
        name="average-ranks",
        label="Average ranks",
        traces=[
            *(
                _elbow(comparison.looks[method_rank.method], method_rank, y, end)
                for method_rank, y, end in label_ends
            ),
            *(_clique(bar, ranks, bar_index, 4 * pixel) for bar_index, bar in enumerate(test.bars)),
            _labels(comparison, label_ends, low),
        ],
        layout={
            "margin": {"l": 0, "r": 0, "t": AXIS, "b": 0},
            "xaxis": {
                **ticks(tick_ranks, [str(tick_rank) for tick_rank in tick_ranks]),
                "side": "top",
                "showline": False,
                "range": [low - SIDE * pixel, high + SIDE * pixel],
            },
            "yaxis": {"visible": False, "range": [height, AXIS]},
            "shapes": [level(AXIS, "var(--border)", low, high)],
        },
        table=_pairs_table(comparison, test.pairs),
        file=csv_file(comparison, "ranks"),
        pdf=pdf_file(comparison, "average-ranks"),
        height=height,
        methods={
            method_rank.method: comparison.looks[method_rank.method].label
            for method_rank in test.methods
        },
    )


def _elbow(look: MethodStyle, method_rank: MethodRank, y: float, end: float) -> Trace:
    """Line from the method's place on the axis down, and across to its label."""
    return line_trace(
        [method_rank.average_rank, method_rank.average_rank, end],
        [AXIS, y, y],
        {"width": 1.25, "color": colour(look.slot)},
        legendgroup=look.name,
        cliponaxis=False,
    )


def _clique(bar: Sequence[str], ranks: dict[str, float], bar_index: int, overhang: float) -> Trace:
    """A bar over methods of which no pair differs."""
    bar_ends = [ranks[bar[0]] - overhang, ranks[bar[-1]] + overhang]
    return line_trace(
        bar_ends, [AXIS + 8 + BAR_STEP * bar_index] * 2, {"width": 4, "color": "var(--ink)"}
    )


def _labels(
    comparison: ComparisonResult, label_ends: Sequence[tuple[MethodRank, float, float]], low: float
) -> Trace:
    """Symbol, code and rank at the end of each elbow."""
    looks = [comparison.looks[method_rank.method] for method_rank, _, _ in label_ends]
    left_flags = [end < low for _, _, end in label_ends]
    ranks = [f"{method_rank.average_rank:.2f}" for method_rank, _, _ in label_ends]
    return labelled_symbols(
        looks,
        [end for _, _, end in label_ends],
        [y for _, y, _ in label_ends],
        [
            f"{rank} {look.code}" if is_left else f"{look.code} {rank}"
            for rank, look, is_left in zip(ranks, looks, left_flags, strict=True)
        ],
        textposition=["middle left" if is_left else "middle right" for is_left in left_flags],
        hovertext=[
            f"{look.label}: average rank {rank}" for look, rank in zip(looks, ranks, strict=True)
        ],
    )


def _pairs_table(comparison: ComparisonResult, pairs: Sequence[RankedPair]) -> FigureTable:
    return FigureTable.from_rows(
        ["Better", "Worse", "Median difference", "Effect", "p", "p, adjusted"],
        [
            [
                comparison.looks[pair.first].label,
                comparison.looks[pair.second].label,
                _pair_interval(pair),
                decimal(pair.rank_biserial),
                p_value(pair.p),
                p_value(pair.p_holm),
            ]
            for pair in pairs
        ],
    )


def _pair_interval(pair: RankedPair) -> str:
    median_words = one_decimal(pair.median_difference)
    return (
        median_words
        if pair.low is None
        else f"{median_words} ({one_decimal(pair.low)} to {one_decimal(pair.high)})"
    )
