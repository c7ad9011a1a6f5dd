"""What a pool lacks before it starts, and what it says before one of its tables opens.

The list a person reads: what starting a pool refuses (`jackpots.pools`), each with its rule, in the order it
is done. A table opens without its pool all the same: there it only warns.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass

from audits import filings
from audits.models import Filing, Incident
from casino.kernel.money import words as money_words
from casino.kernel.words import Text
from jackpots import filings as asked
from jackpots import members, naming, scheme, seeing, versions
from jackpots.holding import pool_of
from jackpots.models import Pool, PoolVersion
from jackpots.standing import FINE, standing_of
from tables.preflight import Check, Level, Opening, amber, green

CODE, TITLE = "pools", Text("Pozos", "Pools")
About = Filing | PoolVersion | Incident | None


@dataclass(frozen=True, slots=True)
class Need:
    """One thing a pool starts with, and what leads to it."""

    check: Check
    about: About = None


def the_pool(opening: Opening) -> Iterator[Check]:
    """Amber where the table's pool does not run, its tables were not reported (PP-06), or an approval it runs
    on ends soon or is gone (PP-04, PP-23)."""
    pool = pool_of(opening.table, opening.instant)
    if pool is None:
        some = Pool.objects.filter(casino=opening.table.casino_id).exists()
        none = Text("no hay pozos configurados", "no pools configured")
        out = Text("la mesa no alimenta ningún pozo", "the table feeds no pool")
        yield green(CODE, TITLE, out if some else none)
        return
    fine = True
    if pool.state != Pool.State.RUNNING:
        fine = False
        words = Text(
            f"{pool.name} no está en marcha: la mesa abre sin apuesta progresiva",
            f"{pool.name} does not run: the table opens without the progressive bet",
        )
        yield amber(CODE, TITLE, words, "PP-06")
    if members.unreported(pool):
        fine = False
        words = Text(
            f"la configuración de mesas de {pool.name} no se informó a la AJ: presente el trámite",
            f"which tables feed {pool.name} was not reported to the AJ: present the filing",
        )
        yield amber(f"{CODE}_reported", TITLE, words, "PP-06")
    day = opening.table.casino.gaming_day(opening.instant)
    for one in standing_of([pool], day).get(pool.pk, FINE).said:
        fine = False
        words = Text(f"{pool.name}: {one.words.es}", f"{pool.name}: {one.words.en}")
        yield amber(f"{CODE}_approved", TITLE, words, one.rule)
    if fine:
        words = Text(
            f"{pool.name} está en marcha y sus mesas informadas",
            f"{pool.name} runs and its tables are reported",
        )
        yield green(CODE, TITLE, words, "PP-06")


the_pool.pools = True  # type: ignore[attr-defined]


# ---- before a pool starts ------------------------------------------------------------------------------


def to_start(pool: Pool, instant: dt.datetime) -> list[Need]:
    """What a pool starts with, from the parameters to the notice of its tables; none while it runs by a
    version nothing waits behind, and of one that is retired."""
    waiting = seeing.waiting_version(pool)
    if pool.state == Pool.State.RETIRED or (pool.state == Pool.State.RUNNING and waiting is None):
        return []
    day = pool.casino.gaming_day(instant)
    version = waiting or pool.version
    return [
        _parameters(version),
        _departments(version),
        _approved_by_aj(pool, asked.SCHEME, version, day),
        _approved_by_aj(pool, asked.EQUIPMENT, None, day),
        _tables(pool),
        _notice(pool),
        *_incident(pool),
        *_base(pool, version),
    ]


def _parameters(version: PoolVersion | None) -> Need:
    title = Text("parámetros", "parameters")
    if version is None:
        words = Text(
            "redáctelos: comisión, base y reserva no tienen valor por defecto",
            "draft them: commission, base and reserve have no default",
        )
        return Need(_lacking("parameters", title, words, "PP-20"))
    words = Text(f"versión {version.number}", f"version {version.number}")
    return Need(green("parameters", title, words, "PP-20"), version)


def _departments(version: PoolVersion | None) -> Need:
    """The approvals of the version that would begin (PP-30)."""
    title = Text("aprobación de dos áreas", "approval of two departments")
    there = [] if version is None else list(version.approvals.order_by("pk"))
    names = [naming.DEPARTMENTS[one.department] for one in there]
    es, en = ", ".join(name.es for name in names), ", ".join(name.en for name in names)
    lack = versions.APPROVERS - len(there)
    if lack <= 0:
        return Need(green("departments", title, Text(es, en), "PP-30"), version)
    if not there:
        words = Text(
            f"faltan {lack} áreas: aprueban en la página de la versión",
            f"{lack} departments are missing: they approve on the version's page",
        )
    else:
        words = Text(f"aprobó {es}; falta otra área", f"{en} approved; another department is missing")
    return Need(_lacking("departments", title, words, "PP-30"), version)


def _approved_by_aj(pool: Pool, kind: str, version: PoolVersion | None, day: dt.date) -> Need:
    """What the AJ approves: commission and algorithms of a version (PP-19, PP-23), equipment (PP-04)."""
    known = filings.kinds()[kind]
    if kind == asked.SCHEME and version is None:
        words = Text("se pide con los parámetros", "it is asked for with the parameters")
        return Need(_lacking(kind, known.name, words, known.rule))
    subject = asked.about_pool(pool) if version is None else asked.about_version(version)
    valid = filings.approved(pool.casino, kind, subject, day)
    if valid is not None:
        words = Text(f"{valid.label}, aprobado", f"{valid.label}, approved")
        return Need(green(kind, known.name, words, known.rule), valid)
    latest = seeing.version_filing(version) if version else seeing.about(pool).filter(kind=kind).first()
    goes_on = latest is not None and latest.state in _GOES_ON
    # Parameters are asked for anew on the page of their version.
    about: About = version if version is not None and not goes_on else latest
    return Need(_lacking(kind, known.name, _next_step(latest), known.rule), about)


_GOES_ON = {
    Filing.State.DRAFT: Text("está en borrador: preséntelo", "is a draft: present it"),
    Filing.State.PRESENTED: Text("se presentó: anote la respuesta", "was presented: note the answer"),
}
_OVER = {
    Filing.State.APPROVED: Text("no rige hoy", "is not valid today"),
    Filing.State.REFUSED: Text("no se aprobó", "was not approved"),
    Filing.State.WITHDRAWN: Text("se retiró", "was withdrawn"),
    Filing.State.REVOKED: Text("fue revocado por la AJ", "was revoked by the AJ"),
    Filing.State.USED: Text("ya se usó", "was used already"),
}


def _next_step(filing: Filing | None) -> Text:
    if filing is None:
        return Text("redacte el trámite", "draft the filing")
    state = Filing.State(filing.state)
    said = _GOES_ON.get(state)
    if said is None:
        over = _OVER[state]
        said = Text(f"{over.es}: pídalo de nuevo", f"{over.en}: ask for it again")
    return Text(f"{filing.label} {said.es}", f"{filing.label} {said.en}")


def _tables(pool: Pool) -> Need:
    title = Text("mesas conectadas", "tables linked")
    names = [member.table.name for member in seeing.linked(pool)]
    if names:
        listed = ", ".join(names)
        return Need(green("tables", title, Text(listed, listed), "PP-06"))
    words = Text(
        "conecte al menos una, de Draw, Caribbean o Go Poker",
        "link at least one, of Draw, Caribbean or Go Poker",
    )
    return Need(_lacking("tables", title, words, "PP-06"))


def _notice(pool: Pool) -> Need:
    """The AJ is told which tables feed it; not having told is flagged and forbids nothing (PP-06)."""
    title = Text("aviso de las mesas a la AJ", "notice of the tables to the AJ")
    latest = seeing.about(pool).filter(kind=asked.TABLES).first()
    if latest is None:
        words = Text("se redacta al conectar una mesa", "it is drafted as a table is linked")
        return Need(amber(asked.TABLES, title, words, "PP-06"))
    if members.unreported(pool):
        words = _next_step(latest)
        if latest.state in (Filing.State.PRESENTED, Filing.State.APPROVED):
            words = Text(
                f"{latest.label} no dice las mesas de ahora: redacte otro",
                f"{latest.label} does not name the present tables: draft another",
            )
        return Need(amber(asked.TABLES, title, words, "PP-06"), latest)
    words = Text(f"{latest.label}, presentado", f"{latest.label}, presented")
    return Need(green(asked.TABLES, title, words, "PP-06"), latest)


def _incident(pool: Pool) -> Iterator[Need]:
    """A pool that was stopped goes on once its incident is resolved (PP-32)."""
    if pool.incident is None:
        return
    title, label = Text("incidente que lo detuvo", "incident that stopped it"), pool.incident.label
    if pool.incident.state == Incident.State.OPEN:
        words = Text(f"{label} está abierto: resuélvanlo", f"{label} is open: resolve it")
        yield Need(_lacking("incident", title, words, "PP-32"), pool.incident)
    else:
        yield Need(
            green("incident", title, Text(f"{label}, resuelto", f"{label}, resolved"), "PP-32"), pool.incident
        )


def _base(pool: Pool, version: PoolVersion | None) -> Iterator[Need]:
    """What the house puts in by starting it: said, not asked for (PP-22)."""
    if version is None:
        return
    terms = scheme.read(version.params)
    total = sum(versions.bases_of(terms, versions.new_levels(pool, terms)).values())
    if total:
        amount = money_words(total, pool.casino.exponent)
        words = Text(
            f"la casa pone {amount.es} al ponerlo en marcha", f"the house puts in {amount.en} as it starts"
        )
        yield Need(green("base", Text("base", "base"), words, "PP-22"))


def _lacking(code: str, title: Text, words: Text, rule: str) -> Check:
    return Check(code, title, Level.RED, words, rule)
