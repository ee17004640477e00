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
    return list(filter(None, (_cheapest_sentence(costs), _truest_sentence(costs))))


def training_sentences(costs: ComparisonCosts) -> Iterator[str]:
    """Sentences of the methods that were trained on some of the series."""
    for name, overlap in costs.inputs.known.items():
        if overlap.sentence:
            yield f"{costs.compared.looks[name].label}: {overlap.sentence}"


def _cheapest_sentence(costs: ComparisonCosts) -> str:
    cheapest, honest_cheapest = (
        _least_method(costs, "seconds_total"),
        _least_method(costs, "seconds_honest_total"),
    )
    if not cheapest or not honest_cheapest:
        return ""
    n, looks = costs.method_cells[cheapest]["benchmarks"], costs.compared.looks
    time_words, honest_words = (
        time_text(costs.method_cells[cheapest]["seconds_total"]),
        time_text(costs.method_cells[honest_cheapest]["seconds_honest_total"]),
    )
    benchmark_words = "the one benchmark" if n == 1 else f"all {grouped(n)} benchmarks"
    sentence = f"{looks[cheapest].label} makes the shortest test of {benchmark_words}: {time_words}"
    if honest_cheapest == cheapest:
        charged_words = f"{honest_words} if charged for all that it has to see"
        return f"{sentence} as publications count, {charged_words}."
    charged_words = f"{looks[honest_cheapest].label} the least, {honest_words}"
    return f"{sentence} as publications count. Charged for all that it has to see, {charged_words}."


def time_text(seconds: float | None) -> str:
    """`204.3 ms`, `15.21 s`, and from a minute and a half on `2 h 5 min`."""
    if seconds is None:
        return "–"
    return si(seconds) if seconds < LONG else lasting(seconds)


def _truest_sentence(costs: ComparisonCosts) -> str:
    judged_cells = {
        name: cells
        for name, cells in costs.method_cells.items()
        if cells["judged"] and name not in costs.inputs.flattered
    }
    if not judged_cells:
        return ""
    # Exact share of benchmarks whose result differs, so that ties stay ties.
    differing_shares = {
        name: Fraction(cells["differs"], cells["judged"]) for name, cells in judged_cells.items()
    }
    best_names = [
        name
        for name, differing_share in differing_shares.items()
        if differing_share == min(differing_shares.values())
    ]
    labels = [costs.compared.looks[name].label for name in best_names]
    counts = {(judged_cells[name]["judged"], judged_cells[name]["differs"]) for name in best_names}
    # An exact interval may differ from its preview and take the first place.
    is_exact = all(cells["interval"] == "exact" for cells in judged_cells.values())
    preview_words = "" if is_exact else " by previews"
    return (
        f"The results of {_label_words(labels)} differ least often from those of the steady state"
        f"{preview_words}: {_frequency_words(counts)}{' each' if len(best_names) > 1 else ''}."
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
        for name, cells in costs.method_cells.items()
        if cells[column] is not None and name in costs.inputs.ranked
    }
    largest_count = max((cells["forks"] for cells in complete_cells.values()), default=0)
    names = [name for name, cells in complete_cells.items() if cells["forks"] == largest_count]
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
        fork_count = sum(row.forks for row in costs.truth_by_benchmark)
        return (
            f"On {grouped(capped_count)} of {grouped(fork_count)} series the yardstick says steady "
            f"only after the cap of {costs.query.cap} iterations, and the target is measured from "
            "the cap on."
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
        for name, cells in costs.method_cells.items()
    ]
    yield from aligned_lines([list(SHOWN), *rows])
    sentences = (*cost_sentences(costs), truth_sentence(costs), *training_sentences(costs))
    yield from (f"{sentence}\n" for sentence in sentences if sentence)


def _cell(cell: Cell) -> str:
    if cell is None:
        return "-"
    return f"{cell:.4g}" if isinstance(cell, float) else str(cell)
