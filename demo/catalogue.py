"""Catalogue of the recorded workloads: where they lie, what they do and with which inputs.

Pure: reads nothing and starts nothing. The recorder runs what stands here, and whoever
loads the recordings finds each file, its runtime and one sentence about it here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Literal

HERE = Path(__file__).resolve().parent
RECORDINGS = HERE / "recordings"
STOPPED = HERE / "stopped"  # made by `--stop`, and not part of the project
EVENTS_FOLDER = HERE / "events"  # made by `demo.record_events`
DATA_CARD = HERE / "DATA-CARD.md"

RuntimeName = Literal["java", "node", "pypy"]
RUNTIME_TITLES: Mapping[RuntimeName, str] = MappingProxyType(
    {"java": "OpenJDK", "node": "Node.js (V8)", "pypy": "PyPy"}
)


@dataclass(frozen=True, slots=True)
class Workload:
    """One recorded workload; `params` are its inputs, `about` one sentence for a reader."""

    runtime: RuntimeName
    workload: str
    params: Mapping[str, int] = field(hash=False)
    about: str

    @property
    def name(self) -> str:
        """Name for `--only` and of the file: ``java-word-count``."""
        return f"{self.runtime}-{hyphenate(self.workload)}"

    @property
    def benchmark(self) -> str:
        """Name in the recording and on pages: ``java.WordCount``."""
        return f"{self.runtime}.{self.workload}"

    @property
    def file(self) -> str:
        return f"{self.name}.json.gz"

    @property
    def events_file(self) -> str:
        """Name of the file with events of its process, of a Java workload."""
        return f"{self.name}.events.csv.gz"

    @property
    def path(self) -> Path:
        return RECORDINGS / self.file

    @property
    def runtime_title(self) -> str:
        return RUNTIME_TITLES[self.runtime]

    @property
    def params_text(self) -> str:
        """Inputs as an import names them: ``orders=1400``."""
        return "&".join(f"{name}={value}" for name, value in sorted(self.params.items()))


def hyphenate(camel: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "-", camel).lower()


def java(workload: str, about: str, **params: int) -> Workload:
    return Workload("java", workload, params, about)


def node(workload: str, about: str, **params: int) -> Workload:
    return Workload("node", workload, params, about)


def pypy(workload: str, about: str, **params: int) -> Workload:
    return Workload("pypy", workload, params, about)


# Inputs make one settled iteration take some 0.1 to 2 ms: well above the clock, seconds a fork.
CATALOGUE: tuple[Workload, ...] = (
    java(
        "WordCount",
        "Splits a text into words and counts them in a fresh hash map.",
        words=3000,
        vocabulary=500,
    ),
    java("CsvReport", "Writes orders as CSV, reads them back, sorts and sums them.", orders=1400),
    java(
        "StackMachine",
        "Interprets a small program of eight stack operations.",
        operations=200,
        rounds=600,
    ),
    java("MatrixProduct", "Multiplies two square matrices of doubles.", size=80),
    java(
        "LateClass",
        "Sums areas of two kinds of shape; a third and a fourth kind join on the way.",
        shapes=60000,
        third=900,
        fourth=1900,
    ),
    java("Formulas", "Parses, simplifies and works out formulas.", formulas=400),
    java(
        "GrowingLedger",
        "Works out a balance from a ledger that grows by some entries a round.",
        opening=20000,
        booked=40,
    ),
    java(
        "CacheChurn",
        "Replaces entries of a full cache in a small heap, so the collector has to stop the work.",
        entries=30000,
        replaced=1500,
    ),
    node(
        "JsonCache",
        "Answers requests from a cache of JSON texts and lists its keys; the cache fills up.",
        requests=120,
        documents=20000,
    ),
    node(
        "SessionStore",
        "Adds sessions to a map and walks it; at a limit the map is emptied.",
        added=400,
        limit=90000,
    ),
    node("RayTracer", "Traces a small picture of spheres with shadows.", width=40, spheres=12),
    node("LogFilter", "Finds slow requests in a log with a regular expression.", lines=1500),
    node("Fourier", "Transforms a signal on typed arrays, and back again.", size=2048),
    node(
        "MixedRecords",
        "Adds up records of one shape; records of other shapes join on the way.",
        records=20000,
        second=800,
        third=1800,
    ),
    node(
        "SplayTree",
        "Replaces nodes of a splay tree whose payloads become old garbage.",
        nodes=8000,
        replaced=700,
    ),
    pypy("NBody", "Moves bodies under their mutual gravity.", bodies=12, steps=25),
    pypy("Templates", "Compiles and fills a page template with filters.", products=400),
    pypy(
        "BinaryTrees",
        "Builds and drops binary trees beside one that lives on.",
        depth=11,
        lasting=16,
        kept=30,
    ),
    pypy("Router", "Matches request paths against a table of routes.", routes=40, requests=600),
    pypy(
        "GrowingHistory",
        "Looks for the longest streak in a history that grows every round.",
        opening=20000,
        added=20,
    ),
    pypy("Formulas", "Parses, simplifies and works out formulas.", formulas=40),
    pypy(
        "LateTypes",
        "Adds up whole numbers; fractions, then text, join on the way.",
        values=60000,
        fractions_at=900,
        text_at=1900,
    ),
)


def workload_named(name: str) -> Workload:
    """The workload called `name` (``java-word-count``); KeyError names all there are."""
    for workload in CATALOGUE:
        if workload.name == name:
            return workload
    raise KeyError(f"no workload {name!r}; there are: {', '.join(w.name for w in CATALOGUE)}")
