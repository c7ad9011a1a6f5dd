"""Stakes of a round: bets, their insurance, what comes in from prison, and the close of betting."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from casino.kernel.errors import RuleViolation
from casino.kernel.money import words as money_words
from casino.kernel.words import Text
from tables.games import reading, staking
from tables.games.base import MOST_ON_A_SPOT, Detail, Terms, refuse_detail
from tables.games.trente.rules import (
    CHANCES,
    INSURANCE,
    INSURED,
    OPPOSITE,
    SPOTS,
    Rules,
    least_insured,
    premium,
)
from tables.games.trente.state import Draft, Place

MOST_TIMES = 40
"""Each refait after the first halves a prisoner, and 10^11 halved forty times is nothing."""

_BET_KEYS = frozenset({"e", "seat", "spot", "amount", "at", "by"})


def bet(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """A stake on a chance, or the premium that insures one: exactly what is due for the whole stake."""
    _require_open(draft, Text("apuestas", "bets"))
    reading.known_keys(event, _BET_KEYS)
    seat = staking.seat_of(event.get("seat"), draft.terms, "TYC-03")
    spot = _spot(draft.rules.bets, event.get("spot"), SPOTS)
    if spot not in draft.terms.limits:
        raise RuleViolation(
            "TYC-04",
            Text(
                f"esta mesa no toma apuestas a {SPOTS[spot].es}",
                f"this table takes no bets on {SPOTS[spot].en}",
            ),
            code="spot_not_offered",
            field="spot",
        )
    amount = reading.integer(event.get("amount"), "amount", 1)
    place = (seat, spot, 0)
    if spot in INSURED:
        _require_premium(draft, seat, spot, amount)
    staking.require_chips(amount, draft.terms)
    total = draft.stakes.get(place, 0) + amount
    staking.require_limits(total, draft.terms, spot, SPOTS[spot])
    if spot in CHANCES:
        _require_insurable(draft, seat, spot, total)
        _require_gap(draft, spot, amount)
    draft.stakes[place] = total
    return {"e": "bet", "seat": seat, "spot": spot, "amount": amount}


def _require_open(draft: Draft, what: Text) -> None:
    if draft.detail is not Detail.FULL:
        raise refuse_detail(draft.detail, what)
    if draft.closed:
        raise RuleViolation(
            "TYC-03",
            Text("no va más: las apuestas están cerradas", "no more bets: betting is closed"),
            code="bets_closed",
        )


def _spot(bets: tuple[str, ...], value: object, known: Mapping[str, Text]) -> str:
    """A spot the rules list (TYC-04), an insurance by its chance."""
    if isinstance(value, str) and value in known and INSURED.get(value, value) in bets:
        return value
    names = ", ".join(spot for spot in known if INSURED.get(spot, spot) in bets)
    raise RuleViolation(
        "TYC-04",
        Text(
            f"no se acepta «{reading.shown(value)}»; las combinaciones son {names}",
            f"“{reading.shown(value)}” is not accepted; the combinations are {names}",
        ),
        code="unknown_spot",
        field="spot",
    )


def due_premium(rules: Rules, terms: Any, stakes: Mapping[Place, int], seat: int, chance: str) -> int:
    """What insuring the seat's stake on a chance still costs; 0 with no stake or when it is paid."""
    stake = stakes.get((seat, chance, 0), 0)
    return premium(rules, terms, stake) - stakes.get((seat, INSURANCE[chance], 0), 0) if stake else 0


def _require_premium(draft: Draft, seat: int, spot: str, amount: int) -> None:
    """TYC-12: there is a stake, it is large enough, and the premium is what it costs."""
    chance, terms = INSURED[spot], draft.terms
    stake, least = draft.stakes.get((seat, chance, 0), 0), least_insured(draft.rules, terms)
    if not stake:
        raise _not_insured(
            Text(
                "el asiento {seat} no apostó a {chance} en este pase: no hay qué asegurar",
                "seat {seat} has no bet on {chance} in this round: there is nothing to insure",
            ).fill(seat=seat, chance=CHANCES[chance]),
            "nothing_to_insure",
        )
    if stake < least:
        raise _not_insured(
            Text(
                "se asegura desde {least}; la apuesta es de {stake}",
                "stakes are insured from {least}; the bet is {stake}",
            ).fill(least=money_words(least, terms.exponent), stake=money_words(stake, terms.exponent)),
            "stake_too_small",
        )
    due = due_premium(draft.rules, terms, draft.stakes, seat, chance)
    if not due:
        raise _not_insured(
            Text("esa apuesta ya está asegurada", "that bet is insured already"), "insured_already"
        )
    if amount != due:
        raise _not_insured(
            premium_words(draft.rules, terms, stake, due),
            "wrong_premium",
            "amount",
        )


def premium_words(rules: Rules, terms: Terms, stake: int, due: int) -> Text:
    """What is due for insuring a stake, and why it is not less (TYC-12, GEN-09)."""
    exponent = terms.exponent
    percent, on = money_words(rules.insurance_basis_points, 2), money_words(stake, exponent)
    chip, says = money_words(terms.chip, exponent), money_words(due, exponent)
    return Text(
        f"la prima que falta es de {says.es}: {percent.es} % de {on.es}, hacia arriba a fichas de {chip.es}",
        f"the premium still due is {says.en}: {percent.en} % of {on.en}, up to whole chips of {chip.en}",
    )


def _not_insured(text: Text, code: str, field: str = "spot") -> RuleViolation:
    return RuleViolation("TYC-12", text, code=code, field=field)


