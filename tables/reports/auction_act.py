"""The act of one auction as a report, to be read and signed by hand. A program checks its JSON instead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils.translation import gettext_lazy as _

from audits import policies as audit_policies
from audits.reports.forms import ReportForm
from audits.reports.registry import (
    EVENTS,
    Cell,
    Column,
    EventsOf,
    Kind,
    Named,
    Report,
    Row,
    Section,
    register,
)
from casino.kernel import clock, money
from casino.kernel.words import Text
from casino.models import Casino
from tables.bank import acts
from tables.bank.actions import ENDINGS, FORMS, HOW
from tables.models import Auction
from tables.reports.bank import of_auction

_SEAT = Column("seat", Text("Asiento", "Seat"), Kind.INT)
_PLAYER = Column("player", Text("Jugador", "Player"))
SIGNING_LINES = 4
"""Room for a signature by hand."""

_PLACES = [
    _SEAT,
    _PLAYER,
    Column("rule", Text("Regla", "Rule")),
    Column("why", Text("Por qué no puja", "Why no bid is taken")),
]
_ACT_BIDS = [
    Column("number", Text("Puja", "Bid"), Kind.INT),
    Column("at", Text("Hora UTC", "Time UTC")),
    _SEAT,
    _PLAYER,
    Column("amount", Text("Importe", "Amount"), Kind.MONEY),
    Column("together", Text("A la vez que la", "At once with"), Kind.INT),
    Column("seal", Text("Sello y clave del sobre", "Seal and key of the envelope")),
]
_WHAT = Column("what", Text("Qué", "What"))
_SAYS = Column("says", Text("Dice", "Says"))
_EVENTS = [
    _WHAT,
    Column("number", Text("Suceso", "Event"), Kind.INT),
    Column("hash", Text("Huella del suceso en la auditoría", "Hash of the event on the trail")),
]
_SIGNATURES = [
    Column("name", Text("Nombre", "Name")),
    Column("at", Text("Hora UTC", "Time UTC")),
    Column("digest", Text("Huella de lo firmado", "Digest of what was signed")),
    Column("signature", Text("Firma", "Signature")),
]
_OUTCOMES: Mapping[str, Text] = {
    "deposited": Text("depositado", "deposited"),
    "refused": Text("no lo tomó: se subasta otra vez", "did not take it: auctioned again"),
    "returned": Text("la mesa cerró antes del depósito", "the table closed before the deposit"),
    "awaited": Text("se espera el depósito", "the deposit is awaited"),
    "nobody": Text("nadie debía tomarlo", "nobody had to take it"),
}


class AuctionForm(ReportForm):
    auction = forms.ModelChoiceField(label=_("Subasta"), queryset=Auction.objects.none())

    def __init__(self, *args: Any, casino: Casino, **kwargs: Any) -> None:
        super().__init__(*args, casino=casino, **kwargs)
        closed = acts.for_act(Auction.objects.filter(casino=casino)).exclude(state=Auction.State.OPEN)
        self.fields["auction"].queryset = closed  # type: ignore[attr-defined]


@register
class AuctionAct(Report):
    """The act of a closed auction, to be read and signed by hand; the one a program checks is its JSON."""

    identifier = "tables.auction_act"
    title = Text("Acta de subasta del banco", "Act of a bank auction")
    rules = (
        "BANK-10", "BANK-11", "BANK-12", "BANK-13", "BANK-14", "BANK-15", "BANK-17", "BANK-26", "GEN-10",
    )  # fmt: skip
    act = audit_policies.MAKE_REPORTS
    form = AuctionForm

    def particulars(self, casino: Casino, params: Mapping[str, Any]) -> list[tuple[Text, Cell]]:
        act = acts.act_of(params["auction"])
        auction = act["auction"]
        return [
            (Text("Acta", "Act"), auction["label"]),
            (Text("Sesión", "Session"), act["session"]["label"]),
            (Text("Forma", "Form"), FORMS[auction["form"]]),
            (Text("Puja inicial e incremento", "Opening bid and increment"), _figures(act)),
            (Text("Abierta", "Opened"), _utc(auction["opened_at"])),
            (Text("Cierre previsto", "Close as planned"), _utc(auction["first_close"])),
            (Text("Cierre", "Close"), _moved(auction)),
            (Text("Cerrada", "Closed"), _utc(auction["closed_at"])),
            (Text("Horas", "Times"), _zone(act)),
            (Text("Huella del acta", "Digest of the act"), act["digest"]),
        ]

    def sections(self, casino: Casino, params: Mapping[str, Any]) -> Sequence[Section]:
        auction: Auction = params["auction"]
        act, whole = acts.act_of(auction), of_auction(auction)
        award = Text("Adjudicación y depósito", "Award and deposit")
        trail, signatures = Text("En la auditoría", "On the trail"), Text("Firmas", "Signatures")
        return [
            _listed("places", Text("En la mesa", "At the table"), _PLACES, _place_rows(act), whole),
            _listed("bids", Text("Pujas", "Bids"), _ACT_BIDS, _bid_rows(act), whole),
            _listed("draw", Text("Sorteo", "Draw"), [_WHAT, _SAYS], _draw_rows(act), whole),
            _listed("award", award, [_WHAT, _SAYS], _award_rows(act), whole),
            _listed("trail", trail, _EVENTS, _event_rows(act), whole),
            _listed("signatures", signatures, _SIGNATURES, _signed(act), whole, SIGNING_LINES),
        ]

    def file_stem(self, params: Mapping[str, Any]) -> str:
        return f"acta-{params['auction'].label}"


def _listed(
    key: str, title: Text, columns: Sequence[Column], rows: Iterator[Row], whole: Named, lines: int = 1
) -> Section:
    """A table of the act; a row that names no event of its own rests on all of the auction's."""
    made = [{EVENTS: whole, **row} for row in rows]
    return Section(key, title, columns, lambda: made, lambda: len(made), lines=lines)


