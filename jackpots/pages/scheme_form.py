"""A version's parameters as a form of plain fields: filled from a scheme, read into one, refused in place.

Percentages and amounts are typed as people write them; the scheme keeps basis points and smallest units.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.utils.translation import get_language

from casino.kernel import money
from casino.kernel.errors import Refused, SabotError
from casino.kernel.money import readable
from casino.kernel.words import Text
from jackpots import naming, saying
from jackpots.scheme import (
    CLASSIC,
    FIXED,
    HANDS,
    MAIN,
    MOST_LEVELS,
    MOST_RESERVES,
    PERCENT,
    RESERVE,
    SPLIT,
    TIMES,
    Scheme,
)

MORE = {"more_levels": "levels", "more_reserves": "reserves"}
"""What asks for another row, and of which it is counted in `<it>_rows`."""
BOXES = {
    "code": Text("nombre", "name"),
    "share": Text("parte", "share"),
    "base": Text("base", "base"),
    "cap": Text("tope", "cap"),
}
"""What the boxes of a row are called to whoever does not see its heading."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the form: its boxes by what they are, each with its name."""

    code: str
    label: Text
    names: Mapping[str, str]


def level_rows(boxes: Mapping[str, str]) -> list[Row]:
    """As many as are filled, or were asked for."""
    shown = _rows_shown(boxes, "level", MOST_LEVELS)
    return [_row("level", place, ("code", "share", "base", "cap")) for place in range(shown)]


def reserve_rows(boxes: Mapping[str, str]) -> list[Row]:
    return [
        _row("reserve", place, ("code", "share"))
        for place in range(_rows_shown(boxes, "reserve", MOST_RESERVES))
    ]


def _rows_shown(boxes: Mapping[str, str], what: str, most: int) -> int:
    asked = boxes.get(f"{what}s_rows", "")
    wanted = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 3 else 1
    wanted += MORE.get(boxes.get("do", "")) == f"{what}s"
    filled = [place + 1 for place in range(most) if boxes.get(f"{what}_{place}_code", "").strip()]
    return min(most, max(wanted, 1, *filled))


def prize_rows() -> list[Row]:
    """A row for each hand a prize may be for, the highest first."""
    boxes = ("kind", "value", "level")
    return [Row(hand, naming.hand(hand), {box: f"prize_{hand}_{box}" for box in boxes}) for hand in HANDS]


def _row(what: str, place: int, boxes: tuple[str, ...]) -> Row:
    names = {box: f"{what}_{place}_{box}" for box in boxes}
    return Row(str(place), Text(str(place + 1), str(place + 1)), names)


# ---- filled ------------------------------------------------------------------------------------------


def filled(scheme: Scheme | None, exponent: int) -> dict[str, str]:
    """What stands in the boxes before anybody typed: the version in force, or the book's prizes."""
    if scheme is None:
        found = {
            "level_0_code": _fund(MAIN),
            "reserve_0_code": _fund(RESERVE),
            "policy": SPLIT,
            "lower_first": "yes",
        }
        return found | {"reseed": "reserve-house", "least": "1", "most": "1"} | _prizes_in(CLASSIC, exponent)
    found = {
        "commission": _percent(scheme.commission_bp),
        "credit": _amount(scheme.credit, exponent),
        "least": str(scheme.least),
        "most": str(scheme.most),
        "policy": scheme.policy,
        "lower_first": "yes" if scheme.lower_percent_first else "",
        "reseed": "-".join(scheme.reseed_order),
        "round_limit": "" if scheme.round_limit is None else _amount(scheme.round_limit, exponent),
    }
    for place, level in enumerate(sorted(scheme.levels, key=lambda one: one.code != MAIN)):
        at = f"level_{place}_"
        found |= {f"{at}code": _fund(level.code), f"{at}share": _percent(level.share_bp)}
        found[f"{at}base"] = _amount(level.base, exponent)
        found[f"{at}cap"] = "" if level.cap is None else _amount(level.cap, exponent)
    for place, one in enumerate(scheme.reserves):
        at = f"reserve_{place}_"
        found |= {f"{at}code": _fund(one.code), f"{at}share": _percent(one.share_bp)}
    return found | _prizes_in(scheme.prizes, exponent)


def _prizes_in(prizes: Any, exponent: int) -> dict[str, str]:
    found: dict[str, str] = {}
    for one in prizes:
        value = {PERCENT: _percent, FIXED: lambda v: _amount(v, exponent)}.get(one.kind, str)(one.value)
        at = f"prize_{one.hand}_"
        found |= {f"{at}kind": one.kind, f"{at}value": value, f"{at}level": _fund(one.level)}
    return found


