"""Yardsticks of a comparison: ground truth, known answers, people, another method."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Final, Literal, get_args

import numpy as np
from django.db.models import Case, Exists, F, IntegerField, OuterRef, When

from analysis.methods.method_style import MethodStyle, MethodStyles, style_order
from analysis.runs.models import Detection
from analysis.statistics.annotator_agreement import anybody_says_never
from analysis.statistics.answers import Answers
from analysis.statistics.people_consensus import consensus
from annotate import recipes
from annotate.models import Assignment, Campaign, GroundTruth, Mark
from annotate.recipes import NEVER, annotator_order, vectorised
from detectors.registry import DEFAULT_METHOD
from people.joined_numbers import JoinedNumbers, number_pairs
from people.models import Study
from series.models import Dataset, Recording, Series
from series.models.series import SeriesQuerySet

Kind = Literal["campaign", "recipe", "known", "person", "others", "method"]
PartKind = Literal["recipe", "person", "others"]
PARTS: Final[tuple[PartKind, ...]] = get_args(PartKind)
FEW_SERIES: Final = 2_000  # series that a statement names one by one
MOST_METHODS: Final = 30  # most methods in a list of yardsticks
Bools = np.ndarray


class UnknownYardstick(LookupError):
    """No such yardstick in this study; the sentence says which there are."""


@dataclass(frozen=True, slots=True)
class Yardstick:
    """One yardstick of a study. `code` names it in addresses and on the command line.

    recipe  of a campaign's marks by another recipe than its own, with that one's defaults
    others  what everybody but one person says together, as that person's own row is measured
    """

    code: str
    kind: Kind
    title: str
    study: Study
    campaign: Campaign | None = None
    person: str = ""  # pseudonym
    recipe: str = ""  # slug
    key: str = ""  # detector key

    @property
    def line(self) -> str:
        """Label of the yardstick's line on a chart."""
        words = {
            "campaign": "simulated ground truth" if self._simulated else "ground truth",
            "recipe": f"ground truth by {self.recipe}",
            "known": "known answer",
            "person": self.person.upper(),
            "others": f"the others without {self.person.upper()}",
            "method": MethodStyles(self.study)(self.key).code,
        }
        return words[self.kind]

    @property
    def _simulated(self) -> bool:
        return self.campaign is not None and self.campaign.simulated

    def series(self) -> SeriesQuerySet:
        """The series that it could have an answer for."""
        if self.campaign is not None:  # each series has one task in the campaign
            return Series.objects.filter(tasks__campaign=self.campaign, tasks__expected=None)
        own_series = Series.objects.filter(benchmark__dataset__in=dataset_keys(self.study))
        if self.kind == "known":
            return own_series.filter(known_start__isnull=False)
        return own_series.filter(
            pk__in=Detection.objects.filter(detector_key=self.key).values("series")
        )


@dataclass(frozen=True, slots=True, eq=False)
class YardstickAnswers:
    """A yardstick's answers, aligned with series.

    clustered  bool (n,): the marks lie together; None for a yardstick without marks
    words      agreement of the people for each series, empty without
    """

    answers: Answers
    clustered: Bools | None
    words: tuple[str, ...]


def yardsticks(study: Study) -> list[Yardstick]:
    """The yardsticks of a study, the default first.

    Ground truth of campaigns, that of most settled series first, known answers, the
    same campaigns by other recipes, people, the others without one of them, methods.
    """
    campaigns = list(campaigns_with_truth(study))
    recipe_yardsticks = [
        _part_yardstick("recipe", study, campaign, recipe)
        for campaign in campaigns
        for recipe in recipes.RECIPES
        if recipe != campaign.recipe
    ]
    yardsticks_by_campaign = {
        campaign: [
            _part_yardstick("person", study, campaign, pseudonym)
            for pseudonym in _pseudonyms(campaign)
        ]
        for campaign in campaigns
    }
    other_yardsticks = [
        _part_yardstick("others", study, campaign, person_yardstick.person)
        for campaign, person_yardsticks in yardsticks_by_campaign.items()
        for person_yardstick in person_yardsticks
        if len(person_yardsticks) > 2  # at least two others
    ]
    methods = islice(_method_yardsticks(study), MOST_METHODS)
    truths = _truths(study, campaigns)
    return [
        *truths,
        *recipe_yardsticks,
        *chain.from_iterable(yardsticks_by_campaign.values()),
        *other_yardsticks,
        *methods,
    ]


