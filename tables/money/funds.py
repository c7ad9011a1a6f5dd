"""What the house has to pay with, and what happens when it cannot (FLOOR-15).

Capital comes in and goes out by two signatures and a document; so does money between vault and bank; the
counted drop of a table is carried to the vault; the IPJ withheld is paid to the tax service from where it
lies. A house keeps its funds here once it recorded capital
(`kept`): until then nothing is refused for want of money, since nobody said how much there is.

Funds available are what is free to pay with: chips and cash in vault and cage, counted drops, the bank
account. Floats on tables are committed to them, withheld tax is not the house's. Chips count at face: a float
that leaves the vault lowers the funds, and comes back at closing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Q, Sum

from audits import days, incidents, ledger, trail
from audits.by import By
from audits.incident_facts import register_fact
from audits.ledger import Move
from audits.models import Actor, Incident, Posting
from casino.kernel import locking, money, texts
from casino.kernel.commands import command, explain_constraint
from casino.kernel.errors import Conflict, Refused
from casino.kernel.words import Text
from casino.models import Casino
from shoes.signing import require_beside
from tables import floor_settings, freezing
from tables.models import FundMove, TableSession
from tables.money import cage_policies as policies
from tables.money import drawer, inventory, transfers

Kind = FundMove.Kind
CAPITAL, TREASURY = "capital", "treasury:ipj"
IN_VAULT, IN_BANK = "vault", "bank"
STREAM = "funds"
_FREE = Q(account__code__in=("vault", drawer.VAULT_CASH, drawer.DEPOSITS)) | Q(
    account__code__regex=r"^(cage|drop):"
)

NO_FUNDS = incidents.register_kind(
    "money.no_funds",
    Text("la casa no puede pagar: el juego se detiene", "the house cannot pay: play stops"),
    rules=("FLOOR-15",),
)
STOPPED = incidents.register_kind(
    "money.stopped", Text("mesa detenida por falta de fondos", "table stopped for want of funds"),
    rules=("FLOOR-15", "GEN-08"), notice=False,
)  # fmt: skip
register_fact("available", Text("fondos disponibles", "funds available"), "money")
register_fact("min_funds", Text("fondos mínimos", "minimum funds"), "money")
register_fact("cash_difference", Text("diferencia de efectivo", "cash difference"), "money")
register_fact("chips_difference", Text("diferencia de fichas", "chips difference"), "money")


def kept(casino: Casino) -> bool:
    """Whether the house keeps its funds here: capital was brought in."""
    return FundMove.objects.filter(casino=casino, kind=Kind.CAPITAL).exists()


def available(casino: Casino) -> int:
    """What the house has free to pay with, in smallest units (see the module)."""
    sums = Posting.objects.filter(_FREE, account__casino=casino).aggregate(
        debit=Sum("debit", default=0), credit=Sum("credit", default=0)
    )
    return int(sums["debit"] - sums["credit"])


def state(casino: Casino) -> dict[str, Any]:
    """How the house stands, for whoever watches it: {kept, available, min_funds, enough}, smallest units."""
    least = floor_settings.settings_of(casino).min_funds
    return {
        "kept": kept(casino),
        "available": available(casino),
        "min_funds": least,
        "enough": refusal(casino) is None,
    }


def refusal(casino: Casino, needed: int = 0) -> Conflict | None:
    """FLOOR-15: why a table may not be opened on a float of `needed`; None where it may, or nobody keeps
    funds.

    Play was stopped and that is not settled; funds are below the minimum (`FloorSettings.min_funds`), or too
    little for the float.
    """
    stopped = Incident.objects.filter(casino=casino, kind=NO_FUNDS, state=Incident.State.OPEN).first()
    if stopped is not None:
        return Conflict(
            Text(
                f"el juego se detuvo por falta de fondos ({stopped.label}): resuélvalo antes de abrir",
                f"play was stopped for want of funds ({stopped.label}): settle it before opening",
            ),
            code="no_funds",
            rule="FLOOR-15",
            detail={"incident": stopped.label, "incident_id": stopped.pk},
        )
    if not kept(casino):
        return None
    there, least = available(casino), floor_settings.settings_of(casino).min_funds
    if there >= max(least, needed):
        return None
    has, wanted = money.words(there, casino.exponent), money.words(max(least, needed), casino.exponent)
    return Conflict(
        Text(
            f"la casa tiene {has.es} disponibles y hacen falta {wanted.es}: ingrese fondos; si no"
            " puede pagar, detenga las mesas y avise a la autoridad",
            f"the house has {has.en} available and {wanted.en} are needed: bring funds in; if it cannot pay,"
            " stop the tables and tell the authority",
        ),
        code="no_funds",
        rule="FLOOR-15",
        detail={"available": there, "needed": needed, "min_funds": least},
    )


def require(casino: Casino, needed: int = 0) -> None:
    """Raise `Conflict` (`no_funds`) as `refusal` says."""
    found = refusal(casino, needed)
    if found is not None:
        raise found


def hold(by: By) -> None:
    """Hold the house's funds while a float is asked for and leaves the vault: of two tables opened at once
    the second is asked what the first left (FLOOR-15). Before any other lock; nothing where nobody keeps
    funds.
    """
    if kept(by.casino):
        transfers.lock_vault(by)


@command(policies.MOVE_FUNDS)
def bring_capital(*, amount: int, document: str, with_: Actor, by: By) -> FundMove:
    """Cash of the owners that comes into the vault, by two and by a document.

    Raises `RuleViolation` GEN-10 (`same_person`, `not_qualified`), `Refused` (`bad_amount`, `bad_document`).
    """
    return _move(Kind.CAPITAL.value, amount, document, with_, by)


@command(policies.MOVE_FUNDS)
def withdraw_capital(*, amount: int, document: str, with_: Actor, by: By) -> FundMove:
    """Cash that leaves the vault for the owners; never below the minimum funds (FLOOR-15).

    Raises as bringing it in, and `Conflict` (`not_enough_cash`, `no_funds`).
    """
    return _move(Kind.WITHDRAWAL.value, amount, document, with_, by)


@command(policies.MOVE_FUNDS)
def pay_ipj(*, amount: int, document: str, with_: Actor, by: By, source: str = IN_VAULT) -> FundMove:
    """IPJ paid to the tax service by its form (REC-03), from where it lies: `vault`, what desks withheld and
    was carried there; `bank`, what came in with cards and transfers.

    Raises as withdrawing capital, and `Refused` (`unknown_source`); `not_enough_cash` names the IPJ there is.
    """
    if source not in (IN_VAULT, IN_BANK):
        words = Text("elija bóveda o banco", "choose the vault or the bank")
        raise Refused(words, code="unknown_source", field="source")
    kind = Kind.IPJ if source == IN_VAULT else Kind.IPJ_BANK
    return _move(kind.value, amount, document, with_, by)


@command(policies.MOVE_FUNDS)
def bring_from_bank(*, amount: int, document: str, with_: Actor, by: By) -> FundMove:
    """Money of the house's bank account drawn in cash for the vault; the IPJ that lies there is not drawn.

    Raises as withdrawing capital.
    """
    return _move(Kind.FROM_BANK.value, amount, document, with_, by)


@command(policies.MOVE_FUNDS)
def take_to_bank(*, amount: int, document: str, with_: Actor, by: By) -> FundMove:
    """Cash of the vault paid into the house's bank account. Raises as withdrawing capital."""
    return _move(Kind.TO_BANK.value, amount, document, with_, by)


