"""Settling a complete hand: every pot, the house's deduction, and what each seat gets, in words.

One payout a seat that put chips in: the stake is what was at risk (what nobody matched goes back and is
told), `returned` what it takes from the pots, `commission` its part of the rake. Who takes nothing comes
first, then the winners from the dealer's right hand to the left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any

from casino.kernel.errors import Conflict
from casino.kernel.money import words as money_words
from casino.kernel.words import Text
from tables.games.base import Bet, Detail, Ended, Note, Payout, Settlement, Totals
from tables.games.corrections import irregularities
from tables.games.paying import Award, in_order, totals
from tables.games.ring import defects
from tables.games.ring.outcome import FOLDED, MUCKED, division, hands, saw_flop, strengths
from tables.games.ring.outcome import told as told_of
from tables.games.ring.pots import Division, Won
from tables.games.ring.state import Draft, State
from tables.games.ring.variants import SPLIT

Told = Mapping[int, Text | None]
"""Each hand that contends in words, None where none was shown."""


def settle(state: State) -> Settlement:
    """The settlement of a complete hand. Raises `Conflict` (code `round_incomplete`)."""
    if not state.complete:
        raise _incomplete(Draft(state))
    draft = Draft(state)
    if draft.detail is Detail.RESULT:
        return _of_result(draft)
    if draft.defective:
        return defects.settlement(draft, _notes(draft))
    worth = strengths(draft)
    if draft.detail is Detail.CARDS:
        return _of_cards(draft, worth)
    done = division(draft, worth)
    said = told_of(worth)
    payouts = _payouts(draft, done, said)
    winners = _winners(done) or draft.live
    facts = _facts(draft, done, said)
    return Settlement(
        payouts,
        totals(payouts),
        announce(draft, done, said),
        Ended(_winner(winners), hands(draft, frozenset(winners), said), facts),
        tuple(_notes(draft)),
        (),
    )


def _incomplete(draft: Draft) -> Conflict:
    missing, rule = {
        "waiting": (Text("falta anotar el resultado", "the result is not written down yet"), "PR-02"),
        "joining": (Text("la mano no empezó", "the hand has not begun"), "PR-16"),
        "dealing": (Text("faltan cartas", "cards are missing"), draft.variant.cards_rule),
        "betting": (Text("faltan decisiones", "decisions are missing"), draft.variant.turn_rule),
        "showdown": (
            Text("faltan manos por mostrar", "hands are still to be shown"),
            draft.variant.show_rule,
        ),
    }[draft.phase]
    text = Text("la mano no está completa: {missing}", "the hand is not complete: {missing}")
    return Conflict(text.fill(missing=missing), code="round_incomplete", rule=rule)


def _winners(done: Division) -> list[int]:
    return sorted({seat for pot in done.won for seat in pot.parts})


def _winner(winners: list[int]) -> str:
    return str(winners[0]) if len(winners) == 1 else SPLIT


def pot_name(place: int, many: int) -> Text:
    """«pozo», or main pot and side pots by number (PR-09)."""
    if many == 1:
        return Text("pozo", "pot")
    if place == 0:
        return Text("pozo principal", "main pot")
    if many == 2:
        return Text("pozo secundario", "side pot")
    return Text(f"pozo secundario {place}", f"side pot {place}")


def _payouts(draft: Draft, done: Division, told: Told) -> tuple[Payout, ...]:
    shares = _commissions(done)
    added = _added(done, shares)
    taken: dict[int, list[tuple[int, Won]]] = {}
    for place, pot in enumerate(done.won):
        for seat in pot.parts:
            taken.setdefault(seat, []).append((place, pot))
    awarded = []
    for seat in draft.order:
        stake = draft.put[seat] - (done.returned if seat == done.returned_to else 0)
        mine, back = taken.get(seat, []), 0
        if mine and not stake:
            # Nothing of its own was matched and it wins what the hand before left: its own is the stake.
            stake = back = draft.put[seat]
        if not stake:
            continue
        words = _payout_words(draft, done, told, seat, mine)
        if not mine:
            row = "pot_folded" if seat in draft.folded else "pot_lost"
            award = Award(0, 0, 0, "lose", row, "PR-02", words, "collect", 0)
        else:
            returned = sum(pot.parts[seat] for _, pot in mine) + back
            commission = shares.get(seat, 0)
            split = any(len(pot.parts) > 1 for _, pot in mine)
            act = "push" if returned == stake and not commission else "pay"
            rule = "PR-10" if split else "PR-09" if len(done.won) > 1 else "PR-02"
            row = "pot_split" if split else "pot_won"
            award = Award(returned, commission, added.get(seat, 0), "pot", row, rule, words, act, 0)
        awarded.append(((bool(mine), -seat), Bet(seat, "pot", stake), award))
    return in_order(awarded)


def _commissions(done: Division) -> dict[int, int]:
    """Each winner's part of the rake, as it shares the pot; odd units go to the first named."""
    found: dict[int, int] = {}
    for pot in done.won:
        seats = list(pot.parts)
        each, odd = divmod(pot.rake, len(seats))
        for place, seat in enumerate(seats):
            found[seat] = found.get(seat, 0) + each + (place < odd)
    return found