def yardsticks_of(study: Study) -> Iterator[Yardstick]:
    """Ground truth of campaigns, most settled series first, and known answers."""
    return _truths(study, campaigns_with_truth(study))


def _truths(study: Study, campaigns: Iterable[Campaign]) -> Iterator[Yardstick]:
    for campaign in campaigns:
        yield _campaign_yardstick(study, campaign)
    # The index of series with a known start is empty for a nightly study of millions.
    study_recordings = Recording.objects.filter(pk=OuterRef("recording"), dataset__study=study)
    if Series.objects.filter(Exists(study_recordings), known_start__gte=NEVER).exists():
        yield _known_yardstick(study)


def _method_yardsticks(study: Study) -> Iterator[Yardstick]:
    looks = MethodStyles(study)
    for key in detector_keys(study):
        yield method_yardstick(study, key, looks)


def yardstick(study: Study, code: str = "") -> Yardstick | None:
    """The yardstick that `code` names; without one the default, None where there is none.

    Raises UnknownYardstick for a code that names nothing here.
    """
    if not code:
        # One after the other: a page that has ground truth does not look through all detections.
        return next(chain(yardsticks_of(study), _method_yardsticks(study)), None)
    kind, _, name = code.partition(":")
    named_yardstick = _find_yardstick(study, kind, name)
    if named_yardstick is None:
        codes = ", ".join(listed_yardstick.code for listed_yardstick in yardsticks(study)) or "none"
        raise UnknownYardstick(f"no yardstick {code!r} in {study.slug}; there are: {codes}")
    return named_yardstick


def _find_yardstick(study: Study, kind: str, slug_and_part: str) -> Yardstick | None:
    if kind == "known":
        return _known_yardstick(study)
    if kind == "method":
        looks = MethodStyles(study)
        key = next((key for key in detector_keys(study) if looks(key).name == slug_and_part), "")
        return method_yardstick(study, key, MethodStyles(study)) if key else None
    slug, _, name = slug_and_part.partition(":")
    truth_campaigns = study.campaigns.for_truth().exclude(state=Campaign.State.DRAFT)
    campaign = truth_campaigns.filter(slug=slug).first()
    if campaign is None:
        return None
    part_kind = next((part for part in PARTS if part == kind), None)
    if part_kind and name in (recipes.RECIPES if kind == "recipe" else _pseudonyms(campaign)):
        return _part_yardstick(part_kind, study, campaign, name)
    return _campaign_yardstick(study, campaign) if kind == "campaign" and not name else None


def campaigns_with_truth(study: Study) -> Iterator[Campaign]:
    """Campaigns in which any series has its final answer, the default of all pages first.

    No drafts.
    """
    return study.campaigns.by_settled_series(least_series=1).iterator()


def _pseudonyms(campaign: Campaign) -> list[str]:
    """Pseudonyms of the people, without a published classification."""
    names = campaign.annotators.human().values_list("pseudonym", flat=True)
    return sorted(names, key=annotator_order)


def _campaign_yardstick(study: Study, campaign: Campaign) -> Yardstick:
    title = f"{campaign.name}, ground truth"
    return Yardstick(f"campaign:{campaign.slug}", "campaign", title, study, campaign)


def _known_yardstick(study: Study) -> Yardstick:
    return Yardstick("known", "known", "Known answers", study)


def _part_yardstick(kind: PartKind, study: Study, campaign: Campaign, name: str) -> Yardstick:
    """Yardstick from part of a campaign's marks: one person's, the others', or by another
    recipe.
    """
    words = {
        "person": name.upper(),
        "others": f"the others without {name.upper()}",
        "recipe": f"by {name}",
    }
    code, title = f"{kind}:{campaign.slug}:{name}", f"{campaign.name}, {words[kind]}"
    part_fields = {"recipe": name} if kind == "recipe" else {"person": name}
    return Yardstick(code, kind, title, study, campaign, **part_fields)


def method_yardstick(study: Study, key: str, looks: MethodStyles) -> Yardstick:
    """The answers of a method, by its detector key; whether any are stored is not looked up."""
    look = looks(key)
    return Yardstick(f"method:{look.name}", "method", look.label, study, key=key)


