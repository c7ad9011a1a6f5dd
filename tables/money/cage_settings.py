"""How the house works its cage: one row a house with its history, and the defaults where none is stored.

IPJ on top: a player who wants 100,00 in chips pays 113,05 (REC-03: the tax is borne by who buys). With
`ipj_on_top` off the player pays 100,00 and the house bears the 13,05 out of what it took; the tax is the
same.
"""

from __future__ import annotations

from collections.abc import Mapping

from audits import trail
from audits.by import By
from audits.history import save_version
from casino.kernel import locking
from casino.kernel.commands import command
from casino.kernel.errors import Refused
from casino.kernel.words import Text
from casino.models import Casino
from tables.models import Assignment, CageSettings
from tables.money import cage_policies as policies

Post = Assignment.Post
POINTS: Mapping[str, int] = {
    **dict.fromkeys((post.value for post in Post), 10),
    Post.PAYER.value: 8,
    Post.SUPPORT_DEALER.value: 8,
    Post.SUPERVISOR.value: 0,
}
"""Points an hour by post until the house sets its own: who deals 10, who helps 8; chiefs take no part."""
MOST_POINTS, MOST_DAYS = 1_000, 3_650


def cage_of(casino: Casino) -> CageSettings:
    """The house's settings; the defaults, in a row not stored, where it has none."""
    return CageSettings.objects.filter(casino=casino).first() or CageSettings(casino=casino)


def points_of(settings: CageSettings) -> dict[str, int]:
    """Points an hour of every post."""
    return {**POINTS, **settings.tip_points}


@command(policies.SET_CAGE, setting=True)
def set_cage(*, ipj_on_top: bool, orphan_days: int, tip_points: Mapping[str, int], by: By) -> CageSettings:
    """Set how the cage works; posts left out of `tip_points` keep the default. Needs a reason.

    Raises `Refused` (`bad_cage_settings`, `reason_missing`) with the field.
    """
    if isinstance(orphan_days, bool) or not 1 <= orphan_days <= MOST_DAYS:
        raise _bad("orphan_days", f"indique días, de 1 a {MOST_DAYS}", f"give days, 1 to {MOST_DAYS}")
    for post, points in tip_points.items():
        if post not in POINTS:
            raise _bad("tip_points", f"no existe el puesto «{post}»", f"there is no post “{post}”")
        if isinstance(points, bool) or not isinstance(points, int) or not 0 <= points <= MOST_POINTS:
            raise _bad("tip_points", f"puntos de 0 a {MOST_POINTS}", f"points from 0 to {MOST_POINTS}")
    locking.taking(locking.Rank.CASINO)
    Casino.objects.select_for_update(no_key=True).get(pk=by.casino.pk)
    stored = cage_of(by.casino)
    stored.ipj_on_top, stored.orphan_days = ipj_on_top, orphan_days
    stored.tip_points = dict(sorted(tip_points.items()))
    save_version(stored, by=by)
    trail.record(
        "tables.cage.set",
        stream=trail.SETTINGS_STREAM,
        subject=trail.Subject("cage_settings", stored.pk, by.casino.name),
        by=by,
        data={"ipj_on_top": ipj_on_top, "orphan_days": orphan_days, "tip_points": stored.tip_points},
        rules=["REC-03", "FLOOR-16"],
    )
    return stored


def _bad(field: str, es: str, en: str) -> Refused:
    return Refused(Text(es, en), code="bad_cage_settings", field=field)
