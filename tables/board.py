"""What the round screen shows of a table: felt, prompt, payouts, road, shoe, log.

Everything is played again from the stored log under the versions the round names, so the screen
cannot tell anything else than replay would.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from casino.kernel.errors import Conflict
from casino.kernel.words import Text
from tables import inforce, storing, telling
from tables.games.baccarat import draws
from tables.games.base import Detail, Prompt, Settlement
from tables.inforce import InForce
from tables.models import Assignment, BetLimits, GameRules, Round, TableSession

MOST_BEADS = 90

UNDO_REASONS: dict[str, tuple[Text, str]] = {
    "1": (Text("carta mal leída", "card misread"), "card"),
    "2": (Text("tecla equivocada", "wrong key"), "card bet close deal result note"),
    "3": (Text("carta a la otra mano", "card to the other hand"), "card"),
    "4": (Text("apuesta mal anotada", "bet logged wrongly"), "bet"),
    "5": (Text("el jugador retiró la apuesta", "the player took the bet back"), "bet"),
    "6": (Text("se cerró antes de tiempo", "closed too early"), "close"),
    "7": (Text("resultado mal anotado", "result logged wrongly"), "result"),
    "8": (Text("reparte otro asiento", "another seat deals"), "deal"),
}
"""By the key pressed: the reason, and the kinds of entry it fits."""


@dataclass(frozen=True, slots=True)
class Hand:
    """One shared hand: its cards with how each lies, its points, whether the next card is its."""

    name: str
    words: Text
    cards: tuple[tuple[str, str], ...]
    points: int | None
    due: bool
    verdict: str = ""


@dataclass(frozen=True, slots=True)
class SpotRow:
    """The stakes on one spot by seat: amount (or None) and how it lies: laid, paid, lost or push."""

    spot: str
    words: Text
    cells: tuple[tuple[int | None, str], ...]
    total: int


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the round's log."""

    number: int
    words: Text
    undone: bool
    kind: str


@dataclass(frozen=True, slots=True)
class Board:
    """The screen. `number` and `step` are what the next entry must name."""

    session: TableSession
    number: int
    step: int
    state: Any
    prompts: tuple[Prompt, ...]
    hands: tuple[Hand, ...]
    spots: tuple[SpotRow, ...]
    log: tuple[Entry, ...]
    last: Round | None
    settled: Settlement | None
    beads: tuple[tuple[int, str], ...]
    tally: Mapping[str, int]
    crew: tuple[Assignment, ...]
    hand_limits: tuple[tuple[str, Text, int, int], ...]
    blocked: Conflict | None = None

    @property
    def in_progress(self) -> bool:
        return self.step > 0

    @property
    def showing_last(self) -> bool:
        """Whether what lies on the felt is the round just settled: nothing of the next is logged."""
        return self.settled is not None and not self.in_progress

    @property
    def empty(self) -> bool:
        """Whether a round was opened and all of it struck out."""
        return self.step > 0 and all(entry.undone or entry.kind == "undo" for entry in self.log)

    @property
    def undoable(self) -> tuple[Entry, ...]:
        """What may be struck out, latest first: the last entry, and while betting is open any bet."""
        live = [e for e in reversed(self.log) if not e.undone and e.kind != "undo"]
        betting = self.detail == Detail.FULL and not self.state.closed
        return tuple(e for i, e in enumerate(live) if i == 0 or (betting and e.kind == "bet"))

    @property
    def detail(self) -> str:
        return str(self.state.terms.detail)

    @property
    def used(self) -> int:
        shoe = self.session.shoe
        return shoe.total - shoe.remaining if shoe else 0


def state_of(session: TableSession, instant: dt.datetime) -> tuple[Round | None, InForce, Any]:
    """The round in progress, the versions it is played under and its state; a fresh state if none.

    Raises `Conflict` when no rules or limits are in force.
    """
    opened = Round.objects.filter(session=session, state=Round.State.OPEN).first()
    if opened is not None:
        current = storing.versions_of(opened, session)
    else:
        rules = GameRules.in_force(session.casino, session.game, instant)
        limits = BetLimits.in_force(session.table, instant)
        if rules is None or limits is None:
            raise Conflict(
                Text(
                    "la mesa no tiene reglas o límites vigentes", "the table has no rules or limits in force"
                ),
                code="no_limits",
                rule="GEN-04",
            )
        current = inforce.versions(
            rules.pk, limits.pk, session.seats, session.detail, session.casino.exponent
        )
    state = current.game.open(current.rules, current.terms)
    if opened is not None:
        state = current.game.play_all(state, opened.log)
    return opened, current, state


