"""People who annotate a campaign: links that make people join it, and a reminder for who has
joined.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, urlencode

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotate import campaign_notices
from annotate.access import owned_campaign_for
from annotate.campaign_pages import progress
from annotate.campaign_pages.query import CampaignQuery
from annotate.campaigns import invitations
from annotate.campaigns.invitations import CampaignSeat
from annotate.models import Campaign
from people import notices
from people.access import SignedInRequest
from people.models import OutgoingNotice
from people.undo import success_with_undo, undone_state
from people.views.members import revoke_or_reinstate


def seats_context(request: HttpRequest, campaign: Campaign) -> dict[str, Any]:
    """Context of the list of people: each with a state, those to come with their links."""
    text = campaign_notices.invitation_text(campaign)
    root = request.build_absolute_uri("/").rstrip("/")
    seats = [
        (seat, seat.path and root + seat.path) for seat in invitations.campaign_seats(campaign)
    ]
    open_seats = [(seat, link) for seat, link in seats if link]
    return {
        "campaign": campaign,
        "study": campaign.study,
        "seats": [(seat, link, _mailto(campaign, seat, text, link)) for seat, link in seats],
        "to_come": len(open_seats),
        "all_links": "\n".join(f"{seat.name}: {link}" for seat, link in open_seats),
        "days": settings.INVITATION_DAYS,
        "mails": [seat.mail for seat, _ in open_seats if seat.mail],
        "can_mail": notices.can_mail(),
        "failed_notices": OutgoingNotice.objects.shown_in(campaign.study).failed().count(),
        "joined": sum(seat.state == "joined" for seat, _ in seats),
        "invitation_text": text,
    }


def _mailto(campaign: Campaign, seat: CampaignSeat, text: str, link: str) -> str:
    """Opens the owner's own mail program, with the link; empty where there is none to send."""
    if not (link and seat.mail):
        return ""
    return f"mailto:{quote(seat.mail)}?{mail_words(campaign, text, link)}"


def mail_words(campaign: Campaign, text: str, link: str, **mail_options: str) -> str:
    """Subject and body of a mail that the owner's own program sends, as a query."""
    fields = {**mail_options, "subject": str(campaign), "body": f"{text}\n\n{link}"}
    return urlencode(fields, quote_via=quote)


@require_GET
def links(request: SignedInRequest, study: str, campaign: str) -> HttpResponse:
    """The list as it is now, which the page asks for again."""
    owned_campaign = owned_campaign_for(request, study, campaign)
    return render(request, "annotate/campaigns/_seats.html", seats_context(request, owned_campaign))


@require_POST
def mail_links(request: SignedInRequest, study: str, campaign: str) -> HttpResponse:
    """Send every open link whose person has a mail address; 404 without a mail server."""
    owned_campaign = owned_campaign_for(request, study, campaign)
    if not notices.can_mail():
        raise Http404("no mail server is set up")
    site = request.build_absolute_uri("/").rstrip("/")
    sent_count = campaign_notices.mail_links(owned_campaign, site=site)
    messages.success(request, f"{sent_count} mail{'' if sent_count == 1 else 's'} on the way.")
    return _redirect_to_people(owned_campaign)


@require_POST
def revoke_link(
    request: SignedInRequest, study: str, campaign: str, invitation: str
) -> HttpResponse:
    """Make a link useless, or undo that."""
    owned_campaign = owned_campaign_for(request, study, campaign)
    campaign_invitation = get_object_or_404(
        owned_campaign.invitations, invitation__public_id=invitation
    )
    invitation_row = campaign_invitation.invitation
    revoke_or_reinstate(request, invitation_row, name=f"The link of {invitation_row.name}")
    return _redirect_to_people(owned_campaign)


@require_POST
def renew_link(
    request: SignedInRequest, study: str, campaign: str, invitation: str
) -> HttpResponse:
    """Make another link for the same person, or undo that."""
    owned_campaign = owned_campaign_for(request, study, campaign)
    campaign_invitation = get_object_or_404(
        owned_campaign.invitations, invitation__public_id=invitation, invitation__used_at=None
    )
    state = undone_state(request)
    if state is None:
        renewed_link = invitations.renew(campaign_invitation, by=request.user)
        if renewed_link is None:
            messages.error(request, "This link does not work any more: it cannot be renewed.")
            return _redirect_to_people(owned_campaign)
        sentence = f"{renewed_link.name} has a new link; the earlier one no longer works."
        success_with_undo(request, sentence, request.path, before={"new": renewed_link.public_id})
    elif invitations.undo_renewal(campaign_invitation, state["new"]):
        messages.success(
            request, f"The earlier link of {campaign_invitation.invitation.name} is back."
        )
    else:
        messages.error(request, "Nothing changed: the new link is used, revoked or gone.")
    return _redirect_to_people(owned_campaign)


@require_http_methods(["GET", "POST"])
def reminder(request: SignedInRequest, study: str, campaign: str) -> HttpResponse:
    """Sends the reminder; the campaign's page shows it first, in a dialog that a GET leads to."""
    owned_campaign = owned_campaign_for(request, study, campaign)
    if request.method == "GET":
        return redirect(
            f"{owned_campaign.get_absolute_url()}{CampaignQuery(dialog='remind').query()}"
        )
    people = progress.awaited_people(owned_campaign)
    if people and notices.is_on():
        campaign_notices.remind(owned_campaign, [user for user, _ in people])
        messages.success(request, "The reminder is on its way.")
    else:
        messages.error(request, "No reminder was sent: nobody is awaited, or notices are off.")
    return redirect(owned_campaign)


def _redirect_to_people(campaign: Campaign) -> HttpResponse:
    address = reverse("campaign-edit", args=[campaign.study.slug, campaign.slug])
    return redirect(f"{address}#people")
