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
    missing_source, plan_query = "", query.changed(source=query.steady_by)
    try:
        page = plan_page(benchmark, reader, plan_query)
    except UnknownPlanSource:
        missing_source = source_title(benchmark, query)
        query = query.changed(source="")
        page = plan_page(benchmark, reader, query)
    context: dict[str, Any] = {"benchmark": benchmark, "dataset": benchmark.dataset, "page": page}
    if page is None:
        return context
    wider_recording = wider_source(page)
    sentence, gain = split_sentence(page)
    context |= {
        "sentence": sentence,
        "gain": gain,
        "source_note": f"{missing_words(missing_source)} {source_note(page)}".strip(),
        "holds": hold_sentences(page),
        "wider": wider_recording,
        "wider_query": query.changed(source=wider_recording.code).query()
        if wider_recording
        else "",
        "steady": steady_words(page),
        "exact": exact_figure(page.plan, page.today_setup),
        "controls": _controls(page, query),
        "further": _further_controls(page, query),
        "files": file_links(benchmark.dataset, query),
    }
    if page.plan is None or page.plan.warm_up is None:
        return context
    ways = benchmark_ways(page, page.harness, query.stated_length)
    default = ways.named(RULES[page.harness])
    return {
        **context,
        "forks": forks_figure(page, (default.title, default.middle) if default else None),
        "by_default": default_sentence(default),
        **table_context(ways, query),
    }


def source_title(benchmark: Benchmark, query: WhatToDoQuery) -> str:
    """Title of a yardstick of the study. Raises UnknownYardstick."""
    yardstick = yardsticks.yardstick(benchmark.dataset.study, query.yardstick_code)
    return yardstick.title if yardstick else ""


def _controls(page: PlanPage, query: WhatToDoQuery) -> list[FilledControl]:
    """Target, harness, and who says where forks are steady; the default is first."""
    default = "" if query.steady_by else page.source.code if page.source else ""
    sources = [
        ("" if source.code == default else source.code, source.title) for source in page.sources
    ]
    shown_query = query.changed(source=query.steady_by)
    return shown_query.controls(choices={"source": sources or [("", "nobody")]})


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
