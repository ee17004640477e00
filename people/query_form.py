"""A query of an address or a command, declared once: a frozen dataclass of settings.

    @dataclass(frozen=True, slots=True)
    class CostQuery(QueryForm):
        cap: int | None = whole_field(
            "cap", "cap", 0, 10_000, default=500, or_word="none", otherwise="a cap of 500",
            option=CommandOption("most iterations of warm-up, or none", "ITERATIONS"),
            control=PageControl("Warm-up at most"))

From that one line come the parser of addresses (`of`), the address of a value (`pairs`, `query`),
the command's option (`add_arguments`, `from_options`), the command line that asks the same
(`arguments`), the field on the page (`controls`), and what is said about a value that is not
understood: on a page by `warn_unused_parameters` of `settings()`, in a command with status 2.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from shlex import quote
from typing import Any, Final, Self
from urllib.parse import urlencode

from django import forms
from django.core.management.base import CommandError
from django.http import QueryDict
from django.utils.safestring import SafeString

from people import query_settings
from people.query_settings import AddressSetting, Settings
from people.repeated_option import add_option

BAR: Final = "bar"  # the place of controls that apply themselves when they change
_FIRST: Final = object()
_DECLARED: Final = "query_field"
Choices = Iterable[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class CommandOption:
    """Option of a command line for a setting.

    name      without dashes; empty: what people call the setting
    words     value by word, where the command has others than the values themselves
    type      of the words of a choice, as argparse compares them
    expected  which texts are understood, where more can be said than on a page
    """

    help: str = ""
    metavar: str | None = None
    name: str = ""
    words: Mapping[str, Any] = field(default_factory=dict)
    type: Callable[[str], Any] = str
    expected: str = ""


@dataclass(frozen=True, slots=True)
class PageControl:
    """Control of a page for a setting.

    place  the group of controls that it stands in
    shown  words of a choice, by its word in the address; without any, that word
    empty  what stands where nothing was chosen: of a choice its first line, else a placeholder
    """

    label: str
    place: str = BAR
    shown: Mapping[Any, str] = field(default_factory=dict)
    empty: str = ""
    title: str = ""
    attributes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FilledControl:
    """A control with its value, for `_query_controls.html`; `changed` from the default."""

    label: str
    title: str
    changed: bool
    widget: SafeString


@dataclass(frozen=True, slots=True)
class QueryField:
    """One setting of a form.

    key     its name in an address
    write   the text that means a value
    words   value by word, of a choice
    column  what it narrows the rows of a query set by
    """

    key: str
    setting: AddressSetting
    default: Any = ""
    write: Callable[[Any], str] = str
    several: bool = False
    words: Mapping[str, Any] = field(default_factory=dict)
    option: CommandOption | None = None
    control: PageControl | None = None
    column: str = ""

    def read_from(self, query: QueryDict) -> Any:
        """The value in an address; what is not understood is the default."""
        texts = [text.strip() for text in query.getlist(self.key)]
        candidates = texts if self.several else texts[-1:]
        values = [
            self.setting.read(text) for text in candidates if text and self.setting.fits(text)
        ]
        if self.several:
            return tuple(self._in_order(dict.fromkeys(values)))
        return values[0] if values else self.default

    def _in_order(self, values: Iterable[Any]) -> Iterable[Any]:
        order = list(self.words.values())
        return sorted(values, key=order.index) if order else values

    def texts(self, value: Any) -> list[str]:
        """The texts that say a value in an address: none for the default."""
        if value == self.default:
            return []
        return list(map(self.write, value)) if self.several else [self.write(value)]

    # --- in a command -----------------------------------------------------------------------------
    @property
    def option_name(self) -> str:
        return (self.option.name if self.option else "") or self.setting.called

    @property
    def _is_switch(self) -> bool:
        return isinstance(self.default, bool)

    @property
    def _option_words(self) -> Mapping[str, Any]:
        option_words = self.option.words if self.option else {}
        return option_words or {str(value): value for value in self.words.values()}

    def add_argument(self, parser: ArgumentParser, option: CommandOption) -> None:
        name = f"--{self.option_name}"
        if self._is_switch:
            parser.add_argument(name, action="store_true", help=option.help)
        elif self.several:
            add_option(parser, name, option.metavar, option.help)
        else:
            choices = [option.type(word) for word in self._option_words] or None
            parser.add_argument(
                name, type=option.type, choices=choices, metavar=option.metavar, help=option.help
            )

    def of_options(self, options: Mapping[str, Any]) -> Any:
        """The value that a command was given. CommandError (status 2) where it means none."""
        option_value = options.get(self.option_name.replace("-", "_")) if self.option else None
        if self.option is None or option_value is None or option_value in ("", []):
            return self.default
        words = self._option_words
        read_value = words.__getitem__ if words else self.setting.read
        try:
            return (
                tuple(map(read_value, option_value))
                if self.several
                else read_value(str(option_value))
            )
        except (LookupError, ValueError) as error:
            expected = self.option.expected or self.setting.expected
            expected = f"one of {', '.join(words)}" if words else expected
            sentence = f"--{self.option_name}: found {option_value!r}, expected {expected}"
            raise CommandError(sentence, returncode=2) from error

    def arguments(self, value: Any) -> list[str]:
        """The words that give a command a value: none for the default."""
        if value == self.default or self.option is None:
            return []
        name = f"--{self.option_name}"
        if self._is_switch:
            return [name]
        words = {option_value: word for word, option_value in self._option_words.items()}
        command_words = [
            words.get(setting_value) or self.write(setting_value)
            for setting_value in (value if self.several else [value])
        ]
        # A value that begins with a dash would be read as an option of its own.
        return [
            f"{name}{'=' if text.startswith('-') else ' '}{quote(text)}" for text in command_words
        ]

    # --- on a page --------------------------------------------------------------------------------
    def fill(
        self, control: PageControl, value: Any, blank_text: str = "", choices: Choices = ()
    ) -> FilledControl:
        """`choices` are those that only the page knows, as (value, words)."""
        attributes: dict[str, Any] = {**control.attributes, "data-submits": control.place == BAR}
        blank_text = blank_text or control.empty
        if self.words or choices:
            pairs = [*(choices or self._choices(control))]
            empty_choices = (
                [] if any(not choice_value for choice_value, _ in pairs) else [("", blank_text)]
            )
            value_text = "" if value == self.default else self.write(value)
            widget = forms.Select(attributes, [*empty_choices, *pairs]).render(self.key, value_text)
        else:
            attributes |= {"autocomplete": "off", "placeholder": blank_text or False}
            widget = forms.TextInput(attributes).render(self.key, self.write(value))
        return FilledControl(control.label, control.title, value != self.default, widget)

    def _choices(self, control: PageControl) -> Choices:
        for word, value in self.words.items():
            yield "" if value == self.default else word, control.shown.get(word, word)


@dataclass(frozen=True, slots=True)
class QueryForm:
    """The base of every form: a subclass declares its settings by the functions below."""

    @classmethod
    def declared(cls) -> Mapping[str, QueryField]:
        """The settings by the names of the class's fields, in the order of an address."""
        return {
            dataclass_field.name: dataclass_field.metadata[_DECLARED]
            for dataclass_field in fields(cls)
        }

    @classmethod
    def settings(cls) -> Settings:
        """The settings by their names in an address."""
        return {query_field.key: query_field.setting for query_field in cls.declared().values()}

    @classmethod
    def from_query(cls, query: QueryDict) -> Self:
        """Read a query string; what is not understood is the default."""
        return cls(
            **{name: query_field.read_from(query) for name, query_field in cls.declared().items()}
        )

    def pairs(self) -> list[tuple[str, str]]:
        """The query string as pairs, defaults left out."""
        return [
            (query_field.key, text)
            for name, query_field in self.declared().items()
            for text in query_field.texts(getattr(self, name))
        ]

    def query(self, *others: QueryForm, **more: str | int) -> str:
        """`?…` with further forms and keys behind it; empty without any."""
        pairs = [pair for form in (self, *others) for pair in form.pairs()]
        pairs += [(name, str(value)) for name, value in more.items() if value != ""]
        return f"?{urlencode(pairs)}" if pairs else ""

    def hidden_pairs(self, *own_names: str) -> list[tuple[str, str]]:
        """Pairs that a form on a page sends along, without keys and places of `own_names`."""
        fields = self.declared().values()
        own_keys = {
            query_field.key
            for query_field in fields
            if query_field.control and query_field.control.place in own_names
        } | {*own_names}
        return [pair for pair in self.pairs() if pair[0] not in own_keys]

    def filters(self) -> dict[str, Any]:
        """Filters of rows, by column; nothing of a setting that says nothing."""
        column_values = (
            (query_field.column, getattr(self, name))
            for name, query_field in self.declared().items()
        )
        return {column: value for column, value in column_values if column and value}

    def changed(self, **values: object) -> Self:
        return replace(self, **values)

    def controls(
        self,
        place: str = BAR,
        choices: Mapping[str, Choices] | None = None,
        omitted_fields: Collection[str] = (),
        **blank_texts: str,
    ) -> list[FilledControl]:
        """The controls of one place.

        By the names of fields: the `choices` that only a page knows, the `omitted_fields` which it
        shows itself, and `blank_texts` where they depend on more than the form.
        """
        return [
            query_field.fill(
                query_field.control,
                getattr(self, name),
                blank_texts.get(name, ""),
                (choices or {}).get(name, ()),
            )
            for name, query_field in self.declared().items()
            if query_field.control
            and query_field.control.place == place
            and name not in omitted_fields
        ]

    @classmethod
    def add_arguments(cls, parser: ArgumentParser, *names: str) -> None:
        """The command's options: of all fields that have one, or of those that are named."""
        for name, query_field in cls.declared().items():
            if query_field.option and (not names or name in names):
                query_field.add_argument(parser, query_field.option)

    @classmethod
    def from_options(cls, options: Mapping[str, Any], **values: Any) -> Self:
        """Read what a command was asked for; `values` where it knows them otherwise."""
        option_values = {
            name: query_field.of_options(options) for name, query_field in cls.declared().items()
        }
        return cls(**{**option_values, **values})

    def arguments(self, *omitted_fields: str) -> list[str]:
        """The words of a command line that ask the same, but for the fields `omitted_fields`."""
        return [
            word
            for name, query_field in self.declared().items()
            if name not in omitted_fields
            for word in query_field.arguments(getattr(self, name))
        ]


