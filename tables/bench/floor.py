"""A casino to measure in: tables open at detail `full`, made by the write functions themselves."""

from __future__ import annotations

import datetime as dt
import itertools
import random
from dataclasses import dataclass
from typing import Any

from django.db import connection

from audits.by import By, by_user
from audits.casinos import FirstLogin, Particulars, create_casino
from audits.models import Actor
from audits.people import create_user
from casino.kernel.permissions import Role
from casino.models import Casino, User
from shoes import cards, examining, moving
from shoes import decks as deck_acts
from shoes import shoes as shoe_acts
from shoes.models import Shoe
from tables import people, settings
from tables.games import registry
from tables.games.baccarat import draws
from tables.games.baccarat import rules as baccarat
from tables.models import Staff, Table, TableSession
from tables.openings import open_session

GAME = "baccarat.mini"
SEATS = 7
CHIP = 500
STAKES = {"punto": 10_000, "banca": 12_000, "tie": 2_000}
"""Two spots a seat are played: every seat on one hand and on the tie."""

PREPARATION: tuple[tuple[str, dict[str, Any]], ...] = (
    ("show", {}),
    ("wash", {}),
    ("shuffle", {"kind": "double"}),
    ("check", {"sequences": "none"}),
    ("cut", {"declined": [1], "cut_by": 2, "position": 120}),
    ("turn", {}),
    ("load", {"stop_card_from_end": 6}),
    ("burn", {"card": "2c", "burned": 2}),
)

LEFT_OVER = 20
"""Cards that stay in the shoe: the stop card lies before the last six, three go to the burn."""

_numbers = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Floor:
    """The house and its open sessions, one a client."""

    casino: Casino
    boss: User
    sessions: list[TableSession]


def build(sessions: int, code: str = "bench") -> Floor:
    """A house of that code with so many open tables."""
    casino, administrator = create_casino(
        code=code,
        particulars=Particulars(
            name="Casino de medir",
            zone="America/La_Paz",
            cutoff=dt.time(6),
            currency="BOB",
            denominations=[500, 1_000, 5_000, 10_000],
        ),
        administrator=FirstLogin(f"{code}-admin", "Administrador", "una clave larga de medir"),
    )
    office = by_user(administrator, reason="vara de medir")
    boss, checker = (
        create_user(username=name, name=name, password="una clave larga de medir", roles=[role], by=office)  # noqa: S106
        for name, role in ((f"{code}-boss", Role.PIT_BOSS), (f"{code}-checker", Role.SUPERVISOR))
    )
    settings.publish_rules(
        game=GAME,
        params=registry.game(GAME).default_rules().to_json(),
        betting_plan="PA-1",
        confirmed_by="Vara de medir",
        confirmation="cifras del reglamento para medir; nadie juega con ellas",
        by=office,
    )
    pit = settings.set_pit(name="Sector 1", by=office)
    opened = []
    for number in range(1, sessions + 1):
        table = settings.set_table(
            name=f"PB-{number:02d}", pit=pit, game=GAME, seats=SEATS, detail="full", by=office
        )
        settings.publish_limits(
            table=table, chip=CHIP, spots=dict.fromkeys(STAKES, (CHIP, 1000000)), by=office
        )
        opened.append(_open(table, by_user(boss), checker, office))
    return Floor(casino, boss, opened)


def _open(table: Table, by: By, checker: User, office: By) -> TableSession:
    return open_session(
        table=table,
        shoe=_ready_shoe(by, checker, office.actor),
        chips_counted={10_000: 500},
        dealer=_staff(office, supervises=False),
        supervisor=_staff(office, supervises=True),
        by=by_user(by.actor.user),
    )


def _staff(by: By, *, supervises: bool) -> Staff:
    number = next(_numbers)
    return people.set_staff(
        number=f"L-{number}",
        name=f"Persona {number}",
        licence=f"AJ-{number}",
        licence_expires=dt.date(2099, 1, 1),
        games=[GAME],
        supervises=supervises,
        by=by,
    )


def _ready_shoe(by: By, checker: User, keeper: Actor) -> Shoe:
    wanted = registry.game(GAME).default_rules().decks
    serials = [f"N{next(_numbers):06d}" for _ in range(wanted)]
    deck_acts.register_decks(
        serials=serials,
        maker="Naipes",
        batch="L-1",
        back_design="rombos",
        back_colour="rojo",
        homologation="AJ-1",
        received_with=keeper,
        by=by,
    )
    sealed = {serial: serial for serial in serials}
    issued = deck_acts.issue_decks(seals=sealed, place=moving.DESK, received_by=checker.actor, by=by)
    for deck in issued:
        examining.inspect_deck(
            deck=deck,
            counted=52,
            by_suit_shown=True,
            backs_checked=True,
            inspector=by.actor,
            witness=checker.actor,
            by=by,
        )
    shoe = shoe_acts.start_shoe(game=GAME, decks_wanted=wanted, by=by)
    shoe = shoe_acts.add_decks(shoe=shoe, serials=serials, by=by)
    for step, data in PREPARATION:
        signs = by_user(checker) if step == "check" else by
        shoe = shoe_acts.take_step(shoe=shoe, step=step, data=data, by=signs)
    return shoe


def refill(session: TableSession) -> None:
    """Put the cards of a shoe in play back into it, behind everybody's back.

    A shoe lasts some 40 such rounds and takes far longer to prepare; what is measured is the rounds. The
    trail keeps its chain, the shoe's own proof would rightly object.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE shoes_shoe SET remaining = remaining + discarded, discarded = 0, seen = '{}',"
            " stop_reached = false WHERE id = %s",
            [session.shoe_id],
        )


def whole_rounds(seed: int) -> list[list[dict[str, Any]]]:
    """Rounds that one shoe holds, of five or six cards, with two bets on each of seven seats.

    Dealt from a shuffled pack as the game deals; rounds of four cards are left out.
    """
    rules = baccarat.default_rules(GAME)
    pack = [card for card in cards.deck_type("french52").cards for _ in range(rules.decks)]
    random.Random(seed).shuffle(pack)
    found: list[list[dict[str, Any]]] = []
    while len(pack) > LEFT_OVER:
        dealt = _deal(pack)
        if len(dealt) > 4:
            found.append([*_bets(len(found)), {"e": "close"}, *dealt])
    return found


def _deal(pack: list[str]) -> list[dict[str, Any]]:
    values: dict[str, list[int]] = {"punto": [], "banca": []}
    dealt = []
    while to := draws.next_hand(tuple(values["punto"]), tuple(values["banca"])):
        card = pack.pop()
        values[to].append(draws.VALUES[card])
        dealt.append({"e": "card", "to": to, "card": card})
    return dealt


def _bets(number: int) -> list[dict[str, Any]]:
    return [
        {"e": "bet", "seat": seat, "spot": spot, "amount": STAKES[spot] + CHIP * ((seat + number) % 8)}
        for seat in range(1, SEATS + 1)
        for spot in ("punto" if (seat + number) % 2 else "banca", "tie")
    ]
