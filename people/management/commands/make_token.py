"""`manage.py make_token STUDY`: a token for a program, without a browser."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError

from people import tokens
from people.models import Role, Study, User
from people.models.token import SCOPES
from people.repeated_option import add_option

MOST_DAYS: Final = 3650
LONGEST_NAME: Final = 80


class Command(BaseCommand):
    help = (
        "Make a token of a study and print it alone on standard output: it is shown once. It sees "
        "and may do what its person may in this study. Status 2: a mistake."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="STUDY", help="slug")
        parser.add_argument("--name", required=True, help="who uses it, such as “nightly build”")
        parser.add_argument(
            "--by", metavar="NAME", help="the member that it acts for; default: the first owner"
        )
        add_option(parser, "--scope", None, "default: read", choices=tuple(SCOPES))
        parser.add_argument(
            "--days", type=int, default=90, help="until it expires; 0: never; default: 90"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        study = Study.objects.filter(slug=options["study"]).first()
        if study is None:
            slugs = ", ".join(Study.objects.values_list("slug", flat=True)[:10]) or "none"
            raise refusal(f"found no study {options['study']!r}, expected one of: {slugs}")
        name, days = options["name"].strip(), options["days"]
        if not 0 < len(name) <= LONGEST_NAME:
            raise refusal(f"--name: found {len(name)} characters, expected 1 to {LONGEST_NAME}")
        if not 0 <= days <= MOST_DAYS:
            raise refusal(f"--days: found {days}, expected 0 to {MOST_DAYS}")
        member = find_member(study, options["by"])
        scopes = options["scope"] or ["read"]
        _, secret = tokens.make_token(study, by=member, name=name, scopes=scopes, days=days or None)
        self.stderr.write(
            f"A token of {member.username} in {study} for {' '.join(scopes)}, "
            + (f"for {days} days." if days else "for ever.")
        )
        self.stdout.write(secret)


def find_member(study: Study, username: str | None) -> User:
    """Find the member that a token acts for; without a name, the owner since longest."""
    members = study.memberships.select_related("user").filter(user__is_active=True)
    if username is None:
        members = members.filter(role=Role.OWNER).order_by("since", "pk")
    else:
        members = members.filter(user__username=username)
    membership = members.first()
    if membership is None:
        required_person = "an owner" if username is None else f"a member named {username!r}"
        raise refusal(
            f"{study.slug} has no such person; expected {required_person} who can sign in"
        )
    return membership.user


def refusal(sentence: str) -> CommandError:
    return CommandError(f"make_token: {sentence}", returncode=2)
