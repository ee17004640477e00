"""Every method on series with known answers, and on published ones: figures, kept, and their page.

    python -m docs.all_methods [--check]         the page, from the figures that are kept
    python -m docs.all_methods --ask [METHOD …]  asks first what is not of today, or named

What is kept names each method by its key, the corpus and the weights by their digests. A method
that is not among them, or not with today's settings, stands on the page as not computed.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import numpy as np

from corpus.asking import (
    LONGEST,
    AskedCorpus,
    TimedAnswers,
    figures_by_group,
    groups,
    inputs,
    panel_of,
    recordings,
    timed,
)
from corpus.folder import MANIFEST, PUBLISHED_SUMS, VALUES
from corpus.noise import recorded_noise
from corpus.series import CorpusSeries, made, planned
from demo import machine
from detectors.contract import Detector
from detectors.panel import PACKAGED
from detectors.registry import registry
from detectors.training.panel_figures import CONSTANT, as_document
from detectors.training.validation import constants
from docs import all_methods_page, panel_figures
from docs.derived import is_stale

PAGE: Final = Path(__file__).resolve().parent / "guide" / "all-methods.md"
KEPT: Final = PAGE.with_suffix(".json")
PUBLISHED: Final = "PLATEAU_REPLICATION"
Document = dict[str, Any]


def methods() -> Iterator[Detector]:
    """All that come with Plateau, with their defaults."""
    for detector in registry().values():
        if detector.__module__.startswith("detectors.methods."):
            yield detector()


def subject() -> Document:
    """Digests of what methods are asked for, and of the weights of learned ones."""
    weights: defaultdict[str, Any] = defaultdict(sha256)
    for path in sorted(PACKAGED.glob("*.npz")):
        weights[_first_word(path.name)].update(path.read_bytes())
    sums = PUBLISHED_SUMS.read_text("utf-8").splitlines()
    made_here = [each for each in sums if each.endswith((VALUES, MANIFEST))]
    return {
        "corpus": sha256("\n".join(made_here).encode()).hexdigest(),
        "weights": {name: each.hexdigest() for name, each in weights.items()},
    }


def _first_word(name: str) -> str:
    """What weights and the methods that read them have in common: `plateau-online@5`, plateau."""
    return name.partition("@")[0].partition("-")[0]


def kept() -> Document:
    """The figures of today's corpus and weights, of nothing where the corpus is another.

    Where weights are, of the methods that do not read them.
    """
    found: Document = json.loads(KEPT.read_text("utf-8")) if KEPT.is_file() else {}
    today = subject()
    if found.get("corpus") != today["corpus"]:
        return {**today, "methods": {}}
    changed = {name for name, _ in found["weights"].items() ^ today["weights"].items()}
    rows = {key: row for key, row in found["methods"].items() if _first_word(key) not in changed}
    return {**found, **today, "methods": rows}


# --- asking ---------------------------------------------------------------------------------------
def ask(named: Sequence[str]) -> None:
    """Ask what is not of today, or named, and keep its figures, method by method."""
    began = time.perf_counter()
    _ask_published()
    noises = recorded_noise()
    series = [made(each, noises) for each in planned(noises)]
    whole = AskedCorpus(series, corpus_constants(series))
    keep(kept() | _facts(whole))
    for method in methods():
        document = kept()
        if method.key in document["methods"] and method.slug not in named:
            continue
        sys.stderr.write(f"{method.key} ")
        known = document["methods"] | {method.key: asked(method, whole)}
        keep(document | {"methods": known, "machine": machine.described()})
    sys.stderr.write(f"all methods: {time.perf_counter() - began:.0f} s\n")


def _ask_published() -> None:
    """The published series too, where they are."""
    folder = os.environ.get(PUBLISHED)
    if folder and (Path(folder) / "expected.json").is_file():
        panel_figures.ask(Path(folder), ())
    else:
        sys.stderr.write(f"Published series: not computed anew: {PUBLISHED} names no folder.\n")


def corpus_constants(series: Sequence[CorpusSeries]) -> Any:
    """Of each series the median answer of those with noise of other folds, by its length."""
    found = np.full(len(series), np.nan)
    found[AskedCorpus(series, found).steady] = constants(panel_of(series))
    return found


def _facts(whole: AskedCorpus) -> Document:
    parts = {name: whole.part(places) for name, places in groups(whole.series).items()}
    return {
        "series": {name: len(part.series) for name, part in parts.items()},
        "steady": {name: int(part.steady.size) for name, part in parts.items()},
        "constant": {
            name: as_document(part.of_constant(CONSTANT))
            for name, part in parts.items()
            if part.steady.size
        },
        "recordings": len(recordings()),
    }


def asked(method: Detector, whole: AskedCorpus) -> Document:
    """What is kept of one method; a reason where it cannot be asked here."""
    if reason := type(method).missing():
        sys.stderr.write(f"not computed: {reason}\n")
        return {"reason": reason}
    began = time.process_time()
    answers = timed(method, inputs(whole.series), int)
    if all(each is None for each in answers.found):
        sys.stderr.write("not computed: no answer\n")
        return {"reason": f"it needs {', '.join(method.needs) or 'more than values'}"}
    recorded = timed(method, recordings(), int)
    seconds = time.process_time() - began
    sys.stderr.write(f"{seconds:.1f} s\n")
    return {
        "seconds": round(seconds, 1),
        "milliseconds": _milliseconds(whole, answers),
        "groups": {
            name: asdict(each)
            | {
                "figures": each.figures and as_document(each.figures),
                "outside": None if each.outside is None else round(each.outside, 3),
            }
            for name, each in figures_by_group(whole, answers)
        },
        "recorded": [None if each is None else each.steady_start for each in recorded.found],
    }


def _milliseconds(whole: AskedCorpus, answers: TimedAnswers) -> float:
    """Median CPU time of the longest series."""
    longest = [each.plan.n == LONGEST for each in whole.series]
    return round(float(np.median(answers.milliseconds[longest])), 3)


def keep(document: Document) -> None:
    """Write the figures of today's methods, in order; those of others go. One line a group."""
    known = document["methods"]
    rows = {each.key: known[each.key] for each in methods() if each.key in known}
    KEPT.write_text(_lines(document | {"methods": rows}, 3), "utf-8")


def _lines(value: Any, depth: int) -> str:
    if not (depth and isinstance(value, dict)):
        return json.dumps(value, ensure_ascii=False)
    inner = ",\n".join(
        f"{json.dumps(key)}: {_lines(each, depth - 1)}" for key, each in value.items()
    )
    return f"{{\n{inner}\n}}"


# --- the page -------------------------------------------------------------------------------------
def write(*, check: bool) -> int:
    """Write the page afresh; with `check`, only say whether it is out of date."""
    text = all_methods_page.text(kept(), list(methods()), panel_figures.kept())
    return int(is_stale(PAGE, text, check=check) and check)


def main(arguments: Sequence[str]) -> int:
    if arguments[:1] == ["--ask"]:
        ask(arguments[1:])
    return write(check="--check" in arguments)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
