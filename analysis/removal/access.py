"""A thing by its address, for owners of its study; 404 for what is not there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from analysis.removal.counts import Thing
from analysis.removal.models import Removal
from analysis.runs.models import Run
from people.access import SignedInRequest, owned_study_for
from people.models import Study
from series.models import Recording


def _recording(study: Study, number_text: str) -> Recording | None:
    """Recordings have no name in addresses but their number."""
    if not number_text.isdecimal() or len(number_text) > 18:  # digits of a database's integer
        return None
    return Recording.objects.filter(dataset__study=study, pk=int(number_text)).first()


Find = Callable[[Study, str], Any]
FIND: Final[dict[str, Find]] = {
    Removal.Kind.STUDY: lambda study, name: study if name == study.slug else None,
    Removal.Kind.DATASET: lambda study, name: study.datasets.filter(slug=name).first(),
    Removal.Kind.RECORDING: _recording,
    Removal.Kind.CAMPAIGN: lambda study, name: study.campaigns.filter(slug=name).first(),
    Removal.Kind.RUN: lambda study, name: Run.objects.filter(study=study, public_id=name).first(),
    Removal.Kind.METHOD: lambda study, name: (
        study.own_methods.stored().filter(public_id=name).first()
    ),
}


def owned_thing_for(request: HttpRequest, study: str, kind: str, public_id: str) -> Thing:
    """Thing that an owner may rename and remove."""
    owned_study = owned_study_for(request, study)
    removable: Thing | None = FIND[kind](owned_study, public_id) if kind in FIND else None
    if removable is None:
        raise Http404(f"no {kind} {public_id} in {study}")
    return removable


def removal_for(request: SignedInRequest, removal: str) -> Removal:
    """Removal from a study that this person owns, or owned."""
    owner_removals = Removal.objects.for_owner(request.user).restorable().select_related("study")
    return get_object_or_404(owner_removals, public_id=removal)
