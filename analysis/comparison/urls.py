"""Addresses of the comparison."""

from __future__ import annotations

from typing import Final

from django.urls import path

from analysis.comparison.query import PARTS
from analysis.comparison.views import comparison, folded_parts, saved_sets

SETS: Final = "s/<slug:study>/comparison/presets/"

urlpatterns = [
    path("s/<slug:study>/comparison/", comparison.comparison_page, name="comparison"),
    *(
        path(
            f"s/<slug:study>/comparison/{part}/", folded_parts.open_part, {"part": part}, name=name
        )
        for part, name in PARTS.items()
    ),
    path(SETS, saved_sets.save_method_set_page, name="method-sets"),
    path(
        f"{SETS}<str:method_set>/removal/",
        saved_sets.remove_method_set_page,
        name="method-set-removal",
    ),
    path(f"{SETS}<str:method_set>/first/", saved_sets.put_set_first_page, name="method-set-first"),
]
