"""Composition of a data set: a part of its page, and files."""

from __future__ import annotations

from typing import Final

from django.http import HttpResponse, HttpResponsePermanentRedirect, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from analysis.composition.exports import SHAPE_COLUMNS, SYSTEM_COLUMNS, shape_rows
from analysis.composition.reads import composition_of
from analysis.web.table_files import wanted_table
from detectors.shapes.shape_words import MEANINGS, WORDS
from formats import tables
from people import downloads
from people.access import SignedInRequest
from series.access import dataset_for

FILES: Final = ("systems", "shapes")


@require_GET
def composition(request: SignedInRequest, study: str, dataset: str) -> HttpResponse:
    """The opened part for htmx; for anybody else the page of the data set, at this part."""
    visible_dataset = dataset_for(request, study, dataset)
    if not request.headers.get("HX-Request"):
        address = f"{visible_dataset.get_absolute_url()}#composition"
        return HttpResponsePermanentRedirect(address, preserve_request=True)
    shown_composition = composition_of(visible_dataset, request.user)
    context = {
        "dataset": visible_dataset,
        "study": visible_dataset.study,
        "found": shown_composition,
        "shapes": [(shape, WORDS[shape], MEANINGS[shape]) for shape in shown_composition.shapes],
        "rows": [
            (line, [line.shapes[shape] for shape in shown_composition.shapes])
            for line in shown_composition.lines
        ],
    }
    return render(request, "analysis/composition/_part.html", context)


@require_GET
def composition_file(request: SignedInRequest, study: str, dataset: str) -> StreamingHttpResponse:
    """`?what=systems`: a row a system; `?what=shapes`: a row a series."""
    visible_dataset = dataset_for(request, study, dataset)
    table_name = wanted_table(request, FILES)
    pieces = (
        tables.write_rows(SYSTEM_COLUMNS, composition_of(visible_dataset, request.user).lines)
        if table_name == "systems"
        else tables.write_rows(SHAPE_COLUMNS, shape_rows(visible_dataset, request.user))
    )
    name = downloads.download_name(visible_dataset.study.slug, visible_dataset.slug, table_name)
    return downloads.csv(pieces, f"{name}.csv")
