"""Bringing measurements in: a file in the body, an import that goes on by itself."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Final

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Query, Router, Schema
from ninja.errors import HttpError
from ninja.responses import Status
from pydantic import BeforeValidator

from api.access import IMPORT, caller, owner, stored_dataset
from api.texts import DatasetName, Description, Words
from formats import ReadLimits, TooLarge
from formats.source import size_error
from people.models import Study
from series.importing import jobs, uploads
from series.importing.import_order import ImportOrder
from series.importing.import_plan import RecordingDetails, parse_moment
from series.importing.services import LIMIT_HINTS, ensure_dataset
from series.models import Import
from series.views.import_workbench import most_bytes

PIECE: Final = 1 << 16  # bytes
FORMS: Final = ("application/x-www-form-urlencoded", "multipart/form-data")

router = Router(auth=IMPORT, tags=["import"])


class ImportOut(Schema):
    """An import. `state`: uploaded, running, done, failed or discarded.

    `new` and `known` count series: stored now, and there before with the same values.
    """

    id: str
    state: str
    file: str
    dataset: str
    new: int
    known: int
    error: str


def _moment(text: object) -> datetime | None:
    """Read a time stamp by the rule of forms and files."""
    if not text:
        return None
    if (moment := parse_moment(str(text))) is None:
        raise ValueError(f"found {str(text)[:40]!r}, expected a time such as 2026-03-14T02:00Z")
    return moment


class Occasion(Schema):
    """The recording, where the file does not say it."""

    label: Words = ""
    build: Words = ""
    measured_at: Annotated[datetime | None, BeforeValidator(_moment)] = None
    machine: Description = ""
    instance: Words = ""
    duet: Words = ""
    runtime: Description = ""


@router.post(
    "/datasets/{dataset}/measurements",
    response={200: ImportOut, 202: ImportOut},
    summary="Import a file",
)
def import_file(
    request: HttpRequest,
    dataset: DatasetName,
    file: Annotated[str, Query(min_length=1, max_length=300)],
    occasion: Query[Occasion],
    benchmark: Words = "",
) -> Status[ImportOut]:
    """The body is the file, in any format that is read, packed by gzip or not; `file` its name.

    `benchmark` names what is measured, where the file does not. The data set, by its slug or its
    name, is made if there is none. 200 where the import has ended, 202 where it goes on: ask for it
    by its id. The same file sent again changes nothing.
    """
    token_owner = owner(request)
    if request.content_type in FORMS:
        raise HttpError(
            415, "Send the file as the body, with Content-Type: application/octet-stream."
        )
    upload = _hold_import(request, token_owner.study, file, benchmark)
    existing_dataset, earlier_import = (
        stored_dataset(token_owner.study, dataset),
        uploads.earlier_import(upload),
    )
    if earlier_import and existing_dataset and earlier_import.dataset == existing_dataset:
        uploads.discard(upload)
        return Status(200, _reply(earlier_import))
    if refusal := _refusal(upload):
        uploads.discard(upload)
        raise HttpError(422, refusal)
    details = RecordingDetails(**occasion.dict())
    order = ImportOrder(
        existing_dataset or ensure_dataset(token_owner.study, dataset), details, "stop"
    )
    jobs.begin_import([upload], order)
    upload.refresh_from_db()
    return Status(202 if upload.state == Import.State.RUNNING else 200, _reply(upload))


@router.get("/imports/{import_id}", response=ImportOut, summary="How far an import is")
def import_state(request: HttpRequest, import_id: str) -> ImportOut:
    study = caller(request).study
    jobs.live_jobs(study)  # gives back what a server that stopped had begun
    return _reply(get_object_or_404(study.imports.select_related("dataset"), public_id=import_id))


def _hold_import(request: HttpRequest, study: Study, name: str, benchmark: str) -> Import:
    pieces, person = _pieces(request, name), caller(request).user
    try:
        return uploads.store_upload(study, pieces, name, by=person, benchmark=benchmark)
    except TooLarge as large:
        raise HttpError(413, str(large)) from large


def _pieces(request: HttpRequest, name: str) -> Iterator[bytes]:
    """The body, never more of it than an upload may have."""
    most_file_bytes, received_bytes = most_bytes(), 0
    while piece := request.read(PIECE):
        received_bytes += len(piece)
        if received_bytes > most_file_bytes:
            limits = ReadLimits(file_bytes=most_file_bytes, hints=LIMIT_HINTS)
            raise size_error(name, "more", limits)
        yield piece


def _refusal(upload: Import) -> str:
    """Why nothing of the file can be stored; empty where it can, or is still to be read."""
    if upload.preview.get("unread"):
        return ""
    problems = upload.preview.get("problems") or []
    return upload.preview.get("fatal") or (problems[0] if problems else "")


def _reply(upload: Import) -> ImportOut:
    return ImportOut(
        id=upload.public_id,
        state=upload.state,
        file=upload.file_name,
        dataset=upload.dataset.slug if upload.dataset else "",
        new=upload.stored,
        known=upload.known,
        error=upload.error,
    )
