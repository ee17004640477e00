"""Command that prints the tables of a page: the figures of the page and its downloads."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from django.core.management.base import BaseCommand, CommandError

from analysis.web.command_options import mistakes
from analysis.web.page_tables import PageTables, TableEmpty, TableRequest, TableRows
from annotate.blind import EVERYTHING
from annotate.management import output as destination
from formats.latex import latex_table
from formats.tables import table_text
from people import downloads


class TableCommand(BaseCommand):
    """A command is its help and its tables; those of several are chosen by `--what`.

    table_names  the tables that it prints; empty: all
    """

    page_tables: ClassVar[PageTables[Any]]
    table_names: ClassVar[Sequence[str]] = ()
    what_help: ClassVar[str | None] = None

    def add_arguments(self, parser: ArgumentParser) -> None:
        scope = self.page_tables.scope
        parser.add_argument(scope.argument, metavar=scope.metavar)
        self.add_options(parser)
        self.add_format(parser)

    def add_options(self, parser: ArgumentParser) -> None:
        """Add the options between the scope and `--format`."""
        self.add_queries(parser)
        self.add_what(parser)

    def add_queries(self, parser: ArgumentParser) -> None:
        for form, names in self.page_tables.queries.items():
            form.add_arguments(parser, *names)

    def add_what(self, parser: ArgumentParser) -> None:
        names = list(self.table_names or self.page_tables.tables)
        if len(names) > 1:
            choices = [*names, *self.page_tables.figures]
            parser.add_argument("--what", choices=choices, default=names[0], help=self.what_help)

    def add_format(self, parser: ArgumentParser) -> None:
        files = ("csv", "json", "tex", *(("pdf",) if self.page_tables.figures else ()))
        formats = files if self.page_tables.lines is None else ("table", *files)
        parser.add_argument("--format", choices=formats, default=formats[0])
        parser.add_argument(
            "--columns", metavar="NAME,…", default="", help="only these, in this order: csv and tex"
        )
        destination.add_argument(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        page_tables = self.page_tables
        queries = tuple(form.from_options(options) for form in page_tables.queries)
        scope_text = options[page_tables.scope.argument]
        scope = page_tables.scope.named(scope_text)
        destination.refuse_unwritable("--output", options["output"])
        table_name = options.get("what") or next(iter(self.table_names or page_tables.tables))
        is_figure = options["format"] == "pdf"
        if is_figure and options["output"] is None:
            raise CommandError("--format pdf: name a file by --output", returncode=2)
        try:
            with mistakes(*page_tables.refused):
                page_tables.check_name(table_name, is_figure=is_figure)
                request = TableRequest(scope, EVERYTHING, table_name, queries)
                result = self.compute(request, options)
        except TableEmpty as empty:
            raise CommandError(f"{scope_text}: {empty}", returncode=2) from empty
        self.write(result, table_name, options)

    def compute(self, request: TableRequest, options: Mapping[str, Any]) -> Any:
        """The result that the table is read from, after what the options do."""
        return self.page_tables.compute(request)

    def write(self, result: Any, table_name: str, options: Mapping[str, Any]) -> None:
        """Write one table as `--format` and `--output` say."""
        page_tables = self.page_tables
        pieces: Iterable[str] | None = None
        if options["format"] == "pdf":
            with mistakes(*page_tables.refused):
                pdf = page_tables.pdf(result, table_name)
            destination.write_bytes([pdf], options["output"])
            return
        if options["format"] == "json":
            pieces = [downloads.json_text(page_tables.document(result, table_name))]
        elif options["format"] == "table" and page_tables.lines is not None:
            pieces = page_tables.lines(result, table_name)
        if pieces is None:
            table_pieces = latex_table if options["format"] == "tex" else table_text
            pieces = table_pieces(*self._columns(result, table_name, options))
        elif options.get("columns"):
            actual = f"found --format {options['format']}"
            raise CommandError(f"--columns: {actual}, expected csv or tex", returncode=2)
        destination.write_pieces(pieces, options["output"], self.stdout)

    def _columns(self, result: Any, table_name: str, options: Mapping[str, Any]) -> TableRows:
        """The columns of a table that `--columns` chooses."""
        names = [name.strip() for name in options.get("columns", "").split(",") if name.strip()]
        with mistakes(*self.page_tables.refused):
            return self.page_tables.table(result, table_name).only(names)
