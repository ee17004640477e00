"""The command says what is wrong before it computes, and what is missing where it finds nothing."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotate.models import Campaign


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"sort": "nope"}, "--sort: found 'nope', expected one of: title, method"),
        ({"sort": "-nope"}, "--sort: found '-nope', expected one of"),
        ({"tolerance": -3}, "--tolerance: found -3, expected a whole number from 0 to 10,000,000"),
        ({"against_tolerance": -1}, "--against-tolerance: found -1, expected"),
        ({"dataset": "nope"}, "--dataset: found 'nope', expected one of: nightly"),
        ({"output": Path("/nonexist/r.csv")}, "--output: found /nonexist/r.csv, expected a file"),
    ],
)
def test_a_wrong_value_is_refused_before_anything_is_computed(
    compared_study: Campaign, monkeypatch: Any, options: dict[str, Any], words: str
) -> None:
    monkeypatch.setattr("analysis.comparison.command_checks.compare_stored", None)

    with pytest.raises(CommandError) as error_info:
        call_command("comparison", "startup-times", **options)

    assert str(error_info.value).startswith(words)
    assert error_info.value.returncode == 2


@pytest.mark.parametrize("sort", ["title", "-kappa", "mean_seconds"])
def test_a_column_is_no_wrong_value(compared_study: Campaign, sort: str) -> None:
    call_command("comparison", "startup-times", sort=sort, stdout=io.StringIO())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"scope": "startup-times/nightly"}, "the yardstick Known answers has no answer on any of"),
        ({"scope": "startup-times", "text": "nothing"}, "no series of the yardstick First look"),
    ],
)
def test_an_empty_table_says_why(
    compared_study: Campaign, options: dict[str, Any], words: str
) -> None:
    output, error_output = io.StringIO(), io.StringIO()

    call_command("comparison", options.pop("scope"), **options, stdout=output, stderr=error_output)

    assert words in error_output.getvalue()
    assert len(error_output.getvalue().splitlines()) == 1


def test_a_table_with_figures_says_nothing_beside(compared_study: Campaign) -> None:
    output = io.StringIO()
    call_command("comparison", "startup-times", stdout=io.StringIO(), stderr=output)
    assert output.getvalue() == ""
