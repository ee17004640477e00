"""A data set, a benchmark or a series for who may see it; 404 for everybody else."""

from __future__ import annotations

from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from series.models import Benchmark, Dataset, Series


def dataset_for(request: HttpRequest, study: str, dataset: str) -> Dataset:
    """The data set by the slugs of its address."""
    visible_datasets = Dataset.objects.visible_to(request.user).select_related("study")
    return get_object_or_404(visible_datasets, study__slug=study, slug=dataset)


def benchmark_for(request: HttpRequest, study: str, dataset: str, benchmark: str) -> Benchmark:
    """The benchmark by its address."""
    visible_benchmarks = Benchmark.objects.visible_to(request.user).select_related("dataset__study")
    return get_object_or_404(
        visible_benchmarks, dataset__study__slug=study, dataset__slug=dataset, public_id=benchmark
    )


def series_for(request: HttpRequest, study: str, series: str) -> Series:
    """The series by its address, with benchmark, data set, study and recording."""
    visible_series = Series.objects.visible_to(request.user)
    related = visible_series.select_related("benchmark__dataset__study", "recording")
    return get_object_or_404(related, benchmark__dataset__study__slug=study, public_id=series)
