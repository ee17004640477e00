"""Every form of an address: what it prints it reads again, in an address and on a command line."""

from __future__ import annotations

import shlex
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import dataclass
from sys import modules
from typing import Any

import pytest
from django.core.management import CommandError
from django.http import QueryDict
from hypothesis import given, settings, strategies as st

from analysis.agreement.query import AgreementQuery
from analysis.comparison.query import ComparisonQuery, WhatIfQuery
from analysis.cost.query import CostQuery
from analysis.review.query import ReviewQuery
from people.query_form import (
    CommandOption,
    PageControl,
    QueryField,
    QueryForm,
    choice_field,
    text_field,
)
from people.query_settings import unused_parameters

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=12).map(str.strip)
texts = st.one_of(words, st.integers(0, 10**7).map(str), st.sampled_from(["none", "-kappa"]))


def forms(base: type[QueryForm] = QueryForm) -> Iterator[type[QueryForm]]:
    for form in base.__subclasses__():
        # `slots=True` makes a second class of the same name; the first one is no form.
        module = modules[form.__module__]
        if module.__name__ != __name__ and getattr(module, form.__name__, None) is form:
            yield form
        yield from forms(form)


FORMS = sorted(set(forms()), key=lambda form: form.__name__)


def values(query_field: QueryField) -> st.SearchStrategy[Any]:
    """Of one setting: the default, and whatever it understands."""
    if query_field.several and query_field.words:
        names = list(query_field.words.values())
        return st.sets(st.sampled_from(names)).map(
            lambda chosen_names: tuple(sorted(chosen_names, key=names.index))
        )
    if query_field.several:
        return st.lists(words.filter(bool), unique=True, max_size=3).map(tuple)
    if query_field.words:
        return st.sampled_from([query_field.default, *query_field.words.values()])
    read_values = texts.filter(query_field.setting.fits).map(query_field.setting.read)
    return st.one_of(st.just(query_field.default), read_values)


def queries(form: type[QueryForm]) -> st.SearchStrategy[QueryForm]:
    return st.builds(
        form, **{name: values(declared_field) for name, declared_field in form.declared().items()}
    )


queries_of_all = st.one_of(*map(queries, FORMS))


def test_the_forms_are_found() -> None:
    assert {ComparisonQuery, WhatIfQuery, CostQuery, ReviewQuery, AgreementQuery} <= {*FORMS}


@settings(max_examples=60)
@given(queries_of_all)
def test_an_address_says_what_it_was_printed_from(asked_form: QueryForm) -> None:
    query = QueryDict(asked_form.query()[1:])

    assert type(asked_form).from_query(query) == asked_form
    assert list(unused_parameters(query, asked_form.settings())) == []


@settings(max_examples=60)
@given(queries_of_all)
def test_a_command_line_says_what_it_was_printed_from(asked_form: QueryForm) -> None:
    form = type(asked_form)
    parser = ArgumentParser(exit_on_error=False)
    form.add_arguments(parser)
    query = form.from_options(
        vars(parser.parse_args(shlex.split(" ".join(asked_form.arguments()))))
    )

    defaults = {
        name: declared_field.default
        for name, declared_field in form.declared().items()
        if not declared_field.option
    }
    assert query == asked_form.changed(**defaults)


@settings(max_examples=30)
@given(queries_of_all, st.text(st.characters(exclude_categories=["Cs"]), max_size=9))
def test_any_address_is_read(asked_form: QueryForm, text: str) -> None:
    query = QueryDict(mutable=True)
    for declared_field in asked_form.declared().values():
        query[declared_field.key] = text
    read_form = type(asked_form).from_query(query)

    assert type(asked_form).from_query(QueryDict(read_form.query()[1:])) == read_form


@pytest.mark.parametrize("form", FORMS)
def test_what_is_said_by_default_has_no_address(form: type[QueryForm]) -> None:
    assert form().query() == ""
    assert form().arguments() == []
    keys = [declared_field.key for declared_field in form.declared().values()]
    assert len({*keys}) == len(keys)


def test_the_command_takes_all_but_what_only_a_page_shows() -> None:
    query_fields = ComparisonQuery.declared()

    assert {name for name in query_fields if not query_fields[name].option} == {
        "unit",
        "columns",
        "grouped",
    }


@dataclass(frozen=True, slots=True)
class WithOneMore(ComparisonQuery):
    """A comparison with a setting more: one declaration."""

    mode: str = choice_field(
        "mode",
        "mode",
        ("any", "time", "rate"),
        fallback="every mode",
        option=CommandOption("only series of this mode"),
        control=PageControl("Mode", shown={"any": "any mode"}),
    )


def test_a_setting_is_added_in_one_place() -> None:
    query = WithOneMore.from_query(QueryDict("d=nightly&mode=rate"))
    parser = ArgumentParser()
    WithOneMore.add_arguments(parser)
    control = query.controls()[-1]

    assert query.query() == "?d=nightly&mode=rate"
    assert query.arguments() == ["--dataset nightly", "--mode rate"]
    given_mode = WithOneMore.from_options(vars(parser.parse_args(["--mode", "rate"])))
    assert given_mode == WithOneMore(mode="rate")
    assert query.hidden_pairs("d") == [("mode", "rate")]
    assert (control.label, control.changed) == ("Mode", True)
    assert '<option value="rate" selected>' in control.widget
    (sentence,) = unused_parameters(QueryDict("mode=none"), WithOneMore.settings())
    assert sentence.endswith("takes one of any, time, rate. This page shows every mode instead.")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tolerance": -3}, "--tolerance: found -3, expected a whole number from 0 to 10,000,000"),
        ({"index": "start"}, "--index: found 'start', expected one of steady_start, published_"),
        ({"sort": "nope"}, "--sort: found 'nope', expected one of: title, method"),
    ],
)
def test_an_option_that_means_nothing_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(CommandError) as error_info:
        ComparisonQuery.from_options(options)

    assert str(error_info.value).startswith(message)
    assert error_info.value.returncode == 2


def test_what_is_typed_into_a_control_is_escaped() -> None:
    @dataclass(frozen=True, slots=True)
    class Words(QueryForm):
        text: str = text_field("q", "text", control=PageControl("Text"))

    (control,) = Words('"><script>').controls()

    assert "<script>" not in control.widget
