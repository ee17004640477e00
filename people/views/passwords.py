"""A new password for who has lost theirs: by a link that an owner makes, or by mail."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import views
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import PasswordResetForm, SetPasswordForm
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from people import audit, notices, services
from people.access import SignedInRequest, owned_study_for
from people.forms import ForgottenForm, NewPasswordForm
from people.models import User
from people.throttle import Throttle

# Of one address: enough for an office, too few to fill somebody's mailbox.
MAILS = Throttle("password-mail", limit=5, window=600)


@require_POST
@never_cache
def make_link(request: SignedInRequest, study: str, username: str) -> HttpResponse:
    """A link for a member's new password, on this one answer and nowhere else."""
    owned_study = owned_study_for(request, study)
    member = get_object_or_404(
        owned_study.memberships.select_related("user"), user__username=username
    )
    if not services.may_make_password_link(request.user, member.user):
        raise PermissionDenied(
            f"{member.user} belongs to studies that are not yours, or has more rights than you: "
            "ask whoever runs this installation."
        )
    audit.record(audit.Action.PASSWORD_LINK, f"for {member.user.username}", study=owned_study)
    link = request.build_absolute_uri(services.password_path(member.user))
    context = {"study": owned_study, "member": member.user, "link": link}
    return render(request, "people/password_link.html", context)


class NewPassword(views.PasswordResetConfirmView):
    """The page of the link: Django keeps its token in the session, and off the address."""

    form_class = NewPasswordForm
    template_name = "people/password_new.html"
    success_url = reverse_lazy("sign-in")

    def form_valid(self, form: SetPasswordForm[User]) -> HttpResponse:
        answer = super().form_valid(form)
        audit.record(audit.Action.PASSWORD_CHANGED, "by a link", by=form.user)
        messages.success(self.request, "Your password is changed. Sign in with it.")
        return answer


new_password = NewPassword.as_view()


class Forgotten(views.PasswordResetView):
    """Page that sends a link by mail, where settings name a server. It never says who has an
    account.
    """

    form_class = ForgottenForm
    template_name = "people/password_forgotten.html"
    success_url = reverse_lazy("sign-in")

    def form_valid(self, form: PasswordResetForm) -> HttpResponse:
        messages.success(
            self.request, "If somebody has this mail address, a link is on its way to it."
        )
        return super().form_valid(form)


@login_not_required
def forgotten_password(request: HttpRequest) -> HttpResponseBase:
    """Send a link by mail where there is a server for it, else say whom to ask."""
    if not notices.can_mail():
        return render(request, "people/password_forgotten.html", {"form": None})
    if request.method == "POST":
        if wait_seconds := MAILS.seconds_to_wait(request):
            context = {"form": None, "wait": wait_seconds}
            return render(request, "people/password_forgotten.html", context, status=429)
        MAILS.count(request)
    return Forgotten.as_view()(request)
