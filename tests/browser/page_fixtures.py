"""Pages that are empty, at work, or tell what went wrong: in studies whose owner has no other."""

from __future__ import annotations

import io
import tempfile
import time
from datetime import timedelta
from itertools import product
from pathlib import Path
from unittest.mock import patch
from uuid import uuid4

from django.core.management import call_command
from django.utils import timezone

from analysis.runs import services
from analysis.runs.models import Chunk, Detection, Run
from analysis.runs.selection import SeriesSelection
from analysis.site.demo import PASSWORD
from analysis.statistics.tuning_objectives import Objective
from analysis.training.models import Training
from analysis.training.plan import TrainingQuery, plan_training
from analysis.training.services import start_training
from analysis.tuning import answer_unit, plan
from analysis.tuning.models import Exploration, Part
from analysis.tuning.query import ExplorationQuery, Kind, checked_range, level_range
from analysis.tuning.services import start_exploration
from analysis.work import services as work
from analysis.work.models import Worker
from annotate.answering.services import save_mark
from annotate.campaigns import services as campaigns
from annotate.models import Campaign
from detectors.registry import get, registry
from detectors.simulated.synthetic import KINDS, simulate
from evidence.bench.large_scene import large_study
from people.models import Membership, Role, Study, User
from series.importing import jobs, uploads
from series.models import Import, Series
from tests.analysis.work.units import take
from tests.browser.installation import PEOPLE
from tests.browser.walk_page import WalkPage, at

BUSY_OWNER = "busy"
LARGE_OWNER = "large"
LARGE_SCALE = 0.052  # of 112,500 series
ELSEWHERE = "w-1@elsewhere"  # a worker of another machine: nobody here can see that it is none
LONG = timedelta(days=1)
WENT_WRONG = ArithmeticError("no variance is left to divide by")


def stops() -> list[WalkPage]:
    """Made once for an installation."""
    person, _ = User.objects.get_or_create(username=PEOPLE[BUSY_OWNER])
    person.set_password(PASSWORD)
    person.save()
    study, empty_study = (
        _study(person, "states", "At work"),
        _study(person, "nothing", "Nothing yet"),
    )
    _series(study, person)
    pages = {
        "study": at("study", study.slug),
        "runs": at("runs", study.slug),
        "run-going": _running_run(study).get_absolute_url(),
        "run-failed": _run_failed(study).get_absolute_url(),
        "tuning": f"{at('runs', study.slug)}?kind=sensitivity",
        "tuning-going": _running_exploration(study).get_absolute_url(),
        "tuning-failed": _exploration_failed(study).get_absolute_url(),
        "tuning-front": _exploration_front(study).get_absolute_url(),
        "training-new": at("training-new", study.slug),
        "training": _training(study, "Trained", "sklearn.linear_model:RidgeClassifierCV"),
        "training-failed": _training(study, "No such class", "sklearn.linear_model:Nobody"),
        "import": at("import", study.slug),
        "import-running": _running_import(study, person).get_absolute_url(),
    }
    pages |= {
        f"no-{name}": at(name, empty_study.slug)
        for name in (
            *("study", "datasets", "import", "campaigns", "runs"),
            *("imported-methods", "comparison", "disagreements", "what-to-do", "people"),
        )
    }
    return [WalkPage(f"state-{name}", address, BUSY_OWNER) for name, address in pages.items()]


def many_stops() -> list[WalkPage]:
    """Pages of a study with answers of no, one, two, eight and all methods on 21 series.

    One person has marked five of the series; the demo's campaign has five people.
    """
    person, _ = User.objects.get_or_create(username=PEOPLE[BUSY_OWNER])
    study = _study(person, "many", "Many methods")
    _series(study, person, fork_count=3)
    _store_answers(study)
    campaign_address = _marked_campaign(study, person).get_absolute_url()
    comparison_address, run_address = at("comparison", study.slug), at("run-new", study.slug)
    pages = {
        "comparison-people": f"{comparison_address}?y=campaign:alone&m=people",
        "comparison-1": f"{comparison_address}?y=known&m=kelly",
        "comparison-2": f"{comparison_address}?y=known&m=kelly&m=georges",
        "comparison-8": f"{comparison_address}?y=known",
        "comparison-all": f"{comparison_address}?y=known&m=all",
        "disagreements": f"{at('disagreements', study.slug)}?by=methods&y=known",
        "run-new": run_address,
        "truth": f"{campaign_address}?tab=truth",
        "agreement": f"{campaign_address}?tab=agreement",
    }
    return [WalkPage(f"many-{name}", address, BUSY_OWNER) for name, address in pages.items()]


