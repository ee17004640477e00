"""Forms of the page that makes and edits a campaign: one a section, all sent together.

Each section is stored for itself, so that a mistake in one loses nothing of the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.forms import BaseForm, BoundField
from django.http import QueryDict

from annotate import recipes
from annotate.attention_checks import set_check_count
from annotate.campaigns import selection, services as campaigns
from annotate.drafts import campaign_sentences as sentences, draft_series
from annotate.drafts.campaign_forms import (
    INSTRUCTIONS,
    BlindnessForm,
    LinksForm,
    PeopleForm,
    QualityForm,
    QuestionForm,
    RecipeForm,
    SeriesForm,
)
from annotate.models import Campaign
from people.access import SignedInRequest
from people.models import Study

SECTIONS: Final = ("series", "question", "people", "blindness", "quality", "recipe")


def sections_of(campaign: Campaign) -> tuple[str, ...]:
    """Sections that can be stored: series while they can be changed, no recipe of a screening."""
    fixed_sections = (
        {"series"} if campaign.pk and not draft_series.can_change_series(campaign) else set()
    )
    unused_sections = {"recipe"} if campaign.is_screening else set()
    return tuple(name for name in SECTIONS if name not in fixed_sections | unused_sections)


def new_campaign(study: Study, name: str) -> Campaign:
    """A campaign with the defaults of the page, not stored."""
    return Campaign(study=study, name=name, instructions=INSTRUCTIONS, seed=1)


# --- forms --------------------------------------------------------------------------------------
Sent = QueryDict | None


def _series_form(campaign: Campaign, form_data: Sent, request: SignedInRequest) -> SeriesForm:
    """The choice as it was made; one that cannot be made again shows what came of it as picked."""
    study = campaign.study
    if not campaign.pk:
        return SeriesForm(study, form_data, request.FILES or None)
    stored_choice = campaign.selection
    dataset = study.datasets.filter(name=stored_choice.get("dataset", "")).first()
    label = stored_choice.get("recording")
    rule = stored_choice.get("rule")
    repeatable_choices = {selection.ALL, selection.ONE_FORK, *selection.STRATA}
    initial = {
        **stored_choice,
        "dataset": dataset,
        "recording": dataset and dataset.recordings.filter(label=label).first(),
        "seed": campaign.seed,
        "purpose": campaign.purpose,
        "rule": selection.RANDOM if rule in selection.STRATA else rule,
        "drawn": rule if rule in selection.STRATA else selection.RANDOM,
    }
    if rule not in repeatable_choices:
        initial["rule"] = selection.PICKED
    series = campaign.tasks.counted().values_list("series__public_id", flat=True)
    return SeriesForm(
        study, form_data, request.FILES or None, initial=initial, picked_ids=frozenset(series)
    )


def _question_form(campaign: Campaign, form_data: Sent, _request: SignedInRequest) -> QuestionForm:
    initial = {"name": campaign.name, "instructions": campaign.instructions}
    return QuestionForm(form_data, initial=initial)


def _recipe_form(campaign: Campaign, form_data: Sent, _request: SignedInRequest) -> RecipeForm:
    is_fixed = campaign.asks_changes
    if is_fixed and form_data and form_data.get("recipe") != campaign.recipe:
        form_data = None  # of the question that was asked before
    recipe_slug = (form_data and form_data.get("recipe")) or campaign.recipe
    recipe_slug = recipe_slug if recipe_slug in recipes.RECIPES else campaign.recipe
    initial = {"recipe": campaign.recipe, **recipes.get(campaign.recipe).clean(campaign.params)}
    return RecipeForm(form_data, initial=initial, recipe_slug=recipe_slug, is_fixed=is_fixed)


SECTION_FORMS: Final[Mapping[str, Callable[[Campaign, Sent, SignedInRequest], Any]]] = {
    "series": _series_form,
    "question": _question_form,
    "people": lambda campaign, sent, _: PeopleForm(campaign, sent),
    "blindness": lambda campaign, sent, _: BlindnessForm(sent, instance=campaign),
    "quality": lambda campaign, sent, request: QualityForm(campaign, sent, by=request.user),
    "recipe": _recipe_form,
}


# --- storing ------------------------------------------------------------------------------------
@transaction.atomic
def _save_series(campaign: Campaign, form: SeriesForm) -> None:
    chosen_pks, selection_fields = form.chosen(), form.described()
    purpose = form.cleaned_data["purpose"]
    if purpose != campaign.purpose:
        set_check_count(campaign, 0)  # no iteration is asked: nothing to compare
        Campaign.objects.filter(pk=campaign.pk).update(purpose=purpose, second_share=0)
        if purpose == Campaign.Purpose.CHANGES:
            campaigns.change_recipe(campaign, recipe=recipes.DEFAULT, params={})
    stored_pks = set(campaign.tasks.counted().values_list("series", flat=True))
    stored_choice = {
        key: value for key, value in campaign.selection.items() if key in selection_fields
    }
    is_unchanged = set(chosen_pks) == stored_pks and stored_choice == selection_fields
    if not is_unchanged or campaign.seed != form.cleaned_data["seed"]:
        draft_series.change_series(
            campaign,
            chosen_pks,
            seed=form.cleaned_data["seed"],
            selection={**campaign.selection, **selection_fields},
        )


def _save_question(campaign: Campaign, form: QuestionForm) -> None:
    campaigns.rename_campaign(campaign, form.cleaned_data["name"])
    campaigns.change_instructions(campaign, form.cleaned_data["instructions"])


@transaction.atomic
def _save_people(campaign: Campaign, form: PeopleForm) -> None:
    data = form.cleaned_data
    if campaign.state == Campaign.State.DRAFT:
        campaigns.remove_annotators(campaign, form.left_out())
        if campaign.overlap != data["overlap"]:
            campaign.overlap = data["overlap"]
            campaign.save(update_fields=["overlap"])
            campaigns.add_annotators(campaign, [])
    campaigns.change_cap(campaign, data["cap"], links=data["links"])
    if people := form.added():
        campaigns.add_annotators(campaign, people, cap=data["cap"])


def _save_recipe(campaign: Campaign, form: RecipeForm) -> None:
    recipe, params = form.cleaned_data["recipe"], form.params()
    if (recipe, params) != (campaign.recipe, recipes.get(recipe).clean(campaign.params)):
        campaigns.change_recipe(campaign, recipe=recipe, params=params)


SECTION_SAVES: Final[Mapping[str, Callable[[Campaign, Any], object]]] = {
    "series": _save_series,
    "question": _save_question,
    "people": _save_people,
    "blindness": lambda _, form: form.save(),
    "quality": lambda _, form: form.save(),
    "recipe": _save_recipe,
}


# --- the page -----------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class DefaultRow:
    """One setting of the page: the sentence that it causes, and the controls that change it."""

    key: str
    title: str
    sentence: str
    fields: list[BoundField]

    @property
    def is_open(self) -> bool:
        return any(field.errors for field in self.fields)


class CampaignEditor:
    """The forms of a campaign, stored or new, with what was sent to them."""

    def __init__(
        self, campaign: Campaign, request: SignedInRequest, form_data: Sent = None
    ) -> None:
        self.campaign, self.request, self.sent = campaign, request, form_data
        self.forms: dict[str, Any] = {}
        for name in sections_of(campaign):
            self.forms[name] = SECTION_FORMS[name](campaign, self._section_fields(name), request)
        self.links = LinksForm(form_data)

    def _section_fields(self, section: str) -> Sent:
        """Return what was sent to a section; None for one that the page did not show."""
        required_sections = "" if self.campaign.pk else "series question"
        shown_sections = self._text("sections", required_sections).split()
        return self.sent if section in shown_sections else None

    def _text(self, name: str, fallback: str = "") -> str:
        """Return what was sent under a name."""
        return fallback if self.sent is None else str(self.sent.get(name, fallback))

    def create(self) -> Campaign | None:
        """The draft that a new page describes; None where its series or its name have a mistake.

        A page that has made one before, and sends its key again, gets the same.
        """
        series, question = self.forms["series"], self.forms["question"]
        if not (series.is_valid() and question.is_valid()):
            return None
        try:
            spec = campaigns.CampaignSpec(
                name=question.cleaned_data["name"],
                series=series.chosen(),
                annotators=[],
                instructions=self._text("instructions", INSTRUCTIONS),
                seed=series.cleaned_data["seed"],
                purpose=series.cleaned_data["purpose"],
                selection=series.described(),
            )
            return campaigns.create_once(
                self.campaign.study, spec, key=self._text("key"), by=self.request.user
            )
        except ValidationError as error:
            series.add_error(None, ValidationError(error.messages))
            return None

    def save(self) -> bool:
        """Store each section without a mistake, one after the other; whether all were."""
        for name in sections_of(self.campaign):
            form = SECTION_FORMS[name](self.campaign, self._section_fields(name), self.request)
            self.forms[name] = form
            if form.is_bound and form.is_valid():
                try:
                    SECTION_SAVES[name](self.campaign, form)
                except ValidationError as error:
                    form.add_error(None, ValidationError(error.messages))
            self.campaign.refresh_from_db()
        return not self.errors

    @property
    def errors(self) -> list[BaseForm]:
        """Forms with a mistake."""
        return [form for form in self.forms.values() if form.errors]

    @property
    def sections(self) -> str:
        return " ".join(self.forms)

    @property
    def series(self) -> SeriesForm | None:
        form: SeriesForm | None = self.forms.get("series")
        return form

    def rows(self, series_count: int) -> list[DefaultRow]:
        """Settings that have a default, in the order of the page."""
        campaign = self.campaign
        rows = [
            ("question", "Question", sentences.question(campaign), self._fields(
                series=("purpose",), quality=("ask_difficulty",))),
            ("blindness", "What people see", sentences.sight(campaign), self._fields(
                blindness=("hide_names", "hide_values", "show_events"),
                series=("order",))),
            ("recipe", "Ground truth", sentences.truth(campaign), self._fields(
                recipe=tuple(self.forms["recipe"].fields) if "recipe" in self.forms else ())),
            ("quality", "Practice", sentences.practice(campaign), self._fields(
                quality=("training", "pass_mark", "checks"))),
            ("second", "Second look", sentences.second_look(campaign), self._fields(
                quality=("second_share", "second_days"))),
            ("most", "Most per person", sentences.limit_words(campaign, series_count), self._fields(
                people=("cap", "overlap"))),
            ("instructions", "Instructions", sentences.instructions(campaign), self._fields(
                question=("instructions",))),
        ]  # fmt: skip
        return [
            DefaultRow(key, title, sentence, list(fields)) for key, title, sentence, fields in rows
        ]

    def _fields(self, **names: tuple[str, ...]) -> Iterator[BoundField]:
        for section, fields in names.items():
            form = self.forms.get(section)
            if form is not None:
                yield from (form[name] for name in fields if name in form.fields)
