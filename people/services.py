"""Services about people: roles, invitations, members."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.tokens import default_token_generator
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import ValidationError
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from people import audit, database, joining
from people.audit import Action
from people.models import Invitation, Membership, Role, Study, User
from people.models.invitation import digest_of_token, invitation_token
from people.public_id import new_public_id
from people.slugs import create_with_slug

OWNERS_HAVE_PASSWORDS = "{} has no password, and an owner needs one: set it under Account first."
MAY_MORE = (Role.VIEWER, Role.ANNOTATOR, Role.OWNER)  # each may do what those before it may


def may_create_study(user: User) -> bool:
    """Return whether `user` may make studies on a page; the setting PLATEAU_STUDY_CREATORS
    decides.
    """
    return (settings.STUDY_CREATORS == "anybody" or user.is_staff) and not lacks_password(user)


def may_make_first_account() -> bool:
    """Return whether whoever comes makes the first account: on one's own machine, while nobody has
    one.

    In production the address may be public, and `manage.py createsuperuser` makes the first.
    """
    return settings.DEVELOPMENT and not User.objects.exists()


@transaction.atomic
def make_first_account(save: Callable[[], User]) -> User | None:
    """The account that `save` stores; None where somebody else has just made one.

    Locked, so that of two who come at once the second finds the first. There is no row of a person
    to lock yet: that of the table's content type stands for it.
    """
    ContentType.objects.select_for_update().get(app_label="people", model="user")
    if not may_make_first_account():
        return None
    return made_account(save())


def made_account(user: User) -> User:
    """Tell the audit log of a new account, made by whoever will use it."""
    audit.record(Action.ACCOUNT_MADE, user.username, by=user)
    return user


@transaction.atomic
def create_study(*, name: str, by: User, about: str = "") -> Study:
    """A new study, owned by who makes it. The slug is made of the name, and unique."""
    study = create_with_slug(
        name,
        read_slugs=lambda: set(Study.every.values_list("slug", flat=True)),
        fallback="study",
        create=lambda slug: Study.objects.create(name=name, slug=slug, about=about),
    )
    Membership.objects.create(study=study, user=by, role=Role.OWNER)
    audit.record(Action.STUDY_MADE, study=study, by=by)
    return study


@transaction.atomic
def create_invitation(
    study: Study, *, by: User, role: str, name: str = "", mail: str = "", note: str = ""
) -> Invitation:
    """An invitation, whose `token` is in its link."""
    public_id = new_public_id()
    audit.record(Action.INVITED, f"{name or note or 'somebody'} as {role}", study=study, by=by)
    return Invitation.objects.create(
        public_id=public_id,
        study=study,
        role=role,
        name=name,
        mail=mail,
        note=note,
        token_digest=digest_of_token(invitation_token(public_id)),
        invited_by=by,
        expires=timezone.now() + timedelta(days=settings.INVITATION_DAYS),
    )


@transaction.atomic
def join_with_new_account(invitation: Invitation, save: Callable[[], User]) -> tuple[User, str]:
    """Make an account and accept with it, or neither: of two at once one gets an account.

    Raises ValidationError as `accept` does.
    """
    user = made_account(save())
    return user, accept(invitation, by=user)


def lacks_password(user: User) -> bool:
    """Return whether whoever holds a device or a link of the account is that person: no owner may
    be so.

    A provider or a proxy that signs people in stands for a password.
    """
    if user.has_usable_password() or settings.REMOTE_USER_HEADER:
        return False
    identities = getattr(user, "socialaccount_set", None)
    return identities is None or not identities.exists()


@transaction.atomic
def accept(invitation: Invitation, *, by: User) -> str:
    """Make `by` a member, and whatever else the invitation is for; the address to go on from.

    Two at once: a locked row and one UPDATE decide who the one use belongs to. A member keeps the
    role they have where it may do more: an invitation never lowers anybody.
    Raises ValidationError with a sentence when it cannot be used any more.
    """
    if invitation.role == Role.OWNER and lacks_password(by):
        raise ValidationError(OWNERS_HAVE_PASSWORDS.format(by))
    # PostgreSQL: the UPDATE asks the study in a subquery, and waiting for its row reads that again
    # as it was. Locked first, the statement begins after the other's end.
    Invitation.objects.select_for_update().get(pk=invitation.pk)
    current_time = timezone.now()
    open_invitation = Invitation.objects.open(current_time).filter(pk=invitation.pk)
    if not open_invitation.update(used_at=current_time, used_by=by):
        raise ValidationError(
            f"This invitation is {invitation.state(current_time)}. Ask for a new one."
        )
    membership, is_new = Membership.objects.get_or_create(
        study=invitation.study, user=by, defaults={"role": invitation.role}
    )
    if not is_new and MAY_MORE.index(invitation.role) > MAY_MORE.index(membership.role):
        membership.role = invitation.role
        membership.save(update_fields=["role"])
    audit.record(Action.JOINED, f"as {membership.role}", study=invitation.study, by=by)
    return joining.join(invitation, by) or invitation.study.get_absolute_url()


def note_opening(invitation: Invitation) -> None:
    """Note that somebody has asked for the page of the link."""
    unopened_invitation = Invitation.objects.filter(pk=invitation.pk, opened_at=None)
    database.write_unless_busy(lambda: unopened_invitation.update(opened_at=timezone.now()))


@transaction.atomic
def revoke_invitation(invitation: Invitation) -> datetime | None:
    """Make the link useless and return the time; None, and nothing happens, where it is used or
    revoked already.
    """
    usable_invitation, moment = (
        Invitation.objects.filter(pk=invitation.pk, used_at=None),
        timezone.now(),
    )
    if not usable_invitation.filter(revoked_at=None).update(revoked_at=moment):
        return None
    invitee = f"{invitation.name or invitation.note or 'somebody'} as {invitation.role}"
    audit.record(Action.INVITATION_REVOKED, invitee, study=invitation.study)
    return moment


@transaction.atomic
def reinstate_invitation(invitation: Invitation, *, revoked_at: datetime) -> bool:
    """Let a link that was revoked at `revoked_at` work again, as long as it would have without
    that; False, and nothing happens, where it was undone, renewed or revoked again since.
    """
    revoked_invitation = Invitation.objects.filter(pk=invitation.pk, revoked_at=revoked_at)
    if not revoked_invitation.update(revoked_at=None):
        return False
    invitee = f"{invitation.name or invitation.note or 'somebody'} as {invitation.role}, again"
    audit.record(Action.INVITED, invitee, study=invitation.study)
    return True


@transaction.atomic
def change_role(study: Study, *, user: User, role: str) -> None:
    """Give a member another role. A study always keeps an owner."""
    membership = study.memberships.select_for_update().get(user=user)
    if role == Role.OWNER and lacks_password(user):
        raise ValidationError(OWNERS_HAVE_PASSWORDS.format(user))
    if membership.role == Role.OWNER and role != Role.OWNER:
        _refuse_last_owner(study)
    change = f"{user.username}: {membership.role} to {role}"
    membership.role = role
    membership.full_clean()
    membership.save()
    audit.record(Action.ROLE_CHANGED, change, study=study)


@transaction.atomic
def remove_member(study: Study, *, user: User) -> None:
    """End a membership; what the person answered stays under their pseudonym."""
    membership = study.memberships.select_for_update().get(user=user)
    if membership.role == Role.OWNER:
        _refuse_last_owner(study)
    membership.delete()
    audit.record(Action.MEMBER_REMOVED, f"{user.username}, {membership.role}", study=study)


@transaction.atomic
def restore_member(study: Study, *, user: User, role: str, since: str) -> None:
    """Give a removed member the place that they had; whoever joined again keeps the new one."""
    membership_fields = {"role": role, "since": datetime.fromisoformat(since)}
    membership, is_new = Membership.objects.get_or_create(
        study=study, user=user, defaults=membership_fields
    )
    if is_new:
        audit.record(Action.JOINED, f"{user.username}, {membership.role}, again", study=study)


def _refuse_last_owner(study: Study) -> None:
    # Locked, so that two owners who leave at once do not both find the other there.
    owners = study.memberships.select_for_update().filter(role=Role.OWNER)
    if len(owners) < 2:
        raise ValidationError(f"{study} would have no owner. Make somebody else an owner first.")


def may_make_password_link(maker: User, user: User) -> bool:
    """Return whether `maker` may give `user` a link for a new password, with which one could be
    them.

    Staff may for everybody but those with more rights than they have; an owner for who has nothing
    but roles in studies that this owner owns. Names from a file cannot sign in at all.
    """
    named_by_file = not user.has_usable_password() and user.last_login is None
    if not user.is_active or named_by_file or user.is_superuser:
        return maker.is_superuser and user.is_active
    if maker.is_staff:
        return True
    owned_studies = Study.objects.owned_by(maker)
    elsewhere_memberships = user.memberships.exclude(study__in=owned_studies)
    return not user.is_staff and not elsewhere_memberships.exists()


def password_path(user: User) -> str:
    """The address for a new password: good once, for a day, and until the next sign-in."""
    return reverse(
        "password-new",
        kwargs={
            "uidb64": urlsafe_base64_encode(force_bytes(user.pk)),
            "token": default_token_generator.make_token(user),
        },
    )
