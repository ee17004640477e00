"""Every method on the published panel's series: the figures, and the tables of two pages.

    python -m docs.panel_figures [--check]            the tables, from the figures that are kept
    python -m docs.panel_figures --ask FOLDER [METHOD ...]

The second asks, of a folder of published measurements, each method anew that has other settings
or another version than its figures, and those that are named; half an hour for all. What is kept
names each method by its key, and the weights by their digest: a table of other settings than
today's fails the check. No series, mark or answer is kept.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from detectors.contract import Detector, Values
from detectors.panel.panel_models import PACKAGED, SHIPPED, card_of, content_digest, models_named
from detectors.registry import registry
from detectors.training.figures.method_figures import ask_method, figures_of
from detectors.training.figures.panel_figures import (
    DIGITS,
    PanelFigures,
    as_document,
    average_table,
    chosen_words,
    heading,
    row_of_document,
)
from detectors.training.figures.validation import (
    RUNNING,
    WHOLE,
    HeldOutModel,
    constants,
    out_of_fold_answers,
)
from detectors.training.labels.panel_answers import PanelAnswers
from detectors.training.labels.published import panel_of_folder
from detectors.training.panel import PanelFeatures
from docs.derived import is_stale
from formats.markdown import replace_between

PAGES: Final = Path(__file__).resolve().parent / "detectors"
KEPT: Final = PAGES / "panel-figures.json"
WEIGHTS: Final = PACKAGED / f"plateau-{SHIPPED}.npz"
LEARNED: Final = ("plateau", "plateau-online")
OF_WEIGHTS: Final = ("plateau-result",)
"""Methods that are asked as any other, and anew when the weights are others."""
BEGIN, END = "<!-- figures: written by `make docs` -->", "<!-- /figures -->"
Document = dict[str, Any]


def panel_methods() -> Iterator[Detector]:
    """All that can answer with nothing but the values and have weights here, with defaults.

    Plateau in other settings, too.
    """
    yield from (*WHOLE, *RUNNING)
    for slug, detector in registry().items():
        if detector.__module__.startswith("detectors.methods.") and slug not in LEARNED:
            yield detector()


def kept_figures() -> Document:
    """The figures that are kept; of nothing yet."""
    if not KEPT.is_file():
        return {"weights": "", "methods": {}}
    figures: Document = json.loads(KEPT.read_text("utf-8"))
    return figures


# --- asking ---------------------------------------------------------------------------------------
def ask_panel_methods(folder: Path, named_slugs: Sequence[str], *, only_own: bool = False) -> None:
    """Ask what is not of today, or named, and keep its figures, method by method.

    only: ask the named methods, and no other.
    """
    panel, document = panel_of_folder(folder), kept_figures()
    has_new_weights = document["weights"] != weights()
    if has_new_weights and not only_own:
        named_slugs = [*named_slugs, *OF_WEIGHTS]
    constant_answers = constants(panel)
    needs_answers = not only_own and (has_new_weights or not _has_panel_methods(document))
    if needs_answers or {*named_slugs} & {*LEARNED}:
        keep_panel_figures(document | _learned_rows(panel, constant_answers, document["methods"]))
    for method in panel_methods():
        document = kept_figures()
        is_kept = method.key in document["methods"] and method.slug not in named_slugs
        if is_kept or method.slug in LEARNED or (only_own and method.slug not in named_slugs):
            continue
        sys.stderr.write(f"{method.key}\n")
        answers = ask_method(method, panel)
        if any(answer is not None for answer in answers.marked):  # else it needs more than values
            row = as_document(figures_of(panel, answers, constant_answers))
            keep_panel_figures(document | {"methods": document["methods"] | {method.key: row}})


def keep_panel_figures(document: Document) -> None:
    """Write the figures of today's methods, in order; those of others go."""
    kept_rows = document["methods"]
    methods_kept = {
        method.key: kept_rows[method.key] for method in panel_methods() if method.key in kept_rows
    }
    text = json.dumps(document | {"methods": methods_kept}, indent=1, ensure_ascii=False)
    KEPT.write_text(f"{text}\n", "utf-8")


def _has_panel_methods(document: Document) -> bool:
    return {method.key for method in (*WHOLE, *RUNNING)} <= document["methods"].keys()


def _learned_rows(panel: PanelAnswers, constant_answers: Values, kept_rows: Document) -> Document:
    """Both Plateaus, by the models of the weights that ship; the constant, and the people."""
    models = models_named(SHIPPED)
    held_out_models = [
        HeldOutModel(
            tuple(name for name, fold in models.groups.items() if fold == fold_index), model
        )
        for fold_index, model in enumerate(models.blind)
    ]
    blind_answers = out_of_fold_answers(PanelFeatures.from_panel(panel), held_out_models)
    answers = (*blind_answers.whole, *blind_answers.running)
    figures = PanelFigures.from_panel(panel, constant_answers, answers)
    rows = zip((*WHOLE, *RUNNING), figures.rows, strict=False)  # the last row is the constant
    return {
        "weights": weights(),
        "inside_80": round(float(blind_answers.inside.mean()), DIGITS),
        "chosen": [None if choice is None else asdict(choice) for choice in blind_answers.chosen],
        "constant": as_document(figures.rows[-1]),
        "people": [
            [as_document(panel_figures), as_document(own_figures)]
            for panel_figures, own_figures in figures.people
        ],
        "methods": kept_rows | {method.key: as_document(row) for method, row in rows},
    }


def weights() -> str:
    """SHA-256 of the weights that ship."""
    return content_digest(WEIGHTS.read_bytes())


# --- the pages ------------------------------------------------------------------------------------
def panel_tables() -> dict[str, str]:
    """Tables between the marker lines of each page."""
    document, folding = kept_figures(), card_of(SHIPPED)["cross_validation"]
    rows = [row_of_document(kept_row) for kept_row in document["methods"].values()]
    figures = PanelFigures(
        (*rows, row_of_document(document["constant"])),
        tuple(
            (row_of_document(panel_figures), row_of_document(own_figures))
            for panel_figures, own_figures in document["people"]
        ),
    )
    figures_by_folding = [
        PanelFigures(tuple(map(row_of_document, fold["methods"])), ()) for fold in folding
    ]
    plateau_choice, online_choice = document["chosen"]
    plateau_text = (
        f"{heading(0, 'system')}{figures.table()}{chosen_words('Plateau', plateau_choice)}\n"
        f"The 80 % interval holds the panel's answer in {100 * document['inside_80']:.1f} % of the "
        "series.\n\n"
        f"Against the median of the other people's marks:\n\n{figures.people_table()}"
        f"{average_table(figures_by_folding, [row.name for row in figures_by_folding[0].rows])}"
    )
    online_text = (
        f"{heading(0, 'system')}{figures.waiting_table()}"
        f"{chosen_words('Plateau, online', online_choice)}"
    )
    return {"plateau": plateau_text, "plateau-online": online_text}


def write_panel_figures(*, check: bool) -> int:
    """Write the tables afresh; with `check`, only say which pages are out of date."""
    are_stale = False
    for slug, table in panel_tables().items():
        path = PAGES / f"{slug}.md"
        text = replace_between(path.read_text("utf-8"), BEGIN, END, table.strip())
        are_stale |= is_stale(path, text, check=check, part_name="table of figures")
    return int(check and are_stale)


def main(arguments: Sequence[str]) -> int:
    if arguments[:1] == ["--ask"]:
        ask_panel_methods(Path(arguments[1]), arguments[2:])
    return write_panel_figures(check="--check" in arguments)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
