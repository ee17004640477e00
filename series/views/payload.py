"""Values for charts, under addresses that may be cached for ever."""

from __future__ import annotations

from django import forms
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified, JsonResponse
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.views.decorators.http import require_GET

from series.models import Series
from series.values import payloads
from series.values.downsampled_windows import MOST_BUCKETS, MOST_VALUES

FOR_EVER = "private, max-age=31536000, immutable"
WORTH_PACKING = 200  # bytes
DRAWN_FROM = ("pk", "digest", "n", "scale", "robust_low", "robust_high")


class WindowForm(forms.Form):
    """Part of a series that is drawn, in how many stretches; 0 asks for the values.

    Without `buckets` the y-range of that part is asked for.
    """

    to = forms.IntegerField(min_value=1)
    buckets = forms.IntegerField(min_value=0, max_value=MOST_BUCKETS, required=False)

    def __init__(self, data: object, *, n: int) -> None:
        super().__init__(data)  # type: ignore[arg-type]
        self.n = n
        self.fields["from"] = forms.IntegerField(min_value=0)  # a word that Python keeps

    def clean(self) -> dict[str, int]:
        cleaned_fields = super().clean() or {}
        start, stop = cleaned_fields.get("from"), cleaned_fields.get("to")
        if start is None or stop is None or "buckets" not in cleaned_fields:
            return cleaned_fields
        if not start < stop <= self.n:
            raise forms.ValidationError(
                f"from {start}, to {stop}: expected 0 ≤ from < to ≤ {self.n}."
            )
        if cleaned_fields["buckets"] == 0 and stop - start > MOST_VALUES:
            raise forms.ValidationError(
                f"buckets 0: expected at most {MOST_VALUES} values in view."
            )
        return cleaned_fields


@login_not_required
@require_GET
def payload(request: HttpRequest, digest: str) -> HttpResponse:
    """All values of a series, float32."""
    return payload_response(request, _series(request, digest), tag=digest)


@login_not_required
@require_GET
def payload_window(request: HttpRequest, digest: str) -> HttpResponse:
    """Figures of a window's buckets, its values, or its y-range, float32."""
    return drawn_window(request, _series(request, digest), tag=digest)


def payload_response(request: HttpRequest, series: Series, *, tag: str) -> HttpResponse:
    """All values of a series that the person may see; `tag` stands for them and never changes."""
    if answer := _not_modified_answer(request, tag):
        return answer
    return _answer(request, payloads.value_bytes(series), tag, pack=series.n <= payloads.WHOLE)


def drawn_window(request: HttpRequest, series: Series, *, tag: str) -> HttpResponse:
    """A part of the same."""
    form = WindowForm(request.GET, n=series.n)
    if not form.is_valid():
        return JsonResponse({"errors": form.errors}, status=400)
    window_fields = form.cleaned_data
    tag = f"{tag}-{window_fields['from']}-{window_fields['to']}-{window_fields['buckets']}"
    if answer := _not_modified_answer(request, tag):
        return answer
    return _answer(request, _window_data(series, **window_fields), tag, pack=True)


def _window_data(series: Series, *, to: int, buckets: int | None, **query_width: int) -> bytes:
    start = query_width["from"]  # a word that Python keeps
    if buckets is None:
        return payloads.window_range(series, start, to)
    return payloads.window_payload(series, start, to, buckets)


def _series(request: HttpRequest, digest: str) -> Series:
    """A series with these values that the person may see; 404 whether it exists or not."""
    visible_series = Series.objects.visible_to(request.user).filter(digest=digest)
    series = visible_series.only(*DRAWN_FROM).first()
    if series is None:
        raise Http404
    return series


def _not_modified_answer(request: HttpRequest, tag: str) -> HttpResponse | None:
    """304 for a browser that has it; asked after access is checked."""
    answer = get_conditional_response(request, etag=f'"{tag}"')
    return _lasting_answer(answer, tag) if isinstance(answer, HttpResponseNotModified) else None


def _answer(request: HttpRequest, data: bytes, tag: str, *, pack: bool) -> HttpResponse:
    takes_gzip = "gzip" in request.headers.get("Accept-Encoding", "")
    packs = pack and takes_gzip and len(data) > WORTH_PACKING
    body = payloads.packed_bytes(data) if packs else data
    answer = HttpResponse(body, content_type="application/octet-stream")
    if packs:
        answer.headers["Content-Encoding"] = "gzip"
    return _lasting_answer(answer, tag)


def _lasting_answer(answer: HttpResponse, tag: str) -> HttpResponse:
    answer.headers["ETag"] = f'"{tag}"'
    answer.headers["Cache-Control"] = FOR_EVER
    patch_vary_headers(answer, ["Accept-Encoding"])
    return answer
