"""Mutants: which places are changed, in which order they are taken, and which tests must notice."""

from __future__ import annotations

from pathlib import Path

import pytest
from cosmic_ray.mutating import mutate_code

from scripts.mutant_subjects import ROOT, MutantSubject, mutant_subjects
from scripts.mutants import Mutant, QueryConditionRemover, annotation_ranges, mutants_of, sample

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


def test_annotations_and_stars_of_signatures_are_no_places(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("scripts.mutants.ROOT", tmp_path)
    code = "def share(part: int | None, *, of: Row[3]) -> A | B:\n    return part / of\n"
    (tmp_path / "share.py").write_text(code, "utf-8")

    changes = [one.change() for one in mutants_of(MutantSubject("any", "share.py", ()))]

    assert len(list(annotation_ranges(code))) == 3
    assert changes == ["-    return part / of\n+    return part * of"]


def test_a_short_sample_begins_a_long_one_and_takes_areas_in_turn() -> None:
    def areas() -> dict[str, list[Mutant]]:
        return {"few": [mutant("few", 0)], "many": [mutant("many", at) for at in range(9)]}

    long, short, other = sample(areas(), 10, 1), sample(areas(), 3, 1), sample(areas(), 10, 2)

    assert [one.subject.area for one in short] == ["few", "many", "many"]
    assert long[:3] == short
    assert sorted(one.line for one in long) == [0, 0, *range(1, 9)]
    assert other != long


def test_every_file_has_narrow_tests_that_there_are() -> None:
    subjects = list(mutant_subjects())

    assert len({one.path for one in subjects}) == len(subjects)
    assert {one.area for one in subjects} >= {"kernels", "blindness", "access", "columns"}
    for subject in subjects:
        assert (ROOT / subject.path).is_file()
        assert subject.tests
        assert [test for test in subject.tests if not (ROOT / test).exists()] == []
