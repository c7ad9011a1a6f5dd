"""What the round screen shows of a table: felt, prompt, payouts, road, shoe, log.

Everything is played again from the stored log under the versions the round names, so the screen
cannot tell anything else than replay would.
"""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from casino.kernel.errors import Conflict, Refused, SabotError
from casino.kernel.words import Text, same
from shoes.counting import require_round_may_start
from shoes.models import Shoe
from shoes.procedures import procedure_of
from tables import (
    carrying,
    entering,
    felt,
    freezing,
    inforce,
    keys,
    life,
    offers,
    shuffling,
    storing,
    telling,
)
from tables.bank import rounds as bank_rounds
from tables.bank.panel import Panel, entered, panel_of
from tables.discards import gathered_too_many
from tables.felt import Felt
from tables.games.base import Game, Payout, Prompt, Settlement
from tables.inforce import InForce
from tables.models import Assignment, BetLimits, GameRules, Round, TableSession
from tables.offers import Group
from tables.reshuffling import being_shuffled

MOST_BEADS = 90
MOST_TALLIED = 6
"""A game with more ways to end than this has a road, and no tally of them."""

UNDO_REASONS: dict[str, tuple[Text, str]] = {
    "1": (Text("carta mal leída", "card misread"), "card show"),
    "2": (Text("tecla equivocada", "wrong key"), "any"),
    "3": (Text("carta a la otra mano", "card to the other hand"), "card"),
    "4": (Text("apuesta mal anotada", "bet logged wrongly"), "bet chips bank"),
    "5": (Text("el jugador retiró la apuesta", "the player took the bet back"), "bet"),
    "6": (Text("se cerró antes de tiempo", "closed too early"), "close"),
    "7": (Text("resultado mal anotado", "result logged wrongly"), "result spin"),
    "8": (Text("otro asiento", "another seat"), "deal in button choice bet"),
    "9": (Text("otra decisión", "another decision"), "choice"),
}
"""By the key pressed: the reason, and the kinds of entry it fits (`any`: all)."""


@dataclass(frozen=True, slots=True)
class Paid:
    """A payout as the list beside the felt tells it; `hand` from 1 where the seat has several."""

    order: int
    seat: int
    hand: int
    spot: Text
    act: str
    amount: int
    words: Text
    rule: str


@dataclass(frozen=True, slots=True)
class Bead:
    """How a round of the road ended: its winner's code and short word."""

    number: int
    winner: str
    sign: str
    words: Text


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the round's log."""

    number: int
    words: Text
    undone: bool
    kind: str


