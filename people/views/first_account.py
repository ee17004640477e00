"""The first account of an installation, which nobody could invite."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from people import audit, services
from people.forms import FirstAccountForm

TAKEN = "Somebody else has just made the first account. Ask them for an invitation."


@login_not_required
@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "POST"])
def first_account(request: HttpRequest) -> HttpResponse:
    """Makes it and goes on to the first study; home, once somebody has an account."""
    if not services.may_make_first_account():
        return redirect("home")
    form = FirstAccountForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        user = services.make_first_account(form.save)
        if user is None:
            messages.error(request, TAKEN)
            return redirect("home")
        login(request, user, backend="django.contrib.auth.backends.ModelBackend")
        audit.record(audit.Action.SIGNED_IN, by=user)
        return redirect("study-new")
    return render(request, "people/first_account.html", {"form": form})
