"""The round log at the edge: which events there are, and amounts read whole or refused."""

from __future__ import annotations

from typing import Any

import pytest

from casino.kernel.errors import SabotError
from casino.kernel.permissions import Role
from tables.api.log import EVENT_SCHEMA
from tables.games.base import Detail
from tables.games.registry import GAMES
from tables.models import Round
from tests.api.building import House
from tests.api.floor import EVENTS, Floor, key
from tests.games.walking import started


def test_the_schema_offers_the_events_the_engines_know_and_no_other() -> None:
    offered = EVENT_SCHEMA["properties"]["e"]["enum"]  # type: ignore[index]
    assert offered == sorted({kind for game in GAMES.values() for kind in game.events})
    assert {"bet", "card", "close", "note", "result", "undo"} <= set(offered)
    for game in GAMES.values():
        state = started(game, Detail.CARDS)
        for kind in [*offered, "choice"]:
            with pytest.raises(SabotError) as refusal:
                game.play(state, {"e": kind, "nothing": "such"})
            known = refusal.value.code != "unknown_event"
            assert known == (kind in game.events), (game.code, kind)


@pytest.mark.parametrize(
    ("amount", "code"),
    [
        ("25.00" + " " * 35 + "99999", "bad_amount"),
        ("25.00" + " " * 36, "bad_amount"),
        ("90071992547409.91", "bad_amount"),
        ("100000000000.01", "bad_amount"),
        ("100000000000.00", "above_maximum"),
        ("\u0662\u0665", "bad_amount"),
    ],
)
def test_an_amount_is_read_whole_or_refused(house: House, amount: str, code: str) -> None:
    floor = Floor(house)
    session = floor.open()
    body = {"number": 1, "events": [{**EVENTS[0], "amount": amount}, *EVENTS[1:]]}
    path = f"/api/v1/sessions/{session['id']}/rounds"
    response = floor.clients[Role.DEVICE].post(path, body, **key())
    assert response.status_code in {400, 422}
    assert code in response.content.decode()
    assert not Round.objects.exists()


@pytest.mark.rule("BAC-20")
def test_a_lost_bet_cannot_be_undone_whole_or_step_by_step(house: House) -> None:
    floor = Floor(house)
    session = floor.open()
    undo: dict[str, Any] = {"e": "undo", "of": 2, "why": "se arrepintió"}
    boss, path = floor.clients[Role.PIT_BOSS], f"/api/v1/sessions/{session['id']}/rounds"
    whole = boss.post(path, {"number": 1, "events": [*EVENTS, undo]}, **key())
    assert (whole.status_code, whole.json()["code"], whole.json()["rule"]) == (422, "undo_too_late", "BAC-20")
    floor.made(
        boss,
        f"sessions/{session['id']}/rounds/current/events",
        {"number": 1, "step": 0, "events": EVENTS},
        **key(),
    )
    step = boss.post(f"{path}/current/events", {"number": 1, "step": 7, "events": [undo]}, **key())
    assert (step.status_code, step.json()["code"]) == (422, "undo_too_late")


def test_a_count_no_reader_could_hold_is_refused(house: House) -> None:
    floor = Floor(house)
    body = {
        "contents": [{"currency": "BOB", "denomination": "90071992547409.91", "count": 1}],
        "team": [1, 2],
    }
    response = floor.clients[Role.CAGE].post("/api/v1/boxes/1/counts", body, **key())
    assert response.status_code == 400
    assert "bad_amount" in response.content.decode()
