"""Undoing and noting: what was logged stays in the log."""

from __future__ import annotations

from typing import Any

import pytest

from casino.kernel.errors import Refused
from tables.games.base import Bet, Detail
from tables.games.corrections import MOST_CORRECTIONS
from tests.games.building import CLOSE, MINI, after, bet, card, dealt, start


def undo(of: object, why: object = "carta mal leída") -> dict[str, Any]:
    return {"e": "undo", "of": of, "why": why}


def refused(state: Any, event: dict[str, Any]) -> Refused:
    before = repr(state)
    with pytest.raises(Refused) as refusal:
        MINI.play(state, event)
    assert repr(state) == before
    return refusal.value


def test_the_last_card_can_be_read_again() -> None:
    state = after(start(Detail.CARDS), card("punto", "9d"), card("banca", "2c"), undo(2), card("banca", "3c"))
    assert state.banca == ("3c",)
    assert [event["e"] for event in state.log] == ["card", "card", "undo", "card"]
    assert state.log[1] == card("banca", "2c") and state.undone == {2}


def test_a_bet_can_be_undone_among_others() -> None:
    state = after(
        start(),
        bet(1, "punto", 1000),
        bet(2, "banca", 2000),
        bet(3, "punto", 500 + 1000),
        undo(1, "ficha ajena"),
    )
    assert state.bets == (Bet(2, "banca", 2000), Bet(3, "punto", 1500))


def test_what_later_entries_rest_on_cannot_be_undone() -> None:
    # Without the first bet the later 500 alone is below the minimum of 1.000.
    state = after(start(), bet(1, "punto", 1000), bet(1, "punto", 500))
    assert refused(state, undo(1)).code == "undo_blocked"
    assert after(state, undo(2), undo(1)).bets == ()
    assert after(state, undo(2)).bets == (Bet(1, "punto", 1000),)
    dealt_already = after(start(), bet(1, "punto", 1000), CLOSE, *dealt("2d 4h", "2c 4c"))
    refusal = refused(dealt_already, undo(2))
    assert refusal.code == "undo_blocked" and "anule antes los posteriores" in refusal.message.es
    assert refused(dealt_already, undo(3)).code == "undo_blocked"
    assert not after(dealt_already, undo(6)).complete
    assert after(dealt_already, undo(6), undo(5), undo(4), undo(3), undo(2)).closed is False


def test_a_bet_beside_a_lone_tie_cannot_be_undone_after_closing() -> None:
    state = after(start(), bet(1, "tie", 500), bet(1, "punto", 1000), CLOSE)
    assert refused(state, undo(2)).code == "undo_blocked"
    assert after(state, undo(3), undo(2), undo(1), CLOSE).bets == ()


def test_undo_names_an_entry_and_says_why() -> None:
    state = after(start(), bet(1, "punto", 1000), bet(2, "punto", 1000), undo(2))
    for of, code in (
        (0, "out_of_range"),
        (4, "out_of_range"),
        (True, "bad_value"),
        ("1", "bad_value"),
        (None, "bad_value"),
        (3, "undo_of_undo"),
        (2, "already_undone"),
        (10**6000, "out_of_range"),
    ):
        refusal = refused(state, undo(of))
        assert (refusal.code, refusal.field) == (code, "of")
    for why in ("", "   ", None, 5, "x" * 501, "dos\nlíneas", "\ud800"):
        assert refused(state, undo(1, why)).field == "why"
    assert refused(state, {**undo(1), "what": 1}).code == "unknown_key"
    assert refused(start(), undo(1)).code == "nothing_to_undo"


def test_close_and_result_and_note_can_be_undone() -> None:
    assert not after(start(), CLOSE, undo(1)).closed
    result = {"e": "result", "winner": "tie"}
    state = after(start(Detail.RESULT), result, undo(1), {**result, "winner": "punto"})
    assert MINI.settle(state).outcome.winner == "punto"
    noted = after(start(Detail.RESULT), {"e": "note", "code": "exposed_card"}, undo(1), result)
    assert MINI.settle(noted).notes == ()


def test_undone_bets_are_not_paid() -> None:
    state = after(
        start(), bet(1, "punto", 1000), bet(2, "punto", 2000), undo(1), CLOSE, *dealt("2d 4h", "2c Ks Kc")
    )
    assert [(p.seat, p.won) for p in MINI.settle(state).payouts] == [(2, 2000)]


def test_notes_are_flat_and_coded() -> None:
    state = after(
        start(),
        {"e": "note", "code": "dispute", "seat": 3, "text": "reclama", "open": True, "at": "x", "by": 1},
    )
    assert state.log == ({"e": "note", "code": "dispute", "seat": 3, "text": "reclama", "open": True},)
    for bad in (
        {},
        {"code": ""},
        {"code": "Not A Code"},
        {"code": 5},
        {"code": "x", "why": ["a"]},
        {"code": "x", "n": 1.5},
        {"code": "x", "n": 10**6000},
        {"code": "x", "text": "\ud800"},
        {"code": "x", "Bad Key": 1},
        {"code": "x", **{f"k{n}": n for n in range(30)}},
    ):
        assert refused(start(), {"e": "note", **bad}).status == 422


def test_a_round_holds_so_many_corrections() -> None:
    note = {"e": "note", "code": "dispute"}
    state = MINI.play_all(start(), [note] * MOST_CORRECTIONS)
    assert refused(state, note).code == refused(state, undo(1)).code == "too_many_corrections"
    assert after(state, bet(1, "punto", 1000)).bets == (Bet(1, "punto", 1000),)
