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


DECKS = list(cards.DECK_TYPES.values())


@pytest.mark.parametrize(
    ("code", "size", "ranks", "suits"),
    [
        ("french52", 52, "A23456789TJQK", "shdc"),
        ("french52j", 54, "A23456789TJQK", "shdc"),
        ("spanish40", 40, "1234567SCR", "oceb"),
        ("spanish48", 48, "123456789SCR", "oceb"),
    ],
)
def test_what_each_deck_holds(code: str, size: int, ranks: str, suits: str) -> None:
    # The letters are those of the round log (records.md).
    deck = cards.deck_type(code)
    whole = {rank + suit for rank in ranks for suit in suits} | (
        {"Xr", "Xb"} if code == "french52j" else set()
    )
    assert set(deck.cards) == whole and len(deck.cards) == size
    assert cards.composition(code, 3) == Counter(dict.fromkeys(whole, 3))


@pytest.mark.parametrize("deck", DECKS, ids=lambda deck: deck.code)
def test_every_card_reads_its_own_sign_glyph_and_name(deck: cards.DeckType) -> None:
    for card in deck.cards:
        said = cards.name(card, deck)
        for written in (card, cards.sign(card, deck), cards.glyph(card, deck), said.es, said.en.upper()):
            assert cards.parse(written, deck) == card
    assert len({cards.name(card, deck).es for card in deck.cards}) == len(deck.cards)


@pytest.mark.parametrize(
    ("code", "typed", "canonical"),
    [
        ("spanish40", "7e", "7e"),
        ("spanish40", "sb", "Sb"),
        ("spanish40", "10o", "So"),
        ("spanish40", "11C", "Cc"),
        ("spanish40", "12 b", "Rb"),
        ("spanish40", "as de oros", "1o"),
        ("spanish40", "Caballo de Espadas", "Ce"),
        ("spanish40", "7\u2694\ufe0f", "7e"),
        ("spanish48", "9c", "9c"),
        ("spanish48", "v7", "v7"),
        ("french52j", "xr", "Xr"),
        ("french52j", "★", "Xr"),
        ("french52j", "\U0001f0cf", "Xb"),
        ("french52j", "comodín negro", "Xb"),
        ("french52", "\U0001f0a1", "As"),
        ("french52", "\U0001f0de", "Kc"),
        ("french52", "seis de treboles", "6c"),
        ("french52", "seven of diamonds", "7d"),
    ],
)
def test_reads_every_deck_as_people_write_it(code: str, typed: str, canonical: str) -> None:
    assert cards.parse(typed, cards.deck_type(code)) == canonical


@pytest.mark.parametrize(
    ("code", "typed"),
    [
        ("spanish40", "8o"),
        ("spanish40", "9b"),
        ("spanish40", "As"),
        ("spanish48", "13o"),
        ("spanish48", "Xr"),
        ("french52", "Xr"),
        ("french52", "\U0001f0cf"),
        ("french52", "\U0001f0ac"),
        ("french52", cards.COVERED),
        ("french52j", "X"),
    ],
)
def test_refuses_cards_of_another_deck(code: str, typed: str) -> None:
    # U+1F0AC is the knight of spades, which no French deck of ours has.
    with pytest.raises(Refused) as refusal:
        cards.parse(typed, cards.deck_type(code))
    assert refusal.value.code == "unknown_card"


def test_names_and_signs_of_other_decks() -> None:
    spanish, jokers = cards.SPANISH40, cards.FRENCH52J
    assert (cards.name("So", spanish).es, cards.name("So", spanish).en) == ("sota de oros", "knave of coins")
    assert (cards.sign("7e", spanish), cards.sign("Rb", spanish)) == ("7e", "Rb")
    assert cards.name("Xb", jokers).es == "comodín negro"
    assert (cards.sign("Td", jokers), cards.glyph("As", jokers)) == ("10♦", "\U0001f0a1")
    assert (cards.name(cards.COVERED).es, cards.sign(cards.COVERED)) == ("carta tapada", "▮")
    assert [cards.is_red(card) for card in ("Ah", "As", "v3", cards.COVERED)] == [True, False, False, False]
    assert cards.is_red("Xr", jokers) and cards.is_red("1o", spanish) and not cards.is_red("1b", spanish)


@pytest.mark.parametrize("deck", DECKS, ids=lambda deck: deck.code)
@given(typed=st.one_of(st.text(), st.integers(), st.none(), st.lists(st.text())))
def test_anything_typed_is_a_card_or_a_refusal(deck: cards.DeckType, typed: object) -> None:
    try:
        assert cards.parse(typed, deck) in {*deck.cards, *cards.VALUE_CARDS}
    except SabotError as refusal:
        assert refusal.code == "unknown_card"
