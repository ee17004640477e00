"""Trainings of these tests draw as few plain series as those of the detectors."""

from __future__ import annotations

from tests.detectors.training.conftest import few_plain_series

__all__ = ["few_plain_series"]
