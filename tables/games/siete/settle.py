"""Settling a hand: what each player's hand came to against the bank's, and who has the bank next.

Whoever passed seven and a half lost at once; the bank then takes and pays in turn, from its right. The sale
of the bank comes last, or first where it was sold before the hand. The bank's stake is the most its hand
could cost it as the hands ended; there is no house in it, so what one loses another wins.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from casino.kernel.errors import Conflict
from casino.kernel.money import words as money_words
from casino.kernel.words import Text
from tables.games.base import Bet, Detail, Ended, Hand, Note, Payout, Settlement
from tables.games.corrections import irregularities
from tables.games.paying import Award, in_order, totals
from tables.games.siete.balance import award, bank_change, bank_won, eliminated, row_of
from tables.games.siete.points import TARGET, halves, said
from tables.games.siete.state import Draft, State
from tables.games.siete.turns import offers_void

_ACT_ORDER = {"collect": 1, "pay": 2}


def settle(state: State) -> Settlement:
    """The settlement of a complete hand. Raises `Conflict` (code `round_incomplete`)."""
    if not state.complete:
        raise Conflict(
            Text("la mano no está completa", "the hand is not complete"),
            code="round_incomplete",
            rule="SYM-05",
        )
    draft = Draft(state)
    winner = winner_of(draft)
    payouts = _payouts(draft) if draft.detail is Detail.FULL else ()
    return Settlement(
        payouts=payouts,
        totals=totals(payouts),
        announcement=announcement(draft),
        outcome=Ended(winner, hands_on(state), _facts(draft)),
        notes=tuple(_notes(draft)),
        unchecked=tuple(_unchecked(draft)),
    )


def winner_of(draft: Draft) -> str:
    """Whether the bank took all, paid all, or neither."""
    if draft.result:
        return draft.result
    won = [_won(draft, cards) for cards in draft.hands.values()]
    return "players" if all(won) else "mixed" if any(won) else "bank"


def _won(draft: Draft, cards: list[str]) -> bool:
    row = row_of(halves(cards), halves(draft.banca))
    return row in ("player_seven_and_half", "bank_bust", "player_higher")


def announcement(draft: Draft) -> Text:
    """What the bank has, whom it takes from and whom it pays."""
    if draft.result:
        return _ANNOUNCED[draft.result]
    won = [place for place, cards in draft.hands.items() if _won(draft, cards)]
    lost = [place for place in draft.hands if place not in won]
    said_es, said_en = [], []
    if lost:
        said_es.append(f"cobra a {_seats(lost)}")
        said_en.append(f"takes from {_seats(lost)}")
    if won:
        said_es.append(f"paga a {_seats(won)}")
        said_en.append(f"pays {_seats(won)}")
    bank = worth(tuple(draft.banca))
    return Text(
        f"banca {bank.es}: {' y '.join(said_es)}",
        f"bank {bank.en}: {' and '.join(said_en)}",
    )


_ANNOUNCED = {
    "bank": Text("la banca cobra todas", "the bank takes all"),
    "players": Text("la banca paga todas", "the bank pays all"),
    "mixed": Text("la banca cobra unas y paga otras", "the bank takes some and pays others"),
}


def _seats(places: list[tuple[int, int]]) -> str:
    return ", ".join(str(seat) for seat in dict.fromkeys(seat for seat, _ in places))


def worth(cards: tuple[str, ...]) -> Text:
    """A hand in words; past seven and a half it says so."""
    return _worth(halves(cards))


@lru_cache(maxsize=256)
def _worth(total: int) -> Text:
    told = said(total)
    return Text(f"se pasa con {told.es}", f"busts with {told.en}") if total > TARGET else told


def hands_on(state: State) -> tuple[Hand, ...]:
    """The bank's hand and each player's as they lie now, with verdicts once the hand is over."""
    draft = Draft(state)
    over = state.complete and not state.result
    bank = Hand("banca", cards=state.banca, worth=worth(state.banca) if state.banca else None)
    found = [bank]
    for (seat, hand), lying in sorted(state.hands.items()):
        verdict = ("win" if _won(draft, list(lying)) else "lose") if over else ""
        found.append(
            Hand(seat=seat, hand=hand, cards=lying, worth=worth(lying) if lying else None, verdict=verdict)
        )
    return tuple(found)


def _payouts(draft: Draft) -> tuple[Payout, ...]:
    terms, bank = draft.terms, halves(draft.banca)
    turn = {seat: at for at, seat in enumerate(draft.players)}
    awarded: list[tuple[Any, Bet, Award]] = []
    risk = 0
    for (seat, hand), cards in draft.hands.items():
        stake = draft.stakes[seat]
        total = halves(cards)
        row = row_of(total, bank)
        given = award(draft.rules, row, stake, terms.chip, terms.exponent, _why(row, total, bank))
        risk += max(stake, given.returned - stake)
        first = 0 if row == "player_bust" else _ACT_ORDER[given.act]
        awarded.append(((first, turn[seat], hand), Bet(seat, "main", stake, hand), given))
    awarded.append(
        ((3, 0, 0), Bet(draft.banker, "bank", risk), _bank_award(risk, bank_won(draft), terms.exponent))
    )
    price = _price(draft)
    if price:
        # Sold before the hand the price changes hands first; offered after the bets, at the very end.
        at = -1 if draft.seller else 4
        buyer, seller = draft.offers[-1].seat, draft.seller or draft.banker
        awarded.append(((at, 0, 0), Bet(buyer, "purchase", price), _bought(price, terms.exponent)))
        awarded.append(((at, 1, 0), Bet(seller, "purchase", price), _sold(price, terms.exponent)))
    return in_order(awarded)


@lru_cache(maxsize=4096)
def _why(row: str, total: int, bank: int) -> Text:
    """Why a hand's bet is taken or paid (SYM-04, SYM-06, SYM-07)."""
    mine, banks = said(total), said(bank)
    if row in ("player_higher", "player_lower"):
        return Text(f"{mine.es} contra {banks.es}", f"{mine.en} against {banks.en}")
    return _WHY[row].fill(mine=mine, bank=banks)


