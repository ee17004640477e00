"""Campaigns: list, what changes one, settings, guide, own answers, files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotate import (
    campaigns,
    exports,
    importing,
    progress,
    recipes,
    screening,
    screening_table,
    second_pass,
)
from annotate.access import campaign_for, owned_campaign_for
from annotate.campaign_forms import (
    BlindnessForm,
    LinksForm,
    MarksFileForm,
    PeopleForm,
    QualityForm,
    QuestionForm,
    RecipeForm,
)
from annotate.models import Annotator, Assignment, Campaign, Problem
from annotate.query import OWN_ANSWERS, CampaignQuery, OwnAnswersQuery
from annotate.views.campaign_people import seats_context
from annotate.views.campaign_series import change_series
from annotate.wizard import SERIES, following, sections_of, wizard_steps
from formats import FormatError, marks as marks_table
from people import downloads, markdown, query_settings
from people.access import SignedInRequest, owned_study_for, study_for
from people.models import Role, Study, User
from series.queries import has_series

A_PAGE = 50
MANY_PEOPLE = 5  # a series, as published: the steps go up to it before there are so many
SETTINGS_PAGE = "annotate/campaigns/settings.html"
SECTION_PAGES = {"people": "annotate/campaigns/people.html"}


# --- list ---------------------------------------------------------------------------------------
@require_GET
def campaign_list(request: SignedInRequest, study: str) -> HttpResponse:
    here = study_for(request, study)
    owner = here.role_of(request.user) == Role.OWNER
    mine = set(here.campaigns.filter(annotators__user=request.user).values_list("pk", flat=True))
    shown = [
        line
        for line in progress.lines(here)
        if owner or line.campaign.state != Campaign.State.DRAFT or line.campaign.pk in mine
    ]
    context = {
        "study": here,
        "owner": owner,
        "lines": [line for line in shown if not line.campaign.archived_at],
        "archived": [line for line in shown if line.campaign.archived_at],
        "mine": mine,
        "any_series": has_series(here),
    }
    return render(request, "annotate/campaigns/list.html", context)


# --- one campaign -------------------------------------------------------------------------------
@require_POST
def open_campaign(request: SignedInRequest, study: str, campaign: str) -> HttpResponse:
    here = owned_campaign_for(request, study, campaign)
    _try(request, lambda: campaigns.open_campaign(here), "The campaign is open.")
    return redirect(here)


@require_http_methods(["GET", "POST"])
def close_campaign(request: SignedInRequest, study: str, campaign: str) -> HttpResponse:
    """Closes the campaign; its page asks first, in a dialog that a GET leads to."""
    here = owned_campaign_for(request, study, campaign)
    if request.method == "GET":
        return redirect(f"{here.get_absolute_url()}{CampaignQuery(dialog='close').query()}")
    _try(request, lambda: campaigns.close(here, by=request.user), "The campaign is closed.")
    return redirect(here)


@require_POST
def archive_campaign(request: SignedInRequest, study: str, campaign: str) -> HttpResponse:
    """Below the list, or back into it; its marks and ground truth count as before."""
    here = owned_campaign_for(request, study, campaign)
    archived = here.archived_at is None
    words = f"{here} is {'in' if archived else 'out of'} the archive."
    _try(request, lambda: campaigns.archive(here, archived=archived), words)
    return redirect("campaigns", study=study)


@require_POST
def close_problem(
    request: SignedInRequest, study: str, campaign: str, problem: int
) -> HttpResponse:
    here = owned_campaign_for(request, study, campaign)
    found = get_object_or_404(Problem, pk=problem, task__campaign=here)
    found.closed_by, found.closed_at = request.user, timezone.now()
    found.save(update_fields=["closed_by", "closed_at"])
    return redirect(here)


@require_http_methods(["GET", "POST"])
def settings(request: SignedInRequest, study: str, campaign: str, section: str) -> HttpResponse:
    """One section of the settings; of a draft, the sections are the steps of making it."""
    here = owned_campaign_for(request, study, campaign)
    if section not in sections_of(here):
        raise Http404(f"no section {section}")
    if section == SERIES:
        return change_series(request, here)
    form = SECTION_FORMS[section](here, request)
    if request.method == "POST" and form.is_valid() and _saved(here, form, section):
        messages.success(request, "Saved.")
        if after := following(here, section):
            return redirect("campaign-settings", study=study, campaign=campaign, section=after)
        return redirect(here)
    context = {
        "campaign": here,
        "study": here.study,
        "section": section,
        "steps": wizard_steps(here, section),
        "save_words": _save_words(here, section),
        "form": form,
        "annotators": here.annotators.select_related("user"),
        "draft": here.state == Campaign.State.DRAFT,
        "example": _example({}, here.recipe, here.params),
    }
    if section == "people":
        context |= {
            **seats_context(request, here),
            "links_form": LinksForm(),
            "top_overlap": max(MANY_PEOPLE, here.annotators.count()),
            "top_cap": here.tasks.count(),
        }
    return render(request, SECTION_PAGES.get(section, SETTINGS_PAGE), context)


def _save_words(campaign: Campaign, section: str) -> str:
    after = following(campaign, section)
    return f"Next: {after}" if after else "Save"


def _saved(campaign: Campaign, form: Any, section: str) -> bool:
    """Whether the section could be saved; the form has what stands against it."""
    try:
        SECTION_SAVES[section](campaign, form)
    except ValidationError as refused:
        form.add_error(None, ValidationError(refused.messages))
        return False
    return True


def _recipe_form(campaign: Campaign, request: HttpRequest) -> RecipeForm:
    chosen = request.POST.get("recipe") or campaign.recipe
    chosen = chosen if chosen in recipes.RECIPES else campaign.recipe
    initial = {"recipe": campaign.recipe, **recipes.get(campaign.recipe).clean(campaign.params)}
    return RecipeForm(request.POST or None, initial=initial, chosen=chosen)


SECTION_FORMS: dict[str, Callable[[Campaign, HttpRequest], Any]] = {
    "question": lambda campaign, request: QuestionForm(
        request.POST or None,
        initial={"name": campaign.name, "instructions": campaign.instructions},
    ),
    "people": lambda campaign, request: PeopleForm(campaign, request.POST or None),
    "blindness": lambda campaign, request: BlindnessForm(request.POST or None, instance=campaign),
    "quality": lambda campaign, request: QualityForm(
        campaign, request.POST or None, by=request.user
    ),
    "recipe": _recipe_form,
}


def _save_question(campaign: Campaign, form: Form) -> None:
    campaigns.rename(campaign, form.cleaned_data["name"])
    campaigns.change_instructions(campaign, form.cleaned_data["instructions"])


def _save_people(campaign: Campaign, form: Form) -> None:
    if campaign.state == Campaign.State.DRAFT:
        campaign.overlap = form.cleaned_data["overlap"]
        campaign.save(update_fields=["overlap"])
    campaigns.add_annotators(
        campaign, list(form.cleaned_data["annotators"]), cap=form.cleaned_data["cap"]
    )


def _save_blindness(campaign: Campaign, form: Any) -> None:  # noqa: ARG001  # the form's own
    form.save()


def _save_quality(campaign: Campaign, form: Any) -> None:  # noqa: ARG001  # the form's own
    form.save()


def _save_recipe(campaign: Campaign, form: Any) -> None:
    campaigns.change_recipe(campaign, recipe=form.cleaned_data["recipe"], params=form.params())


SECTION_SAVES: dict[str, Callable[[Campaign, Any], None]] = {
    "question": _save_question,
    "people": _save_people,
    "blindness": _save_blindness,
    "quality": _save_quality,
    "recipe": _save_recipe,
}

EXAMPLE = (318, 320, 322, 340, 1044)


@require_GET
def recipe_example(request: SignedInRequest, study: str, campaign: str) -> HttpResponse:
    """The worked example: five marks, the recipe's answer and the sentence for it."""
    here = owned_campaign_for(request, study, campaign)
    return render(
        request, "annotate/campaigns/_example.html", {"example": _example_of(request, here)}
    )


