"""Invitation to annotate a campaign, beside the one to its study."""

from __future__ import annotations

from django.db import models

from annotate.models.campaign import Campaign
from people.models import Invitation


class CampaignInvitation(models.Model):
    """The campaign that whoever accepts the invitation joins at once."""

    invitation = models.OneToOneField(
        Invitation, models.CASCADE, primary_key=True, related_name="for_campaign"
    )
    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="invitations")
    cap = models.PositiveIntegerField(null=True, blank=True)  # most series for this person

    class Meta:
        ordering = ["invitation__created", "pk"]

    def __str__(self) -> str:
        return f"{self.invitation.name} to {self.campaign}"
