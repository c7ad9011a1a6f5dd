"""A pool's statement as it was told, after its round was voided: the same bytes, and what differs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from audits import export_derived, exports, tasks
from audits.by import by_user
from audits.models import Export
from audits.sealing import keeping, keys
from casino.kernel.permissions import Role
from tables import rounds
from tests.builders import House
from tests.jackpots.builders import NOTHING, a_pool

NOBODY = "Qc Td 8s 6s 3d"


@pytest.mark.rule("REC-07", "PP-28")
def test_a_statement_comes_again_as_it_was_and_the_difference_is_the_voided_bet(
    house: House, settings: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One bet of 5.00: commission 0.50, increments 4.50 (main 3.60, reserve 0.90). Voided, all of it is 0."""
    settings.FILES_ROOT, settings.KEYS_ROOT = tmp_path / "files", tmp_path / "keys"
    settings.KEYS_ROOT.mkdir(mode=0o700)
    monkeypatch.setattr(tasks.produce_export, "delay", lambda _id: None)
    key = keeping.make_key(by=house.by(Role.ADMINISTRATOR, reason="llave"))
    night = a_pool(house)
    night.buy(0, 2)
    night.bet(0, 2)
    done = night.play(0, {2: NOTHING, 4: NOBODY}, house="Ac Ad 4d 3h 2c")
    by = by_user(house.users[Role.COMPLIANCE])
    day = str(night.sessions[0].day.date)

    def made(export: Export) -> Export:
        finished = exports.produce(export.pk)
        assert finished is not None and finished.state == "done"
        return finished

    asked = {
        "report": "jackpots.statement",
        "params": {"first": day, "last": day},
        "language": "es-bo",
        "by": by,
    }
    then = {
        name: made(exports.request_export(format=name, **asked)) for name in ("csv", "xlsx", "pdf", "json")
    }
    rounds.void(
        round=done, approved_by=night.other(Role.SUPERVISOR), cards_came_out=True,
        by=night.by(reason="se anotó dos veces"),
    )  # fmt: skip
    for name, export in then.items():
        again = made(export_derived.export_again(export=export, format=name, by=by))
        assert exports.path_of(again).read_bytes() == exports.path_of(export).read_bytes()
        now = made(exports.request_export(format=name, **asked))
        assert exports.path_of(now).read_bytes() != exports.path_of(export).read_bytes()
    told = made(export_derived.export_difference(export=then["csv"], format="json", by=by))
    assert told.manifest is not None and told.manifest_signature is not None
    assert keys.verifies(bytes(key.public_key), bytes(told.manifest), bytes(told.manifest_signature))
    sections = json.loads(exports.path_of(told).read_text())["sections"]
    lines = {(row["column"], row["before"], row["after"]) for part in sections for row in part["rows"]}
    assert {("Comisión", "0.50", "0.00"), ("Incrementos", "4.50", "0.00")} <= lines
