"""Every game over the API: what is offered may be sent as it stands, money is text however deep it lies."""

from __future__ import annotations

import datetime as dt
import random
import uuid
from typing import Any

import pytest
from knox.models import AuthToken
from rest_framework.test import APIClient

from casino.kernel import clock
from casino.kernel.permissions import Role
from shoes.cards import COVERED
from tables.games import registry
from tables.games.base import Game
from tables.models import TableSession
from tests import builders
from tests.bank.builders import some_bank
from tests.tables import every_game

FAMILIES = {(game.family, game.bank): game for game in registry.GAMES.values()}
"""One game of each family: a request a step takes its time, and the engines' own tests walk them all."""
STEPS = 200


class Screen:
    """A table of a game at detail `full`, and a tablet that knows only what the API says."""

    def __init__(self, game: Game, seed: int) -> None:
        self.house, self.chance = builders.a_house(), random.Random(seed)
        pack = every_game.shuffled(game, self.chance)
        self.session = every_game.open_session(self.house, every_game.a_table(self.house, game), game, pack)
        self.pack = pack[every_game.burned(game.code, pack) :] if pack else []
        self.client = APIClient(HTTP_ACCEPT_LANGUAGE="en")
        _kept, token = AuthToken.objects.create(self.house.users[Role.PIT_BOSS])
        self.client.credentials(HTTP_AUTHORIZATION=f"Token {token}")
        self.path = f"/api/v1/sessions/{self.session.pk}/rounds/current"

    def send(self, where: str, body: dict[str, Any]) -> Any:
        headers = {"HTTP_IDEMPOTENCY_KEY": str(uuid.uuid4())}
        answer = self.client.post(f"{self.path}/{where}", {"number": 1, **body}, format="json", **headers)
        assert answer.status_code == 200, answer.content
        return answer.json()

    def filled(self, event: dict[str, Any]) -> dict[str, Any]:
        if event["e"] == "card" and "card" not in event:
            return {**event, "card": self.pack.pop(0)}
        cards = event.get("cards", ())
        return (
            {**event, "cards": [self.pack.pop(0) if c == COVERED else c for c in cards]} if cards else event
        )

    def first(self) -> dict[str, Any]:
        """The first thing a game is told: the engine's own, as the API would write it."""
        game = registry.game(self.session.game)
        current, _ = _in_force(self.session)
        by = self.house.by(Role.PIT_BOSS, builders.NIGHT + dt.timedelta(seconds=30))
        opened = game.play_all(game.open(current.rules, current.terms), some_bank(self.session, by))
        event = dict(game.prompts(opened)[0].events[0])
        return {**event, "amount": f"{event['amount'] / 100:.2f}"} if "amount" in event else event


def _in_force(session: TableSession) -> Any:
    from tables import inforce

    return inforce.for_new_round(session, builders.NIGHT, session.detail)


@pytest.mark.parametrize("game", FAMILIES.values(), ids=lambda game: game.code)
def test_a_round_is_played_by_what_the_prompts_offer(db: None, game: Game) -> None:
    with clock.standing_at(builders.NIGHT + dt.timedelta(minutes=1)):
        screen = Screen(game, seed=4)
        now = screen.send("events", {"step": 0, "events": [screen.first()]})
        for _ in range(STEPS):
            prompts = now["prompts"]
            assert all({"seat", "hand", "events", "why", "rule"} <= set(prompt) for prompt in prompts)
            if prompts[0]["kind"] == "settle":
                break
            weights = [0.2 if prompt["kind"] in ("bet", "chips") else 2 for prompt in prompts]
            event = screen.chance.choice(screen.chance.choices(prompts, weights)[0]["events"])
            assert isinstance(event.get("amount", ""), str)
            now = screen.send("events", {"step": now["step"], "events": [screen.filled(event)]})
        settled = screen.send("settle", {"step": now["step"]})
    assert settled["state"] == "settled"
    assert all(isinstance(bet[name], str) for bet in settled["bets"] for name in ("stake", "won", "breakage"))
    assert settled["settlement"]["outcome"]["winner"] == settled["winner"]


@pytest.mark.rule("PR-08")
def test_amounts_deep_in_an_outcome_are_text() -> None:
    from tables.api.log import shown_outcome

    stored = {
        "winner": "3",
        "hands": [{"seat": 3, "cards": ["As", "Kd"]}],
        "facts": {
            "pot": 6_500,
            "rake": 250,
            "button": 1,
            "pots": [{"amount": 6_500, "rake": 250, "winners": [{"seat": 3, "amount": 6_250}]}],
            "uncovered": [[2, 1_000]],
        },
    }
    assert shown_outcome(stored, 2) == {
        "winner": "3",
        "hands": [{"seat": 3, "cards": ["As", "Kd"]}],
        "facts": {
            "pot": "65.00",
            "rake": "2.50",
            "button": 1,
            "pots": [{"amount": "65.00", "rake": "2.50", "winners": [{"seat": 3, "amount": "62.50"}]}],
            "uncovered": [[2, "10.00"]],
        },
    }


def test_the_games_tell_what_they_know(db: None) -> None:
    house = builders.a_house()
    client = APIClient()
    _kept, token = AuthToken.objects.create(house.users[Role.PIT_BOSS])
    client.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    told = {game["code"]: game for game in client.get("/api/v1/games?page_size=100").json()["results"]}
    assert told.keys() == registry.GAMES.keys()
    assert told["roulette.single_zero"]["deck_type"] == ""
    assert told["poker.texas"]["bank"] == "ring"
    assert "double" in told["blackjack.classic"]["choices"]
    for code, game in told.items():
        assert set(game["events"]) == set(registry.game(code).events)
        assert game["winners"]
