"""The plan of posts as people and programs meet it: by API, on pages, in the report, without OR-Tools."""

from __future__ import annotations

import datetime as dt
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from knox.models import AuthToken
from rest_framework.test import APIClient

from casino.kernel import clock
from casino.kernel.errors import Refused
from casino.kernel.permissions import Role
from tables.models import RotationPlan
from tables.roster.post import own_post
from tables.roster.rota.proofs import rotation_faults
from tables.roster.rota.report import RotationReport
from tables.roster.rota.stored import draft_of, problem_of
from tables.roster.rotation import check, solve
from tests.builders import NIGHT, House, a_house
from tests.pages.building import as_login
from tests.roster.evenings import MINUTE, SLOT, Evening, an_evening
from tests.roster.floors import night

API = "/api/v1/"


@pytest.fixture
def evening(house: House) -> Iterator[Evening]:
    with clock.standing_at(NIGHT + MINUTE):
        yield an_evening(house)


def api(house: House, role: Role) -> APIClient:
    made = APIClient(HTTP_ACCEPT_LANGUAGE="en")
    _kept, token = AuthToken.objects.create(house.users[role])
    made.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    return made


def page(house: House, role: Role) -> Client:
    made = Client()
    made.force_login(house.users[role])
    return made


def asked(**more: Any) -> dict[str, Any]:
    return {
        "starts": "2026-11-20T18:00:00-04:00",
        "ends": "2026-11-20T22:00:00-04:00",
        "slot_minutes": 20,
        "solver": "greedy",
        **more,
    }


def test_a_night_over_the_api(evening: Evening) -> None:
    """Drafted once per key, looked at, applied, its reliefs made, a no-show mended, the ledger refused."""
    house = evening.house
    boss, chief = api(house, Role.PIT_BOSS), api(house, Role.SUPERVISOR)
    key: dict[str, Any] = {"HTTP_IDEMPOTENCY_KEY": "8b0f9a70-1111-4222-8333-444455556670"}
    made = boss.post(f"{API}rotation-plans", asked(), format="json", **key)
    assert made.status_code == 201, made.content
    assert boss.post(f"{API}rotation-plans", asked(), format="json", **key).json() == made.json()
    told = made.json()
    assert (told["label"], told["state"], told["slots"]) == ("R-2026-11-20-1", "draft", 12)
    assert sum(one["last"] - one["first"] for one in told["turns"]) == 24
    place = f"{API}rotation-plans/{told['id']}"
    reasons = chief.get(f"{place}/reasons").json()
    assert len(reasons["reliefs"]) == told["measures"]["reliefs"]
    assert reasons["bare"] == []
    refused = boss.post(
        f"{place}/edit", {"staff": told["people"][0], "from_slot": 0, "to_slot": 12, "post": "x"}
    )
    assert (refused.status_code, refused.json()["code"]) == (422, "rotation_post_unknown")
    assert chief.post(f"{place}/apply", {}, format="json").status_code == 403
    applied = boss.post(f"{place}/apply", {}, format="json").json()
    assert (applied["state"], applied["applied_at"]) == ("applied", "2026-11-20T22:01:00Z")
    assert chief.get(f"{API}reliefs").json()["results"] == []
    with clock.standing_at(NIGHT + 3 * SLOT):
        due = chief.get(f"{API}reliefs").json()["results"]
        confirmed = {"turns": [one["turn"] for one in due]}
        done = chief.post(f"{API}reliefs/carry-out", confirmed, format="json", **key)
        assert done.status_code == 200, done.content
        assert len(done.json()["done"]) == len(due) > 0
        assert done.json()["failed"] == []
        again = chief.post(f"{API}reliefs/carry-out", confirmed, format="json")
        assert (again.status_code, again.json()["code"]) == (409, "rotation_nothing_due")
        absent = {"absent": [evening.dealers[4].pk], "apply": True}
        mended = boss.post(f"{place}/absent", absent, format="json")
        assert mended.status_code == 201, mended.content
        assert (mended.json()["base_id"], mended.json()["state"]) == (told["id"], "applied")
        assert boss.post(f"{place}/absent", absent, format="json").json()["code"] == "rotation_overtaken"
    noted = boss.post(f"{API}fairness", {"day": "2026-11-20"}, format="json")
    assert (noted.status_code, noted.json()["code"]) == (409, "rotation_day_running")
    listed = boss.get(f"{API}rotation-plans?state=replaced").json()["results"]
    assert [one["id"] for one in listed] == [told["id"]]
    assert list(rotation_faults(house.casino)) == []


def test_another_house_has_no_such_plan(evening: Evening) -> None:
    made = evening.drafted()
    other = api(a_house(), Role.PIT_BOSS)
    assert other.get(f"{API}rotation-plans/{made.pk}").status_code == 404
    assert other.post(f"{API}rotation-plans/{made.pk}/apply", {}, format="json").status_code == 404
    assert other.post(f"{API}reliefs/carry-out", {"turns": [1]}, format="json").status_code == 400


