"""Which way a unit is better, by the names that tools write."""

from __future__ import annotations

import pytest

from detectors.contract.directions import Direction, direction_of, is_rate


def words(text: str) -> list[str]:
    return text.split()


CSIT = words("pps Mpps kpps cps Mcps bps Gbps Mbps rps")
JMH_RATES = words("ops/s ops/ms ops/us ops/ns ops/min ops/hr ops/day op/s MB/sec insns/clk")
GOOGLE_BENCHMARK = words(
    "items_per_second bytes_per_second items/s bytes/s M/s k/s G/s Gi/s FLOPS GFLOP/s"
)
GATLING = ["req/s", "requests/sec", "meanNumberOfRequestsPerSecond", "mean requests/sec", "cnt/s"]
OTHERS = [
    *words("QPS tps TPS MIPS IOPS KIOPS fps Hz MHz GiB/s MBps KiBps score points speedup eps"),
    *("transactions per second", "Requests / s", "packets/s", "events per minute"),
]
TIMES = words("s ms us µs μs ns min s/op ms/op us/op ns/op ns/iter s/iteration ms/request")
COSTS = words(
    "B/op KB/op #/op allocs/op cycles/op clks/insn counts bytes MiB J Joules watts "
    "errors errors/s drops/s cache-misses KO/s failures/s"
)
UNKNOWN = ["", "%", "ratio", "widgets", "x", "packets"]


@pytest.mark.parametrize("unit", [*CSIT, *JMH_RATES, *GOOGLE_BENCHMARK, *GATLING, *OTHERS])
def test_of_rates_and_scores_more_is_better(unit: str) -> None:
    assert direction_of(unit) == Direction("more", "unit")
    assert direction_of(unit, "avgt").better == "more"  # the unit says it, whatever the mode


@pytest.mark.parametrize("unit", [*TIMES, *COSTS])
def test_of_times_losses_and_what_a_piece_takes_less_is_better(unit: str) -> None:
    assert direction_of(unit) == Direction("less", "unit")
    assert direction_of(unit, "thrpt").better == "less"


@pytest.mark.parametrize("unit", UNKNOWN)
def test_of_an_unknown_unit_less_is_assumed_and_the_mode_asked(unit: str) -> None:
    assert direction_of(unit) == Direction("less", "assumed")
    assert not direction_of(unit).is_known
    assert direction_of(unit, "thrpt") == Direction("more", "mode")
    assert direction_of(unit, "avgt") == Direction("less", "mode")
    assert direction_of(unit, "nonsense") == Direction("less", "assumed")


@pytest.mark.parametrize(
    ("unit", "rate"),
    [
        *((unit, True) for unit in (*CSIT, "ops/ms", "MB/sec", "items_per_second", "errors/s")),
        *((unit, False) for unit in (*TIMES, "score", "B/op", "insns/clk", "", "s/s")),
    ],
)
def test_a_rate_counts_something_in_a_time(unit: str, rate: bool) -> None:  # noqa: FBT001
    assert is_rate(unit) is rate
