"""Presets of the method picker that a team keeps: saved, removed, and put first."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from analysis.comparison.query import ComparisonQuery
from analysis.comparison.views.requested import compared_or_none, sets_or_none
from analysis.methods import saved_sets
from analysis.methods.models import MethodSet
from people.access import SignedInRequest, owned_study_for, study_for
from people.models import Study


@require_POST
def save(request: SignedInRequest, study: str) -> HttpResponse:
    """Keep the methods of the comparison in the address under a name."""
    here = study_for(request, study)
    if not saved_sets.may_save(here, request.user):
        raise PermissionDenied("A viewer reads: ask an owner of the study to save the preset.")
    names = _shown_methods(request, here)
    try:
        saved = saved_sets.save_set(here, request.POST.get("name", ""), names, by=request.user)
        messages.success(request, f"“{saved}” is saved: Compare and Start a run offer it.")
    except ValidationError as refused:
        messages.error(request, " ".join(refused.messages))
    return _back(request, here)


@require_POST
def removal(request: SignedInRequest, study: str, method_set: str) -> HttpResponse:
    """Forget a preset; its methods stay."""
    here = study_for(request, study)
    saved = get_object_or_404(MethodSet, study=here, public_id=method_set)
    if not saved_sets.may_change(saved, request.user):
        raise PermissionDenied("Only an owner, or who saved this preset, may remove it.")
    saved.delete()
    messages.success(request, f"The preset “{saved.name}” is removed. Its methods stay.")
    return _back(request, here)


@require_POST
def first(request: SignedInRequest, study: str, method_set: str) -> HttpResponse:
    """Let Compare and pages of series begin with a preset; pressed again, with none."""
    here = owned_study_for(request, study)
    saved = get_object_or_404(MethodSet, study=here, public_id=method_set)
    saved_sets.put_first(saved, first=not saved.first)
    return _back(request, here)


def _back(request: SignedInRequest, study: Study) -> HttpResponse:
    query = ComparisonQuery.of(request.GET).query()
    return redirect(reverse("comparison", args=[study.slug]) + query)


def _shown_methods(request: SignedInRequest, study: Study) -> list[str]:
    """Names of the methods that Compare shows for this address."""
    asked = ComparisonQuery.of(request.GET)
    sets = sets_or_none(request, study, asked)
    comparison = compared_or_none(request, study, sets.canonical(asked)) if sets else None
    return [look.name for look in comparison.looks.values()] if comparison else []
