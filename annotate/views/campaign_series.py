"""The first step of a campaign: which series, by filters, by a rule, or one by one by outlines."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from annotate import campaigns, draft_series, selection, wizard
from annotate.campaign_forms import INSTRUCTIONS, SeriesForm
from annotate.models import Campaign
from annotate.outline_choice import filters_of, outline_page
from annotate.query import SeriesChoiceQuery
from people.access import SignedInRequest, owned_study_for
from people.models import Study, User
from series.models import Series
from series.queries import has_series

PAGE = "annotate/campaigns/new.html"
DRAWN = 12  # outlines beside a rule


@require_http_methods(["GET", "POST"])
def new_campaign(request: SignedInRequest, study: str) -> HttpResponse:
    """First step: which series. What follows are the settings of the draft."""
    owned = owned_study_for(request, study)
    if not has_series(owned):
        return redirect("campaigns", study=study)  # it says what is missing
    initial = _initial(owned, SeriesChoiceQuery.of(request.GET))
    form = SeriesForm(owned, request.POST or None, request.FILES or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        made = _made(owned, form, request.user)
        if made:
            return redirect(
                "campaign-settings", study=study, campaign=made.slug, section="question"
            )
    context = {"study": owned, "form": form, "steps": wizard.new_steps()}
    return render(request, PAGE, context)


def _initial(study: Study, asked: SeriesChoiceQuery) -> dict[str, Any]:
    """What the table of a data set asks for."""
    dataset = study.datasets.filter(slug=asked.dataset).first()
    label = asked.recording
    recording = dataset and label and dataset.recordings.filter(label=label).first()
    return {"dataset": dataset, "recording": recording or None, "only": asked.only}


def _made(study: Study, form: SeriesForm, by: User) -> Campaign | None:
    try:
        wanted = campaigns.CampaignSpec(
            name=form.cleaned_data["name"],
            series=form.chosen(),
            annotators=[],
            instructions=INSTRUCTIONS,
            seed=form.cleaned_data["seed"],
            purpose=form.cleaned_data["purpose"],
            selection=form.described(),
        )
        return campaigns.create(study, wanted, by=by)
    except ValidationError as refused:
        form.add_error(None, ValidationError(refused.messages))
        return None


def change_series(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    """The same step of a draft that is there; its owner has been looked up."""
    study = campaign.study
    form = _draft_form(campaign, request)
    if request.method == "POST" and form.is_valid() and _changed(campaign, form):
        messages.success(request, "Saved.")
        return redirect(
            "campaign-settings",
            study=study.slug,
            campaign=campaign.slug,
            section=wizard.following(campaign, wizard.SERIES),
        )
    context = {
        "study": study,
        "form": form,
        "campaign": campaign,
        "steps": wizard.wizard_steps(campaign, wizard.SERIES),
    }
    return render(request, PAGE, context)


def _draft_form(campaign: Campaign, request: HttpRequest) -> SeriesForm:
    """The choice as it was made; one that cannot be made again shows what came of it as picked."""
    said = campaign.selection
    study = campaign.study
    dataset = study.datasets.filter(name=said.get("dataset", "")).first()
    label = said.get("recording")
    initial = {
        **said,
        "name": campaign.name,
        "dataset": dataset,
        "recording": dataset and dataset.recordings.filter(label=label).first(),
        "seed": campaign.seed,
    }
    if said.get("rule") not in {selection.ALL, selection.ONE_FORK, *selection.STRATA}:
        initial["rule"] = selection.PICKED
    series = campaign.tasks.counted().values_list("series__public_id", flat=True)
    form = SeriesForm(
        study,
        request.POST or None,
        request.FILES or None,
        initial=initial,
        picked=frozenset(series),
    )
    del form.fields["name"], form.fields["purpose"]  # of the next step, and fixed
    if campaign.is_screening:
        del form.fields["order"]
    return form


def _changed(campaign: Campaign, form: SeriesForm) -> bool:
    try:
        draft_series.change_series(
            campaign,
            form.chosen(),
            seed=form.cleaned_data["seed"],
            selection=form.described(),
        )
    except ValidationError as refused:
        form.add_error(None, ValidationError(refused.messages))
        return False
    return True


@require_POST
def count_series(request: SignedInRequest, study: str) -> HttpResponse:
    """How many series the form chooses now, with drawings of the first; or outlines to pick."""
    owned = owned_study_for(request, study)
    form = SeriesForm(owned, request.POST, request.FILES)
    form.is_valid()
    rule = form.cleaned_data.get("rule")
    if rule == selection.PICKED:
        return _outlines(request, form)
    ready = "seed" in form.cleaned_data and not form.errors.get("count")
    keys: list[int] = []
    if ready and rule and rule != selection.LISTED:
        keys = form.chosen()
    shown = Series.objects.filter(pk__in=keys[:DRAWN]).select_related("benchmark")
    context = {
        "count": len(keys),
        "benchmarks": Series.objects.filter(pk__in=keys).values("benchmark").distinct().count(),
        "series": shown,
        "picked": " ".join(sorted(form.outline_choice.picked)),
    }
    return render(request, "annotate/campaigns/_count.html", context)


def _outlines(request: HttpRequest, form: SeriesForm) -> HttpResponse:
    """One page of what the filters leave, all or none of it taken where that is asked."""
    series, choice = form.filtered(), form.outline_choice
    take = request.POST.get("take")
    if take == "all":
        choice = choice.with_all(series)
    elif take == "none":
        choice = choice.without(series)
    page = outline_page(series, choice)
    context = {"page": page, "study": form.study, "left_by": filters_of(request.POST)}
    return render(request, "annotate/campaigns/_outlines.html", context)
