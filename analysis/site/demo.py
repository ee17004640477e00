"""The demo study: recordings, simulated series with known answers and nights, people, runs.

Everything in it is made by the same services as by hand, and nothing pretends to be what it is
not: simulated series and simulated annotators are called so, and no answer of a person is invented.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from uuid import uuid4

from django.db import transaction

from analysis.event_lanes.services import import_events
from analysis.references.models import ReviewDecision
from analysis.review.cases import find_cases
from analysis.review.query import ReviewQuery
from analysis.review.services import decide
from analysis.runs.models import Run
from analysis.runs.selection import SeriesSelection
from analysis.runs.services import start_run
from analysis.training.models import Training
from analysis.training.plan import TrainingQuery, plan_training
from analysis.training.services import start_training
from analysis.tuning.models import Exploration
from analysis.tuning.plan import exploration_scope
from analysis.tuning.query import ExplorationQuery, Kind, checked_range
from analysis.tuning.services import start_exploration
from analysis.work.command_workers import command_worker
from analysis.work.services import work_through
from annotate.campaigns import services as campaigns
from annotate.models import Campaign
from annotate.simulation import simulated_annotators
from demo import catalogue, nights
from demo.catalogue import CATALOGUE, RECORDINGS, Workload
from demo.methods import FAST, SLOW
from detectors.registry import registry
from detectors.simulated.synthetic import KINDS, SyntheticSeries, simulate
from formats import Measurement, ReadOptions
from formats.iterations import ONE_OPERATION_EACH
from people.models import Membership, Role, Study, User
from people.services import create_study
from series import queries
from series.importing import services
from series.importing.import_plan import RecordingDetails
from series.models import Dataset, Series
from series.reading.file_readers import FileToRead
from series.values import stored_values

SLUG = "demo"
PASSWORD = "plateau-demo"  # noqa: S105  # printed, and only on a machine in development mode
OWNER = ("demo", "Dana", "Demo")
ANNOTATORS = (
    ("ada", "Ada", "Arndt"),
    ("bela", "Béla", "Berg"),
    ("chen", "Chen", "Castro"),
    ("dina", "Dina", "Dahl"),
    ("emil", "Emil", "Evans"),
)
RECORDED, SIMULATED, NIGHTS, EVENTS = "recorded", "simulated", "nights", "events"
CAMPAIGN = "First look"
RUNS = {
    RECORDED: "First run on recorded workloads",
    SIMULATED: "First run on simulated series",
    EVENTS: "First run on workloads with events",
}
QUEUED = {RECORDED: f"Slower methods on {CAMPAIGN}", SIMULATED: "Slower methods, simulated series"}
SENSITIVITY, SAMPLES = "What matters to Georges et al.", 64  # name, and number of base samples
TRAINING, MODEL = "Ridge classifier on simulated series", "sklearn.linear_model:RidgeClassifierCV"
KNOWN = "known"  # code of the yardstick
SEEDS, LENGTH = range(2), 1500  # seeds of simulated series of each kind, and their length

Say = Callable[[str], object]


def make_demo(say: Say, *, leaves_runs: bool = False) -> None:
    """Make what is missing of the demo; what is there is left as it is.

    leaves_runs: all runs are left to workers; else those of fast methods are worked through here,
    so that there is something to compare before a worker is.
    """
    owner = _person(*OWNER)
    User.objects.filter(pk=owner.pk).update(is_staff=True)  # to see status, make studies
    study = _study(owner)
    annotators = tuple(_member(study, _person(*names)) for names in ANNOTATORS)
    recorded_data = _dataset(study, RECORDED, "Recorded workloads", is_simulated=False)
    simulated_dataset = _dataset(study, SIMULATED, "Simulated, answers known", is_simulated=True)
    for workload in CATALOGUE:
        _import(workload, recorded_data, owner, say)
    _simulate(simulated_dataset, owner, say)
    _store_nights(study, owner, say)
    events_dataset = _store_events(study, owner, say)
    _open_campaign(study, recorded_data, owner, annotators, say)
    _simulate_annotators(study, recorded_data, owner, say)
    answered_datasets = (recorded_data, simulated_dataset, events_dataset)
    filled_datasets = [dataset for dataset in answered_datasets if dataset.benchmarks.exists()]
    for dataset in filled_datasets:
        run = _start_run(SeriesSelection(dataset.slug), FAST, RUNS[dataset.slug], owner, say)
        if not leaves_runs:
            work_through(run, worker=command_worker(), tell_progress=lambda *_: None)
    sensitivity = _start_sensitivity(study, owner, say)
    if not leaves_runs:
        work_through(sensitivity, worker=command_worker(), tell_progress=lambda *_: None)
    _start_training(study, owner, say)
    _decide_case(study, owner, say)
    for dataset in filled_datasets:
        if dataset.slug in QUEUED:
            _start_run(_slow_selection(dataset), SLOW, QUEUED[dataset.slug], owner, say)


@transaction.atomic
def remove_demo() -> None:
    """Let go of the demo study with all that is in it; the demo people stay."""
    study = Study.objects.filter(slug=SLUG).first()
    if study is not None:
        study.campaigns.all().delete()  # first: their tasks protect the series
        stored_values.release(Series.objects.filter(benchmark__dataset__study=study))
        study.delete()


# --- people -----------------------------------------------------------------------------------
def _person(username: str, first_name: str, last_name: str) -> User:
    name_fields = {"first_name": first_name, "last_name": last_name}
    user = User.objects.filter(username=username).first()
    return user or User.objects.create_user(username, password=PASSWORD, **name_fields)


def _study(owner: User) -> Study:
    study = Study.objects.filter(slug=SLUG).first()
    description = "Programs recorded on three runtimes, and simulated series with known answers."
    return study or create_study(name="Demo", by=owner, about=description)


def _member(study: Study, user: User) -> User:
    Membership.objects.get_or_create(study=study, user=user, defaults={"role": Role.ANNOTATOR})
    return user


# --- data -------------------------------------------------------------------------------------
ABOUT = {
    RECORDED: "Calls of small programs, each from the first one on, in fresh processes.",
    SIMULATED: "Computed, not measured: the iteration from which each is steady is known.",
    EVENTS: "OpenJDK again, with what it collected and compiled meanwhile.",
    NIGHTS: "Computed, not measured: thirty nights of six benchmarks, to look at trends.",
}


def _dataset(study: Study, slug: str, name: str, *, is_simulated: bool) -> Dataset:
    dataset, _ = Dataset.objects.get_or_create(
        study=study,
        slug=slug,
        defaults={"name": name, "about": ABOUT[slug], "simulated": is_simulated},
    )
    return dataset


def _import(
    workload: Workload, dataset: Dataset, owner: User, say: Say, folder: Path = RECORDINGS
) -> None:
    """Store one recording, unless an earlier version stored its own of that workload."""
    path = folder / workload.file
    if not path.is_file():
        return  # not recorded on this machine yet
    if dataset.benchmarks.filter(name=workload.benchmark).exists():
        return
    file = FileToRead(workload.file, path=path, options=ReadOptions(system=workload.runtime_title))
    import_row = services.import_file(dataset, file, by=owner)
    say(f"{workload.file}: {import_row.stored} series")


def _simulate(dataset: Dataset, owner: User, say: Say) -> None:
    """Store the simulated series and what is known of each, as far as it is not stored."""
    unanswered_series = Series.objects.filter(benchmark__dataset=dataset, known_start=None)
    if dataset.benchmarks.count() >= len(KINDS) and not unanswered_series.exists():
        return
    samples = {
        (simulation_kind, fork): simulate(simulation_kind, n=LENGTH, seed=fork)
        for fork in SEEDS
        for simulation_kind in KINDS
    }
    measurements = (_measurement(sample, fork) for (_, fork), sample in samples.items())
    import_row = services.import_measurements(
        dataset, measurements, "simulated", by=owner, occasion=RecordingDetails(label="simulated")
    )
    for series in unanswered_series.select_related("benchmark__dataset"):
        sample = samples[series.benchmark.name, series.fork]
        services.state_answer(series, start=sample.steady_start, reason=sample.why)
    say(f"simulated: {import_row.stored} series, their answers known")


def _store_nights(study: Study, owner: User, say: Say) -> None:
    """Store the nights, once: recordings with dates, whose trend says what happened."""
    dataset = _dataset(study, NIGHTS, "Nightly builds, simulated", is_simulated=True)
    if dataset.benchmarks.exists():
        return
    import_result = services.import_measurements(
        dataset, nights.night_measurements(), "simulated", by=owner
    )
    say(f"simulated: {nights.NIGHTS} nights, {import_result.stored} series")


def _store_events(study: Study, owner: User, say: Say) -> Dataset:
    """Store the recordings that carry events of their process, and the events beside them."""
    dataset = _dataset(study, EVENTS, "OpenJDK with events", is_simulated=False)
    workload_by_name = {workload.benchmark: workload for workload in CATALOGUE}
    for workload in workload_by_name.values():
        _import(workload, dataset, owner, say, catalogue.EVENTS_FOLDER)
    bare_series = Series.objects.filter(benchmark__dataset=dataset, event_lanes=None)
    for series in bare_series.select_related("benchmark__dataset__study"):
        path = catalogue.EVENTS_FOLDER / workload_by_name[series.benchmark.name].events_file
        say(f"{path.name}: {import_events(series, FileToRead(path.name, path=path))}")
    return dataset


def _measurement(sample: SyntheticSeries, fork: int) -> Measurement:
    return Measurement(
        benchmark=sample.kind,
        values=sample.values,
        label=f"{sample.kind}|{fork}",
        system="simulated",
        fork=fork,
        unit="s/op",
        mode="avgt",
        settings=ONE_OPERATION_EACH,
    )


# --- campaign and run -------------------------------------------------------------------------
def _open_campaign(
    study: Study, dataset: Dataset, owner: User, annotators: tuple[User, ...], say: Say
) -> None:
    """An open campaign over one fork of each workload; everybody starts with an empty page."""
    first_forks = queries.select_series(study, dataset=dataset, forks="first")
    if not first_forks or Campaign.objects.filter(study=study, name=CAMPAIGN).exists():
        return
    campaign_spec = campaigns.CampaignSpec(
        name=CAMPAIGN,
        series=[series.pk for series in first_forks.only("pk")],
        annotators=annotators,
        selection={"dataset": dataset.slug, "forks": "first"},
    )
    with transaction.atomic():
        campaigns.open_campaign(campaigns.create(study, campaign_spec, by=owner))
    say(f"campaign “{CAMPAIGN}”: {len(campaign_spec.series)} series, {len(annotators)} annotators")


def _simulate_annotators(study: Study, dataset: Dataset, owner: User, say: Say) -> None:
    """A second campaign over the same series, answered: there is something to compare with."""
    first_forks = queries.select_series(study, dataset=dataset, forks="first")
    if not first_forks or Campaign.objects.filter(study=study, simulated=True).exists():
        return
    campaign = simulated_annotators.make_campaign(study, list(first_forks), by=owner)
    say(f"campaign “{campaign.name}”: {len(first_forks)} series, all answered")


def _decide_case(study: Study, owner: User, say: Say) -> None:
    """Decide the last case of the simulated annotators; the others stay open."""
    campaign = Campaign.objects.filter(study=study, simulated=True).first()
    if campaign is None or ReviewDecision.objects.filter(task__campaign=campaign).exists():
        return
    review = find_cases(study, owner, ReviewQuery(yardstick=f"campaign:{campaign.slug}"))
    if review and review.cases:
        series = Series.objects.get(pk=review.cases[-1].line.pk)
        decide(series, campaign, kind="accept", user=owner, client_id=uuid4())
        say(f"{len(review.cases)} disagreements, one of them decided")


def _start_run(
    selection: SeriesSelection, methods: Sequence[str], name: str, owner: User, say: Say
) -> Run:
    """A run for the first worker that comes."""
    study = Study.objects.get(slug=SLUG)
    if run := Run.objects.filter(study=study, name=name).first():
        return run
    keys = [registry()[slug]().key for slug in methods]
    run = start_run(study, user=owner, selection=selection, keys=keys, name=name)
    say(f"run “{name}”: {run.wanted} detections for workers")
    return run


def _start_sensitivity(study: Study, owner: User, say: Say) -> Exploration:
    """Sensitivity of a fast method to its parameters, by the known answers."""
    if stored_exploration := Exploration.objects.filter(study=study, name=SENSITIVITY).first():
        return stored_exploration
    method = registry()["georges"]
    ranges = (checked_range(method, "k", 10, 50), checked_range(method, "threshold", 0.01, 0.1))
    query = ExplorationQuery(
        Kind.SENSITIVITY, method, ranges, {}, KNOWN, samples=SAMPLES, name=SENSITIVITY
    )
    exploration = start_exploration(study, query, exploration_scope(study, KNOWN), user=owner)
    say(f"sensitivity “{SENSITIVITY}”: {exploration.wanted} parameter sets")
    return exploration


def _start_training(study: Study, owner: User, say: Say) -> None:
    """A small model that learns from the known answers, for the first worker that comes."""
    if Training.objects.filter(study=study, name=TRAINING).exists():
        return
    query = TrainingQuery(KNOWN, MODEL, 30, 4, 1, "benchmarks", name=TRAINING)
    training = start_training(study, plan_training(study, query), user=owner)
    say(f"training “{TRAINING}”: {training.units.count()} models for workers")


def _slow_selection(dataset: Dataset) -> SeriesSelection:
    """Selection for slow methods: of the recordings the series that the campaign asks about."""
    if dataset.simulated:
        return SeriesSelection(dataset.slug)
    campaign = Campaign.objects.filter(study=dataset.study, name=CAMPAIGN).earliest("pk")
    return SeriesSelection(dataset.slug, campaign=campaign.slug)
