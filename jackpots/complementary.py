"""Complementary prizes: announced under a filing, drawn among who bet on the progressive, paid by the house.

    announced -> drawn -> paid            `jackpots.promoting`
              -> called off               where nobody took part

A draw anyone can check (`jackpots.lots`): the seed's hash is published with the announcement, its seed after;
every bet counted since, placed and on record by the stated hour, takes part, whatever it won (PP-27). Its
money is never the pool's (PP-24 to PP-27).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

from audits import filings, trail
from audits.by import By
from audits.models import Event, Filing
from casino.kernel import clock
from casino.kernel.commands import command
from casino.kernel.errors import Conflict, Refused, RuleViolation
from casino.kernel.words import Text
from jackpots import filings as asked
from jackpots import lots, policies
from jackpots.holding import HeldPool, hold_pool, require_running
from jackpots.models import Bet, Complementary, ComplementaryPlace, Pool
from tables.bank import draw as seeds
from tables.money import drawer

State, Form = Complementary.State, Complementary.Form
LONGEST_NAME = 60


@command(policies.COMPLEMENTARY, setting=True)
def announce(*, pool: Pool, name: str, form: str, amount: int, until: dt.datetime, by: By) -> Complementary:
    """Announce a prize that will be drawn among the bets counted from now on and placed until `until`.

    Raises `RuleViolation` PP-24 (`not_presented`), PP-26 (`not_approved`), `Conflict` (`pool_not_running`,
    `chip_slot`), `Refused` (`bad_name`, `bad_form`, `bad_amount`, `bad_until`).
    """
    held = hold_pool(pool.pk)
    require_running(held.pool)
    said = _checked_name(name)
    _require_form(form, amount, held)
    if until <= by.occurred_at:
        raise Refused(
            Text("el sorteo es después de ahora", "the draw is after now"), code="bad_until", field="until"
        )
    filing = _require_filed(held.pool, form, by)
    seed = seeds.new_seed()
    made = Complementary.objects.create(
        casino=by.casino,
        pool=held.pool,
        number=held.pool.complementary.count() + 1,
        name=said,
        filing=filing,
        form=form,
        amount=amount,
        since=held.pool.bets,
        until=until,
        seed_hash=seeds.seed_hash(seed),
        secret=seed,
        announced_by=by.actor,
        announced_at=by.occurred_at,
    )
    data = {
        "number": made.number,
        "filing": filing.label,
        "form": form,
        "amount": amount,
        "since": made.since,
        "until": clock.stamp(until),
        "seed_hash": made.seed_hash,
    }
    tell("jackpots.complementary.announced", made, by, data, "PP-24", "PP-25", *_credit_rules(form))
    return made


@command(policies.COMPLEMENTARY, setting=True)
def draw(*, draw: Complementary, by: By) -> Complementary:
    """Reveal the seed and draw, by another person than announced it. Raises `RuleViolation` GEN-10
    (`same_person`), `Conflict` (`draw_state`, `too_early`, `bets_waiting`, `nobody`)."""
    found, bets = _closing(draw, by)
    if found.announced_by_id == by.actor.pk:
        raise RuleViolation(
            "GEN-10",
            Text(
                f"{found.label} lo anunció usted: lo sortea otra persona",
                f"{found.label} was announced by you: another person draws it",
            ),
            code="same_person",
        )
    if not bets:
        raise Conflict(
            Text("nadie participó: déjelo sin efecto", "nobody took part: call it off"),
            code="nobody",
            rule="PP-27",
        )
    record = lots.drawn(found.label, found.secret, [_entry(bet) for bet in bets])
    found.state, found.seed, found.digest = State.DRAWN, found.secret, record.digest
    found.drawn_at = by.occurred_at
    found.winner = next(bet for bet in bets if bet.serial == record.winner)
    ComplementaryPlace.objects.bulk_create(
        ComplementaryPlace(casino=by.casino, draw=found, bet=bet, score=record.scores[bet.serial or 0])
        for bet in bets
    )
    data = {
        **_told_winner(found.winner),
        "amount": found.amount,
        "seed": found.seed,
        "seed_hash": found.seed_hash,
        "digest": found.digest,
        "bets": [bet.serial for bet in bets],
        "score": record.scores[record.winner],
    }
    found.event = tell("jackpots.complementary.drawn", found, by, data, "PP-24", "PP-27")
    found.save(update_fields=["state", "seed", "digest", "drawn_at", "winner", "event"])
    return found


@command(policies.COMPLEMENTARY, setting=True)
def call_off(*, draw: Complementary, by: By) -> Complementary:
    """Nobody took part: its seed is revealed all the same. Raises `Conflict` (`draw_state`, `too_early`,
    `bets_waiting`, `somebody_took_part`)."""
    found, bets = _closing(draw, by)
    if bets:
        raise Conflict(
            Text(
                f"participan {len(bets)} apuestas: sortee el premio",
                f"{len(bets)} bets take part: draw the prize",
            ),
            code="somebody_took_part",
            rule="PP-27",
        )
    found.state, found.seed, found.digest = State.CALLED_OFF, found.secret, lots.digest_of([])
    found.drawn_at = by.occurred_at
    data = {"seed": found.seed, "seed_hash": found.seed_hash, "digest": found.digest}
    found.event = tell("jackpots.complementary.called_off", found, by, data, "PP-24")
    found.save(update_fields=["state", "seed", "digest", "drawn_at", "event"])
    return found


def require_none_won(bets: Sequence[Bet]) -> None:
    """A bet that won a draw stays as it is: its right to the prize does (PP-27). Raises `Conflict`
    (`draw_stands`)."""
    won = Complementary.objects.filter(winner__in=bets).order_by("pk").first()
    if won is not None:
        raise Conflict(
            Text(
                f"una apuesta del pase ganó el sorteo {won.label}: el pase no se anula; abra una disputa",
                f"a bet of the round won the draw {won.label}: the round is not voided; open a dispute",
            ),
            code="draw_stands",
            rule="PP-27",
        )


# ---- anyone checks it ----------------------------------------------------------------------------------


def record_of(draw: Complementary) -> dict[str, Any]:
    """What a draw is checked by (`lots.faults`), once its seed is revealed."""
    rows = draw.places.select_related("bet").order_by("bet__serial")
    places = [(place.bet, place.score) for place in rows]
    return {
        "label": draw.label,
        "seed_hash": draw.seed_hash,
        "seed": draw.seed,
        "digest": draw.digest,
        "entries": [list(_entry(bet)) for bet, _ in places],
        "scores": {str(bet.serial): score for bet, score in places},
        "winner": None if draw.winner is None else draw.winner.serial,
    }


def taking_part(draw: Complementary) -> list[Bet]:
    """The bets that take part, in their order (PP-27)."""
    rows = Bet.objects.filter(pool=draw.pool_id, serial__gt=draw.since, state=Bet.State.COUNTED)
    rows = rows.filter(**_in_time(draw))
    return list(rows.select_related("session__table").order_by("serial"))


def _in_time(draw: Complementary) -> dict[str, Any]:
    """Placed by the stated hour and on record by then: an hour stated afterwards joins no draw."""
    return {"placed_at__lte": draw.until, "placed_event__recorded__lte": draw.until}


def _entry(bet: Bet) -> lots.Entry:
    assert bet.serial is not None
    return lots.Entry(bet.serial, bet.seat, bet.amount, clock.stamp(bet.placed_at))


# ---- parts ---------------------------------------------------------------------------------------------


def _closing(draw: Complementary, by: By) -> tuple[Complementary, Sequence[Bet]]:
    """The draw under its pool's lock, its time up, and who takes part."""
    hold_pool(draw.pool_id)
    found = read_draw(draw)
    require_state(found, State.ANNOUNCED)
    if by.occurred_at < found.until:
        raise Conflict(
            Text("todavía se puede participar: espere la hora anunciada", "bets still take part: wait"),
            code="too_early",
            rule="PP-24",
        )
    waiting = Bet.objects.filter(pool=found.pool_id, state=Bet.State.PLACED, **_in_time(found))
    if waiting.exists():
        raise Conflict(
            Text(
                "hay apuestas puestas a tiempo en pases que no terminan: espere a que se liquiden",
                "bets placed in time wait for their rounds: let these be settled first",
            ),
            code="bets_waiting",
            rule="PP-27",
        )
    return found, taking_part(found)


