"""The second team sees neither what the first found nor what is expected, wherever it looks (FLOOR-11).

Every page and API address a counter may read is asked for, with every id that could lead to the box, its
session or their events; every report is drawn up; every event's body is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, reverse
from rest_framework.test import APIClient

from audits.by import by_system
from audits.models import Event
from audits.people import create_user
from audits.reports import registry as reports
from audits.reports.forms import DayField
from casino.access import is_api
from casino.access_table import PUBLIC, SIGNED_IN, URLS
from casino.kernel import permissions
from casino.models import Casino, User
from tables.models import DropBox, TableSession
from tables.money import box_policies
from tests.builders import BOB, CLOSING_TIME, NATURAL, PASSWORD, House, bets
from tests.house.test_matrix import addresses
from tests.money import box_builders as built
from tests.money.test_results import DAY, a_poker_room

FIRST = {"contents": {"BOB": {20_000: 6, 2_000: 2, 500: 1, 200: 1, 50: 1}}, "documents": []}
"""6 x 200 + 2 x 20 + 5 + 2 + 0,50 = 1.247,50."""
WRITTEN = ["1.247,50", "1,247.50", "1247.50", "1247,50", "124750"]
EXPECTED = ["1.234,00", "1,234.00", "1234.00", "1234,00", "123400"]


@pytest.fixture
def house(room: House) -> House:
    """The module's own, with its teams; each test begins from it as it was built."""
    return room


def holds(text: str, figures: list[str]) -> list[str]:
    """Which of the figures stand in a text as numbers of their own."""
    return [f for f in figures if re.search(rf"(?<![\w.,]){re.escape(f)}(?![\w])", text)]


def waiting_box(house: House) -> DropBox:
    """A table whose box was counted once: opening 22.500, the house lost 100, closing 21.166, so that 1.234
    are expected in it; the first team found 1.247,50."""
    session = house.open_table(detail="full")
    house.log(session, [*bets((1, "punto", 100)), *NATURAL])
    # 18 x 500 + 100 x 100 + 86 x 25 + 3 x 5 + 1 = 9.000 + 10.000 + 2.150 + 15 + 1 = 21.166.
    tray = {500 * BOB: 18, 100 * BOB: 100, 25 * BOB: 86, 5 * BOB: 3, 1 * BOB: 1}
    session = house.close(session, tray)
    assert session.opening + session.house_result - (session.closing or 0) == 1_234 * BOB
    box = built.received(house, session, at=CLOSING_TIME)
    return built.count(box, 1, FIRST, at=CLOSING_TIME)


def seen_by(
    user: User, ids: set[int], told: set[int], tables: set[str], only: str
) -> Iterator[tuple[str, str]]:
    """Address and text of everything a login may read, pages and API, or `only` these names of it."""
    page, api = Client(), APIClient()
    page.force_login(user)
    api.force_authenticate(user)
    words = {"name": tables, "code": {"baccarat.mini"}, "identifier": set(reports.registered())}
    for name, pattern in addresses():
        act = URLS.get(name, {}).get("GET")
        if act is None or act in (PUBLIC, SIGNED_IN) or not permissions.may(user, act):
            continue
        if not re.search(only, name):
            continue  # what anyone may read is of no table: the rulebook, the schema, one's own name
        client = api if is_api(pattern.callback) else page
        for address in reached(name, pattern, told if name == "event" else ids, words):
            answer = client.get(address)
            if answer.status_code == 200:
                body = b"".join(answer.streaming_content) if answer.streaming else answer.content
                yield address, body.decode(errors="replace")


def reached(name: str, pattern: URLPattern, ids: set[int], words: dict[str, set[str]]) -> Iterator[str]:
    """The address with everything that could stand in it; listings with the day and the session asked for."""
    keys = list(pattern.pattern.converters)
    if not keys:
        yield reverse(name)
        if name.startswith("api:"):
            yield reverse(name) + f"?day={DAY}&page_size=200"
        return
    if len(keys) > 1:
        return
    offered: set[Any] = words.get(keys[0], ids)  # type: ignore[assignment]
    yield from (reverse(name, kwargs={keys[0]: one}) for one in offered)


