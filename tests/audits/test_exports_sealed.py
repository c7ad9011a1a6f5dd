"""With a seal key in the house: every manifest is signed, and anybody can check it with its public half."""

from __future__ import annotations

import datetime as dt
import json

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from audits import exports, manifests, tasks
from audits.reports import provisional, registry
from casino.kernel import clock
from casino.kernel.permissions import Role
from casino.models import GamingDay

from .exporting import ask
from .sample import DAY, Sample

keeping = pytest.importorskip("audits.sealing.keeping")


@pytest.fixture(autouse=True)
def reports(monkeypatch, settings, tmp_path):
    monkeypatch.setattr(registry, "_reports", {})
    monkeypatch.setattr(tasks.produce_export, "delay", lambda _id: None)
    registry.register(Sample)
    folder = tmp_path / "keys"
    folder.mkdir(mode=0o700)
    settings.KEYS_ROOT = folder


@pytest.fixture
def export(house, files):
    return lambda: exports.produce(ask(house, house.person("carla", Role.COMPLIANCE)).pk)


@pytest.mark.rule("REC-06")
def test_the_signature_holds_for_the_manifest_as_it_was_downloaded(house, export):
    key = keeping.make_key(by=house.by())
    told = json.loads(manifests.as_file(export()))
    assert told["key_id"] == key.key_id
    # as docs/reports.md says it is checked, with nothing of ours
    body = json.dumps(told["manifest"], ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    public = Ed25519PublicKey.from_public_bytes(bytes(key.public_key))
    public.verify(bytes.fromhex(told["signature"]), body)
    with pytest.raises(InvalidSignature):
        public.verify(bytes.fromhex(told["signature"]), body.replace(b'"count":10', b'"count":11'))


def test_a_key_that_is_gone_holds_no_report_back(house, export, settings):
    keeping.make_key(by=house.by())
    for file in settings.KEYS_ROOT.rglob("*"):
        if file.is_file():
            file.unlink()
    made = export()
    assert (made.state, made.manifest_key, made.manifest_signature) == ("done", "", None)


@pytest.mark.rule("REC-08")
def test_closed_but_not_sealed_is_still_provisional_once_the_house_seals(house, past_the_guards):
    casino = house.casino
    before, begun, after = (DAY + dt.timedelta(days=number) for number in (-1, 0, 1))
    days = {
        day: GamingDay.objects.create(casino=casino, date=day, state="closed", closed_at=clock.now())
        for day in (before, begun, after)
    }
    assert provisional.days_left(casino, {"first": before, "last": after}) == []
    with past_the_guards():
        _sealed(house, days[begun])
    assert provisional.days_left(casino, {"first": before, "last": after}) == [after]


def _sealed(house, day):
    from audits.models import Seal

    key = keeping.make_key(by=house.by())
    Seal.objects.bulk_create(
        [
            Seal(
                casino=house.casino, day=day, root=b"\1" * 32, leaves=1, previous_root=bytes(32),
                document=b"{}", signature=b"\1" * 64, key=key, sealed_at=clock.now(),
            )
        ]
    )  # fmt: skip