@dataclass(frozen=True, slots=True)
class Board:
    """The screen. `number` and `step` are what the next entry must name.

    `called`: the rule behind the announcement of the round just settled; `limits`: those of the main bet.
    `frozen`: by which incident the table is stopped; `renewing`: the shoe its cards are shuffled again for;
    `holder_full`: the most the discard holder may gather and its rule, while there is more (CARD-34);
    `shuffle_due`: the rule that asks for a shuffle before the next round (CARD-21). `bank`: a player's bank,
    run on its panel and not by entries.
    """

    session: TableSession
    number: int
    step: int
    game: Game
    state: Any
    prompts: tuple[Prompt, ...]
    offers: tuple[Group, ...]
    felt: Felt
    log: tuple[Entry, ...]
    last: Round | None
    settled: Settlement | None
    called: str
    payouts: tuple[Paid, ...]
    beads: tuple[Bead, ...]
    tally: tuple[tuple[str, int], ...]
    crew: tuple[Assignment, ...]
    limits: tuple[int, int] | None
    blocked: Conflict | None = None
    frozen: Conflict | None = None
    renewing: Shoe | None = None
    holder_full: tuple[int, str] = (0, "")
    shuffle_due: str = ""
    bank: Panel | None = None

    @property
    def called_out(self) -> Text | None:
        """What was announced, while it lies on the felt."""
        return self.settled.announcement if self.settled is not None and self.showing_last else None

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
        idle = self._fixed
        return self.step > 0 and all(entry.undone or entry.kind in idle for entry in self.log)

    @property
    def undoable(self) -> tuple[Entry, ...]:
        """What may be struck out, latest first: the last entry, and while betting is open any bet."""
        live = [e for e in reversed(self.log) if not e.undone and e.kind not in self._fixed]
        return tuple(e for i, e in enumerate(live) if i == 0 or (not self.state.closed and e.kind in _LAID))

    @property
    def _fixed(self) -> tuple[str, ...]:
        """What nobody enters and nobody strikes out: what was handed on, and a bank that is kept apart."""
        return ("undo", *self.game.carried, *(("bank",) if self.bank is not None else ()))

    @property
    def bank_missing(self) -> bool:
        """Whether what keeps a round from beginning is its bank."""
        return self.blocked is not None and self.blocked.code in ("no_bank", "bank_awaits_deposit")

    @property
    def enters(self) -> str:
        """What Enter on an empty line does: settle, close, the one thing that can come, or nothing."""
        try:
            done = entering.on_enter(self.game, self.state)
        except Refused:
            return ""
        return done if isinstance(done, str) else "close" if done[0]["e"] == "close" else "next"

    @property
    def spots(self) -> str:
        """The keys of the spots that take bets now."""
        short = keys.of(keys.bettable(self.game))
        options = [spot for prompt in self.prompts if prompt.kind == "bet" for spot in prompt.options]
        return " ".join(dict.fromkeys(short[spot] for spot in options if spot in short))

    @property
    def takes(self) -> str:
        """`card` where one may be typed next: one is due, betting it closes is open, or it is refused."""
        kinds = {prompt.kind for prompt in self.prompts}
        return "card" if kinds & {"card", "bet", "in", "close", "settle"} else ""

    @property
    def detail(self) -> str:
        return str(self.state.terms.detail)

    @property
    def returnable(self) -> int:
        """Cards of the discard holder that may go back into the shoe now: into a machine that serves as one,
        or into one that ran out in the middle of a round."""
        shoe = self.session.shoe
        if shoe is None or self.frozen:
            return 0
        if self.in_progress:
            return 0 if shoe.remaining else shoe.discarded
        return shoe.discarded if procedure_of(shoe.game, shoe.method).holder_most else 0

    @property
    def standing(self) -> Text | None:
        """What the state of the session is called, where it is not simply open (`tables.life`)."""
        state = self.session.state
        return None if state == TableSession.State.OPEN else life.NAMES[state]

    @property
    def used(self) -> int:
        shoe = self.session.shoe
        return shoe.total - shoe.remaining if shoe else 0


