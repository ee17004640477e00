"""Training of `plateau`, from a panel's answers to weights and their card."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from detectors.contract import Detector, OnlineDetector
from detectors.copies import sketch
from detectors.panel import PanelModels, fingerprint
from detectors.training.answers import SHOWN_WEIGHT, Group, Panel
from detectors.training.beginnings import ONLINE_OPTIONS, ONLINE_SEEDS
from detectors.training.panel import (
    LEVELS,
    NEAR,
    NEAR_OPTIONS,
    SEEDS,
    START_OPTIONS,
    STEADY_OPTIONS,
    Seen,
    fitted,
)
from detectors.training.validation import (
    Held,
    Line,
    OutOfFold,
    as_document,
    as_table,
    balanced_accuracy,
    detections,
    held_out,
    line,
    method_line,
    out_of_fold,
    people,
)
from detectors.training.waiting import (
    Waiting,
    as_waiting_document,
    as_waiting_table,
    method_waiting,
    own_lines,
)

Said = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Validated:
    """One way to hold systems out: what a person reads, and what the card keeps.

    online: the table of what reading online costs. lines: of `plateau` and the constant.
    """

    text: str
    online: str
    document: dict[str, Any]
    lines: tuple[Line, ...]


class Training:
    """One panel and one seed: the same two always give the same weights."""

    def __init__(self, panel: Panel, seed: int, *, progress: Said = str) -> None:
        self.panel, self.seed, self.progress = panel, seed, progress

    @cached_property
    def seen(self) -> Seen:
        return Seen.of(self.panel, lambda done: self.progress(f"features of series {done}"))

    @cached_property
    def held(self) -> list[Held]:
        """The models that each have not seen some groups: those of folding 0."""
        return list(held_out(self.seen, seed=self.seed, progress=self._fold_of(0)))

    def models(self) -> PanelModels:
        """The model of all series, and those that have not seen some."""
        self.progress("fitting on every series")
        seen = self.seen
        whole = fitted(seen, sorted({*seen.groups, *seen.shown_groups}), self.seed)
        groups = {name: place for place, each in enumerate(self.held) for name in each.groups}
        known = [(each.values, each.group) for each in seen.panel.marked]
        known += [(each.values, each.group) for each in seen.panel.shown]
        series = {fingerprint(values): groups[group] for values, group in known}
        sketches = {fingerprint(values): sketch(values) for values, _ in known}
        blind = tuple(each.model for each in self.held)
        return PanelModels(whole, blind, groups, series, tuple(sketches.values()))

    def _fold_of(self, order: int) -> Callable[[int], object]:
        return lambda done: self.progress(f"folding {order}, fold {done}")

    def card(self, source: str) -> dict[str, Any]:
        """What the weights were fitted on and how; no date, so that equal input is equal bytes."""
        seen = self.seen
        return {
            "fitted_on": source,
            "marked_series": len(seen.panel.marked),
            "shown_series": len(seen.panel.shown),
            f"{seen.panel.group}s": len({*seen.groups, *seen.shown_groups}),
            "values_sha256": self.digest(),
            "seed": self.seed,
            "forests": {"starts": 2 * SEEDS, "near": SEEDS, "online": ONLINE_SEEDS},
            "options": {
                "starts": START_OPTIONS,
                "near": NEAR_OPTIONS,
                "steady": STEADY_OPTIONS,
                "online": ONLINE_OPTIONS,
            },
            "nearness_is_1_over_e_after": NEAR,
            "weight_of_single_marks": SHOWN_WEIGHT,
            "interval": list(LEVELS),
            "cross_validation": [],
        }

    def digest(self) -> str:
        """SHA-256 of all values, answers and labels."""
        digest = hashlib.sha256()
        for marked in self.panel.marked:
            digest.update(marked.values.tobytes() + str(marked.start).encode())
        for shown in self.panel.shown:
            digest.update(shown.values.tobytes() + repr((shown.marks, shown.steady)).encode())
        return digest.hexdigest()

    def validated(self, order: int, beside: Sequence[Detector]) -> Validated:
        """Out-of-fold figures beside other methods and people on the same series."""
        self.progress(f"folding {order}")
        parts = self.held if order == 0 else self._shuffled(order)
        found = out_of_fold(self.seen, parts)
        own, waits = self._own(found), list(own_lines(self.seen, found))
        others, other_waits = self._others(beside, found)
        pairs = people(self.seen, found.answers)
        inside = float(found.inside.mean())
        table = as_table([*own, *others])
        return Validated(
            _heading(order, self.panel.group) + table + _interval(inside) + _people(pairs),
            as_waiting_table([*waits, *other_waits]),
            {
                "order": order,
                "methods": [as_document(each) for each in own],
                "inside_80": round(inside, 3),
                "online": [as_waiting_document(each) for each in waits],
            },
            tuple(own),
        )

    def _shuffled(self, order: int) -> Iterator[Held]:
        progress = self._fold_of(order)
        return held_out(self.seen, seed=self.seed, order=order, progress=progress)

    def _own(self, found: OutOfFold) -> list[Line]:
        seen = self.seen
        known = seen.labelled & ~np.isnan(found.chance)
        balanced = None
        if known.any():
            balanced = balanced_accuracy(found.chance[known] > 0.5, seen.steady[known])
        return [
            line(seen, "**plateau**", found.answers, balanced=balanced),
            line(seen, "plateau, not moved to a step", found.plain),
            line(seen, "constant: median of the training folds", found.constant),
        ]

    def _others(
        self, beside: Sequence[Detector], found: OutOfFold
    ) -> tuple[list[Line], list[Waiting]]:
        """Other methods on the same series, the best first; of online ones their waiting, too."""
        lines: list[Line] = []
        waits: list[Waiting] = []
        for each in beside:
            self.progress(each.title)
            answers = detections(self.seen, each)
            if all(answer is None for answer in answers):
                continue  # it needs what an array does not hold
            lines.append(method_line(self.seen, each, answers, found.constant))
            if isinstance(each, OnlineDetector):
                wait = method_waiting(self.seen, each.title, answers)
                waits += [wait] if wait else []
        return (
            sorted(lines, key=lambda each: each.mean),
            sorted(waits, key=lambda each: each.deviation[1]),
        )


def summary(foldings: Sequence[Validated]) -> str:
    """The same figures, averaged over ways to hold systems out; nothing for a single one."""
    if len(foldings) < 2:
        return ""
    head = (
        f"\nMeans over {len(foldings)} foldings, least and greatest in brackets:\n\n"
        "| method | mean error | median | clustered | scattered | ≤15 | ≤50 | ≤100 | ≤250 "
        "| balanced accuracy |\n" + "|---" * 10 + "|\n"
    )
    return head + "".join(
        _averaged([each.lines[row] for each in foldings]) for row in range(len(foldings[0].lines))
    )


def _averaged(lines: Sequence[Line]) -> str:
    errors = (
        _ranged([getattr(each, name) for each in lines], 0)
        for name in ("mean", "median", "clustered", "scattered")
    )
    within = (_ranged([*shares], 3) for shares in zip(*(x.within for x in lines), strict=True))
    known = [each.balanced for each in lines if each.balanced is not None]
    balanced = _ranged(known, 3) if known else ""
    return f"| {lines[0].name} | {' | '.join([*errors, *within])} | {balanced} |\n"


def _ranged(found: Sequence[float], digits: int) -> str:
    mean = sum(found) / len(found)
    return f"{mean:.{digits}f} [{min(found):.{digits}f}, {max(found):.{digits}f}]"


def _heading(order: int, group: Group) -> str:
    kept = "in order of size" if order == 0 else f"shuffled with seed {order}"
    return (
        f"\nFolding {order}: {group}s {kept}; every series is answered by a model that has not "
        f"seen its {group}.\nErrors in iterations against the panel's answer; a method's "
        '"never" is given the constant.\n\n'
    )


def _interval(inside: float) -> str:
    return f"\nThe 80 % interval holds the panel's answer in {100 * inside:.1f} % of the series.\n"


def _people(pairs: Sequence[tuple[Line, Line]]) -> str:
    """Each person and plateau against the median of the other people's marks."""
    if not pairs:
        return ""
    head = (
        "\nAgainst the median of the other people's marks:\n\n"
        "| person | series | their mean error [95 %] | their median | plateau's mean [95 %] "
        "| plateau's median |\n|---|---|---|---|---|---|\n"
    )
    return head + "".join(_pair(theirs, ours) for theirs, ours in pairs)


def _pair(theirs: Line, ours: Line) -> str:
    return (
        f"| {theirs.name} | {theirs.n} | {theirs.mean:.0f} [{theirs.low:.0f}, {theirs.high:.0f}] "
        f"| {theirs.median:.0f} | {ours.mean:.0f} [{ours.low:.0f}, {ours.high:.0f}] "
        f"| {ours.median:.0f} |\n"
    )
