"""CSV of either layout: which of the two a file has, and what its columns may be taken for."""

from __future__ import annotations

from collections.abc import Iterator

from formats import long, separated, wide
from formats.columns import ROLES
from formats.measurement import Measurement
from formats.reader import ColumnChoice, Doubt, FileReader, FileStart, FirstRows, Remedy
from formats.source import InputSource
from formats.units import header_unit


def read(source: InputSource) -> Iterator[Measurement]:
    """The series of the table, in the layout that its columns or the options say."""
    dialect = separated.examine(source)
    reader = long.read if dialect.layout == "long" else wide.read
    return reader(source, dialect)


def _recognise(start: FileStart) -> str:
    return separated.table_reason(start.text, start.options)


def _first_rows(source: InputSource, count: int) -> FirstRows:
    dialect = separated.examine(source)
    rows = separated.first_rows(source, dialect, count)
    return FirstRows(rows=rows, choice=_choice(source, dialect))


def _choice(source: InputSource, dialect: separated.TableDialect) -> ColumnChoice:
    index_by_role = {role: separated.column_of(source, dialect, role) for role in ROLES}
    is_long = dialect.layout == "long"
    index = index_by_role["value"] if is_long else None
    names = (
        separated.series_columns(source, dialect) if index is None else dialect.columns[index:][:1]
    )
    return ColumnChoice(
        separator=dialect.separator,
        decimal=dialect.decimal,
        header=dialect.header,
        layout=dialect.layout,
        columns=dialect.columns,
        roles={
            role: dialect.columns[column_index]
            for role, column_index in index_by_role.items()
            if is_long and column_index is not None
        },
        values=() if is_long else separated.series_columns(source, dialect),
        units=tuple(dict.fromkeys(unit for name in names if (unit := header_unit(name)[1]))),
    )


def _doubts(source: InputSource) -> tuple[Doubt, ...]:
    """Ask whether a comma is a decimal sign, where the numbers have either meaning."""
    if text := separated.ambiguous_first_row(source):
        decimal_remedy = Remedy(
            label=f"One number, {text.replace(',', '.')}", options={"decimal": ","}
        )
        columns_remedy = Remedy(label="Two columns", options={"separator": ","})
        doubt_text = f"{text} may be one number or two, and is not read yet."
        return (
            Doubt(
                name="decimal",
                question="Decimal commas?",
                now=doubt_text,
                remedies=(decimal_remedy, columns_remedy),
            ),
        )
    dialect = separated.examine(source)
    if not dialect.either or source.options.decimal != "auto":
        return ()
    fraction, grouped_text = dialect.either.replace(",", "."), dialect.either.replace(",", "\u202f")
    is_comma = dialect.decimal == ","
    chosen_text, alternative = (fraction, grouped_text) if is_comma else (grouped_text, fraction)
    sign, other_sign = (",", ".") if is_comma else (".", ",")
    # A decimal comma that is chosen separates nothing, unless that is chosen, too.
    separator_option = {} if is_comma else {"separator": dialect.separator}
    refusal = Remedy(
        label=f"No, as {alternative}", options={"decimal": other_sign, **separator_option}
    )
    consent = Remedy(label="Use them" if is_comma else "Yes", options={"decimal": sign}, keeps=True)
    question = "Decimal commas?" if is_comma else "Commas between thousands?"
    statement = f"{dialect.either} is read as {chosen_text}."
    return (Doubt(name="decimal", question=question, now=statement, remedies=(refusal, consent)),)


READER = FileReader(
    name="csv",
    title="CSV",
    endings=(".csv", ".tsv", ".txt"),
    recognise=_recognise,
    read=read,
    takes_any_text=True,
    options=(
        *("unit", "system", "benchmark", "params"),
        *("layout", "separator", "decimal", "header", "columns", "series_columns"),
    ),
    first_rows=_first_rows,
    doubts=_doubts,
)
