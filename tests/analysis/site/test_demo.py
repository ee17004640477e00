"""The demo: real recordings, known answers, people, an empty campaign, a finished run."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from analysis.comparison.row_drawings import median_interval
from analysis.least_sure.reads import least_sure
from analysis.references.models import ReviewDecision
from analysis.runs.models import Detection, Run
from analysis.site import demo
from analysis.site.landing import landing
from analysis.site.next_action import next_action
from analysis.site.reads import study_summary
from analysis.site.study_parts import top_methods
from analysis.training.models import Training
from analysis.tuning.models import Exploration
from annotate.models import Assignment, Campaign, Mark
from demo.catalogue import CATALOGUE
from detectors.simulated.synthetic import KINDS
from docs import landing_verbs
from people.models import Study, User
from series.models import Import, Series


def run(*arguments: str) -> str:
    output = io.StringIO()
    call_command("demo", *arguments, stdout=output)
    return output.getvalue()


def counts() -> tuple[int, ...]:
    models = (Series, Assignment, Run, Detection, User)
    return tuple(model.objects.count() for model in models)


@pytest.mark.django_db
def test_a_stranger_finds_a_study_with_everything_in_it() -> None:
    printed_text = run()

    study = Study.objects.get(slug="demo")
    measured_series = Series.objects.filter(benchmark__dataset__slug="recorded")
    simulated_series = Series.objects.filter(benchmark__dataset__slug="simulated")
    assert measured_series.values("benchmark").distinct().count() == len(CATALOGUE)
    assert not measured_series.filter(known_start__isnull=False).exists()
    assert not simulated_series.filter(known_start__isnull=True).exists()
    assert simulated_series.count() == len(KINDS) * len(demo.SEEDS)
    assert simulated_series.filter(known_start=-1).exists()
    assert {series_row.benchmark.dataset.simulated for series_row in simulated_series} == {True}
    campaign = Campaign.objects.get(study=study, simulated=False)
    assert campaign.state == Campaign.State.OPEN
    assert campaign.annotators.count() == 5
    marks = Mark.objects.select_related("annotator", "task__campaign")
    assert {mark.annotator.simulated for mark in marks} == {True}  # no person's answer is invented
    assert {mark.task.campaign.name for mark in marks} == {"Five simulated annotators"}
    for name in demo.RUNS.values():
        assert Run.objects.get(name=name).state == Run.State.DONE
    assert Exploration.objects.get(name=demo.SENSITIVITY).state == Exploration.State.DONE
    assert Training.objects.get(name=demo.TRAINING).state == Training.State.QUEUED
    assert not Detection.objects.filter(outcome=Detection.Outcome.FAILED).exists()
    assert not any(person.has_usable_password() for person in User.objects.filter(simulated=True))
    for user in User.objects.filter(simulated=False):
        assert user.check_password(demo.PASSWORD)
        assert f"{user.username:<6} {demo.PASSWORD}" in printed_text

    owner = study.memberships.earliest("pk").user
    top = top_methods(study, owner)
    assert top
    action = next_action(study, study_summary(study, owner), owner)
    assert action is not None
    assert action.label == "Compare"
    shipped_intervals = [(method.title, method.interval) for method in landing_verbs.ranking()]
    compared_intervals = [(entry.title, median_interval(entry)) for entry in top.entries]
    # The first page without a demo says what the demo says at first.
    assert shipped_intervals == compared_intervals
    assert landing(study, owner)["comparing"] != landing()["comparing"]  # names its ground truth
    assert least_sure(campaign, owner).rows
    assert ReviewDecision.objects.filter(task__campaign__simulated=True).count() == 1

    counts_before = counts()
    # As an earlier version had recorded them: with other values, in other files.
    Import.objects.update(file_digest="0" * 64)
    measured_series.update(digest="0" * 64)
    run()
    assert counts() == counts_before  # a second time changes nothing

    demo.remove_demo()
    assert (Study.objects.count(), Series.objects.count(), User.objects.count()) == (0, 0, 11)


@pytest.mark.django_db
def test_there_is_no_demo_in_production(settings: Any) -> None:
    settings.DEVELOPMENT = False

    with pytest.raises(CommandError, match="expected development") as error_info:
        run()

    assert error_info.value.returncode == 2
    assert not User.objects.exists()
