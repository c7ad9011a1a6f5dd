"""Whose a bundle is: the keys that signed it, rotated or lost, against those had from elsewhere."""

from __future__ import annotations

import datetime as dt
import hashlib
import json

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.test import Client
from django.urls import reverse

from audits.bundles import verify_bundle
from audits.sealing import keeping
from casino.kernel import clock
from casino.kernel.permissions import Role
from tests.regulator.nights import NIGHT, two_nights
from tests.regulator.tampering import canonical, forge, insider, verified

pytestmark = pytest.mark.rule("REC-06")

CASINO = "la-paz"


def ids(bundle):
    return [key["key_id"] for key in bundle.rows("keys.json")[0]]


def publics(bundle):
    return [key["public_key"] for key in bundle.rows("keys.json")[0]]


# ---- whose it is


def test_without_a_key_it_is_whole_but_nobody_knows_whose(bundle):
    code, said = bundle.verify(pinned=False)
    assert code == 3, said
    assert "SIN PROBAR: keys.json: de quién es" in said
    assert "/llaves-de-sello.json" in said and "--key" in said
    assert "NO TODO ESTÁ PROBADO: nada falso se halló, pero 2 punto(s) quedan sin probar" in said
    assert "ÍNTEGRO" not in said


def test_all_made_anew_with_a_key_of_ones_own_is_never_called_proven(bundle):
    """Keys, seals and manifest of a forger agree with each other; only the key known from elsewhere tells."""
    forged = forge(bundle)
    code, said = forged.verify(pinned=False)
    assert code == 3, said
    assert "0 liquidados de nuevo" in said
    code, said = forged.verify()
    assert code == 1
    assert "no es de las del paquete: lo firmó otro" in said


@pytest.mark.parametrize("form", ["file", "published", "list of houses"])
def test_keys_in_every_form_they_are_had_in(bundle, tmp_path, form):
    """Another house's keys in the same file are no keys of this one."""
    path = tmp_path / "llaves"
    code = bundle.manifest["casino"]["code"]
    house = {"v": 1, "casino": code, "keys": [{"public_key": key} for key in publics(bundle)]}
    other = {"v": 1, "casino": "otro", "keys": [{"public_key": "ab" * 32}]}
    told = {
        "file": publics(bundle)[0],
        "published": json.dumps(house),
        "list of houses": json.dumps([other, house]),
    }
    path.write_text(told[form])
    code, said = bundle.verify("--key", str(path))
    assert code == 0, said
    path.write_text(json.dumps([other]))
    code, said = bundle.verify("--key", str(path))
    assert code == 1
    assert "lo firmó otro" in said


@pytest.mark.parametrize(
    "text", ["{}", "[]", "[1]", '{"casino":"x","keys":[]}', '{"casino":1,"keys":[{}]}', "{", "[" * 9999]
)
def test_published_keys_that_are_none(bundle, tmp_path, text):
    path = tmp_path / "llaves.json"
    path.write_text(text)
    code, said = bundle.verify("--key", str(path))
    assert code == 2
    assert said.startswith("NO SE PUEDE LEER: la llave")


# ---- rotated


def test_a_rotated_key_is_followed_from_the_first_to_the_last(bundle):
    """The first key is enough: it introduced the second, which signs the second night and the manifest."""
    (first, second), old = ids(bundle), publics(bundle)[0]
    code, said = bundle.verify("--key", old)
    assert code == 0, said
    assert f"llaves: de confianza, la dada: {first}; y las que ella presentó: {second}" in said


def test_the_new_key_alone_does_as_well(bundle):
    """It signs the last seal, which has the root of the one before; the old key is not vouched for by it."""
    (first, second), new = ids(bundle), publics(bundle)[1]
    code, said = bundle.verify("--key", new)
    assert code == 0, said
    assert f"de confianza, la dada: {second}; anteriores, que no se dieron: {first}" in said
    assert "guarda su raíz" in said


def test_both_keys(bundle):
    old, new = publics(bundle)
    code, said = bundle.verify("--key", old, "--key", new)
    assert code == 0, said
    assert f"de confianza, la dada: {', '.join(ids(bundle))}\n" in said


def test_the_first_night_forged_by_who_found_the_old_key_does_not_stand(bundle):
    """With the new key given: another root of the first night is not what the second seal holds."""

    def again(rows):
        told = json.loads(rows[0]["document"]) | {"root": "11" * 32}
        rows[0]["document"] = canonical(told).decode()

    code, said = insider(bundle.change_rows("seals.jsonl", again), "--key", publics(bundle)[1])
    assert code == 1
    assert "no guarda la raíz del anterior" in said


