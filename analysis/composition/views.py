"""Composition of a data set: a part of its page."""

from __future__ import annotations

from django.http import HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import render
from django.views.decorators.http import require_GET

from analysis.composition.reads import composition_of
from detectors.shapes.shape_words import MEANINGS, WORDS
from people.access import SignedInRequest
from series.access import dataset_for


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
        "composition": shown_composition,
        "shapes": [(shape, WORDS[shape], MEANINGS[shape]) for shape in shown_composition.shapes],
        "rows": [
            (line, [line.shapes[shape] for shape in shown_composition.shapes])
            for line in shown_composition.lines
        ],
    }
    return render(request, "analysis/composition/_part.html", context)
