"""People: who works where, who may do what, who may not sit down."""

from __future__ import annotations

from audits.people import set_active
from casino.kernel.words import Text
from casino.models import User
from casino.selftest import floor
from casino.selftest.catching import Guard, Night, Refused
from casino.selftest.faults import fault
from casino.selftest.hands import OWNER, PERSON, PROGRAM, past_the_guards, sql
from tables import sessions
from tables.guests import seats
from tables.guests.admitting import on_record
from tables.models import Assignment, Guest, TableSession


@fault(
    "people.role_by_sql", "una función dada por SQL", "a role given by SQL",
    hand=PROGRAM, caught=Night("verify_trail", "trail_differs", "login:croupier", says="roles"),
)  # fmt: skip
def role_by_sql() -> None:
    sql(
        "UPDATE casino_user SET role_codes = array_append(role_codes, 'pit_boss') WHERE username = 'croupier'"
    )


def _shut_off() -> User:
    return set_active(
        user=User.objects.get(username="supervisor2"), active=False, by=floor.by("admin", "fin de contrato")
    )


@fault(
    "people.login_by_sql", "un usuario dado de baja, activado por SQL", "a login shut off, activated by SQL",
    hand=PROGRAM, caught=Night("verify_trail", "trail_differs", "login:supervisor2", says="active"),
    given=_shut_off,
)  # fmt: skip
def login_by_sql(user: User) -> None:
    sql("UPDATE casino_user SET is_active = true WHERE id = %s", [user.pk])


@fault(
    "people.login_unheard_of", "un usuario creado por SQL", "a login made by SQL",
    hand=PROGRAM, caught=Night("verify_trail", "trail_differs", "login:fantasma", says="event"),
)  # fmt: skip
def login_unheard_of() -> None:
    sql(
        "WITH made AS (INSERT INTO casino_user SELECT (jsonb_populate_record(u, to_jsonb(u) ||"
        " jsonb_build_object('id', 1 + (SELECT max(id) FROM casino_user), 'username', 'fantasma'))).*"
        " FROM casino_user u WHERE username = 'admin' RETURNING id, casino_id)"
        " INSERT INTO audits_actor (casino_id, user_id, kind, name)"
        " SELECT casino_id, id, 'staff', 'Fantasma' FROM made"
    )


@fault(
    "people.two_posts", "un croupier puesto en dos mesas", "a dealer put at two tables",
    hand=PERSON, caught=Refused("staff_busy", "FLOOR-01"),
)  # fmt: skip
def two_posts() -> None:
    dealer = floor.at_post(floor.in_play("PB-03"), "caller", "dealer")
    here = floor.in_play("PB-01")
    post = Assignment.objects.filter(session=here, post__in=Assignment.DEALING).latest("pk").post
    sessions.relieve(session=here, staff=dealer, post=post, by=floor.by("supervisor"))


@fault(
    "people.two_posts_by_sql",
    "el mismo croupier en dos mesas, por SQL",
    "the same dealer at two tables, by SQL",
    hand=PROGRAM, caught=Guard("tables_assignment", "one_post_at_a_time"),
)  # fmt: skip
def two_posts_by_sql() -> None:
    sql(
        "INSERT INTO tables_assignment (post, during, casino_id, staff_id, session_id)"
        " SELECT 'supervisor', tstzrange(now(), NULL), casino_id, staff_id, %s FROM tables_assignment"
        " WHERE session_id = %s AND upper(during) IS NULL ORDER BY id LIMIT 1",
        [_without_supervisor(), floor.in_play("PB-03").pk],
    )


def _without_supervisor() -> int:
    """A session whose supervisor's post is free: that it is taken is not what must refuse."""
    return TableSession.objects.filter(closed_at__isnull=False).latest("pk").pk


@fault(
    "people.turn_rewritten", "un turno de mesa reescrito", "a turn at a table rewritten",
    hand=PROGRAM, caught=Guard("tables_assignment", "sabot_turn_ends_once"),
)  # fmt: skip
def turn_rewritten() -> None:
    sql(
        "UPDATE tables_assignment SET staff_id = %s WHERE id = (SELECT min(id) FROM tables_assignment)",
        [floor.free("baccarat.punto_banca").pk],
    )


@fault(
    "people.excluded_seated", "una persona excluida que se sienta", "an excluded person who sits down",
    hand=PERSON, caught=Refused("guest_excluded", "GEN-11"),
    leaves=Text("el rechazo, con el incidente", "the refusal, with its incident"),
)  # fmt: skip
def excluded_seated() -> None:
    guest = Guest.objects.get(name="Freddy Colque Nina")
    with on_record():
        seats.seat(session=floor.in_play("PB-01"), seat=5, guest=guest, by=floor.by("supervisor"))


@fault(
    "people.exclusion_erased", "una exclusión borrada de la lista", "an exclusion erased from the list",
    hand=PROGRAM, caught=Guard("tables_exclusion", "sabot_append_only"),
)  # fmt: skip
def exclusion_erased() -> None:
    sql("DELETE FROM tables_exclusion WHERE id = (SELECT max(id) FROM tables_exclusion)")


@fault(
    "people.history_edited", "el historial de un empleado editado", "the history of an employee edited",
    hand=PROGRAM, caught=Guard("tables_historicalstaff", "sabot_append_only"),
)  # fmt: skip
def history_edited() -> None:
    sql(
        "UPDATE tables_historicalstaff SET licence = 'AJ-C-9999'"
        " WHERE id = (SELECT min(id) FROM tables_historicalstaff)"
    )


@fault(
    "people.licence_extended",
    "la licencia de un croupier prolongada por SQL",
    "a dealer's licence extended by SQL",
    hand=PROGRAM, caught=Night("verify_trail", "trail_differs", "staff:"),
)  # fmt: skip
def licence_extended() -> None:
    sql(
        "UPDATE tables_staff SET licence_expires = licence_expires + 365"
        " WHERE id = (SELECT min(id) FROM tables_staff)"
    )


@fault(
    "people.turn_lengthened", "un turno de mesa alargado", "a turn at a table made longer",
    hand=OWNER, caught=Night("verify_trail", "trail_differs", "session:", says="row"),
)  # fmt: skip
def turn_lengthened() -> None:
    past_the_guards(
        "UPDATE tables_assignment SET during = tstzrange(lower(during) - interval '1 hour', upper(during))"
        " WHERE id = (SELECT min(id) FROM tables_assignment)"
    )
