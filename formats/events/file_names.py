"""Series that the name of an event file tells: benchmark, values of parameters, number of the fork.

Letters and digits count, not their case nor what stands between them: ``WordCount.count``,
``wordcount_count`` and ``.../WordCount/count/`` are one name. macOS writes letters and their
accents apart.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from formats.events.lanes import EventTarget
from formats.params import split

RULE: Final = (
    "A file that names its series inside (JMH JSON, Krun, a CSV with a column benchmark) goes to "
    "each of them. Any other goes to the series whose benchmark stands in its name, whole or by "
    "its last parts, the longest first; the number behind the word fork is the fork, and may be "
    "missing where there is one. Values of parameters must stand there where they tell series "
    "apart. Names of folders below the one that is imported count, too."
)
MOST_NAMES: Final = 20_000  # benchmarks whose forms are kept from file to file
_BETWEEN: Final = re.compile(r"[\W_]+")
_FORK: Final = re.compile(r"-fork-?(\d+)(?=-)")


@dataclass(frozen=True, slots=True)
class NameMatch:
    """Series that a name tells, at best one; `flaw` says what is wrong with more or none.

    benchmark       of the name, empty without any
    lacks_fork      the benchmark is there, and the fork is not
    """

    targets: Sequence[EventTarget]
    flaw: str = ""
    benchmark: str = ""
    lacks_fork: bool = False


def of_named_systems(path: str, targets: Sequence[EventTarget]) -> Sequence[EventTarget]:
    """Series of the systems that the path of a file names; all where it names none."""
    words = _words(path)
    systems = {target.system for target in targets if target.system}
    named_systems = {system for system in systems if _words(system) in words}
    return [target for target in targets if target.system in named_systems] or targets


def matched_by_name(path: str, targets: Sequence[EventTarget], first_fork: int = 0) -> NameMatch:
    """Match the path of a file with series; `first_fork` is the number of fork 0 in names."""
    words = _words(path)
    forks = [int(fork[1]) - first_fork for fork in _FORK.finditer(words)]
    words = _FORK.sub("", words)
    lengths = {name: _name_length(words, name) for name in {t.benchmark for t in targets}}
    longest = max(lengths.values(), default=0)
    if not longest:
        return NameMatch([], "no benchmark of this recording")
    of_benchmark = [target for target in targets if lengths[target.benchmark] == longest]
    if len({target.benchmark for target in of_benchmark}) > 1:
        return NameMatch(of_benchmark, _flaw(of_benchmark, has_fork=True))
    if len({target.params for target in of_benchmark}) > 1:
        of_benchmark = [target for target in of_benchmark if _has_values(words, target)]
    if forks:
        of_fork = [target for target in of_benchmark if target.fork == forks[-1]]
        if of_benchmark and not of_fork:
            flaw = f"fork {forks[-1] + first_fork}, which is not there"
            return NameMatch([], flaw, of_benchmark[0].benchmark, lacks_fork=True)
        of_benchmark = of_fork
    benchmark = of_benchmark[0].benchmark if of_benchmark else ""
    if len(of_benchmark) == 1:
        return NameMatch(of_benchmark, benchmark=benchmark)
    return NameMatch(of_benchmark, _flaw(of_benchmark, has_fork=bool(forks)), benchmark)


def _flaw(targets: Sequence[EventTarget], *, has_fork: bool) -> str:
    if not targets:
        return "a benchmark without the values of its parameters"
    if not has_fork and len({(target.benchmark, target.params) for target in targets}) == 1:
        return f"no number of a fork, and there are {len(targets)}"
    return f"a name that {len(targets)} series have"


def _words(text: str) -> str:
    folded_text = unicodedata.normalize("NFC", text).casefold()
    return f"-{_BETWEEN.sub('-', folded_text).strip('-')}-"


def _name_length(words: str, benchmark: str) -> int:
    """Length of the longest form of a benchmark's name that stands in `words`; 0 without any."""
    return max((len(form) for form in _name_forms(benchmark) if form in words), default=0)


@lru_cache(MOST_NAMES)
def _name_forms(benchmark: str) -> frozenset[str]:
    """Whole name of a benchmark, and its last one and two parts, as words."""
    parts = benchmark.split(".")
    forms = {_words(".".join(parts[-count:])) for count in (1, 2, len(parts))}
    return frozenset(forms - {"--"})


def _has_values(words: str, target: EventTarget) -> bool:
    return all(_words(value) in words for value in split(target.params).values())
