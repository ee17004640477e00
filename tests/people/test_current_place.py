"""The entry of the navigation that a page marks as the current one."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from people.models import Study, User


@pytest.mark.parametrize(
    ("page", "place"), [("datasets", "data"), ("runs", "runs"), ("comparison", "compare")]
)
def test_a_page_marks_the_entry_that_leads_to_it(
    page: str, place: str, client: Client, olga: User, study: Study
) -> None:
    client.force_login(olga)

    content = client.get(reverse(page, args=[study.slug])).content.decode()

    current_places = re.findall(r'data-place="(\w+)"[^>]*aria-current="page"', content)
    assert set(current_places) == {place}
