"""How the house's own things look on a page: bilingual texts, money, cards, rules, gauges, fields.

Tags hold no rule of the business; they only put what the rooms answer into marks.
"""

from __future__ import annotations

import datetime as dt
import re
from typing import Any
from zoneinfo import ZoneInfo

from django import template
from django.conf import settings
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from casino import menu
from casino.kernel import clock, money, permissions
from casino.kernel.permissions import ROLE_NAMES, Role
from casino.kernel.rulebook import games, rules
from casino.kernel.words import Text
from shoes.saying import place

register = template.Library()

THEMES = ("pit", "office")
THEME_COOKIE = "sabot_theme"


# ---- words ----------------------------------------------------------------------------------------


@register.filter
def say(text: Any) -> str:
    """A bilingual text in the language of the page; stored ones are `{"es": …, "en": …}`."""
    if isinstance(text, dict) and "es" in text:
        text = Text(str(text["es"]), str(text.get("en", text["es"])))
    return text.say(get_language()) if isinstance(text, Text) else str(text or "")


@register.filter
def figures(text: Any) -> str:
    """The numbers of a text that tells them apart: `17-20` of `Caballo 17-20`."""
    found = re.findall(r"[0-9]+", say(text))
    return "-".join(found) or say(text)


@register.filter
def sentence(text: Any) -> str:
    """The same, starting with a capital: refusals are written to follow a colon."""
    said = say(text)
    return said[:1].upper() + said[1:]


@register.filter
def role_name(role: Any) -> str:
    return ROLE_NAMES[Role(role)].say(get_language())


@register.filter
def place_name(name: str) -> str:
    """Where decks lie: a table, or the inspection desk."""
    return place(name).say(get_language())


@register.filter
def game_name(code: str) -> str:
    entry = games().get(code)
    return entry.name.say(get_language()) if entry else code


@register.filter
def game_short(code: str) -> str:
    """A game's name for a narrow place: `Mini`."""
    return game_name(code).replace(" Punto y Banca", "")


@register.filter
def get(mapping: Any, key: Any) -> Any:
    """`mapping[key]`, or nothing; templates have no such word."""
    return mapping.get(key, "") if mapping else ""


@register.filter
def listed(value: Any) -> str:
    """A list as people read it; anything else as it is."""
    return ", ".join(str(item) for item in value) if isinstance(value, list | tuple) else str(value)


# ---- figures --------------------------------------------------------------------------------------


@register.filter
def amount(units: Any, exponent: int = 2) -> str:
    """Money as people read it; a dash where nobody knows."""
    return "—" if units is None or units == "" else money.readable(int(units), get_language(), exponent)


