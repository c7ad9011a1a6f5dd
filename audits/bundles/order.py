"""A bundle as an export: asked for like a report, made by the same workers, handed out with its trail.

Its one table says what it covers (each day with its seal). The file is made from the order itself, not
from that table: `formats.OF_THE_ORDER`.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from django import forms
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from audits import policies
from audits.bundles import making, rows
from audits.bundles import span as spans
from audits.models import Export, Seal, SealLeaf
from audits.reports import EVENTS, Column, EventsOf, Kind, Report, Row, document, register, registered
from audits.reports import forms as report_forms
from audits.reports.forms import DayField, PeriodForm
from audits.sealing.reading import latest_seal
from casino.kernel import permissions
from casino.kernel.permissions import Role
from casino.kernel.words import Text
from casino.models import Casino

IDENTIFIER = "audits.bundle"
FORMAT = "zip"
READERS = (Role.COMPLIANCE, Role.INSPECTOR)
"""Who may ask for a bundle: so it holds only reports that each of them may read alone."""


def offered(casino: Casino) -> dict[str, Report]:
    """The reports a bundle can hold: those that need only to know the days."""
    acts = permissions.acts()
    return {
        name: report
        for name, report in registered().items()
        if name != IDENTIFIER and acts[report.act].issuperset(READERS) and rows.fits(report, casino)
    }


class BundleForm(PeriodForm):
    """The span of gaming days, the reports, and the seal up to which chains go (the last one there is)."""

    reports = forms.MultipleChoiceField(
        label=_("Reportes"), required=False, widget=forms.CheckboxSelectMultiple
    )
    through = DayField(
        label=_("Con lo que pasó después, hasta el día"),
        required=False,
        help_text=_(
            "Una fila puede apoyarse en algo posterior, como una corrección. Se incluye hasta este día, que"
            " debe estar sellado; vacío: hasta el último día sellado."
        ),
    )

    def __init__(self, *args: Any, casino: Casino, **kwargs: Any) -> None:
        super().__init__(*args, casino=casino, **kwargs)
        said = [(name, report.title.say(get_language())) for name, report in offered(casino).items()]
        self.fields["reports"].choices = said  # type: ignore[attr-defined]
        last = latest_seal(casino)
        if last is not None:
            self.fields["first"].initial = self.fields["last"].initial = last.day.date

    def clean(self) -> dict[str, Any]:
        given = super().clean()
        last = latest_seal(self.casino)
        through: dt.date | None = given.get("through")
        if through is None and "through" not in self.errors and last is not None:
            given["through"] = last.day.date
        elif through is not None and not Seal.objects.filter(casino=self.casino, day__date=through).exists():
            self.add_error("through", _("Ese día no tiene sello."))
        return given


@register
class BundleReport(Report):
    """What a bundle covers. The days must be sealed, or it is refused (REC-06)."""

    identifier = IDENTIFIER
    title = Text("Paquete para el regulador", "Bundle for the regulator")
    rules = ("REC-06", "REC-15")
    act = policies.MAKE_BUNDLE
    form = BundleForm
    formats = (FORMAT,)

    def columns(self, params: Mapping[str, Any]) -> list[Column]:
        return [
            Column("day", Text("Día de juego", "Gaming day"), Kind.DAY),
            Column("chains", Text("Cadenas que se movieron", "Chains that moved"), Kind.INT),
            Column("root", Text("Raíz sellada", "Sealed root")),
            Column("key", Text("Llave", "Key")),
        ]

    def rows(self, casino: Casino, params: Mapping[str, Any]) -> Iterator[Row]:
        for seal in _span(casino, params).days:
            yield {
                "day": seal.day.date,
                "chains": SealLeaf.objects.filter(seal=seal).count(),
                "root": bytes(seal.root).hex(),
                "key": seal.key.key_id,
                EVENTS: EventsOf(streams=("days",), subject=("day", seal.day_id)),
            }

    def count(self, casino: Casino, params: Mapping[str, Any]) -> None:
        """Refuses at once what cannot be made. How many rows of all kinds will come is known afterwards."""
        _span(casino, params)

    def file_stem(self, params: Mapping[str, Any]) -> str:
        return f"paquete-{params['first']}-{params['last']}"


def _span(casino: Casino, params: Mapping[str, Any]) -> spans.Span:
    through = params.get("through") or params["last"]
    return spans.of(casino, params["first"], params["last"], through)


def write(export: Export, path: Path, progress: document.Progress) -> None:
    """The file of an order for a bundle. Raises `Refused` where its days are not sealed (any more)."""
    cleaned = report_forms.read(BundleForm, export.casino, export.params)
    known = offered(export.casino)
    chosen = [known[name] for name in cleaned["reports"]]
    making.write(_span(export.casino, cleaned), chosen, export.language, path, progress)
