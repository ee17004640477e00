"""Length and forks of each benchmark's measurement: as requested, as its developers configured, or,
for forks, until a stopping rule has enough of them.

Source: Traini, Di Menna & Cortellessa 2024, section 4.3: a method that is held against the state of
practice gets the developers' measurement and forks, one against a dynamic rule that rule's forks.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Literal

import numpy as np

from analysis.comparison.inputs import ComparedSeries, ComparisonInputs, forks_of
from analysis.methods.series_context import context_of_series, wanted_inputs
from analysis.statistics.answers import Bools, Indices
from analysis.statistics.benchmark_replay import MEASURED
from detectors.contract import Context, Detector, DetectorError, Values, as_series
from detectors.methods.developer import Developer
from detectors.planning.fork_stopping import enough_forks
from detectors.registry import from_key
from detectors.rules.online.stopping import StoppingRule
from series.models import Series
from series.values.read_ahead import read_ahead

Forks = Literal["all", "configured", "dynamic"]
FORKS: Final[dict[Forks, str]] = {
    "all": "all that are stored",
    "configured": "as configured",
    "dynamic": "until a rule has enough",
}
BATCH: Final = 64  # series whose values are in memory at once
AT_ONCE: Final = 5000  # series whose settings are read with one query


@dataclass(frozen=True, slots=True, eq=False)
class RunLengths:
    """Length of each series' measurement, and whether its fork is run at all.

    lengths             of each measurement, int64 (n,)
    is_run              bool (n,)
    unconfigured_count  series that are measured otherwise than asked for, because nothing says how
    rule_title          title of the rule that counts forks; empty without one
    """

    lengths: Indices
    is_run: Bools
    unconfigured_count: int = 0
    rule_title: str = ""


def run_lengths(
    inputs: ComparisonInputs, measured_length: int | None, forks: Forks, baseline: str
) -> RunLengths:
    """measured_length: of every series; None: as configured, `MEASURED` where nothing says.

    forks: which are run, in the order of their numbers. `dynamic` takes the rule that is the
    baseline, or the first among the methods; without one all are run.
    """
    needs_settings = measured_length is None or forks != "all"
    settings = _stored_settings(inputs.lines) if needs_settings else NO_SETTINGS
    return _run_lengths(inputs, measured_length, forks, baseline, settings)


@dataclass(frozen=True, slots=True, eq=False)
class StoredSettings:
    """Stored configurations of series, by primary key; equal where all settings are equal."""

    by_pk: Mapping[int, Mapping[str, Any]]
    digest: str = ""

    def __hash__(self) -> int:
        return hash(self.digest)

    def __eq__(self, settings: object) -> bool:
        return isinstance(settings, StoredSettings) and settings.digest == self.digest

    def forks(self, pk: int) -> int:
        """Configured forks; 0 where nothing says."""
        forks = self.by_pk[pk].get("forks")
        return int(forks) if isinstance(forks, int | float) and forks >= 1 else 0


NO_SETTINGS: Final = StoredSettings({})


def _stored_settings(lines: Sequence[ComparedSeries]) -> StoredSettings:
    settings_by_pk: dict[int, dict[str, Any]] = {}
    for offset in range(0, len(lines), AT_ONCE):
        keys = [line.pk for line in lines[offset : offset + AT_ONCE]]
        settings_by_pk |= dict(Series.objects.filter(pk__in=keys).values_list("pk", "settings"))
    digest = hashlib.sha256(json.dumps(settings_by_pk, sort_keys=True).encode()).hexdigest()
    return StoredSettings(settings_by_pk, digest)


@lru_cache(maxsize=8)
def _run_lengths(
    inputs: ComparisonInputs,
    measured_length: int | None,
    forks: Forks,
    baseline: str,
    settings: StoredSettings,
) -> RunLengths:
    """Compute run lengths and cache them, so that equal questions get one object, by which
    replays are kept.
    """
    n = len(inputs.lines)
    if measured_length is not None and forks == "all":
        return RunLengths(np.full(n, measured_length, np.int64), np.ones(n, np.bool_))
    lengths = np.full(n, MEASURED if measured_length is None else measured_length, np.int64)
    is_unconfigured = np.zeros(n, np.bool_)
    if measured_length is None:
        for line_index, configured_length in _configured_iterations(inputs.lines):
            lengths[line_index], is_unconfigured[line_index] = (
                configured_length or MEASURED,
                not configured_length,
            )
    rule = _rule(inputs, baseline) if forks == "dynamic" else None
    fork_counts = _fork_counts(inputs.lines, forks, rule, settings)
    is_run, is_unknown = _run_masks(inputs.lines, fork_counts)
    return RunLengths(
        lengths, is_run, int((is_unconfigured | is_unknown).sum()), rule.title if rule else ""
    )


def _configured_iterations(lines: Sequence[ComparedSeries]) -> Iterator[tuple[int, int]]:
    """Places, and the iterations that the configured measurement fills; 0 where nothing says."""
    method = Developer()
    for line_index, values, context in _load_series(lines, method):
        try:
            yield line_index, method.windows(*method.reads(values, context))[1]
        except DetectorError:
            yield line_index, 0


def _rule(inputs: ComparisonInputs, baseline: str) -> StoppingRule | None:
    looks = [look for look in inputs.looks if look.name in inputs.methods and not look.source]
    looks.sort(key=lambda look: look.name != baseline)
    detectors = (from_key(look.key) for look in looks if look.slug.startswith("laaber-"))
    return next((detector for detector in detectors if isinstance(detector, StoppingRule)), None)


def _fork_counts(
    lines: Sequence[ComparedSeries],
    forks: Forks,
    rule: StoppingRule | None,
    settings: StoredSettings,
) -> list[tuple[list[int], int]]:
    """Places of each benchmark's forks by number, and how many are run; 0 where no setting says."""
    fork_counts = []
    for unordered_indices in forks_of(lines).values():
        fork_indices = sorted(unordered_indices, key=lambda fork_index: lines[fork_index].fork)
        if forks == "all":
            count = len(fork_indices)
        elif forks == "configured":
            count = settings.forks(lines[fork_indices[0]].pk)
        else:
            count = _enough_forks(rule, [lines[i] for i in fork_indices]) if rule else 0
        fork_counts.append((fork_indices, count))
    return fork_counts


