"""Marks from a file: people who need no sign-in, their answers, and ground truth from them."""

from __future__ import annotations

import uuid
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import slug_re

from annotate import recipes
from annotate.answering.truth_transactions import truth_transaction
from annotate.campaign_rows import ADDRESSES
from annotate.campaigns import services as campaigns
from annotate.models import Annotator, Assignment, Campaign, GroundTruth, Mark, Task
from annotate.models.campaign import SIMULATED_PSEUDONYM
from annotate.recipes import agreed_changes
from formats import FormatError, replication
from formats.marks import MarkRow
from people.models import Membership, Role, Study, User
from people.public_id import new_public_id
from series.importing.import_plan import parse_moment
from series.models import Series

AT_A_TIME = 500  # rows of a bulk write
SLUG_LENGTH = 60
NAMESPACE = uuid.UUID("6f1c2c44-0a53-4d0e-9a4e-9f0f5f3b7d11")
PUBLISHED = "published"  # annotator of the first-stage labels of a replication package
PAIRING = (
    "First-stage label, given on a fork that the package does not name; "
    "paired with fork 0, as the published comparison pairs it."
)
SCREENED = "Screening of the same fork"  # beginning of the note of its majority
Kind = Annotator.Kind
FIRST_STAGE = "-first-stage"  # campaign of the rounds, beside that of the marks
ROUNDS: Mapping[
    replication.Stage, str
] = {  # stage → annotator; a round was dealt to several people
    "round1": "round1",
    "round2": "round2",
    "tie_break": "tie-break",
}
ABOUT_ROUNDS = (
    "The steady/never rounds of a replication package, as published: round 1, round 2, and the tie "
    "break where these two differ. A round was dealt to several people, so its answers are those "
    "of one person for each series, not of one person for all.\n\n"
    "They were given on a fork that the package does not name; here they stand with fork 0, as in "
    "the published comparison. An iteration in them is where was clicked on the fork shown.\n\n"
    "The ground truth here is what the recipe makes of these answers. The label that was published "
    "does not always follow from them; it stands in the campaign of the marks, given by "
    f"“{PUBLISHED}”."
)

SeriesKey = tuple[str, str, str, str, str, int]  # data set, recording, system, name, params, fork


@dataclass(frozen=True, slots=True)
class MarksImportResult:
    """Result of an import of marks, and how the campaign now stands."""

    campaign: Campaign
    made: bool
    stored: int
    known: int
    series: int
    annotators: int

    @property
    def recipe(self) -> str:
        """`jagt (eps=50&min_samples=3)`."""
        campaign = self.campaign
        params_text = recipes.get(campaign.recipe).params_text(campaign.params)
        slug = agreed_changes.SLUG if campaign.asks_changes else campaign.recipe
        return f"{slug} ({params_text})"

    def truths(self) -> dict[str, int]:
        """Series of the campaign by the answer of their ground truth; provisional is undecided."""
        rows = GroundTruth.objects.settled().filter(task__campaign=self.campaign)
        answers = Counter(rows.values_list("steady", flat=True))
        steady_count, never_count = answers[True], answers[False]
        undecided_count = self.campaign.tasks.counted().count() - steady_count - never_count
        return {"steady": steady_count, "never": never_count, "undecided": undecided_count}


def recipe_words(recipe: str, params: Mapping[str, Any]) -> str:
    """A recipe with its parameters, as messages name it."""
    return f"{recipe} ({recipes.get(recipe).params_text(params)})"


def rows_of_package(folder: Path) -> tuple[Sequence[MarkRow], Sequence[MarkRow]]:
    """Marks and rounds of people, from the root folder of a replication package.

    The marks are those of the second stage, and "never" where the published label says unsteady:
    people marked only the series that the first stage calls steady, so the published comparison
    could not be repeated without. The rounds of the first stage are empty where the package has
    none.

    Raises FormatError for a folder that has no answer in it, or is none.
    """
    if not folder.is_dir():
        actual = "a file" if folder.exists() else "nothing there"
        expected = "the root folder of a replication package"
        raise FormatError(str(folder), "path", found=actual, expected=expected)
    marks = list(replication.second_stage_marks(folder))
    marked_benchmarks = {(row.system, row.benchmark, row.params) for row in marks}
    labels = list(replication.first_stage(folder))
    never_rows = [
        _row_of(label, PUBLISHED)
        for label in labels
        if label.stage == PUBLISHED
        and label.answer == "never"
        and (label.system, label.benchmark, label.params) not in marked_benchmarks
    ]
    rounds = [_row_of(label, ROUNDS[label.stage]) for label in labels if label.stage in ROUNDS]
    if not marks and not never_rows:
        raise FormatError(
            str(folder),
            "folder",
            found="no marks",
            expected="files benchmark_database_steady_indices_<annotator>.json",
            hint="give the package that brings them",
        )
    return [*marks, *never_rows], rounds


