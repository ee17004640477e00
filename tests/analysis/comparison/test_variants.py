"""Tuned variants of a method beside its default parameters: chosen one by one, told apart."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from analysis.comparison.inputs import UnknownMethod
from analysis.comparison.method_names import short_name
from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import compare_stored
from analysis.methods.method_style import style_of
from annotate.blind import EVERYTHING
from annotate.models import Campaign
from tests.analysis.comparison.conftest import key_of

COMPARE = "/s/startup-times/comparison/"
VARIANT = key_of("kb-kssd", medfilt=5)
FIXED = key_of("fixed", iteration=50)


@pytest.fixture
def varied_campaign(compared_study: Campaign, four_series: list[Any], store: Any) -> Campaign:
    """KB-KSSD with its default parameters and with others."""
    store(VARIANT, four_series, [45, 80, -1, 101])
    return compared_study


def chosen_methods(campaign: Campaign, *methods: str) -> set[str]:
    comparison = compare_stored(campaign.study, EVERYTHING, ComparisonQuery(methods=methods))
    assert comparison is not None
    return set(comparison.looks)


def test_a_slug_is_the_default_where_that_was_run(varied_campaign: Campaign) -> None:
    assert chosen_methods(varied_campaign, "kb-kssd") == {"kb-kssd"}
    assert (
        chosen_methods(varied_campaign, VARIANT)
        == chosen_methods(varied_campaign, "kb-kssd?medfilt=5")
        == {VARIANT}
    )
    assert chosen_methods(varied_campaign, "kb-kssd", VARIANT) == {"kb-kssd", VARIANT}


def test_a_slug_is_every_variant_where_only_variants_were_run(
    compared_study: Campaign, four_series: list[Any], store: Any
) -> None:
    keys = {key_of("georges", k=k) for k in (20, 40)}
    for key in keys:
        store(key, four_series, [45, 80, -1, 101])

    assert chosen_methods(compared_study, "georges") == keys
    with pytest.raises(UnknownMethod, match=r"there are: .*georges\?k=20, "):
        chosen_methods(compared_study, "pilot")


def test_a_variant_can_be_unticked_on_the_page(varied_campaign: Campaign, as_vic: Client) -> None:
    page = as_vic.get(COMPARE, {"m": ["kb-kssd", "sdm"]}).content.decode()
    boxes = page.split('type="checkbox" name="m" value="')[1:]
    ticked_names = {box.partition('"')[0] for box in boxes if " checked" in box.partition(">")[0]}

    assert len(boxes) == 5
    assert ticked_names == {"kb-kssd", "sdm"}


def test_a_short_name_tells_what_is_not_default() -> None:
    assert short_name(style_of(VARIANT)) == "kb-kssd?medfilt=5"
    assert short_name(style_of(key_of("sdm"))) == "sdm"
    assert short_name(style_of("gone@2?a=b%26c&d=1")) == "gone@2?a=b&c&d=1"
    old_key = VARIANT.replace("@1?", "@0?")
    assert short_name(style_of(old_key)) == "kb-kssd@0?medfilt=5"


@pytest.mark.parametrize("what", ["leaderboard", "errors"])
def test_the_table_of_a_terminal_has_short_names(varied_campaign: Campaign, what: str) -> None:
    output = io.StringIO()

    call_command("comparison", "startup-times/first-look", "--what", what, stdout=output)

    first_words = {line.split()[0] for line in output.getvalue().splitlines()[1:] if line}
    assert {"kb-kssd", "kb-kssd?medfilt=5", "fixed?iteration=50"} <= first_words
    assert VARIANT not in output.getvalue()
