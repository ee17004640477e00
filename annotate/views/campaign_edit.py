"""The page that makes a campaign and edits it, and its parts that follow what is filled in."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Final

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.crypto import get_random_string
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotate import recipes
from annotate.access import owned_campaign_for
from annotate.campaign_pages.query import SeriesChoiceQuery
from annotate.campaigns import invitations, selection, services as campaigns
from annotate.campaigns.pace import seconds_a_series
from annotate.drafts import campaign_editor, campaign_sentences
from annotate.drafts.campaign_editor import CampaignEditor
from annotate.drafts.campaign_forms import SeriesForm
from annotate.drafts.outline_choice import filters_of, outline_page
from annotate.models import Campaign
from annotate.views.campaign_people import seats_context
from annotate.views.marks_import import import_marks
from people.access import SignedInRequest, owned_study_for
from people.models import Study
from people.undo import success_with_undo
from series.models import Series
from series.queries import has_series, select_series

PAGE: Final = "annotate/campaigns/edit.html"
DRAWN: Final = 12  # outlines beside a rule
MANY_PEOPLE: Final = 5  # a series, as published: steps go up to it before there are so many


# --- the page -----------------------------------------------------------------------------------
@require_http_methods(["GET", "POST"])
def new_campaign(request: SignedInRequest, study: str) -> HttpResponse:
    """The page with its defaults; what is sent from it makes a draft."""
    owned_study = owned_study_for(request, study)
    if "marks" in request.GET:
        return import_marks(request, owned_study)
    if not has_series(owned_study):
        return redirect("campaigns", study=study)  # it says what is missing
    if request.method == "POST":
        editor = CampaignEditor(_unsaved_campaign(owned_study, {}), request, request.POST)
        if draft := editor.create():
            return _save_page(request, draft)
        return _page(request, editor)
    initial = _initial_values(owned_study, SeriesChoiceQuery.from_query(request.GET))
    editor = CampaignEditor(_unsaved_campaign(owned_study, initial), request)
    assert editor.series is not None  # noqa: S101  # a new one has it
    editor.series.initial = initial
    return _page(request, editor)


@require_http_methods(["GET", "POST"])
def edit_campaign(request: SignedInRequest, study: str, campaign: str) -> HttpResponse:
    """Edit a campaign that is there, on the page that makes one."""
    owned_campaign = owned_campaign_for(request, study, campaign)
    if request.method == "POST":
        return _save_page(request, owned_campaign)
    return _page(request, CampaignEditor(owned_campaign, request))


def _save_page(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    """Store what was sent, and do what its button says: nothing more, links, or to open."""
    editor = CampaignEditor(campaign, request, request.POST)
    action = request.POST.get("do", "save")
    if not (editor.save() and _perform_action(editor, action)):
        return _page(request, editor)
    address = reverse("campaign-edit", args=[campaign.study.slug, campaign.slug])
    if action == "open" and not invitations.open_count(campaign):
        return redirect(campaign)
    return redirect(address if action == "save" else f"{address}#people")


def _perform_action(editor: CampaignEditor, action: str) -> bool:
    """Do what a button says; False with a sentence on the page where it cannot be done."""
    request, campaign = editor.request, editor.campaign
    if action == "links":
        return _make_links(editor)
    if action == "open":
        return _open_campaign(editor)
    messages.success(request, "Saved as a draft." if _is_draft(campaign) else "Saved.")
    return True


def _make_links(editor: CampaignEditor) -> bool:
    form, campaign, request = editor.links, editor.campaign, editor.request
    if not form.is_valid():
        return False
    new_links = invitations.invite_to_campaign(
        campaign, form.people(), by=request.user, cap=campaign.selection.get("cap")
    )
    messages.success(request, f"{len(new_links)} link{'' if len(new_links) == 1 else 's'} made.")
    return True


def _open_campaign(editor: CampaignEditor) -> bool:
    """Open it; a draft without links gets those that its page offers first."""
    campaign, request = editor.campaign, editor.request
    try:
        links = (editor.forms["people"].cleaned_data or {}).get("links") or 0
        if links and not campaign.invitations.exists():
            people = [("", "")] * links
            invitations.invite_to_campaign(
                campaign, people, by=request.user, cap=campaign.selection.get("cap")
            )
        campaigns.open_campaign(campaign)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
        return False
    address = reverse("campaign-closure", args=[campaign.study.slug, campaign.slug])
    sentence = "The campaign is open. Send each person their link."
    success_with_undo(request, sentence, address, before={"state": Campaign.State.DRAFT})
    return True


def _page(request: SignedInRequest, editor: CampaignEditor) -> HttpResponse:
    campaign, study = editor.campaign, editor.campaign.study
    is_stored = bool(campaign.pk)
    keys = _chosen_keys(editor)
    people = seats_context(request, campaign) if is_stored else {"seats": []}
    context = {
        **people,
        **_choice(editor.series, keys),
        **_workload(request, study, campaign if is_stored else None, len(keys)),
        "study": study,
        "campaign": campaign if is_stored else None,
        "editor": editor,
        "draft": _is_draft(campaign),
        "offers_links": not is_stored or not campaign.invitations.exists(),
        "people_form": editor.forms["people"],
        "rows": editor.rows(len(keys)),
        "key": request.POST.get("key") or get_random_string(16),
        "example": _example({}, campaign.recipe, campaign.params),
        "top_overlap": max(MANY_PEOPLE, len(people["seats"])),
        "top_cap": max(len(keys), 1),
    }
    return render(request, PAGE, context)


def _is_draft(campaign: Campaign) -> bool:
    return campaign.state == Campaign.State.DRAFT


def _unsaved_campaign(study: Study, initial: dict[str, Any]) -> Campaign:
    dataset = initial.get("dataset")
    name = f"{dataset or study}, one fork each"
    return campaign_editor.new_campaign(study, name[:120])


def _initial_values(study: Study, query: SeriesChoiceQuery) -> dict[str, Any]:
    """Initial values that the table of a data set asks for; with one data set, that one."""
    datasets = list(study.datasets.all()[:2])
    only_dataset = datasets[0] if len(datasets) == 1 else None
    dataset = study.datasets.filter(slug=query.dataset).first() or only_dataset
    label = query.recording
    recording = dataset and label and dataset.recordings.filter(label=label).first()
    return {
        "dataset": dataset,
        "recording": recording or None,
        "only": query.only,
        "rule": selection.ALL if query.only else selection.ONE_FORK,
        "purpose": Campaign.Purpose.ANNOTATE,
    }


# --- while it is filled in ----------------------------------------------------------------------
@require_POST
def keep_draft(request: SignedInRequest, study: str) -> HttpResponse:
    """Keep what the page holds now, in its draft; the sentences that follow from it."""
    owned_study = owned_study_for(request, study)
    campaign = owned_study.campaigns.filter(slug=request.POST.get("draft", "")).first()
    editor = CampaignEditor(campaign or _unsaved_campaign(owned_study, {}), request, request.POST)
    draft = campaign or editor.create()
    if draft is not None and _is_draft(draft):
        editor = CampaignEditor(draft, request, request.POST)
        editor.save()
    count = len(_chosen_keys(editor))
    context = {
        "study": owned_study,
        "campaign": draft,
        "draft": True,
        "errors": editor.errors,
        "rows": editor.rows(count),
        **_workload(request, owned_study, draft, count),
        "fragment": True,
    }
    answer = render(request, "annotate/campaigns/_draft.html", context)
    if draft is not None:
        answer["HX-Replace-Url"] = reverse("campaign-edit", args=[study, draft.slug])
    return answer


@require_POST
def count_series(request: SignedInRequest, study: str) -> HttpResponse:
    """Count the series that the form chooses now, with drawings of the first; or show outlines
    to pick.
    """
    owned_study = owned_study_for(request, study)
    form = SeriesForm(owned_study, request.POST, request.FILES)
    form.is_valid()
    if form.cleaned_data.get("rule") == selection.PICKED:
        return _outlines(request, form)
    keys = _keys_of_form(form)
    campaign = owned_study.campaigns.filter(slug=request.POST.get("draft", "")).first()
    context = {
        **_choice(form, keys),
        **_workload(request, owned_study, campaign, len(keys)),
        "study": owned_study,
        "fragment": True,
    }
    return render(request, "annotate/campaigns/_count.html", context)


def _chosen_keys(editor: CampaignEditor) -> list[int]:
    """Primary keys of the series of the campaign as it stands on the page."""
    campaign, form = editor.campaign, editor.series
    if campaign.pk:
        return list(campaign.tasks.counted().values_list("series", flat=True))
    assert form is not None  # noqa: S101  # a campaign that is not stored has it
    if form.is_bound:
        return _keys_of_form(form) if form.is_valid() else []
    initial = form.initial
    series = select_series(
        campaign.study,
        dataset=initial["dataset"],
        recording=initial["recording"],
        text="",
        only=initial["only"],
    )
    return selection.choose_series(
        series.exclude(tasks__expected__isnull=False), rule=initial["rule"], count=None, seed=1
    )


def _keys_of_form(form: SeriesForm) -> list[int]:
    """Primary keys that a form chooses: none before it can, and of a list once a draft is kept."""
    is_ready = "seed" in form.cleaned_data and not form.errors.get("count")
    rule = form.cleaned_data.get("rule")
    if not is_ready or not rule or rule == selection.LISTED:
        return []
    return form.chosen()


def _choice(form: SeriesForm | None, keys: list[int]) -> dict[str, Any]:
    """The number of series with drawings of the first, and the picked ones."""
    chosen_series = Series.objects.filter(pk__in=keys)
    drawn_series = list(Series.objects.filter(pk__in=keys[:DRAWN]).select_related("benchmark"))
    benchmarks_by_name = defaultdict(set)
    for series in drawn_series:
        benchmarks_by_name[series.benchmark.short_name].add(series.benchmark_id)
    return {
        "count": len(keys),
        "benchmarks": chosen_series.values("benchmark").distinct().count(),
        "series": drawn_series,
        "shared_names": [name for name, ids in benchmarks_by_name.items() if len(ids) > 1],
        "picked": " ".join(sorted(form.outline_choice.picked)) if form else "",
    }


def _workload(
    request: HttpRequest, study: Study, campaign: Campaign | None, series: int
) -> dict[str, Any]:
    """Context that says how much a campaign of so many series asks, and of how many people."""
    people = 0
    if campaign is not None:
        people = campaign.annotators.human().count() + invitations.open_count(campaign)
    if campaign is None or (_is_draft(campaign) and not campaign.invitations.exists()):
        people += _offered_link_count(request.POST, campaign)
    overlap = campaign.overlap if campaign else None
    cap = campaign.selection.get("cap") if campaign else None
    sentence = campaign_sentences.workload_sentence(
        series, people, overlap=overlap, cap=cap, pace=seconds_a_series(study)
    )
    return {"workload": sentence, "people_count": people, "series_count": series}


def _offered_link_count(sent_query: QueryDict, campaign: Campaign | None) -> int:
    """Links that the page offers to make; of a page without a draft, members who are ticked."""
    links = sent_query.get("links", "")
    stored_links = campaign.selection.get("links", 5) if campaign else 5
    offered_links = (
        int(links)
        if links.isdecimal() and len(links) < 4
        else 0
        if sent_query
        else int(stored_links)
    )
    ticked_people = 0 if campaign else len(sent_query.getlist("annotators")) if sent_query else 0
    return offered_links + ticked_people


def _outlines(request: HttpRequest, form: SeriesForm) -> HttpResponse:
    """One page of what the filters leave, all or none of it taken where that is asked."""
    series, choice = form.filtered(), form.outline_choice
    take_action = request.POST.get("take")
    if take_action == "all":
        choice = choice.add_all(series)
    elif take_action == "none":
        choice = choice.without(series)
    page = outline_page(series, choice)
    context = {"page": page, "study": form.study, "left_by": filters_of(request.POST)}
    return render(request, "annotate/campaigns/_outlines.html", context)


# --- the worked example of a recipe -------------------------------------------------------------
EXAMPLE: Final = (318, 320, 322, 340, 1044)


@require_GET
def recipe_example(request: SignedInRequest, study: str) -> HttpResponse:
    """Five marks, the recipe's answer and the sentence for it."""
    owned_study_for(request, study)
    recipe = request.GET.get("recipe", recipes.DEFAULT)
    recipe = recipe if recipe in recipes.RECIPES else recipes.DEFAULT
    names = [parameter.name for parameter in recipes.get(recipe).parameters]
    params = {name: request.GET[name] for name in names if request.GET.get(name)}
    example = _example(request.GET, recipe, params)
    return render(request, "annotate/campaigns/_example.html", {"example": example})


def _example(query: Any, recipe: str, params: Any) -> dict[str, Any]:
    texts = [str(query.get(f"a{n}", start)) for n, start in enumerate(EXAMPLE, start=1)]
    starts = [
        int(text) if text.isdecimal() else start for text, start in zip(texts, EXAMPLE, strict=True)
    ]
    marks = [
        recipes.RecipeMark(f"a{n}", "steady", start) for n, start in enumerate(starts, start=1)
    ]
    try:
        reasoned_answer = recipes.reason(recipe, marks, params, complete=True)
    except recipes.RecipeParameterError as error:
        return {"places": starts, "sentence": str(error), "truth": None}
    return {"places": starts, "sentence": reasoned_answer.sentence, "truth": reasoned_answer.truth}
