"""The lookup `among`: rows whose key is one of thousands.

`filter(series__among=keys)` finds what `series__in=keys` finds. Django gives each key of `in` to
the database as a parameter of its own, of which SQLite takes a bounded number; building such a
statement takes longer than its rows. Here all keys are one parameter.
"""

from __future__ import annotations

import json
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Field, ForeignObject, Lookup
from django.db.models.sql.compiler import SQLCompiler


@ForeignObject.register_lookup
@Field.register_lookup
class Among(Lookup):
    """Keys that JSON can hold, integers or texts, in any order."""

    lookup_name = "among"
    prepare_rhs = False

    def as_sql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper
    ) -> tuple[str, tuple[Any, ...]]:
        column, params = self.process_lhs(compiler, connection)
        keys = "(SELECT value FROM json_each(%s))"
        return f"{column} IN {keys}", (*params, json.dumps(self.rhs))

    def as_postgresql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper
    ) -> tuple[str, tuple[Any, ...]]:
        column, params = self.process_lhs(compiler, connection)
        return f"{column} = ANY(%s)", (*params, list(self.rhs))
