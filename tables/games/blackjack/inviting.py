"""What the table is asked before the first card: bets and their close, or the seats that play."""

from __future__ import annotations

from typing import Any

from casino.kernel.money import words as money_words
from casino.kernel.words import Text
from tables.games.base import Prompt
from tables.games.blackjack import betting
from tables.games.blackjack.state import Draft
from tables.games.blackjack.variants import SPOTS

Found = tuple[Prompt, ...]


def bets(draft: Draft) -> Found:
    spots = [spot for spot in ("main", "perfect_pairs") if spot in draft.boxes]
    events = {spot: _least_bets(draft, spot) for spot in spots}
    open_spots = tuple(spot for spot in spots if events[spot])
    if not open_spots:
        return ()
    say = [
        Text("{spot} de {low} a {high}", "{spot} from {low} to {high}").fill(
            spot=SPOTS[spot],
            low=money_words(draft.boxes[spot][0], draft.terms.exponent),
            high=money_words(draft.boxes[spot][1], draft.terms.exponent),
        )
        for spot in open_spots
    ]
    return (
        Prompt(
            "bet",
            options=open_spots,
            events=tuple(event for spot in open_spots for event in events[spot]),
            text=Text("Invite a apostar y anote las apuestas", "Invite bets and log them"),
            why=Text("; ".join(one.es for one in say), "; ".join(one.en for one in say)),
            rule="BJ-07",
        ),
    )


def _least_bets(draft: Draft, spot: str) -> list[dict[str, Any]]:
    """The least that each hand of each seat can still take on the spot."""
    low, high = draft.boxes[spot]
    found: list[dict[str, Any]] = []
    for seat in range(1, draft.terms.seats + 1):
        for hand in range(draft.rules.hands_per_player):
            # A hand is offered once the one before it has its main bet.
            if hand and (seat, "main", hand - 1) not in draft.stakes:
                break
            total = draft.stakes.get((seat, spot, hand), 0)
            least = draft.terms.chip if total else low
            if total + least <= high:
                found.append({"e": "bet", "seat": seat, "spot": spot, "amount": least, "hand": hand})
    return found


def closing(draft: Draft) -> Found:
    if betting.cannot_close(draft.stakes) is not None:
        return ()
    hands, least = sum(1 for _, spot, _ in draft.stakes if spot == "main"), draft.rules.hands_to_start_min
    why = Text(
        "después de la primera carta no se acepta apuesta inicial",
        "after the first card no initial bet is accepted",
    )
    few = Text(
        f"para empezar se requieren {least} manos y hay {hands}; cerrar así queda señalado",
        f"{least} hands are needed to start and there are {hands}; closing now is flagged",
    )
    return (
        Prompt(
            "close",
            events=({"e": "close"},),
            text=Text("Cierre las apuestas: «no va más»", "Close betting: “no more bets”"),
            why=few if hands < least else why,
            rule="BJ-05" if hands < least else "BJ-07",
        ),
    )


def seats(draft: Draft) -> Found:
    free = [seat for seat in range(1, draft.terms.seats + 1) if seat not in draft.seated]
    found = []
    if free:
        events = tuple(
            {"e": "in", "seat": seat, "hands": hands}
            for seat in free
            for hands in range(1, draft.rules.hands_per_player + 1)
        )
        most = draft.rules.hands_per_player
        found.append(
            Prompt(
                "in",
                options=tuple(map(str, free)),
                events=events,
                text=Text("Anote los asientos que juegan", "Note the seats that play"),
                why=Text(f"hasta {most} manos por jugador", f"up to {most} hands a player"),
                rule=draft.rules.variant.hands_rule,
            )
        )
    if draft.seated:
        seat = min(draft.seated)
        found.append(
            Prompt(
                "card",
                "seat",
                seat=seat,
                events=({"e": "card", "to": "seat", "seat": seat, "hand": 0},),
                text=Text(
                    f"Reparta la primera carta al asiento {seat}", f"Deal the first card to seat {seat}"
                ),
                why=DEAL_ORDER,
                rule="BJ-10",
            )
        )
    return tuple(found)


DEAL_ORDER = Text(
    "una carta a cada mano y la primera del croupier; luego la segunda a cada mano en igual orden",
    "one card to each hand and the dealer's first; then the second to each hand in the same order",
)
