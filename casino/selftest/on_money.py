"""Money: slips, counts, receipts, tips, and the ledger they are posted in."""

from __future__ import annotations

from audits.models import Posting, Transfer
from audits.people import create_user
from casino.kernel.permissions import Role
from casino.selftest import floor
from casino.selftest.catching import Guard, Night, Refused
from casino.selftest.faults import fault
from casino.selftest.hands import OWNER, PERSON, PROGRAM, past_the_guards, sql
from tables import chips, closings
from tables.demo import PASSWORD
from tables.models import ChipCount, DropBox, Slip, TableSession, TipDistribution
from tables.money import desks, slips, tips

TOO_MANY_ROLES = "dosfunciones"


def _slip_of_both() -> Slip:
    """Somebody who is of the floor and of the cage asks for chips."""
    create_user(
        username=TOO_MANY_ROLES,
        name="Dora Funes",
        password=PASSWORD,
        roles=[Role.SUPERVISOR, Role.CAGE],
        by=floor.by("admin", "reemplazo"),
    )
    return slips.request_slip(
        session=floor.in_play("PB-04"),
        kind=Slip.Kind.FILL,
        chips={100_00: 20},
        desk=desks.desk_of(floor.casino(), 1),
        by=floor.by(TOO_MANY_ROLES),
    )


@fault(
    "money.slip_self_approved",
    "un comprobante que aprueba quien lo pidió",
    "a slip approved by who asked for it",
    hand=PERSON, caught=Refused("same_person", "GEN-10"), given=_slip_of_both,
)  # fmt: skip
def slip_self_approved(slip: Slip) -> None:
    slips.issue_slip(slip=slip, runner="Wálter Mercado, seguridad", by=floor.by(TOO_MANY_ROLES))


@fault(
    "money.slip_signed_twice_by_hand",
    "las firmas de un comprobante, de una sola mano, por SQL",
    "the signatures of a slip by one hand, by SQL",
    hand=PROGRAM, caught=Guard("tables_slip", "slip_signed_by_different_people"),
)  # fmt: skip
def slip_signed_twice_by_hand() -> None:
    sql(
        "UPDATE tables_slip SET state = 'issued', issued_by_id = requested_by_id, issued_at = now(),"
        " runner = 'Nadie' WHERE state = 'requested'"
    )


@fault(
    "money.slip_total_changed", "el importe de un comprobante cambiado", "the amount of a slip changed",
    hand=PROGRAM, caught=Guard("tables_slip", "sabot_slip_changes"),
)  # fmt: skip
def slip_total_changed() -> None:
    sql("UPDATE tables_slip SET total = total * 2 WHERE state = 'verified'")


@fault(
    "money.slip_missing", "un hueco en la numeración de comprobantes", "a gap in the numbers of slips",
    hand=OWNER, caught=Night("verify_trail", "slip_numbers"),
)  # fmt: skip
def slip_missing() -> None:
    past_the_guards("DELETE FROM tables_slip WHERE state = 'void'")


@fault(
    "money.slip_short",
    "llegan menos fichas que las del comprobante",
    "fewer chips arrive than the slip says",
    hand=PERSON, caught=Refused("chips_differ", "FLOOR-07"),
)  # fmt: skip
def slip_short() -> None:
    slip = Slip.objects.filter(state=Slip.State.ISSUED).earliest("pk")
    counted = chips.loaded(slip.chips)
    counted[min(counted)] -= 1
    dealer = floor.at_post(slip.session, "dealer", "caller")
    slips.verify_slip(slip=slip, chips=counted, dealer=dealer, by=floor.by("pitboss"))


@fault(
    "money.posting_edited", "un apunte editado", "a posting edited",
    hand=OWNER, caught=Night("verify_ledger", "transfer_unbalanced", "transfer "),
)  # fmt: skip
def posting_edited() -> None:
    line = Posting.objects.exclude(debit=0).latest("pk")
    past_the_guards(("UPDATE audits_posting SET debit = debit + 100 WHERE id = %s", [line.pk]))


@fault(
    "money.transfer_edited",
    "las dos caras de un asiento editadas por igual",
    "both sides of a transfer edited alike",
    hand=OWNER, caught=Night("verify_ledger", "money_differs", "event "),
)  # fmt: skip
def transfer_edited() -> None:
    """It still sums to zero; what it was posted for says another amount."""
    transfer = Transfer.objects.filter(kind="fill").earliest("pk")
    past_the_guards(
        (
            "UPDATE audits_posting SET debit = CASE debit WHEN 0 THEN 0 ELSE debit + 100 END,"
            " credit = CASE credit WHEN 0 THEN 0 ELSE credit + 100 END WHERE transfer_id = %s",
            [transfer.pk],
        )
    )


@fault(
    "money.transfer_unbalanced", "un asiento que no suma cero", "a transfer that does not sum to zero",
    hand=PROGRAM, caught=Guard("audits_transfer", "sabot_transfer_balances"),
)  # fmt: skip
def transfer_unbalanced() -> None:
    sql(
        "WITH made AS (INSERT INTO audits_transfer (kind, day, occurred, casino_id, event_id, lines)"
        " SELECT kind, day, occurred, casino_id, event_id, 2 FROM audits_transfer ORDER BY id DESC LIMIT 1"
        " RETURNING id, casino_id), two AS (SELECT id, row_number() OVER (ORDER BY id) AS nth"
        " FROM audits_account ORDER BY id LIMIT 2)"
        " INSERT INTO audits_posting (debit, credit, memo, account_id, casino_id, transfer_id)"
        " SELECT CASE nth WHEN 1 THEN 500 ELSE 0 END, CASE nth WHEN 1 THEN 0 ELSE 400 END, 'fill', two.id,"
        " made.casino_id, made.id FROM made, two"
    )


