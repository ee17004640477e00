"""`manage.py import_series STUDY/DATASET FILE…`: store measurement files in a data set."""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, get_args

from django.core.management.base import BaseCommand, CommandError
from django.utils.text import slugify

from formats import Format, FormatError, ReadOptions, measurement_files
from formats.columns import ROLES
from formats.companion_files import add_neighbour_options
from formats.encodings import Encoding
from formats.iterations import stated_settings
from formats.options import Role
from formats.registry import FORMATS
from formats.replication import enclosing_package, package_in, series_files
from people.models import Study, User
from people.named_owner import find_owner
from people.repeated_option import add_option
from people.services import create_study
from series.importing import services
from series.importing.import_plan import RecordingDetails, parse_moment
from series.importing.known_answers import read_answers, state_answers
from series.importing.services import SeriesImportResult
from series.models import Dataset
from series.reading import file_readers
from series.reading.file_readers import FileToRead
from series.reading.import_summary import first_notes


class Command(BaseCommand):
    requires_system_checks = ()  # nearly all are about pages, which an import does not load
    help = (
        "Store measurement files in a data set. Each file is stored whole or not at all; "
        "what is stored already is left as it is, so the command may be repeated."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dataset", metavar="STUDY/DATASET", help="slugs; made if missing")
        parser.add_argument("files", metavar="FILE", nargs="+", type=Path, help="file or folder")
        parser.add_argument("--format", choices=FORMATS, default="auto")
        parser.add_argument(
            "--iteration",
            metavar="LENGTH",
            default="",
            help="of an iteration, where the file does not say: 100 ms, or: one operation",
        )
        parser.add_argument(
            "--better",
            choices=("more", "less"),
            default="",
            help="which values are better, where nothing is known of their unit; default: less",
        )
        parser.add_argument(
            "--encoding",
            choices=get_args(Encoding),
            default="auto",
            help="of text files whose letters would be read wrongly; default: as detected",
        )
        parser.add_argument(
            "--unit", metavar="U", default="", help="of values whose file names none, such as ns/op"
        )
        parser.add_argument(
            "--value", metavar="COLUMN", default="", help="column of the values of a CSV file"
        )
        add_option(
            parser,
            "--column",
            "ROLE=COLUMN",
            f"another column of a CSV file; ROLE is one of {', '.join(ROLES[:-1])}; not named: as "
            "detected; ROLE= alone: none",
        )
        parser.add_argument(
            "--known-answers",
            metavar="FILE",
            type=Path,
            help="answers CSV of simulated series: a yardstick; the data set is made as simulated",
        )
        parser.add_argument("--recording", metavar="LABEL", default="")
        parser.add_argument("--build", metavar="B", default="", help="build or commit measured")
        parser.add_argument("--machine", metavar="TEXT", default="", help="such as its type")
        parser.add_argument("--instance", metavar="NAME", default="", help="which machine it was")
        parser.add_argument(
            "--pair",
            metavar="NAME",
            default="",
            help="duet: recordings of one name were measured side by side",
        )
        parser.add_argument("--measured-at", metavar="TIME", help="such as 2026-03-14T02:00Z")
        parser.add_argument("--dry-run", action="store_true", help="say what would be stored")
        parser.add_argument("--owner", metavar="NAME", help="owner of a study that is made")

    def handle(self, *args: Any, **options: Any) -> None:
        slugs = _slugs(options["dataset"])
        owner = find_owner(options["owner"]) if options["owner"] else None
        dry_run = options["dry_run"]
        answers_file: Path | None = options["known_answers"]
        stated_import = StatedImport(
            slugs,
            _occasion(options),
            options["format"],
            _read_options(options),
            owner,
            simulated=answers_file is not None,
        )
        try:
            answers = read_answers(answers_file) if answers_file else []
            files = list(self._files(options["files"], options["format"]))
            self._import_all(files, stated_import, is_dry_run=dry_run)
            if answers_file and not dry_run:
                count = state_answers(_dataset(slugs), answers, file=answers_file.name)
                self.stdout.write(f"{answers_file.name}: the answers of {count} series are known")
        except OSError as error:
            raise refusal(f"{error.filename or 'a file'}: {error.strerror or error}") from error
        except FormatError as error:
            raise refusal(_error_line(error)) from error

    def _import_all(
        self, files: Sequence[Labelled], stated_import: StatedImport, *, is_dry_run: bool
    ) -> None:
        """Import each file; of several, name the bad ones at the end, and leave with status 1."""
        import_results: list[SeriesImportResult] = []
        refusals: list[str] = []
        try:
            for path, progress_text, outcome in _outcomes(
                files, stated_import, is_dry_run=is_dry_run
            ):
                if isinstance(outcome, SeriesImportResult):
                    import_results.append(outcome)
                    self.stdout.write(f"{progress_text}{_sentence(outcome, dry_run=is_dry_run)}")
                    continue
                if len(files) == 1:
                    raise outcome
                refusals.append(path.name)
                self.stderr.write(f"{progress_text}{path}: refused: {_error_line(outcome)}")
        except KeyboardInterrupt:
            count = len(import_results) + len(refusals)
            raise CommandError(
                _break_sentence(import_results, files, count, is_dry_run=is_dry_run), returncode=130
            ) from None
        self._tell_notes(import_results)
        if len(files) > 1:
            self.stdout.write(f"{_total(import_results, dry_run=is_dry_run)}.")
        if refusals:
            raise CommandError(_refused_files(refusals, len(files)), returncode=1)

    def _tell_notes(self, import_results: Sequence[SeriesImportResult]) -> None:
        """Print each note once, with its file, or with the number of files that it is about."""
        files_by_note: dict[str, list[str]] = {}
        counts: Counter[str] = Counter()
        for import_result in import_results:
            for note, count in import_result.notes:
                files_by_note.setdefault(note, []).append(import_result.file)
                counts[note] += count
        files_words = f"{len(import_results)} files"
        for note, count in first_notes({note: counts[note] for note in files_by_note}):
            names = files_by_note.get(note, [])
            place = names[0] if len(names) == 1 else f"{len(names)} files" if names else files_words
            place = import_results[0].file if len(import_results) == 1 else place
            count_words = f" ({count} series)" if count > 1 else ""
            self.stderr.write(f"{place}: {note}{count_words}")

    def _files(self, paths: list[Path], format: str) -> Iterator[Labelled]:
        """Each file, and the recording's label where neither it nor the person names one.

        What lies in one folder was measured together: the folder's name. Says what was taken of
        a folder.
        """
        for path in paths:
            if not path.is_dir():
                yield from ((file_path, "") for file_path in measurement_files([path]))
                continue
            folder_files = (
                series_files(path) if format == "replication" else [*measurement_files([path])]
            )
            package = package_in(path) or enclosing_package(path) or path
            self.stderr.write(_folder_sentence(path, package, folder_files))
            yield from ((file_path, package.resolve().name) for file_path in folder_files)


MOST_NAMED: Final = 10  # refused files
Labelled = tuple[Path, str]  # a file, and the label of its recording, where nothing else names one


@dataclass(frozen=True, slots=True)
class StatedImport:
    """Settings that the person gave for all the files."""

    slugs: tuple[str, str]  # of study and data set
    occasion: RecordingDetails
    format: Format
    options: ReadOptions
    by: User | None
    simulated: bool


def _outcomes(
    files: Sequence[Labelled], stated_import: StatedImport, *, is_dry_run: bool
) -> Iterator[tuple[Path, str, SeriesImportResult | FormatError | OSError]]:
    """Each file with its place among several, and its result, or the error that refused it."""
    for number, (path, label) in enumerate(files, start=1):
        progress_text = f"{number} of {len(files)} · " if len(files) > 1 else ""
        try:
            yield path, progress_text, _import(path, label, stated_import, is_dry_run=is_dry_run)
        except (FormatError, OSError) as error:
            yield path, progress_text, error


def _import(
    path: Path, label: str, stated_import: StatedImport, *, is_dry_run: bool
) -> SeriesImportResult:
    dataset = _dataset(stated_import.slugs)
    is_stored = Dataset.objects.filter(pk=dataset.pk).exists()
    make_dataset = partial(
        _ensure_dataset, dataset, stated_import.by, simulated=stated_import.simulated
    )
    read_options = add_neighbour_options(path, stated_import.options)
    file = FileToRead(
        path.name, path=path.resolve(), format=stated_import.format, options=read_options
    )
    with file_readers.import_patience():
        return services.import_file(
            dataset,
            file,
            by=stated_import.by,
            occasion=stated_import.occasion,
            default_label=label,
            dry_run=is_dry_run,
            make_dataset=None if is_stored else make_dataset,
        )


def _error_line(error: Exception) -> str:
    return " ".join(str(error).split())


def _refused_files(names: Sequence[str], count: int) -> str:
    """`2 of 40 files were refused: a.json, b.json`."""
    more_words = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    verb = "was" if len(names) == 1 else "were"
    return (
        f"{len(names)} of {count} files {verb} refused: {', '.join(names[:MOST_NAMED])}{more_words}"
    )


def refusal(sentence: str) -> CommandError:
    """A person's mistake: one line, status 2."""
    return CommandError(sentence, returncode=2)


def _slugs(text: str) -> tuple[str, str]:
    study, slash, dataset = text.partition("/")
    for slug in (study, dataset):
        if not slash or slug != slugify(slug) or not slug:
            expected = "STUDY/DATASET in small letters, digits and hyphens, such as jmh/nightly"
            raise refusal(f"data set: found {text!r}, expected {expected}")
    return study, dataset


def _occasion(options: dict[str, Any]) -> RecordingDetails:
    time_text = options["measured_at"]
    moment = parse_moment(time_text) if time_text else None
    if time_text and moment is None:
        expected = "a date and time such as 2026-03-14T02:00Z"
        raise refusal(f"--measured-at: found {time_text!r}, expected {expected}")
    return RecordingDetails(
        label=options["recording"],
        build=options["build"],
        measured_at=moment,
        machine=options["machine"],
        instance=options["instance"],
        duet=options["pair"],
    )


def _read_options(options: dict[str, Any]) -> ReadOptions:
    read_options = {name: options[name] for name in ("iteration", "better", "encoding", "unit")}
    try:
        stated_settings(read_options["iteration"])
    except ValueError as error:
        raise refusal(f"--iteration: {error}") from error
    columns = _columns(options["value"], options["column"])
    return ReadOptions(**read_options, columns=columns, others_as_detected=True)


def _columns(value: str, assignments: Sequence[str]) -> dict[Role, str]:
    """Columns of a CSV file by their role, as `--value` and `--column` name them."""
    columns: dict[Role, str] = {"value": value} if value else {}
    for assignment in assignments:
        role, equals_sign, column = assignment.partition("=")
        if not equals_sign or role not in ROLES:
            expected = f"ROLE=COLUMN, where ROLE is one of {', '.join(ROLES)}"
            raise refusal(f"--column: found {assignment!r}, expected {expected}")
        columns[role] = column
    return columns


def _dataset(slugs: tuple[str, str]) -> Dataset:
    """The data set named; one that is not there yet is not stored, nor is its study."""
    slug, name = slugs
    study = Study.objects.filter(slug=slug).first() or Study(name=slug, slug=slug)
    dataset = Dataset.objects.filter(study__pk=study.pk, slug=name).first()
    return dataset or Dataset(study=study, name=name, slug=name)


def _ensure_dataset(dataset: Dataset, user: User | None, *, simulated: bool) -> Dataset:
    """Store a data set and, if need be, its study."""
    slug = dataset.study.slug
    study = Study.objects.filter(slug=slug).first()
    if study is None:
        owner = user or User.objects.filter(is_superuser=True).order_by("pk").first()
        study = create_study(name=slug, by=owner or find_owner(None))
    return services.find_dataset(study, dataset.slug, simulated=simulated)


def _sentence(import_result: SeriesImportResult, *, dry_run: bool) -> str:
    """`sort.json: 40 series stored, 0 known; 8 benchmarks; recording “nightly 12”`."""
    verb = "would be stored" if dry_run else "stored"
    labels = ", ".join(f"“{label}”" for label in import_result.recordings)
    word = "recording" if len(import_result.recordings) == 1 else "recordings"
    return (
        f"{import_result.file}: {import_result.stored} series {verb}, {import_result.known} known; "
        f"{import_result.benchmarks} benchmark{'' if import_result.benchmarks == 1 else 's'}; "
        f"{word} {labels}"
    )


def _folder_sentence(folder: Path, package: Path, files: Sequence[Path]) -> str:
    """`both: 396 files in both/one/data_st, the series of the replication package one`."""
    count_words = f"{folder}: {len(files)} file{'' if len(files) == 1 else 's'}"
    folders = {path.parent for path in files}
    place_words = f" in {folders.pop()}" if len(folders) == 1 else ""
    package_note = (
        f", the series of the replication package {package.name}" if package != folder else ""
    )
    return f"{count_words}{place_words}{package_note}"


def _total(import_results: Sequence[SeriesImportResult], *, dry_run: bool) -> str:
    """`12 files: 120 series stored, 0 known`."""
    verb = "would be stored" if dry_run else "stored"
    stored_count, known_count = (
        sum(result.stored for result in import_results),
        sum(result.known for result in import_results),
    )
    file_words = f"{len(import_results)} file{'' if len(import_results) == 1 else 's'}"
    return f"{file_words}: {stored_count} series {verb}, {known_count} known"


def _break_sentence(
    import_results: Sequence[SeriesImportResult],
    files: Sequence[Labelled],
    count: int,
    *,
    is_dry_run: bool,
) -> str:
    next_sentence = "" if is_dry_run else ". The same command goes on from here"
    return (
        f"Interrupted after {count} of {len(files)}. {_total(import_results, dry_run=is_dry_run)}; "
        f"nothing of {files[count][0].name}{next_sentence}"
    )
