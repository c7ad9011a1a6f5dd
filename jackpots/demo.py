"""The pool of the demonstration, fed by CP-01: credits and bets of an evening, a small prize paid, a larger
one that waits to be verified.

The demonstration's rounds are dealt by a seed; these hands are written, so that somebody wins.
"""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Mapping, Sequence
from typing import Any

from audits import filings
from audits.by import By
from audits.trail import Subject
from jackpots import betting, credits, members, pools, prizes, reading, versions
from jackpots import filings as asked
from jackpots.models import Pool, Prize
from shoes.cards import COVERED
from tables import rounds
from tables.demo.house import BOB, House, recorded_at
from tables.models import CageDesk, TableSession

TABLE, NAME = "CP-01", "Pozo Illimani"
PARAMS: Mapping[str, Any] = {
    "commission_bp": 1_000,
    "levels": [{"code": "main", "share_bp": 8_000, "base": 20_000 * BOB, "cap": None}],
    "reserves": [{"code": "reserve", "share_bp": 2_000}],
    "credit": 5 * BOB,
    "least": 1,
    "most": 4,
}
BOUGHT = {1: 30, 2: 40, 4: 25, 6: 40}
BETS = {1: 1, 2: 4, 4: 1, 6: 2}
"""Credits bought and bet each round, by position."""
ROUNDS, FLUSH_AT, STRAIGHT_FLUSH_AT = 10, 4, 9
FLUSH, STRAIGHT_FLUSH = "3h 6h 8h Th Kh", "5s 6s 7s 8s 9s"
WINNER, DOCUMENT = "Nélida Aramayo", "4892715"
RANKS, SUITS = "23456789TJQKA", "shdc"


def lay(house: House, at: dt.datetime) -> None:
    """The pool with its parameters, filings and table, running from `at` (UTC)."""
    if TABLE not in house.tables:
        return
    with recorded_at(at):
        by = house.by("pitboss", at, "pozo de la demostración")
        pool = pools.create_pool(name=NAME, by=by)
        version = versions.draft_version(pool=pool, params=PARAMS, by=by)
        for name in ("compliance", "admin"):
            versions.approve_version(version=version, by=house.by(name, at))
        _approved(house, asked.SCHEME, asked.about_version(version), "", at)
        text = f"Se pide homologar el equipo del pozo «{NAME}»."
        _approved(house, asked.EQUIPMENT, asked.about_pool(pool), text, at)
        members.link_table(pool=pool, table=house.tables[TABLE], by=by)
        _presented(house, asked.TABLES, asked.about_pool(pool), "", at)
        pools.start(pool=pool, with_=house.users["compliance"].actor, by=by)


def evening(house: House, now: dt.datetime) -> None:
    """Since the last round of CP-01 until `now` (UTC)."""
    rows = TableSession.objects.filter(table__name=TABLE, casino=house.casino, state__in=TableSession.LIVE)
    session = rows.select_related("table", "day").first()
    pool = Pool.objects.filter(casino=house.casino, name=NAME).first()
    if session is None or pool is None:
        return
    night = _Night(house, session, pool, now)
    night.play()
    night.pay_the_flush()
    night.read_the_meter()


def _presented(house: House, kind: str, subject: Subject, text: str, at: dt.datetime) -> Any:
    """The filing that was drafted with what it is about, or else is drafted now, handed in."""
    found = filings.Filing.objects.filter(
        casino=house.casino, kind=kind, subject_type=subject.type, subject_id=subject.id
    ).first()
    if found is None:
        by = house.by("pitboss", at, "trámite")
        found = filings.draft_filing(kind=kind, subject=subject, text=text, by=by)
    return filings.present_filing(filing=found, by=house.by("compliance", at))


def _approved(house: House, kind: str, subject: Subject, text: str, at: dt.datetime) -> None:
    filing = _presented(house, kind, subject, text, at)
    reference = f"RA-DEMO-{filing.number:03d}/2026"
    filings.decide_filing(filing=filing, approved=True, reference=reference, by=house.by("admin", at))


