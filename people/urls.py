"""Addresses of signing in, accounts, studies' members and invitations."""

from __future__ import annotations

from django.urls import path

from people.views import (
    account,
    accounts,
    audit,
    devices,
    first_account,
    members,
    outgoing,
    passwords,
    sign_in,
    tokens,
)

urlpatterns = [
    path("sign-in/", sign_in.sign_in, name="sign-in"),
    path("sign-out/", sign_in.sign_out, name="sign-out"),
    path("first-account/", first_account.first_account, name="first-account"),
    path("account/", account.account, name="account"),
    path("account/mail/", account.mail, name="account-mail"),
    path("account/mail/<str:mail_token>/", account.mail_proof_page, name="account-mail-proof"),
    path("account/password/", account.password, name="account-password"),
    path("account/other-sessions/", account.other_sessions, name="account-other-sessions"),
    path("password/forgotten/", passwords.forgotten_password, name="password-forgotten"),
    path("password/<str:uidb64>/<str:token>/", passwords.new_password, name="password-new"),
    path("account/device/", devices.device_link, name="account-device"),
    path("device/<str:uidb64>/<str:token>/", devices.device, name="device"),
    path("join/<str:token>/", members.join, name="join"),
    path("studies/new/", members.new_study, name="study-new"),
    path("s/<slug:study>/people/", members.members, name="people"),
    path("s/<slug:study>/people/tokens/", tokens.tokens, name="tokens"),
    path(
        "s/<slug:study>/people/tokens/<str:api_token>/revocation/",
        tokens.revoke_token_page,
        name="token-revocation",
    ),
    path("s/<slug:study>/people/invitations/", members.invite_member, name="invite"),
    path(
        "s/<slug:study>/people/invitations/<str:invitation>/revocation/",
        members.revoke_invitation_page,
        name="invitation-revocation",
    ),
    path("accounts/", accounts.accounts, name="accounts"),
    path("accounts/<str:username>/disabling/", accounts.disable, name="account-disabling"),
    path("accounts/<str:username>/enabling/", accounts.enable, name="account-enabling"),
    path("audit/", audit.audit_log, name="audit"),
    path("audit/file/", audit.audit_file, name="audit-file"),
    path("s/<slug:study>/people/audit/", audit.audit_log, name="study-audit"),
    path("s/<slug:study>/people/audit/file/", audit.audit_file, name="study-audit-file"),
    path("s/<slug:study>/people/notices/", outgoing.outgoing_notices, name="notices"),
    path(
        "s/<slug:study>/people/notices/<str:notice>/again/",
        outgoing.send_again_page,
        name="notice-again",
    ),
    path("s/<slug:study>/people/<str:username>/role/", members.change_role, name="member-role"),
    path(
        "s/<slug:study>/people/<str:username>/password-link/",
        passwords.make_link,
        name="password-link",
    ),
    path(
        "s/<slug:study>/people/<str:username>/removal/",
        members.remove_member_page,
        name="member-removal",
    ),
]
