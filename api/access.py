"""Authentication of programs: a token in the request's header, and what it is for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from ninja.errors import HttpError
from ninja.security import HttpBearer

from annotate.models import Campaign
from people import tokens
from people.models import ApiToken, Role, Study, User
from series.models import Dataset

T = TypeVar("T")


class InsufficientScope(HttpError):
    """403 for a token that is for something else than `scope`."""

    def __init__(self, token: ApiToken, scope: str) -> None:
        super().__init__(403, f"This token is for {token.scopes}; this needs {scope}.")
        self.scope = scope


@dataclass(frozen=True, slots=True)
class Caller:
    """Person and study for whom a request is answered."""

    study: Study
    user: User


class Bearer(HttpBearer):
    """A token that is good for one scope: 401 without one, 403 where it is for something else."""

    def __init__(self, scope: str) -> None:
        super().__init__()
        self.scope = scope

    def authenticate(self, request: HttpRequest, token: str) -> ApiToken | None:
        api_token = tokens.usable_token(token)
        if api_token and not api_token.may(self.scope):
            raise InsufficientScope(api_token, self.scope)
        return api_token


READ, IMPORT, RUN = Bearer("read"), Bearer("import"), Bearer("run")


def caller(request: HttpRequest) -> Caller:
    """The study and maker of the request's token."""
    token: ApiToken = request.auth  # type: ignore[attr-defined]  # ninja sets it
    return Caller(token.study, token.by)


def owner(request: HttpRequest) -> Caller:
    """Return the caller where the maker owns the study, as the page of the same thing asks; else
    403.
    """
    client = caller(request)
    if client.study.role_of(client.user) != Role.OWNER:
        raise HttpError(403, f"Only an owner of {client.study} may do this.")
    return client


def find_dataset(request: HttpRequest, slug: str) -> Dataset:
    """Find a data set of the token's study by its slug or its name; 404 without one."""
    if dataset := stored_dataset(caller(request).study, slug):
        return dataset
    raise Http404(slug)


def stored_dataset(study: Study, name: str) -> Dataset | None:
    """Find a data set by its slug, else by the name under which a program made it."""
    datasets = study.datasets
    return datasets.filter(slug=name).first() or datasets.filter(name=name).first()


def find_campaign(request: HttpRequest, slug: str) -> Campaign:
    """A campaign of the token's study; 404 for any other."""
    return get_object_or_404(caller(request).study.campaigns, slug=slug)


def value_or_422(find: Callable[[], T], *errors: type[Exception]) -> T:
    """Return what `find` gives; one of `errors` as 422 with its sentence."""
    try:
        return find()
    except errors as error:
        raise HttpError(422, str(error)) from error
