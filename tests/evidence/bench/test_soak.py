"""Requests of the soak that fail: each is counted, and its person goes on."""

from __future__ import annotations

from http.client import BadStatusLine, HTTPConnection, IncompleteRead
from unittest.mock import create_autospec

import pytest

from evidence.bench.load import SimulatedPerson
from evidence.bench.soak import PageTimes, mark_or_read


@pytest.mark.parametrize("failure", [TimeoutError(), BadStatusLine(""), IncompleteRead(b"<html>")])
@pytest.mark.parametrize(("number", "page"), [(0, "mark"), (1, "study")])
def test_a_request_without_a_whole_answer_is_counted(
    failure: Exception, number: int, page: str
) -> None:
    link = create_autospec(HTTPConnection, instance=True)
    link.getresponse.return_value.read.side_effect = failure
    person, page_times = (
        SimulatedPerson("person-1", "session", "/annotate/", {1: "alias"}),
        PageTimes(),
    )

    mark_or_read(page_times, person, link, number)

    assert page_times.refused == [f"{page}: {failure!r}"]
    link.close.assert_called()
