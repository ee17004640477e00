"""Content of the page of one benchmark: plan, figures, and the table of ways."""

from __future__ import annotations

from typing import Any

from analysis.planner.figures import forks_figure
from analysis.planner.grid import exact_figure
from analysis.planner.query import MORE
from analysis.planner.reads import PlanPage, UnknownPlanSource, plan_page
from analysis.references import yardsticks
from analysis.what_to_do.benchmark_ways import RULES, benchmark_ways
from analysis.what_to_do.files import file_links
from analysis.what_to_do.query import WhatToDoQuery
from analysis.what_to_do.sentences import (
    default_sentence,
    hold_sentences,
    missing_words,
    source_note,
    split_sentence,
    steady_words,
    wider_source,
)
from analysis.what_to_do.table import table_context
from annotate.blind import Reader
from people.query_form import FilledControl
from series.models import Benchmark


def benchmark_context(benchmark: Benchmark, reader: Reader, query: WhatToDoQuery) -> dict[str, Any]:
    """Context of the template. Raises UnknownRecording, UnknownYardstick."""
    missing_title, plan_query = "", query.changed(source=query.steady_by)
    try:
        page = plan_page(benchmark, reader, plan_query)
    except UnknownPlanSource:
        missing_title = source_title(benchmark, query)
        query = query.changed(source="")
        page = plan_page(benchmark, reader, query)
    context: dict[str, Any] = {"benchmark": benchmark, "dataset": benchmark.dataset, "page": page}
    if page is None:
        return context
    other_source = wider_source(page)
    sentence, gain = split_sentence(page)
    context |= {
        "sentence": sentence,
        "gain": gain,
        "source_note": f"{missing_words(missing_title)} {source_note(page)}".strip(),
        "holds": hold_sentences(page),
        "wider": other_source,
        "wider_query": query.changed(source=other_source.code).query() if other_source else "",
        "steady": steady_words(page),
        "exact": exact_figure(page.plan, page.today_setup),
        "controls": _controls(page, query),
        "further": _further_controls(page, query),
        "files": file_links(benchmark.dataset, query),
    }
    if page.plan is None or page.plan.warm_up is None:
        return context
    table = benchmark_ways(page, page.harness, query.stated_length)
    default_way = table.way_named(RULES[page.harness])
    return {
        **context,
        "forks": forks_figure(
            page, (default_way.title, default_way.middle) if default_way else None
        ),
        "by_default": default_sentence(default_way),
        **table_context(table, query),
    }


def source_title(benchmark: Benchmark, query: WhatToDoQuery) -> str:
    """Title of a yardstick of the study. Raises UnknownYardstick."""
    yardstick = yardsticks.yardstick(benchmark.dataset.study, query.yardstick_code)
    return yardstick.title if yardstick else ""


def _controls(page: PlanPage, query: WhatToDoQuery) -> list[FilledControl]:
    """Target, harness, and who says where forks are steady; the default is first."""
    default_code = "" if query.steady_by else page.source.code if page.source else ""
    source_choices = [
        ("" if source.code == default_code else source.code, source.title)
        for source in page.sources
    ]
    shown_query = query.changed(source=query.steady_by)
    return shown_query.controls(choices={"source": source_choices or [("", "nobody")]})


def _further_controls(page: PlanPage, query: WhatToDoQuery) -> list[FilledControl]:
    labels = [recording.label for recording in page.recordings]
    choices = [
        ("" if recording_index == 0 else label, label)
        for recording_index, label in enumerate(labels)
    ]
    is_newest = page.recording == page.recordings[0]
    shown_query = query.changed(recording="" if is_newest else page.recording.label)
    omitted_names = () if len(labels) > 1 else ("recording",)
    return shown_query.controls(MORE, choices={"recording": choices}, omitted_fields=omitted_names)
