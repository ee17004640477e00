"""Marks from a file, into a campaign that is there or made: a part of the page New campaign."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render

from annotate.drafts.campaign_forms import MarksFileForm
from annotate.importing import mark_files
from formats import FormatError, marks as marks_table
from people.access import SignedInRequest
from people.models import Study, User


def import_marks(request: SignedInRequest, owned_study: Study) -> HttpResponse:
    """The form of the file; its owner has been looked up."""
    form = MarksFileForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        result = _import_file(owned_study, form, request.user)
        if result:
            messages.success(
                request,
                f"{result.stored} marks stored, {result.known} were there; {result.series} series. "
                f"Recipe: {result.recipe}.",
            )
            return redirect(result.campaign)
    return render(
        request, "annotate/campaigns/import_marks.html", {"study": owned_study, "form": form}
    )


def _import_file(
    study: Study, form: MarksFileForm, importer: User
) -> mark_files.MarksImportResult | None:
    cleaned_fields = form.cleaned_data
    try:
        rows = marks_table.read_marks(cleaned_fields["file"].file, cleaned_fields["file"].name)
        return mark_files.import_marks(
            study,
            cleaned_fields["name"],
            rows,
            file=cleaned_fields["file"].name,
            recipe=cleaned_fields["recipe"] or None,
            by=importer,
        )
    except FormatError as error:
        form.add_error("file", str(error))
        return None
