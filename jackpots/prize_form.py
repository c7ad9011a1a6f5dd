"""The payment form of a prize: what was won where, by which cards, out of which meter; verified by whom, paid
to whom; with room for each signature by hand, in copies (PP-31).

Printed before a prize is paid it is what the cashier and the winner sign; afterwards it says that it was.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, repeat
from pathlib import Path
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from audits import policies as audit_policies
from audits.models import Event
from audits.persons.naming import PEOPLE
from audits.reports import document
from audits.reports.formats import pdf
from audits.reports.forms import ReportForm
from audits.reports.registry import EVENTS, Cell, Column, Kind, Report, Row, Section, get, in_both, register
from casino.kernel import rulebook
from casino.kernel.money import words as money_words
from casino.kernel.words import Text, same
from casino.models import Casino
from jackpots.actions import FORMS
from jackpots.claims import WORDS
from jackpots.models import Prize
from jackpots.naming import fund
from jackpots.prizes import VERIFIERS
from jackpots.reports.prizes import of_prizes
from tables import storing
from tables.models import CageOperation

SIGNING_LINES = 3
_METER = [
    Column("what", Text("Qué", "What")),
    Column("amount", Text("Importe", "Amount"), Kind.MONEY),
]
_SIGNATURES = [
    Column("role", Text("Quién", "Who")),
    Column("name", Text("Nombre", "Name")),
    Column("at", Text("Cuándo", "When"), Kind.INSTANT),
    Column("signature", Text("Firma", "Signature")),
]
_COPIES = [
    Column("cage", Text("Original: caja", "Original: cage")),
    Column("winner", Text("Duplicado: quien cobra", "Duplicate: whoever is paid")),
    Column("accounts", Text("Triplicado: contabilidad", "Triplicate: accounts")),
]
"""Three copies, each with room for whoever receives it."""


def for_form(rows: QuerySet[Prize]) -> QuerySet[Prize]:
    """Prizes with everything their form reads."""
    return rows.select_related(
        "casino", "pool", "version", "round", "session__table", "session__day", "session__casino",
        "hit_event__stream", "noted_by", "paid_by", "desk",
    )  # fmt: skip


class PrizeParams(ReportForm):
    prize = forms.ModelChoiceField(label=_("Premio"), queryset=Prize.objects.none())

    def __init__(self, *args: Any, casino: Casino, **kwargs: Any) -> None:
        super().__init__(*args, casino=casino, **kwargs)
        self.fields["prize"].queryset = for_form(Prize.objects.filter(casino=casino))  # type: ignore[attr-defined]


@register
class PrizePaper(Report):
    """The form of one prize, to be signed by hand."""

    identifier = "jackpots.prize_form"
    title = Text("Formulario de pago de premio progresivo", "Progressive prize payment form")
    rules = ("PP-15", "PP-31", "GEN-10")
    act = audit_policies.MAKE_REPORTS
    form = PrizeParams

    def particulars(self, casino: Casino, params: Mapping[str, Any]) -> list[tuple[Text, Cell]]:
        prize: Prize = params["prize"]
        return [
            (Text("Premio", "Prize"), prize.label),
            (Text("Importe", "Amount"), _amount(prize)),
            (Text("Juego", "Game"), rulebook.game(prize.session.game).name),
            (Text("Mesa", "Table"), prize.session.table.name),
            (Text("Sesión", "Session"), prize.session.label),
            (Text("Pase", "Round"), str(prize.round.number)),
            (Text("Posición", "Position"), str(prize.seat)),
            (Text("Combinación", "Combination"), WORDS.get(prize.hand, same(prize.hand))),
            (Text("Cartas", "Cards"), " ".join(cards_of(prize)) or "—"),
            (Text("Fecha y hora", "Date and time"), prize.hit_at),
            (Text("Cobra", "Paid to"), prize.winner or "—"),
            # Whole: it is the receipt that whoever is paid signs (REC-13).
            (Text("Documento", "Document"), prize.document or "—"),
            (Text("Estado", "State"), in_both(prize.get_state_display())),
            *_receipt(prize),
            (Text("Pozo", "Pool"), _of_pool(prize)),
            (Text("Anotó el pase", "Round noted by"), prize.noted_by.name),
            (Text("Suceso en la auditoría", "Event on the trail"), str(prize.hit_event.seq)),
            (Text("Huella del suceso", "Hash of the event"), bytes(prize.hit_event.hash).hex()),
        ]

    def sections(self, casino: Casino, params: Mapping[str, Any]) -> Sequence[Section]:
        prize: Prize = params["prize"]
        signing = chain(_verifiers(prize), _signing(prize))
        copies: Iterator[Row] = iter([{}])
        return [
            _listed("meter", Text("El contador", "The meter"), _METER, _meter_rows(prize), prize),
            _listed("signatures", Text("Firmas", "Signatures"), _SIGNATURES, signing, prize, SIGNING_LINES),
            _listed("copies", Text("Recibido por", "Received by"), _COPIES, copies, prize, SIGNING_LINES),
        ]

    def file_stem(self, params: Mapping[str, Any]) -> str:
        return f"premio-{params['prize'].label}"


def paper(prize: Prize, language: str) -> bytes:
    """The form as a PDF, in one language (`es-bo`, `en`)."""
    found = for_form(Prize.objects.filter(pk=prize.pk)).get()
    made = document.prepare(get(PrizePaper.identifier), found.casino, {"prize": found}, language)
    with tempfile.TemporaryDirectory(prefix="sabot-prize-") as folder:
        path = Path(folder) / "prize.pdf"
        pdf.write(made, path, lambda _rows: None)
        return path.read_bytes()


def cards_of(prize: Prize) -> list[str]:
    """The cards that won, as the round's log has them; with the community cards where the game has some."""
    current = storing.versions_of(prize.round, prize.session)
    state = current.game.play_all(current.game.open(current.rules, current.terms), prize.round.log)
    place = state.places.get(prize.seat)
    return [] if place is None else [*place.cards, *getattr(state, "board", ())]