def _require_insurable(draft: Draft, seat: int, chance: str, total: int) -> None:
    """GEN-04: an insured stake is not raised to where its premium would pass the table's maximum."""
    spot = INSURANCE[chance]
    if (seat, spot, 0) in draft.stakes:
        due = premium(draft.rules, draft.terms, total)
        staking.require_limits(due, draft.terms, spot, SPOTS[spot])


def gap(stakes: Mapping[Place, int], chance: str) -> int:
    """All that was bet in this round on a chance, less all on the opposite one."""
    total, other = 0, OPPOSITE[chance]
    for (_, spot, hand), amount in stakes.items():
        if not hand and spot in (chance, other):
            total += amount if spot == chance else -amount
    return total


def _require_gap(draft: Draft, chance: str, amount: int) -> None:
    """The table's limit on the gap between opposed totals, part of the limits it displays (GEN-04)."""
    limit = draft.terms.differential
    if limit is None or abs(after := gap(draft.stakes, chance) + amount) <= limit:
        return
    say = Text(
        "la diferencia entre {one} y {other} sería {gap} y la mesa admite {limit}",
        "the gap between {one} and {other} would be {gap} and the table takes {limit}",
    ).fill(
        one=CHANCES[chance],
        other=CHANCES[OPPOSITE[chance]],
        gap=money_words(abs(after), draft.terms.exponent),
        limit=money_words(limit, draft.terms.exponent),
    )
    figures = {"difference_after": abs(after), "differential": limit}
    raise RuleViolation("GEN-04", say, figures, code="differential_exceeded", field="amount")


_PRISON_KEYS = frozenset({"e", "seat", "spot", "amount", "times", "at", "by"})


def prison(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """A stake that stands from the round before (TYC-11): no new money, so neither limits nor the smallest
    chip apply to it, nor what rules published in between say of new bets."""
    _require_open(draft, Text("apuestas en prisión", "bets in prison"))
    reading.known_keys(event, _PRISON_KEYS)
    seat = staking.seat_of(event.get("seat"), draft.terms, "TYC-03")
    spot = _spot(tuple(CHANCES), event.get("spot"), CHANCES)
    amount = reading.integer(event.get("amount"), "amount", 1, MOST_ON_A_SPOT)
    times = reading.integer(event.get("times", 1), "times", 1, MOST_TIMES)
    place = (seat, spot, times)
    if place in draft.stakes:
        raise RuleViolation(
            "TYC-11",
            Text(
                f"ya está anotado lo preso del asiento {seat} a {SPOTS[spot].es} con {times} refait",
                f"what seat {seat} has in prison on {SPOTS[spot].en} after {times} refait is logged already",
            ),
            code="prison_given",
            field="spot",
        )
    draft.stakes[place] = amount
    return {"e": "prison", "seat": seat, "spot": spot, "amount": amount, "times": times}


_CLOSE_KEYS = frozenset({"e", "at", "by"})


def close(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    if draft.detail is not Detail.FULL:
        raise refuse_detail(draft.detail, Text("cierre de apuestas", "closing of bets"))
    reading.known_keys(event, _CLOSE_KEYS)
    if draft.closed:
        raise RuleViolation(
            "TYC-03", Text("las apuestas ya están cerradas", "betting is closed already"), code="bets_closed"
        )
    obstacle = cannot_close(draft.rules, draft.terms, draft.stakes)
    if obstacle is not None:
        raise obstacle
    draft.closed = True
    return {"e": "close"}


def cannot_close(rules: Rules, terms: Any, stakes: Mapping[Place, int]) -> RuleViolation | None:
    """What the layout lacks before betting may close: TYC-02 a player, TYC-12 the whole premium."""
    if not stakes:
        return RuleViolation(
            "TYC-02",
            Text("para empezar hace falta al menos un jugador con apuesta", "at least one player must bet"),
            code="no_players",
        )
    for seat, spot, _ in stakes:
        if spot in INSURED and (due := due_premium(rules, terms, stakes, seat, INSURED[spot])):
            say = money_words(due, terms.exponent)
            return RuleViolation(
                "TYC-12",
                Text(
                    f"al asiento {seat} le faltan {say.es} de prima: subió una apuesta asegurada",
                    f"seat {seat} still owes {say.en} of premium: it raised an insured bet",
                ),
                {"seat": seat, "due": due},
                code="premium_short",
                field="seat",
            )
    return None


def cannot_undo(draft: Draft, entry: Mapping[str, Any]) -> RuleViolation | None:
    """Bets stand once betting is closed, and the close once a card was logged, a struck one included; what
    comes from the round before always does."""
    kind = entry["e"]
    if kind == "prison":
        return RuleViolation("TYC-11", _CARRIED, code="undo_carried", field="of")
    if kind == "close" or (kind == "bet" and draft.closed):
        if any(logged["e"] == "card" for logged in draft.log):
            return RuleViolation("TYC-03", _BETS_STAND, code="undo_too_late", field="of")
        return (
            RuleViolation("TYC-03", _REOPEN_FIRST, code="undo_too_late", field="of")
            if kind != "close"
            else None
        )
    return None


_CARRIED = Text(
    "lo que el pase anterior dejó en prisión no se anula",
    "what the round before left in prison is not undone",
)
_BETS_STAND = Text(
    "ya salieron cartas: las apuestas quedan como están; si el pase no vale, abandónelo con su motivo",
    "cards are out: the bets stand; if the round is not valid, abandon it with its reason",
)
_REOPEN_FIRST = Text(
    "las apuestas están cerradas: anule antes el cierre, que se puede mientras no haya salido ninguna carta",
    "betting is closed: undo the closing first, which can be done while no card is out",
)
