"""Texts of the API: checked in the body of a request, and as long as the columns that hold them."""

from __future__ import annotations

import json
from typing import Annotated, Any, Final

from django.http import HttpRequest
from ninja.parser import Parser
from pydantic import Field, StringConstraints

from people.outside_text import refuse_unstorable_document

MOST_METHODS: Final = 200  # of one request: more than there are, each with some parameter sets
Name = Annotated[str, Field(max_length=120)]  # of a run
DatasetName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=120)]
Words = Annotated[str, Field(max_length=200)]  # of a recording, a system, what is searched for
Description = Annotated[str, Field(max_length=300)]  # of a machine, of a runtime
MethodKey = Annotated[str, Field(max_length=300)]  # a slug with parameters
MethodKeys = Annotated[list[MethodKey], Field(max_length=MOST_METHODS)]


class TextParser(Parser):
    """Reads the JSON body of a request, and refuses texts that no database stores."""

    def parse_body(self, request: HttpRequest) -> Any:
        document = json.loads(request.body)
        refuse_unstorable_document(document)
        return document
