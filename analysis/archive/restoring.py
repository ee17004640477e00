"""An archive stored as a new study: all of it in one transaction, or nothing."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeVar

from django.core.exceptions import ValidationError
from django.core.validators import validate_slug
from django.db import DataError, IntegrityError, models, transaction

from analysis.archive import reading, restored_series
from analysis.archive.cells import parse_row
from analysis.archive.reading import ArchiveError, ArchiveFile
from analysis.archive.restored_rows import RowChecks, free_public_ids
from analysis.archive.tables import (
    PEOPLE,
    PEOPLE_COLUMNS,
    TABLES,
    ArchiveTable,
    Rows,
    is_person,
    references,
)
from annotate.answering.ground_truth_updates import DERIVED
from annotate.campaigns.services import refresh_all
from annotate.importing.mark_files import account_of
from annotate.models import GroundTruth
from annotate.models.campaign import SIMULATED_PSEUDONYM
from formats import FormatError
from people import audit
from people.models import Membership, Role, Study, User
from people.slugs import LONGEST_SLUG, create_with_slug
from series.importing.quota import check_quota
from series.models import Series, StoredEventLane

AT_ONCE: Final = 500  # rows of one INSERT
Values = dict[str, Any]
Any_ = TypeVar("Any_")


def import_archive(path: Path, *, owner: User) -> Study:
    """The study of the archive at `path`, owned by `owner`.

    Its ground truth is made anew of the marks, and must be that of the archive. Raises
    ArchiveError; nothing is stored then.
    """
    with reading.open_archive(path) as archive:
        try:
            with transaction.atomic():
                study = StudyRestorer(archive, owner, path.name).restored_study()
                audit.record(audit.Action.STUDY_MADE, "from an archive", study=study, by=owner)
                return study
        except (IntegrityError, DataError) as error:
            raise ArchiveError(f"its tables contradict one another: {error}") from error
        except FormatError as error:
            raise ArchiveError(str(error)) from error


class StudyRestorer:
    """Stores the tables one after the other; each may name rows of those before it."""

    def __init__(self, archive: ArchiveFile, owner: User, file: str) -> None:
        self.archive = archive
        self.file = file
        self.check = RowChecks()
        self.study = self._study(owner)
        self.persons = dict(self._people())
        self.keys: dict[type[models.Model], array[int]] = {}  # in the order of the file

    def restored_study(self) -> Study:
        """The study, with all that the archive has."""
        store_by_model: Mapping[type[models.Model], Callable[[ArchiveTable], None]] = {
            Series: self._store_series,
            GroundTruth: self._check_ground_truth,
        }
        for table in TABLES:
            store_by_model.get(table.model, self._store)(table)
        return self.study

    # --- study and people ---------------------------------------------------------------------
    def _study(self, owner: User) -> Study:
        package = self.archive.package
        name, slug = str(package.get("title", ""))[:120], str(package["plateau"].get("study", ""))
        try:
            validate_slug(slug)
        except ValidationError as error:
            raise ArchiveError(f"found the study {slug[:60]!r}, expected a short name") from error
        description = str(package.get("description", ""))
        study = create_with_slug(
            name,
            read_slugs=lambda: set(Study.every.values_list("slug", flat=True)),
            fallback="study",
            create=lambda slug: Study.objects.create(
                name=name or slug, slug=slug, about=description
            ),
            preferred_slug=slug if len(slug) <= LONGEST_SLUG else "",
        )
        Membership.objects.create(study=study, user=owner, role=Role.OWNER)
        return study

    def _people(self) -> Iterator[tuple[str, User]]:
        """An account that cannot sign in for each person; of simulated ones that of all studies."""
        rows = self.archive.rows(PEOPLE, tuple(PEOPLE_COLUMNS))
        for row_number, (row_label, (code, is_simulated, name)) in enumerate(rows, start=1):
            if code != f"p{row_number}":
                raise ArchiveError(
                    f"{row_label}: found the person {code[:20]!r}, expected p{row_number}"
                )
            person = (
                _annotator(row_label, name) if is_simulated == "1" else account_of(self.study, code)
            )
            yield code, person

    # --- tables -------------------------------------------------------------------------------
    def _store(self, table: ArchiveTable) -> None:
        keys = self.keys[table.model] = array("q")
        deferred_references: list[tuple[int, Values]] = []
        for numbered_rows in _row_batches(self.read(table)):
            objects = []
            for number, row_label, values in numbered_rows:
                self_references = _take_own_references(table, values)
                if self_references:
                    deferred_references.append((number, self_references))
                restored_row = table.model(**self._field_values(table, row_label, values))
                self.check(restored_row, row_label)
                objects.append(restored_row)
            if lane_sizes := [row.size for row in objects if isinstance(row, StoredEventLane)]:
                check_quota(self.study, self.file, lane_sizes)
            keys.extend(_insert_rows(table.model, objects))
        self._refer_to_itself(table, deferred_references)

    def read(self, table: ArchiveTable) -> Iterator[tuple[int, str, Values]]:
        """Number, place and cells of each row; numbers count from 1."""
        for expected_number, (row_label, cells) in enumerate(self.archive.table(table), start=1):
            number, values = parse_row(table, row_label, cells)
            if number != expected_number:
                raise ArchiveError(
                    f"{row_label}: found the number {number}, expected {expected_number}"
                )
            yield number, row_label, values

    def _field_values(self, table: ArchiveTable, row_label: str, values: Values) -> Values:
        """Field values of a row of the model: rows and people replace their numbers."""
        field_values: Values = {**table.constants}
        for name, value in values.items():
            field = table.fields[name]
            if value is None:
                field_values[name] = None
            elif is_person(field):
                field_values[name] = self._person(value, f"{row_label}, column {name}")
            elif referred_table := references(table).get(name):
                field_values[field.attname] = self.key(
                    referred_table, value, f"{row_label}, column {name}"
                )
            else:
                field_values[name] = value
        return field_values | ({"study": self.study} if table.names_study else {})

    def key(self, model: type[models.Model], number: int, label: str) -> int:
        """The key under which a row of the archive was stored."""
        keys = self.keys[model]
        if not 1 <= number <= len(keys):
            raise ArchiveError(f"{label}: there is no row {number}")
        return keys[number - 1]

    def _person(self, code: str, label: str) -> User:
        if code not in self.persons:
            raise ArchiveError(f"{label}: there is no person {code[:20]!r}")
        return self.persons[code]

    def _refer_to_itself(
        self, table: ArchiveTable, deferred_references: Iterable[tuple[int, Values]]
    ) -> None:
        """A row may name one that comes after it."""
        for number, self_references in deferred_references:
            row_label = f"{table.path}, row {number}"
            referenced_keys = {
                f"{name}_id": self.key(table.model, value, row_label)
                for name, value in self_references.items()
            }
            rows: Rows = models.QuerySet(table.model)
            rows.filter(pk=self.key(table.model, number, row_label)).update(**referenced_keys)

    def _store_series(self, table: ArchiveTable) -> None:
        models_by_name = references(table)
        rows = [
            restored_series.ArchivedSeries(
                row_label=row_label,
                benchmark_pk=self.key(models_by_name["benchmark"], values["benchmark"], row_label),
                recording_pk=self.key(models_by_name["recording"], values["recording"], row_label),
                field_values=values,
            )
            for _, row_label, values in self.read(table)
        ]
        self.keys[Series] = restored_series.store(rows, self.archive, self.file)

    # --- ground truth -------------------------------------------------------------------------
    def _check_ground_truth(self, table: ArchiveTable) -> None:
        """Make it of the marks, and compare it with what the archive says."""
        for campaign in self.study.campaigns.for_truth():
            refresh_all(campaign)
        code_by_pk = {user.pk: code for code, user in self.persons.items()}
        remade_truths = GroundTruth.objects.filter(task__campaign__study=self.study)
        truths, count = remade_truths.in_bulk(), 0
        for _, row_label, values in self.read(table):
            count += 1
            truth = truths.get(self.key(references(table)["task"], values["task"], row_label))
            derived_values = {name: getattr(truth, name, None) for name in DERIVED}
            derived_values["cluster"] = [code_by_pk[pk] for pk in derived_values["cluster"] or []]
            if differing_names := [
                name for name in DERIVED if derived_values[name] != values[name]
            ]:
                name = differing_names[0]
                raise ArchiveError(
                    f"{row_label}: {name} is {values[name]!r}, but this version of Plateau makes "
                    f"{derived_values[name]!r} of the marks"
                )
        if count != len(truths):
            raise ArchiveError(f"{table.path}: found {count} rows, expected {len(truths)}")


def _annotator(row_label: str, name: str) -> User:
    """The account of a simulated annotator; no other one is ever taken for it."""
    number = name.removeprefix(SIMULATED_PSEUDONYM)
    if number == name or not number or len(name) > 150:
        raise ArchiveError(f"{row_label}: found {name[:40]!r}, expected {SIMULATED_PSEUDONYM}1, …")
    user_fields = {"first_name": "Simulated", "last_name": number, "simulated": True}
    user, is_new = User.objects.get_or_create(username=name, defaults=user_fields)
    if not user.simulated:
        raise ArchiveError(f"{row_label}: {name} is a person of this installation")
    if is_new:
        user.set_unusable_password()
        user.save(update_fields=["password"])
    return user


def _take_own_references(table: ArchiveTable, values: Values) -> Values:
    """Remove from `values` the references to rows of the table itself, and return them."""
    self_reference_names = [
        name for name, model in references(table).items() if model is table.model
    ]
    self_references = {name: values.pop(name) for name in self_reference_names}
    return {name: value for name, value in self_references.items() if value is not None}


def _row_batches(rows: Iterator[Any_]) -> Iterator[list[Any_]]:
    while batch := list(islice(rows, AT_ONCE)):
        yield batch


def _insert_rows(model: type[models.Model], objects: Sequence[models.Model]) -> list[int]:
    """Store rows as they are, with the times that they say; their keys."""
    free_public_ids(model, objects)
    meta = model._meta
    fields = [field for field in meta.concrete_fields if not isinstance(field, models.AutoField)]
    rows: Any = models.QuerySet(model)
    inserted_keys = rows._insert(
        objects, fields, returning_fields=[meta.pk], using="default", raw=True
    )
    return [key for (key,) in inserted_keys]
