"""Help: the guide by task, and every key."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from analysis.site.guide_groups import grouped_summaries
from analysis.site.guide_search import search
from analysis.web import documents

GUIDE = settings.BASE_DIR / "docs" / "guide"
DECISIONS = settings.BASE_DIR / "docs" / "design"
RENAMED = {"review": "disagreements"}  # present names of pages by their old names
MOST_QUERY = 200  # characters


@dataclass(frozen=True, slots=True)
class GuideTopic:
    """One page of the guide."""

    slug: str
    title: str
    summary: str  # sentence below the title in lists


def grouped_topics() -> dict[str, list[GuideTopic]]:
    """The pages of the guide in their groups, each in the order in which one needs them."""
    return {
        group: [
            GuideTopic(slug, page_title(GUIDE / f"{slug}.md"), summary)
            for slug, summary in summaries.items()
        ]
        for group, summaries in grouped_summaries(GUIDE).items()
    }


def topics() -> list[GuideTopic]:
    """Topics of the guide without groups."""
    return list(chain.from_iterable(grouped_topics().values()))


def page_title(path: Path) -> str:
    """The words of a page's first line, `# Title`."""
    with path.open(encoding="utf-8") as stream:
        return stream.readline().removeprefix("# ").strip()


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
    shown_topic = next((guide_topic for guide_topic in topics() if guide_topic.slug == topic), None)
    if shown_topic is None:
        raise Http404(f"no page {topic} in the guide")
    return render_topic(request, GUIDE, shown_topic)


@login_not_required
@require_GET
def design_decision(request: HttpRequest, decision: str) -> HttpResponse:
    """A page of `docs/design`, to which pages of the guide and of methods link."""
    path = DECISIONS / f"{decision}.md"
    if not path.is_file():
        raise Http404(f"no page {decision} among the decisions")
    return render_topic(request, DECISIONS, GuideTopic(decision, page_title(path), ""))


def render_topic(request: HttpRequest, folder: Path, topic: GuideTopic) -> HttpResponse:
    page = documents.document_html(folder / f"{topic.slug}.md")
    context = {"topic": topic, "groups": grouped_topics(), "page": page}
    return render(request, "analysis/site/topic.html", context)


@login_not_required
@require_GET
def keys(request: HttpRequest) -> HttpResponse:
    """All keys; the page's script writes them from the key map that the pages themselves use."""
    return render(request, "analysis/site/keys.html")
