"""Facts of the request, or of the worker's task, that is being answered: its name, from where.

The log and the audit log read them; `config.middleware.RequestId` and `config.celery` set them.
Imports no model: the log is set up before any of them is there.
"""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest

NO_ID: Final = "-"


@dataclass(frozen=True, slots=True)
class RequestFacts:
    """`id` names it in the log; of a worker's task there is no `request`."""

    id: str = NO_ID
    request: HttpRequest | None = None

    @property
    def address(self) -> str:
        """The client's, as `config.middleware.ClientAddress` left it; empty without a request."""
        return self.request.META.get("REMOTE_ADDR", "") if self.request else ""


NO_REQUEST: Final = RequestFacts()
current: ContextVar[RequestFacts] = ContextVar("request_facts", default=NO_REQUEST)


def route_of(request: HttpRequest) -> str:
    """The pattern of the address, such as `s/<slug:study>/`: few, and without what is secret.

    Empty where nothing has that address.
    """
    return request.resolver_match.route if request.resolver_match else ""
