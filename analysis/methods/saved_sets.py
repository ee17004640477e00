"""Presets of the method picker that a team keeps: saved, and the one that comes first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db import transaction

from analysis.methods.models import MethodSet
from people.models import Role, Study, User

MOST: Final = 30  # most sets of a study
LONGEST: Final = 60  # most characters of a name
COLUMNS: Final = ("public_id", "name", "methods", "first", "by_id")  # what undo restores


def may_save(study: Study, user: User) -> bool:
    """Owners and annotators; a viewer reads."""
    return study.role_of(user) in {Role.OWNER, Role.ANNOTATOR}


def may_change(method_set: MethodSet, user: User) -> bool:
    """Owners, and who saved it as long as they may save."""
    is_owner = method_set.study.role_of(user) == Role.OWNER
    return is_owner or (method_set.by_id == user.pk and may_save(method_set.study, user))


@transaction.atomic
def save_set(study: Study, name: str, methods: Sequence[str], *, user: User) -> MethodSet:
    """Keep methods under a name. Raises ValidationError with a sentence."""
    Study.objects.select_for_update().get(pk=study.pk)
    if not methods:
        raise ValidationError("Found no method, expected one or more: choose them in Compare.")
    if study.method_sets.count() >= MOST:
        raise ValidationError(f"A study keeps {MOST} sets of methods: remove one first.")
    set_name = _free_name(study, name)
    return MethodSet.objects.create(study=study, name=set_name, methods=[*methods], by=user)


@transaction.atomic
def restore_method_set(study: Study, columns: Mapping[str, Any]) -> MethodSet:
    """Store a removed preset again. Raises ValidationError where its name is taken."""
    Study.objects.select_for_update().get(pk=study.pk)
    _free_name(study, columns["name"])
    is_first = columns["first"] and first_set(study) is None
    return MethodSet.objects.create(study=study, **{**columns, "first": is_first})


@transaction.atomic
def make_first(method_set: MethodSet, *, is_first: bool) -> None:
    """Let Compare and the page of a series begin with this set, or with none."""
    Study.objects.select_for_update().get(pk=method_set.study_id)
    method_set.study.method_sets.filter(first=True).update(first=False)
    MethodSet.objects.filter(pk=method_set.pk).update(first=is_first)


def first_set(study: Study) -> MethodSet | None:
    """The set that comes first; None where the study has chosen none."""
    return study.method_sets.filter(first=True).first()


def changeable_sets(study: Study, user: User) -> list[MethodSet]:
    """Presets that the person may put first or remove."""
    presets = study.method_sets.select_related("study")
    return [preset for preset in presets if may_change(preset, user)]


def _free_name(study: Study, name: str) -> str:
    set_name = " ".join(name.split())
    if not set_name or len(set_name) > LONGEST:
        raise ValidationError(
            f"Found a name of {len(set_name)} characters, expected 1 to {LONGEST}."
        )
    if study.method_sets.filter(name__iexact=set_name).exists():
        raise ValidationError(f"There is a set “{set_name}” already: choose another name.")
    return set_name