def test_a_night_on_the_pages(evening: Evening) -> None:
    house = evening.house
    boss = page(house, Role.PIT_BOSS)
    assert "Ningún plan vigente" in boss.get(reverse("rotation")).content.decode()
    form = {"starts": "2026-11-20T18:00", "ends": "2026-11-20T22:00", "slot_minutes": "20"}
    bad = boss.post(reverse("rotation"), form | {"ends": "2026-11-20T18:30"})
    assert bad.status_code == 422
    assert "intervalos enteros" in bad.content.decode()
    answer = boss.post(reverse("rotation"), form)
    made = RotationPlan.objects.get()
    assert answer["Location"] == reverse("rotation-plan", args=[made.pk])
    who = made.turns[0][0]
    draft = boss.get(f"{answer['Location']}?persona={who}&desde={made.turns[0][2]}").content.decode()
    assert "Cambiar el borrador" in draft
    assert "frente a lo vigente" in draft
    post = problem_of(made).posts[0].key
    edit = {"staff": str(evening.dealers[0].pk), "from_slot": "0", "to_slot": "12", "post": post}
    long = boss.post(reverse("rotation-edit", args=[made.pk]), edit)
    assert long.status_code == 422
    assert "min seguidos" in long.content.decode()
    assert boss.post(reverse("rotation-apply", args=[made.pk])).status_code == 302
    shown = boss.get(reverse("rotation-plan", args=[made.pk])).content.decode()
    assert "Alguien no llegó" in shown
    assert "Cambiar el borrador" not in shown
    again = boss.post(reverse("rotation-apply", args=[made.pk]))
    assert again.status_code == 409
    assert "ya no es un borrador" in again.content.decode()
    reader = page(house, Role.INSPECTOR).get(reverse("rotation-plan", args=[made.pk])).content.decode()
    assert "Permutar" not in reader


def test_the_list_of_reliefs_is_confirmed_in_one_tap(evening: Evening) -> None:
    evening.applied()
    chief = page(evening.house, Role.SUPERVISOR)
    before = evening.dealing()
    assert "Ningún relevo por hacer" in chief.get(reverse("rotation-now")).content.decode()
    with clock.standing_at(NIGHT + 3 * SLOT):
        shown = chief.get(reverse("rotation-now"))
        due = shown.context["due"]
        assert shown.content.decode().count('name="turn"') == len(due) > 0
        done = chief.post(reverse("rotation-now"), {"turn": [str(one.turn.pk) for one in due]})
        assert done.status_code == 302
        assert evening.dealing() == evening.planned(NIGHT + 3 * SLOT) != before
        twice = chief.post(reverse("rotation-now"), {"turn": [str(one.turn.pk) for one in due]})
        assert twice.status_code == 409


def test_a_no_show_and_a_swap_from_the_page(evening: Evening) -> None:
    applied = evening.applied()
    boss = page(evening.house, Role.PIT_BOSS)
    none = boss.post(reverse("rotation-absent", args=[applied.pk]), {"do": "draft"})
    assert none.status_code == 422
    missing = str(evening.dealers[3].pk)
    answer = boss.post(reverse("rotation-absent", args=[applied.pk]), {"do": "draft", "absent": [missing]})
    made = RotationPlan.objects.get(base=applied)
    assert (answer.status_code, made.state) == (302, "draft")
    assert "a partir de" in boss.get(answer["Location"]).content.decode()
    assert boss.post(reverse("rotation-drop", args=[made.pk])).status_code == 302
    swap = {"first": missing, "second": missing, "from_slot": "0", "to_slot": "1", "do": "propose"}
    page(evening.house, Role.SUPERVISOR).post(reverse("rotation-swap", args=[applied.pk]), swap)
    assert RotationPlan.objects.filter(base=applied, state="draft").count() == 1
    assert boss.post(reverse("rotation-swap", args=[applied.pk]), swap | {"to_slot": "x"}).status_code == 422


def test_a_croupier_sees_what_comes_next(evening: Evening) -> None:
    """On their own page, out of the plan in force: the first change of their row."""
    draft = draft_of(evening.applied())
    person = evening.dealers[0]
    as_login(person, evening.house.users[Role.CROUPIER])
    row = draft.rows[str(person.pk)]
    rests = row.index(None)
    found = own_post(evening.house.users[Role.CROUPIER], NIGHT + 2 * MINUTE)
    assert found is not None
    assert found.next is not None
    assert (found.next.at, found.next.table) == (NIGHT + rests * SLOT, "")


def test_the_report_sets_planned_against_worked(evening: Evening) -> None:
    """Until 19:00 no relief was made: croupiers 1 and 2 stood 60 minutes each, whatever the plan said. What
    both agree on is what the plan gave them there."""
    house = evening.house
    draft = draft_of(evening.applied())
    day = dt.date(2026, 11, 20)
    with clock.standing_at(NIGHT + 3 * SLOT):
        lines = {
            line["name"]: line for line in RotationReport().rows(house.casino, {"first": day, "last": day})
        }
        totals = RotationReport().totals(house.casino, {"first": day, "last": day})
    for person in evening.dealers:
        row = draft.rows[str(person.pk)][:3]
        # The plan is in force since 18:01: a turn from 18:00 has lost a minute.
        planned = 20 * sum(at is not None for at in row) - (row[0] is not None)
        stands = person in evening.dealers[:2]
        line = lines.get(person.name, {"planned": 0, "worked": 0, "as_planned": 0, "apart": 0})
        assert (line["planned"], line["worked"]) == (planned, 60 if stands else 0)
        own = evening.dealers.index(person)
        agreed = 20 * sum(at == own for at in row) - (row[0] == own) if stands else 0
        assert (line["as_planned"], line["apart"]) == (agreed, line["worked"] - planned)
    assert (totals["planned"], totals["worked"]) == (118, 120)


# ---- OR-Tools ----


def test_without_or_tools_the_plan_is_greedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ortools", None)
    problem = night("A B C D", 2, slots=6)
    draft = solve(problem, 0.2)
    assert draft.solver == "greedy"
    assert check(problem, draft) == ()
    with pytest.raises(Refused, match="OR-Tools no está instalado"):
        solve(problem, 0.2, "cpsat")


def test_or_tools_is_loaded_only_when_a_plan_is_solved() -> None:
    said = (
        "import sys, tables.roster.rotation as r; from tables.roster.rotation import replanning, reasons;"
        "print('ortools' in sys.modules, callable(r.solve))"
    )
    done = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]
