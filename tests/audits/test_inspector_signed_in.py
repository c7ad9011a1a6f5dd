"""What is signed in by an inspector's code ends with it; what he reads and may write (REC-11)."""

from __future__ import annotations

import datetime as dt
import importlib
from typing import Any

import pytest
from django.test import Client
from knox.models import AuthToken
from rest_framework.test import APIClient

from audits.inspections import access, looking, standing
from audits.models import Event, InspectorAccess, InspectorLook
from casino.kernel import clock, permissions
from casino.kernel.errors import SabotError
from casino.kernel.permissions import Role
from tests.audits.conftest import House
from tests.audits.inspecting import ARRIVES, by, enter, given, trail_of
from tests.house.test_writes import commands

pytestmark = pytest.mark.rule("REC-11")
HOUR = dt.timedelta(hours=1)


def refusal_of(act: object) -> SabotError:
    with pytest.raises(SabotError) as caught:
        act()  # type: ignore[operator]
    return caught.value


# ---- what is signed in by a code ends with it --------------------------------------------------------------


def signed_in(
    house: House, at: dt.datetime = ARRIVES, **about: object
) -> tuple[InspectorAccess, Client, APIClient]:
    """A browser and a token of an inspector who came in, whatever the doors themselves limit."""
    made = given(house, at=at, **about)
    user = enter(made.code, at=at)
    page, api = Client(), APIClient()
    page.force_login(user)
    api.credentials(HTTP_AUTHORIZATION=f"Token {AuthToken.objects.create(user)[1]}")
    return made.access, page, api


def seen(page: Client, api: APIClient, at: dt.datetime) -> tuple[int, int]:
    with clock.standing_at(at):
        return page.get("/incidentes/").status_code, api.get("/api/v1/auth/me").status_code


def test_pages_and_tokens_end_with_the_time_by_themselves(house: House) -> None:
    _access, page, api = signed_in(house)
    assert seen(page, api, ARRIVES + 8 * HOUR - dt.timedelta(seconds=1)) == (200, 200)
    assert seen(page, api, ARRIVES + 8 * HOUR) == (302, 401)


def test_a_code_revoked_ends_what_is_signed_in_at_once(house: House) -> None:
    found, page, api = signed_in(house)
    assert seen(page, api, ARRIVES + HOUR) == (200, 200)
    with clock.standing_at(ARRIVES + HOUR):
        access.revoke_access(access=found, by=house.by())
    assert seen(page, api, ARRIVES + HOUR) == (302, 401)
    assert not AuthToken.objects.filter(user=found.user).exists()
    with pytest.raises(SabotError) as caught:
        access.revoke_access(access=found, by=house.by())
    assert caught.value.code == "access_revoked"
    assert trail_of(house) == []


def test_a_session_of_yesterday_s_code_does_not_live_again_by_today_s(house: House) -> None:
    _first, page, api = signed_in(house)
    tomorrow = ARRIVES + 24 * HOUR
    second = given(house, at=tomorrow)
    assert seen(page, api, tomorrow) == (302, 401)
    enter(second.code, at=tomorrow)
    assert seen(page, api, tomorrow) == (302, 401)


def test_a_new_entry_ends_the_one_before(house: House) -> None:
    made = given(house, entries=2)
    user = enter(made.code)
    page = Client()
    page.force_login(user)
    enter(made.code)
    with clock.standing_at(ARRIVES):
        assert page.get("/incidentes/").status_code == 302


def test_a_locked_code_does_not_throw_out_whoever_is_in(house: House) -> None:
    found, page, api = signed_in(house)
    for n in range(5):
        refusal_of(lambda n=n: enter(found.selector + "222222222222", address=f"10.1.0.{n}"))
    assert InspectorAccess.objects.get().state == "locked"
    assert seen(page, api, ARRIVES + HOUR) == (200, 200)


def test_inspectors_with_a_password_are_none_of_this(house: House) -> None:
    user = house.person("inspector", Role.INSPECTOR)
    assert not standing.is_over(user)
    assert standing.ends_at(user) is None


# ---- what he looked at -------------------------------------------------------------------------------------


def test_what_an_inspector_reads_is_on_the_trail_once_a_day(house: House) -> None:
    _access, page, api = signed_in(house)
    with clock.standing_at(ARRIVES):
        for _ in range(3):
            page.get("/incidentes/?state=open")
        api.get("/api/v1/incidents")
        page.get("/ajustes/usuarios/")  # refused: nothing was seen
        page.get("/no-existe/")
    paths = list(InspectorLook.objects.order_by("pk").values_list("path", flat=True))
    assert paths == ["/incidentes/", "/api/v1/incidents"]
    assert Event.objects.filter(action="audits.inspector.looked").count() == 2
    # Eleven hours on it is another gaming day; nobody else's reading is kept here.
    with clock.standing_at(ARRIVES + 11 * HOUR):
        assert looking.note_look(path="/incidentes/", by=by(InspectorAccess.objects.get().user))
        other = Client()
        other.force_login(house.person("cumple", Role.COMPLIANCE))
        other.get("/incidentes/")
    assert InspectorLook.objects.count() == 3
    assert trail_of(house) == []


def test_of_all_write_functions_of_the_house_the_inspector_may_call_his_own_only() -> None:
    open_to_him = {
        f"{path}.{node.name}"
        for path, node in _commands()
        if Role.INSPECTOR in permissions.acts()[_function(path, node.name).act]
    }
    assert open_to_him == {
        "audits.people.note_sign_in",
        "audits.people.renew_hash",
        "audits.exports.request_export",  # makes a file, no fact about the floor
        "audits.export_derived.export_again",
        "audits.export_derived.export_difference",
        "audits.exports.cancel_export",
        "audits.attachments._note_reading",
        "audits.attachments._note_change",
        "audits.exports._note_download",
        "audits.exports._note_change",
        "tables.guests.registering.find_guests",  # looking somebody up leaves its event
        "audits.inspections.looking.note_look",
        "audits.inspections.visits.open_inspection",
        "audits.inspections.visits.close_inspection",
        "audits.inspections.drawing.announce_draw",
        "audits.inspections.drawing.draw_tables",
        "audits.inspections.counting.record_count",
        "audits.inspections.counting.answer_count",
    }


def _commands() -> list[tuple[str, Any]]:
    return [(path.rpartition(".")[0], node) for path, node in commands()]


def _function(module: str, name: str) -> Any:
    return getattr(importlib.import_module(module), name)


def test_a_code_of_one_house_reads_nothing_of_another(house: House, founder: Any) -> None:
    """He is of the house that gave the code: the other's visits, codes and events are not there for him."""
    _access, page, api = signed_in(house)
    other = founder("otra")
    theirs = given(other).access
    told = Event.objects.filter(casino=other.casino).latest("pk")
    with clock.standing_at(ARRIVES):
        assert page.get(f"/auditoria/{told.pk}/").status_code == 404
        assert page.get(f"/auditoria/{told.pk}/prueba/").status_code == 404
        assert str(told.pk) not in {str(row["id"]) for row in api.get("/api/v1/events").json()["results"]}
    # And the code is tried on its own card alone, whichever house's door it is typed at.
    assert (
        enter(given(other, credential="AJ-0300", name="Otra Persona").code, card="AJ-0300").casino
        == other.casino
    )
    assert theirs.casino == other.casino
