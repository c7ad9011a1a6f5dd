"""A table of every game in the register: opened, a round played step by step and logged whole, and proved.

Games appear here as they are registered.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from audits import ledger
from audits.models import Posting
from audits.verify import ledger_faults, trail_faults
from casino.kernel.permissions import Role
from shoes.models import Shoe
from tables import carrying, inforce, replay, rounds
from tables.games import registry
from tables.games.base import Detail, Game
from tables.models import Round, TableSession
from tests.bank.builders import some_bank
from tests.builders import House
from tests.tables import every_game

GAMES = pytest.mark.parametrize("game", registry.GAMES.values(), ids=lambda game: game.code)
LEVELS = pytest.mark.parametrize("detail", list(Detail))


def faults(session: TableSession) -> list[Any]:
    """What the proofs and a replay find."""
    casino = session.casino
    chosen = Round.objects.filter(session=session, settlement__isnull=False).select_related(
        "session__table", "session__day", "session__casino"
    )
    return [*trail_faults(casino), *ledger_faults(casino), *replay.differences(chosen)]


class Play:
    """One open table of a game with the cards that lie in its pack, in their order."""

    def __init__(self, house: House, game: Game, detail: Detail, seed: int) -> None:
        self.house, self.game, self.chance = house, game, random.Random(seed)
        pack = every_game.shuffled(game, self.chance)
        table = every_game.a_table(house, game, detail)
        self.session = every_game.open_session(house, table, game, pack)
        self.pack = pack[every_game.burned(game.code, pack) :] if pack else []
        self.by = house.by(Role.PIT_BOSS)

    def _walk(self) -> list[dict[str, Any]]:
        """A round's events, without what the round before hands on."""
        current, _ = inforce.for_new_round(self.session, self.by.occurred_at, self.session.detail)
        handed_on = [*carrying.carried(self.session), *some_bank(self.session, self.by)]
        opened = self.game.play_all(self.game.open(current.rules, current.terms), handed_on)
        if self.game.reshuffles:
            self.chance.shuffle(self.pack)
        log = every_game.walked(self.game, opened, self.pack, self.chance)
        while any(event["e"] == "bank" for event in log[len(handed_on) :]):
            log = every_game.walked(self.game, opened, self.pack, self.chance)  # a bank is raised elsewhere
        if not self.game.reshuffles:
            del self.pack[: len(every_game.named(log))]
        return log[len(handed_on) :]

    def whole(self) -> Round:
        return rounds.log(session=self.session, number=None, events=self._walk(), by=self.by)

    def by_steps(self) -> Round:
        number = self._fresh().last_round + 1
        step = 0
        for event in self._walk():
            opened = rounds.play(session=self.session, number=number, step=step, events=[event], by=self.by)
            step = len(opened.log)
        return rounds.settle(session=self.session, number=number, step=step, by=self.by)

    def _fresh(self) -> TableSession:
        self.session.refresh_from_db()
        return self.session


@GAMES
@LEVELS
@pytest.mark.rule("CARD-42", "REC-06")
def test_rounds_of_every_game_are_recorded_and_proved(house: House, game: Game, detail: Detail) -> None:
    play = Play(house, game, detail, seed=7)
    logged, stepped, third = play.whole(), play.by_steps(), play.whole()
    assert [one.state for one in (logged, stepped, third)] == [Round.State.SETTLED] * 3
    session = play._fresh()
    assert session.rounds_settled == 3
    assert session.staked == logged.staked + stepped.staked + third.staked
    assert faults(session) == []
    if detail is Detail.FULL:
        assert session.staked > 0
    if game.deck_type:
        shoe = Shoe.objects.get(pk=session.shoe_id)
        assert shoe.dealt == 0
        if game.reshuffles:
            assert (shoe.remaining, shoe.discarded, shoe.seen) == (shoe.total, 0, {})


@GAMES
def test_a_round_in_progress_is_counted_and_given_up(house: House, game: Game) -> None:
    play = Play(house, game, Detail.FULL, seed=11)
    log = play._walk()
    half = max(1, len(log) - 2)
    opened = rounds.play(session=play.session, number=1, step=0, events=log[:half], by=play.by)
    assert faults(play.session) == []
    by = house.by(Role.PIT_BOSS, reason="mal repartida")
    rounds.abandon(session=play.session, number=1, step=len(opened.log), by=by)
    assert faults(play.session) == []
    # The stakes stay with their owners: nothing but the opening was posted.
    assert not Posting.objects.filter(transfer__kind="round", casino=house.casino).exists()


@pytest.mark.rule("GEN-09")
@GAMES
def test_what_moves_is_what_the_round_says(house: House, game: Game) -> None:
    play = Play(house, game, Detail.FULL, seed=5)
    tray, kitty = (f"{name}:{play.session.pk}" for name in ("tray", "kitty"))
    for _ in range(3):
        play.whole()
    session = play._fresh()
    assert ledger.balance(house.casino, kitty) == session.commission
    won = ledger.balance(house.casino, tray) - session.opening
    assert won + session.commission == session.staked - session.returned
    if game.bank != "house":
        # Players pay one another: no chip of the house's float moves.
        assert won == 0
