"""Files that `make mutants` changes, and the narrow tests that must notice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True)
class MutantSubject:
    """One file, and the tests that cover it: the first are the quickest."""

    area: str
    path: str
    tests: tuple[str, ...]

    @property
    def module(self) -> str:
        return self.path.removesuffix(".py").replace("/", ".")

    @property
    def settings(self) -> Mapping[str, str]:
        """Kernels run as they are written: no mutant waits for its compilation."""
        return {"NUMBA_DISABLE_JIT": "1"} if self.area == "kernels" else {}


KERNELS: Final = "tests/detectors/kernels"
OF_DETECTORS: Final = "tests/detectors"
STATISTICS: Final = "tests/analysis/statistics"
KERNEL_TESTS: Final = MappingProxyType(
    {
        "durations": (f"{OF_DETECTORS}/rules/harnesses/test_configured.py",),
        "ed_pelt": (f"{KERNELS}/test_pelt.py",),
        "level_pieces": (f"{KERNELS}/test_place_features.py",),
        "smoothing": (f"{KERNELS}/test_process_industry.py",),
        "windows": (f"{KERNELS}/test_barrett.py",),
    }
)
RECIPES: Final = "tests/annotate/recipes"
RECIPE_TESTS: Final = MappingProxyType(
    {
        "reliability": (f"{RECIPES}/test_reliability.py",),
        "resampling": (f"{RECIPES}/test_resampling.py",),
        "vectorised": (f"{RECIPES}/test_vectorised.py",),
    }
)
"""The other recipes have the tests of all."""
OF_ALL_RECIPES: Final = tuple(
    f"{RECIPES}/test_{name}.py" for name in ("jagt", "explain", "guide", "properties", "vectorised")
)
STATISTICS_TESTS: Final = MappingProxyType(
    {
        "answers": (
            f"{STATISTICS}/test_paired_differences.py",
            f"{STATISTICS}/test_result_quality.py",
        ),
        "breakdown": (f"{STATISTICS}/test_comparison.py",),
        "best_constant": (f"{STATISTICS}/test_yardsticks.py",),
        "machine_plan": (f"{STATISTICS}/test_variance_components.py",),
        "people_consensus": (f"{STATISTICS}/test_yardsticks.py",),
        "scipy_rank_tests": (f"{STATISTICS}/test_multiple_comparisons.py",),
        "signed_ranks": (f"{STATISTICS}/test_multiple_comparisons.py",),
        "leaderboard_figures": (
            f"{STATISTICS}/test_comparison.py",
            f"{STATISTICS}/test_paired_bootstrap.py",
        ),
        "verdicts": (f"{STATISTICS}/test_comparison.py", f"{STATISTICS}/test_guide.py"),
    }
)
NO_ARITHMETIC: Final = ("__init__", "jit")  # of packages; `jit` compiles
PLAN_TESTS: Final = (
    "tests/detectors/planning/test_benchmark_plan.py",
    "tests/analysis/planner/test_plan_page.py",
)
FURTHER: Final = (
    MutantSubject("blindness", "annotate/blind.py", ("tests/annotate/test_blind.py",)),
    MutantSubject(
        "blindness", "annotate/attention_checks.py", ("tests/annotate/test_attention_checks.py",)
    ),
    MutantSubject(
        "blindness",
        "annotate/answering/reannotation.py",
        ("tests/annotate/answering/test_reannotation.py",),
    ),
    MutantSubject("access", "people/access.py", ("tests/people/test_study_access.py",)),
    MutantSubject(
        "access", "annotate/access.py", ("tests/annotate/campaigns/test_campaign_access.py",)
    ),
    MutantSubject("access", "people/throttle.py", ("tests/people/test_throttle.py",)),
    MutantSubject("access", "people/mail_address.py", ("tests/people/test_mail_address.py",)),
    MutantSubject("access", "people/mail_proof.py", ("tests/people/test_mail_proof.py",)),
    MutantSubject("planner", "detectors/planning/benchmark_plan.py", PLAN_TESTS),
    MutantSubject("planner", "detectors/planning/plan_rows.py", PLAN_TESTS),
    MutantSubject("planner", "detectors/planning/plan_words.py", PLAN_TESTS),
    MutantSubject("planner", "analysis/planner/reads.py", PLAN_TESTS[1:]),
    MutantSubject("planner", "analysis/planner/grid.py", PLAN_TESTS[1:]),
    MutantSubject(
        "columns",
        "annotate/truth/exports.py",
        ("tests/annotate/truth/test_exports.py", "tests/test_dataset_columns.py"),
    ),
    MutantSubject(
        "columns",
        "series/values/exports.py",
        ("tests/series/values/test_exports.py", "tests/test_dataset_columns.py"),
    ),
    MutantSubject(
        "columns",
        "analysis/runs/exports.py",
        ("tests/analysis/runs/test_commands.py", "tests/analysis/test_files.py"),
    ),
    MutantSubject(
        "columns",
        "analysis/cost/exports.py",
        ("tests/analysis/cost/test_exports.py", "tests/analysis/cost/test_cost.py"),
    ),
    MutantSubject("columns", "analysis/harness/exports.py", ("tests/analysis/harness",)),
    MutantSubject(
        "columns",
        "analysis/comparison/exports.py",
        ("tests/analysis/comparison/test_exports.py", "tests/analysis/comparison/test_figures.py"),
    ),
    MutantSubject(
        "columns",
        "analysis/trend/exports.py",
        (
            "tests/analysis/trend/test_ci_reports.py",
            "tests/analysis/trend/test_builds.py",
            "tests/analysis/trend/test_pages.py",
        ),
    ),
    MutantSubject(
        "columns", "detectors/detection_rows.py", ("tests/detectors/test_detection_rows.py",)
    ),
)


def mutant_subjects() -> Iterator[MutantSubject]:
    yield from _package_subjects("kernels", "detectors/kernels", KERNELS, KERNEL_TESTS)
    for name in _modules("annotate/recipes"):
        tests = RECIPE_TESTS.get(name, OF_ALL_RECIPES)
        yield MutantSubject("recipes", f"annotate/recipes/{name}.py", tests)
    yield from _package_subjects("statistics", "analysis/statistics", STATISTICS, STATISTICS_TESTS)
    yield from FURTHER


def _package_subjects(
    area: str, package: str, tests: str, own_tests: Mapping[str, tuple[str, ...]]
) -> Iterator[MutantSubject]:
    """Subjects of `package`, each with the test file of its name where `own_tests` has no other."""
    for name in _modules(package):
        yield MutantSubject(
            area, f"{package}/{name}.py", own_tests.get(name, (f"{tests}/test_{name}.py",))
        )


def _modules(package: str) -> list[str]:
    names = sorted(path.stem for path in (ROOT / package).glob("*.py"))
    return [name for name in names if name not in NO_ARITHMETIC]
