"""Sign-in by name and password where a second factor or a provider is set up.

django-allauth leads it through its steps; `people.sso.signing_in` is their end.
"""

from __future__ import annotations

from allauth.account.internal.flows.login import perform_password_login
from allauth.account.models import Login
from django.contrib.auth.forms import AuthenticationForm
from django.http import HttpResponse

from people.views.sign_in import SignIn


class SignInBySteps(SignIn):
    """Name and password, and then a code of who has a second factor."""

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        user = form.get_user()
        login = Login(user=user, redirect_url=self.get_success_url())
        answer: HttpResponse = perform_password_login(
            self.request, {"username": user.get_username()}, login
        )
        return answer


sign_in = SignInBySteps.as_view()
