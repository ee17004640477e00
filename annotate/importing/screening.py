"""Screening: whether a series becomes steady at all, before anybody marks from which iteration on.

The campaign that marks the steady ones has the same series: the very forks that were judged. A
label that was given on one fork says nothing of another. What the screening judged never steady
stands in that campaign too, as *never* in the name of the screening: one ground truth for both
stages, in which a method can be wrong in either way. A tie, or a series without a vote, stands
there as undecided: it is counted and listed, and annotators can be asked for it in review.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal
from uuid import uuid4

from django.core.exceptions import ValidationError

from annotate import blind, recipes
from annotate.answering.truth_transactions import truth_transaction
from annotate.blind import EVERYTHING, Reader
from annotate.campaigns import services as campaigns
from annotate.importing import mark_files
from annotate.models import Annotator, Assignment, Campaign, Expected, Mark, Task
from people.models import User

Verdict = Literal["steady", "never", "tied", "no vote"]
VOICE = "screening"  # pseudonym of its majority in the campaign that follows
VERDICTS: tuple[Verdict, ...] = ("steady", "never", "tied", "no vote")


@dataclass(frozen=True, slots=True)
class ScreenedSeries:
    """One series with everybody's votes, in the order of pseudonyms, and the majority."""

    task: Task
    votes: Sequence[tuple[str, Mark | None]]
    asked: int

    def count(self, kind: str) -> int:
        return sum(mark is not None and mark.kind == kind for _, mark in self.votes)

    @property
    def answered(self) -> int:
        return sum(mark is not None for _, mark in self.votes)

    @property
    def complete(self) -> bool:
        return self.answered == self.asked

    @property
    def settled(self) -> bool:
        """Everybody asked has answered, or the screening is closed."""
        return self.complete or self.task.campaign.state == Campaign.State.CLOSED

    @property
    def majority(self) -> str:
        """Majority in words that say on which fork it was."""
        never_count = self.count(Mark.Kind.NEVER)
        vote_count = never_count + self.count(Mark.Kind.STEADY)
        vote_words = (
            f"{never_count} of {vote_count} votes say never" if vote_count else "nobody voted"
        )
        return f"{mark_files.SCREENED}: {vote_words}."

    @property
    def verdict(self) -> Verdict:
        return verdict(self.count(Mark.Kind.STEADY), self.count(Mark.Kind.NEVER))


def verdict(steady_count: int, never_count: int) -> Verdict:
    """More than half of the votes; unclear is an answer, but no vote."""
    if steady_count == never_count:
        return "tied" if steady_count else "no vote"
    return "steady" if steady_count > never_count else "never"


def screened_series(campaign: Campaign, reader: Reader) -> list[ScreenedSeries]:
    """The series of a screening in order of position, without those the reader is blind to."""
    related_tables = "campaign", "series__benchmark__dataset", "series__recording"
    tasks = campaign.tasks.counted().select_related(*related_tables).order_by("position")
    tasks = blind.without_open(reader, tasks)
    names = dict(campaign.annotators.values_list("user_id", "pseudonym"))
    order = sorted(names.values(), key=recipes.annotator_order)
    marks_by_task: dict[int, dict[str, Mark | None]] = {}
    for row in Assignment.objects.filter(task__campaign=campaign).select_related("latest"):
        marks_by_task.setdefault(row.task_id, {})[names[row.user_id]] = row.latest
    return [
        ScreenedSeries(
            task, [(name, marks_by_name.get(name)) for name in order], len(marks_by_name)
        )
        for task in tasks
        for marks_by_name in [marks_by_task.get(task.pk, {})]
    ]


def verdict_counts(series: Iterable[ScreenedSeries]) -> dict[Verdict, int]:
    """Count the series of each verdict, in the order of `VERDICTS`."""
    count_by_verdict = Counter(screened_series.verdict for screened_series in series)
    return {verdict: count_by_verdict[verdict] for verdict in VERDICTS}


