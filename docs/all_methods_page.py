"""The page of all methods, from the figures that are kept: yardsticks, settings, tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, Final

from detectors.contract import NEVER, Detector
from detectors.training.method_figures import DRAWS, NEAR, Interval
from docs import plain_section
from docs.yardsticks import FITTED_HERE, MARK, first_lines, side_by_side
from evidence.corpus.asking import ALL, CAP, LENGTHS, LONGEST, MEASURED
from evidence.corpus.levels import LEVELS, NEVER_SHAPES
from formats.markdown import table

Document = dict[str, Any]
CONSTANT: Final = "a constant: median answer of the others"
ENOUGH: Final = 0.9  # of the series that a method must answer to be named as the nearest
STEADY_SHAPES: Final = tuple(each for each in LEVELS if each not in NEVER_SHAPES)
NEAR_PLATEAU: Final = 50  # iterations

SENTENCES: Final = """\
Of the {total} methods, {count} are compared here, with their defaults: {lacking} have no figures,
{fitted} were fitted on this data (†), and {few} answer for less than {enough:.0f} % of the series.
**{nearest}** comes nearest to the known answers: on {series:,} series that become steady its mean
error is {error:.0f} iterations. The mean error of a constant, which does not look at the series, is
{constant:.0f}; {farther} of the {count} methods are not better than that.
**{told}** says most reliably whether one of these series becomes steady at all, with a balanced
accuracy of {balanced:.2f}. A method that never answers never has 0.50; there are {silent} of
these."""

SETTINGS: Final = """\
## How it was computed

Written by `make compare-all`, which computes only what has changed: version or defaults of a
method, weights, or the corpus. The figures on this page took {minutes:.0f} minutes of one core; the
machine of the last row: {machine}.

- **Series**: {series:,} of [the corpus](corpus.md), {steady:,} of which become steady; of the
  series of 10,000 values every fourth. Every method is asked with its defaults, and with nothing
  but the values.
- **Error**: distance in iterations from the nearest right answer, of series that become steady; for
  a decay from the interval of right answers. *Share*: the same, divided by the length. A never,
  of any method, is given the median answer for series with noise of other workloads, by length:
  the answer of a constant. Where a method cannot answer (too short a series) it has no error;
  *series* is the number of the others. Beside the other yardsticks, such a series gets the
  constant, too: short series have small errors, and whoever refuses them would stand too low.
- **In brackets**: 95 % of the means of {draws:,} resamples of series; *by workload*, of whole
  workloads with all of their series.
- **Steady or never**: balanced accuracy, the mean of the shares of both kinds that are
  answered correctly, of all series that a method answers.
- **Cost**: a harness warms up until the answer ({cap} iterations where there is none, or never),
  and measures {measured} values. It pays what it runs, in lengths of the series, and one length
  more where the known level of what it measured is more than 1 % off the steady one.
- **ms**: median CPU time of a series of {longest:,} values.
- **†**: fitted on recordings of the workloads whose noise the corpus holds; the Plateaus, for
  steady or never only, on the corpus itself. A series is answered by the model that has not seen
  its workload; that model has seen others, so no sentence above names these methods, nor any that
  answers for less than {enough:.0f} % of the series. Where a series becomes steady the Plateaus
  learned from published series, none of which is in the corpus."""

BY_NOISE: Final = """\
### Errors by noise

The spread of the noise, as a share of the level, and the runtime of the workload."""

PUBLISHED: Final = """\
## Published series, marked by people

Series of public replication packages that a panel of five people called steady, and the panel's
answer for each ([publications](publications.md)). A never is given the median of the panel's
answers for other systems. Steady or never is asked of the series that were shown for that label.
Plateau is answered by models that have not seen a series' system; no other method was fitted on any
of these series. They have no licence, so they are not passed on: `PLATEAU_REPLICATION=FOLDER
make compare-all` makes these rows from a copy of the packages."""

RECORDINGS: Final = """\
## Our recordings: {recordings} forks

