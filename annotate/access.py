"""Campaigns, and series with their answers, for who may see them; 404 for everybody else."""

from __future__ import annotations

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from annotate import blind
from annotate.models import Campaign
from annotate.models.campaign import CampaignQuerySet
from people.access import owned_study_for, study_for
from people.models import Role, Study
from series.access import series_for
from series.models import Series


def campaign_for(request: HttpRequest, study: str, slug: str) -> Campaign:
    """The campaign for members of its study; 404 for everybody else, drafts for owners only."""
    visible_study = study_for(request, study)
    campaign = get_object_or_404(visible_study.campaigns.select_related("study"), slug=slug)
    if campaign.state == Campaign.State.DRAFT and visible_study.role_of(request.user) != Role.OWNER:
        campaign = get_object_or_404(
            visible_study.campaigns.filter(annotators__user=request.user.pk), slug=slug
        )
    return campaign


def owned_campaign_for(request: HttpRequest, study: str, slug: str) -> Campaign:
    owned_study = owned_study_for(request, study)
    return get_object_or_404(owned_study.campaigns.select_related("study"), slug=slug)


def seen_series_for(request: HttpRequest, study: str, series: str) -> Series:
    """404 for who may not see the series, and for who has yet to answer it."""
    stored_series = series_for(request, study, series)
    if blind.is_open(request.user, stored_series):
        raise Http404("you have yet to answer this series")
    return stored_series


def truth_campaigns_for(request: HttpRequest, study: Study) -> CampaignQuerySet:
    """The study's campaigns that make ground truth, for a member: drafts are for owners."""
    campaigns = study.campaigns.for_truth()
    if study.role_of(request.user) == Role.OWNER:
        return campaigns
    return campaigns.exclude(state=Campaign.State.DRAFT)
