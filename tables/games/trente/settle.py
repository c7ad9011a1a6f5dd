"""Settling a complete round: the announcement (TYC-13), then every payout in the order it is made.

Premiums were taken when placed, so they come first; then the payer takes what lost and pays what won
(TYC-14), from the highest seat down; what is void or in prison is left standing.

A stake in prison is the player's still, and so is told as a push of the round that imprisons it: nothing
won, nothing lost. The settlement carries it to the next round as a `prison` event, whose payout tells what
became of it: freed (push), taken (collect), kept by an equality (push), halved by another refait. So
the chips that change hands add up over both rounds; a stake that passes through prison is in `staked`
and `returned` of each round it stands in, and a note says how much that is.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from typing import Any

from casino.kernel.errors import Conflict
from casino.kernel.money import Rounding, round_to
from casino.kernel.money import words as money_words
from casino.kernel.words import Text, same
from tables.games import paying
from tables.games.base import Bet, Detail, Ended, Hand, Note, Payout, Settlement, Terms
from tables.games.corrections import irregularities
from tables.games.paying import Award
from tables.games.trente.dealing import chance_of, why_due, winner_of
from tables.games.trente.rules import CHANCES, HALF, INSURANCE, OPPOSITE, PRISON, SPOTS, Rules
from tables.games.trente.state import Result, State, points

_SPOT_ORDER = {spot: place for place, spot in enumerate(SPOTS)}
_ACT_ORDER = {"collect": 1, "pay": 2, "push": 3}


def settle(state: State) -> Settlement:
    """The settlement of a complete round. Raises `Conflict` (code `round_incomplete`)."""
    if not state.complete:
        raise _incomplete(state)
    ended = result_of(state)
    payouts = _payouts(state, ended)
    standing = prisoners(payouts)
    return Settlement(
        payouts=payouts,
        totals=paying.totals(payouts),
        announcement=announcement(ended),
        outcome=_outcome(state, ended, standing),
        notes=tuple(_notes(state, standing)),
        unchecked=tuple(_unchecked(state)),
        carry=standing,
    )


def _incomplete(state: State) -> Conflict:
    if state.terms.detail is Detail.RESULT:
        missing, rule = Text("falta anotar el resultado", "the result is not written down yet"), "TYC-13"
    elif state.terms.detail is Detail.FULL and not state.closed:
        missing, rule = (
            Text("faltan cerrar las apuestas y las cartas", "betting is open and no cards are out"),
            "TYC-03",
        )
    elif min(points(state.negra), points(state.roja)) >= 31:
        missing, rule = (
            Text("falta lo que eligen los jugadores en el refait", "players have to choose on the refait"),
            "TYC-11",
        )
    else:
        missing, rule = why_due(points(state.negra), points(state.roja)), "TYC-05"
    return Conflict(
        Text("el pase no está completo: {missing}", "the round is not complete: {missing}").fill(
            missing=missing
        ),
        code="round_incomplete",
        rule=rule,
    )


def result_of(state: State) -> Result:
    """How a complete round ended."""
    if state.result is not None:
        return state.result
    negra, roja = points(state.negra), points(state.roja)
    winner = winner_of(negra, roja)
    return Result(winner, chance_of(state.negra[0], winner), negra, roja)


_CALLS = {
    "black": Text("gana negra", "black wins"),
    "red": Text("gana roja", "red wins"),
    "tie": Text("empate, suertes nulas", "tie, all chances void"),
    "refait": Text("refait", "refait"),
}
_WITH = {
    ("black", "colour"): Text("gana negra y color", "black and colour win"),
    ("black", "inverse"): Text("gana negra e inverso", "black and inverse win"),
    ("red", "colour"): Text("gana roja y color", "red and colour win"),
    ("red", "inverse"): Text("gana roja e inverso", "red and inverse win"),
}


def announcement(ended: Result) -> Text:
    """What is called out: «31 y 34: gana negra y color» (TYC-13)."""
    call = _WITH.get((ended.winner, ended.chance), _CALLS[ended.winner])
    if ended.negra is None or ended.roja is None:
        return call
    n, r = ended.negra, ended.roja
    return Text(f"{n} y {r}: {call.es}", f"{n} and {r}: {call.en}")


def _payouts(state: State, ended: Result) -> tuple[Payout, ...]:
    rules, terms, stakes, choices = state.rules, state.terms, state.stakes, dict(state.choices)
    # Only a refait is settled by the policy where nobody chose; after a tie what is in prison stays there.
    otherwise = rules.refait_policy if ended.winner == "refait" else PRISON
    awarded = []
    alike: dict[tuple[str, int, int, str, bool], Award] = {}
    for bet in state.bets:
        seat, spot, amount, hand = bet
        chance = spot in CHANCES
        insured = chance and not hand and (seat, INSURANCE[spot], 0) in stakes
        do = choices.get((seat, spot, hand), otherwise)
        same_fate = (spot, amount, hand, do, insured)
        award = alike.get(same_fate)
        if award is None:
            if chance:
                award = _award(rules, terms, bet, ended, do, insured)
            else:
                award = _premium(amount, ended.winner == "refait", terms.exponent)
            alike[same_fate] = award
        act = _ACT_ORDER[award.act] if chance else 0
        awarded.append(((act, -seat, _SPOT_ORDER[spot], hand), bet, award))
    return paying.in_order(awarded)


@lru_cache(maxsize=4096)
def _premium(amount: int, refait: bool, exponent: int) -> Award:
    """The premium is lost whatever happens; on a refait it has freed the stake (TYC-12)."""
    said = money_words(amount, exponent)
    if not refait:
        words = Text(f"prima del seguro: se retiran {said.es}", f"insurance premium: take {said.en}")
        return Award(0, 0, 0, "lose", "no_refait", "TYC-12", words, "collect", 0)
    words = Text(
        f"prima del seguro: se retiran {said.es} y la apuesta queda libre",
        f"insurance premium: take {said.en}, and the stake is free",
    )
    return Award(0, 0, 0, "free_stake", "refait_31", "TYC-12", words, "collect", 0)


def _award(rules: Rules, terms: Terms, bet: Bet, ended: Result, do: str, insured: bool) -> Award:
    """What a stake on a chance comes to: the rows of its pay table from the top (TYC-08 to TYC-11)."""
    chip, exponent, stake = terms.chip, terms.exponent, bet.amount
    why = _why(bet.spot, ended.winner, ended.chance, ended.negra, ended.roja)
    if ended.winner == "refait":
        if insured:
            return _free(stake, exponent)
        return (
            _caught(stake, do, chip, exponent) if not bet.hand else _caught_again(stake, do, chip, exponent)
        )
    if ended.winner == "tie":
        if bet.hand and do == HALF:
            return paying.half_lost(stake, "rows_equal", "TYC-11", chip, exponent, why=why)
        if bet.hand:
            return _kept(stake, "rows_equal", exponent, why)
        return paying.pushed(stake, "rows_equal", "TYC-10", exponent, why)
    won = bet.spot in (ended.winner, ended.chance)
    rule = "TYC-08" if bet.spot in ("black", "red") else "TYC-09"
    if not won:
        return paying.lost(stake, f"{bet.spot}_loses", rule, exponent, why)
    if bet.hand:
        return _freed(stake, f"{bet.spot}_wins", exponent, why)
    pays = rules.even_chance_pays
    return paying.won(stake, f"{bet.spot}_wins", pays, "TYC-10", chip, exponent, False, why)


@lru_cache(maxsize=1024)
def _why(spot: str, winner: str, chance: str, negra: int | None, roja: int | None) -> Text:
    """Why a chance is paid or taken: «gana negra 31 contra 34», «gana color», «empate a 35»."""
    if winner == "refait":
        return _CALLS["refait"]
    if winner == "tie":
        return Text("empate", "tie") if negra is None else Text(f"empate a {negra}", f"tie at {negra}")
    if spot not in ("black", "red"):
        return _CHANCE_WINS[chance]
    call = _CALLS[winner]
    if negra is None or roja is None:
        return call
    mine, other = (negra, roja) if winner == "black" else (roja, negra)
    return Text(f"{call.es} {mine} contra {other}", f"{call.en} {mine} against {other}")


_CHANCE_WINS = {
    "colour": Text("gana color", "colour wins"),
    "inverse": Text("gana inverso", "inverse wins"),
}


@lru_cache(maxsize=4096)
def _free(stake: int, exponent: int) -> Award:
    said = money_words(stake, exponent)
    words = Text(f"refait, asegurada: quedan libres {said.es}", f"refait, insured: {said.en} is free")
    return Award(stake, 0, 0, "push", "refait_31", "TYC-12", words, "push", 0)


def _caught(stake: int, do: str, chip: int, exponent: int) -> Award:
    """The first refait a stake meets."""
    if do == HALF:
        return paying.half_lost(stake, "refait_31", "TYC-11", chip, exponent, why=_CALLS["refait"])
    return _kept(stake, "refait_31", exponent, _CALLS["refait"])


@lru_cache(maxsize=4096)
def _kept(stake: int, row: str, exponent: int, why: Text) -> Award:
    said = money_words(stake, exponent)
    words = Text(
        f"{why.es}: en prisión para el pase siguiente, {said.es}",
        f"{why.en}: in prison for the next round, {said.en}",
    )
    return Award(stake, 0, 0, "prison", row, "TYC-11", words, "push", 0)


@lru_cache(maxsize=4096)
def _freed(stake: int, row: str, exponent: int, why: Text) -> Award:
    said = money_words(stake, exponent)
    words = Text(
        f"{why.es}: sale de prisión, vuelven {said.es} sin premio",
        f"{why.en}: freed, {said.en} goes back without a prize",
    )
    return Award(stake, 0, 0, "push", row, "TYC-11", words, "push", 0)


def _half(amount: int, chip: int) -> int:
    """What is left when half is taken, up to whole chips (GEN-09)."""
    return amount - min(amount, round_to(Fraction(amount, 2), chip, Rounding.UP).amount)


@lru_cache(maxsize=4096)
def _caught_again(stake: int, do: str, chip: int, exponent: int) -> Award:
    """Another refait halves again (TYC-11): half of what is in prison is taken, and of what is left the
    player takes half back or leaves it all in prison."""
    left = _half(stake, chip)
    if do == HALF:
        back = _half(left, chip)
        taken, rest = money_words(stake - back, exponent), paying.going_back(back, exponent)
        if back:
            rest = Text(f"{rest.es}, la cuarta parte", f"{rest.en}, a quarter")
        words = Text(
            f"otro refait: de lo preso se retiran {taken.es}; {rest.es}",
            f"another refait: of what was in prison take {taken.en}; {rest.en}",
        )
        return Award(back, 0, 0, "lose_3_of_4", "refait_31", "TYC-11", words, "collect", 0)
    taken, rest = money_words(stake - left, exponent), paying.NOTHING_LEFT
    if left:
        stays = money_words(left, exponent)
        rest = Text(f"siguen en prisión {stays.es}", f"{stays.en} stays in prison")
    words = Text(
        f"otro refait: se retira la mitad de lo preso, {taken.es}; {rest.es}",
        f"another refait: take half of what was in prison, {taken.en}; {rest.en}",
    )
    return Award(left, 0, 0, "lose_half", "refait_31", "TYC-11", words, "collect", 0)


def prisoners(payouts: Iterable[Payout]) -> tuple[dict[str, Any], ...]:
    """What stands in prison after the round: the `prison` events the next round begins with."""
    found: list[dict[str, Any]] = []
    for paid in payouts:
        # What another refait halved stands on too; of what is told as `lose_3_of_4` the rest went back.
        halved = paid.row == "refait_31" and paid.hand > 0 and paid.pays == "lose_half"
        kept = halved or paid.pays == "prison"
        if kept and paid.returned:
            # An equality leaves the sentence as it was; a refait adds one.
            times = paid.hand + (paid.row == "refait_31")
            found.append(
                {"e": "prison", "seat": paid.seat, "spot": paid.spot, "amount": paid.returned, "times": times}
            )
    return tuple(sorted(found, key=lambda event: (event["seat"], _SPOT_ORDER[event["spot"]], event["times"])))


def _outcome(state: State, ended: Result, standing: tuple[dict[str, Any], ...]) -> Ended:
    facts: dict[str, Any] = {"chance": ended.chance, "negra": ended.negra, "roja": ended.roja}
    if standing:
        facts["in_prison"] = sum(event["amount"] for event in standing)
    return Ended(ended.winner, hands_on(state, ended), facts)


def hands_on(state: State, ended: Result | None = None) -> tuple[Hand, ...]:
    """Both rows as they lie now, with their verdict once the round has ended."""
    rows = (("negra", "black", state.negra), ("roja", "red", state.roja))
    return tuple(
        Hand(
            name,
            cards=row,
            worth=_worth(row, getattr(ended, name, None)),
            verdict=_verdict(chance, ended) if ended else "",
        )
        for name, chance, row in rows
    )


def _worth(row: tuple[str, ...], told: int | None) -> Text | None:
    total = points(row) if row else told
    return None if total is None else same(str(total))


def _verdict(chance: str, ended: Result) -> str:
    if ended.winner == chance:
        return "win"
    return "lose" if ended.winner == OPPOSITE[chance] else "push"


def _notes(state: State, standing: tuple[dict[str, Any], ...]) -> Iterable[Note]:
    carried = sum(bet.amount for bet in state.bets if bet.hand)
    if carried:
        said = money_words(carried, state.terms.exponent)
        text = Text(
            f"de lo apostado, {said.es} venían en prisión de pases anteriores",
            f"of what is staked, {said.en} came in prison from earlier rounds",
        )
        yield Note("prison_carried", text, "TYC-11")
    for event in standing:
        text = Text(
            "sigue en prisión: asiento {seat}, {amount} a {spot} ({times} refait)",
            "stays in prison: seat {seat}, {amount} on {spot} ({times} refait)",
        ).fill(
            seat=event["seat"],
            amount=money_words(event["amount"], state.terms.exponent),
            spot=CHANCES[event["spot"]],
            times=event["times"],
        )
        yield Note(PRISON, text, "TYC-11")
    yield from irregularities(state.log, state.undone)


def _unchecked(state: State) -> Iterable[Text]:
    """What this level of detail, or this source, left unproved."""
    if state.terms.detail is Detail.RESULT:
        yield _NO_CARDS
    elif any(card[0] == "v" for card in state.negra + state.roja):
        yield _NO_SUITS
    if state.terms.detail is not Detail.FULL:
        yield _NO_BETS
    elif any(bet.hand for bet in state.bets):
        yield _NO_EARLIER


_NO_CARDS = Text(
    "las cartas: orden de las filas, puntos y primera carta (TYC-05 a TYC-09)",
    "the cards: order of the rows, points and first card (TYC-05 to TYC-09)",
)
_NO_SUITS = Text(
    "las cartas sin palo: si el sabot podía contenerlas (CARD-42)",
    "cards without suit: whether the shoe could hold them (CARD-42)",
)
_NO_BETS = Text(
    "las apuestas, el seguro, lo que quedó en prisión y sus pagos (TYC-10 a TYC-12, GEN-04)",
    "the bets, the insurance, what was left in prison and their payouts (TYC-10 to TYC-12, GEN-04)",
)
_NO_EARLIER = Text(
    "lo que venía en prisión: que coincida con el pase anterior (TYC-11)",
    "what came in prison: that it agrees with the round before (TYC-11)",
)
