"""A change of a trend in words: how much, which way, what became of it, and when it showed."""

from __future__ import annotations

from analysis.trend.table import BenchmarkTrend
from analysis.web.templatetags.results import percent_signed
from detectors.trends.trend import Trend, TrendChange
from detectors.trends.trend_groups import MATTERS, KnownChange
from people.templatetags.writing import grouped, share, si
from series.models import Recording


def label(row: BenchmarkTrend, dot_index: int) -> str:
    """Name of the recording of a dot: its label, and its build where that says more."""
    recording = row.dots[dot_index].recording
    return recording_name(recording)


def recording_name(recording: Recording) -> str:
    build = recording.build
    return f"{recording.label} ({build})" if build and build != recording.label else recording.label


def pattern(row: BenchmarkTrend, change: TrendChange) -> str:
    """Words for the later course of a change."""
    if change.pattern == "small":
        return "small: below 1 %"
    if change.pattern == "short":
        return "its level has too few recordings to count"
    if change.pattern == "unconfirmed":
        return "one recording so far"
    if change.partner is None:
        return f"ordinary: {holding_words(row, change)}"
    partner_name = label(row, change.partner)
    return (
        f"reverted with {partner_name}"
        if change.pattern == "reverted"
        else f"reverts the change of {partner_name}"
    )


def holding_words(row: BenchmarkTrend, change: TrendChange) -> str:
    """Time for which the new level held: `held for 5 recordings`, `has held for 5 so far`."""
    trend = row.trend
    assert trend is not None  # noqa: S101  # a jump is part of one
    group = next(level for level in trend.groups if level.start == change.at)
    duration = f"{grouped(group.size)} recording{'' if group.size == 1 else 's'}"
    held_phrase = f"held for {duration}"
    return f"has {held_phrase} so far" if group is trend.groups[-1] else held_phrase


def appearance_words(row: BenchmarkTrend, change: TrendChange) -> str:
    """Recorded when, seen when: a change of few values shows only with later ones."""
    if change.shown == change.at:
        return "at once"
    delay = change.shown - change.at
    return (
        f"with {label(row, change.shown)}, {grouped(delay)} recording{'' if delay == 1 else 's'} "
        "later"
    )


def known_words(row: BenchmarkTrend, change: KnownChange) -> tuple[str, str]:
    """Words for when a late or vanished change was detected, and for its later course."""
    delay_words = "at once" if not change.delay else f"{grouped(change.delay)} later"
    start_words = f"with {label(row, change.seen)}, {delay_words}"
    if change.gone is None:
        return start_words, "still found"
    end_words = f"no longer found with {label(row, change.gone)}"
    move_words = "" if change.moved is None else f"; since then found at {label(row, change.moved)}"
    return start_words, end_words + move_words


def trend_sentences(row: BenchmarkTrend) -> list[str]:
    """Sentences of a trend: its level, its last change, how it stands against the best."""
    trend, unit = row.trend, row.benchmark.unit
    if trend is None:
        return [f"No trend: {row.problem}."]
    size = f"{grouped(trend.last_size)} recording{'' if trend.last_size == 1 else 's'}"
    deviation_text = "" if trend.last_size < 2 else f" ± {si(trend.deviation, unit)}"
    sentences = [
        f"The trend is at {si(trend.level, unit)}{deviation_text}, the mean of the last {size}."
    ]
    if row.newest is not None:
        newest_change = row.newest
        sentences.append(
            f"Last change: {newest_change.kind} of {percent_signed(newest_change.share)} with "
            f"{label(row, newest_change.at)}, "
            f"{pattern(row, newest_change)}."
        )
    sentences.append(_best_result_words(row, trend))
    return sentences


def _best_result_words(row: BenchmarkTrend, trend: Trend) -> str:
    if trend.against is None or trend.best is None or trend.best_at is None:
        return "No recording is a week older than the newest, so there is no long term yet."
    best_phrase = f"the best of the long term, {si(trend.best, row.benchmark.unit)} with "
    best_phrase += label(row, trend.best_at)
    if trend.below_best < MATTERS:
        return f"It is no worse than 1 % off {best_phrase}."
    return f"It is {share(trend.below_best)} worse than {best_phrase}."