def detector_keys(study: Study) -> list[str]:
    """Detector keys with a stored answer in the study: the default method, then by slot."""
    own_detections = Detection.objects.filter(series__benchmark__dataset__in=dataset_keys(study))
    keys = own_detections.order_by("detector_key").values_list("detector_key", flat=True).distinct()
    return [look.key for look in sorted(map(MethodStyles(study), keys), key=_default_first)]


def _default_first(look: MethodStyle) -> tuple[object, ...]:
    """Sort key: the default method, then it with other settings, then as on charts."""
    return look.name != DEFAULT_METHOD, look.slug != DEFAULT_METHOD, *style_order(look)


def dataset_keys(study: Study) -> list[int]:
    """Primary keys of the study's data sets: asked for beside, they spare a join of all series."""
    return list(study.datasets.values_list("pk", flat=True))


def covering_yardsticks(series: Series) -> list[Yardstick]:
    """The yardsticks with an answer for one series, the default first, as `yardsticks` has them."""
    study = series.benchmark.dataset.study
    truths = GroundTruth.objects.settled().filter(task__series=series)
    decided_campaigns = set(truths.values_list("task__campaign", flat=True))
    own_campaigns = study.campaigns.for_truth().filter(tasks__series=series, tasks__expected=None)
    campaigns = list(own_campaigns.by_settled_series())
    ready_yardsticks = [
        _campaign_yardstick(study, deciding_campaign)
        for deciding_campaign in campaigns
        if deciding_campaign.pk in decided_campaigns
    ]
    if series.known_start is not None:
        ready_yardsticks.append(_known_yardstick(study))
    for campaign in campaigns:
        people_marks = people(campaign, [series.pk])
        names = [name for name, answers in people_marks.items() if answers.given[0]]
        ready_yardsticks += [_part_yardstick("person", study, campaign, name) for name in names]
    answered_detections = Detection.objects.filter(series=series, outcome=Detection.Outcome.ANSWER)
    keys = answered_detections.values_list("detector_key", flat=True)
    looks = MethodStyles(study)
    sorted_styles = sorted(map(looks, keys), key=_default_first)
    return ready_yardsticks + [method_yardstick(study, look.key, looks) for look in sorted_styles]


# --- reading ----------------------------------------------------------------------------------
def yardstick_answers(
    reference: Yardstick, series: Sequence[int], subset: SeriesQuerySet | None = None
) -> YardstickAnswers:
    """Its answers for `series` (primary keys); the caller has left out what may not be seen.

    among  a query that finds all of them: of a method no other answers are read then
    """
    if reference.kind == "campaign":
        return _read_campaign(reference, series)
    if reference.kind == "recipe":
        return _read_recipe(reference, series)
    return YardstickAnswers(_markless_answers(reference, series, subset), None, ("",) * len(series))


def _markless_answers(
    reference: Yardstick, series: Sequence[int], subset: SeriesQuerySet | None
) -> Answers:
    """Answers of a yardstick that is no ground truth: nothing tells how marks lie."""
    if reference.campaign is not None:
        answers_by_person = people(reference.campaign, series)
        own_answers = answers_by_person.pop(reference.person)
        return (
            own_answers
            if reference.kind == "person"
            else consensus([*answers_by_person.values()], len(series))
        )
    if reference.kind == "known":
        starts = dict(reference.series().values_list("pk", "known_start"))
    else:
        study_series = Series.objects.filter(benchmark__dataset__study=reference.study)
        pks = (study_series if subset is None else subset).order_by().values("pk")
        stored_detections = Detection.objects.filter(detector_key=reference.key, series__in=pks)
        starts = dict(stored_detections.values_list("series", "steady_start"))
    return Answers.from_list(starts.get(pk) for pk in series)


def _read_campaign(reference: Yardstick, series: Sequence[int]) -> YardstickAnswers:
    truths = GroundTruth.objects.settled().filter(task__campaign=reference.campaign)
    rows = truths.values_list("task__series", "steady", "steady_start", "agreement")
    start_by_series, agreement_by_series = {}, {}
    for pk, is_steady, start, agreement in rows:
        start_by_series[pk] = NEVER if is_steady is False else start
        agreement_by_series[pk] = agreement
    agreements = tuple(agreement_by_series.get(pk, "") for pk in series)
    is_clustered = np.array([word == "clustered" for word in agreements], dtype=np.bool_)
    return YardstickAnswers(
        Answers.from_list(map(start_by_series.get, series)), is_clustered, agreements
    )


