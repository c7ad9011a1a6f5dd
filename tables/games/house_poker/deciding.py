"""Decisions: folding, the second bet, changing cards, withdrawing; and the dealer's own change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from casino.kernel.errors import Refused, RuleViolation
from casino.kernel.money import words as money_words
from casino.kernel.words import Text
from shoes import cards
from tables.games import reading
from tables.games.base import Detail, refuse_detail
from tables.games.house_poker import course, misdeals
from tables.games.house_poker.betting import only_hand
from tables.games.house_poker.dealing import WHAT_IS_DUE
from tables.games.house_poker.kinds import CHOICE_WORDS, DEALER, SPOT_WORDS, Kind
from tables.games.house_poker.rules import DrawRules, multiple
from tables.games.house_poker.state import Draft, Place
from tables.games.staking import seat_of

_KEYS = frozenset({"e", "seat", "hand", "to", "do", "amount", "cards", "count", "at", "by"})


def choices_of(kind: Kind) -> tuple[str, ...]:
    """The decisions a game has."""
    if not kind.raising:
        return ("withdraw", "keep")
    return ("fold", kind.raising, *(("change", "keep") if kind.changes else ()))


def choice(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """One decision of a seat, or the dealer's change by the declared rule (PH-14)."""
    if draft.detail is Detail.RESULT:
        raise refuse_detail(draft.detail, Text("decisiones", "decisions"))
    reading.known_keys(event, _KEYS)
    kind = draft.kind
    if event.get("to") == DEALER and kind.dealer:
        return _dealer_change(draft, event)
    if event.get("to", "seat") != "seat":
        raise reading.bad_type("to", Text("«seat» o la mano del croupier", "“seat” or the dealer's hand"))
    seat = seat_of(event.get("seat"), draft.terms, kind.seats_rule)
    only_hand(event, kind)
    do = event.get("do")
    if do == "change" and not kind.changes:
        raise _no_change(kind)
    do = reading.one_of(do, "do", choices_of(kind))
    _check_turn(draft, seat, do)
    clean: dict[str, Any] = {"e": "choice", "seat": seat, "do": do}
    place = draft.places[seat]
    if do == "change":
        place, details = _changed(draft, place, event)
        clean.update(details)
    else:
        _nothing_named(event, do)
    if do == kind.raising:
        clean.update(_raised(draft, seat, event))
    elif event.get("amount") is not None:
        raise _amount_not_asked(do)
    if do == "fold":
        draft.folds.append(seat)
    if do == "withdraw":
        draft.stakes.pop((seat, kind.spots[len(place.did)]), None)
    draft.places[seat] = place._replace(did=(*place.did, do))
    return clean


def _no_change(kind: Kind) -> RuleViolation:
    """PH-15 for Caribbean; elsewhere the hand is what was dealt (PH-17, PH-19)."""
    return RuleViolation(
        "PH-15" if kind.cards == 5 else kind.deal_rule,
        Text(f"en {kind.name.es} no se cambian cartas", f"in {kind.name.en} cards are not changed"),
        code="no_change",
        field="do",
    )


def _check_turn(draft: Draft, seat: int, do: str) -> None:
    """Whether this seat has this decision to make now."""
    kind, due = draft.kind, course.due(draft)
    place = draft.places.get(seat)
    figures = {"seat": seat, "do": do, "due": due.phase, "due_seats": list(due.seats)}
    if due.phase == course.BETS or place is None:
        raise RuleViolation(
            kind.first_rule,
            Text(
                f"el asiento {seat} no tiene cartas: no puso {SPOT_WORDS[kind.first].es}, o falta repartir",
                f"seat {seat} has no cards: it placed no {SPOT_WORDS[kind.first].en}, or dealing is due",
            ),
            figures,
            code="not_in_play",
            field="seat",
        )
    if place.folded:
        raise RuleViolation(
            kind.fold_rule,
            Text(f"el asiento {seat} ya se retiró", f"seat {seat} folded already"),
            figures,
            code="folded_hand",
            field="seat",
        )
    misdeals.refuse_dead(place, seat)
    if do == "change" and kind.raising not in place.did:
        raise RuleViolation(
            "PH-06",
            Text(
                f"el asiento {seat} pone primero su BET: sólo así puede cambiar cartas",
                f"seat {seat} places its BET first: only so may it change cards",
            ),
            figures,
            code="bet_first",
            field="do",
        )
    open_ = course.options(draft, seat) if due.phase == course.DECIDE else ()
    if do in open_:
        return
    raise _not_open(draft, due, seat, do, open_, figures)


def _not_open(
    draft: Draft, due: course.Due, seat: int, do: str, open_: tuple[str, ...], figures: Mapping[str, Any]
) -> RuleViolation:
    kind, said = draft.kind, CHOICE_WORDS[do]
    if open_:
        ways = Text(
            " o ".join(CHOICE_WORDS[one].es for one in open_),
            " or ".join(CHOICE_WORDS[one].en for one in open_),
        )
        what = Text(f"ahora {ways.es}", f"now it {ways.en}")
    elif due.phase == course.DECIDE:
        what = Text("ya decidió; falta decidir otro asiento", "it has decided; another seat is to decide")
    else:
        what = WHAT_IS_DUE[due.phase]
    rule = "PH-06" if do == "change" else kind.deal_rule if due.phase == course.DEAL else kind.decide_rule
    return RuleViolation(
        rule,
        Text(
            f"el asiento {seat} ahora no «{said.es}»: {what.es}",
            f"seat {seat}: “{said.en}” not now: {what.en}",
        ),
        figures,
        code="choice_not_due",
        field="do",
    )


