"""The tables of the guide say what the code declares."""

from __future__ import annotations

import pytest

from docs import declared_tables
from docs.declared_tables import GUIDE, TABLES, replace_table


def test_the_guide_is_of_today() -> None:
    assert declared_tables.write_declared_tables(check=True) == 0


@pytest.mark.parametrize(("page", "name"), TABLES)
def test_a_changed_table_is_out_of_date(page: str, name: str) -> None:
    text = (GUIDE / page).read_text("utf-8")

    assert replace_table(text, name, "| other |") != text


def test_a_page_without_marker_lines_is_refused() -> None:
    with pytest.raises(ValueError, match="expected both"):
        replace_table("# Page\n", "formats", "| a |")