def _example_of(request: HttpRequest, campaign: Campaign) -> dict[str, Any]:
    recipe = request.GET.get("recipe", campaign.recipe)
    recipe = recipe if recipe in recipes.RECIPES else campaign.recipe
    names = [each.name for each in recipes.get(recipe).parameters]
    params = {name: request.GET[name] for name in names if request.GET.get(name)}
    return _example(request.GET, recipe, params)


def _example(given: Any, recipe: str, params: Any) -> dict[str, Any]:
    texts = [str(given.get(f"a{n}", start)) for n, start in enumerate(EXAMPLE, start=1)]
    places = [
        int(text) if text.isdecimal() else start for text, start in zip(texts, EXAMPLE, strict=True)
    ]
    marks = [
        recipes.RecipeMark(f"a{n}", "steady", place) for n, place in enumerate(places, start=1)
    ]
    try:
        reasoned = recipes.reason(recipe, marks, params, complete=True)
    except recipes.RecipeParameterError as error:
        return {"places": places, "sentence": str(error), "truth": None}
    return {"places": places, "sentence": reasoned.sentence, "truth": reasoned.truth}


@require_GET
def guide(request: SignedInRequest, study: str, campaign: str) -> HttpResponse:
    here = campaign_for(request, study, campaign)
    context = {"campaign": here, "study": here.study, "text": markdown.render(here.instructions)}
    return render(request, "annotate/campaigns/guide.html", context)


