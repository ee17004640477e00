"""What a browser sends from the page of a campaign, read from the page itself."""

from __future__ import annotations

from typing import Any

from django.test import Client
from django.urls import reverse

from annotate.models import Campaign


def edit_address(campaign: Campaign) -> str:
    return reverse("campaign-edit", args=[campaign.study.slug, campaign.slug])


def form_fields(client: Client, address: str, **changes: Any) -> dict[str, Any]:
    """Every control of the page with its value, and what a person changes."""
    context = client.get(address).context
    editor = context["editor"]
    data: dict[str, Any] = {"sections": editor.sections, "key": context["key"]}
    for form in editor.forms.values():
        data |= {field.html_name: field.field.prepare_value(field.value()) for field in form}
    if editor.series is not None:
        data["picked"] = context["picked"]
    data |= changes
    return {name: value for name, value in data.items() if value is not None and value is not False}
