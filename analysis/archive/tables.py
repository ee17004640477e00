"""Tables of an archive: which rows of a study, with which columns. Written and read by one list."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from django.db import models
from django.db.models import Q

from analysis.methods.models import ImportedMethod, MethodSet
from analysis.references.models import ReviewDecision
from analysis.runs.models import CERTAINTY_MEANINGS, Detection, Preset
from analysis.trend.models import AlarmEntry, RegressionAlarm, RegressionNotice
from annotate.models import (
    Annotator,
    Assignment,
    Campaign,
    Expected,
    GroundTruth,
    Mark,
    Problem,
    Task,
)
from formats.tables import ANSWER_MEANINGS
from people.models import Study, User
from series.models import Benchmark, Dataset, Recording, Series, StoredEventLane

Rows = models.QuerySet[Any]
ID: Final = "id"
ID_MEANING: Final = "number of the row in this file, from 1; other files name the row by it"
TYPES: Final[Mapping[type[models.Field[Any, Any]], str]] = {
    models.BooleanField: "boolean",
    models.IntegerField: "integer",
    models.FloatField: "number",
    models.DateTimeField: "datetime",
}
"""Type of a column, as a data package names it; anything else is a string."""


@dataclass(frozen=True)
class ArchiveTable:
    """One file: a row of it is a row of `model`, a column one of its fields.

    study_path     path from a row to its study
    columns        meaning by field; a foreign key is written as the `id` of the row that it names,
                   a person by the pseudonym of the whole archive (p1, p2, …)
    constants   fields that are the same for all rows, and no columns
    order          in which rows are stored again
    row_filter  what else a row of a study needs: without a decision about a campaign that was
                   removed, say, which would hold everywhere without it
    since_format   format of the first archives that have it
    later_columns  columns that earlier archives lack, the last ones, with their first format
    """

    name: str
    model: type[models.Model]
    summary: str
    study_path: str
    columns: Mapping[str, str]
    constants: Mapping[str, str] = field(default_factory=dict)
    since_format: int = 1
    later_columns: Mapping[str, int] = field(default_factory=dict)
    order: tuple[str, ...] = ("pk",)
    row_filter: Callable[[Study], Q] = lambda _study: Q()

    def rows(self, study: Study) -> Rows:
        """Rows of a study: of the model as it is, whatever a manager of it leaves out."""
        all_rows: Rows = models.QuerySet(self.model)
        study_rows = all_rows.filter(
            self.row_filter(study), **{self.study_path: study}, **self.constants
        )
        return study_rows.order_by(*self.order)

    @property
    def path(self) -> str:
        return f"tables/{self.name}.csv"

    @cached_property
    def fields(self) -> Mapping[str, models.Field[Any, Any]]:
        return {name: self.model._meta.get_field(name) for name in self.columns}  # type: ignore[misc]

    @property
    def head(self) -> tuple[str, ...]:
        return (ID, *self.columns)

    def lacking_columns(self, version: int) -> Sequence[str]:
        """Columns that an archive of this format does not have: the last ones."""
        return [name for name, since in self.later_columns.items() if since > version]

    @property
    def names_study(self) -> bool:
        """True if rows of the table name the study, which is no column."""
        return hasattr(self.model, "study_id")

    def type_of(self, name: str) -> str:
        """Type of a column, as a data package names it."""
        if name == ID:
            return "integer"
        field = self.fields[name]
        if isinstance(field, models.ForeignKey):
            return "string" if is_person(field) else "integer"
        if isinstance(field, models.JSONField):
            return "object" if isinstance(field.get_default(), dict) else "array"
        return next(
            (type_name for base, type_name in TYPES.items() if isinstance(field, base)), "string"
        )


def is_person(field: models.Field[Any, Any]) -> bool:
    return field.related_model is User


def is_reference(field: models.Field[Any, Any]) -> bool:
    """True if cells of the field are numbers of rows of another table, or of its own."""
    return isinstance(field, models.ForeignKey) and not is_person(field)


def references(table: ArchiveTable) -> Mapping[str, type[models.Model]]:
    """The model behind each column that names rows, by column."""
    fields = table.fields.items()
    return {name: field.related_model for name, field in fields if is_reference(field)}  # type: ignore[misc]


_OF_TASK: Final = "task__campaign__study"
_WHEN: Final = "when, ISO 8601 in UTC"
_SAID: Final = {
    "state": "new, confirmed, explained, fixed or ignored",
    "assignee": "person (people.csv) who looks after it",
    "note": "why",
    "commit": "address of the commit that explains it",
    "by": "person (people.csv) who said so",
    "when": _WHEN,
}
TABLES: Final = (
    ArchiveTable(
        "datasets",
        Dataset,
        "data sets",
        "study",
        {
            "name": "its name on pages",
            "slug": "as addresses and commands call it",
            "about": "description",
            "source": "source of the measurements",
            "licence": "licence that its owner has given; empty: none given",
            "simulated": "1 if it is simulated, not measured",
            "created": _WHEN,
        },
    ),
    ArchiveTable(
        "benchmarks",
        Benchmark,
        "benchmarks of the data sets, one with each set of parameters",
        "dataset__study",
        {
            "public_id": "as addresses call it",
            "dataset": "its data set",
            "system": "system of the benchmark",
            "name": "its name",
            "params": "its parameters as name=value, joined by &",
            "unit": "unit of the values; times are in seconds",
            "mode": "JMH's short name of the mode, where there is one",
            "better": "more or less, where an owner has chosen; empty: from unit and mode",
        },
    ),
    ArchiveTable(
        "recordings",
        Recording,
        "occasions on which benchmarks were measured",
        "dataset__study",
        {
            "dataset": "its data set",
            "label": "its name, unique in the data set",
            "build": "build or commit that was measured",
            "measured_at": _WHEN,
            "machine": "machine that it was measured on",
            "runtime": "runtime that it was measured with",
            "notes": "notes on it",
            "created": "when it was imported first, ISO 8601 in UTC",
            "instance": "which machine of that description, such as its host name",
            "duet": "name of the duet whose recordings were measured side by side",
        },
        later_columns={"instance": 5, "duet": 5},
    ),
    ArchiveTable(
        "series",
        Series,
        "series: one fork of a benchmark in a recording; its values are in values.npz",
        "benchmark__dataset__study",
        {
            "public_id": "as addresses call it",
            "benchmark": "its benchmark",
            "recording": "its recording",
            "fork": "number of the fork, from 0",
            "n": "iterations in the series",
            "digest": "SHA-256 of the values (float64, little-endian); their name in values.npz",
            "settings": "configured warm-up and measurement, as the file had them",
            "known_start": "known first steady iteration, -1 never; empty: not known",
            "known_reason": "reason why it is known",
            "created": _WHEN,
        },
        order=("benchmark__dataset_id", "pk"),
    ),
    ArchiveTable(
        "campaigns",
        Campaign,
        "campaigns: series that people marked, and the recipe for their ground truth",
        "study",
        {
            "name": "its name on pages",
            "slug": "as addresses and commands call it",
            "state": "draft, open or closed",
            "purpose": "annotate, screening, changes, training or repeat",
            "repeats": "campaign that this is the second pass of",
            "follows": "screening whose steady series are marked here",
            "training": "campaign to be passed before the first answer",
            "pass_mark": "of a training: share of its points that passes",
            "second_share": "share of each person's series that is asked once more",
            "second_days": "days after the last answer until then",
            "checks": "series with a known answer that are among the others",
            "ask_difficulty": "1 if each answer comes with a difficulty",
            "recipe": "recipe that makes ground truth of marks",
            "params": "its parameters that differ from the defaults",
            "instructions": "what annotators read before they begin",
            "guide_version": "version of the instructions",
            "hide_names": "1 if annotators see no names of series",
            "hide_values": "1 if annotators see no values on the axis",
            "overlap": "annotators of a series; empty: all",
            "seed": "of the order of series",
            "simulated": "1 if its annotators are simulated, all of them",
            "selection": "how the series were chosen",
            "created": _WHEN,
            "opened_at": _WHEN,
            "archived_at": "when it was archived",
            "closed_at": _WHEN,
            "show_events": "1 if annotators see events of the process under the chart",
        },
        later_columns={"show_events": 4},
    ),
    ArchiveTable(
        "event-lanes",
        StoredEventLane,
        "events of the measured process, a lane a row; they lie beside the values of a series",
        "series__benchmark__dataset__study",
        {
            "series": "the series",
            "kind": "identifies the lane in its series",
            "title": "its name on pages",
            "unit": "unit of the events' values",
            "clock": "seconds since the process started, or iterations",
            "ends_known": "1 if the file says when an event ends",
            "offset": "seconds from the process start to the first iteration; empty: not known",
            "events": "lists start, end, value; name and detail are numbers in the list texts",
            "count": "number of events",
            "file_name": "name of the file",
            "file_digest": "SHA-256 of the file",
            "when": _WHEN,
        },
        since_format=4,
        order=("series__benchmark__dataset_id", "series_id", "pk"),
    ),
    ArchiveTable(
        "annotators",
        Annotator,
        "who annotates which campaign, under which pseudonym",
        "campaign__study",
        {
            "campaign": "the campaign",
            "user": "person (people.csv): the same in all campaigns",
            "pseudonym": "the person's name in this campaign",
            "cap": "most series for this person; empty: all",
            "guide_seen": "version of the instructions that was read",
            "passed_at": "when a training was passed",
            "kind": "person; round, published or screening: no single person",
        },
    ),
    ArchiveTable(
        "tasks",
        Task,
        "the series of each campaign",
        "campaign__study",
        {
            "campaign": "the campaign",
            "series": "the series",
            "position": "the same for everybody, from 1",
            "turn": "queues ask by turn, from 0, and within it in each person's own order",
        },
        later_columns={"turn": 3},
    ),
    ArchiveTable(
        "expected",
        Expected,
        "known answers of tasks of trainings and attention checks, which count nowhere",
        _OF_TASK,
        {
            "task": "the task",
            "never": "1 if never steady",
            "low": "first accepted iteration, 0-based",
            "high": "last accepted iteration",
            "sentence": "why",
            "attempt": "attempt of the training that it belongs to",
        },
    ),
    ArchiveTable(
        "marks",
        Mark,
        "answers of annotators, every revision",
        _OF_TASK,
        {
            "task": "the task that is answered",
            "annotator": "person (people.csv)",
            "revision": "1 is the first answer; the largest one counts",
            "kind": "steady, never, unclear or changes",
            "index": "first steady iteration, 0-based; empty unless steady",
            "unsure": "1 if the annotator asked for discussion",
            "difficulty": "1 easy to 5 hard",
            "note": "note of the annotator",
            "seconds": "seconds that the series was shown",
            "series_digest": "SHA-256 of the values that were on the screen",
            "guide_version": "version of the instructions",
            "view": "part of the series that was on the screen",
            "when": _WHEN,
            "changes": "all changes of level, 0-based; empty unless the kind is changes",
        },
        later_columns={"changes": 4},
    ),
    ArchiveTable(
        "assignments",
        Assignment,
        "who is to answer which task, and the answer that counts",
        _OF_TASK,
        {
            "task": "the task",
            "user": "person (people.csv)",
            "order": "place in the person's own order, from 0",
            "skipped_at": "when the person postponed it",
            "latest": "mark that counts; empty: not answered",
            "question": "question of somebody who asked for a new answer",
            "asked_by": "person who asked",
        },
    ),
    ArchiveTable(
        "ground-truth",
        GroundTruth,
        "what the recipes make of the marks",
        _OF_TASK,
        {
            "task": "the task",
            "recipe_key": "recipe with all its parameters",
            "marks_digest": "SHA-256 of the marks that it was made of",
            "steady": "1 steady, 0 never; empty: undecided",
            "steady_start": "first steady iteration, 0-based; empty unless steady",
            "agreement": "how well the marks agree, as one word",
            "spread": "largest minus smallest steady mark, in iterations",
            "cluster": "persons whose marks it was made of",
            "answered": "number of people who have answered",
            "complete": "1 if all have, or the campaign is closed",
        },
    ),
    ArchiveTable(
        "problems",
        Problem,
        "problems with series that annotators reported",
        _OF_TASK,
        {
            "task": "the task",
            "by": "person (people.csv)",
            "text": "what is wrong",
            "when": _WHEN,
            "closed_at": "when it was closed",
        },
    ),
    ArchiveTable(
        "decisions",
        ReviewDecision,
        "decisions and notes of reviews, in their order; the last one about a series counts",
        "series__benchmark__dataset__study",
        {
            "series": "the series",
            "task": "the task, which says in which campaign; empty: in all of the study",
            "kind": "accept, look-again, exclude, undo or note",
            "text": "question, reason or note",
            "to_whom": "pseudonyms of those who are asked for a new answer",
            "reasons": "reasons why it was a case",
            "marks_digest": "of the ground truth that was seen",
            "by": "person (people.csv)",
            "when": _WHEN,
        },
        row_filter=lambda study: Q(task=None) | Q(task__campaign__study=study),
    ),
    ArchiveTable(
        "detections",
        Detection,
        "answers of detectors",
        "series__benchmark__dataset__study",
        {
            "series": "the series",
            "detector_key": "method, version and all parameters: slug@version?name=value&…",
            "outcome": "answer, too-short, too-long, not-available or failed",
            **{name: meaning for name, meaning in ANSWER_MEANINGS.items() if name != "reason"},
            "when": _WHEN,
            **CERTAINTY_MEANINGS,
            "reason": ANSWER_MEANINGS["reason"],
            "changes": "all changes of level, 0-based, of a method that gives them; else empty",
        },
        later_columns={**dict.fromkeys((*CERTAINTY_MEANINGS, "reason"), 3), "changes": 4},
        order=("series__benchmark__dataset_id", "series_id", "detector_key"),
    ),
    ArchiveTable(
        "imported-methods",
        ImportedMethod,
        "methods whose answers came in a file",
        "study",
        {
            "public_id": "as addresses call it",
            "title": "its name",
            "slug": "the same, as keys have it",
            "version": "its version",
            "code": "its label on charts",
            "slot": "its symbol on charts",
            "detector_key": "as in detections.csv",
            "convention": "meaning of the numbers in its file",
            "file_name": "name of the file",
            "file_digest": "SHA-256 of the file",
            "size": "its bytes",
            "answers": "detections that it brought",
            "when": _WHEN,
        },
        constants={"state": ImportedMethod.State.STORED},
    ),
    ArchiveTable(
        "presets",
        Preset,
        "parameters of methods under a name",
        "study",
        {
            "public_id": "as addresses call it",
            "name": "its name",
            "detector_key": "method, version and all parameters",
            "provenance": "where the parameters came from",
            "when": _WHEN,
        },
    ),
    ArchiveTable(
        "method-sets",
        MethodSet,
        "methods that are compared again and again, under a name",
        "study",
        {
            "public_id": "as addresses call it",
            "name": "its name",
            "methods": "slugs, or keys where parameters are not the defaults",
            "first": "1 if pages begin with it",
            "when": _WHEN,
        },
    ),
    ArchiveTable(
        "regression-notices",
        RegressionNotice,
        "regressions that were told, each once",
        "benchmark__dataset__study",
        {
            "benchmark": "the benchmark",
            "recording": "the recording with which it began",
            "share": "the new level against the one before: 0.1 is 10 % more",
            "when": _WHEN,
        },
        since_format=2,
    ),
    ArchiveTable(
        "alarms",
        RegressionAlarm,
        "what people said last of a regression",
        "benchmark__dataset__study",
        {"benchmark": "the benchmark", "recording": "the recording with which it began", **_SAID},
        since_format=2,
    ),
    ArchiveTable(
        "alarm-entries",
        AlarmEntry,
        "all that people said of the alarms, in order",
        "alarm__benchmark__dataset__study",
        {"alarm": "the alarm", **_SAID},
        since_format=2,
    ),
)
PEOPLE: Final = "tables/people.csv"
PEOPLE_COLUMNS: Final[Mapping[str, tuple[str, str]]] = {
    "person": ("string", "pseudonym, the same in all files: p1, p2, …"),
    "simulated": ("boolean", "1 if this is a model and not a person"),
    "name": ("string", "name of what is simulated; empty for a person"),
}
"""Type and meaning by column, of the one table that is no model's: nobody is named in it."""