_WHY = {
    "player_bust": Text("se pasó con {mine}", "bust with {mine}"),
    "bank_seven_and_half": Text("siete y medio de la banca", "seven and a half of the bank"),
    "player_seven_and_half": Text("siete y medio", "seven and a half"),
    "bank_bust": Text("banca pasada con {bank}", "bank bust with {bank}"),
    "equal": Text("empate a {mine}, gana la banca", "tie at {mine}, the bank wins"),
}


def _price(draft: Draft) -> int:
    return draft.offers[-1].amount if draft.sale == "sell" else 0


@lru_cache(maxsize=4096)
def _bought(price: int, exponent: int) -> Award:
    told = money_words(price, exponent)
    words = Text(f"venta de la banca: paga {told.es}", f"sale of the bank: pays {told.en}")
    return Award(0, 0, 0, "purchase", "bank_sold", "SYM-08", words, "collect", 0)


@lru_cache(maxsize=4096)
def _sold(price: int, exponent: int) -> Award:
    """What the seller gets, set against as much of its own as the buyer pays."""
    told = money_words(price, exponent)
    words = Text(f"venta de la banca: cobra {told.es}", f"sale of the bank: is paid {told.en}")
    return Award(2 * price, 0, 0, "purchase", "bank_sold", "SYM-08", words, "pay", 0)


@lru_cache(maxsize=16_384)
def _bank_award(risk: int, won: int, exponent: int) -> Award:
    told = money_words(abs(won), exponent)
    words = Text("saldo de la banca: ni gana ni pierde", "balance of the bank: neither wins nor loses")
    if won < 0:
        words = Text(f"saldo de la banca: pierde {told.es}", f"balance of the bank: loses {told.en}")
    elif won:
        words = Text(f"saldo de la banca: gana {told.es}", f"balance of the bank: wins {told.en}")
    act = "pay" if won > 0 else "collect" if won < 0 else "push"
    return Award(risk + won, 0, 0, "bank", "bank_balance", "SYM-06", words, act, 0)


def next_bank(draft: Draft) -> tuple[int, str]:
    """Who has the bank in the next hand and why; seat 0 where lots must decide (SYM-02, SYM-07, SYM-08)."""
    taker = bank_change(draft)
    if taker:
        return taker, "seven_and_half"
    if draft.detail is Detail.FULL and eliminated(draft):
        return 0, "eliminated"
    if draft.sale == "sell" and not draft.seller:
        return draft.offers[-1].seat, "sale"
    return draft.banker, ""