def _added(done: Division, shares: Mapping[int, int]) -> dict[int, int]:
    """What rounding added to or took off the rake, laid to the winners who bear it."""
    left = done.rake.rounding
    found = {}
    for seat, share in shares.items():
        part = min(left, share) if left > 0 else left
        found[seat] = part
        left -= part
    return found


def _payout_words(draft: Draft, done: Division, told: Told, seat: int, mine: list[tuple[int, Won]]) -> Text:
    say = _say(draft)
    parts: list[Text] = []
    if not mine:
        stake = draft.put[seat] - (done.returned if seat == done.returned_to else 0)
        parts.append(_lost_words(say(stake), MUCKED if seat in draft.mucked else told.get(seat) or FOLDED))
    for place, pot in mine:
        name = pot_name(place, len(done.won))
        how = _how(draft, told, seat, pot)
        share = say(pot.parts[seat])
        part = Text(f"{name.es}{how.es}: {share.es}", f"{name.en}{how.en}: {share.en}")
        if len(pot.parts) > 1:
            many = len(pot.parts)
            part = Text(f"{part.es}, repartido entre {many}", f"{part.en}, shared by {many}")
        parts.append(part)
    rake = sum(pot.rake for _, pot in mine) if mine else 0
    if rake:
        whole, taken = say(sum(pot.amount for _, pot in mine)), say(rake)
        parts.append(
            Text(
                f"de {whole.es} se dedujeron {taken.es} para la casa",
                f"of {whole.en} the house deducted {taken.en}",
            )
        )
    if done.returned and seat == done.returned_to:
        back = say(done.returned)
        parts.append(Text(f"le vuelven {back.es} que nadie igualó", f"{back.en} nobody matched goes back"))
    if len(parts) == 1:
        return parts[0]
    return Text("; ".join(part.es for part in parts), "; ".join(part.en for part in parts))


def _lost_words(stake: Text, why: Text) -> Text:
    return Text(f"{why.es}: pierde {stake.es}", f"{why.en}: loses {stake.en}")


def _how(draft: Draft, told: Told, seat: int, pot: Won) -> Text:
    hand = told[seat]
    if hand is None:
        return Text(" sin mostrar", " without showing")
    if len(pot.eligible) == 1 and len(draft.live) > 1:
        return Text(" sin disputa", " uncontested")
    return Text(f" con {hand.es}", f" with {hand.en}")


_money = lru_cache(maxsize=16_384)(money_words)


def _say(draft: Draft) -> Callable[[int], Text]:
    exponent = draft.terms.exponent
    return lambda units: _money(units, exponent)


def announce(draft: Draft, done: Division, told: Told) -> Text:
    """What is called out, the last side pot first, as pots are pushed: «asiento 4, pozo 400,00 …»."""
    if not done.won:
        back = _money(done.returned, draft.terms.exponent)
        seat = done.returned_to
        return Text(f"vuelven {back.es} al asiento {seat}", f"{back.en} goes back to seat {seat}")
    said = []
    for place in range(len(done.won) - 1, -1, -1):
        pot = done.won[place]
        seats = sorted(pot.parts)
        name = pot_name(place, len(done.won))
        amount = _money(pot.amount - pot.rake, draft.terms.exponent)
        how = _how(draft, told, seats[0], pot)
        who = _seats_words(seats)
        said.append(
            Text(f"{who.es}: {name.es} de {amount.es}{how.es}", f"{who.en}: {name.en} of {amount.en}{how.en}")
        )
    return Text("; ".join(one.es for one in said), "; ".join(one.en for one in said))


