"""Addresses that pages had before they were renamed or merged: each leads to the new one for good.

A redirect keeps method, body and query (status 308), and adds what the new page needs to show the
same thing: settings of its query, and the part of the page (after #).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.urls import URLPattern, path, re_path

from detectors.registry import DEFAULT_METHOD

RENAMED: Final = {  # present part of an address by its old name
    "compare": "comparison",
    "explorations": "runs/sensitivity",
    "tuning": "runs/sensitivity",
    "training": "runs/training",
    "own": "runs/imported",
    "imported-methods": "runs/imported",
    "manual-aids": "diagnostics",
}


@dataclass(frozen=True, slots=True)
class MergedPage:
    """A page that is now a part of another one.

    route   of the old address, as Django writes routes
    target  new path; names in braces are parts of the old address
    query   settings that are added to the query, with names in braces too; of a setting that
            takes one value the added one counts
    part    id of the part of the new page, with names in braces too; empty for its top
    renamed  keys of the old query, with what they are called now
    """

    route: str
    target: str
    query: tuple[tuple[str, str], ...] = ()
    part: str = ""
    renamed: tuple[tuple[str, str], ...] = ()

    def pattern(self) -> URLPattern:
        """The old address with its redirect."""

        @login_not_required
        def merged(request: HttpRequest, **parts: str) -> HttpResponse:
            query = request.GET.copy()
            for old_name, current_name in self.renamed:
                if old_name in query:
                    query.setlist(current_name, query.pop(old_name))
            for name, value in self.query:
                query.appendlist(name, value.format(**parts))
            address = self.target.format(**parts)
            address += f"?{query.urlencode()}" if query else ""
            address += f"#{self.part.format(**parts)}" if self.part else ""
            return HttpResponsePermanentRedirect(address, preserve_request=True)

        return path(self.route, merged)


ONE_CAMPAIGN: Final = "s/<slug:study>/campaigns/<slug:campaign>/"
CAMPAIGN_PAGE: Final = "/s/{study}/campaigns/{campaign}/"
DATASET: Final = "s/<slug:study>/data/<slug:dataset>/"
COST: Final = "s/<slug:study>/comparison/cost/"
COMPARE: Final = "/s/{study}/comparison/"
RUNS: Final = "/s/{study}/runs/"
TO_DO: Final = "/s/{study}/what-to-do/"
OF_COSTS: Final = (("y", "s"), ("d", "data"))
METHODS: Final = (("by", "methods"),)
KINDS_OF_RUN: Final = {
    "tuning": "sensitivity",
    "runs/sensitivity": "sensitivity",
    "training": "training",
    "runs/training": "training",
    "imported-methods": "imported",
    "runs/imported": "imported",
}
CAMPAIGN: Final = ("y", "campaign:{campaign}")
MERGED: Final[tuple[MergedPage, ...]] = (
    MergedPage("playground/", f"/methods/{DEFAULT_METHOD}/", part="try"),
    MergedPage(f"{ONE_CAMPAIGN}results/", CAMPAIGN_PAGE, (("tab", "truth"),)),
    MergedPage(f"{ONE_CAMPAIGN}agreement/", CAMPAIGN_PAGE, (("tab", "agreement"),)),
    MergedPage(
        "s/<slug:study>/campaigns/<slug:campaign>/agreement/series/",
        "/s/{study}/disagreements/",
        (CAMPAIGN,),
    ),
    MergedPage(
        "s/<slug:study>/campaigns/<slug:campaign>/least-sure/",
        "/s/{study}/disagreements/",
        (CAMPAIGN, ("order", "least-sure")),
    ),
    MergedPage("s/<slug:study>/campaigns/marks/", "/s/{study}/campaigns/new/", (("marks", "yes"),)),
    MergedPage(
        f"{ONE_CAMPAIGN}settings/<slug:section>/", f"{CAMPAIGN_PAGE}edit/", part="{section}"
    ),
    MergedPage("s/<slug:study>/review/", "/s/{study}/disagreements/"),
    MergedPage("s/<slug:study>/review/<str:series>/", "/s/{study}/disagreements/{series}/"),
    MergedPage(
        "s/<slug:study>/review/<str:series>/decisions/",
        "/s/{study}/disagreements/{series}/decisions/",
    ),
    *(
        MergedPage(f"s/<slug:study>/{old}/", RUNS, (("kind", kind),))
        for old, kind in KINDS_OF_RUN.items()
    ),
    MergedPage("s/<slug:study>/export/", COMPARE, part="download"),
    MergedPage("s/<slug:study>/export/about/", COMPARE, part="download"),
    MergedPage("s/<slug:study>/export/file/", COMPARE, part="download"),
    MergedPage(
        "s/<slug:study>/reports/<str:report>/document/", "/s/{study}/reports/{report}/file/"
    ),
    MergedPage("s/<slug:study>/comparison/method-sets/", COMPARE),
    MergedPage("s/<slug:study>/comparison/series/", "/s/{study}/disagreements/", METHODS),
    MergedPage("s/<slug:study>/comparison/queue/", "/s/{study}/disagreements/", METHODS),
    MergedPage(
        f"{DATASET}b/<slug:benchmark>/trend/",
        "/s/{study}/data/{dataset}/trend/",
        (("b", "{benchmark}"),),
    ),
    MergedPage(f"{DATASET}b/<slug:benchmark>/plan/", TO_DO, (("b", "{benchmark}"),)),
    MergedPage(f"{DATASET}harness/", TO_DO, (("data", "{dataset}"),), "others", (("y", "s"),)),
    MergedPage(COST, TO_DO, (), "others", OF_COSTS),
    MergedPage(f"{COST}benchmarks/", TO_DO, (), "others", OF_COSTS),
    MergedPage(f"{COST}tables/", TO_DO, (), "others", OF_COSTS),
)
"""Every merged page; an entry a line, in the order of the bar."""


@login_not_required
def redirect_to_new_name(request: HttpRequest, above: str, before: str) -> HttpResponse:
    """Redirect to the address with the new name; method, body and query stay (status 308)."""
    old_path, new_path = f"/{above}/{before}/", f"/{above}/{RENAMED[before]}/"
    address = request.get_full_path().replace(old_path, new_path, 1)
    return HttpResponsePermanentRedirect(address, preserve_request=True)


urlpatterns = [
    *(page.pattern() for page in MERGED),
    re_path(rf"^s/(?P<above>[-\w]+)/(?P<before>{'|'.join(RENAMED)})/", redirect_to_new_name),
    re_path(r"^s/[-\w]+/series/(?P<above>[^/]+)/(?P<before>manual-aids)/$", redirect_to_new_name),
]
