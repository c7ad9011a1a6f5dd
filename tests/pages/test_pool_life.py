"""Pages of a pool's life: stopped, its parameters and filings, its tables, its money moved; given up."""

from __future__ import annotations

import pytest

from audits.models import Filing
from audits.trail import Subject
from casino.kernel.permissions import Role
from jackpots import members, pools
from jackpots.models import Pool, PoolVersion
from tests.builders import House, a_house
from tests.jackpots.builders import PoolNight, a_pool, an_approved_plan, approved_filing
from tests.pages.pool_people import get, post, second
from tests.pages.test_every_table import text


@pytest.fixture
def house(db: None) -> House:
    return a_house()


@pytest.fixture
def night(house: House) -> PoolNight:
    """A running pool on one table of Caribbean; one credit 5,00."""
    return a_pool(house)


# ---- a pool's life -------------------------------------------------------------------------------------


@pytest.mark.rule("PP-32", "GEN-10")
def test_a_pool_is_stopped_by_two_and_not_started_while_its_incident_is_open(night: PoolNight) -> None:
    address = f"/pozos/{night.pool.pk}"
    alone = post(night, Role.PIT_BOSS, f"{address}/detener/", reason="se apagó")
    assert alone.status_code == 422 and "GEN-10" in alone.content.decode()
    wrong = {**second(night, Role.SUPERVISOR), "second_password": "otra"}
    assert post(night, Role.PIT_BOSS, f"{address}/detener/", reason="se apagó", **wrong).status_code >= 400
    done = post(
        night, Role.PIT_BOSS, f"{address}/detener/", reason="se apagó", **second(night, Role.SUPERVISOR)
    )
    assert done.status_code == 302
    night.pool.refresh_from_db()
    assert night.pool.state == Pool.State.STOPPED
    page = text(get(night, Role.PIT_BOSS, f"{address}/").content.decode())
    assert "Detenido por el incidente" in page
    signed = second(night, Role.COMPLIANCE)
    started = post(night, Role.PIT_BOSS, f"{address}/poner-en-marcha/", reason="se arregló", **signed)
    assert started.status_code == 409 and "PP-32" in started.content.decode()


FORM = {
    "commission": "10", "credit": "5", "least": "1", "most": "4", "level_0_code": "main",
    "level_0_share": "75",
    "level_0_base": "1.000", "reserve_0_code": "reserve", "reserve_0_share": "25", "policy": "sequential",
    "reseed": "reserve-house", "lower_first": "yes", "prize_royal_flush_kind": "percent",
    "prize_royal_flush_value": "100", "prize_flush_kind": "times", "prize_flush_value": "40",
}  # fmt: skip


@pytest.mark.rule("PP-30", "PP-23")
def test_parameters_are_analysed_drafted_and_approved_by_two_departments(night: PoolNight) -> None:
    address = f"/pozos/{night.pool.pk}/parametros/"
    analysed = post(night, Role.PIT_BOSS, address, do="analyse", **FORM)
    assert analysed.status_code == 200 and "649.740" in analysed.content.decode()
    assert PoolVersion.objects.count() == 1
    drafted = post(night, Role.PIT_BOSS, address, do="draft", reason="otra reserva", **FORM)
    assert drafted.status_code == 302
    version = PoolVersion.objects.get(number=2)
    assert version.params["levels"][0]["share_bp"] == 7_500 and len(version.params["prizes"]) == 2
    shown = text(get(night, Role.COMPLIANCE, f"/pozos/{night.pool.pk}/versiones/2/").content.decode())
    assert (
        "75 % de lo que queda" in shown.replace("\N{NO-BREAK SPACE}", " ") and "40 veces la apuesta" in shown
    )
    approve = f"/pozos/{night.pool.pk}/versiones/2/aprobar/"
    assert post(night, Role.COMPLIANCE, approve).status_code == 302
    again = post(night, Role.COMPLIANCE, approve)
    assert again.status_code == 422 and "PP-30" in again.content.decode()
    assert post(night, Role.CAGE, approve).status_code == 302
    version.refresh_from_db()
    assert version.state == PoolVersion.State.APPROVED


_REFUSED: tuple[tuple[dict[str, str], str, str], ...] = (
    ({"commission": ""}, "commission", "PP-20"),
    ({"level_0_share": "70"}, "level_0_share", "PP-21"),
    ({"level_0_cap": "500"}, "level_0_cap", ""),
    ({"prize_flush_value": "cuarenta"}, "prize_flush_value", ""),
    (
        {"prize_full_house_kind": "percent", "prize_full_house_value": "100"},
        "prize_royal_flush_kind",
        "PP-16",
    ),
)


