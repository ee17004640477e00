"""Files that people upload: kept until they are imported or discarded, and looked into before.

Where they lie and for how long is in `series.keeping`. Nothing of a file reaches a data set before
it is confirmed.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterable
from typing import Any

from django.db.models import Q, QuerySet

import formats
from formats import FormatError, Measurement, Preview, ReadOptions
from people.models import Study, User
from series import drawing, quota
from series.forecast import list_series
from series.intake import Named, Step
from series.keeping import forget, looked_at, opened, path_of
from series.models import Dataset, Import
from series.planning import Occasion
from series.services import Imported, OnProblems, import_file, within_limits

WAITING = Q(state=Import.State.UPLOADED) | Q(state=Import.State.FAILED)
PROBLEM_COLUMNS = ("file", "where", "found", "expected", "what to do")


def waiting(study: Study, person: User) -> QuerySet[Import]:
    """What this person uploaded and has neither imported nor discarded, in order of upload."""
    return Import.objects.filter(WAITING, study=study, by=person).order_by("when", "pk")


# --- keeping a file ---------------------------------------------------------------------------
def keep(study: Study, chunks: Iterable[bytes], name: str, *, by: User) -> Import:
    """Store an uploaded file and look into it. The same file waiting already stays one.

    Raises TooLarge, and keeps nothing, where the study has no room for it.
    """
    upload = Import(study=study, by=by, file_name=name[-300:], size=0)
    path = path_of(upload)
    digest = hashlib.sha256()
    with path.open("wb") as out:
        for chunk in chunks:
            digest.update(chunk)
            upload.size += out.write(chunk)
    upload.file_digest = digest.hexdigest()
    if same := waiting(study, by).filter(file_digest=upload.file_digest).first():
        path.unlink()
        return same
    try:
        quota.check(study, upload.file_name, [quota.waiting_bytes(study), upload.size])
    except FormatError:
        path.unlink()
        raise
    look(upload)
    return upload


def before(upload: Import) -> Import | None:
    """The import of the very same file into a data set of this study, if there was one."""
    done = upload.study.imports.filter(file_digest=upload.file_digest, state=Import.State.DONE)
    return done.select_related("by", "dataset__study").first()


def discard(upload: Import) -> bool:
    """Let go of a file that is not wanted; False, and nothing happens, unless it waits."""
    gone = Import.objects.filter(WAITING, pk=upload.pk).update(state=Import.State.DISCARDED)
    if gone:
        forget(upload)
    return bool(gone)


# --- looking into it --------------------------------------------------------------------------
def look(upload: Import) -> None:
    """Read the file as an import would, with the options chosen, and keep what was found."""
    series: list[Named] = []
    try:
        with opened(upload) as stream:
            found = formats.preview(
                stream,
                upload.file_name,
                format=upload.options.get("format", "auto"),
                options=options_of(upload),
                on_series=lambda one: series.append(Named.of(one)),
            )
        list_series(upload, series)
        looked_at(upload)
    except FormatError as gone:
        found = Preview(file=upload.file_name, fatal=gone, problems=[gone], problem_count=1)
    upload.preview = _summary(found)
    # Only these: the file may have been confirmed in another tab while it was read.
    upload.save(update_fields=["options", "preview"] if upload.pk else None)


def options_of(upload: Import) -> ReadOptions:
    """How the person said the file is to be read."""
    chosen = {name: value for name, value in upload.options.items() if name != "format"}
    if "series_columns" in chosen:
        chosen["series_columns"] = tuple(chosen["series_columns"])
    return within_limits(ReadOptions(**chosen))


def _summary(found: Preview) -> dict[str, Any]:
    choice = found.choice
    hint = found.recording
    return {
        "format": found.format,
        "why": found.why,
        "rows": found.rows,
        "choice": choice
        and {
            "separator": choice.separator,
            "decimal": choice.decimal,
            "header": choice.header,
            "layout": choice.layout,
            "columns": list(choice.columns),
            "roles": choice.roles,
            "values": list(choice.values),
        },
        "benchmarks": found.benchmarks,
        "series": found.series,
        "points": found.points,
        "shortest": found.least_iterations,
        "longest": found.most_iterations,
        "unit": found.units[0] if found.units else "",
        "units": found.units,
        "modes": [mode for mode in found.modes if mode],
        "iterations": found.iterations,
        "median": found.median,
        "drawn": [_small(one) for one in found.drawn],
        "notes": found.notes,
        "warnings": found.warnings,
        "problems": [str(problem) for problem in found.problems],
        "problem_count": found.problem_count,
        "fatal": str(found.fatal) if found.fatal else "",
        "recording": {
            "label": hint.label,
            "build": hint.build,
            "measured_at": hint.measured_at,
            "machine": hint.machine,
            "runtime": hint.runtime,
        },
    }


def _small(one: Measurement) -> dict[str, Any]:
    return {"label": one.label, "outline": drawing.draw(one.values).outline}


def problems_csv(upload: Import) -> str:
    """Every problem of the file as CSV, however many there are."""
    found: list[FormatError] = []
    try:
        with opened(upload) as stream:
            for _ in formats.read(
                stream,
                upload.file_name,
                format=upload.options.get("format", "auto"),
                options=options_of(upload),
                on_problem=found.append,
            ):
                pass
    except FormatError as fatal:
        found.append(fatal)
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(PROBLEM_COLUMNS)
    table.writerows((each.file, each.where, each.found, each.expected, each.hint) for each in found)
    return text.getvalue()


# --- importing it -----------------------------------------------------------------------------
def confirm(
    upload: Import,
    dataset: Dataset,
    *,
    occasion: Occasion,
    on_problems: OnProblems,
    by: User,
    step: Step | None = None,
) -> Imported | None:
    """Import a kept file; None if it was refused, and the reason is then in `upload.error`."""
    try:
        with opened(upload) as stream:
            done = import_file(
                dataset,
                stream,
                upload.file_name,
                by=by,
                occasion=occasion,
                format=upload.options.get("format", "auto"),
                options=options_of(upload),
                on_problems=on_problems,
                upload=upload,
                step=step,
            )
    except FormatError as refused:
        upload.state, upload.error = Import.State.FAILED, str(refused)
        upload.save(update_fields=["state", "error"])
        return None
    forget(upload)
    return done