def _listed(
    key: str, title: Text, columns: Sequence[Column], rows: Iterator[Row], prize: Prize, lines: int = 1
) -> Section:
    made = [
        {**row, PEOPLE: (("prize", prize.pk),), EVENTS: of_prizes([(prize.pk, prize.hit_event_id)])}
        for row in rows
    ]
    return Section(key, title, columns, lambda: made, lambda: len(made), lines=lines)


def _amount(prize: Prize) -> Text:
    said = money_words(prize.amount, prize.casino.exponent)
    return Text(f"{prize.casino.currency} {said.es}", f"{prize.casino.currency} {said.en}")


def _meter_rows(prize: Prize) -> Iterator[Row]:
    yield {"what": Text("Mostraba antes", "Shown before"), "amount": prize.before}
    yield {"what": Text("Premio", "Prize"), "amount": prize.amount}
    yield {"what": Text("Muestra después", "Shown after"), "amount": prize.after}
    for name, words in (
        ("players", Text("del premio, aportado por jugadores", "of the prize, contributed by players")),
        ("base", Text("del premio, de la base", "of the prize, from the base")),
        ("reserve", Text("del premio, de la reserva", "of the prize, from the reserve")),
        ("house", Text("del premio, de la casa", "of the prize, from the house")),
    ):
        if getattr(prize, name):
            yield {"what": words, "amount": getattr(prize, name)}


def _of_pool(prize: Prize) -> Text:
    """Out of which pool and level, by which parameters."""
    name, level, number = prize.pool.name, fund(prize.level), prize.version.number
    return Text(f"{name}, {level.es}, versión {number}", f"{name}, {level.en}, version {number}")


def _verifiers(prize: Prize) -> Iterator[Row]:
    agreed = Text("Verifica: conforme", "Verifies: agrees")
    denied = Text("Verifica: no conforme", "Verifies: does not agree")
    checks = list(prize.checks.select_related("actor").order_by("pk"))
    for check in checks:
        yield {"role": agreed if check.holds else denied, "name": check.actor.name, "at": check.at}
    missing: Row = {"role": Text("Verifica", "Verifies")}
    yield from repeat(missing, max(0, VERIFIERS - len(checks)))


def _signing(prize: Prize) -> Iterator[Row]:
    payer = prize.paid_by.name if prize.paid_by else ""
    yield {"role": Text("Paga (caja)", "Pays (cage)"), "name": payer, "at": prize.paid_at}
    beside = _compliance(prize)
    if beside:
        role = Text("Permite (cumplimiento, GEN-11)", "Allows (compliance, GEN-11)")
        yield {"role": role, "name": beside, "at": prize.paid_at}
    yield {"role": Text("Cobra", "Is paid"), "name": prize.winner, "at": prize.paid_at}


def _compliance(prize: Prize) -> str:
    """Who signed for compliance, where the winner was like somebody of the lists (GEN-11)."""
    paid = Event.objects.filter(stream=prize.hit_event.stream, action="jackpots.prize.paid")
    event = paid.filter(subject_type="prize", subject_id=prize.pk).first()
    told = json.loads(bytes(event.body))["data"] if event else {}
    return str(told.get("with", {}).get("name", ""))


def _receipt(prize: Prize) -> Iterator[tuple[Text, Cell]]:
    """The desk's receipt, once it was paid."""
    if prize.paid_at is None:
        return
    receipt = CageOperation.objects.filter(casino=prize.casino, reference=prize.label).first()
    form, label = FORMS.get(prize.form, same(prize.form)), receipt.label if receipt else "—"
    yield Text("Recibo", "Receipt"), Text(f"{label}, en {form.es}", f"{label}, in {form.en}")
