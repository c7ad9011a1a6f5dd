"""What was given for a step, in words: nothing a step stores is shown as a code."""

from __future__ import annotations

from typing import Any

import pytest

from audits import vocabulary
from casino.kernel.words import Text
from shoes import actions
from shoes.procedures import procedure_of
from shoes.saying import remarks, said
from shoes.steps import Field
from tests.shoes.answers import WAYS, answer, walk


def fields_of(game: str, step: str, method: str = "") -> dict[str, Field]:
    found = next(one for one in procedure_of(game, method).steps if one.code == step)
    return {field.name: field for field in found.kind.fields}


@pytest.mark.parametrize(
    ("game", "step", "name", "value", "es", "en"),
    [
        ("baccarat.mini", "shuffle", "kind", "double", "doble", "double"),
        ("poker.go", "shuffle", "kind", "other", "otra secuencia", "another sequence"),
        ("poker.go", "shuffle", "sequence", "a mi modo", "a mi modo", "a mi modo"),
        ("poker.go", "shuffle", "machine", "BM-7", "BM-7", "BM-7"),
        ("poker.go", "shuffle", "empty_shown", True, "sí", "yes"),
        ("poker.go", "shuffle", "empty_shown", False, "no", "no"),
        ("poker.go", "check", "sequences", "none", "no queda ninguna secuencia", "no sequence is left"),
        (
            "trente.classic", "check", "sequences", "found",
            "quedan secuencias: se baraja otra vez", "sequences are left: shuffle again",
        ),
        ("baccarat.mini", "cut", "cut_by", "dealer", "el croupier", "the dealer"),
        ("baccarat.mini", "cut", "cut_by", 3, "el asiento 3", "seat 3"),
        ("baccarat.mini", "cut", "declined", [1, 2], "1, 2", "1, 2"),
        ("baccarat.mini", "burn", "card", "9d", "9♦", "9♦"),
        ("baccarat.mini", "decks", "serials", ["N1", "N2"], "N1, N2", "N1, N2"),
    ],
)  # fmt: skip
def test_an_answer_is_said_in_both_languages(
    game: str, step: str, name: str, value: Any, es: str, en: str
) -> None:
    assert said(fields_of(game, step)[name], value) == Text(es, en)


@pytest.mark.parametrize(("game", "method"), WAYS)
def test_no_choice_is_shown_as_its_code(game: str, method: str) -> None:
    procedure = procedure_of(game, method)
    for _, step, pack in walk(procedure):
        given = answer(step, pack, procedure)
        for field in step.kind.fields:
            for code, words in field.choices:
                assert said(field, code) == words
            if field.name in given and field.kind in {"choice", "tick"}:
                assert said(field, given[field.name]).es != str(given[field.name])


@pytest.mark.rule("CARD-05", "CARD-17")
def test_what_the_house_notes_by_itself_is_said_with_its_rule() -> None:
    noted = remarks({"kind": "other", "sequence": "a mi modo", "flagged": True})
    assert [text.es for text in noted] == ["se apartó de la secuencia sugerida; queda observado (CARD-17)"]
    assert "CARD-05" in remarks({"serials": ["N1"], "single_colour": True})[0].en
    assert "S-000012" in remarks({"serials": ["N1"], "renewed": "S-000012"})[0].es
    assert remarks({"kind": "suggested", "flagged": False}) == ()


@pytest.mark.parametrize(
    ("action", "data", "es"),
    [
        (
            actions.PACK_CHECKED, {"sequences": "none"},
            "un jefe comprobó S-000001 después de barajar: no queda ninguna secuencia",
        ),
        (
            actions.MACHINE_LOADED, {"machine": "BM-3"},
            "se cargó S-000001 entero en la máquina BM-3, mostrada vacía; la carta de corte quedó aparte",
        ),
        (
            actions.DECK_REMOVED, {"removed": ["N1"], "why": "doblada"},
            "salió de S-000001 la baraja N1: doblada; la preparación empieza de nuevo",
        ),
        (actions.PACK_SHUFFLED, {"kind": "machine"}, "se barajó S-000001 (máquina electromecánica)"),
    ],
)  # fmt: skip
def test_the_trail_says_it_too(action: str, data: dict[str, Any], es: str) -> None:
    assert vocabulary.sentence(action, "S-000001", data).es == es
