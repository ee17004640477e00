"""What detections are compared with: ground truth, known answers, a person, another method."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from analysis.looks import Looks, order
from analysis.models import Detection
from analysis.statistics import Answers
from annotate.models import Assignment, Campaign, GroundTruth, Mark
from annotate.recipes import NEVER, annotator_order
from people.models import Study
from series.models import Series
from series.models.series import SeriesQuerySet

Kind = Literal["campaign", "known", "person", "method"]
Bools = np.ndarray


class UnknownYardstick(LookupError):
    """No such yardstick in this study; the sentence says which there are."""

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True, slots=True)
class Yardstick:
    """One yardstick of a study. `code` names it in addresses and on the command line."""

    code: str
    kind: Kind
    title: str
    study: Study
    campaign: Campaign | None = None
    person: str = ""  # pseudonym
    key: str = ""  # detector key

    @property
    def line(self) -> str:
        """What its line on a chart is called."""
        words = {
            "campaign": "ground truth",
            "known": "known answer",
            "person": self.person.upper(),
            "method": Looks(self.study)(self.key).code,
        }
        return words[self.kind]

    def series(self) -> SeriesQuerySet:
        """The series that it could have an answer for."""
        mine = Series.objects.filter(benchmark__dataset__study=self.study)
        if self.campaign is not None:
            return mine.filter(pk__in=self.campaign.counted_tasks().values("series"))
        if self.kind == "known":
            return mine.filter(known_start__isnull=False)
        return mine.filter(pk__in=Detection.objects.filter(detector_key=self.key).values("series"))


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """A yardstick's answers, aligned with series.

    clustered  bool (n,): the marks lie together; None for a yardstick without marks
    words      agreement of the people for each series, empty without
    """

    answers: Answers
    clustered: Bools | None
    words: tuple[str, ...]


def yardsticks(study: Study, *, most_methods: int = 30) -> list[Yardstick]:
    """The yardsticks of a study, the default first.

    Ground truth of the newest campaign with any complete answer, older ones, known answers,
    people, methods.
    """
    campaigns = list(_campaigns_with_truth(study))
    found = [_of_campaign(study, each) for each in campaigns]
    if Series.objects.filter(benchmark__dataset__study=study, known_start__isnull=False).exists():
        found.append(_known(study))
    for campaign in campaigns:
        found += [_of_person(study, campaign, each) for each in _pseudonyms(campaign)]
    keys = detector_keys(study)[:most_methods]
    looks = Looks(study)
    return found + [_of_method(study, key, looks) for key in keys]


def yardstick(study: Study, code: str = "") -> Yardstick | None:
    """The yardstick that `code` names; without one the default, None where there is none.

    Raises UnknownYardstick for a code that names nothing here.
    """
    if not code:
        return next(iter(yardsticks(study)), None)
    kind, _, rest = code.partition(":")
    found = _named(study, kind, rest)
    if found is None:
        there = ", ".join(each.code for each in yardsticks(study)) or "none"
        raise UnknownYardstick(f"no yardstick {code!r} in {study.slug}; there are: {there}")
    return found


def _named(study: Study, kind: str, rest: str) -> Yardstick | None:
    if kind == "known":
        return _known(study)
    if kind == "method":
        key = _key_named(study, rest)
        return _of_method(study, key, Looks(study)) if key else None
    slug, _, person = rest.partition(":")
    marked = study.campaigns.for_truth().exclude(state=Campaign.State.DRAFT)
    campaign = marked.filter(slug=slug).first()
    if campaign is None:
        return None
    if kind == "person" and person in _pseudonyms(campaign):
        return _of_person(study, campaign, person)
    return _of_campaign(study, campaign) if kind == "campaign" and not person else None


def _campaigns_with_truth(study: Study) -> Iterator[Campaign]:
    complete = GroundTruth.objects.filter(task__campaign__study=study, complete=True)
    mine = study.campaigns.filter(pk__in=complete.values("task__campaign"))
    return mine.exclude(state=Campaign.State.DRAFT).order_by("-created").iterator()


def _pseudonyms(campaign: Campaign) -> list[str]:
    names = campaign.annotators.values_list("pseudonym", flat=True)
    return sorted(names, key=annotator_order)


def _of_campaign(study: Study, campaign: Campaign) -> Yardstick:
    title = f"{campaign.name}, ground truth"
    return Yardstick(f"campaign:{campaign.slug}", "campaign", title, study, campaign)


def _known(study: Study) -> Yardstick:
    return Yardstick("known", "known", "Known answers", study)


def _of_person(study: Study, campaign: Campaign, person: str) -> Yardstick:
    title = f"{campaign.name}, {person.upper()}"
    code = f"person:{campaign.slug}:{person}"
    return Yardstick(code, "person", title, study, campaign, person)


def _of_method(study: Study, key: str, looks: Looks) -> Yardstick:
    look = looks(key)
    return Yardstick(f"method:{look.name}", "method", look.label, study, key=key)


def detector_keys(study: Study) -> list[str]:
    """Detector keys with a stored answer in the study, in the order of their slots."""
    mine = Detection.objects.filter(series__benchmark__dataset__study=study)
    keys = mine.order_by("detector_key").values_list("detector_key", flat=True).distinct()
    return [look.key for look in sorted(map(Looks(study), keys), key=order)]


def _key_named(study: Study, name: str) -> str:
    looks = Looks(study)
    return next((key for key in detector_keys(study) if looks(key).name == name), "")


def covering(series: Series) -> list[Yardstick]:
    """The yardsticks with an answer for one series, the default first, as `yardsticks` has them."""
    study = series.benchmark.dataset.study
    truths = GroundTruth.objects.filter(task__series=series, complete=True)
    decided = set(truths.values_list("task__campaign", flat=True))
    mine = study.campaigns.for_truth().filter(tasks__series=series, tasks__expected=None)
    mine = mine.exclude(state=Campaign.State.DRAFT)
    campaigns = list(mine.order_by("-created"))
    found = [_of_campaign(study, each) for each in campaigns if each.pk in decided]
    if series.known_start is not None:
        found.append(_known(study))
    for campaign in campaigns:
        marked = people(campaign, [series.pk])
        names = [name for name, answers in marked.items() if answers.given[0]]
        found += [_of_person(study, campaign, name) for name in names]
    answered = Detection.objects.filter(series=series, outcome=Detection.Outcome.ANSWER)
    keys = answered.values_list("detector_key", flat=True)
    looks = Looks(study)
    in_order = sorted(map(looks, keys), key=order)
    return found + [_of_method(study, look.key, looks) for look in in_order]


# --- reading ----------------------------------------------------------------------------------
def read(chosen: Yardstick, series: Sequence[int]) -> Truth:
    """Its answers for `series` (primary keys); the caller has left out what may not be seen."""
    readers = {
        "campaign": _read_campaign,
        "known": _read_known,
        "person": _read_person,
        "method": _read_method,
    }
    return readers[chosen.kind](chosen, series)


def _read_campaign(chosen: Yardstick, series: Sequence[int]) -> Truth:
    rows = GroundTruth.objects.filter(task__campaign=chosen.campaign, complete=True)
    found = {
        pk: (NEVER if steady is False else start, agreement)
        for pk, steady, start, agreement in rows.values_list(
            "task__series", "steady", "steady_start", "agreement"
        )
    }
    nothing = (None, "")
    words = tuple(found.get(pk, nothing)[1] for pk in series)
    clustered = np.array([word == "clustered" for word in words], dtype=np.bool_)
    return Truth(Answers.of(found.get(pk, nothing)[0] for pk in series), clustered, words)


def _read_known(chosen: Yardstick, series: Sequence[int]) -> Truth:
    rows = chosen.series().values_list("pk", "known_start")
    known = dict(rows)
    return Truth(Answers.of(known.get(pk) for pk in series), None, ("",) * len(series))


def _read_person(chosen: Yardstick, series: Sequence[int]) -> Truth:
    assert chosen.campaign is not None  # noqa: S101  # made by `_of_person`
    answers = people(chosen.campaign, series)[chosen.person]
    return Truth(answers, None, ("",) * len(series))


def _read_method(chosen: Yardstick, series: Sequence[int]) -> Truth:
    rows = Detection.objects.filter(
        detector_key=chosen.key, series__benchmark__dataset__study=chosen.study
    )
    starts = dict(rows.values_list("series", "steady_start"))
    return Truth(Answers.of(starts.get(pk) for pk in series), None, ("",) * len(series))


def people(campaign: Campaign, series: Sequence[int]) -> dict[str, Answers]:
    """The latest answer of everybody on the campaign by pseudonym; unclear is no answer."""
    names = dict(campaign.annotators.values_list("user_id", "pseudonym"))
    cells: dict[str, dict[int, int | None]] = {name: {} for name in _pseudonyms(campaign)}
    rows = Assignment.objects.filter(task__campaign=campaign, latest__isnull=False)
    for user, pk, kind, index in rows.values_list(
        "user_id", "task__series", "latest__kind", "latest__index"
    ):
        if kind != Mark.Kind.UNCLEAR and user in names:
            cells[names[user]][pk] = NEVER if kind == Mark.Kind.NEVER else index
    return {name: Answers.of(answers.get(pk) for pk in series) for name, answers in cells.items()}
