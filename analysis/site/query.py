"""The query of an export: each setting of its address is declared here, once."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.site.exports import TITLES
from people.query_form import QueryForm, choice_field, text_field


@dataclass(frozen=True, slots=True)
class ExportQuery(QueryForm):
    """Query of an export: table, and campaign or data set by its slug; empty for the first with
    rows.

    latest   of marks, only the revision that counts
    """

    what: str = choice_field("what", "what", TITLES.keys(), default="", otherwise="another table")
    campaign: str = text_field("campaign", "campaign")
    dataset: str = text_field("dataset", "dataset")
    latest: bool = choice_field(
        "revisions", "revisions", {"latest": True}, default=False, otherwise="every revision"
    )

    @property
    def table(self) -> str:
        """Empty where the address names none, and nothing that it could be of."""
        otherwise = "detections" if self.dataset else "ground-truth" if self.campaign else ""
        return self.what or otherwise
