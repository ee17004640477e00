"""Addresses of the methods, and of trying one."""

from __future__ import annotations

from django.urls import path

from analysis.methods.views import catalogue, playground

urlpatterns = [
    path("methods/try/example/", playground.example, name="playground-example"),
    path("methods/try/values/", playground.playground_values, name="playground-values"),
    path("methods/try/answers/", playground.playground_answers, name="playground-answers"),
    path("methods/", catalogue.methods_page, name="methods"),
    path("methods/<slug:slug>/", catalogue.method, name="method"),
    path("methods/<slug:slug>/text/", catalogue.method_text, name="method-text"),
]
