"""What a training is asked for, by a form or a program."""

from __future__ import annotations

from dataclasses import dataclass


class CannotTrain(ValueError):
    """It cannot be trained so; the sentence says why, `where` which field."""

    def __init__(self, sentence: str, where: str = "") -> None:
        super().__init__(sentence)
        self.where = where


@dataclass(frozen=True, slots=True)
class TrainingQuery:
    """yardstick: its code. size: benchmarks to learn from, None for all. unseen: what a fold is."""

    yardstick: str
    model: str
    window: int
    size: int | None
    seeds: int
    unseen: str
    dataset: str = ""
    name: str = ""
