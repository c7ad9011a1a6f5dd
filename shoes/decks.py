"""Decks: received, examined by two people, passed or withdrawn. What is done to a deck alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from audits import trail
from audits.by import By
from audits.models import Actor
from casino.kernel import locking, texts
from casino.kernel.commands import command, explain_constraint
from casino.kernel.errors import Conflict, NotFound, Refused, RuleViolation
from casino.kernel.words import Text
from shoes import actions, cards, policies
from shoes.inspection import Findings, examine
from shoes.models import Deck, DeckInspection

MOST_AT_ONCE = 500


@command(policies.REGISTER_DECKS)
def register_decks(
    *,
    serials: Sequence[str],
    maker: str,
    batch: str,
    back_design: str,
    back_colour: str,
    by: By,
    deck_type: str = "french52",
    received_with: Actor | None = None,
) -> list[Deck]:
    """Enter received decks, one per serial number, into the store (CARD-01).

    `received_with` is the second person at the reception (CARD-02), not yet required. Raises
    `Refused` (codes `bad_deck`, `serial_taken`, `unknown_deck_type`) and `RuleViolation` GEN-10.
    """
    kind = cards.deck_type(deck_type)
    wanted = _checked_serials(serials)
    words = {"maker": maker, "batch": batch, "back_design": back_design, "back_colour": back_colour}
    told = {name: _checked_word(name, value) for name, value in words.items()}
    if received_with is not None:
        require_two_people(by.actor, received_with, field="received_with")
    taken = list(
        Deck.objects.filter(casino=by.casino, serial__in=wanted).values_list("serial", flat=True)[:5]
    )
    if taken:
        raise _serial_taken(", ".join(taken))
    decks = Deck.objects.bulk_create(
        Deck(casino=by.casino, serial=serial, deck_type=kind.code, registered_at=by.occurred_at, **told)
        for serial in wanted
    )
    trail.record(
        actions.DECKS_REGISTERED,
        stream=stream_of(decks[0]),
        subject=trail.Subject("deck_batch", decks[0].pk, told["batch"]),
        by=by,
        data={
            "count": len(decks),
            "serials": wanted,
            "deck_type": kind.code,
            "received_with": received_with.as_dict() if received_with else None,
            **told,
        },
        rules=["CARD-01", "CARD-02"],
    )
    return decks


@command(policies.INSPECT_DECKS)
def inspect_deck(
    *,
    deck: Deck,
    counted: int,
    by_suit_shown: bool,
    backs_checked: bool,
    inspector: Actor,
    witness: Actor,
    by: By,
    missing: Sequence[str] = (),
    extra: Sequence[str] = (),
    marked: Sequence[str] = (),
) -> DeckInspection:
    """Record what two people found in a deck; it passes or is withdrawn by what they found.

    `by.actor` is one of the two: nobody signs for two others. A deck that is not complete, or has a
    missing, extra or marked card, is withdrawn (CARD-12, CARD-15). Raises `RuleViolation` GEN-10
    (`same_person`, `not_qualified`, `not_a_signer`), CARD-14 or CARD-15 (`inspection_unfinished`),
    `Refused` (`count_inconsistent`, `unknown_card`, `bad_inspection`) and
    `Conflict` (`deck_elsewhere`, `deck_withdrawn`).
    """
    require_two_people(inspector, witness, field="witness")
    _require_signer(by, inspector, witness)
    locking.taking(locking.Rank.DECK)
    deck = _lock_deck(deck, by)
    _require_at_hand(deck)
    findings = examine(
        cards.deck_type(deck.deck_type),
        counted=counted,
        by_suit_shown=by_suit_shown,
        backs_checked=backs_checked,
        missing=missing,
        extra=extra,
        marked=marked,
    )
    inspection = DeckInspection.objects.create(
        casino=by.casino,
        deck=deck,
        inspector=inspector,
        witness=witness,
        at=by.occurred_at,
        passed=findings.passed,
        **findings.as_dict(),
    )
    deck.state = Deck.State.PASSED if findings.passed else Deck.State.WITHDRAWN
    deck.save(update_fields=["state"])
    _tell_inspection(deck, findings, inspector, witness, by)
    return inspection


def stream_of(deck: Deck) -> str:
    """The stream that tells of a deck: its batch's."""
    return f"deck_batch:{deck.batch}"


def require_two_people(one: Actor, other: Actor, *, field: str) -> None:
    """GEN-10: two different, authorised people, a supervisor or pit boss among them."""
    if one.pk == other.pk:
        raise RuleViolation(
            "GEN-10",
            Text(
                "las dos firmas son de dos personas distintas",
                "the two signatures are of two different people",
            ),
            code="same_person",
            field=field,
        )
    for person in (one, other):
        if person.casino_id != one.casino_id or not _may_sign(person):
            raise RuleViolation(
                "GEN-10",
                Text(
                    f"{person.name} no puede firmar; firma un croupier, jefe de mesa o jefe de sala activo",
                    f"{person.name} may not sign; an active dealer, table supervisor or pit boss may",
                ),
                code="not_qualified",
                field=field if person is other else "inspector",
            )
    if not (one.roles | other.roles) & set(policies.CHIEFS):
        raise RuleViolation(
            "GEN-10",
            Text(
                "una de las dos firmas es de un jefe de mesa o jefe de sala",
                "one of the two signatures is a table supervisor's or pit boss's",
            ),
            code="not_qualified",
            field=field,
        )


