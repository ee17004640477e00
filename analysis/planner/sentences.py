"""Sentences of a plan's page."""

from __future__ import annotations

from analysis.planner.reads import PlanPage
from detectors.planning.plan_words import plan_note, plan_sentence, planned_precision_words
from detectors.registry import DEFAULT_METHOD


def page_sentence(page: PlanPage) -> str:
    """The answer; where there is none, what to do about it."""
    if page.plan is None:
        return page.problem
    warm_up = page.plan.warm_up
    if warm_up is None:
        never_count = sum(not fork.measured_fork.steady for fork in page.forks)
        verb = "becomes" if never_count == 1 else "become"
        never_words = f"{never_count} of {len(page.forks)} forks never {verb} steady"
        return f"No recommendation: {never_words}; more iterations do not help."
    return plan_sentence(page.plan)


def page_note(page: PlanPage) -> str:
    """Note on how far the answer holds, or what would give an answer."""
    if page.plan is None:
        if not page.forks:
            return "Ask people where they do, or methods:"
        return "Say it in the field Iteration, such as: 100 ms."
    sentences = [source_words(page), plan_note(page.plan)]
    if page.plan.lacking == "too few forks":
        sentences.append("Record more forks: the interval of the mean comes from how forks differ.")
    config = page.plan.recommended
    if config is not None and config.bias is not None and config.half_width is not None:
        total, by_chance, by_change = (
            planned_precision_words(share)
            for share in (config.off, config.half_width, config.off - config.half_width)
        )
        sentences.append(
            f"{total} is {by_chance} by chance, with {100 * page.plan.confidence:g} % confidence, "
            f"and at most {by_change} because iterations still change."
        )
    return " ".join(sentence for sentence in sentences if sentence)


def source_words(page: PlanPage) -> str:
    """Why a method says where forks become steady; empty where ground truth does."""
    source = page.source
    if source is None or source.is_truth:
        return ""
    if any(start_source.is_truth for start_source in page.sources):
        return f"By {source.title}, and not by ground truth, as chosen."
    title = (
        source.title if source.code != DEFAULT_METHOD else f"{source.title}, the default method,"
    )
    return f"No fork here has ground truth. {title} says where they become steady."
