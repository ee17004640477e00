"""Rows of campaigns: each under a slug that is free in its study."""

from __future__ import annotations

from typing import Any, Final

from annotate.models import Campaign
from people.models import Study
from people.slugs import create_with_slug

ADDRESSES: Final = ("new", "marks")  # pages where a campaign of that slug would stand


def create_campaign(study: Study, name: str, *, fallback_slug: str, **columns: Any) -> Campaign:
    """Store a campaign; `fallback_slug` is its slug where nothing of the name can stand in one."""
    return create_with_slug(
        name,
        read_slugs=lambda: {*study.campaigns.values_list("slug", flat=True), *ADDRESSES},
        fallback=fallback_slug,
        create=lambda slug: Campaign.objects.create(study=study, name=name, slug=slug, **columns),
    )
