"""Compile every kernel once, so that nobody waits for it who asks a method for its first answer.

`python -m detectors.compile_kernels` takes about a minute on a new machine, and nothing after that.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import version
from typing import Any, Final

import numpy as np

from detectors.compilation.cache import place_kernel_cache
from detectors.contract import Context, Detector, DetectorError, OnlineDetector, Values, as_series
from detectors.kernels.resamples import resampled_means
from detectors.methods.kb_kssd import KbKssd
from detectors.parameter_sets.evaluation import answers
from detectors.registry import registry
from detectors.simulated.synthetic import simulate

VARIANTS: Final[Mapping[str, tuple[Mapping[str, Any], ...]]] = {
    "georges": ({"window": "blocks"},),
    "jumpavg": ({"block": 1},),
    "kb-kssd": ({"direction": "either", "ar_order": 2, "medfilt": 3}, {"kernels": "large"}),
    "min-sse": ({"window": "geyer"},),
}
"""Parameters with which a method takes other kernels than with its defaults."""


Tell = Callable[[str], object]


def warm_detectors(tell_progress: Tell = len) -> tuple[str, ...]:
    """Let every detector answer, explain, and read online once; the slugs of those that did.

    tell_progress: called with a line for each method whose kernels come next.
    """
    methods = list(registry())
    ready_slugs = []
    for number, slug in enumerate(methods, start=1):
        tell_progress(f"compiling kernels {number} of {len(methods)}: {slug}")
        is_answered = [
            _answered(variant, values)
            for variant in _variants(slug)
            for values in compiling_series()
        ]
        if any(is_answered):
            ready_slugs.append(slug)
    # No method uses the kernels of resampled forks
    with np.errstate(over="ignore"):  # the hash wraps around, also uncompiled
        resampled_means(np.ones(2), np.array([2]), np.zeros(1, np.uint64), 0, 1)
    # Thousands of parameter sets are answered at once, by kernels of their own.
    answers(KbKssd, [KbKssd.Params(medfilt=width) for width in (1, 3)], compiling_series()[:1])
    return tuple(ready_slugs)


def main() -> None:
    """Compile every kernel unless all are compiled by this Python and this numba."""
    stamp = place_kernel_cache() / "complete"
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == compiler_words():
        return
    warm_detectors(lambda line: sys.stdout.write(f"{line}\n") and sys.stdout.flush())
    stamp.write_text(compiler_words(), encoding="utf-8")


def compiler_words() -> str:
    """System, Python and numba: kernels kept under another text are not found again."""
    return "\n".join([platform.platform(), platform.python_version(), version("numba")])


def compiling_series() -> tuple[Values, ...]:
    """Series that compile every kernel: a step, a giant at whose mean CP-SSD resamples, and too
    few values.
    """
    step_values = simulate("step", n=600).values
    return step_values, as_series(np.r_[1e9, step_values[1:]]), as_series(step_values[:2])


def run_detector(detector: Detector, values: Values) -> None:
    """Answer, evidence, and reading online, where there is such a thing."""
    detector.answer(values)
    detector.evidence(values, Context())
    if isinstance(detector, OnlineDetector):
        state = detector.start(Context())
        detector.update(state, values)
        detector.finish(state)


def _answered(detector: Detector, values: Values) -> bool:
    try:
        run_detector(detector, values)
    except DetectorError:
        return False  # it has told why; a worker will store that as its answer
    return True


def _variants(slug: str) -> Iterator[Detector]:
    detector = registry()[slug]
    yield detector()
    yield from (detector(**parameters) for parameters in VARIANTS.get(slug, ()))


if __name__ == "__main__":
    main()
