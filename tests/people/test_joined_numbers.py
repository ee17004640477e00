"""Numbers of many rows read as one text."""

from __future__ import annotations

import pytest
from django.db.models import Case, F, IntegerField, When

from people.joined_numbers import JoinedNumbers, number_pairs
from people.models import User

ROWS = User.objects.values("is_staff")


@pytest.mark.django_db
def test_pairs_of_a_group_are_read_without_rows_that_lack_a_number() -> None:
    keys = [User.objects.create_user(name).pk for name in ("a", "b", "c")]
    number = Case(When(username="b", then=None), default=-F("pk"), output_field=IntegerField())

    ((_, text),) = ROWS.annotate(text=JoinedNumbers("pk", number)).values_list("is_staff", "text")

    assert sorted(number_pairs(text).tolist()) == [[keys[0], -keys[0]], [keys[2], -keys[2]]]


@pytest.mark.django_db
def test_a_group_without_any_number_has_no_pair() -> None:
    User.objects.create_user("a")
    nothing_case = Case(When(username="a", then=None), default=F("pk"), output_field=IntegerField())

    (text,) = ROWS.annotate(text=JoinedNumbers("pk", nothing_case)).values_list("text", flat=True)

    assert number_pairs(text).shape == (0, 2)
