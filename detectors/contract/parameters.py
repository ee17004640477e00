"""Parameters of a detector: declared once, with bounds, for form, command line, docs and key.

A class of parameters is a frozen dataclass whose fields are made by `parameter`:

    class Params(Parameters):
        k: int = parameter(30, low=2, high=100_000, unit="iterations", help="Length of the window.")

`Params(k=1)` raises ``ParameterError: k must be from 2 to 100000; got 1``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import Field, dataclass, field, fields
from enum import StrEnum
from functools import cached_property
from typing import Any, ClassVar, Self, dataclass_transform
from urllib.parse import parse_qsl, quote, unquote

IN_A_KEY = "@:/,+ "  # characters that a value of a key may show as they are
TRUE, FALSE = "true", "false"


class ParameterError(ValueError):
    """A parameter that cannot be: one sentence with its name, what is allowed, what came."""


class ParameterKind(StrEnum):
    """Kind of a parameter; the web form and the command line choose their control by it."""

    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    CHOICE = "choice"
    TEXT = "text"
    KEYS = "keys"  # detector keys, in order


ANNOTATIONS = {
    ParameterKind.INTEGER: "int",
    ParameterKind.NUMBER: "float",
    ParameterKind.BOOLEAN: "bool",
}


@dataclass(frozen=True, slots=True)
class DeclaredParameter:
    """One declared parameter, as data: what forms, tables and checks are made from.

    `low` and `high` are inclusive; for text they bound the length, for keys their number.
    """

    name: str
    kind: ParameterKind
    default: Any
    low: float | None
    high: float | None
    choices: tuple[str, ...]
    unit: str
    help: str
    canonical: Callable[[Any], Any] | None

    @property
    def metadata(self) -> dict[str, Any]:
        """The bounds by name."""
        return {"low": self.low, "high": self.high, "choices": self.choices, "unit": self.unit}

    @property
    def bounds(self) -> str:
        """The bounds in words: ``2 to 100000``, ``median, majority``, ``1 to 80 letters``."""
        if self.choices:
            return ", ".join(self.choices)
        if self.kind is ParameterKind.BOOLEAN:
            return f"{TRUE}, {FALSE}"
        if self.low is None and self.high is None:
            return ""
        if self.high is None:
            return f"{parameter_text(self.low)} or more"
        if self.low is None:
            return f"{parameter_text(self.high)} or less"
        letters = " letters" if self.kind is ParameterKind.TEXT else ""
        return f"{parameter_text(self.low)} to {parameter_text(self.high)}{letters}"

    def accept(self, value: object) -> Any:
        """`value` as this parameter stores it; raises `ParameterError` when it may not."""
        if self.canonical is not None:
            value = self.canonical(value)
        return ACCEPT[self.kind](self, value)

    def parse(self, text: str) -> Any:
        """The value that `text` (from a form, a key, a command line) stands for."""
        return self.accept(PARSE[self.kind](text.strip()))

    def refuse(self, allowed_words: str, given_value: object) -> ParameterError:
        given_value = (
            given_value if isinstance(given_value, str | int | float) else repr(given_value)
        )
        return ParameterError(f"{self.name} must be {allowed_words}; got {given_value}")


def parameter_text(value: Any) -> str:
    """A parameter's value as text: the shortest that reads back to the same value."""
    if isinstance(value, bool):
        return TRUE if value else FALSE
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, tuple):
        return ",".join(quote(item, safe="@:/?&= ") for item in value)
    return str(value)


def parameter(
    default: Any,
    *,
    low: float | None = None,
    high: float | None = None,
    unit: str = "",
    help: str,
    choices: Iterable[str] = (),
    kind: ParameterKind | None = None,
    canonical: Callable[[Any], Any] | None = None,
) -> Any:
    """Declare a parameter. Its kind follows from `default`, or from `choices`.

    An `int` or `float` default needs `low` and `high` (inclusive). `canonical`, if given,
    is asked first and may replace a value by the one spelling that the key shall hold.
    """
    choices = tuple(choices)
    kind = kind or _kind_of(default, choices)
    if kind in {ParameterKind.INTEGER, ParameterKind.NUMBER} and (low is None or high is None):
        raise TypeError(f"a parameter with default {default!r} declares its low and its high")
    declaration = DeclaredParameter("", kind, default, low, high, choices, unit, help, canonical)
    return field(default=default, metadata={"declared": declaration})


