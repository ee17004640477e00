"""One call of a webhook, in a process of its own that `people.webhook` ends after some seconds.

Of the standard library alone, so that it starts in some hundredths of a second. It reads one JSON
object with `address`, `body`, `headers` and `seconds`, and prints why nothing was sent, or nothing.
"""

from __future__ import annotations

import base64
import json
import sys
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import unquote, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener


class FollowNothing(HTTPRedirectHandler):
    """Makes an error of every redirect: no other host is shown a notice and its signature."""

    def redirect_request(self, *_: Any) -> None:
        return None


def main() -> None:
    call = json.load(sys.stdin)
    try:
        request = request_for(call["address"], call["body"].encode(), call["headers"])
        with build_opener(FollowNothing).open(request, timeout=call["seconds"]):
            pass  # 2xx: everything else is an error
    except (OSError, HTTPException, ValueError) as fault:
        sys.stdout.write(fault_words(fault) or type(fault).__name__)


def request_for(address: str, body: bytes, headers: dict[str, str]) -> Request:
    """The request; a name and password of the address go into a header."""
    url = urlsplit(address)
    user, separator, host = url.netloc.rpartition("@")
    if separator:
        name, colon, password = user.partition(":")
        credentials = f"{unquote(name)}:{unquote(password) if colon else ''}"
        proof = base64.b64encode(credentials.encode()).decode()
        headers = {**headers, "Authorization": f"Basic {proof}"}
    return Request(url._replace(netloc=host).geturl(), body, headers)  # noqa: S310  # config.mail


def fault_words(fault: BaseException) -> str:
    """The fault as a sentence's end."""
    if isinstance(fault, HTTPError):
        redirect_note = "; a redirect is not followed" if 300 <= fault.code < 400 else ""
        return f"the webhook answered {fault.code}: {fault.reason}{redirect_note}"
    if isinstance(fault, URLError) and isinstance(fault.reason, Exception):
        return fault_words(fault.reason)
    if isinstance(fault, TimeoutError):
        return "no answer in time"
    return (isinstance(fault, OSError) and fault.strerror) or str(fault)


if __name__ == "__main__":
    main()
