"""The inspector's code: one person, a time, few attempts, and it ends what came in by it (REC-11)."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import IntegrityError, connection, transaction

from audits import people
from audits.inspections import access, codes, entering, looking
from audits.models import Event, InspectorAccess
from casino.kernel import clock
from casino.kernel.errors import SabotError
from casino.kernel.permissions import Role
from casino.models import FailedSignIns, User
from tests.audits.conftest import House
from tests.audits.inspecting import ARRIVES, CARD, NAME, by, enter, given, inspector_of, trail_of

pytestmark = pytest.mark.rule("REC-11")
HOUR = dt.timedelta(hours=1)


def refusal_of(act: object) -> SabotError:
    with pytest.raises(SabotError) as caught:
        act()  # type: ignore[operator]
    return caught.value


def actions(house: House) -> list[str]:
    return list(
        Event.objects.filter(casino=house.casino, action__startswith="audits.access.")
        .order_by("pk")
        .values_list("action", flat=True)
    )


def test_a_code_lets_its_inspector_in_for_eight_hours_and_every_step_is_on_the_trail(house: House) -> None:
    made = given(house)
    user = enter(made.code)
    assert (user.name, user.roles, user.has_usable_password()) == (NAME, {Role.INSPECTOR}, False)
    found = InspectorAccess.objects.get()
    assert found.valid_until - found.valid_from == 8 * HOUR
    assert actions(house) == ["audits.access.given", "audits.access.entered"]
    assert Event.objects.filter(action="audits.user.signed_in", actor=user.actor).count() == 1
    assert trail_of(house) == []


def test_the_code_is_kept_as_a_hash_only_and_stands_in_no_event(house: House) -> None:
    made = given(house)
    plain = made.code.replace("-", "")
    found = InspectorAccess.objects.get()
    assert plain[codes.SELECTOR :] not in found.secret
    assert codes.matches(plain[codes.SELECTOR :], found.secret)
    assert not any(plain[codes.SELECTOR :].encode() in bytes(event.body) for event in Event.objects.all())


@pytest.mark.parametrize("typed", ["{}", " {} ", "{lower}", "{bare}"])
def test_a_code_is_read_however_it_is_typed(house: House, typed: str) -> None:
    code = given(house).code
    said = typed.format(code, lower=code.lower(), bare=code.replace("-", ""))
    assert enter(said, card=f" {CARD.lower()} ").name == NAME


@pytest.mark.parametrize(
    ("late", "code"),
    [
        (-dt.timedelta(microseconds=1), "code_early"),
        (dt.timedelta(0), ""),
        (8 * HOUR - dt.timedelta(microseconds=1), ""),
        (8 * HOUR, "code_over"),
    ],
)
def test_a_code_opens_from_its_first_instant_to_before_its_last(
    house: House, late: dt.timedelta, code: str
) -> None:
    made = given(house, valid_from=ARRIVES + HOUR)
    at = ARRIVES + HOUR + late
    if not code:
        assert enter(made.code, at=at).name == NAME
        return
    refusal = refusal_of(lambda: enter(made.code, at=at))
    assert (refusal.code, refusal.status, refusal.rule) == (code, 401, "REC-11")
    assert actions(house)[-1] == "audits.access.refused"


def test_a_code_that_was_used_opens_no_more_unless_more_entries_were_allowed(house: House) -> None:
    once = given(house)
    enter(once.code)
    assert refusal_of(lambda: enter(once.code)).code == "code_spent"
    twice = given(house, credential="AJ-0200", name="Otra Persona", entries=2)
    enter(twice.code, card="AJ-0200")
    enter(twice.code, card="AJ-0200")
    assert refusal_of(lambda: enter(twice.code, card="AJ-0200")).code == "code_spent"
    assert trail_of(house) == []


def test_another_s_code_or_card_reads_like_any_wrong_one_and_is_counted(house: House) -> None:
    mine = given(house)
    theirs = given(house, credential="AJ-0200", name="Otra Persona")
    said = {
        (refusal.code, refusal.message.es)
        for refusal in (
            refusal_of(lambda: enter(theirs.code)),
            refusal_of(lambda: enter(mine.code, card="AJ-0200")),
            refusal_of(lambda: enter("ZZZZ-2222-2222-2222")),
            refusal_of(lambda: enter("")),
            refusal_of(lambda: enter("ñ" * 500, address="10.0.0.8")),
        )
    }
    assert said == {("bad_credentials", "la credencial o el código no son correctos")}
    assert sorted(InspectorAccess.objects.values_list("attempts", flat=True)) == [1, 1]
    assert trail_of(house) == []


def test_a_code_locks_after_five_wrong_ones_whatever_address_they_come_from(house: House) -> None:
    made = given(house)
    wrong = made.code[:5] + "2222-2222-2222"
    for n in range(5):
        assert refusal_of(lambda n=n: enter(wrong, address=f"10.1.0.{n}")).code == "bad_credentials"
    assert refusal_of(lambda: enter(made.code, address="10.2.0.1")).code == "code_locked"
    found = InspectorAccess.objects.get()
    assert (found.state, found.attempts, found.entries) == ("locked", 5, 0)
    assert actions(house)[-2:] == ["audits.access.locked", "audits.access.refused"]
    # Further wrong ones are kept, and count no further.
    refusal_of(lambda: enter(wrong, address="10.2.0.2"))
    assert InspectorAccess.objects.get().attempts == 5
    assert trail_of(house) == []


def test_guessing_from_one_place_is_stopped_before_anything_is_looked_at(house: House) -> None:
    made = given(house)
    for _ in range(5):
        refusal_of(lambda: enter("ZZZZ-2222-2222-2222"))
    refusal = refusal_of(lambda: enter(made.code))
    assert (refusal.code, refusal.status) == ("too_many_attempts", 429)
    # Another card each time does not help: the place itself is counted.
    for n in range(14):
        assert refusal_of(lambda n=n: enter("ZZZZ", card=f"AJ-9{n}")).status == 401
    assert refusal_of(lambda: enter("ZZZZ", card="AJ-999")).status == 429
    assert InspectorAccess.objects.get().attempts == 0
    # Whoever waits, or sits elsewhere, is let in with the right code, and their own count is wiped.
    assert enter(made.code, address="10.9.0.1").name == NAME
    assert not FailedSignIns.objects.filter(username=f"inspector:{CARD}", address="10.9.0.1").exists()


def test_a_wrong_code_costs_as_much_as_none_at_all(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []

    def compared(*_: str) -> bool:
        done.append("compared")
        return False

    monkeypatch.setattr(codes, "matches", compared)
    monkeypatch.setattr(codes, "waste", lambda *_: done.append("wasted"))
    refusal_of(lambda: enter(given(house).code))
    refusal_of(lambda: enter("ZZZZ-2222-2222-2222"))
    refusal_of(lambda: enter("no es un código"))
    assert done == ["compared", "wasted", "wasted"]


# ---- giving and revoking ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("about", "field"),
    [
        ({"hours": 0}, "hours"),
        ({"hours": 25}, "hours"),
        ({"entries": 0}, "entries"),
        ({"entries": 11}, "entries"),
        ({"name": "  "}, "name"),
        ({"name": "Rosa\u202e Mamani"}, "name"),
        ({"credential": ""}, "credential"),
        ({"credential": "AJ 01"}, "credential"),
        ({"credential": "Ñ-01"}, "credential"),
        ({"valid_from": ARRIVES + dt.timedelta(days=7, seconds=1)}, "valid_from"),
    ],
)
def test_what_a_code_cannot_be(house: House, about: dict[str, object], field: str) -> None:
    assert refusal_of(lambda: given(house, **about)).field == field
    assert not InspectorAccess.objects.exists()


def test_both_sides_of_the_longest_time_and_that_the_administrator_sets_it(house: House) -> None:
    given(house, hours=24)
    with clock.standing_at(ARRIVES):
        access.set_terms(default_hours=4, longest_hours=6, by=house.by())
        for hours, code in ((0, "bad_hours"), (169, "bad_hours")):
            with pytest.raises(SabotError) as caught:
                access.set_terms(default_hours=1, longest_hours=hours, by=house.by())
            assert caught.value.code == code
        with pytest.raises(SabotError):
            access.set_terms(default_hours=7, longest_hours=6, by=house.by())
        with pytest.raises(SabotError):
            access.set_terms(default_hours=4, longest_hours=6, by=house.by(reason=" "))
    later = given(house, credential="AJ-0200", name="Otra Persona").access
    assert later.valid_until - later.valid_from == 4 * HOUR
    assert refusal_of(lambda: given(house, credential="AJ-0300", hours=7)).code == "bad_hours"
    assert trail_of(house) == []


def test_nobody_else_gives_codes_and_the_inspector_none_to_himself(house: House) -> None:
    for n, role in enumerate((Role.PIT_BOSS, Role.SUPERVISOR, Role.CAGE, Role.INSPECTOR)):
        user = house.person(f"otro{n}", role)
        with pytest.raises(SabotError) as caught:
            access.give_access(name=NAME, credential=CARD, by=by(user))
        assert caught.value.code == "not_allowed"
    office = house.person("cumple", Role.COMPLIANCE)
    assert access.give_access(name=NAME, credential=CARD, by=by(office)).access.pk


def test_one_code_at_a_time_and_one_name_for_a_card(house: House) -> None:
    first = given(house)
    assert refusal_of(lambda: given(house)).code == "access_standing"
    assert refusal_of(lambda: given(house, name="Otro Nombre", at=ARRIVES + 9 * HOUR)).code == (
        "credential_of_another"
    )
    with clock.standing_at(ARRIVES):
        access.revoke_access(access=first.access, by=house.by())
    again = given(house)
    assert again.access.user == first.access.user
    assert User.objects.filter(username__startswith="inspector:").count() == 1
    assert given(house, at=ARRIVES + 8 * HOUR).access.pk  # the next begins as the first ends


def test_the_login_of_a_code_gets_no_password_no_role_and_its_name_is_nobody_else_s(house: House) -> None:
    user = given(house).access.user
    for act in (
        lambda: people.set_password(user=user, password="una clave muy larga 9", by=house.by()),
        lambda: people.set_roles(user=user, roles=[Role.PIT_BOSS], by=house.by()),
    ):
        assert refusal_of(act).rule == "REC-11"
    taken = refusal_of(
        lambda: people.create_user(
            username="inspector:x:1",
            name="x",
            password="una clave larga 9",
            roles=[Role.PIT_BOSS],
            by=house.by(),
        )
    )
    assert taken.field == "username"
    people.set_active(user=user, active=False, by=house.by())
    assert refusal_of(lambda: given(house, at=ARRIVES + 9 * HOUR)).code == "login_shut_off"


# ---- what the database refuses -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        "valid_until = valid_until + interval '1 hour'",
        "entries = 0",
        "entries_allowed = 9",
        "secret = 'x'",
        "attempts = attempts + 2",
        "state = 'revoked', revoked_at = now(), revoked_by_id = given_by_id, entries = entries + 1",
    ],
)
@pytest.mark.rule("REC-06")
def test_the_database_gives_no_code_anew(house: House, change: str) -> None:
    inspector_of(house)
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"UPDATE audits_inspectoraccess SET {change}")


@pytest.mark.parametrize(
    ("table", "change"),
    [
        ("audits_inspectoraccess", "entries = 0, last_entry_at = NULL"),
        ("audits_inspectoraccess", "valid_until = valid_until + interval '1 day'"),
        ("audits_inspectoraccess", "attempts = 3"),
        ("audits_inspectoraccess", "credential = 'AJ-9999'"),
        ("audits_inspectorlook", "path = '/'"),
        ("audits_accessterms", "longest_hours = 100"),
    ],
)
@pytest.mark.rule("REC-06")
def test_a_row_changed_past_the_guards_is_found(
    house: House, past_the_guards: object, table: str, change: str
) -> None:
    user = inspector_of(house)
    with clock.standing_at(ARRIVES):
        looking.note_look(path="/dias/", by=by(user))
        access.set_terms(default_hours=4, longest_hours=6, by=house.by())
    assert trail_of(house) == []
    with past_the_guards(), connection.cursor() as cursor:  # type: ignore[operator]
        cursor.execute(f"UPDATE {table} SET {change}")
    assert [fault.code for fault in trail_of(house)] == ["trail_differs"]


def test_the_limits_of_guessing_hold_for_codes_as_for_passwords() -> None:
    assert entering.MOST_ATTEMPTS <= 5
    assert len(codes.ALPHABET) ** codes.SECRET > 2**58
