"""What a plan's page says, in words."""

from __future__ import annotations

from analysis.planner.reads import PlanPage
from detectors.planning.plan_words import plan_note, plan_sentence, share


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
