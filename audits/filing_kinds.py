"""The kinds of filing there are, and what a filing may be about: rooms register both at start-up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from audits.trail import Subject
from casino.kernel.errors import Refused
from casino.kernel.words import Text
from casino.models import Casino

HOUSE = "casino"
"""What a filing is about that is about the house as a whole."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of filing. `approval`: whether the AJ has to approve it; else it takes note. `facts`: what one
    says that is for one thing, by the names of its facts. `by_house`: the text of the AJ that survives does
    not demand it, so a house says whether it does (`audits.filing_demands`). `of_house`: it is drafted on the
    page of the filings, about the house itself."""

    code: str
    name: Text
    rule: str
    approval: bool
    facts: tuple[str, ...] = ()
    by_house: bool = False
    of_house: bool = False


_kinds: dict[str, Kind] = {}


def register_kind(
    code: str,
    name: Text,
    *,
    rule: str,
    approval: bool,
    facts: tuple[str, ...] = (),
    by_house: bool = False,
    of_house: bool = False,
) -> str:
    """Register a kind of filing at start-up; safe twice."""
    _kinds[code] = Kind(code, name, rule, approval, facts, by_house, of_house)
    return code


def kinds() -> dict[str, Kind]:
    return dict(_kinds)


Find = Callable[[Casino, int], Subject | None]
_subjects: dict[str, Find] = {}


def register_subject(type: str, find: Find) -> None:
    """Register, at start-up, how something of a room is found by its id, so that a filing may be about it."""
    _subjects[type] = find


def subject_types() -> list[str]:
    """What a filing may be about, as it was registered."""
    return list(_subjects)


def subject_of(casino: Casino, type: str, id: int) -> Subject:
    """What a filing is about, by type and id. Raises `Refused` (`unknown_subject`), of another casino too."""
    find = _subjects.get(type)
    found = None if find is None else find(casino, id)
    if found is None:
        raise Refused(
            Text("no existe aquello de lo que trata el trámite", "what the filing is about does not exist"),
            code="unknown_subject",
            field="subject_id" if find else "subject_type",
        )
    return found


def about_house(casino: Casino) -> Subject:
    """The house itself as what a filing is about."""
    return Subject(HOUSE, casino.pk, casino.name)


register_subject(HOUSE, lambda casino, pk: about_house(casino) if pk == casino.pk else None)

PROMOTION = register_kind(
    "promotion",
    Text("promoción de la casa", "promotion of the house"),
    rule="REC-09",
    approval=True,
    of_house=True,
)
NOTICE = register_kind(
    "house_notice",
    Text("informe de la casa", "report of the house"),
    rule="REC-09",
    approval=False,
    of_house=True,
)
REQUEST = register_kind(
    "house_request",
    Text("otra solicitud de la casa", "another request of the house"),
    rule="REC-09",
    approval=True,
    of_house=True,
)
