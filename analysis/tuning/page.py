"""The results of an exploration as a page shows them: sentences, rows, what can be chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

import numpy as np
from django.urls import reverse

from analysis.runs.start_address import start_address
from analysis.statistics.benchmark_replay import CAP, MEASURED
from analysis.statistics.sensitivity import (
    IndexConvergence,
    QuarterDifference,
    SobolIndex,
    interval_widths,
    quarter_difference,
    sensitivity_sentence,
)
from analysis.statistics.tuning_objectives import (
    EXACT,
    OBJECTIVES,
    Objective,
    TuningValidation,
    figures_of_set,
    search_scores,
)
from analysis.tuning.query import Kind, ResultsChoice
from analysis.tuning.reads import DEFAULTS, ExplorationResults, NoResultsYet
from analysis.work.job_sentence import JobAction, JobSentence
from people.templatetags.writing import grouped

BEST: Final = 10  # most sets that the page lists
HEADS: Final[Mapping[Objective, str]] = {
    "manhattan": "Σ|Δ|",
    "fp": "False plateau",
    "fn": "Missed",
    "bias": "|mean\u00a0Δ|",
    "variance": "Var\u00a0Δ",
    "mean_abs": "Mean\u00a0|Δ|",
    "median_abs": "Median\u00a0|Δ|",
    "machine_time": "Machine\u00a0time",
    "result_error": "Result\u00a0error",
}
UNITS: Final[Mapping[Objective, str]] = {
    **dict.fromkeys(HEADS, "iterations"),
    **dict.fromkeys(("fp", "fn"), "series"),
    "variance": "iterations²",
    "result_error": "%",
}
OUTPUT_HEADS: Final[Mapping[str, str]] = {
    "squared": "ΣΔ², as published",
    **{str(name): head for name, head in HEADS.items()},
}
ON_PAGE: Final = 25  # sets of the front that the page lists; the file has all


# --- sensitivity ------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class IndexRow:
    """One parameter: both indices, and both with a quarter of the samples."""

    name: str
    first: SobolIndex
    total: SobolIndex
    quarter_first: SobolIndex | None
    quarter_total: SobolIndex | None

    @property
    def difference(self) -> QuarterDifference | None:
        """The total index with a quarter of the samples beside that with all."""
        if self.quarter_total is None:
            return None
        return quarter_difference(self.total, self.quarter_total)


@dataclass(frozen=True, slots=True)
class IndexTable:
    """Sobol' indices of the parameters for one output."""

    sentence: str
    convergence: IndexConvergence
    rows: tuple[IndexRow, ...]
    pairs: tuple[SobolIndex, ...]
    convergence_sentence: str  # sentence on a quarter of the samples
    width_sentence: str  # sentence on the widths of intervals


def index_table(reading: ExplorationResults, choice: ResultsChoice) -> IndexTable:
    """Raises NoResultsYet."""
    convergence = reading.sensitivity(choice.output)
    rows = tuple(index_rows(convergence))
    pairs = tuple(sorted(convergence.whole.second, key=lambda index: -index.value))
    return IndexTable(
        sensitivity_sentence(convergence.whole),
        convergence,
        rows,
        pairs,
        _convergence_sentence(convergence),
        _width_words(convergence),
    )


def index_rows(convergence: IndexConvergence) -> list[IndexRow]:
    """Parameters, the largest total index first."""
    quarter = convergence.quarter
    first_by_name, total_by_name = (
        _index_by_name(convergence.whole.first),
        _index_by_name(convergence.whole.total),
    )
    quarter_indices = (
        _index_by_name(quarter.first) if quarter else {},
        _index_by_name(quarter.total) if quarter else {},
    )
    return [
        IndexRow(
            name,
            first_by_name[name],
            total_by_name[name],
            quarter_indices[0].get(name),
            quarter_indices[1].get(name),
        )
        for name in convergence.whole.order
    ]


def _index_by_name(indices: Sequence[SobolIndex]) -> dict[str, SobolIndex]:
    return {index.names[0]: index for index in indices}


def _width_words(convergence: IndexConvergence) -> str:
    """Widths of the intervals of the total indices, in words."""
    widths = interval_widths(convergence.whole.total)
    if widths is None:
        return ""
    quarter_widths = interval_widths(convergence.quarter.total) if convergence.quarter else None
    quarter_phrase = (
        f", with a quarter of the samples {quarter_widths.mean:.3f} ± {quarter_widths.sd:.3f}"
        if quarter_widths
        else ""
    )
    return (
        f"The intervals of the total indices are {widths.mean:.3f} ± {widths.sd:.3f} wide "
        f"(mean and deviation){quarter_phrase}."
    )


