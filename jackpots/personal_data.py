"""Who won a prize: kept as long as the house keeps it, then a pseudonym (REC-12; docs/people_data.md)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from audits.models import Pseudonym
from audits.persons import kinds, looking
from casino.kernel.words import Text
from casino.models import Casino
from jackpots.models import Complementary, Prize
from tables.personal_data import last_before, lock, named_and_numbered, put


class Prizes(kinds.Kind):
    """The winner noted on a progressive prize. One that is still owed is never over."""

    code = "prize"
    name = Text("premio progresivo", "progressive prize")
    what = Text("nombre y documento de quien ganó", "name and document of who won")
    why = Text("pagar a quien ganó y declararlo (PP-31)", "to pay who won and declare it (PP-31)")

    def label(self, casino: Casino, pk: int) -> str | None:
        found = Prize.objects.filter(casino=casino, pk=pk).first()
        return found.label if found else None

    def due(self, casino: Casino, before: dt.date, only: int | None = None) -> Sequence[int]:
        query = (
            "SELECT p.id, greatest(p.decided_at, p.paid_at) AS last FROM jackpots_prize p"
            " WHERE p.casino_id = %(casino)s AND p.winner <> '' AND p.state IN ('paid', 'rejected')"
        )
        return last_before(query, casino, self.code, before, only)

    def hold(self, casino: Casino, pk: int) -> None:
        lock(Prize, casino, pk)

    def erase(self, pseudonym: Pseudonym) -> None:
        put(named_and_numbered("jackpots_prize", "winner"), pseudonym)


class Draws(kinds.Kind):
    """Who was paid a complementary prize: told by its event alone, by commitment; no row names them."""

    code = "complementary"
    name = Text("premio complementario", "complementary prize")
    what = Text("nombre de quien cobró, en su evento", "name of who was paid, in its event")
    why = Text("probar a quién se pagó el sorteo (PP-25)", "to prove whom the draw was paid (PP-25)")

    def label(self, casino: Casino, pk: int) -> str | None:
        found = Complementary.objects.filter(casino=casino, pk=pk).first()
        return found.label if found else None

    def due(self, casino: Casino, before: dt.date, only: int | None = None) -> Sequence[int]:
        query = (
            "SELECT d.id, d.paid_at AS last FROM jackpots_complementary d WHERE d.casino_id = %(casino)s"
            " AND EXISTS (SELECT 1 FROM audits_personalvalue v WHERE v.event_id = d.paid_event_id)"
        )
        return last_before(query, casino, self.code, before, only)

    def hold(self, casino: Casino, pk: int) -> None:
        lock(Complementary, casino, pk)

    def erase(self, pseudonym: Pseudonym) -> None:
        """Nothing beside what its event tells, which is erased with every kind's."""


def register() -> None:
    for kind in (Prizes(), Draws()):
        kinds.register(kind)
    for address in ("prizes", "prizes-owed", "api:prizes"):
        looking.shows(address, "prize", looking.LIST)
    for address in ("prize", "prize-form", "api:prize"):
        looking.shows(address, "prize")
    looking.report_shows("jackpots.prizes", "jackpots.prize_form")
