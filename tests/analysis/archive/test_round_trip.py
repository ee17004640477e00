"""A study that was archived and stored again: the same rows, ground truth, comparison, report."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from analysis.archive.bundle import StudyArchive, StudyChanged
from analysis.archive.restoring import import_archive
from analysis.archive.tables import TABLES
from analysis.runs.models import Detection
from annotate.answering.services import save_mark
from annotate.importing.outcome_table import outcome_table
from annotate.models import Campaign, GroundTruth, Mark, Problem, Task
from formats import tables
from people.models import Membership, Role, Study, User
from series.models import Dataset, Series
from tests.analysis.archive.conftest import NOTHING_SAID, contents, make_room

pytestmark = pytest.mark.django_db
Archived = Callable[..., Path]
FIXED_KEY = "fixed@1?iteration=1"


def test_the_same_state_the_same_bytes(full_study: Study, archived: Archived, olga: User) -> None:
    """Whoever writes it, when, and in which installation: all of it comes back."""
    first_path, repeated_path = archived(full_study), archived(full_study)
    make_room(full_study)
    second_path = archived(import_archive(first_path, owner=olga))

    assert first_path.read_bytes() == repeated_path.read_bytes()
    second_contents = contents(second_path)
    for name, content in contents(first_path).items():
        assert second_contents[name] == content, name
    assert second_path.read_bytes() == first_path.read_bytes()


def test_every_table_has_a_row(full_study: Study, archived: Archived) -> None:
    files = contents(archived(full_study))

    assert [table.name for table in TABLES if files[table.path].count(b"\n") < 2] == []


@pytest.mark.parametrize("what", ["nothing", "a data set", "a series", "two series"])
def test_little_comes_back_too(
    what: str, study: Study, olga: User, archived: Archived, make_series: Callable[..., Series]
) -> None:
    if what == "a data set":
        Dataset.objects.create(study=study, name="Empty", slug="empty")
    for fork in range({"a series": 1, "two series": 2}.get(what, 0)):
        make_series([1.5], fork=fork)
    file = archived(study)
    make_room(study)

    assert archived(import_archive(file, owner=olga)).read_bytes() == file.read_bytes()


def test_all_changes_of_level_come_back_and_are_a_file_for_readers(
    task: Task, campaign: Campaign, ana: User, ben: User, olga: User, archived: Archived
) -> None:
    Campaign.objects.update(purpose=Campaign.Purpose.CHANGES, params={"eps": 1, "min_samples": 2})
    task.refresh_from_db()
    for person, changes in ((ana, [12, 30]), (ben, [30]), (ben, []), (ben, [12])):
        digest = task.series.digest
        save_mark(
            task, by=person, client_id=uuid4(), digest=digest, kind="changes", changes=changes
        )
    Detection.objects.create(
        series=task.series, detector_key=FIXED_KEY, slug="fixed", steady_start=1, changes=[]
    )
    file = archived(task.campaign.study)
    truth_text = contents(file)["ground-truth/first-look.csv"].decode()
    make_room(task.campaign.study)

    study = import_archive(file, owner=olga)

    assert archived(study).read_bytes() == file.read_bytes()
    marks = Mark.objects.filter(task__campaign__study=study).order_by("annotator", "revision")
    assert list(marks.values_list("changes", flat=True)) == [[12, 30], [30], [], [12]]
    assert Detection.objects.get().changes == []
    assert truth_text == "".join(tables.table_text(*outcome_table(study.campaigns.get(), olga)))


def test_beside_the_study_itself_it_gets_names_of_its_own(
    full_study: Study, archived: Archived, olga: User
) -> None:
    file = archived(full_study)

    study = import_archive(file, owner=olga)

    assert (study.name, study.slug) == (full_study.name, "startup-times-2")
    assert len(set(Series.objects.values_list("public_id", flat=True))) == Series.objects.count()
    truths = [
        GroundTruth.objects.filter(task__campaign__study=owning_study).order_by("pk")
        for owning_study in (full_study, study)
    ]
    digests = [
        list(study_truths.values_list("marks_digest", "steady_start")) for study_truths in truths
    ]
    assert digests[0] == digests[1] != []
    owner_pks = study.memberships.filter(role=Role.OWNER).values_list("user", flat=True)
    assert list(owner_pks) == [olga.pk]


def test_nobody_who_came_with_it_can_sign_in(
    full_study: Study, archived: Archived, olga: User
) -> None:
    study = import_archive(archived(full_study), owner=olga)

    people = Membership.objects.filter(study=study).exclude(user=olga).select_related("user")
    assert people.count() == 3  # ana, ben, and olga as who reviewed
    assert not any(person.user.is_active or person.user.has_usable_password() for person in people)
    simulated_users = User.objects.filter(marks__task__campaign__study=study, simulated=True)
    assert set(simulated_users.values_list("username", flat=True)) == {
        f"simulated-{number}" for number in range(1, 6)
    }


def test_nobody_is_named(full_study: Study, archived: Archived, olga: User, ana: User) -> None:
    User.objects.filter(pk=ana.pk).update(first_name="Anastasia", last_name="Karamazova")

    files = contents(archived(full_study))

    for word in (b"anastasia", b"karamazova", b"example.org", b"olga", b",ana,", b",ben,"):
        assert [name for name, text in files.items() if word in text.lower()] == []
    assert b"p1,0,\n" in files["tables/people.csv"]
    assert b",1,simulated-1\n" in files["tables/people.csv"]


def test_marks_that_make_another_ground_truth_are_refused(
    full_study: Study, archived: Archived, olga: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    GroundTruth.objects.filter(task__campaign__slug="first-look", steady=True).update(
        steady_start=7
    )
    file = archived(full_study)
    counts_before = Study.objects.count(), User.objects.count(), Mark.objects.count()

    with pytest.raises(ValueError, match=r"steady_start is 7, but this version of Plateau makes"):
        import_archive(file, owner=olga)
    assert (Study.objects.count(), User.objects.count(), Mark.objects.count()) == counts_before


def test_what_changes_meanwhile_is_told(full_study: Study, tmp_path: Path) -> None:
    steps = StudyArchive(full_study, NOTHING_SAID).write(tmp_path / "one.zip")
    for _ in range(len(TABLES)):
        next(steps)
    Problem.objects.update(text="Cut off at the end.")

    with pytest.raises(StudyChanged, match="changed meanwhile"):
        list(steps)


# --- commands ---------------------------------------------------------------------------------
def test_commands(full_study: Study, tmp_path: Path, olga: User) -> None:
    file, output = tmp_path / "all.zip", StringIO()
    call_command(
        "archive", full_study.slug, "--to", str(file), "--licence", "CC-BY-4.0", stdout=output
    )
    call_command("import_archive", str(file), "--owner", "olga", stdout=output)

    assert f"{file}: " in output.getvalue()
    assert "startup-times-2: imported" in output.getvalue()
    assert [path.name for path in tmp_path.iterdir()] == ["all.zip"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--owner", "nobody"], "--owner: found 'nobody', expected one of ana, olga"),
        ([], "--owner: found none, expected one of ana, olga"),
        (["--owner", "olga"], "Nothing was imported"),
    ],
)
def test_who_or_what_is_not_there_is_told(
    words: list[str], message: str, tmp_path: Path, olga: User, ana: User
) -> None:
    with pytest.raises(CommandError, match=message) as error_info:
        call_command("import_archive", str(tmp_path / "no.zip"), *words)
    assert error_info.value.returncode == 2


def test_without_an_account_nobody_could_own_it(db: None, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="createsuperuser"):
        call_command("import_archive", str(tmp_path / "no.zip"))


# --- comparison and report --------------------------------------------------------------------
def test_comparison_is_the_same(compared_study: Campaign, archived: Archived, olga: User) -> None:
    study = compared_study.study
    file, outputs_before = archived(study), command_outputs(study)
    make_room(study)

    assert command_outputs(import_archive(file, owner=olga)) == outputs_before
    assert '"kb-kssd' in outputs_before[1]


def command_outputs(study: Study) -> list[str]:
    """Printed output of three commands about `study`."""
    outputs = []
    for words in (
        ["ground_truth", f"{study.slug}/first-look"],
        ["comparison", f"{study.slug}/first-look", "--format", "json"],
        ["comparison", f"{study.slug}/first-look", "--what", "errors"],
    ):
        output = StringIO()
        call_command(*words, stdout=output)
        outputs.append(output.getvalue())
    return outputs
