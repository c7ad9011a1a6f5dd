"""The rulebook as pages, and the form on which a version of rules is weighed, confirmed and published."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from django.test import RequestFactory

from casino import tracing
from casino.kernel import rulebook
from casino.kernel.errors import Refused
from casino.kernel.permissions import Role
from tables import edges
from tables.games import registry
from tables.games.base import Edge, Game
from tables.models import GameRules
from tables.pages import rule_words, rules_form
from tests.builders import CONFIRMED
from tests.pages.building import GAME, Floor

PAGE = f"/ajustes/juegos/{GAME}/"


def typed(code: str = GAME, **changed: str) -> dict[str, str]:
    """The form as it is shown, with what somebody changed."""
    shown = {field.name: field.value for field in rules_form.fields_of(registry.game(code), {})}
    return {**shown, "betting_plan": "PA-2", "reason": "prueba", **changed}


def rows(page: str) -> list[str]:
    return re.findall(r'<a class="strong" href="/reglas/([A-Z]+-\d\d)/"', page)


# ---- the rulebook ---------------------------------------------------------------------------------


def test_everyone_signed_in_reads_where_a_rule_lives(floor: Floor) -> None:
    for role in (Role.CROUPIER, Role.INSPECTOR, Role.CAGE):
        page = floor.client(role).get("/reglas/BAC-15/").content.decode()
        assert "tables/games/baccarat/draws.py" in page and "because" in page
        assert "test_banca_table_cell_by_cell" in page
        assert rulebook.rule("BAC-15").text.es in page.replace("&#x27;", "'")
    english = floor.client(Role.INSPECTOR, "en").get("/reglas/BAC-15/").content.decode()
    assert "Code that enforces it" in english and "with code and test" in english


def test_a_waiting_rule_says_why(floor: Floor) -> None:
    rule = next(rule for rule in tracing.waiting() if tracing.trace(rule).state == "waiting")
    reason = tracing.waiting()[rule].reason
    assert reason.es in floor.client(Role.CROUPIER).get(f"/reglas/{rule}/").content.decode()
    assert reason.en in floor.client(Role.CROUPIER, "en").get(f"/reglas/{rule}/").content.decode()


def test_the_dialog_is_short_and_leads_to_the_page(floor: Floor) -> None:
    dialog = (
        floor.client(Role.CROUPIER).get("/reglas/BAC-15/", headers={"HX-Request": "true"}).content.decode()
    )
    assert 'href="/reglas/BAC-15/"' in dialog and "draws.py" not in dialog and "<html" not in dialog


def test_the_book_is_narrowed_by_game_treatment_state_and_word(floor: Floor) -> None:
    client = floor.client(Role.INSPECTOR)
    book = rulebook.rules()
    assert rows(client.get("/reglas/").content.decode()) == list(book)
    for query, fits in (
        ("game=baccarat.mini", lambda rule: rule.holds_for("baccarat.mini")),
        ("enforce=flag", lambda rule: rule.enforce == "flag"),
        ("state=proved", lambda rule: tracing.trace(rule.id).state == "proved"),
        ("state=waiting&game=baccarat.banked",
         lambda rule: tracing.trace(rule.id).state == "waiting" and rule.holds_for("baccarat.banked")),
        ("q=bac-15", lambda rule: rule.id == "BAC-15"),
        ("q=nada+de+nada", lambda rule: False),
        ("state=perhaps", lambda rule: False),
    ):  # fmt: skip
        found = rows(client.get(f"/reglas/?{query}").content.decode())
        assert found == [rule.id for rule in book.values() if fits(rule)], query


# ---- any game's rules as a form -------------------------------------------------------------------


@pytest.mark.parametrize("code", sorted(registry.GAMES))
def test_the_form_of_every_game_gives_back_what_it_shows(code: str, rf: RequestFactory) -> None:
    game = registry.game(code)
    default = game.default_rules().to_json()
    read = rules_form.params_of(rf.post("/", typed(code)), game)
    assert read == {name: value for name, value in default.items() if name not in rules_form.FIXED}
    assert game.read_rules(read) == game.default_rules()
    for field in rules_form.fields_of(game, default):
        assert field.choices is None or field.value in dict(field.choices), field.name


def _game(**default: Any) -> Game:
    class Rules:
        def to_json(self) -> dict[str, Any]:
            return {"game": GAME, **default}

    def read_rules(data: object) -> Any:
        raise Refused(rule_words.RATIO, code="bad_value", field="?")

    return replace(registry.game(GAME), default_rules=Rules, read_rules=read_rules)


def test_rows_flags_lists_nulls_and_the_rest_keep_their_types(rf: RequestFactory) -> None:
    game = _game(
        pairs_pays={"perfect_pair": "25:1", "mixed_pair": "6:1"},
        soft=True,
        totals=[9, 10],
        names=["a", "b"],
        cap=None,
        odd={"deep": {"er": 1}},
        rake_basis_points=400,
        limit="none",
    )
    names = [field.name for field in rules_form.fields_of(game, {})]
    assert names[:2] == ["pairs_pays.perfect_pair", "pairs_pays.mixed_pair"]
    sent = {
        "pairs_pays.perfect_pair": "30:1",
        "pairs_pays.mixed_pair": "5:1",
        "pairs_pays.colour_pair": "12:1",  # a row the game's own table lacks: the engine says whether it may
        "soft": "false",
        "totals": "9, 10,11",
        "names": "a",
        "cap": "500",
        "odd": '{"deep": []}',
        "rake_basis_points": "5.25",
        "limit": "pot",
    }
    assert rules_form.params_of(rf.post("/", sent), game) == {
        "pairs_pays": {"perfect_pair": "30:1", "mixed_pair": "5:1", "colour_pair": "12:1"},
        "soft": False,
        "totals": [9, 10, 11],
        "names": ["a"],
        "cap": 500,
        "odd": {"deep": []},
        "rake_basis_points": 525,
        "limit": "pot",
    }
    assert rules_form.params_of(rf.post("/", {**sent, "cap": " "}), game)["cap"] is None
    for field, wrong in (("soft", "quizá"), ("odd", "{"), ("odd", "[" * 5000), ("rake_basis_points", "x")):
        with pytest.raises(Refused) as refusal:
            rules_form.params_of(rf.post("/", {**sent, field: wrong}), game)
        assert refusal.value.field == field


def test_labels_come_from_the_words_and_the_book() -> None:
    fields = {field.name: field for field in rules_form.fields_of(registry.game(GAME), {})}
    assert fields["tie_pays"].label.en == "Tie pays" and "BAC-22" in fields["tie_pays"].help.es
    # The engine's own list of what it takes, in words.
    assert dict(fields["banca_variant"].choices or ())["no_commission"].es == "sin comisión"
    assert [value for value, _ in fields["decks"].choices or ()] == ["6", "8"]
    odd = rules_form.fields_of(_game(some_new_thing="x", rows={"odd_row": "1:1"}), {})
    assert [field.label.es for field in odd] == ["Some new thing", "Rows: Odd row"]


def test_every_parameter_and_row_of_every_game_has_its_words() -> None:
    for game in registry.GAMES.values():
        for field in rules_form.fields_of(game, {}):
            name, _, row = field.name.partition(".")
            assert name in rule_words.PARAMS, (game.code, name)
            assert not row or row in rule_words.ROWS, (game.code, field.name)


def test_every_row_of_the_book_s_pay_tables_has_its_words() -> None:
    hands = {row["hand"] for table in rulebook.paytables().values() for row in table.rows}
    assert hands - set(rule_words.ROWS) == set()


# ---- weighing and publishing ----------------------------------------------------------------------


@pytest.mark.rule("GEN-06")
def test_the_edge_is_shown_at_once_and_of_what_is_typed(floor: Floor) -> None:
    client = floor.client(Role.ADMINISTRATOR)
    # Published for 8 decks: punto 1.2351, banca 1.0579, tie 14.3596 %.
    assert all(percent in client.get(PAGE).content.decode() for percent in ("1,2351", "1,0579", "14,3596"))
    response = client.post(PAGE, typed(tie_pays="9:1", act="edges", reason=""))
    page = response.content.decode()
    # Tie at 9 to 1 with 8 decks: 0.904844 - 9 x 0.095156 = 4.8440 %.
    assert response.status_code == 200 and "4,8440" in page and 'value="9:1"' in page
    assert "Simular" not in page  # every bet of this game is counted
    assert GameRules.objects.filter(game=GAME).count() == 1
    bad = client.post(PAGE, typed(tie_pays="ocho", act="edges"))
    assert (bad.status_code, GameRules.objects.filter(game=GAME).count()) == (422, 1)


@pytest.mark.rule("GEN-06")
def test_a_simulation_is_run_only_when_asked_for_and_bounded(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def simulate(rules: Any, draw: Any, rounds: int) -> tuple[Edge, ...]:
        asked.append(rounds)
        return (Edge("tie", registry.game(GAME).spots["tie"], 1.5, "simulated", 0, 2.0, rounds),)

    game = replace(registry.game(GAME), edges=simulate, quick_edges=lambda rules: ())
    monkeypatch.setattr(registry, "GAMES", {**registry.GAMES, GAME: game})
    client = floor.client(Role.ADMINISTRATOR)
    assert "Simular el resto" in client.get(PAGE).content.decode() and asked == []
    page = client.post(PAGE, typed(act="simulate")).content.decode()
    assert asked == [edges.PAGE_ROUNDS] and edges.PAGE_ROUNDS <= 10_000
    assert "95 %: −0,5000 a 3,5000" in page and "podría favorecer al jugador" in page


@pytest.mark.rule("GEN-05")
def test_what_the_book_leaves_open_is_confirmed_on_the_page(floor: Floor) -> None:
    client = floor.client(Role.ADMINISTRATOR)
    assert "Cifras que el reglamento deja al operador" in client.get(PAGE).content.decode()
    response = client.post(PAGE, typed(tie_pays="9:1"))
    page = response.content.decode()
    beside = page.split('id="r-confirmed_by"')[1].split("</div>")[0]
    assert response.status_code == 422 and "GEN-05" in beside and "baccarat.tie" in beside
    assert re.search(r"tie</span> 9:1\s+\(el reglamento: 8:1\)", page)
    assert client.post(PAGE, typed(confirmed_by="Ana Rojas", confirmation="acta 12")).status_code == 302
    after = client.get(PAGE).content.decode()
    assert "Ana Rojas · acta 12" in after and "forzada" not in after


@pytest.mark.rule("GEN-06")
def test_what_is_forced_stays_in_view(floor: Floor) -> None:
    client = floor.client(Role.ADMINISTRATOR)
    against = typed(tie_pays="10:1", **CONFIRMED)
    page = client.post(PAGE, against).content.decode()
    assert 'name="forced"' in page and "favorece al jugador" in page
    assert client.post(PAGE, {**against, "forced": "aniversario, acta 3"}).status_code == 302
    after = client.get(PAGE).content.decode()
    assert "aniversario, acta 3" in after and re.search(r'class="chip bad">\s*forzada', after)
    assert "forzada" in client.get("/ajustes/juegos/").content.decode()
    trail = floor.client(Role.INSPECTOR).get("/auditoria/?action=tables.rules.forced").content.decode()
    assert "FORZADAS" in trail.upper() and "aniversario, acta 3" in trail


@pytest.mark.rule("PH-13")
@pytest.mark.rule("GEN-06")
def test_the_provisional_table_of_draw_poker_is_weighed_by_simulation_and_only_forced(floor: Floor) -> None:
    """Nothing of Draw Poker is counted at once; its BET table favours whoever changes cards well (PH-13)."""
    client, page = floor.client(Role.ADMINISTRATOR), "/ajustes/juegos/poker.draw/"
    shown = client.get(page).content.decode()
    assert "Simular el resto" in shown and "no operar en vivo" in shown
    refused = client.post(page, typed("poker.draw", **CONFIRMED))
    said = refused.content.decode()
    assert refused.status_code == 422 and "GEN-06" in said
    assert "simulada, 5.000 pases" in said and "favorece al jugador" in said and 'name="forced"' in said
    forced = typed("poker.draw", **CONFIRMED, forced="demostración, sin dinero")
    assert client.post(page, forced).status_code == 302
    assert "demostración, sin dinero" in client.get(page).content.decode()


def test_a_word_that_is_the_only_one_is_said_in_words() -> None:
    """`each_live_bet` is no code to be typed."""
    fields = {f.name: f for f in rules_form.fields_of(registry.game("blackjack.challenge21"), {})}
    assert [code for code, _ in fields["decision_applies_to"].choices or ()] == ["each_live_bet"]
    assert fields["decision_applies_to"].choices[0][1].es == "cada apuesta en juego"  # type: ignore[index]
    assert fields["insurance_pays"].choices is None  # a ratio is typed, whatever the book gives
