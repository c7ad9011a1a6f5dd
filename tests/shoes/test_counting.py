"""No card comes out that cannot be inside (CARD-42); the stop card ends the shoe (CARD-38)."""

from __future__ import annotations

import random

import pytest
from django.db import transaction
from hypothesis import given
from hypothesis import strategies as st

from audits.by import By
from casino.kernel.errors import Conflict, Refused, RuleViolation
from casino.models import Casino
from shoes import cards, counting
from shoes.counting import Count
from shoes.models import Shoe
from shoes.shoes import mark_stop_card
from tests.shoes import builders


def fresh(decks: int = 6, **about: object) -> Count:
    values: dict[str, object] = {
        "deck_type": "french52",
        "decks": decks,
        "seen": {},
        "dealt": 0,
        "burned": 0,
        "discarded": 0,
        "remaining": 52 * decks,
        "stop_at": 6,
        "stop_marked": False,
        "complete": True,
    }
    return Count(**{**values, **about})  # type: ignore[arg-type]


@pytest.mark.rule("CARD-42")
@pytest.mark.parametrize("decks", [6, 8])
def test_each_card_comes_out_once_per_deck(decks: int) -> None:
    count = counting.take(fresh(decks), ["Qs"] * decks)
    assert count.seen == {"Qs": decks}
    with pytest.raises(RuleViolation) as refusal:
        counting.take(count, ["Qs"])
    problem = refusal.value
    assert (problem.rule, problem.code, problem.field) == ("CARD-42", "impossible_card", "card")
    assert problem.detail["would_be"] == decks + 1
    assert "reina de picas" in problem.message.es
    assert f"{decks + 1}.ª" in problem.message.es
    assert f"{decks} barajas" in problem.message.es
    assert "queen of spades" in problem.message.en


@pytest.mark.rule("CARD-42")
def test_a_burned_card_that_was_seen_counts_too() -> None:
    burned = counting.burn(fresh(6), known=["9d"], out=10)
    assert (burned.burned, burned.remaining, burned.complete) == (10, 302, True)
    after = counting.take(burned, ["9d"] * 5)
    with pytest.raises(RuleViolation):
        counting.take(after, ["9d"])


@pytest.mark.rule("CARD-42")
def test_no_more_cards_than_are_left() -> None:
    nearly_empty = fresh(6, dealt=309, remaining=3)
    assert counting.take(nearly_empty, ["2c", "3c", "4c"]).remaining == 0
    with pytest.raises(RuleViolation) as refusal:
        counting.take(nearly_empty, ["2c", "3c", "4c", "5c"])
    assert (refusal.value.rule, refusal.value.code) == ("CARD-42", "impossible_card")
    assert refusal.value.detail["remaining"] == 3


@pytest.mark.rule("CARD-42")
@pytest.mark.parametrize(("value", "held"), [("v5", 24), ("v1", 24), ("v0", 96)])
def test_cards_known_by_value_are_held_against_the_values_total(value: str, held: int) -> None:
    # six decks: 6 × 4 fives, 6 × 16 tens and courts
    count = counting.take(fresh(6), [value] * held)
    assert not count.complete
    with pytest.raises(RuleViolation) as refusal:
        counting.take(count, [value])
    assert refusal.value.detail["held"] == held


@pytest.mark.rule("CARD-42")
def test_values_and_faces_share_one_total() -> None:
    count = counting.take(fresh(6), ["v9"] * 22 + ["9d", "9h"])
    for card in ("9s", "v9"):
        with pytest.raises(RuleViolation):
            counting.take(count, [card])
    # The ten of spades is of another value.
    assert counting.take(count, ["Ts"]).seen["Ts"] == 1


def test_unseen_cards_only_lower_what_is_left() -> None:
    count = counting.take_unseen(fresh(6), 4)
    assert (count.dealt, count.remaining, count.complete, count.seen) == (4, 308, False, {})
    with pytest.raises(RuleViolation):
        counting.take_unseen(fresh(6, dealt=309, remaining=3), 4)


