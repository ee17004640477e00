"""Archives of a study: asked for, watched while workers make them, downloaded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from analysis.archive import archive_storage, services
from analysis.archive.models import ArchiveJob
from analysis.archive.services import NoArchive
from analysis.archive.zip_writing import blocks
from analysis.work.views import job_context, job_for, job_part, look_after
from people import downloads
from people.access import SignedInRequest, owned_study_for
from people.models import Study
from people.views.members import people_page


class ArchiveForm(forms.ModelForm):
    """Form for the archive's licence and authors."""

    class Meta:
        model = ArchiveJob
        fields = ["licence", "authors"]
        help_texts = {
            "licence": "Such as CC-BY-4.0; empty: the licences of the data sets.",
            "authors": "One per line; empty: the contributors of the study.",
        }
        widgets = {"authors": forms.Textarea(attrs={"rows": 3})}


@require_http_methods(["GET", "POST"])
def archives(request: SignedInRequest, study: str) -> HttpResponse:
    owned_study = owned_study_for(request, study)
    form = ArchiveForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            return redirect(
                services.ask_for_archive(owned_study, user=request.user, **form.cleaned_data)
            )
        except NoArchive as why:
            messages.error(request, f"{why}.")
            return redirect("archives", study=owned_study.slug)
    finished_jobs = ArchiveJob.objects.filter(study=owned_study).with_file().order_by("-created")
    finished_jobs = finished_jobs.select_related("study")
    context = {"form": form, "archives": finished_jobs, "refusal": _refusal(request, owned_study)}
    return people_page(
        request, owned_study, fold=("archives", "analysis/archive/_archives.html", context)
    )


@require_GET
@never_cache
def archive_progress_page(request: SignedInRequest, study: str, archive: str) -> HttpResponse:
    """Progress, asked again by itself; then the file."""
    owned_study = owned_study_for(request, study)
    job = job_for(request, owned_study, ArchiveJob.objects.all(), archive)
    look_after(job)
    context = job_context(request, owned_study, job)
    errors = job.units.exclude(error="").values_list("error", flat=True)
    context |= {"failure": errors.first(), "refusal": _refusal(request, owned_study)}
    if context["fragment"]:
        return job_part(request, context)
    return render(request, "analysis/archive/job.html", context)


@require_GET
@never_cache
def archive_file(request: SignedInRequest, study: str, archive: str) -> StreamingHttpResponse:
    """Asked anew: somebody who made it may have become an annotator since."""
    owned_study = owned_study_for(request, study)
    job = job_for(request, owned_study, ArchiveJob.objects.with_file(), archive)
    if refusal := _refusal(request, owned_study):
        raise Http404(refusal)
    path = archive_storage.archive_path(job)
    if not path.is_file():
        raise Http404("The file no longer exists. Make the archive again.")
    response = StreamingHttpResponse(_pieces(path), content_type="application/zip")
    response.headers["Content-Length"] = str(path.stat().st_size)
    downloads.attach(response, f"plateau_{owned_study.slug}_archive_{job.digest[:12]}.zip")
    return response


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as stream:
        yield from blocks(stream)


def _refusal(request: SignedInRequest, study: Study) -> str:
    """Why this person may have no archive now; empty if they may."""
    try:
        services.check_may_archive(study, request.user)
    except NoArchive as why:
        return f"{why}."
    return ""