@command(policies.MOVE_FUNDS)
def carry_drop(*, session: TableSession, document: str, with_: Actor, by: By) -> FundMove:
    """The counted drop of a session is carried to the vault, once, by two.

    Raises `Conflict` (`not_counted`, `drop_carried`), and as bringing capital in.
    """
    held = TableSession.objects.get(pk=session.pk)
    if held.closed_at is not None:
        drawer.require_after(held.closed_at, by)
    if not held.drop:
        raise Conflict(
            Text("la caja de esa sesión no está contada", "the drop of that session is not counted"),
            code="not_counted",
            field="session",
        )
    if FundMove.objects.filter(session=held).exists():
        raise _carried_already()
    return _move(Kind.DROP.value, held.drop, document, with_, by, held)


def _move(
    kind: str, amount: int, document: str, with_: Actor, by: By, session: TableSession | None = None
) -> FundMove:
    amount = drawer.positive(amount, "amount")
    said = texts.line(document, "document", 120, code="bad_document")
    require_beside(by.actor, with_, policies.SIGN_FUNDS, field="second")
    transfers.lock_vault(by)
    drawer.require_once(FundMove.objects.filter(casino=by.casino), by)
    day = days.day_of(by.casino, by.occurred_at)
    _require_there(by.casino, kind, amount)
    made = FundMove(
        pk=drawer.next_id(FundMove), casino=by.casino, day=day, kind=kind, amount=amount, session=session,
        document=said, signed_by=by.actor, signed_with=with_, at=by.occurred_at,
    )  # fmt: skip
    made.event = trail.record(
        _ACTIONS[kind],
        stream=STREAM,
        subject=trail.Subject("funds", made.pk, str(made.get_kind_display())),
        by=by,
        data={
            "kind": kind,
            "day": str(day),
            "amount": amount,
            "document": said,
            "session": session.pk if session else None,
            "with": with_.as_dict(),
        },
        rules=["FLOOR-15", "GEN-10"],
    )
    made.save(force_insert=True)
    ledger.post(event=made.event, kind="funds", day=day.date, moves=moves_of(made))
    return made


