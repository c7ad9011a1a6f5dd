"""The rules of any game as a form: one field per parameter, in the units people speak.

What may be in a field is the engine's to say: this module only turns text into the types the engine
reads. Kinds follow from the game's own defaults; a mapping such as a pay table gets a field per row,
named `paytable.row`. Labels are in `rule_words`; the rulebook says which rule a parameter belongs to.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.http import HttpRequest

from audits.pages.answers import whole
from casino.kernel import money, rulebook
from casino.kernel.errors import Refused, SabotError
from casino.kernel.words import Text, same
from tables.games import registry
from tables.games.base import Game
from tables.games.paying import RATIO
from tables.pages import rule_words

FIXED = frozenset({"game", "dealer"})
"""What the modality itself decides (BAC-02 to BAC-04)."""

PERCENT_DECIMALS = 2
"""A basis point is a hundredth of a percent."""

LONGEST_JSON = 4_000
FLAGS = ("true", "false")


@dataclass(frozen=True, slots=True)
class Field:
    """One parameter, or one row of one, on the form.

    `kind`: whole, percent, flag, text, list (comma-separated), optional (blank is null) or json;
    `choices` make it a list to choose from. `sample` is the game's own default, whose type is kept.
    """

    name: str
    kind: str
    label: Text
    help: Text
    choices: Sequence[tuple[str, Text]] | None
    value: str
    sample: Any

    @property
    def required(self) -> bool:
        return self.kind in ("whole", "percent", "flag")


def fields_of(game: Game, params: Mapping[str, Any]) -> list[Field]:
    """The form's fields with the values of `params`, the game's own where a parameter is absent."""
    default = game.default_rules().to_json()
    found = []
    for name, sample in default.items():
        if name in FIXED:
            continue
        value = params.get(name, sample)
        if isinstance(sample, Mapping) and sample and _plain_rows(sample) and isinstance(value, Mapping):
            found += [
                _field(game, f"{name}.{row}", {**sample, **value}[row], sample.get(row, ""))
                for row in {**sample, **value}
            ]
        else:
            found.append(_field(game, name, value, sample))
    return found


def told(game: Game, params: Mapping[str, Any]) -> list[tuple[Text, Text]]:
    """What a published version says: each parameter's label with its value in words."""
    said = []
    for field in fields_of(game, params):
        words = dict(field.choices or ()).get(field.value)
        if words is None and "." in field.name:
            words = rule_words.PAYS.get(field.value)
        said.append((field.label, words or same(field.value)))
    return said


def params_of(request: HttpRequest, game: Game) -> dict[str, Any]:
    """What the form says, in the types the engine reads. Raises `Refused` naming the field."""
    found: dict[str, Any] = {}
    for field in fields_of(game, _posted_rows(request, game)):
        name, _, row = field.name.partition(".")
        value = _read(request, field)
        if row:
            found.setdefault(name, {})[row] = value
        else:
            found[name] = value
    return found


def _posted_rows(request: HttpRequest, game: Game) -> dict[str, dict[str, str]]:
    """Rows the form sent that the game's own table lacks: the engine says whether they may be there."""
    rows: dict[str, dict[str, str]] = {}
    for posted in request.POST:
        name, dot, row = posted.partition(".")
        if dot and isinstance(game.default_rules().to_json().get(name), Mapping):
            rows.setdefault(name, {})[row] = ""
    return rows


# ---- one field ------------------------------------------------------------------------------------


def _field(game: Game, name: str, value: Any, sample: Any) -> Field:
    param, _, row = name.partition(".")
    kind = _kind(param, value, sample)
    return Field(
        name=name,
        kind=kind,
        label=_label(param, row),
        help=_help(game, param, row, sample),
        choices=_choices(game, param, sample, value),
        value=_shown(kind, value),
        sample=sample,
    )


def _kind(param: str, value: Any, sample: Any) -> str:
    if sample is None or value is None:
        return "optional"
    if isinstance(sample, bool):
        return "flag"
    if isinstance(sample, int):
        return "percent" if param.endswith("_basis_points") else "whole"
    if isinstance(sample, list | tuple) and all(isinstance(one, str | int) for one in sample):
        return "list"
    return "text" if isinstance(sample, str) else "json"


def _plain_rows(sample: Mapping[str, Any]) -> bool:
    return all(isinstance(one, str | int) for one in sample.values())


def _shown(kind: str, value: Any) -> str:
    match kind:
        case "percent" if type(value) is int:
            return money.plain(value, PERCENT_DECIMALS)
        case "flag":
            return FLAGS[0] if value else FLAGS[1]
        case "list" if isinstance(value, list | tuple):
            return ", ".join(str(one) for one in value)
        case "optional":
            return "" if value is None else str(value)
        case "json":
            return json.dumps(value, ensure_ascii=False)
    return str(value)