def _fund(code: str) -> str:
    return naming.fund(code).say(get_language())


def _percent(basis_points: int) -> str:
    language = get_language()
    return readable(basis_points // 100, language, 0) if basis_points % 100 == 0 else readable(
        basis_points, language, 2
    )  # fmt: skip


def _amount(units: int, exponent: int) -> str:
    return readable(units, get_language(), exponent)


# ---- read --------------------------------------------------------------------------------------------


class _Typed:
    """The boxes of a form, read one by one."""

    def __init__(self, request: HttpRequest, exponent: int) -> None:
        self._given, self._exponent = request.POST, exponent

    def text(self, name: str) -> str:
        return str(self._given.get(name, "")).strip()

    def percent(self, name: str) -> int | None:
        """Basis points; nothing typed is None."""
        return money.typed(self.text(name), get_language(), 2, field=name) if self.text(name) else None

    def amount(self, name: str) -> int | None:
        """Smallest units; nothing typed is None."""
        given = self.text(name)
        return money.typed(given, get_language(), self._exponent, field=name) if given else None

    def whole(self, name: str) -> int | None:
        given = self.text(name)
        if given and not (given.isascii() and given.isdigit() and len(given) <= 9):
            raise Refused(
                Text("escriba un número entero", "type a whole number"), code="bad_number", field=name
            )
        return int(given) if given else None


def read(request: HttpRequest, exponent: int) -> dict[str, Any]:
    """The parameters as typed; what was left empty is left out, so that the scheme says what is missing."""
    given = _Typed(request, exponent)
    found: dict[str, Any] = {
        "commission_bp": given.percent("commission"),
        "levels": [one for place in range(MOST_LEVELS) if (one := _level(given, f"level_{place}_"))],
        "reserves": [one for place in range(MOST_RESERVES) if (one := _reserve(given, f"reserve_{place}_"))],
        "credit": given.amount("credit"),
        "prizes": [one for row in prize_rows() if (one := _prize(given, row))],
        "policy": given.text("policy") or SPLIT,
        "lower_percent_first": given.text("lower_first") == "yes",
        "reseed_order": (given.text("reseed") or "reserve-house").split("-"),
        "round_limit": given.amount("round_limit"),
    }
    limits = {name: number for name in ("least", "most") if (number := given.whole(name)) is not None}
    return found | limits


def _level(given: _Typed, at: str) -> dict[str, Any] | None:
    code = saying.fund_code(given.text(f"{at}code"))
    if not code:
        return None
    share, base = given.percent(f"{at}share"), given.amount(f"{at}base")
    return {"code": code, "share_bp": share, "base": base, "cap": given.amount(f"{at}cap")}


def _reserve(given: _Typed, at: str) -> dict[str, Any] | None:
    code, share = saying.fund_code(given.text(f"{at}code")), given.percent(f"{at}share")
    return {"code": code, "share_bp": share} if code and share is not None else None


def _prize(given: _Typed, row: Row) -> dict[str, Any] | None:
    kind = given.text(row.names["kind"])
    if not kind:
        return None
    read_value = {PERCENT: given.percent, FIXED: given.amount, TIMES: given.whole}.get(kind)
    value = None if read_value is None else read_value(row.names["value"])
    return {
        "hand": row.code,
        "kind": kind,
        "value": value,
        "level": saying.fund_code(given.text(row.names["level"])) or MAIN,
    }


def beside(refusal: SabotError, request: HttpRequest) -> SabotError:
    """A refusal of the scheme, its field named as the form names it."""
    known = {"commission_bp": "commission", "reseed_order": "reseed", "levels": "level_0_code"}
    known |= {"reserves": "reserve_0_share", "prizes": "prize_royal_flush_kind"}
    what, _, rest = refusal.field.partition(".")
    code, _, box = rest.partition(".")
    if what in ("levels", "reserves") and box:
        kind = what.removesuffix("s")
        rows = range(MOST_LEVELS if kind == "level" else MOST_RESERVES)
        given = _Typed(request, 0)
        place = next((n for n in rows if saying.fund_code(given.text(f"{kind}_{n}_code")) == code), 0)
        refusal.field = f"{kind}_{place}_{box.removesuffix('_bp')}"
    elif what == "prizes" and code in HANDS:
        refusal.field = f"prize_{code}_{box}"
    else:
        refusal.field = known.get(what, refusal.field)
    return refusal