def moves_of(made: FundMove) -> list[Move]:
    """The one move of each kind; of a drop, the house's chips in its boxes go apart from the cash."""
    if made.session is not None:
        source, chips = f"drop:{made.session_id}", inventory.out_of_drops(made.session)
        return [
            Move(source, drawer.VAULT_CASH, made.amount - chips, made.kind),
            Move(source, inventory.VAULT, chips, "chips"),
        ]
    source, target = _WAYS[made.kind]
    return [Move(source, target, made.amount, made.kind)]


_WAYS = {
    Kind.CAPITAL.value: (CAPITAL, drawer.VAULT_CASH),
    Kind.WITHDRAWAL.value: (drawer.VAULT_CASH, CAPITAL),
    Kind.IPJ.value: (drawer.TAX, TREASURY),
    Kind.IPJ_BANK.value: (drawer.TAX_DEPOSITS, TREASURY),
    Kind.FROM_BANK.value: (drawer.DEPOSITS, drawer.VAULT_CASH),
    Kind.TO_BANK.value: (drawer.VAULT_CASH, drawer.DEPOSITS),
}
_ACTIONS = {
    Kind.CAPITAL.value: "tables.funds.brought",
    Kind.WITHDRAWAL.value: "tables.funds.withdrawn",
    Kind.DROP.value: "tables.funds.drop_carried",
    Kind.IPJ.value: "tables.funds.ipj_paid",
    Kind.IPJ_BANK.value: "tables.funds.ipj_paid",
    Kind.FROM_BANK.value: "tables.funds.drawn",
    Kind.TO_BANK.value: "tables.funds.banked",
}


def _require_there(casino: Casino, kind: str, amount: int) -> None:
    if kind in (Kind.CAPITAL, Kind.DROP):
        return
    there = ledger.balance(casino, _WAYS[kind][0])
    if there < amount:
        raise _too_little(casino, kind, there, amount)
    least = floor_settings.settings_of(casino).min_funds
    if kind == Kind.WITHDRAWAL and available(casino) - amount < least:
        left, floor = (
            money.words(available(casino) - amount, casino.exponent),
            money.words(least, casino.exponent),
        )
        raise Conflict(
            Text(
                f"quedarían {left.es} disponibles y el mínimo es {floor.es}: retire menos",
                f"{left.en} would be left available and the minimum is {floor.en}: take out less",
            ),
            code="no_funds",
            rule="FLOOR-15",
            field="amount",
        )