def _kind_of(default: object, choices: tuple[str, ...]) -> ParameterKind:
    if choices:
        return ParameterKind.CHOICE
    for type_, kind in (
        (bool, ParameterKind.BOOLEAN),
        (int, ParameterKind.INTEGER),
        (float, ParameterKind.NUMBER),
        (str, ParameterKind.TEXT),
        (tuple, ParameterKind.KEYS),
    ):
        if isinstance(default, type_):
            return kind
    raise TypeError(f"no kind of parameter has the default {default!r}")


def seed_parameter() -> Any:
    """The parameter `seed` of every method that draws random numbers; `--seed` sets it."""
    return parameter(
        0, low=0, high=2**32 - 1, help="Start of the random numbers; same seed, same answer."
    )


def _check_bounds(declaration: DeclaredParameter, value: float, number_words: str) -> None:
    low, high = declaration.low, declaration.high
    if (low is not None and value < low) or (high is not None and value > high):
        raise declaration.refuse(_range_words(declaration, number_words), parameter_text(value))


def _range_words(declaration: DeclaredParameter, number_words: str) -> str:
    if declaration.low is not None and declaration.high is not None:
        return f"{number_words}from {declaration.bounds}"
    return f"{number_words}{declaration.bounds}"


def _accept_integer(declaration: DeclaredParameter, value: Any) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        if not (isinstance(value, float) and value.is_integer()):
            raise declaration.refuse(_range_words(declaration, "a whole number "), value)
        value = int(value)
    number = int(value)
    _check_bounds(declaration, number, "")
    return int(number)


def _accept_number(declaration: DeclaredParameter, value: Any) -> float:
    try:
        number = math.nan if isinstance(value, bool | str) else float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise declaration.refuse(_range_words(declaration, "a number "), value)
    _check_bounds(declaration, number, "")
    return number


def _accept_boolean(declaration: DeclaredParameter, value: object) -> bool:
    if not isinstance(value, bool):
        raise declaration.refuse(f"{TRUE} or {FALSE}", value)
    return value


def _accept_choice(declaration: DeclaredParameter, value: object) -> str:
    if not isinstance(value, str) or value not in declaration.choices:
        raise declaration.refuse(f"one of {declaration.bounds}", value)
    return value


def _accept_text(declaration: DeclaredParameter, value: object) -> str:
    if not isinstance(value, str):
        raise declaration.refuse("text", value)
    _check_length(declaration, len(value), "characters")
    return value


def _accept_keys(declaration: DeclaredParameter, value: object) -> tuple[str, ...]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise declaration.refuse("a list of detector keys", value)
    keys = tuple(value)
    if not all(isinstance(key, str) and key for key in keys):
        raise declaration.refuse("a list of detector keys", value)
    _check_length(declaration, len(keys), "detector keys")
    return keys


def _check_length(declaration: DeclaredParameter, length: int, unit_words: str) -> None:
    try:
        _check_bounds(declaration, length, "")
    except ParameterError:
        allowed_words = f"{_range_words(declaration, '')} {unit_words}"
        raise declaration.refuse(allowed_words, f"{length} {unit_words}") from None


def _parse_integer(text: str) -> object:
    try:
        return int(text)
    except ValueError:
        return _parse_number(text)


def _parse_number(text: str) -> object:
    try:
        return float(text)
    except ValueError:
        return text  # refused by `accept`, with the text in the sentence


def _parse_boolean(text: str) -> object:
    return {TRUE: True, FALSE: False}.get(text.lower(), text)


def _parse_keys(text: str) -> tuple[str, ...]:
    return tuple(unquote(key_text.strip()) for key_text in text.split(",")) if text else ()


