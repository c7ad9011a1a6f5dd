"""What the floor answers the cards below it, which may not import it (`shoes.floor`)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from django.db.models import Max, Min

from audits.models import Incident
from casino.models import Casino
from shoes.floor import Freeze, Played
from shoes.models import Shoe
from tables import freezing
from tables.models import Round, Table, TableSession


class TablesAbove:
    """The floor, as the cards see it."""

    def table_names(self, casino: Casino, game: str = "") -> list[str]:
        tables = Table.objects.filter(casino=casino, active=True)
        chosen = tables.filter(game=game) if game else tables
        return list(chosen.order_by("name").values_list("name", flat=True))

    def hold_table(self, casino: Casino, table_label: str) -> Freeze:
        freezing.lock_table(casino, table_label)
        locked = TableSession.objects.select_for_update(of=("self",), no_key=True)
        open_now = locked.filter(casino=casino, state__in=TableSession.LIVE, table__name=table_label)
        return partial(_freeze, open_now.first())

    def is_open(self, casino: Casino, table_label: str) -> bool:
        open_now = TableSession.objects.filter(casino=casino, state__in=TableSession.LIVE)
        return open_now.filter(table__name=table_label).exists()

    def rounds_with(self, shoe_ids: Sequence[int]) -> list[Played]:
        rows = (
            Round.objects.filter(shoe__in=shoe_ids)
            .values("session", "shoe")
            .annotate(first=Min("number"), last=Max("number"), began=Min("opened_at"))
            .order_by("began", "session", "first")
        )
        found = list(rows)
        sessions = TableSession.objects.select_related("table", "day").in_bulk([r["session"] for r in found])
        labels = {shoe.pk: shoe.label for shoe in Shoe.objects.filter(pk__in=shoe_ids)}
        return [Played(sessions[r["session"]].label, labels[r["shoe"]], r["first"], r["last"]) for r in found]

    def round_ids(self, shoe_id: int) -> list[int]:
        return list(Round.objects.filter(shoe=shoe_id).order_by("pk").values_list("pk", flat=True))


def _freeze(session: TableSession | None, incident: Incident) -> None:
    """GEN-08: the table takes no round while the incident is open."""
    if session is not None:
        TableSession.objects.filter(pk=session.pk).update(frozen_by=incident)
