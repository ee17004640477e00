"""Forms of a campaign: its series, question, people, blindness, recipe."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from django import forms
from django.core.validators import validate_email
from django.db import transaction
from django.http import QueryDict

from annotate import attention_checks, recipes
from annotate.answering import training
from annotate.campaigns import invitations, selection, series_order
from annotate.campaigns.services import possible_annotators
from annotate.drafts.outline_choice import MOST, OutlineChoice
from annotate.models import Campaign
from people.models import Study, User
from series.models import Dataset, Recording
from series.models.series import SeriesQuerySet
from series.queries import select_series

MOST_SEED = 2**32 - 1

# The question and four drawn examples stand around it (templates/annotate/_guide.html).
INSTRUCTIONS = """\
Look at the whole series first, then zoom in where you would set the mark.

Single spikes do not matter. If you cannot say, choose *Unclear* and write why.
"""


class SeriesForm(forms.Form):
    """Choice of the series that are asked, and of what is asked of each."""

    dataset = forms.ModelChoiceField(
        Dataset.objects.none(), required=False, empty_label="all data sets", label="Data set"
    )
    recording = forms.ModelChoiceField(
        Recording.objects.none(), required=False, empty_label="all recordings"
    )
    text = forms.CharField(
        required=False, label="Words", help_text="In system, benchmark or parameters."
    )
    only = forms.CharField(required=False, max_length=4000, widget=forms.HiddenInput)
    rule = forms.ChoiceField(choices=selection.RULES, label="Of these", initial=selection.ONE_FORK)
    drawn = forms.ChoiceField(
        choices=[(rule, words) for rule, words in selection.RULES if rule in selection.STRATA],
        required=False,
        label="Drawn",
    )
    purpose = forms.ChoiceField(
        choices=[
            (Campaign.Purpose.ANNOTATE, "from which iteration on it is steady"),
            (Campaign.Purpose.SCREENING, "only whether it becomes steady (screening)"),
            (Campaign.Purpose.CHANGES, "at which iterations its level changes (all of them)"),
        ],
        required=False,
        label="Question for each series",
    )
    count = forms.IntegerField(required=False, min_value=1, label="How many", initial=20)
    seed = forms.IntegerField(
        initial=1,
        min_value=0,
        max_value=MOST_SEED,
        help_text="A seed always draws the same series.",
    )
    order = forms.ChoiceField(
        choices=series_order.choices,
        required=False,
        label="Order of the series",
        help_text="Nobody who annotates sees why.",
    )
    listed = forms.FileField(
        required=False, label="List", help_text="A CSV with benchmark and fork."
    )

    def __init__(
        self, study: Study, *args: Any, picked_ids: frozenset[str] = frozenset(), **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.study, self.picked = study, picked_ids
        self.fields["dataset"].queryset = study.datasets.all()  # type: ignore[attr-defined]
        self.fields["recording"].queryset = Recording.objects.filter(  # type: ignore[attr-defined]
            dataset__study=study
        )

    @property
    def filters(self) -> list[forms.BoundField]:
        """Controls that narrow the series before the rule."""
        return [self[name] for name in ("dataset", "recording", "text")]

    @property
    def rules(self) -> list[tuple[str, str]]:
        """Rules that the page offers beside one another; what a sample is drawn by comes second."""
        words = {
            selection.ONE_FORK: "One fork of each benchmark",
            selection.ALL: "All forks",
            selection.RANDOM: "Random…",
            selection.PICKED: "Pick…",
            selection.LISTED: "From a list…",
        }
        return list(words.items())

    @property
    def only_count(self) -> int:
        """Number of rows that were chosen one by one; 0 for all that the filters leave."""
        return len(str(self["only"].value() or "").split())

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("rule") == selection.RANDOM and data.get("drawn"):
            data["rule"] = data["drawn"]
        if data.get("rule") in selection.STRATA and not data.get("count"):
            self.add_error("count", "Say how many series to draw.")
        if data.get("rule") == selection.LISTED and not data.get("listed"):
            self.add_error("listed", "Choose the file with the list.")
        if data.get("order") and data.get("purpose") == Campaign.Purpose.SCREENING:
            self.add_error("order", "A screening asks for no iteration: people have their own.")
        if data.get("rule") == selection.PICKED and len(self.outline_choice.picked) > MOST:
            self.add_error("rule", f"Up to {MOST:,} series are picked one by one.")
        return data

    def clean_purpose(self) -> str:
        return self.cleaned_data["purpose"] or Campaign.Purpose.ANNOTATE

    def filtered(self) -> SeriesQuerySet:
        """Series that the filter lets through, before the rule; series of trainings are never
        asked.
        """
        data = self.cleaned_data
        series = select_series(
            self.study,
            dataset=data.get("dataset"),
            recording=data.get("recording"),
            text=data.get("text", ""),
            only=data.get("only", ""),
        )
        return _exclude_known_answers(series)

    @property
    def outline_choice(self) -> OutlineChoice:
        """Series that are picked by outlines, whatever the filters leave now."""
        if not self.is_bound:
            return OutlineChoice(self.picked)
        return OutlineChoice.from_form(cast("QueryDict", self.data))

    def chosen(self) -> list[int]:
        """Primary keys of the chosen series; ValidationError for a list that does not fit."""
        data = self.cleaned_data
        if data["rule"] == selection.PICKED:
            possible_series = _exclude_known_answers(select_series(self.study))
            return [pk for pk, _ in self.outline_choice.among(possible_series)]
        if data["rule"] == selection.LISTED:
            upload = data["listed"]
            upload.seek(0)  # the choice may be made more than once
            return selection.read_listed_keys(self.study, upload.read(), upload.name)
        return selection.choose_series(
            self.filtered(), rule=data["rule"], count=data.get("count"), seed=data["seed"]
        )

    def described(self) -> dict[str, Any]:
        """The choice as data, kept with the campaign so that it can be repeated."""
        data = self.cleaned_data
        return {
            "dataset": str(data["dataset"] or ""),
            "recording": str(data["recording"] or ""),
            "text": data["text"],
            "only": data["only"],
            "rule": data["rule"],
            "count": data["count"],
            "seed": data["seed"],
            "order": data.get("order", ""),
        }


def _exclude_known_answers(series: SeriesQuerySet) -> SeriesQuerySet:
    """Leave out series of trainings and checks, whose answers are known."""
    return series.exclude(tasks__expected__isnull=False)


class QuestionForm(forms.ModelForm):
    """Name and instructions."""

    class Meta:
        model = Campaign
        fields = ["name", "instructions"]
        widgets = {"instructions": forms.Textarea(attrs={"rows": 14})}
        help_texts = {
            "instructions": "Headings, lists, bold, italics, code (Markdown). "
            "A change makes a new version; each mark says which version its annotator had read."
        }


class PeopleForm(forms.Form):
    """Members who annotate, and how many series each person gets."""

    annotators = forms.ModelMultipleChoiceField(
        User.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label="Members of the study",
    )
    shown = forms.CharField(required=False, widget=forms.HiddenInput)
    overlap = forms.IntegerField(
        required=False,
        min_value=1,
        label="Answers per series",
        help_text="All: everybody answers every series.",
        widget=forms.NumberInput({"placeholder": "all"}),
    )
    cap = forms.IntegerField(
        required=False,
        min_value=1,
        label="Most series per person",
        help_text="All: no limit. Counts for people who join from now on.",
        widget=forms.NumberInput({"placeholder": "all"}),
    )
    links = forms.IntegerField(
        required=False,
        initial=5,
        min_value=0,
        max_value=invitations.MOST,
        label="Links",
        help_text="One for each person.",
    )

    def __init__(self, campaign: Campaign, *args: Any, **kwargs: Any) -> None:
        stored_choice = campaign.selection
        kwargs["initial"] = {
            "overlap": campaign.overlap,
            "cap": stored_choice.get("cap"),
            "links": stored_choice.get("links", 5),
        }
        super().__init__(*args, **kwargs)
        self.there: set[int] = set()
        if campaign.pk:
            self.there = set(campaign.annotators.values_list("user_id", flat=True))
        possible_user_ids = {user.pk for user in possible_annotators(campaign.study)}
        is_draft = campaign.state == Campaign.State.DRAFT
        shown_user_ids = possible_user_ids if is_draft else possible_user_ids - self.there
        self.fields["annotators"].queryset = User.objects.filter(pk__in=shown_user_ids)  # type: ignore[attr-defined]
        self.fields["annotators"].initial = sorted(shown_user_ids & self.there)
        self.fields["shown"].initial = " ".join(map(str, sorted(shown_user_ids)))
        if not is_draft:
            self.fields["overlap"].disabled = True
            self.fields["overlap"].help_text = "Fixed once the campaign is open."

    def added(self) -> list[User]:
        """People who are ticked, and have no place yet."""
        return [user for user in self.cleaned_data["annotators"] if user.pk not in self.there]

    def left_out(self) -> set[int]:
        """User ids whose tick was taken away; whoever joined meanwhile was not shown."""
        ticked_user_ids = {user.pk for user in self.cleaned_data["annotators"]}
        shown_user_ids = {
            int(user_id) for user_id in self.cleaned_data["shown"].split() if user_id.isdecimal()
        }
        return (self.there & shown_user_ids) - ticked_user_ids


class LinksForm(forms.Form):
    """People for whom links are made: so many, or those named."""

    links = forms.IntegerField(min_value=1, max_value=invitations.MOST, required=False)
    names = forms.CharField(
        required=False,
        max_length=10_000,
        widget=forms.Textarea(attrs={"rows": 4}),
        label="Names",
        help_text="One person a line, such as “Dina dina@example.org”.",
    )

    def clean_names(self) -> list[tuple[str, str]]:
        """Name and mail address of each line that is not empty."""
        lines = [line.split() for line in self.cleaned_data["names"].splitlines()]
        people = [_person(words) for words in lines if words]
        if len(people) > invitations.MOST:
            raise forms.ValidationError(
                f"Found {len(people)} names, expected at most {invitations.MOST}: add others later."
            )
        return people

    def people(self) -> list[tuple[str, str]]:
        """Whom to invite: the named, else so many without a name."""
        return self.cleaned_data["names"] or [("", "")] * (self.cleaned_data["links"] or 1)


def _person(words: list[str]) -> tuple[str, str]:
    """The name and the mail address, either of which may be empty, of one line."""
    mails = [word.strip("<>,;") for word in words if "@" in word]
    for mail in mails:
        validate_email(mail)
    name = " ".join(word for word in words if "@" not in word)
    if len(mails) > 1 or len(name) > 120:
        raise forms.ValidationError(
            f"found {' '.join(words)[:80]!r}, expected a name of at most 120 characters and one "
            "mail address"
        )
    return name, "".join(mails)


class BlindnessForm(forms.ModelForm):
    """Settings of what annotators do not see of a series."""

    class Meta:
        model = Campaign
        fields = ["hide_names", "hide_values", "show_events"]
        labels = {
            "hide_names": "Hide names",
            "hide_values": "Hide figures on the y-axis",
            "show_events": "Show events of the process",
        }
        help_texts = {
            "hide_names": "Annotators see “Series 12” instead of system and benchmark.",
            "hide_values": "Shapes only, without units.",
            "show_events": "Pauses, compilations and counts under the chart; they hint at answers.",
        }

    def save(self, commit: bool = True) -> Campaign:  # noqa: FBT001, FBT002  # Django's own
        """Store these columns alone: other forms of the page have stored others."""
        campaign: Campaign = self.instance
        campaign.save(update_fields=self.Meta.fields)
        return campaign

    def clean_hide_names(self) -> bool:
        hides_names: bool = self.cleaned_data["hide_names"]
        if self.instance.checks and not hides_names:
            raise forms.ValidationError("Checks need hidden names: take them out first.")
        return hides_names

    def clean_show_events(self) -> bool:
        shows_events: bool = self.cleaned_data["show_events"]
        if self.instance.checks and shows_events:
            raise forms.ValidationError("Checks have no events: take them out first.")
        return shows_events


NO_TRAINING, NEW_TRAINING = "", "new"


class QualityForm(forms.Form):
    """Settings of how people are trained and checked: training, second pass, checks, difficulty."""

    training = forms.ChoiceField(
        required=False, help_text="Eight simulated series with feedback, before the first answer."
    )
    pass_mark = forms.IntegerField(
        min_value=0,
        max_value=100,
        label="Pass mark",
        help_text="Percent of the points. Below the pass mark, another attempt has other series.",
    )
    second_share = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=100,
        label="Second look",
        help_text="Percent of each person’s series that are asked once more, at least 20. "
        "Empty: none.",
    )
    second_days = forms.IntegerField(
        min_value=0, max_value=365, label="Days until then", help_text="After the last answer."
    )
    checks = forms.IntegerField(
        required=False,
        min_value=0,
        max_value=attention_checks.MOST,
        label="Unannounced checks",
        help_text="Simulated series among the others; you see how many are answered correctly.",
    )
    ask_difficulty = forms.BooleanField(
        required=False, label="Ask how difficult a series was", help_text="1 easy to 5 hard."
    )

    def __init__(self, campaign: Campaign, *args: Any, by: Any, **kwargs: Any) -> None:
        kwargs["initial"] = {
            "training": campaign.training.slug if campaign.training else NO_TRAINING,
            "pass_mark": round(100 * (campaign.training or campaign).pass_mark),
            "second_share": round(100 * campaign.second_share) or None,
            "second_days": campaign.second_days,
            "checks": campaign.checks or None,
            "ask_difficulty": campaign.ask_difficulty,
        }
        super().__init__(*args, **kwargs)
        self.campaign, self.by = campaign, by
        trainings = campaign.study.campaigns.filter(purpose=Campaign.Purpose.TRAINING)
        self.fields["training"].choices = [  # type: ignore[attr-defined]
            (NO_TRAINING, "none"),
            *trainings.values_list("slug", "name"),
            (NEW_TRAINING, "a new one"),
        ]
        if not campaign.makes_truth:  # no one iteration is asked: nothing to be compared
            for name in ("second_share", "second_days", "checks"):
                del self.fields[name]
            if campaign.asks_changes:  # a training asks for steady starts
                del self.fields["training"], self.fields["pass_mark"]
        elif campaign.state != Campaign.State.DRAFT:
            self.fields["checks"].disabled = True
            self.fields["checks"].help_text = "Fixed once the campaign is open."

    @transaction.atomic
    def save(self) -> None:
        """ValidationError, with nothing saved, for checks that the campaign cannot have."""
        data, campaign = self.cleaned_data, self.campaign
        if "checks" in self.fields:
            attention_checks.set_check_count(campaign, data["checks"] or 0)
            campaign.second_share = (data["second_share"] or 0) / 100
            campaign.second_days = data["second_days"]
        campaign.training = self._training(data.get("training", NO_TRAINING))
        campaign.ask_difficulty = data["ask_difficulty"]
        campaign.save(update_fields=["training", "second_share", "second_days", "ask_difficulty"])

    def _training(self, slug: str) -> Campaign | None:
        if slug == NO_TRAINING:
            return None
        study, seed = self.campaign.study, self.campaign.seed
        training_campaign = (
            training.create(study, seed=seed, by=self.by)
            if slug == NEW_TRAINING
            else study.campaigns.get(slug=slug)
        )
        training_campaign.pass_mark = self.cleaned_data["pass_mark"] / 100
        training_campaign.save(update_fields=["pass_mark"])
        return training_campaign


class RecipeForm(forms.Form):
    """The recipe and its parameters, as the recipe declares them."""

    recipe = forms.ChoiceField(
        choices=[(slug, each.title) for slug, each in recipes.RECIPES.items()]
    )

    def __init__(
        self, *args: Any, recipe_slug: str = recipes.DEFAULT, is_fixed: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        if is_fixed:
            self.fields["recipe"].widget = forms.HiddenInput()
        self.fields["recipe"].help_text = recipes.get(recipe_slug).about
        for parameter in recipes.get(recipe_slug).parameters:
            self.fields[parameter.name] = forms.IntegerField(
                initial=parameter.default,
                min_value=parameter.low,
                max_value=parameter.high,
                help_text=f"{parameter.help} {parameter.low} to {parameter.high} {parameter.unit}",
            )

    def params(self) -> Mapping[str, int]:
        parameters = recipes.get(self.cleaned_data["recipe"]).parameters
        return {parameter.name: self.cleaned_data[parameter.name] for parameter in parameters}


class MarksFileForm(forms.Form):
    """A file of marks, and the campaign that takes them."""

    name = forms.SlugField(
        label="Campaign", help_text="Its short name in addresses; a new name makes a campaign."
    )
    file = forms.FileField(label="Marks (CSV)")
    recipe = forms.ChoiceField(
        choices=[("", f"the campaign's own; {recipes.DEFAULT} for a new one")]
        + [(slug, slug) for slug in recipes.RECIPES],
        required=False,
    )
