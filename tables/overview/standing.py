"""What is to be attended to at each table now: the flags that rules ask for, read off one look at the floor.

The floor shows them as they stand; the same causes are what the watch keeps as alerts.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator

from casino.kernel.words import Text
from casino.models import Casino
from shoes.counting import keeps_stop_card
from shoes.models import Shoe
from shoes.procedures import procedure_of
from tables import crew
from tables.alerts.causes import BAD, WARN, Cause, register_kind
from tables.discards import gathered_too_many
from tables.games import registry
from tables.models import Table, TableSession
from tables.overview.sight import Sight, look
from tables.queries import POST_NAMES

RELIEF = register_kind("crew.relief", Text("relevo vencido", "relief overdue"))
CREW = register_kind("crew.missing", Text("falta dotación", "crew missing"))
YESTERDAY = register_kind("session.yesterday", Text("abierta desde ayer", "open since yesterday"))
FROZEN = register_kind("table.frozen", Text("mesa detenida", "table stopped"))
NO_SHOE = register_kind("cards.no_shoe", Text("falta el sabot", "no shoe"))
DISCARDS = register_kind("cards.discards", Text("descartador lleno", "discard holder full"))
STOP_CARD = register_kind("cards.stop", Text("salió la detención", "stop card out"))
NO_RULES = register_kind("table.no_rules", Text("sin reglas", "no rules"))
NO_LIMITS = register_kind("table.no_limits", Text("sin límites", "no limits"))

KINDS = (RELIEF, CREW, YESTERDAY, FROZEN, NO_SHOE, DISCARDS, STOP_CARD, NO_RULES, NO_LIMITS)
"""The kinds of which a look at the floor tells whether they last."""


def watch(casino: Casino, instant: dt.datetime) -> Iterator[Cause]:
    """Every cause at every table of a house, for the watch."""
    sight = look(casino, instant)
    for table in sight.tables:
        yield from causes(sight, table)


def causes(sight: Sight, table: Table) -> tuple[Cause, ...]:
    """What is to be attended to at a table, the gravest first."""
    session = sight.session_of(table)
    if session is None or not session.live:
        return tuple(_unready(sight, table))
    return (
        *_frozen(sight, session),
        *_of_cards(session),
        *_of_crew(sight, session),
        *_of_day(sight, session),
    )


def _cause(kind: str, level: str, words: Text, rule: str, session: TableSession, more: object = "") -> Cause:
    key = f"{kind}:{session.pk}" + (f":{more}" if more else "")
    return Cause(key, kind, level, words, rule, table=session.table_id, session=session.pk)


def _unready(sight: Sight, table: Table) -> Iterable[Cause]:
    """What keeps a closed table from being opened: GEN-03, GEN-04."""
    if table.game not in sight.ruled:
        words = Text("sin reglas publicadas", "no rules published")
        yield Cause(f"{NO_RULES}:{table.pk}", NO_RULES, WARN, words, "GEN-03", table=table.pk)
    if table.pk not in sight.limits:
        words = Text("sin límites publicados", "no limits published")
        yield Cause(f"{NO_LIMITS}:{table.pk}", NO_LIMITS, WARN, words, "GEN-04", table=table.pk)


def _frozen(sight: Sight, session: TableSession) -> Iterable[Cause]:
    incident = sight.stopped.get(session.table.name)
    if incident:
        words = Text("detenida por {incident}", "stopped by {incident}").fill(incident=incident)
        yield _cause(FROZEN, BAD, words, "GEN-08", session, incident)


def _of_cards(session: TableSession) -> Iterable[Cause]:
    """CARD-38 and the like, where no other round may be opened; CARD-34."""
    shoe = session.shoe
    if not registry.game(session.game).deck_type:
        return
    if shoe is None or shoe.state != Shoe.State.IN_PLAY:
        words = Text("falta el sabot: no se abre otro pase", "no shoe: no round may be opened")
        yield _cause(NO_SHOE, BAD, words, procedure_of(session.game).stop_rule, session)
        return
    most, rule = gathered_too_many(shoe)
    if most:
        words = Text("el descartador reúne {n} cartas", "the discard holder has {n} cards")
        yield _cause(DISCARDS, WARN, words.fill(n=shoe.discarded), rule, session, shoe.pk)
    if shoe.stop_reached and keeps_stop_card(shoe):
        words = Text("salió la detención: ponga otro sabot", "the stop card came out: load another shoe")
        yield _cause(STOP_CARD, BAD, words, procedure_of(session.game).stop_rule, session, shoe.pk)


def _of_crew(sight: Sight, session: TableSession) -> Iterable[Cause]:
    """What FLOOR-03 and FLOOR-02 flag; a table in pause needs no crew."""
    if session.state == TableSession.State.PAUSED:
        return
    dealer = sight.dealer_of(session)
    over = sight.minutes_of(dealer) - sight.most_minutes if dealer else 0
    if dealer and over > 0:
        words = Text("relevo vencido hace {n} min", "relief overdue by {n} min").fill(n=over)
        yield _cause(RELIEF, WARN, words, "FLOOR-03", session, dealer.pk)
    lacking = crew.missing(session.game, [turn.post for turn in sight.posts.get(session.pk, ())])
    if lacking:
        names = sorted({post: POST_NAMES[post] for post in lacking}.items())
        words = Text(
            "falta " + ", ".join(_counted(text.es, lacking.count(post)) for post, text in names),
            "missing " + ", ".join(_counted(text.en, lacking.count(post)) for post, text in names),
        )
        yield _cause(CREW, WARN, words, "FLOOR-02", session, "-".join(sorted(lacking)))


def _of_day(sight: Sight, session: TableSession) -> Iterable[Cause]:
    if session.day.date < sight.today:
        words = Text("sigue abierta desde ayer: retiene el día", "open since yesterday: it holds the day")
        yield _cause(YESTERDAY, WARN, words, "REC-08", session)


def _counted(name: str, times: int) -> str:
    return f"{times} × {name}" if times > 1 else name
