"""The rules of harnesses that the page asks, each with what it is told."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple, cast

from detectors.registry import from_key
from detectors.rules.harnesses.configured import HarnessRule


class HarnessChoice(NamedTuple):
    """One row: a rule with its parameters.

    name   in addresses, on the command line and in files
    words  what it does, in few words
    """

    name: str
    title: str
    words: str
    key: str

    @property
    def rule(self) -> HarnessRule:
        return _rule(self.key)


@cache
def _rule(key: str) -> HarnessRule:
    return cast("HarnessRule", from_key(key))


def _choice(name: str, title: str, words: str, key: str = "") -> HarnessChoice:
    return HarnessChoice(name, title, words, key or name)


HARNESSES: Final = (
    _choice("go-testing", "Go testing", "-benchtime 1s"),
    _choice("google-benchmark", "Google Benchmark", "no MinWarmUpTime, 0.5 s"),
    _choice("pyperf", "pyperf", "1 value of 0.1 s, then 3"),
    _choice(
        "pyperf-calibrated", "pyperf calibrated", "1 to 260 values, then 3", "pyperf?warmups=-1"
    ),
    _choice("sailfish", "Sailfish", "10 operations, then 20"),
    _choice(
        "sailfish-steady",
        "Sailfish until steady",
        "10 to 50 operations, then 20",
        "sailfish?rule=until-steady",
    ),
    _choice("benchmark-ips", "benchmark-ips", "2 s, then 5 s"),
    _choice(
        "benchmark-ips-135",
        "benchmark-ips proposed",
        "2 to 30 s, until runs agree, then 5 s",
        "benchmark-ips?rule=pull-135",
    ),
    _choice("criterion", "Criterion.rs", "3 s in doubled rounds, then 5 s"),
    _choice("benchmark-dotnet", "BenchmarkDotNet", "until times turn, 6 to 50 × 0.5 s"),
    _choice("developer", "Developers’ own", "as each benchmark declares"),
    _choice("jmh-default", "JMH default", "5 × 10 s, then 5 × 10 s"),
)
BY_NAME: Final = {choice.name: choice for choice in HARNESSES}
