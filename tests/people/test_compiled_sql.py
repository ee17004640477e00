"""SQL that is written once says what Django would write each time."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db.models import BooleanField, Exists, OuterRef, Q

from people.compiled_sql import STAND_IN, CompiledOnce, Written
from people.models import Membership, Role, Study, User


def owns(person: int) -> Exists:
    return Exists(Membership.objects.filter(study=OuterRef("pk"), user=person, role=Role.OWNER))


def shares(person: int) -> Exists:
    """Who is a member of a study of that person: asks `owns` of a row of another table."""
    owned_studies = Study.objects.filter(condition(owns, person)).values("pk")
    memberships = Membership.objects.filter(study__in=owned_studies)
    return Exists(memberships.filter(user__memberships__study=OuterRef("pk")))


def owns_again(person: int) -> Q:
    return Q(Exists(Study.objects.filter(condition(owns, person), pk=OuterRef("pk"))))


owns_again.__name__ = owns.__name__  # tables of both would have the same names


def is_named(person: int) -> Q:
    return Q(Exists(Membership.objects.filter(user=person)), name="Startup times")


def condition(written: Written, person: int) -> CompiledOnce:
    return CompiledOnce(written, Study, person, "pk", output_field=BooleanField())


@pytest.fixture
def studies(study: Study, olga: User, ana: User) -> list[Study]:
    """Of the first Olga is the owner and Ana a member; of the second Ana; of the third nobody."""
    other_studies = [Study.objects.create(name=name, slug=name) for name in ("second", "third")]
    Membership.objects.create(study=other_studies[0], user=ana, role=Role.OWNER)
    return [study, *other_studies]


@pytest.mark.parametrize("written", [owns, shares])
def test_it_is_what_django_writes(
    studies: list[Study], olga: User, ana: User, written: Callable[[int], Exists]
) -> None:
    studies_by_person = {}
    for person in (olga.pk, ana.pk, STAND_IN):
        compiled_once, plain = condition(written, person), written(person)
        studies_by_person[person] = set(Study.objects.filter(compiled_once))
        assert studies_by_person[person] == set(Study.objects.filter(plain))
        assert set(Study.objects.exclude(compiled_once)) == {*studies} - studies_by_person[person]
        memberships = Membership.objects.filter(study__in=Study.objects.filter(compiled_once))
        assert set(memberships) == set(
            Membership.objects.filter(study__in=studies_by_person[person])
        )

    assert studies_by_person[STAND_IN] == set() != studies_by_person[olga.pk]


def test_conditions_of_two_people_are_two(studies: list[Study], olga: User, ana: User) -> None:
    studies_of_both = Study.objects.filter(condition(owns, olga.pk), condition(owns, ana.pk))

    assert list(studies_of_both) == []


@pytest.mark.parametrize(
    ("written", "why"), [(is_named, "looks at another field than pk"), (owns_again, "owns_ names")]
)
def test_what_would_be_wrong_elsewhere_is_refused(olga: User, written: Written, why: str) -> None:
    with pytest.raises(RuntimeError, match=why):
        list(Study.objects.filter(condition(written, olga.pk)))
