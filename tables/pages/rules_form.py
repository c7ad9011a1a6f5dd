"""The rules of a game as a form: one field per parameter, in the units people speak.

What may be in a field is the engine's to say: this module only turns text into the types the engine
reads and names the choices. A parameter nobody described here still gets a plain field.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from audits.pages.answers import whole
from casino.kernel import money
from casino.kernel.money import Rounding
from tables.games.baccarat.rules import COMMISSION, DECKS_ALLOWED, NO_COMMISSION
from tables.games.base import Game

FIXED = frozenset({"game", "dealer"})
"""What the modality itself decides (BAC-02 to BAC-04)."""

PERCENT_DECIMALS = 2
"""A basis point is a hundredth of a percent."""


@dataclass(frozen=True, slots=True)
class Field:
    """One parameter on the form. `kind`: whole, percent or text; `choices` make it a list."""

    name: str
    kind: str
    label: Any
    help: Any = ""
    choices: Sequence[tuple[str, Any]] | None = None
    value: str = ""


_ROUNDINGS = (
    (Rounding.UP.value, _("hacia arriba, a favor de la casa")),
    (Rounding.DOWN.value, _("hacia abajo, a favor del jugador")),
    (Rounding.NEAREST.value, _("al más cercano; la mitad, hacia arriba")),
    (Rounding.EXACT.value, _("exacto: sólo apuestas que no dejan resto")),
)
_PRIZE_ROUNDINGS = (
    (Rounding.DOWN.value, _("hacia abajo, a favor de la casa")),
    _ROUNDINGS[3],
)
_RATIO = _("Ganancia por apuesta, como 8:1; la apuesta se devuelve aparte.")

DESCRIBED: Mapping[str, Field] = {
    found.name: found
    for found in (
        Field("seats", "whole", _("Posiciones de una mesa nueva")),
        Field("seats_max", "whole", _("Posiciones, como máximo")),
        Field("decks", "whole", _("Barajas"), choices=[(str(n), str(n)) for n in DECKS_ALLOWED]),
        Field("commission_basis_points", "percent", _("Comisión sobre el premio de banca, en %")),
        Field("commission_rounding", "text", _("Redondeo de la comisión"), choices=_ROUNDINGS),
        Field("prize_rounding", "text", _("Redondeo de los premios"), choices=_PRIZE_ROUNDINGS),
        Field(
            "banca_variant",
            "text",
            _("Variante de banca"),
            choices=[(COMMISSION, _("con comisión")), (NO_COMMISSION, _("sin comisión"))],
        ),
        Field("punto_pays", "text", _("Punto paga"), _RATIO),
        Field("banca_pays", "text", _("Banca paga"), _RATIO),
        Field("banca_six_pays", "text", _("Banca con seis paga"), _("Sólo en la variante sin comisión.")),
        Field("tie_pays", "text", _("Empate paga"), _RATIO),
    )
}


def fields_of(game: Game, params: Mapping[str, Any]) -> list[Field]:
    """The form's fields with the values of `params`, the catalogue's where a parameter is absent."""
    found = []
    for name, value in {**game.default_rules().to_json(), **params}.items():
        if name not in FIXED:
            field = DESCRIBED.get(name) or Field(name, "whole" if isinstance(value, int) else "text", name)
            shown = money.plain(value, PERCENT_DECIMALS) if field.kind == "percent" else str(value)
            found.append(replace(field, value=shown))
    return found


def told(game: Game, params: Mapping[str, Any]) -> list[tuple[Any, Any]]:
    """What a published version says: each parameter's label with its value in words."""
    fields = fields_of(game, params)
    return [(field.label, dict(field.choices or ()).get(field.value, field.value)) for field in fields]


def params_of(request: HttpRequest, game: Game) -> dict[str, Any]:
    """What the form says, in the types the engine reads. Raises `Refused` naming the field."""
    return {field.name: _read(request, field) for field in fields_of(game, {})}


def _read(request: HttpRequest, field: Field) -> Any:
    if field.kind == "whole":
        return whole(request, field.name)
    typed = request.POST.get(field.name, "").strip()
    return money.parse(typed, PERCENT_DECIMALS, field=field.name) if field.kind == "percent" else typed
