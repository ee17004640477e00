"""Dialogs that rename and remove, and the page of what was removed."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from analysis.methods.models import ImportedMethod
from analysis.removal import services
from analysis.removal.access import owned_thing_for, removal_for
from analysis.removal.counts import RemovalCounts, Thing, counts_of
from analysis.removal.forms import NewNameForm, TypedNameForm
from analysis.removal.models import KEPT, Removal
from people.access import SignedInRequest
from people.models import Study
from people.undo import success_with_undo
from series.models import Recording


@require_http_methods(["GET", "POST"])
def rename_page(request: SignedInRequest, study: str, kind: str, thing: str) -> HttpResponse:
    removable = owned_thing_for(request, study, kind, thing)
    longest_name = services.longest_name(removable)
    form = NewNameForm(
        longest_name, request.POST or None, initial={"name": services.current_name(removable)}
    )
    former_name = services.current_name(removable)
    if form.is_valid() and _is_done(
        form, lambda: services.rename_thing(removable, form.cleaned_data["name"])
    ):
        success_with_undo(
            request, f"It is called {removable} now.", request.path, {"name": former_name}
        )
        return redirect(_removable_page(removable))
    return render(
        request, "analysis/removal/rename.html", {**_context(request, removable), "form": form}
    )


@require_http_methods(["GET", "POST"])
def remove_page(request: SignedInRequest, study: str, kind: str, thing: str) -> HttpResponse:
    """Asks first, names what goes along, and asks for the name where marks are lost."""
    removable = owned_thing_for(request, study, kind, thing)
    counts = RemovalCounts.from_removable(removable)
    form = _confirmation(request, str(removable), counts)
    removals: list[Removal] = []
    if form.is_valid() and _is_done(
        form, lambda: removals.append(services.remove_from_study(removable, user=request.user))
    ):
        success_with_undo(
            request,
            f"{removable} is removed. It can be restored for {KEPT.days} days, under Removed.",
            reverse("removal-restoration", args=[removals[0].public_id]),
        )
        return redirect("removed")
    context = {**_context(request, removable), "counts": counts, "form": form, "days": KEPT.days}
    return render(request, "analysis/removal/remove.html", context)


def _confirmation(request: HttpRequest, name: str, counts: RemovalCounts) -> Form:
    data = request.POST if request.method == "POST" else None
    return TypedNameForm(name, data) if counts.marks else Form(data)


def _is_done(form: Form, change_study: Callable[[], object]) -> bool:
    """Perform `change_study`; return False and put its refusal into the form where it refuses."""
    try:
        change_study()
    except ValidationError as refused:
        form.add_error(None, ValidationError(refused.messages))
        return False
    return True


def _frame(request: HttpRequest) -> str:
    """Template that holds the question: a dialog for a script, else a page."""
    return "_dialog.html" if "HX-Request" in request.headers else "base.html"


def _context(request: HttpRequest, removable: Thing) -> dict[str, object]:
    kind = services.KINDS[type(removable)]
    return {
        "frame": _frame(request),
        "study": services.study_of(removable),
        "thing": removable,
        "noun": kind.label,
        "back": _removable_page(removable),
    }


def _removable_page(removable: Thing) -> str:
    page_owner = removable.dataset if isinstance(removable, Recording) else removable
    if isinstance(page_owner, Study):  # the address of the study may have changed
        return reverse("study", args=[page_owner.slug])
    if isinstance(page_owner, ImportedMethod):
        return reverse("imported-method", args=[page_owner.study.slug, page_owner.public_id])
    return page_owner.get_absolute_url()


# --- what was removed -----------------------------------------------------------------------------
@require_GET
def removed_things(request: SignedInRequest) -> HttpResponse:
    """Everything that this person may restore, of all their studies."""
    removals = Removal.objects.for_owner(request.user).restorable().select_related("study", "by")
    rows = [(removal, counts_of(removal), services.obstacle_words(removal)) for removal in removals]
    context = {"rows": rows, "days": KEPT.days}
    return render(request, "analysis/removal/removed.html", context)


@require_POST
def restore_page(request: SignedInRequest, removal: str) -> HttpResponse:
    own_removal = removal_for(request, removal)
    try:
        services.restore_removal(own_removal, user=request.user)
    except ValidationError as refused:
        messages.error(request, " ".join(refused.messages))
        return redirect("removed")
    messages.success(request, f"The {own_removal} is restored.")
    own_removal.study.refresh_from_db()
    return redirect(own_removal.study)


@require_http_methods(["GET", "POST"])
def purge_page(request: SignedInRequest, removal: str) -> HttpResponse:
    """Asks first; what is purged is gone."""
    own_removal = removal_for(request, removal)
    counts = counts_of(own_removal)
    form = _confirmation(request, own_removal.name, counts)
    if form.is_valid() and _is_done(
        form, lambda: services.purge_removal(own_removal, user=request.user)
    ):
        messages.success(request, f"The {own_removal} is deleted permanently.")
        return redirect("removed")
    context = {"frame": _frame(request), "removal": own_removal, "counts": counts, "form": form}
    return render(request, "analysis/removal/purge.html", context)
