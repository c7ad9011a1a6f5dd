"""Whoever owns the database alters it in every way we can think of; each is found, and where is said."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db import connection

from audits.models import Event, Seal, SealKey, SealLeaf, Stream
from audits.sealing import checking, keeping, keys
from casino.kernel.canonical import canonical
from casino.models import GamingDay
from tests.audits.conftest import House
from tests.audits.seal_days import FIRST, closed_day, sealed
from tests.audits.seal_tampering import (
    DAY,
    Guards,
    altered,
    delete,
    event,
    found,
    rebuild,
    reword,
    undone,
)

pytestmark = [pytest.mark.rule("REC-06"), pytest.mark.usefixtures("key_folder")]


def test_an_untouched_house_has_no_fault(house: House, nights: list[Seal]) -> None:
    house.record("a", after="the last seal")
    keeping.rotate_key(by=house.by())
    closed_day(house.casino, FIRST + dt.timedelta(days=3))
    sealed(house.casino)
    house.record("neu", x=1)
    assert found(house) == {}
    assert checking.notes(house.casino) == []


# ---- events ---------------------------------------------------------------------------------------------


def test_one_byte_of_an_event(house: House, nights: list[Seal], past_the_guards: Guards) -> None:
    with past_the_guards():
        reword("a", 2, b'"event":1', b'"event":7')
    assert altered(house) == {"a #2": "event_broken"}


def test_one_byte_and_the_chain_made_anew(house: House, nights: list[Seal], past_the_guards: Guards) -> None:
    """Only what was sealed tells: of the first night it is one of events 1 to 3, of the second 4 or 5."""
    with past_the_guards():
        reword("a", 4, b'"event":0', b'"event":7')
        rebuild("a", since=4)
    assert altered(house) == {"a #4–5": "chain_rebuilt"}
    with past_the_guards():
        reword("a", 2, b'"event":1', b'"event":7')
        rebuild("a", since=2)
    assert altered(house) == {"a #1–3": "chain_rebuilt"}


def test_a_chain_made_anew_from_its_first_event(
    house: House, nights: list[Seal], past_the_guards: Guards
) -> None:
    with past_the_guards():
        for seq in range(1, 7):
            reword("a", seq, b'"night"', b'"noche"')
        rebuild("a")
    assert altered(house) == {"a #1–3": "chain_rebuilt"}


@pytest.mark.parametrize("anew", [False, True])
def test_two_events_change_places(
    house: House, nights: list[Seal], past_the_guards: Guards, anew: bool
) -> None:
    first, second = event("a", 4), event("a", 5)
    with past_the_guards():
        Event.objects.filter(pk=first.pk).update(seq=99)
        Event.objects.filter(pk=second.pk).update(seq=4)
        Event.objects.filter(pk=first.pk).update(seq=5)
        if anew:
            rebuild("a", since=4)
    if anew:
        assert altered(house) == {"a #4–5": "chain_rebuilt"}
    else:
        assert altered(house)["a #4"] == "event_broken"


def test_the_tail_is_cut_and_the_head_moved_back(
    house: House, nights: list[Seal], past_the_guards: Guards
) -> None:
    """The chain itself is without fault then: plain `verify_trail` walks it to its end."""
    with past_the_guards():
        Event.objects.filter(stream__name="a", seq__gt=4).delete()
        Stream.objects.filter(name="a").update(head_seq=4, head_hash=event("a", 4).hash)
    assert altered(house) == {"a #5": "sealed_tail_cut"}


def test_the_tail_is_cut_and_another_one_grown(
    house: House, nights: list[Seal], past_the_guards: Guards
) -> None:
    with past_the_guards():
        Event.objects.filter(stream__name="a", seq__gt=4).delete()
        Stream.objects.filter(name="a").update(head_seq=4, head_hash=event("a", 4).hash)
    for number in range(3):
        house.record("a", other=number)
    assert altered(house) == {"a #4–5": "chain_rebuilt"}


def test_the_head_alone_is_moved(house: House, nights: list[Seal], past_the_guards: Guards) -> None:
    with past_the_guards():
        Stream.objects.filter(name="b").update(head_seq=1, head_hash=event("b", 1).hash)
    assert set(altered(house).values()) == {"tail_cut", "sealed_tail_cut"}


def test_an_event_in_the_middle_is_gone(house: House, nights: list[Seal], past_the_guards: Guards) -> None:
    with past_the_guards():
        Event.objects.filter(stream__name="a", seq=2).delete()
    assert altered(house) == {"a #3": "event_broken"}


@pytest.mark.parametrize("events_too", [False, True])
def test_a_chain_is_deleted(
    house: House, nights: list[Seal], past_the_guards: Guards, events_too: bool
) -> None:
    with undone():
        with past_the_guards():
            if events_too:
                Event.objects.filter(stream__name="b").delete()
            delete("stream", Stream.objects.get(name="b").pk)
        said = altered(house)
    assert said.pop("b #1") == "stream_gone"
    assert list(said.values()) == ([] if events_too else ["stream_gone"])


def test_a_chain_is_deleted_with_its_leaves(
    house: House, nights: list[Seal], past_the_guards: Guards
) -> None:
    with past_the_guards(), connection.cursor() as cursor:
        SealLeaf.objects.filter(name="b").delete()
        Event.objects.filter(stream__name="b").delete()
        cursor.execute("DELETE FROM audits_stream WHERE name = 'b'")
    assert altered(house) == {f"seal {day}": "root_differs" for day in DAY[:3]}


def test_a_chain_is_renamed(house: House, nights: list[Seal], past_the_guards: Guards) -> None:
    with past_the_guards():
        Stream.objects.filter(name="b").update(name="c")
    assert altered(house) == {"b #1": "stream_gone"}


# ---- leaves and seals -------------------------------------------------------------------------------------


def test_a_leaf_is_altered(house: House, nights: list[Seal], past_the_guards: Guards) -> None:
    with past_the_guards():
        SealLeaf.objects.filter(seal=nights[1], name="a").update(hash=bytes(32))
    (fault,) = [f for f in checking.seal_faults(house.casino) if f.code != "seal_differs"]
    assert (fault.code, fault.where) == ("leaf_altered", f"seal {DAY[1]}")
    assert "a #5" in fault.words.es
    assert "las cadenas son las que se sellaron" in fault.words.es


def test_a_leaf_names_an_earlier_event(house: House, nights: list[Seal], past_the_guards: Guards) -> None:
    with past_the_guards():
        SealLeaf.objects.filter(seal=nights[1], name="a").update(seq=4, hash=event("a", 4).hash)
    (fault,) = [f for f in checking.seal_faults(house.casino) if f.code != "seal_differs"]
    assert (fault.code, fault.where) == ("leaf_altered", f"seal {DAY[1]}")
    assert "(a #5)" in fault.words.es


def test_a_leaf_is_taken_out_and_the_chain_known_from_before(
    house: House, nights: list[Seal], past_the_guards: Guards
) -> None:
    with past_the_guards():
        SealLeaf.objects.filter(seal=nights[2], name="b").delete()
    (fault,) = [f for f in checking.seal_faults(house.casino) if f.code != "seal_differs"]
    assert (fault.code, fault.where) == ("leaf_altered", f"seal {DAY[2]}")
    assert "(b #2)" in fault.words.es


def test_a_leaf_is_gone_or_added(house: House, nights: list[Seal], past_the_guards: Guards) -> None:
    one = event("b", 1)
    with past_the_guards():
        SealLeaf.objects.filter(seal=nights[0], name="b").delete()
    assert altered(house)[f"seal {DAY[0]}"] == "root_differs"
    with past_the_guards():
        SealLeaf.objects.create(
            casino=house.casino, seal=nights[0], stream=one.stream, name="b", seq=1, hash=one.hash
        )
    assert altered(house) == {}
    later = event("b", 2)
    with past_the_guards():
        SealLeaf.objects.create(
            casino=house.casino, seal=nights[1], stream=one.stream, name="b", seq=2, hash=later.hash
        )
    assert altered(house) == {f"seal {DAY[1]}": "leaf_altered"}


def test_leaf_and_event_are_altered_alike(house: House, nights: list[Seal], past_the_guards: Guards) -> None:
    """Somebody who rebuilt a chain writes its new heads into the leaves: the signed roots do not move."""
    with past_the_guards():
        reword("a", 2, b'"event":1', b'"event":7')
        rebuild("a", since=2)
        for leaf in SealLeaf.objects.filter(name="a"):
            SealLeaf.objects.filter(pk=leaf.pk).update(hash=event("a", leaf.seq).hash)
    assert altered(house) == {f"seal {day}": "root_differs" for day in DAY[:3]}


@pytest.mark.parametrize(
    "change",
    [
        {"root": bytes(32)}, {"leaves": 99}, {"previous_root": bytes(range(32))},
        {"document": b"{}"}, {"document": b"no json"}, {"document": b"[1]"}, {"signature": bytes(64)},
    ],
)  # fmt: skip
def test_a_seal_is_altered(
    house: House, nights: list[Seal], past_the_guards: Guards, change: dict[str, Any]
) -> None:
    with past_the_guards():
        Seal.objects.filter(pk=nights[1].pk).update(**change)
    codes = {f.code for f in checking.seal_faults(house.casino) if f.where == f"seal {DAY[1]}"}
    assert codes & {"seal_altered", "seal_unsigned"}


def test_a_seal_in_the_middle_is_deleted(house: House, nights: list[Seal], past_the_guards: Guards) -> None:
    with undone():
        with past_the_guards():
            delete("seal", nights[1].pk)
        said = found(house)
    assert said[f"day {DAY[1]}"] == "seal_missing"
    assert said[f"seal #{nights[1].pk}"] == "seal_missing"
    assert f"seal {DAY[2]}" in said
    assert said[f"seal:{DAY[1]}"] == "seal_differs"


def test_the_last_seal_is_deleted_with_its_leaves(
    house: House, nights: list[Seal], past_the_guards: Guards
) -> None:
    with past_the_guards():
        SealLeaf.objects.filter(seal=nights[2]).delete()
        Seal.objects.filter(pk=nights[2].pk).delete()
    assert found(house) == {f"seal:{DAY[2]}": "seal_differs"}
    assert "2026-11-04" in checking.notes(house.casino)[0].es


def test_a_closed_day_slips_in_between(house: House, nights: list[Seal], past_the_guards: Guards) -> None:
    with past_the_guards():
        GamingDay.objects.filter(pk=nights[2].day_id).update(date=FIRST + dt.timedelta(days=9))
        GamingDay.objects.create(
            casino=house.casino,
            date=FIRST + dt.timedelta(days=4),
            state="closed",
            closed_at=nights[2].sealed_at,
        )
    said = found(house)
    assert said["day 2026-11-06"] == "seal_missing"
    assert said["seal 2026-11-11"] == "seal_altered"  # its document says another day


def test_the_clock_went_back(house: House, nights: list[Seal], past_the_guards: Guards) -> None:
    """Signed so, with the house's own key: then nothing but the order of the seals tells."""
    seal = nights[2]
    back = nights[1].sealed_at - dt.timedelta(hours=3)
    key = seal.key
    _sign_anew(seal, key, sealed_at=back, past_the_guards=past_the_guards)
    with past_the_guards():
        SealKey.objects.filter(pk=key.pk).update(since=back - dt.timedelta(days=30))
    assert ("clock_went_back", f"seal {DAY[2]}") in {
        (f.code, f.where) for f in checking.seal_faults(house.casino)
    }


