"""Versions of rules over the API: confirmed, forced, and read again with both."""

from __future__ import annotations

import pytest

from casino.kernel.permissions import Role
from tests.api.building import House
from tests.api.floor import Floor

RULES = {"game": "baccarat.mini", "params": {}, "betting_plan": "PA-2", "reason": "prueba"}
CONFIRMED = {"confirmed_by": "Ana Rojas", "confirmation": "acta 12"}


@pytest.fixture
def floor(house: House) -> Floor:
    return Floor(house)


@pytest.mark.rule("GEN-05")
def test_unconfirmed_figures_come_with_their_values(floor: Floor) -> None:
    client = floor.clients[Role.ADMINISTRATOR]
    for given in (RULES, {**RULES, "confirmed_by": "", "confirmation": ""}):
        response = client.post("/api/v1/rules", given)
        problem = response.json()
        assert (response.status_code, problem["code"], problem["rule"], problem["field"]) == (
            422,
            "unconfirmed_figures",
            "GEN-05",
            "confirmed_by",
        )
        figures = {figure["id"]: figure for figure in problem["figures"]}
        assert figures["baccarat.tie"]["values"] == {"tie": "8:1"}
        assert figures["BAC-22"]["words"]["en"]
    half = client.post("/api/v1/rules", {**RULES, "confirmed_by": "Ana Rojas"}).json()
    assert (half["code"], half["field"]) == ("half_confirmed", "confirmation")


@pytest.mark.rule("GEN-05")
@pytest.mark.rule("GEN-06")
def test_a_version_tells_who_confirmed_it_and_why_it_was_forced(floor: Floor) -> None:
    client = floor.clients[Role.ADMINISTRATOR]
    sound = client.post("/api/v1/rules", {**RULES, **CONFIRMED})
    assert sound.status_code == 201
    assert {name: sound.json()[name] for name in (*CONFIRMED, "forced")} == {**CONFIRMED, "forced": ""}
    # Tie at 10 to 1 with 8 decks: 0.904844 - 10 x 0.095156 = -4.67 %.
    against = {**RULES, **CONFIRMED, "params": {"tie_pays": "10:1"}}
    refused = client.post("/api/v1/rules", against)
    assert (refused.status_code, refused.json()["rule"]) == (422, "GEN-06")
    assert {edge["bet"]: edge["percent"][:5] for edge in refused.json()["edges"] if edge["decks"] == 8} == {
        "tie": "-4.67"
    }
    forced = client.post("/api/v1/rules", {**against, "forced": "aniversario, acta 3"})
    assert (forced.status_code, forced.json()["forced"]) == (201, "aniversario, acta 3")
    read = floor.clients[Role.INSPECTOR].get("/api/v1/rules").json()["results"]
    assert [(row["version"], row["forced"]) for row in read] == [(3, "aniversario, acta 3"), (2, ""), (1, "")]
