"""Changes of one place of one file, as a person makes them by mistake, and samples of them."""

from __future__ import annotations

import ast
import difflib
import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, pairwise, zip_longest
from typing import Any, Final

from cosmic_ray.ast import get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator
from cosmic_ray.plugins import get_operator

from scripts.mutant_subjects import ROOT, MutantSubject

# Neighbours of each operator: what a person writes by mistake. `is` for `==` and shifts for sums
# are not mistakes that anybody makes, and would be most of all mutants.
OPERATORS: Final = (
    *(
        f"core/ReplaceComparisonOperator_{pair}"
        for pair in ("Lt_LtE", "LtE_Lt", "Gt_GtE", "GtE_Gt")
    ),
    *(
        f"core/ReplaceComparisonOperator_{pair}"
        for pair in ("Lt_GtE", "LtE_Gt", "Gt_LtE", "GtE_Lt")
    ),
    *(f"core/ReplaceComparisonOperator_{pair}" for pair in ("Eq_NotEq", "NotEq_Eq")),
    *(f"core/ReplaceComparisonOperator_{pair}" for pair in ("Is_IsNot", "IsNot_Is")),
    *(
        f"core/ReplaceBinaryOperator_{pair}"
        for pair in ("Add_Sub", "Sub_Add", "Mul_Div", "Div_Mul")
    ),
    *(f"core/ReplaceBinaryOperator_{pair}" for pair in ("FloorDiv_Mul", "Mod_Mul", "Pow_Mul")),
    *(f"core/ReplaceBinaryOperator_{pair}" for pair in ("BitAnd_BitOr", "BitOr_BitAnd")),
    *("core/ReplaceUnaryOperator_Delete_USub", "core/ReplaceUnaryOperator_Delete_Not"),
    *("core/ReplaceUnaryOperator_Delete_Invert", "core/AddNot", "core/NumberReplacer"),
    *("core/ReplaceTrueWithFalse", "core/ReplaceFalseWithTrue"),
    *("core/ReplaceAndWithOr", "core/ReplaceOrWithAnd"),
    *("core/ReplaceBreakWithContinue", "core/ReplaceContinueWithBreak"),
    *("core/ExceptionReplacer", "core/ZeroIterationForLoop"),
)
CONDITIONS: Final = ("filter", "exclude")
# Keywords of a class, a cache and `zip` that guard or save, and change no answer.
GUARDS: Final = ("eq", "frozen", "slots", "maxsize", "strict")


class QueryConditionRemover(Operator):
    """Removes `.filter(…)` or `.exclude(…)`: rows are read that were not meant."""

    def mutation_positions(self, node: Any) -> Iterator[Any]:
        # All before the first is used: `mutate` removes children while Cosmic Ray still counts.
        children = node.children if self._calls(node) else ()
        return iter(
            [
                (children[child_index].start_pos, children[child_index + 1].end_pos)
                for child_index in self._calls(node)
            ]
        )

    def mutate(self, node: Any, index: int) -> Any:
        first = self._calls(node)[index]
        del node.children[first : first + 2]
        return node

    @classmethod
    def examples(cls) -> tuple[()]:
        return ()

    @staticmethod
    def _calls(node: Any) -> list[int]:
        """Places among the children at which a condition's name stands before its brackets."""
        if node.type not in {"atom_expr", "power"}:
            return []
        words = [child.get_code().strip() for child in node.children]
        return [
            child_index
            for child_index, (name, call) in enumerate(pairwise(words))
            if name.removeprefix(".") in CONDITIONS and name[0] == "." and call[0] == "("
        ]


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one file: the `occurrence`-th place at which the operator applies."""

    subject: MutantSubject
    operator: str
    occurrence: int
    line: int

    @property
    def text(self) -> str:
        """The line on which the change begins."""
        return (ROOT / self.subject.path).read_text("utf-8").splitlines()[self.line - 1]

    def source(self) -> str:
        code = (ROOT / self.subject.path).read_text("utf-8")
        return str(mutate_code(code, operator_named(self.operator), self.occurrence))

    def change(self) -> str:
        """Changed lines, as a diff writes them."""
        lines_before = (ROOT / self.subject.path).read_text("utf-8").splitlines()
        lines = list(
            difflib.unified_diff(lines_before, self.source().splitlines(), n=0, lineterm="")
        )[2:]
        return "\n".join(line for line in lines if not line.startswith("@@"))


def operator_named(name: str) -> Any:
    return (
        QueryConditionRemover() if name == QueryConditionRemover.__name__ else get_operator(name)()
    )


def mutants_of(subject: MutantSubject) -> Iterator[Mutant]:
    """Every change of a file, less those that can change no answer."""
    code = (ROOT / subject.path).read_text("utf-8")
    syntax_nodes, unread_spans = list(nodes(get_ast(code))), list(annotation_ranges(code))
    for name in (*OPERATORS, QueryConditionRemover.__name__):
        operator = operator_named(name)
        node_positions = (
            (*position, node)
            for node in syntax_nodes
            for position in operator.mutation_positions(node)
        )
        for occurrence, (start, end, node) in enumerate(node_positions):
            if not is_star(node) and not any(
                first <= start and end <= last for first, last in unread_spans
            ):
                yield Mutant(subject, name, occurrence, start[0])


def nodes(node: Any) -> Iterator[Any]:
    """A tree in the order in which Cosmic Ray walks it."""
    yield node
    for child in getattr(node, "children", ()):
        yield from nodes(child)


def is_star(node: Any) -> bool:
    """True if `node` is the `*` of a signature or a call, which multiplies nothing."""
    star = node.type == "operator" and node.value in {"*", "**"}
    return star and node.parent.type not in {"term", "power"}


def annotation_ranges(code: str) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """(line, column) of the beginning and end of every annotation and guard."""
    for node in ast.walk(ast.parse(code)):
        parts = [getattr(node, name, None) for name in ("annotation", "returns")]
        if isinstance(node, ast.keyword) and node.arg in GUARDS:
            parts.append(node.value)
        for unread_part in parts:
            if (
                isinstance(unread_part, ast.expr)
                and unread_part.end_lineno
                and unread_part.end_col_offset
            ):
                yield (
                    (unread_part.lineno, unread_part.col_offset),
                    (unread_part.end_lineno, unread_part.end_col_offset),
                )


def mutant_sample(areas: dict[str, list[Mutant]], count: int, seed: int) -> list[Mutant]:
    """Mutants of every area in turn: a shorter sample is the beginning of a longer one."""
    generator = random.Random(seed)  # noqa: S311  # no secret
    for mutants in areas.values():
        generator.shuffle(mutants)
    turns = chain.from_iterable(zip_longest(*areas.values()))
    return [mutant for mutant in turns if mutant is not None][:count]
