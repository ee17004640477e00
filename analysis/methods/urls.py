"""Addresses of the methods and of the playground."""

from __future__ import annotations

from django.urls import path

from analysis.methods.views import catalogue, playground

urlpatterns = [
    path("playground/", playground.playground, name="playground"),
    path("playground/example/", playground.example, name="playground-example"),
    path("playground/values/", playground.values, name="playground-values"),
    path("playground/answers/", playground.answers, name="playground-answers"),
    path("methods/", catalogue.methods, name="methods"),
    path("methods/<slug:slug>/", catalogue.method, name="method"),
]
