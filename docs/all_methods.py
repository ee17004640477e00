"""Every method by four yardsticks: figures, kept, and their page.

    python -m docs.all_methods [--check]         the page, from the figures that are kept
    python -m docs.all_methods --ask [METHOD …]  asks first what is not of today, or named
    python -m docs.all_methods --only METHOD …   asks the named methods, and no other

The yardsticks are the marks of people on published series, the corpus of known answers, plain
series, and what a harness pays on the corpus. What is kept names each method by its key; corpus,
plain series and weights by their digests. A method that is not among them, or not with today's
settings, stands on the page as not computed. Figures are kept method by method, so a run that was
interrupted goes on where it was.
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

from demo import machine
from detectors.contract import Detector
from detectors.panel.panel_models import PACKAGED
from detectors.registry import registry
from detectors.training.figures.panel_figures import CONSTANT, as_document
from detectors.training.figures.validation import constants
from docs import all_methods_page, panel_figures, plain_section, which_method
from docs.derived import is_stale
from evidence.corpus.asking import (
    LONGEST,
    AskedCorpus,
    TimedAnswers,
    figures_by_group,
    groups,
    inputs,
    panel_of,
    recordings,
    timed_answers,
)
from evidence.corpus.folder import MANIFEST, VALUES
from evidence.corpus.plain_mistakes import (
    compared_suite,
    plain_answers,
    plain_document,
    suite_digest,
)
from evidence.corpus.series import CorpusSeries, corpus_of
from evidence.corpus.versions import CURRENT

PAGE: Final = Path(__file__).resolve().parent / "guide" / "all-methods.md"
KEPT: Final = PAGE.with_suffix(".json")
PUBLISHED: Final = "PLATEAU_REPLICATION"
LONG: Final = 3000  # values: of longer series every so many is asked for
FEWER: Final = 4
PLAIN: Final = ("plain", "plain_seconds")  # of a row: what is of the plain series
Document = dict[str, Any]


def documented_methods() -> Iterator[Detector]:
    """All that come with Plateau, with their defaults."""
    for detector in registry().values():
        if detector.__module__.startswith("detectors.methods."):
            yield detector()


def subject() -> Document:
    """Digests of what methods are asked for, and of the weights of learned ones."""
    weights: defaultdict[str, Any] = defaultdict(sha256)
    for path in sorted(PACKAGED.glob("*.npz")):
        weights[_first_word(path.name)].update(path.read_bytes())
    sums = CURRENT.published_sums.read_text("utf-8").splitlines()
    corpus_lines = [line for line in sums if line.endswith((VALUES, MANIFEST))]
    return {
        "corpus": sha256("\n".join(corpus_lines).encode()).hexdigest(),
        "plain": suite_digest(),
        "weights": {name: digest.hexdigest() for name, digest in weights.items()},
    }


def _first_word(name: str) -> str:
    """Name that weights and the methods that read them have in common: `plateau-online@5`,
    plateau.
    """
    return name.partition("@")[0].partition("-")[0]


def current_figures() -> Document:
    """Figures of today's corpus, plain series and weights.

    What is of another corpus or of other plain series is left out, and what other weights said.
    """
    document = _stored_document()
    current_subject, rows = subject(), document.get("methods", {})
    if document.get("corpus") != current_subject["corpus"]:
        rows = {key: {k: v for k, v in row.items() if k in PLAIN} for key, row in rows.items()}
    if document.get("plain") != current_subject["plain"]:
        rows = {key: {k: v for k, v in row.items() if k not in PLAIN} for key, row in rows.items()}
    changed_weights = {
        name for name, _ in document.get("weights", {}).items() ^ current_subject["weights"].items()
    }
    rows = {
        key: row for key, row in rows.items() if row and _first_word(key) not in changed_weights
    }
    return {**document, **current_subject, "methods": rows}


def _stored_document() -> Document:
    document: Document = json.loads(KEPT.read_text("utf-8")) if KEPT.is_file() else {}
    return document


# --- asking ---------------------------------------------------------------------------------------
def ask_methods(named_slugs: Sequence[str], *, only_own: bool = False) -> None:
    """Ask what is not of today, or named, and keep its figures, method by method."""
    start_time = time.perf_counter()
    _ask_published(named_slugs, only_own=only_own)
    series = compared_series()
    corpus = AskedCorpus(series, corpus_constants(series))
    suite = compared_suite()
    order = methods_by_time()
    keep_method_figures(current_figures() | _corpus_document(corpus))
    for method in order:
        if only_own and method.slug not in named_slugs:
            continue
        row = {} if method.slug in named_slugs else current_figures()["methods"].get(method.key, {})
        if "reason" in row:
            continue
        if "groups" not in row:
            sys.stderr.write(f"{method.key}\n")
            row = row | method_row(method, corpus)
            _keep_row(method, row)
        if "plain" not in row and "reason" not in row:
            plain_start_time = time.process_time()
            row = row | {"plain": plain_document(plain_answers(method, suite))}
            row["plain_seconds"] = round(time.process_time() - plain_start_time, 1)
            sys.stderr.write(f"{row['plain_seconds']} s\n")
            _keep_row(method, row)
    sys.stderr.write(f"all methods: {time.perf_counter() - start_time:.0f} s\n")


def compared_series() -> list[CorpusSeries]:
    """Series of the corpus that methods are asked for: `FEWER` of the long ones.

    Without those whose change is too small to see.
    """
    series = corpus_of()
    long_series = [corpus_series for corpus_series in series if corpus_series.plan.n > LONG][
        ::FEWER
    ]
    return [
        corpus_series
        for corpus_series in series
        if corpus_series.plan.n <= LONG and corpus_series.is_seen
    ] + [corpus_series for corpus_series in long_series if corpus_series.is_seen]


def methods_by_time() -> list[Detector]:
    """All methods in the order of the time that each took last, so that most rows come early."""
    rows = _stored_document().get("methods", {})
    seconds = {key.partition("@")[0]: row.get("seconds", 0) for key, row in rows.items()}
    return sorted(documented_methods(), key=lambda method: seconds.get(method.slug, 0))


def _keep_row(method: Detector, row: Document) -> None:
    document = current_figures()
    rows = document["methods"] | {method.key: row}
    keep_method_figures(document | {"methods": rows, "machine": machine.machine_description()})


def _ask_published(named_slugs: Sequence[str], *, only_own: bool) -> None:
    """The published series too, where they are."""
    folder = os.environ.get(PUBLISHED)
    if folder and (Path(folder) / "expected.json").is_file():
        panel_figures.ask_panel_methods(Path(folder), named_slugs, only_own=only_own)
    else:
        sys.stderr.write(f"Published series: not computed anew: {PUBLISHED} names no folder.\n")


def corpus_constants(series: Sequence[CorpusSeries]) -> Any:
    """Median answer, for each series, of those with noise of other folds, by its length."""
    medians = np.full(len(series), np.nan)
    medians[AskedCorpus(series, medians).steady] = constants(panel_of(series))
    return medians


def _corpus_document(corpus: AskedCorpus) -> Document:
    corpora = {name: corpus.subset(places) for name, places in groups(corpus.series).items()}
    return {
        "series": {name: len(group_corpus.series) for name, group_corpus in corpora.items()},
        "steady": {name: int(group_corpus.steady.size) for name, group_corpus in corpora.items()},
        "constant": {
            name: as_document(group_corpus.constant_figures(CONSTANT))
            for name, group_corpus in corpora.items()
            if group_corpus.steady.size
        },
        "recordings": len(recordings()),
        "cost": {
            "knowing": round(corpus.cost_of_knowing(), 4),
            "constant": round(corpus.cost_of_constant(), 4),
        },
    }


def method_row(method: Detector, corpus: AskedCorpus) -> Document:
    """Row that is kept of one method; a reason where it cannot be asked here."""
    if reason := type(method).missing():
        sys.stderr.write(f"not computed: {reason}\n")
        return {"reason": reason}
    start_time = time.process_time()
    answers = timed_answers(method, inputs(corpus.series), int)
    if all(answer is None for answer in answers.found):
        sys.stderr.write("not computed: no answer\n")
        return {"reason": f"it needs {', '.join(method.needs) or 'more than values'}"}
    recorded_answers = timed_answers(method, recordings(), int)
    seconds = time.process_time() - start_time
    sys.stderr.write(f"{seconds:.1f} s\n")
    return {
        "seconds": round(seconds, 1),
        "milliseconds": _milliseconds(corpus, answers),
        "groups": {
            name: asdict(group_figures)
            | {
                "figures": group_figures.figures and as_document(group_figures.figures),
                "relative": None
                if group_figures.relative is None
                else round(group_figures.relative, 4),
                "filled": None if group_figures.filled is None else round(group_figures.filled, 4),
                "cost": None if group_figures.cost is None else round(group_figures.cost, 4),
            }
            for name, group_figures in figures_by_group(corpus, answers)
        },
        "recorded": [
            None if answer is None else answer.steady_start for answer in recorded_answers.found
        ],
    }


def _milliseconds(corpus: AskedCorpus, answers: TimedAnswers) -> float:
    """Median CPU time of the longest series."""
    is_longest = [series.plan.n == LONGEST for series in corpus.series]
    return round(float(np.median(answers.milliseconds[is_longest])), 3)


def keep_method_figures(document: Document) -> None:
    """Write the figures of today's methods, in order; those of others go. One line a group."""
    kept_rows = document["methods"]
    rows = {
        method.key: kept_rows[method.key]
        for method in documented_methods()
        if method.key in kept_rows
    }
    KEPT.write_text(_json(document | {"methods": rows}, 3), "utf-8")


def _json(value: Any, depth: int) -> str:
    if not (depth and isinstance(value, dict)):
        return json.dumps(value, ensure_ascii=False)
    inner_text = ",\n".join(
        f"{json.dumps(key)}: {_json(inner_value, depth - 1)}" for key, inner_value in value.items()
    )
    return f"{{\n{inner_text}\n}}"


# --- the page -------------------------------------------------------------------------------------
def write_all_methods(*, check: bool) -> int:
    """Write the page, its pictures, the blocks of methods' pages and *Which method?* afresh.

    With `check`, only say what is out of date.
    """
    document, asked_methods = current_figures(), list(documented_methods())
    published = panel_figures.kept_figures()
    text = all_methods_page.text(document, asked_methods, published)
    are_stale = is_stale(PAGE, text, check=check)
    are_stale |= which_method.write_evidence(document, asked_methods, published, check=check)
    figures = plain_section.rows_with_plain(document, asked_methods)
    are_stale |= plain_section.write_files(figures, check=check)
    return int(are_stale and check)


def main(arguments: Sequence[str]) -> int:
    if arguments[:1] in (["--ask"], ["--only"]):
        ask_methods(arguments[1:], only_own=arguments[0] == "--only")
    return write_all_methods(check="--check" in arguments)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
