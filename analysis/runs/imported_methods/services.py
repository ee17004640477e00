"""Bringing a method's answers into a study, and taking them out again: all or nothing."""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Iterable
from typing import Final, cast

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.text import slugify

from analysis.methods.models import KEY_LENGTH, OWN, ImportedMethod
from analysis.runs.imported_methods.checks import CheckedAnswers, check_answers
from analysis.runs.imported_methods.naming import code_for, slot_for
from analysis.runs.models import Detection
from formats.answers import MOST_BYTES, AnswerRow, Convention
from formats.limits import ReadLimits
from formats.source import size_error
from people.models import Study, User

AT_A_TIME: Final = 500  # rows of a bulk write
VERSION = re.compile(r"[A-Za-z0-9._-]{1,40}")


class ImportRefused(ValueError):
    """Error: a file cannot be imported; its sentence says why, `field` where to mend it."""

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(sentence)
        self.field = field


# --- waiting ----------------------------------------------------------------------------------
def hold_upload(
    study: Study, chunks: Iterable[bytes], name: str, *, user: User | None
) -> ImportedMethod:
    """Hold an uploaded file until it is brought in or discarded; nobody's answers change.

    The same file of the same person waiting already stays one. Raises FormatError when it is too
    large.
    """
    content = bytearray()
    for chunk in chunks:
        content += chunk
        if len(content) > MOST_BYTES:
            limits = ReadLimits(file_bytes=MOST_BYTES)
            raise size_error(name, f"more than {MOST_BYTES:,} bytes", limits)
    digest = hashlib.sha256(content).hexdigest()
    if waiting_method := study.own_methods.waiting().filter(by=user, file_digest=digest).first():
        return waiting_method
    title = (
        re.sub(r"\.(csv|tsv|txt)(\.gz)?$", "", name, flags=re.IGNORECASE)[-60:] or "Imported method"
    )
    return ImportedMethod.objects.create(
        study=study,
        title=title,
        slug=slug_of(title),
        code=code_for(study, slug_of(title), title),
        file_name=name[-300:],
        file_digest=digest,
        size=len(content),
        content=bytes(content),
        by=user,
    )


def slug_of(title: str) -> str:
    """`own:` and the title as an address writes it."""
    return f"{OWN}{slugify(title)[:60] or 'method'}"


def set_description(
    waiting_method: ImportedMethod, *, title: str, version: str, code: str, convention: str
) -> None:
    """Say what a waiting file is called and how it counts. Raises ImportRefused; does not save."""
    if not slugify(title):
        raise ImportRefused(
            "title", f"{title!r} is no name: it takes a letter from a to z or a digit."
        )
    if not VERSION.fullmatch(version):
        raise ImportRefused(
            "version", f"{version!r} is no version: letters, digits, dots and hyphens."
        )
    waiting_method.title, waiting_method.version, waiting_method.slug = (
        title,
        version,
        slug_of(title),
    )
    waiting_method.convention = convention
    waiting_method.code = code_for(
        waiting_method.study, waiting_method.slug, title, wanted_code=code
    )


def check_waiting_file(waiting_method: ImportedMethod) -> CheckedAnswers:
    """Check the answers of the waiting file against the series as they are now."""
    stream = io.BytesIO(bytes(waiting_method.content))
    convention = cast("Convention", waiting_method.convention)
    return check_answers(
        waiting_method.study, stream, waiting_method.file_name, convention=convention
    )


def method_of_same_file(waiting_method: ImportedMethod) -> ImportedMethod | None:
    """Imported method that came from a file with the same digest, or None."""
    stored_methods = waiting_method.study.own_methods.stored().filter(
        file_digest=waiting_method.file_digest
    )
    return stored_methods.select_related("by", "study").order_by("when").last()


