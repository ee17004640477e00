"""Rows of an archive's tables as cells: numbers instead of keys, pseudonyms instead of people."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from itertools import count
from typing import Any, Final

from django.db import models

from analysis.archive.tables import PEOPLE_COLUMNS, TABLES, ArchiveTable, is_person, is_reference
from annotate.models import GroundTruth
from formats import tables
from formats.tables import Cell
from people.models import Study, User

AT_ONCE: Final = 2_000  # rows read at once


class StudyRows:
    """The tables of one study, in the order of TABLES: later ones name rows of earlier ones."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self.pseudonyms = _persons(study)
        self._numbers: dict[type[models.Model], dict[int, int]] = {}

    def people(self) -> Iterator[str]:
        """`people.csv`."""
        users = User.objects.in_bulk(list(self.pseudonyms))
        rows = (
            (code, users[pk].simulated, users[pk].username if users[pk].simulated else "")
            for pk, code in self.pseudonyms.items()
        )
        return tables.table_text(tuple(PEOPLE_COLUMNS), rows)

    def text(self, table: ArchiveTable) -> Iterator[str]:
        """The CSV of a table, as pieces of text."""
        return tables.table_text(table.head, self._rows(table))

    def numbers(self, model: type[models.Model]) -> Mapping[int, int]:
        """Number of each row by its key, of a table that has been written."""
        return self._numbers[model]

    def _rows(self, table: ArchiveTable) -> Iterator[tuple[Cell, ...]]:
        rows = table.rows(self.study)
        # All of them first: a row may name one that comes after it.
        number_by_pk = dict(zip(rows.values_list("pk", flat=True), count(1), strict=False))
        self._numbers[table.model] = number_by_pk
        names = [field.attname for field in table.fields.values()]
        for pk, *values in rows.values_list("pk", *names).iterator(AT_ONCE):
            fields = table.fields.values()
            cells = (
                self._cell(*field_and_value) for field_and_value in zip(fields, values, strict=True)
            )
            yield (number_by_pk[pk], *cells)

    def _cell(self, field: models.Field[Any, Any], value: Any) -> Cell:
        if value is None:
            return None
        if is_person(field):
            return self.pseudonyms[value]
        if is_reference(field):  # None: the row was removed from the study
            related_model: type[models.Model] = field.related_model  # type: ignore[assignment]
            return self._numbers[related_model].get(value)
        if isinstance(value, datetime):
            return value.astimezone(UTC).isoformat()
        if isinstance(field, models.JSONField):
            document = (
                [self.pseudonyms[pk] for pk in value] if field.model is GroundTruth else value
            )
            return json.dumps(document, sort_keys=True, ensure_ascii=False)
        cell: Cell = value
        return cell


def _persons(study: Study) -> dict[int, str]:
    """A pseudonym for everybody whom a row names, by key, in the order of the rows.

    Annotators come first, so that no number tells more than the pseudonyms of their campaigns.
    """
    person_keys: dict[int, None] = {}
    for table in TABLES:
        for name, field in table.fields.items():
            if is_person(field):
                keys = table.rows(study).values_list(f"{name}_id", flat=True)
                person_keys.update(
                    dict.fromkeys(pk for pk in keys.iterator(AT_ONCE) if pk is not None)
                )
    return {pk: f"p{number}" for number, pk in enumerate(person_keys, start=1)}