def _label(param: str, row: str) -> Text:
    named = rule_words.PARAMS.get(param) or rule_words.readable(param)
    if not row:
        return named
    of_row = rule_words.ROWS.get(row) or rule_words.readable(row)
    return Text(f"{named.es}: {of_row.es}", f"{named.en}: {of_row.en}")


def _help(game: Game, param: str, row: str, sample: Any) -> Text:
    """What to type, and the rule of the book that has a figure of that name."""
    said = rule_words.HELP.get(param, Text("", ""))
    if not said.es and not row and isinstance(sample, str) and RATIO.fullmatch(sample):
        said = rule_words.RATIO
    rule = None if row else _rule_of(game, param)
    cited = Text(f"{rule.id}: {rule.title.es}.", f"{rule.id}: {rule.title.en}.") if rule else Text("", "")
    return Text(f"{said.es} {cited.es}".strip(), f"{said.en} {cited.en}".strip())


def _rule_of(game: Game, param: str) -> rulebook.Rule | None:
    """The rule with a figure of that name; one of the game before a general one."""
    names = {param, f"{param}_default"}
    found = [rule for rule in rulebook.rules_of(game.code) if names & set(rule.params)]
    return min(found, key=lambda rule: rule.games == ("*",), default=None)


def _choices(game: Game, param: str, sample: Any, value: Any) -> list[tuple[str, Text]] | None:
    """The values to choose from: yes and no, what the engine takes, or what the book allows."""
    named = rule_words.CHOICES.get(param, {})
    if isinstance(sample, bool):
        offered = list(FLAGS)
    elif isinstance(sample, str):
        offered = [one for one in _taken(game.code, param) if not named or one in named]
    elif isinstance(sample, int):
        offered = [str(one) for one in _allowed(game, param)]
    else:
        return None
    # A word on its own is said in words, not left as a code to be typed.
    alone = len(offered) == 1 and isinstance(sample, str) and offered[0] in rule_words.VALUES
    shown = _shown("flag" if isinstance(sample, bool) else "text", value)
    if not (alone or len(offered) > 1) or shown not in offered:
        return None
    return [
        (one, named.get(one) or rule_words.VALUES.get(one) or rule_words.readable(one)) for one in offered
    ]


@lru_cache(maxsize=512)
def _taken(code: str, param: str) -> tuple[str, ...]:
    """The words the engine takes for a parameter, as its refusal of another lists them; else the book's."""
    game = registry.game(code)
    try:
        game.read_rules({param: _NO_WORD})
    except SabotError as refusal:
        if refusal.field == param and "allowed" in refusal.detail:
            return tuple(refusal.detail["allowed"])
    return tuple(str(one) for one in _allowed(game, param))


_NO_WORD = "?"


def _allowed(game: Game, param: str) -> Sequence[Any]:
    """What the book allows: the catalogue's numbers of decks, or a figure such as `limit_allowed`."""
    entry = rulebook.games().get(game.code)
    if param == "decks":
        return entry.decks_allowed if entry else ()
    names = (f"{param}_allowed", f"{param.removesuffix('_default')}_allowed")
    rules = rulebook.rules_of(game.code)
    return next((rule.params[name] for rule in rules for name in names if name in rule.params), ())


# ---- reading --------------------------------------------------------------------------------------


def _read(request: HttpRequest, field: Field) -> Any:
    if field.kind == "whole":
        return whole(request, field.name)
    typed = request.POST.get(field.name, "").strip()
    match field.kind:
        case "percent":
            return money.parse(typed, PERCENT_DECIMALS, field=field.name)
        case "flag":
            if typed not in FLAGS:
                raise _unreadable(field, Text("elija sí o no", "choose yes or no"))
            return typed == FLAGS[0]
        case "list":
            items = [item.strip() for item in typed.split(",") if item.strip()]
            numbers = all(isinstance(one, int) for one in field.sample)
            return [_number(item) for item in items] if numbers else items
        case "optional":
            return _number(typed) if typed else None
        case "json":
            return _json(typed, field)
    return typed


def _number(typed: str) -> Any:
    """A whole number where it is one; else the text, for the engine to refuse."""
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) <= 15 else typed


def _json(typed: str, field: Field) -> Any:
    try:
        if len(typed) > LONGEST_JSON:
            raise ValueError
        return json.loads(typed)
    except (ValueError, RecursionError) as error:
        raise _unreadable(field, Text("escriba un valor JSON", "type a JSON value")) from error


def _unreadable(field: Field, words: Text) -> Refused:
    return Refused(words, code="bad_value", field=field.name)
