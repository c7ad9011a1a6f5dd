"""The demo's card room: boxes and machines, levels, a count, a fault, an act, closing counts."""

from __future__ import annotations

import datetime as dt

from shoes import acts, closing, devices
from shoes import store as keeping
from shoes.models import Deck, Device, Shoe
from tables.demo.house import House, recorded_at
from tables.demo.packs import BLUE, RED, Store

MACHINES = (("BM-1", Device.Kind.SHUFFLER), ("BS-1", Device.Kind.MACHINE_SHOE))
BOXES = (11, 20, 21, 22, 23, 51, 57, 63, *range(100, 112))
"""The numbers of the shoes the evening is played from."""
LEAST = {RED: 30, BLUE: 40}
"""Of blue ones there are fewer, which the store shows (CARD-02)."""
OLD_BATCH = 6


def set_up(house: House, store: Store, at: dt.datetime) -> None:
    """What the card room has been through before the evening, from `at` (UTC) on."""
    _equip(house, at)
    _destroy_some(house, store, at + dt.timedelta(minutes=5))
    _find_a_fault(house, store, at + dt.timedelta(minutes=20))
    _count(house, at + dt.timedelta(minutes=25))


def _equip(house: House, at: dt.datetime) -> None:
    with recorded_at(at):
        by = house.by("pitboss", at, "inventario inicial")
        for number in BOXES:
            devices.set_device(number=f"SB-{number}", kind=Device.Kind.SHOE, maker="Cajas del Sur", by=by)
        for name, kind in MACHINES:
            devices.set_device(
                number=name, kind=kind, maker="Barajadoras Illimani", serial=f"{name}-77", by=by
            )
        for colour, least in LEAST.items():
            keeping.set_level(deck_type="french52", back_colour=colour, least=least, by=by)


def _destroy_some(house: House, store: Store, at: dt.datetime) -> None:
    """Worn decks of an older lot: withdrawn, cancelled, destroyed before two witnesses (CARD-45)."""
    serials = [serial for serial, _ in store.receive(OLD_BATCH, at, colour=RED, batch="L-2026-08")]
    by = house.by("supervisor", at, "bordes gastados tras la última inspección")
    keeping.withdraw(serials=serials, with_=house.users["croupier"].actor, by=by)
    keeping.cancel(serials=serials, by=by)
    acts.destroy(
        serials=serials[:-2],
        method="trituradora",
        site="depósito de naipes",
        witnesses=[house.users["pitboss"].actor, house.users["compliance"].actor],
        by=by,
    )


def _find_a_fault(house: House, store: Store, at: dt.datetime) -> None:
    """A box of 51 cards, found before play: its deck is out, its incident waits for the notice (REC-14)."""
    (short,) = store.take(1, at)
    store.inspect([short], at, counted=51, missing=["7c"])
    (torn,) = store.take(1, at)
    by = house.by("supervisor", at, "caja golpeada, con el precinto levantado")
    keeping.quarantine(serials=[torn], by=by)


def _count(house: House, at: dt.datetime) -> None:
    """The store counted by the pit boss and compliance, with nothing off (CARD-02)."""
    inside = Deck.objects.filter(casino=house.casino, state=Deck.State.STORE)
    lines = [
        {"deck_type": "french52", "back_colour": colour, "counted": inside.filter(back_colour=colour).count()}
        for colour in (RED, BLUE)
    ]
    keeping.count_store(lines=lines, with_=house.users["compliance"].actor, by=house.by("pitboss", at))


def count_shoes(house: House, at: dt.datetime) -> None:
    """The closing counts of the shoes that ended, each deck sealed again (CARD-43); the newest waits."""
    supervisor, croupier = house.by("supervisor", at), house.users["croupier"].actor
    ended = Shoe.objects.filter(casino=house.casino, state=Shoe.State.ENDED, counted_at=None)
    for shoe in list(ended.order_by("pk"))[:-1]:
        found = {
            deck.serial: {
                "counted": 52,
                "by_suit_shown": True,
                "backs_checked": True,
                "seal": f"R{shoe.number:04d}{place:02d}",
            }
            for place, deck in enumerate(closing.decks_of(shoe), start=1)
        }
        closing.count_shoe(
            shoe=shoe, found=found, inspector=supervisor.actor, witness=croupier, by=supervisor
        )
