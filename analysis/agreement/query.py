"""The query of the figures of agreement, of an address or a command."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.web.query_fields import tolerance_field
from people.query_form import QueryForm


@dataclass(frozen=True, slots=True)
class AgreementQuery(QueryForm):
    """A tolerance in iterations; None for 5 % of each series."""

    tolerance: int | None = tolerance_field()
