"""The guide stays short: its words and sentences, and how they are counted."""

from __future__ import annotations

from pathlib import Path

from docs import prose

LONG = " ".join(["word"] * 26)


def test_the_guide_is_within_its_bounds() -> None:
    pages = [prose.page_prose(path) for path in sorted(prose.GUIDE.glob("*.md"))]

    assert list(prose.guide_breaches(pages)) == []


def test_tables_code_pictures_and_generated_parts_are_no_prose(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# Two words\n\nOne [link of four words](page.md) and `code of four words`.\n"
        "- An item. It goes\n  on here.\n\n"
        "| a | table |\n\n    indented code\n\n```\nfenced code\n```\n\n![a picture](a.svg)\n"
        "<!-- part: written by `make docs` -->\nGenerated words.\n<!-- /part -->\n"
    )

    text = prose.page_prose(page)

    assert text.sentences == [
        "One link of four words and `code of four words`.",
        "An item.",
        "It goes on here.",
    ]
    assert (text.words, text.lengths) == (2 + 10 + 2 + 4, [7, 2, 4])


def test_a_sentence_ends_before_a_figure_and_not_behind_et_al(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("By Beseda et al. 2025 it is 0.5. 10 forks, **no more.** Then e.g. this.\n")

    assert prose.page_prose(page).sentences == [
        "By Beseda et al. 2025 it is 0.5.",
        "10 forks, **no more.",
        "Then e.g. this.",
    ]


def test_a_phrase_of_a_table_is_bounded_and_ends_at_a_semicolon(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    half_phrase = " ".join(["word"] * 13)
    codes = ", ".join(["`code`"] * 30)
    page.write_text(f"| head |\n|---|\n| {half_phrase}; {half_phrase} |\n| {codes} |\n| {LONG} |\n")

    (breach,) = prose.guide_breaches([prose.page_prose(page)])

    assert breach == f"page: 26 words, at most 25: {LONG}"


def test_a_sentence_begins_with_its_subject_but_for_questions() -> None:
    sentences = ["What is stored stays.", "What is stored?", "Whatever is stored stays."]

    (breach,) = prose.guide_breaches([prose.PageProse("page", 12, sentences, [])])

    assert breach == "page: begins without its subject: What is stored stays."


def test_what_is_too_long_is_named() -> None:
    long_prose = prose.PageProse("long", 22_001, [f"{LONG}."], [])
    short_prose = prose.PageProse("short", 3, ["Only three words."] * 2, [])

    assert list(prose.guide_breaches([short_prose])) == []
    assert [
        breach.partition(":")[0] for breach in prose.guide_breaches([long_prose, short_prose])
    ] == ["long", "the guide has 22,004 words, expected at most 22,000"]
    (mean_breach,) = prose.guide_breaches([prose.PageProse("page", 15, [LONG[:74]], [])])
    assert mean_breach == "sentences have 15.0 words on average, expected at most 14"