def _run_masks(
    lines: Sequence[ComparedSeries], fork_counts: Sequence[tuple[list[int], int]]
) -> tuple[Bools, Bools]:
    """Masks of forks that are run, and of series for which no setting says whether they are."""
    is_run, is_unknown = np.ones(len(lines), np.bool_), np.zeros(len(lines), np.bool_)
    for fork_indices, count in fork_counts:
        is_run[fork_indices[count or len(fork_indices) :]] = False
        is_unknown[fork_indices] = not count
    return is_run, is_unknown


def _enough_forks(rule: StoppingRule, lines: Sequence[ComparedSeries]) -> int:
    """Forks after which the rule has enough, at most five; 0 where one ends too early."""
    fork_series = (rule_input[1:] for rule_input in _load_series(lines, rule))
    try:
        return enough_forks(rule, fork_series).forks
    except DetectorError:
        return 0


def _load_series(
    lines: Sequence[ComparedSeries], method: Detector
) -> Iterator[tuple[int, Values, Context]]:
    needs_samples = "samples" in wanted_inputs(method)
    tables = ["benchmark", "stored", *(["samples"] if needs_samples else [])]
    for offset in range(0, len(lines), BATCH):
        batch = lines[offset : offset + BATCH]
        series_by_pk = Series.objects.select_related(*tables).in_bulk([line.pk for line in batch])
        for line_index, series in enumerate(
            read_ahead(series_by_pk[line.pk] for line in batch), offset
        ):
            yield (
                line_index,
                as_series(series.array()),
                context_of_series(series, has_samples=needs_samples),
            )
