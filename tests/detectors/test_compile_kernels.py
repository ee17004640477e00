"""Warming: every detector has answered once, and nothing is left to compile for any run."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules

import numpy as np
import pytest

from detectors import kernels
from detectors.compile_kernels import run_detector, warm_detectors
from detectors.contract import (
    DeclaredParameter,
    Detector,
    DetectorError,
    ParameterError,
    ParameterKind,
    Values,
    as_series,
)
from detectors.kernels.jit import CompiledKernel
from detectors.methods.barrett import Barrett
from detectors.methods.laaber_rciw import cached_alias_table
from detectors.planning.forks import performance
from detectors.registry import registry
from detectors.simulated.synthetic import simulate

# Called for the arrays of a caller, which are read-only, and for a kernel's own ones; `scaled` for
# exponents of two widths. Whatever else is compiled twice is so because two callers differ.
TWICE = {
    f"detectors.kernels.{name}"
    for name in ("laaber.scaled", "laaber.scaled_by_power", "order.copy_into", "order.median")
}


def all_kernels() -> dict[str, CompiledKernel]:
    modules = (
        import_module(f"{kernels.__name__}.{m.name}") for m in iter_modules(kernels.__path__)
    )
    return {
        f"{module.__name__}.{name}": member
        for module in modules
        for name, member in vars(module).items()
        if isinstance(member, CompiledKernel) and member.function.__module__ == module.__name__
    }


def compiled_counts() -> dict[str, int]:
    """For how many combinations of types each kernel is compiled."""
    return {
        name: len(kernel.compiled.signatures) if kernel.compiled else 0  # type: ignore[attr-defined]
        for name, kernel in all_kernels().items()
    }


def other_values(parameter: DeclaredParameter) -> list[object]:
    """Values of a parameter beside its default, as far as they may lead elsewhere."""
    if parameter.kind is ParameterKind.CHOICE:
        return [choice for choice in parameter.choices if choice != parameter.default]
    if parameter.kind is ParameterKind.BOOLEAN:
        return [not parameter.default]
    if parameter.kind is ParameterKind.INTEGER and parameter.low is not None and parameter.low < 2:
        return [int(parameter.low), int(parameter.low) + 2]
    return []


def variants(detector: type[Detector]) -> Iterator[Detector]:
    yield detector()
    for parameter in detector.Params.declared():
        for value in other_values(parameter):
            try:
                yield detector(**{parameter.name: value})
            except ParameterError:
                continue


def run_or_refuse(detector: Detector, values: Values) -> None:
    try:
        run_detector(detector, values)
    except DetectorError:
        return


def test_after_warming_nothing_is_compiled_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the series, and whatever is chosen; every detector that can answer has done so."""
    cached_alias_table.cache_clear()
    for kernel in all_kernels().values():
        monkeypatch.setattr(kernel, "compiled", None)
    ready_slugs = {
        slug
        for slug, detector in registry().items()
        if not detector.needs and not detector.missing()
    }

    assert ready_slugs <= set(warm_detectors())

    counts_before = compiled_counts()
    assert {name for name, number in counts_before.items() if number > 1} <= TWICE
    plain_values = simulate("step", n=300).values
    samples = [
        plain_values[:130],
        as_series(plain_values[:3]),
        as_series(np.ldexp(plain_values, 900)),
    ]
    new_signatures: dict[str, list[str]] = {}
    for slug, detector in registry().items():
        for variant in variants(detector) if not slug.startswith("ruptures") else ():
            for values in samples if variant == detector() else samples[:1]:
                run_or_refuse(variant, values)
                if (counts_now := compiled_counts()) != counts_before:
                    new_signatures[variant.key] = [
                        name for name in counts_now if counts_now[name] != counts_before[name]
                    ]
                    counts_before = counts_now
    performance([(plain_values, Barrett(window=20, least_steady=20).judge(plain_values))], draws=50)

    assert new_signatures == {}
    assert compiled_counts() == counts_before
