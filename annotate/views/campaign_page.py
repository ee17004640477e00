"""The page of a campaign: its state, one button, and tabs; progress and ground truth are here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.core.paginator import Paginator
from django.db.models import Max
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from annotate import campaign_notices, exclusions, recipes
from annotate.access import campaign_for
from annotate.answering import second_pass
from annotate.campaign_pages import campaign_tabs, progress
from annotate.campaign_pages.campaign_reading import CampaignReading
from annotate.campaign_pages.campaign_tabs import TabKind, TabLabel, TabPage
from annotate.campaign_pages.progress import CampaignLine
from annotate.campaign_pages.query import CampaignQuery, TruthQuery
from annotate.campaigns import invitations, origin
from annotate.importing import screening
from annotate.models import Annotator, Assignment, Campaign, Problem
from annotate.recipes import agreed_changes
from annotate.truth import exports, level_changes, results
from annotate.truth.mark_strip import MarkAxis, MarkStrip, marks_words
from annotate.views.campaign_people import mail_words
from people import notices, query_settings
from people.access import SignedInRequest
from people.models import Role
from people.templatetags.writing import grouped

A_PAGE = 50
NAMED: Final = 5  # people whom the title calls by name
ORDERS: Final = ("position", "start", "spread", "change")  # columns that sort


@require_GET
def campaign_page(request: SignedInRequest, study: str, campaign: str) -> HttpResponse:
    """One tab of the page; a training has a page of its own."""
    visible_campaign = campaign_for(request, study, campaign)
    if visible_campaign.is_training:
        return redirect("campaign-training", study=study, campaign=campaign)
    query = CampaignQuery.from_query(request.GET)
    reading = CampaignReading(visible_campaign, request.user)
    labels = campaign_tabs.tab_labels(reading)
    shown_tab = query.tab or (
        "truth" if visible_campaign.state == Campaign.State.CLOSED else "progress"
    )
    if shown_tab not in labels or labels[shown_tab].url:
        shown_tab = "progress"
    page = campaign_tabs.tab_page(shown_tab, request, reading)
    query_settings.warn_unused_parameters(request, CampaignQuery.settings(), page.settings)
    context = {
        **frame(request, reading),
        "tabs": _tabs(visible_campaign, labels, shown_tab),
        "labels": labels,
    }
    dialogs = _dialogs(request, visible_campaign) if context["owner"] else {}
    context |= {**dialogs, "ask": query.dialog}
    return render(request, page.template, {**context, **page.context})


def frame(request: SignedInRequest, reading: CampaignReading) -> dict[str, Any]:
    """Context of the title of the page, whatever the tab."""
    campaign, line = reading.campaign, reading.line
    owner = campaign.study.role_of(request.user) == Role.OWNER
    assignments = Assignment.objects.filter(task__campaign=campaign, user=request.user, latest=None)
    return {
        "campaign": campaign,
        "study": campaign.study,
        "owner": owner,
        "place": campaign.annotators.filter(user=request.user).first(),
        "line": line,
        "counted": line.series - (campaign.checks if owner else 0),
        "mine_left": assignments.count() if campaign.state == Campaign.State.OPEN else 0,
        "awaited": progress.awaited_people(campaign) if owner else [],
        "to_come": invitations.open_count(campaign) if owner else 0,
        "people": _people(campaign, line, sorts_by_name=owner),
    }


def _people(campaign: Campaign, line: CampaignLine, *, sorts_by_name: bool) -> str:
    """Names of a few people for an owner, the number of them for everybody else."""
    if line.rounds:
        rounds = "1 round" if line.rounds == 1 else f"{line.rounds} rounds"
        return f"{rounds}, each dealt to several people"
    people = campaign.annotators.filter(kind=Annotator.Kind.PERSON).select_related("user")
    if sorts_by_name and 0 < line.people <= NAMED:
        return ", ".join(sorted(annotator.user.name for annotator in people))
    return "1 person" if line.people == 1 else f"{line.people} people"


def _tabs(
    campaign: Campaign, labels: Mapping[str, TabLabel], shown_tab: str
) -> list[tuple[str, TabLabel, bool]]:
    """Address, label, and whether it is the one that is shown, of each tab."""
    address = campaign.get_absolute_url()
    return [
        (label.url or f"{address}{CampaignQuery(tab=key).query()}", label, key == shown_tab)
        for key, label in labels.items()
    ]


def _dialogs(request: HttpRequest, campaign: Campaign) -> dict[str, Any]:
    """Context of the dialogs that close and remind; nothing for a campaign that is not open."""
    if campaign.state != Campaign.State.OPEN:
        return {}
    people = progress.awaited_people(campaign)
    mails = [user.email for user, _ in people if user.email]
    names = [campaign.study.slug, campaign.slug]
    link = request.build_absolute_uri(reverse("annotate", args=names))
    text = campaign_notices.reminder_text(campaign)
    mail_fields = mail_words(campaign, text, link, bcc=",".join(mails))
    return {
        "ends": progress.remaining_work(campaign),
        "reminder": f"{text}\n\n{link}",
        "mails": len(mails),
        "can_send": notices.is_on() and (mails or not notices.can_mail()),
        "mailto": f"mailto:?{mail_fields}" if mails else "",
    }


# --- progress -----------------------------------------------------------------------------------
def _progress_label(reading: CampaignReading) -> TabLabel:
    return TabLabel("Progress", f"{grouped(reading.line.done)} of {grouped(reading.line.wanted)}")


def _progress_page(request: SignedInRequest, reading: CampaignReading) -> TabPage:
    campaign = reading.campaign
    owner = campaign.study.role_of(request.user) == Role.OWNER
    place = campaign.annotators.filter(user=request.user).exists()
    only_user = None if owner else request.user
    answer_pairs = second_pass.answer_pairs(campaign, request.user) if owner else []
    context = {
        "bars": progress.bars(campaign, only_user=only_user) if owner or place else [],
        "coverage": progress.coverage(campaign, owner=owner),
        "followed_by": campaign.followed_by.first(),
        "again": second_pass.consistency(answer_pairs),
        "second_passes": campaign.second_passes.all() if owner else [],
        "problems": _problems(campaign) if owner else [],
    }
    return TabPage("annotate/campaigns/progress.html", context, {})


def _problems(campaign: Campaign) -> list[Problem]:
    problems = Problem.objects.filter(task__campaign=campaign, closed_at=None)
    return list(problems.select_related("task__series", "by"))


# --- ground truth -------------------------------------------------------------------------------
def _truth_label(reading: CampaignReading) -> TabLabel | None:
    if reading.campaign.is_screening:
        return TabLabel("Majorities")
    if reading.campaign.asks_changes:
        return TabLabel("Ground truth")
    if not reading.campaign.makes_truth:
        return None
    decided_count = results.summary_of(reading.truths).decided
    return TabLabel("Ground truth", f"{grouped(decided_count)} of {grouped(reading.counted)}")


def _truth_page(request: SignedInRequest, reading: CampaignReading) -> TabPage:
    """Marks, group that counts and ground truth of each series that the reader may see."""
    campaign, reader, truths = reading.campaign, reading.reader, reading.truths
    if campaign.is_screening:
        return _screening_page(request, campaign)
    if campaign.asks_changes:
        return _level_changes_page(request, campaign)
    query = TruthQuery.from_query(request.GET)
    summary = results.summary_of(truths)
    positions = results.positions_of(truths, campaign, query.sort, query.only or None)
    page = Paginator(positions, A_PAGE).get_page(request.GET.get("page"))
    shown_results = results.results_at(campaign, reader, list(page))
    last = campaign.tasks.aggregate(n=Max("series__n"))["n"] or 1
    axis = MarkAxis(last - 1)
    context = {
        "page": page,
        "axis": axis,
        "rows": [
            (result, MarkStrip.from_result(result, axis), marks_words(result))
            for result in shown_results
        ],
        "summary": summary,
        "query": query,
        "orders": {
            name: _tab_address(query.changed(sort=_next_order(query, name))) for name in ORDERS
        },
        "parts": [
            (bar_part, _tab_address(TruthQuery(query.sort, bar_part.code)))
            for bar_part in summary.bar
        ],
        "all_url": _tab_address(TruthQuery(query.sort)),
        "recipe": recipes.get(campaign.recipe).sentence(campaign.params),
        "left_out": reading.left_out,
        "excluded": exclusions.count(campaign, reader),
        "total": reading.counted,
        "undecided": origin.count_screened_undecided(campaign),
        "origin": origin.origin_sentences(campaign),
    }
    return TabPage("annotate/campaigns/truth.html", context, TruthQuery.settings())


def _tab_address(query: TruthQuery) -> str:
    return CampaignQuery(tab="truth").query(query)


def _next_order(query: TruthQuery, column: str) -> str:
    """The order that the head of a column asks for: the largest first where size matters."""
    first, second_order = column, f"-{column}"
    if column in {"spread", "change"}:
        first, second_order = second_order, first
    return second_order if query.sort == first else first


def _level_changes_page(request: SignedInRequest, campaign: Campaign) -> TabPage:
    """Marks and agreed changes of level of each series that the reader may see."""
    series = level_changes.changed_series(campaign, request.user)
    names = exports.pseudonyms(campaign)
    page = Paginator(series, A_PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "rows": [(changes, [changes.cells.get(name) for name in names]) for changes in page],
        "agreed": sum(len(changes.agreed) for changes in series if changes.complete),
        "complete": sum(changes.complete and bool(changes.answers) for changes in series),
        "rule": agreed_changes.rule_sentence(campaign.params),
        "annotators": names,
        "left_out": results.count_hidden_from_reader(
            campaign, request.user, seen_count=len(series)
        ),
        "total": campaign.tasks.counted().count(),
    }
    return TabPage("annotate/campaigns/level_changes.html", context, {})


def _screening_page(request: SignedInRequest, campaign: Campaign) -> TabPage:
    """Votes and majority of each series that the reader may see."""
    series = screening.screened_series(campaign, request.user)
    context = {
        "page": Paginator(series, A_PAGE).get_page(request.GET.get("page")),
        "counts": screening.verdict_counts(series),
        "annotators": exports.pseudonyms(campaign),
        "left_out": campaign.tasks.count() - len(series),
        "total": campaign.tasks.count(),
    }
    return TabPage("annotate/campaigns/screening.html", context, {})


PROGRESS: Final = TabKind(_progress_label, _progress_page)
TRUTH: Final = TabKind(_truth_label, _truth_page)