It is not known where these become steady, so there is no error: the answers of each method, and how
often they agree with Plateau (both never, or both steady and at most {near} iterations apart)."""


@dataclass(frozen=True, slots=True)
class ComputedMethod:
    """A method with what is kept of it."""

    method: Detector
    kept: Document

    @property
    def name(self) -> str:
        return f"{self.method.title}{MARK if self.method.slug in FITTED_HERE else ''}"

    def group(self, name: str) -> Document:
        found: Document = self.kept["groups"][name]
        return found

    @property
    def figures(self) -> Document:
        found: Document = self.group(ALL)["figures"]
        return found

    @property
    def is_comparable(self) -> bool:
        """Asked for all, answering nearly all, and fitted on none of it."""
        whole = self.group(ALL)
        complete = whole["answered"] >= ENOUGH * whole["asked"]
        return complete and self.method.slug not in FITTED_HERE


def text(document: Document, methods: Sequence[Detector], published: Document) -> str:
    rows = computed(document, methods)
    parts = [
        "# All methods",
        first_lines(document, methods, published),
        *([side_by_side(document, methods, published)] if rows else []),
        *([settings(document, rows)] if rows else []),
        missing(document, methods),
        published_table(published, methods),
        *([corpus_tables(document, rows, len(methods))] if rows else []),
        plain_section.section(document, methods),
        *([recordings_table(document, rows)] if rows else []),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def computed(document: Document, methods: Sequence[Detector]) -> list[ComputedMethod]:
    """The nearest first."""
    known = document["methods"]
    asked = [each for each in methods if "groups" in known.get(each.key, {})]
    rows = [ComputedMethod(each, known[each.key]) for each in asked]
    return sorted(rows, key=lambda row: float(row.figures["mean"]))


# --- words ----------------------------------------------------------------------------------------
def sentences(document: Document, rows: Sequence[ComputedMethod], total: int) -> str:
    """Compare the methods that can be compared, of `total`, and count the others by reason."""
    fair = [each for each in rows if each.is_comparable]
    if not fair:
        return ""
    nearest, told = fair[0], max(fair, key=lambda each: float(each.figures["balanced"]))
    constant = document["constant"][ALL]["mean"]
    fitted = sum(each.method.slug in FITTED_HERE for each in rows)
    return SENTENCES.format(
        total=total,
        count=len(fair),
        lacking=total - len(rows),
        fitted=fitted,
        few=len(rows) - len(fair) - fitted,
        enough=100 * ENOUGH,
        nearest=nearest.name,
        series=nearest.figures["series"],
        error=nearest.figures["mean"],
        constant=constant,
        farther=sum(each.figures["mean"] >= constant for each in fair),
        told=told.name,
        balanced=told.figures["balanced"],
        silent=sum(not each.group(ALL)["never"] for each in fair),
    )


def settings(document: Document, rows: Sequence[ComputedMethod]) -> str:
    seconds = [each.kept["seconds"] + each.kept.get("plain_seconds", 0) for each in rows]
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


def missing(document: Document, methods: Sequence[Detector]) -> str:
    """What has no row, and why."""
    unasked = {"reason": "not asked with today's settings yet; `make compare-all` does"}
    kept = {each.title: document["methods"].get(each.key, unasked) for each in methods}
    lines = [f"- {title}: {each['reason']}" for title, each in kept.items() if "reason" in each]
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
        f"Per cent of all answered series. Only {_listed(NEVER_SHAPES)} never become steady.",
        group_table(rows, LEVELS, _share_never),
        BY_NOISE,
        error_table(document, rows, noises),
        "### Steady or never, by noise",
        group_table(rows, noises, _balanced),
    )
    return "\n\n".join(parts)


def whole_table(document: Document, rows: Sequence[ComputedMethod]) -> str:
    lines = [
        [
            each.name,
            *_whole(each.figures),
            _two(each.figures["balanced"]),
            _two(each.group(ALL)["relative"]),
            _two(each.group(ALL)["cost"]),
            _ms(each.kept),
        ]
        for each in rows
    ]
    cost = _two(document["cost"]["constant"])
    constant = [CONSTANT, *_whole(document["constant"][ALL]), "", "", cost, ""]
    return table([*_head("by workload"), "share", "cost", "ms"], [*lines, constant])


def _head(by: str) -> list[str]:
    first = ["method", "series", "called never", "mean error", by, "median"]
    return [*first, *(f"≤{each}" for each in NEAR), "steady or never"]


def _whole(figures: Document) -> list[str]:
    return [
        f"{figures['series']:,}",
        f"{figures['never']:,}" if figures["never"] else "",
        _error(figures),
        _ranged(figures["by_system"]),
        f"{figures['median']:.0f}",
        *(f"{share:.2f}" for share in figures["within"]),
    ]


def error_table(document: Document, rows: Sequence[ComputedMethod], groups: Sequence[str]) -> str:
    """Mean errors with intervals; of methods in the order of the table of all series."""
    constant = [CONSTANT, *(_error(document["constant"][name]) for name in groups)]
    counted = ["series", *(f"{document['steady'][name]:,}" for name in groups)]
    return group_table(rows, groups, lambda of: _of(of["figures"], _error), constant, counted)


def group_table(
    rows: Sequence[ComputedMethod],
    groups: Iterable[str],
    cell: Callable[[Document], str],
    *more: Sequence[str],
) -> str:
    """A row for each method, a column for each group of series."""
    lines = [[each.name, *(cell(each.group(name)) for name in groups)] for each in rows]
    return table(["method", *groups], [*lines, *more])


def published_table(published: Document, methods: Sequence[Detector]) -> str:
    """Figures on the published series, which `docs.panel_figures` keeps."""
    known = published["methods"]
    asked = [each for each in methods if each.key in known]
    if not asked:
        return f"{PUBLISHED}\n\nNot computed: no packages were there."
    asked.sort(key=lambda each: float(known[each.key]["mean"]))
    lines = [
        [each.title, *_whole(known[each.key]), _two(known[each.key]["balanced"])] for each in asked
    ]
    constant = [CONSTANT, *_whole(published["constant"]), ""]
    absent = [each.title for each in methods if each.key not in known]
    why = "It needs more than values, has no weights here, or was not asked with today's settings"
    reason = f"\n\nNot computed: {_listed(absent)}. {why}." if absent else ""
    return f"{PUBLISHED}\n\n{table(_head('by system'), [*lines, constant])}{reason}"


def recordings_table(document: Document, rows: Sequence[ComputedMethod]) -> str:
    """What methods say of recordings of which nobody knows the answer."""
    plateau = next((each for each in rows if each.method.slug == "plateau"), None)
    if plateau is None:
        return ""
    theirs = plateau.kept["recorded"]
    lines = [
        [each.name, *_recorded(each.kept["recorded"], theirs)]
        for each in sorted(rows, key=lambda row: row.method.title.lower())
    ]
    head = ["method", "forks", "called never", "median answer", "as Plateau"]
    words = RECORDINGS.format(recordings=document["recordings"], near=NEAR_PLATEAU)
    return f"{words}\n\n{table(head, lines)}"


def _recorded(found: Sequence[int | None], plateau: Sequence[int | None]) -> list[str]:
    """Of a method, beside the same of Plateau."""
    given = [each for each in found if each is not None]
    starts = [each for each in given if each != NEVER]
    pairs = [(a, b) for a, b in zip(found, plateau, strict=True) if a is not None and b is not None]
    same = [a == b if NEVER in {a, b} else abs(a - b) <= NEAR_PLATEAU for a, b in pairs]
    return [
        str(len(given)),
        str(len(given) - len(starts) or ""),
        f"{median(starts):.0f}" if starts else "",
        f"{sum(same) / len(same):.2f}" if same else "",
    ]


# --- cells ----------------------------------------------------------------------------------------
def _of(value: Any, words: Callable[[Any], str]) -> str:
    """Nothing where there is no figure."""
    return "" if value is None else words(value)


def _error(figures: Document) -> str:
    return _unbroken(f"{figures['mean']:.0f} [{_ranged(figures['by_series'])}]")


def _ranged(found: Interval) -> str:
    return _unbroken(f"{found[0]:.0f}, {found[1]:.0f}")


def _unbroken(cell: str) -> str:
    """On one line of a narrow column."""
    return cell.replace(" ", "\N{NO-BREAK SPACE}")


def _two(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _balanced(group: Document) -> str:
    return _two((group["figures"] or {}).get("balanced"))


def _ms(kept: Document) -> str:
    value = kept["milliseconds"]
    return f"{value:.2f}" if value < 10 else f"{value:,.0f}"


def _share_never(group: Document) -> str:
    return f"{100 * group['never'] / group['answered']:.0f}" if group["answered"] else ""


def _listed(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
