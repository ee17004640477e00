"""Address of the order in which a campaign asks for its series."""

from __future__ import annotations

from django.urls import path

from analysis.least_sure import views

CAMPAIGN = "s/<slug:study>/campaigns/<slug:campaign>/"

urlpatterns = [path(f"{CAMPAIGN}asking-order/", views.change_order, name="asking-order")]