@truth_transaction()
def mark_steady(screening: Campaign, *, by: User | None, with_ties: bool = False) -> Campaign:
    """Close the screening, and make the draft that marks what it judged steady.

    The draft has the same series, people and blindness, and in its ground truth those that were
    judged never steady or not judged; `with_ties` has those whose votes are even marked, too.
    Raises ValidationError if there is nothing to mark, or a draft was made before.
    """
    if not screening.is_screening:
        raise ValidationError(f"{screening} asks for iterations itself: it is no screening.")
    if marking_campaign := screening.followed_by.first():
        raise ValidationError(f"{marking_campaign} marks what was judged steady here already.")
    verdicts = {"steady", "tied"} if with_ties else {"steady"}
    series = [
        screened_row.task.series_id
        for screened_row in screened_series(screening, EVERYTHING)
        if screened_row.verdict in verdicts
    ]
    if not series:
        raise ValidationError("No series is judged steady yet: there would be nothing to mark.")
    people = [annotator.user for annotator in screening.annotators.select_related("user")]
    spec = campaigns.CampaignSpec(
        name=f"{screening.name}, marked"[:120],
        series=series,
        annotators=people,
        instructions=screening.instructions,
        hide_names=screening.hide_names,
        hide_values=screening.hide_values,
        show_events=screening.show_events,
        overlap=screening.overlap,
        follows=screening,
        second_share=screening.second_share,
        ask_difficulty=screening.ask_difficulty,
        seed=screening.seed,
        selection={"rule": "judged-steady", "campaign": screening.slug, "tied": with_ties},
    )
    marking_campaign = campaigns.create(screening.study, spec, by=by)
    campaigns.close(screening, by=by)
    include_unmarked(marking_campaign)
    return marking_campaign


@truth_transaction()
def undo_mark_steady(screening: Campaign, slug: str, *, digest: str, was_open: bool) -> None:
    """Remove the untouched draft that `mark_steady` made, and open the screening again.

    Raises ValidationError once the draft is gone, open, edited or has people on their way.
    digest  of the draft as it was made (`draft_digest`)
    """
    drafts = screening.followed_by.filter(study=screening.study, slug=slug)
    draft = drafts.select_for_update().first()
    if draft is None:
        raise ValidationError("Nothing changed: the draft is gone already.")
    if draft.state != Campaign.State.DRAFT or draft.invitations.exists():
        raise ValidationError(f"{draft} is in use: remove it on its own page.")
    if draft_digest(draft) != digest:
        raise ValidationError(f"{draft} was edited: remove it on its own page.")
    screening_users = list(
        draft.annotators.filter(kind=Annotator.Kind.SCREENING).values_list("user", flat=True)
    )
    draft.delete()
    used_users = Annotator.objects.filter(campaign__study=draft.study).values("user")
    draft.study.memberships.filter(user__in=screening_users).exclude(user__in=used_users).delete()
    if was_open:
        campaigns.open_campaign(screening)


def draft_digest(draft: Campaign) -> str:
    """Digest of everything that people can edit in a draft: settings, people, series, answers."""
    tasks = Task.objects.filter(campaign=draft)
    rows = [
        Campaign.objects.filter(pk=draft.pk).values_list(),
        draft.annotators.order_by("pk").values_list("user", "pseudonym", "kind", "cap"),
        tasks.order_by("pk").values_list(),
        Expected.objects.filter(task__in=tasks).order_by("pk").values_list(),
        Assignment.objects.filter(task__in=tasks)
        .order_by("task", "user")
        .values_list("task", "user", "order", "latest", "question"),
    ]
    return hashlib.sha256(repr([list(table) for table in rows]).encode()).hexdigest()


@truth_transaction()
def include_unmarked(campaign: Campaign) -> int:
    """Put what its screening judged never, or did not judge, into the ground truth of `campaign`.

    Those series stand behind the others, and nobody is asked to mark them. Returns how many are
    new; none for a campaign that follows no screening.
    """
    if campaign.follows is None:
        return 0
    present_pks = set(campaign.tasks.values_list("series_id", flat=True))
    screened_by_series = {
        screened_row.task.series_id: screened_row
        for screened_row in screened_series(campaign.follows, EVERYTHING)
        if screened_row.verdict != "steady" and screened_row.task.series_id not in present_pks
    }
    if not screened_by_series:
        return 0
    campaigns.add_series(campaign, screened_by_series)
    tasks = list(campaign.tasks.filter(series__in=screened_by_series).select_related("series"))
    _add_verdicts(campaign, {task: screened_by_series[task.series_id] for task in tasks})
    campaigns.refresh_all(campaign)
    return len(screened_by_series)


def _add_verdicts(campaign: Campaign, screened_by_task: Mapping[Task, ScreenedSeries]) -> None:
    """Never, or unclear without a majority, with the count of the screening's votes as the note."""
    account = mark_files.account_of(campaign.study, VOICE)
    Annotator.objects.get_or_create(
        campaign=campaign,
        user=account,
        defaults={"pseudonym": VOICE, "kind": Annotator.Kind.SCREENING},
    )
    marks = Mark.objects.bulk_create(
        Mark(
            task=task,
            annotator=account,
            kind=Mark.Kind.NEVER if screened_row.verdict == "never" else Mark.Kind.UNCLEAR,
            note=screened_row.majority,
            series_digest=task.series.digest,
            client_id=uuid4(),
        )
        for task, screened_row in screened_by_task.items()
    )
    Assignment.objects.bulk_create(
        Assignment(task=mark.task, user=account, order=mark.task.position, latest=mark)
        for mark in marks
    )