def _require_filed(pool: Pool, form: str, by: By) -> Filing:
    """PP-24: reported before; PP-26: approved where it is paid in credits."""
    subject = asked.about_pool(pool)
    notice = filings.presented(by.casino, asked.COMPLEMENTARY, subject)
    if notice is None:
        raise RuleViolation(
            "PP-24",
            Text(
                f"{pool.name}: informe antes a la AJ el uso, las condiciones y la tabla de pagos",
                f"{pool.name}: report use, conditions and pay table to the AJ beforehand",
            ),
            {"filing": asked.COMPLEMENTARY},
            code="not_presented",
        )
    if form == Form.CREDITS:
        return filings.require_approved(
            by.casino, asked.PROMOTION, subject, by.casino.gaming_day(by.occurred_at)
        )
    return notice


def _require_form(form: str, amount: int, held: HeldPool) -> None:
    if form not in Form.values:
        raise Refused(
            Text("elija fichas o créditos", "choose chips or credits"),
            code="bad_form",
            rule="PP-25",
            field="form",
        )
    drawer.positive(amount, "amount")
    if form != Form.CREDITS:
        return
    if held.pool.form != Pool.Form.CREDITS:
        raise Conflict(
            Text(f"en {held.pool.name} no hay créditos", f"{held.pool.name} has no credits"),
            code="chip_slot",
            rule="PP-25",
        )
    assert held.scheme is not None
    if amount % held.scheme.credit:
        raise Refused(
            Text("el premio es un número entero de créditos", "the prize is a whole number of credits"),
            code="bad_amount",
            rule="PP-25",
            field="amount",
        )


