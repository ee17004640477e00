"""Addresses of a sign-in by the provider and of the second factor: what settings turn on.

Names with an underscore are those that django-allauth looks up.
"""

from __future__ import annotations

from django.conf import settings
from django.urls import path

urlpatterns = []

if settings.OIDC_NAME or settings.SECOND_FACTOR != "off":
    from people.sso import password_sign_in

    # In the place of the one without further steps.
    urlpatterns += [path("sign-in/", password_sign_in.sign_in, name="sign-in")]

if settings.SECOND_FACTOR != "off":
    from people.sso import key_views, views

    urlpatterns += [
        path("sign-in/code/", views.sign_in_code, name="mfa_authenticate"),
        path("account/second-factor/", views.second_factor_page, name="second-factor"),
        path("account/second-factor/app/", views.app_page, name="second-factor-app"),
        path("account/second-factor/app/removal/", views.app_removal, name="app-removal"),
        path("account/second-factor/keys/", key_views.new_key, name="security-keys"),
        path("account/second-factor/keys/<slug:slug>/", key_views.key_page, name="security-key"),
        path(
            "account/second-factor/keys/<slug:slug>/removal/",
            key_views.key_removal,
            name="security-key-removal",
        ),
        path("account/second-factor/codes/", views.recovery_codes, name="recovery-codes"),
        path(
            "account/second-factor/removal/",
            views.remove_second_factor_page,
            name="second-factor-removal",
        ),
    ]

if settings.OIDC_NAME:
    from people.sso import provider_views

    urlpatterns += [
        path("sign-in/provider/", provider_views.to_provider, name="provider-sign-in"),
        path(
            "sign-in/provider/<str:provider_id>/",
            provider_views.from_provider,
            name="openid_connect_callback",
        ),
        path("account/provider/", provider_views.provider_link, name="provider-link"),
        path(
            "account/provider/unlinking/",
            provider_views.provider_unlinking,
            name="provider-unlinking",
        ),
    ]
