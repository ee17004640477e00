"""Help: the guide by task, and every key."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from analysis.site.guide_groups import grouped_slugs
from analysis.site.guide_search import search
from analysis.web import documents

GUIDE = settings.BASE_DIR / "docs" / "guide"
RENAMED = {"review": "disagreements"}  # pages by their names before
MOST_QUERY = 200  # characters
TITLE = re.compile(r"\A# (.+)")
MARKS = re.compile(r"[`*]|\[(?P<words>[^\]]*)\]\([^)]*\)")


@dataclass(frozen=True, slots=True)
class GuideTopic:
    """One page of the guide."""

    slug: str
    title: str
    first: str  # its first sentence, for the list


def grouped_topics() -> dict[str, list[GuideTopic]]:
    """The pages of the guide in their groups, each in the order in which one needs them."""
    return {
        name: [_topic(GUIDE / f"{slug}.md") for slug in slugs]
        for name, slugs in grouped_slugs(GUIDE).items()
    }


def topics() -> list[GuideTopic]:
    """The same without groups."""
    return list(chain.from_iterable(grouped_topics().values()))


def _topic(path: Path) -> GuideTopic:
    text = path.read_text(encoding="utf-8")
    title = TITLE.match(text)
    paragraphs = [part for part in text.split("\n\n")[1:] if part[:1].isalpha()]
    first = " ".join(paragraphs[0].split()) if paragraphs else ""
    return GuideTopic(path.stem, title[1] if title else path.stem, _sentence(first))


def _sentence(paragraph: str) -> str:
    """The first sentence, without the marks of Markdown."""
    plain = MARKS.sub(lambda mark: mark["words"] or "", paragraph)
    return plain.split(". ")[0].rstrip(".:")


@login_not_required
@require_GET
def guide(request: HttpRequest) -> HttpResponse:
    """Four groups of pages; with a query, what was found in them and in the pages of methods."""
    query = request.GET.get("q", "").strip()[:MOST_QUERY]
    context = {"groups": grouped_topics(), "query": query, "hits": search(query)}
    return render(request, "analysis/site/help.html", context)


@login_not_required
@require_GET
def topic(request: HttpRequest, topic: str) -> HttpResponse:
    if topic in RENAMED:
        return redirect("help-topic", RENAMED[topic], permanent=True)
    here = next((each for each in topics() if each.slug == topic), None)
    if here is None:
        raise Http404(f"no page {topic} in the guide")
    page = documents.document_html(GUIDE / f"{here.slug}.md")
    context = {"topic": here, "groups": grouped_topics(), "page": page}
    return render(request, "analysis/site/topic.html", context)


@login_not_required
@require_GET
def keys(request: HttpRequest) -> HttpResponse:
    """All keys; the page's script writes them from the key map that the pages themselves use."""
    return render(request, "analysis/site/keys.html")
