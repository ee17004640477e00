"""Sets of methods that a team keeps: the page, and what is done to one."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from analysis.comparison.query import ComparisonQuery
from analysis.comparison.views.requested import compared_or_none, sets_or_none
from analysis.methods import saved_sets
from analysis.methods.method_style import MethodStyle, MethodStyles
from analysis.methods.models import MethodSet
from people.access import SignedInRequest, owned_study_for, study_for
from people.models import Role, Study


@require_http_methods(["GET", "POST"])
def method_sets(request: SignedInRequest, study: str) -> HttpResponse:
    """The sets of a study; POST keeps the methods of the comparison in the address."""
    here = study_for(request, study)
    if request.method == "POST":
        if not saved_sets.may_save(here, request.user):
            raise PermissionDenied("A viewer reads: ask an owner of the study to save the set.")
        asked = ComparisonQuery.of(request.GET)
        names = [look.name for look in _shown(request, here, asked)]
        name = request.POST.get("name", "")
        _told(request, lambda: saved_sets.save_set(here, name, names, by=request.user))
        return redirect(_page(here, request.GET))
    return render(request, "analysis/comparison/method_sets.html", _context(request, here))


@require_POST
def rename(request: SignedInRequest, study: str, method_set: str) -> HttpResponse:
    found = _changeable(request, study, method_set)
    _told(request, lambda: saved_sets.rename_set(found, request.POST.get("name", "")))
    return redirect(_page(found.study, request.GET))


@require_POST
def removal(request: SignedInRequest, study: str, method_set: str) -> HttpResponse:
    found = _changeable(request, study, method_set)
    found.delete()
    messages.success(request, f"The set “{found.name}” is removed. Its methods stay.")
    return redirect(_page(found.study, request.GET))


@require_POST
def first(request: SignedInRequest, study: str, method_set: str) -> HttpResponse:
    """What Compare and the page of a series begin with; pressed again, nothing."""
    here = owned_study_for(request, study)
    found = get_object_or_404(MethodSet, study=here, public_id=method_set)
    saved_sets.put_first(found, first=not found.first)
    return redirect(_page(here, request.GET))


def _changeable(request: SignedInRequest, study: str, public_id: str) -> MethodSet:
    here = study_for(request, study)
    found = get_object_or_404(MethodSet, study=here, public_id=public_id)
    if not saved_sets.may_change(found, request.user):
        raise PermissionDenied("Only an owner, or who saved this set, may change it.")
    return found


def _told(request: SignedInRequest, act: Callable[[], object]) -> None:
    try:
        act()
    except ValidationError as refused:
        messages.error(request, " ".join(refused.messages))


def _page(study: Study, query: QueryDict) -> str:
    return reverse("method-sets", args=[study.slug]) + ComparisonQuery.of(query).query()


def _context(request: SignedInRequest, study: Study) -> dict[str, object]:
    asked, styles = ComparisonQuery.of(request.GET), MethodStyles(study)
    rows = []
    for each in study.method_sets.select_related("by", "study"):
        codes = [styles(name).code for name in each.methods]
        rows.append((each, codes, saved_sets.may_change(each, request.user)))
    return {
        "study": study,
        "asked": asked,
        "rows": rows,
        "looks": _shown(request, study, asked),
        "may_save": saved_sets.may_save(study, request.user),
        "may_choose": study.role_of(request.user) == Role.OWNER,
    }


def _shown(request: SignedInRequest, study: Study, asked: ComparisonQuery) -> list[MethodStyle]:
    """The methods that Compare shows for this address."""
    sets = sets_or_none(request, study, asked)
    found = compared_or_none(request, study, sets.canonical(asked)) if sets else None
    return [*found.looks.values()] if found else []
