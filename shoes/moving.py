"""How a deck moves: one row of `DeckMove` and the deck's own row, together (CARD-04).

`lock_decks()` first, then whatever decides, then the event, then `move()`: a move names the event that tells
of it. Which move may follow which is `MOVES`; a trigger holds each move to where its deck stands.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from django.db.models import Max

from audits import trail
from audits.by import By
from audits.models import Actor, Event, Incident
from casino.kernel import locking
from casino.kernel.commands import explain_constraint
from casino.kernel.errors import Conflict, NotFound, Refused
from casino.kernel.words import Text
from casino.models import Casino
from shoes.models import Deck, DeckMove, DestructionAct, Shoe
from shoes.saying import DESK as DESK  # read as `moving.DESK`, beside STORE
from shoes.saying import some

State = Deck.State
Kind = DeckMove.Kind

STORE = ""

_AT_HAND = (State.STORE, State.ISSUED, State.PASSED, State.RETURNED)

# {kind: (states it may come from, state it leads to)}
MOVES: dict[str, tuple[tuple[str, ...], str]] = {
    Kind.ISSUED: ((State.STORE,), State.ISSUED),
    Kind.PASSED: ((State.ISSUED, State.PASSED, State.QUARANTINE), State.PASSED),
    Kind.JOINED: ((State.PASSED,), State.IN_SHOE),
    Kind.PLAYED: ((State.IN_SHOE,), State.IN_SHOE),
    Kind.RENEWED: ((State.IN_SHOE,), State.IN_SHOE),
    Kind.REMOVED: ((State.IN_SHOE,), State.QUARANTINE),
    Kind.ENDED: ((State.IN_SHOE,), State.RETURNED),
    Kind.COUNTED: ((State.RETURNED,), State.STORE),
    Kind.GIVEN_BACK: ((State.ISSUED, State.PASSED), State.STORE),
    Kind.SEALED: ((State.STORE,), State.STORE),
    Kind.QUARANTINED: (_AT_HAND, State.QUARANTINE),
    Kind.HELD: ((*_AT_HAND, State.IN_SHOE, State.QUARANTINE, State.WITHDRAWN, State.CANCELLED), State.HELD),
    Kind.RELEASED: ((State.HELD,), State.WITHDRAWN),
    Kind.WITHDRAWN: ((*_AT_HAND, State.QUARANTINE), State.WITHDRAWN),
    Kind.CANCELLED: ((State.WITHDRAWN,), State.CANCELLED),
    Kind.DESTROYED: ((State.CANCELLED,), State.DESTROYED),
}


MOST_AT_ONCE = 500
"""Decks that one act moves at the most."""


def require_some(serials: Collection[str]) -> None:
    """Raise `Refused` (`no_decks`) unless an act names decks, and not too many."""
    if not 1 <= len(serials) <= MOST_AT_ONCE:
        raise Refused(
            Text(f"indique de 1 a {MOST_AT_ONCE} barajas", f"give 1 to {MOST_AT_ONCE} decks"),
            code="no_decks",
            field="serials",
        )


def lock_decks(casino: Casino, serials: Sequence[str]) -> list[Deck]:
    """The decks of these serial numbers, locked in the order of their ids.

    Raises `Refused` (`unknown_deck`, CARD-01) naming the ones the house does not have, or one given twice.
    """
    locking.taking(locking.Rank.DECK)
    if len(set(serials)) < len(serials):
        raise Refused(
            Text("una serie está repetida", "a serial number is repeated"),
            code="serial_repeated",
            field="serials",
            rule="CARD-01",
        )
    locked = Deck.objects.select_for_update(of=("self",), no_key=True).filter(casino=casino)
    decks = list(locked.filter(serial__in=serials).select_related("shoe", "incident").order_by("pk"))
    unknown = set(serials) - {deck.serial for deck in decks}
    if unknown:
        names = some(sorted(unknown))
        raise Refused(
            Text(f"no hay baraja con serie {names}", f"there is no deck with serial number {names}"),
            code="unknown_deck",
            field="serials",
            rule="CARD-01",
        )
    return decks


def lock_deck(deck: Deck, by: By) -> Deck:
    """One deck, locked, as it stands. Raises `NotFound` (`unknown_deck`)."""
    locking.taking(locking.Rank.DECK)
    locked = Deck.objects.select_for_update(of=("self",), no_key=True).filter(pk=deck.pk, casino=by.casino)
    found = locked.select_related("shoe", "incident").first()
    if found is None:
        raise NotFound(Text("no existe esa baraja", "there is no such deck"), code="unknown_deck")
    return found


def lock_decks_of(shoe: Shoe) -> list[Deck]:
    """The decks inside a shoe the caller has locked."""
    locking.taking(locking.Rank.DECK)
    return list(shoe.decks.select_for_update(of=("self",), no_key=True).order_by("pk"))


def require_may(decks: Iterable[Deck], kind: str) -> None:
    """Raise the refusal that fits unless every deck may make a move of this kind."""
    allowed, _ = MOVES[kind]
    for deck in decks:
        if deck.state not in allowed:
            raise refusal(deck, kind)


def move(
    decks: Sequence[Deck],
    *,
    kind: str,
    event: Event | Mapping[int, Event],
    by: By,
    place: str | None = None,
    shoe: Shoe | None = None,
    seal: str | Mapping[int, str] | None = None,
    incident: Incident | None = None,
    act: DestructionAct | None = None,
    second: Actor | None = None,
) -> list[DeckMove]:
    """Move locked decks: one row each, and the decks' own rows after it.

    `event`: the one that tells of it, or one by deck id. `place`, `seal`: left as they are when None;
    `seal` may be one by deck id. `shoe`: the shoe gone into, or come out of.
    """
    state = State.STORE.value if kind == Kind.RECEIVED else MOVES[kind][1]
    since = dict(
        DeckMove.objects.filter(deck__in=decks).values_list("deck_id").annotate(latest=Max("at")).order_by()
    )
    rows = []
    for deck in decks:
        was = "" if kind == Kind.RECEIVED else deck.state
        deck.state, deck.move_count = state, deck.move_count + 1
        deck.place = deck.place if place is None else place
        deck.shoe = shoe if state == State.IN_SHOE else None
        if seal is not None:
            deck.seal = seal if isinstance(seal, str) else seal[deck.pk]
        if incident is not None or kind == Kind.RELEASED:
            deck.incident = incident
        rows.append(
            DeckMove(
                casino_id=deck.casino_id,
                deck=deck,
                seq=deck.move_count,
                kind=kind,
                was=was,
                state=state,
                place=deck.place,
                shoe=shoe,
                seal=deck.seal,
                act=act,
                incident=incident,
                by=by.actor,
                second=second,
                reason=by.reason,
                at=_not_before(since.get(deck.pk), by.occurred_at),
                event=event if isinstance(event, Event) else event[deck.pk],
            )
        )
    DeckMove.objects.bulk_create(rows)
    _save(decks)
    return rows


_MOVED = ("state", "place", "shoe", "seal", "move_count", "incident")
_COLUMNS = ("state", "place", "shoe_id", "seal", "move_count", "incident_id")
_FEW = 8


def _save(decks: Sequence[Deck]) -> None:
    """What a move leaves on its decks, in one plain statement for those it leaves alike.

    Django's `bulk_update` writes a case for each row and column: for a shoe's decks that took longer than all
    else of a step. It is for decks that differ one by one, as by their seals.
    """
    alike: defaultdict[tuple[Any, ...], list[int]] = defaultdict(list)
    for deck in decks:
        alike[tuple(getattr(deck, name) for name in _COLUMNS)].append(deck.pk)
    if len(alike) > _FEW:
        Deck.objects.bulk_update(decks, _MOVED)
        return
    for values, keys in alike.items():
        Deck.objects.filter(pk__in=keys).update(**dict(zip(_COLUMNS, values, strict=True)))


def _not_before(latest: dt.datetime | None, at: dt.datetime) -> dt.datetime:
    """Two people's clocks differ, and acts may be told late: a move is never before the one before it."""
    return at if latest is None else max(latest, at)