def board(session: TableSession, instant: dt.datetime) -> Board:
    """The board of a table session at `instant` (UTC)."""
    opened, current, state = state_of(session, instant)
    last = Round.objects.filter(session=session).exclude(state=Round.State.OPEN).order_by("-number").first()
    settled_state, settled = _settled(last, session)
    # Until the next round begins the felt keeps what was just announced.
    shown = state if opened is not None or settled is None else settled_state
    done = settled if opened is None else None
    beads = _beads(session)
    return Board(
        session=session,
        number=opened.number if opened else session.last_round + 1,
        step=len(opened.log) if opened else 0,
        state=state,
        prompts=current.game.prompts(state),
        hands=_hands(current, shown, done, opened is not None or done is None),
        spots=spots_of(current, _laid(shown, done)),
        log=_log(current, opened.log if opened else []),
        last=last,
        settled=settled,
        beads=beads,
        tally={side: sum(1 for _, winner in beads if winner == side) for side in ("punto", "banca", "tie")},
        crew=_crew(session),
        hand_limits=tuple(
            (spot, current.game.spots[spot], *pair) for spot, pair in current.terms.limits.items()
        ),
        blocked=_blocked(session) if opened is None else None,
    )


def _settled(last: Round | None, session: TableSession) -> tuple[Any, Settlement | None]:
    if last is None or last.state != Round.State.SETTLED:
        return None, None
    current = storing.versions_of(last, session)
    state = current.game.play_all(current.game.open(current.rules, current.terms), last.log)
    return state, current.game.settle(state)


def _blocked(session: TableSession) -> Conflict | None:
    """Why no round may be opened now (CARD-38), said before anyone types."""
    from shoes.counting import require_round_may_start

    if session.shoe is None:
        return Conflict(
            Text("la mesa no tiene sabot", "the table has no shoe"), code="no_shoe", rule="CARD-38"
        )
    try:
        require_round_may_start(session.shoe)
    except Conflict as refusal:
        return refusal
    return None


def _hands(current: InForce, state: Any, done: Settlement | None, live: bool) -> tuple[Hand, ...]:
    outcome = done.outcome if done else None
    found = []
    for name, words in current.game.hands.items():
        lying = getattr(state, name)
        announced = getattr(outcome, name, None) if outcome else None
        points = draws.points(getattr(state, f"{name}_values")) if lying else announced
        verdict = verdict_of(name, outcome.winner) if outcome else ""
        due = live and state.next_hand == name
        found.append(Hand(name, words, as_they_lie(lying, new=live), points, due, verdict))
    return tuple(found)


def as_they_lie(lying: Sequence[str], *, new: bool = False) -> tuple[tuple[str, str], ...]:
    """The cards of a hand, the third one laid across; `new` marks the last as just dealt."""
    kinds = ["", "", "turn"]
    if new and lying:
        kinds[len(lying) - 1] += " new"
    return tuple((card, kinds[i].strip()) for i, card in enumerate(lying))


def verdict_of(hand: str, winner: str) -> str:
    """How a hand ended: win, lose, or nothing in a tie."""
    return "" if winner == "tie" else "win" if winner == hand else "lose"


HOW_IT_LIES = {"collect": "lost", "pay": "paid", "push": "push"}

Laid = dict[tuple[int, str], tuple[int, str]]
"""(seat, spot) -> (stake in smallest units, how it lies: laid, lost, paid or push)."""


def _laid(state: Any, done: Settlement | None) -> Laid:
    laid: Laid = {(b.seat, b.spot): (b.amount, "laid") for b in state.bets}
    for payout in done.payouts if done else ():
        laid[payout.seat, payout.spot] = (payout.stake, HOW_IT_LIES.get(payout.act, ""))
    return laid


def spots_of(current: InForce, laid: Laid) -> tuple[SpotRow, ...]:
    """Where the chips lie, seat by seat, as the layout has them (BAC-06); none where bets are not logged."""
    if current.terms.detail is not Detail.FULL:
        return ()
    rows = []
    for spot in ("tie", "banca", "punto"):
        if spot in current.terms.limits:
            cells = tuple(laid.get((seat, spot), (None, "")) for seat in range(1, current.terms.seats + 1))
            rows.append(
                SpotRow(spot, current.game.spots[spot], cells, sum(amount or 0 for amount, _ in cells))
            )
    return tuple(rows)


def _log(current: InForce, log: Sequence[Mapping[str, Any]]) -> tuple[Entry, ...]:
    undone = {event["of"] for event in log if event["e"] == "undo"}
    return tuple(
        Entry(i, words_of(current, event), i in undone, event["e"]) for i, event in enumerate(log, 1)
    )


def words_of(current: InForce, event: Mapping[str, Any]) -> Text:
    """An event of the log as a line."""
    return telling.words_of(current.game, event, current.terms.exponent)


def _beads(session: TableSession) -> tuple[tuple[int, str], ...]:
    """The road of the shoe on the table: who won each round, voided ones apart."""
    rows = Round.objects.filter(session=session, shoe=session.shoe).exclude(state=Round.State.OPEN)
    found = rows.order_by("-number").values_list("number", "winner", "state")[:MOST_BEADS]
    return tuple(
        (number, winner if state == "settled" else "void") for number, winner, state in reversed(found)
    )


def _crew(session: TableSession) -> tuple[Assignment, ...]:
    rows = Assignment.objects.filter(session=session, during__endswith=None).select_related("staff")
    return tuple(rows.order_by("pk"))
