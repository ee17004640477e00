"""Every page and every command in installations of few people and few series.

Nobody, one person and two people; no, one and two series; and what else may be missing: marks,
detections, methods, anything steady.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from io import StringIO
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import numpy as np
import pytest
from django.core.management import CommandError, call_command, get_commands
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse

from analysis.comparison import exports
from analysis.comparison.what_if_tables import WHAT_IF_TABLES
from analysis.cost.exports import COST_TABLES
from analysis.runs.models import Detection, Run
from annotate.answering.services import save_mark
from annotate.models import Annotator, Assignment, Campaign, Task
from people.models import Study, User
from series.importing import uploads
from series.models import Benchmark, Dataset, Series
from tests.access_table import ANA, OLGA, TABLE, Route, World
from tests.every_case import EVERY_CASE
from tests.test_access import add_archive, add_exploration, add_report, import_answers, remove_draft

pytestmark = pytest.mark.slow

KB: Final = "kb-kssd@1?prob_window=500"
FIXED: Final = "fixed@1?iteration=500"


@dataclass(frozen=True, slots=True)
class SmallInstallation:
    """One small installation.

    marks     what each person answers to every series: an iteration, -1 never; None: nobody has
    methods   what each method answers to every series, by key
    """

    people: int = 2
    series: int = 2
    marks: int | None = 40
    methods: dict[str, int] = field(default_factory=lambda: {KB: 60, FIXED: 50})
    unit: str = "s/op"


USUAL: Final = SmallInstallation()
POSTGRES_SIZES: Final = {(2, 2)} if connection.vendor == "postgresql" else set[tuple[int, int]]()
SMALL: Final = {
    f"{p} people, {s} series": SmallInstallation(p, s)
    for p in range(3)
    for s in range(3)
    if EVERY_CASE or (p, s) in {(0, 0), (1, 1), (0, 2)} | POSTGRES_SIZES
}
RARE_STATES: Final = {
    "a steady mark": replace(USUAL, marks=-1),
    "a steady detection": replace(USUAL, methods={KB: -1, FIXED: -1}),
    "a second method": replace(USUAL, methods={FIXED: 60}),
}
WITHOUT: Final = {
    "marks": replace(USUAL, marks=None),
    "anything steady": replace(USUAL, marks=-1, methods={KB: -1, FIXED: -1}),
    "detections": replace(USUAL, methods={}),
    "times, but rates": replace(USUAL, unit="op/s"),
    **(RARE_STATES if EVERY_CASE else {}),
}
ASKED: Final = {
    "campaign": ("", "?tab=progress", "?tab=truth", "?tab=agreement", "?ask=close"),
    "comparison": ("", "?common=1&cols=all&vtol=1"),
    "comparison-export": ("",),
    "comparison-figures": ("?figure=pairs",),
    "comparison-report": ("",),
    "comparison-tests": ("",),
    "disagreements": ("", "?by=methods&order=change", "?by=methods&cell=says-never"),
}
"""What these routes are asked for; the others what the table of access says."""
OF_ANSWERS: Final = (*("campaign", "comparison", "cost", "disagreement", "what-to-do", "what-if"),)
"""How names of the routes begin that are about marks and detections."""


@pytest.fixture
def install(
    study: Study,
    dataset: Dataset,
    make_series: Callable[..., Series],
    olga: User,
    ana: User,
    ben: User,
) -> Callable[[SmallInstallation], World]:
    """Stores one, and gives what the arguments of routes stand for; without a series fewer."""

    def install(installation: SmallInstallation) -> World:
        campaign = Campaign.objects.create(
            study=study, name="First look", slug="first-look", state=Campaign.State.OPEN
        )
        people = (ana, ben)[: installation.people]
        for person_index, user in enumerate(people):
            Annotator.objects.create(campaign=campaign, user=user, pseudonym=f"a{person_index + 1}")
        steps = np.where(np.arange(200) < 40, 2.0, 1.0)
        tasks = []
        for fork in range(installation.series):
            series = make_series(steps + fork / 100, fork=fork)
            tasks.append(ask_people(people, campaign, series))
            for key, answer in installation.methods.items():
                store_detection(series, key, answer)
        Benchmark.objects.update(unit=installation.unit)
        for user in people if installation.marks is not None else ():
            for task in tasks:
                store_mark(task, user, installation.marks)
        return {**world(study, campaign, olga), **(of_task(tasks[0], olga) if tasks else {})}

    return install


def ask_people(people: Sequence[User], campaign: Campaign, series: Series) -> Task:
    order = campaign.tasks.count()
    task = Task.objects.create(campaign=campaign, series=series, position=order + 1)
    for user in people:
        Assignment.objects.create(task=task, user=user, order=order)
    return task


def store_detection(series: Series, key: str, answer: int) -> None:
    slug = key.partition("@")[0]
    Detection.objects.create(series=series, detector_key=key, slug=slug, steady_start=answer)


def store_mark(task: Task, by: User, answer: int | None) -> None:
    kind, index = ("never", None) if answer == -1 else ("steady", answer)
    digest = task.series.digest
    save_mark(task, by=by, client_id=uuid4(), digest=digest, kind=kind, index=index)


def world(study: Study, campaign: Campaign, olga: User) -> World:
    run = Run.objects.create(study=study, name="Waits", selection={"dataset": "nightly"})
    return {
        "study": study.slug,
        "campaign": campaign.slug,
        "dataset": "nightly",
        "run": run.public_id,
        "section": "recipe",
        "kind": "campaign",
        "thing": campaign.slug,
        "removal": remove_draft(study, olga).public_id,
        "archive": add_archive(study).public_id,
        "import_id": uploads.store_upload(study, [b"1.5\n1.4\n"], "two.txt", by=olga).public_id,
    }


def of_task(task: Task, olga: User) -> World:
    series = task.series
    return {
        "position": task.position,
        "series": series.public_id,
        "digest": series.digest,
        "benchmark": series.benchmark.public_id,
        "exploration": add_exploration(task.campaign.study, task).public_id,
        "report": add_report(task.campaign.study).public_id,
        "own": import_answers(task.campaign.study, task, olga).public_id,
    }


def addresses(world: World, begin: tuple[str, ...]) -> Iterator[tuple[str, Route]]:
    """Every address that this installation has the objects for, of routes that begin so."""
    for name, route in TABLE.items():
        has_arguments = route.arguments and set(route.arguments) <= set(world)
        if route.get and has_arguments and name.startswith(begin):
            address = reverse(
                name, kwargs={argument: world[argument] for argument in route.arguments}
            )
            for query in ASKED.get(name, (route.query,)):
                yield address + query, route


def answers(world: World, begin: tuple[str, ...] = ("",)) -> Iterator[tuple[str, int]]:
    """The status that each gives the owner, or the annotator where it is for annotators alone."""
    clients = {name: Client(raise_request_exception=False) for name in (OLGA, ANA)}
    for name, client in clients.items():
        client.force_login(User.objects.get(username=name))
    for address, route in addresses(world, begin):
        with transaction.atomic():
            answer: Any = clients[OLGA if OLGA in route.get else ANA].get(address)
            if answer.streaming:
                b"".join(answer.streaming_content)
            transaction.set_rollback(True)
        yield address, answer.status_code


def wrong_statuses(
    statuses: Iterable[tuple[str, int]], installation: SmallInstallation
) -> list[tuple[str, int]]:
    """Neither shown, nor refused where what is asked about is not there."""
    good_statuses = {200, 302, 308}  # 308: an old address of a page that merged
    if installation.people == 0:
        good_statuses |= {403, 404}
    if installation.series == 0 or installation.marks is None:
        good_statuses |= {404}  # no yardstick
    if FIXED not in installation.methods:
        good_statuses |= {422}  # its evidence is asked for
    return [fault for fault in statuses if fault[1] not in good_statuses]


@pytest.mark.parametrize("installation", SMALL.values(), ids=SMALL)
def test_every_page(
    installation: SmallInstallation, install: Callable[[SmallInstallation], World]
) -> None:
    assert wrong_statuses(answers(install(installation)), installation) == []


@pytest.mark.parametrize("installation", WITHOUT.values(), ids=WITHOUT)
def test_every_page_of_answers_without(
    installation: SmallInstallation, install: Callable[[SmallInstallation], World]
) -> None:
    assert wrong_statuses(answers(install(installation), OF_ANSWERS), installation) == []


# --- commands ---------------------------------------------------------------------------------
COMMANDS: Final[dict[str, tuple[list[str], ...]]] = {
    "builds": (["{study}/nightly"], ["{study}/nightly", "--before", "second"]),
    "compare": (["{study}/{campaign}"],),
    "report": (["{study}/{campaign}", "{folder}/report.zip"],),
    "agreement": (["{study}/{campaign}"],),
    "change_scores": (["{study}/{campaign}"], ["{study}/{campaign}", "--what", "change-series"]),
    "archive": (["{study}", "--to", "{folder}/archive.zip"],),
    "composition": (["{study}/nightly"],),
    "least_sure": (["{study}/{campaign}"],),
    "check_values": ([],),
    "bisect": (["{study}/nightly", "--benchmark", "a", "--before", "x", "--after", "y"],),
    "comparison": (
        *(["{study}/{campaign}", "--what", what] for what in exports.WHATS if what != "series"),
        ["{study}/{campaign}", "--common", "--against-tolerance", "1"],
        ["{study}/nightly", "--format", "json"],
        ["{study}", "--format", "csv"],
    ),
    "cost": tuple(["{study}/{campaign}", "--what", what] for what in COST_TABLES.tables),
    "detections": (["{study}/nightly"],),
    "ground_truth": (["{study}/{campaign}"], ["{study}/{campaign}", "--recipe", "median"]),
    "harness": (["{study}/nightly"], ["{study}/nightly", "--what", "series", "--format", "json"]),
    "import_detections": (["{study}/nightly", "{folder}/answers.csv", "--method", "ours"],),
    "import_events": (["{series}", "{folder}/values.csv"],),
    "import_marks": (["{study}/{campaign}", "{folder}/marks.csv"],),
    "import_series": (["{study}/nightly", "{folder}/values.csv", "--dry-run"],),
    "invocations": (["{series}"],),
    "iteration_length": (["{study}/nightly", "100 ms"],),
    "machines": (["{study}/nightly"],),
    "marks": (["{study}/{campaign}"], ["{study}/{campaign}", "--format", "annotations"]),
    "move_values": (["--to", "database"],),
    "nightly": (
        ["{study}/nightly", "{folder}/values.csv", "--recording", "x", "--method", "fixed"],
    ),
    "paper": (["{study}", "--to", "{folder}/artefact"],),
    "plan": (["{study}/nightly"], ["{study}/nightly", "--iteration", "100 ms"]),
    "recompute": (["{study}/{campaign}", "--check"],),
    "run": (["{study}/nightly", "--method", "fixed"],),
    "sensitivity": (["{study}/{campaign}", "--samples", "1"],),
    "series_to_answer": (["{study}/nightly"], ["{study}/{campaign}"]),
    "shapes": (["{study}/nightly"], ["{study}/nightly", "--anew", "--format", "json"]),
    "train": (["rocket", "{study}/{campaign}", "--output", "{folder}", "--alone"],),
    "trend": (["{study}/nightly"], ["{study}/nightly", "--junit", "{folder}/trend.xml"]),
    "tune": (["{study}/{campaign}", "--method", "fixed", "--vary", "iteration=0:9"],),
    "values": (["{study}/nightly"], ["{study}/{campaign}"]),
    "what_if": tuple(["{study}/{campaign}", "--what", what] for what in WHAT_IF_TABLES.tables),
}
OF_THE_MACHINE: Final = {
    "backup",
    "demo",
    "import_archive",
    "import_uploaded_archive",
    "import_uploads",
    "make_token",
    "move",
    "password_link",
    "provider_links",
    "restore",
    "second_factor",
    "staff",
    "sweep",
}
"""Commands that take no study."""
PAPER_STATES: Final = {"0 people, 0 series", "anything steady"}
"""Installations whose paper is written: its figures take as long as all other commands."""


def test_every_command_is_in_the_table() -> None:
    rooms = ("analysis", "annotate", "people", "series")
    command_names = {name for name, app in get_commands().items() if str(app).startswith(rooms)}

    assert command_names == {*COMMANDS, *OF_THE_MACHINE}


@pytest.mark.parametrize("name", [*SMALL, *WITHOUT])
def test_every_command(
    name: str, install: Callable[[SmallInstallation], World], tmp_path: Path
) -> None:
    """Each prints, or says in one sentence why there is nothing: no other exception."""
    words = {"series": "none", **install((SMALL | WITHOUT)[name]), "folder": tmp_path}
    skipped_commands = set() if EVERY_CASE or name in PAPER_STATES else {"paper"}
    (tmp_path / "values.csv").write_text("1.5\n1.4\n")
    (tmp_path / "answers.csv").write_text("series_digest,steady_start\n")
    (tmp_path / "marks.csv").write_text("benchmark,fork,annotator,answer,steady_start\n")

    for command in (name for name in COMMANDS if name not in skipped_commands):
        for line in COMMANDS[command]:
            with transaction.atomic():
                printed_text = command_output(command, *(word.format(**words) for word in line))
                transaction.set_rollback(True)

            assert not printed_text.startswith("Error"), (command, line)  # words it does not take


def command_output(command: str, *words: str) -> str:
    """What it prints, or the sentence by which it refuses."""
    output, err = StringIO(), StringIO()
    try:
        call_command(command, *words, stdout=output, stderr=err)
    except CommandError as refused:
        return str(refused)
    except SystemExit as ended:
        return f"status {ended.code}"
    return output.getvalue() + err.getvalue()
