"""What a plan of a benchmark says, in words. Pure."""

from __future__ import annotations

from detectors.benchmark_plan import LEAST_FORKS, BenchmarkPlan, Configuration, WarmUp


def plan_sentence(plan: BenchmarkPlan) -> str:
    """The answer in one sentence."""
    if plan.warm_up is None:
        return "No recommendation: more than one fork of ten never becomes steady."
    if plan.recommended is None:
        return f"Leave out {plan.warm_up.iterations} iterations; {_without(plan)}"
    said = configuration_words(plan.recommended)
    if plan.lacking == "out of reach":
        return f"{share(plan.target)} is out of reach; the nearest: {said}."
    return f"{said[0].upper()}{said[1:]}."


def configuration_words(one: Configuration) -> str:
    return (
        f"leave out {one.warm_up} iterations, measure {one.iterations}, in {one.forks} forks: "
        f"{share(one.off)} in {duration(one.seconds)} of machine time"
    )


def _without(plan: BenchmarkPlan) -> str:
    if plan.lacking == "too few forks":
        return f"how exact the result is takes {LEAST_FORKS} steady forks or more."
    if plan.lacking == "alike":
        return "nothing varies afterwards, so a single iteration is enough."
    return "no configuration fits in the time."


def plan_note(plan: BenchmarkPlan) -> str:
    """How far the answer holds."""
    parts = [] if plan.warm_up is None else [warm_up_words(plan.warm_up)]
    if plan.warm_up is not None and plan.warm_up.unrecorded:
        parts.append(unrecorded_words(plan.warm_up))
    if plan.levels is not None:
        between, within = (
            share(variance**0.5 / abs(plan.levels.mean)).lstrip("±")
            for variance in (plan.levels.between, plan.levels.within)
        )
        parts.append(
            f"Forks differ by {between}, iterations of a fork by {within} once it is counted how "
            "they depend on one another."
        )
    return " ".join(parts)


def warm_up_words(found: WarmUp) -> str:
    """Which forks the warm-up covers."""
    if found.covered == found.forks:
        said = f"All {found.forks} forks are steady by then"
    else:
        said = f"{found.covered} of {found.forks} forks are steady by then"
        if found.never:
            said += f", {found.never} never"
    return f"{said} (95 % interval of the start that is covered: {found.low} to {found.high})."


def unrecorded_words(found: WarmUp) -> str:
    """Iterations of the warm-up that nobody has seen."""
    n = found.unrecorded
    were = "1 of these iterations was" if n == 1 else f"{n} of these iterations were"
    said = f"{were} run before the first recorded value."
    if found.high > n:
        return said
    return f"{said} All forks are steady there: record with no warm-up to see whether less does."


def share(value: float) -> str:
    """`±0.99 %`, `±1,600 %`: three digits."""
    percent = 100 * value
    return f"±{percent:.3g} %" if percent < 999.5 else f"±{percent:,.0f} %"


def duration(seconds: float) -> str:
    """`1 min 28 s`, `3 h 5 min`, `0.4 s`."""
    if seconds < 10:
        return f"{seconds:.2g} s"
    whole = round(seconds)
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
