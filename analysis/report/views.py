"""The report of a comparison: to read and print, or as a file that stands for itself."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from analysis.comparison.query import ComparisonQuery
from analysis.comparison.views.requested import compared
from analysis.report.bundle import Report, style
from analysis.report.script import policy_digest, script_digests
from people import downloads
from people.access import SignedInRequest, study_for


@require_GET
def report(request: SignedInRequest, study: str) -> HttpResponse:
    """`?as=html` and `?as=zip` are files; without, the same document is shown."""
    here = study_for(request, study)
    found = compared(request, here, ComparisonQuery.of(request.GET).alone)
    made, form = Report(found), request.GET.get("as", "")
    if form == "zip":
        answer = HttpResponse(made.zip, content_type="application/zip")
    else:
        answer = HttpResponse(made.document)
        # Its style sheet and scripts stand in it, as in the file: nothing else may be loaded or
        # run. The library adds an empty style sheet, which it fills itself.
        answer.headers["Content-Security-Policy"] = (
            f"default-src 'none'; style-src {policy_digest(style())} {policy_digest('')}; "
            f"script-src {script_digests()}; img-src data:; base-uri 'none'; "
            "form-action 'none'; frame-ancestors 'none'"
        )
    if form in {"html", "zip"}:
        downloads.attach(answer, f"plateau_{here.slug}_report_{made.digest[:12]}.{form}")
    return answer
