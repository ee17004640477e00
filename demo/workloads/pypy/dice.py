"""Repeatable numbers: the same in every fork, so that forks do the same work."""

from __future__ import annotations


class Dice:
    def __init__(self, seed: int) -> None:
        self.state = seed

    def below(self, bound: int) -> int:
        """A whole number in [0, bound)."""
        self.state = (self.state * 1_103_515_245 + 12_345) & 0x7FFFFFFF
        return (self.state >> 8) % bound
