"""The watch over real shoes: what is noticed after a round, what the job finds, what neither costs."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction

from audits.by import by_system
from audits.models import Event, Incident
from audits.verify import ledger_faults, trail_faults
from casino.kernel.permissions import Role
from shoes import suspecting, watch
from shoes.cards import FRENCH52
from shoes.detecting import distribution, order, regularity, repeats
from shoes.detecting.finding import ALARM, Finding
from shoes.models import Shoe, ShoeAlert, ShoeOrder
from shoes.watch_proofs import alert_faults
from tables import rounds, tasks, watching
from tables.games.baccarat import draws
from tables.models import Round, TableSession
from tests.builders import House, a_house
from tests.races.racing import race
from tests.tables.refusing import refused

Pack = list[str]
Log = Sequence[dict[str, Any]]
Play = Callable[[House, TableSession, Log], Round]
BURNED = 3
"""What every prepared shoe of these tests burned: 2c turned, two more face down."""


@pytest.fixture
def committing(transactional_db: None) -> House:
    """A house whose writes really commit: the watch looks once a round is committed."""
    return a_house()


@pytest.fixture
def play(django_capture_on_commit_callbacks: Any) -> Play:
    """Log a round; where the test commits nothing itself, what was put off until the commit is done here."""

    def one(house: House, session: TableSession, log: Log) -> Round:
        with django_capture_on_commit_callbacks(execute=True):
            return house.log(session, log)

    return one


def in_factory_order() -> Pack:
    """Six new decks on one another, cut so that the 2c comes first, as the preparation says it did."""
    pack = [card for _ in range(6) for card in FRENCH52.cards]
    at = pack.index("2c")
    return pack[at:] + pack[:at]


def shuffled(seed: int, pack: Sequence[str] = FRENCH52.cards * 6) -> Pack:
    """A shuffled pack whose first card is the 2c that was turned."""
    mixed = list(pack)
    mixed.remove("2c")
    random.Random(seed).shuffle(mixed)
    return ["2c", *mixed]


def dealt(pack: Pack) -> list[list[dict[str, Any]]]:
    """All rounds of Punto y Banca in a pack, its burn taken off, down to the six cards of the stop card."""
    left, found = pack[BURNED:], []
    while len(left) > 6:
        values: dict[str, list[int]] = {"punto": [], "banca": []}
        log = []
        while left and (to := draws.next_hand(tuple(values["punto"]), tuple(values["banca"]))):
            values[to].append(draws.VALUES[left[0]])
            log.append({"e": "card", "to": to, "card": left.pop(0)})
        found.append(log)
    return found


def codes(session: TableSession) -> list[str]:
    return sorted(ShoeAlert.objects.filter(shoe=session.shoe_id).values_list("detector", flat=True))


def faults(house: House) -> list[Any]:
    return [*trail_faults(house.casino), *ledger_faults(house.casino)]


@pytest.mark.rule("CARD-16", "CARD-22", "GEN-08")
def test_a_shoe_in_factory_order_stops_its_table_within_three_rounds(committing: House) -> None:
    session = committing.open_table()
    played = 0
    for log in dealt(in_factory_order())[:3]:
        committing.log(session, log)
        played += 1
        if codes(session):
            break
    assert codes(session) == [order.CODE] and played <= 3
    alert = ShoeAlert.objects.select_related("incident", "shoe").get()
    incident = alert.incident
    assert incident is not None and alert.p <= ALARM
    assert (incident.kind, incident.freezes, incident.table_label) == (
        "cards.order",
        True,
        session.table.name,
    )
    # CARD-22 is the shuffle of Punto y Banca, GEN-10 the chief's check after it, CARD-42 the kind's own.
    assert incident.rules == ["CARD-22", "GEN-10", "CARD-42"]
    assert incident.notice_due is not None and alert.words_es in incident.summary_es
    session.refresh_from_db()
    assert session.frozen_by == incident
    with refused("table_frozen", "GEN-08"):
        committing.log(session, dealt(in_factory_order())[played])
    told = Event.objects.get(action="shoes.shoe.alert_raised")
    data = json.loads(bytes(told.body))["data"]
    assert (data["detector"], data["incident"]) == (order.CODE, incident.label)
    assert told.stream.name == f"shoe:{session.shoe_id}" and told.actor.name == watch.JOB
    assert faults(committing) == []


@pytest.mark.rule("CARD-16")
def test_a_round_played_card_by_card_is_looked_at_once_it_is_settled(
    house: House, django_capture_on_commit_callbacks: Any
) -> None:
    session, by = house.open_table(), house.by(Role.PIT_BOSS)
    for number, log in enumerate(dealt(in_factory_order())[:3], 1):
        for step, event in enumerate(log):
            rounds.play(session=session, number=number, step=step, events=[event], by=by)
        assert codes(session) == []
        with django_capture_on_commit_callbacks(execute=True):
            rounds.settle(session=session, number=number, step=len(log), by=by)
        if codes(session):
            break
    assert codes(session) == [order.CODE]


@pytest.mark.rule("CARD-16", "CARD-42")
def test_a_shuffled_shoe_is_played_to_its_end_in_peace(house: House, play: Play) -> None:
    session = house.open_table()
    for log in dealt(shuffled(7)):
        play(house, session, log)
    shoe = Shoe.objects.get(pk=session.shoe_id)
    assert shoe.stop_reached
    tasks.watch_shoes()
    assert codes(session) == [] and not Incident.objects.exists()
    kept = ShoeOrder.objects.get(shoe=shoe)
    # All that came out was read: the burn and every round. Of the burn only the first face is known, so runs
    # of eight begin with the first card of the first round.
    assert (kept.cards, len(kept.grams)) == (312 - shoe.remaining, 312 - shoe.remaining - BURNED - 7)
    call_command("watch_shoes", days=30)
    assert codes(session) == []


@pytest.mark.rule("CARD-16")
@pytest.mark.parametrize("turned", [list, lambda pack: pack[:1] + pack[1:][::-1]], ids=["again", "backwards"])
def test_the_order_of_an_earlier_shoe_is_found_in_a_later_one(
    house: House, play: Play, turned: Callable[[Pack], Pack]
) -> None:
    first, second = house.open_table(), house.open_table(dealer=1, supervisor=1)
    pack = shuffled(11)
    # Enough of the one that what the other begins with was seen: all of it where it is dealt backwards.
    for log in dealt(pack):
        play(house, first, log)
    for log in dealt(turned(pack))[:5]:
        play(house, second, log)
    assert codes(second) == []
    tasks.watch_shoes()
    assert (codes(first), codes(second)) == ([], [repeats.CODE])
    alert = ShoeAlert.objects.get()
    assert alert.facts["shoe"] == Shoe.objects.get(pk=first.shoe_id).label
    first.refresh_from_db()
    second.refresh_from_db()
    assert first.frozen_by is None and second.frozen_by == alert.incident != None  # noqa: E711
    # Twice is once, also read anew from the first card; nor is the earlier shoe blamed for the later one.
    tasks.watch_shoes()
    with pytest.raises(CommandError, match="1 aviso"):
        call_command("watch_shoes", days=30)
    assert (codes(first), codes(second), Incident.objects.count()) == ([], [repeats.CODE], 1)
    assert faults(house) == []


@pytest.mark.rule("CARD-42")
def test_faces_the_pack_cannot_well_show_are_told_at_a_quarter_and_stop_nothing(
    house: House, play: Play
) -> None:
    session = house.open_table()
    # The first cards are all of eight ranks out of thirteen; of 192 such cards more than a quarter comes out.
    # A quarter is 78: of each of the eight some 9.75 come where 6 are due, of the other five none.
    # X² ≈ (8 · 3.75²/6 + 5 · 6) · 311/234 = 65 with 12 degrees of freedom: less than once in ten million.
    few = [card for card in FRENCH52.cards * 6 if card[0] in "A35679JK"]
    random.Random(3).shuffle(few)
    logs, out = dealt(["2c", *few]), BURNED
    for log in logs:
        assert codes(session) == []
        play(house, session, log)
        out += len(log)
        if out >= 78:
            break
    assert codes(session) == [distribution.CODE]
    incident = Incident.objects.get()
    assert (incident.kind, incident.freezes) == ("cards.distribution", False)
    session.refresh_from_db()
    assert session.frozen_by is None
    play(house, session, logs[logs.index(log) + 1])
    assert faults(house) == []


def test_a_fault_in_the_watch_costs_no_round(
    committing: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    session, logs = committing.open_table(), dealt(in_factory_order())

    def broken(*args: Any, **kwargs: Any) -> Any:
        raise ValueError("the watch is out of order")

    with monkeypatch.context() as patch:
        patch.setattr(watching, "looks_ordered", broken)
        committing.log(session, logs[0])
    with monkeypatch.context() as patch:
        patch.setattr(watch, "raise_alert", broken)
        for log in logs[1:3]:
            committing.log(session, log)
        watching.look_at_all()
    assert caplog.text.count("the watch is out of order") >= 3
    session.refresh_from_db()
    assert (session.rounds_settled, codes(session)) == (3, [])
    assert not ShoeOrder.objects.exists()  # what could not be told is not taken as read
    # What was lost meanwhile, as when a process dies after its commit, the job finds.
    assert watching.look_at_all() == 1
    assert codes(session) == [order.CODE]
    session.refresh_from_db()
    assert session.frozen_by is not None


@pytest.mark.rule("CARD-16")
def test_the_job_looks_at_a_shoe_that_ended_within_the_day(
    house: House, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = house.open_table()
    monkeypatch.setattr(watching, "after_round", lambda shoe, told: None)
    for log in dealt(in_factory_order())[:3]:
        play(house, session, log)
    session = house.close(session, {})
    watching.look_at_all()  # it ended in the evening these tests play in, long ago
    assert codes(session) == []
    watching.look_at_all(since=session.closed_at)
    alert = ShoeAlert.objects.get()
    # Nothing is in play any more that could be stopped.
    assert alert.incident is not None and not alert.incident.freezes
    assert faults(house) == []


@pytest.mark.race
@pytest.mark.rule("CARD-16")
def test_two_that_look_at_once_tell_it_once(committing: House, monkeypatch: pytest.MonkeyPatch) -> None:
    session = committing.open_table()
    with monkeypatch.context() as patch:
        patch.setattr(watching, "after_round", lambda shoe, told: None)
        for log in dealt(in_factory_order())[:3]:
            committing.log(session, log)
    shoe = Shoe.objects.select_related("casino").get(pk=session.shoe_id)
    by_system(committing.casino, watch.JOB)
    rows = [each.order for each in watching.sequences.of_shoe(shoe)]
    finding = suspecting.ordered(shoe, rows, reshuffles=False)
    assert finding is not None
    acts = [
        lambda: watching.look(shoe.pk, quarter=False),
        lambda: watching.look_again(shoe),
        lambda: watch.raise_alert(shoe=shoe, finding=finding, by=by_system(committing.casino, watch.JOB)),
        lambda: watching.look_at_all(),
    ]
    race(*acts)
    assert codes(session) == [order.CODE]
    assert (Incident.objects.count(), ShoeOrder.objects.count()) == (1, 1)
    assert Event.objects.filter(action="shoes.shoe.alert_raised").count() == 1
    assert faults(committing) == []


def test_no_round_costs_a_query_more(house: House, play: Play, django_assert_num_queries: Any) -> None:
    session, logs = house.open_table(), dealt(shuffled(7))
    play(house, session, logs[0])
    asked: list[int] = []
    before = watching.after_round

    def counted(shoe: Shoe | None, told: Sequence[Any]) -> None:
        with django_assert_num_queries(0):
            before(shoe, told)
        asked.append(len(told))

    watching.after_round, old = counted, watching.after_round  # type: ignore[assignment]
    try:
        play(house, session, logs[1])
    finally:
        watching.after_round = old
    assert asked == [len(logs[1])]


def test_a_finding_is_told_in_words(house: House) -> None:
    session = house.open_table()
    finding = Finding(order.CODE, 1 / 12_345, order.Text("palabras", "words"), {"share": 0.5, "run": ["2c"]})
    shoe = Shoe.objects.get(pk=session.shoe_id)
    alert = watch.raise_alert(shoe=shoe, finding=finding, by=by_system(house.casino, watch.JOB))
    assert alert.incident is not None
    assert alert.incident.facts["chance"] == {
        "es": "a lo más una vez en 12.345",
        "en": "at most once in 12,345",
    }
    data = json.loads(bytes(Event.objects.get(action="shoes.shoe.alert_raised").body))["data"]
    assert data["facts"] == {"share": "0.5", "run": ["2c"]}


def test_the_command_says_what_was_noticed_and_fails_while_it_waits(
    house: House, play: Play, capsys: pytest.CaptureFixture[str]
) -> None:
    session = house.open_table()
    play(house, session, dealt(shuffled(7))[0])
    code, shoe = house.casino.code, Shoe.objects.get(pk=session.shoe_id)
    call_command("watch_shoes", casino=code)
    assert capsys.readouterr().out == f"{code}: 1 sabots mirados, 0 avisos\n"
    pattern = Finding(regularity.CODE, 1e-5, order.Text("siempre a la misma mesa", "always to one table"))
    watch.raise_alert(shoe=shoe, finding=pattern, by=by_system(house.casino, watch.JOB))
    call_command("watch_shoes", casino=code)  # told; no incident waits
    assert capsys.readouterr().err == f"{code}: {shoe.label}: siempre a la misma mesa\n"
    found = Finding(order.CODE, 1e-5, order.Text("palabras", "words"))
    alert = watch.raise_alert(shoe=shoe, finding=found, by=by_system(house.casino, watch.JOB))
    with pytest.raises(CommandError) as waiting:
        call_command("watch_shoes")
    assert waiting.value.returncode == 1
    assert f"{shoe.label}: palabras ({alert.incident})\n" in capsys.readouterr().err
    for wrong in ({"casino": "otra"}, {"days": 0}, {"days": 3_661}):
        with pytest.raises(CommandError) as unusable:
            call_command("watch_shoes", **wrong)
        assert unusable.value.returncode == 2


@pytest.mark.rule("REC-06")
@pytest.mark.parametrize(
    ("statement", "wrong"),
    [
        ("DELETE FROM shoes_shoealert", "row"),
        ("UPDATE shoes_shoealert SET words_es = 'nada'", "words"),
        ("UPDATE shoes_shoealert SET facts = '{}'", "facts"),
        ("UPDATE shoes_shoealert SET p = p * 1.1", "p"),
        ("UPDATE shoes_shoealert SET incident_id = NULL", "incident"),
        ("UPDATE shoes_shoealert SET at = at - interval '1 hour'", "at"),
        ("UPDATE shoes_shoealert SET detector = 'regularity'", "raised"),
    ],
)
def test_an_alert_altered_behind_the_triggers_is_found_out(house: House, statement: str, wrong: str) -> None:
    session = house.open_table()
    finding = Finding(order.CODE, 1 / 12_345, order.Text("palabras", "words"), {"share": 0.5})
    shoe = Shoe.objects.get(pk=session.shoe_id)
    watch.raise_alert(shoe=shoe, finding=finding, by=by_system(house.casino, watch.JOB))
    assert list(alert_faults(house.casino)) == []
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(statement)
        cursor.execute("SET LOCAL session_replication_role = DEFAULT")
    said = [fault.words.en for fault in alert_faults(house.casino)]
    assert any(wrong in words.partition(": ")[2].split(", ") for words in said)
