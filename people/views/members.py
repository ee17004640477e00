"""A study's members and its invitations."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from people import audit, device_links, joining, query_settings, services
from people.access import SignedInRequest, owned_study_for, study_for
from people.forms import InvitationForm, JoinForm, RoleForm, StartForm, StudyForm
from people.member_query import MemberQuery, members_sentence
from people.models import Invitation, Membership, OutgoingNotice, Role, Study, User
from people.models.invitation import digest_of_token
from people.settings_folds import fold_lines
from people.throttle import Throttle
from people.undo import MOMENT, success_with_undo, undone_moment, undone_state

A_PAGE = 50  # members
# Links that nobody made, of one address: whoever guesses is stopped long before the first of 2^192.
UNKNOWN_LINKS = Throttle("join", limit=20, window=300)


@require_http_methods(["GET", "POST"])
def new_study(request: SignedInRequest) -> HttpResponse:
    if not services.may_create_study(request.user):
        raise PermissionDenied(
            "Only staff of this installation make studies. Ask whoever runs it for a study, "
            "or to make you staff."
        )
    form = StudyForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        study = services.create_study(by=request.user, **form.cleaned_data)
        return redirect(study)
    return render(request, "people/new_study.html", {"form": form})


@require_GET
def members(request: SignedInRequest, study: str) -> HttpResponse:
    return people_page(request, study_for(request, study))


@require_POST
def invite_member(request: SignedInRequest, study: str) -> HttpResponse:
    """Make an invitation; the page shows its link until it is used."""
    owned_study = owned_study_for(request, study)
    form = InvitationForm(request.POST)
    if not form.is_valid():
        return people_page(request, owned_study, invite_form=form, status=422)
    invitation = services.create_invitation(owned_study, by=request.user, **form.cleaned_data)
    success_with_undo(
        request,
        "The link stands below, until it is used.",
        reverse("invitation-revocation", args=[study, invitation.public_id]),
    )
    return redirect("people", study=study)


@require_POST
def revoke_invitation_page(request: SignedInRequest, study: str, invitation: str) -> HttpResponse:
    """Make an invitation useless, or good again."""
    owned_study = owned_study_for(request, study)
    study_invitation = get_object_or_404(owned_study.invitations, public_id=invitation)
    revoke_or_reinstate(request, study_invitation, name="The invitation")
    return redirect("people", study=study)


def revoke_or_reinstate(request: HttpRequest, invitation: Invitation, *, name: str) -> None:
    """Revoke an invitation, or undo the revocation that the request names; a message says which.

    A revocation is undone once: later the person may have another link.
    """
    previous_state = undone_state(request)
    if previous_state is None:
        if moment := services.revoke_invitation(invitation):
            state = {MOMENT: moment.isoformat()}
            success_with_undo(request, f"{name} is revoked.", request.path, before=state)
        else:
            messages.error(request, f"{name} was used or revoked already.")
    elif (moment := undone_moment(previous_state)) and services.reinstate_invitation(
        invitation, revoked_at=moment
    ):
        messages.success(request, f"{name} works again.")
    else:
        messages.error(request, "Nothing changed: this revocation was undone before.")


@require_POST
def change_role(request: SignedInRequest, study: str, username: str) -> HttpResponse:
    owned_study = owned_study_for(request, study)
    member = get_object_or_404(owned_study.memberships, user__username=username)
    form = RoleForm(request.POST)
    if form.is_valid():
        role, previous_role = form.cleaned_data["role"], member.role
        try:
            services.change_role(owned_study, user=member.user, role=role)
        except ValidationError as error:
            messages.error(request, " ".join(error.messages))
        else:
            sentence = f"{member.user} is now {role}."
            success_with_undo(request, sentence, request.path, {"role": previous_role})
    return redirect("people", study=study)


@require_POST
def remove_member_page(request: SignedInRequest, study: str, username: str) -> HttpResponse:
    """End a membership, or undo that."""
    owned_study = owned_study_for(request, study)
    if (state := undone_state(request)) is not None:
        user = get_object_or_404(User, username=username)
        services.restore_member(owned_study, user=user, **state)
        messages.success(request, f"{user} is {state['role']} again.")
        return redirect("people", study=study)
    member = get_object_or_404(owned_study.memberships, user__username=username)
    try:
        services.remove_member(owned_study, user=member.user)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    else:
        success_with_undo(
            request,
            f"{member.user} is no member any more. Their answers stay under their pseudonym.",
            request.path,
            before={"role": member.role, "since": member.since.isoformat()},
        )
    return redirect("people", study=study)


def people_page(
    request: SignedInRequest,
    study: Study,
    *,
    fold: tuple[str, str, dict[str, object]] | None = None,
    invite_form: InvitationForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """The page of people and settings; for a script that opens a fold, the fold alone.

    fold: code, template and context of the one that is open
    """
    fold_code, fold_template, fold_context = fold or ("", "", {})
    fold_context = {"study": study, **fold_context}
    if fold_code and "HX-Request" in request.headers:
        return render(request, fold_template, fold_context, status=status)
    is_owner = study.role_of(request.user) == Role.OWNER
    if not fold_code:
        query_settings.warn_unused_parameters(request, MemberQuery.settings())
    parameters = QueryDict() if fold_code else request.GET
    query = MemberQuery.from_query(parameters)
    page = Paginator(query.memberships(study), A_PAGE).get_page(parameters.get("page"))
    context = {
        "study": study,
        "owner": is_owner,
        "sentence": members_sentence(study),
        "may_make_password_link": _password_link_members(request.user, page) if is_owner else set(),
        "page": page,
        "query": query,
        "invitations": _links(request, study) if is_owner else [],
        "failed_notices": OutgoingNotice.objects.shown_in(study).failed().count()
        if is_owner
        else 0,
        "roles": Role.choices,
        "invite_form": invite_form or InvitationForm(),
        "days": settings.INVITATION_DAYS,
        "folds": fold_lines(study) if is_owner else [],
        "opened": fold_code,
        "fold_body": render_to_string(fold_template, fold_context, request) if fold_code else "",
    }
    return render(request, "people/members.html", context, status=status)


def _password_link_members(owner: User, page: Page[Membership]) -> set[int]:
    """Members of a page to whom this owner may give a link for a new password."""
    users = (membership.user for membership in page)
    return {user.pk for user in users if services.may_make_password_link(owner, user)}


def _links(request: HttpRequest, study: Study) -> list[tuple[Invitation, str]]:
    """Invitations that can be used, each with its link; none where SECRET_KEY has changed."""
    invitations = study.invitations.open(timezone.now())
    return [(invitation, _address(request, invitation)) for invitation in invitations]


def _address(request: HttpRequest, invitation: Invitation) -> str:
    token = invitation.token
    return request.build_absolute_uri(reverse("join", kwargs={"token": token})) if token else ""


@login_not_required
@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Accept an invitation: signed in, or with an account made in place."""
    if wait_seconds := UNKNOWN_LINKS.seconds_to_wait(request):
        return _unknown_page(request, status=429, wait_seconds=wait_seconds)
    invitation = Invitation.objects.filter(token_digest=digest_of_token(token)).first()
    if invitation is None:
        UNKNOWN_LINKS.count(request)
        return _unknown_page(request, status=404)
    state = invitation.state(timezone.now())
    if state != "open":
        context = {"invitation": invitation, "state": state}
        return render(request, "people/join_closed.html", context, status=410)
    services.note_opening(invitation)
    # The address is the secret: pages that this one leads to are not told it
    response = _welcome_page(request, invitation)
    response.headers["Referrer-Policy"] = "strict-origin"
    return response


