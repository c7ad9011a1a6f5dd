"""Rules as versions: what the book leaves open is confirmed by name, what favours the player is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from audits.models import Event
from casino.kernel import rulebook
from casino.kernel.permissions import Role
from tables import confirming, edges, settings
from tables.games import registry
from tables.games.base import Edge
from tables.models import GameRules
from tests.builders import CONFIRMED, House
from tests.tables.refusing import refused, rewriting_is_refused

MINI = registry.game("baccarat.mini")
EVEN_SIX = {"banca_variant": "no_commission", "banca_six_pays": "1:1"}
"""Banca 0.458597 against punto 0.446247 at even money: 1.24 % for the player (8 decks)."""


def publish(house: House, params: dict[str, Any], **about: str) -> GameRules:
    by = house.by(Role.ADMINISTRATOR, reason="prueba")
    return settings.publish_rules(
        game=MINI.code, params=params, betting_plan="PA-7", by=by, **{**CONFIRMED, **about}
    )


def told(action: str = "tables.rules.published") -> dict[str, Any]:
    event = Event.objects.filter(action=action).order_by("-pk").first()
    assert event is not None
    data: dict[str, Any] = json.loads(bytes(event.body))
    return data


# ---- GEN-05: figures the book leaves to the operator ----------------------------------------------


@pytest.mark.rule("GEN-05")
def test_unconfirmed_figures_are_listed_and_refused(house: House) -> None:
    with refused("unconfirmed_figures", "GEN-05") as refusal:
        publish(house, {"tie_pays": "9:1"}, confirmed_by="", confirmation="")
    figures = {figure["id"]: figure for figure in refusal.value.detail["figures"]}
    # Pay tables in use: banca's with commission, not the one without.
    assert {table for table in figures if table.startswith("baccarat.")} == {
        "baccarat.punto",
        "baccarat.banca.commission",
        "baccarat.tie",
    }
    assert all(rulebook.paytables()[table].confirm for table in figures if "." in table)
    # The version's figure is what is confirmed, not the book's 8:1.
    assert figures["baccarat.tie"]["values"] == {"tie": "9:1"}
    assert figures["BAC-22"]["values"]["tie_pays"] == "9:1"
    assert {"BAC-15", "BAC-22", "CARD-06", "GEN-09"} <= set(figures)
    assert refusal.value.field == "confirmed_by"
    for language in ("es", "en"):
        assert all(name in getattr(refusal.value.message, language) for name in figures)
    assert not GameRules.objects.exists()


@pytest.mark.rule("GEN-05")
@pytest.mark.parametrize(
    ("about", "field"),
    [
        ({"confirmed_by": "Ana Rojas", "confirmation": " "}, "confirmation"),
        ({"confirmed_by": "", "confirmation": "acta 12"}, "confirmed_by"),
    ],
)
def test_a_confirmation_is_a_name_and_a_reason(house: House, about: dict[str, str], field: str) -> None:
    with refused("half_confirmed", "GEN-05") as refusal:
        publish(house, {}, **about)
    assert refusal.value.field == field


@pytest.mark.rule("GEN-05")
@pytest.mark.parametrize(
    "about", [{"confirmed_by": "A\u202ena"}, {"confirmed_by": "A" * 151}, {"confirmation": "dos\nlíneas"}]
)
def test_a_confirmation_is_what_it_looks_like(house: House, about: dict[str, str]) -> None:
    with refused("bad_confirmation", "GEN-05"):
        publish(house, {}, **about)


@pytest.mark.rule("GEN-05")
def test_who_confirmed_and_why_is_kept_and_told(house: House) -> None:
    stored = publish(house, {}, confirmed_by=" Ana Rojas ", confirmation="acta 12 del directorio")
    assert (stored.confirmed_by, stored.confirmation) == ("Ana Rojas", "acta 12 del directorio")
    assert (stored.forced, stored.history.get().confirmed_by) == ("", "Ana Rojas")
    body = told()
    assert (body["data"]["confirmed_by"], body["data"]["confirmation"]) == (
        "Ana Rojas",
        "acta 12 del directorio",
    )
    assert "baccarat.tie" in body["data"]["unconfirmed"] and body["rules"] == ["GEN-03", "GEN-05"]
    rewriting_is_refused("UPDATE tables_gamerules SET confirmed_by = 'otra'")


@pytest.mark.rule("GEN-05")
def test_half_a_confirmation_is_refused_by_the_database(house: House) -> None:
    stored = publish(house, {})
    with pytest.raises(IntegrityError, match="confirmation_says_who_and_why"), transaction.atomic():
        one = GameRules(
            casino=house.casino,
            game=MINI.code,
            version=9,
            params=stored.params,
            effective_from=stored.effective_from,
            betting_plan="PA-9",
            reason="a mano",
            published_by=stored.published_by,
            confirmed_by="Ana",
        )
        GameRules.objects.bulk_create([one])


def test_the_variant_chosen_is_the_table_in_use() -> None:
    def tables(**params: Any) -> set[str]:
        stated = MINI.read_rules(params).to_json()
        return {table.id for table in confirming.tables_in_use(MINI, stated) if table.bet == "banca"}

    assert tables() == {"baccarat.banca.commission"}
    assert tables(banca_variant="no_commission") == {"baccarat.banca.no_commission"}


def test_a_version_s_own_figures_stand_for_the_book_s() -> None:
    stated = MINI.read_rules(
        {"banca_variant": "no_commission", "banca_six_pays": "1:3", "decks": 8}
    ).to_json()
    figures = {figure.id: figure for figure in confirming.unconfirmed(MINI, stated)}
    banca = {value.name: value for value in figures["baccarat.banca.no_commission"].values}
    assert (banca["banca_wins_with_six"].book, banca["banca_wins_with_six"].version) == ("1:2", "1:3")
    assert (banca["banca_wins"].version, banca["banca_wins"].differs) == ("1:1", False)
    decks = {value.name: value.version for value in figures["CARD-06"].values}
    assert decks["decks_default"] == "8"
    # A commission of 500 basis points is the book's 5 %.
    commission = {value.name: value for value in figures["BAC-22"].values}["banca_commission_percent"]
    assert (commission.book, commission.version) == ("5", "5")


def test_rows_spelt_out_tell_which_table_is_in_use() -> None:
    game = replace(MINI, code="poker.three_card")
    for table_id in ("a", "b", "c", "d"):
        table = rulebook.paytables()[f"three_card.pair_plus.{table_id}"]
        rows = {row["hand"]: row["pays"] for row in table.rows if ":" in row["pays"]}
        used = confirming.tables_in_use(game, {"pair_plus_pays": rows})
        assert table in used, table_id
    # Figures of nobody's: the default table is what they are held against.
    odd = {"pair_plus_pays": {"pair": "2:1", "flush": "3:1"}}
    figures = {figure.id: figure for figure in confirming.unconfirmed(game, odd)}
    values = {value.name: value for value in figures["three_card.pair_plus.a"].values}
    assert (values["pair"].book, values["pair"].version, values["pair"].differs) == ("1:1", "2:1", True)
    assert values["straight"].version == "6:1"


@pytest.mark.rule("GEN-05")
@pytest.mark.rule("PH-13")
def test_a_table_not_to_be_operated_live_says_so() -> None:
    """PH-13: the BET table of Draw Poker is provisional and not for live use."""
    assert not rulebook.paytables()["draw.bet.a"].live
    assert [table.id for table in rulebook.paytables().values() if not table.live] == ["draw.bet.a"]
    with refused("unconfirmed_figures", "GEN-05") as refusal:
        confirming.refuse_unconfirmed(replace(MINI, code="poker.draw"), {}, "", "")
    assert "draw.bet.a no debe operarse en vivo" in refusal.value.message.es
    assert "draw.bet.a must not be operated live" in refusal.value.message.en
    figures = {figure["id"]: figure for figure in refusal.value.detail["figures"]}
    # draw.ante needs no confirmation: the book has it from the AJ text.
    assert {name: figure["live"] for name, figure in figures.items() if "." in name} == {"draw.bet.a": False}
    # The pool's scheme is none of this version's: it is confirmed with the pool's own parameters.
    assert not any(name.startswith(("PP-", "progressive")) for name in figures)


# ---- GEN-06: never for the player, unless forced --------------------------------------------------


@pytest.mark.rule("GEN-06")
@pytest.mark.parametrize(
    ("change", "bet", "field"),
    [
        # Break-even with 8 decks: punto 1.0277 to 1, tie 9.509 to 1, commission 2.69 %.
        ({"punto_pays": "103:100"}, "punto", "punto_pays"),
        ({"tie_pays": "951:100"}, "tie", "tie_pays"),
        ({"commission_basis_points": 269}, "banca", "banca_pays"),
        (EVEN_SIX, "banca", "banca_pays"),
    ],
)
def test_a_version_for_the_player_is_refused(
    house: House, change: dict[str, Any], bet: str, field: str
) -> None:
    with refused("player_edge", "GEN-06") as refusal:
        publish(house, change)
    assert refusal.value.field == field
    assert {edge["bet"] for edge in refusal.value.detail["edges"]} == {bet}
    assert all(edge["percent"].startswith("-") for edge in refusal.value.detail["edges"])
    assert not GameRules.objects.exists()


@pytest.mark.rule("GEN-06")
def test_forced_with_a_reason_it_is_published_and_stands_out(house: House) -> None:
    stored = publish(house, EVEN_SIX, forced="promoción de aniversario, acta 3")
    assert (stored.forced, stored.history.get().forced) == ("promoción de aniversario, acta 3",) * 2
    body = told("tables.rules.forced")
    assert body["data"]["forced"] == stored.forced
    assert body["rules"] == ["GEN-03", "GEN-05", "GEN-06"]
    eight = next(edge for edge in body["data"]["favouring"] if edge["decks"] == 8)
    # 0.458597 - 0.446247 = 1.2350 %
    assert (eight["bet"], eight["percent"][:5], eight["method"]) == ("banca", "-1.23", "exact")


@pytest.mark.rule("GEN-06")
def test_a_sound_version_is_not_marked_as_forced(house: House) -> None:
    with refused("nothing_to_force", "GEN-06"):
        publish(house, {}, forced="por si acaso")
    # Spaces are no reason.
    with refused("player_edge", "GEN-06"):
        publish(house, EVEN_SIX, forced="   ")


@pytest.mark.rule("GEN-06")
def test_what_a_simulation_leaves_in_doubt_is_refused_too() -> None:
    """Only what is known to favour the house is published unforced: 1.5 less 1.6 may be for the player."""

    def game(percent: float, margin: float) -> Any:
        edge = Edge("tie", MINI.spots["tie"], percent, "simulated", margin=margin, rounds=1000)
        return replace(MINI, quick_edges=lambda rules: (edge,))

    rules = MINI.default_rules()
    assert edges.refuse_player_edge(game(1.5, 1.4), rules, "") == []
    for percent, margin, words in ((-1.0, 0.5, "favorece"), (-1.0, 1.5, "podría"), (1.5, 1.6, "podría")):
        with refused("player_edge", "GEN-06") as refusal:
            edges.refuse_player_edge(game(percent, margin), rules, "")
        assert f"Empate {words}" in refusal.value.message.es
        assert len(edges.refuse_player_edge(game(percent, margin), rules, "acta 3")) == 1
    assert "entre −0,1000 y 3,1000 %" in refusal.value.message.es
    assert "between −0.1000 and 3.1000 %" in refusal.value.message.en


@pytest.mark.rule("GEN-06")
@pytest.mark.parametrize("row", ["pair", "three_of_a_kind", "full_house", "four_of_a_kind"])
def test_a_rare_hand_paid_a_thousand_to_one_does_not_hide_in_the_margin(row: str) -> None:
    """Draw Poker is simulated: the rarer the row, the wider its margin. All but that row pay nothing."""
    game = registry.game("poker.draw")
    pays = {
        name: "1000:1" if name == row else "1:100" if ":" in ratio else ratio
        for name, ratio in game.default_rules().to_json()["bet_pays"].items()
    }
    assert edges.favouring(game, game.read_rules({"bet_pays": pays}))


@pytest.mark.rule("GEN-06")
def test_where_nothing_is_counted_at_once_a_simulation_is_held_against_a_version() -> None:
    """A coin for even money that falls for the player three times in four: -50 %, far beyond its margin."""

    def toss(rules: Any, draw: Any, rounds: int) -> tuple[Edge, ...]:
        lost = sum(1 if draw.random() < 0.25 else -1 for _ in range(rounds))
        margin = 196 / rounds**0.5
        return (Edge("tie", MINI.spots["tie"], 100 * lost / rounds, "simulated", 0, margin, rounds),)

    coin = replace(MINI, edges=toss, quick_edges=lambda rules: ())
    with refused("player_edge", "GEN-06") as refusal:
        edges.refuse_player_edge(coin, MINI.default_rules(), "")
    (edge,) = refusal.value.detail["edges"]
    assert (edge["method"], edge["rounds"]) == ("simulated", edges.PAGE_ROUNDS)
    assert edges.refuse_player_edge(coin, MINI.default_rules(), "acta 3") == [edge]


@pytest.mark.rule("GEN-05")
@pytest.mark.parametrize("code", sorted(registry.GAMES))
def test_every_ratio_shown_for_confirmation_is_the_version_s(code: str) -> None:
    """With every ratio of the version another, no pay table in use still shows the book's."""
    game = registry.game(code)

    def other(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: other(one) for name, one in value.items()}
        return "7:3" if isinstance(value, str) and ":" in value else value

    for figure in confirming.unconfirmed(game, other(game.default_rules().to_json())):
        shown = {value.name: value.version for value in figure.values if ":" in value.book}
        assert figure.rule or set(shown.values()) <= {"7:3"}, figure.id
