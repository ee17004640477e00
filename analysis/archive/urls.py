"""Addresses of the archives of a study."""

from __future__ import annotations

from typing import Final

from django.urls import path

from analysis.archive import upload_views as uploads, views
from analysis.archive.job_kind import ArchiveKind
from analysis.work import views as jobs

KIND: Final = {"kind": ArchiveKind.name}
ONE: Final = "s/<slug:study>/archives/<str:archive>/"

UPLOAD: Final = "studies/archives/<str:upload>/"

urlpatterns = [
    path("studies/archives/", uploads.archive_uploads, name="archive-uploads"),
    path(UPLOAD, uploads.archive_upload, name="archive-upload"),
    path(
        f"{UPLOAD}confirmation/",
        uploads.archive_upload_confirmation,
        name="archive-upload-confirmation",
    ),
    path(f"{UPLOAD}removal/", uploads.archive_upload_removal, name="archive-upload-removal"),
    path("s/<slug:study>/archives/", views.archives, name="archives"),
    path(ONE, views.archive_progress_page, name="archive"),
    path(f"{ONE}file/", views.archive_file, name="archive-file"),
    path(f"{ONE}cancellation/", jobs.cancel, KIND, name="archive-cancellation"),
    path(f"{ONE}retry/", jobs.retry, KIND, name="archive-retry"),
]