def _seats_words(seats: list[int]) -> Text:
    if len(seats) == 1:
        return Text(f"asiento {seats[0]}", f"seat {seats[0]}")
    head, last = ", ".join(map(str, seats[:-1])), seats[-1]
    return Text(f"asientos {head} y {last}", f"seats {head} and {last}")


def _facts(draft: Draft, done: Division, told: Told) -> dict[str, Any]:
    """PR-08: pot, rake and what each winner got, per pot; smallest units."""
    return {
        "button": draft.button,
        "flop": saw_flop(draft),
        "pot": sum(pot.amount for pot in done.won),
        "rake": done.rake.amount,
        "unmatched": {"seat": done.returned_to, "amount": done.returned},
        "pots": [
            {
                "amount": pot.amount,
                "rake": pot.rake,
                "eligible": list(pot.eligible),
                "winners": [{"seat": seat, "amount": amount} for seat, amount in pot.parts.items()],
                "hand": _hand_of(told[next(iter(pot.parts))]),
            }
            for pot in done.won
        ],
    }


def _hand_of(said: Text | None) -> dict[str, str] | None:
    return said.as_dict() if said else None


def _of_result(draft: Draft) -> Settlement:
    result = draft.result
    assert result is not None
    who = _seats_words(list(result.seats)) if result.seats else Text("varios asientos", "several seats")
    text = Text(f"gana {who.es}", f"{who.en} wins")
    if len(result.seats) != 1:
        text = Text(f"reparten {who.es}", f"{who.en} share")
    facts = {"seats": list(result.seats), "pot": result.pot}
    return Settlement(
        (), Totals(), text, Ended(result.winner, (), facts), tuple(_notes(draft)), (_NO_CARDS, _NO_BETS)
    )


def _best(worth: Mapping[int, int]) -> list[int]:
    best = max(worth.values())
    return sorted(seat for seat, value in worth.items() if value == best)


def announce_cards(worth: Mapping[int, int]) -> Text:
    """What is called out where no bets are logged."""
    winners = _best(worth)
    who, hand = _seats_words(winners), told_of(worth)[winners[0]]
    if hand is None:
        return Text(f"{who.es} cobra sin mostrar", f"{who.en} collects without showing")
    verb = ("gana", "wins") if len(winners) == 1 else ("reparten", "share")
    return Text(f"{who.es} {verb[0]} con {hand.es}", f"{who.en} {verb[1]} with {hand.en}")


def _of_cards(draft: Draft, worth: Mapping[int, int]) -> Settlement:
    winners, text = _best(worth), announce_cards(worth)
    facts = {"button": draft.button, "flop": saw_flop(draft), "seats": winners}
    ended = Ended(_winner(winners), hands(draft, frozenset(winners), told_of(worth)), facts)
    return Settlement((), Totals(), text, ended, tuple(_notes(draft)), (_NO_BETS,))


def _notes(draft: Draft) -> Iterable[Note]:
    if draft.dead:
        yield Note("pot_forfeited", defects.brought(draft), defects.RULE)
    if draft.button:
        # PR-11: one place clockwise, past seats that were not dealt in.
        seat = draft.order[0]
        yield Note(
            "button_moves",
            Text(f"el botón pasa al asiento {seat}", f"the button moves to seat {seat}"),
            "PR-11",
        )
    if draft.unburned:
        many = draft.unburned
        yield Note(
            "burn_not_logged",
            Text(f"{many} quema(s) sin anotar antes de abrir", f"{many} burn(s) not logged before opening"),
            "PR-14",
        )
    yield from irregularities(draft.log, draft.undone)


_NO_CARDS = Text(
    "las cartas: reparto, manos y muestra (PR-03 a PR-06, PR-15)",
    "the cards: deal, hands and showdown (PR-03 to PR-06, PR-15)",
)
_NO_BETS = Text(
    "las apuestas, los pozos y la deducción (PR-07, PR-09 a PR-13)",
    "the bets, pots and rake (PR-07, PR-09 to PR-13)",
)