def _sign_anew(
    seal: Seal,
    key: SealKey,
    *,
    past_the_guards: Guards,
    private: Ed25519PrivateKey | None = None,
    sealed_at: dt.datetime | None = None,
) -> None:
    said = json.loads(bytes(seal.document))
    at = sealed_at or seal.sealed_at
    said |= {"key_id": key.key_id, "sealed_at": f"{at:%Y-%m-%dT%H:%M:%S.%fZ}"}
    document = canonical(said)
    signature = private.sign(document) if private else keys.sign_with(key, document)
    with past_the_guards():
        Seal.objects.filter(pk=seal.pk).update(document=document, signature=signature, key=key, sealed_at=at)


def test_a_seal_signed_by_another_key(house: House, nights: list[Seal], past_the_guards: Guards) -> None:
    _sign_anew(
        nights[1], nights[1].key, past_the_guards=past_the_guards, private=Ed25519PrivateKey.generate()
    )
    assert found(house)[f"seal {DAY[1]}"] == "seal_unsigned"


def test_a_seal_signed_anew_by_a_key_of_later(
    house: House, nights: list[Seal], past_the_guards: Guards
) -> None:
    later = keeping.rotate_key(by=house.by())
    _sign_anew(nights[1], later, past_the_guards=past_the_guards)
    assert found(house)[f"seal {DAY[1]}"] == "seal_key_not_in_use"