def _utc(stamp: str) -> str:
    """An instant as it is hashed, with its six decimals, for people to read."""
    return stamp.replace("T", " ").replace("Z", " UTC")


def _figures(act: Mapping[str, Any]) -> Text:
    auction = act["auction"]
    minimum, step = (_money(act, auction[key]["units"]) for key in ("minimum", "increment"))
    return Text("{minimum}, de {step} en {step}", "{minimum}, by {step}").fill(minimum=minimum, step=step)


def _moved(auction: Mapping[str, Any]) -> Cell:
    """The close as late bids moved it, and by which rule of the house."""
    if auction["closes_at"] == auction["first_close"]:
        return Text("como estaba previsto", "as planned")
    return Text(
        "{at}: una puja en los últimos {window} s deja {extension} s",
        "{at}: a bid within the last {window} s leaves {extension} s",
    ).fill(
        at=_utc(auction["closes_at"]),
        window=auction["window_seconds"],
        extension=auction["extension_seconds"],
    )


def _zone(act: Mapping[str, Any]) -> Text:
    """All instants of the act are in one zone, in which its digests are made; what the house's clock says."""
    zone = act["house"]["zone"]
    opened = clock.parse_stamp(act["auction"]["opened_at"]).astimezone(ZoneInfo(zone))
    offset = f"{opened:UTC%z}"
    return Text(
        "todas en UTC; en la casa, {zone} ({offset})", "all in UTC; in the house, {zone} ({offset})"
    ).fill(zone=zone, offset=offset)


def _place_rows(act: Mapping[str, Any]) -> Iterator[Row]:
    for place in act["places"]:
        why = Text(place["why"]["es"], place["why"]["en"]) if place["why"] else Text("puede pujar", "may bid")
        yield {"seat": place["seat"], "player": place["player"], "rule": place["rule"], "why": why}


def _named(event: Mapping[str, Any]) -> EventsOf:
    return EventsOf(streams=(event["stream"],), seqs=(event["number"],))


