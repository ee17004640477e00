"""Programs that ask: a client with a token."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from people.models import Study, User
from people.models.token import SCOPES
from people.tokens import make_token

Program = Callable[..., Client]


@pytest.fixture
def program(study: Study) -> Program:
    """A client that carries a token of `by`, for all scopes unless some are named."""

    def make(by: User, *scopes: str, study: Study = study) -> Client:
        _, text = make_token(study, by=by, name="Nightly", scopes=scopes or SCOPES, days=1)
        return Client(headers={"authorization": f"Bearer {text}"})

    return make
