"""An anonymous person called by a name of the lists is identified first (GEN-11, `alias_listed`), on record.

A name is no proof: nobody is barred by it, and nobody is seated under it. The trail of the entry keeps who
was asked for a document, who was found under such an alias on the floor, and who showed one then.
"""

from __future__ import annotations

from collections.abc import Iterable

from audits import trail
from audits.by import By
from casino.kernel.commands import command
from casino.kernel.words import Text
from tables.guests import matching, policies
from tables.guests.admitting import RULE, Barred, in_force
from tables.guests.registering import shown
from tables.models import Exclusion, Guest


class AliasListed(Barred):
    """Refused is an alias; it names the entry whose name it is like, where and by whom, for the record."""

    def __init__(self, alias: str, where: str, place: str, entry: Exclusion, by: By) -> None:
        self.alias, self.where, self.place, self.entry, self.by = alias, where, place, entry, by
        super().__init__(
            RULE,
            Text(
                f"«{alias}» se parece a un nombre de la lista de exclusión: vea su documento y siéntelo"
                " como jugador con documento",
                f"“{alias}” is like a name on the exclusion list: see their document and seat them as a"
                " player with document",
            ),
            code="alias_listed",
            field="alias",
        )

    def remember(self) -> None:
        refuse_alias(alias=self.alias, where=self.where, place=self.place, exclusion=self.entry, by=self.by)


def like(alias: str, entries: Iterable[tuple[int, str]]) -> int | None:
    """The entry, of (id, name), whose name an alias is most like; one word is nobody's name."""
    if len(matching.words_of(alias)) < 2:
        return None
    scores = ((score_of(alias, name), -pk) for pk, name in entries)
    score, pk = max(scores, default=(0, 0))
    return -pk if score >= matching.SIMILAR else None


def score_of(alias: str, name: str) -> int:
    return matching.name_score(alias, name) if name else 0


def listed(alias: str, by: By) -> Exclusion | None:
    """The entry in force that an alias is most like, if any. Call it under `share_lists`."""
    if len(matching.words_of(alias)) < 2:
        return None
    names = in_force(by.casino, by.occurred_at).exclude(name="").values_list("pk", "name")
    found = like(alias, names)
    return None if found is None else Exclusion.objects.get(pk=found)


def require_unlisted(alias: str, *, where: str, place: str, by: By) -> None:
    """Refuse an anonymous person called by a name of the lists. Call it under `share_lists`. Raises
    `AliasListed` (GEN-11)."""
    entry = listed(alias, by)
    if entry is not None:
        raise AliasListed(alias, where, place, entry, by)


@command(policies.SEAT)
def refuse_alias(*, alias: str, where: str, place: str, exclusion: Exclusion, by: By) -> Exclusion:
    """Put on record that somebody was asked for a document, for the alias they gave."""
    tell("tables.guest.alias_refused", exclusion, by, alias=alias, where=where, place=place)
    return exclusion


def tell_identified(alias: str, guest: Guest, place: str, by: By) -> None:
    """Note inside the act that seats them that who waited under an alias like a listed name showed a document
    and is not who is listed: they were admitted by it."""
    entry = listed(alias, by)
    if entry is not None:
        tell(
            "tables.guest.alias_identified", entry, by, alias=alias, place=place, guest=guest.pk,
            player=shown(guest),
        )  # fmt: skip


def tell(action: str, entry: Exclusion, by: By, *, alias: str, place: str, **more: object) -> None:
    """An event of an alias that is like an entry's name, on the entry's stream."""
    trail.record(
        action,
        stream=entry.stream,
        subject=trail.Subject("exclusion", entry.pk, entry.label),
        by=by,
        data={"alias": alias, "place": place, "score": score_of(alias, entry.name), **more},
        rules=[RULE],
    )