def _facts(draft: Draft) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    if draft.result:
        return facts
    facts["banker"], facts["banca_halves"] = draft.banker, halves(draft.banca)
    facts["next_bank"], facts["bank_by"] = next_bank(draft)
    if draft.detail is Detail.FULL:
        facts["bank_won"] = bank_won(draft)
        facts["chips_after"] = _chips_after(draft)
        facts["sold_for"] = _price(draft)
    return facts


def _chips_after(draft: Draft) -> list[list[int]]:
    """[seat, what it has after the hand] of every seat that played, in smallest units."""
    left = dict(draft.chips)
    bank, terms = halves(draft.banca), draft.terms
    for (seat, _), cards in draft.hands.items():
        stake = draft.stakes[seat]
        given = award(draft.rules, row_of(halves(cards), bank), stake, terms.chip, terms.exponent)
        left[seat] += given.returned - stake
    left[draft.banker] += bank_won(draft)
    if draft.sale == "sell" and not draft.seller:
        left[draft.banker] += _price(draft)
        left[draft.offers[-1].seat] -= _price(draft)
    return [[seat, left[seat]] for seat in sorted(left)]


def _notes(draft: Draft) -> Iterable[Note]:
    if not draft.result:
        seat, why = next_bank(draft)
        if why:
            rule = {"seven_and_half": "SYM-07", "eliminated": "SYM-02", "sale": "SYM-08"}[why]
            yield Note(f"bank_by_{why}", _NEXT[why].fill(seat=seat, banker=draft.banker), rule)
        if draft.seller:
            yield Note("bank_sold", _SOLD_BEFORE.fill(seat=draft.banker, banker=draft.seller), "SYM-08")
        if draft.offers and not draft.sale and offers_void(draft):
            yield Note("offers_void", _VOID, "SYM-09")
        if draft.detail is Detail.FULL and draft.chips[draft.banker] + bank_won(draft) < 0:
            short = money_words(-draft.chips[draft.banker] - bank_won(draft), draft.terms.exponent)
            yield Note("bank_short", _SHORT.fill(amount=short), "SYM-06")
    yield from irregularities(draft.log, draft.undone)


_NEXT = {
    "seven_and_half": Text(
        "siete y medio: el asiento {seat} toma la banca en la mano siguiente",
        "seven and a half: seat {seat} takes the bank in the next hand",
    ),
    "eliminated": Text(
        "el asiento {banker} se quedó sin nada y deja la banca: se sortea",
        "seat {banker} has nothing left and leaves the bank: lots decide",
    ),
    "sale": Text("el asiento {seat} compró la banca", "seat {seat} bought the bank"),
}
_SOLD_BEFORE = Text(
    "el asiento {seat} compró la banca al {banker} antes de la mano",
    "seat {seat} bought the bank from seat {banker} before the hand",
)
_VOID = Text(
    "la banca cambia por regla: todas las ofertas quedan anuladas",
    "the bank changes by rule: all offers are void",
)
_SHORT = Text(
    "a la banca le faltan {amount} para pagar: queda debiendo",
    "the bank is short of {amount} to pay: it owes them",
)


def _unchecked(draft: Draft) -> Iterable[Text]:
    """What this level of detail left unproved."""
    if draft.detail is Detail.RESULT:
        yield _NO_CARDS
    else:
        yield _NO_HIDDEN
    if draft.detail is not Detail.FULL:
        yield _NO_BETS


_NO_CARDS = Text(
    "las cartas, los turnos y la banca (SYM-01 a SYM-07)", "cards, turns and bank (SYM-01 to SYM-07)"
)
_NO_HIDDEN = Text("qué carta tuvo cada uno oculta (SYM-04)", "which card each one kept hidden (SYM-04)")
_NO_BETS = Text(
    "las apuestas, los puntos y las ofertas por la banca (SYM-04, SYM-06 a SYM-09)",
    "bets, points and offers for the bank (SYM-04, SYM-06 to SYM-09)",
)