def stream_of(deck: Deck) -> str:
    """The stream that tells of a deck: its batch's."""
    return f"deck_batch:{deck.batch}"


def tell(
    action: str,
    decks: Sequence[Deck],
    *,
    by: By,
    data: Mapping[str, Any],
    rules: Sequence[str],
    each: Mapping[str, Mapping[int, Any]] | None = None,
) -> dict[int, Event]:
    """One event in the stream of each batch the decks are of, by deck id; streams in order of name.

    `each`: what is told of every deck, by name and deck id; a list beside `serials`, in their order.
    """
    batches: defaultdict[str, list[Deck]] = defaultdict(list)
    for deck in decks:
        batches[stream_of(deck)].append(deck)
    told: dict[int, Event] = {}
    for stream in sorted(batches):
        batch = batches[stream]
        beside = {name: [values[deck.pk] for deck in batch] for name, values in (each or {}).items()}
        event = trail.record(
            action,
            stream=stream,
            subject=trail.Subject("deck_batch", batch[0].pk, batch[0].batch),
            by=by,
            data={"count": len(batch), "serials": [deck.serial for deck in batch], **beside, **data},
            rules=rules,
        )
        told.update({deck.pk: event for deck in batch})
    return told


# ---- why a deck may not -----------------------------------------------------------------------------


