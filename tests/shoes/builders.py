"""Casinos, people, inspected decks and shoes for tests, made by the write functions themselves."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from audits.by import By, by_system, by_user
from audits.incidents import report_incident, resolve_incident
from audits.models import Actor, Incident
from audits.people import create_user
from casino.kernel.permissions import Role
from casino.models import Casino
from shoes import cards, deck_proofs, moving, proofs
from shoes.closing import count_shoe, decks_of
from shoes.decks import issue_decks, register_decks
from shoes.examining import inspect_deck
from shoes.models import Deck, Shoe
from shoes.shoes import add_decks, put_in_play, start_shoe, take_step
from shoes.store import withdraw
from tests.kept import kept, kept_house

_numbers = itertools.count(1)


@kept_house()
def a_casino(code: str = "") -> Casino:
    code = code or f"casa-{next(_numbers)}"
    return Casino.objects.create(
        code=code, name=code.capitalize(), denominations=[500, 1_000, 2_500, 10_000, 50_000, 100_000]
    )


@kept
def a_person(casino: Casino, *roles: Role, name: str = "") -> By:
    """A login of the casino, as `By`."""
    number = next(_numbers)
    user = create_user(
        username=f"persona{number}",
        name=name or f"Persona {number}",
        password="una clave larga de prueba",
        roles=roles,
        by=by_system(casino, "pruebas"),
    )
    return by_user(user)


def beside(by: By, role: Role) -> By:
    """A second person of the house, always the same one of a role, at the same instant."""
    name = f"Segunda firma, {role.value}"
    actor = Actor.objects.filter(casino=by.casino, name=name).first()
    return replace(by, actor=actor or a_person(by.casino, role, name=name).actor)


@kept
def inspected_decks(
    casino: Casino, by: By, count: int = 8, *, witness: Actor | None = None, **about: Any
) -> list[Deck]:
    """Decks that passed inspection by `by.actor` (supervisor or pit boss) and a croupier."""
    witness = witness or beside(by, Role.CROUPIER).actor
    decks = issued_decks(casino, by, count, **about)
    for deck in decks:
        inspect_deck(
            deck=deck,
            counted=len(cards.deck_type(deck.deck_type).cards),
            by_suit_shown=True,
            backs_checked=True,
            inspector=by.actor,
            witness=witness,
            by=by,
        )
    return list(Deck.objects.filter(pk__in=[deck.pk for deck in decks]).order_by("pk"))


@kept
def issued_decks(
    casino: Casino, by: By, count: int = 8, *, place: str = moving.DESK, **about: Any
) -> list[Deck]:
    """Decks just handed to the inspection desk, their seals read, nobody having opened them yet."""
    decks = registered_decks(casino, by, count, **about)
    receiver = beside(by, Role.CROUPIER).actor
    seals = {deck.serial: deck.seal for deck in decks}
    issue_decks(seals=seals, place=place, received_by=receiver, by=by)
    return list(Deck.objects.filter(pk__in=[deck.pk for deck in decks]).order_by("pk"))


@kept
def registered_decks(casino: Casino, by: By, count: int = 8, **about: Any) -> list[Deck]:
    """Decks just received, in the store."""
    particulars = {
        "maker": "Naipes del Sur",
        "batch": "L-2026-11",
        "back_design": "rombos",
        "back_colour": "rojo",
        "homologation": "AJ-2026-0007",
        **about,
    }
    serials = [f"N{next(_numbers):06d}" for _ in range(count)]
    second = beside(by, Role.COMPLIANCE).actor
    return register_decks(serials=serials, received_with=second, by=by, **particulars)


STEPS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("show", {}),
    ("wash", {}),
    ("shuffle", {"kind": "double"}),
    ("check", {"sequences": "none"}),
    ("cut", {"declined": [1], "cut_by": 2, "position": 120}),
    ("turn", {}),
    ("load", {"stop_card_from_end": 6}),
    ("burn", {"card": "2c", "burned": 2}),
)
"""A Punto y Banca preparation without fault, after its decks are in. The burn takes 2c and two more."""


@kept
def shoe_with_decks(casino: Casino, by: By, *, game: str = "baccarat.mini", decks: int = 8) -> Shoe:
    """A shoe with all its inspected decks and no other step."""
    shoe = start_shoe(game=game, decks_wanted=decks, by=by)
    return add_decks(shoe=shoe, serials=[deck.serial for deck in inspected_decks(casino, by, decks)], by=by)


@kept
def shoe_up_to(casino: Casino, by: By, step: str, *, game: str = "baccarat.mini", decks: int = 8) -> Shoe:
    """A shoe whose next step is `step`."""
    shoe = shoe_with_decks(casino, by, game=game, decks=decks)
    for code, data in STEPS:
        if code == step:
            return shoe
        shoe = signed(shoe, code, data, by)
    raise AssertionError(f"no step {step}")


@kept
def ready_shoe(casino: Casino, by: By, game: str = "baccarat.mini", decks: int = 8) -> Shoe:
    """A shoe through every real step; 2c was turned and two cards burned: 3 out, 413 left of 416."""
    shoe = shoe_with_decks(casino, by, game=game, decks=decks)
    for code, data in STEPS:
        shoe = signed(shoe, code, data, by)
    return shoe


def signed(shoe: Shoe, step: str, data: dict[str, Any], by: By) -> Shoe:
    """A step signed by who prepares; the check of the shuffle by another chief (GEN-10)."""
    return take_step(
        shoe=shoe, step=step, data=data, by=beside(by, Role.SUPERVISOR) if step == "check" else by
    )


def counted(
    shoe: Shoe, by: By, *, sealed: bool = False, faults: Mapping[str, Mapping[str, Any]] | None = None
) -> Shoe:
    """The closing count of an ended shoe: every deck whole but for what `faults` says of some, by serial.

    `sealed`: whole ones are closed again, each with a new seal.
    """
    found: dict[str, dict[str, Any]] = {}
    for deck in decks_of(shoe):
        size = len(cards.deck_type(deck.deck_type).cards)
        whole = {"counted": size, "by_suit_shown": True, "backs_checked": True}
        fault = (faults or {}).get(deck.serial, {})
        seal = f"R{next(_numbers):06d}" if sealed and not fault else ""
        found[deck.serial] = {**whole, "seal": seal, **fault}
    witness = beside(by, Role.CROUPIER).actor
    return count_shoe(shoe=shoe, found=found, inspector=by.actor, witness=witness, by=by)


def withdrawn(serials: Sequence[str], by: By) -> list[Deck]:
    """Decks taken out of use, in an envelope that a dealer signs too."""
    return withdraw(serials=serials, with_=beside(by, Role.CROUPIER).actor, by=by)


def faults(casino: Casino) -> list[tuple[str, str]]:
    """What the proofs of the cards find wrong: code and place of each."""
    proofs_of_cards = (
        proofs.told_faults, proofs.shoe_faults, deck_proofs.told_faults, deck_proofs.stock_faults,
    )  # fmt: skip
    return [(fault.code, fault.where) for proof in proofs_of_cards for fault in proof(casino)]


def an_incident(by: By, *, kind: str = "floor.other") -> Incident:
    """One opened by hand by a chief or compliance."""
    return report_incident(kind=kind, summary="una sospecha", by=by)


def settled(incident: Incident, by: By) -> Incident:
    """An incident settled by `by` and a pit boss."""
    second = beside(by, Role.PIT_BOSS).actor
    words = "se revisaron las grabaciones"
    return resolve_incident(incident=incident, resolution=words, rule_applied="CARD-43", with_=second, by=by)


@kept
def shoe_in_play(casino: Casino, by: By, table: str = "PB-01", **about: Any) -> Shoe:
    return put_in_play(
        shoe=(shoe := ready_shoe(casino, by, **about)), table_label=table, game=shoe.game, by=by
    )
