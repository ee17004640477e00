"""Addresses of campaigns: list, making one, page, editing, files."""

from __future__ import annotations

from django.urls import path

from annotate.views import campaign_edit, campaign_page, campaign_people, campaigns, training

ALL = "s/<slug:study>/campaigns/"
ONE = f"{ALL}<slug:campaign>/"

urlpatterns = [
    path(ALL, campaigns.campaign_list, name="campaigns"),
    path(f"{ALL}new/", campaign_edit.new_campaign, name="campaign-new"),
    path(f"{ALL}new/count/", campaign_edit.count_series, name="campaign-count"),
    path(f"{ALL}new/draft/", campaign_edit.keep_draft, name="campaign-draft"),
    path(f"{ALL}new/example/", campaign_edit.recipe_example, name="recipe-example"),
    path(ONE, campaign_page.campaign_page, name="campaign"),
    path(f"{ONE}opening/", campaigns.open_campaign, name="campaign-opening"),
    path(f"{ONE}closure/", campaigns.close_campaign, name="campaign-closure"),
    path(f"{ONE}reminder/", campaign_people.reminder, name="campaign-reminder"),
    path(f"{ONE}archiving/", campaigns.archive_campaign, name="campaign-archiving"),
    path(f"{ONE}problems/<int:problem>/closure/", campaigns.close_problem, name="problem-closure"),
    path(f"{ONE}edit/", campaign_edit.edit_campaign, name="campaign-edit"),
    path(f"{ONE}invitations/", campaign_people.links, name="campaign-invitations"),
    path(f"{ONE}invitations/mails/", campaign_people.mail_links, name="campaign-invitation-mails"),
    path(
        f"{ONE}invitations/<str:invitation>/revocation/",
        campaign_people.revoke_link,
        name="campaign-invitation-revocation",
    ),
    path(
        f"{ONE}invitations/<str:invitation>/renewal/",
        campaign_people.renew_link,
        name="campaign-invitation-renewal",
    ),
    path(f"{ONE}guide/", campaigns.guide, name="campaign-guide"),
    path(f"{ONE}mine/", campaigns.own_answers, name="campaign-mine"),
    path(f"{ONE}marking/", campaigns.mark_steady, name="campaign-marking"),
    path(f"{ONE}training/", training.training_page, name="campaign-training"),
    path(f"{ONE}training/attempts/", training.begin_training, name="training-attempts"),
    path(f"{ONE}ground-truth.csv", campaigns.ground_truth_csv, name="ground-truth-csv"),
    path(f"{ONE}marks.csv", campaigns.marks_csv, name="marks-csv"),
]
