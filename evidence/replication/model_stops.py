"""Stops of the published models on published series, from their weights.

The stops themselves are not published. Those of ROCKET follow from its weights alone, those of FCN
from thresholds that were estimated again. A model measures as many iterations and forks as the
developers' configuration, SOP; beside a rule, 100 iterations in the forks that the rule executed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from detectors.contract import Context
from detectors.learned.learned_stopping import LearnedStopping
from detectors.methods.fcn import Fcn
from detectors.methods.rocket import RocketStopping
from evidence.replication.learned_stopping import use_published
from evidence.replication.progress import track_items
from evidence.replication.published_study import Pair, PublishedBenchmark, PublishedStudy
from evidence.replication.stopping_figures import N

RULES: Final = ("CV", "RCIW", "KLD")
MEASURED: Final = 100  # iterations beside a rule
MODELS: Final[Mapping[str, type[LearnedStopping]]] = {"ROCKET": RocketStopping, "FCN": Fcn}


def add_model_stops(study: PublishedStudy) -> list[PublishedBenchmark]:
    """Measured benchmarks with the stops of each model besides. Raises NotPublishedData."""
    detectors = {name: use_published(method, study) for name, method in MODELS.items()}
    measured_rows = [benchmark for benchmark in study.stopped if benchmark.read is not None]
    return [
        replace(benchmark, stops={**benchmark.stops, **model_stops(detectors, benchmark)})
        for benchmark in track_items(measured_rows, "stops of models, benchmarks")
    ]


def model_stops(
    detectors: Mapping[str, LearnedStopping], benchmark: PublishedBenchmark
) -> dict[str, Sequence[Pair]]:
    """Last warm-up and last measured iteration of each fork that is there, by technique."""
    context, stops = Context(benchmark=benchmark.name), dict[str, Sequence[Pair]]()
    lengths = [end - warm_up for warm_up, end in benchmark.stops["SOP"]]
    for name, detector in detectors.items():
        last_warmups = [detector.answer(fork, context).steady_start - 1 for fork in benchmark.forks]
        stops[name] = [
            (last, min(last + length, N - 1))
            for last, length in zip(last_warmups, lengths, strict=False)
        ]
        for rule in RULES:
            executed_count = len(benchmark.stops.get(rule, ()))
            stops[f"{name}/{rule}"] = [
                (last, last + MEASURED) for last in last_warmups[:executed_count]
            ]
    return stops