def _convergence_sentence(convergence: IndexConvergence) -> str:
    """Sentence that says if the samples are enough; empty without a quarter to compare with."""
    if convergence.quarter is None or not convergence.quarter.total or not convergence.whole.total:
        return ""
    is_same_order = convergence.quarter.order == convergence.whole.order
    quarter_by_name = _index_by_name(convergence.quarter.total)
    shift = max(
        abs(total_index.value - quarter_by_name[total_index.names[0]].value)
        for total_index in convergence.whole.total
    )
    verdict = "puts the parameters in the same order" if is_same_order else "gives another order"
    return (
        f"A quarter of the samples {verdict}; no total index moved by more than {shift:.2f} since."
    )


# --- tuning -----------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class ParameterSetRow:
    """One parameter set. `set_index` is its place among the complete sets; 0 is the defaults."""

    set_index: int
    rank: int | None
    values: Mapping[str, str]
    score: float
    figures: Mapping[Objective, float]

    @property
    def is_defaults(self) -> bool:
        return self.set_index == DEFAULTS

    @property
    def cells(self) -> list[str]:
        """The figures as text, in the order of OBJECTIVES."""
        return [figure_text(self.figures[name]) for name in OBJECTIVES]


@dataclass(frozen=True, slots=True)
class FoldRow:
    """Systems held out, and the set that the others chose."""

    systems: str
    values: Mapping[str, str]
    seen: str
    unseen: str


@dataclass(frozen=True, slots=True)
class FrontTable:
    """Sets of which no other is as good in all weighted figures and better in one."""

    sentence: str
    rows: tuple[ParameterSetRow, ...]  # best sets of the front, by the score
    count: int


@dataclass(frozen=True, slots=True)
class TuningResult:
    """Best parameter sets, and their score on systems that the choice has not seen."""

    sentence: str
    validation_sentence: str
    best: tuple[ParameterSetRow, ...]
    unseen: TuningValidation | None
    folds: tuple[FoldRow, ...]
    comparison_rows: tuple[tuple[str, list[str]], ...]  # who, figures: optimistic, unseen, defaults
    unbeaten: FrontTable | None  # where more than one figure is weighted
    complete_count: int
    cost_sentence: str  # sentence on the basis of machine time and error


def tuning_result(reading: ExplorationResults, choice: ResultsChoice) -> TuningResult:
    """Raises NoResultsYet."""
    scores = reading.scores(choice.weights, choice.most_error)
    steering_scores = search_scores(scores, reading.figures, choice.most_error)
    finite_sets = [
        int(set_index)
        for set_index in np.argsort(steering_scores, kind="stable")
        if np.isfinite(steering_scores[set_index])
    ]
    if not reading.figures["answers"].any():
        raise NoResultsYet("No parameter set has an answer for any series: all have failed.")
    if not finite_sets:
        raise NoResultsYet(
            "No parameter set calls any series steady that the yardstick calls steady: there is "
            "no error to make small."
        )
    allowed_sets = [set_index for set_index in finite_sets if np.isfinite(scores[set_index])]
    best_sets = [set_index for set_index in allowed_sets or finite_sets if set_index != DEFAULTS][
        :BEST
    ]
    best_rows = [
        set_row(reading, set_index, rank, scores[set_index])
        for rank, set_index in enumerate(best_sets, start=1)
    ]
    default_row = set_row(reading, DEFAULTS, None, scores[DEFAULTS])
    unseen_validation, missing_reason = _validation(reading, choice)
    return TuningResult(
        sentence=_sentence(finite_sets[0], scores, reading, choice.most_error),
        validation_sentence=_validation_sentence(unseen_validation, reading, choice.most_error)
        if unseen_validation
        else missing_reason,
        best=(*best_rows, default_row),
        unseen=unseen_validation,
        folds=tuple(_fold_rows(reading, unseen_validation)) if unseen_validation else (),
        comparison_rows=tuple(_validation_rows(unseen_validation, reading))
        if unseen_validation
        else (),
        unbeaten=_front_table(reading, choice, scores) if len(choice.weights) > 1 else None,
        complete_count=len(scores),
        cost_sentence=_cost_sentence(reading),
    )


def figure_units(reading: ExplorationResults) -> dict[Objective, str]:
    """The unit of each figure; machine time is in iterations where no series is timed."""
    return {**UNITS, "machine_time": reading.cost_basis.unit}


