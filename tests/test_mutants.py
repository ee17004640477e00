"""Mutants: places that are changed, their order, and the tests that must notice."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest
from cosmic_ray.mutating import mutate_code

from scripts.mutant_changes import (
    Mutant,
    QueryConditionRemover,
    annotation_ranges,
    mutant_sample,
    mutants_of,
)
from scripts.mutant_processes import changed_functions, loaded_functions
from scripts.mutant_subjects import ROOT, MutantSubject, mutant_subjects

QUERY = "rows = Series.objects.filter(n=3).exclude(n=4).order_by(filter)\n"


def mutant(area: str, number: int) -> Mutant:
    return Mutant(MutantSubject(area, "none.py", ()), "core/AddNot", number, number)


@pytest.mark.parametrize(
    ("occurrence", "changed"),
    [
        (0, "rows = Series.objects.exclude(n=4).order_by(filter)\n"),
        (1, "rows = Series.objects.filter(n=3).order_by(filter)\n"),
        (2, None),
    ],
)
def test_a_condition_of_a_query_is_removed(occurrence: int, changed: str | None) -> None:
    assert mutate_code(QUERY, QueryConditionRemover(), occurrence) == changed


def test_annotations_guards_and_stars_of_signatures_are_no_places(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("scripts.mutant_changes.ROOT", tmp_path)
    code = (
        "@lru_cache(maxsize=64)\n"
        "def share(part: int | None, *, of: Row[3]) -> A | B:\n"
        "    return part / of\n"
    )
    (tmp_path / "share.py").write_text(code, "utf-8")

    changes = [
        mutant_place.change() for mutant_place in mutants_of(MutantSubject("any", "share.py", ()))
    ]

    assert len(list(annotation_ranges(code))) == 4
    assert changes == ["-    return part / of\n+    return part * of"]


def test_a_short_sample_begins_a_long_one_and_takes_areas_in_turn() -> None:
    def areas() -> dict[str, list[Mutant]]:
        return {"few": [mutant("few", 0)], "many": [mutant("many", line) for line in range(9)]}

    long_sample, short_sample, other_sample = (
        mutant_sample(areas(), 10, 1),
        mutant_sample(areas(), 3, 1),
        mutant_sample(areas(), 10, 2),
    )

    assert [m.subject.area for m in short_sample] == ["few", "many", "many"]
    assert long_sample[:3] == short_sample
    assert sorted(m.line for m in long_sample) == [0, 0, *range(1, 9)]
    assert other_sample != long_sample


def test_every_file_has_narrow_tests_that_there_are() -> None:
    subjects = list(mutant_subjects())

    assert len({s.path for s in subjects}) == len(subjects)
    assert {s.area for s in subjects} >= {"kernels", "blindness", "access", "columns"}
    for subject in subjects:
        assert (ROOT / subject.path).is_file()
        assert subject.tests
        assert [test for test in subject.tests if not (ROOT / test).exists()] == []


def test_a_loaded_function_gets_its_changed_code_and_no_constant_does(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("scripts.mutant_changes.ROOT", tmp_path)
    monkeypatch.setattr("scripts.mutant_processes.ROOT", tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    code = (
        "HALF = 1 / 2\n"
        "class Share:\n"
        "    @staticmethod\n"
        "    def of(part):\n"
        "        return part / 4\n"
    )
    (tmp_path / "shares_of_parts.py").write_text(code, "utf-8")
    share = importlib.import_module("shares_of_parts").Share
    function_groups = [
        changed_functions(mutant, loaded_functions({"shares_of_parts.py"}))
        for mutant in mutants_of(MutantSubject("any", "shares_of_parts.py", ()))
        if mutant.operator == "core/ReplaceBinaryOperator_Div_Mul"
    ]

    assert [len(functions) for functions in function_groups] == [0, 1]
    share.of.__code__ = function_groups[1][share.of.__code__]
    assert share.of(3) == 12
