"""What a command line names: STUDY/DATASET, or STUDY/CAMPAIGN."""

from __future__ import annotations

from django.core.management.base import CommandError

from annotate.models import Campaign
from people.models import Study
from series.models import Dataset


def dataset_named(text: str) -> Dataset:
    """The data set `study/dataset`; a CommandError with status 2 that says what there is."""
    study, slash, slug = text.partition("/")
    if not slash or not slug:
        raise CommandError(f"found {text!r}, expected STUDY/DATASET", returncode=2)
    found = Dataset.objects.filter(study__slug=study, slug=slug).select_related("study").first()
    if found is None:
        there = Dataset.objects.select_related("study").order_by("study__slug", "slug")
        names = ", ".join(f"{each.study.slug}/{each.slug}" for each in there[:20])
        raise CommandError(f"no data set {text!r}; there are: {names or 'none'}", returncode=2)
    return found


def scope_named(text: str) -> Campaign | Dataset:
    """The campaign `study/campaign`, or else the data set; CommandError as `dataset_named`."""
    study, _, slug = text.partition("/")
    campaign = Campaign.objects.filter(study__slug=study, slug=slug).select_related("study")
    return campaign.first() or dataset_named(text)


def study_named(slug: str) -> Study:
    """The study; a CommandError with status 2 that says which there are."""
    found = Study.objects.filter(slug=slug).first()
    if found is None:
        there = ", ".join(Study.objects.values_list("slug", flat=True)) or "none"
        raise CommandError(f"no study {slug!r}; there are: {there}", returncode=2)
    return found