@pytest.mark.rule("CARD-38")
@pytest.mark.parametrize(("remaining", "reached"), [(8, False), (7, False), (6, True), (0, True)])
def test_the_stop_card_is_in_view_when_only_the_last_six_are_left(remaining: int, reached: bool) -> None:
    assert fresh(6, dealt=312 - remaining, remaining=remaining).stop_reached is reached


def test_a_card_logged_by_mistake_goes_back_to_the_count() -> None:
    before = counting.take(fresh(6), ["9d", "Kh"])
    assert counting.put_back(counting.take(before, ["9d", "2c"]), ["2c", "9d"]) == before
    for never in (["As"], ["9d", "9d"]):
        with pytest.raises(Refused) as refusal:
            counting.put_back(before, never)
        assert refusal.value.code == "card_not_dealt"


def test_a_card_in_the_discard_holder_does_not_go_back() -> None:
    with pytest.raises(Refused) as refusal:
        counting.put_back(counting.collect(counting.take(fresh(6), ["9d"])), ["9d"])
    assert refusal.value.code == "card_not_dealt"


@pytest.mark.rule("CARD-42")
@given(st.integers(0, 2**32), st.sampled_from([6, 8]))
def test_a_real_pack_is_never_refused_and_always_adds_up(seed: int, decks: int) -> None:
    """A whole pack in any order goes through to its last card, then holds nothing more."""
    pack = [card for card in cards.FRENCH52.cards for _ in range(decks)]
    random.Random(seed).shuffle(pack)
    count, at = counting.burn(fresh(decks), known=pack[:1], out=3), 3
    while at < len(pack):
        count = counting.collect(counting.take(count, pack[at : at + 5]))
        at += 5
        assert count.total == 52 * decks
    # Two of the burned cards were never seen: they are what is still "left".
    assert count.remaining == 0
    assert sum(counting.left(count).values()) == 2
    assert min(counting.left(count).values()) >= 0


# ---- stored -----------------------------------------------------------------------------------------


def locked(shoe: Shoe) -> Shoe:
    return Shoe.objects.select_for_update().get(pk=shoe.pk)


def deal(shoe: Shoe, faces: list[str], *, collected: bool = False) -> None:
    count = counting.take(counting.count_of(shoe), faces)
    counting.change(shoe, counting.collect(count) if collected else count)


def put_back(shoe: Shoe, faces: list[str]) -> None:
    counting.change(shoe, counting.put_back(counting.count_of(shoe), faces))


@pytest.mark.rule("CARD-42")
def test_dealing_writes_the_counters_in_one_update(
    casino: Casino, chief: By, django_assert_num_queries: object
) -> None:
    shoe = locked(builders.shoe_in_play(casino, chief))
    with django_assert_num_queries(1):  # type: ignore[operator]
        deal(shoe, ["9d", "Kh", "3c", "5s"], collected=True)
    kept = Shoe.objects.get(pk=shoe.pk)
    # 413 after the burn of the builder's shoe
    assert (kept.dealt, kept.discarded, kept.burned, kept.remaining) == (0, 4, 3, 409)
    assert kept.seen == {"2c": 1, "9d": 1, "Kh": 1, "3c": 1, "5s": 1}
    assert kept.count_complete


@pytest.mark.rule("CARD-42")
def test_an_impossible_card_changes_nothing(casino: Casino, chief: By) -> None:
    shoe = locked(builders.shoe_in_play(casino, chief, decks=6))
    deal(shoe, ["Qs"] * 6)
    with pytest.raises(RuleViolation):
        deal(shoe, ["Ah", "Qs"])
    assert Shoe.objects.get(pk=shoe.pk).seen == shoe.seen == {"2c": 1, "Qs": 6}


