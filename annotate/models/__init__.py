"""Campaigns, their tasks and annotators, marks, ground truth."""

from __future__ import annotations

from annotate.models.campaign import Annotator, Campaign
from annotate.models.campaign_invitation import CampaignInvitation
from annotate.models.expected import Expected
from annotate.models.ground_truth import GroundTruth
from annotate.models.mark import Mark
from annotate.models.problem import Problem
from annotate.models.task import Assignment, Task

__all__ = [
    "Annotator",
    "Assignment",
    "Campaign",
    "CampaignInvitation",
    "Expected",
    "GroundTruth",
    "Mark",
    "Problem",
    "Task",
]
