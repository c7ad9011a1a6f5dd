"""A player claims a prize: the one that is there, or the refusal that says what the hand is (PP-02)."""

from __future__ import annotations

from casino.kernel.errors import Conflict, RuleViolation
from casino.kernel.words import Text, same
from jackpots import scheme
from jackpots.models import Bet, Prize
from tables.games.house_poker.kinds import CATEGORY_WORDS
from tables.models import Round, TableSession

WORDS = CATEGORY_WORDS


def claim(*, session: TableSession, round: int, seat: int, hand: str) -> Prize:
    """The prize of a position in a round (by its number) for a hand it claims. Writes nothing.

    Raises `Conflict` (`round_not_settled`), `RuleViolation` PP-01 (`no_progressive_bet`), PP-02
    (`hand_differs`, `hand_not_seen`, `hand_not_listed`).
    """
    played = Round.objects.filter(session=session, number=round, state=Round.State.SETTLED).first()
    if played is None:
        raise Conflict(
            Text(
                f"el pase {round} no está liquidado: los premios se ven al liquidarlo",
                f"round {round} is not settled: prizes are seen as it is",
            ),
            code="round_not_settled",
            rule="PP-14",
            field="round",
        )
    bet = Bet.objects.filter(round=played, seat=seat, state=Bet.State.COUNTED).select_related("version")
    found = bet.first()
    if found is None:
        raise RuleViolation(
            "PP-01",
            Text(
                f"la posición {seat} no apostó al progresivo en el pase {round}",
                f"position {seat} did not bet on the progressive in round {round}",
            ),
            code="no_progressive_bet",
            field="seat",
        )
    held = hand_of(played, seat)
    if held != hand:
        raise _differs(seat, hand, held)
    prize = Prize.objects.filter(bet=found).select_related("pool", "session__table").first()
    if prize is not None and (prize.amount or prize.state != Prize.State.VERIFIED):
        return prize
    assert found.version is not None
    raise _not_listed(hand, scheme.read(found.version.params).prize_of(hand) is not None)


def hand_of(played: Round, seat: int) -> str:
    """What a position held in a settled round, as the engine saw it; empty where the hand was not seen."""
    assert played.settlement is not None
    facts = played.settlement["outcome"].get("facts", {})
    return str(facts.get("seats", {}).get(str(seat), ""))


def _differs(seat: int, claimed: str, held: str) -> RuleViolation:
    wanted = WORDS.get(claimed, same(claimed))
    if not held:
        return RuleViolation(
            "PP-02",
            Text(
                f"la mano de la posición {seat} no se mostró: no hay {wanted.es} que pagar",
                f"the hand of position {seat} was not shown: there is no {wanted.en} to pay",
            ),
            {"hand": ""},
            code="hand_not_seen",
            field="hand",
        )
    has = WORDS.get(held, same(held))
    return RuleViolation(
        "PP-02",
        Text(
            f"la posición {seat} tiene {has.es}, no {wanted.es}",
            f"position {seat} has {has.en}, not {wanted.en}",
        ),
        {"hand": held},
        code="hand_differs",
        field="hand",
    )


def _not_listed(hand: str, listed: bool) -> RuleViolation:
    said = WORDS.get(hand, same(hand))
    if listed:
        return RuleViolation(
            "PP-02",
            Text(f"{said.es}: su premio fue de cero", f"{said.en}: its prize was nothing"),
            {"hand": hand},
            code="nothing_won",
            field="hand",
        )
    return RuleViolation(
        "PP-02",
        Text(f"{said.es} no tiene premio en este pozo", f"{said.en} has no prize in this pool"),
        {"hand": hand},
        code="hand_not_listed",
        field="hand",
    )
