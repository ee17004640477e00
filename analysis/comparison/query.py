"""The query of a comparison, of an address or a command: each setting is declared here, once.

Keys are short, in one order, and left out where they say the default, so that a copied address
shows the same thing, and the same thing always has the same address.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Literal, Self, get_args

from analysis.comparison.columns import SORTS, figure_words
from analysis.comparison.method_names import NAMES_OF_METHODS
from analysis.statistics.leaderboard_figures import FIGURES
from analysis.statistics.multiple_comparisons import ALPHA
from analysis.statistics.truth_scenarios import Family, RankingFigure
from analysis.web.query_fields import TOLERANCE_MOST, tolerance_field
from annotate import recipes
from people.query_form import (
    CommandOption,
    PageControl,
    QueryField,
    QueryForm,
    choice_field,
    setting_field,
    text_field,
    texts_field,
    whole_field,
)
from people.query_settings import AddressSetting
from series.models.series import SeriesQuerySet
from series.queries import matching

Index = Literal["steady_start", "published_index"]
Unit = Literal["iterations", "seconds"]
Columns = Literal["usual", "distances", "yes-no", "all"]
Grouping = Literal[
    "system",
    "dataset",
    "benchmark",
    "unit",
    "length",
    "recording",
    "fork",
    "shape",
    "noise",
    "agreement",
]
Grouped = Literal["median_abs", "mean_error", "within_tolerance", "agreement"]
GROUPINGS: Final[Mapping[Grouping, str]] = {
    **{name: name for name in get_args(Grouping)},
    "dataset": "data set",
    "agreement": "agreement of people",
}
GROUPED: Final[Mapping[Grouped, str]] = {
    key: figure_words(FIGURES[key]) for key in get_args(Grouped)
}
FAMILIES: Final[Mapping[Family, str]] = {
    "settings": "settings of the recipe",
    "without": "one person fewer",
    "resampled": "resampled marks",
}
GalleryName = Literal[
    "errors",
    "together",
    "series",
    "pairs",
    "clusters",
    "directions",
    "decisions",
    "right",
    "agreement",
]
GALLERY: Final[Mapping[GalleryName, str]] = {
    "errors": "Signed error",
    "together": "Errors together",
    "series": "Error by series",
    "pairs": "Paired differences",
    "clusters": "Clustered, scattered",
    "directions": "Under, exact, over",
    "decisions": "Steady or never",
    "right": "Right together",
    "agreement": "Agreement",
}
"""Figures that are drawn one at a time."""
ListOrder = Literal["", "change", "name"]
LIST_ORDERS: Final[Mapping[ListOrder, str]] = {"change": "result changes most", "name": "by name"}
ALPHAS: Final = (0.01, 0.05, 0.1)
SECOND: Final = "second"  # the place of the controls of a second setting
SERIES: Final = "series"  # the place of controls that leave series out
SEEN: Final = (SHAPE := "shaped__shape", NOISE := "shaped__noise")
"""Columns that values tell."""

_INDICES: Final[Mapping[str, Index]] = {"start": "steady_start", "published": "published_index"}
_INDEX_WORDS: Final = {"start": "steady from", "published": "as published"}
_COLUMNS: Final[tuple[Columns, ...]] = ("usual", "distances", "yes-no", "all")
UNITS: Final[tuple[Unit, ...]] = ("iterations", "seconds")
_COMMON_WORDS: Final = {"0": "own series", "1": "common series"}
_COMMON_TITLE: Final = "Each method on the series that it answers, or all on what all answer"
_AGAINST_WORDS: Final = {"1": "the same for every method", "0": "each method’s own"}
_AS_ABOVE: Final = "the same as in the first setting"
_AS_HERE: Final = "as here"
# Help of the command's options.
YARDSTICK_CODES: Final = "known, person:CAMPAIGN:a1, method:SLUG or campaign:CAMPAIGN"
_WORDS: Final = "only series with these words in system, benchmark or parameters"
_DECIDE: Final = "only these methods decide which series are common"
_COMMON: Final = "measure all methods on the series that all answer; default: each on its own"
_AGAINST: Final = "--against-…: a second setting, whose figures stand beside the first one's"


def _part_field(key: str, called: str, metavar: str, label: str, column: str) -> Any:
    """Field that narrows to series whose `column` is the value; empty for all."""
    option = CommandOption("only its series", metavar)
    return text_field(key, called, option, PageControl(label, SERIES, empty="all"), column)


def _sort_field() -> Any:
    def column(text: str) -> str:
        if text.removeprefix("-") not in SORTS:
            raise ValueError(text)
        return text

    expected_words = "a column of its CSV, with - before it for the greatest first"
    option = CommandOption(
        "-COLUMN: greatest first", "COLUMN", expected=f"one of: {', '.join(SORTS)}"
    )
    setting = AddressSetting("sort", column, expected_words, "the usual order")
    return setting_field(QueryField("sort", setting, option=option))


@dataclass(frozen=True, slots=True)
class ComparisonQuery(QueryForm):
    """One comparison.

    yardstick   code of a yardstick; empty for the study's default
    methods     names of methods (`MethodStyle.name`, or what `matching_methods` reads); none: all
    excluding   names of methods that alone decide which series are common; none means all chosen
    tolerance   iterations; None is 5 % of each series' length
    common      only series on which every deciding method has an answer; else each on its own
    alpha       below it two methods are told apart by rank, one of ALPHAS
    group       what the breakdown groups series by; empty for the first that makes two groups
    grouped     the figure that the breakdown shows
    other_…     a second setting to compare with: yardstick, index, tolerance, common; empty or
                None where it is as here
    """

    yardstick: str = text_field("y", "yardstick", CommandOption(YARDSTICK_CODES, "CODE"))
    methods: tuple[str, ...] = texts_field("m", "method", CommandOption(NAMES_OF_METHODS, "SLUG"))
    excluding: tuple[str, ...] = texts_field("by", "excluding", CommandOption(_DECIDE, "SLUG"))
    dataset: str = _part_field("d", "dataset", "SLUG", "Data set", "benchmark__dataset__slug")
    recording: str = _part_field("r", "recording", "LABEL", "Recording", "recording__label")
    system: str = _part_field("s", "system", "NAME", "System", "benchmark__system")
    measured_in: str = _part_field("u", "measured-in", "UNIT", "Measured in", "benchmark__unit")
    shape: str = _part_field("sh", "shape", "CLASS", "Shape", SHAPE)
    noise: str = _part_field("no", "noise", "quiet|noisy", "Noise", NOISE)
    text: str = text_field(
        "q", "text", CommandOption(_WORDS, "WORDS"), PageControl("Words in the name", SERIES)
    )
    index: Index = choice_field(
        "i", "index", _INDICES, fallback="the first steady iteration", option=CommandOption()
    )
    common: bool = choice_field(
        "common",
        "common",
        {"0": False, "1": True},
        fallback="each method on its own series",
        option=CommandOption(_COMMON),
        control=PageControl("On", shown=_COMMON_WORDS, title=_COMMON_TITLE),
    )
    tolerance: int | None = tolerance_field()
    unit: Unit = choice_field("unit", "unit", UNITS)
    columns: Columns = choice_field("cols", "columns", _COLUMNS, fallback="the usual columns")
    sort: str = _sort_field()
    alpha: float = choice_field(
        "alpha",
        "alpha",
        {f"{each:g}": each for each in ALPHAS},
        default=ALPHA,
        option=CommandOption("of the rank test", type=float),
    )
    group: Grouping | Literal[""] = choice_field(
        "g",
        "group",
        GROUPINGS.keys(),
        default="",
        fallback="the first that makes two groups",
        option=CommandOption("of the breakdown", name="by"),
    )
    grouped: Grouped = choice_field("gf", "figure", GROUPED.keys(), fallback=GROUPED["median_abs"])
    other_yardstick: str = text_field("vy", "against-yardstick", CommandOption(metavar="CODE"))
    other_index: Index | Literal[""] = choice_field(
        "vi",
        "against-index",
        _INDICES,
        default="",
        fallback=_AS_ABOVE,
        option=CommandOption(),
        control=PageControl("Index", SECOND, _INDEX_WORDS, _AS_HERE),
    )
    other_tolerance: int | None = whole_field(
        "vtol",
        "against-tolerance",
        0,
        TOLERANCE_MOST,
        fallback=_AS_ABOVE,
        option=CommandOption(metavar="ITERATIONS"),
        control=PageControl("Tolerance ±", SECOND, empty=_AS_HERE),
    )
    other_common: bool | None = choice_field(
        "vc",
        "against-series",
        {"1": True, "0": False},
        default=None,
        fallback=_AS_ABOVE,
        option=CommandOption(_AGAINST, words={"common": True, "own": False}),
        control=PageControl("Series", SECOND, _AGAINST_WORDS, _AS_HERE),
    )

    @property
    def second_setting(self) -> Self | None:
        """The second setting, with everything that it does not say as here; None without one."""
        first_setting = self.alone
        second_query = first_setting.changed(
            yardstick=self.other_yardstick or self.yardstick,
            index=self.other_index or self.index,
            tolerance=self.tolerance if self.other_tolerance is None else self.other_tolerance,
            common=self.common if self.other_common is None else self.other_common,
        )
        return None if second_query == first_setting else second_query

    @property
    def alone(self) -> Self:
        """Query without its second setting."""
        return self.changed(
            other_yardstick="", other_index="", other_tolerance=None, other_common=None
        )

    @property
    def narrowed(self) -> Mapping[str, str]:
        """Filters that leave series out, by their labels on the page."""
        controls_and_values = (
            (setting.control, getattr(self, name)) for name, setting in self.declared().items()
        )
        return {
            control.label.lower(): value
            for control, value in controls_and_values
            if control and control.place == SERIES and value
        }

    def narrow(self, series: SeriesQuerySet) -> SeriesQuerySet:
        """The series that this leaves, but for what `narrow_seen` asks of their values."""
        filters = {column: value for column, value in self.filters().items() if column not in SEEN}
        return matching(series.filter(**filters), text=self.text)

    def narrow_seen(self, series: SeriesQuerySet) -> SeriesQuerySet:
        """Narrow visible series to the shape and noise asked for.

        Even how many others there are would tell their shape.
        """
        filters = {column: value for column, value in self.filters().items() if column in SEEN}
        return series.filter(**filters)


@dataclass(frozen=True, slots=True)
class ComparisonLink:
    """One of several comparisons to choose from, as a link; `size` is that of a set of methods."""

    name: str
    query: ComparisonQuery
    is_chosen: bool
    size: int | None = None

    @property
    def id(self) -> str:
        """HTML id of the link, so that the focus finds it again when the page is drawn anew."""
        return "choice-" + self.name.replace(" ", "-").replace("|", "")

    @property
    def href(self) -> str:
        return self.query.query() or "?"


@dataclass(frozen=True, slots=True)
class DrilldownCell(QueryForm):
    """A number that was asked about: of one row, of a pair also of another."""

    figure: str = text_field("cell", "cell")
    row: str = text_field("of", "of")
    other: str = text_field("other", "other")


@dataclass(frozen=True, slots=True)
class ListQuery(QueryForm):
    """The order of a list of series; empty: the widest spread or error first."""

    order: ListOrder = choice_field(
        "order",
        "order",
        ("change", "name"),
        default="",
        fallback="the widest spread first",
        control=PageControl("Order", shown=LIST_ORDERS, empty="widest first"),
    )


@dataclass(frozen=True, slots=True)
class GalleryQuery(QueryForm):
    """Query of a further figure and its rows of the leaderboard; empty for the best rows."""

    figure: GalleryName = choice_field(
        "figure", "figure", GALLERY.keys(), fallback="the first figure"
    )
    row: str = text_field("of", "of")
    other: str = text_field("other", "other")


@dataclass(frozen=True, slots=True)
class PairQuery(QueryForm):
    """Two rows of the leaderboard to test; empty for the best."""

    first: str = text_field("first", "first")
    second: str = text_field("second", "second")


PARTS: Final[Mapping[str, str]] = {
    "tests": "comparison-tests",
    "figures": "comparison-figures",
    "what-if": "what-if",
}
"""Parts of the page that are loaded when they are opened, with the names of their routes."""


@dataclass(frozen=True, slots=True)
class OpenedPartQuery(QueryForm):
    """The folded part of the page that stands open when the page comes; empty for none."""

    KEY: ClassVar[str] = "open"
    part: str = choice_field(KEY, "open", PARTS.keys(), default="", fallback="every part closed")


@dataclass(frozen=True, slots=True)
class WhatIfQuery(QueryForm):
    """Query of What if beside the comparison: figure, scenarios of the pairs, resamples.

    family  scenarios that the table of pairs counts; None for all
    drawn   recipe of the resamples; empty for the campaign's own
    """

    figure: RankingFigure = choice_field(
        "f",
        "figure",
        {"median": "median_abs", "mean": "mean_abs"},
        fallback="the median",
        option=CommandOption(),
        control=PageControl("Ranked by", shown={"median": "median |Δ|", "mean": "mean |Δ|"}),
    )
    family: Family | None = choice_field(
        "w",
        "scenarios",
        FAMILIES.keys(),
        default=None,
        fallback="all scenarios",
        control=PageControl("Pairs over", shown=FAMILIES, empty="all scenarios"),
    )
    drawn: str = choice_field(
        "recipe",
        "recipe",
        recipes.RECIPES.keys(),
        default="",
        fallback="the campaign’s own recipe",
        option=CommandOption("of the resampled marks"),
        control=PageControl("Resampled marks by", empty="the campaign’s recipe"),
    )