def _cost_sentence(reading: ExplorationResults) -> str:
    basis = reading.cost_basis
    series_count = grouped(basis.series)
    timed_words = (
        series_count
        if basis.timed == basis.series
        else f"the {grouped(basis.timed)} timed of {series_count}"
    )
    return (
        f"Machine time is that of tests on {timed_words} series that warm up until the method's "
        "answer, "
        f"at most {CAP} iterations, and measure {MEASURED} more. The error of the result is how "
        "far the measured mean lies from that of the steady part: the median over "
        f"{grouped(basis.benchmarks)} benchmarks."
    )


def _front_table(
    reading: ExplorationResults, choice: ResultsChoice, scores: np.ndarray
) -> FrontTable | None:
    """Table of the Pareto front, or None where no set has all of the figures."""
    front = reading.unbeaten(choice.weights, choice.most_error)
    if not front.size:
        return None
    listed_sets = front[:ON_PAGE].tolist()
    rows = (
        set_row(reading, set_index, rank, scores[set_index])
        for rank, set_index in enumerate(listed_sets, start=1)
    )
    *heads, last = (HEADS[name] for name in choice.weights)
    verb = "is" if front.size == 1 else "are"
    limit = "" if choice.most_error is None else f" within {choice.most_error:g} %"
    sentence = (
        f"{grouped(front.size)} of {grouped(np.isfinite(scores).sum())} sets{limit} {verb} on the "
        f"Pareto front: no other is as good in {', '.join(heads)} and {last} and better in one."
    )
    return FrontTable(sentence, tuple(rows), int(front.size))


def set_row(
    reading: ExplorationResults, set_index: int, rank: int | None, score: float
) -> ParameterSetRow:
    figures = reading.figures
    values = {name: float(figures[name][set_index]) for name in OBJECTIVES}
    return ParameterSetRow(
        set_index, rank, reading.parameter_texts(set_index), float(score), values
    )


def _validation(
    reading: ExplorationResults, choice: ResultsChoice
) -> tuple[TuningValidation | None, str]:
    try:
        return reading.unseen(choice.weights, choice.most_error), ""
    except NoResultsYet as error:
        return None, str(error)


def defaults_name(reading: ExplorationResults) -> str:
    """Name of the set of default values, with the parameters that are held at others."""
    held_values = reading.exploration.held
    if not held_values:
        return "the defaults"
    held_phrase = ", ".join(f"{name} {text}" for name, text in held_values.items())
    return f"the defaults (with {held_phrase} held)"


def _sentence(
    best_set: int, scores: np.ndarray, reading: ExplorationResults, most_error: float | None
) -> str:
    default_score, best_score, count = float(scores[DEFAULTS]), float(scores[best_set]), len(scores)
    defaults_phrase = defaults_name(reading)
    least_error = figure_text(float(reading.figures["result_error"][best_set]))
    limit = "" if most_error is None else f" within {most_error:g} %"
    if not np.isfinite(best_score):
        return f"None of {grouped(count)} sets is{limit}: the least error is {least_error} %."
    if best_set == DEFAULTS:
        return (
            f"Of {grouped(count)} sets none{limit} is better than {defaults_phrase}, "
            f"{figure_text(default_score)}."
        )
    default_phrase = f"{defaults_phrase} score {figure_text(default_score)}" + _comparison_words(
        best_score, default_score
    )
    if not np.isfinite(default_score):
        default_phrase = f"{defaults_phrase} are beyond it"
    cost_phrase = (
        ""
        if most_error is None
        else f", {_time_and_error(figures_of_set(reading.figures, best_set), reading)},"
    )
    best_phrase = f"The best of {grouped(count)} sets{limit} scores {figure_text(best_score)}"
    return f"{best_phrase}{cost_phrase} where {default_phrase}."


def _time_and_error(figures: Mapping[str, float], reading: ExplorationResults) -> str:
    time_phrase = f"{figure_text(figures['machine_time'])} {reading.cost_basis.unit}"
    return f"{time_phrase} at an error of {figure_text(figures['result_error'])} %"


def _validation_sentence(
    unseen_validation: TuningValidation, reading: ExplorationResults, most_error: float | None
) -> str:
    if most_error is not None:
        return _error_limit_sentence(unseen_validation, reading, most_error)
    default_score = unseen_validation.baseline_score
    group_noun = "systems" if reading.by_system else "benchmarks"
    claim = (
        f"On {group_noun} that the choice had not seen it scores "
        f"{figure_text(unseen_validation.score)}"
        f" ({len(unseen_validation.folds)} parts, each judged by the set that the others chose)"
    )
    if (
        default_score is None
        or not np.isfinite(default_score)
        or not np.isfinite(unseen_validation.score)
    ):
        return f"{claim}."
    if unseen_validation.score >= default_score:
        defaults_text = figure_text(default_score)
        return f"{claim}: no better than the defaults, {defaults_text}. Keep the defaults."
    return (
        f"{claim}, the defaults "
        f"{figure_text(default_score)}{_comparison_words(unseen_validation.score, default_score)}."
    )


