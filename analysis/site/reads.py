"""Counts and open work of home and a study's first page, read once for the page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, groupby, islice, zip_longest

from django.db.models import Count, Exists, Max, Min, OuterRef, Q, QuerySet

from analysis.references import yardsticks
from analysis.runs.models import Detection, Run
from analysis.trend.models import RegressionAlarm
from analysis.trend.query import trend_address
from analysis.work.progress import JobLine, job_lines
from annotate import blind
from annotate.blind import HiddenSeriesCount
from annotate.models import Campaign, GroundTruth, Problem
from people.models import Membership, Study, User
from people.templatetags.writing import grouped
from series.models import Benchmark, Import, Series

REMOVALS_READ = 40  # latest removals, each of one or two lines
NARROW_BAR = 342  # pixels of a bar on a page of 390
LETTER = 6.5  # pixels of one of its labels, which begins 10 pixels into its part
RUNS_READ = 5  # newest runs
LATELY = 4  # lines of the latest events
OUTLINED = 8  # series that the first page draws
IMPORTS_READ = 200  # latest imports, of which many become one line


@dataclass(frozen=True, slots=True)
class StudyLine:
    """One study in the list of a person."""

    study: Study
    role: str
    series_count: int
    open_campaign_count: int
    last_run: Run | None


def study_lines(user: User) -> list[StudyLine]:
    """The studies of `user` with what happens in them."""
    memberships = Membership.objects.filter(user=user).select_related("study")
    study_pks = [membership_row.study_id for membership_row in memberships]
    series_counts = _counts_by_key(
        Series.objects.filter(benchmark__dataset__study__in=study_pks), "benchmark__dataset__study"
    )
    campaign_counts = _counts_by_key(
        Campaign.objects.filter(study__in=study_pks, state=Campaign.State.OPEN), "study"
    )
    newest_runs = (
        Run.objects.filter(study__in=study_pks).values("study").annotate(last=Max("pk")).order_by()
    )
    runs = Run.objects.in_bulk([row["last"] for row in newest_runs])
    run_by_study = {run.study_id: run for run in runs.values()}
    return [
        StudyLine(
            membership_row.study,
            membership_row.role,
            series_counts.get(membership_row.study_id, 0),
            campaign_counts.get(membership_row.study_id, 0),
            run_by_study.get(membership_row.study_id),
        )
        for membership_row in sorted(memberships, key=lambda membership: membership.study.name)
    ]


def _counts_by_key(rows, key: str) -> dict[int, int]:  # type: ignore[no-untyped-def]  # any query set
    return dict(rows.values_list(key).annotate(count=Count("pk")).order_by())


@dataclass(frozen=True, slots=True)
class StudySummary:
    """The three columns of a study's first page."""

    benchmark_count: int
    series_count: int
    last_import: datetime | None
    shown_campaign: Campaign | None  # whose ground truth the figures of that column are
    task_count: int
    hidden_count: HiddenSeriesCount  # of the campaign, where the reader sees no ground truth
    complete_count: int
    steady_count: int
    never_count: int
    undecided_count: int
    clustered_count: int
    scattered_count: int
    detection_count: int
    unanswered_count: int  # series without an answer of any detector
    failed_count: int
    problem_count: int

    @property
    def has_final_truth(self) -> bool:
        """True if the campaign that is shown has ended with ground truth."""
        campaign = self.shown_campaign
        if campaign is None or campaign.state != Campaign.State.CLOSED:
            return False
        return campaign.makes_truth and self.complete_count > 0

    @property
    def answer_bar(self) -> list[BarPart]:
        """The ground truth as parts of a bar; what there is none of has no part."""
        return bar_parts(
            {
                "steady": self.steady_count,
                "never": self.never_count,
                "undecided": self.undecided_count,
            }
        )

    @property
    def agreement_bar(self) -> list[BarPart]:
        """Bar of the marks of steady series by agreement, in the same way."""
        return bar_parts({"clustered": self.clustered_count, "scattered": self.scattered_count})


