"""Parses formulas into trees of many node classes, simplifies them and works them out."""

from __future__ import annotations

import re
from collections.abc import Callable

from demo.workloads.pypy.dice import Dice

TOKEN = re.compile(r"\d+|[a-z]+|.")


class Node:
    def value_at(self, x: float) -> float:
        raise NotImplementedError

    def simplified(self) -> Node:
        return self


class Constant(Node):
    def __init__(self, value: float) -> None:
        self.value = value

    def value_at(self, x: float) -> float:
        return self.value


class Variable(Node):
    def value_at(self, x: float) -> float:
        return x


class Pair(Node):
    def __init__(self, left: Node, right: Node) -> None:
        self.left = left
        self.right = right

    def simplified(self) -> Node:
        left, right = self.left.simplified(), self.right.simplified()
        same = type(self)(left, right)
        if isinstance(left, Constant) and isinstance(right, Constant):
            return Constant(same.value_at(0))
        return same


class Sum(Pair):
    def value_at(self, x: float) -> float:
        return self.left.value_at(x) + self.right.value_at(x)


class Difference(Pair):
    def value_at(self, x: float) -> float:
        return self.left.value_at(x) - self.right.value_at(x)


class Product(Pair):
    def value_at(self, x: float) -> float:
        return self.left.value_at(x) * self.right.value_at(x)


class Largest(Pair):
    def value_at(self, x: float) -> float:
        return max(self.left.value_at(x), self.right.value_at(x))


class Parser:
    def __init__(self, text: str) -> None:
        self.tokens = [*TOKEN.findall(text), ""]
        self.place = 0

    def eat(self, token: str) -> bool:
        is_next = self.tokens[self.place] == token
        self.place += is_next
        return is_next

    def sum(self) -> Node:
        node = self.product()
        while True:
            if self.eat("+"):
                node = Sum(node, self.product())
            elif self.eat("-"):
                node = Difference(node, self.product())
            else:
                return node

    def product(self) -> Node:
        node = self.factor()
        while self.eat("*"):
            node = Product(node, self.factor())
        return node

    def factor(self) -> Node:
        if self.eat("x"):
            return Variable()
        if self.eat("max"):
            self.eat("(")
            left = self.sum()
            self.eat(",")
            node: Node = Largest(left, self.sum())
        elif self.eat("("):
            node = self.sum()
        else:
            self.place += 1
            return Constant(float(self.tokens[self.place - 1]))
        self.eat(")")
        return node


def written(dice: Dice, depth: int) -> str:
    if depth == 0 or dice.below(6) == 0:
        return "x" if dice.below(3) == 0 else str(dice.below(100))
    left, right = written(dice, depth - 1), written(dice, depth - 1)
    return [f"({left}-{right})", f"{left}*{right}", f"max({left},{right})", f"{left}+{right}"][
        dice.below(4)
    ]


def make(formulas: int) -> Callable[[int], int]:
    dice = Dice(5)
    texts = [written(dice, 4) for _ in range(formulas)]

    def run(i: int) -> int:
        return int(sum(Parser(text).sum().simplified().value_at(i % 8) % 1000 for text in texts))

    return run
