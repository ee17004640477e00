"""A measurement: one fork of one benchmark, with what its file says of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

Values: TypeAlias = NDArray[np.float64]
Counts: TypeAlias = NDArray[np.int64]
Setting: TypeAlias = int | float | str


@dataclass(frozen=True, slots=True, eq=False)
class RawSamples:
    """The raw (value, count) pairs of each iteration, packed one after the other.

    Iteration i owns ``values[offsets[i]:offsets[i + 1]]`` and the same slice of `counts`.
    Values are in the unit of the measurement; `offsets` has one entry more than there are
    iterations.
    """

    values: Values
    counts: Counts
    offsets: Counts


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingHint:
    """Occasion of the measurement as the file describes it; empty where the file says nothing."""

    label: str = ""
    build: str = ""
    measured_at: str = ""  # ISO 8601, as in the file
    machine: str = ""  # its description, such as a processor
    instance: str = ""  # which machine, such as its host name
    runtime: str = ""


NOTHING_SAID = RecordingHint()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Measurement:
    """One series: the values of one fork of one benchmark, in the order of its iterations.

    `values` is one-dimensional, C-contiguous, read-only float64, finite, of one value at least.
    Times are in seconds (`unit` is ``s`` or ``s/op``); any other unit is kept as the file has it
    (``ops/ms``), and is empty where the file names none. `mode` is JMH's short name (``avgt``,
    ``sample``, ``ss``, ``thrpt``) or empty. `fork` counts from 0. `params` is canonical text,
    see `formats.params`. `label` is the name of the series inside its file (cli.md: column,
    ``name[row]``, ``benchmark|params|fork``).

    Keys of `settings`, each only where the file has it: ``warmup_iterations``,
    ``warmup_seconds`` (of one iteration), ``unrecorded_iterations`` (of warm-up that were run
    before the first value; where a file says nothing of it, see
    `formats.iterations.unrecorded_iterations`), ``measurement_iterations``,
    ``measurement_seconds``, ``warmup_batch_size``, ``measurement_batch_size``, ``forks``,
    ``threads``,
    ``seconds_per_iteration``, ``operations_per_iteration`` (1: a value is how long its iteration
    lasted; see `formats.iterations`), ``warmup_values`` (so many values at the start of `values`
    are warm-up iterations; only logs have them), ``jmh_version``, ``jdk_version``, ``jvm``,
    ``vm_name``, ``vm_version``, ``jvm_args``.

    `better` is what the person who imports said, for units that do not say it; mostly empty.
    `notes` are sentences for the person who imports the file.
    """

    benchmark: str
    values: Values
    label: str
    system: str = ""
    params: str = ""
    fork: int = 0
    unit: str = ""
    mode: str = ""
    settings: Mapping[str, Setting] = field(default_factory=dict)
    samples: RawSamples | None = None
    recording: RecordingHint = NOTHING_SAID
    better: Literal["", "more", "less"] = ""
    notes: tuple[str, ...] = ()

    @property
    def stored_bytes(self) -> int:
        """Bytes that its values and samples take once they are stored."""
        samples = self.samples
        arrays = (samples.values, samples.counts, samples.offsets) if samples else ()
        return sum(array.nbytes for array in (self.values, *arrays))
