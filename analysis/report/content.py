"""Text and rows of a report beside the tables and figures of its comparison."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from analysis.comparison.column_meanings import MEANINGS
from analysis.comparison.command_line import command_line
from analysis.comparison.exports import COMPARISON_TABLES, WHATS
from analysis.comparison.table import ComparisonResult
from analysis.statistics.answers import NEVER
from analysis.web.page_tables import TableRows
from analysis.web.series_columns import NAMING
from annotate import recipes
from annotate.blind import EVERYTHING
from annotate.campaigns.origin import origin_sentences
from annotate.models import Annotator, Campaign
from annotate.truth import exports
from detectors.contract import Source
from detectors.registry import registry
from formats import marks, tables
from formats.tables import Cell
from people.templatetags.writing import HARD, grouped
from series.models import Series

TABLES: Final = tuple(name for name in WHATS if name != "series")


@dataclass(frozen=True, slots=True)
class ReportMethod:
    """A method of the report: its key tells version and every parameter."""

    code: str
    title: str
    key: str
    source: Source | None
    answers_file: str  # file that the answers came in; empty for a method of this installation
    overlap_sentence: str = ""  # series that the method was trained or tuned on


def report_methods(comparison: ComparisonResult) -> list[ReportMethod]:
    """The chosen methods in the order of the palette."""
    classes, overlaps = registry(), comparison.inputs.known
    return [
        ReportMethod(
            look.code,
            look.title,
            look.key,
            classes[look.slug].source if look.slug in classes else None,
            look.source,
            overlaps[look.name].sentence if look.name in overlaps else "",
        )
        for look in comparison.looks.values()
    ]


def comparison_settings(comparison: ComparisonResult) -> list[tuple[str, str]]:
    """Settings of the comparison: a name and a value each."""
    query, bootstrap = comparison.asked, comparison.result.bootstrap
    tolerance = comparison.one_tolerance if query.tolerance is None else query.tolerance
    level, draws = f"{100 * bootstrap.level:.0f}{HARD}%", f"{grouped(bootstrap.repeats)} bootstrap"
    narrowing_pairs = [(f"only {name}", f"“{value}”") for name, value in query.narrowed.items()]
    return [
        ("yardstick", comparison.yardstick.title),
        *recipe_settings(comparison.yardstick.campaign),
        ("index", "as published" if query.index == "published_index" else "first steady iteration"),
        ("error Δ", "predicted − yardstick, in iterations: positive is late"),
        (
            "distances on",
            "the series that yardstick and all methods call steady"
            if query.common
            else "the series that yardstick and method call steady, each method its own",
        ),
        (
            "tolerance",
            "5 % of each series" if tolerance is None else f"{grouped(tolerance)} iterations",
        ),
        ("intervals", f"{level} of medians, {draws} draws, seed {bootstrap.seed}"),
        ("α", f"{query.alpha:g}"),
        *narrowing_pairs,
    ]


def recipe_settings(campaign: Campaign | None) -> list[tuple[str, str]]:
    if campaign is None:
        return []
    key = recipes.get(campaign.recipe).key(campaign.params)
    return [
        ("ground truth by", f"recipe {key} from {_sources(campaign)}"),
        ("it stands for", " ".join(origin_sentences(campaign))),
    ]


def _sources(campaign: Campaign) -> str:
    """Phrase for the answers that the recipe was given."""
    count_by_kind = Counter(campaign.annotators.values_list("kind", flat=True))
    kind = Annotator.Kind
    people_count, round_count = count_by_kind[kind.PERSON], count_by_kind[kind.ROUND]
    phrases = [
        f"the marks of {people_count} {'person' if people_count == 1 else 'people'}"
        if people_count
        else "",
        f"{round_count} rounds of answers, each dealt to several people" if round_count else "",
        "the published classification" if count_by_kind[kind.PUBLISHED] else "",
        "the screening of the same forks" if count_by_kind[kind.SCREENING] else "",
    ]
    return " and ".join(filter(None, phrases)) or "no marks"


def uncounted_by_rule(comparison: ComparisonResult) -> list[tuple[str, int]]:
    """Rules, and of how many series each keeps the error, or everything, from counting."""
    inputs = comparison.inputs
    rules_and_counts = [(sentence, n) for _, sentence, n in comparison.left_out]
    if inputs.excluded:
        rules_and_counts.append(("Left out by a decision.", len(inputs.excluded)))
    if inputs.left_out:
        exclusion_words = inputs.left_out.because
        rules_and_counts.append(
            (f"{exclusion_words[:1].upper()}{exclusion_words[1:]}.", int(inputs.left_out))
        )
    return rules_and_counts


def table_commands(comparison: ComparisonResult) -> list[tuple[str, str, str]]:
    """Commands of the tables: name, file in the .zip, and the command that prints the table
    again.
    """
    base = command_line(comparison)
    return [
        (description, f"{name}.csv", f"{base} --what {name} --format csv")
        for name, description in WHATS.items()
        if name in TABLES
    ]


BEFORE: Final = (*NAMING, "series_digest", "yardstick", "agreement")
AFTER: Final = ("excluded",)
ANSWER_MEANING: Final = "answer of this method, 0-based; -1 never; empty: no answer"


def series_table(comparison: ComparisonResult) -> TableRows:
    """Every series with its digest, the yardstick's answer and those of all methods.

    A cell of an answer is an index, -1 for never, empty without an answer. Series that a review
    excluded are there, without answers.
    """
    excluded_series = comparison.inputs.excluded
    pks = [line.pk for line in comparison.lines] + [
        exclusion.line.pk for exclusion in excluded_series
    ]
    digests = dict(Series.objects.filter(pk__in=pks).values_list("pk", "digest"))
    columns = (*BEFORE, *comparison.inputs.methods, *AFTER)
    rows = [*_answer_rows(comparison, digests)]
    empty_cells: tuple[Cell, ...] = (None,) * (len(columns) - len(NAMING) - 2)
    rows += [
        (
            *exclusion.line.named,
            digests[exclusion.line.pk],
            *empty_cells,
            exclusion.reason or "left out",
        )
        for exclusion in excluded_series
    ]
    return TableRows(columns, tuple(rows))


def _answer_rows(
    comparison: ComparisonResult, digests: dict[int, str]
) -> Iterator[tuple[Cell, ...]]:
    truth_words = comparison.inputs.truth.words
    for row_index, line in enumerate(comparison.lines):
        answers = (
            method_answers.value(row_index) for method_answers in comparison.inputs.methods.values()
        )
        yield (
            *line.named,
            digests[line.pk],
            _index(comparison.truth.value(row_index)),
            truth_words[row_index] or None,
            *map(_index, answers),
            None,
        )


def _index(value: float | None) -> int | float | None:
    """A whole number where it is one: medians of even numbers of people may be halves."""
    if value is None or value == NEVER:
        return None if value is None else -1
    return int(value) if float(value).is_integer() else float(value)


# --- people's answers -----------------------------------------------------------------------------
MARKS: Final = "marks.csv"
GROUND_TRUTH: Final = "ground-truth.csv"


def people_tables(comparison: ComparisonResult) -> dict[str, str]:
    """Marks and ground truth of the compared series by file; nothing without a campaign.

    The series of a comparison are those that its reader may see, so no other row is written.
    """
    campaign = comparison.yardstick.campaign
    if campaign is None:
        return {}
    compared_pks = {line.pk for line in comparison.lines}
    columns, rows = exports.ground_truth_rows(campaign, EVERYTHING, series_pks=compared_pks)
    return {
        MARKS: "".join(exports.marks_csv(campaign, EVERYTHING, series_pks=compared_pks)),
        GROUND_TRUTH: "".join(tables.write_rows(columns, rows)),
    }


def column_meanings(comparison: ComparisonResult) -> dict[str, Mapping[str, str]]:
    """Meanings of the columns of every file, by the name of the file."""
    campaign = comparison.yardstick.campaign
    meanings = {f"{name}.csv": COMPARISON_TABLES.columns(comparison, name) for name in TABLES}
    series_columns = (*BEFORE, *comparison.inputs.methods, *AFTER)
    meanings["series.csv"] = {name: MEANINGS.get(name, ANSWER_MEANING) for name in series_columns}
    if campaign is not None:
        truth_columns = exports.ground_truth_table(exports.pseudonyms(campaign))
        meanings[MARKS] = tables.meanings(marks.COLUMNS)
        meanings[GROUND_TRUTH] = tables.meanings(truth_columns)
    return meanings
