"""Which file to open for which task: `python -m docs.where_is [--check]`, part of `make docs`.

The page is written from `TASKS` and from the tree: a file that is not there, or that no longer
holds the name beside it, ends the command with status 1, so that the page cannot lead astray.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[1]
PAGE: Final = ROOT / "docs" / "design" / "where-is.md"


class DailyTask(NamedTuple):
    """What somebody wants to do, and the file with the name to search for in it."""

    wish: str
    file: str
    name: str


TASKS: Final[tuple[DailyTask, ...]] = tuple(
    DailyTask(*each)
    for each in (
        ("Change the default eps of JAGT's clusters", "annotate/recipes/jagt.py", '"eps"'),
        ("Change how DBSCAN is called", "annotate/recipes/clusters.py", "DBSCAN"),
        ("Add a recipe for ground truth", "annotate/recipes/registry.py", "RECIPES"),
        (
            "Change what every recipe does with never and unclear",
            "annotate/recipes/votes.py",
            "def judge",
        ),
        ("Store a mark", "annotate/services.py", "def save_mark"),
        ("Recompute ground truth", "annotate/services.py", "def refresh_ground_truths"),
        ("Add a column to the ground-truth CSV", "annotate/exports.py", "_BEFORE"),
        ("Find what a person may not see yet", "annotate/blind.py", "def open_series"),
        (
            "Change what an annotator reads when an answer is refused",
            "annotate/refusals.py",
            "class Refusal",
        ),
        (
            "Change the unannounced checks of annotators",
            "annotate/attention_checks.py",
            "def set_check_count",
        ),
        (
            "Change when a series is shown to annotators again",
            "annotate/reannotation.py",
            "def ask_again",
        ),
        ("Add a detector", "detectors/methods/fixed.py", "class Fixed"),
        ("Change the contract of detectors", "detectors/contract.py", "class Detector"),
        ("Change a compiled kernel", "detectors/kernels/cov.py", "def window_covs"),
        ("Change what is simulated", "detectors/synthetic.py", "def simulate"),
        ("Add a format of measurement files", "formats/registry.py", "READERS"),
        ("Change the words for a bad cell of a CSV", "formats/source.py", "class InputSource"),
        ("Bound what a file may hold", "formats/limits.py", "class ReadLimits"),
        (
            "Change how values are stored by an import",
            "series/services.py",
            "def import_measurements",
        ),
        ("Keep and remove uploaded files", "series/upload_storage.py", "def purge"),
        (
            "Change how a long series is down-sampled for a chart",
            "series/windows.py",
            "def bucket_figures",
        ),
        ("Change the y-range that is shown first", "detectors/ranges.py", "def robust_range"),
        ("Change what the chart draws first", "static/js/chart/stage.js", "class Stage"),
        ("Change a key of the keyboard", "static/js/shared/keys.js", "SCOPES"),
        ("Change when an unsent answer is sent again", "static/js/shared/sender.js", "outcomeOf"),
        ("Change the colour of a method", "static/css/symbols.css", ".slot-"),
        (
            "Change code, name and symbol of a method on charts",
            "analysis/methods/method_style.py",
            "class MethodStyle",
        ),
        ("Find why a detection timed out", "config/settings.py", "CELERY_TASK_SOFT_TIME_LIMIT"),
        (
            "Change what a worker does with a part of a run",
            "analysis/runs/detect_unit.py",
            "def compute",
        ),
        ("Change leases, sweeps and how often work is tried", "analysis/work/models.py", "TRIES"),
        ("Plan which detections a run computes", "analysis/runs/plan.py", "def plan_run"),
        (
            "Change what detections are compared with",
            "analysis/references/yardsticks.py",
            "def yardsticks",
        ),
        (
            "Add a setting to the comparison",
            "analysis/comparison/query.py",
            "class ComparisonQuery",
        ),
        ("Add a figure to the leaderboard", "analysis/statistics/rows.py", "FIGURES"),
        (
            "Change the list of series behind a figure",
            "analysis/comparison/drilldown.py",
            "def drilldown_of",
        ),
        ("Change the order of the leaderboard", "analysis/comparison/table.py", "DEFAULT_SORT"),
        ("Change a test of two methods", "analysis/statistics/paired_tests.py", "def wilcoxon"),
        ("Change what a method would cost", "analysis/cost/table.py", "def comparison_costs"),
        ("Add the warm-up rule of a harness", "analysis/harness/rules.py", "HARNESSES"),
        (
            "Change what review asks people to look at",
            "analysis/review/reasons.py",
            "class ReviewReason",
        ),
        (
            "Change how the interval of a steady mean is computed",
            "detectors/steady_interval.py",
            "def steady_interval",
        ),
        (
            "Change how a benchmark should be run",
            "detectors/benchmark_plan.py",
            "def benchmark_plan",
        ),
        (
            "Change when a benchmark counts as changed",
            "detectors/trend.py",
            "def trend_of",
        ),
        ("Change how long an invitation lives", "config/settings.py", "INVITATION_DAYS"),
        ("Deal the series of a campaign out to people", "annotate/assignments.py", "def assign"),
        (
            "Change kappa, AC1 or alpha of the agreement",
            "analysis/statistics/inter_rater_agreement.py",
            "def beyond_chance",
        ),
        ("Change who may see what", "people/access.py", "def study_for"),
        ("Change how often an address may ask", "people/throttle.py", "class Throttle"),
        ("Add a shape to the corpus of known answers", "corpus/levels.py", "LEVELS"),
        ("Change the health page", "analysis/site/health.py", "def health"),
        ("Write a line of the audit log", "people/audit.py", "def record"),
        ("Add a figure for Prometheus", "analysis/site/metrics.py", "class InstallationFigures"),
        ("Change what a line of the log holds", "config/logs.py", "def log_settings"),
        ("Change what a backup holds", "analysis/site/backup.py", "def restore"),
        ("Change what an archive holds", "analysis/archive/tables.py", "TABLES"),
    )
)
ROOM_NAMES: Final = (
    *("config", "analysis", "annotate", "series", "people", "detectors", "formats"),
    *("corpus", "bench", "oracles", "replication"),
)
HEAD: Final = """# Where is what?