def _nothing_named(event: Mapping[str, Any], do: str) -> None:
    for key in ("cards", "count"):
        if event.get(key) is not None:
            said = CHOICE_WORDS[do]
            raise Refused(
                Text(f"«{said.es}» no lleva cartas", f"“{said.en}” names no cards"),
                code="bad_value",
                field=key,
            )


def _amount_not_asked(do: str) -> Refused:
    said = CHOICE_WORDS[do]
    return Refused(
        Text(f"«{said.es}» no lleva importe", f"“{said.en}” takes no amount"),
        code="bad_value",
        field="amount",
    )


def _raised(draft: Draft, seat: int, event: Mapping[str, Any]) -> dict[str, Any]:
    """PH-04, PH-16, PH-20: the second bet is the exact multiple of the ANTE, and nothing else."""
    kind, given = draft.kind, event.get("amount")
    if draft.detail is not Detail.FULL:
        if given is not None:
            raise refuse_detail(draft.detail, Text("importes", "amounts"))
        return {}
    times = multiple(draft.rules)
    ante = draft.stakes[seat, kind.first]
    due = ante * times
    if given is not None and (type(given) is not int or given != due):
        words, said = SPOT_WORDS[kind.raising], times_the_ante(times)
        wanted, on = _said(draft, due, ante)
        raise RuleViolation(
            kind.decide_rule,
            Text(
                f"el {words.es} es exactamente {said.es}, que es de {on.es}: ponga {wanted.es}",
                f"the {words.en} is exactly {said.en}, which is {on.en}: place {wanted.en}",
            ),
            {"seat": seat, "ante": ante, "due": due},
            code="inexact_bet",
            field="amount",
        )
    draft.stakes[seat, kind.raising] = due
    return {"amount": due}


def times_the_ante(times: int) -> Text:
    """«2 veces el ANTE», «igual al ANTE»."""
    if times == 1:
        return Text("igual al ANTE", "equal to the ANTE")
    return Text(f"{times} veces el ANTE", f"{times} times the ANTE")


def _said(draft: Draft, *units: int) -> list[Text]:
    return [money_words(one, draft.terms.exponent) for one in units]


def _changed(draft: Draft, place: Place, event: Mapping[str, Any]) -> tuple[Place, dict[str, Any]]:
    """PH-06: at most two cards. Known cards are named, covered ones counted."""
    named = _named(event.get("cards"))
    count = event.get("count")
    count = 0 if count is None else reading.integer(count, "count", 0)
    most = draft.rules.change_max_cards if isinstance(draft.rules, DrawRules) else 0
    if len(named) + count > most:
        raise RuleViolation(
            "PH-06",
            Text(
                f"se pueden cambiar como máximo {most} cartas; se pidió más",
                f"at most {most} cards may be changed; more were asked",
            ),
            {"most": most},
            code="too_many_changed",
            field="cards",
        )
    if len(named) + count == 0:
        raise Refused(
            Text(
                "diga qué cartas cambia (cards), o cuántas tapadas (count)",
                "say which cards are changed (cards), or how many covered ones (count)",
            ),
            code="missing_value",
            field="cards",
        )
    kept = list(place.cards)
    for one in (*named, *[cards.COVERED] * count):
        if one not in kept:
            raise _not_held(one)
        kept.remove(one)
    draft.gone.extend(named)
    details: dict[str, Any] = {}
    if named:
        details["cards"] = named
    if count:
        details["count"] = count
    return place._replace(cards=tuple(kept), discarded=len(named) + count), details


def _named(value: object) -> list[str]:
    if value is None:
        return []
    if not isinstance(value, list | tuple) or len(value) > 52:
        raise reading.bad_type("cards", Text("una lista de cartas", "a list of cards"))
    return [cards.parse(one, field="cards") for one in value]


def _not_held(card: str) -> RuleViolation:
    said = cards.name(card)
    return RuleViolation(
        "PH-06",
        Text(f"no tiene {said.es} para cambiar", f"the hand has no {said.en} to change"),
        {"card": card},
        code="card_not_held",
        field="count" if card == cards.COVERED else "cards",
    )


def _dealer_change(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """PH-14: the dealer changes what the declared rule says, once, after all the players."""
    kind = draft.kind
    if not kind.changes:
        raise _no_change(kind)
    reading.one_of(event.get("do"), "do", ("change",))
    for key in ("seat", "hand", "amount", "count"):
        if event.get(key) is not None:
            raise Refused(
                Text("el cambio del croupier sólo nombra cartas", "the dealer's change only names cards"),
                code="bad_value",
                field=key,
            )
    due = course.due(draft)
    named = _named(event.get("cards"))
    if due.phase != course.DEALER_CHANGE:
        what = WHAT_IS_DUE[due.phase]
        raise RuleViolation(
            "PH-14",
            Text(
                f"el croupier no cambia cartas ahora: {what.es}",
                f"the dealer changes no cards now: {what.en}",
            ),
            {"due": due.phase},
            code="choice_not_due",
            field="do",
        )
    must = course.dealer_discards(draft)
    if sorted(named) != sorted(must):
        raise _not_declared(must)
    kept = tuple(one for one in draft.house.cards if one not in must)
    draft.house = Place(kept, ("change",), len(must))
    draft.gone.extend(must)
    return {"e": "choice", "to": DEALER, "do": "change", "cards": list(must)}


def _not_declared(must: Sequence[str]) -> RuleViolation:
    signs = " ".join(map(cards.sign, must))
    return RuleViolation(
        "PH-14",
        Text(
            f"por la regla declarada el croupier cambia {signs}, y sólo eso",
            f"by the declared rule the dealer changes {signs}, and only that",
        ),
        {"cards": list(must)},
        code="not_the_declared_change",
        field="cards",
    )
