"""The steps of making a campaign, in order: afterwards the sections of its settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from django.urls import reverse

from annotate.draft_series import can_change_series
from annotate.models import Campaign

SERIES = "series"
SECTIONS = ("question", "people", "blindness", "quality", "recipe")
SCREENED = ("question", "people", "blindness", "quality")  # a screening needs no recipe


@dataclass(frozen=True, slots=True)
class WizardStep:
    """`number` from 1, 0 in settings; a step without `url` cannot be opened."""

    name: str
    number: int
    state: Literal["done", "current", "open"]
    url: str = ""


def sections_of(campaign: Campaign) -> tuple[str, ...]:
    """The sections that can be saved; the series only while they can be changed."""
    sections = SCREENED if campaign.is_screening else SECTIONS
    return (SERIES, *sections) if can_change_series(campaign) else sections


def new_steps() -> list[WizardStep]:
    """Before there is a campaign: the series come first, and nothing else can be opened."""
    return [
        WizardStep(name, number, "open" if number > 1 else "current")
        for number, name in enumerate((SERIES, *SECTIONS), start=1)
    ]


def wizard_steps(campaign: Campaign, section: str) -> list[WizardStep]:
    """The steps of a draft, those before `section` done; without numbers once it is open."""
    draft = campaign.state == Campaign.State.DRAFT
    can_open = sections_of(campaign)
    names = tuple(dict.fromkeys((SERIES, *can_open))) if draft else can_open
    at = names.index(section)
    return [
        WizardStep(
            name,
            number + 1 if draft else 0,
            "current" if number == at else "done" if draft and number < at else "open",
            _address(campaign, name) if name in can_open else "",
        )
        for number, name in enumerate(names)
    ]


def following(campaign: Campaign, section: str) -> str:
    """The next step of a draft; empty after the last, and once the campaign is open."""
    if campaign.state != Campaign.State.DRAFT:
        return ""
    names = sections_of(campaign)
    return "".join(names[names.index(section) + 1 :][:1])


def _address(campaign: Campaign, section: str) -> str:
    return reverse("campaign-settings", args=[campaign.study.slug, campaign.slug, section])
