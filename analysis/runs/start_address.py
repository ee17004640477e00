"""Address of *Start a run* with methods, parameters and series filled in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from urllib.parse import parse_qsl, urlencode

from django.urls import reverse

from detectors.registry import KeyParts


def start_query(keys: Iterable[str], series: Mapping[str, str] | None = None) -> str:
    """Query that fills in the methods of detector keys, and settings that narrow the series."""
    fields = [*(series or {}).items()]
    for key in keys:
        slug, _, parameters = KeyParts.from_key(key)
        fields.append(("methods", slug))
        fields += [(f"{slug}.{name}", value) for name, value in parse_qsl(parameters)]
    return urlencode(fields)


def start_address(study: str, keys: Iterable[str]) -> str:
    """Address of the page of a study with these methods chosen."""
    return f"{reverse('run-new', args=[study])}?{start_query(keys)}"