def test_a_bundle_made_after_a_rotation_and_before_the_next_seal(nights, tmp_path):
    """The new key signs the manifest, the old one the last seal: who has only the new one is told so."""
    with clock.standing_at(NIGHT + dt.timedelta(days=1, hours=20)):
        keeping.rotate_key(by=nights.house.by(Role.ADMINISTRATOR, clock.now(), "otro cambio"))
    path = nights.bundle(tmp_path, reports=[])
    answer = Client().get(reverse("seal-keys-file"))
    published = tmp_path / "llaves-de-sello.json"
    published.write_bytes(answer.content)
    told = answer.json()
    (house,) = [
        one
        for one in (told if isinstance(told, list) else [told])
        if one["casino"] == nights.house.casino.code
    ]
    first, second, third = (key["public_key"] for key in house["keys"])
    code, said = verified(path, "--key", third)
    assert code == 3, said
    assert "SIN PROBAR: seals.jsonl: el último sello lo firma la llave" in said
    assert "--key ESA --key LA_DADA" in said
    for given in ([first], [second], [second, third], [str(published)]):
        code, said = verified(path, *(word for key in given for word in ("--key", key)))
        assert code == 0, said


# ---- lost


def test_a_lost_key_breaks_the_trust_and_is_said(settings, db, tmp_path):
    """Old alone: the new one could be anybody's. New alone, or both, had elsewhere: all of it is proven."""
    nights = two_nights(settings, tmp_path, lost=True)
    path = nights.bundle(tmp_path, reports=[])
    keys = json.loads(Client().get(reverse("seal-keys-file")).content)
    (house,) = [
        one
        for one in (keys if isinstance(keys, list) else [keys])
        if one["casino"] == nights.house.casino.code
    ]
    old, new = (key["public_key"] for key in house["keys"])
    code, said = verified(path, "--key", old)
    assert code == 1
    assert "no fue presentada por la anterior (se perdió)" in said
    assert "dé las dos (--key ANTERIOR --key ESTA)" in said
    assert "manifest.sig: no lo firma una llave de confianza" in said
    assert "0 liquidados de nuevo" in said
    code, said = verified(path)
    assert code == 1
    code, said = verified(path, "--key", new)
    assert code == 0, said
    assert "anteriores, que no se dieron" in said
    code, said = verified(path, "--key", old, "--key", new)
    assert code == 0, said


def test_a_key_that_nobody_introduced(bundle):
    def lost(rows):
        rows[0][1]["introduced_by"] = None

    code, said = insider(_keys(bundle, lost), "--no-rounds")
    assert code == 1
    assert "no fue presentada por la anterior" in said


def test_a_key_introduced_by_another(bundle):
    def other(rows):
        hand = Ed25519PrivateKey.generate()
        rows[0][1]["introduced_by"] = hand.sign(rows[0][1]["document"].encode()).hex()

    code, said = insider(_keys(bundle, other), "--no-rounds")
    assert code == 1
    assert "la llave anterior no la presentó" in said


def _keys(bundle, how):
    rows = bundle.rows("keys.json")
    how(rows)
    bundle.files["keys.json"] = canonical(rows[0])
    return bundle


def made_keys(*lost):
    """Rows of keys, one after the other; where `lost` says so nobody introduces the next."""
    rows, before = [], None
    for n, gone in enumerate((False, *lost)):
        private = Ed25519PrivateKey.generate()
        public = private.public_key().public_bytes_raw()
        name = hashlib.sha256(public).hexdigest()[:16]
        document = canonical({"casino": CASINO, "key_id": name, "public_key": public.hex(), "since": str(n)})
        hand = None if before is None or gone else before.sign(document).hex()
        rows.append(
            {
                "key_id": name, "public_key": public.hex(), "since": str(n), "until": str(n + 1),
                "document": document.decode(), "signature": private.sign(document).hex(),
                "introduced_by": hand,
            }
        )  # fmt: skip
        before = private
    return rows


@pytest.mark.parametrize(
    ("given", "trusted", "faults"),
    [
        ([0], [0], 2),  # the third was introduced by one that the first knows nothing of
        ([1], [1, 2], 0),
        ([2], [2], 0),
        ([0, 1], [0, 1, 2], 0),
        ([0, 2], [0, 2], 1),
        ([], [0], 2),
    ],
)
def test_who_follows_a_lost_key_is_trusted_by_nobody_before_it(given, trusted, faults):
    rows = made_keys(True, False)
    telling = verify_bundle.Telling(english=False)
    pinned = [(None, bytes.fromhex(rows[n]["public_key"])) for n in given]
    keys = verify_bundle.Keys(rows, CASINO, telling, pinned)
    assert keys.trusted == {rows[n]["key_id"] for n in trusted}
    assert telling.faults == faults


def test_a_key_older_than_its_introduction_says(capsys):
    rows = made_keys(False)
    rows[1]["since"] = rows[0]["until"] = "0"
    verify_bundle.Keys(rows, CASINO, verify_bundle.Telling(english=False), [])
    assert "no es desde cuándo dice su presentación" in capsys.readouterr().out