ACCEPT: Mapping[ParameterKind, Callable[[DeclaredParameter, object], Any]] = {
    ParameterKind.INTEGER: _accept_integer,
    ParameterKind.NUMBER: _accept_number,
    ParameterKind.BOOLEAN: _accept_boolean,
    ParameterKind.CHOICE: _accept_choice,
    ParameterKind.TEXT: _accept_text,
    ParameterKind.KEYS: _accept_keys,
}
PARSE: Mapping[ParameterKind, Callable[[str], object]] = {
    ParameterKind.INTEGER: _parse_integer,
    ParameterKind.NUMBER: _parse_number,
    ParameterKind.BOOLEAN: _parse_boolean,
    ParameterKind.CHOICE: str,
    ParameterKind.TEXT: str,
    ParameterKind.KEYS: _parse_keys,
}


# Not named as field specifiers: type checkers then know by the assignment that there is a default.
@dataclass_transform(frozen_default=True, kw_only_default=True)
class Parameters:
    """Base of every detector's `Params`: a subclass is a frozen dataclass of its parameters."""

    _declared: ClassVar[tuple[DeclaredParameter, ...]] = ()

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, kw_only=True)(cls)
        cls._declared = tuple(_name_declaration(field, cls) for field in fields(cls))  # type: ignore[arg-type]
        cls()  # a default outside its own bounds is found when the class is read

    def __post_init__(self) -> None:
        for declaration in self._declared:
            accepted_value = declaration.accept(getattr(self, declaration.name))
            object.__setattr__(self, declaration.name, accepted_value)
        self.check()

    def check(self) -> None:
        """Rules between parameters: a subclass calls `require` for each of them."""

    @staticmethod
    def require(is_met: bool, sentence: str) -> None:  # noqa: FBT001  # an assertion
        """Raise `ParameterError` with `sentence` unless a rule is met."""
        if not is_met:
            raise ParameterError(sentence)

    @classmethod
    def declared(cls) -> tuple[DeclaredParameter, ...]:
        """The parameters in the order of their declaration, which is the key's order."""
        return cls._declared

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        """Parameters from values by name; the others keep their defaults."""
        declaration_by_name = {declaration.name: declaration for declaration in cls._declared}
        for name in values:
            if name not in declaration_by_name:
                names = ", ".join(declaration_by_name) or "none at all"
                raise ParameterError(f"there is no parameter {name!r}; there are: {names}")
        return cls(**values)

    @classmethod
    def parse(cls, texts: Mapping[str, str]) -> Self:
        """Parameters from texts by name, as a form or a command line gives them."""
        declaration_by_name = {declaration.name: declaration for declaration in cls._declared}
        return cls.from_values(
            {
                name: declaration_by_name[name].parse(text) if name in declaration_by_name else text
                for name, text in texts.items()
            }
        )

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Parameters from ``name=value&…``, the second half of a detector's key."""
        try:
            pairs = parse_qsl(
                text.replace("+", "%2B"), keep_blank_values=True, strict_parsing=bool(text)
            )
        except ValueError:
            raise ParameterError(f"parameters must be name=value&…; got {text}") from None
        texts = dict(pairs)
        if len(texts) < len(pairs):
            raise ParameterError(f"each parameter may be given once; got {text}")
        return cls.parse(texts)

    def texts(self) -> dict[str, str]:
        """Every parameter's value as text, defaults written out."""
        return {d.name: parameter_text(getattr(self, d.name)) for d in self._declared}

    def as_text(self) -> str:
        """``name=value&…`` in canonical order, defaults written out; empty without parameters."""
        return self._key_text

    @cached_property
    def _key_text(self) -> str:
        return "&".join(
            f"{name}={quote(text, safe=IN_A_KEY)}" for name, text in self.texts().items()
        )


def _name_declaration(field: Field[Any], owner: type) -> DeclaredParameter:
    declaration: DeclaredParameter | None = field.metadata.get("declared")
    if declaration is None:
        raise TypeError(f"{owner.__qualname__}.{field.name} is not made by parameter(…)")
    expected = ANNOTATIONS.get(declaration.kind)
    if expected and field.type not in {
        expected,
        {"int": int, "float": float, "bool": bool}[expected],
    }:
        raise TypeError(
            f"{owner.__qualname__}.{field.name} is annotated {field.type} but its default "
            f"{declaration.default!r} is {expected}"
        )
    d = declaration
    return DeclaredParameter(
        field.name, d.kind, d.default, d.low, d.high, d.choices, d.unit, d.help, d.canonical
    )
