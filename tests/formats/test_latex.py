"""Tables for papers: what stands in a cell, and that no text leaves it."""

from __future__ import annotations

import pytest

from formats.latex import LONGEST_PAGE, latex_table


def test_numbers_stand_to_the_right_with_four_digits() -> None:
    rows = [("a_b & c", 1234.5678, -1.5e-7, True), ("x", 3, None, False)]

    assert "".join(latex_table(("method", "error", "p_value", "kept"), rows)) == (
        "% \\usepackage{booktabs}; numbers have 4 significant digits\n"
        "\\begin{tabular}{lrrl}\n\\toprule\n"
        "method & error & p\\_value & kept \\\\\n"
        "\\midrule\n"
        "a\\_b \\& c & 1235 & $-1.5 \\cdot 10^{-7}$ & yes \\\\\n"
        "x & 3 &  & no \\\\\n"
        "\\bottomrule\n\\end{tabular}\n"
    )


@pytest.mark.parametrize("text", ["\\input{x}", "100 %", "$x^2$", "~", "a\nb", "{", "#1", "a|b"])
def test_no_text_is_read_as_a_command(text: str) -> None:
    *_, line, end = latex_table(("name",), [(text,)])

    assert end.startswith("\\bottomrule")
    cell_text = line.removesuffix(" \\\\\n")
    names = ("backslash", "asciitilde", "asciicircum", "bar")
    for command in (f"\\text{name}{{}}" for name in names):
        cell_text = cell_text.replace(command, "")
    for sign in "&%$#_{}":
        cell_text = cell_text.replace(f"\\{sign}", "")
    assert not set(cell_text) & set("\\&%$#_{}~^|\n")


def test_the_head_says_where_letters_need_another_engine() -> None:
    assert "XeLaTeX" not in next(latex_table(("name",), [("Sort",)]))
    assert "letters for XeLaTeX or LuaLaTeX" in next(latex_table(("name",), [("排序",)]))


@pytest.mark.parametrize("text", ["[1]", "*x"])
def test_a_row_never_begins_with_arguments_of_the_row_before(text: str) -> None:
    *_, line, _ = latex_table(("name",), [(text,)])

    assert line == f"{{}}{text} \\\\\n"


def test_two_hyphens_stay_two_and_a_negative_zero_is_zero() -> None:
    *_, line, _ = latex_table(("option", "error"), [("--fast", -0.0)])

    assert line == "-{}-fast & 0 \\\\\n"


def test_a_long_table_repeats_its_head_on_every_page() -> None:
    text = "".join(latex_table(("n",), [(row,) for row in range(LONGEST_PAGE + 1)]))

    assert text.count("\\endhead") == 1
    assert text.count("\\begin{longtable}{r}") == 1
    assert "longtable;" in text.splitlines()[0].replace("}", "")


def test_a_table_without_rows_has_its_head() -> None:
    assert "\\begin{tabular}{ll}" in "".join(latex_table(("a", "b"), []))


def test_a_row_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="found 1 cells, expected 2"):
        list(latex_table(("a", "b"), [(1,)]))
