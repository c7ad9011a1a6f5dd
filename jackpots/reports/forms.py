"""What the pools' reports ask for: a span of gaming days, and which pool, if not all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from audits.reports.forms import PeriodForm
from casino.models import Casino
from jackpots.models import Pool


class PoolPeriodForm(PeriodForm):
    pool = forms.ModelChoiceField(label=_("Pozo"), queryset=Pool.objects.none(), required=False)

    def __init__(self, *args: Any, casino: Casino, **kwargs: Any) -> None:
        super().__init__(*args, casino=casino, **kwargs)
        chosen = Pool.objects.filter(casino=casino).order_by("name")
        self.fields["pool"].queryset = chosen  # type: ignore[attr-defined]


def pools_of(casino: Casino, params: Mapping[str, Any]) -> QuerySet[Pool]:
    """The pools a report is about, by name."""
    rows = Pool.objects.filter(casino=casino).order_by("name", "pk")
    return rows if params.get("pool") is None else rows.filter(pk=params["pool"].pk)