def method_of_same_version(waiting_method: ImportedMethod) -> ImportedMethod | None:
    """Imported method that is stored under the same name and version, or None."""
    stored_methods = waiting_method.study.own_methods.stored()
    return stored_methods.filter(slug=waiting_method.slug, version=waiting_method.version).first()


# --- storing ----------------------------------------------------------------------------------
def import_method(waiting_method: ImportedMethod) -> tuple[ImportedMethod, bool]:
    """Store the answers of a waiting file; False beside it when it was there and nothing changed.

    All or nothing. Raises ImportRefused: for a file with problems, and for a name and version under
    which other answers are stored, which are never overwritten.
    """
    if stored_method := method_of_same_version(waiting_method):
        return _resolve_repeated_import(waiting_method, stored_method), False
    checked_answers = check_waiting_file(waiting_method)
    if not checked_answers.is_ready:
        raise ImportRefused("", _refusal_reason(checked_answers))
    try:
        with transaction.atomic():
            _store(waiting_method, checked_answers)
    except IntegrityError:  # another request stored the same version meanwhile
        waiting_method.state = ImportedMethod.State.WAITING
        return _resolve_repeated_import(waiting_method, _stored_version(waiting_method)), False
    return waiting_method, True


def _stored_version(waiting_method: ImportedMethod) -> ImportedMethod:
    stored_method = method_of_same_version(waiting_method)
    if stored_method is None:
        raise ImportRefused("", "Somebody changed the study meanwhile. Try again.")
    return stored_method


def _resolve_repeated_import(
    waiting_method: ImportedMethod, stored_method: ImportedMethod
) -> ImportedMethod:
    """Discard a repeated file; raise ImportRefused for other answers under a stored version."""
    is_same = (
        stored_method.file_digest == waiting_method.file_digest
        and stored_method.convention == waiting_method.convention
    )
    if not is_same:
        raise ImportRefused(
            "version",
            f"{stored_method} is stored already, {stored_method.source}. What is stored is never "
            "overwritten: give these answers another version.",
        )
    # Not `delete`: it may be the very row that another request has stored.
    discard_waiting_file(waiting_method)
    return stored_method


def _refusal_reason(checked_answers: CheckedAnswers) -> str:
    if checked_answers.problem_count:
        problem_summary = ", ".join(f"{count} × {label}" for label, count in checked_answers.kinds)
        return f"Nothing was stored: {problem_summary}. {checked_answers.problems[0]}"
    return "Nothing was stored: the file has no answer for any series of the study."


def _store(waiting_method: ImportedMethod, checked_answers: CheckedAnswers) -> None:
    key = f"{waiting_method.slug}@{waiting_method.version}" + (
        f"?{checked_answers.params}" if checked_answers.params else ""
    )
    if len(key) > KEY_LENGTH:
        raise ImportRefused(
            "", f"method_params take {len(key)} characters; at most {KEY_LENGTH} can be stored."
        )
    waiting_method.state = ImportedMethod.State.STORED
    waiting_method.detector_key, waiting_method.answers = key, len(checked_answers.answers)
    waiting_method.slot = slot_for(waiting_method.study, waiting_method.slug)
    waiting_method.content, waiting_method.when = b"", timezone.now()
    waiting_method.save()
    Detection.objects.bulk_create(
        (_detection(waiting_method, pk, row) for pk, row in checked_answers.answers.items()),
        batch_size=AT_A_TIME,
    )


def _detection(imported_method: ImportedMethod, series: int, row: AnswerRow) -> Detection:
    return Detection(
        series_id=series,
        detector_key=imported_method.detector_key,
        slug=imported_method.slug,
        steady_start=row.steady_start,
        published_index=row.published_index,
        decided_at=row.decided_at,
        milliseconds=None if row.seconds is None else 1000 * row.seconds,
    )


def discard_waiting_file(waiting_method: ImportedMethod) -> None:
    """Forget a waiting file; what is stored stays."""
    ImportedMethod.objects.waiting().filter(pk=waiting_method.pk).delete()
