"""Figures of a comparison: what is drawn, and the list of series that each part opens."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from django.urls import reverse

from analysis.comparison.table import ComparisonResult, error_curves
from analysis.methods.method_style import MethodStyle
from analysis.methods.symbols import colour, dash, marker
from analysis.statistics.error_distributions import Ecdf
from analysis.statistics.leaderboard_figures import WITHIN
from analysis.web.figures import (
    FigureCell,
    FigureTable,
    Part,
    Trace,
    WebFigure,
    axis_words,
    level,
    line_trace,
    points,
    spread_positions,
    tick_text,
    ticks,
    upright,
    words_at,
)
from people.templatetags.writing import share

LABELS: Final = 0.2  # share of the axis behind its end, for labels and their lines
LABEL_STEP: Final = 15  # px from label to label
CURVES_HEIGHT: Final = 306
CURVES_MARGIN: Final = {"l": 44, "r": 0, "t": 8, "b": 44}  # the page's script reads all of them


def series_list(comparison: ComparisonResult, **cell: str) -> str:
    """Address of the list of the series behind a part of a figure."""
    base = reverse("disagreements", args=[comparison.yardstick.study.slug])
    return base + comparison.asked.query(**cell, by="methods")


def csv_file(comparison: ComparisonResult, table_name: str, **cell: str) -> str:
    """The address of a figure's values as a file."""
    base = reverse("comparison-export", args=[comparison.yardstick.study.slug])
    return base + comparison.asked.query(what=table_name, **cell, format="csv")


def pdf_file(comparison: ComparisonResult, figure_name: str, **rows: str) -> str:
    """Address of a figure as PDF; `rows` are those of the leaderboard that it is about."""
    base = reverse("comparison-export", args=[comparison.yardstick.study.slug])
    return base + comparison.asked.query(what=figure_name, **rows, format="pdf")


# --- distribution of the absolute error -------------------------------------------------------
def error_distribution(comparison: ComparisonResult) -> WebFigure:
    """Share of series by |Δ|, on a logarithmic axis of 1 + |Δ|; a label at the end of each curve.

    The best at the tolerance is raised. A curve opens the series with errors up to where it is
    pressed: the script asks `meta.lists` for that cell.
    """
    curves = {name: steps for name, (steps, _) in error_curves(comparison.inputs).items()}
    tolerance, words = _tolerance(comparison)
    largest_error = max((steps.sizes[-1] for steps in curves.values() if steps.sizes), default=10)
    end = max(1.0, math.log10(1 + max(largest_error, tolerance)))
    order = sorted(curves, key=lambda name: -curves[name].share_within(tolerance))
    height = max(CURVES_HEIGHT, LABEL_STEP * len(curves))
    reach = 10**end
    return WebFigure(
        name="error-distribution",
        label="Share of series by absolute error",
        traces=[
            *_labels(comparison, curves, reach, 100 / height),
            *(_curve(comparison.looks[name], curves[name], reach) for name in order),
        ],
        layout={
            "margin": CURVES_MARGIN,
            **_axes(largest_error, end),
            "shapes": [*_levels(reach), upright(1 + tolerance, "var(--ink-3)", dash="2px,3px")],
            "annotations": [
                axis_words("|Δ| (iterations)", x=1 / (1 + LABELS)),
                _threshold_words(math.log10(1 + tolerance), end, words),
            ],
        },
        table=_shares_table(comparison, curves),
        file=csv_file(comparison, "ecdf"),
        pdf=pdf_file(comparison, "error-distribution"),
        height=height + CURVES_MARGIN["t"] + CURVES_MARGIN["b"],
        meta={
            "raised": order[0] if order else "",
            "end": end,
            "tolerance": tolerance,
            "lists": series_list(comparison),
        },
        methods={name: comparison.looks[name].label for name in curves},
    )


def _axes(largest_error: float, end: float) -> Part:
    sizes, texts = _decades(largest_error)
    shares = ticks([0, 25, 50, 75, 100], ["0", "25", "50", "75", "100\u00a0%"])
    return {
        "xaxis": ticks(sizes, texts, type="log", range=[0, end * (1 + LABELS)], showline=False),
        "yaxis": {**shares, "range": [0, 101], "showgrid": False},
    }


def _levels(reach: float) -> list[Part]:
    """Grid lines that end where the labels begin."""
    grid = [level(y, "var(--hair)", 1, reach) for y in (25, 50, 75, 100)]
    return [*grid, level(0, "var(--border)", 1, reach)]