@register.filter
def brief(units: Any, exponent: int = 2) -> str:
    """Money without its decimals when they are zero: limits, chips."""
    if units is None or units == "":
        return "—"
    step = 10**exponent
    return (
        money.readable(int(units) // step, get_language(), 0)
        if int(units) % step == 0
        else amount(units, exponent)
    )


@register.filter
def grouped(number: Any) -> str:
    """A whole number as people read it: `2.833`, in English `2,833`."""
    return "—" if number is None or number == "" else money.readable(int(number), get_language(), 0)


@register.filter
def plain(units: Any, exponent: int = 2) -> str:
    return "" if units is None or units == "" else money.plain(int(units), exponent)


@register.filter
def signed(units: Any, exponent: int = 2) -> SafeString | str:
    """A result with its sign and its colour; never colour alone."""
    if units is None or units == "":
        return format_html('<span class="even">{}</span>', "—")
    value = int(units)
    sign, kind = (
        ("+\N{THIN SPACE}", "up")
        if value > 0
        else ("\N{MINUS SIGN}\N{THIN SPACE}", "down")
        if value < 0
        else ("", "even")
    )
    return format_html(
        '<span class="{}">{}{}</span>', kind, sign, money.readable(abs(value), get_language(), exponent)
    )


@register.filter
def rate(basis_points: Any) -> str:
    """Basis points as a percentage with two decimals."""
    if basis_points is None:
        return "—"
    return money.readable(int(basis_points), get_language(), 2) + "\N{NO-BREAK SPACE}%"


@register.simple_tag
def gauge(used: int, total: int, stop_left: int = 0, label: str = "") -> SafeString:
    """How much of a shoe is gone, with the mark where the stop card lies (`stop_left` from the end)."""
    total = max(int(total), 1)
    gone = min(1000, int(used) * 1000 // total)
    stop = 1000 - min(1000, int(stop_left) * 1000 // total) if stop_left else 0
    mark = format_html('<rect class="stop" x="{}" width="7" height="8"/>', min(stop, 993)) if stop else ""
    return format_html(
        '<svg class="gauge" viewBox="0 0 1000 8" preserveAspectRatio="none" role="img" aria-label="{}">'
        '<rect class="bed" width="1000" height="8"/><rect width="{}" height="8"/>{}</svg>',
        label,
        gone,
        mark,
    )


@register.filter
def gone(shoe: Any) -> int:
    """Cards no longer in a shoe."""
    return int(shoe.total - shoe.remaining)


@register.filter
def share(export: Any) -> int:
    """How far an export is, in thousandths."""
    return min(1000, export.rows_done * 1000 // export.rows_total) if export.rows_total else 0


@register.filter
def hex_short(value: Any) -> str:
    return bytes(value).hex()[:12] if value else ""


# ---- time -----------------------------------------------------------------------------------------


@register.simple_tag(takes_context=True)
def local(context: Any, instant: dt.datetime | None, pattern: str = "%d/%m %H:%M") -> str:
    """An instant in the casino's zone (the page never shows UTC unless it says so)."""
    if instant is None:
        return "—"
    return instant.astimezone(ZoneInfo(_zone(context))).strftime(pattern)


_MONTHS = Text(
    "ene feb mar abr may jun jul ago sep oct nov dic", "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"
)


@register.filter
def iso(day: Any) -> str:
    return day.isoformat() if isinstance(day, dt.date) else ""


@register.filter
def day_words(day: Any) -> str:
    """A gaming day as people say it: `29 nov 2026`."""
    if isinstance(day, dt.date):
        return f"{day.day} {_MONTHS.say(get_language()).split()[day.month - 1]} {day.year}"
    return str(day or "—")


def _zone(context: Any) -> str:
    user = getattr(context.get("request"), "user", None)
    return user.casino.zone if user is not None and user.is_authenticated else settings.TIME_ZONE


# ---- the frame of a page --------------------------------------------------------------------------


@register.simple_tag(takes_context=True)
def frame(context: Any) -> dict[str, Any]:
    """What every page's frame needs: theme, gaming day, local time, where this person may go."""
    request = context.get("request")
    theme = request.COOKIES.get(THEME_COOKIE, "") if request else ""
    shown: dict[str, Any] = {"theme": theme if theme in THEMES else "pit", "nav": [], "day": None}
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return shown
    instant = clock.now()
    here = request.resolver_match.route if request.resolver_match else "?"
    shown |= {
        "day": user.casino.gaming_day(instant),
        "time": instant.astimezone(ZoneInfo(user.casino.zone)).strftime("%H:%M"),
        "zone": user.casino.zone,
        "roles": ", ".join(ROLE_NAMES[role].say(get_language()) for role in sorted(user.roles)),
        "nav": menu.places_of(user, here, instant),
    }
    return shown


@register.filter
def may(user: Any, act: str) -> bool:
    """Whether this person may do an act: decides what is offered, never what is allowed."""
    return bool(getattr(user, "is_authenticated", False)) and permissions.may(user, act)


@register.simple_tag
def icon(name: str, label: str = "") -> SafeString:
    if label:
        return format_html(
            '<svg viewBox="0 0 24 24" role="img" aria-label="{}"><use href="#i-{}"/></svg>', label, name
        )
    return format_html('<svg viewBox="0 0 24 24" aria-hidden="true"><use href="#i-{}"/></svg>', name)


# ---- rules, cards ---------------------------------------------------------------------------------


@register.inclusion_tag("parts/rule.html")
def rule(rule_id: str) -> dict[str, Any]:
    """A rule id that opens the rule; nothing when there is none."""
    known = rules().get(rule_id)
    return {
        "id": rule_id,
        "title": known.title.say(get_language()) if known else "",
        "known": known is not None,
    }


@register.inclusion_tag("parts/card.html")
def playing_card(card: str, kind: str = "", deck: str = "french52") -> dict[str, Any]:
    """One card on the felt. `kind`: `new` for the one just dealt, `mini` for a player's hand."""
    from shoes import cards

    type_of = cards.DECK_TYPES.get(deck, cards.FRENCH52)
    shown: dict[str, Any] = {"name": cards.name(card, type_of).say(get_language()), "kind": kind}
    if card == cards.COVERED:
        return shown | {"covered": True}
    if cards.is_value_card(card):
        return shown | {"value": card[1]}
    if card in type_of.extras:
        return shown | {"value": cards.sign(card, type_of), "red": cards.is_red(card, type_of)}
    return shown | {
        "rank": rank(card),
        "suit": _drawn_suit(card, deck),
        "red": cards.is_red(card, type_of),
    }


def _drawn_suit(card: str, deck: str) -> str:
    """The name of a suit's drawing: copas and tréboles are both written `c`."""
    return f"es-{card[1]}" if deck.startswith("spanish") else card[1]


@register.filter
def rank(card: str) -> str:
    return "10" if card[0] == "T" else card[0]


@register.filter
def suit_drawing(card: str, deck: str) -> str:
    """The drawing of a card's suit, or nothing where it has none."""
    from shoes import cards

    type_of = cards.DECK_TYPES.get(deck, cards.FRENCH52)
    return "" if card in type_of.extras else _drawn_suit(card, deck)


@register.filter
def card_sign(card: str, deck: str) -> str:
    from shoes import cards

    return cards.sign(card, cards.DECK_TYPES.get(deck, cards.FRENCH52))


@register.filter
def card_words(card: str, deck: str = "french52") -> str:
    from shoes import cards

    return cards.name(card, cards.DECK_TYPES.get(deck, cards.FRENCH52)).say(get_language())