# --- kinds of settings ----------------------------------------------------------------------------
def setting_field(query_field: QueryField) -> Any:
    """The dataclass field of a setting."""
    return field(default=query_field.default, metadata={_DECLARED: query_field})


def text_field(
    key: str,
    noun: str,
    option: CommandOption | None = None,
    control: PageControl | None = None,
    column: str = "",
) -> Any:
    """Any words; none is the empty text."""
    setting = AddressSetting(noun)
    return setting_field(QueryField(key, setting, option=option, control=control, column=column))


def texts_field(key: str, noun: str, option: CommandOption | None = None) -> Any:
    """Any number of words: the same key again for each."""
    return setting_field(QueryField(key, AddressSetting(noun), (), several=True, option=option))


def choice_field(
    key: str,
    noun: str,
    words: Iterable[str] | Mapping[str, Any],
    *,
    default: Any = _FIRST,
    fallback: str = "",
    **more: Any,
) -> Any:
    """One of some words, each itself or the value that it means; several with the default ().

    The first is the default where nothing else is said.
    """
    values = words if isinstance(words, Mapping) else {word: word for word in words}
    default = next(iter(values.values())) if default is _FIRST else default
    write_value = {value: word for word, value in values.items()}.__getitem__
    setting = query_settings.mapped_choice(noun, values, fallback=fallback or str(default))
    is_several = default == ()
    return setting_field(
        QueryField(key, setting, default, write_value, several=is_several, words=values, **more)
    )


def whole_field(
    key: str,
    noun: str,
    low: int,
    high: int,
    *,
    default: int | None = None,
    fallback: str,
    or_word: str = "",
    **more: Any,
) -> Any:
    """A whole number within the bounds; None is written as `or_word`."""
    setting = query_settings.whole_number(noun, low, high, fallback=fallback, or_word=or_word)

    def write(value: int | None) -> str:
        return or_word if value is None else str(value)

    return setting_field(QueryField(key, setting, default, write, **more))


def parsed_field(key: str, setting: AddressSetting, default: Any, **more: Any) -> Any:
    """Field that `setting` reads from a text, and `str` writes again; nothing is written for
    None.
    """

    def write(value: object) -> str:
        return "" if value is None else str(value)

    return setting_field(QueryField(key, setting, default, write, **more))