def state_of(session: TableSession, instant: dt.datetime) -> tuple[Round | None, InForce, Any]:
    """The round in progress, the versions it is played under and its state; if none, what the next one
    begins with.

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
        return opened, current, current.game.play_all(state, opened.log)
    state = current.game.play_all(state, carrying.carried(session))
    with contextlib.suppress(SabotError):  # limits it no longer meets: whoever opens the round hears it
        state = current.game.play_all(state, bank_rounds.begins_with(session))
    return opened, current, state


def board(session: TableSession, instant: dt.datetime) -> Board:
    """The board of a table session at `instant` (UTC)."""
    opened, current, state = state_of(session, instant)
    game = current.game
    last = Round.objects.filter(session=session).exclude(state=Round.State.OPEN).order_by("-number").first()
    settled_state, settled = _settled(last, session)
    beads = _beads(session, game)
    bank = panel_of(session, instant)
    prompts = game.prompts(state) if bank is None else entered(game.prompts(state))
    frozen = freezing.refusal(session)
    renewing = being_shuffled(session) if game.deck_type else None
    return Board(
        session=session,
        number=opened.number if opened else session.last_round + 1,
        step=len(opened.log) if opened else 0,
        game=game,
        state=state,
        prompts=prompts,
        offers=offers.groups(game, state, prompts),
        # Until the next round begins the felt keeps what was just announced.
        felt=_over(current, settled_state, settled)
        if opened is None and settled is not None
        else _playing(current, state, prompts, opened),
        log=_log(current, opened.log if opened else []),
        last=last,
        settled=settled,
        called=game.prompts(settled_state)[0].rule if settled else "",
        payouts=paid_of(game, settled.payouts) if settled else (),
        beads=beads,
        tally=_tally(game, beads),
        crew=_crew(session),
        limits=felt.main_limits(game, state.terms.limits),
        blocked=frozen or (_blocked(session, game, renewing, instant) if opened is None else None),
        frozen=frozen,
        renewing=renewing,
        holder_full=gathered_too_many(session.shoe) if session.shoe else (0, ""),
        shuffle_due=shuffling.due(session) if opened is None else "",
        bank=bank,
    )


def _playing(current: InForce, state: Any, prompts: tuple[Prompt, ...], opened: Round | None) -> Felt:
    hands = current.game.hands_on(state)
    live = [event for event in opened.log if event["e"] not in ("note",)] if opened else []
    new = live[-1] if live and live[-1]["e"] == "card" else None
    joined = felt.joined_of(opened.log if opened else (), state.terms.exponent)
    laid = felt.laid_of(state.bets)
    return felt.lay(current.game, state.terms, hands, laid, prompts, new=new, joined=joined)


def _over(current: InForce, state: Any, done: Settlement) -> Felt:
    laid = felt.laid_of(state.bets, done.payouts)
    return felt.lay(current.game, state.terms, done.outcome.hands, laid)


def paid_of(game: Game, payouts: Sequence[Payout]) -> tuple[Paid, ...]:
    """The payouts in words; what is taken or paid is the part that changes hands."""
    several = {p.seat for p in payouts if p.hand} if felt.has_own_hands(game) else set()
    return tuple(
        Paid(
            p.order,
            p.seat,
            p.hand + 1 if p.seat in several else 0,
            game.spots.get(p.spot, same(p.spot)),
            p.act,
            abs(p.won),
            p.words,
            p.rule,
        )
        for p in payouts
    )


def _settled(last: Round | None, session: TableSession) -> tuple[Any, Settlement | None]:
    if last is None or last.state != Round.State.SETTLED:
        return None, None
    current = storing.versions_of(last, session)
    state = current.game.play_all(current.game.open(current.rules, current.terms), last.log)
    return state, current.game.settle(state)


def _blocked(
    session: TableSession, game: Game, renewing: Shoe | None, instant: dt.datetime
) -> Conflict | None:
    """Why no round may be opened now (CARD-38, BANK-17), said before anyone types."""
    waits = life.refusal(session, ending_round=False)
    if waits is not None or not game.deck_type:
        return waits
    if session.shoe is None:
        words = Text("la mesa no tiene sabot", "the table has no shoe")
        if renewing is not None:
            words = Text(
                f"se barajan otra vez las cartas de la mesa: termine de preparar {renewing.label}",
                f"the cards of the table are shuffled again: finish preparing {renewing.label}",
            )
        return Conflict(words, code="no_shoe", rule=procedure_of(session.game).stop_rule)
    try:
        freezing.require_fit_pack(session, session.shoe)
        require_round_may_start(session.shoe)
    except Conflict as refusal:
        return refusal
    return bank_rounds.refusal(session, instant)


def _log(current: InForce, log: Sequence[Mapping[str, Any]]) -> tuple[Entry, ...]:
    undone = {event["of"] for event in log if event["e"] == "undo"}
    return tuple(
        Entry(i, words_of(current, event), i in undone, event["e"]) for i, event in enumerate(log, 1)
    )


def words_of(current: InForce, event: Mapping[str, Any]) -> Text:
    """An event of the log as a line."""
    return telling.words_of(current.game, event, current.terms.exponent)


def _beads(session: TableSession, game: Game) -> tuple[Bead, ...]:
    """The road of the shoe on the table: how each round ended, voided ones apart."""
    rows = Round.objects.filter(session=session, shoe=session.shoe).exclude(state=Round.State.OPEN)
    found = rows.order_by("-number").values_list("number", "winner", "state")[:MOST_BEADS]
    return tuple(
        bead(game, number, winner) if state == "settled" else Bead(number, "void", "×", _VOID)
        for number, winner, state in reversed(found)
    )


_VOID = Text("anulado", "void")
_LAID = ("bet", "in")


def bead(game: Game, number: int, winner: str) -> Bead:
    return Bead(number, winner, keys.sign_of(game, winner), game.ends.get(winner, same(winner)))


def _tally(game: Game, beads: Sequence[Bead]) -> tuple[tuple[str, int], ...]:
    if len(game.winners) > MOST_TALLIED:
        return ()
    return tuple(
        (bead(game, 0, code).sign, sum(1 for one in beads if one.winner == code)) for code in game.winners
    )


def _crew(session: TableSession) -> tuple[Assignment, ...]:
    rows = Assignment.objects.filter(session=session, during__endswith=None).select_related("staff")
    return tuple(rows.order_by("pk"))
