"""Every method with a counterpart elsewhere is compared with it in every clone.

What compares is marked `parity` with the methods that it is about, runs without published data,
and never skips. Answers to whole simulated series are here; stages stand with each method's tests.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pytest

from detectors.contract import NEVER, Values, as_series
from detectors.learned.networks import Network
from detectors.methods.mser import Mser
from detectors.registry import registry
from detectors.simulated.synthetic import KINDS, SHORTEST, simulate
from tests.published_data import carried_vectors, replication_folder

OURS = {"fixed", "fixed-time", "ensemble", "plateau", "plateau-online", "plateau-result"}
"""Nobody else has them."""
MARK = re.compile(r"^@pytest\.mark\.parity\(([^)]*)\)\n", re.MULTILINE)
CASES = carried_vectors("answers")["cases"]


def series_of(kind: str, n: int, seed: int) -> Values:
    """The series that a case of `answers.json` is about; the generator has a shortest length."""
    return as_series(simulate(kind, n=max(n, SHORTEST), seed=seed).values[:n])


@pytest.mark.parity("sdm", "t-test", "f-test", "r-test", "exact-bayes")
@pytest.mark.parity("kb-kssd", "kelly", "jmh-default")
@pytest.mark.parity("max-ess", "min-sse", "kim-convergence", "split-rhat", "geweke")
@pytest.mark.parametrize("number", range(len(CASES)))
def test_answers_are_those_of_the_published_programs(number: int) -> None:
    case: Mapping[str, Any] = CASES[number]
    detector = registry()[case["method"]](**case["params"])

    answers = {
        kind: [
            detector.answer(series_of(kind, case["n"], seed)).published_index
            for seed in range(len(answers))
        ]
        for kind, answers in case["answers"].items()
    }

    assert answers == case["answers"]
    assert list(answers) == list(KINDS)


@pytest.mark.parity("mser")
@pytest.mark.parametrize("kind", KINDS)
def test_mser_is_its_definition(kind: str) -> None:
    """White 1997: the cut with the least squared error of the mean of what is left."""
    values = simulate(kind, n=403, seed=1).values
    means = [fmean(values[start : start + 5].tolist()) for start in range(0, 400, 5)]

    def error(cut: int) -> float:
        rest = means[cut:]
        mean = fmean(rest)
        return sum((value - mean) ** 2 for value in rest) / len(rest) ** 2

    best_cut = min(range(len(means) - 4), key=error)
    expected = 5 * best_cut if best_cut <= 0.5 * len(means) else NEVER
    assert Mser().answer(values).published_index == expected


@pytest.mark.parity("oscnn")
def test_oscnn_adds_up_kernels_of_each_size() -> None:
    """Tang et al. 2022: kernels of prime sizes in the published places of one of 23 taps."""
    spans = {int(k): v for k, v in carried_vectors("learned")["oscnn"]["mask_ranges_K23"].items()}
    x = np.sin(1.7 * np.arange(40.0)) + 0.1 * np.arange(40) % 1
    kernels = {size: np.cos(size + np.arange(size)) for size in spans}
    kernels_of_23 = np.zeros((len(spans), 1, 23))
    for row, (size, (begin, end)) in enumerate(spans.items()):
        kernels_of_23[row, 0, begin:end] = kernels[size]
    identity, zero_bias = np.eye(len(spans))[:, :, None], np.zeros(len(spans))
    network = Network.of_arrays(
        {"w1": kernels_of_23, "w2": identity, "w3": identity, "wd": np.ones((1, len(spans)))}
        | {"b1": zero_bias, "b2": zero_bias, "b3": zero_bias, "bd": np.zeros(1)}
    )

    expected = [
        _positive_mean(x, kernels[size], begin, end) for size, (begin, end) in spans.items()
    ]

    averages = network.averages(x.astype(np.float32))
    np.testing.assert_allclose(averages, expected, atol=1e-5)


def _positive_mean(x: Values, kernel: Values, begin: int, end: int) -> float:
    """Mean of the positive part of one kernel's sums, tap by tap; outside of x all is zero."""
    sums = []
    for index in range(x.size):
        indices = range(index + begin - 11, index + end - 11)
        inner_pairs = [(k, i) for k, i in enumerate(indices) if 0 <= i < x.size]
        sums.append(max(0.0, sum(float(kernel[k] * x[i]) for k, i in inner_pairs)))
    return fmean(sums)


def _marked_tests() -> Iterator[str]:
    for path in Path(__file__).parents[1].rglob("test_*.py"):
        for mark in MARK.findall(path.read_text("utf-8")):
            yield from re.findall(r'"([^"]+)"', mark)


def test_every_method_with_a_counterpart_has_such_a_test() -> None:
    own_slugs = {
        slug
        for slug, detector in registry().items()
        if detector.__module__.startswith("detectors.")
    }

    assert set(_marked_tests()) == own_slugs - OURS
    assert {case["method"] for case in CASES} <= set(_marked_tests())


@pytest.mark.parity("kelly")
def test_a_marked_test_that_asked_for_published_data_would_fail() -> None:
    with pytest.raises(pytest.fail.Exception, match="no published data at /dev/null"):
        replication_folder()
