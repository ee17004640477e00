"""Presets of the method picker that a team keeps: saved, removed, and put first."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from analysis.comparison.query import ComparisonQuery
from analysis.comparison.views.requested_comparison import comparison_or_none, sets_or_none
from analysis.methods import saved_sets
from analysis.methods.models import MethodSet
from people.access import SignedInRequest, owned_study_for, study_for
from people.models import Study
from people.undo import success_with_undo, undone_state


@require_POST
def save_method_set_page(request: SignedInRequest, study: str) -> HttpResponse:
    """Keep the methods of the comparison in the address under a name, or a removed preset again."""
    visible_study = study_for(request, study)
    if not saved_sets.may_save(visible_study, request.user):
        raise PermissionDenied("A viewer reads: ask an owner of the study to save the preset.")
    try:
        saved_set = _restored_set(request, visible_study)
        sentence = f"“{saved_set}” is saved: Compare and Start a run offer it."
        address = reverse("method-set-removal", args=[study, saved_set.public_id])
        success_with_undo(request, sentence, address + _query(request))
    except ValidationError as refused:
        messages.error(request, " ".join(refused.messages))
    return _back_to_compare(request, visible_study)


@require_POST
def remove_method_set_page(request: SignedInRequest, study: str, method_set: str) -> HttpResponse:
    """Forget a preset; its methods stay."""
    visible_study = study_for(request, study)
    saved_set = get_object_or_404(MethodSet, study=visible_study, public_id=method_set)
    if not saved_sets.may_change(saved_set, request.user):
        raise PermissionDenied("Only an owner, or who saved this preset, may remove it.")
    saved_set.delete()
    sentence = f"The preset “{saved_set.name}” is removed. Its methods stay."
    fields_before = {name: getattr(saved_set, name) for name in saved_sets.COLUMNS}
    address = reverse("method-sets", args=[study]) + _query(request)
    success_with_undo(request, sentence, address, before=fields_before)
    return _back_to_compare(request, visible_study)


@require_POST
def put_set_first_page(request: SignedInRequest, study: str, method_set: str) -> HttpResponse:
    """Let Compare and pages of series begin with a preset; pressed again, with none."""
    owned_study = owned_study_for(request, study)
    saved_set = get_object_or_404(MethodSet, study=owned_study, public_id=method_set)
    saved_sets.make_first(saved_set, is_first=not saved_set.first)
    return _back_to_compare(request, owned_study)


def _restored_set(request: SignedInRequest, study: Study) -> MethodSet:
    """The preset that a removal took away, or a new one. Raises ValidationError."""
    if (removed_state := undone_state(request)) is not None:
        return saved_sets.restore_method_set(study, removed_state)
    query = ComparisonQuery.from_query(request.GET)
    sets = sets_or_none(request, study, query)
    comparison = comparison_or_none(request, study, sets.canonical(query)) if sets else None
    names = [look.name for look in comparison.looks.values()] if comparison else []
    return saved_sets.save_set(study, request.POST.get("name", ""), names, user=request.user)


def _back_to_compare(request: SignedInRequest, study: Study) -> HttpResponse:
    return redirect(reverse("comparison", args=[study.slug]) + _query(request))


def _query(request: SignedInRequest) -> str:
    return ComparisonQuery.from_query(request.GET).query()
