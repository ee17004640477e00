"""Sentences about the plan of a benchmark. Pure."""

from __future__ import annotations

from detectors.planning.benchmark_plan import (
    FRUGAL,
    LEAST_FORKS,
    LEAST_STEADY,
    MOST_NEVER,
    MOST_TIMES,
    ROUND_PRECISIONS,
    BenchmarkPlan,
    Configuration,
    VarianceLevels,
    WarmUp,
)


def plan_sentence(plan: BenchmarkPlan) -> str:
    """The answer in one sentence."""
    if plan.warm_up is None:
        return (
            f"No recommendation: more than {100 * MOST_NEVER:g} % of the forks never become steady."
        )
    if plan.levels is None:
        return f"Leave out {plan.warm_up.iterations} iterations; {_lack_words(plan)}"
    if plan.recommended is None:
        wider_words = (
            f"no precision up to {planned_precision_words(ROUND_PRECISIONS[-1])} is in reach"
        )
        return f"{_target_words(plan, plan.levels)}, and {wider_words}."
    words = configuration_words(plan.recommended)
    if not plan.lacking:
        return f"{words[0].upper()}{words[1:]}."
    nearest_words = f"{planned_precision_words(plan.precision)} is in reach: {words}"
    return f"{_target_words(plan, plan.levels)}; {nearest_words}."


def configuration_words(test: Configuration) -> str:
    return (
        f"leave out {test.warm_up} iterations, measure {test.iterations}, in {test.forks} forks: "
        f"{planned_precision_words(test.off)} in {duration_words(test.seconds)} of machine time"
    )


def _target_words(plan: BenchmarkPlan, levels: VarianceLevels) -> str:
    """Words on why the target itself is not recommended."""
    target, refused_test = planned_precision_words(plan.target), plan.refused
    if refused_test is None:
        return f"{target} is out of reach"
    if plan.lacking == "too long":
        present_words = f"{MOST_TIMES:g} times the present {duration_words(plan.present or 0.0)}"
        return f"{target} takes {duration_words(refused_test.seconds)}, more than {present_words}"
    if refused_test.seconds > plan.most_seconds:
        return f"{target} is out of reach in {duration_words(plan.most_seconds)}"
    suggested_words = f"{FRUGAL:g} times the least time that {levels.forks} forks suggest"
    return f"{target} is out of reach at {suggested_words}"


def _missing_words(plan: BenchmarkPlan) -> str:
    """Sentences on what the target itself would take; empty where it is planned."""
    if not plan.lacking or plan.levels is None:
        return ""
    forks = plan.levels.forks
    missing = f"Missing: more recorded forks, for the bounds rest on {forks}; or a wider target."
    if plan.refused is None:
        return missing
    target_words = f"What {planned_precision_words(plan.target)} itself may take"
    return f"{missing} {target_words}: {configuration_words(plan.refused)}."


def _lack_words(plan: BenchmarkPlan) -> str:
    if plan.lacking == "too few forks":
        return f"how exact the result is takes {LEAST_FORKS} steady forks or more."
    if plan.lacking == "too short":
        return (
            f"how exact the result is takes {LEAST_STEADY} steady iterations in each of "
            f"{LEAST_FORKS} forks."
        )
    return "nothing varies afterwards, so a single iteration is enough."


def plan_note(plan: BenchmarkPlan) -> str:
    """Limits of the answer."""
    parts = []
    if plan.warm_up is not None:
        best_configuration = plan.recommended
        is_shorter = (
            best_configuration is not None and best_configuration.warm_up < plan.warm_up.iterations
        )
        end_words = f"iteration {plan.warm_up.iterations}" if is_shorter else "then"
        parts.append(warm_up_words(plan.warm_up, end_words))
    if plan.warm_up is not None and plan.warm_up.unrecorded:
        parts.append(unrecorded_words(plan.warm_up))
    if plan.levels is not None:
        between_words, within_words = (
            planned_precision_words(variance**0.5 / abs(plan.levels.mean)).lstrip("±")
            for variance in (plan.levels.between, plan.levels.within)
        )
        parts.append(
            f"Forks differ by {between_words}, iterations of a fork by {within_words} once it is "
            "counted how "
            "they depend on one another."
        )
    return " ".join(sentence for sentence in (*parts, _missing_words(plan)) if sentence)


def trial_words(plan: BenchmarkPlan) -> str:
    """Sentence about trials of plans with such a precision; empty for a plan of another kind."""
    trials = plan.trials
    if trials is None:
        return ""
    return (
        f"In trials on published benchmarks, {100 * trials.kept:.0f} % of such plans for "
        f"{planned_precision_words(trials.precision)} were kept, at {trials.oracle:.1f} times the "
        "least possible time."
    )


def warm_up_words(warm_up: WarmUp, end_words: str = "then") -> str:
    """Sentence about the forks that the warm-up covers; it lasts until `end_words`."""
    if warm_up.covered == warm_up.forks == 1:
        return f"The only fork is steady by {end_words}, from {warm_up.low}."
    if warm_up.covered == warm_up.forks:
        sentence = f"All {warm_up.forks} forks are steady by {end_words}"
    else:
        sentence = f"{warm_up.covered} of {warm_up.forks} forks are steady by {end_words}"
        if warm_up.never:
            sentence += f", {warm_up.never} never"
    return (
        f"{sentence} (95 % interval of the start that is covered: {warm_up.low} to {warm_up.high})."
    )


def unrecorded_words(warm_up: WarmUp) -> str:
    """Sentence about iterations of the warm-up that were not recorded."""
    n = warm_up.unrecorded
    count_words = "1 of these iterations was" if n == 1 else f"{n} of these iterations were"
    sentence = f"{count_words} run before the first recorded value."
    if warm_up.high > n:
        return sentence
    return (
        f"{sentence} All forks are steady there: record with no warm-up to see whether less does."
    )


def planned_precision_words(value: float) -> str:
    """`±0.99 %`, `±1,600 %`: three digits."""
    percent = 100 * value
    return f"±{percent:.3g} %" if percent < 999.5 else f"±{percent:,.0f} %"


def duration_words(seconds: float) -> str:
    """`1 min 28 s`, `3 h 5 min`, `0.4 s`."""
    if seconds < 10:
        return f"{seconds:.2g} s"
    whole_seconds = round(seconds)
    minutes, remaining_seconds = divmod(whole_seconds, 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {remaining_seconds} s" if minutes else f"{remaining_seconds} s"
