"""Options of reading: what a person says of a file that the file does not say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from formats.encodings import Encoding
from formats.limits import ReadLimits

Format: TypeAlias = str  # "auto", or the name of a reader in `formats.registry`
Role: TypeAlias = Literal[
    "recording",
    "build",
    "measured_at",
    "system",
    "benchmark",
    "params",
    "fork",
    "unit",
    "iteration",
    "value",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """Everything has a default that looks into the file.

    `unit`, `system`, `benchmark`, `params` and `iteration` (``100 ms``, ``one operation``: see
    `formats.iterations.stated_settings`) apply where the file names none. `better` says which
    values are better where the unit does not (`detectors.contract.directions`). `encoding` is that
    of all text. `param_names` has the names of the parameters of benchmarks whose file has their
    values alone. The rest is for CSV and text: `columns` maps a role of the long layout to a
    column, or to nothing; the other roles have none then, or with `others_as_detected` that of
    their name. `series_columns` names the columns of the wide layout that are series (empty: all).
    Columns of a file without header are called ``column 1``, ``column 2``, ….
    """

    unit: str = ""
    system: str = ""
    benchmark: str = ""
    params: str = ""
    iteration: str = ""
    better: Literal["", "more", "less"] = ""
    layout: Literal["auto", "wide", "long"] = "auto"
    separator: Literal["auto", ",", ";", "\t", "|"] = "auto"
    decimal: Literal["auto", ".", ","] = "auto"
    header: Literal["auto", "yes", "no"] = "auto"
    columns: Mapping[Role, str] = field(default_factory=dict)
    others_as_detected: bool = False
    series_columns: tuple[str, ...] = ()
    encoding: Encoding = "auto"
    param_names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    limits: ReadLimits = field(default_factory=ReadLimits)
