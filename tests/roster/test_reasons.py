"""Why somebody is relieved, and why a post is bare."""

from __future__ import annotations

from casino.kernel.words import Text
from tables.roster.rotation import Run, Standing, bare, measures, reliefs, runs, solve, spread
from tests.roster.floors import BLACK_JACK, TRENTE, a_table, big, night, seated, someone

NAMES = {
    TRENTE: Text("Treinta y Cuarenta", "Trente et Quarante"),
    BLACK_JACK: Text("Black Jack", "Blackjack"),
}


def test_a_rest_after_a_full_turn() -> None:
    problem = night("A B C", 2, 6)
    draft = seated(problem, {"A": "000.11", "B": "1..0..", "C": ".11"})
    texts = [(one.slot, one.post, one.text.es) for one in reliefs(draft)]
    assert texts == [
        (1, 1, "B descansa: 20 min seguidos; C es el único libre habilitado para blackjack.classic"),
        (3, 0, "A descansa: 60 min seguidos; B viene de 40 min de descanso"),
        (4, 1, "el puesto estaba descubierto; A viene de 20 min de descanso"),
    ]


def test_the_only_one_qualified_and_the_only_one_free() -> None:
    people = [someone("A", 3, BLACK_JACK), someone("B", 3, BLACK_JACK, TRENTE), someone("C", 3, BLACK_JACK)]
    posts = [a_table("T1", 3), a_table("T2", 3, TRENTE, "main_dealer")]
    problem = night(people, posts, 3, names=NAMES)
    draft = seated(problem, {"A": "0..", "B": ".01", "C": "..0"})
    assert [one.text.es for one in reliefs(draft)] == [
        "A descansa: 20 min seguidos; B viene de 20 min de descanso",
        "B pasa a T2; C viene de 40 min de descanso",
        "el puesto estaba descubierto; B es el único habilitado para Treinta y Cuarenta",
    ]
    busy = seated(problem, {"A": "0..", "B": "11", "C": ".0."})
    (one,) = reliefs(busy)
    assert one.text.en == "A rests: 20 min in a row; C is the only free one qualified for Blackjack"


def test_the_end_of_duty_of_the_licence_and_of_a_stay() -> None:
    people = [
        someone("A", 3, present=((0, 1),)),
        someone("B", 3, licensed_until=1),
        someone("C", 3),
        someone("D", 3),
        someone("E", 3, present=((1, 3),)),
        someone("F", 3),
    ]
    before = {"C": Standing(20, "T3", 160)}
    problem = night(people, 3, 3, worked_before=before)
    draft = seated(problem, {"A": "0", "B": "1", "C": "2", "D": ".0", "E": ".1", "F": ".2"})
    assert [one.text.es for one in reliefs(draft)] == [
        "A termina su turno; D viene de 20 min de descanso",
        "B llega al fin de su licencia; E entra a su turno",
        "C cambia de mesa: deja T3; F es el único libre habilitado para blackjack.classic",
    ]


def test_why_nobody_could() -> None:
    people = [
        someone("A", 2, TRENTE, BLACK_JACK),
        someone("B", 2, TRENTE),
        someone("C", 2, TRENTE, present=((0, 1),)),
        someone("D", 2, TRENTE, licensed_until=0),
        someone("E", 2, TRENTE),
    ]
    before = {"B": Standing(60), "E": Standing(20, "T2", 170)}
    posts = [a_table("T1", 2), a_table("T2", 2, TRENTE, "main_dealer"), a_table("T3", 2, "game.x")]
    problem = night(people, posts, 2, worked_before=before, names=NAMES)
    draft = seated(problem, {"A": "00"})
    assert [(one.post, one.first, one.last, one.text.es) for one in bare(draft)] == [
        (
            1,
            0,
            1,
            "habilitados para Treinta y Cuarenta: 5 (1 en otro puesto, 1 en su descanso obligado, "
            "1 con el máximo en esa mesa, 1 con licencia vencida, 1 libre)",
        ),
        (
            1,
            1,
            2,
            "habilitados para Treinta y Cuarenta: 5 (1 en otro puesto, 1 con el máximo en esa mesa, "
            "1 sin turno, 1 con licencia vencida, 1 libre)",
        ),
        (2, 0, 2, "nadie está habilitado para game.x"),
    ]


def test_every_relief_has_a_reason_and_nobody_free_is_left_beside_a_bare_post() -> None:
    draft = solve(big(1), 0.5)
    changed = {
        (slot, k) for (slot, k), person in draft.seats.items() if slot and draft.who(slot - 1, k) != person
    }
    assert {(one.slot, one.post) for one in reliefs(draft)} == changed
    assert sum(one.last - one.first for one in bare(draft)) == len(draft.uncovered)
    assert not any("libre" in one.text.es for one in bare(draft))


def test_whoever_comes_from_another_table_or_began_elsewhere() -> None:
    problem = night("A B C D", 2, 2)
    one, two = reliefs(seated(problem, {"A": "01", "B": "10"}))
    assert one.text.es == "A pasa a T2; B viene de T2"
    assert two.text.en == "B goes to T1; A comes from T1"


def test_runs_of_a_row() -> None:
    assert list(runs("A", (0, 0, None, 1))) == [Run("A", 0, 0, 2), Run("A", None, 2, 3), Run("A", 1, 3, 4)]


def test_measures_of_a_night_by_hand() -> None:
    """A works 5 of 8 slots of 20 minutes, B 3: of 160 minutes each one's share is 80."""
    problem = night("A B", 2, 8, worked_before={"B": Standing(20, "T1", 20)})
    draft = seated(problem, {"A": "000..11.", "B": "1..00..."})
    found = measures(draft)
    a, b = found["A"], found["B"]
    assert (a.worked, a.rests, a.rested, a.longest, a.changes, a.balance) == (100, 2, 60, 60, 1, 20)
    assert (b.worked, b.rests, b.rested, b.longest, b.changes, b.balance) == (60, 2, 100, 40, 1, -20)
    assert spread(draft) == 40
