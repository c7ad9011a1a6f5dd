"""The life of a table on its pages: the check before opening, the buttons, the notice, plans and figures."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from casino.kernel.permissions import Role
from tables import settings
from tables.models import FloorSettings, LimitsPlan, TableSession
from tests.pages.building import Floor


def words(response: Any) -> str:
    return re.sub(r"\s+", " ", response.content.decode())


def step(client: Client, floor: Floor, act: str, **more: str) -> Any:
    return client.post(reverse("table-step", args=[floor.table.name]), {"act": act, **more})


def opening(floor: Floor, **more: Any) -> dict[str, Any]:
    return {
        "shoe": floor.ready_shoe().pk, "dealer": floor.dealer.pk, "supervisor": floor.supervisor.pk,
        "n_500": 100, "n_1000": 100, "n_5000": 100, **more,
    }  # fmt: skip


def test_the_opening_page_shows_the_check_and_asks_again_as_the_form_is_filled(floor: Floor) -> None:
    client, name = floor.client(Role.SUPERVISOR), floor.table.name
    page = words(client.get(reverse("table-open", args=[name])))
    assert "Control previo" in page and "no se puede abrir" in page  # no shoe is ready
    shown = words(client.get(reverse("table-preflight", args=[name]), opening(floor)))
    assert "todo en orden" in shown and "Contado y firmado por dos" in shown
    partly = words(client.get(reverse("table-preflight", args=[name])))
    assert "se puede abrir, con avisos" in partly and "Por contar" in partly


def test_the_check_is_told_again_only_when_it_reads_differently(floor: Floor) -> None:
    client, address = floor.client(Role.SUPERVISOR), reverse("table-preflight", args=[floor.table.name])
    first = client.get(address)
    assert client.get(address, HTTP_IF_NONE_MATCH=first["ETag"]).status_code == 304
    floor.ready_shoe()
    assert client.get(address, HTTP_IF_NONE_MATCH=first["ETag"]).status_code == 200


@pytest.mark.parametrize("field", ["dealer", "shoe", "n_500", "payer_1"])
@pytest.mark.parametrize("value", ["", "x", "-1", "99999999999999999999", "٣"])
def test_the_check_bears_whatever_is_typed(floor: Floor, field: str, value: str) -> None:
    address = reverse("table-preflight", args=[floor.table.name])
    assert floor.client(Role.SUPERVISOR).get(address, {field: value}).status_code == 200


def test_a_table_is_prepared_begun_paused_and_called_to_its_last_round(floor: Floor) -> None:
    client, name = floor.client(Role.SUPERVISOR), floor.table.name
    client.post(reverse("table-open", args=[name]), opening(floor, act="prepare"))
    session = TableSession.objects.get()
    assert session.state == "opening"
    page = words(client.get(reverse("table", args=[name])))
    assert "Abrir al juego" in page and "La mesa aún no se abrió al juego" in page
    for act, more, state, shown in (
        ("begin", {}, "open", "Pausar la mesa"),
        ("pause", {"reason": "cambio de paño"}, "paused", "Reanudar el juego"),
        ("resume", {}, "open", "Último pase"),
        ("last", {}, "closing", "Seguir abierta"),
        ("resume", {}, "open", "Pausar la mesa"),
    ):
        answer = step(client, floor, act, **more)
        session.refresh_from_db()
        assert (answer.status_code, session.state) == (200, state)
        assert shown in words(answer)


def test_a_step_that_may_not_be_is_refused_on_the_board(floor: Floor) -> None:
    floor.open()
    client = floor.client(Role.SUPERVISOR)
    assert step(client, floor, "begin").status_code == 409
    assert step(client, floor, "pause").status_code == 422  # no reason
    assert step(client, floor, "fly").status_code == 422
    assert step(floor.client(Role.CROUPIER), floor, "pause", reason="x").status_code == 403


@pytest.mark.parametrize("role", [Role.CROUPIER, Role.CAGE, Role.INSPECTOR, Role.PIT_BOSS])
def test_the_notice_is_for_everybody_and_says_what_is_in_force(floor: Floor, role: Role) -> None:
    # 50 to 1.000 on punto and banca, 10 to 100 on the tie (LIMITS of the builders).
    page = words(floor.client(role).get(reverse("table-notice", args=[floor.table.name])))
    assert floor.table.name in page
    for figure in ("50,00", "1.000,00", "10,00", "100,00"):
        assert f"<td>{figure}</td>" in page
    for text in ("Mínimo", "Minimum", "Plan de Apuestas", "Reglas versión", "Rules version", "Comisión"):
        assert text in page, text


def test_a_table_without_limits_says_so_on_its_notice(floor: Floor) -> None:
    table = settings.set_table(
        name="PB-77", pit=floor.table.pit, game=floor.table.game, seats=7, detail="cards",
        by=floor.by(Role.ADMINISTRATOR, "nueva"),
    )  # fmt: skip
    page = words(floor.client(Role.PIT_BOSS).get(reverse("table-notice", args=[table.name])))
    assert "La mesa no tiene límites vigentes" in page


# ---- plans ------------------------------------------------------------------------------------------


def plan(**more: Any) -> dict[str, Any]:
    return {
        "rows": 1, "w0_days": ["4", "5"], "w0_from": "20:00", "w0_to": "04:00", "w0_chip": "5",
        "w0_punto_low": "100", "w0_punto_high": "1000", "w0_banca_low": "100", "w0_banca_high": "1000",
        "reason": "fin de semana", **more,
    }  # fmt: skip


@pytest.mark.rule("GEN-04")
def test_a_plan_is_published_from_its_page_and_shown_as_a_week(floor: Floor) -> None:
    client = floor.client(Role.PIT_BOSS)
    address = reverse("settings-plan-table", args=[floor.table.pk])
    assert client.post(address, plan()).status_code == 302
    stored = LimitsPlan.objects.get()
    assert stored.windows == [
        {
            "days": [4, 5], "from": "20:00", "to": "04:00", "chip": 500, "differential": None,
            "spots": {"banca": [10_000, 100_000], "punto": [10_000, 100_000]},
        }
    ]  # fmt: skip
    page = words(client.get(address))
    # Two nights of 20:00 to 04:00: eight hours each.
    assert page.count('class="held') == 16
    assert 'value="20:00"' in page and "fin de semana" in page
    listing = words(client.get(reverse("settings-plans")))
    assert "plan propio, versión 1" in listing


def test_another_row_is_offered_and_what_was_typed_stays(floor: Floor) -> None:
    client = floor.client(Role.PIT_BOSS)
    address = reverse("settings-plan-game", args=[floor.table.game])
    page = words(client.post(address, plan(act="add")))
    assert "Franja 2" in page and 'name="w0_punto_low" inputmode="decimal" value="100"' in page
    assert not LimitsPlan.objects.exists()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"w0_from": "8 pm"}, "Escriba las horas como 20:00"),
        ({"w0_to": ""}, "Complete la franja"),
        ({"w0_days": []}, "Elija los días de la franja"),
        ({"w0_chip": "7"}, "La ficha menor es una denominación de la casa"),
        ({"w0_punto_low": "1e3"}, "importe"),
        ({"reason": ""}, "Indique el motivo del cambio"),
        ({"rows": "99999999999999999999"}, ""),
    ],
)
def test_a_plan_that_will_not_do_is_refused_beside_its_row(
    floor: Floor, change: dict[str, Any], said: str
) -> None:
    answer = floor.client(Role.PIT_BOSS).post(
        reverse("settings-plan-game", args=[floor.table.game]), plan(**change)
    )
    if said:
        assert answer.status_code == 422 and said in words(answer)
        assert not LimitsPlan.objects.exists()
    else:
        assert answer.status_code in (302, 422)


# ---- figures ----------------------------------------------------------------------------------------

FIGURES = {
    "minimum_operation": ["baccarat"], "max_minutes_on_table": "45", "min_break_minutes": "15",
    "max_minutes_same_table": "", "night_from": "21:00", "night_to": "05:00",
    "rest_after_night_minutes": "720", "ij_base": "", "ij_document": "", "min_funds": "50000",
    "reason": "manual",
}  # fmt: skip


@pytest.mark.rule("FLOOR-17")
def test_the_administration_sets_the_figures_and_a_pit_boss_reads_them(floor: Floor) -> None:
    address = reverse("settings-floor")
    assert floor.client(Role.ADMINISTRATOR).post(address, FIGURES).status_code == 302
    stored = FloorSettings.objects.get()
    assert (stored.minimum_operation, stored.max_minutes_same_table) == (["baccarat"], None)
    assert (stored.min_funds, f"{stored.night_from:%H:%M}") == (5_000_000, "21:00")
    page = words(floor.client(Role.PIT_BOSS).get(address))
    assert 'value="45"' in page and "Las cambia la administración" in page
    assert floor.client(Role.PIT_BOSS).post(address, FIGURES).status_code == 403


@pytest.mark.parametrize("change", [{"night_from": "25:00"}, {"min_funds": "-3"}, {"min_break_minutes": "x"}])
def test_figures_that_cannot_be_read_are_refused(floor: Floor, change: dict[str, str]) -> None:
    answer = floor.client(Role.ADMINISTRATOR).post(reverse("settings-floor"), {**FIGURES, **change})
    assert answer.status_code == 422 and not FloorSettings.objects.exists()