Written by `python -m docs.where_is`, which also checks every line; do not edit it by hand.

## Tasks

| task | file | search for |
|---|---|---|
"""
PACKAGES: Final = """
## Packages of `analysis`

A package imports only those below it. Each has the same files where it needs them: `models` tables,
`query` what an address or a command asks for, `services` what writes, `reads` what reads rows,
`table` rows of a page, `exports` CSV and JSON, `views`, `urls`, `management/commands`.

| package | is |
|---|---|
"""
ROOMS: Final = """
## Rooms

| room | is |
|---|---|
"""


def wrong() -> list[str]:
    """A sentence for each task whose file or name is not there."""
    found = []
    for task in TASKS:
        path = ROOT / task.file
        if not path.is_file():
            found.append(f"{task.wish}: no file {task.file}")
        elif task.name not in path.read_text("utf-8"):
            found.append(f"{task.wish}: {task.file} does not hold {task.name!r}")
    return found


def page() -> str:
    tasks = "".join(f"| {task.wish} | `{task.file}` | `{task.name.strip()}` |\n" for task in TASKS)
    street = "".join(f"| `analysis/{name}` | {_is(f'analysis/{name}')} |\n" for name in _street())
    rooms = "".join(f"| `{name}` | {_is(name)} |\n" for name in ROOM_NAMES)
    return HEAD + tasks + PACKAGES + street + ROOMS + rooms


def _street() -> list[str]:
    """Packages of `analysis`, the highest first: the order that import-linter enforces."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    floors = next(each for each in contracts["contracts"] if each.get("containers") == ["analysis"])
    names = [name.strip() for floor in floors["layers"] for name in floor.split("|")]
    return [name for name in names if (ROOT / "analysis" / name / "__init__.py").is_file()]


def _is(folder: str) -> str:
    """The first line of the docstring of a package."""
    tree = ast.parse((ROOT / folder / "__init__.py").read_text("utf-8"))
    return (ast.get_docstring(tree) or "").partition("\n")[0]


def main() -> int:
    sentences = wrong()
    text = page()
    if "--check" in sys.argv and PAGE.read_text("utf-8") != text:
        sentences.append(f"{PAGE.name} is out of date: make docs")
    sys.stdout.write("".join(f"{each}\n" for each in sentences))
    if not sentences and "--check" not in sys.argv:
        PAGE.write_text(text, "utf-8")
    return 1 if sentences else 0


if __name__ == "__main__":
    sys.exit(main())
