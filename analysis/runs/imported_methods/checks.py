"""A file of answers held against the series of a study: what fits, and all that does not."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import BinaryIO, Final, NamedTuple

from analysis.web.series_columns import lookups
from formats import FormatError
from formats.answers import NEVER, AnswerRow, Convention, read_answers
from people.models import Study
from series.models import Series

KINDS: Final = {
    "unreadable": "not readable",
    "unknown": "unknown series",
    "ambiguous": "more than one series fits",
    "digest": "other values than the stored ones",
    "duplicate": "a series twice",
    "range": "index out of range",
    "params": "parameters that differ within the file",
}
ANY_KIND = "unreadable"
PROBLEMS_KEPT: Final = 100
FIRST_ROWS: Final = 5


class MatchableSeries(NamedTuple):
    """A series of the study, by what a file can call it."""

    pk: int
    n: int
    digest: str
    fork: int
    system: str
    benchmark: str
    params: str
    dataset: str
    dataset_name: str
    recording: str


@dataclass(slots=True)
class CheckedAnswers:
    """Content of a file of answers. `answers` are the rows that fit, by the series' primary key.

    problems       at most PROBLEMS_KEPT sentences; `counts` has how many of each kind there are
    fatal_problem  nothing could be read, or not to the end
    """

    answers: dict[int, AnswerRow] = field(default_factory=dict)
    rows: int = 0
    matched_count: int = 0
    empty_count: int = 0
    contradicted_count: int = 0
    params: str = ""
    series: int = 0
    datasets: dict[str, int] = field(default_factory=dict)  # templates read a Counter amiss
    counts: Counter[str] = field(default_factory=Counter)
    problems: list[FormatError] = field(default_factory=list)
    read_columns: tuple[str, ...] = ()
    unread_columns: tuple[str, ...] = ()
    first_rows: list[AnswerRow] = field(default_factory=list)
    fatal_problem: FormatError | None = None

    @property
    def is_ready(self) -> bool:
        """True if the file may be stored: it has an answer, and nothing is wrong."""
        return bool(self.answers) and not self.problem_count

    @property
    def problem_count(self) -> int:
        return self.counts.total()

    @property
    def kinds(self) -> list[tuple[str, int]]:
        """Kinds of problems, in words, each with its number of problems."""
        return [(label, self.counts[kind]) for kind, label in KINDS.items() if self.counts[kind]]

    @property
    def steady(self) -> int:
        return len(self.answers) - self.never_count

    @property
    def never_count(self) -> int:
        return sum(row.steady_start == NEVER for row in self.answers.values())

    def report(self, kind: str, problem: FormatError) -> None:
        self.counts[kind] += 1
        if len(self.problems) < PROBLEMS_KEPT:
            self.problems.append(problem)


def check_answers(
    study: Study, stream: BinaryIO, name: str, *, convention: Convention = "steady-start"
) -> CheckedAnswers:
    """Read a file of answers against the series of `study`; writes nothing, raises nothing."""
    checked_answers = CheckedAnswers()
    matcher = _SeriesMatcher(name, _series(study), checked_answers)
    try:
        table = read_answers(
            stream,
            name,
            convention=convention,
            on_problem=lambda problem: checked_answers.report(ANY_KIND, problem),
        )
        checked_answers.read_columns, checked_answers.unread_columns = table.read, table.unread
        for row in table.rows:
            matcher.check_row(row)
    except FormatError as fatal:
        checked_answers.fatal_problem = fatal
        checked_answers.report(ANY_KIND, fatal)
    checked_answers.rows += checked_answers.counts[ANY_KIND] - (
        checked_answers.fatal_problem is not None
    )
    return checked_answers


def _series(study: Study) -> list[MatchableSeries]:
    rows = Series.objects.filter(benchmark__dataset__study=study).order_by("pk")
    return [MatchableSeries(*row) for row in rows.values_list(*lookups(MatchableSeries._fields))]


class _SeriesMatcher:
    """Takes rows one by one, and finds the series that each is about."""

    def __init__(
        self, file: str, series: Iterable[MatchableSeries], checked_answers: CheckedAnswers
    ) -> None:
        self.file, self.checked_answers = file, checked_answers
        self.first_row_by_pk: dict[int, int] = {}  # row by primary key of the series
        series_by_name: dict[tuple[str, str, int], list[MatchableSeries]] = defaultdict(list)
        series_by_digest: dict[str, list[MatchableSeries]] = defaultdict(list)
        for candidate in series:
            series_by_name[candidate.benchmark, candidate.params, candidate.fork].append(candidate)
            series_by_digest[candidate.digest].append(candidate)
        self.series_by_name: Mapping[tuple[str, str, int], list[MatchableSeries]] = series_by_name
        self.series_by_digest: Mapping[str, list[MatchableSeries]] = series_by_digest

    def check_row(self, row: AnswerRow) -> None:
        self.checked_answers.rows += 1
        if len(self.checked_answers.first_rows) < FIRST_ROWS:
            self.checked_answers.first_rows.append(row)
        series = self._series_of(row)
        if series is None or self._is_duplicate(row, series):
            return
        self.checked_answers.matched_count += 1
        matched_datasets = self.checked_answers.datasets
        matched_datasets[series.dataset_name] = matched_datasets.get(series.dataset_name, 0) + 1
        self.checked_answers.contradicted_count += row.contradicted
        if row.steady_start is None:
            self.checked_answers.empty_count += 1
        elif self._in_range(row, series) and self._same_params(row):
            self.checked_answers.answers[series.pk] = row

    def _series_of(self, row: AnswerRow) -> MatchableSeries | None:
        candidates = [candidate for candidate in self._candidates(row) if _fits(row, candidate)]
        digest_matches = [
            candidate for candidate in candidates if row.series_digest in {"", candidate.digest}
        ]
        if len(digest_matches) == 1:
            return digest_matches[0]
        if digest_matches:
            self._report(
                "ambiguous",
                row,
                f"{row.name}: {len(digest_matches)} such series",
                "exactly one",
                "name data set, recording and system in their columns",
            )
        elif candidates:
            self._report(
                "digest",
                row,
                f"{row.name} with digest {row.series_digest[:12]}…",
                f"{candidates[0].digest[:12]}…, the digest of the stored values",
                "answer the stored values, or take the row out",
            )
        else:
            self._report(
                "unknown",
                row,
                f"{row.name}: no such series in the study",
                "a series of the study, named as its exports do",
                "import its values first, or take the row out",
            )
        return None

    def _candidates(self, row: AnswerRow) -> Iterable[MatchableSeries]:
        if row.benchmark and row.fork is not None:
            return self.series_by_name.get((row.benchmark, row.params, row.fork), ())
        return self.series_by_digest.get(row.series_digest, ())

    def _is_duplicate(self, row: AnswerRow, series: MatchableSeries) -> bool:
        first_row = self.first_row_by_pk.setdefault(series.pk, row.row)
        if first_row == row.row:
            return False
        self._report(
            "duplicate",
            row,
            f"{row.name} again, first in row {first_row}",
            "one row for each series",
            "keep the row that counts",
        )
        return True

    def _in_range(self, row: AnswerRow, series: MatchableSeries) -> bool:
        index_and_limit = {
            "steady_start": (row.steady_start, series.n - 1),
            "published_index": (row.published_index, series.n),  # the file may count from 1
            "decided_at": (row.decided_at, series.n - 1),
        }
        for column, (answer_index, last_index) in index_and_limit.items():
            if answer_index is not None and answer_index > last_index:
                self._report(
                    "range",
                    row,
                    f"{column} {answer_index}",
                    f"at most {last_index}: {row.name} has {series.n} iterations",
                    "" if column == "decided_at" else "a series that never is steady has -1",
                )
                return False
        return True

    def _same_params(self, row: AnswerRow) -> bool:
        if not self.checked_answers.answers:
            self.checked_answers.params = row.method_params
        if row.method_params == self.checked_answers.params:
            return True
        self._report(
            "params",
            row,
            f"method_params {row.method_params!r}",
            f"{self.checked_answers.params!r} as in the rows above",
            "import each setting as a file and version of its own",
        )
        return False

    def _report(self, kind: str, row: AnswerRow, found_text: str, expected: str, hint: str) -> None:
        problem = FormatError(
            self.file, f"row {row.row}", found=found_text, expected=expected, hint=hint
        )
        self.checked_answers.report(kind, problem)


def _fits(row: AnswerRow, series: MatchableSeries) -> bool:
    return (
        row.dataset in {"", series.dataset, series.dataset_name}
        and row.recording in {"", series.recording}
        and row.system in {"", series.system}
        and row.benchmark in {"", series.benchmark}
        and (row.fork is None or row.fork == series.fork)
    )
