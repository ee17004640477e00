"""Pairs of whole numbers of thousands of rows as one text: reading rows takes twice as long."""

from __future__ import annotations

from typing import Any

import numpy as np
from django.db.models import Aggregate, TextField
from numpy.typing import NDArray


class JoinedNumbers(Aggregate):
    """Aggregate of two expressions with whole numbers; a row in which one is NULL is left out."""

    output_field = TextField()
    arg_joiner = " || ' ' || "
    template = "GROUP_CONCAT(%(expressions)s, ' ')"

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        template = "STRING_AGG((%(expressions)s)::text, ' ')"
        return self.as_sql(
            compiler, connection, template=template, arg_joiner="::text || ' ' || ", **context
        )


def number_pairs(text: str | None) -> NDArray[np.int64]:
    """Pairs that `JoinedNumbers` gave, int64 (n, 2), in no order; none of no row."""
    return np.fromstring(text or "", np.int64, sep=" ").reshape(-1, 2)
