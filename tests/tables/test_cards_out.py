"""Which cards a log brought out: covered ones, shown ones, given away ones, struck out ones."""

from __future__ import annotations

from typing import Any

import pytest

from tables.cards_out import cards_out


def card(to: str, face: str, seat: int = 0) -> dict[str, Any]:
    return {"e": "card", "to": to, "card": face, **({"seat": seat} if seat else {})}


def show(*faces: str, to: str = "", seat: int = 0) -> dict[str, Any]:
    return {"e": "show", "cards": list(faces), **({"to": to} if to else {"seat": seat})}


def undo(of: int) -> dict[str, Any]:
    return {"e": "undo", "of": of, "why": "mal leída"}


@pytest.mark.rule("CARD-42")
@pytest.mark.parametrize(
    ("log", "dealt", "faces"),
    [
        ([card("dealer", "Kd"), card("dealer", "??")], 2, ["Kd"]),
        # The same face twice at one dealer: the covered card is another Kd, of another deck.
        ([card("dealer", "Kd"), card("dealer", "??"), show("Kd", to="dealer")], 2, ["Kd", "Kd"]),
        # Known when it was dealt, and turned over all the same: one card.
        ([card("dealer", "5s"), card("dealer", "Kd"), show("Kd", to="dealer")], 2, ["5s", "Kd"]),
        # One of two closed cards was read already; both are named at the showdown.
        ([card("seat", "As", 3), card("seat", "??", 3), show("2c", "As", seat=3)], 2, ["As", "2c"]),
        # Another seat's covered card is nobody's that is shown.
        ([card("seat", "??", 1), card("seat", "??", 2), show("9h", seat=2)], 2, ["9h"]),
        ([card("dealer", "??"), show("9h", to="dealer"), undo(2)], 1, []),
        ([card("dealer", "??"), undo(1), card("dealer", "9h")], 1, ["9h"]),
        ([card("burn", "??"), card("board", "9h")], 2, ["9h"]),
        # Shown card by card.
        (
            [card("seat", "??", 1), card("seat", "??", 1), show("9h", seat=1), show("2c", seat=1)],
            2,
            ["9h", "2c"],
        ),
        # Left covered when the hand is turned over but for one.
        ([card("seat", "??", 1), card("seat", "??", 1), show("9h", "??", seat=1)], 2, ["9h"]),
    ],
)
def test_each_card_is_told_once(log: list[dict[str, Any]], dealt: int, faces: list[str]) -> None:
    gone = cards_out(log)
    assert (gone.dealt, sorted(gone.faces), gone.exposed) == (dealt, sorted(faces), ())


@pytest.mark.rule("CARD-42", "PH-06")
def test_cards_given_away_are_no_new_ones() -> None:
    """Draw Poker: known cards are given away by name, covered ones by number; new ones come as cards."""
    hand = [card("seat", face, 1) for face in ("As", "Kd", "??", "??", "5c")]
    change = {"e": "choice", "seat": 1, "do": "change", "cards": ["Kd"], "count": 1}
    log = [*hand, change, card("seat", "9h", 1), card("seat", "??", 1)]
    assert (cards_out(log).dealt, sorted(cards_out(log).faces)) == (7, ["5c", "9h", "As", "Kd"])
    # Two still lie covered: the one kept and the one that came.
    turned = cards_out([*log, show("2d", "3d", seat=1)])
    assert sorted(turned.faces) == sorted(["As", "Kd", "5c", "9h", "2d", "3d"])


@pytest.mark.rule("CARD-41")
def test_a_card_exposed_by_mistake_is_told_apart() -> None:
    note = {"e": "note", "code": "exposed_card", "card": "9h"}
    assert cards_out([card("dealer", "Kd"), note]).exposed == ("9h",)
    assert cards_out([card("dealer", "Kd"), note, undo(2)]).exposed == ()
