"""Parameters of a pool in a body: amounts as decimal strings, rates in basis points.

What may be declared is said by `jackpots.scheme`, which reads them next: here only money is converted.
"""

from __future__ import annotations

from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from audits.api.fields import Money, Strict
from jackpots import scheme

LONGEST_CODE = 40
_DIGITS = Context(prec=12)


class LevelTerms(Strict):
    """A meter that is shown and pays; what is above `cap` goes to the first reserve."""

    code = serializers.CharField(max_length=LONGEST_CODE, required=False, help_text="`main` if left out")
    share_bp = serializers.IntegerField(required=False, help_text="of what commission leaves, basis points")
    base = Money(required=False, allow_null=True, help_text="where it begins, put in by the house (PP-22)")
    cap = Money(required=False, allow_null=True)


class ReserveTerms(Strict):
    """Players' money kept for later, not shown."""

    code = serializers.CharField(max_length=LONGEST_CODE, required=False, help_text="`reserve` if left out")
    share_bp = serializers.IntegerField(required=False, allow_null=True)


@extend_schema_field({"oneOf": [{"type": "integer"}, {"type": "string"}], "example": 10000})
class PrizeValue(serializers.Field[Any, Any, Any, Any]):
    """Basis points of the meter, times the bet, or an amount as text: by the prize's kind."""

    def to_internal_value(self, data: Any) -> Any:
        return data

    def get_attribute(self, instance: Any) -> Any:
        return instance["kind"], instance["value"]

    def to_representation(self, told: tuple[str, int]) -> Any:
        kind, value = told
        return self._money().to_representation(value) if kind == scheme.FIXED else value

    def _money(self) -> Money:
        field = Money()
        field.bind("value", self.parent)
        return field

    def units(self, data: Any) -> int:
        try:
            return self._money().run_validation(data)
        except ValidationError as refusal:
            raise ValidationError({"value": refusal.detail}) from refusal


class PrizeTerms(Strict):
    """What a hand wins: `percent` of a level's meter in basis points (10000 is the top prize), `times` the
    bet, or a `fixed` amount as text."""

    hand = serializers.CharField(max_length=LONGEST_CODE, help_text="such as `royal_flush`")
    kind = serializers.CharField(max_length=LONGEST_CODE, help_text="`percent`, `times` or `fixed`")
    value = PrizeValue()
    level = serializers.CharField(max_length=LONGEST_CODE, required=False, help_text="`main` if left out")

    def validate(self, given: dict[str, Any]) -> dict[str, Any]:
        if given["kind"] == scheme.FIXED:
            value = self.fields["value"]
            assert isinstance(value, PrizeValue)
            given["value"] = value.units(given["value"])
        return given


class PoolTerms(Strict):
    """The parameters of a pool. What is left out takes the rulebook's figure; commission, bases, reserves and
    the value of a credit have none and must be stated (PP-20, PP-13)."""

    commission_bp = serializers.IntegerField(
        required=False, allow_null=True, help_text="of each bet, basis points"
    )
    levels = LevelTerms(many=True, required=False, allow_null=True)
    reserves = ReserveTerms(many=True, required=False, allow_null=True)
    credit = Money(required=False, allow_null=True, help_text="what a credit is worth")
    least = serializers.IntegerField(
        required=False, help_text="credits of a bet, at all tables alike (PP-12)"
    )
    most = serializers.IntegerField(required=False)
    prizes = PrizeTerms(many=True, required=False)
    policy = serializers.CharField(
        max_length=LONGEST_CODE, required=False, help_text=f"of several winners: {', '.join(scheme.POLICIES)}"
    )
    lower_percent_first = serializers.BooleanField(required=False)
    reseed_order = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_CODE), required=False, max_length=4
    )
    round_limit = Money(
        required=False, allow_null=True, help_text="the most fixed and multiple prizes come to"
    )


# ---- exact figures -------------------------------------------------------------------------------------


def decimals(value: Fraction) -> str:
    """A fraction to twelve digits, written out."""
    return format(_DIGITS.divide(Decimal(value.numerator), Decimal(value.denominator)), "f")


_EXACT = {
    "type": "object",
    "required": ["exact", "about"],
    "properties": {"exact": {"type": "string", "example": "1/649740"}, "about": {"type": "string"}},
}


@extend_schema_field(_EXACT)
class Exact(serializers.Field[Any, Any, Any, Any]):
    """A fraction as it is, and to twelve digits."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(read_only=True, **kwargs)

    def to_representation(self, value: Fraction) -> dict[str, str]:
        return {"exact": str(Fraction(value)), "about": decimals(Fraction(value))}


@extend_schema_field(_EXACT)
class ExactMoney(Exact):
    """The same of an amount, in the currency's unit: broken units are not rounded away."""

    def to_representation(self, value: Fraction) -> dict[str, str]:
        return super().to_representation(Fraction(value) / 10 ** int(self.context.get("exponent", 2)))
