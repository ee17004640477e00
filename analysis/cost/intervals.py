"""Measurement deviations: previews at once, and exact intervals that are computed once and kept."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from analysis.cost.models import MeasuredRatio
from analysis.statistics.answers import Floats
from analysis.statistics.bootstrap import BootstrapSettings
from analysis.statistics.deviation_previews import PreviewTask, preview_batch
from analysis.statistics.measurement_deviation import RatioInterval, SteadyPart, steady_part
from series.values.read_ahead import read_arrays

BOOTSTRAP: Final = BootstrapSettings()
AT_ONCE: Final = 500  # keys of one query
VALUES_AT_ONCE: Final = 1_000_000  # values that are in memory at once, about

Span = tuple[int, int, int]
"""Primary key of a series, and the iterations from the second up to, but without, the third."""


@dataclass(frozen=True, slots=True)
class DeviationPair:
    """Spans that one interval compares: measurements of a benchmark's forks, and their steady
    parts.
    """

    measured_spans: tuple[Span, ...]
    steady_spans: tuple[Span, ...]

    @property
    def spans(self) -> tuple[Span, ...]:
        return self.measured_spans + self.steady_spans

    @property
    def key(self) -> str:
        """Values never change, so series and iterations say all that the interval depends on."""
        bootstrap_words = f"{BOOTSTRAP.repeats} {BOOTSTRAP.seed} {BOOTSTRAP.level}"
        return hashlib.sha256(
            f"1 {bootstrap_words} {self.measured_spans} {self.steady_spans}".encode()
        ).hexdigest()


def stored_intervals(pairs: Iterable[DeviationPair]) -> dict[DeviationPair, RatioInterval | None]:
    """Intervals that were computed before; None where there is no interval."""
    pair_by_key = {pair.key: pair for pair in pairs}
    keys, intervals = list(pair_by_key), {}
    for offset in range(0, len(keys), AT_ONCE):
        rows = MeasuredRatio.objects.filter(key__in=keys[offset : offset + AT_ONCE])
        for key, low, high, is_close in rows.values_list("key", "low", "high", "close"):
            intervals[pair_by_key[key]] = (
                None if low is None or high is None else RatioInterval(low, high, is_close)
            )
    return intervals


def interval_previews(pairs: Iterable[DeviationPair]) -> dict[DeviationPair, RatioInterval | None]:
    """Nearly the intervals of `pairs`; each steady part is read and drawn once."""
    pairs_by_spans: dict[tuple[Span, ...], list[DeviationPair]] = {}
    for pair in pairs:
        pairs_by_spans.setdefault(pair.steady_spans, []).append(pair)
    previews: dict[DeviationPair, RatioInterval | None] = {}
    for batch in _batches_in_memory(pairs_by_spans.values()):
        values_by_pk = _stored_values(
            [span for pair_group in batch for pair in pair_group for span in pair.spans]
        )
        tasks = [
            PreviewTask(
                [_values(pair.measured_spans, values_by_pk) for pair in pair_group],
                _values(pair_group[0].steady_spans, values_by_pk),
            )
            for pair_group in batch
        ]
        for pair_group, group_intervals in zip(batch, preview_batch(tasks), strict=True):
            previews.update(zip(pair_group, group_intervals, strict=True))
    return previews


def _batches_in_memory(
    benchmark_groups: Iterable[list[DeviationPair]],
) -> Iterator[list[list[DeviationPair]]]:
    """Benchmarks in parts whose values are in memory together."""
    batch: list[list[DeviationPair]] = []
    n_values = 0
    for benchmark_pairs in benchmark_groups:
        batch.append(benchmark_pairs)
        n_values += sum(
            {pk: stop for pair in benchmark_pairs for pk, _, stop in pair.spans}.values()
        )
        if n_values >= VALUES_AT_ONCE:
            yield batch
            batch, n_values = [], 0
    if batch:
        yield batch


def compute_intervals(pairs: Sequence[DeviationPair], seconds: float | None = None) -> int:
    """Compute and keep the intervals of `pairs`, in order; how many are left when time is up.

    At least one is computed. Stored as they come, so that nothing is lost when asked no more.
    """
    deadline = None if seconds is None else time.monotonic() + seconds
    done_count = 0
    for pair, interval in _compute_pairs(pairs):
        low, high = (None, None) if interval is None else (interval.low, interval.high)
        MeasuredRatio.objects.get_or_create(
            key=pair.key,
            defaults={"low": low, "high": high, "close": bool(interval and interval.close)},
        )
        done_count += 1
        if deadline is not None and time.monotonic() > deadline:
            break
    return len(pairs) - done_count


def _compute_pairs(
    pairs: Sequence[DeviationPair],
) -> Iterator[tuple[DeviationPair, RatioInterval | None]]:
    """A steady part is drawn once for all pairs that follow one another with it."""
    last_spans: tuple[Span, ...] | None = None
    steady_sample: SteadyPart | None = None
    for pair in pairs:
        if pair.steady_spans != last_spans:
            values = _values(pair.steady_spans, _stored_values(pair.steady_spans))
            last_spans, steady_sample = pair.steady_spans, steady_part(values, BOOTSTRAP)
        measured_values = _values(pair.measured_spans, _stored_values(pair.measured_spans))
        yield pair, steady_sample.interval(measured_values) if steady_sample else None


def _stored_values(spans: Iterable[Span]) -> dict[int, Floats]:
    """The values of the series, by primary key."""
    pks = list(dict.fromkeys(pk for pk, _, _ in spans))
    return dict(zip(pks, read_arrays(pks), strict=True))


def _values(spans: Iterable[Span], values_by_pk: Mapping[int, Floats]) -> list[Floats]:
    return [values_by_pk[pk][start:stop] for pk, start, stop in spans]
