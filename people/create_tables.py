"""Migration operation that makes all tables of one app at once.

Django renders the models of a state again after each `CreateModel`, with all that are related to
the new one, which here is nearly every model: three quarters of the time of a first `migrate`.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations import CreateModel
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


class OlderDatabase(Exception):
    """A database of an earlier version, whose steps to the present tables are gone."""

    def __init__(self) -> None:
        super().__init__(
            "This database was made by an earlier version of Plateau, which this version cannot "
            "bring up to date. Its data is unchanged. With the earlier version, write each study "
            "to a file: python manage.py archive STUDY. With this version, start in an empty "
            "folder, make run PLATEAU_DATA=/path/to/folder, and read each file: "
            "python manage.py import_archive FILE"
        )


class CreateTables(Operation):
    """Several `CreateModel`, whose fields may refer to one another in any order."""

    def __init__(self, models: Sequence[CreateModel]) -> None:
        self.models = models

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        state.__dict__.pop("apps", None)  # rendered once, by whoever asks next
        for operation in self.models:
            operation.state_forwards(app_label, state)

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        present_tables = set(schema_editor.connection.introspection.table_names())
        if any(f"{app_label}_{model.name_lower}" in present_tables for model in self.models):
            raise OlderDatabase
        for operation in self.models:
            operation.database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        for operation in reversed(self.models):
            operation.database_backwards(app_label, schema_editor, from_state, to_state)

    def describe(self) -> str:
        return f"Create {len(self.models)} tables"
