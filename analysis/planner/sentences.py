"""What a plan's page says, in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from analysis.planner.reads import ComparedConfiguration, PlanPage
from detectors.benchmark_plan import Configuration
from detectors.plan_words import duration, plan_note, plan_sentence, share


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """A line of the table as text; `far` and `long`: worse than the recommendation."""

    title: str
    options: str
    off: str
    unused: str
    time: str
    means: str
    recommended: bool
    far: bool
    long: bool


def page_sentence(found: PlanPage) -> str:
    """The answer; where there is none, what to do about it."""
    if found.plan is None:
        return found.problem
    warm_up = found.plan.warm_up
    if warm_up is None:
        never = sum(not fork.recorded.steady for fork in found.forks)
        become = "becomes" if never == 1 else "become"
        many = f"{never} of {len(found.forks)} forks never {become} steady"
        return f"No recommendation: {many}; more iterations do not help."
    return plan_sentence(found.plan)


def page_note(found: PlanPage) -> str:
    """How far the answer holds, or what would give one."""
    if found.plan is None:
        if not found.forks:
            return "Ask people where they do, or methods:"
        return "Say it in the field Iteration, such as: 100 ms."
    parts = [source_words(found), plan_note(found.plan)]
    if found.plan.lacking == "too few forks":
        parts.append("Record more forks: the interval of the mean comes from how forks differ.")
    best = found.plan.recommended
    if best is not None and best.bias is not None and best.half_width is not None:
        parts.append(
            f"{share(best.off)} is {share(best.half_width)} by chance, with "
            f"{100 * found.plan.confidence:g} % confidence, and at most "
            f"{share(best.off - best.half_width)} because iterations still change."
        )
    return " ".join(part for part in parts if part)


def source_words(found: PlanPage) -> str:
    """Why a method says where forks become steady; empty where ground truth does."""
    source, ranking = found.source, found.ranking
    if source is None or source.is_truth:
        return ""
    if any(each.is_truth for each in found.sources):
        return f"By {source.title}, and not by ground truth, as chosen."
    said = f"No fork here has ground truth. {source.title} says where they become steady"
    answering = {each.code for each in found.sources}
    ranked = [name for name in ranking.names if name in answering]
    if source.code not in ranked or ranking.board is None:
        return f"{said}: nobody has marked enough in this study to rank methods."
    place = ranked.index(source.code) + 1
    rank = "first" if place == 1 else f"{place}."
    against = ranking.board.yardstick.title
    return f"{said}: Compare ranks it {rank} of those with answers here, against {against}."


def compared_rows(found: PlanPage) -> Sequence[ComparedRow]:
    """The recommendation, then what it is compared with."""
    best = next((one.configuration for one in found.table if one.recommended), None)
    return [] if best is None else [_row(one, best) for one in found.table]


def _row(one: ComparedConfiguration, best: Configuration) -> ComparedRow:
    has = one.configuration
    return ComparedRow(
        title=one.title,
        options=one.options,
        off="unknown" if math.isinf(has.off) else share(has.off),
        unused=duration(one.unused),
        time=duration(has.seconds),
        means=_means(has, best),
        recommended=one.recommended,
        far=has.off > best.off,
        long=has.seconds > best.seconds,
    )


def _means(one: Configuration, best: Configuration) -> str:
    if one.shows is None:
        return "one fork says nothing of how forks differ"
    if one.bias is None:
        return "measures before the first recorded value"
    shown = f"{100 * one.shows:.2g} %"
    if one == best:
        return f"shows a change of {shown} or more"
    less = best.seconds - one.seconds
    if less >= 0:
        return f"{duration(less)} less, but a change under {shown} goes unseen"
    if one.off > best.off:
        return f"{duration(-less)} more, and a change under {shown} goes unseen"
    return f"{duration(-less)} more than the target needs"