def _read_recipe(reference: Yardstick, series: Sequence[int]) -> YardstickAnswers:
    """Answers of complete series, as the campaign's own ground truth; the vote is the same by
    any recipe.
    """
    own_answers = _read_campaign(reference, series)
    voice_answers = voices(_campaign(reference), series).values()
    voice_columns = [np.where(answers.never, NEVER, answers.index) for answers in voice_answers]
    votes = np.column_stack(voice_columns) if voice_columns else np.empty((len(series), 0))
    params = recipes.get(reference.recipe).clean()
    recipe_answers = vectorised.ground_truths_of(reference.recipe, votes, params)
    is_complete = np.array([bool(word) for word in own_answers.words], dtype=np.bool_)
    mask, is_never = recipe_answers.steady & is_complete, recipe_answers.never & is_complete
    answers = Answers(np.where(mask, recipe_answers.start, np.nan), mask, mask | is_never)
    is_clustered = recipe_answers.clustered & mask
    agreements = tuple(
        ("clustered" if is_together else "scattered") if says_steady else vote_word
        for is_together, says_steady, vote_word in zip(
            is_clustered, mask, own_answers.words, strict=True
        )
    )
    return YardstickAnswers(answers, is_clustered, agreements)


def _campaign(reference: Yardstick) -> Campaign:
    assert reference.campaign is not None  # noqa: S101  # made with one
    return reference.campaign


def own_row_people(reference: Yardstick, voices: Mapping[str, Answers]) -> dict[str, Answers]:
    """The people whose own rows stand beside the methods: of a ground truth all, else the one."""
    if not voices:
        return {}
    is_one_person = reference.kind == "others"
    names = [reference.person] if is_one_person else _pseudonyms(_campaign(reference))
    return {name: voices[name] for name in names}


def source_voices(reference: Yardstick, series: Sequence[int]) -> dict[str, Answers]:
    """All that a recipe or the others are made of; nothing for another yardstick."""
    has_voices = reference.kind in {"campaign", "recipe", "others"}
    return voices(_campaign(reference), series) if has_voices else {}


def tells_yes_no(reference: Yardstick, voices: Mapping[str, Answers]) -> bool:
    """False where people agree in yes and no by construction.

    They were given only series that had been called steady, and nobody contradicts.
    """
    campaign = reference.campaign
    if campaign is None or not voices:
        return True
    answers_of_people = [voices[name] for name in _pseudonyms(campaign)]
    return anybody_says_never(answers_of_people) or not campaign.marks_the_steady()


def people(campaign: Campaign, series: Sequence[int]) -> dict[str, Answers]:
    """The voices of people, without a published classification."""
    voice_answers = voices(campaign, series)
    return {name: voice_answers[name] for name in _pseudonyms(campaign)}


def voices(campaign: Campaign, series: Sequence[int]) -> dict[str, Answers]:
    """The latest answer of everybody on the campaign by pseudonym; unclear is no answer.

    Of few series theirs alone are read; of more, those of the whole campaign sooner.
    """
    names = dict(campaign.annotators.values_list("user_id", "pseudonym"))
    rows = Assignment.objects.filter(task__campaign=campaign, latest__isnull=False).order_by()
    if len(series) <= FEW_SERIES:
        rows = rows.filter(task__series__in=series)
    start_sql = Case(
        When(latest__kind=Mark.Kind.NEVER, then=NEVER),
        default=F("latest__index"),
        output_field=IntegerField(),
    )
    answered_assignments = rows.exclude(latest__kind=Mark.Kind.UNCLEAR).values("user_id")
    joined_starts = answered_assignments.annotate(starts=JoinedNumbers("task__series", start_sql))
    text_by_user = dict(joined_starts.values_list("user_id", "starts"))
    voice_answers = {}
    for user, name in sorted(
        names.items(), key=lambda user_and_name: annotator_order(user_and_name[1])
    ):
        pks, starts = number_pairs(text_by_user.get(user)).T
        voice_answers[name] = Answers.of_keys(series, pks, starts.astype(np.float64))
    return voice_answers


def usual_yardstick(scope: Campaign | Dataset | None) -> str:
    """Default yardstick of a campaign's or data set's series; empty: that of the page."""
    if isinstance(scope, Campaign):
        return f"campaign:{scope.slug}"
    return "known" if scope else ""
