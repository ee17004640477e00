"""Expressions whose SQL is written once for each database, and kept.

Django takes 3 to 12 ms to write a condition with a dozen subqueries, which the database answers in
a fraction of that. What such a condition says is the same on each page but for whom it is asked and
for the columns of the row that it is asked of: these two are put in where it is used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import F, Field, Func, Model, Q, QuerySet
from django.db.models.expressions import Combinable
from django.db.models.sql.compiler import SQLCompiler

STAND_IN: Final = -(2**62)
"""The key of nobody: the person in SQL that is kept."""
ALIAS: Final = re.compile(r"\b[A-Z]{1,2}\d+\b")  # how Django names the tables of a subquery: V0

Written = Callable[[int], Combinable | Q]


class CompiledOnce(Func):
    """Expression that computes what `written(person)` says of a row of `model`.

    written   a function of a module, which is called once a database with the key of nobody
    person    a key; only values of the statement depend on it
    columns   every field of the row that `written` looks at, by name
    path      from the rows of the statement to those of `model`: `task__series`; empty: the same
    """

    def __init__(
        self,
        expression: Written,
        model: type[Model],
        person: int,
        *columns: str,
        output_field: Field[Any, Any],
        path: str = "",
    ) -> None:
        row_columns = (f"{path}__{column}" if path else column for column in columns)
        super().__init__(*row_columns, output_field=output_field)
        self.written, self.model, self.person, self.columns = expression, model, person, columns

    def as_sql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, *_: Any, **__: Any
    ) -> tuple[str, tuple[Any, ...]]:
        sql, sql_values = _compile(self.written, self.model, self.columns, connection.alias)
        for column_index, column in enumerate(self.get_source_expressions()):
            sql = sql.replace(_marker(column_index), compiler.compile(column)[0])
        return sql, tuple(self.person if value == STAND_IN else value for value in sql_values)


@cache
def _compile(
    expression: Written, model: type[Model], columns: Sequence[str], database: str
) -> tuple[str, tuple[Any, ...]]:
    """The SQL with a marker for each of `columns`, and its values with the key of nobody.

    Tables of its subqueries get names of its own: where it is used, theirs may be taken.
    """
    column_by_marker = {
        f"column_{column_index}": F(name) for column_index, name in enumerate(columns)
    }
    rows = QuerySet(model).annotate(**column_by_marker, written=expression(STAND_IN))
    compiler = rows.query.get_compiler(database)
    compiler.setup_query()
    sql, sql_values = compiler.compile(rows.query.annotations["written"])
    alias_prefix = f"{expression.__name__.strip('_')}_"
    if alias_prefix in sql:
        raise RuntimeError(f"{alias_prefix} names two expressions, one within the other")
    for column_index, name in enumerate(column_by_marker):
        sql = sql.replace(compiler.compile(rows.query.annotations[name])[0], _marker(column_index))
    if f'"{rows.query.get_meta().db_table}"."' in sql:
        raise RuntimeError(
            f"{alias_prefix} looks at another field than {', '.join(columns)}: {sql}"
        )
    return f"({ALIAS.sub(lambda match: alias_prefix + match[0], sql)})", tuple(sql_values)


def _marker(column_index: int) -> str:
    return f"\0{column_index}\0"