@pytest.mark.rule("CARD-38")
def test_after_the_stop_card_the_round_ends_and_no_other_starts(casino: Casino, chief: By) -> None:
    shoe = locked(builders.shoe_in_play(casino, chief, decks=6))
    pack = [card for card in cards.FRENCH52.cards for _ in range(6)]
    pack.remove("2c")
    # 309 left after the burn; 302 out leaves seven, the stop card still hidden
    deal(shoe, pack[:302], collected=True)
    counting.require_round_may_start(shoe)
    deal(shoe, pack[302:303])
    with pytest.raises(Conflict) as refusal:
        counting.require_round_may_start(shoe)
    assert (refusal.value.code, refusal.value.rule) == ("shoe_finished", "CARD-38")
    deal(shoe, pack[303:307], collected=True)
    assert shoe.remaining == 2


@pytest.mark.rule("CARD-38")
def test_undoing_a_card_hides_the_stop_card_again_unless_it_was_seen(casino: Casino, chief: By) -> None:
    shoe = locked(builders.shoe_in_play(casino, chief, decks=6))
    pack = [card for card in cards.FRENCH52.cards for _ in range(6)]
    pack.remove("2c")
    deal(shoe, pack[:303])
    assert shoe.stop_reached
    put_back(shoe, pack[302:303])
    assert not shoe.stop_reached
    shoe = mark_stop_card(shoe=shoe, by=chief)
    deal(shoe, pack[302:303])
    put_back(shoe, pack[302:303])
    assert shoe.stop_reached


@pytest.mark.rule("CARD-41")
def test_a_card_exposed_by_mistake_is_burned(casino: Casino, chief: By) -> None:
    shoe = locked(builders.shoe_in_play(casino, chief))
    before = counting.count_of(shoe)
    count = counting.change(shoe, counting.burn(before, known=["Ah"], out=1))
    assert (shoe.burned, shoe.remaining, shoe.seen["Ah"]) == (4, 412, 1)
    assert counting.unburn(count, ["Ah"]) == before
    for never in (["Kd"], ["2c", "Ah", "Kd"], ["Ah"] * 5):
        with pytest.raises(Refused) as refusal:
            counting.unburn(count, never)
        assert refusal.value.code == "card_not_dealt"


def test_a_round_known_by_its_result_leaves_the_count_incomplete(casino: Casino, chief: By) -> None:
    shoe = locked(builders.shoe_in_play(casino, chief))
    counting.change(shoe, counting.collect(counting.take_unseen(counting.count_of(shoe), 4)))
    deal(shoe, ["9d"])
    counting.discard(shoe)
    kept = Shoe.objects.get(pk=shoe.pk)
    assert (kept.discarded, kept.remaining, kept.count_complete) == (5, 408, False)


def test_cards_come_only_out_of_a_shoe_in_play(casino: Casino, chief: By) -> None:
    shoe = locked(builders.ready_shoe(casino, chief))
    for act in (
        lambda: deal(shoe, ["9d"]),
        lambda: counting.change(shoe, counting.count_of(shoe)),
        lambda: counting.require_round_may_start(shoe),
    ):
        with pytest.raises(Conflict) as refusal, transaction.atomic():
            act()
        assert refusal.value.code == "shoe_not_in_play"


# ---- cards that lie covered, packs shuffled after each round, other decks ---------------------------


def one_pack(deck_type: str = "french52", size: int = 52) -> Count:
    return fresh(1, deck_type=deck_type, remaining=size, stop_at=0)


@pytest.mark.rule("CARD-42")
def test_a_covered_card_is_out_and_its_face_is_seen_once_it_is_shown() -> None:
    dealt = counting.take(one_pack(), ["??", "Ks", "??"])
    assert (dealt.dealt, dealt.remaining, dealt.seen, dealt.complete) == (3, 49, {"Ks": 1}, True)
    shown = counting.show(dealt, ["Ah", "Kd"])
    assert (shown.dealt, shown.remaining, shown.seen) == (3, 49, {"Ks": 1, "Ah": 1, "Kd": 1})
    assert counting.hide(shown, ["Kd", "Ah"]) == dealt
    assert counting.put_back(dealt, ["??", "Ks", "??"]) == one_pack()