def _row_of(label: replication.FirstStageLabel, pseudonym: str) -> MarkRow:
    return MarkRow(
        system=label.system,
        benchmark=label.benchmark,
        params=label.params,
        fork=replication.MARKED_FORK,
        annotator=pseudonym,
        answer=label.answer,
        steady_start=recipes.NEVER if label.position is None else label.position,
        note=PAIRING,
    )


@truth_transaction()
def import_package(
    study: Study,
    slug: str,
    marks: Sequence[MarkRow],
    rounds: Sequence[MarkRow],
    *,
    file: str,
    recipe: str | None = None,
    params: Mapping[str, Any] | None = None,
    by: User | None = None,
) -> list[MarksImportResult]:
    """The marks into the campaign `slug`; the rounds, if there are any, into one beside it.

    Two campaigns, because the published labels do not follow from the rounds: together, one of
    them would change what the other says. All or nothing, and safe to repeat, as `import_marks`.
    """
    import_options: dict[str, Any] = {"file": file, "recipe": recipe, "params": params, "by": by}
    round_results = []
    if rounds:  # first, so that the campaign of the marks is the newer one
        rounds_slug = f"{slug[: SLUG_LENGTH - len(FIRST_STAGE)]}{FIRST_STAGE}"
        round_results = [
            import_marks(study, rounds_slug, rounds, instructions=ABOUT_ROUNDS, **import_options)
        ]
    return [import_marks(study, slug, marks, **import_options), *round_results]


@truth_transaction()
def import_marks(
    study: Study,
    slug: str,
    rows: Iterable[MarkRow],
    *,
    file: str,
    recipe: str | None = None,
    params: Mapping[str, Any] | None = None,
    instructions: str = "",
    by: User | None = None,
) -> MarksImportResult:
    """Store the marks of a file in the campaign `slug`, which is made when there is none.

    `recipe` and `params` are for a campaign that is made (`jagt` when nothing is said); one that
    is there keeps its own. All or nothing; safe to repeat: the same row again is the same mark.
    Raises FormatError naming the row whose series does not exist or is ambiguous, or saying why
    the campaign cannot take the marks: it is closed, has another recipe, or makes no ground truth.
    """
    rows = list(rows)
    if not rows:
        raise FormatError(file, "marks", found="none", expected="at least one")
    series_by_row = _find_series(study, rows, file)
    old_campaign = study.campaigns.filter(slug=slug).first()
    if old_campaign:
        _refuse_other_recipe(old_campaign, recipe, params, file)
    else:
        _refuse_no_address(slug, file)
    recipe = recipe or recipes.DEFAULT
    asks_changes = any(row.answer == "changes" for row in rows) or (
        old_campaign is not None and old_campaign.asks_changes  # a file may say nothing but unclear
    )
    campaign = old_campaign or campaigns.create(
        study,
        campaigns.CampaignSpec(
            name=slug.replace("-", " ").capitalize(),
            series=[series.pk for series in series_by_row.values()],
            annotators=[],
            instructions=instructions,
            recipe=recipe,
            params=dict(recipes.get(recipe).clean(params)),
            hide_names=False,
            purpose=Campaign.Purpose.CHANGES if asks_changes else Campaign.Purpose.ANNOTATE,
        ),
        by=by,
    )
    if not (campaign.asks_changes if asks_changes else campaign.makes_truth):
        wanted_words = (
            "that asks for all changes" if asks_changes else "whose marks make ground truth"
        )
        raise FormatError(
            file,
            f"campaign {slug}",
            found=f"a {campaign.get_purpose_display()}",
            expected=f"a campaign {wanted_words}",
            hint="name another campaign",
        )
    if campaign.slug != slug:
        Campaign.objects.filter(pk=campaign.pk).update(slug=slug)
        campaign.slug = slug
    campaigns.add_series(campaign, [series.pk for series in series_by_row.values()])
    people = _people(campaign, _kinds(rows))
    stored_count = _store(campaign, rows, series_by_row, people, file)
    if stored_count and campaign.state == Campaign.State.CLOSED:
        raise FormatError(
            file,
            f"campaign {slug}",
            found=f"closed, and {stored_count} marks that it does not have",
            expected="an open campaign",
            hint="open it again on its page, or name another campaign",
        )
    if campaign.state == Campaign.State.DRAFT:
        campaign.state = Campaign.State.OPEN
        campaign.save(update_fields=["state"])
    campaigns.refresh_all(campaign)
    series = {row_series.pk for row_series in series_by_row.values()}
    return MarksImportResult(
        campaign, not old_campaign, stored_count, len(rows) - stored_count, len(series), len(people)
    )


