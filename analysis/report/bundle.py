"""A report: the document, and a .zip of it with every table. The same figures, the same bytes."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import math
import re
import tomllib
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from importlib import metadata
from pathlib import Path
from typing import Final

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from analysis.comparison import error_quantiles, exports, figures, gallery, sentences, significance
from analysis.comparison.agreement_map import agreement_section
from analysis.comparison.columns import SET_WORDS
from analysis.comparison.leaderboard import Leaderboard
from analysis.comparison.query import GALLERY, Columns, GalleryQuery
from analysis.comparison.rank_diagram import rank_section
from analysis.comparison.table import ComparisonResult
from analysis.report import content
from analysis.report.plain_fragments import plain_html
from analysis.report.report_script import STATIC, scripts
from analysis.web.page_tables import Row, TableRows
from formats import tables
from formats.latex import latex_table

SHEETS: Final = (
    *("tokens", "base", "tables", "method-colours", "chart", "figures", "compare"),
    "print",
)
FONT_FILE: Final = re.compile(r'url\("\.\./(vendor/[^"]+\.woff2)"\)')
"""Where a sheet names the file of a font: the document has the font itself there."""
OWN_SHEET: Final = Path(__file__).with_name("report.css")
ELSEWHERE: Final = {"agreement", "pairs"}  # tables that other parts of the document show
FURTHER: Final = tuple(name for name in GALLERY if name not in ELSEWHERE)
BOARDS: Final[tuple[Columns, ...]] = ("usual", "distances", "yes-no")
PACKAGES: Final = ("numpy", "scipy", "statsmodels", "scikit-posthocs", "scikit-learn")
NAMES: Final = (*content.TABLES, "series")
STEPS: Final = len(NAMES) + 2  # a step a table, one each for document and .zip
LONG_AGO: Final = (1980, 1, 1, 0, 0, 0)  # date of every file, so that bytes repeat


@dataclass(frozen=True)
class Report:
    """One comparison, written down. Nothing in it tells when it was written, or by whom."""

    compared: ComparisonResult

    @cached_property
    def tables(self) -> Mapping[str, str]:
        """Name of the file and its text, for every table that has rows."""
        csv_files = self._table_files("csv", tables.table_text)
        return csv_files | content.people_tables(self.compared)

    def table(self, name: str) -> TableRows:
        """One of NAMES, computed once."""
        if name not in self._table_by_name:
            is_series_table = name == "series"
            make_table = (
                content.series_table
                if is_series_table
                else partial(exports.comparison_table, table_name=name)
            )
            self._table_by_name[name] = make_table(self.compared)
        return self._table_by_name[name]

    @cached_property
    def _table_by_name(self) -> dict[str, TableRows]:
        return {}

    def steps(self) -> list[Callable[[], object]]:
        """Steps that make the report, in STEPS pieces, so that progress can be told."""
        return [
            *(partial(self.table, name) for name in NAMES),
            lambda: self.document,
            lambda: self.zip,
        ]

    @cached_property
    def digest(self) -> str:
        """SHA-256 of all tables, of how they were made and of the program's version."""
        sha256 = hashlib.sha256()
        for text in (json.dumps(self.origin, sort_keys=True), *sorted(self.tables)):
            sha256.update(text.encode() + b"\0")
        for name in sorted(self.tables):
            sha256.update(self.tables[name].encode() + b"\0")
        return sha256.hexdigest()

    @cached_property
    def settings(self) -> list[tuple[str, str]]:
        """Settings of the comparison: a name and a value each."""
        return content.comparison_settings(self.compared)

    @property
    def package_versions(self) -> dict[str, str]:
        """Versions of the packages that figures are computed with."""
        return {name: package_version(name) for name in PACKAGES}

    @cached_property
    def origin(self) -> dict[str, object]:
        """Origin of the tables: program, settings, methods, packages, commands."""
        return {
            "program": f"Plateau {program()}",
            "study": self.compared.yardstick.study.slug,
            "settings": dict(self.settings),
            "methods": [method.key for method in content.report_methods(self.compared)],
            "knew": {
                method.key: method.overlap_sentence
                for method in content.report_methods(self.compared)
                if method.overlap_sentence
            },
            "packages": self.package_versions,
            "commands": {name: line for _, name, line in content.table_commands(self.compared)},
        }

    @cached_property
    def document(self) -> str:
        """The self-contained page: no link; style sheet, drawing library and script stand in it."""
        figures_context = self._figures()
        context = {
            "report": self,
            "compared": self.compared,
            "style": mark_safe(style()),  # noqa: S308  # our own sheets
            "sentence": sentences.answer_sentence(self.compared),
            "note": sentences.answer_note(self.compared),
            "answer": _fragment("answer", figures_context),
            "figures": _fragment("figures", figures_context),
            "scripts": [mark_safe(text) for text in scripts()],  # noqa: S308  # our own, too
            "settings": self.settings,
            "methods": content.report_methods(self.compared),
            "left_out": content.uncounted_by_rule(self.compared),
            "commands": [c for c in content.table_commands(self.compared) if c[1] in self.tables],
            "packages": self.package_versions,
        }
        return render_to_string("analysis/report/report.html", context)

    def _figures(self) -> dict[str, object]:
        comparison, slug = self.compared, self.compared.yardstick.study.slug
        boards = [Leaderboard(_with_column_meanings(comparison, name), slug) for name in BOARDS]
        heads = ["", *(SET_WORDS[board.query.columns] for board in boards[1:])]
        gallery_figures = [
            gallery.gallery_figure(comparison, GalleryQuery(name)).still() for name in FURTHER
        ]
        tests = significance.pair_page(comparison)
        return {
            "study": comparison.yardstick.study,
            "query": comparison.asked,
            "compared": comparison,
            "boards": list(zip(heads, boards, strict=True)),
            "sets": SET_WORDS,
            "ecdf": figures.error_distribution(comparison).without_links,
            "readings": figures.shares_at_tolerance(comparison),
            "signed": error_quantiles.error_strips(comparison).without_links,
            "heat": agreement_section(comparison, math.inf).still(),
            "ranks": rank_section(comparison).still(),
            "tests": replace(
                tests, histograms=[histogram.without_links for histogram in tests.histograms]
            ),
            "further": [f for f in gallery_figures if not f.empty_reason],
            "titles": GALLERY,
        }

    @property
    def columns(self) -> str:
        """COLUMNS.md: what the columns of every table mean."""
        meanings = content.column_meanings(self.compared)
        lines = ["# Columns of the files\n"]
        for file_name in sorted(self.tables):
            lines.append(f"## {file_name}\n\n| column | meaning |\n|---|---|")
            lines += [f"| `{name}` | {meaning} |" for name, meaning in meanings[file_name].items()]
            lines.append("")
        return "\n".join(lines)

    @property
    def latex_files(self) -> dict[str, str]:
        """Name of the file and its text, for every table of the comparison that has rows."""
        tex_files = self._table_files("tex", latex_table)
        return {f"latex/{name}": text for name, text in tex_files.items()}

    def _table_files(
        self, file_ending: str, write_table: Callable[[Sequence[str], Iterable[Row]], Iterable[str]]
    ) -> dict[str, str]:
        """Text of every table that has rows, as `write_table` makes it, by the name of its file."""
        return {
            f"{name}.{file_ending}": "".join(write_table(*table))
            for name in NAMES
            if (table := self.table(name)).rows
        }

    @cached_property
    def files(self) -> dict[str, str]:
        """report.html, about.json, COLUMNS.md, a CSV for each table and its LaTeX, by name."""
        about_text = json.dumps(
            {**self.origin, "digest": self.digest}, indent=2, ensure_ascii=False
        )
        texts = {
            "report.html": self.document,
            "about.json": about_text + "\n",
            "COLUMNS.md": self.columns,
            **self.tables,
            **self.latex_files,
        }
        return {name: texts[name] for name in sorted(texts)}

    @cached_property
    def zip(self) -> bytes:
        """All files in one."""
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
            for name, text in self.files.items():
                entry = zipfile.ZipInfo(name, LONG_AGO)
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = 0o644 << 16
                archive.writestr(entry, text)
        return buffer.getvalue()


def _fragment(name: str, context: Mapping[str, object]) -> SafeString:
    """One of our templates, without what only a page can do."""
    html = plain_html(render_to_string(f"analysis/report/{name}.html", dict(context)))
    return mark_safe(html)  # noqa: S308  # written by our templates


def style() -> str:
    """The sheets of the document, in one, as they stand between `<style>` and `</style>`."""
    folder = STATIC / "css"
    sheets = [*(folder / f"{name}.css" for name in SHEETS), OWN_SHEET]
    return FONT_FILE.sub(_font_url, "".join(sheet.read_text("utf-8") for sheet in sheets))


def _font_url(match: re.Match[str]) -> str:
    font_base64 = base64.b64encode((STATIC / match[1]).read_bytes()).decode()
    return f'url("data:font/woff2;base64,{font_base64}")'


def _with_column_meanings(comparison: ComparisonResult, name: Columns) -> ComparisonResult:
    query = comparison.asked.changed(columns=name, unit="iterations")
    return replace(comparison, asked=query, other=None)


@cache
def program() -> str:
    """The version of the program, as its project file states it."""
    project = (Path(settings.BASE_DIR) / "pyproject.toml").read_text("utf-8")
    return str(tomllib.loads(project)["project"]["version"])


def package_version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"
