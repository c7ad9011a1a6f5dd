"""What is done when a detector finds something: alert, incident, a table stopped (docs/detectors.md).

Who asks the detectors, and when, is the floor's, which knows the rounds: `tables.watching`. What they are
asked about a shoe: `shoes.suspecting`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from audits import trail
from audits.by import By
from audits.incident_facts import register_fact
from audits.incidents import raise_incident
from audits.models import Incident
from audits.vocabulary import say_codes
from casino.kernel.commands import command, explain_constraint
from casino.kernel.errors import Conflict
from casino.kernel.words import Text, same
from shoes import actions, incidents, moving, policies
from shoes.closing import awaiting_count
from shoes.detecting import distribution, order, regularity, repeats
from shoes.detecting.finding import Finding
from shoes.floor import Freeze, floor
from shoes.locked import lock_shoe
from shoes.models import Deck, DeckMove, Shoe, ShoeAlert
from shoes.procedures import procedure_of

JOB = "card-watch"
"""The job that raises alerts: nobody has to ask it."""

DETECTORS: Mapping[str, Text] = {
    order.CODE: Text("orden de fábrica", "factory order"),
    repeats.CODE: Text("orden de un sabot anterior", "order of an earlier shoe"),
    repeats.CODE_INSIDE: Text("orden repetido dentro del sabot", "order repeated within the shoe"),
    distribution.CODE: Text("reparto improbable de las cartas", "improbable distribution of the cards"),
    regularity.CODE: Text("asignación a mesas con un patrón", "assignment to tables by a pattern"),
}
"""What each detector looks for, by its code."""

STOPPING = (order.CODE, repeats.CODE, repeats.CODE_INSIDE)
"""Findings that stop the table: a pack in a known order is no game of chance. An improbable distribution is
looked into while play goes on, and a pattern of assignment is told to whoever assigns."""


@command(policies.WATCH, silent_when="it was raised already")
def raise_alert(*, shoe: Shoe, finding: Finding, by: By) -> ShoeAlert:
    """Keep what a detector found about a shoe, once; open its incident and stop its table where that is due.

    Returns the alert there is. Never asked for by a person: the act is the system's alone.
    """
    stop = _hold(shoe, by) if finding.detector in STOPPING else None
    label, shoe = shoe.table_label, lock_shoe(shoe, by)
    raised = ShoeAlert.objects.filter(shoe=shoe, detector=finding.detector).first()
    if raised is not None:
        return raised
    if shoe.table_label != label:
        stop = None  # it left its table meanwhile
    came_out = _still_to_count(shoe, by)
    incident = _incident(shoe, finding, by, freezes=stop is not None)
    if stop is not None and incident is not None:
        stop(incident)
    alert = ShoeAlert.objects.create(
        casino=by.casino,
        shoe=shoe,
        detector=finding.detector,
        p=finding.p,
        facts=_exact(finding.facts),
        words_es=finding.words.es,
        words_en=finding.words.en,
        incident=incident,
        at=by.occurred_at,
    )
    _tell(shoe, finding, incident, by)
    if incident is not None and came_out:
        _keep(came_out, shoe, incident, by)
    return alert


def _still_to_count(shoe: Shoe, by: By) -> list[Deck]:
    """The decks of a shoe that has ended and was not counted, locked; those of one that goes on are held when
    it ends."""
    waiting = awaiting_count().filter(shoe=shoe, state=Deck.State.RETURNED)
    return moving.lock_decks(by.casino, sorted(waiting.values_list("deck__serial", flat=True)))


def _keep(decks: Sequence[Deck], shoe: Shoe, incident: Incident, by: By) -> None:
    """CARD-45: found out after its shoe ended, the pack is kept as it is all the same."""
    data = {"incident": incident.label, "about": incident.kind, "from": [deck.place for deck in decks]}
    event = moving.tell(actions.DECKS_HELD, decks, by=by, data=data, rules=["CARD-45"])
    moving.move(decks, kind=DeckMove.Kind.HELD, event=event, by=by, shoe=shoe, incident=incident)


def _hold(shoe: Shoe, by: By) -> Freeze | None:
    """What stops the table a shoe is in play at; its session is locked before the shoe."""
    return floor().hold_table(by.casino, shoe.table_label) if shoe.table_label else None


def _incident(shoe: Shoe, finding: Finding, by: By, *, freezes: bool) -> Incident | None:
    if finding.detector == regularity.CODE:
        return None
    unlikely = finding.detector == distribution.CODE
    return raise_incident(
        kind=incidents.DISTRIBUTION if unlikely else incidents.ORDER,
        summary=Text("{shoe} en {table}: {words}", "{shoe} at {table}: {words}").fill(
            shoe=shoe.label, table=shoe.played_table, words=finding.words
        ),
        subject=trail.Subject("shoe", shoe.pk, shoe.label),
        rules=rules_of(shoe, finding),
        facts={
            "detector": finding.detector,
            "chance": rarity(finding.p).as_dict(),
            "rounds": [span.as_dict() for span in floor().rounds_with([shoe.pk])],
        },
        by=by,
        table_label=shoe.played_table,
        freezes=freezes,
    )


def rules_of(shoe: Shoe, finding: Finding) -> list[str]:
    """The rules a finding is about: for an order, those of the game's check after the shuffle."""
    if finding.detector == regularity.CODE:
        return ["CARD-46"]
    if finding.detector == distribution.CODE:
        return ["CARD-42"]
    steps = procedure_of(shoe.game, shoe.method).steps
    return [rule for step in steps if step.code == "check" for rule in step.rules]


def rarity(p: float) -> Text:
    """How rarely chance alone shows the like, as people read it."""
    if p < 1e-9:
        return Text("menos de una vez en mil millones", "less than once in a thousand million")
    times = f"{1 / p:,.0f}"
    return Text(f"a lo más una vez en {times.replace(',', '.')}", f"at most once in {times}")


def _tell(shoe: Shoe, finding: Finding, incident: Incident | None, by: By) -> None:
    trail.record(
        actions.ALERT_RAISED,
        stream=shoe.stream,
        subject=trail.Subject("shoe", shoe.pk, shoe.label),
        by=by,
        data={
            "detector": finding.detector,
            "words_es": finding.words.es,
            "words_en": finding.words.en,
            "p": f"{finding.p:.3g}",
            "facts": _exact(finding.facts),
            "table": shoe.played_table,
            "incident": incident.label if incident else "",
            "incident_id": incident.pk if incident else None,
        },
        rules=incident.rules if incident else rules_of(shoe, finding),
    )


def _exact(value: Any) -> Any:
    """The same facts without a float, which the trail does not take; the alert keeps what it tells."""
    if isinstance(value, Mapping):
        return {key: _exact(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_exact(part) for part in value]
    return str(value) if isinstance(value, float) else value


def named(detector: str) -> Text:
    """What a detector looks for, in words."""
    return DETECTORS.get(detector, same(detector))


say_codes("detector", named)
register_fact("detector", Text("qué se notó", "what was noticed"), "detector")
register_fact("chance", Text("por azar", "by chance"))

explain_constraint(
    "one_alert_per_detector",
    lambda: Conflict(Text("ese aviso ya se dio", "that alert was raised already"), code="alert_raised"),
)
