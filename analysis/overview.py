"""What home and a study's first page say: counts and open work, read once for the page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from django.db.models import Count, Max, Q

from analysis.models import Chunk, Detection, Run
from annotate import blind
from annotate.models import Campaign, GroundTruth, Problem
from people.models import Membership, Study, User
from series.models import Benchmark, Dataset, Import, Series

IMPORTS_READ = 200  # latest imports, of which many become one line


@dataclass(frozen=True, slots=True)
class StudyLine:
    """One study in the list of a person."""

    study: Study
    role: str
    series: int
    open_campaigns: int
    last_run: Run | None


def study_lines(user: User) -> list[StudyLine]:
    """The studies of `user` with what happens in them."""
    memberships = Membership.objects.filter(user=user).select_related("study")
    studies = [each.study_id for each in memberships]
    series = _counts(
        Series.objects.filter(benchmark__dataset__study__in=studies), "benchmark__dataset__study"
    )
    campaigns = _counts(
        Campaign.objects.filter(study__in=studies, state=Campaign.State.OPEN), "study"
    )
    newest = (
        Run.objects.filter(study__in=studies).values("study").annotate(last=Max("pk")).order_by()
    )
    runs = Run.objects.in_bulk([row["last"] for row in newest])
    by_study = {run.study_id: run for run in runs.values()}
    return [
        StudyLine(
            each.study,
            each.role,
            series.get(each.study_id, 0),
            campaigns.get(each.study_id, 0),
            by_study.get(each.study_id),
        )
        for each in sorted(memberships, key=lambda membership: membership.study.name)
    ]


def _counts(rows, key: str) -> dict[int, int]:  # type: ignore[no-untyped-def]  # any query set
    return dict(rows.values_list(key).annotate(count=Count("pk")).order_by())


@dataclass(frozen=True, slots=True)
class Facts:
    """The three columns of a study's first page."""

    datasets: int
    benchmarks: int
    series: int
    last_import: datetime | None
    campaigns: int
    tasks: int
    complete: int
    steady: int
    never: int
    undecided: int
    clustered: int
    scattered: int
    detections: int
    failed: int
    waiting: int
    problems: int

    @property
    def steps(self) -> list[tuple[str, str, bool]]:
        """The way through a new study: words, name of the address, whether it is done."""
        return [
            ("Import values", "import", self.series > 0),
            ("Start a campaign", "campaign-new", self.campaigns > 0),
            ("Start a run", "run-new", self.detections > 0),
            ("Compare", "compare", self.complete > 0 and self.detections > 0),
        ]

    @property
    def begun(self) -> bool:
        """Whether every step has been taken."""
        return all(done for _, _, done in self.steps)


def facts(study: Study, reader: User) -> Facts:
    """Counts of a study, without the ground truth of series that `reader` has yet to answer."""
    detections = Detection.objects.filter(series__benchmark__dataset__study=study).aggregate(
        detections=Count("pk"), failed=Count("pk", filter=Q(outcome=Detection.Outcome.FAILED))
    )
    imports = Import.objects.filter(study=study, state=Import.State.DONE)
    waiting = Q(state__in=[Chunk.State.WAITING, Chunk.State.TAKEN])
    return Facts(
        datasets=Dataset.objects.filter(study=study).count(),
        benchmarks=Benchmark.objects.filter(dataset__study=study).count(),
        series=Series.objects.filter(benchmark__dataset__study=study).count(),
        last_import=imports.values_list("when", flat=True).first(),
        campaigns=Campaign.objects.filter(study=study).count(),
        tasks=Campaign.objects.filter(study=study).aggregate(n=Count("tasks"))["n"],
        waiting=Chunk.objects.filter(waiting, run__study=study).count(),
        problems=Problem.objects.filter(task__campaign__study=study, closed_at=None).count(),
        **_truth(study, reader),
        **detections,
    )


def _truth(study: Study, reader: User) -> dict[str, int]:
    seen = blind.visible_series(reader, Series.objects.filter(benchmark__dataset__study=study))
    counted = GroundTruth.objects.filter(
        task__campaign__study=study, complete=True, task__series__in=seen
    ).aggregate(
        n_complete=Count("pk"),
        n_steady=Count("pk", filter=Q(steady=True)),
        n_never=Count("pk", filter=Q(steady=False)),
        n_undecided=Count("pk", filter=Q(steady=None)),
        n_clustered=Count("pk", filter=Q(agreement="clustered")),
        n_scattered=Count("pk", filter=Q(agreement="scattered")),
    )
    return {name.removeprefix("n_"): count for name, count in counted.items()}


@dataclass(frozen=True, slots=True)
class Happening:
    """One line of a study's activity."""

    when: datetime
    who: str
    what: str
    url: str


def activity(study: Study, *, most: int = 20) -> list[Happening]:
    """What happened lately: imports, campaigns, runs. Answers are nobody's news."""
    imports = Import.objects.filter(study=study, state=Import.State.DONE)
    arrived = list(imports.select_related("by", "dataset__study")[:IMPORTS_READ])
    campaigns = Campaign.objects.filter(study=study)
    runs = Run.objects.filter(study=study)
    lines = list(_imports(arrived))
    lines += [
        Happening(
            each.created, _name(each.created_by), f"made {each.name}", each.get_absolute_url()
        )
        for each in campaigns.select_related("created_by", "study")[:most]
    ]
    lines += [
        Happening(
            each.created, _name(each.started_by), f"started {each.name}", each.get_absolute_url()
        )
        for each in runs.select_related("started_by", "study")[:most]
    ]
    return sorted(lines, key=lambda line: line.when, reverse=True)[:most]


def _imports(arrived: Sequence[Import]) -> Iterator[Happening]:
    """One line for files that one person brought into one data set one after the other."""
    for (by, dataset), group in groupby(arrived, key=lambda each: (each.by, each.dataset)):
        files = list(group)
        first = files[0]
        what = first.file_name if len(files) == 1 else f"{len(files)} files into {dataset}"
        yield Happening(first.when, _name(by), f"imported {what}", _dataset_url(first))


def _name(user: User | None) -> str:
    return user.name if user else "a command"


def _dataset_url(imported: Import) -> str:
    return imported.dataset.get_absolute_url() if imported.dataset else ""
