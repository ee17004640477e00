"""Data sets, the table of one, and what is said of a benchmark."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from people import query_settings
from people.access import SignedInRequest, owned_study_for, study_for
from people.undo import success_with_undo
from series import queries
from series.access import benchmark_for, dataset_for
from series.folds import redirect_to_part
from series.importing import jobs, services
from series.listing import DatasetListing
from series.values import exports


@require_GET
def datasets(request: SignedInRequest, study: str) -> HttpResponse:
    """Benchmarks of all data sets; of a single one its own page."""
    visible_study = study_for(request, study)
    listing = DatasetListing(visible_study, None, request.user, request.GET.dict())
    if len(listing.datasets) == 1:
        query_string = f"?{request.GET.urlencode()}" if request.GET else ""
        return redirect(listing.datasets[0].get_absolute_url() + query_string)
    return _page(request, listing)


@require_GET
def dataset(request: SignedInRequest, study: str, dataset: str) -> HttpResponse:
    visible_dataset = dataset_for(request, study, dataset)
    return _page(
        request,
        DatasetListing(visible_dataset.study, visible_dataset, request.user, request.GET.dict()),
    )


def _page(request: SignedInRequest, listing: DatasetListing) -> HttpResponse:
    """The table; for htmx the list alone, or the rows that follow those on the page."""
    query_settings.warn_unused_parameters(request, listing.settings)
    if request.headers.get("HX-Request"):
        template = "series/_rows.html" if "page" in listing.asked else "series/_list.html"
        answer = render(request, template, {"study": listing.study, "listing": listing})
        answer.headers["HX-Replace-Url"] = listing.address()
        return answer
    if len(listing.asked) < len(request.GET):  # a form sends empty fields; an address has none
        return redirect(listing.address())
    context = {
        "study": listing.study,
        "dataset": listing.dataset,
        "listing": listing,
        "facts": listing.facts,
        "others": listing.study.datasets.all() if listing.facts.series else [],
        "at_work": [] if listing.facts.series else jobs.live_jobs(listing.study),
    }
    return render(request, "series/dataset.html", context)


@require_GET
def first_fork(request: SignedInRequest, study: str, dataset: str, benchmark: str) -> HttpResponse:
    """Lead the old addresses of a benchmark to its first fork, in the recording `?r=`."""
    visible_benchmark = benchmark_for(request, study, dataset, benchmark)
    series = queries.first_fork(visible_benchmark, request.GET.get("r", ""))
    if series is None:
        raise Http404("no series of this benchmark and recording is stored")
    return redirect_to_part(request, series, "forks")


@require_POST
def direction(request: SignedInRequest, study: str, dataset: str, benchmark: str) -> HttpResponse:
    """An owner says which values of a benchmark are better."""
    owned_study_for(request, study)
    owned_benchmark = benchmark_for(request, study, dataset, benchmark)
    previous_direction = owned_benchmark.better
    try:
        services.set_direction(owned_benchmark, request.POST.get("better", ""))
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    else:
        sentence = f"{owned_benchmark.short_name}: {owned_benchmark.direction}."
        success_with_undo(request, sentence, request.path, {"better": previous_direction})
    return redirect(owned_benchmark)


@require_GET
def dataset_values(request: SignedInRequest, study: str, dataset: str) -> StreamingHttpResponse:
    """Every value of the series that the table's filter leaves, as long CSV."""
    visible_dataset = dataset_for(request, study, dataset)
    listing = DatasetListing(
        visible_dataset.study, visible_dataset, request.user, request.GET.dict()
    )
    series = queries.select_series(
        visible_dataset.study,
        dataset=visible_dataset,
        recording=listing.recording,
        **listing.asked_of_series,
    )
    return exports.values_download(series, f"{visible_dataset.study.slug}_{visible_dataset.slug}")
