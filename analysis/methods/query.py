"""The query of the catalogue: each setting of its address is declared here, once."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.methods.catalogue import Needs
from people.query_form import PageControl, QueryForm, choice_field, text_field

FORM = "form"


@dataclass(frozen=True, slots=True)
class CatalogueQuery(QueryForm):
    """`online`: only methods that read values as they come."""

    family: str = text_field("family", "family", control=PageControl("Family", FORM, empty="all"))
    needs: Needs = choice_field(
        "needs",
        "needs",
        ("values", "more"),
        default="",
        fallback="all methods",
        control=PageControl(
            "Needs", FORM, {"values": "values only", "more": "something more"}, "any"
        ),
    )
    online: bool = choice_field(
        "online", "online", {"1": True}, default=False, fallback="all methods"
    )
