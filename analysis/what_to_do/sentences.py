"""Sentences of the page, made from its figures."""

from __future__ import annotations

import math

import numpy as np

from analysis.cost.sentences import error_text, length_text
from analysis.planner.reads import PlanPage, StartSource
from analysis.planner.sentences import page_note, page_sentence, source_words
from analysis.what_to_do.ways import Way, WaysTable
from detectors.planning.benchmark_plan import COVERED, LEAST_FORKS
from detectors.planning.plan_words import duration_words, trial_words
from detectors.stories.story_words import NUMBERS
from people.templatetags.writing import grouped


def number_word(number: int) -> str:
    """`five`; from eleven on digits."""
    return NUMBERS[number] if number < len(NUMBERS) else grouped(number)


def forks_words(fork_count: int) -> str:
    """`five forks`."""
    return f"{number_word(fork_count)} fork{'' if fork_count == 1 else 's'}"


def default_sentence(way: Way | None) -> str:
    """Sentence of what the harness does by default in as many forks; empty where it measures
    nothing.
    """
    if way is None or not way.n or way.seconds is None or not math.isfinite(way.off):
        return ""
    time_sentence = f"In as many forks, {way.title} takes {duration_words(way.seconds)}"
    return f"{time_sentence} and is off by {error_text(way.off)}: {_begin_clause(way)}."


def _begin_clause(way: Way) -> str:
    if way.early_count == way.n:
        fork_words = "the fork" if way.n == 1 else f"any of the {forks_words(way.n)}"
        return f"it starts to measure before {fork_words} is steady"
    if way.early_count:
        verb = "is" if way.early_count == 1 else "are"
        return (
            f"it starts to measure before {number_word(way.early_count)} of the "
            f"{forks_words(way.n)} {verb} steady"
        )
    return f"it leaves out {grouped(round(way.middle))} iterations"


def dataset_sentence(table: WaysTable) -> str:
    """One warm-up for all series of a data set."""
    if table.n == 1:
        return f"Leave out {length_text(table.middle, in_seconds=True)}: the series is steady then."
    covering_value = float(np.quantile(table.starts, COVERED, method="higher"))
    covered_count = int((table.starts <= covering_value).sum())
    return (
        f"Leave out {length_text(covering_value, in_seconds=True)}: {grouped(covered_count)} of "
        f"{grouped(table.n)} steady series are steady by then."
    )


def steady_words(page: PlanPage) -> str:
    """Beside the title of the forks: when all are steady, and the margin."""
    plan = page.plan
    if plan is None or plan.warm_up is None:
        return ""
    starts = [fork.measured_fork.warm_up for fork in page.forks if fork.measured_fork.steady]
    warm_up = plan.recommended.warm_up if plan.recommended else plan.warm_up.iterations
    last = max(starts)
    phrase = f"{forks_words(len(page.forks))}, "
    if len(starts) < len(page.forks):
        return f"{phrase}{number_word(len(page.forks) - len(starts))} never steady"
    phrase += f"all by {grouped(last)}" if len(starts) > 1 else f"steady from {grouped(last)}"
    return f"{phrase}; {grouped(warm_up)} leaves a margin" if warm_up > last else phrase


def split_sentence(page: PlanPage) -> tuple[str, str]:
    """The answer, and behind its colon what it gives; empty where nothing is recommended."""
    sentence = page_sentence(page)
    if page.plan is None or page.plan.recommended is None:
        return sentence, ""
    answer, colon, gain = sentence.rpartition(": ")
    return f"{answer}{colon}", gain


def source_note(page: PlanPage) -> str:
    """Note on who says where forks become steady and how plans fare, or on what gives an answer."""
    if page.plan is None:
        return page_note(page)
    source = page.source
    source_sentence = (
        f"Steady by {source.title}." if source and source.is_truth else source_words(page)
    )
    return f"{source_sentence} {trial_words(page.plan)}".strip()


def missing_words(title: str) -> str:
    """Words for a chosen yardstick without answers of a benchmark; empty for none."""
    return f"{title} says nothing of these forks." if title else ""


def hold_sentences(page: PlanPage) -> list[str]:
    """Sentences on how far the answer holds: the first stands alone, the second explains it."""
    if page.plan is None:
        return []
    note = page_note(page).removeprefix(source_words(page)).strip()
    first_sentence, end, explanation = note.partition("). ")
    return [sentence for sentence in (f"{first_sentence}{end.rstrip()}", explanation) if sentence]


def wider_source(page: PlanPage) -> StartSource | None:
    """A method that answers enough forks, where ground truth knows too few of them."""
    if page.plan is None or page.plan.lacking != "too few forks":
        return None
    method_sources = [source for source in page.sources if not source.is_truth]
    return next((source for source in method_sources if source.answer_count >= LEAST_FORKS), None)
