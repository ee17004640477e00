"""The table of a data set: what the address asks for, and the rows that answer it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Page, Paginator
from django.urls import reverse
from django.utils.functional import cached_property

from people.models import Study, User
from people.query_settings import AddressSetting, Settings, choice_of, whole_number
from series import columns, queries
from series.columns import ColumnFilter, ProvidedColumns
from series.models import Dataset, Recording, Series
from series.reading.captions import distinct_packages

PAGE = 50
MOST_RECORDINGS = 300  # in the menu
SORTS = {
    "system": "system",
    "name": "benchmark",
    "median": "median, least first",
    "-median": "median, greatest first",
    "-n": "iterations, most first",
    "n": "iterations, fewest first",
}

LENGTHS = {"min": "iterations from", "max": "iterations to"}  # names in the address, and words
DIGITS = 9  # of a length that the database can compare with


@dataclass(frozen=True, slots=True)
class BenchmarkRow:
    """One benchmark, drawn by one of its forks."""

    series: Series
    forks: int
    url: str
    cells: Sequence[tuple[str, Any]]  # template, what its provider knows
    package: str = ""  # where the rows of the page have several; the order is by it, too
    dataset: str = ""  # its name, in a list of all data sets

    @property
    def name(self) -> str:
        """The method, the last part of the name."""
        return self.series.benchmark.short_name.rpartition(".")[2]

    @property
    def owner(self) -> str:
        """The class of the method; in the second line where there is little room."""
        return self.series.benchmark.short_name.rpartition(".")[0]

    @property
    def under(self) -> str:
        """The second line of the row: data set, system, package and parameters."""
        benchmark = self.series.benchmark
        parts = (self.dataset, benchmark.system, self.package, benchmark.spoken_params)
        return " · ".join(text for text in parts if text)


class DatasetListing:
    """Rows of one data set, or of all (None), for one reader; `asked` has no empty values."""

    def __init__(
        self, study: Study, dataset: Dataset | None, reader: User, query: Mapping[str, str]
    ) -> None:
        self.study = study
        self.dataset = dataset
        self.datasets = [dataset] if dataset else list(study.datasets.select_related("study"))
        self.reader = reader
        self.asked = {name: query[name].strip() for name in query if query[name].strip()}
        if self.asked.get("sort") == "system":
            del self.asked["sort"]
        for name in LENGTHS:
            if not self.asked.get(name, "0").isdecimal() or len(self.asked.get(name, "")) > DIGITS:
                del self.asked[name]
        self.added: Sequence[ProvidedColumns] = columns.provided_columns()
        self.left_out = 0
        self.because = ""

    @property
    def settings(self) -> Settings:
        """Settings that the address of the table may have."""
        lengths = {
            name: whole_number(words, 0, 10**DIGITS - 1, fallback="series of every length")
            for name, words in LENGTHS.items()
        }
        labels = [recording.label for recording in self.recordings]
        return {
            "q": AddressSetting("text"),
            "recording": choice_of("recording", *labels, fallback="the newest of each benchmark"),
            "sort": choice_of("sort", *self.sorts, fallback=f"the order by {SORTS['system']}"),
            **lengths,
            **{choice.name: AddressSetting(choice.name) for choice in self._all_choices},
        }

    # --- what is asked for ------------------------------------------------------------------------
    @cached_property
    def recordings(self) -> list[Recording]:
        return list(queries.list_recordings(self.dataset)) if self.dataset else []

    @cached_property
    def recording(self) -> Recording | None:
        """The recording asked for; None for the newest of each benchmark."""
        label = self.asked.get("recording")
        return next((recording for recording in self.recordings if recording.label == label), None)

    @property
    def offered_recordings(self) -> list[Recording]:
        """Recordings of the menu: the newest, and the one asked for."""
        newest_recordings = self.recordings[:MOST_RECORDINGS]
        asked_recordings = (
            [self.recording] if self.recording and self.recording not in newest_recordings else []
        )
        return newest_recordings + asked_recordings

    @property
    def older_recording_count(self) -> int:
        return len(self.recordings) - len(self.offered_recordings)

    @cached_property
    def kinds(self) -> queries.DatasetContents:
        return queries.dataset_contents(self.datasets)

    @cached_property
    def choices(self) -> list[ColumnFilter]:
        """The filters of the bar; one with a single option is none."""
        return [choice for choice in self._all_choices if len(choice.options) > 1]

    @cached_property
    def _all_choices(self) -> list[ColumnFilter]:
        kinds = self.kinds
        filters = [
            self._choice("system", "System", kinds.systems),
            self._choice("unit", "Unit", kinds.units),
        ]
        for provider in self.added:
            filters += provider.choices(self.study, self.asked)
        return filters

    def _choice(self, name: str, label: str, words: Sequence[str]) -> ColumnFilter:
        options = tuple((word, word) for word in words)
        return ColumnFilter(name, label, options, self.asked.get(name, ""))

    @cached_property
    def sorts(self) -> dict[str, str]:
        label_by_sort = dict(SORTS)
        for provider in self.added:
            label_by_sort |= provider.orders()
        return label_by_sort

    @property
    def sort(self) -> str:
        order = self.asked.get("sort", "")
        return order if order in self.sorts else "system"

    @property
    def filters(self) -> dict[str, str]:
        """Settings of the address besides order and page."""
        return {name: self.asked[name] for name in self.asked if name not in {"sort", "page"}}

    @property
    def is_whole(self) -> bool:
        """True if every row of the data set is there, in an order that leaves none out."""
        return not self.filters and self.sort in queries.ORDERS

    @property
    def own_address(self) -> str:
        """Address of the list without a setting."""
        if self.dataset:
            return self.dataset.get_absolute_url()
        return reverse("datasets", args=[self.study.slug])

    def address(self, **changes: str | int) -> str:
        """Address of this list with something changed; empty values are left out."""
        query = {**self.asked, **changes}
        query_fields = {name: value for name, value in query.items() if value not in {"", "system"}}
        return f"{self.own_address}{'?' if query_fields else ''}{urlencode(query_fields)}"

    @property
    def name_sort_address(self) -> str:
        return self.address(sort="system", page="")

    @property
    def median_sort_address(self) -> str:
        return self.address(sort="-median" if self.sort == "median" else "median", page="")

    @property
    def next_page_address(self) -> str:
        return self.address(page=self.page.next_page_number())

    @property
    def previous_page_address(self) -> str:
        return self.address(page=self.page.previous_page_number())

    @property
    def coming_row_count(self) -> int:
        """Number of rows that the next page has."""
        return min(PAGE, self.page.paginator.count - self.page.end_index())

    @property
    def has_lengths(self) -> bool:
        """True if series differ in length, or the address asks for some length."""
        has_several_lengths = self.facts.shortest != self.facts.longest
        return has_several_lengths or any(name in self.asked for name in LENGTHS)

    @property
    def asked_of_series(self) -> dict[str, Any]:
        """The filters that `series.queries` knows, as its arguments."""
        arguments: dict[str, Any] = {
            name: self.asked.get(key, "")
            for name, key in (("text", "q"), ("system", "system"), ("unit", "unit"))
        }
        for name, key in (("least", "min"), ("most", "max")):
            arguments[name] = int(self.asked[key]) if key in self.asked else None
        return arguments

    @property
    def sentence(self) -> str:
        """The filter in words: `“netty” and system h2o-3`."""
        words = LENGTHS | {choice.name: choice.label.lower() for choice in self.choices}
        phrases = [f"“{self.asked['q']}”"] if "q" in self.asked else []
        phrases += [
            f"{words.get(name, name)} {value}"
            for name, value in self.filters.items()
            if name != "q"
        ]
        return " and ".join(phrases) or "this"

    # --- rows -------------------------------------------------------------------------------------
    @cached_property
    def page(self) -> Page[Series]:
        rows = queries.matching(
            queries.benchmark_rows(self.datasets, self.recording), **self.asked_of_series
        )
        if self.sort in queries.ORDERS:
            rows = rows.order_by(*queries.ORDERS[self.sort])
        for provider in self.added:
            narrowed_rows = provider.narrow(self.reader, rows, self.asked)
            rows = narrowed_rows.rows
            self.left_out += narrowed_rows.left_out
            self.because = self.because or narrowed_rows.because
        pages = Paginator(rows, PAGE)
        if self.is_whole:
            pages.count = self.facts.benchmarks  # known: nobody need ask the database for it
        page = pages.get_page(self.asked.get("page"))
        page.object_list = list(page.object_list)
        dataset_by_key = {dataset.pk: dataset for dataset in self.datasets}
        for series in page.object_list:  # known: nobody need ask the database for it
            series.benchmark.dataset = dataset_by_key[series.benchmark.dataset_id]
        return page

    @property
    def facts(self) -> queries.DatasetSummary:
        """Facts of the whole data set, whatever the filters leave of it."""
        return self.kinds.facts

    @cached_property
    def _values(self) -> list[tuple[ProvidedColumns, Mapping[int, Any]]]:
        page_series = list(self.page)
        return [(provider, provider.values(self.reader, page_series)) for provider in self.added]

    def __iter__(self) -> Iterator[BenchmarkRow]:
        page_series, root_address = list(self.page), "../../" if self.dataset else "../"
        forks = queries.fork_counts(page_series)
        packages = distinct_packages([series.benchmark for series in page_series])
        for series, package in zip(page_series, packages, strict=True):
            cells = [(provider.cells, values.get(series.pk)) for provider, values in self._values]
            count = forks[series.pk]
            # Relative, so that fifty rows stay small
            url = f"{root_address}series/{series.public_id}/"
            name = "" if self.dataset else series.benchmark.dataset.name
            yield BenchmarkRow(series, count, url, cells, package, name)

    @property
    def feet(self) -> list[tuple[str, Mapping[int, Any]]]:
        """Templates of the notices below the table, with the cells of their providers."""
        return [(provider.foot, values) for provider, values in self._values if provider.foot]
