"""Fields of forms, written by functions where a page has hundreds of them.

Django renders each with templates that include one another, which took a third of the form that
starts a run. What is written here is the same text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.forms.renderers import DjangoTemplates
from django.utils.formats import localize
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe

WIDGETS: Final = "django/forms/widgets/"
INPUTS: Final = ("checkbox", "email", "hidden", "input", "number", "password", "text", "url")
OPTION: Final = f"{WIDGETS}select_option.html"


def attributes_html(attributes: Mapping[str, Any]) -> str:
    """Attributes with their values; True is a name alone, and False nothing."""
    return "".join(
        f" {conditional_escape(name)}"
        if value is True
        else f' {conditional_escape(name)}="{conditional_escape(str(value))}"'
        for name, value in attributes.items()
        if value is not False
    )


def input_html(context: Mapping[str, Any]) -> str:
    widget = context["widget"]
    value = widget["value"]
    attributes = {"type": widget["type"], "name": widget["name"]}
    if value is not None:
        attributes["value"] = str(value)
    return f"<input{attributes_html(attributes)}{attributes_html(widget['attrs'])}>"


def select_html(context: Mapping[str, Any]) -> str:
    widget = context["widget"]
    parts = [f"<select{attributes_html({'name': widget['name']} | widget['attrs'])}>"]
    for group_name, options, _ in widget["optgroups"]:
        if group_name:
            parts.append(f'\n  <optgroup label="{conditional_escape(localize(group_name))}">')
        parts += [f"\n  {option_html(option)}\n" for option in options]
        if group_name:
            parts.append("\n  </optgroup>")
    return "".join([*parts, "\n</select>"])


def option_html(option: Mapping[str, Any]) -> str:
    attributes = attributes_html({"value": str(option["value"])} | option["attrs"])
    return f"<option{attributes}>{conditional_escape(localize(option['label']))}</option>"


HTML_BY_TEMPLATE: Final[Mapping[str, Callable[[Mapping[str, Any]], str]]] = {
    **{f"{WIDGETS}{name}.html": input_html for name in INPUTS},
    f"{WIDGETS}select.html": select_html,
}


class FieldRenderer(DjangoTemplates):
    """Django's renderer but for inputs, selects, and lists of no errors."""

    def render(self, template_name: str, context: Any, request: Any = None) -> SafeString:
        if to_html := HTML_BY_TEMPLATE.get(template_name):
            return mark_safe(to_html(context))  # noqa: S308  # each part is escaped
        if template_name == "django/forms/errors/list/default.html" and not context["errors"]:
            return SafeString()
        return mark_safe(super().render(template_name, context, request))  # noqa: S308  # it is
