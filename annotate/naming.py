"""Studies and campaigns by the names that the command line gives them: STUDY/CAMPAIGN."""

from __future__ import annotations

from django.core.management.base import CommandError

from annotate.models import Campaign
from people.models import Study


def study_named(slug: str) -> Study:
    """The study; CommandError (status 2) says which there are."""
    found = Study.objects.filter(slug=slug).first()
    if found is None:
        there = ", ".join(Study.objects.values_list("slug", flat=True)) or "none"
        raise CommandError(f"no study {slug!r}; there are: {there}", returncode=2)
    return found


def study_and_slug(name: str) -> tuple[Study, str]:
    """The study, and the slug behind it; CommandError (status 2) says what there is."""
    study_slug, slash, slug = name.partition("/")
    if not slash or not slug:
        raise CommandError(f"found {name!r}, expected STUDY/CAMPAIGN", returncode=2)
    return study_named(study_slug), slug


def campaign_named(name: str) -> Campaign:
    """The campaign of STUDY/CAMPAIGN; CommandError (status 2) says what there is."""
    study, slug = study_and_slug(name)
    campaign = study.campaigns.filter(slug=slug).first()
    if campaign is None:
        there = ", ".join(study.campaigns.values_list("slug", flat=True)) or "none"
        raise CommandError(
            f"no campaign {slug!r} in {study.slug}; there are: {there}", returncode=2
        )
    return campaign
