"""Tools whose JSON is benchmarks of one shape: vitest, tinybench, benchmark.js, nanobench, others.

Sources: vitest-dev/vitest: `packages/vitest/src/node/reporters/benchmark`; tinylibs/tinybench:
`src/types.ts`, `src/task.ts` (which sorts samples); bestiejs/benchmark.js: `benchmark.js`;
martinus/nanobench: `src/docs/tutorial.rst`; evanphx/benchmark-ips: `lib/benchmark/ips/report.rb`;
rust-lang/rust: `library/test/src/formatters/json.rs`;
benchmark-action/github-action-benchmark: README.
"""

from __future__ import annotations

from typing import Final

from formats.json_fields import is_number
from formats.json_shapes import Fields, JsonShape, field_at, reader_of_shape
from formats.other_tools import TIME_CALLS

SAMPLES: Final = "a value is the mean of one sample: its first calls are not told apart"
LIBTEST_REMEDY: Final = "measure with Criterion.rs, whose sample.json has every sample"
RUBY_REMEDY: Final = "time every call with Process.clock_gettime, one number a line"
EPOCHS: Final = "a value is the mean of one epoch: its first calls are not told apart"


def _seconds_per_operation(fields: Fields, values: object) -> object:
    """Seconds of one operation of nanobench, whose times are of a batch."""
    batch = fields.get("batch")
    divisor = batch if is_number(batch) and batch > 0 else 1  # type: ignore[operator]
    if isinstance(values, list):
        return [_quotient(field_at(epoch, "elapsed"), divisor) for epoch in values]
    return _quotient(values, divisor)


def _quotient(value: object, divisor: object) -> object:
    return value / divisor if is_number(value) else value  # type: ignore[operator]


VITEST: Final = reader_of_shape(
    JsonShape(
        name="vitest",
        title="vitest bench JSON",
        marks=(("groups", "fullName", "benchmarks"), ("testResults", "hz", "rme")),
        needs=("name", "hz"),
        values=("samples", "median", "mean"),
        unit="ms/op",
        within=("fullName",),
        sorts=True,
        remedy=f"vitest writes no samples in their order: {TIME_CALLS}",
    )
)
TINYBENCH: Final = reader_of_shape(
    JsonShape(
        name="tinybench",
        title="tinybench JSON",
        marks=(
            ("result", "latency", "throughput"),
            ("result", "hz", "rme"),
            ("name", "state", "latency", "throughput", "aad"),
        ),
        needs=("name", "result"),
        or_needs=(("name", "latency"), ("name", "state", "error")),
        failed=("result.error", "error"),
        values=(
            *("result.latency.samples", "result.samples", "latency.samples"),
            *("latency.p50", "latency.mean"),
            *("result.latency.p50", "result.latency.mean", "result.p50", "result.mean"),
        ),
        unit="ms/op",
        sorts=True,
        remedy=f"tinybench sorts its samples: {TIME_CALLS}",
    )
)
BENCHMARK_JS: Final = reader_of_shape(
    JsonShape(
        name="benchmark-js",
        title="benchmark.js JSON",
        marks=(("stats", "sample", "moe"), ("stats", "hz", "rme")),
        needs=("name", "stats.mean"),
        values=("stats.sample", "stats.mean"),
        failed=("error",),
        unit="s/op",
        notes=(SAMPLES,),
        remedy="set minSamples: 3000, minTime: 0.001, and write JSON.stringify(suite)",
    )
)
NANOBENCH: Final = reader_of_shape(
    JsonShape(
        name="nanobench",
        title="nanobench JSON",
        marks=(("median(elapsed)",),),
        needs=("name", "median(elapsed)"),
        values=("measurements", "median(elapsed)"),
        unit="s/op",
        within=("title",),
        scale=_seconds_per_operation,
        notes=(EPOCHS,),
        remedy="record with .epochs(3000).warmup(0) and render templates::json()",
    )
)
BENCHMARK_IPS: Final = reader_of_shape(
    JsonShape(
        name="benchmark-ips",
        title="benchmark-ips JSON",
        marks=(("name", "ips", "stddev", "microseconds"), ("name", "central_tendency", "cycles")),
        needs=("name", "iterations"),
        values=("central_tendency", "ips"),
        unit="ops/s",
        remedy=RUBY_REMEDY,
    )
)
LIBTEST: Final = reader_of_shape(
    JsonShape(
        name="libtest-json",
        title="libtest JSON (cargo bench)",
        marks=(("type", "bench", "median", "deviation"),),
        needs=("name", "median"),
        values=("median",),
        unit="ns/op",
        remedy=LIBTEST_REMEDY,
        lines=True,
    )
)
GITHUB_ACTION: Final = reader_of_shape(
    JsonShape(
        name="github-action-benchmark",
        title="github-action-benchmark JSON",
        marks=(("name", "unit", "value"),),
        needs=("name", "unit", "value"),
        values=("value",),
        unit=".unit",
        remedy="give the file that the harness itself writes, with every iteration",
    )
)
