"""How a table's bank stands and what may be done with it now, as its panel and its pages show it.

Read alone: every act asks the same again under its locks.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from casino.kernel.words import Text
from tables.bank.aside import may_set_aside
from tables.bank.figures import Figures, figures_of, keeps_bank
from tables.bank.history import refusals_of
from tables.bank.holding import RUNNING
from tables.bank.opening import announced, joiners
from tables.bank.order import Place
from tables.bank.rounds import current
from tables.bank.turns import due, places_in
from tables.games.base import Prompt
from tables.models import Auction, Bank, BankAnswer, BankPassage, Round, SeatTaking, TableSession

Step = BankPassage.Step

FREE, AWARDED, HELD = "free", "awarded", "held"
ROTATION, RETAKE, FOR_AUCTION, AUCTION = "rotation", "retake", "for_auction", "auction"


@dataclass(frozen=True, slots=True)
class Asked:
    """A place in the order the bank is offered in, what was answered, and whether it is theirs to answer."""

    place: Place
    answer: BankAnswer | None
    due: bool


@dataclass(frozen=True, slots=True)
class Panel:
    """A table's bank at an instant. `playing`: the round in progress, during which nothing passes on;
    `joiner`: who may still associate with the banker (BANK-08); `acts`: what may be done now; `refused`: why
    the bank that is for auction was not taken, where somebody refused it (BANK-15).
    """

    session: TableSession
    figures: Figures
    bank: Bank | None
    passage: BankPassage | None
    auction: Auction | None
    order: tuple[Asked, ...]
    seated: tuple[SeatTaking, ...]
    playing: int | None
    joiner: SeatTaking | None
    acts: frozenset[str]
    refused: str

    @property
    def stage(self) -> str:
        if self.bank is not None:
            return AWARDED if self.bank.state == Bank.State.AWARDED else HELD
        if self.passage is None:
            return FREE
        if self.passage.step == Step.AUCTION:
            return FOR_AUCTION if self.auction is None else AUCTION
        return ROTATION if self.passage.step == Step.ROTATION else RETAKE

    @property
    def call(self) -> Text | None:
        """What the support dealer calls out (BANK-17), while there are chips in the bank."""
        return (
            announced(self.bank.amount, self.figures) if self.bank is not None and self.bank.amount else None
        )

    @property
    def asked(self) -> Asked | None:
        """Whoever the bank is offered to now."""
        return next((one for one in self.order if one.due), None)

    @property
    def least(self) -> int:
        """The least that is to be put in now, smallest units."""
        if self.bank is not None:
            return self.bank.required
        if self.passage is None:
            return self.figures.least
        return self.passage.least if self.passage.step == Step.ROTATION else self.passage.retake

    @property
    def returned_later(self) -> bool:
        """Whether the bank goes back once the last round is announced, and not before (BANK-05)."""
        return self.bank is not None and self.session.state in RUNNING

    @property
    def others(self) -> tuple[SeatTaking, ...]:
        """Whoever the one asked may associate with."""
        asked = self.asked
        return tuple(one for one in self.seated if asked is None or one.pk != asked.place.taking)


def panel_of(session: TableSession, instant: dt.datetime) -> Panel | None:
    """The bank of a live session; None at a table that keeps none."""
    if not keeps_bank(session) or not session.live:
        return None
    bank, figures = current(session), figures_of(session, instant)
    passage = _passage(session) if bank is None else None
    auction = Auction.objects.filter(session=session, state=Auction.State.OPEN).first() if passage else None
    seated = tuple(SeatTaking.objects.filter(session=session, during__endswith=None).order_by("seat"))
    playing = (
        Round.objects.filter(session=session, state=Round.State.OPEN).values_list("number", flat=True).first()
    )
    order = _order(session, passage, instant)
    joiner = _joiner(bank, seated, instant)
    acts = _acts(session, figures, bank, passage, auction, order, joiner) if playing is None else frozenset()
    refused = refusals_of(session).get(passage.left_id, "") if passage and _was_refused(passage) else ""
    return Panel(session, figures, bank, passage, auction, order, seated, playing, joiner, acts, refused)


def _passage(session: TableSession) -> BankPassage | None:
    rows = BankPassage.objects.filter(session=session).exclude(step=Step.OVER)
    return rows.select_related("left__holder", "left__associate").first()


def _was_refused(passage: BankPassage) -> bool:
    return passage.left.ending == Bank.Ending.REFUSED


def _order(session: TableSession, passage: BankPassage | None, instant: dt.datetime) -> tuple[Asked, ...]:
    if passage is None:
        return ()
    answers = passage.answers.filter(step=passage.step).select_related("associate")
    answered = {one.taking_id: one for one in answers}
    turn = due(session, passage, instant)
    return tuple(
        Asked(place, answered.get(place.taking), turn is not None and place.taking == turn.taking)
        for place in places_in(session, passage, instant)
    )


def _joiner(bank: Bank | None, seated: tuple[SeatTaking, ...], instant: dt.datetime) -> SeatTaking | None:
    """Who just left the bank, while they may associate with who took it (BANK-08)."""
    left = frozenset() if bank is None else joiners(bank, instant)
    return next((one for one in seated if one.pk in left), None)


def _acts(
    session: TableSession,
    figures: Figures,
    bank: Bank | None,
    passage: BankPassage | None,
    auction: Auction | None,
    order: tuple[Asked, ...],
    joiner: SeatTaking | None,
) -> frozenset[str]:
    runs = session.state in RUNNING
    if bank is None:
        if not runs:
            return frozenset()
        if passage is None:
            return frozenset({"open"})
        if passage.step == Step.AUCTION:
            return frozenset({"auction"}) if auction is None else frozenset({"follow"})
        return _answers(passage, order)
    if bank.state == Bank.State.AWARDED:
        return frozenset({"deposit", "refuse"} if runs else {"return"})
    found = {"add"} if runs else {"return"}
    if runs:
        found.add("pass" if bank.deals else "refuse")
    if runs and joiner is not None:
        found.add("join")
    if _may_set_aside(bank, figures):
        found.add("aside")
    return frozenset(found)


def _answers(passage: BankPassage, order: tuple[Asked, ...]) -> frozenset[str]:
    asked = next((one for one in order if one.due), None)
    if asked is None:
        return frozenset()
    if asked.place.away:
        return frozenset({"absent"})  # BANK-22: who is away answers nothing
    found = {"take", "decline"}
    if passage.step == Step.ROTATION:
        found.add("joint")
    return frozenset(found)


def _may_set_aside(bank: Bank, figures: Figures) -> bool:
    times = figures.rules.set_aside_minimums
    if not times:
        return False
    return may_set_aside(bank.amount + bank.aside - bank.put_in, figures.least, times)


def entered(prompts: Sequence[Prompt]) -> tuple[Prompt, ...]:
    """What may be entered at a table whose bank is kept apart: anything but the bank itself."""
    return tuple(prompt for prompt in prompts if prompt.kind != "bank") or (_NO_BANK,)


_NO_BANK = Prompt(
    "wait",
    text=Text("Nadie tiene el banco", "Nobody holds the bank"),
    why=Text("se abre en el panel del banco", "it is opened on the bank panel"),
    rule="BANK-01",
)
