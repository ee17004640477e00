"""Help: the guide by task, and every key."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from analysis.web import documents

GUIDE = settings.BASE_DIR / "docs" / "guide"
TITLE = re.compile(r"\A# (.+)")
MARKS = re.compile(r"[`*]|\[(?P<words>[^\]]*)\]\([^)]*\)")
# As one works; a page that is not named here comes last, before those for whoever runs a server.
ORDER = (
    *("first-steps", "annotate", "campaigns", "ground-truth", "run-detectors", "compare"),
    *("cost", "tune", "trend", "stop-a-benchmark", "figures", "reproduction"),
    *("playground", "add-a-detector", "file-formats", "simulated-annotators"),
)
SERVER = ("operations", "configuration")


@dataclass(frozen=True, slots=True)
class GuideTopic:
    """One page of the guide."""

    slug: str
    title: str
    first: str  # its first sentence, for the list


def topics() -> list[GuideTopic]:
    """The pages of the guide, in the order in which one needs them."""
    found = []
    for path in sorted(GUIDE.glob("*.md"), key=_place):
        text = path.read_text(encoding="utf-8")
        title = TITLE.match(text)
        paragraphs = [part for part in text.split("\n\n")[1:] if part[:1].isalpha()]
        first = " ".join(paragraphs[0].split()) if paragraphs else ""
        found.append(GuideTopic(path.stem, title[1] if title else path.stem, _sentence(first)))
    return found


def _place(path: Path) -> tuple[int, str]:
    known = (*ORDER, "", *SERVER)  # the empty name: everything else
    return known.index(path.stem if path.stem in known else ""), path.stem


def _sentence(paragraph: str) -> str:
    """The first sentence, without the marks of Markdown."""
    plain = MARKS.sub(lambda mark: mark["words"] or "", paragraph)
    return plain.split(". ")[0].rstrip(".:")


@login_not_required
@require_GET
def guide(request: HttpRequest) -> HttpResponse:
    return render(request, "analysis/site/help.html", {"topics": topics()})


@login_not_required
@require_GET
def topic(request: HttpRequest, topic: str) -> HttpResponse:
    there = topics()
    here = next((each for each in there if each.slug == topic), None)
    if here is None:
        raise Http404(f"no page {topic} in the guide")
    page = documents.document_html(GUIDE / f"{here.slug}.md")
    context = {"topic": here, "topics": there, "page": page}
    return render(request, "analysis/site/topic.html", context)


@login_not_required
@require_GET
def keys(request: HttpRequest) -> HttpResponse:
    """All keys; the page's script writes them from the key map that the pages themselves use."""
    return render(request, "analysis/site/keys.html")
