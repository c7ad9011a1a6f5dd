"""Real registers as they were told, after what they tell of went on: the same bytes, and what differs."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from audits import export_derived, exports, filing_kinds, filings, tasks
from audits.by import by_user
from audits.sealing import keeping, keys
from casino.kernel import clock
from casino.kernel.permissions import Role

from .exporting import ask

FORMATS = ["csv", "csvcomma", "xlsx", "pdf", "json"]


@pytest.fixture
def key(house, files, settings, tmp_path, monkeypatch):
    monkeypatch.setattr(tasks.produce_export, "delay", lambda _id: None)
    settings.KEYS_ROOT = tmp_path / "keys"
    settings.KEYS_ROOT.mkdir(mode=0o700)
    return keeping.make_key(by=house.by())


def _a_filing_withdrawn(house):
    filing = filings.draft_filing(
        kind=filing_kinds.NOTICE, subject=filing_kinds.about_house(house.casino), text="=1+1", by=house.by()
    )
    return lambda: filings.withdraw_filing(filing=filing, by=house.by())


def _a_person_looked_at(house):
    client = Client()
    client.force_login(house.admin)
    return lambda: client.get(f"/ajustes/usuarios/{house.admin.pk}/")


@pytest.mark.rule("REC-07")
@pytest.mark.parametrize(
    ("report", "begin", "change"),
    [
        ("audits.filings", _a_filing_withdrawn, ("celda cambiada", "borrador", "retirado")),
        ("audits.access", _a_person_looked_at, ("fila añadida", None, None)),
    ],
)
def test_it_comes_again_byte_for_byte_and_the_difference_says_what_went_on(house, key, report, begin, change):
    carla = house.person("carla", Role.COMPLIANCE)
    go_on = begin(house)
    today = str(house.casino.gaming_day(clock.now()))
    asked = {"report": report, "params": {"first": today, "last": today}}
    then = [exports.produce(ask(house, carla, format=format, **asked).pk) for format in FORMATS]
    go_on()
    for export in then:
        asked_again = export_derived.export_again(export=export, format=export.format, by=by_user(carla))
        again = exports.produce(asked_again.pk)
        assert exports.path_of(again).read_bytes() == exports.path_of(export).read_bytes()
        now = exports.produce(ask(house, carla, format=export.format, **asked).pk)
        assert now.sha256 != export.sha256
    wanted = export_derived.export_difference(export=then[0], format="json", by=by_user(carla))
    told = exports.produce(wanted.pk)
    assert keys.verifies(bytes(key.public_key), bytes(told.manifest), bytes(told.manifest_signature))
    sections = json.loads(exports.path_of(told).read_text())["sections"]
    rows = [row for section in sections for row in section["rows"]]
    # An added row says all of itself in "after": here only that it is the look of just now.
    after = {"fila añadida": None}
    found = {(row["change"], row["before"], after.get(row["change"], row["after"])) for row in rows}
    assert change in found
