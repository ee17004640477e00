"""Builds and drops binary trees beside one that lives on: work for the collector."""

from __future__ import annotations

from collections.abc import Callable


class Node:
    def __init__(self, left: Node | None, right: Node | None) -> None:
        self.left = left
        self.right = right


def grown(depth: int) -> Node:
    if depth == 0:
        return Node(None, None)
    return Node(grown(depth - 1), grown(depth - 1))


def counted(node: Node | None) -> int:
    return 0 if node is None else 1 + counted(node.left) + counted(node.right)


def make(depth: int, lasting: int, kept: int) -> Callable[[int], int]:
    long_lived = grown(lasting)
    recent: list[Node] = []

    def run(i: int) -> int:
        recent.append(grown(depth))
        if len(recent) > kept:
            del recent[: kept // 2]
        return counted(recent[-1]) + (long_lived.left is not None) + i % 2

    return run