@fault(
    "money.posting_added", "un apunte agregado a un asiento viejo", "a posting added to an old transfer",
    hand=PROGRAM, caught=Guard("audits_posting", "sabot_posting_belongs"),
)  # fmt: skip
def posting_added() -> None:
    sql(
        "INSERT INTO audits_posting (debit, credit, memo, account_id, casino_id, transfer_id)"
        " SELECT debit, credit, memo, account_id, casino_id, transfer_id FROM audits_posting"
        " ORDER BY id LIMIT 1"
    )


@fault(
    "money.drop_changed", "la recaudación cambiada después del recuento", "the drop changed after its count",
    hand=PROGRAM, caught=Guard("tables_dropbox", "sabot_box_moves"),
)  # fmt: skip
def drop_changed() -> None:
    sql("UPDATE tables_dropbox SET amount = amount - 5000 WHERE id = %s", [_counted_box().pk])


@fault(
    "money.drop_changed_by_the_owner",
    "la misma recaudación, sin las defensas",
    "the same drop, the guards off",
    hand=OWNER, caught=Night("verify_trail", "trail_differs", "box:"),
)  # fmt: skip
def drop_changed_by_the_owner() -> None:
    past_the_guards(("UPDATE tables_dropbox SET amount = amount - 5000 WHERE id = %s", [_counted_box().pk]))


def _counted_box() -> DropBox:
    return DropBox.objects.exclude(amount=None).exclude(amount=0).earliest("pk")


@fault(
    "money.result_changed",
    "el resultado de una mesa cerrada cambiado",
    "the result of a closed table changed",
    hand=PROGRAM, caught=Guard("tables_tablesession", "sabot_session_changes"),
)  # fmt: skip
def result_changed() -> None:
    closed = TableSession.objects.exclude(result=None).earliest("pk")
    sql("UPDATE tables_tablesession SET result = result - 5000 WHERE id = %s", [closed.pk])


@fault(
    "money.count_signed_by_one",
    "un cierre contado y firmado por la misma persona",
    "a closing counted and signed by the same person",
    hand=PERSON, caught=Refused("same_person", "GEN-10"),
)  # fmt: skip
def count_signed_by_one() -> None:
    session = floor.in_play("RU-01")
    supervisor = floor.at_post(session, "supervisor")
    opening = ChipCount.objects.get(session=session, moment=ChipCount.Moment.OPENING)
    closings.close_session(
        session=session,
        chips_counted=chips.loaded(opening.chips),
        counted_by=supervisor,
        witnessed_by=supervisor,
        by=floor.by("pitboss"),
    )


@fault(
    "money.receipt_altered", "el impuesto de un recibo de caja alterado", "the tax on a cage receipt altered",
    hand=OWNER, caught=Night("verify_trail", "trail_differs", "receipt:", says="figures"),
)  # fmt: skip
def receipt_altered() -> None:
    past_the_guards(
        "UPDATE tables_cageoperation SET tax = tax - 100 WHERE id ="
        " (SELECT min(id) FROM tables_cageoperation WHERE tax > 100 AND kind = 'sale')"
    )


@fault(
    "money.receipt_erased", "un recibo de caja borrado", "a cage receipt erased",
    hand=PROGRAM, caught=Guard("tables_cageoperation", "sabot_append_only"),
)  # fmt: skip
def receipt_erased() -> None:
    sql("DELETE FROM tables_cageoperation WHERE id = (SELECT max(id) FROM tables_cageoperation)")


@fault(
    "money.tips_altered", "el reparto de propinas alterado", "the distribution of tips altered",
    hand=OWNER, caught=Night("verify_trail", "trail_differs", "tips:", says="lines"),
)  # fmt: skip
def tips_altered() -> None:
    past_the_guards(
        "UPDATE tables_tipdistribution SET lines = jsonb_set(lines, '{0,amount}',"
        " to_jsonb((lines -> 0 ->> 'amount')::bigint + 1000))"
    )


@fault(
    "money.tips_approved_alone",
    "las propinas aprobadas por una sola persona",
    "tips approved by one person alone",
    hand=PERSON, caught=Refused("same_person", "GEN-10"),
)  # fmt: skip
def tips_approved_alone() -> None:
    by = floor.by("pitboss")
    tips.approve_tips(distribution=TipDistribution.objects.latest("pk"), with_=by.actor, by=by)


@fault(
    "money.chips_stock_edited", "las fichas de la caja contadas de más", "the cage's stock of chips edited",
    hand=PROGRAM, caught=Night("verify_trail", "trail_differs", says="stock"),
)  # fmt: skip
def chips_stock_edited() -> None:
    sql("UPDATE tables_chipstock SET number = number + 5 WHERE id = (SELECT min(id) FROM tables_chipstock)")
