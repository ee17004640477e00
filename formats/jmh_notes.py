"""Notes about what JMH's JSON leaves out, and the command line that keeps it."""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Mapping

from formats import params as params_text
from formats.measurement import Setting


def warmup_note(
    benchmark: str, params: str, mode: str, settings: Mapping[str, Setting]
) -> tuple[str, ...]:
    """The sentence on configured warm-up that the file does not hold; empty if there is none."""
    count = int(settings.get("warmup_iterations", 0))
    if count == 0:
        return ()
    length = settings.get("warmup_seconds")
    count_text = "1 warm-up iteration" if count == 1 else f"{count} warm-up iterations"
    length_text = f" of {length:g} s" if isinstance(length, float) else ""
    verb = "was" if count == 1 else "were"
    is_ = "is" if count == 1 else "are"
    see = "it" if count == 1 else "them"
    command = warmup_command(benchmark, params, mode, settings)
    missing_text = (
        f"{count_text}{length_text} {verb} run before the first value and {is_} not in this file"
    )
    return (f"{missing_text}; record with no warm-up iterations to see {see}: {command}",)


def warmup_command(benchmark: str, params: str, mode: str, settings: Mapping[str, Setting]) -> str:
    """JMH's command line for the same run, with its warm-up measured instead of thrown away."""
    words = ["java", "-jar", "benchmarks.jar", f"^{re.escape(benchmark)}$"]
    # Warm-up and measurement together, in measured iterations
    warmup = int(settings.get("warmup_iterations", 0))
    warmup_time, measured_time = (
        settings.get("warmup_seconds"),
        settings.get("measurement_seconds"),
    )
    if isinstance(warmup_time, float) and isinstance(measured_time, float) and measured_time > 0:
        warmup = math.ceil(warmup * warmup_time / measured_time)
    words += ["-wi", "0", "-i", str(warmup + int(settings.get("measurement_iterations", 0)))]
    for option, value in _options(mode, settings):
        words += [option, value]
    for name, value in params_text.split(params).items():
        words += ["-p", f"{name}={value}"]
    return shlex.join([*words, "-rf", "json", "-rff", "with-warmup.json"])


def _options(mode: str, settings: Mapping[str, Setting]) -> list[tuple[str, str]]:
    """The settings that are not JMH's own business when they are left out."""
    options: list[tuple[str, str]] = []
    if isinstance(length := settings.get("measurement_seconds"), float):
        options.append(("-r", _duration(length)))
    if "forks" in settings:
        options.append(("-f", str(settings["forks"])))
    if settings.get("threads", 1) != 1:
        options.append(("-t", str(settings["threads"])))
    if settings.get("measurement_batch_size", 1) != 1:
        options.append(("-bs", str(settings["measurement_batch_size"])))
    if mode:
        options.append(("-bm", mode))
    return options


def _duration(length: float) -> str:
    """A duration as JMH reads it: a whole number and a unit."""
    for unit, parts in (("s", 1), ("ms", 10**3), ("us", 10**6)):
        if (scaled := length * parts).is_integer():
            return f"{scaled:.0f}{unit}"
    return f"{length * 10**9:.0f}ns"
