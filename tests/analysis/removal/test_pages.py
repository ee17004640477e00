"""Pages that rename, remove, restore and purge: for owners, and never by mistake."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from analysis.methods.models import ImportedMethod
from analysis.removal import services
from analysis.removal.models import Removal
from analysis.runs.models import Run
from annotate.models import Campaign
from people.models import Role, Study, User
from series.models import Dataset, Recording

Owner = Client


@pytest.fixture
def owner(client: Client, olga: User) -> Owner:
    client.force_login(olga)
    return client


def slugs_by_name(study: Study) -> dict[str, tuple[str, str]]:
    """Kind and name in addresses of one thing of each kind, by what it is called."""
    run, own_method = Run.objects.get(), ImportedMethod.objects.get()
    recording = Recording.objects.get(label="second")
    return {
        "Startup times": ("study", study.slug),
        "Nightly": ("dataset", "nightly"),
        "second": ("recording", str(recording.pk)),
        "First look": ("campaign", "first-look"),
        "Ours": ("run", run.public_id),
        "Ours, version 1": ("method", own_method.public_id),
    }


def url_of(name: str, study: Study, kind: str, slug: str) -> str:
    return reverse(name, kwargs={"study": study.slug, "kind": kind, "thing": slug})


def text_at(client: Client, address: str, data: dict[str, str] | None = None) -> str:
    """The words of a page, or of what a form leads to."""
    answer = client.get(address) if data is None else client.post(address, data, follow=True)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def test_each_kind_is_renamed(owner: Owner, full_study: Study) -> None:
    for kind, slug in slugs_by_name(full_study).values():
        text = text_at(owner, url_of("rename", full_study, kind, slug), {"name": f"New {kind}"})
        assert f"It is called New {kind}" in text

    assert Study.objects.get().name == "New study"
    assert Dataset.objects.get().name == "New dataset"
    assert Recording.objects.filter(label="New recording").exists()
    assert Campaign.objects.get(slug="first-look").name == "New campaign"
    assert Run.objects.get().name == "New run"
    assert ImportedMethod.objects.get().title == "New method"


@pytest.mark.parametrize(("kind", "name"), [("dataset", "Other"), ("recording", "first")])
def test_a_name_that_another_has_is_refused(
    owner: Owner, full_study: Study, kind: str, name: str
) -> None:
    Dataset.objects.create(study=full_study, name="Other", slug="other")
    address = url_of(
        "rename", full_study, *next(e for e in slugs_by_name(full_study).values() if e[0] == kind)
    )

    assert f"is called {name} already." in text_at(owner, address, {"name": name})
    assert "Ensure this value has" in text_at(owner, address, {"name": "n" * 201})
    assert "This field is required" in text_at(owner, address, {"name": " "})


def test_where_marks_are_lost_the_name_is_asked_for(owner: Owner, full_study: Study) -> None:
    address = url_of("removal-new", full_study, "campaign", "first-look")

    page_text = text_at(owner, address)
    refusal = text_at(owner, address, {"typed": "First"})

    assert "5 marks by 2 people" in page_text
    assert "found “First”, expected “First" in refusal
    assert Campaign.objects.present().filter(slug="first-look").exists()
    assert "be restored for 30 days" in text_at(owner, address, {"typed": "First look"})
    assert not Campaign.objects.present().filter(slug="first-look").exists()


def test_where_none_are_lost_one_click_is_enough(owner: Owner, full_study: Study) -> None:
    kind, slug = slugs_by_name(full_study)["Ours"]

    page_text = text_at(owner, url_of("removal-new", full_study, kind, slug), {})

    assert "Ours is removed." in page_text
    assert "4 detections" in page_text


@pytest.mark.parametrize("name", ["Startup times", "Nightly", "second", "First look"])
def test_every_kind_is_removed_and_restored_by_pages(
    owner: Owner, full_study: Study, name: str
) -> None:
    kind, slug = slugs_by_name(full_study)[name]
    text_at(owner, url_of("removal-new", full_study, kind, slug), {"typed": name})
    removal = Removal.objects.get()

    page_text = text_at(owner, reverse("removal-restoration", args=[removal.public_id]), {})

    assert f"The {removal} is restored." in page_text
    assert removal.get_kind_display() in f"The {removal} is restored."


def test_what_is_in_the_way_is_said(owner: Owner, full_study: Study, olga: User) -> None:
    services.remove_from_study(Recording.objects.get(label="second"), user=olga)
    services.remove_from_study(Dataset.objects.get(study=full_study), user=olga)

    page_text = text_at(owner, reverse("removed"))

    assert "Nightly, which is removed" in page_text
    first = Removal.objects.get(kind="recording")
    restoration_text = text_at(owner, reverse("removal-restoration", args=[first.public_id]), {})
    assert "restore that first" in restoration_text


def test_a_running_run_is_not_removed(owner: Owner, full_study: Study) -> None:
    Run.objects.update(state="running", finished=None)
    kind, slug = slugs_by_name(full_study)["Ours"]

    assert "Ours is at work" in text_at(owner, url_of("removal-new", full_study, kind, slug), {})


def test_purging_asks_for_the_name_too(owner: Owner, full_study: Study, olga: User) -> None:
    removal = services.remove_from_study(Campaign.objects.get(slug="late"), user=olga)
    address = reverse("removal-purge", args=[removal.public_id])

    assert "Nobody can bring it" in text_at(owner, address)
    assert "expected “Late”" in text_at(owner, address, {"typed": "late"})
    assert "is deleted permanently" in text_at(owner, address, {"typed": "Late"})
    assert not Campaign.objects.filter(slug="late").exists()


def test_only_owners_of_before_see_a_removed_study(
    client: Client, full_study: Study, olga: User, ana: User, vic: User, stranger: User
) -> None:
    removal = services.remove_from_study(full_study, user=olga)
    address = reverse("removal-restoration", args=[removal.public_id])

    for person in (ana, vic, stranger):
        client.force_login(person)
        assert "Startup times" not in text_at(client, reverse("removed"))
        assert client.post(address).status_code == 404
    client.force_login(olga)
    assert "Startup times" in text_at(client, reverse("removed"))
    assert client.post(address).status_code == 302
    assert full_study.role_of(olga) == Role.OWNER


@pytest.mark.parametrize("slug", ["0", "x", "9" * 30, "²"])
def test_a_recording_that_is_not_there(owner: Owner, full_study: Study, slug: str) -> None:
    assert owner.get(url_of("removal-new", full_study, "recording", slug)).status_code == 404
    assert owner.get(url_of("removal-new", full_study, "nothing", slug)).status_code == 404


def test_things_of_another_study_are_not_there(owner: Owner, full_study: Study, olga: User) -> None:
    study = Study.objects.create(name="Other", slug="other")
    study.memberships.create(user=olga, role=Role.OWNER)

    for kind, slug in slugs_by_name(full_study).values():
        assert owner.get(url_of("removal-new", study, kind, slug)).status_code == 404


def test_an_archived_campaign_stands_below_the_list(
    owner: Owner, full_study: Study, olga: User
) -> None:
    late_campaign = Campaign.objects.get(slug="late")
    address = reverse("campaign-archiving", args=[full_study.slug, "late"])

    assert "goes into the archive" in text_at(owner, address, {})
    Campaign.objects.filter(pk=late_campaign.pk).update(state="closed")
    assert "Archive: 1 campaign" in text_at(owner, address, {})
    assert owner.get(late_campaign.get_absolute_url()).status_code == 200
    assert "Archive: 1 campaign" not in text_at(owner, address, {})