@dataclass(frozen=True, slots=True)
class BarPart:
    """One part of a bar: its word and count, where it begins and how wide it is, in percent."""

    word: str
    count: int
    x: float
    width: float

    @property
    def label(self) -> str:
        return f"{self.word} {grouped(self.count)}"

    @property
    def fits(self) -> bool:
        """True if the label stands inside the part, on the narrowest page too."""
        return NARROW_BAR * self.width / 100 >= LETTER * len(self.label) + 14


def bar_parts(counts: Mapping[str, int]) -> list[BarPart]:
    """Parts in proportion to their counts, in their order; none for a count of 0."""
    total = sum(counts.values())
    parts, previous_count = [], 0
    for word, count in counts.items():
        if count:
            x, width = round(100 * previous_count / total, 2), round(100 * count / total, 2)
            parts.append(BarPart(word, count, x, width))
        previous_count += count
    return parts


def outlined_series(study: Study) -> list[Series]:
    """The first series of up to eight benchmarks, one of each system before a second one."""
    benchmarks = Benchmark.objects.filter(dataset__study=study, series__isnull=False)
    first_series = benchmarks.annotate(first=Min("series")).order_by("pk")
    series_pks_by_system: dict[str, list[int]] = {}
    for system, series_pk in first_series.values_list("system", "first"):
        series_pks_by_system.setdefault(system, []).append(series_pk)
    interleaved_pks = chain.from_iterable(zip_longest(*series_pks_by_system.values()))
    outlined_pks = list(islice((pk for pk in interleaved_pks if pk is not None), OUTLINED))
    series_by_pk = Series.objects.select_related("benchmark__dataset__study").in_bulk(outlined_pks)
    return [series_by_pk[pk] for pk in outlined_pks]


def study_summary(study: Study, reader: User) -> StudySummary:
    """Counts of a study, without the ground truth of series that `reader` has yet to answer."""
    detection_counts = Detection.objects.filter(series__benchmark__dataset__study=study).aggregate(
        detection_count=Count("pk"),
        failed_count=Count("pk", filter=Q(outcome=Detection.Outcome.FAILED)),
    )
    imports = Import.objects.filter(study=study, state=Import.State.DONE)
    shown_campaign = _shown_campaign(study)
    truth_counts = _truth_counts(shown_campaign, reader)
    series = Series.objects.filter(benchmark__dataset__study=study)
    detections_of_series = Detection.objects.filter(series=OuterRef("pk"))
    return StudySummary(
        benchmark_count=Benchmark.objects.filter(dataset__study=study).count(),
        series_count=series.count(),
        unanswered_count=series.exclude(Exists(detections_of_series)).count(),
        last_import=imports.values_list("when", flat=True).first(),
        shown_campaign=shown_campaign,
        task_count=shown_campaign.tasks.counted().count() if shown_campaign else 0,
        problem_count=Problem.objects.filter(task__campaign__study=study, closed_at=None).count(),
        hidden_count=_count_hidden(shown_campaign, reader, truth_counts["complete_count"]),
        **truth_counts,
        **detection_counts,
    )


def _shown_campaign(study: Study) -> Campaign | None:
    """The campaign with which a comparison begins, or the newest while none has an answer.

    Campaigns may ask about the same series: their counts cannot be added up.
    """
    begun_campaign = next(yardsticks.campaigns_with_truth(study), None)
    return begun_campaign or study.campaigns.for_truth().first()


def _truth_counts(shown_campaign: Campaign | None, reader: User) -> dict[str, int]:
    truths = GroundTruth.objects.settled().filter(task__campaign=shown_campaign)
    return blind.without_open(reader, truths, "task__series").aggregate(
        complete_count=Count("pk"),
        steady_count=Count("pk", filter=Q(steady=True)),
        never_count=Count("pk", filter=Q(steady=False)),
        undecided_count=Count("pk", filter=Q(steady=None)),
        clustered_count=Count("pk", filter=Q(agreement="clustered")),
        scattered_count=Count("pk", filter=Q(agreement="scattered")),
    )


def _count_hidden(
    shown_campaign: Campaign | None, reader: User, complete_count: int
) -> HiddenSeriesCount:
    """Count series that blindness hides, where it hides every ground truth; else 0."""
    if shown_campaign is None or complete_count:
        return HiddenSeriesCount(0, 0)
    asked_series = Series.objects.filter(tasks__campaign=shown_campaign)
    return blind.count_hidden_series(reader, asked_series)