def _unknown_page(request: HttpRequest, *, status: int, wait_seconds: int = 0) -> HttpResponse:
    state = "wait" if wait_seconds else "unknown"
    context = {"invitation": None, "state": state, "wait": wait_seconds}
    return render(request, "people/join_closed.html", context, status=status)


def _welcome_page(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    if request.user.is_authenticated:
        if request.method == "POST":
            return _accept(request, invitation)
        return _join_page(request, invitation, None)
    form: JoinForm | StartForm
    if invitation.role == Role.OWNER:
        form = JoinForm(request.POST or None, initial={"first_name": invitation.given_name})
    else:
        form = StartForm(request.POST or None, initial={"name": invitation.given_name})
    if request.method == "POST" and form.is_valid():
        return _sign_in_and_open(request, invitation, form)
    return _join_page(request, invitation, form)


def _sign_in_and_open(
    request: HttpRequest, invitation: Invitation, form: JoinForm | StartForm
) -> HttpResponse:
    """Sign in whoever got the one use of the link; nobody else has an account then."""
    try:
        user, next_address = services.join_with_new_account(invitation, form.save)
    except ValidationError:
        context = {"invitation": invitation, "state": "used"}
        return render(request, "people/join_closed.html", context, status=410)
    login(request, user, backend="django.contrib.auth.backends.ModelBackend")
    if not user.has_usable_password():
        device_links.remember(request)
    audit.record(audit.Action.SIGNED_IN, by=user)
    return redirect(next_address)


def _join_page(
    request: HttpRequest, invitation: Invitation, form: JoinForm | StartForm | None
) -> HttpResponse:
    context = {
        "invitation": invitation,
        "form": form,
        "request_words": joining.request_words(invitation),
        "request_time": joining.request_time_words(invitation),
        "provider": settings.OIDC_NAME if form else "",
    }
    return render(request, "people/join.html", context)


def _accept(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    try:
        next_address = services.accept(invitation, by=request.user)  # type: ignore[arg-type]
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
        return redirect("home")
    messages.success(request, f"Welcome to {invitation.study}.")
    return redirect(next_address)
