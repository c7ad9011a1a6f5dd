"""What Enter on an empty line does at a table: the one thing that can come next, or what is lacking. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from casino.kernel.errors import Refused
from casino.kernel.words import Text
from shoes.cards import COVERED
from tables import offers
from tables.games.base import Game, Prompt

SETTLE = "settle"
_BETTING = ("bet", "in", "close")
_BEGINS = ("in", "chips")
"""A seat that plays before any bet is on the table: poker between players closes its seats, not bets."""


def on_enter(game: Game, state: Any) -> str | list[dict[str, Any]]:
    """What Enter on an empty line does now: `SETTLE`, or the events of the one thing that can come.

    Refuses while there is a choice or a card is due, and to close what nobody bet on: a second Enter at
    a settlement would open the next round with betting closed.
    """
    if state.complete:
        return SETTLE
    prompts = game.prompts(state)
    offered = [dict(event) for prompt in prompts for event in prompt.events]
    begun = bool(state.bets) or any(entry["e"] in _BEGINS for entry in state.log)
    if begun and any(event["e"] == "close" for event in offered):
        return [{"e": "close"}]
    if prompts[0].kind in _BETTING:
        if state.bets:
            return [{"e": "close"}]  # the rules say what keeps it from being closed
        if not begun:
            raise _nothing_to_close(prompts[0])
        prompts = tuple(prompt for prompt in prompts if prompt.kind not in _BETTING) or prompts
        offered = [dict(event) for prompt in prompts for event in prompt.events]
    whole = [event for event in offered if offers.is_whole(event)]
    if len(offered) == 1 and whole:
        return whole
    covered = [event for event in offered if event.get("card") == COVERED]
    if covered and prompts[0].kind == "card":
        return covered[:1]
    raise Refused(
        Text("al pase le falta: {what}", "the round still needs: {what}").fill(
            what=_within(_lacking(prompts, state).text)
        ),
        code="round_incomplete",
        field="typed",
    )


def _lacking(prompts: Sequence[Prompt], state: Any) -> Prompt:
    """The prompt for what is still missing: of seats that have chips, what else they wait for (a button)."""
    if prompts[0].kind == "chips" and any(entry["e"] == "chips" for entry in state.log):
        return next((prompt for prompt in prompts if prompt.kind != "chips"), prompts[0])
    return prompts[0]


def _within(text: Text) -> Text:
    """A prompt's sentence after a colon."""
    return Text(text.es[:1].lower() + text.es[1:], text.en[:1].lower() + text.en[1:])


def _nothing_to_close(prompt: Prompt) -> Refused:
    if prompt.kind == "in":
        words = Text(
            "no juega nadie todavía: anote los asientos que juegan",
            "nobody plays yet: log the seats that play",
        )
    else:
        words = Text(
            "no hay apuestas que cerrar: anote apuestas o escriba la primera carta",
            "there are no bets to close: log bets or type the first card",
        )
    return Refused(words, code="nothing_to_close", field="typed")
