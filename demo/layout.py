"""The JSON layout of the Java Microbenchmark Harness (JMH), and files written whole or not at all.

JMH is not involved: only its layout is used, because every reader of benchmarks knows it.
What has no place there stands under the key ``recording``, which other readers pass over.
"""

from __future__ import annotations

import gzip
import json
import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats

from demo import machine
from demo.catalogue import Workload
from demo.machine import LoadMoment
from demo.runtimes import RUNTIMES, RecordedFork, program_of
from demo.stopping import ForkStopRule
from detectors.intervals.measured_set import MeasuredSet

CONFIDENCE = 0.999  # JMH's own level for scoreError
PERCENTILES = (0.0, 50.0, 90.0, 95.0, 99.0, 99.9, 100.0)


def benchmark(
    workload: Workload, forks: Sequence[RecordedFork], recording: dict[str, Any]
) -> dict[str, Any]:
    """One entry of a JMH result file; every iteration is one call, and none is warm-up."""
    facts = forks[0].facts
    return {
        "benchmark": workload.benchmark,
        "mode": "avgt",
        "threads": 1,
        "forks": len(forks),
        "jvm": program_of(workload.runtime),
        "jvmArgs": list(RUNTIMES[workload.runtime].flags),
        "jdkVersion": facts["jdkVersion"],
        "vmName": facts["vmName"],
        "vmVersion": facts["vmVersion"],
        "warmupIterations": 0,
        "measurementIterations": max(len(fork.nanoseconds) for fork in forks),
        "measurementTime": "single-shot",
        "measurementBatchSize": 1,
        "params": {name: str(value) for name, value in workload.params.items()},
        "primaryMetric": _metric([fork.nanoseconds for fork in forks]),
        "secondaryMetrics": {},
        "recording": recording,
    }


def recording(
    workload: Workload,
    forks: Sequence[RecordedFork],
    *,
    measured_at: str,
    load_before: LoadMoment,
    load_after: LoadMoment,
    seconds: Sequence[float],
    rule: ForkStopRule | None = None,
) -> dict[str, Any]:
    """The occasion: the same label, time and runtime for all workloads of one runtime."""
    runtime = f"{workload.runtime_title} {forks[0].facts['jdkVersion']}"
    if workload.runtime == "pypy":  # its own version says more than that of its language
        runtime = f"{workload.runtime_title} {forks[0].facts['vmVersion']}"
    return {
        "label": f"{runtime}, {measured_at[:10]}",
        "measuredAt": measured_at,
        "machine": machine.machine_description(),
        "runtime": runtime,
        "cores": machine.cores(),
        "started": load_before.when,
        "ended": load_after.when,
        "loadBefore": load_before.load,
        "loadAfter": load_after.load,
        "secondsPerFork": seconds,
        "check": forks[0].facts["check"],
        **({"stop": _stop(rule, forks)} if rule else {}),
    }


def _stop(rule: ForkStopRule, forks: Sequence[RecordedFork]) -> dict[str, Any]:
    """Rule by which forks were ended, and after how many values each was found steady."""
    return {
        "method": rule.detector.key,
        "further": rule.further,
        "decidedAfter": [fork.decided for fork in forks],
        "steadyStart": [fork.start for fork in forks],
        "measured": [measured_set(fork, rule.further).as_record() for fork in forks],
    }


def measured_set(fork: RecordedFork, further_iterations: int) -> MeasuredSet:
    """Measured values of a fork after it was found steady; of one that never was, its last
    values.
    """
    n = len(fork.nanoseconds)
    first = max(n - further_iterations, 0) if fork.decided is None else fork.decided
    return MeasuredSet.from_values(fork.nanoseconds[first:], first, at_cap=fork.decided is None)


def _metric(raw_values: list[list[int]]) -> dict[str, Any]:
    values = np.concatenate([np.asarray(fork, dtype=np.float64) for fork in raw_values])
    score = float(values.mean())
    # Half the width of Student's interval, as JMH states it
    t = float(stats.t.ppf((1 + CONFIDENCE) / 2, values.size - 1))
    error = t * float(values.std(ddof=1)) / math.sqrt(values.size)
    percentiles = np.percentile(values, PERCENTILES)
    return {
        "score": round(score, 1),
        "scoreError": round(error, 1),
        "scoreConfidence": [round(score - error, 1), round(score + error, 1)],
        "scorePercentiles": {
            str(p): round(float(v), 1) for p, v in zip(PERCENTILES, percentiles, strict=True)
        },
        "scoreUnit": "ns/op",
        "rawData": raw_values,
    }


def write_recording(path: Path, entries: list[dict[str, Any]]) -> None:
    """Compressed JSON; the same entries give the same bytes on every machine."""
    text = json.dumps(entries, separators=(",", ":"), ensure_ascii=False)
    replace(path, gzip.compress(text.encode(), compresslevel=9, mtime=0))


def replace(path: Path, content: bytes) -> None:
    """Put `content` at `path` in one step, so that nobody ever finds half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished_path = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        unfinished_path.write_bytes(content)
        unfinished_path.replace(path)
    finally:
        unfinished_path.unlink(missing_ok=True)


def read_recording(path: Path) -> dict[str, Any]:
    """The one entry of a recording of ours."""
    entry: dict[str, Any] = json.loads(gzip.decompress(path.read_bytes()))[0]
    return entry