def _refuse_no_address(slug: str, file: str) -> None:
    if slug in ADDRESSES or len(slug) > SLUG_LENGTH or not slug_re.fullmatch(slug):
        raise FormatError(
            file,
            "campaign",
            found=repr(slug),
            expected=f"at most {SLUG_LENGTH} letters, digits and hyphens, such as first-look, and "
            f"not {' or '.join(ADDRESSES)}",
        )


def _refuse_other_recipe(
    campaign: Campaign, recipe: str | None, params: Mapping[str, Any] | None, file: str
) -> None:
    """An import never changes how a campaign makes its ground truth: others rely on it."""
    wanted_recipe = recipe or campaign.recipe
    is_same_recipe = wanted_recipe == campaign.recipe
    wanted_params = {**(campaign.params if is_same_recipe else {}), **(params or {})}
    stored_words, wanted_words = (
        recipe_words(campaign.recipe, campaign.params),
        recipe_words(wanted_recipe, wanted_params),
    )
    if stored_words != wanted_words:
        raise FormatError(
            file,
            f"campaign {campaign.slug}",
            found=f"the recipe {stored_words} in this campaign",
            expected=wanted_words,
            hint="leave the recipe out, change it first in the campaign's settings, or name "
            "another campaign",
        )


def _row_key(row: MarkRow) -> SeriesKey:
    return (row.dataset, row.recording, row.system, row.benchmark, row.params, row.fork)


def _find_series(study: Study, rows: Iterable[MarkRow], file: str) -> dict[SeriesKey, Series]:
    """The series that each row is about; what a row leaves open must be open to one reading."""
    series_by_name: dict[tuple[str, str, int], list[Series]] = defaultdict(list)
    stored_series = Series.objects.filter(benchmark__dataset__study=study)
    for series in stored_series.select_related("benchmark__dataset", "recording"):
        series_by_name[series.benchmark.name, series.benchmark.params, series.fork].append(series)
    series_by_row: dict[SeriesKey, Series] = {}
    for number, row in enumerate(rows, start=2):
        key = _row_key(row)
        if key not in series_by_row:
            candidates = series_by_name[row.benchmark, row.params, row.fork]
            series_by_row[key] = _series_of_row(row, candidates, file, number)
    return series_by_row


def _series_of_row(
    row: MarkRow, candidate_series: Iterable[Series], file: str, number: int
) -> Series:
    fitting_series = [series for series in candidate_series if _fits(row, series)]
    if len(fitting_series) == 1:
        return fitting_series[0]
    description = " · ".join(str(text) for text in _row_key(row) if text not in {"", None})
    raise FormatError(
        file,
        f"row {number}",
        found=f"{description}: {len(fitting_series) or 'no'} such series in the study",
        expected="exactly one",
        hint="name data set and recording in their columns"
        if fitting_series
        else "import the measurements first",
    )


def _fits(row: MarkRow, series: Series) -> bool:
    benchmark = series.benchmark
    return (
        (not row.dataset or row.dataset in {benchmark.dataset.name, benchmark.dataset.slug})
        and (not row.recording or row.recording == series.recording.label)
        and (not row.system or row.system == benchmark.system)
        and (not row.series_digest or row.series_digest == series.digest)
    )


def _kinds(rows: Iterable[MarkRow]) -> dict[str, Kind]:
    """Kinds of those who answer, by pseudonym.

    Rounds and labels of a replication package, and the majority of a screening, are known by their
    note, which stays with them in exported files: somebody who is only called so is a person.
    """
    notes: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        notes[row.annotator].add(row.note)
    return {name: _annotator_kind(name, own_notes) for name, own_notes in notes.items()}


def _annotator_kind(name: str, notes: Collection[str]) -> Kind:
    if name == Kind.SCREENING and all(note.startswith(SCREENED) for note in notes):
        return Kind.SCREENING
    kind_by_name = {PUBLISHED: Kind.PUBLISHED, **dict.fromkeys(ROUNDS.values(), Kind.ROUND)}
    return kind_by_name.get(name, Kind.PERSON) if notes == {PAIRING} else Kind.PERSON


def _people(campaign: Campaign, kinds: Mapping[str, Kind]) -> dict[str, User]:
    """Accounts of those who answer in the file, by pseudonym; unknown ones are made, and cannot
    sign in.
    """
    user_by_name = {
        annotator.pseudonym: annotator.user
        for annotator in campaign.annotators.select_related("user")
    }
    for name in sorted(set(kinds) - set(user_by_name), key=recipes.annotator_order):
        user = account_of(campaign.study, name)
        Annotator.objects.create(campaign=campaign, user=user, pseudonym=name, kind=kinds[name])
        user_by_name[name] = user
    return user_by_name