def large_stops() -> list[WalkPage]:
    """Pages of a study of 5,850 series, 650 of which five people marked and methods answered."""
    owner = User.objects.filter(username=PEOPLE[LARGE_OWNER]).first() or large_study(LARGE_SCALE)[0]
    owner.set_password(PASSWORD)
    owner.save()
    study = Study.objects.get(memberships__user=owner)
    campaign_address = study.campaigns.get(name="Costed").get_absolute_url()
    names = ("study", "datasets", "campaigns", "campaign-new", "comparison", "disagreements")
    pages = {name: at(name, study.slug) for name in (*names, "what-to-do", "run-new", "people")}
    pages |= {
        "truth": f"{campaign_address}?tab=truth",
        "agreement": f"{campaign_address}?tab=agreement",
    }
    return [WalkPage(f"large-{name}", address, LARGE_OWNER) for name, address in pages.items()]


def _store_answers(study: Study) -> None:
    """An answer of each method that can run, a little later from method to method."""
    series = list(Series.objects.filter(benchmark__dataset__study=study).order_by("pk"))
    keys = [method().key for method in registry().values() if not method.missing()]
    Detection.objects.bulk_create(
        [
            Detection(
                series=series_row,
                detector_key=key,
                slug=key.partition("@")[0],
                steady_start=-1 if (index + series_row.pk) % 11 == 0 else 7 * index % 390,
            )
            for series_row in series
            for index, key in enumerate(keys)
        ],
        ignore_conflicts=True,
    )


def _marked_campaign(study: Study, person: User) -> Campaign:
    """A campaign that one person has answered."""
    campaign = study.campaigns.filter(name="Alone").first()
    if campaign is not None:
        return campaign
    series = Series.objects.filter(benchmark__dataset__study=study).order_by("pk")[:5]
    spec = campaigns.CampaignSpec(
        name="Alone", series=[series_row.pk for series_row in series], annotators=[person]
    )
    campaign = campaigns.create(study, spec, by=person)
    campaigns.open_campaign(campaign)
    for task in campaign.tasks.select_related("series"):
        save_mark(
            task,
            by=person,
            client_id=uuid4(),
            digest=task.series.digest,
            kind="never" if task.position == 2 else "steady",
            index=None if task.position == 2 else 40,
        )
    return campaign


def _study(person: User, slug: str, name: str) -> Study:
    study, _ = Study.objects.get_or_create(slug=slug, defaults={"name": name})
    Membership.objects.get_or_create(study=study, user=person, defaults={"role": Role.OWNER})
    return study


def _series(study: Study, person: User, *, fork_count: int = 1) -> None:
    """Forks of each kind of simulated series, too short for some methods; answers are known."""
    rows = ["benchmark,fork,iteration,value"]
    for kind, fork in product(KINDS, range(fork_count)):
        values = simulate(kind, n=400).values + fork
        rows += [
            f"state.{kind},{fork},{iteration},{value!r}"
            for iteration, value in enumerate(values.tolist())
        ]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "one.csv")
        file.write_text("\n".join(rows), encoding="utf-8")
        name = f"{study.slug}/short"
        call_command("import_series", name, str(file), owner=person.username, stdout=io.StringIO())
    for kind in KINDS:
        kind_series = Series.objects.filter(
            benchmark__dataset__study=study, benchmark__name__endswith=kind
        )
        kind_series.update(known_start=simulate(kind, n=400).steady_start)


# --- runs -----------------------------------------------------------------------------------------
def _run(study: Study, name: str, *keys: str) -> Run:
    earlier_run = study.runs.filter(name=name).first()
    return earlier_run or services.start_run(
        study, user=None, selection=SeriesSelection("short"), keys=keys, name=name, queued=False
    )