class _Night:
    """The progressive of one table, one instant after another until now."""

    def __init__(self, house: House, session: TableSession, pool: Pool, now: dt.datetime) -> None:
        self._house, self._session, self._pool = house, session, pool
        session.refresh_from_db()
        self._at = session.last_at or session.opened_at
        self._step = max(dt.timedelta(seconds=1), (now - self._at) / (len(BOUGHT) + ROUNDS * 6 + 12))
        self._chance = random.Random(41)

    def _by(self, name: str = "pitboss") -> By:
        self._at += self._step
        return self._house.by(name, self._at)

    def play(self) -> None:
        """Credits, then rounds: everybody bets, one wins a flush, later one a straight flush."""
        for seat, number in BOUGHT.items():
            credits.buy_credits(session=self._session, seat=seat, credits=number, by=self._by())
        special = {FLUSH_AT: FLUSH, STRAIGHT_FLUSH_AT: STRAIGHT_FLUSH}
        for place in range(ROUNDS):
            for seat, number in BETS.items():
                betting.place_bet(session=self._session, seat=seat, credits=number, by=self._by())
            events = self._events(special.get(place, ""))
            rounds.log(session=self._session, number=None, events=events, by=self._by())

    def _events(self, special: str) -> list[dict[str, Any]]:
        """A whole round in which everybody plays on; `special` is what position 2 holds."""
        hands = self._hands(special)
        dealer = hands.pop(0)
        covered: list[dict[str, Any]] = []
        for _ in range(5):
            covered += [{"e": "card", "to": "seat", "seat": seat, "card": COVERED} for seat in sorted(hands)]
            covered.append({"e": "card", "to": "dealer", "card": COVERED})
        return [
            *({"e": "bet", "seat": seat, "spot": "ante", "amount": 25 * BOB} for seat in sorted(hands)),
            {"e": "close"},
            *covered,
            *({"e": "choice", "seat": seat, "do": "bet"} for seat in sorted(hands)),
            {"e": "show", "to": "dealer", "cards": dealer},
            *({"e": "show", "seat": seat, "cards": hands[seat]} for seat in sorted(hands, reverse=True)),
        ]

    def _hands(self, special: str) -> dict[int, Sequence[str]]:
        """Five cards for each who bets and for the dealer (0), none of them a prize but the one asked for."""
        while True:
            left = [rank + suit for rank in RANKS for suit in SUITS if rank + suit not in special.split()]
            self._chance.shuffle(left)
            hands = {seat: [left.pop() for _ in range(5)] for seat in (0, *BETS)}
            if special:
                hands[2] = special.split()
            if all(_plain(cards) for seat, cards in hands.items() if not (special and seat == 2)):
                return dict(hands)

    def pay_the_flush(self) -> None:
        """The smaller prize goes all its way: two check it, the cage pays it. The larger one waits."""
        prize = Prize.objects.filter(pool=self._pool, hand="flush").first()
        desk = CageDesk.objects.filter(casino=self._house.casino, active=True).order_by("number").first()
        if prize is None or desk is None:
            return
        prizes.check_prize(prize=prize, winner=WINNER, document=DOCUMENT, by=self._by("supervisor"))
        prizes.check_prize(prize=prize, by=self._by("compliance"))
        prizes.pay_prize(prize=prize, desk=desk, by=self._by("cage"))

    def read_the_meter(self) -> None:
        """Somebody read the display, and it shows what Sabot has."""
        fund = self._pool.funds.get(code="main")
        reading.read_meter(pool=self._pool, amount=fund.shown, by=self._by("supervisor"))


def _plain(cards: Sequence[str]) -> bool:
    """Whether five cards hold at most a pair."""
    ranks = [card[0] for card in cards]
    places = sorted({RANKS.index(rank) for rank in ranks})
    flush = len({card[1] for card in cards}) == 1
    straight = len(places) == 5 and (places[-1] - places[0] == 4 or places == [0, 1, 2, 3, 12])
    return len(places) >= 4 and not flush and not straight
