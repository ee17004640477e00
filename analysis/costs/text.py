"""What the figures say, in sentences made from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from analysis.costs import files
from analysis.costs.table import Costs, OfMethod
from formats.tables import Cell
from people.templatetags.writing import lasting, whole

Figure = Callable[[OfMethod], float | None]


def sentences(found: Costs) -> list[str]:
    """Which method is cheapest, charged either way, and whose results are the steady state's."""
    told = [_cheapest(found), _charged(found), _truest(found)]
    return [each for each in told if each]


def _cheapest(found: Costs) -> str:
    first = _least(found, lambda one: one.total)
    if first is None or first.total is None:
        return ""
    n = first.benchmarks
    of = "the one benchmark" if n == 1 else f"all {whole(n)} benchmarks"
    return (
        f"As publications count, {first.look.label} runs shortest: "
        f"{lasting(first.total)} for {of}, warm-up and measurement."
    )


def _charged(found: Costs) -> str:
    first = _least(found, lambda one: one.honest_total)
    if first is None or first.honest_total is None:
        return ""
    return (
        f"Charged for all that a method has to see, {first.look.label} does: "
        f"{lasting(first.honest_total)}."
    )


def _truest(found: Costs) -> str:
    judged = [one for one in found.by_method if one.deviations.n]
    if not judged:
        return ""
    first = min(judged, key=lambda one: one.deviations.differs / one.deviations.n)
    result = first.deviations
    nearly = "" if result.exact else " (preview)"
    return (
        f"The results of {first.look.label} differ least often from those of the steady state: "
        f"in {whole(result.differs)} of {whole(result.n)} benchmarks{nearly}."
    )


def _least(found: Costs, figure: Figure) -> OfMethod | None:
    """The method with the least figure, among those that have an answer everywhere."""
    known = [one for one in found.by_method if figure(one) is not None and not one.look.baseline]
    most = max((one.forks for one in known), default=0)
    whole_set = [one for one in known if one.forks == most]
    return min(whole_set, key=lambda one: figure(one) or 0.0, default=None)


# --- lines of a terminal ------------------------------------------------------------------------
SHOWN = (
    *("method", "benchmarks", "forks", "never", "warm_up_q50", "seconds_total"),
    *("seconds_honest_total", "wasted", "contaminated", "judged", "differs", "deviation_q50"),
    *("interval", "overhead", "net"),
)


def as_text(found: Costs) -> Iterator[str]:
    """The methods as aligned columns, and the sentences."""
    columns = files.FILES["methods"]
    at = [columns.index(name) for name in SHOWN]
    rows = [[_cell(row[place]) for place in at] for row in files.rows(found, "methods")]
    lines = [list(SHOWN), *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for first, *rest in lines:
        cells = [text.rjust(width) for text, width in zip(rest, widths[1:], strict=True)]
        yield "  ".join([first.ljust(widths[0]), *cells]).rstrip() + "\n"
    yield from (f"{sentence}\n" for sentence in sentences(found))


def _cell(cell: Cell) -> str:
    if cell is None:
        return "-"
    return f"{cell:.4g}" if isinstance(cell, float) else str(cell)
