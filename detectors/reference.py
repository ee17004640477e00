"""The declaration of a detector as data, as text, and as the table of its page."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from detectors import methods
from detectors.contract import MOST_SECONDS, DeclaredParameter, Detector
from detectors.contract.parameters import parameter_text
from detectors.contract.rates import CONVENTIONS
from detectors.registry import method_slots, registry

BEGIN, END = "<!-- parameters: written by `make docs` -->", "<!-- /parameters -->"
RATES_BEGIN, RATES_END = "<!-- rates: written by `make docs` -->", "<!-- /rates -->"
NO_PARAMETERS = "No parameters."


def method_description(detector: type[Detector]) -> dict[str, Any]:
    """All that a class declares, ready for JSON."""
    source = detector.source
    return {
        "slug": detector.slug,
        "version": detector.version,
        "title": detector.title,
        "code": detector.code,
        "slot": method_slots().get(detector.slug, detector.slot),
        "family": detector.family,
        "cost": detector.cost,
        "longest": detector.longest,
        "online": detector.online,
        "needs": list(detector.needs),
        "rates": rates_of(detector),
        "missing": detector.missing(),
        "source": {name: getattr(source, name) for name in ("citation", "section", "doi", "url")},
        "key": detector().key,
        "parameters": [_parameter(parameter) for parameter in detector.Params.declared()],
    }


def _parameter(parameter: DeclaredParameter) -> dict[str, Any]:
    return {
        "name": parameter.name,
        "kind": str(parameter.kind),
        "default": parameter.default,
        "low": parameter.low,
        "high": parameter.high,
        "choices": list(parameter.choices),
        "unit": parameter.unit,
        "help": parameter.help,
    }


def parameter_table(detector: type[Detector]) -> str:
    """The parameters of a method as a Markdown table, between the markers of its page."""
    rows = [
        f"| `{d.name}` | {parameter_text(d.default)} | {d.bounds} | {d.unit} | {d.help} |"
        for d in detector.Params.declared()
    ]
    head = ["| name | default | bounds | unit | meaning |", "|---|---|---|---|---|"]
    return "\n".join([BEGIN, *([*head, *rows] if rows else [NO_PARAMETERS]), END])


def rates_of(detector: type[Detector]) -> str:
    """Convention by which a method reads a series of which more is better."""
    return " ".join(filter(None, (CONVENTIONS[detector.rates], detector.rates_note)))


def length_of(detector: type[Detector]) -> str:
    """The longest series that a method reads, as a paragraph; nothing where it reads any."""
    if detector.longest is None:
        return ""
    return (
        f"\n\n**Length.** The method reads at most {detector.longest:,} values: a longer series is "
        f"*too long*, because it would take [more than {MOST_SECONDS:.0f} seconds]"
        "(../design/cost.md#too-long)."
    )


def update_page(page: str, detector: type[Detector]) -> str:
    """The text of a page, what the class declares replaced by what it declares now."""
    rates = f"{RATES_BEGIN}\n**Rates.** {rates_of(detector)}{length_of(detector)}\n{RATES_END}"
    page = _replace_between(page, detector, (RATES_BEGIN, RATES_END), rates)
    return _replace_between(page, detector, (BEGIN, END), parameter_table(detector))


def _replace_between(page: str, detector: type[Detector], marks: tuple[str, str], text: str) -> str:
    first, last = marks
    text_before, begin, rest_text = page.partition(first)
    _, end, text_after = rest_text.partition(last)
    if not (begin and end):
        raise ValueError(f"the page of {detector.slug} lacks the lines {first} and {last}")
    return text_before + text + text_after


def pages(folder: Path) -> Iterator[tuple[Path, str]]:
    """The page of every detector of ours, as it should be."""
    for slug, detector in registry().items():
        if detector.__module__.startswith(f"{methods.__name__}."):
            path = folder / f"{slug}.md"
            yield path, update_page(path.read_text("utf-8"), detector)


def write_references(folder: Path, *, check: bool) -> int:
    """Write every table afresh; with `check`, only say which pages are out of date."""
    stale_pages = [(path, text) for path, text in pages(folder) if path.read_text("utf-8") != text]
    for path, text in stale_pages:
        if check:
            sys.stderr.write(
                f"{path}: its rates or parameters are out of date, or its length; run make docs\n"
            )
        else:
            path.write_text(text, "utf-8")
    return int(check and bool(stale_pages))


def main() -> int:
    """`python -m detectors.reference [--check]`."""
    folder = Path(__file__).parents[1] / "docs" / "detectors"
    return write_references(folder, check="--check" in sys.argv[1:])


if __name__ == "__main__":
    raise SystemExit(main())