def _error_limit_sentence(
    unseen_validation: TuningValidation, reading: ExplorationResults, most_error: float
) -> str:
    group_noun, default_figures = (
        "systems" if reading.by_system else "benchmarks",
        unseen_validation.baseline_figures or {},
    )
    is_within_limit = unseen_validation.figures["result_error"] <= most_error * EXACT
    limit = "which keeps the limit" if is_within_limit else f"beyond the limit of {most_error:g} %"
    return (
        f"On {group_noun} that the choice had not seen it costs "
        f"{_time_and_error(unseen_validation.figures, reading)} ({len(unseen_validation.folds)} "
        "parts, each judged by "
        f"the set that the others chose), {limit}. The defaults cost "
        f"{_time_and_error(default_figures, reading)}."
    )


def _comparison_words(best_score: float, default_score: float) -> str:
    if not np.isfinite(default_score) or default_score <= 0:
        return ""
    return f": {(default_score - best_score) / default_score:.0%} less".replace("%", "\u00a0%")


def _fold_rows(reading: ExplorationResults, unseen_validation: TuningValidation) -> list[FoldRow]:
    return [
        FoldRow(
            ", ".join(fold.held_out),
            reading.parameter_texts(fold.chosen),
            figure_text(fold.seen),
            figure_text(fold.unseen),
        )
        for fold in unseen_validation.folds
    ]


def _validation_rows(
    unseen_validation: TuningValidation, reading: ExplorationResults
) -> list[tuple[str, list[str]]]:
    group_noun = "system" if reading.by_system else "benchmark"
    rows = [
        (
            "The best set on the data it was chosen on",
            unseen_validation.optimistic,
            unseen_validation.optimistic_figures,
        ),
        (
            f"Chosen without the {group_noun} that it is judged on",
            unseen_validation.score,
            unseen_validation.figures,
        ),
    ]
    if unseen_validation.baseline_figures is not None:
        score = (
            float("nan")
            if unseen_validation.baseline_score is None
            else unseen_validation.baseline_score
        )
        name = defaults_name(reading)
        rows.append((name[0].upper() + name[1:], score, unseen_validation.baseline_figures))
    return [
        (row_label, [figure_text(score), *(figure_text(figures[name]) for name in OBJECTIVES)])
        for row_label, score, figures in rows
    ]


def figure_text(value: float | None) -> str:
    """A figure: whole from 1000 on, else three digits; `–` for none."""
    if value is None or not np.isfinite(value):
        return "–"
    return grouped(value) if abs(value) >= 1000 else f"{value:.3g}".replace("-", "−")


def results_context(reading: ExplorationResults, choice: ResultsChoice) -> dict[str, Any]:
    """The results by what they are of; `nothing` says why there are none."""
    try:
        if reading.exploration.is_sensitivity:
            return {"indices": index_table(reading, choice)}
        return {"tuned": tuning_result(reading, choice)}
    except NoResultsYet as error:
        return {"nothing": str(error)}


def results_sentence(results: Mapping[str, Any]) -> JobSentence:
    """Sentence of the results, and below it how far they hold."""
    if indices := results.get("indices"):
        return JobSentence(
            indices.sentence, f"{indices.convergence_sentence} {indices.width_sentence}".strip()
        )
    if tuning := results.get("tuned"):
        return JobSentence(tuning.sentence, tuning.validation_sentence)
    return JobSentence(results["nothing"])


def next_action(reading: ExplorationResults, results: Mapping[str, Any]) -> JobAction | None:
    """Search the parameters whose effect is known; run the set that is better than the defaults."""
    exploration = reading.exploration
    if "indices" in results:
        query = urlencode({"kind": Kind.SEARCH, "method": exploration.slug})
        address = f"{reverse('tuning-new', args=[exploration.study.slug])}?{query}"
        return JobAction(address, "Search the best values")
    if "tuned" not in results:
        return None
    best_row, default_row = results["tuned"].best[0], results["tuned"].best[-1]
    if best_row.is_defaults or not best_row.score < default_row.score:
        return None
    key = reading.detector_key(best_row.set_index)
    return JobAction(start_address(exploration.study.slug, [key]), "Run with the best set")
