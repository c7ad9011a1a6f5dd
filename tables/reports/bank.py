"""Reports of players' banks: each bank of a session, the auctions of a span of days."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db.models import QuerySet

from audits import policies as audit_policies
from audits.reports.forms import PeriodForm
from audits.reports.registry import EVENTS, Column, EventsOf, Kind, Report, Row, Section, register
from casino.kernel import clock
from casino.kernel.words import Text
from casino.models import Casino
from tables.bank import history, seeing
from tables.bank.actions import ANSWERS, AUCTION_EVENTS, BANK_EVENTS, ENDINGS, FORMS, HOW
from tables.models import Auction, Bank, BankAnswer, Bid, TableSession
from tables.reports import behind
from tables.reports.day import SessionForm

_AT = Column("at", Text("Cuándo", "When"), Kind.INSTANT)
_SEAT = Column("seat", Text("Asiento", "Seat"), Kind.INT)
_PLAYER = Column("player", Text("Jugador", "Player"))
_AMOUNT = Column("amount", Text("Importe", "Amount"), Kind.MONEY)
_NUMBER = Column("number", Text("Banco", "Bank"), Kind.INT)
_LABEL = Column("label", Text("Subasta", "Auction"))
_FORM = Column("form", Text("Forma", "Form"))
_DEPOSIT = Column("deposit", Text("Depósito", "Deposit"), Kind.MONEY)

AUCTION_STATES: Mapping[str, Text] = {
    Auction.State.OPEN.value: Text("abierta", "open"),
    Auction.State.AWARDED.value: Text("adjudicada", "awarded"),
    Auction.State.DESERTED.value: Text("desierta", "nobody bid"),
    Auction.State.CALLED_OFF.value: Text("sin efecto", "called off"),
}


# ---- the banks of a session --------------------------------------------------------------------------

_BANKS = [
    _NUMBER,
    Column("banker", Text("Banquero", "Banker")),
    Column("associate", Text("Asociado", "Associate")),
    Column("how", Text("Cómo", "How")),
    Column("held_at", Text("Desde", "From"), Kind.INSTANT),
    Column("ended_at", Text("Hasta", "To"), Kind.INSTANT),
    Column("opening", Text("Apertura", "Opening"), Kind.MONEY),
    Column("added", Text("Añadido", "Added"), Kind.MONEY),
    Column("rounds", Text("Pases", "Rounds"), Kind.INT),
    Column("won", Text("Ganado (+) o perdido", "Won (+) or lost"), Kind.MONEY),
    Column("deduction", Text("Deducción", "Deduction"), Kind.MONEY),
    Column("aside", Text("Apartado", "Set aside"), Kind.MONEY),
    Column("returned", Text("Devuelto", "Returned"), Kind.MONEY),
    Column("left", Text("En el banco", "In the bank"), Kind.MONEY),
    Column("ending", Text("Cómo terminó", "How it ended")),
]
_OFFERS = [
    _AT,
    Column("bank", Text("Banco que pasa", "Bank passing on"), Kind.INT),
    _SEAT,
    _PLAYER,
    Column("answer", Text("Respuesta", "Answer")),
    _AMOUNT,
    Column("with", Text("Con el asiento", "With seat"), Kind.INT),
]


@register
class BanksReport(Report):
    """Every bank of one session, what went in and what came of it, and what was answered to each offer."""

    identifier = "tables.banks"
    title = Text("Bancos de una sesión", "Banks of a session")
    rules = ("BANK-01", "BANK-05", "BANK-14", "BANK-18")
    act = audit_policies.MAKE_REPORTS
    form = SessionForm

    def file_stem(self, params: Mapping[str, Any]) -> str:
        session: TableSession = params["session"]
        return "-".join(["tables-banks", *session.label.replace("·", " ").split()])

    def sections(self, casino: Casino, params: Mapping[str, Any]) -> Sequence[Section]:
        session: TableSession = params["session"]
        banks = Bank.objects.filter(casino=casino, session=session)
        answers = BankAnswer.objects.filter(casino=casino, passage__session=session)
        return [
            Section(
                "banks",
                Text("Bancos", "Banks"),
                _BANKS,
                lambda: _bank_rows(session),
                banks.count,
                totals=lambda: _bank_totals(session),
            ),
            Section(
                "offers", Text("Ofertas", "Offers"), _OFFERS, lambda: _offer_rows(answers), answers.count
            ),
        ]


def _bank_row(told: history.Told) -> dict[str, Any]:
    bank = told.bank
    return {
        "number": bank.number,
        "banker": f"{bank.holder.seat} · {bank.holder.alias}",
        "associate": f"{bank.associate.seat} · {bank.associate.alias}" if bank.associate else "",
        "how": HOW[bank.how],
        "held_at": bank.held_at,
        "ended_at": bank.ended_at,
        "opening": bank.opening,
        "added": told.put_in - bank.opening,
        "rounds": len(told.rounds),
        "won": told.won,
        "deduction": told.deduction,
        "aside": bank.aside,
        "returned": bank.left_with or 0,
        "left": bank.amount,
        "ending": ENDINGS.get(bank.ending, ""),
        EVENTS: _of_bank(told),
    }


def _of_bank(told: history.Told) -> tuple[EventsOf, ...]:
    """What was put in, each round, and what was told of the bank from its award to its end."""
    bank = told.bank
    acts = EventsOf(streams=behind.streams((bank.session_id,)), actions=BANK_EVENTS)
    rounds = tuple(one.round_id for one in told.rounds)
    return (
        EventsOf(ids=tuple(one.event_id for one in told.deposits)),
        EventsOf(subject=("round", rounds)),
        acts.between(bank.begun_at, bank.ended_at),
    )


def _bank_rows(session: TableSession) -> Iterator[Row]:
    yield from map(_bank_row, reversed(history.banks_of(session)))


def _bank_totals(session: TableSession) -> dict[str, Any]:
    """What the bankers won or lost together, and what the house took. Chips put in and given back are the
    same ones time and again: their sum says nothing."""
    rows = [_bank_row(told) for told in history.banks_of(session)]
    summed = ("rounds", "won", "deduction", "aside", "left")
    said = Text("Todos los bancos", "All banks")
    return {"banker": said, **{key: sum(row[key] for row in rows) for key in summed}}


def _offer_rows(answers: QuerySet[BankAnswer]) -> Iterator[Row]:
    for one in answers.select_related("passage__left", "taking", "associate").order_by("pk"):
        yield {
            "at": one.at,
            "bank": one.passage.left.number,
            "seat": one.taking.seat,
            "player": one.taking.alias,
            "answer": ANSWERS[one.answer],
            "amount": one.amount,
            "with": one.associate.seat if one.associate else None,
            EVENTS: EventsOf(ids=(one.event_id,)),
        }


# ---- auctions ----------------------------------------------------------------------------------------

_AUCTIONS = [
    _LABEL,
    Column("table", Text("Mesa", "Table")),
    Column("opened_at", Text("Abierta", "Opened"), Kind.INSTANT),
    Column("closed_at", Text("Cerrada", "Closed"), Kind.INSTANT),
    _FORM,
    Column("minimum", Text("Puja inicial", "Opening bid"), Kind.MONEY),
    Column("bids", Text("Pujas", "Bids"), Kind.INT),
    Column("out", Text("Excluidos", "Out"), Kind.INT),
    Column("state", Text("Resultado", "Result")),
    Column("winner", Text("A quién", "To whom")),
    _AMOUNT,
    _DEPOSIT,
    Column("signed", Text("Firmaron", "Signed by")),
]
_BIDS = [
    _LABEL,
    Column("number", Text("Puja", "Bid"), Kind.INT),
    _AT,
    _SEAT,
    _PLAYER,
    _AMOUNT,
    Column("together", Text("A la vez que la", "At once with"), Kind.INT),
    Column("noted", Text("Anotó", "Noted by")),
]


@register
class AuctionsReport(Report):
    """The auctions opened within a span of gaming days, and their bids; sealed ones once they are opened."""

    identifier = "tables.auctions"
    title = Text("Subastas", "Auctions")
    rules = ("BANK-10", "BANK-12", "BANK-13", "BANK-26")
    act = audit_policies.MAKE_REPORTS
    form = PeriodForm

    def sections(self, casino: Casino, params: Mapping[str, Any]) -> Sequence[Section]:
        first, _end = clock.day_bounds(params["first"], casino.zone, casino.cutoff)
        _start, after = clock.day_bounds(params["last"], casino.zone, casino.cutoff)
        rows = Auction.objects.filter(casino=casino, opened_at__gte=first, opened_at__lt=after)
        return [
            Section("auctions", self.title, _AUCTIONS, lambda: _auction_rows(rows), rows.count),
            Section("bids", Text("Pujas", "Bids"), _BIDS, lambda: _bid_rows(rows)),
        ]


def _auction_rows(rows: QuerySet[Auction]) -> Iterator[Row]:
    joined = rows.select_related("session__table", "bank__holder", "passage__to__holder")
    for auction in joined.prefetch_related("places", "signatures__actor").order_by("year", "number"):
        bank = auction.bank or (auction.passage.to if auction.closed_at else None)
        yield {
            "label": auction.label,
            "table": auction.session.table.name,
            "opened_at": auction.opened_at,
            "closed_at": auction.closed_at,
            "form": FORMS[auction.form],
            "minimum": auction.minimum,
            "bids": auction.last_bid,
            "out": sum(1 for place in auction.places.all() if place.rule),
            "state": AUCTION_STATES[auction.state],
            "winner": f"{bank.holder.seat} · {bank.holder.alias}" if bank else "",
            "amount": bank.required if bank else None,
            "deposit": bank.opening if bank and bank.opening else None,
            "signed": ", ".join(one.actor.name for one in auction.signatures.all()),
            EVENTS: of_auction(auction),
        }


def of_auction(auction: Auction) -> tuple[EventsOf, ...]:
    """The events of an auction: opened, its bids, how it closed, and its signatures."""
    told = EventsOf(streams=(auction.session.stream,), actions=AUCTION_EVENTS)
    signed = tuple(one.event_id for one in auction.signatures.all())
    return told.between(auction.opened_at, auction.closed_at), EventsOf(ids=signed)


def _bid_rows(rows: QuerySet[Auction]) -> Iterator[Row]:
    found = Bid.objects.filter(auction__in=rows).select_related("auction", "taking", "together", "noted_by")
    for bid in found.order_by("auction__year", "auction__number", "number"):
        yield {
            "label": bid.auction.label,
            "number": bid.number,
            "at": bid.at,
            "seat": bid.seat,
            "player": bid.taking.alias,
            "amount": bid.amount if seeing.told(bid.auction) else None,
            "together": bid.together.number if bid.together else None,
            "noted": bid.noted_by.name,
            EVENTS: EventsOf(ids=(bid.event_id,)),
        }
