"""Results as JMH writes them, written by hand."""

from __future__ import annotations

import json
from typing import Any

HEADER: dict[str, Any] = {
    "jmhVersion": "1.36",
    "benchmark": "org.sample.Sort.quick",
    "mode": "avgt",
    "threads": 1,
    "forks": 2,
    "jvm": "/usr/lib/jvm/java-17-openjdk-amd64/bin/java",
    "jvmArgs": ["-Xmx256m", "-XX:+UseSerialGC"],
    "jdkVersion": "17.0.8",
    "vmName": "OpenJDK 64-Bit Server VM",
    "vmVersion": "17.0.8+7-Debian-1deb12u1",
    "warmupIterations": 5,
    "warmupTime": "10 s",
    "warmupBatchSize": 1,
    "measurementIterations": 3,
    "measurementTime": "1 s",
    "measurementBatchSize": 1,
}


def entry(
    data: object, *, unit: str = "ms/op", key: str = "rawData", **fields: Any
) -> dict[str, Any]:
    metric = {
        "score": 2.5,
        "scoreError": "NaN",
        "scoreConfidence": ["NaN", "NaN"],
        "scorePercentiles": {"0.0": 1.5, "100.0": 4.0},
        "scoreUnit": unit,
        key: data,
    }
    gc = {"score": 12.0, "scoreUnit": "MB/sec", "rawData": [[12.0, 12.0, 12.0]]}
    secondary = {"·gc.alloc.rate": gc}
    return {**HEADER, **fields, "primaryMetric": metric, "secondaryMetrics": secondary}


def result(*entries: object) -> bytes:
    return json.dumps(entries, indent=4, ensure_ascii=False).encode()