def shares_at_tolerance(comparison: ComparisonResult) -> list[tuple[MethodStyle, float]]:
    """Every method's share of series at the tolerance, the best first."""
    tolerance, _ = _tolerance(comparison)
    curves = error_curves(comparison.inputs)
    method_shares = [
        (comparison.looks[name], steps.share_within(tolerance))
        for name, (steps, _) in curves.items()
    ]
    return sorted(method_shares, key=lambda method_share: -method_share[1])


def _curve(look: MethodStyle, steps: Ecdf, reach: float) -> Trace:
    last_share = steps.shares[-1] if steps.shares else 0.0
    return line_trace(
        [1, *(1 + size for size in steps.sizes), reach],
        [0, *(round(100 * s, 3) for s in steps.shares), round(100 * last_share, 3)],
        {"shape": "hv", "width": 1.5, "color": colour(look.slot), "dash": dash(look.slot)},
        name=look.label,
        legendgroup=look.name,
    )


def _labels(
    comparison: ComparisonResult, curves: Mapping[str, Ecdf], reach: float, percent_a_pixel: float
) -> list[Trace]:
    """Symbol, code and share of every method behind the end of its curve, and a line to it."""
    end_shares = {
        name: 100 * (steps.shares[-1] if steps.shares else 0.0) for name, steps in curves.items()
    }
    label_heights = spread_positions(end_shares, LABEL_STEP * percent_a_pixel, 1, 99)
    looks = [comparison.looks[name] for name in curves]
    label_x = 10 ** (math.log10(reach) * (1 + LABELS / 4))
    label_leads = [(end_shares[name], round(label_heights[name], 2), None) for name in curves]
    return [
        line_trace(
            [reach, 10 ** (math.log10(reach) * (1 + LABELS / 5)), None] * len(curves),
            [y for lead in label_leads for y in lead],
            {"width": 1, "color": "var(--rule)"},
            meta={"leads": list(curves)},
        ),
        labelled_symbols(
            looks,
            [label_x] * len(curves),
            [round(label_heights[name], 2) for name in curves],
            [
                f"{look.code} {end_shares[name]:.0f}"
                for look, name in zip(looks, curves, strict=True)
            ],
            textposition="middle right",
            hovertext=[look.label for look in looks],
        ),
    ]


def labelled_symbols(
    looks: Sequence[MethodStyle],
    x: Sequence[float],
    y: Sequence[float],
    texts: Sequence[str],
    **trace_fields: object,
) -> Trace:
    """Symbols of methods with text; in little room the script writes their codes alone."""
    return points(
        x,
        y,
        {
            "size": 9,
            "symbol": [marker(look.slot) for look in looks],
            "color": [colour(look.slot) for look in looks],
        },
        mode="markers+text",
        ids=[look.name for look in looks],
        text=texts,
        textfont={"color": ["var(--ink)"] * len(looks)},
        meta={"short": [look.code for look in looks]},
        cliponaxis=False,
        **trace_fields,
    )


def _shares_table(comparison: ComparisonResult, curves: Mapping[str, Ecdf]) -> FigureTable:
    """Shares within the published distances; each opens its series."""
    return FigureTable.from_rows(
        ["Method", *(f"≤\u00a0{iterations}" for iterations in WITHIN)],
        [
            [
                comparison.looks[name].label,
                *(
                    FigureCell(
                        share(steps.share_within(iterations)),
                        series_list(comparison, cell=f"within_{iterations}", of=name),
                    )
                    for iterations in WITHIN
                ),
            ]
            for name, steps in curves.items()
        ],
    )


def _tolerance(comparison: ComparisonResult) -> tuple[int, str]:
    """Position and name of the tolerance; the median one where series differ."""
    shared_tolerance = comparison.one_tolerance
    if shared_tolerance is not None:
        return shared_tolerance, f"tolerance {tick_text(shared_tolerance)}"
    tolerances = comparison.inputs.tolerance
    median_tolerance = int(sorted(tolerances)[tolerances.size // 2]) if tolerances.size else 0
    return median_tolerance, "tolerance 5\u00a0% of each series"


def _threshold_words(x: float, end: float, words: str) -> Part:
    """Beside the line of the tolerance, on the side with more room."""
    is_right_of_middle = x > end / 2
    anchor = {
        "xanchor": "right" if is_right_of_middle else "left",
        "xshift": -6 if is_right_of_middle else 6,
    }
    return words_at(x, words, yanchor="top", font={"color": "var(--ink-3)"}, **anchor)


def _decades(largest_error: float) -> tuple[Sequence[float], Sequence[str]]:
    sizes = [0, *(10**k for k in range(8) if 10**k <= largest_error)]
    return [1 + size for size in sizes], [tick_text(size) for size in sizes]
