"""One round on the record: what its page shows, to whom, and how it is voided."""

from __future__ import annotations

import re
from typing import Any

import pytest

from audits.models import Event
from casino.kernel.permissions import Role
from casino.models import FailedSignIns
from tables import closings, rounds, sessions, storing
from tables.models import Bet, Round
from tables.record import record_of
from tests.api.building import PASSWORD
from tests.pages.building import FLOAT, Floor, as_login, cards

BETS = [
    {"e": "bet", "seat": 1, "spot": "punto", "amount": 10_000},
    {"e": "bet", "seat": 3, "spot": "banca", "amount": 20_000},
]
"""100,00 on punto, which wins 9 to 0 and is paid 1:1; 200,00 on banca, which is lost."""


def with_bets(floor: Floor) -> Round:
    floor.open()
    events = [*BETS, {"e": "close"}, *cards()]
    by = floor.by(Role.SUPERVISOR)
    return rounds.log(session=floor.sessions[-1], number=1, events=events, by=by)


def text(page: str) -> str:
    """What a page says, without its marks."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page.split("<main", 1)[1]))


def approval(floor: Floor, role: Role = Role.SUPERVISOR, **changed: str) -> dict[str, str]:
    given = {
        "reason": "carta mal leída",
        "cards_came_out": "yes",
        "approver": floor.house.users[role].username,
    }
    return {**given, "approver_password": PASSWORD, **changed}


def beside(page: str, field: str) -> str:
    return page.split(f'id="r-{field}"')[1].split("</div>")[0]


@pytest.mark.rule("BAC-20")
def test_a_settled_round_shows_hands_payouts_entries_versions_and_trail(full: Floor) -> None:
    done = with_bets(full)
    page = full.client(Role.INSPECTOR).get(f"/pases/{done.pk}/").content.decode()
    said = text(page)
    for card in ("nueve de diamantes", "rey de corazones", "seis de picas", "cuatro de tréboles"):
        assert f'aria-label="{card}"' in page, card
    assert "Gana punto 9 a 0" in said
    # Losers are collected before winners are paid: seat 3 first (BAC-20).
    assert said.index("200,00 — 0,00") < said.index("100,00 — 200,00")
    for pay in Bet.objects.filter(round=done):
        assert pay.rule in said
    assert "Asiento 3: 200,00 a Banca".lower() in said.lower()
    assert "no va más" in said
    assert "PA-2026-01" in said
    event = Event.objects.get(pk=done.event_id)
    assert bytes(event.hash).hex() in page
    assert f'href="/auditoria/{event.pk}/"' in page
    assert full.house.users[Role.SUPERVISOR].name in said


def test_it_is_linked_from_the_session_and_from_the_table(floor: Floor) -> None:
    session = floor.open()
    done = floor.settled()
    client = floor.client(Role.PIT_BOSS)
    for page in (f"/sesiones/{session.pk}/", "/mesas/PB-01/"):
        assert f'href="/pases/{done.pk}/"' in client.get(page).content.decode(), page


def test_a_round_in_progress_shows_what_was_undone_struck_through(floor: Floor) -> None:
    session = floor.open()
    by = floor.by(Role.SUPERVISOR)
    first, second = cards()[:2]
    opened = rounds.play(session=session, number=1, step=0, events=[first, second], by=by)
    undo = {"e": "undo", "of": 2, "why": "carta mal leída"}
    rounds.play(session=session, number=1, step=2, events=[undo], by=by)
    page = floor.client(Role.PIT_BOSS).get(f"/pases/{opened.pk}/").content.decode()
    assert re.findall(r"<s>([^<]*)</s>", page) == ["6♠ a Banca"]
    assert "anulado el 2: carta mal leída" in page
    assert "Anular este pase" not in page  # nothing is settled yet


@pytest.mark.rule("REC-15")
def test_what_is_stored_is_shown_where_the_rules_say_otherwise(
    full: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = with_bets(full)
    same = record_of(Round.objects.get(pk=done.pk))
    assert (same.differs, [p.words is not None for p in same.payments]) == ((), [True, True])
    # The engine as if it paid punto 2:1: 300,00 come back where 200,00 are stored.
    current = storing.versions_of(done, done.session)
    altered = type(current)(
        current.rules_id, current.limits_id, current.game, _paying_double(current.rules), current.terms
    )
    monkeypatch.setattr(storing, "versions_of", lambda round, session: altered)
    page = full.client(Role.INSPECTOR).get(f"/pases/{done.pk}/").content.decode()
    assert "se muestra lo que está guardado" in page
    assert "100,00 — 200,00 Se paga 1:1" in text(page)
    assert "300,00" not in text(page).replace("Total 300,00", "")


def _paying_double(rules: Any) -> Any:
    import dataclasses

    return dataclasses.replace(rules, punto_pays="2:1")


def test_a_croupier_reads_only_the_rounds_of_their_sessions_and_no_totals(full: Floor) -> None:
    done = with_bets(full)
    croupier = full.client(Role.CROUPIER)
    assert croupier.get(f"/pases/{done.pk}/").status_code == 404
    as_login(full.relief, full.house.users[Role.CROUPIER])
    sessions.relieve(session=done.session, staff=full.relief, post="dealer", by=full.by(Role.SUPERVISOR))
    page = croupier.get(f"/pases/{done.pk}/").content.decode()
    assert "100,00 — 200,00" in text(page)
    assert "Resultado de la casa" not in page
    assert "/auditoria/" not in page
    assert bytes(Event.objects.get(pk=done.event_id).hash).hex() in page


@pytest.mark.rule("REC-07")
def test_a_pit_boss_voids_a_round_that_another_person_signs(full: Floor) -> None:
    done = with_bets(full)
    client, page = full.client(Role.PIT_BOSS), f"/pases/{done.pk}/"
    assert 'name="approver_password"' in client.get(page).content.decode()
    assert client.post(f"{page}anular/", approval(full))["Location"] == page
    done.refresh_from_db()
    assert done.state == "void"
    said = client.get(page).content.decode()
    assert 'name="approver_password"' not in said
    assert f'href="/auditoria/{done.void_event_id}/"' in said
    body = Event.objects.get(pk=done.void_event_id).body
    assert full.house.users[Role.SUPERVISOR].name in bytes(body).decode()
    for told in ("carta mal leída", f"aprobó {full.house.users[Role.SUPERVISOR].name}"):
        assert told in said


@pytest.mark.parametrize(
    ("role", "changed", "status", "field", "said"),
    [
        pytest.param(
            Role.PIT_BOSS, {}, 422, "approver", "REC-07", marks=pytest.mark.rule("REC-07")
        ),
        pytest.param(
            Role.CAGE, {}, 422, "approver", "GEN-10", marks=pytest.mark.rule("GEN-10")
        ),
        (Role.SUPERVISOR, {"reason": " "}, 422, "reason", "motivo"),
        (Role.SUPERVISOR, {"cards_came_out": ""}, 422, "cards_came_out", "salieron del sabot"),
        (Role.SUPERVISOR, {"approver_password": "equivocada 9"}, 401, "approver", "no son correctos"),
        (Role.SUPERVISOR, {"approver": "nadie"}, 401, "approver", "no son correctos"),
    ],
)  # fmt: skip
def test_what_stands_against_a_void_is_said_beside_its_field(
    floor: Floor, role: Role, changed: dict[str, str], status: int, field: str, said: str
) -> None:
    floor.open()
    done = floor.settled()
    given = approval(floor, role, **changed)
    response = floor.client(Role.PIT_BOSS).post(f"/pases/{done.pk}/anular/", given)
    page = response.content.decode()
    assert response.status_code == status
    assert said in beside(page, field)
    assert page.count('role="alert"') == 1
    assert given["approver_password"] not in page
    done.refresh_from_db()
    assert done.state == "settled"


@pytest.mark.rule("GEN-10")
def test_a_password_is_not_guessed_through_the_form(floor: Floor) -> None:
    floor.open()
    done = floor.settled()
    client, page = floor.client(Role.PIT_BOSS), f"/pases/{done.pk}/anular/"
    for _try in range(5):
        assert client.post(page, approval(floor, approver_password="equivocada 9")).status_code == 401
    assert FailedSignIns.objects.get().count == 5
    refused = client.post(page, approval(floor))  # right, and too late
    assert refused.status_code == 429
    assert int(refused["Retry-After"]) > 0
    assert "demasiados intentos" in beside(refused.content.decode(), "approver").lower()
    done.refresh_from_db()
    assert done.state == "settled"


@pytest.mark.rule("REC-07")
def test_a_round_of_a_closed_session_is_not_voided_and_says_why(floor: Floor) -> None:
    session = floor.open()
    done = floor.settled()
    closings.close_session(
        session=session,
        chips_counted=FLOAT,
        counted_by=floor.dealer,
        witnessed_by=floor.supervisor,
        by=floor.by(Role.SUPERVISOR),
    )
    client, page = floor.client(Role.PIT_BOSS), f"/pases/{done.pk}/"
    assert 'name="approver_password"' not in client.get(page).content.decode()
    refused = client.post(f"{page}anular/", approval(floor))
    assert refused.status_code == 409
    assert refused.content.decode().count('role="alert"') == 1


@pytest.mark.rule("REC-07")
def test_a_round_is_voided_once(floor: Floor) -> None:
    floor.open()
    done = floor.settled()
    client, page = floor.client(Role.PIT_BOSS), f"/pases/{done.pk}/anular/"
    assert client.post(page, approval(floor)).status_code == 302
    again = client.post(page, approval(floor))
    assert (again.status_code, "no está liquidado" in again.content.decode()) == (409, True)


def test_a_round_given_up_and_a_round_known_by_its_result_have_their_page(floor: Floor) -> None:
    session = floor.open()
    by = floor.by(Role.SUPERVISOR)
    rounds.play(session=session, number=1, step=0, events=cards()[:1], by=by)
    gone = rounds.abandon(session=session, number=1, step=1, by=by.because("carta expuesta"))
    page = floor.client(Role.PIT_BOSS).get(f"/pases/{gone.pk}/")
    assert (page.status_code, "anulado" in page.content.decode()) == (200, True)
    assert "carta expuesta" in page.content.decode()
