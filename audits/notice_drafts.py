"""The draft of a notice to the regulator, in Spanish, and when it is due (REC-14).

Written once, from the incident as it was opened; what the house does afterwards is for compliance to add
in the place the draft leaves for it.
"""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

from audits.by import name_of
from audits.models import Actor, Incident
from casino.kernel import rulebook
from casino.kernel.permissions import ROLE_NAMES, Role
from casino.kernel.words import Text

RULE = "REC-14"
UNFINISHED = "[Completar: "
_TO_FINISH = UNFINISHED + "medidas posteriores, nombre y cargo de quien firma]"


def due(opened_at: dt.datetime) -> dt.datetime:
    """The last instant for the notice of an incident."""
    return opened_at + dt.timedelta(hours=rulebook.rule(RULE).params["notice_hours"])


def draft(incident: Incident, kind: Text) -> str:
    """The notice of an incident that is being opened."""
    casino = incident.casino
    local = incident.opened_at.astimezone(ZoneInfo(casino.zone))
    licence = f", con licencia AJ {casino.licence}," if casino.licence else ""
    where = f" en la mesa {incident.table_label}" if incident.table_label else ""
    paragraphs = [
        f"A la Autoridad de Fiscalización del Juego\nRef.: aviso de incidente {incident.label}, {kind.es}",
        f"{casino.name}{licence} comunica que el {local:%d/%m/%Y} a horas {local:%H:%M} (hora del casino,"
        f" {casino.zone}) se abrió{where} el incidente {incident.label}, sobre {incident.subject_label}.",
        f"Hecho: {_ended(incident.summary_es)}",
        f"Lo detectó: {_person(incident.opened_by)}.",
        *_rules(incident),
        f"Medidas tomadas: {'; '.join(_measures(incident))}.",
        _TO_FINISH,
    ]
    return "\n\n".join(paragraphs)


def _ended(sentence: str) -> str:
    said = sentence.strip()
    return said if said.endswith((".", "!", "?", "…")) else said + "."


def _person(actor: Actor) -> str:
    roles = ", ".join(ROLE_NAMES[role].es for role in sorted(actor.roles) if role is not Role.SYSTEM)
    return f"{name_of(actor).es} ({roles})" if roles else f"{name_of(actor).es} (sistema Sabot)"


def _rules(incident: Incident) -> list[str]:
    """A paragraph with the rules it is about, if it is about any."""
    named = [f"{rule} «{rulebook.rule(rule).title.es}»" for rule in incident.rules]
    return [f"Reglas que corresponden: {'; '.join(named)}."] if named else []


def _measures(incident: Incident) -> list[str]:
    taken = []
    if incident.freezes:
        taken.append(f"la mesa {incident.table_label} quedó detenida hasta que se resuelva el incidente")
    for key, words in (("withdrawn", "se retiraron de juego"), ("held", "se retuvieron para investigación")):
        if decks := incident.facts.get(key):
            taken.append(f"{words} las barajas {', '.join(map(str, decks))}")
    return taken or ["el hecho quedó asentado en el registro de incidentes y en la auditoría"]
