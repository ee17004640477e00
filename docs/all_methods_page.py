"""The page of all methods, from the figures that are kept: yardsticks, settings, tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, Final

from detectors.contract import NEVER, Detector
from detectors.training.figures.method_figures import DRAWS, NEAR, Interval
from docs import plain_section
from docs.yardsticks import FITTED_HERE, MARK, method_comparison, yardstick_sentences
from evidence.corpus.asking import ALL, CAP, LENGTHS, LONGEST, MEASURED
from evidence.corpus.levels import LEVELS, NEVER_SHAPES
from formats.markdown import markdown_table

Document = dict[str, Any]
CONSTANT: Final = "a constant: median answer of the others"
ENOUGH: Final = 0.9  # of the series that a method must answer to be named as the nearest
STEADY_SHAPES: Final = tuple(each for each in LEVELS if each not in NEVER_SHAPES)
NEAR_PLATEAU: Final = 50  # iterations

SENTENCES: Final = """\
Of the {total} methods, {count} are compared here, with their defaults. {lacking} have no figures,
{fitted} were fitted on this data (†), and {few} answer for less than {enough:.0f} % of the series.
**{nearest}** comes nearest: its mean error is {error:.0f} iterations, on {series:,} series that
become steady. A constant, which does not look at the series, has {constant:.0f}; {farther} of the
{count} methods are not better. **{told}** says most reliably whether a series becomes steady,
with a balanced accuracy of {balanced:.2f}. A method that never answers never has 0.50; {silent} do
so."""

SETTINGS: Final = """\
## How it was computed

`make compare-all` writes this page, and computes only what has changed: version or defaults of a
method, weights, or the corpus. The figures took {minutes:.0f} minutes of one core; the machine of
the last row: {machine}.

| figure | how |
|---|---|
| series | {series:,} of [the corpus](corpus.md), {steady:,} of which become steady; every fourth \
of the series of 10,000 values. Methods have their defaults and the values alone |
| error | distance in iterations from the nearest right answer, of series that become steady; for \
a decay from the interval of right answers. *Share*: divided by the length |
| never | gets the answer of a constant: the median answer for series with noise of other \
workloads, by length |
| no answer | has no error (too short a series); *series* counts the others. Beside other \
yardsticks it gets the constant too: short series have small errors, and refusing them would pay |
| in brackets | 95 % of the means of {draws:,} resamples of series; *by workload*, of whole \
workloads |
| steady or never | balanced accuracy: mean share of both kinds that are answered correctly |
| cost | a harness warms up until the answer ({cap} iterations without one, or for never), and \
measures {measured} values. It pays lengths of the series, and one more where the result is over \
1 % off the steady level |
| ms | median CPU time of a series of {longest:,} values |
| † | fitted on recordings whose noise the corpus holds; the Plateaus, for steady or never only, \
on the corpus itself. Their starts come from published series |

A series is answered by a model that has not seen its workload, but has seen others. So the
sentences under *Known answers* compare no method with a †, nor any that answers for less than
{enough:.0f} % of the series."""

BY_NOISE: Final = """\
### Errors by noise

Groups are the spread of the noise, as a share of the level, and the runtime of the workload."""

PUBLISHED: Final = """\
## Published series, marked by people

A panel of five people called these series of public replication packages steady, and marked each
([publications](publications.md)). A never gets the median of the panel's answers for other systems.
*Steady or never* takes the series that were shown for that label. Models of Plateau have not seen
a series' system; no other method was fitted on these series. They have no licence, so they are not
passed on. `PLATEAU_REPLICATION=FOLDER make compare-all` makes these rows from a copy."""

RECORDINGS: Final = """\
## Our recordings: {recordings} forks

