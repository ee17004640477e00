"""Sentences about costs, made from their figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from analysis.comparison.method_names import short_name
from analysis.cost import exports
from analysis.cost.points import method_errors, result_error
from analysis.cost.table import ComparisonCosts, MethodCost
from analysis.web.command_output import aligned
from analysis.web.figures import tick_text
from formats.tables import Cell
from people.templatetags.writing import HARD, lasting, share, si, si_unit, whole

MOST_NAMED = 4  # methods in a sentence
SMALL = 0.01  # an error below which two decimals are written
CLEARLY = 0.15  # of an error, by which another one is less
WORTH_A_WORD = 0.01  # an error of the target from which on it is explained
LONG = 90.0  # seconds, from which on a person thinks in minutes
Figure = Callable[[MethodCost], float | None]


def cost_sentences(found: ComparisonCosts) -> list[str]:
    """Which method is cheapest, charged either way, and whose results are the steady state's.

    No first place is theirs whose answers were fitted to the series.
    """
    return [each for each in (_cheapest(found), _truest(found)) if each]


def training_sentences(found: ComparisonCosts) -> Iterator[str]:
    """Who knew the series before it was asked."""
    for name, known in found.inputs.known.items():
        if known.sentence:
            yield f"{found.compared.looks[name].label}: {known.sentence}"


def _cheapest(found: ComparisonCosts) -> str:
    first = _least(found, lambda one: one.total)
    honest = _least(found, lambda one: one.honest_total)
    if first is None or honest is None:
        return ""
    n = first.benchmarks
    of = "the one benchmark" if n == 1 else f"all {whole(n)} benchmarks"
    told = f"{first.look.label} makes the shortest test of {of}: {time_text(first.total)}"
    if honest == first:
        charged = f"{time_text(first.honest_total)} if charged for all that it has to see"
        return f"{told} as publications count, {charged}."
    charged = f"{honest.look.label} the least, {time_text(honest.honest_total)}"
    return f"{told} as publications count. Charged for all that it has to see, {charged}."


def time_text(seconds: float | None) -> str:
    """`204.3 ms`, `15.21 s`, and from a minute and a half on `2 h 5 min`."""
    if seconds is None:
        return "–"
    return si(seconds) if seconds < LONG else lasting(seconds)


def _truest(found: ComparisonCosts) -> str:
    flattered = found.inputs.flattered
    judged = [one for one in found.by_method if one.deviations.n and one.look.name not in flattered]
    if not judged:
        return ""
    least = min(map(_differing, judged))
    first = [one for one in judged if _differing(one) == least]
    # Any preview may turn out otherwise, and take the first place.
    nearly = "" if all(one.deviations.exact for one in judged) else " by previews"
    return (
        f"The results of {_named(first)} differ least often from those of the steady state"
        f"{nearly}: {_how_often(first)}."
    )


def _differing(one: MethodCost) -> Fraction:
    """The share of its benchmarks in which the result differs, exactly: ties are ties."""
    return Fraction(one.deviations.differs, one.deviations.n)


def _named(methods: Sequence[MethodCost]) -> str:
    """Their labels; of more than MOST_NAMED only how many they are."""
    labels = [one.look.label for one in methods]
    if len(labels) > MOST_NAMED:
        return f"{whole(len(labels))} methods alike"
    *some, last = labels
    return f"{', '.join(some)} and {last}" if some else last


def _how_often(methods: Sequence[MethodCost]) -> str:
    """`in 2 of 7 benchmarks`; of some with other counts `in 2 of 7 to 4 of 14 benchmarks`."""
    counts = sorted({(one.deviations.n, one.deviations.differs) for one in methods})
    ends = dict.fromkeys([counts[0], counts[-1]])
    words = " to ".join(f"{whole(differs)} of {whole(n)}" for n, differs in ends)
    each = " each" if len(methods) > 1 else ""
    return f"in {words} benchmarks{each}"


def _least(found: ComparisonCosts, figure: Figure) -> MethodCost | None:
    """The method with the least figure, among those that have an answer everywhere."""
    ranked = found.inputs.ranked
    known = [one for one in found.by_method if figure(one) is not None and one.look.name in ranked]
    most = max((one.forks for one in known), default=0)
    whole_set = [one for one in known if one.forks == most]
    return min(whole_set, key=lambda one: figure(one) or 0.0, default=None)


# --- the target ---------------------------------------------------------------------------------
def length_text(length: float, *, in_seconds: bool) -> str:
    """Two digits are enough to compare: `23 s`, `8.5 ms`; `600 iterations`."""
    if not in_seconds:
        return f"{whole(length)}{HARD}iterations"
    if length >= LONG:
        return lasting(length)
    short = float(f"{length:.2g}")
    factor, unit = si_unit(short, "s")
    return f"{tick_text(float(f'{short / factor:.3g}'))}{HARD}{unit}"


def error_text(error: float) -> str:
    """A share: `12.3 %`, `0.04 %`."""
    return share(error, 1 if error >= SMALL else 2)


def truth_sentence(found: ComparisonCosts) -> str:
    """Why methods beat the target, where any is clearly nearer to the steady state than it."""
    target = result_error(found.truth_by_benchmark)
    if target is None or not target.is_reliable or target.error < WORTH_A_WORD:
        return ""
    n = sum(
        error.is_reliable and error.is_clearly_less(target, CLEARLY)
        for error in method_errors(found)
    )
    if not n:
        return ""
    nearer = "1 method comes nearer" if n == 1 else f"{whole(n)} methods come nearer"
    said = f"The target itself is off by {error_text(target.error)}, and {nearer}."
    return f"{said} {_why_off(found)}"


def _why_off(found: ComparisonCosts) -> str:
    """Reasons why the target is off the steady mean: its cap, or a falling first part."""
    capped = sum(row.capped for row in found.truth_by_benchmark)
    if capped:
        forks = sum(row.forks for row in found.truth_by_benchmark)
        return (
            f"On {whole(capped)} of {whole(forks)} series the yardstick says steady only after "
            f"the cap of {found.wanted.cap} iterations, and the target is measured from the cap on."
        )
    return (
        "It measures the first iterations from the yardstick’s start on, and the steady mean is "
        "of all that follow: where these still fall, a later measurement is nearer."
    )


# --- lines of a terminal ------------------------------------------------------------------------
SHOWN = (
    *("method", "benchmarks", "forks", "never", "warm_up_q50", "seconds_total"),
    *("seconds_honest_total", "wasted", "contaminated", "judged", "differs", "deviation_q50"),
    *("interval", "overhead", "net"),
)


def cost_text(found: ComparisonCosts) -> Iterator[str]:
    """The methods as aligned columns, and the sentences."""
    columns = exports.FILES["methods"]
    at = [columns.index(name) for name in SHOWN]
    rows = [[_cell(row[place]) for place in at] for row in exports.cost_rows(found, "methods")]
    for texts, one in zip(rows, found.by_method, strict=True):
        texts[0] = short_name(one.look)
    yield from aligned([list(SHOWN), *rows])
    sentences = (*cost_sentences(found), truth_sentence(found), *training_sentences(found))
    yield from (f"{sentence}\n" for sentence in sentences if sentence)


def _cell(cell: Cell) -> str:
    if cell is None:
        return "-"
    return f"{cell:.4g}" if isinstance(cell, float) else str(cell)