def _too_little(casino: Casino, kind: str, there: int, wanted: int) -> Conflict:
    """Where the money is to come from and what it has: of withheld tax and of the house's own apart."""
    where = Text("la bóveda", "the vault")
    if kind in (Kind.IPJ_BANK, Kind.FROM_BANK):
        where = Text("la cuenta del banco", "the bank account")
    if kind not in (Kind.IPJ, Kind.IPJ_BANK):
        return drawer.not_enough_cash(whose=where, casino=casino, there=there, wanted=wanted, field="amount")
    has, asked = money.words(max(there, 0), casino.exponent), money.words(wanted, casino.exponent)
    return Conflict(
        Text(
            f"{where.es} tiene {has.es} de IPJ retenido y se pagan {asked.es}: pague lo que hay, o el resto"
            " de donde esté",
            f"{where.en} has {has.en} of withheld IPJ and {asked.en} is to be paid: pay what there is, or the"
            " rest from where it lies",
        ),
        code="not_enough_cash",
        rule="REC-03",
        field="amount",
        detail={"there": there, "wanted": wanted},
    )


@command(policies.STOP_FOR_FUNDS)
def stop_for_funds(*, by: By) -> Incident:
    """The house cannot pay: every open table stops, and a notice to the authority is drafted (FLOOR-15).

    One incident is told to the authority; each open table has one of its own that stops it (GEN-08), so that
    the tables can be set free one by one once there is money. A table opened later is refused by `refusal`.
    Needs a reason. Raises `Refused` (`reason_missing`), `Conflict` (`stopped_already` while that stop
    is open and no table plays).
    """
    reason = by.need_reason()
    transfers.lock_vault(by)
    sessions = [session for session in _hold_tables(by) if not _stopped(session)]
    before = Incident.objects.filter(casino=by.casino, kind=NO_FUNDS, state=Incident.State.OPEN).first()
    if before is not None and not sessions:
        raise _stopped_already(before)
    told, *stops = incidents.raise_incidents(
        _incidents(by.casino, [session.table.name for session in sessions], reason), by=by
    )
    for session, stop in zip(sessions, stops, strict=True):
        TableSession.objects.filter(pk=session.pk).update(frozen_by=stop)
    return told


def _incidents(casino: Casino, names: Sequence[str], reason: str) -> list[dict[str, Any]]:
    """The one that is told to the authority, and one for each table that stops."""
    about = {"subject": trail.Subject("casino", casino.pk, casino.name), "rules": ["FLOOR-15"]}
    facts = {"available": available(casino), "tables": list(names), "reason": reason}
    told = {
        "kind": NO_FUNDS,
        "summary": Text(f"no hay fondos para pagar: {reason}", f"no funds to pay with: {reason}"),
        "facts": {**facts, "min_funds": floor_settings.settings_of(casino).min_funds},
        **about,
    }
    stops = [
        {
            "kind": STOPPED,
            "summary": Text(
                f"{name} se detiene: la casa no puede pagar", f"{name} stops: the house cannot pay"
            ),
            "facts": {"reason": reason},
            "table_label": name,
            "freezes": True,
            **about,
        }
        for name in names
    ]
    return [told, *stops]


def _hold_tables(by: By) -> Sequence[TableSession]:
    """Every open table held, by name: none opens or plays on while they are being stopped."""
    open_now = TableSession.objects.filter(casino=by.casino, state__in=TableSession.LIVE)
    for name in sorted(open_now.values_list("table__name", flat=True)):
        freezing.lock_table(by.casino, name)
    locking.taking(locking.Rank.SESSION)
    return list(
        open_now.select_for_update(of=("self",), no_key=True).select_related("table", "casino").order_by("pk")
    )


def _stopped(session: TableSession) -> bool:
    """Whether a table stands still already for want of funds."""
    open_on = incidents.open_on(session.casino, session.table.name)
    return session.frozen_by_id is not None and open_on.filter(kind=STOPPED).exists()


def _stopped_already(before: Incident) -> Conflict:
    return Conflict(
        Text(
            f"el juego ya se detuvo por falta de fondos: siga con {before.label}",
            f"play was stopped for want of funds already: go on with {before.label}",
        ),
        code="stopped_already",
        rule="FLOOR-15",
        detail={"incident": before.label, "incident_id": before.pk},
    )


def _carried_already() -> Conflict:
    return Conflict(
        Text("la caja de esa sesión ya está en la bóveda", "that session's drop is in the vault already"),
        code="drop_carried",
        rule="REC-07",
    )


explain_constraint("tables_fundmove_session_id_key", _carried_already)