def account_of(study: Study, name: str) -> User:
    """The account that cannot sign in and has this name in the study, or a new one."""
    existing_user = User.objects.filter(
        memberships__study=study, first_name=name, is_active=False
    ).first()
    if existing_user:
        return existing_user
    user = User(
        username=f"{name}.{new_public_id()}"[:150],
        first_name=name[:150],
        is_active=False,
        simulated=name.startswith(SIMULATED_PSEUDONYM),  # of another installation
    )
    user.set_unusable_password()
    user.save()
    Membership.objects.create(study=study, user=user, role=Role.ANNOTATOR)
    return user


def _store(
    campaign: Campaign,
    rows: Iterable[MarkRow],
    series_by_row: Mapping[SeriesKey, Series],
    people: Mapping[str, User],
    file: str,
) -> int:
    """New marks as further revisions, written in bulk; returns how many."""
    tasks = {task.series_id: task for task in campaign.tasks.select_related("series")}
    stored_marks = Mark.objects.filter(task__campaign=campaign)
    stored_ids = set(stored_marks.values_list("client_id", flat=True))
    last_revisions = {
        (task, user): revision
        for task, user, revision in stored_marks.order_by("revision").values_list(
            "task_id", "annotator_id", "revision"
        )
    }
    new_marks: list[tuple[Mark, MarkRow]] = []
    for row in sorted(rows, key=lambda row: row.revision or 1):
        task, user = tasks[series_by_row[_row_key(row)].pk], people[row.annotator]
        client_id = _client_id(campaign, task, row)
        if client_id in stored_ids:
            continue
        stored_ids.add(client_id)
        last_revisions[task.pk, user.pk] = last_revisions.get((task.pk, user.pk), 0) + 1
        mark = _mark(task, user, row, client_id, last_revisions[task.pk, user.pk])
        try:
            mark.clean()
        except ValidationError as error:
            raise FormatError(
                file,
                f"{row.benchmark} · fork {row.fork} · {row.annotator}",
                found=row.changes or (row.answer if mark.index is None else f"{mark.index}"),
                expected="an answer that fits the series and the campaign",
                hint=" ".join(error.messages),
            ) from error
        new_marks.append((mark, row))
    _write(campaign, new_marks)
    return len(new_marks)


def _client_id(campaign: Campaign, task: Task, row: MarkRow) -> uuid.UUID:
    """Named by what the row says: the same row twice is one mark."""
    positions = row.changes if row.answer == "changes" else row.steady_start
    identity = (row.annotator, row.answer, positions, row.revision, row.note, row.when)
    return uuid.uuid5(NAMESPACE, f"{campaign.pk} {task.series_id} {identity}")


def _mark(task: Task, user: User, row: MarkRow, client_id: uuid.UUID, revision: int) -> Mark:
    return Mark(
        task=task,
        annotator=user,
        client_id=client_id,
        revision=revision,
        kind=row.answer,
        index=row.steady_start if row.answer == "steady" else None,
        changes=row.change_positions,
        unsure=row.unsure,
        note=row.note or ("(no note in the file)" if row.answer == "unclear" else ""),
        seconds=row.seconds,
        difficulty=row.difficulty,
        series_digest=row.series_digest or task.series.digest,
    )


def _write(campaign: Campaign, new_marks: Sequence[tuple[Mark, MarkRow]]) -> None:
    Mark.objects.bulk_create((mark for mark, _ in new_marks), batch_size=AT_A_TIME)
    for mark, row in new_marks:
        # The time is set when a row is made; a file that knows better says so.
        if row.when and (marked_at := parse_moment(row.when)):
            mark.when = marked_at
    Mark.objects.bulk_update([mark for mark, row in new_marks if row.when], ["when"], AT_A_TIME)
    newest_marks = {(mark.task_id, mark.annotator_id): mark for mark, _ in new_marks}
    assignments = list(Assignment.objects.filter(task__campaign=campaign))
    assigned_pairs = {(assignment.task_id, assignment.user_id) for assignment in assignments}
    for assignment in assignments:
        assignment.latest_id = getattr(
            newest_marks.get((assignment.task_id, assignment.user_id)), "pk", assignment.latest_id
        )
    Assignment.objects.bulk_update(assignments, ["latest"], AT_A_TIME)
    Assignment.objects.bulk_create(
        (
            Assignment(task_id=task, user_id=user, order=mark.task.position, latest=mark)
            for (task, user), mark in newest_marks.items()
            if (task, user) not in assigned_pairs
        ),
        batch_size=AT_A_TIME,
    )
