"""The overlay on the page of a series: its parts, and the lines that the chart's script draws."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse

from analysis.comparison.kept_ranking import kept_ranking
from analysis.comparison.query import ComparisonQuery
from analysis.methods.saved_sets import first_set
from analysis.references.yardsticks import UnknownYardstick
from analysis.series_page.answer_groups import answer_groups, first_chart_lines
from analysis.series_page.marks_panel import MarksPanel, marks_panel
from analysis.series_page.online_course import reads_online
from analysis.series_page.series_overlay import TRUTH, OverlayRow, SeriesOverlay, read_overlay
from analysis.series_page.shape_panel import shape_panel
from annotate import blind
from annotate.answering.queries import campaign_to_continue
from people.models import Role, User
from people.templatetags.writing import grouped
from series import shapes
from series.folds import SeriesFold
from series.models import Series
from series.panels import PagePanel, Place
from series.shape_facts import shape_facts


def chart_lines(
    overlay: SeriesOverlay, marks: MarksPanel | None, first_names: Sequence[str]
) -> dict[str, Any]:
    """Lines for js/series_page/overlay.js, by name, the yardstick first.

    An index of -1 is never steady, and none is no answer: neither is a line.
    """
    study = overlay.series.benchmark.dataset.study
    finished_rows = (row for row in overlay.rows if row.state not in {"queued", "running"})
    return {
        "study": study.slug,
        "lines": [*_truth_line(overlay), *map(_method_line, finished_rows)],
        "first": first_names,
        "tolerance": overlay.tolerance,
        "marks": marks.lines if marks else [],
        "description": overlay.sentence,
        "pending": overlay.is_pending,
    }


def _truth_line(overlay: SeriesOverlay) -> list[dict[str, Any]]:
    if overlay.yardstick is None or overlay.truth is None or overlay.truth < 0:
        return []
    title, start = overlay.yardstick.line, int(overlay.truth)
    line_class = (
        "truth" if overlay.yardstick.kind in {"campaign", "recipe", "known"} else "yardstick"
    )
    # The chart has words of its own for ground truth: shorter ones where there is little room.
    label = {} if title == "ground truth" else {"label": f"{title} {start}"}
    return [{"id": TRUTH, "index": start, "kind": line_class, "title": title, **label}]


def _method_line(row: OverlayRow) -> dict[str, Any]:
    return {
        "id": row.name,
        "index": row.start,
        "kind": "detector",
        "slot": row.look.slot or 0,
        "code": row.look.code,
        "title": row.look.label,
    }


# --- the page ---------------------------------------------------------------------------------
def overlay_panels(request: HttpRequest, series: Series) -> list[PagePanel]:
    """Parts of the page of a series (`series.panels`)."""
    if blind.is_open(request.user, series):
        return [_panel("notice", "overlay/blind", _blind_context(request, series))]
    query = ComparisonQuery.from_query(request.GET)
    overlay = _overlay_by_query(series, query)
    study = series.benchmark.dataset.study
    context = {
        **overlay_panel(overlay, person=_signed_in_user(request)),
        "query": query,
        "may_run": study.role_of(request.user) == Role.OWNER,
        "file_query": query.query(),
        "on": request.GET.getlist("on"),
    }
    page_panels = [
        _panel("actions", "overlay/yardstick", context),
        *([_panel("chips", "overlay/chips", context)] if overlay.rows else []),
        _panel("under", "overlay/detections", context),
        _panel("scripts", "overlay/scripts", context),
        *(fold.panel for fold in _folds(overlay, request.GET.urlencode())),
    ]
    if context["marks"] is not None:
        page_panels.append(_panel("side", "overlay/marks", context))
    return [*page_panels, shape_panel(series)]


def _folds(overlay: SeriesOverlay, query: str) -> Iterator[SeriesFold]:
    """Parts that are asked for when opened, each with its finding."""
    series = overlay.series

    def fold(name: str, title: str, finding: str) -> SeriesFold:
        return SeriesFold(name, title, finding, series, query)

    stored_shape = shapes.current_shape(series)
    lag_one_text = f"{shape_facts(stored_shape.facts)[1].lag_one:.2f}" if stored_shape else ""
    lag_finding = f"autocorrelation of the last half at lag 1: {lag_one_text}"
    yield fold(
        "diagnostics", "Diagnostic plots", lag_finding if stored_shape else "not determined yet"
    )
    yield fold("results", "Result from an iteration", overlay.result_words)
    online_rows = [row for row in overlay.rows if reads_online([row.look.slug])]
    if online_rows:
        yield fold("online", "Answers after each iteration", _first_decision_words(online_rows))


def _first_decision_words(rows: Sequence[OverlayRow]) -> str:
    """The online method that decided first; where none did, how many there are."""
    decisions = [(row.decided_at, row.look.label) for row in rows if row.decided_at is not None]
    if not decisions:
        return f"{len(rows)} online method{'s' if len(rows) > 1 else ''}"
    iteration, label = min(decisions)
    return f"{label} decided first, after iteration {grouped(iteration)}"


def _panel(place: Place, name: str, context: dict[str, Any]) -> PagePanel:
    return PagePanel(place, f"analysis/series_page/{name}.html", context)


def _signed_in_user(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None


def overlay_panel(
    overlay: SeriesOverlay, methods: Sequence[str] = (), *, person: User | None = None
) -> dict[str, Any]:
    """Context of the templates of the overlay, on this page and in a review.

    `methods` are those that a list is about: their lines are shown, and no others. `person`:
    whose last look at Compare says which are best ranked.
    """
    study, yardstick = overlay.series.benchmark.dataset.study, overlay.yardstick
    ranked_names = kept_ranking(person, study, yardstick.code) if person and yardstick else ()
    marks = marks_panel(overlay.series, overlay.yardstick.campaign if overlay.yardstick else None)
    team_set = first_set(study)
    first_lines = first_chart_lines(
        overlay,
        methods,
        team_methods=team_set.methods if team_set else (),
        team_name=str(team_set or ""),
        ranked_names=ranked_names,
    )
    return {
        "overlay": overlay,
        "marks": marks,
        "series": overlay.series,
        "study": study,
        "run_url": run_address(overlay.series),
        "lines": chart_lines(overlay, marks, first_lines.names),
        "rule": first_lines.rule,
        "groups": answer_groups(overlay),
    }


def _overlay_by_query(series: Series, query: ComparisonQuery) -> SeriesOverlay:
    """Return the overlay by the yardstick asked for; an outdated address still shows the series."""
    try:
        return read_overlay(series, code=query.yardstick, tolerance=query.tolerance)
    except UnknownYardstick:
        return read_overlay(series, tolerance=query.tolerance)


def _blind_context(request: HttpRequest, series: Series) -> dict[str, Any]:
    """One link to the reader's next open series, and never to this one's question."""
    reader, study = _signed_in_user(request), series.benchmark.dataset.study
    if reader is None:
        return {"url": "", "is_asked": False}
    campaign = campaign_to_continue(study, reader)
    url = reverse("annotate", args=[study.slug, campaign.slug]) if campaign else ""
    return {"url": url, "is_asked": blind.asked_series(reader).filter(pk=series.pk).exists()}


def run_address(series: Series) -> str:
    """The form of a new run of all quick methods, filled in for this series' benchmark."""
    benchmark = series.benchmark
    query = {
        "preselection": "quick",
        "dataset": benchmark.dataset.slug,
        "recording": series.recording.label,
        "system": benchmark.system,
        "text": " ".join(word for word in (benchmark.name, benchmark.params) if word),
    }
    pairs = {name: value for name, value in query.items() if value}
    return f"{reverse('run-new', args=[benchmark.dataset.study.slug])}?{urlencode(pairs)}"