@require_GET
def mine(request: SignedInRequest, study: str, campaign: str) -> HttpResponse:
    """One's own answers, and nobody else's anything."""
    here = campaign_for(request, study, campaign)
    get_object_or_404(Annotator, campaign=here, user=request.user)
    query_settings.warn_unused_parameters(request, OwnAnswersQuery.settings())
    chosen = OwnAnswersQuery.of(request.GET).only
    answered = Assignment.objects.filter(
        user=request.user, task__campaign=here, latest__isnull=False, **OWN_ANSWERS.get(chosen, {})
    ).select_related("latest", "task__series__benchmark")
    hidden = second_pass.hidden_tasks(request.user).filter(campaign=here)
    answered = answered.exclude(task__in=hidden)
    page = Paginator(answered.order_by("task__position"), A_PAGE).get_page(request.GET.get("page"))
    context = {
        "campaign": here,
        "study": here.study,
        "page": page,
        "filters": list(OWN_ANSWERS),
        "hidden": hidden.count(),
        "only": chosen,
    }
    return render(request, "annotate/campaigns/mine.html", context)


# --- what comes of it ---------------------------------------------------------------------------
@require_POST
def mark_steady(request: SignedInRequest, study: str, campaign: str) -> HttpResponse:
    """Close a screening and go on with the draft that marks what it judged steady."""
    here = owned_campaign_for(request, study, campaign)
    try:
        made = screening.mark_steady(here, by=request.user, tied="tied" in request.POST)
    except ValidationError as refused:
        messages.error(request, " ".join(refused.messages))
        return redirect(here)
    messages.success(request, f"{here} is closed; {made} has the same forks.")
    return redirect("campaign-settings", study=study, campaign=made.slug, section="question")


def _file_name(campaign: Campaign, what: str) -> str:
    return f"{downloads.named(campaign.study.slug, campaign.slug, what)}.csv"


@require_GET
def ground_truth_csv(request: SignedInRequest, study: str, campaign: str) -> StreamingHttpResponse:
    here = campaign_for(request, study, campaign)
    if here.is_screening:
        rows = screening_table.screening_csv(here, request.user)
        return downloads.csv(rows, _file_name(here, "screening"))
    if not here.makes_truth:
        raise Http404(f"{here} makes no ground truth")
    return downloads.csv(exports.ground_truth(here, request.user), _file_name(here, "ground-truth"))


@require_GET
def marks_csv(request: SignedInRequest, study: str, campaign: str) -> StreamingHttpResponse:
    here = campaign_for(request, study, campaign)
    if here.is_training:
        raise Http404("answers of a training are in no file")
    latest = request.GET.get("revisions") == "latest"
    return downloads.csv(
        exports.marks(here, request.user, latest=latest), _file_name(here, "marks")
    )


@require_http_methods(["GET", "POST"])
def import_marks(request: SignedInRequest, study: str) -> HttpResponse:
    """Marks from a file, into a campaign that is there or made."""
    owned = owned_study_for(request, study)
    form = MarksFileForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        done = _imported(owned, form, request.user)
        if done:
            messages.success(
                request,
                f"{done.stored} marks stored, {done.known} were there; {done.series} series. "
                f"Recipe: {done.recipe}.",
            )
            return redirect(done.campaign)
    return render(request, "annotate/campaigns/import_marks.html", {"study": owned, "form": form})


def _imported(study: Study, form: MarksFileForm, by: User) -> importing.MarksImportResult | None:
    data = form.cleaned_data
    try:
        rows = marks_table.read(data["file"].file, data["file"].name)
        return importing.import_marks(
            study, data["name"], rows, file=data["file"].name, recipe=data["recipe"] or None, by=by
        )
    except FormatError as error:
        form.add_error("file", str(error))
        return None


def _try(request: HttpRequest, act: Callable[[], None], done: str) -> None:
    try:
        act()
    except ValidationError as refused:
        messages.error(request, " ".join(refused.messages))
    else:
        messages.success(request, done)
