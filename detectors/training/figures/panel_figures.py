"""Figures of several methods on one panel's series: computed, kept as a document, and printed.

The same tables stand in a training's output, in its card and on the pages of its methods.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import isnan
from typing import Any, Final, Self

import numpy as np

from detectors.contract import Values
from detectors.training.figures.decision_costs import DecisionCosts
from detectors.training.figures.method_figures import (
    NEAR,
    Interval,
    MethodAnswers,
    MethodFigures,
    error_figures,
    figures_of,
    panel_starts,
    starts_with_constant,
)
from detectors.training.figures.validation import CHANCES, people
from detectors.training.labels.panel_answers import Group, PanelAnswers

DIGITS: Final = 6  # of what is kept; three are printed
CONSTANT: Final = "constant: median of the other systems"
WITHIN: Final = " | ".join(f"≤{each}" for each in NEAR)


@dataclass(frozen=True, slots=True)
class PanelFigures:
    """Rows of the tables. people: each person and the first method, against the others' marks."""

    rows: tuple[MethodFigures, ...]
    people: tuple[tuple[MethodFigures, MethodFigures], ...]

    @classmethod
    def from_panel(
        cls, panel: PanelAnswers, constant: Values, answers: Sequence[MethodAnswers]
    ) -> Self:
        """The first of the methods is the one that stands beside the people."""
        first = starts_with_constant(answers[0].starts, constant)
        constant_row = error_figures(CONSTANT, np.abs(constant - panel_starts(panel)), panel.marked)
        return cls(
            (
                *(figures_of(panel, method_answers, constant) for method_answers in answers),
                constant_row,
            ),
            tuple(people(panel, answers[0].name, first)),
        )

    def table(self) -> str:
        """All methods, the best first."""
        head = (
            "| method | series | never | mean error | 95 %, series | 95 %, systems | median "
            f"| clustered | scattered | {WITHIN} | labelled | balanced accuracy |"
        )
        return _table(head, map(_line, sorted(self.rows, key=lambda row: row.mean)))

    def waiting_table(self) -> str:
        """Methods that read values as they come, and the first one, in order of deviation."""
        head = (
            "| method | series | never | testing time, quartiles | decided too early "
            "| mean error | 95 %, series | 95 %, systems | median | deviation %, quartiles "
            "| more than 5 % off | labelled | balanced accuracy |"
        )
        waiting_pairs = [
            (row, row.waiting)
            for row_index, row in enumerate(self.rows)
            if row.waiting is not None and (row.online or not row_index)
        ]
        sorted_pairs = sorted(waiting_pairs, key=lambda pair: pair[1].deviation[1])
        return _table(head, (_waiting_line(*pair) for pair in sorted_pairs))

    def people_table(self) -> str:
        """Markdown table of the people; empty for a panel of one."""
        if not self.people:
            return ""
        head = (
            "| person | series | their mean error | 95 %, series | their median "
            f"| mean of {self.people[0][1].name} | 95 %, series | median |"
        )
        return _table(head, (_people_line(*pair) for pair in self.people))


def _table(head: str, lines: Iterable[str]) -> str:
    return "\n".join([head, "|---" * (head.count("|") - 1) + "|", *lines]) + "\n"


def _line(row: MethodFigures) -> str:
    shares_within = " | ".join(f"{share:.3f}" for share in row.within)
    return (
        f"| {row.name} | {row.series} | {row.never or ''} | {row.mean:.0f} "
        f"| {_range_text(row.by_series)} | {_range_text(row.by_system)} | {row.median:.0f} "
        f"| {_rounded_text(row.clustered)} | {_rounded_text(row.scattered)} | {shares_within} | "
        f"{row.labelled or ''} "
        f"| {_share(row.balanced)} |"
    )


def _waiting_line(row: MethodFigures, waits: DecisionCosts) -> str:
    times = " / ".join(f"{value:.0f}" for value in waits.testing)
    deviation_words = " / ".join(f"{100 * value:.1f}" for value in waits.deviation)
    return (
        f"| {row.name} | {row.series} | {row.never or ''} | {times} | {waits.early:.3f} "
        f"| {row.mean:.0f} | {_range_text(row.by_series)} | {_range_text(row.by_system)} "
        f"| {row.median:.0f} | {deviation_words} | {waits.far:.3f} | {row.labelled or ''} "
        f"| {_share(row.balanced)} |"
    )


