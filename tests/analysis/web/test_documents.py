"""The guide and the methods' pages on the site: their links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from analysis.site.views.guide import topics
from analysis.web.documents import document_html
from detectors.registry import registry
from scripts.structure import OPENERS

DOCS = Path(settings.BASE_DIR) / "docs"
LINK = re.compile(r"\]\((?P<target>[^)#:\s]+)(?:#[^)]*)?\)")
PAGES = sorted(path.relative_to(DOCS) for path in DOCS.rglob("*.md"))


class PublicPages:
    """Pages as anybody sees them. Hundreds of links lead to few pages: each is asked for once."""

    def __init__(self) -> None:
        self.status_and_text: dict[str, tuple[int, str]] = {}

    def ask(self, address: str) -> tuple[int, str]:
        if address not in self.status_and_text:
            response = Client().get(address)
            self.status_and_text[address] = response.status_code, response.content.decode()
        return self.status_and_text[address]

    def broken_links(self, page: str) -> list[str]:
        """Addresses within the text of a page that show nothing."""
        text = re.findall(r"<article.*?</article>", page, re.DOTALL)[0]
        links = {link.partition('"')[0].partition("#")[0] for link in text.split('href="')[1:]}
        own_links = sorted(link for link in links if link and not link.startswith("https:"))
        return [address for address in own_links if self.ask(address)[0] != 200]


@pytest.fixture(scope="module")
def public_pages() -> PublicPages:
    return PublicPages()


@pytest.mark.parametrize("document_path", PAGES, ids=str)
def test_every_link_between_documents_leads_to_a_file(document_path: Path) -> None:
    path = DOCS / document_path
    targets = [link["target"] for link in LINK.finditer(path.read_text(encoding="utf-8"))]

    assert [target for target in targets if not (path.parent / target).exists()] == []


@pytest.mark.parametrize("topic", [each.slug for each in topics()])
def test_every_page_of_the_guide_is_shown_to_anybody(
    public_pages: PublicPages, db: None, topic: str
) -> None:
    _, page = public_pages.ask(reverse("help-topic", args=[topic]))

    assert '.md"' not in page
    assert public_pages.broken_links(page) == []


@pytest.mark.parametrize("topic", sorted(path.stem for path in DOCS.glob("design/*.md")))
def test_every_decision_is_shown_and_links_to_pages_that_are(
    public_pages: PublicPages, db: None, topic: str
) -> None:
    _, page = public_pages.ask(reverse("help-decision", args=[topic]))

    assert public_pages.broken_links(page) == []


def test_a_decision_that_nobody_wrote_is_missing(client: Client, db: None) -> None:
    assert client.get(reverse("help-decision", args=["nothing"])).status_code == 404


def test_the_guide_begins_with_first_steps_and_is_listed_in_plain_words() -> None:
    guide_topics = topics()

    assert guide_topics[0].slug == "first-steps"
    assert guide_topics[-1].slug == "configuration"
    assert [
        topic.slug
        for topic in guide_topics
        if not re.fullmatch(r"[A-Z][^.]{20,90}[.]", topic.summary)
    ] == []
    assert [topic.summary for topic in guide_topics if OPENERS.match(topic.summary)] == []


@pytest.mark.parametrize("slug", list(registry()))
def test_every_method_has_a_page_that_says_more_than_its_name(
    public_pages: PublicPages, db: None, slug: str
) -> None:
    _, page = public_pages.ask(reverse("method-text", args=[slug]))

    article = re.findall(r'<article class="prose">(.*?)</article>', page, re.DOTALL)[0]
    assert len(article) > 500


def test_a_method_is_tried_beside_its_summary_and_not_its_whole_text(
    client: Client, db: None
) -> None:
    tried_page, text_page = (
        client.get(reverse(name, args=["plateau"])).content.decode()
        for name in ("method", "method-text")
    )

    assert ('id="try"' in tried_page, 'id="try"' in text_page) == (True, False)
    assert ["What it does</h2>" in page for page in (tried_page, text_page)] == [False, True]
    assert reverse("method-text", args=["plateau"]) in tried_page
    assert len(text_page) > 2 * len(re.sub(r"<select.*?</select>", "", tried_page, flags=re.DOTALL))


def test_a_link_to_a_part_of_a_method_s_page_leads_to_its_text(tmp_path: Path) -> None:
    (tmp_path / "detectors").mkdir()
    for name, text in (("sdm", "[kelly](kelly.md) [its part](kelly.md#what)"), ("kelly", "")):
        (tmp_path / "detectors" / f"{name}.md").write_text(text, encoding="utf-8")

    html = document_html(tmp_path / "detectors" / "sdm.md")

    assert f'<a href="{reverse("method", args=["kelly"])}">kelly</a>' in html
    assert f'<a href="{reverse("method-text", args=["kelly"])}#what">its part</a>' in html
