"""Players known by document: registered and changed, and what the house asks of who sits down."""

from __future__ import annotations

import datetime as dt
import re
from zoneinfo import ZoneInfo

from audits import trail
from audits.by import By
from audits.history import save_version
from audits.personal import Personal
from casino.kernel import texts
from casino.kernel.commands import command, explain_constraint
from casino.kernel.errors import Conflict, Refused
from casino.kernel.words import Text
from casino.models import Casino
from tables.guests import matching, policies
from tables.models import DocumentType, Guest, GuestSettings

_COUNTRY = re.compile(r"[A-Z]{2}")
OLDEST = 120
"""Years: who is older was typed wrong."""
LONGEST_ALIAS, MOST_DIGITS = 30, 5
MOST_FOUND = 50
"""Players a search names; more ask for a closer one."""


def today_of(casino: Casino, instant: dt.datetime) -> dt.date:
    """The day of the calendar at an instant, in the casino's own zone."""
    return instant.astimezone(ZoneInfo(casino.zone)).date()


def shown(guest: Guest) -> str:
    """How the trail and whoever may see no document name a player: `J.M.Q. •••567`."""
    return f"{matching.initials(guest.name)} {matching.masked(guest.number)}"


def subject_of(guest: Guest) -> trail.Subject:
    return trail.Subject("guest", guest.pk, shown(guest))


def document_of(type: str, country: str, number: str) -> matching.Document:
    """A document as typed, normalised. Raises `Refused` (`bad_document`) beside the field that is wrong."""
    kind = type.strip().lower()
    if kind not in DocumentType.values:
        raise _bad_document("document_type", "elija el tipo de documento", "choose the kind of document")
    letters = (country.strip() or "BO").upper()
    if not _COUNTRY.fullmatch(letters):
        raise _bad_document(
            "country",
            "escriba las dos letras del país emisor, como BO",
            "write the two letters of the issuing country, such as BO",
        )
    normal = matching.normal_number(kind, letters, number)
    if not normal or len(number) > 2 * matching.LONGEST_NUMBER:
        raise _bad_document(
            "number",
            "escriba el número del documento, con sus dígitos",
            "write the number of the document, with its digits",
        )
    return matching.Document(kind, letters, normal)


@command(policies.KEEP_GUESTS)
def set_guest(
    *,
    document_type: str,
    number: str,
    name: str,
    birth_date: dt.date,
    by: By,
    country: str = "BO",
    note: str = "",
    guest: Guest | None = None,
) -> Guest:
    """Register a player by document, or change `guest` (a correction needs its reason); who is on the floor
    and turns out to be on a list is on record at once (GEN-11).

    Raises `Refused` (`bad_document`, `bad_guest`), `Conflict` (`guest_exists`, with the id of whoever bears
    the document).
    """
    from tables.guests import admitting, recognising  # they stand on this module

    made = guest is None
    document = document_of(document_type, country, number)
    _require_birth_date(by.casino, birth_date, by.occurred_at)
    if guest is None:
        guest = Guest(casino=by.casino)
    else:
        admitting.share_lists(by.casino)
        guest = admitting.hold_guest(guest)
    _require_free(document, guest)
    guest.document_type, guest.country, guest.number = document.type, document.country, document.number
    guest.name = texts.line(name, "name", 120, code="bad_guest")
    guest.birth_date = birth_date
    guest.note = texts.line(note, "note", 200, code="bad_guest", least=0)
    save_version(guest, by=by if by.reason or not made else by.because("alta"))
    bears_no_number(by.reason, "reason", document.number)
    if not made:
        recognising.look_again(guest, by)
    _tell(guest, made, by)
    return guest


def _tell(guest: Guest, made: bool, by: By) -> None:
    trail.record(
        "tables.guest.registered" if made else "tables.guest.changed",
        stream=guest.stream,
        subject=subject_of(guest),
        by=by,
        data={
            "document_type": guest.document_type,
            "country": guest.country,
            "number": matching.masked(guest.number),
            "birth_year": guest.birth_date.year,
            "particulars": Personal(particulars(guest)),
        },
        rules=["GEN-11"],
    )


def particulars(guest: Guest) -> str:
    """Who a player is, whole: the trail commits to it, and `proofs` holds the row to that."""
    return f"{guest.name}|{guest.number}|{guest.birth_date.isoformat()}|{guest.note}"


def _require_free(document: matching.Document, guest: Guest) -> None:
    """Raise `Conflict` (`guest_exists`) where the document is somebody else's."""
    rows = Guest.objects.filter(
        casino=guest.casino, document_type=document.type, country=document.country, number=document.number
    )
    held = rows.exclude(pk=guest.pk).first()
    if held is not None:
        raise Conflict(
            Text(
                f"ese documento ya es de {shown(held)}: use su ficha",
                f"that document is {shown(held)}'s already: use that record",
            ),
            code="guest_exists",
            field="number",
            detail={"guest": held.pk},
        )