def told_in_reports(casino: Casino) -> Iterator[tuple[str, str]]:
    """Every report on a day, a span, a session or nothing, as its rows say it."""
    session = TableSession.objects.filter(casino=casino).first()
    for name, report in reports.registered().items():
        known: dict[str, Any] = {"session": session}
        for key, field in report.form(casino=casino).fields.items():
            known |= {key: DAY} if isinstance(field, DayField) else {key: known.get(key)}
            if field.required and known[key] is None:
                known.clear()
                break
        if not known or not name.startswith("tables."):
            continue  # what is drawn up for something else than a day; the cards hold no money
        for section in report.sections(casino, known):
            yield f"{name} {section.key}", " ".join(str(list(row.values())) for row in section.rows())


def looked_over(
    house: House, box: DropBox, figures: list[str], user: User, only: str = "", least: int = 60
) -> list[str]:
    """Where a login finds one of the figures; `only` these addresses, of which there are so many."""
    stream = Event.objects.filter(casino=house.casino, stream__name=box.session.stream)
    told = set(stream.values_list("pk", flat=True))
    ids = {box.pk, box.session_id, *box.session.rounds.values_list("pk", flat=True)}
    found, read = [], 0
    for address, text in seen_by(user, ids, told, {box.session.table.name}, only):
        read += 1
        found += [f"{address}: {figure}" for figure in holds(text, figures)]
    assert read > least
    for place, text in told_in_reports(house.casino):
        found += [f"{place}: {figure}" for figure in holds(text, figures)]
    for event in Event.objects.filter(casino=house.casino):
        found += [f"{event.action}: {figure}" for figure in holds(bytes(event.body).decode(), figures)]
    return found


@pytest.mark.rule("FLOOR-11")
def test_nothing_the_second_team_can_read_tells_what_the_first_found(house: House) -> None:
    box = waiting_box(house)
    # One login with every role that counts is shown all that any of them is.
    user = create_user(
        username="quien-ve-todo",
        name="Quien lo ve todo",
        password=PASSWORD,
        roles=box_policies.COUNTERS,
        by=by_system(house.casino, "pruebas"),
    )
    assert looked_over(house, box, [*WRITTEN, *EXPECTED], user) == []
    # With the second count both are told: the same look finds them.
    built.count(box, 2, FIRST, at=CLOSING_TIME)
    found = " ".join(looked_over(house, box, WRITTEN, user, "box", 5))
    assert f"/cajas/{box.pk}/" in found
    assert f"/api/v1/boxes/{box.pk}" in found
    assert "tables.box.counted" in found
    assert "tables.box_counts rows" in found


@pytest.mark.rule("FLOOR-11", "FLOOR-14")
def test_what_rounds_recorded_is_kept_back_while_its_box_is_counted(house: House) -> None:
    session = a_poker_room(house)  # 28 of deduction were recorded
    for role in box_policies.COUNTERS:
        client, api = Client(), APIClient()
        client.force_login(house.users[role])
        api.force_authenticate(house.users[role])
        page = client.get(f"/sesiones/{session.pk}/").content.decode()
        aside = page[page.index("<aside") :]
        assert not holds(aside, ["28,00"]), role
        shown = api.get(f"/api/v1/sessions/{session.pk}").json()
        assert (shown["commission"], shown["staked"], shown["returned"]) == (None, None, None)
        told = api.get(f"/api/v1/sessions/{session.pk}/statement").json()
        assert (told["recorded"], told["boxed"], told["income"]) == (None, None, None)
    closed = Event.objects.get(action="tables.session.closed", subject_id=session.pk)
    assert not holds(bytes(closed.body).decode(), ["2800", "70000", "67200"])
    for place, text in told_in_reports(house.casino):
        if not place.startswith(("tables.rounds", "tables.day outcomes")):
            assert not holds(text, ["2800"]), place


def test_a_teams_form_is_empty_and_says_which_count_it_is(house: House) -> None:
    box = waiting_box(house)
    client = Client()
    client.force_login(built.of_the_cage(house.casino, "Dora"))
    said = client.get(f"/cajas/{box.pk}/contar/").content.decode()
    assert "recuento 2" in said
    # Nor is anybody of the first team offered again.
    offered = {name for team in built.TEAMS for name in team if f"<span>{name}</span>" in said}
    assert not offered & set(built.TEAMS[0])
    assert not re.findall(r'name="n_BOB_\d+" value="[^"]', said)