@pytest.mark.rule("PP-16", "PP-20", "PP-21")
def test_a_form_of_parameters_refuses_beside_its_box(night: PoolNight) -> None:
    address = f"/pozos/{night.pool.pk}/parametros/"
    for typed, field, rule in _REFUSED:
        page = post(night, Role.PIT_BOSS, address, do="draft", reason="prueba", **{**FORM, **typed})
        said = page.content.decode()
        assert page.status_code == 422 and said.count('role="alert"') == 1, field
        box = said.index(f'name="{field}"')
        assert 0 < said.index('role="alert"') - box < 1_500, field
        assert rule in said
    assert PoolVersion.objects.count() == 1


@pytest.mark.rule("PP-05", "PP-06")
def test_tables_are_linked_and_what_was_not_reported_is_said(night: PoolNight) -> None:
    page = text(get(night, Role.PIT_BOSS, f"/pozos/{night.pool.pk}/").content.decode())
    assert "no se informó a la AJ" in page
    notice = Filing.objects.get(kind="pool_tables")
    away = post(night, Role.COMPLIANCE, f"/tramites/{notice.pk}/desistir/", reason="error de texto")
    assert away.status_code == 302
    at = f"/pozos/{night.pool.pk}/tramite/"
    post(night, Role.COMPLIANCE, at, kind="pool_tables", text="La mesa de Caribbean")
    notice = Filing.objects.filter(kind="pool_tables").latest("pk")
    assert post(night, Role.COMPLIANCE, f"/tramites/{notice.pk}/presentar/").status_code == 302
    assert not members.unreported(night.pool)
    member = night.pool.members.get()
    unlinked = post(night, Role.PIT_BOSS, f"/pozos/{night.pool.pk}/mesas/desconectar/", member=member.pk)
    assert unlinked.status_code == 422  # without a reason
    night.buy(0, 2)
    credit = post(
        night, Role.PIT_BOSS, f"/pozos/{night.pool.pk}/mesas/desconectar/", member=member.pk, reason="x"
    )
    assert credit.status_code == 409 and "PP-09" in credit.content.decode()


@pytest.mark.rule("GEN-10")
def test_a_filing_goes_its_way_and_its_author_does_not_decide(night: PoolNight) -> None:
    asked = post(
        night, Role.COMPLIANCE, f"/pozos/{night.pool.pk}/tramite/", kind="pool_equipment", text="Se pide"
    )
    filing = Filing.objects.filter(kind="pool_equipment").latest("pk")
    assert asked.status_code == 302 and asked["Location"] == f"/tramites/{filing.pk}/"
    post(night, Role.COMPLIANCE, f"/tramites/{filing.pk}/presentar/")
    own = post(night, Role.COMPLIANCE, f"/tramites/{filing.pk}/respuesta/", approved="yes", reference="AJ/1")
    assert own.status_code == 422 and "GEN-10" in own.content.decode()
    blank = post(night, Role.ADMINISTRATOR, f"/tramites/{filing.pk}/respuesta/", approved="yes")
    assert blank.status_code == 422 and 'id="r-reference"' in blank.content.decode()
    done = post(
        night, Role.ADMINISTRATOR, f"/tramites/{filing.pk}/respuesta/", approved="yes", reference="AJ/1"
    )
    filing.refresh_from_db()
    assert done.status_code == 302 and filing.state == Filing.State.APPROVED


@pytest.mark.rule("PP-04", "PP-29", "PP-32")
def test_a_revocation_a_plan_a_correction_and_the_last_pool(night: PoolNight) -> None:
    """3.60 and 0.90 stay in the pool; the house puts 1.00 in; all of it leaves as the plan says."""
    at = f"/pozos/{night.pool.pk}"
    first = Filing.objects.get(kind="pool_equipment")
    revoke = f"/tramites/{first.pk}/revocar/"
    bare = post(night, Role.COMPLIANCE, revoke, reason="falla")
    assert bare.status_code == 422 and 'id="r-document"' in bare.content.decode()
    assert post(night, Role.COMPLIANCE, revoke, document="RA 9", reason="falla").status_code == 302
    page = text(get(night, Role.PIT_BOSS, f"{at}/").content.decode())
    assert "suspendido" in page and "Sin aprobación vigente de la AJ" in page
    approved_filing(night.house, "pool_equipment", Subject("pool", night.pool.pk, night.pool.name))
    signed = second(night, Role.COMPLIANCE)
    assert post(night, Role.PIT_BOSS, f"{at}/poner-en-marcha/", reason="ya", **signed).status_code == 302
    assert post(night, Role.PIT_BOSS, f"{at}/detener/", reason="falla", **signed).status_code == 302
    night.pool.refresh_from_db()
    fault = {"incident": night.pool.incident_id, "reason": "faltó un pase", **signed}
    assert get(night, Role.PIT_BOSS, f"{at}/corregir/").status_code == 200
    low = post(night, Role.PIT_BOSS, f"{at}/corregir/", fund="reserve", amount="-9999", **fault)
    assert low.status_code == 409 and "PP-29" in low.content.decode()
    before = night.funds()["main"][0]
    done = post(night, Role.PIT_BOSS, f"{at}/corregir/", fund="main", amount="1", **fault)
    assert done.status_code == 302 and night.funds()["main"][0] == before + 100
    assert get(night, Role.PIT_BOSS, f"{at}/plan/").status_code == 200
    nowhere = post(night, Role.PIT_BOSS, f"{at}/plan/")
    assert nowhere.status_code == 422 and 'id="r-destination"' in nowhere.content.decode()
    asked = post(night, Role.PIT_BOSS, f"{at}/plan/", destination="Cuenta que indica la AJ")
    plan = Filing.objects.get(kind="pool_transfer")
    assert asked["Location"] == f"/tramites/{plan.pk}/" and "Cuenta que indica la AJ" in plan.text


