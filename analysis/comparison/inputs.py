"""Inputs of a comparison: series, answers of methods, the yardstick, people."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import attrgetter
from typing import Any, Final, NamedTuple

import numpy as np
from django.db.models import Count, Max, Q, TextField
from django.db.models.functions import Cast
from django.urls import reverse

from analysis.comparison import training_overlap
from analysis.comparison.method_names import PEOPLE, matching_methods, named_methods
from analysis.comparison.query import SEEN, ComparisonQuery, Index
from analysis.comparison.training_overlap import TrainingOverlap
from analysis.methods.method_style import MethodStyle, MethodStyles, with_unique_codes
from analysis.references import review_status, yardsticks
from analysis.references.yardsticks import Yardstick, YardstickAnswers
from analysis.runs.models import Detection
from analysis.statistics.answers import Answers
from analysis.statistics.verdicts import tolerance_for
from analysis.web.latest_used import LatestUsed
from analysis.web.series_columns import NAMING, lookups
from annotate import blind
from annotate.blind import Reader
from formats.iterations import NOT_KNOWN, IterationLength, length_of
from people.joined_numbers import JoinedNumbers, number_pairs
from series.models import Series
from series.models.series import SeriesQuerySet


class UnknownMethod(LookupError):
    """No stored detections of that method; the sentence says of which there are."""


ROWS_AT_ONCE: Final = 1_000  # rows that are read together
KEPT: Final = 16  # most comparisons whose stored answers are kept
MIN_ENTRIES: Final = 2  # are kept however many answers they have: a page reads two of them by turns
MOST_ANSWERS: Final = 2_000_000  # of all methods in all that is kept: about 25 MB


class ComparedSeries(NamedTuple):
    """One series of a comparison, as tables and files name it."""

    pk: int
    public_id: str
    n: int
    fork: int
    length: IterationLength | None
    system: str
    benchmark: str
    params: str
    unit: str
    dataset: str
    dataset_name: str
    recording: str
    shape: str | None  # None while no shape is stored
    noise: str | None

    @property
    def named(self) -> tuple[str | int, ...]:
        return tuple(getattr(self, name) for name in NAMING)

    @property
    def recorded_benchmark(self) -> tuple[str, ...]:
        """The benchmark with its parameters in its recording: the same for all forks."""
        return self.dataset, self.recording, self.system, self.benchmark, self.params

    @property
    def short_name(self) -> str:
        return short_benchmark_name(self.benchmark)

    @property
    def spoken_params(self) -> str:
        return self.params.replace("&", " ")

    @property
    def iteration(self) -> str:
        """Duration of an iteration: `0.1 s`, `one operation` or `not known`."""
        return str(self.length or NOT_KNOWN)

    @property
    def recorded_from(self) -> int:
        """Warm-up iterations before the first recorded one, of its length as far as it is known."""
        return self.length.recorded_from if self.length else 0

    def address(self, study: str) -> str:
        return reverse("series", args=[study, self.public_id])


def short_benchmark_name(benchmark: str) -> str:
    """Class and method of a Java benchmark; the last two words between dots of any other."""
    return ".".join(benchmark.split(".")[-2:])


def forks_of(lines: Iterable[ComparedSeries]) -> dict[tuple[str, ...], list[int]]:
    """Places of the forks of each benchmark in each recording."""
    fork_indices: dict[tuple[str, ...], list[int]] = {}
    for line_index, line in enumerate(lines):
        fork_indices.setdefault(line.recorded_benchmark, []).append(line_index)
    return fork_indices


class ExcludedSeries(NamedTuple):
    """A series that is no yardstick here, and why."""

    line: ComparedSeries
    reason: str


SETTINGS = Cast("settings", TextField())
"""Settings as text: most series have those of others, and none is parsed twice."""
FIELDS: Final[tuple[str | Cast, ...]] = (
    *("pk", "public_id", "n", "fork", SETTINGS, "benchmark__mode"),
    *lookups(("system", "benchmark", "params", "unit", "dataset", "dataset_name", "recording")),
    *SEEN,
)
UNIT_INDEX: Final = FIELDS.index("benchmark__unit")
ORDER = ("benchmark__system", "benchmark__name", "benchmark__params", "recording_id", "fork", "pk")


@dataclass(frozen=True, slots=True)
class MissingAnswers:
    """Series that one method left unanswered: too short, too long, not available or failed."""

    too_short: int = 0
    too_long: int = 0
    not_available: int = 0
    failed: int = 0


OUTCOMES: Final = (
    Detection.Outcome.TOO_SHORT,
    Detection.Outcome.TOO_LONG,
    Detection.Outcome.NOT_AVAILABLE,
    Detection.Outcome.FAILED,
)
"""Outcomes that `MissingAnswers` counts, in the order of its fields."""


@dataclass(frozen=True, slots=True, eq=False)
class ComparisonInputs:
    """Everything that the figures depend on; two with the same `digest` give the same figures.

    left_out   series that are kept from the reader
    excluded   series that a review took out, with the reason; they are in no figure
    looks      every method with a stored detection on these series, in the order of slots
    methods    the chosen ones' answers by name
    silent     chosen methods without a single answer here: rows that say so, and decide nothing
    people     answers of people, whose rows stand beside the methods
    voices     what the recipe of a ground truth is given: people, and published classifications
    without    series without an answer of each chosen or silent method, by name
    deciding   names of methods that decide which series are common
    known      what a method knew of these series before, by name, where it knew anything
    """

    yardstick: Yardstick
    lines: tuple[ComparedSeries, ...]
    left_out: blind.HiddenSeriesCount
    excluded: tuple[ExcludedSeries, ...]
    looks: tuple[MethodStyle, ...]
    methods: Mapping[str, Answers]
    silent: tuple[str, ...]
    without: Mapping[str, MissingAnswers]
    deciding: tuple[str, ...]
    known: Mapping[str, TrainingOverlap]
    truth: YardstickAnswers
    people: Mapping[str, Answers]
    voices: Mapping[str, Answers]
    tolerance: np.ndarray
    common: bool
    yes_no_told: bool = True  # False if people could not differ in yes or no
    digest: str = ""

    @property
    def looking(self) -> Mapping[str, Answers]:
        """The chosen methods that look at the values; all where only baselines are chosen.

        What they disagree on is worth a look: a baseline answers the same whatever it is given.
        """
        return self._but_baselines or self.methods

    @property
    def flattered(self) -> frozenset[str]:
        """Names of the methods that had seen the series: no first place is theirs."""
        return frozenset(name for name, overlap in self.known.items() if overlap.in_sample)

    @property
    def lengths(self) -> np.ndarray:
        return np.array([line.n for line in self.lines], dtype=np.int64)

    @property
    def ranked(self) -> dict[str, Answers]:
        """Answers of the methods that are ranked: no baseline, and none that knew the series."""
        flattered_names = self.flattered
        return {
            name: method_answers
            for name, method_answers in self._but_baselines.items()
            if name not in flattered_names
        }

    @property
    def _but_baselines(self) -> dict[str, Answers]:
        baselines = {look.name for look in self.looks if look.baseline}
        return {
            name: method_answers
            for name, method_answers in self.methods.items()
            if name not in baselines
        }

    def __hash__(self) -> int:
        return hash(self.digest)

    def __eq__(self, inputs: object) -> bool:
        return isinstance(inputs, ComparisonInputs) and inputs.digest == self.digest


def read_inputs(
    yardstick: Yardstick,
    reader: Reader,
    query: ComparisonQuery,
    *,
    is_reviewed: bool = True,
    subset: Collection[int] | None = None,
) -> ComparisonInputs:
    """Read what `query` needs. Series that `reader` has yet to answer are never read.

    reviewed  series that a decision left out are named, and read no further; else they are among
              the others, as a review looks at them
    among     primary keys of the series that are looked at; None: all that `query` leaves

    Raises UnknownMethod.
    """
    study, campaign = yardstick.study, yardstick.campaign
    reasons = review_status.excluded_reasons(study, campaign) if is_reviewed else {}
    universe = query.narrow(yardstick.series())
    if subset is not None:
        universe = universe.filter(pk__in=subset)
    visible_series = query.narrow_seen(blind.visible_series(reader, universe))
    counted_series = visible_series.exclude(pk__in=list(reasons))
    excluded_series = _excluded_series(visible_series, reasons)
    rows = counted_series.order_by(*ORDER).values_list(*FIELDS)
    lines = tuple(map(compared_series_of, rows))
    hidden_count = blind.count_hidden_series(reader, universe, len(lines) + len(excluded_series))
    stored_answers = _detections(universe, lines, query.index)
    answers = {key: method_answers for key, (method_answers, _) in stored_answers.items()}
    looks = with_unique_codes(map(MethodStyles(yardstick.study), answers))
    chosen_looks = _chosen_styles(looks, query.methods)
    if yardstick.kind == "method":
        chosen_looks = [look for look in chosen_looks if look.key != yardstick.key]
    answering_looks = [look for look in chosen_looks if answers[look.key].given.any()]
    pks = [line.pk for line in lines]
    truth = yardsticks.yardstick_answers(yardstick, pks)
    voices = yardsticks.source_voices(yardstick, pks)
    return _digested(
        ComparisonInputs(
            yardstick=yardstick,
            lines=lines,
            left_out=hidden_count,
            excluded=excluded_series,
            looks=looks,
            methods={look.name: answers[look.key] for look in answering_looks},
            silent=tuple(look.name for look in chosen_looks if look not in answering_looks),
            without={look.name: stored_answers[look.key][1] for look in chosen_looks},
            deciding=_deciding_names(chosen_looks, answering_looks, query.excluding),
            known=training_overlap.training_overlaps(
                yardstick.study, counted_series, pks, chosen_looks
            ),
            truth=truth,
            people=yardsticks.own_row_people(yardstick, voices),
            voices=voices,
            tolerance=tolerance_for([line.n for line in lines], query.tolerance),
            common=query.common,
            yes_no_told=yardsticks.tells_yes_no(yardstick, voices),
        )
    )


def compared_series_of(row: Sequence[Any]) -> ComparedSeries:
    """Build from the values of FIELDS."""
    pk, public_id, n, fork, settings, mode, *dataset_name = row
    return ComparedSeries(
        pk, public_id, n, fork, _length(row[UNIT_INDEX], mode, settings), *dataset_name
    )


@lru_cache(maxsize=1024)
def _length(unit: str, mode: str, settings: str) -> IterationLength | None:
    return length_of(unit, mode, json.loads(settings))


def _excluded_series(
    visible_series: SeriesQuerySet, reasons: Mapping[int, str]
) -> tuple[ExcludedSeries, ...]:
    if not reasons:
        return ()
    rows = visible_series.filter(pk__in=list(reasons)).order_by(*ORDER).values_list(*FIELDS)
    return tuple(ExcludedSeries(compared_series_of(row), reasons[row[0]]) for row in rows)


StoredAnswers = Mapping[str, tuple[Answers, MissingAnswers]]
"""Answers aligned with the lines, and how many series have none and why, by detector key."""
State = tuple[tuple[str, object], ...]
CacheKey = tuple[Index, State, tuple[int, ...]]
"""Index, state and primary keys of the series."""


def _answer_count(cache_key: CacheKey, stored_answers: StoredAnswers) -> int:
    pks = cache_key[-1]
    return max(len(pks) * len(stored_answers), MOST_ANSWERS // KEPT)


_kept: LatestUsed[CacheKey, StoredAnswers] = LatestUsed(
    MOST_ANSWERS, _answer_count, least=MIN_ENTRIES
)


def _detections(
    universe: SeriesQuerySet, lines: Sequence[ComparedSeries], index: Index
) -> StoredAnswers:
    """Stored answers of `lines`, read once for the same state of `universe`, which has them all.

    The state is of hidden series, too: blindness would take most of its time, and it is not shown.
    """
    cache_key = (index, _state(universe), tuple(line.pk for line in lines))
    stored_answers = _kept.get(cache_key, None)
    if stored_answers is None:
        stored_answers = _kept.keep(cache_key, _read_detections(lines, index))
    return stored_answers


def _state(series: SeriesQuerySet) -> State:
    """Counts that change as soon as a detection came, went, or was answered after all.

    An answer never changes. Counted without groups: to sort by long keys takes ten times as long.
    """
    outcomes = {value: Count("pk", filter=Q(outcome=value)) for value in Detection.Outcome.values}
    detections = Detection.objects.filter(series__in=series.order_by().values("pk")).order_by()
    return tuple(detections.aggregate(Max("pk"), Max("when"), **outcomes).items())


def detections_of(lines: Sequence[ComparedSeries], *fields: str, **filters: Any) -> Iterator[Any]:
    """Values of the stored detections of `lines` alone: of no other series is any read."""
    detections = Detection.objects.filter(series__among=[line.pk for line in lines], **filters)
    return detections.order_by().values_list(*fields).iterator(ROWS_AT_ONCE)


def _read_detections(lines: Sequence[ComparedSeries], index: Index) -> StoredAnswers:
    """Read every detection; too short and the like are no answer.

    A method that prints no index of its own keeps its steady start under `published_index`.
    """
    pks = [line.pk for line in lines]
    counts = {
        f"count_of_{outcome}": Count("pk", filter=Q(outcome=outcome, steady_start=None))
        for outcome in OUTCOMES
    }
    index_fields = dict.fromkeys(("steady_start", index))
    texts = {f"series_and_{name}": JoinedNumbers("series", name) for name in index_fields}
    keys_with_series = Detection.objects.filter(series__among=pks).order_by().values("detector_key")
    rows = keys_with_series.annotate(**counts, **texts).values_list("detector_key", *counts, *texts)
    return {
        key: (_method_answers(pks, *row[len(OUTCOMES) :]), MissingAnswers(*row[: len(OUTCOMES)]))
        for key, *row in sorted(rows)
    }


def _method_answers(
    pks: Sequence[int], starts: str | None, published: str | None = None
) -> Answers:
    """Answers of one method to all series of a comparison, from texts of `JoinedNumbers`."""
    answers = _joined_answers(pks, starts)
    published_index = _joined_answers(pks, published).index
    has_published = answers.given & ~np.isnan(published_index)
    return replace(answers, index=np.where(has_published, published_index, answers.index))


def _joined_answers(pks: Sequence[int], text: str | None) -> Answers:
    keys, numbers = number_pairs(text).T
    return Answers.of_keys(pks, keys, numbers.astype(np.float64))


def _chosen_styles(looks: Sequence[MethodStyle], names: Sequence[str]) -> list[MethodStyle]:
    """Methods that `names` mean, in the order of `looks`; all without a name."""
    meant_methods = {name: matching_methods(name, looks) for name in names}
    unknown_names = [
        name for name, name_matches in meant_methods.items() if not name_matches and name != PEOPLE
    ]
    if unknown_names:
        raise UnknownMethod(
            f"no stored detections of {', '.join(unknown_names)} on these series; "
            f"there are: {named_methods(looks)}"
        )
    chosen_keys = {look.key for matching_looks in meant_methods.values() for look in matching_looks}
    return [look for look in looks if not names or look.key in chosen_keys]


def _deciding_names(
    chosen_looks: Sequence[MethodStyle],
    answering_looks: Sequence[MethodStyle],
    excluding: Sequence[str],
) -> tuple[str, ...]:
    """Methods that decide which series are common: the given ones, else all but baselines.

    A method without a single answer would leave no series at all: it decides nothing.
    """
    deciding_looks = (
        _chosen_styles(chosen_looks, excluding)
        if excluding
        else [look for look in chosen_looks if not look.baseline]
    )
    return tuple(look.name for look in deciding_looks if look in answering_looks)


def _digested(inputs: ComparisonInputs) -> ComparisonInputs:
    """Return inputs with the digest of everything that a figure depends on."""
    digest = hashlib.sha256()
    for text in _texts(inputs):
        digest.update(text.encode() + b"\0")
    sources = {**inputs.methods, **inputs.people, **inputs.voices}
    for answers in (inputs.truth.answers, *sources.values()):
        for array in (np.where(answers.steady, answers.index, -1), answers.steady, answers.given):
            digest.update(np.ascontiguousarray(array).tobytes())
    digest.update(inputs.tolerance.tobytes())
    return replace(inputs, digest=digest.hexdigest())


def _texts(inputs: ComparisonInputs) -> Iterable[str]:
    yield inputs.yardstick.code
    yield "common" if inputs.common else "own"
    yield "yes/no told" if inputs.yes_no_told else "only steady shown"
    yield from inputs.deciding
    yield "methods"
    yield from inputs.methods
    yield from inputs.silent
    yield from (look.source for look in inputs.looks if look.source)
    yield from (f"{name}: {overlap.sentence}" for name, overlap in inputs.known.items())
    yield "people"
    yield from inputs.people
    yield "voices"
    yield from inputs.voices
    yield "words"
    yield " ".join(inputs.truth.words)
    # Values never change, so a series' primary key stands for them.
    for attribute in ("pk", "shape", "noise"):
        yield repr(list(map(attrgetter(attribute), inputs.lines)))
    lengths = [line.length for line in inputs.lines]
    text_by_length = {length: repr(length) for length in set(lengths)}
    yield " ".join(map(text_by_length.__getitem__, lengths))


def series_of_lines(lines: Sequence[ComparedSeries]) -> dict[int, Series]:
    """The stored series behind some lines, with what a row draws of them."""
    stored_series = Series.objects.filter(pk__in=[line.pk for line in lines])
    return {series.pk: series for series in stored_series.select_related("benchmark")}
