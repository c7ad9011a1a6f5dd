"""What the forms of a table's bank do: each names its act in `do`, and the bank or the offer it was shown.

The panel of the round page and the page of the bank send the same forms.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from audits.by import By
from audits.pages.answers import chosen
from casino.kernel.errors import Refused
from casino.kernel.words import Text
from tables.bank import aside, auctions, handing, opening, passing
from tables.models import Bank, BankPassage, SeatTaking, TableSession
from tables.pages.cage_forms import amount, amount_or_none
from tables.pages.sent_once import once_by_form


def perform(request: HttpRequest, session: TableSession, *, key: str) -> None:
    """Do what the form says, once. Raises `Refused` (`unknown_act`) and what the act does."""
    doing = ACTS.get(request.POST.get("do", ""))
    if doing is None:
        raise Refused(Text("elija qué hacer", "choose what to do"), code="unknown_act", field="do")
    once_by_form(request, key, lambda by: doing(request, session, by))


def done(request: HttpRequest) -> str:
    """What was just recorded, in words."""
    doing = request.POST.get("do", "")
    if doing == "take" and request.POST.get("associate"):
        doing = "joint"
    return _(DONE[doing])


def _seat(request: HttpRequest, session: TableSession, field: str = "seat") -> SeatTaking:
    found: SeatTaking = chosen(_seated(session), request, field)
    return found


def _seat_or_none(request: HttpRequest, session: TableSession, field: str) -> SeatTaking | None:
    found: SeatTaking | None = chosen(_seated(session), request, field, required=False)
    return found


def _seated(session: TableSession) -> Any:
    return SeatTaking.objects.filter(session=session).select_related("session__table", "guest")


def _bank(request: HttpRequest, session: TableSession) -> Bank:
    rows = Bank.objects.filter(session=session).select_related("session__table", "holder", "associate")
    found: Bank = chosen(rows, request, "bank")
    return found


def _passage(request: HttpRequest, session: TableSession) -> BankPassage:
    rows = BankPassage.objects.filter(session=session).select_related("session__table", "left")
    found: BankPassage = chosen(rows, request, "passage")
    return found


# ---- the acts --------------------------------------------------------------------------------------


def _open(request: HttpRequest, session: TableSession, by: By) -> None:
    associate = _seat_or_none(request, session, "associate")
    taking, much = _seat(request, session), amount(request, "amount")
    opening.open_bank(session=session, taking=taking, amount=much, associate=associate, by=by)


def _deposit(request: HttpRequest, session: TableSession, by: By) -> None:
    opening.deposit(bank=_bank(request, session), amount=amount(request, "amount"), by=by)


def _add(request: HttpRequest, session: TableSession, by: By) -> None:
    taking = _seat_or_none(request, session, "seat")
    opening.add_to_bank(bank=_bank(request, session), amount=amount(request, "amount"), taking=taking, by=by)


def _join(request: HttpRequest, session: TableSession, by: By) -> None:
    much = amount_or_none(request, "amount") or 0
    opening.join_bank(bank=_bank(request, session), taking=_seat(request, session), amount=much, by=by)


def _pass(request: HttpRequest, session: TableSession, by: By) -> None:
    handing.pass_bank(bank=_bank(request, session), by=by)


def _return(request: HttpRequest, session: TableSession, by: By) -> None:
    handing.return_bank(bank=_bank(request, session), by=by)


def _refuse(request: HttpRequest, session: TableSession, by: By) -> None:
    auctions.refuse_bank(bank=_bank(request, session), by=by)


def _aside(request: HttpRequest, session: TableSession, by: By) -> None:
    aside.set_aside(bank=_bank(request, session), amount=amount(request, "amount"), by=by)


def _take(request: HttpRequest, session: TableSession, by: By) -> None:
    passing.take_bank(
        passage=_passage(request, session),
        taking=_seat(request, session),
        amount=amount(request, "amount"),
        associate=_seat_or_none(request, session, "associate"),
        by=by,
    )


def _decline(request: HttpRequest, session: TableSession, by: By) -> None:
    passing.decline_bank(passage=_passage(request, session), taking=_seat(request, session), by=by)


def _absent(request: HttpRequest, session: TableSession, by: By) -> None:
    passing.absent_at_turn(passage=_passage(request, session), taking=_seat(request, session), by=by)


def _auction(request: HttpRequest, session: TableSession, by: By) -> None:
    form = request.POST.get("form_of", "")
    auctions.open_auction(passage=_passage(request, session), form=form, by=by)


ACTS: dict[str, Callable[[HttpRequest, TableSession, By], None]] = {
    "open": _open,
    "deposit": _deposit,
    "add": _add,
    "join": _join,
    "pass": _pass,
    "return": _return,
    "refuse": _refuse,
    "aside": _aside,
    "take": _take,
    "decline": _decline,
    "absent": _absent,
    "auction": _auction,
}

DONE: dict[str, str] = {
    "open": gettext_noop("Se registró: banco abierto"),
    "deposit": gettext_noop("Se registró: depósito en el banco"),
    "add": gettext_noop("Se registró: banco ampliado"),
    "join": gettext_noop("Se registró: asociado al banco"),
    "pass": gettext_noop("Se registró: el banco pasa y se ofrece por turno"),
    "return": gettext_noop("Se registró: banco devuelto"),
    "refuse": gettext_noop("Se registró: no lo tomó, se subasta otra vez"),
    "aside": gettext_noop("Se registró: ganancia apartada"),
    "take": gettext_noop("Se registró: toma el banco"),
    "joint": gettext_noop("Se registró: lo toma en asociación, si nadie lo toma solo"),
    "decline": gettext_noop("Se registró: no lo quiere"),
    "absent": gettext_noop("Se registró: ausente, perdió su lugar"),
    "auction": gettext_noop("Se registró: subasta abierta"),
}
