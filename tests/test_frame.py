"""The frame of every page: harmless when it is told little, right when it is told much, light."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from django import forms
from django.core.paginator import Paginator
from django.template.loader import render_to_string
from django.test import RequestFactory

from config.storage import bare_style

ROOT = Path(__file__).parents[1]
KILO = 1000
STUDY = SimpleNamespace(name="JMH <2020>", slug="jmh")


class NameForm(forms.Form):
    name = forms.CharField(help_text="As printed on reports.")
    size = forms.IntegerField(required=False)


def weight(*paths: Path) -> int:
    return sum(len(gzip.compress(path.read_bytes(), 9)) for path in paths)


def base(**context: object) -> str:
    return render_to_string("base.html", context)


def test_a_page_that_is_told_nothing_still_has_its_landmarks() -> None:
    page = base()

    landmarks = re.findall(r"<(header|main|footer|h1)\b", page)
    assert landmarks == ["header", "main", "h1", "footer"]
    assert 'href="#content"' in page


def test_the_study_is_named_and_the_current_place_marked() -> None:
    nav = {"study": STUDY, "studies": [STUDY], "place": "data"}

    page = base(nav=nav)

    assert "JMH &lt;2020&gt;" in page
    current = re.findall(r'data-place="(\w+)" href="([^"]+)" aria-current="page"', page)
    assert current == [("data", "/s/jmh/data/")] * 2  # in the bar, and at the bottom of a phone


@pytest.mark.parametrize(
    ("theme", "attribute"), [(None, "auto"), ("dark", "dark"), ("light", "light")]
)
def test_the_theme_is_the_persons(theme: str | None, attribute: str) -> None:
    assert f'data-theme="{attribute}"' in base(nav={"theme": theme})


def test_no_template_of_the_frame_has_inline_style_or_script() -> None:
    shared_templates = [ROOT / "templates/base.html", *(ROOT / "templates").glob("_*.html")]

    guilty = re.compile(r"\sstyle=|<style|<script(?![^>]*\ssrc=)|\son[a-z]+=|hx-on|javascript:")
    assert [path.name for path in shared_templates if guilty.search(path.read_text("utf-8"))] == []


def test_a_form_says_first_what_is_wrong_and_links_to_it() -> None:
    page = render_to_string("_form.html", {"form": NameForm({"size": "many"})})

    assert 'role="alert"' in page
    assert '<a href="#id_name">Name</a>: This field is required.' in page
    assert '<a href="#id_size">Size</a>: Enter a whole number.' in page
    assert 'aria-describedby="id_name_helptext id_name_error"' in page
    assert 'id="id_name_error"' in page
    assert page.count('class="optional"') == 1


def test_paging_keeps_the_filter() -> None:
    request = RequestFactory().get("/", {"unit": "s", "page": "2"})
    page = Paginator(range(130), 50).page(2)

    text = render_to_string("_paging.html", {"page": page, "noun": "series"}, request=request)

    assert "51–100 of 130 series" in text
    assert {"?unit=s&amp;page=1", "?unit=s&amp;page=3"} == set(re.findall(r'href="([^"]+)"', text))


def test_an_empty_list_says_what_makes_it_full() -> None:
    context = {"sentence": "No series yet.", "action": "Import values", "url": "/import/"}

    text = render_to_string("_empty.html", context)

    assert "No series yet." in text
    assert '<a class="button button-primary" href="/import/">Import values</a>' in text


def test_style_sheets_lose_comments_and_needless_space_alone() -> None:
    sheet = (
        "/* x */\n@layer x {\n  .a .b, .c > a:is(.d, .e) { top: 0; margin: 0 4px } /* a\n   b */\n"
        "\n  @media (width < 40em) and (hover) {\n .b::after { content: '↑ 1'; }\n }\n}\n"
    )

    assert bare_style(sheet) == (
        "@layer x{.a .b,.c > a:is(.d,.e){top:0;margin:0 4px}"
        "@media (width < 40em) and (hover){.b::after{content:'↑ 1'}}}"
    )


def test_every_style_sheet_names_its_layer_and_is_linked() -> None:
    sheets = sorted((ROOT / "static/css").glob("*.css"))
    common_sheet = ROOT / "static/css/common.css"
    sheets.remove(common_sheet)
    linked_names = set(re.findall(r'@import "([\w-]+\.css)";', common_sheet.read_text("utf-8"))) | {
        name
        for path in (ROOT / "templates").rglob("*.html")
        for name in re.findall(r"css/([\w-]+\.css)", path.read_text("utf-8"))
    }

    assert [path.name for path in sheets if "@layer" not in path.read_text("utf-8")] == []
    assert {path.name for path in sheets} - linked_names == set()


def test_scripts_of_a_page_without_chart_stay_within_15_kb() -> None:
    shared_names = "copying", "elements", "keyboard", "keys", "keys-dialog", "request-line", "rows"
    paths = [
        ROOT / "static/js/page.js",
        *(ROOT / f"static/js/shared/{name}.js" for name in shared_names),
    ]

    assert weight(*paths) <= 15 * KILO


def test_third_party_scripts_stay_within_their_budgets() -> None:
    vendor = ROOT / "static/vendor"

    assert weight(vendor / "htmx-4.0.1/htmx.min.js") <= 14 * KILO
    assert weight(vendor / "plotly-basic-4.1.1/plotly-basic.min.js") <= 400 * KILO
