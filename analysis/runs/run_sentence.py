"""Sentence of a run's page: whether it is done, and if not, what holds it."""

from __future__ import annotations

from typing import Final

from analysis.runs.models import ChunkSeries, Detection, Run
from analysis.runs.progress import RunResults, SlowSeries, count_phrases
from analysis.work.job_sentence import JobSentence, sentence_of_work
from analysis.work.models import WorkUnit
from analysis.work.progress import JobProgress
from people.templatetags.writing import grouped, lasting

FEW_UNITS: Final = 400  # most open chunks whose finished series are counted


def run_sentence(run: Run, progress: JobProgress, results: RunResults) -> JobSentence:
    """Say in one sentence how far the run is."""
    if progress.state == "done":
        return _ended_sentence(run, progress, results)
    if progress.state == "running" and results.slow_series:
        return _held_up_sentence(run, progress, results.slow_series[0])
    return sentence_of_work(progress)


def _held_up_sentence(run: Run, progress: JobProgress, slow_series: SlowSeries) -> JobSentence:
    open_count = open_series_count(run)
    if open_count is None:
        progress_sentence = (
            f"{grouped(progress.done)} of {grouped(progress.total)} answers are there."
        )
    else:
        done_count = run.series_count - open_count
        progress_sentence = f"{grouped(done_count)} of {grouped(run.series_count)} series are done."
    length_phrase = f": {grouped(slow_series.series.n)} values" if slow_series.series else ""
    return JobSentence(
        f"{progress_sentence} {slow_series.name} holds the run{length_phrase}.",
        _slow_words(run, slow_series),
    )


def _slow_words(run: Run, slow_series: SlowSeries) -> str:
    """`CP-SSD on Sort.merge, fork 0, 9 min so far; 19 methods wait behind it.`"""
    work_phrase = "; ".join(
        f"{slow_method.method.title} on {slow_series.name}, {lasting(slow_method.seconds)} so far"
        for slow_method in slow_series.methods
    )
    waiting_count = 0
    if slow_series.series:
        waiting_count = ChunkSeries.objects.filter(
            series=slow_series.series, chunk__job=run, chunk__state=WorkUnit.State.WAITING
        ).count()
    if not waiting_count:
        return f"{work_phrase}."
    verb = "method waits" if waiting_count == 1 else "methods wait"
    return f"{work_phrase}. {grouped(waiting_count)} {verb} behind."


def open_series_count(run: Run) -> int | None:
    """Number of series that lack an answer; None where counting them would take long."""
    units = run.units.open()
    if run.again or units.count() > FEW_UNITS:
        return None
    series_by_key: dict[str, set[int]] = {}
    rows = ChunkSeries.objects.filter(chunk__in=units).order_by()
    for key, series in rows.values_list("chunk__detector_key", "series_id"):
        series_by_key.setdefault(key, set()).add(series)
    wanted_pairs = {(pk, key) for key, series_pks in series_by_key.items() for pk in series_pks}
    stored_detections = Detection.objects.filter(
        detector_key__in=series_by_key, series__in=rows.values("series_id")
    )
    settled_pairs = (
        stored_detections.settled(run).order_by().values_list("series_id", "detector_key")
    )
    return len({series for series, _ in wanted_pairs - set(settled_pairs)})


def _ended_sentence(run: Run, progress: JobProgress, results: RunResults) -> JobSentence:
    duration_sentence = f" It took {lasting(run.seconds)}." if run.seconds is not None else ""
    if results.differing_count:
        differing_words = "result differs" if results.differing_count == 1 else "results differ"
        sentence = f"{grouped(results.differing_count)} {differing_words} from what is stored."
        return JobSentence(sentence, f"What is stored was kept.{duration_sentence}")
    if not progress.total:
        return JobSentence("Everything was stored already; nothing had to be computed.")
    stored_sentence = (
        f"{grouped(run.stored_before)} more were stored before." if run.stored_before else ""
    )
    detail = f"{stored_sentence}{duration_sentence}".strip()
    unread_phrase = count_phrases((results.too_short, "too short"), (results.too_long, "too long"))
    missing_phrase = count_phrases(
        (progress.failed, "failed"), (results.not_available, "not available")
    )
    if run.again and not missing_phrase:
        return JobSentence("Every result is the same as the stored one.", detail)
    if unread_phrase or missing_phrase:
        answered_phrase = f"{grouped(results.answered_count)} answered"
        answered_phrase += f" ({unread_phrase})" if unread_phrase else ""
        return JobSentence(", ".join(filter(None, (answered_phrase, missing_phrase))) + ".", detail)
    if progress.total == 1:
        return JobSentence("The answer is there.", detail)
    return JobSentence(f"All {grouped(progress.total)} answers are there.", detail)
