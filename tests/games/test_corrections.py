"""Undoing and noting: what was logged stays in the log."""

from __future__ import annotations

from typing import Any

import pytest

from casino.kernel.errors import Refused
from tables.games.base import Bet, Detail
from tables.games.corrections import MOST_CORRECTIONS
from tests.games.building import CLOSE, MINI, PUNTO_BANCA, after, bet, card, dealt, start


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
    refusal = refused(dealt_already, undo(3))
    assert refusal.code == "undo_blocked" and "anule antes los posteriores" in refusal.message.es
    assert not after(dealt_already, undo(6)).complete


@pytest.mark.rule("BAC-20")
@pytest.mark.parametrize("hands", [("2d 4h", "2c Ks Kc"), ("As Kh Kd", "7c Ks"), ("2d 4h", "2c 4c")])
def test_a_bet_stands_once_the_cards_are_out_won_or_lost(hands: tuple[str, str]) -> None:
    bets = [bet(1, "banca", 1000), bet(2, "punto", 2500)]
    state = after(start(), *bets, CLOSE, *dealt(*hands))
    for of in (1, 2, 3):
        refusal = refused(state, undo(of))
        assert (refusal.code, refusal.rule, refusal.field) == ("undo_too_late", "BAC-20", "of")
        assert "abandónelo" in refusal.message.es
    # The same log in one piece is refused at the place of the undo.
    with pytest.raises(Refused) as whole:
        MINI.play_all(start(), [*bets, CLOSE, *dealt(*hands), undo(1)])
    assert whole.value.code == "undo_too_late"


@pytest.mark.rule("BAC-20")
def test_undoing_every_card_does_not_open_betting_again() -> None:
    state = after(
        start(), bet(1, "banca", 1000), CLOSE, card("punto", "9d"), card("banca", "2c"), undo(4), undo(3)
    )
    assert state.punto == () and state.closed
    assert [refused(state, undo(of)).code for of in (1, 2)] == ["undo_too_late"] * 2
    assert refused(state, bet(2, "banca", 1000)).code == "bets_closed"


def test_after_the_close_a_bet_is_undone_by_opening_betting_first() -> None:
    state = after(start(), bet(1, "tie", 500), bet(1, "punto", 1000), CLOSE)
    refusal = refused(state, undo(2))
    assert (refusal.code, refusal.rule) == ("undo_too_late", "BAC-11")
    assert "anule antes el cierre" in refusal.message.es
    assert after(state, undo(3), undo(2), undo(1), CLOSE).bets == ()


def test_who_deals_is_undone_only_before_closing_and_cards() -> None:
    deals = {"e": "deal", "seat": 4}
    state = after(start(of=PUNTO_BANCA), deals, bet(4, "punto", 1000))
    assert after(state, undo(1)).dealing_seat is None
    closed = after(state, CLOSE)
    assert refused(closed, undo(1)).code == "undo_too_late"
    assert after(closed, undo(3), undo(1)).dealing_seat is None
    assert refused(after(closed, card("punto", "9d")), undo(1)).code == "undo_too_late"
    for detail, out in (
        (Detail.CARDS, card("punto", "9d")),
        (Detail.RESULT, {"e": "result", "winner": "tie"}),
    ):
        begun = after(start(detail, of=PUNTO_BANCA), deals, out)
        assert refused(begun, undo(1)).code == "undo_too_late"
        assert after(begun, undo(2), undo(1)).dealing_seat is None


@pytest.mark.rule("CARD-41")
def test_a_note_of_an_exposed_card_names_a_real_card() -> None:
    for code in ("exposed_card", "card_drawn_by_mistake"):
        noted = after(start(), {"e": "note", "code": code, "card": "10D"})
        assert noted.log == ({"e": "note", "code": code, "card": "Td"},)
        for bad in ("nueve", "", 9, None):
            refusal = refused(start(), {"e": "note", "code": code, "card": bad})
            assert refusal.field == "card"
    # Any other note may say what it likes under that name.
    assert (
        after(start(), {"e": "note", "code": "dispute", "card": "la tercera"}).log[0]["card"] == "la tercera"
    )


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
