"""Tabs of a campaign's page: registered here by the rooms whose figures they show, in one order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from annotate.campaign_pages.campaign_reading import CampaignReading
from people.access import SignedInRequest
from people.late_registry import LateRegistry
from people.query_settings import Settings

ORDER: Final = ("progress", "disagreements", "truth", "agreement")


@dataclass(frozen=True, slots=True)
class TabLabel:
    """Words of one tab.

    figure  beside the title: 42 of 44
    url     of another page that the tab leads to; empty for a tab of the campaign's own page
    count   what waits there for a decision; None where nothing is counted
    """

    title: str
    figure: str = ""
    url: str = ""
    count: int | None = None


@dataclass(frozen=True, slots=True)
class TabPage:
    """Content of one tab: its template, what it shows, and the settings of its address."""

    template: str
    context: Mapping[str, Any]
    settings: Settings


@dataclass(frozen=True, slots=True)
class TabKind:
    """A kind of tab.

    label  words of the tab; None where the campaign has no such tab
    page   its content; None for a tab that leads to another page
    """

    label: Callable[[CampaignReading], TabLabel | None]
    page: Callable[[SignedInRequest, CampaignReading], TabPage] | None = None


_registered = LateRegistry[dict[str, TabKind]]({})


def register_campaign_tab(key: str, tab_kind: TabKind) -> None:
    """Give campaigns a tab; `key` is in ORDER and names the tab in addresses."""
    if key not in ORDER:
        raise ValueError(f"found tab {key!r}, expected one of {', '.join(ORDER)}")
    _registered.present[key] = tab_kind


def tab_labels(reading: CampaignReading) -> dict[str, TabLabel]:
    """Labels of the tabs that this campaign has, by key and in order."""
    tab_kinds = ((key, _registered.entries[key]) for key in ORDER if key in _registered.entries)
    labels = ((key, tab_kind.label(reading)) for key, tab_kind in tab_kinds)
    return {key: label for key, label in labels if label}


def tab_page(key: str, request: SignedInRequest, reading: CampaignReading) -> TabPage:
    """The content of a tab of the page. KeyError for one that leads to another page."""
    page = _registered.entries[key].page
    if page is None:
        raise KeyError(key)
    return page(request, reading)
