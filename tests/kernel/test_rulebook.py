"""The rulebook as it is read: whole, once, and the same as the files."""

from __future__ import annotations

import re
import tomllib

import pytest

from casino.kernel import rulebook
from casino.kernel.errors import NotFound


def _raw(key: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    for path in sorted(rulebook.FOLDER.glob("*.toml")):
        found += tomllib.loads(path.read_text(encoding="utf-8")).get(key, [])
    return found


def test_nothing_of_the_files_is_lost() -> None:
    assert len(_raw("rule")) > 200
    assert list(rulebook.rules()) == [entry["id"] for entry in _raw("rule")]
    assert list(rulebook.games()) == [entry["code"] for entry in _raw("game")]
    assert list(rulebook.paytables()) == [entry["id"] for entry in _raw("paytable")]
    assert rulebook.rules() is rulebook.rules()


def test_a_rule_as_written() -> None:
    rule = rulebook.rule("CARD-06")
    assert rule.title.en == "Punto y Banca decks"
    assert (rule.phase, rule.kind, rule.enforce, rule.source, rule.confirm) == (
        "inspect",
        "parameter",
        "refuse",
        "comparable",
        True,
    )
    assert rule.params == {"decks_default": 6, "decks_allowed": [6, 8], "cards_per_deck": 52}
    assert rule.conflict.startswith("Francia y España")
    assert rule.holds_for("baccarat.mini") and not rule.holds_for("trente.classic")
    assert rulebook.rule("GEN-04").holds_for("trente.classic")
    with pytest.raises(TypeError):
        rule.params["decks_default"] = 5  # type: ignore[index]


def test_a_game_as_written() -> None:
    game = rulebook.game("baccarat.punto_banca")
    assert (game.name.es, game.aj_status, game.deck, game.bank) == (
        "Punto y Banca",
        "official",
        "french52",
        "house",
    )
    assert (game.decks_default, game.decks_allowed, game.seats_default, game.seats_max) == (6, (6, 8), 9, 14)
    assert [dict(post) for post in game.staff] == [
        {"role": "caller", "count": 1},
        {"role": "payer", "count": 2},
        {"role": "supervisor", "count": 1},
    ]
    assert game.rulebook == ("baccarat.toml", "cards.toml", "floor.toml")
    assert game.notes is None and rulebook.game("trente.classic").notes is not None


def test_rules_of_a_game_are_its_own_and_the_general_ones() -> None:
    ids = {rule.id for rule in rulebook.rules_of("baccarat.mini")}
    assert {"BAC-13", "GEN-04", "CARD-42"} <= ids
    assert not {"BAC-08", "BAC-09", "BJ-22"} & ids


def test_a_pay_table_as_written() -> None:
    table = rulebook.paytables()["baccarat.tie"]
    assert (table.bet, table.order, table.default, table.games[0]) == (
        "tie",
        "first_match",
        True,
        "baccarat.punto_banca",
    )
    assert [dict(row) for row in table.rows] == [
        {"hand": "tie", "pays": "8:1"},
        {"hand": "no_tie", "pays": "lose"},
    ]
    assert table.data["confirm"] is True
    assert table.live


def test_every_code_of_a_rule_has_its_words() -> None:
    for rule in rulebook.rules().values():
        assert rule.phase in rulebook.PHASES, rule.id
        assert rule.kind in rulebook.KINDS, rule.id
        assert rule.enforce in rulebook.ENFORCED, rule.id
        assert rule.source in rulebook.SOURCES, rule.id


def test_what_is_not_there_is_not_found() -> None:
    with pytest.raises(NotFound) as rule:
        rulebook.rule("BAC-99")
    with pytest.raises(NotFound) as game:
        rulebook.game("canasta")
    assert (rule.value.code, game.value.code) == ("unknown_rule", "unknown_game")


def test_every_rule_the_engines_cite_exists() -> None:
    cited = set()
    for folder in ("tables/games", "shoes", "casino/kernel"):
        for path in (rulebook.FOLDER.parent.parent / folder).rglob("*.py"):
            cited |= set(
                re.findall(r"\b(?:GEN|CARD|BAC|FLOOR|REC)-\d{2}\b", path.read_text(encoding="utf-8"))
            )
    assert {"BAC-15", "GEN-06", "CARD-06"} <= cited
    assert cited <= set(rulebook.rules())
