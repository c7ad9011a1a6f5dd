"""The events of a round as lines people read, on the round's own page and on the trail alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from casino.kernel import money
from casino.kernel.words import Text
from shoes import cards
from tables.games.base import Game


def words_of(game: Game, event: Mapping[str, Any], exponent: int) -> Text:
    """One event of a round's log. `exponent`: of the currency its amounts are in."""
    match event["e"]:
        case "card":
            return Text("{card} a {hand}", "{card} to {hand}").fill(
                card=cards.sign(event["card"]), hand=game.hands[event["to"]]
            )
        case "bet":
            return Text("asiento {seat}: {amount} a {spot}", "seat {seat}: {amount} on {spot}").fill(
                seat=event["seat"],
                amount=money.words(event["amount"], exponent),
                spot=game.spots[event["spot"]],
            )
        case "close":
            return Text("no va más", "no more bets")
        case "deal":
            return Text("reparte el asiento {seat}", "seat {seat} deals").fill(seat=event["seat"])
        case "undo":
            return Text("anulado el {of}: {why}", "entry {of} undone: {why}").fill(
                of=event["of"], why=event["why"]
            )
        case "result":
            return Text("resultado anunciado", "announced result")
    return Text("nota {code}", "note {code}").fill(code=event.get("code", ""))


def told(game: Game, log: Sequence[Mapping[str, Any]], exponent: int) -> Text:
    """Several events in one line, in their order."""
    lines = [words_of(game, event, exponent) for event in log]
    return Text("; ".join(line.es for line in lines), "; ".join(line.en for line in lines))
