"""One deck from the maker's box to the act that destroys it: where it was at each step, what it stopped."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field

import pytest

from audits.by import By
from audits.incidents import resolve_incident
from audits.models import Actor, Event, Incident
from audits.verify import ledger_faults, trail_faults
from casino.kernel.errors import Conflict
from casino.kernel.permissions import Role
from shoes import whereabouts
from shoes.acts import destroy
from shoes.closing import count_shoe, decks_of
from shoes.decks import issue_decks, register_decks
from shoes.examining import inspect_deck
from shoes.models import Deck, DestructionAct, Shoe
from shoes.shoes import add_decks, start_shoe, take_step
from shoes.store import cancel, hold, release
from tables import sessions
from tables.models import Table, TableSession
from tests.builders import NATURAL, NIGHT, House, bets
from tests.shoes.builders import STEPS

MINUTE = dt.timedelta(minutes=1)
SERIALS = [f"SUR-{number:03d}" for number in range(1, 7)]
SEALS = {serial: f"P-{number}" for number, serial in enumerate(SERIALS, start=701)}
OURS = SERIALS[2]
"""The deck the story follows: the seven of clubs is gone from it at the end."""


@dataclass
class Story:
    """The house, its clock, and where our deck was after each step, as anybody saw it who stood there."""

    house: House
    table: str = ""
    session: TableSession | None = None
    shoe: Shoe | None = None
    at: dt.datetime = NIGHT - dt.timedelta(hours=3)
    seen: list[tuple[dt.datetime, str, str]] = field(default_factory=list)

    def by(self, role: Role, reason: str = "") -> By:
        self.at += MINUTE
        return self.house.by(role, self.at, reason)

    def see(self, state: str, place: str = "") -> None:
        self.seen.append((self.at, state, place))

    def who(self, role: Role) -> Actor:
        return self.house.users[role].actor


@pytest.fixture
def story(house: House) -> Story:
    return Story(house)


def received_and_issued(story: Story) -> None:
    """CARD-02: supervisor and compliance receive six decks; CARD-03: they go to the table, seals read."""
    register_decks(
        serials=SERIALS, seals=list(SEALS.values()), maker="Naipes del Sur", batch="L-77",
        back_design="rombos", back_colour="rojo", homologation="AJ-2026-0007", declared=6,
        received_with=story.who(Role.COMPLIANCE), by=story.by(Role.SUPERVISOR),
    )  # fmt: skip
    story.see("store")
    table = story.house.table(detail="full")
    story.table = table.name
    croupier = story.who(Role.CROUPIER)
    issue_decks(seals=SEALS, place=table.name, received_by=croupier, by=story.by(Role.SUPERVISOR))
    story.see("issued", table.name)


def inspected_and_prepared(story: Story) -> None:
    """CARD-14, CARD-15: opened at the table by two people; then the shoe, its shuffle checked by another."""
    for serial in SERIALS:
        inspect_deck(
            deck=Deck.objects.get(serial=serial), counted=52, by_suit_shown=True, backs_checked=True,
            inspector=story.who(Role.SUPERVISOR), witness=story.who(Role.CROUPIER),
            by=story.by(Role.SUPERVISOR),
        )  # fmt: skip
        if serial == OURS:
            story.see("passed", story.table)
    shoe = start_shoe(game="baccarat.mini", decks_wanted=6, by=story.by(Role.SUPERVISOR))
    shoe = add_decks(shoe=shoe, serials=SERIALS, by=story.by(Role.SUPERVISOR))
    story.see("in_shoe", story.table)
    for step, data in STEPS:
        role = Role.PIT_BOSS if step == "check" else Role.SUPERVISOR
        shoe = take_step(shoe=shoe, step=step, data=data, by=story.by(role))
    story.shoe = shoe


def played_and_changed(story: Story) -> None:
    """Three rounds with it; then a fresh shoe takes its place, and its decks wait to be counted (CARD-43)."""
    house = story.house
    table = Table.objects.get(casino=house.casino, name=story.table)
    story.at = NIGHT
    session = house.open_table(table, at=story.at, shoe=story.shoe)
    story.see("in_shoe", story.table)
    for _ in range(3):
        story.at += 4 * MINUTE
        house.log(session, [*bets((1, "banca", 100)), *NATURAL], at=story.at)
    story.at += MINUTE
    fresh = house.ready_shoe(at=story.at)
    by = house.by(Role.SUPERVISOR, story.at, "cambio de cartas")
    story.session = sessions.load_shoe(session=session, shoe=fresh, by=by)
    story.see("returned", story.table)
    story.at += MINUTE
    house.log(session, [*bets((1, "banca", 100)), *NATURAL], at=story.at)


def counted_short(story: Story) -> Incident:
    """The closing count, deck by deck: five whole and closed again, ours short of one card."""
    assert story.shoe is not None
    shoe = Shoe.objects.get(pk=story.shoe.pk)
    assert [deck.serial for deck in decks_of(shoe)] == SERIALS
    whole = {"counted": 52, "by_suit_shown": True, "backs_checked": True}
    found = {serial: {**whole, "seal": f"P-8{serial[-2:]}"} for serial in SERIALS}
    found[OURS] = {**whole, "counted": 51, "missing": ["7c"]}
    by = story.by(Role.SUPERVISOR)
    count_shoe(shoe=shoe, found=found, inspector=by.actor, witness=story.who(Role.CROUPIER), by=by)
    story.see("withdrawn")
    return Incident.objects.get()


def settled(story: Story, incident: Incident) -> None:
    """Held for the investigation, which two people settle; only then is it released, withdrawn for good."""
    hold(serials=[OURS], incident=incident, by=story.by(Role.PIT_BOSS))
    story.see("held")
    with pytest.raises(Conflict, match="CARD-45"):
        cancel(serials=[OURS], by=story.by(Role.COMPLIANCE))
    with pytest.raises(Conflict, match="CARD-45"):
        release(serials=[OURS], with_=story.who(Role.PIT_BOSS), by=story.by(Role.COMPLIANCE))
    resolve_incident(
        incident=incident, resolution="la carta apareció bajo la mesa; se revisaron las grabaciones",
        rule_applied="CARD-43", with_=story.who(Role.COMPLIANCE), by=story.by(Role.PIT_BOSS),
    )  # fmt: skip
    release(serials=[OURS], with_=story.who(Role.PIT_BOSS), by=story.by(Role.COMPLIANCE))
    story.see("withdrawn")


def destroyed(story: Story) -> DestructionAct:
    """CARD-45: cancelled, and destroyed before two witnesses."""
    cancel(serials=[OURS], by=story.by(Role.COMPLIANCE))
    story.see("cancelled")
    act = destroy(
        serials=[OURS], method="triturada", site="depósito de la casa",
        witnesses=[story.who(Role.COMPLIANCE), story.who(Role.CAGE)], by=story.by(Role.SUPERVISOR),
    )  # fmt: skip
    story.see("destroyed")
    return act


@pytest.mark.rule(
    "CARD-01", "CARD-02", "CARD-03", "CARD-04", "CARD-12", "CARD-43", "CARD-45", "GEN-08", "REC-14"
)
def test_a_deck_from_its_receipt_to_its_act(story: Story) -> None:
    received_and_issued(story)
    inspected_and_prepared(story)
    played_and_changed(story)
    incident = counted_short(story)

    # Tied to the three rounds dealt from its shoe and to no other: the fourth came out of the fresh one.
    session = story.session
    assert session is not None
    (span,) = incident.facts["rounds"]
    assert (span["session"], span["first"], span["last"]) == (session.label, 1, 3)
    assert "7♣" in incident.summary_es
    assert incident.notice_due == incident.opened_at + dt.timedelta(hours=24)

    # Its table takes no round until the incident is settled; the fresh shoe stays where it is.
    session.refresh_from_db()
    assert session.frozen_by == incident
    with pytest.raises(Conflict, match="GEN-08"):
        story.house.log(session, [*bets((1, "banca", 100)), *NATURAL], at=story.at + MINUTE)

    settled(story, incident)
    story.at += MINUTE
    story.house.log(session, [*bets((1, "banca", 100)), *NATURAL], at=story.at)
    act = destroyed(story)
    assert act.label == "ACT-2026-0001"

    # Asked afterwards, each instant gives what was seen then, up to the moment before the next step.
    casino = story.house.casino
    for (at, state, place), (until, *_) in zip(
        story.seen, [*story.seen[1:], (story.at + MINUTE,)], strict=True
    ):
        for when in (at, until - dt.timedelta(microseconds=1)):
            (row,) = whereabouts.where_at(casino, when, serial=OURS)
            assert (row.move.state, row.move.place) == (state, place)
    assert not whereabouts.where_at(casino, story.seen[0][0] - MINUTE, serial=OURS)

    # The other five are whole, closed again and back in the store.
    others = Deck.objects.filter(casino=casino, serial__in=SERIALS).exclude(serial=OURS)
    assert {(deck.state, deck.place, bool(deck.seal)) for deck in others} == {("store", "", True)}
    assert [move.kind for move in Deck.objects.get(serial=OURS).moves.order_by("seq")] == [
        "received", "issued", "passed", "joined", "played", "ended", "withdrawn", "held", "released",
        "cancelled", "destroyed",
    ]  # fmt: skip
    assert Event.objects.filter(subject_label=act.label).exists()
    assert [*trail_faults(casino), *ledger_faults(casino)] == []
