"""The progressive of an open table: credits and bets of its positions, by button or on one line.

    3 +10   position 3 buys 10 credits      3 -10   gives 10 back
    3 2     bets 2 credits                  3 x     takes the bet off
    =       everybody bets what they bet in the round before; so does that key on the table's own line

The board answers, as to an entry of the round.
"""

from __future__ import annotations

import re
import uuid
from functools import partial

from django.http import HttpRequest, HttpResponse

from audits.by import By
from audits.pages.answers import whole
from casino.kernel.errors import Conflict, Refused, SabotError
from casino.kernel.words import Text
from jackpots import betting, credits
from jackpots.models import Bet
from jackpots.panel import cashable_at, repeated
from tables.guests.admitting import on_record
from tables.models import TableSession
from tables.pages import rounds
from tables.pages.sent_once import once_by_form

LONGEST, LINE = 40, "line"
_LINE = re.compile(
    r"(?P<seat>\d{1,2})\s*(?:(?P<sign>[+-])\s*(?P<more>\d{1,6})|(?P<off>[xX])|\s(?P<bet>\d{1,4}))", re.ASCII
)


def act(request: HttpRequest, name: str) -> HttpResponse:
    """One act of the panel: `do` and its seat and credits, or a line that says them."""

    def do(session: TableSession, number: int, step: int, by: By) -> None:
        what, seat, many = _asked(request)
        key = request.POST.get("request", "")
        if what == "again":
            _again(request, session, key, by)
            return
        with on_record():
            once_by_form(request, key, lambda told: _perform(session, what, seat, many, told))

    return rounds.write(request, name, do)


def _asked(request: HttpRequest) -> tuple[str, int, int]:
    """The act, the position and how many credits."""
    what = request.POST.get("do", LINE)
    if what == LINE:
        return read_line(request.POST.get("line", "").strip()[: LONGEST + 1])
    return what, whole(request, "seat", default=0), whole(request, "credits", default=0)


def read_line(line: str) -> tuple[str, int, int]:
    """What a line asks for. Raises `Refused` (`unreadable_line`)."""
    if line == "=":
        return "again", 0, 0
    found = _LINE.fullmatch(line)
    if found is None:
        raise Refused(
            Text(
                f"«{line[:LONGEST]}» no se lee: posición y +créditos, -créditos, apuesta o x;"
                " como 3 +10, 3 1 o 3 x",
                f"“{line[:LONGEST]}” is not read: position and +credits, -credits, bet or x;"
                " such as 3 +10, 3 1 or 3 x",
            ),
            code="unreadable_line",
            field="line",
        )
    seat = int(found["seat"])
    if found["off"]:
        return "cancel", seat, 0
    if found["bet"]:
        return "bet", seat, int(found["bet"])
    return ("buy" if found["sign"] == "+" else "return"), seat, int(found["more"])


def _perform(session: TableSession, what: str, seat: int, many: int, by: By) -> None:
    if what == "buy":
        credits.buy_credits(session=session, seat=seat, credits=many, by=by)
    elif what == "return":
        credits.return_credits(session=session, seat=seat, credits=many, by=by)
    elif what == "return_all":
        many = cashable_at(session, seat, by.occurred_at)
        credits.return_credits(session=session, seat=seat, credits=many, by=by)
    elif what == "bet":
        betting.place_bet(session=session, seat=seat, credits=many, by=by)
    elif what == "cancel":
        betting.cancel_bet(bet=_bet(session, seat), by=by)
    else:
        raise Refused(Text("elija qué hacer", "choose what to do"), code="unknown_act", field="do")


def _again(request: HttpRequest, session: TableSession, key: str, by: By) -> None:
    """A bet for each who bet in the round before: each an act of its own, so that one refused leaves the
    others, and the first one is said. Raises `Conflict` (`nothing_to_repeat`)."""
    bets = repeated(session, by.occurred_at)
    if not bets and not Bet.objects.filter(session=session, state=Bet.State.PLACED).exists():
        raise Conflict(
            Text(
                "no hay qué repetir: nadie apostó al progresivo en el pase anterior",
                "there is nothing to repeat: nobody bet on the progressive in the round before",
            ),
            code="nothing_to_repeat",
            rule="PP-13",
            field="line",
        )
    refusal: SabotError | None = None
    for seat, many in bets:
        own = str(uuid.uuid5(uuid.NAMESPACE_OID, f"{key} {seat}"))
        try:
            with on_record():
                once_by_form(request, own, partial(_perform, session, "bet", seat, many))
        except SabotError as said:
            refusal = refusal or said
    if refusal is not None:
        raise refusal


def _bet(session: TableSession, seat: int) -> Bet:
    """The bet of a position that is on."""
    rows = Bet.objects.filter(session=session, seat=seat, state=Bet.State.PLACED)
    found = rows.select_related("session__table", "pool").order_by("-number").first()
    if found is None:
        raise Conflict(
            Text(
                f"la posición {seat} no tiene apuesta al progresivo",
                f"position {seat} has no progressive bet",
            ),
            code="bet_gone",
            rule="PP-10",
        )
    return found
