"""Facts that the page of an import shows of each waiting file, and of one of them. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from detectors.least_lengths import too_short_for
from formats.iterations import NOT_KNOWN
from formats.registry import reader_of
from people.models import Study
from series.drawings.outlines import paths
from series.import_pages.import_sentence import SEPARATORS
from series.models import Import

Sign = Literal["good", "doubt", "problem", "out", "unread"]


@dataclass(frozen=True, slots=True)
class WaitingFile:
    """A line of the list of files. `count` is what the sign counts: doubts, or problems."""

    upload: Import
    sign: Sign
    words: str
    count: int = 0
    included: bool = False

    @property
    def series(self) -> int:
        series_count: int = self.upload.preview.get("series", 0)
        return series_count


@dataclass(frozen=True, slots=True)
class NewSeries:
    """Number of series that an import brings to a study: the subject of panels on its pages."""

    study: Study
    count: int


def waiting_files(
    uploads: Sequence[Import], chosen_ids: Collection[str] | None = None
) -> list[WaitingFile]:
    """The files in order; included are those `chosen_ids`, at first all with a series."""
    return [
        _line(
            upload,
            upload.public_id in chosen_ids if chosen_ids is not None else _has_series(upload),
        )
        for upload in uploads
    ]


def _line(upload: Import, is_included: bool) -> WaitingFile:  # noqa: FBT001
    preview = upload.preview
    if preview.get("unread"):
        return WaitingFile(upload, "unread", "not read yet", included=is_included)
    if not _has_series(upload):
        return WaitingFile(upload, "out", preview.get("refusal") or "no series in it")
    problems = preview["problem_count"] or (1 if upload.error else 0)
    doubts = sum(remark.doubt for remark in remarks_on(preview)) + len(preview.get("doubts", ()))
    sign: Sign = "problem" if problems else "doubt" if doubts else "good"
    words = f"{preview['series']:,} series · {_format(preview)}"
    return WaitingFile(upload, sign, words, problems or doubts, is_included)


def _has_series(upload: Import) -> bool:
    return bool(upload.preview.get("series"))


def _format(preview: Mapping[str, Any]) -> str:
    title = reader_of(preview["format"]).title
    choice = preview.get("choice")
    if not choice or len(choice["columns"]) == 1:
        return title
    return f"{title}, {SEPARATORS[choice['separator']]}"


@dataclass(frozen=True, slots=True)
class Remark:
    """Something to know of a file, once for all series that it is about.

    `doubt` says that it may be a mistake; `field` names the setting that may settle it.
    """

    name: str
    text: str
    series: int
    doubt: bool = True
    field: str = ""


def remarks_on(preview: Mapping[str, Any]) -> list[Remark]:
    """Remarks on what is allowed, but seldom meant, or limits what can be done with the series."""
    remarks = [Remark("value", f"{_capital(text)}.", n) for text, n in preview.get("warned", ())]
    if NOT_KNOWN in preview.get("iterations", ()):
        text = "How long an iteration lasts is not in the file: times of warm-up stay unknown."
        remarks.append(Remark("length", text, preview["series"], field="iteration"))
    notes = [Remark("note", _capital(text), n, doubt=False) for text, n in preview.get("noted", ())]
    return [*_length_remarks(preview), *remarks, *notes]


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _length_remarks(preview: Mapping[str, Any]) -> list[Remark]:
    """Remark that methods cannot judge the shortest series: a doubt where most of them cannot."""
    if not preview.get("series"):
        return []
    n, count = preview["shortest"], too_short_for(preview["shortest"])
    length = "1 iteration" if n == 1 else f"{n:,} iterations"
    text = f"{length}: too short for {count.methods} of the {count.of} methods that run here."
    is_serious = 2 * count.methods > count.of
    return [Remark("short", text, preview["series"], doubt=is_serious)] if count.methods else []


def drawn_series(preview: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The first series of a file: name, detail, drawn outline; `label` is the whole name."""
    return [
        {**drawing, "outline": paths(drawing["outline"])}
        for drawing in preview.get("drawn", ())
        if "name" in drawing  # a file that waits since before series had captions is read again
    ]


def remedy(preview: Mapping[str, Any], remedy_key: str) -> dict[str, str] | None:
    """The options of the remedy `remedy_key`, as in ``decimal:0``; None if none is offered."""
    name, _, remedy_index = remedy_key.partition(":")
    offered_options = [
        offer["options"]
        for doubt in preview.get("doubts", ())
        if doubt["name"] == name
        for offer in doubt["remedies"]
    ]
    return (
        offered_options[int(remedy_index)]
        if remedy_index.isdecimal() and int(remedy_index) < len(offered_options)
        else None
    )