@pytest.mark.rule("CARD-42")
def test_a_covered_card_is_no_card_that_came_out_already() -> None:
    dealt = counting.take(one_pack(), ["??", "Ks"])
    with pytest.raises(RuleViolation) as refusal:
        counting.show(dealt, ["Ks"])
    assert (refusal.value.rule, refusal.value.code) == ("CARD-42", "impossible_card")
    assert "1 baraja hay 1" in refusal.value.message.es
    with pytest.raises(Refused) as unseen:
        counting.hide(dealt, ["2c"])
    assert unseen.value.code == "card_not_dealt"


@pytest.mark.rule("CARD-42")
def test_no_more_covered_cards_than_are_left() -> None:
    with pytest.raises(RuleViolation):
        counting.take(fresh(1, dealt=51, remaining=1), ["??", "??"])


@pytest.mark.rule("CARD-42")
def test_a_pack_that_is_shuffled_again_holds_every_card() -> None:
    played = counting.take(one_pack(), ["Ah", "??", "Kd"])
    assert counting.reshuffled(counting.show(played, ["2c"])) == one_pack()
    assert counting.reshuffled(counting.take_unseen(one_pack(), 9)) == one_pack()


@pytest.mark.rule("CARD-42")
@pytest.mark.parametrize(
    ("deck", "size", "card"), [("spanish40", 40, "7e"), ("spanish48", 48, "9b"), ("french52j", 54, "Xr")]
)
def test_each_card_of_any_deck_comes_out_once(deck: str, size: int, card: str) -> None:
    count = counting.take(one_pack(deck, size), [card])
    with pytest.raises(RuleViolation) as refusal:
        counting.take(count, [card])
    assert refusal.value.code == "impossible_card"
    whole = counting.take(one_pack(deck, size), cards.deck_type(deck).cards)
    assert (whole.remaining, set(counting.left(whole).values())) == (0, {0})


@pytest.mark.rule("CARD-42")
@pytest.mark.parametrize(
    ("deck", "card"), [("french52", "7e"), ("spanish40", "8o"), ("spanish40", "As"), ("french52", "Xr")]
)
def test_a_card_of_another_deck_is_impossible(deck: str, card: str) -> None:
    with pytest.raises(RuleViolation) as refusal:
        counting.take(one_pack(deck, 40), [card])
    assert (refusal.value.code, refusal.value.detail["held"]) == ("impossible_card", 0)


@pytest.mark.rule("CARD-42")
def test_cards_of_a_spanish_deck_known_by_value_only() -> None:
    # 40 cards: four of each from one to seven; the twelve courts count nothing.
    count = counting.take(one_pack("spanish40", 40), ["v7"] * 3 + ["7o"])
    with pytest.raises(RuleViolation):
        counting.take(count, ["v7"])
    assert counting.take(count, ["v0"] * 11 + ["Sb"]).remaining == 24


@pytest.mark.rule("CARD-34", "CARD-42")
def test_what_goes_back_into_a_machine_can_come_again() -> None:
    # 312 less one burned face down; a card exposed by mistake is burned; a round of five goes to the holder.
    count = counting.burn(fresh(6), known=[], out=1)
    count = counting.burn(count, known=["7h"], out=1)
    count = counting.collect(counting.take(count, ["Ks", "Ks", "9d", "2c", "5h"]))
    assert (count.burned, count.discarded, count.remaining) == (2, 5, 305)
    back = counting.returned(count, ["7h"])
    assert (back.burned, back.discarded, back.remaining, back.total) == (2, 0, 310, 312)
    assert back.seen == {"7h": 1} and back.complete
    counting.take(back, ["Ks"] * 6)  # all six are inside again
    with pytest.raises(RuleViolation):
        counting.take(back, ["7h"] * 6)  # of this one, five
    with pytest.raises(ValueError, match="on the table"):
        counting.returned(counting.take(back, ["Ks"]), ["7h"])


@pytest.mark.rule("CARD-34")
def test_unnamed_cards_that_went_back_leave_no_doubt() -> None:
    count = counting.collect(counting.take_unseen(fresh(6), 4))
    assert not count.complete
    assert counting.returned(count, []) == fresh(6)
