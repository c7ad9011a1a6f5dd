"""Rulings: how incidents were settled, found again by rule, kind and words; and those like one to be settled.

A ruling is an incident that two people settled under a rule (GEN-08, GEN-10); nothing is kept twice. Words
are found in Spanish and in English as PostgreSQL stems them, in what happened, how it was settled and what
was noted.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from django.db import connection
from django.db.models import (
    BooleanField,
    Case,
    Exists,
    F,
    FloatField,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Value,
    When,
)
from django.db.models.expressions import RawSQL

from audits.models import Incident, IncidentNote
from casino.models import Casino

LONGEST_WORDS = 200
MOST_LIKE_IT = 5

Alike = Callable[[Casino, str], Collection[str]]
_alike: list[Alike] = []


def register_alike(alike: Alike) -> None:
    """Have `alike(casino, table_label)` say at which tables the same game is played."""
    if alike not in _alike:
        _alike.append(alike)


CONFIGS = ("spanish", "english")

# The same expressions as the indexes of migration 0007, or those would not be used.
SAID = "to_tsvector('{0}', summary_es || ' ' || summary_en || ' ' || resolution)"
NOTED = "to_tsvector('{0}', text)"
ALL_WORDS = "websearch_to_tsquery('{0}', %s)"
ANY_WORD = "replace(plainto_tsquery('{0}', %s)::text, '&', '|')::tsquery"


def settled(casino: Casino) -> QuerySet[Incident]:
    """Every ruling of a house, newest first."""
    rows = Incident.objects.filter(casino=casino, state=Incident.State.RESOLVED)
    return rows.select_related("casino", "resolved_by", "resolved_with").order_by("-resolved_at", "-pk")


def search(
    casino: Casino, *, words: str = "", rule: str = "", kind: str = "", table: str = ""
) -> QuerySet[Incident]:
    """Rulings that answer to everything asked; with words the closest first. `rule`: applied, or about."""
    rows = settled(casino)
    if rule:
        wanted = rule.strip().upper()
        rows = rows.filter(Q(rule_applied=wanted) | Q(rules__contains=[wanted]))
    if kind:
        rows = rows.filter(kind=kind)
    if table:
        rows = rows.filter(table_label__iexact=table.strip())
    words = words.replace("\0", "").strip()[:LONGEST_WORDS]
    if not words:
        return rows
    notes = IncidentNote.objects.filter(_says(NOTED, ALL_WORDS, words), incident=OuterRef("pk"))
    found = rows.filter(_says(SAID, ALL_WORDS, words) | Q(Exists(notes)))
    return found.annotate(rank=_rank(ALL_WORDS, words)).order_by("-rank", "-resolved_at", "-pk")


def of_rule(casino: Casino, rule: str, most: int = MOST_LIKE_IT) -> list[Incident]:
    """The latest rulings under a rule, or about it."""
    return list(search(casino, rule=rule)[:most])


def like(incident: Incident, most: int = MOST_LIKE_IT) -> list[Incident]:
    """Rulings that may help to settle an incident: under its rules, about them, or of its kind.

    Words alone make none alike (money may be missing, and so may a card): they only order. A ruling under one
    of its rules comes before one of its kind; among equals, one at a table of the same game, and then the one
    that shares more words.
    """
    words = _telling(f"{incident.summary_es} {incident.summary_en}")
    under, kind = Q(rule_applied__in=incident.rules), Q(kind=incident.kind)
    rows = settled(incident.casino).exclude(pk=incident.pk)
    rows = rows.filter(under | kind | Q(rules__overlap=incident.rules))
    tables = {name for alike in _alike for name in alike(incident.casino, incident.table_label)}
    same_game = Q(table_label__in=tables - {""})
    closeness = _points(under, 8) + _points(kind, 4) + _points(same_game, 2) + F("rank")
    rows = rows.annotate(rank=_rank(ANY_WORD, words)).annotate(closeness=closeness)
    return list(rows.order_by("-closeness", "-resolved_at", "-pk")[:most])


def _telling(text: str) -> str:
    """The words of a text that tell something: a summary is of either language, or of both."""
    with connection.cursor() as cursor:
        cursor.execute(_TELLING, [text])
        return " ".join(row[0] for row in cursor.fetchall())


_TELLING = """
SELECT DISTINCT word FROM regexp_split_to_table(lower(%s), '[^[:alnum:]]+') word
WHERE word <> '' AND ts_lexize('spanish_stem', word) <> '{}' AND ts_lexize('english_stem', word) <> '{}'
"""


def _points(condition: Q, points: int) -> Case:
    return Case(When(condition, then=Value(points)), default=Value(0), output_field=IntegerField())


def _says(text: str, query: str, words: str) -> Q:
    """Whether a text holds the words, as either language stems them."""
    found = Q()
    for config in CONFIGS:
        sql = f"{text} @@ {query}".format(config)
        found |= Q(RawSQL(sql, [words], output_field=BooleanField()))  # noqa: S611
    return found


def _rank(query: str, words: str) -> RawSQL:
    """How well the words are met, from 0; below 1 whatever they are."""
    ranks = ", ".join(f"ts_rank({SAID}, {query}, 32)".format(config) for config in CONFIGS)
    return RawSQL(f"greatest({ranks})", [words] * len(CONFIGS), output_field=FloatField())  # noqa: S611
