"""Arguments of commands that name something: STUDY, STUDY/CAMPAIGN, STUDY/DATASET or SERIES."""

from __future__ import annotations

from django.core.management.base import CommandError

from annotate.models import Campaign
from people.models import Study
from series.models import Dataset, Series


def study_named(slug: str) -> Study:
    """The study; CommandError (status 2) says which there are."""
    study = Study.objects.filter(slug=slug).first()
    if study is None:
        slugs = ", ".join(Study.objects.values_list("slug", flat=True)) or "none"
        raise CommandError(f"no study {slug!r}; there are: {slugs}", returncode=2)
    return study


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
        slugs = ", ".join(study.campaigns.values_list("slug", flat=True)) or "none"
        raise CommandError(
            f"no campaign {slug!r} in {study.slug}; there are: {slugs}", returncode=2
        )
    return campaign


def dataset_named(text: str) -> Dataset:
    """The data set `study/dataset`; a CommandError with status 2 that says what there is."""
    study, slash, slug = text.partition("/")
    if not slash or not slug:
        raise CommandError(f"found {text!r}, expected STUDY/DATASET", returncode=2)
    present_datasets = Dataset.objects.filter(study__removed=None).select_related("study")
    dataset = present_datasets.filter(study__slug=study, slug=slug).first()
    if dataset is None:
        listed_datasets = present_datasets.order_by("study__slug", "slug")
        names = ", ".join(
            f"{listed_dataset.study.slug}/{listed_dataset.slug}"
            for listed_dataset in listed_datasets[:20]
        )
        raise CommandError(f"no data set {text!r}; there are: {names or 'none'}", returncode=2)
    return dataset


def series_named(public_id: str) -> Series:
    """The series that addresses call so; CommandError (status 2) for none."""
    all_series = Series.objects.filter(benchmark__dataset__study__removed=None)
    series = (
        all_series.select_related("benchmark__dataset__study").filter(public_id=public_id).first()
    )
    if series is None:
        raise CommandError(
            f"found no series {public_id!r}, expected the last part of its page's address",
            returncode=2,
        )
    return series


def part_named(text: str) -> tuple[Study, Campaign | Dataset | None]:
    """The study, and what STUDY/CAMPAIGN or STUDY/DATASET names in it; None for STUDY alone.

    A campaign goes before a data set of the same name. A CommandError (status 2) says what there
    is.
    """
    name, _, slug = text.partition("/")
    study = study_named(name)
    if not slug:
        return study, None
    scope = (
        study.campaigns.filter(slug=slug).select_related("study").first()
        or study.datasets.filter(slug=slug).select_related("study").first()
    )
    if scope is None:
        campaign_slugs = ", ".join(study.campaigns.values_list("slug", flat=True)) or "none"
        dataset_slugs = ", ".join(study.datasets.values_list("slug", flat=True)) or "none"
        raise CommandError(
            f"no campaign or data set {slug!r} in {name}; there are: campaigns {campaign_slugs}; "
            f"data sets {dataset_slugs}",
            returncode=2,
        )
    return study, scope


def scope_named(text: str) -> Campaign | Dataset:
    """The campaign STUDY/CAMPAIGN, or else the data set; CommandError as `part_named`."""
    _, scope = part_named(text)
    if scope is None:
        raise CommandError(
            f"found {text!r}, expected STUDY/CAMPAIGN or STUDY/DATASET", returncode=2
        )
    return scope
