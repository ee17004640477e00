"""Sentences about costs, made from their figures."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction

from analysis.comparison.method_names import short_name
from analysis.cost.result_errors import method_errors, result_error
from analysis.cost.table import ComparisonCosts
from analysis.web.aligned_lines import aligned_lines
from analysis.web.figures import tick_text
from formats.tables import Cell
from people.templatetags.writing import HARD, grouped, lasting, share, si, si_unit

MOST_NAMED = 4  # most methods in a sentence
SMALL = 0.01  # errors below this have two decimals
CLEARLY = 0.15  # share of an error by which another error is clearly less
WORTH_A_WORD = 0.01  # least error of the target that a sentence explains
LONG = 90.0  # seconds, from which on a person thinks in minutes


def cost_sentences(costs: ComparisonCosts) -> list[str]:
    """Sentences of the cheapest method, charged either way, and of the truest results.

    No first place is theirs whose answers were fitted to the series.
    """
    return [sentence for sentence in (_cheapest_sentence(costs), _truest(costs)) if sentence]


def training_sentences(costs: ComparisonCosts) -> Iterator[str]:
    """Sentences of the methods that were trained on some of the series."""
    for name, overlap in costs.inputs.known.items():
        if overlap.sentence:
            yield f"{costs.compared.looks[name].label}: {overlap.sentence}"


def _cheapest_sentence(costs: ComparisonCosts) -> str:
    first, honest_least = (
        _least_method(costs, "seconds_total"),
        _least_method(costs, "seconds_honest_total"),
    )
    if not first or not honest_least:
        return ""
    n, looks = costs.by_method[first]["benchmarks"], costs.compared.looks
    time, honest_time = (
        time_text(costs.by_method[first]["seconds_total"]),
        time_text(costs.by_method[honest_least]["seconds_honest_total"]),
    )
    benchmark_words = "the one benchmark" if n == 1 else f"all {grouped(n)} benchmarks"
    sentence = f"{looks[first].label} makes the shortest test of {benchmark_words}: {time}"
    if honest_least == first:
        charged_words = f"{honest_time} if charged for all that it has to see"
        return f"{sentence} as publications count, {charged_words}."
    charged_words = f"{looks[honest_least].label} the least, {honest_time}"
    return f"{sentence} as publications count. Charged for all that it has to see, {charged_words}."


def time_text(seconds: float | None) -> str:
    """`204.3 ms`, `15.21 s`, and from a minute and a half on `2 h 5 min`."""
    if seconds is None:
        return "–"
    return si(seconds) if seconds < LONG else lasting(seconds)


def _truest(costs: ComparisonCosts) -> str:
    judged_methods = {
        name: cells
        for name, cells in costs.by_method.items()
        if cells["judged"] and name not in costs.inputs.flattered
    }
    if not judged_methods:
        return ""
    # Exact share of benchmarks whose result differs, so that ties stay ties.
    differing_shares = {
        name: Fraction(cells["differs"], cells["judged"]) for name, cells in judged_methods.items()
    }
    first = [
        name
        for name, fraction in differing_shares.items()
        if fraction == min(differing_shares.values())
    ]
    labels = [costs.compared.looks[name].label for name in first]
    counts = {(judged_methods[name]["judged"], judged_methods[name]["differs"]) for name in first}
    # An exact interval may differ from its preview and take the first place.
    is_exact = all(cells["interval"] == "exact" for cells in judged_methods.values())
    preview_words = "" if is_exact else " by previews"
    return (
        f"The results of {_label_words(labels)} differ least often from those of the steady state"
        f"{preview_words}: {_frequency_words(counts)}{' each' if len(first) > 1 else ''}."
    )


def _label_words(labels: Sequence[str]) -> str:
    """Labels of methods; of more than MOST_NAMED only how many they are."""
    if len(labels) > MOST_NAMED:
        return f"{grouped(len(labels))} methods alike"
    return joined_names(labels)


def joined_names(names: Sequence[str]) -> str:
    """`A`, `A and B`, or `A, B and C`."""
    *first_names, last_name = names
    return f"{', '.join(first_names)} and {last_name}" if first_names else last_name


def _frequency_words(counts: Collection[tuple[int, int]]) -> str:
    """`in 2 of 7 benchmarks`; of some with other counts `in 2 of 7 to 4 of 14 benchmarks`."""
    end_counts = dict.fromkeys([min(counts), max(counts)])
    words = " to ".join(
        f"{grouped(differing_count)} of {grouped(n)}" for n, differing_count in end_counts
    )
    return f"in {words} benchmarks"


def _least_method(costs: ComparisonCosts, column: str) -> str:
    """The method with the least figure, among ranked ones that have an answer everywhere."""
    complete_cells = {
        name: cells
        for name, cells in costs.by_method.items()
        if cells[column] is not None and name in costs.inputs.ranked
    }
    most_forks = max((cells["forks"] for cells in complete_cells.values()), default=0)
    names = [name for name, cells in complete_cells.items() if cells["forks"] == most_forks]
    return min(names, key=lambda name: complete_cells[name][column], default="")


# --- the target ---------------------------------------------------------------------------------
def length_text(length: float, *, in_seconds: bool) -> str:
    """Two digits are enough to compare: `23 s`, `8.5 ms`; `600 iterations`."""
    if not in_seconds:
        return f"{grouped(length)}{HARD}iterations"
    if length >= LONG:
        return lasting(length)
    rounded_length = float(f"{length:.2g}")
    factor, unit = si_unit(rounded_length, "s")
    return f"{tick_text(float(f'{rounded_length / factor:.3g}'))}{HARD}{unit}"


def error_text(error: float) -> str:
    """A share: `12.3 %`, `0.04 %`."""
    return share(error, 1 if error >= SMALL else 2)


def truth_sentence(costs: ComparisonCosts) -> str:
    """Why methods beat the target, where any is clearly nearer to the steady state than it."""
    target = result_error(costs.truth_by_benchmark)
    if target is None or not target.is_reliable or target.error < WORTH_A_WORD:
        return ""
    n = sum(
        error.is_reliable and error.is_clearly_less(target, CLEARLY)
        for error in method_errors(costs)
    )
    if not n:
        return ""
    nearer_words = "1 method comes nearer" if n == 1 else f"{grouped(n)} methods come nearer"
    sentence = f"The target itself is off by {error_text(target.error)}, and {nearer_words}."
    return f"{sentence} {_off_reasons(costs)}"


def _off_reasons(costs: ComparisonCosts) -> str:
    """Reasons why the target is off the steady mean: its cap, or a falling first part."""
    capped_count = sum(row.capped for row in costs.truth_by_benchmark)
    if capped_count:
        forks = sum(row.forks for row in costs.truth_by_benchmark)
        return (
            f"On {grouped(capped_count)} of {grouped(forks)} series the yardstick says steady only "
            "after "
            f"the cap of {costs.wanted.cap} iterations, and the target is measured from the cap on."
        )
    return (
        "It measures the first iterations from the yardstick’s start on. The steady mean is of "
        "all that follow: if these still fall, a later measurement is nearer."
    )


# --- lines of a terminal ------------------------------------------------------------------------
SHOWN = (
    *("method", "benchmarks", "forks", "never", "warm_up_q50", "seconds_total"),
    *("seconds_honest_total", "wasted", "contaminated", "judged", "differs", "deviation_q50"),
    *("interval", "overhead", "net"),
)


def cost_text(costs: ComparisonCosts) -> Iterator[str]:
    """The methods as aligned columns, and the sentences."""
    rows = [
        [short_name(costs.compared.looks[name]), *(_cell(cells[column]) for column in SHOWN[1:])]
        for name, cells in costs.by_method.items()
    ]
    yield from aligned_lines([list(SHOWN), *rows])
    sentences = (*cost_sentences(costs), truth_sentence(costs), *training_sentences(costs))
    yield from (f"{sentence}\n" for sentence in sentences if sentence)


def _cell(cell: Cell) -> str:
    if cell is None:
        return "-"
    return f"{cell:.4g}" if isinstance(cell, float) else str(cell)
