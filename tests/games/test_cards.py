"""Cards: read from whatever people type, written one way, counted whole."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.kernel.errors import Refused, SabotError
from shoes import cards


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("9d", "9d"),
        ("kh", "Kh"),
        ("KH", "Kh"),
        ("10d", "Td"),
        ("TD", "Td"),
        ("td", "Td"),
        ("9♦", "9d"),
        ("9♦\ufe0f", "9d"),
        ("a♤", "As"),
        (" Q c ", "Qc"),
        ("10♥", "Th"),
        ("v5", "v5"),
        ("V0", "v0"),
        ("2♣", "2c"),
    ],
)
def test_reads_what_people_type(typed: str, canonical: str) -> None:
    assert cards.parse(typed) == canonical


@pytest.mark.parametrize(
    "typed",
    [
        "",
        " ",
        "1d",
        "11d",
        "0d",
        "Xs",
        "9",
        "d",
        "d9",
        "9dd",
        "v10",
        "v",
        "9x",
        "Joker",
        "9" * 1000,
        None,
        9,
        True,
        ["9d"],
    ],
)
def test_refuses_what_is_no_card(typed: object) -> None:
    with pytest.raises(Refused) as refusal:
        cards.parse(typed)
    assert (refusal.value.code, refusal.value.field) == ("unknown_card", "card")
    assert "9s" in refusal.value.message.es and "nueve de picas" in refusal.value.message.es


def test_refusal_shows_what_was_typed() -> None:
    with pytest.raises(Refused) as refusal:
        cards.parse("Zz")
    assert "«Zz»" in refusal.value.message.es and refusal.value.detail == {"typed": "Zz"}


def test_every_card_reads_itself_and_says_its_name() -> None:
    names = {cards.name(card).es for card in cards.FRENCH52.cards}
    assert all(cards.parse(card) == card for card in cards.FRENCH52.cards)
    assert len(cards.FRENCH52.cards) == len(set(cards.FRENCH52.cards)) == len(names) == 52


def test_names_and_signs() -> None:
    assert (cards.name("9d").es, cards.name("9d").en) == ("nueve de diamantes", "nine of diamonds")
    assert (cards.name("Ks").es, cards.name("Ks").en) == ("rey de picas", "king of spades")
    assert (cards.name("v5").es, cards.name("v5").en) == ("carta de valor 5", "card of value 5")
    assert [cards.sign(c) for c in ("9d", "Th", "As", "v0")] == ["9♦", "10♥", "A♠", "0"]


@pytest.mark.rule("CARD-42")
def test_a_pack_holds_52_cards_a_deck_each_once_per_deck() -> None:
    pack = cards.composition("french52", 6)
    assert pack.total() == 6 * 52 and set(pack.values()) == {6}
    assert cards.composition(cards.FRENCH52, 1) == Counter(dict.fromkeys(cards.FRENCH52.cards, 1))
    with pytest.raises(ValueError, match="at least one"):
        cards.composition(decks=0)


def test_deck_types_are_a_registry() -> None:
    assert cards.deck_type("french52") is cards.FRENCH52
    with pytest.raises(Refused) as refusal:
        cards.deck_type("tarot78")
    assert refusal.value.code == "unknown_deck_type"
    with pytest.raises(ValueError, match="twice"):
        cards.register(cards.FRENCH52)


@given(st.one_of(st.text(), st.integers(), st.none(), st.lists(st.text())))
def test_anything_typed_is_a_card_or_a_refusal(typed: object) -> None:
    try:
        assert cards.parse(typed) in {*cards.FRENCH52.cards, *cards.VALUE_CARDS}
    except SabotError as refusal:
        assert refusal.code == "unknown_card"