def _require_signer(by: By, inspector: Actor, witness: Actor) -> None:
    """GEN-10: whoever records an inspection is one of the two who made it."""
    if by.actor.pk not in (inspector.pk, witness.pk):
        raise RuleViolation(
            "GEN-10",
            Text(
                "registra la inspección quien inspecciona o quien atestigua: entre con su usuario una de"
                " esas dos personas",
                "an inspection is recorded by its inspector or its witness: one of these two signs in"
                " with their own login",
            ),
            code="not_a_signer",
            field="inspector",
        )


def _may_sign(person: Actor) -> bool:
    return person.kind == Actor.Kind.STAFF and bool(person.roles & set(policies.HANDS_ON_CARDS))


def _lock_deck(deck: Deck, by: By) -> Deck:
    locked = Deck.objects.select_for_update(of=("self",), no_key=True).filter(pk=deck.pk, casino=by.casino)
    found = locked.select_related("shoe").first()
    if found is None:
        raise NotFound(Text("no existe esa baraja", "there is no such deck"), code="unknown_deck")
    return found


def _require_at_hand(deck: Deck) -> None:
    if deck.state == Deck.State.IN_SHOE:
        raise deck_elsewhere(deck)
    if deck.state == Deck.State.WITHDRAWN:
        raise deck_withdrawn(deck)


def deck_elsewhere(deck: Deck) -> Conflict:
    shoe = deck.shoe.label if deck.shoe else ""
    return Conflict(
        Text(
            f"la baraja {deck.serial} está en el sabot {shoe}; una baraja está en un solo lugar",
            f"deck {deck.serial} is in shoe {shoe}; a deck is in one place only",
        ),
        code="deck_elsewhere",
        rule="CARD-04",
        field="serials",
        detail={"serial": deck.serial, "shoe": shoe},
    )


def deck_withdrawn(deck: Deck) -> Conflict:
    return Conflict(
        Text(
            f"la baraja {deck.serial} fue retirada y no vuelve al juego; use otra",
            f"deck {deck.serial} was withdrawn and does not return to play; use another",
        ),
        code="deck_withdrawn",
        rule="CARD-12",
        field="serials",
        detail={"serial": deck.serial},
    )


def _tell_inspection(deck: Deck, findings: Findings, inspector: Actor, witness: Actor, by: By) -> None:
    trail.record(
        actions.DECK_PASSED if findings.passed else actions.DECK_WITHDRAWN,
        stream=stream_of(deck),
        subject=trail.Subject("deck", deck.pk, deck.serial),
        by=by,
        data={
            **findings.as_dict(),
            **_shown(deck, findings),
            "inspector": inspector.as_dict(),
            "witness": witness.as_dict(),
        },
        rules=["CARD-14", "CARD-15", "GEN-10"] if findings.passed else ["CARD-12", "CARD-15", "GEN-10"],
    )


def _shown(deck: Deck, findings: Findings) -> dict[str, str]:
    """The faulty cards as people read them: which deck a `7c` is of, only the deck knows."""
    kind = cards.deck_type(deck.deck_type)
    found = {"missing": findings.missing, "extra": findings.extra, "marked": findings.marked}
    return {f"shown_{name}": ", ".join(cards.sign(c, kind) for c in faces) for name, faces in found.items()}


def _checked_serials(serials: Sequence[str]) -> list[str]:
    wanted = [texts.line(serial, "serials", 40, code="bad_deck", rule="CARD-01") for serial in serials]
    if not 1 <= len(wanted) <= MOST_AT_ONCE:
        raise Refused(
            Text(
                f"indique de 1 a {MOST_AT_ONCE} números de serie",
                f"give 1 to {MOST_AT_ONCE} serial numbers",
            ),
            code="bad_deck",
            field="serials",
        )
    twice = [serial for serial, times in Counter(wanted).items() if times > 1]
    if twice:
        raise _serial_taken(", ".join(twice[:5]))
    return wanted


def _checked_word(name: str, value: str) -> str:
    column: Any = Deck._meta.get_field(name)
    return texts.line(value, name, column.max_length, code="bad_deck", rule="CARD-01")


def _serial_taken(serials: str = "") -> Refused:
    return Refused(
        Text(
            f"cada serie se registra una vez; ya está o se repite: {serials}",
            f"each serial number is entered once; taken or repeated: {serials}",
        ),
        code="serial_taken",
        rule="CARD-01",
        field="serials",
    )


explain_constraint(
    "one_deck_per_serial",
    lambda: _serial_taken("—"),
)
