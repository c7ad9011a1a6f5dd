"""The house's edge before anyone loads a version: by command, exact or with its interval."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from io import StringIO
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from casino.kernel.permissions import Role
from tables import edges, settings
from tables.games import registry
from tables.games.base import Edge
from tests.builders import CONFIRMED, House

MINI = registry.game("baccarat.mini")


def said(*arguments: str) -> str:
    out = StringIO()
    call_command("edge", *arguments, stdout=out)
    return out.getvalue()


def stopped(*arguments: str) -> str:
    with pytest.raises(CommandError) as stop:
        said(*arguments)
    assert stop.value.returncode == 1
    return str(stop.value)


@pytest.mark.rule("GEN-06")
def test_the_catalogue_s_rules_are_counted_exactly() -> None:
    """Published: 8 decks 1.2351 punto, 1.0579 banca, 14.3596 tie; 6 decks 1.2374, 1.0558, 14.4382."""
    found = json.loads(said("baccarat.mini", "--json"))
    assert found["game"] == "baccarat.mini"
    assert {(edge["bet"], edge["decks"]): edge["percent"] for edge in found["edges"]} == {
        ("punto", 6): "1.2374",
        ("banca", 6): "1.0558",
        ("tie", 6): "14.4382",
        ("punto", 8): "1.2351",
        ("banca", 8): "1.0579",
        ("tie", 8): "14.3596",
    }
    assert {edge["method"] for edge in found["edges"]} == {"exact"}


def test_so_many_decks_alone() -> None:
    found = json.loads(said("baccarat.mini", "--decks", "8", "--json"))
    assert {edge["decks"] for edge in found["edges"]} == {8}
    assert found["rules"]["decks"] == 8


@pytest.mark.rule("GEN-06")
def test_rules_of_a_file_and_who_they_favour(tmp_path: Path) -> None:
    file = tmp_path / "mini.json"
    file.write_text('{"tie_pays": "10:1"}', encoding="utf-8")
    lines = said("baccarat.mini", "--rules", str(file)).splitlines()
    # Tie with 8 decks: 0.904844 - 10 x 0.095156 = -4.67 %.
    tie = next(line for line in lines if "Empate" in line and "8 barajas" in line)
    assert "−4,67" in tie and "FAVORECE AL JUGADOR" in tie
    assert "FAVOURS THE PLAYER" in said("baccarat.mini", "--rules", str(file), "--lang", "en")


def test_a_published_version_is_asked_by_its_number(house: House) -> None:
    settings.publish_rules(
        game="baccarat.mini",
        params={"commission_basis_points": 400},
        betting_plan="PA-1",
        by=house.by(Role.ADMINISTRATOR, reason="prueba"),
        **CONFIRMED,
    )
    found = json.loads(said("baccarat.mini", "--rules", "1", "--json"))
    assert found["rules"]["commission_basis_points"] == 400
    assert "versión 7" in stopped("baccarat.mini", "--rules", "7")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{", "no es JSON"),
        ("[" * 100_000, "no es JSON"),
        ("[1]", "objeto"),
        ('{"deks": 6}', "deks"),
        ('{"decks": 7}', "CARD-06"),
        ('{"tie_pays": "ocho"}', "8:1"),
        ("\ud800", "no es JSON"),
    ],
)
def test_what_cannot_be_read_is_said(tmp_path: Path, content: str, words: str) -> None:
    file = tmp_path / "rules.json"
    file.write_bytes(content.encode("utf-8", "surrogatepass"))
    assert words in stopped("baccarat.mini", "--rules", str(file))


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    assert "canasta" in stopped("canasta")
    assert "no se puede leer" in stopped("baccarat.mini", "--rules", str(tmp_path / "none.json"))
    assert "no se puede leer" in stopped("baccarat.mini", "--rules", str(tmp_path))
    for odd in (["--rounds", "0"], ["--rounds", "1000000001"], ["--decks", "0"], ["--decks", "5"]):
        assert stopped("baccarat.mini", *odd)


def test_a_simulation_shows_its_interval_and_repeats_with_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A coin that pays even money: half the time 1 lost, half the time 1 won."""

    def toss(rules: Any, draw: random.Random, rounds: int) -> tuple[Edge, ...]:
        lost = sum(1 if draw.random() < 0.5 else -1 for _ in range(rounds))
        margin = 1.96 * 100 / rounds**0.5
        return (Edge("tie", MINI.spots["tie"], 100 * lost / rounds, "simulated", 0, margin, rounds),)

    coin = replace(MINI, edges=toss)
    monkeypatch.setattr(registry, "GAMES", MappingProxyType({coin.code: coin}))
    first = said(coin.code, "--rounds", "10000", "--seed", "7")
    assert said(coin.code, "--rounds", "10000", "--seed", "7") == first
    assert said(coin.code, "--rounds", "10000", "--seed", "8") != first
    assert "simulada, 10.000 pases" in first and "95 %:" in first
    (edge,) = json.loads(said(coin.code, "--rounds", "10000", "--seed", "7", "--json"))["edges"]
    # 1.96 x 100 / 100 = 1.96 percentage points either way.
    assert (edge["margin"], edge["rounds"]) == ("1.9600", 10_000)
    assert abs(float(edge["percent"])) < 5


def test_an_edge_within_its_margin_is_doubtful() -> None:
    def shown(percent: float, margin: float) -> edges.Shown:
        return edges.shown(Edge("tie", MINI.spots["tie"], percent, "simulated", 0, margin, 10))

    assert (shown(0.5, 1.0).doubtful, shown(0.5, 1.0).favours_player) == (True, False)
    assert (shown(-2.0, 1.0).doubtful, shown(-2.0, 1.0).favours_player) == (False, True)
    assert (shown(2.0, 1.0).doubtful, shown(2.0, 1.0).favours_player) == (False, False)
    assert shown(0.5, 1.0).margin.es == "95 %: −0,5000 a 1,5000"