@command(policies.READ_GUESTS, silent_when="a search changes nothing")
def find_guests(
    *, by: By, number: str = "", name: str = "", document_type: str = "", country: str = ""
) -> list[Guest]:
    """Players by document, however it is written, and by parts of their name, the first `MOST_FOUND`.

    Asked by POST alone, so that no document stands in an address, a log or a browser's history. Raises
    `Refused` (`bad_document`).
    """
    rows = Guest.objects.filter(casino=by.casino)
    if number.strip():
        document = document_of(document_type or DocumentType.CI, country, number)
        rows = rows.filter(document_type=document.type, country=document.country, number=document.number)
    for word in name.split():
        rows = rows.filter(name__icontains=word)
    return list(rows.order_by("name", "pk")[:MOST_FOUND])


def search(typed: str, by: By) -> list[Guest]:
    """The players somebody typed into one box: by parts of the name, or by a document of Bolivia."""
    found = {guest.pk: guest for guest in find_guests(name=typed, by=by)}
    for kind in DocumentType.values:
        if matching.normal_number(kind, "BO", typed) and len(typed) <= matching.LONGEST_NUMBER:
            found |= {one.pk: one for one in find_guests(document_type=kind, number=typed, by=by)}
    return sorted(found.values(), key=lambda one: (one.name, one.pk))[:MOST_FOUND]


@command(policies.SET_ADMISSION, setting=True)
def set_admission(*, identify: bool, by: By) -> GuestSettings:
    """Whether everybody who sits or waits is known by document, or may stay anonymous. Needs a reason."""
    found = GuestSettings.objects.filter(casino=by.casino).first() or GuestSettings(casino=by.casino)
    found.identify = identify
    save_version(found, by=by)
    trail.record(
        "tables.admission.set",
        stream=trail.SETTINGS_STREAM,
        subject=trail.Subject("casino", by.casino.pk, by.casino.name),
        by=by,
        data={"identify": identify},
    )
    return found


def identified_only(casino: Casino) -> bool:
    """Whether the house seats nobody it does not know."""
    return GuestSettings.objects.filter(casino=casino, identify=True).exists()


def require_identified(guest: Guest | None, casino: Casino) -> None:
    """Refuse somebody anonymous (`guest_missing`) where the house wants everybody identified (GEN-11)."""
    if guest is None and identified_only(casino):
        raise Refused(
            Text(
                "la casa admite sólo a personas identificadas: registre su documento",
                "the house admits identified people only: register their document",
            ),
            code="guest_missing",
            rule="GEN-11",
            field="guest",
        )


def called(alias: str, *, least: int = 0) -> str:
    """What somebody is called at a table. An alias stands on the trail: it is no document.

    Raises `Refused` (`bad_alias`).
    """
    found = texts.line(alias, "alias", LONGEST_ALIAS, code="bad_alias", least=least)
    if sum(sign.isdigit() for sign in found) >= MOST_DIGITS:
        raise Refused(
            Text(
                "un alias no lleva el número de documento: escriba una seña o un nombre",
                "an alias bears no document number: write a description or a name",
            ),
            code="bad_alias",
            field="alias",
        )
    return found


def bears_no_number(text: str, field: str, *numbers: str) -> None:
    """Refuse a text for the trail that bears one of these document numbers, however it is spaced.

    Raises `Refused` (`bears_document`): the number stands on the person's record and nowhere else.
    """
    written = {re.sub(r"\D", "", found) for found in re.findall(r"\d[\d.\s-]*", text)}
    for number in numbers:
        digits = re.sub(r"\D", "", number.partition("-")[0])
        if len(digits) >= MOST_DIGITS and any(digits in one for one in written):
            raise Refused(
                Text(
                    "no escriba aquí el número del documento: ya está en la ficha",
                    "do not write the document's number here: it stands on the record",
                ),
                code="bears_document",
                field=field,
            )


def _require_birth_date(casino: Casino, birth_date: dt.date, instant: dt.datetime) -> None:
    if not 0 <= matching.age_on(birth_date, today_of(casino, instant)) <= OLDEST:
        raise Refused(
            Text("revise la fecha de nacimiento", "check the date of birth"),
            code="bad_guest",
            field="birth_date",
        )


def _bad_document(field: str, es: str, en: str) -> Refused:
    return Refused(Text(es, en), code="bad_document", field=field)


explain_constraint(
    "one_guest_per_document",
    lambda: Conflict(
        Text("ese documento ya está registrado: busque su ficha", "that document is registered: look it up"),
        code="guest_exists",
        field="number",
    ),
)
