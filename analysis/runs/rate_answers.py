"""Answers that depend on whether a series is read as rates or as times."""

from __future__ import annotations

from analysis.runs.models import Detection
from detectors.registry import registry
from series.models import Benchmark


def forget_answers(benchmark: Benchmark) -> None:
    """Delete those of methods that read it otherwise once its direction is another."""
    slugs = [slug for slug, method in registry().items() if method.rates != "free"]
    Detection.objects.filter(series__benchmark=benchmark, slug__in=slugs).delete()
