"""Published answers of a method as a CSV file that `manage.py import_detections` reads.

    python -m evidence.replication.published_answers [FOLDER] [--method cp_ssd] > answers.csv

One row a fork of a benchmark. The column `published_index` is what the publication printed, -1
where it printed that the fork never becomes steady; the column `answer` says so, too, because
`import_detections` does not guess what -1 means in a file that counts warm-up iterations.
"""

from __future__ import annotations

import csv
import sys
from argparse import Namespace
from collections.abc import Iterator
from typing import Final

from analysis.statistics.answers import NEVER
from evidence.replication.published_files import option, study_command
from evidence.replication.published_study import ANSWERED, PublishedStudy

COLUMNS: Final = ("system", "benchmark", "params", "fork", "published_index", "answer")


def published_answer_rows(study: PublishedStudy, method: str) -> Iterator[tuple[str | int, ...]]:
    """Iterate over the rows of the file, by benchmark and fork."""
    for published_benchmark in study.benchmarks:
        system, benchmark, params = published_benchmark.name.split("#", 2)
        for fork, index in enumerate(published_benchmark.answers.get(method, ())):
            yield system, benchmark, params, fork, index, "never" if index == NEVER else "steady"


def write_answers(study: PublishedStudy, options: Namespace) -> int:
    """Print the file; status 1 where the folder holds no answer of this method."""
    answers = list(published_answer_rows(study, options.method))
    if not answers:
        print(f"{study.folder}: found no answers of {options.method}", file=sys.stderr)
        return 1
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(answers)
    return 0


main = study_command(write_answers, option("--method", choices=ANSWERED, default="cp_ssd"))

if __name__ == "__main__":
    sys.exit(main())