def _running_run(study: Study) -> Run:
    """One part of it is held by a worker that says nothing more."""
    run = _run(study, "Going", "kelly", "georges", "sdm")
    moment = timezone.now()
    beat = {"started": moment, "last_beat": moment + LONG, "busy_with": "kelly"}
    Worker.objects.get_or_create(name=ELSEWHERE, defaults=beat)
    chunk = run.units.order_by("pk").first()
    assert chunk
    if take(chunk, worker=ELSEWHERE):
        Chunk.objects.filter(pk=chunk.pk).update(lease=moment + LONG, done_count=2)
    return run


def _run_failed(study: Study) -> Run:
    """One method answers, one breaks, one finds the series too short."""
    run = _run(study, "With failures", "fixed?iteration=50", "mser", "cp-ssd")
    with patch.object(get("mser"), "answer", side_effect=WENT_WRONG):
        work.work_through(run, worker="walk", tell_progress=lambda *_: None)
    return run


# --- training -------------------------------------------------------------------------------------
def _training(study: Study, name: str, model: str) -> str:
    """The address of one that has ended; whether its class is allowed is asked by workers."""
    training = Training.objects.filter(study=study, name=name).first()
    if training is None:
        query = TrainingQuery("known", model, 30, None, 2, "benchmarks", name=name)
        training = start_training(study, plan_training(study, query), user=None, queued=False)
        work.work_through(training, worker="walk", tell_progress=lambda *_: None)
    return training.get_absolute_url()


# --- sensitivity and tuning -----------------------------------------------------------------------
def _exploration_query(kind: Kind, name: str) -> ExplorationQuery:
    method = get("georges")
    ranges = (
        (level_range(method, "k", (5, 10, 20)), level_range(method, "threshold", (0.01, 0.05)))
        if kind == Kind.GRID
        else (checked_range(method, "k", 5, 40), checked_range(method, "threshold", 0.005, 0.1))
    )
    if kind == Kind.GRID:
        return ExplorationQuery(kind, method, ranges, {}, "known", name=name)
    goal: dict[Objective, float] = {"mean_abs": 1.0, "fp": 1.0}
    return ExplorationQuery(kind, method, ranges, {}, "known", samples=60, name=name, goal=goal)


def _exploration(study: Study, kind: Kind, name: str) -> Exploration:
    earlier_exploration = study.explorations.filter(name=name).first()
    scope = plan.exploration_scope(study, "known")
    return earlier_exploration or start_exploration(
        study, _exploration_query(kind, name), scope, user=None, queued=False
    )


def _running_exploration(study: Study) -> Exploration:
    exploration = _exploration(study, Kind.GRID, "Going")
    unit = exploration.units.order_by("pk").first()
    assert unit
    if take(unit, worker=ELSEWHERE):
        Part.objects.filter(pk=unit.pk).update(lease=timezone.now() + LONG, done_count=7)
    return exploration


def _exploration_failed(study: Study) -> Exploration:
    exploration = _exploration(study, Kind.GRID, "With failures")

    def broken(*_: object) -> None:
        raise WENT_WRONG

    with patch.object(answer_unit, "set_answerer", return_value=broken):
        work.work_through(exploration, worker="walk", tell_progress=lambda *_: None)
    return exploration


def _exploration_front(study: Study) -> Exploration:
    exploration = _exploration(study, Kind.FRONT, "What each figure costs the others")
    work.work_through(exploration, worker="walk", tell_progress=lambda *_: None)
    return exploration


# --- imports --------------------------------------------------------------------------------------
def _running_import(study: Study, person: User) -> Import:
    """A large file, a third of which another machine has read."""
    earlier_import = study.imports.filter(file_name="large.csv").first()
    if earlier_import is not None:
        return earlier_import
    text = b"benchmark,fork,iteration,value\n" + b"".join(b"l.One,0,%d,1\n" % k for k in range(90))
    upload = uploads.store_upload(study, [text], "large.csv", by=person)
    Import.objects.filter(pk=upload.pk).update(state=Import.State.RUNNING, job="states")
    moment = time.time()
    jobs._write_progress(
        "states",
        jobs.ImportProgress(
            *("large.csv", 1, 2, 6000, moment - 40, moment + LONG.total_seconds()),
            read=2000,
            stored=1900,
            host="elsewhere",
        ),
    )
    return upload