_NOW = {
    State.ANNOUNCED: Text("está anunciado: sortéelo antes", "is announced: draw it first"),
    State.DRAWN: Text("ya está sorteado: páguelo a quien ganó", "is drawn already: pay it to whoever won"),
    State.PAID: Text("ya está pagado: anuncie otro", "is paid already: announce another"),
    State.CALLED_OFF: Text("quedó sin efecto: anuncie otro", "was called off: announce another"),
}


def require_state(draw: Complementary, *states: str) -> None:
    """Raises `Conflict` (`draw_state`, PP-24), with what comes next."""
    if draw.state not in states:
        now = _NOW[State(draw.state)]
        raise Conflict(
            Text(f"{draw.label} {now.es}", f"{draw.label} {now.en}"), code="draw_state", rule="PP-24"
        )


def read_draw(draw: Complementary) -> Complementary:
    """As it stands; under its pool's lock, it stays so."""
    rows = Complementary.objects.select_related("pool", "winner__session__table", "filing")
    return rows.get(pk=draw.pk)


def _told_winner(bet: Bet) -> dict[str, Any]:
    return {
        "table": bet.session.table.name,
        "session": bet.session_id,
        "round": bet.number,
        "seat": bet.seat,
        "bet": bet.pk,
        "serial": bet.serial,
    }


def _checked_name(name: str) -> str:
    said = " ".join(name.split())
    if not 0 < len(said) <= LONGEST_NAME:
        raise Refused(
            Text(
                f"el nombre tiene de 1 a {LONGEST_NAME} caracteres",
                f"the name has 1 to {LONGEST_NAME} characters",
            ),
            code="bad_name",
            field="name",
        )
    return said


def _credit_rules(form: str) -> Sequence[str]:
    return ["PP-26"] if form == Form.CREDITS else []


def tell(action: str, draw: Complementary, by: By, data: Mapping[str, Any], *rules: str) -> Event:
    return trail.record(
        action,
        stream=draw.pool.stream,
        subject=trail.Subject("complementary", draw.pk, draw.label),
        by=by,
        data={"label": draw.label, "name": draw.name, "draw": draw.pk, **data},
        rules=list(rules),
    )