def _people_line(person: MethodFigures, method: MethodFigures) -> str:
    return (
        f"| {person.name} | {person.series} | {person.mean:.0f} | {_range_text(person.by_series)} "
        f"| {person.median:.0f} | {method.mean:.0f} | {_range_text(method.by_series)} "
        f"| {method.median:.0f} |"
    )


def _range_text(bounds: Interval) -> str:
    return f"{bounds[0]:.0f} to {bounds[1]:.0f}"


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _rounded_text(value: float) -> str:
    return "" if isnan(value) else f"{value:.0f}"


def as_document(row: MethodFigures) -> dict[str, Any]:
    """A row for JSON: floats rounded, a figure that is none as null."""
    rounded_figures: dict[str, Any] = _round_figures(asdict(row))
    return rounded_figures


def _round_figures(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _round_figures(member) for key, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [_round_figures(member) for member in value]
    if isinstance(value, float):
        return None if isnan(value) else round(value, DIGITS)
    return value


def row_of_document(document: Mapping[str, Any]) -> MethodFigures:
    """Restore the row that `as_document` wrote."""
    nan_figures = {key: float("nan") for key in ("clustered", "scattered") if document[key] is None}
    waiting_costs = DecisionCosts(**_freeze(document["waiting"])) if document["waiting"] else None
    return MethodFigures(**_freeze(document) | nan_figures | {"waiting": waiting_costs})


def _freeze(document: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: tuple(member) if isinstance(member, list) else member
        for key, member in document.items()
    }


def heading(order: int, group: Group) -> str:
    """Sentences above the tables of a folding."""
    sorting = "in order of size" if order == 0 else f"shuffled with seed {order}"
    return (
        f"\nFolding {order}: {group}s {sorting}; every series is answered by a model that has not "
        f"seen its {group}.\nErrors in iterations against the panel's answer; a never, of any "
        f"method, is given the median of the panel's answers for the {group}s of other folds. "
        f"Intervals resample series, and whole {group}s. Steady or never is asked of the series "
        "that were shown for that label.\n\n"
    )


def chosen_words(name: str, chances: Mapping[str, Any] | None) -> str:
    """Worth of a method's `chance`, had it been chosen on other systems; empty without one.

    chances: `values` and `balanced`, as a `ChosenChance` has them.
    """
    if chances is None:
        return ""
    low, high, accuracy = min(chances["values"]), max(chances["values"]), chances["balanced"]
    return (
        f"\n{name}, with `chance` chosen for each fold on the labelled series of the others, from "
        f"{min(CHANCES):g} to {max(CHANCES):g}: {low:g} to {high:g} is chosen, and the balanced "
        f"accuracy {accuracy:.3f}.\n"
    )


def average_table(foldings: Sequence[PanelFigures], names: Iterable[str]) -> str:
    """Rows of these names, averaged over ways to hold systems out; nothing for a single one."""
    if len(foldings) < 2:
        return ""
    head = (
        f"\nMeans over {len(foldings)} foldings, least and greatest in brackets:\n\n"
        "| method | never | mean error | median | clustered | scattered "
        f"| {WITHIN} | balanced accuracy |\n" + "|---" * 11 + "|\n"
    )
    return head + "".join(
        _average(name, [row for folding in foldings for row in folding.rows if row.name == name])
        for name in names
    )


def _average(name: str, rows: Sequence[MethodFigures]) -> str:
    errors = [
        _range([getattr(figures, column) for figures in rows], 0)
        for column in ("never", "mean", "median", "clustered", "scattered")
    ]
    share_ranges = [
        _range(shares, 3) for shares in zip(*(figures.within for figures in rows), strict=True)
    ]
    balanced_range = _range(
        [figures.balanced for figures in rows if figures.balanced is not None], 3
    )
    return f"| {name} | {' | '.join([*errors, *share_ranges, balanced_range])} |\n"


def _range(means: Sequence[float], digits: int) -> str:
    if not means:
        return ""
    mean = sum(means) / len(means)
    return f"{mean:.{digits}f} [{min(means):.{digits}f}, {max(means):.{digits}f}]"