def runs_with_problems(study: Study) -> list[JobLine]:
    """Newest runs that are not done, or have failures."""
    newest_runs = Run.objects.filter(study=study).select_related("study")[:RUNS_READ]
    return [line for line in job_lines(list(newest_runs)) if line.state != "done" or line.failed]


@dataclass(frozen=True, slots=True)
class ActivityLine:
    """One line of a study's activity."""

    moment: datetime
    person: str
    event: str
    url: str


def activity(study: Study, *, limit: int = LATELY) -> list[ActivityLine]:
    """Latest events: imports, campaigns, runs; answers are not among them."""
    campaigns = Campaign.objects.filter(study=study)
    runs = Run.objects.filter(study=study)
    lines = list(_import_lines(study))
    lines += [
        ActivityLine(
            campaign.created,
            _user_name(campaign.created_by),
            f"made {campaign.name}",
            campaign.get_absolute_url(),
        )
        for campaign in campaigns.select_related("created_by", "study")[:limit]
    ]
    lines += [
        ActivityLine(
            run.created, _user_name(run.started_by), f"started {run.name}", run.get_absolute_url()
        )
        for run in runs.select_related("started_by", "study")[:limit]
    ]
    lines += [*_alarm_lines(study, limit), *_removal_lines(study)]
    return sorted(lines, key=lambda line: line.moment, reverse=True)[:limit]


def _alarm_lines(study: Study, limit: int) -> Iterator[ActivityLine]:
    """Lines of the latest judgements of regressions; notes are for the page that knows its
    reader.
    """
    alarms = RegressionAlarm.objects.filter(benchmark__dataset__study=study)
    for alarm in alarms.select_related("by", "recording", "benchmark__dataset__study")[:limit]:
        event = f"set the {alarm} to {alarm.get_state_display()}"
        yield ActivityLine(alarm.when, _user_name(alarm.by), event, trend_address(alarm.benchmark))


def _removal_lines(study: Study) -> Iterator[ActivityLine]:
    """Lines of removals, and of what came back or was purged."""
    for removal in study.removals.select_related("by", "ended_by")[:REMOVALS_READ]:
        yield ActivityLine(removal.when, _user_name(removal.by), f"removed the {removal}", "")
        if removal.ended_at:
            user_name = _user_name(removal.ended_by)
            yield ActivityLine(removal.ended_at, user_name, f"{removal.outcome} the {removal}", "")


def _import_lines(study: Study) -> Iterator[ActivityLine]:
    """One line for files that one person brought into one data set one after the other."""
    imports = Import.objects.filter(study=study, state=Import.State.DONE)
    finished_imports = list(imports.select_related("by", "dataset__study")[:IMPORTS_READ])
    for (user, dataset), group in groupby(
        finished_imports, key=lambda import_row: (import_row.by, import_row.dataset)
    ):
        group_imports = list(group)
        newest_import, oldest_import = group_imports[0], group_imports[-1]
        n_files = len(group_imports)
        if oldest_import is finished_imports[-1] and len(finished_imports) == IMPORTS_READ:
            n_files += _count_earlier_files(imports, oldest_import)
        phrase = newest_import.file_name if n_files == 1 else f"{n_files:,} files into {dataset}"
        url = dataset.get_absolute_url() if dataset else ""
        yield ActivityLine(newest_import.when, _user_name(user), f"imported {phrase}", url)


def _count_earlier_files(imports: QuerySet[Import], oldest_import: Import) -> int:
    """Count the files that this person imported into the data set just before `oldest_import`."""
    older_imports = imports.filter(when__lt=oldest_import.when)
    same_person_imports = older_imports.filter(by=oldest_import.by, dataset=oldest_import.dataset)
    newest_other_import = older_imports.exclude(pk__in=same_person_imports.values("pk")).first()
    return (
        same_person_imports.filter(when__gt=newest_other_import.when).count()
        if newest_other_import
        else same_person_imports.count()
    )


def _user_name(user: User | None) -> str:
    return user.name if user else "a command"