Nobody knows where these become steady, so there is no error. The table has each method's answers,
and how often they agree with Plateau: both never, or both steady within {near} iterations."""


@dataclass(frozen=True, slots=True)
class ComputedMethod:
    """A method with what is kept of it."""

    method: Detector
    kept: Document

    @property
    def name(self) -> str:
        return f"{self.method.title}{MARK if self.method.slug in FITTED_HERE else ''}"

    def group(self, name: str) -> Document:
        group_figures: Document = self.kept["groups"][name]
        return group_figures

    @property
    def figures(self) -> Document:
        all_figures: Document = self.group(ALL)["figures"]
        return all_figures

    @property
    def is_comparable(self) -> bool:
        """Asked for all, answering nearly all, and fitted on none of it."""
        all_figures = self.group(ALL)
        is_complete = all_figures["answered"] >= ENOUGH * all_figures["asked"]
        return is_complete and self.method.slug not in FITTED_HERE


def text(document: Document, methods: Sequence[Detector], published: Document) -> str:
    rows = methods_by_distance(document, methods)
    parts = [
        "# All methods",
        yardstick_sentences(document, methods, published),
        *([method_comparison(document, methods, published)] if rows else []),
        *([settings_table(document, rows)] if rows else []),
        missing_rows(document, methods),
        published_table(published, methods),
        *([corpus_tables(document, rows, len(methods))] if rows else []),
        plain_section.section(document, methods),
        *([recordings_table(document, rows)] if rows else []),
    ]
    return "\n\n".join(section for section in parts if section) + "\n"


def methods_by_distance(document: Document, methods: Sequence[Detector]) -> list[ComputedMethod]:
    """Methods with figures, the nearest first."""
    kept_rows = document["methods"]
    methods_with_figures = [
        method for method in methods if "groups" in kept_rows.get(method.key, {})
    ]
    rows = [ComputedMethod(method, kept_rows[method.key]) for method in methods_with_figures]
    return sorted(rows, key=lambda row: float(row.figures["mean"]))


# --- words ----------------------------------------------------------------------------------------
def sentences(document: Document, rows: Sequence[ComputedMethod], total: int) -> str:
    """Compare the methods that can be compared, of `total`, and count the others by reason."""
    comparable_rows = [row for row in rows if row.is_comparable]
    if not comparable_rows:
        return ""
    nearest_row, best_balanced_row = (
        comparable_rows[0],
        max(comparable_rows, key=lambda row: float(row.figures["balanced"])),
    )
    constant_mean = document["constant"][ALL]["mean"]
    fitted_count = sum(row.method.slug in FITTED_HERE for row in rows)
    return SENTENCES.format(
        total=total,
        count=len(comparable_rows),
        lacking=total - len(rows),
        fitted=fitted_count,
        few=len(rows) - len(comparable_rows) - fitted_count,
        enough=100 * ENOUGH,
        nearest=nearest_row.name,
        series=nearest_row.figures["series"],
        error=nearest_row.figures["mean"],
        constant=constant_mean,
        farther=sum(row.figures["mean"] >= constant_mean for row in comparable_rows),
        told=best_balanced_row.name,
        balanced=best_balanced_row.figures["balanced"],
        silent=sum(not row.group(ALL)["never"] for row in comparable_rows),
    )


def settings_table(document: Document, rows: Sequence[ComputedMethod]) -> str:
    seconds = [row.kept["seconds"] + row.kept.get("plain_seconds", 0) for row in rows]
    return SETTINGS.format(
        minutes=sum(seconds) / 60,
        cap=CAP,
        measured=MEASURED,
        machine=document["machine"],
        series=document["series"][ALL],
        steady=document["steady"][ALL],
        draws=DRAWS,
        longest=LONGEST,
        enough=100 * ENOUGH,
    )


def missing_rows(document: Document, methods: Sequence[Detector]) -> str:
    """List what has no row, and why."""
    unasked_row = {"reason": "not asked with today's settings yet; `make compare-all` does"}
    row_by_title = {
        method.title: document["methods"].get(method.key, unasked_row) for method in methods
    }
    lines = [
        f"- {title}: {row['reason']}" for title, row in row_by_title.items() if "reason" in row
    ]
    return "\n".join(["Not computed on the corpus:", "", *lines]) if lines else ""


# --- tables ---------------------------------------------------------------------------------------
def corpus_tables(document: Document, rows: Sequence[ComputedMethod], total: int) -> str:
    noises = [name for name in document["series"] if name not in {ALL, *LEVELS, *LENGTHS}]
    parts = (
        f"## Known answers: {document['series'][ALL]:,} series",
        sentences(document, rows, total),
        whole_table(document, rows),
        "### Errors by shape",
        error_table(document, rows, STEADY_SHAPES),
        "### Errors by length",
        error_table(document, rows, tuple(LENGTHS)),
        "### Called never, by shape",
        f"Percent of all answered series. Only {_enumeration(NEVER_SHAPES)} never become steady.",
        group_table(rows, LEVELS, _never_percent),
        BY_NOISE,
        error_table(document, rows, noises),
        "### Steady or never, by noise",
        group_table(rows, noises, _balanced_cell),
    )
    return "\n\n".join(parts)


def whole_table(document: Document, rows: Sequence[ComputedMethod]) -> str:
    lines = [
        [
            row.name,
            *_figure_cells(row.figures),
            _two_decimals(row.figures["balanced"]),
            _two_decimals(row.group(ALL)["relative"]),
            _two_decimals(row.group(ALL)["cost"]),
            _milliseconds_cell(row.kept),
        ]
        for row in rows
    ]
    cost = _two_decimals(document["cost"]["constant"])
    constant_row = [CONSTANT, *_figure_cells(document["constant"][ALL]), "", "", cost, ""]
    return markdown_table([*_columns("by workload"), "share", "cost", "ms"], [*lines, constant_row])


def _columns(group_column: str) -> list[str]:
    first_columns = ["method", "series", "called never", "mean error", group_column, "median"]
    return [*first_columns, *(f"≤{limit}" for limit in NEAR), "steady or never"]


def _figure_cells(figures: Document) -> list[str]:
    return [
        f"{figures['series']:,}",
        f"{figures['never']:,}" if figures["never"] else "",
        _error(figures),
        _range_cell(figures["by_system"]),
        f"{figures['median']:.0f}",
        *(f"{share:.2f}" for share in figures["within"]),
    ]


def error_table(document: Document, rows: Sequence[ComputedMethod], groups: Sequence[str]) -> str:
    """Mean errors with intervals; of methods in the order of the table of all series."""
    constant_row = [CONSTANT, *(_error(document["constant"][name]) for name in groups)]
    series_counts_row = ["series", *(f"{document['steady'][name]:,}" for name in groups)]
    return group_table(
        rows,
        groups,
        lambda row: _optional_words(row["figures"], _error),
        constant_row,
        series_counts_row,
    )


def group_table(
    rows: Sequence[ComputedMethod],
    groups: Iterable[str],
    cell: Callable[[Document], str],
    *further_rows: Sequence[str],
) -> str:
    """A row for each method, a column for each group of series."""
    lines = [[row.name, *(cell(row.group(name)) for name in groups)] for row in rows]
    return markdown_table(["method", *groups], [*lines, *further_rows])


def published_table(published: Document, methods: Sequence[Detector]) -> str:
    """Figures on the published series, which `docs.panel_figures` keeps."""
    kept_rows = published["methods"]
    methods_with_rows = [method for method in methods if method.key in kept_rows]
    if not methods_with_rows:
        return f"{PUBLISHED}\n\nNot computed: no packages were there."
    methods_with_rows.sort(key=lambda method: float(kept_rows[method.key]["mean"]))
    lines = [
        [
            method.title,
            *_figure_cells(kept_rows[method.key]),
            _two_decimals(kept_rows[method.key]["balanced"]),
        ]
        for method in methods_with_rows
    ]
    constant_row = [CONSTANT, *_figure_cells(published["constant"]), ""]
    absent_titles = [method.title for method in methods if method.key not in kept_rows]
    absence_reason = (
        "It needs more than values, has no weights here, or was not asked with today's settings"
    )
    reason = (
        f"\n\nNot computed: {_enumeration(absent_titles)}. {absence_reason}."
        if absent_titles
        else ""
    )
    return f"{PUBLISHED}\n\n{markdown_table(_columns('by system'), [*lines, constant_row])}{reason}"


def recordings_table(document: Document, rows: Sequence[ComputedMethod]) -> str:
    """Table of what methods say of recordings of which nobody knows the answer."""
    plateau = next(
        (computed_method for computed_method in rows if computed_method.method.slug == "plateau"),
        None,
    )
    if plateau is None:
        return ""
    recorded_answers = plateau.kept["recorded"]
    lines = [
        [computed_method.name, *_recorded_cells(computed_method.kept["recorded"], recorded_answers)]
        for computed_method in sorted(rows, key=lambda row: row.method.title.lower())
    ]
    head = ["method", "forks", "called never", "median answer", "as Plateau"]
    words = RECORDINGS.format(recordings=document["recordings"], near=NEAR_PLATEAU)
    return f"{words}\n\n{markdown_table(head, lines)}"


def _recorded_cells(answers: Sequence[int | None], plateau: Sequence[int | None]) -> list[str]:
    """Cells of a method's answers on recordings, compared with those of Plateau."""
    actual_answers = [answer for answer in answers if answer is not None]
    starts = [answer for answer in actual_answers if answer != NEVER]
    pairs = [
        (a, b) for a, b in zip(answers, plateau, strict=True) if a is not None and b is not None
    ]
    equal_answers = [a == b if NEVER in {a, b} else abs(a - b) <= NEAR_PLATEAU for a, b in pairs]
    return [
        str(len(actual_answers)),
        str(len(actual_answers) - len(starts) or ""),
        f"{median(starts):.0f}" if starts else "",
        f"{sum(equal_answers) / len(equal_answers):.2f}" if equal_answers else "",
    ]


# --- cells ----------------------------------------------------------------------------------------
def _optional_words(figure: Any, write_figure: Callable[[Any], str]) -> str:
    """Write a figure; nothing where there is none."""
    return "" if figure is None else write_figure(figure)


def _error(figures: Document) -> str:
    return _unbreak(f"{figures['mean']:.0f} [{_range_cell(figures['by_series'])}]")


def _range_cell(interval: Interval) -> str:
    return _unbreak(f"{interval[0]:.0f}, {interval[1]:.0f}")


def _unbreak(cell: str) -> str:
    """Keep a cell on one line of a narrow column."""
    return cell.replace(" ", "\N{NO-BREAK SPACE}")


def _two_decimals(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _balanced_cell(group: Document) -> str:
    return _two_decimals((group["figures"] or {}).get("balanced"))


def _milliseconds_cell(row: Document) -> str:
    milliseconds = row["milliseconds"]
    return f"{milliseconds:.2f}" if milliseconds < 10 else f"{milliseconds:,.0f}"


def _never_percent(group: Document) -> str:
    return f"{100 * group['never'] / group['answered']:.0f}" if group["answered"] else ""


def _enumeration(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