def refusal(deck: Deck, kind: str) -> Conflict:
    """What to answer to whoever wants to move a deck that may not be moved so."""
    if deck.state == State.IN_SHOE:
        return deck_elsewhere(deck)
    if kind == Kind.ISSUED and deck.state in (State.ISSUED, State.PASSED):
        return _issued_already(deck)
    state = State(deck.state)
    code, rule, es, en = _REFUSALS.get(state) or _not_so(state)
    if kind in _ONLY and state not in _ALWAYS_FIRST and (kind, state) != (Kind.CANCELLED, State.CANCELLED):
        es, en = (f"{there}: {what}" for there, what in zip(_as_it_is(state), _ONLY[kind], strict=True))
    return Conflict(
        Text(f"la baraja {deck.serial} {es}", f"deck {deck.serial} {en}"),
        code=code,
        rule=rule,
        field="serials",
        detail={"serial": deck.serial, "state": str(state)},
    )


def _as_it_is(state: State) -> tuple[str, str]:
    return f"está «{state.label}»", f"is “{state.value}”"


def _not_so(state: State) -> tuple[str, str, str, str]:
    es, en = _as_it_is(state)
    return "deck_not_so", "CARD-04", f"{es}: ese movimiento no corresponde", f"{en}: it may not be moved so"


# What a move of the store is for, where the state by itself would advise another one.
_ONLY: dict[str, tuple[str, str]] = {
    Kind.GIVEN_BACK: (
        "sólo vuelve lo que se entregó y no se usó",
        "only what was issued and not used comes back",
    ),
    Kind.SEALED: (
        "sólo se precinta lo que está en el depósito; si se puede, devuélvala antes",
        "only what lies in the store is sealed; give it back first if it may be",
    ),
    Kind.RELEASED: (
        "sólo se libera lo que retiene una investigación",
        "only what an investigation holds is released",
    ),
    Kind.CANCELLED: (
        "sólo se anula lo retirado; retírela antes",
        "only what was withdrawn is cancelled; withdraw it first",
    ),
    Kind.DESTROYED: (
        "sólo se destruye lo anulado; anúlela antes del acta",
        "only what was cancelled is destroyed; cancel it before the act",
    ),
}
_ALWAYS_FIRST = (State.RETURNED, State.HELD, State.DESTROYED)
"""States whose own advice goes before that of any move: count it, leave it, it is gone."""

_REFUSALS: dict[str, tuple[str, str, str, str]] = {
    State.STORE: (
        "deck_in_store",
        "CARD-03",
        "está en el depósito; entréguela primero a una mesa o al puesto de inspección, leyendo su precinto",
        "is in the store; issue it first to a table or the inspection desk, reading its seal",
    ),
    State.ISSUED: (
        "deck_not_inspected",
        "CARD-14",
        "está entregada y sin inspeccionar; inspecciónela primero",
        "was issued and not inspected; inspect it first",
    ),
    State.RETURNED: (
        "deck_not_counted",
        "CARD-43",
        "salió de un sabot y aún no se contó; haga primero el recuento de cierre",
        "came out of a shoe and is not counted yet; do the closing count first",
    ),
    State.QUARANTINE: (
        "deck_in_quarantine",
        "CARD-15",
        "está en cuarentena; inspecciónela o retírela",
        "is in quarantine; inspect or withdraw it",
    ),
    State.HELD: (
        "deck_under_investigation",
        "CARD-45",
        "está retenida por una investigación: se guarda intacta, no se reutiliza, anula ni destruye",
        "is held by an investigation: it is kept intact, neither reused, cancelled nor destroyed",
    ),
    State.WITHDRAWN: (
        "deck_withdrawn",
        "CARD-12",
        "fue retirada y no vuelve al juego; use otra",
        "was withdrawn and does not return to play; use another",
    ),
    State.CANCELLED: (
        "deck_cancelled",
        "CARD-45",
        "está anulada: sólo le queda la destrucción con acta",
        "is cancelled: only its destruction with an act is left",
    ),
    State.DESTROYED: (
        "deck_destroyed",
        "CARD-45",
        "fue destruida según su acta",
        "was destroyed, as its act tells",
    ),
}


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


def _issued_already(deck: Deck) -> Conflict:
    return Conflict(
        Text(
            f"la baraja {deck.serial} ya se entregó y está en {deck.place}; devuélvala antes",
            f"deck {deck.serial} was issued already and lies at {deck.place}; give it back to the store",
        ),
        code="deck_issued",
        rule="CARD-04",
        field="serials",
        detail={"serial": deck.serial, "place": deck.place},
    )


def _moved_meanwhile() -> Conflict:
    return Conflict(
        Text(
            "otra persona movió esa baraja en el mismo momento; mire dónde está y repita",
            "another person moved that deck at the same moment; see where it is and try again",
        ),
        code="deck_moved_meanwhile",
        rule="CARD-04",
        field="serials",
    )


for _name in ("one_move_per_seq", "move_continues", "deck_moves", "move_moves"):
    explain_constraint(_name, _moved_meanwhile)
