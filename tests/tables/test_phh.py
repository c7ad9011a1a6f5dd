"""`manage.py phh`: hands of a table written out, files from elsewhere played through."""

from __future__ import annotations

import random
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from casino.kernel.permissions import Role
from tables import inforce, rounds
from tables.games import registry
from tables.games.base import Detail
from tables.games.ring import phh_read
from tables.games.ring.settle import settle
from tables.models import TableSession
from tests.builders import NATURAL, House
from tests.tables import every_game


def ran(*words: str) -> tuple[int, str, str]:
    out, err = StringIO(), StringIO()
    try:
        call_command("phh", *words, stdout=out, stderr=err)
    except CommandError as error:
        return error.returncode, out.getvalue(), err.getvalue() + str(error)
    return 0, out.getvalue(), err.getvalue()


def a_session(house: House, code: str, hands: int, rules: dict[str, Any] | None = None) -> TableSession:
    """A table of a ring game with so many hands walked along their prompts."""
    game, chance, by = registry.game(code), random.Random(7), house.by(Role.PIT_BOSS)
    pack = every_game.shuffled(game, chance)
    table = every_game.a_table(house, game, Detail.FULL, rules)
    session = every_game.open_session(house, table, game, pack)
    for _ in range(hands):
        current = inforce.for_new_round(session, by.occurred_at, session.detail)[0]
        chance.shuffle(pack)
        log = every_game.walked(game, game.open(current.rules, current.terms), pack, chance)
        rounds.log(session=session, number=None, events=log, by=by)
    return session


def test_hands_of_a_table_go_out_and_settle_alike_when_read_again(house: House) -> None:
    session = a_session(house, "poker.texas", 3)
    code, text, _ = ran("export", "--session", session.table.name)
    assert code == 0
    found = phh_read.hands_of(text)
    stored = list(session.rounds.order_by("number"))
    assert len(found) == len(stored) == 3
    for data, kept in zip(found, stored, strict=True):
        hand = phh_read.read(data, registry.game("poker.texas").default_rules().to_json())
        assert settle(hand.state).totals.to_json() == kept.settlement["totals"]
        assert (data["hand"], data["table"]) == (kept.number, session.table.name)
    code, text, _ = ran("export", "--session", str(session.pk), "--round", "2")
    assert [data["hand"] for data in phh_read.hands_of(text)] == [2]


def test_what_cannot_be_exported_is_said(house: House) -> None:
    session = a_session(house, "poker.five_card_stud", 1)
    code, _, said = ran("export", "--session", session.label)
    assert code == 2 and "PHH sólo conoce" in said
    assert ran("export", "--session", session.label, "--round", "9")[0] == 2
    baccarat = house.open_table(dealer=1, supervisor=1)
    house.log(baccarat, NATURAL)
    code, _, said = ran("export", "--session", baccarat.label)
    assert (code, said) == (2, "esa sesión no es de poker entre jugadores")


HAND = """variant = "NT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [100, 50]
actions = ["d dh p1 AhAd", "d dh p2 KhKd", "p2 cbr 50", "p1 cc", "p1 sm AhAd", "p2 sm KhKd",
  "d db 2c3d4h", "d db 9s", "d db Jc"]
"""


def test_files_are_played_and_told(tmp_path: Path) -> None:
    good, bad, other = tmp_path / "a.phh", tmp_path / "b.phhs", tmp_path / "c.phh"
    good.write_text(HAND, encoding="utf-8")
    bad.write_text(f"[1]\n{HAND}\n[2]\n{HAND.replace('cbr 50', 'cbr 60')}", encoding="utf-8")
    other.write_bytes(b"\xff\xfe")
    code, said, _ = ran("check", str(good))
    assert (code, said) == (
        0,
        "a.phh: poker.texas, 100 en juego; asiento 1: pozo de 100 con par de ases\n"
        "1 mano(s), 0 que no sale(n)\n",
    )
    code, said, wrong = ran("check", str(good), str(bad), str(other), "--quiet")
    assert (code, said) == (1, "4 mano(s), 2 que no sale(n)\n")
    assert "b.phhs, mano 2: 60 es más de lo que tiene" in wrong and "[GEN-07] (acción 3)" in wrong
    assert "c.phh: no es texto UTF-8" in wrong
    assert ran("check", str(tmp_path / "none.phh"))[0] == 2
    good.write_text("variant = ", encoding="utf-8")
    assert ran("check", str(good))[0] == 1


@pytest.mark.parametrize("words", [(), ("export",), ("check",), ("play",)])
def test_asked_for_nothing(words: tuple[str, ...]) -> None:
    with pytest.raises(CommandError):
        call_command("phh", *words)
