"""What PostgreSQL does in another way than SQLite: what it refuses, its rows, its own tools."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

from evidence.bench.processes import ROOT
from tests.every_case import EVERY_CASE
from tests.formats import hostile
from tests.sso.running import run_cases
from tests.stack.conftest import MIGRATED, SERIES, new_database
from tests.stack.installation import StackInstallation

FEW = "2 people, 2 series"


def test_nothing_hostile_is_a_fault(on_postgres: StackInstallation) -> None:
    """Files are pages and imports, tables sentences, NUL in requests 400; never a 500.

    In `make test` the files that SQLite does not get (tests/series/reading/test_file_readers.py).
    """
    names = [*hostile.MEASUREMENTS]
    chosen_names = names if EVERY_CASE else [*dict.fromkeys(("mark.json", *names[1::2]))]

    assert on_postgres.do("hostile_uploads", chosen_names) == {
        "files": len(chosen_names),
        "pages": {},
        "stored": 1,
        "faults": [],
        "nul": {},
        "tables": [],
    }


def test_a_backup_comes_back_whole_or_not_at_all(
    on_postgres: StackInstallation, tmp_path: Path
) -> None:
    outcome = on_postgres.do("back_up_and_restore", str(tmp_path))

    cut = tmp_path / "cut.backup"
    assert outcome["said"].startswith(f"{cut} was not restored, nothing is changed: ")
    assert "Traceback" not in outcome["said"]
    assert outcome["after the cut one"] == ["later", "stack"]
    assert outcome["after the whole one"] == ["stack"]
    series_before, series_after = outcome["series"]
    assert series_before == series_after >= SERIES


FORKS = (
    "tests/analysis/series_page/test_fork_chart.py"
    "::test_methods_stand_beside_the_truth_for_each_fork_and_for_all"
)
BACK_AND_GONE = ("test_restoring_brings_back_every_row", "test_purging_leaves_nothing_of_it")
TRAINED = (
    "test_what_a_dead_worker_left_is_fitted_again_and_nothing_twice",
    "test_removed_weights_are_not_available_any_more",
)
ALARMS = (
    "test_a_regression_is_new_until_somebody_says_otherwise",
    "test_all_that_was_said_is_kept_and_shown_the_last_word_first",
    "test_an_owner_sets_it_on_the_page",
)
HEAD = "test_they_are_the_head_of_everybodys_queue_each_in_an_own_order"
SURE = (
    f"least_sure/test_least_sure.py::{HEAD}",
    "series_page/test_list_columns.py::test_the_widest_interval_is_first_and_says_so",
)
SUMMED = "test_whatever_changes_the_trend_is_what_the_series_say"
ANSWERED = (
    "test_a_part_of_the_corpus_is_a_data_set_with_its_answers_as_a_yardstick",
    "test_twice_is_once",
    "test_a_row_that_fits_no_series_is_refused_and_nothing_is_known",
)
UPLOADED = (
    "test_an_archive_is_shown_and_then_is_the_same_study",
    "test_a_fault_while_importing_stores_nothing_and_says_so",
)
EARLIER_UNDO_TEST = "::test_an_earlier_undo_brings_no_link_back_beside_its_renewal"
UNDO_TESTS = "tests/test_undo.py" + ("" if EVERY_CASE else EARLIER_UNDO_TEST)
TAKEN_ONCE_TEST = "test_of_workers_that_wait_for_the_row_of_a_unit_none_holds_it_too"
# Others of the list send PostgreSQL the same statements: what differs here is Python's.
ALIKE = (
    *("s3", "[second]", "[late]"),
    *("[0-0-0-0]", "[2-1-1-0]", "[5-2-2-1]", "[8-5-2-1]"),
    *("a_draw_is_repeated", "a_draw_by_shape", "a_draw_takes_each_shape"),
)


def test_every_page_and_command_of_few_people(postgres: str, tmp_path: Path) -> None:
    """Of the walk of `tests/test_few.py`, whose tests are else on SQLite, the fullest state.

    And that everything removed comes back, or goes: some of it is SQL of our own; that notices are
    sent, tried again and told once; that no line of the audit log can be changed; that a training's
    models are kept and found; that values lie and move where they should; that shapes, composition
    and forks are counted, shown and written; that alarms keep what was said of them; that known
    answers come from a file; that the least sure series come first; that an uploaded archive is
    imported once or not at all; and that one worker holds a unit.
    """
    tests = [
        f"tests/test_few.py::{walk}[{FEW}]" for walk in ("test_every_page", "test_every_command")
    ]
    tests += [f"tests/analysis/removal/test_removal.py::{test_name}" for test_name in BACK_AND_GONE]
    tests += ["tests/people/test_notices.py", "tests/series/values/test_values_store.py"]
    tests += [
        "tests/people/test_among_lookup.py",
        "tests/people/test_audit.py",
        "tests/people/test_accounts.py",
    ]
    tests += [f"tests/analysis/training/test_job.py::{test_name}" for test_name in TRAINED]
    tests += ["tests/analysis/composition/test_shapes_shown.py", FORKS]
    tests += [f"tests/analysis/trend/test_alarms.py::{test_name}" for test_name in ALARMS]
    tests += [f"tests/analysis/trend/test_recording_results.py::{SUMMED}"]
    tests += [f"tests/analysis/{test_name}" for test_name in SURE]
    tests += [
        f"tests/series/importing/test_known_answers.py::{test_name}" for test_name in ANSWERED
    ]
    tests += [f"tests/analysis/archive/test_uploading.py::{test_name}" for test_name in UPLOADED]
    tests += ["tests/api/test_hostile.py", "tests/people/test_at_once.py", UNDO_TESTS]
    tests += [f"tests/analysis/work/test_services.py::{TAKEN_ONCE_TEST}"]
    report_path = tmp_path / "report.xml"
    options = ["-q", f"--junit-xml={report_path}", "-k", f"not ({' or '.join(ALIKE)})"]
    command = [sys.executable, "-m", "pytest", *options, *tests]
    environment = os.environ | {"DATABASE_URL": postgres, "PLATEAU_TEST_TEMPLATE": MIGRATED}
    process = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )

    assert process.returncode == 0, process.stdout[-4000:]
    report_tree = ET.parse(report_path)  # noqa: S314  # our own file
    assert report_tree.findall(".//skipped") == []
    assert {case.get("classname") for case in report_tree.iter("testcase")} == {
        test.partition(".py")[0].replace("/", ".") for test in tests
    }


def test_a_provider_signs_in_whom_it_should_and_nobody_else(postgres: str) -> None:
    """PostgreSQL folds letters in another way than SQLite, and refuses texts that SQLite stores."""
    cases = [ROOT / "tests/sso/provider_cases.py"]
    expression = "" if EVERY_CASE else "alike or stored or linked or another_account or ends_links"

    run_cases(cases, expression, PLATEAU_OIDC_ISSUER="http://localhost:9", DATABASE_URL=postgres)


MOVED = """
from django.core.management import CommandError, call_command
call_command("move", "--to", {there!r})
for to in ({there!r}, {here!r}):
    try:
        call_command("move", "--to", to)
    except CommandError as refused:
        print(refused)
