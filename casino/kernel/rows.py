"""Model instances out of the rows of a statement that `casino.kernel.statements` sent."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from django.db import DEFAULT_DB_ALIAS
from django.db.models import JSONField
from django.db.models.base import ModelState


@lru_cache(maxsize=64)
def columns(model: Any, alias: str) -> str:
    """Every column of a model class, in the order its instances are made from."""
    return ", ".join(f'{alias}."{field.column}"' for field in model._meta.concrete_fields)


def instances(models: Sequence[Any], row: Sequence[Any]) -> list[Any]:
    """One instance of each model, from the row's leading values, in the order of `columns`."""
    made, start = [], 0
    for model in models:
        names, documents = _shape(model)
        values = list(row[start : start + len(names)])
        for position in documents:
            if isinstance(values[position], str):
                values[position] = json.loads(values[position])
        made.append(instance(model, dict(zip(names, values, strict=True))))
        start += len(names)
    return made


def instance(model: Any, values: Mapping[str, Any]) -> Any:
    """The instance of a stored row, from the value of every column by its field's attribute name.

    What `from_db` makes, without its signals, to which nothing here listens.
    """
    made = model.__new__(model)
    made.__dict__.update(values)
    made._state = ModelState()
    made._state.adding, made._state.db = False, DEFAULT_DB_ALIAS
    return made


@lru_cache(maxsize=64)
def _shape(model: Any) -> tuple[list[str], list[int]]:
    """Names of the fields and which of them hold JSON, which Django's connection leaves as text."""
    fields = model._meta.concrete_fields
    return [field.attname for field in fields], [
        position for position, field in enumerate(fields) if isinstance(field, JSONField)
    ]