@pytest.mark.rule("PP-32")
def test_a_pool_that_never_ran_is_given_up_on_its_page(night: PoolNight) -> None:
    by = night.by(reason="nuevo")
    pool = pools.create_pool(name="Nunca", by=by)
    assert "Desistir del pozo" in get(night, Role.PIT_BOSS, f"/pozos/{pool.pk}/").content.decode()
    assert get(night, Role.PIT_BOSS, f"/pozos/{pool.pk}/desistir/").status_code == 200
    assert post(night, Role.PIT_BOSS, f"/pozos/{pool.pk}/desistir/").status_code == 422
    assert post(night, Role.PIT_BOSS, f"/pozos/{pool.pk}/desistir/", reason="no").status_code == 302
    pool.refresh_from_db()
    assert pool.state == Pool.State.RETIRED


# ---- asked for again -----------------------------------------------------------------------------------


@pytest.mark.rule("PP-23", "GEN-10")
def test_refused_parameters_are_asked_for_again_on_their_page(night: PoolNight) -> None:
    """Revoked: the pool stands, and its page leads to the version, which asks again; approved, it starts."""
    at = f"/pozos/{night.pool.pk}"
    first = Filing.objects.get(kind="pool_scheme")
    post(night, Role.COMPLIANCE, f"/tramites/{first.pk}/revocar/", document="RA 9", reason="otra comisión")
    page = text(get(night, Role.PIT_BOSS, f"{at}/").content.decode())
    assert f"{first.label} fue revocado por la AJ: pídalo de nuevo" in page
    assert f'href="{at}/versiones/1/"' in get(night, Role.PIT_BOSS, f"{at}/").content.decode()
    by_text = post(night, Role.PIT_BOSS, f"{at}/tramite/", kind="pool_scheme", text="Se pide")
    assert by_text.status_code == 422
    assert "Pedir de nuevo a la AJ" in get(night, Role.PIT_BOSS, f"{at}/versiones/1/").content.decode()
    assert post(night, Role.PIT_BOSS, f"{at}/versiones/1/pedir/").status_code == 422
    done = post(night, Role.PIT_BOSS, f"{at}/versiones/1/pedir/", reason="se aclaró la comisión")
    again = Filing.objects.filter(kind="pool_scheme").latest("pk")
    assert done["Location"] == f"/tramites/{again.pk}/" and again.facts == first.facts
    assert "Pedir de nuevo" not in get(night, Role.PIT_BOSS, f"{at}/versiones/1/").content.decode()
    twice = post(night, Role.PIT_BOSS, f"{at}/versiones/1/pedir/", reason="otra vez")
    assert twice.status_code == 409 and f"{again.label} ya lo pide" in text(twice.content.decode())
    post(night, Role.COMPLIANCE, f"/tramites/{again.pk}/presentar/")
    answer = {"approved": "yes", "reference": "AJ/2"}
    post(night, Role.ADMINISTRATOR, f"/tramites/{again.pk}/respuesta/", **answer)
    signed = second(night, Role.COMPLIANCE)
    assert post(night, Role.PIT_BOSS, f"{at}/poner-en-marcha/", reason="ya", **signed).status_code == 302


@pytest.mark.rule("PP-32")
def test_the_last_pool_is_retired_where_its_signers_choose(night: PoolNight) -> None:
    """Two plans in words are approved: the page offers both, and uses the one that is chosen."""
    at, signed = f"/pozos/{night.pool.pk}", second(night, Role.COMPLIANCE)
    assert post(night, Role.PIT_BOSS, f"{at}/suspender/", reason="fin", **signed).status_code == 302
    plans_ = [an_approved_plan(night, None, destination=where) for where in ("Cuenta A", "Cuenta B")]
    form = get(night, Role.PIT_BOSS, f"{at}/retirar/").content.decode()
    for plan in plans_:
        assert f"{plan.label}: {plan.facts['destination']}" in form
    bare = post(night, Role.PIT_BOSS, f"{at}/retirar/", reason="fin", **signed)
    assert bare.status_code == 422 and 'id="r-destination"' in bare.content.decode()
    done = post(night, Role.PIT_BOSS, f"{at}/retirar/", reason="fin", destination="Cuenta A", **signed)
    assert done.status_code == 302
    assert [Filing.objects.get(pk=one.pk).state for one in plans_] == ["used", "approved"]