def _bid_rows(act: Mapping[str, Any]) -> Iterator[Row]:
    for bid in act["bids"]:
        yield {
            "number": bid["number"],
            "at": _utc(bid["at"]).removesuffix(" UTC"),
            "seat": bid["seat"],
            "player": bid["player"],
            "amount": bid["amount"]["units"],
            "together": bid["together"],
            "seal": f"{bid['seal']} {bid['nonce']}" if bid["seal"] else "",
            EVENTS: _named(bid["event"]),
        }


def _draw_rows(act: Mapping[str, Any]) -> Iterator[Row]:
    draw = act["draw"]
    yield {"what": Text("Huella anunciada", "Hash announced"), "says": draw["seed_hash"]}
    yield {"what": Text("Semilla revelada", "Seed revealed"), "says": draw["seed"]}
    yield {"what": Text("Huella de las pujas", "Digest of the bids"), "says": draw["bids_digest"]}
    if draw["tied_digest"]:
        said = Text("Huella de las pujas empatadas", "Digest of the bids that tied")
        yield {"what": said, "says": draw["tied_digest"]}
    for seat, score in sorted(draw["scores"].items(), key=lambda one: (one[1], int(one[0]))):
        yield {"what": Text(f"Asiento {seat}", f"Seat {seat}"), "says": score}
    drawn = draw["drawn"]
    said = Text(f"asiento {drawn}", f"seat {drawn}") if drawn else Text("no hubo empate", "there was no tie")
    yield {"what": Text("Sale", "Drawn"), "says": said}


def _award_rows(act: Mapping[str, Any]) -> Iterator[Row]:
    left, award, outcome = act["auction"]["left_by"], act["award"], act["outcome"]
    yield {"what": Text("Banco que pasa", "Bank passing on"), "says": _who(left, ENDINGS.get(left["ending"]))}
    if award:
        yield {"what": Text("Se adjudica a", "Awarded to"), "says": _who(award, HOW[award["how"]])}
        yield {"what": Text("Por", "For"), "says": _said(act, award)}
        yield {"what": Text("Regla", "Rule"), "says": award["rule"]}
    yield {"what": Text("Resultado", "Outcome"), "says": _OUTCOMES[outcome["kind"]]}
    if outcome["kind"] == "deposited":
        yield {"what": Text("Depósito", "Deposit"), "says": _said(act, outcome)}
    if "at" in outcome:
        yield {"what": Text("Cuándo", "When"), "says": _utc(outcome["at"])}
    if later := act["later"]:
        said = Text("rehusó dar cartas: {at}", "refused to deal: {at}").fill(at=_utc(later["at"]))
        yield {"what": Text("Después", "Later"), "says": said}


def _said(act: Mapping[str, Any], of: Mapping[str, Any]) -> Text:
    return _money(act, of["amount"]["units"])


def _money(act: Mapping[str, Any], units: int) -> Text:
    return money.words(units, act["casino"]["exponent"])


def _who(said: Mapping[str, Any], how: Text | None) -> Text:
    who = f"{said['seat']} · {said['player']}"
    return Text(f"{who} ({how.es})", f"{who} ({how.en})") if how else Text(who, who)


def _event_rows(act: Mapping[str, Any]) -> Iterator[Row]:
    named = [(Text("Apertura", "Opening"), act["auction"]["opened_event"])]
    named += [(Text(f"Puja {bid['number']}", f"Bid {bid['number']}"), bid["event"]) for bid in act["bids"]]
    named.append((Text("Cierre", "Close"), act["auction"]["closed_event"]))
    if "event" in act["outcome"]:
        named.append((Text("Resultado", "Outcome"), act["outcome"]["event"]))
    named += [
        (Text(f"Firma de {one['name']}", f"Signed by {one['name']}"), one["event"])
        for one in act["signatures"]
    ]
    for what, event in named:
        said = {"what": what, "number": event["number"], "hash": event["hash"]}
        yield {**said, EVENTS: _named(event)}


def _signed(act: Mapping[str, Any]) -> Iterator[Row]:
    for one in act["signatures"]:
        yield {
            "name": one["name"],
            "at": _utc(one["at"]).removesuffix(" UTC"),
            "digest": f"{one['digest'][:16]}…",
            EVENTS: _named(one["event"]),
        }
