"""Prompts: what comes next, why, by which rule, and never something `play` refuses."""

from __future__ import annotations

from typing import Any

import pytest

from tables.games.base import Detail
from tests.games.building import CLOSE, LIMITS, MINI, PUNTO_BANCA, after, bet, card, dealt, start


def first(state: Any) -> Any:
    return MINI.prompts(state)[0]


def kinds(state: Any) -> list[str]:
    return [prompt.kind for prompt in MINI.prompts(state)]


def test_a_full_round_from_bets_to_settlement() -> None:
    state = start()
    assert kinds(state) == ["bet", "close"]
    assert first(state).options == ("punto", "banca", "tie")
    state = after(state, bet(1, "tie", 500))
    assert kinds(state) == ["bet"]  # BAC-07: betting cannot close on a lone tie
    state = after(state, bet(1, "punto", 1000), CLOSE)
    for event in dealt("2d 3h 6c", "2c 4c 9s"):
        assert (first(state).kind, first(state).to) == ("card", event["to"])
        state = MINI.play(state, event)
    assert kinds(state) == ["settle"]
    assert "gana banca 5 a 1" in first(state).text.es


@pytest.mark.rule("BAC-11")
@pytest.mark.rule("BAC-13")
@pytest.mark.rule("BAC-14")
@pytest.mark.rule("BAC-15")
@pytest.mark.rule("BAC-18")
@pytest.mark.parametrize(
    ("punto", "banca", "rule_id", "text", "why"),
    [
        ("2d 3h", "2c As", "BAC-13", "Punto pide carta", "el punto tiene 5 con dos cartas: debe pedir"),
        (
            "2d 4h",
            "2c As",
            "BAC-14",
            "Banca pide carta",
            "el punto se plantó con 6 y la banca tiene 3: debe pedir",
        ),
        (
            "2d 3h 9c",
            "2c As",
            "BAC-15",
            "Banca pide carta",
            "la tercera del punto vale 9 y la banca tiene 3: debe pedir",
        ),
        (
            "2d 6h",
            "2c As",
            "BAC-12",
            "Anuncie «gana punto 8 a 3»",
            "hay natural (punto 8, banca 3 con dos cartas)",
        ),
        ("2d 4h", "2c 4s", "BAC-14", "Anuncie «empate a 6»", "la banca tiene 6: se planta"),
        ("2d 3h 8c", "2c As", "BAC-15", "Anuncie «empate a 3»", "la banca tiene 3: se planta"),
        (
            "2d 3h 8c",
            "3c 4s",
            "BAC-15",
            "Anuncie «gana banca 7 a 3»",
            "se planta contra cualquier tercera carta",
        ),
        ("2d 4h", "2c As 4d", "BAC-14", "Anuncie «gana banca 7 a 6»", "ya tiene su tercera carta"),
    ],
)
def test_third_cards_are_prompted_with_the_figures(
    punto: str, banca: str, rule_id: str, text: str, why: str
) -> None:
    prompt = first(after(start(Detail.CARDS), *dealt(punto, banca)))
    assert prompt.rule == rule_id
    assert prompt.text.es.startswith(text) and why in prompt.why.es
    assert prompt.text.en != prompt.text.es and prompt.why.en != prompt.why.es


def test_detail_result_asks_for_the_result() -> None:
    assert (first(start(Detail.RESULT)).kind, first(start(Detail.RESULT)).options) == (
        "result",
        ("punto", "banca", "tie"),
    )
    assert kinds(after(start(Detail.RESULT), {"e": "result", "winner": "tie"})) == ["settle"]


@pytest.mark.rule("BAC-09")
def test_the_dealing_player_is_asked_for_until_the_deal_begins() -> None:
    state = start(of=PUNTO_BANCA)
    assert kinds(state) == ["bet", "close", "deal"]
    named = after(state, {"e": "deal", "seat": 2})
    assert kinds(named) == ["bet"]
    assert kinds(after(named, bet(2, "banca", 1000))) == ["bet", "close"]
    assert kinds(start(Detail.CARDS, of=PUNTO_BANCA)) == ["card", "deal"]
    assert kinds(after(start(Detail.CARDS, of=PUNTO_BANCA), card("punto", "2h"))) == ["card"]
    assert kinds(start(Detail.RESULT, of=PUNTO_BANCA)) == ["result", "deal"]


@pytest.mark.rule("GEN-04")
def test_a_full_layout_offers_no_more_bets() -> None:
    limits = {"punto": (1000, 1000), "banca": (1000, 1000)}
    state = after(start(seats=1, limits=limits), bet(1, "punto", 1000))
    assert first(state).options == ("banca",)
    assert kinds(after(state, bet(1, "banca", 1000))) == ["close"]


@pytest.mark.rule("GEN-04")
def test_the_differential_closes_a_side() -> None:
    state = after(start(differential=1000, limits=LIMITS), bet(1, "punto", 1000))
    assert first(state).options == ("banca", "tie")


def test_prompts_are_json() -> None:
    assert first(start(Detail.RESULT)).to_json() == {
        "kind": "result",
        "to": "",
        "options": ["punto", "banca", "tie"],
        "seat": 0,
        "hand": 0,
        "events": [
            {"e": "result", "winner": "punto"},
            {"e": "result", "winner": "banca"},
            {"e": "result", "winner": "tie"},
        ],
        "rule": "BAC-19",
        "text": {"es": "Anote el resultado anunciado", "en": "Write down the announced result"},
        "why": {
            "es": "esta mesa registra sólo el resultado: ganador y, si se anunciaron, ambos puntajes",
            "en": "this table logs the result only: the winner and, if announced, both totals",
        },
    }
