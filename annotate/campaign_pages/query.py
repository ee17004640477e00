"""Queries of the pages of a campaign: each setting of an address is declared here, once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from annotate.campaign_pages.campaign_tabs import ORDER
from annotate.models import Mark
from annotate.truth.results import SORTS
from annotate.truth.truth_summary import CLASSES, TruthClass
from people.query_form import QueryForm, choice_field, text_field

OWN_ANSWERS: Final[Mapping[str, dict[str, Any]]] = {
    "unclear": {"latest__kind": Mark.Kind.UNCLEAR},
    "unsure": {"latest__unsure": True},
    "noted": {"latest__note__gt": ""},
    "changed": {"latest__revision__gt": 1},
}
"""What a person's own answers may be narrowed to, as the database says it."""


@dataclass(frozen=True, slots=True)
class SeriesChoiceQuery(QueryForm):
    """Query that a new campaign begins with: slug of a data set, label of a recording, chosen
    rows.
    """

    dataset: str = text_field("dataset", "dataset")
    recording: str = text_field("recording", "recording")
    only: str = text_field("only", "only")


@dataclass(frozen=True, slots=True)
class OwnAnswersQuery(QueryForm):
    only: str = choice_field("only", "only", OWN_ANSWERS.keys(), default="", fallback="all answers")


@dataclass(frozen=True, slots=True)
class CampaignQuery(QueryForm):
    """Query of the page of a campaign.

    tab     empty: ground truth of a closed campaign, progress of another one
    dialog  what the page asks before it is done
    """

    tab: str = choice_field("tab", "tab", ORDER, default="", fallback="the first tab")
    dialog: Literal["", "close", "remind"] = choice_field(
        "ask", "dialog", ("close", "remind"), default="", fallback="the page alone"
    )


@dataclass(frozen=True, slots=True)
class TruthQuery(QueryForm):
    """The list of ground truths.

    sort  with - before it the other way round
    only  the end that series come to; empty: all of them
    """

    sort: str = choice_field(
        "sort",
        "sort",
        [way + name for name in (*SORTS, "change") for way in ("", "-")],
        default="position",
        fallback="series by position",
    )
    only: TruthClass | Literal[""] = choice_field(
        "only", "only", CLASSES.keys(), default="", fallback="all series"
    )
