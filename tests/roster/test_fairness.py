"""The fairness ledger adds up: what some are above their share, others are below."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tables.roster.rotation import Credit, Worked, carried, shares, worked
from tests.roster.floors import a_table, night, seated

WHO = st.sampled_from("ABCDE")
TURNS = st.lists(
    st.builds(Worked, WHO, st.integers(0, 480), st.sampled_from(["", "north", "south"]), st.integers(50, 200))
)
PRESENT = st.fixed_dictionaries({person: st.integers(1, 480) for person in "ABCDE"})


def test_a_night_by_hand() -> None:
    """240 minutes in two pits; A and B were there twice as long as C, so that shares are 2 : 2 : 1."""
    turns = [
        Worked("A", 120, "north"),
        Worked("B", 60, "north"),
        Worked("B", 40, "south"),
        Worked("C", 20, "north"),
    ]
    found = carried({"A": Credit(-10, {"south": -10})}, turns, {"A": 240, "B": 240, "C": 120})
    # north 200: shares 80, 80, 40; south 40: 16, 16, 8
    assert found == {
        "A": Credit(-10 + 40 - 16, {"north": 40, "south": -26}),
        "B": Credit(-20 + 24, {"north": -20, "south": 24}),
        "C": Credit(-20 - 8, {"north": -20, "south": -8}),
    }


def test_who_was_away_keeps_the_credit_and_hard_tables_weigh_more() -> None:
    found = carried({"Z": Credit(30)}, [Worked("A", 60, weight=150), Worked("B", 60)], {"A": 60, "B": 60})
    assert found == {"Z": Credit(30), "A": Credit(15, {"": 15}), "B": Credit(-15, {"": -15})}


@given(TURNS, PRESENT)
def test_a_night_adds_up_to_nothing(turns: list[Worked], present: dict[str, int]) -> None:
    found = carried({}, turns, present)
    assert sum(credit.minutes for credit in found.values()) == 0
    for credit in found.values():
        assert credit.minutes == sum(credit.pits.values())


@given(TURNS, PRESENT, st.randoms())
def test_the_order_of_turns_does_not_matter(
    turns: list[Worked], present: dict[str, int], chance: st.random
) -> None:
    mixed = list(turns)
    chance.shuffle(mixed)
    assert carried({}, mixed, present) == carried({}, turns, present)


@given(st.integers(0, 10**6), PRESENT)
def test_shares_are_whole_within_a_minute_and_add_up(total: int, present: dict[str, int]) -> None:
    found = shares(total, present)
    assert sum(found.values()) == total
    everyone = sum(present.values())
    assert all(abs(found[person] * everyone - total * there) < everyone for person, there in present.items())


def test_with_nobody_there_nobody_owes() -> None:
    assert shares(100, {"A": 0, "B": 0}) == {"A": 0, "B": 0}


def test_a_draft_as_worked_by_pit() -> None:
    posts = [a_table("T1", 4, pit="north"), a_table("T2", 4, pit="south")]
    draft = seated(night("A B", posts, 4), {"A": "0011", "B": "1..."})
    assert worked(draft) == [Worked("A", 40, "north"), Worked("A", 40, "south"), Worked("B", 20, "south")]