call_command("ground_truth", "startup-times/first-look", "--output", {truth!r})
"""
THERE = """
from django.core.management import call_command
from people.models import Study
call_command("ground_truth", "startup-times/first-look", "--output", {truth!r})
print(Study.objects.create(slug="new", name="New").pk)
"""


def test_everything_in_sqlite_moves_and_is_equal(
    postgres: str, older_study: Path, tmp_path: Path
) -> None:
    """A stored data folder; new rows are numbered after those that were moved."""
    file = tmp_path / "plateau.sqlite3"
    shutil.copy(older_study, file)
    database_url = new_database(postgres, "moved", template="template1")
    truths = [tmp_path / "here.csv", tmp_path / "there.csv"]

    def printed_output(program: str, **settings: str) -> str:
        environment = {"PLATEAU_DATA": str(tmp_path), "PLATEAU_MODE": "development", **settings}
        command = [sys.executable, "manage.py", "shell", "--no-imports", "-c", program]
        process = subprocess.run(
            command,
            cwd=ROOT,
            env=os.environ | environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert process.returncode == 0, process.stderr
        return process.stdout

    move_code = MOVED.format(there=database_url, here=f"sqlite:///{file}", truth=str(truths[0]))
    output = printed_output(move_code, DATABASE_URL="")
    study_output = printed_output(THERE.format(truth=str(truths[1])), DATABASE_URL=database_url)

    assert "are there, and are equal" in output
    assert "series_seriesvalues: 6" in output
    assert "expected an empty database" in output
    assert "of this installation itself" in output
    assert truths[0].read_bytes() == truths[1].read_bytes() != b""
    assert study_output.split()[-1] == "2"
