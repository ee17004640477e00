"""Who may see whose answers to which series."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import numpy as np
import pytest
from django.contrib.auth.models import AnonymousUser

from annotate import blind
from annotate.answering import second_pass
from annotate.answering.services import save_mark
from annotate.blind import EVERYTHING
from annotate.importing import screening
from annotate.models import Annotator, Assignment, Campaign, Task
from annotate.truth import exports, results
from people.models import Membership, Role, Study, User
from series.importing.services import import_file
from series.models import Dataset, Series
from series.reading.file_readers import FileToRead
from tests.replayed_rows import replayed

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
@replayed
def three_series(make_series: Callable[..., Series]) -> list[Series]:
    return [make_series(np.arange(30.0) + fork, fork=fork) for fork in range(3)]


@pytest.fixture
def two_tasks(three_series: list[Series], make_task: Callable[[Series], Task]) -> list[Task]:
    """The third series is in no campaign."""
    return [make_task(series) for series in three_series[:2]]


def answer(task: Task, by: User) -> None:
    digest = task.series.digest
    save_mark(task, by=by, client_id=uuid4(), digest=digest, kind="never")


def visible_forks(user: User | AnonymousUser) -> list[int]:
    return [
        visible_series_row.fork
        for visible_series_row in blind.visible_series(user, Series.objects.all())
    ]


def test_an_annotator_sees_what_they_have_answered_and_nothing_else(
    two_tasks: list[Task], ana: User
) -> None:
    assert visible_forks(ana) == []

    answer(two_tasks[1], ana)

    assert visible_forks(ana) == [1]
    assert blind.is_open(ana, two_tasks[0].series)
    assert not blind.is_open(ana, two_tasks[1].series)
    assert blind.count_hidden_series(ana, Series.objects.all()) == 2
    assert blind.count_hidden_series(ana, Series.objects.all(), seen_count=1) == 2


def test_a_condition_that_is_kept_is_one_persons_and_stays_as_it_was(
    two_tasks: list[Task], ana: User, ben: User
) -> None:
    def open_queries() -> list[str]:
        return [str(blind.open_series(person).query) for person in (ana, ben)]

    queries_before = open_queries()
    answer(two_tasks[1], ana)

    assert visible_forks(ana) == [1]
    assert visible_forks(ben) == []
    assert blind.count_hidden_series(ana, Series.objects.all()).asked == 1
    assert open_queries() == queries_before
    assert queries_before[0] != queries_before[1]


def test_somebody_elses_answer_opens_nobodys_eyes(
    two_tasks: list[Task], ana: User, ben: User
) -> None:
    answer(two_tasks[0], ben)

    assert visible_forks(ana) == []


def test_owners_and_viewers_who_are_not_asked_see_everything(
    two_tasks: list[Task], olga: User, vic: User
) -> None:
    assert visible_forks(olga) == visible_forks(vic) == [0, 1, 2]


def test_an_owner_on_a_campaign_is_blind_to_its_open_series(
    two_tasks: list[Task], olga: User
) -> None:
    Annotator.objects.create(campaign=two_tasks[0].campaign, user=olga, pseudonym="a3")
    for task in two_tasks:
        Assignment.objects.create(task=task, user=olga, order=0)
    answer(two_tasks[0], olga)

    assert visible_forks(olga) == [0, 2]
    assert blind.count_hidden_series(olga, Series.objects.all()) == 1


def test_a_second_campaign_makes_a_series_open_again(
    two_tasks: list[Task], ana: User, campaign: Campaign
) -> None:
    answer(two_tasks[0], ana)
    second_campaign = Campaign.objects.create(
        study=campaign.study, name="Again", slug="again", state="draft"
    )
    task = Task.objects.create(campaign=second_campaign, series=two_tasks[0].series, position=1)
    Assignment.objects.create(task=task, user=ana, order=0)

    assert visible_forks(ana) == []


def test_a_closed_campaign_keeps_nobody_blind(two_tasks: list[Task], ana: User) -> None:
    Campaign.objects.update(state=Campaign.State.CLOSED)

    assert visible_forks(ana) == [0, 1]


def test_strangers_and_the_signed_out_see_no_series(two_tasks: list[Task], stranger: User) -> None:
    assert visible_forks(stranger) == visible_forks(AnonymousUser()) == []
    assert blind.is_open(AnonymousUser(), two_tasks[0].series)


def test_asking_costs_one_query(
    two_tasks: list[Task], ana: User, django_assert_num_queries: Callable[..., object]
) -> None:
    with django_assert_num_queries(1):  # type: ignore[attr-defined]
        visible_forks(ana)


# --- copies -----------------------------------------------------------------------------------
NOISE = 1 + np.random.default_rng(3).exponential(0.01, 600)


@pytest.fixture
def original_task(make_series: Callable[..., Series], make_task: Callable[[Series], Task]) -> Task:
    """A series of the campaign; beside it one that nobody asks for."""
    make_series(1 + np.random.default_rng(4).exponential(0.01, 600), fork=1)
    return make_task(make_series(NOISE))


@pytest.fixture
def copies(original_task: Task, ana: User) -> list[Series]:
    """Two series that ana has brought into a study of her own: the second is a copy."""
    own_study = Study.objects.create(name="Ana's", slug="anas")
    Membership.objects.create(study=own_study, user=ana, role=Role.OWNER)
    dataset = Dataset.objects.create(study=own_study, name="Mine", slug="mine")
    rows = [
        f"{name},0,{i},{value!r}"
        for name, values in (("a", NOISE**2 + NOISE[::-1]), ("b", 1000 * NOISE[50:-1]))
        for i, value in enumerate(values.tolist())
    ]
    text = "\n".join(["benchmark,fork,iteration,value", *rows])
    import_file(dataset, FileToRead("mine.csv", data=text.encode()))
    return list(Series.objects.filter(benchmark__dataset=dataset).order_by("benchmark__name"))


def pks(user: User) -> set[int]:
    return {
        visible_series_row.pk
        for visible_series_row in blind.visible_series(user, Series.objects.all())
    }


def test_a_copy_in_a_study_of_ones_own_is_open_until_the_series_is_answered(
    original_task: Task, copies: list[Series], ana: User, olga: User
) -> None:
    other_series, copy = copies

    assert pks(ana) == {other_series.pk}
    assert blind.is_open(ana, copy)
    assert blind.count_hidden_series(ana, Series.objects.filter(pk=copy.pk)) == 1
    assert original_task.series.pk in pks(olga)  # whom nobody asks

    answer(original_task, ana)

    assert pks(ana) == {other_series.pk, copy.pk, original_task.series.pk}
    assert not blind.is_open(ana, copy)


def test_a_copy_of_what_was_never_asked_is_open_until_one_of_them_is_answered(
    original_task: Task, copies: list[Series], ana: User
) -> None:
    Assignment.objects.all().delete()
    assert pks(ana) == {copies[0].pk}

    Assignment.objects.create(task=original_task, user=ana, order=0)
    answer(original_task, ana)
    assert pks(ana) == {copy.pk for copy in copies} | {original_task.series.pk}


def test_whoever_answered_a_series_sees_it_beside_a_copy_that_nobody_asks_for(
    original_task: Task, copies: list[Series], ana: User
) -> None:
    answer(original_task, ana)
    Membership.objects.filter(study__slug="anas").update(role=Role.ANNOTATOR)

    assert pks(ana) == {original_task.series.pk}


@pytest.mark.parametrize("has_answered", [False, True])
def test_values_of_an_open_series_are_known_as_such(
    original_task: Task, ana: User, *, has_answered: bool
) -> None:
    if has_answered:
        answer(original_task, ana)

    for values in (NOISE, NOISE[1:], 0.1 * NOISE[:-1], NOISE[300:] + 1):
        assert blind.is_copy_of_open(ana, values) is not has_answered
    assert not blind.is_copy_of_open(ana, NOISE**2 + NOISE[::-1])


def test_a_closed_campaign_hides_no_values_from_strangers(original_task: Task) -> None:
    """A playground that is open to everybody takes the values again once nobody is asked."""
    stranger = AnonymousUser()
    copy_verdicts = [blind.is_copy_of_open(stranger, NOISE)]
    for state in (Campaign.State.DRAFT, Campaign.State.CLOSED):
        Campaign.objects.filter(pk=original_task.campaign_id).update(state=state)
        copy_verdicts.append(blind.is_copy_of_open(stranger, NOISE))

    assert copy_verdicts == [True, True, False]


def test_a_closed_second_pass_hides_nothing(
    three_series: list[Series], make_task: Callable[[Series], Task], ana: User
) -> None:
    """Nobody can answer the rest of it any more, so that it is no reason to wait for it."""
    task = make_task(three_series[0])
    campaign = Campaign.objects.filter(pk=task.campaign_id)
    campaign.update(purpose=Campaign.Purpose.REPEAT)
    assert list(blind.unfinished_passes(ana.pk)) == [task.campaign]

    campaign.update(state=Campaign.State.CLOSED)

    assert list(blind.unfinished_passes(ana.pk)) == []


# --- for whom ---------------------------------------------------------------------------------
READS_ANSWERS = {
    "series": lambda _, reader: list(blind.visible_series(reader, Series.objects.all())),
    "left out": lambda _, reader: blind.count_hidden_series(reader, Series.objects.all()),
    "results": lambda task, reader: list(results.results(task.campaign, reader)),
    "order": lambda task, reader: results.positions_of(
        results.stored_truths(task.campaign, reader), task.campaign, "start"
    ),
    "ground truth": lambda task, reader: list(exports.ground_truth_csv(task.campaign, reader)),
    "marks": lambda task, reader: list(exports.marks_csv(task.campaign, reader)),
    "pairs": lambda task, reader: second_pass.answer_pairs(task.campaign, reader),
    "screening": lambda task, reader: screening.screened_series(task.campaign, reader),
}


@pytest.mark.parametrize("function_name", READS_ANSWERS)
def test_nobody_reads_nothing(two_tasks: list[Task], ben: User, function_name: str) -> None:
    answer(two_tasks[0], ben)
    read_rows = READS_ANSWERS[function_name]

    read_rows(two_tasks[0], EVERYTHING)  # which may

    with pytest.raises(AttributeError, match="NoneType"):
        read_rows(two_tasks[0], None)


def test_rows_about_series_are_for_nobody_who_is_not_signed_in(two_tasks: list[Task]) -> None:
    assert blind.without_open(EVERYTHING, Task.objects.all()).count() == len(two_tasks)
    assert not blind.without_open(AnonymousUser(), Task.objects.all()).exists()


def test_everything_is_read_by_who_asks_for_it_by_name(two_tasks: list[Task], ana: User) -> None:
    assert not blind.open_series(EVERYTHING).exists()
    assert blind.visible_series(EVERYTHING, Series.objects.all()).count() == 3
    assert blind.count_hidden_series(EVERYTHING, Series.objects.all()) == 0
    assert len(results.stored_truths(two_tasks[0].campaign, EVERYTHING)) == 2
    assert results.stored_truths(two_tasks[0].campaign, ana) == []


def readers() -> Iterator[tuple[str, str, bool]]:
    """Where a `reader` is taken: the place, its type, and whether it may be left out."""
    for room in ("annotate", "analysis", "series"):
        for file in sorted((ROOT / room).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.FunctionDef):
                    yield from _parameters(f"{file.relative_to(ROOT)}:{node.name}", node.args)
                if isinstance(node, ast.AnnAssign) and _name(node.target) == "reader":
                    place = f"{file.relative_to(ROOT)}:{node.lineno}"
                    yield place, ast.unparse(node.annotation), node.value is not None


def _name(target: ast.expr) -> str:
    return target.id if isinstance(target, ast.Name) else ""


def _parameters(place: str, arguments: ast.arguments) -> Iterator[tuple[str, str, bool]]:
    positional_arguments = [*arguments.posonlyargs, *arguments.args]
    optional_names = {
        argument.arg
        for argument in positional_arguments[len(positional_arguments) - len(arguments.defaults) :]
    }
    optional_names |= {
        argument.arg
        for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        if default is not None
    }
    for argument in (*positional_arguments, *arguments.kwonlyargs):
        if argument.arg == "reader" and argument.annotation is not None:
            yield place, ast.unparse(argument.annotation), "reader" in optional_names


def test_a_reader_is_never_left_out_and_never_none() -> None:
    all_readers = list(readers())

    assert len(all_readers) > 20
    assert {kind for _, kind, _ in all_readers} <= {"User", "Reader", "Reader | AnonymousUser"}
    assert [place for place, _, optional in all_readers if optional] == []


def test_only_series_that_wait_for_somebody_are_asked_of_them(
    two_tasks: list[Task], ana: User
) -> None:
    answer(two_tasks[1], ana)

    assert [series.pk for series in blind.asked_series(ana)] == [two_tasks[0].series_id]


def test_a_command_sees_all_and_nothing_is_left_out(two_tasks: list[Task], study: Study) -> None:
    all_series = Series.objects.all()

    assert blind.sees_all(EVERYTHING, study, all_series)
    hidden_count = blind.count_hidden_series(EVERYTHING, all_series)
    assert (hidden_count, hidden_count.asked) == (0, 0)


def test_nobody_sees_all_of_a_study_that_is_another_of_theirs(
    three_series: list[Series], study: Study
) -> None:
    stranger = User.objects.create_user("stranger")
    other_study = Study.objects.create(name="Other", slug="other")
    Membership.objects.create(study=other_study, user=stranger, role=Role.VIEWER)

    assert not blind.sees_all(stranger, study, Series.objects.all())


@pytest.mark.parametrize(
    ("count", "asked_count", "words"),
    [
        (1, 1, "you have yet to answer it"),
        (2, 2, "you have yet to answer them"),
        (2, 0, "you have not been asked for them yet"),
        (3, 1, "you have yet to answer 1 of them, and have not been asked for the others yet"),
    ],
)
def test_why_series_are_left_out_is_said(count: int, asked_count: int, words: str) -> None:
    assert blind.HiddenSeriesCount(count, asked_count).because == words


def test_who_sees_all_of_a_study_has_nothing_open_there(
    two_tasks: list[Task], study: Study, olga: User, ana: User, make_person: Callable[..., User]
) -> None:
    series = Series.objects.filter(tasks__in=two_tasks)
    unasked_person = make_person("cem", Role.ANNOTATOR)

    assert blind.sees_all(olga, study, series)
    assert not blind.sees_all(ana, study, series)
    assert not blind.sees_all(unasked_person, study, series)
    for task in two_tasks:
        answer(task, ana)
    assert blind.sees_all(ana, study, series)

    Assignment.objects.create(task=two_tasks[0], user=olga, order=0)  # an owner who is asked
    assert not blind.sees_all(olga, study, series)


def test_rows_about_open_series_alone_are_left_out(two_tasks: list[Task], ana: User) -> None:
    answer(two_tasks[0], ana)

    assert list(blind.without_open(ana, Task.objects.all())) == two_tasks[:1]


def test_a_second_pass_is_open_until_all_of_it_is_answered(
    two_tasks: list[Task], ana: User
) -> None:
    Campaign.objects.update(purpose=Campaign.Purpose.REPEAT)
    answer(two_tasks[0], ana)
    assert blind.is_open(ana, two_tasks[0].series)
    assert {series.pk for series in blind.asked_series(ana)} == {
        task.series_id for task in two_tasks
    }

    answer(two_tasks[1], ana)

    assert not blind.asked_series(ana).exists()


def test_a_screening_opens_nothing_before_it_is_closed(two_tasks: list[Task], ana: User) -> None:
    Campaign.objects.update(purpose=Campaign.Purpose.SCREENING)
    for task in two_tasks:
        answer(task, ana)
    assert all(blind.is_open(ana, task.series) for task in two_tasks)

    Campaign.objects.update(state=Campaign.State.CLOSED)

    assert not any(blind.is_open(ana, task.series) for task in two_tasks)
