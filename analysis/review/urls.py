"""Addresses of the review."""

from __future__ import annotations

from django.urls import path

from analysis.review import views

urlpatterns = [
    path("s/<slug:study>/review/", views.review, name="review"),
    path("s/<slug:study>/review.csv", views.file, name="review-file"),
    path("s/<slug:study>/review/<str:series>/", views.case, name="review-case"),
    path("s/<slug:study>/review/<str:series>/decisions/", views.decide, name="review-decisions"),
]
