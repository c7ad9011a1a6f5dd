"""Plans of limits on a page: the week as a grid, each window a row of the form, each change a version."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from audits.pages.answers import by_of, changed, instant_of, one, refused, rows_of, user_of
from casino.kernel import clock, money, rulebook
from casino.kernel.errors import NotFound, Refused, SabotError
from casino.kernel.words import Text
from casino.models import Casino
from tables import keys, plans
from tables.games import registry
from tables.games.base import Game
from tables.models import LimitsPlan, Table
from tables.plan_windows import DAY, Limits, Window, minute_of

VERSIONS = 20
DAYS = (_("lunes"), _("martes"), _("miércoles"), _("jueves"), _("viernes"), _("sábado"), _("domingo"))
_DAY_KEYS = tuple("0123456")
BLANK = 1
"""Rows without anything at the end of the form."""

TEMPLATE = "tables/plan.html"


def listing(request: HttpRequest) -> HttpResponse:
    """Each game with tables: its plan, and the tables that have one of their own."""
    now = clock.now()
    found: dict[str, list[tuple[Table, plans.Plan | None]]] = {}
    tables = rows_of(Table, request).filter(active=True).select_related("casino").order_by("name")
    for table in tables:
        found.setdefault(table.game, []).append((table, plans.plan_of(table, now)))
    shown = [(rulebook.game(game), rows, _shared(request, game)) for game, rows in sorted(found.items())]
    return render(request, "tables/plans.html", {"games": shown})


def _shared(request: HttpRequest, game: str) -> LimitsPlan | None:
    last = rows_of(LimitsPlan, request).filter(game=game, table=None).order_by("-version").first()
    return None if last is None or last.ended else last


def of_game(request: HttpRequest, code: str) -> HttpResponse:
    """The plan of all tables of a game."""
    try:
        engine = registry.game(code)
    except NotFound as refusal:
        raise Http404(str(refusal)) from refusal
    return _edit(request, engine, None)


def of_table(request: HttpRequest, pk: int) -> HttpResponse:
    """The plan of one table, which beats its game's."""
    table = one(rows_of(Table, request).select_related("casino"), pk=pk)
    return _edit(request, registry.game(table.game), table)


def _edit(request: HttpRequest, engine: Game, table: Table | None) -> HttpResponse:
    if request.method != "POST":
        return render(request, TEMPLATE, _context(request, engine, table))
    if request.POST.get("act") == "add":
        return render(request, TEMPLATE, _context(request, engine, table) | {"given": request.POST})
    try:
        plans.publish_plan(
            table=table,
            game=engine.code,
            windows=_windows(request, engine),
            otherwise=_limits(request, engine, "o"),
            effective_from=instant_of(request, "effective_from"),
            by=by_of(request),
        )
    except SabotError as refusal:
        return refused(request, TEMPLATE, _context(request, engine, table), refusal)
    place = ("settings-plan-table", table.pk) if table else ("settings-plan-game", engine.code)
    return changed(request, *place)


# ---- what the form says -----------------------------------------------------------------------------


def _windows(request: HttpRequest, engine: Game) -> list[Window]:
    """The rows that say anything; raises `Refused` beside the row."""
    found = []
    for n in range(_rows(request)):
        days, limits = request.POST.getlist(f"w{n}_days"), _limits(request, engine, f"w{n}")
        times = [request.POST.get(f"w{n}_{end}", "").strip() for end in ("from", "to")]
        if not days and limits is None:
            continue
        if limits is None or not all(times):
            raise _row_refused(
                n,
                "complete la franja: días, horas, ficha menor y límites; o vacíela para quitarla",
                "complete the window: days, hours, smallest chip and limits; or empty it to remove it",
            )
        begins, ends = (_time(time, n) for time in times)
        held = tuple(sorted({int(day) for day in days if day in _DAY_KEYS}))
        found.append(Window(held, begins, ends, limits))
    return found


def _limits(request: HttpRequest, engine: Game, row: str) -> Limits | None:
    """The limits of a row, None where nothing is typed."""
    language, exponent = get_language(), user_of(request).casino.exponent

    def units(name: str) -> int | None:
        typed = request.POST.get(f"{row}_{name}", "").strip()
        where = "otherwise" if row == "o" else f"window_{row[1:]}"
        return money.typed(typed, language, exponent, field=where) if typed else None

    chip, gap = units("chip"), units("differential")
    pairs = {spot: (units(f"{spot}_low"), units(f"{spot}_high")) for spot in keys.limited(engine)}
    stated = {spot: pair for spot, pair in pairs.items() if pair != (None, None)}
    if chip is None and not stated:
        return None
    spots = {spot: (low or 0, high or 0) for spot, (low, high) in stated.items()}
    return Limits(chip or 0, spots, gap)


def _time(typed: str, row: int) -> dt.time:
    try:
        return dt.time.fromisoformat(typed).replace(second=0, microsecond=0, tzinfo=None)
    except ValueError as error:
        raise _row_refused(row, "escriba las horas como 20:00", "type the hours like 20:00") from error


def _rows(request: HttpRequest) -> int:
    typed = request.POST.get("rows", "")
    return min(int(typed), plans.MOST_WINDOWS) if typed.isascii() and typed.isdigit() and typed else 0


def _row_refused(row: int, es: str, en: str) -> Refused:
    return Refused(Text(es, en), code="bad_window", rule="GEN-04", field=f"window_{row}")


# ---- what the page shows ----------------------------------------------------------------------------


def _context(request: HttpRequest, engine: Game, table: Table | None) -> dict[str, Any]:
    casino = user_of(request).casino
    stored = rows_of(LimitsPlan, request).filter(game=engine.code, table=table).order_by("-version")
    versions = list(stored.select_related("published_by")[:VERSIONS])
    last = versions[0] if versions else None
    windows = [Window.from_json(window) for window in last.windows] if last else []
    rows = [_row(engine, n, window, request) for n, window in enumerate(windows)]
    wanted = len(rows)
    if request.method == "POST":
        wanted = max(wanted, _rows(request))
    shown = min(wanted + BLANK, plans.MOST_WINDOWS)
    rows += [_row(engine, n, None, request) for n in range(len(rows), shown)]
    rest = Limits.from_json(last.otherwise) if last and last.otherwise else None
    return {
        "game": engine,
        "table": table,
        "rows": rows,
        "rest": _cells(engine, "o", rest, request),
        "rest_chip": _value(request, "o_chip", _plain(casino, rest.chip if rest else None)),
        "grid": week(windows, casino),
        "days": DAYS,
        "cutoff": f"{casino.cutoff:%H:%M}",
        "windows": list(enumerate(windows, 1)),
        "versions": versions,
        "chips": casino.denominations,
    }


def _row(engine: Game, n: int, window: Window | None, request: HttpRequest) -> dict[str, Any]:
    casino, posted = user_of(request).casino, request.method == "POST"
    days = [str(day) for day in window.days] if window else []
    if posted:
        days = request.POST.getlist(f"w{n}_days")
    limits = window.limits if window else None
    return {
        "n": n,
        "number": n + 1,
        "where": f"window_{n}",
        "days": [(str(day), words, str(day) in days) for day, words in enumerate(DAYS)],
        "begins": _value(request, f"w{n}_from", f"{window.begins:%H:%M}" if window else ""),
        "ends": _value(request, f"w{n}_to", f"{window.ends:%H:%M}" if window else ""),
        "chip": _value(request, f"w{n}_chip", _plain(casino, limits.chip if limits else None)),
        "gap": _value(request, f"w{n}_differential", _plain(casino, limits.differential if limits else None)),
        "cells": _cells(engine, f"w{n}", limits, request),
        "new": window is None,
    }


def _cells(
    engine: Game, row: str, limits: Limits | None, request: HttpRequest
) -> list[tuple[Text, str, str, str, str]]:
    """Per spot: its words, the names of its two fields and what is in them."""
    casino = user_of(request).casino
    found = []
    for spot, words in keys.limited(engine).items():
        least, most = limits.spots.get(spot, (None, None)) if limits else (None, None)
        low, high = f"{row}_{spot}_low", f"{row}_{spot}_high"
        typed_low = _value(request, low, _plain(casino, least))
        found.append((words, low, high, typed_low, _value(request, high, _plain(casino, most))))
    return found


def _value(request: HttpRequest, name: str, stored: str) -> str:
    return request.POST.get(name, "") if request.method == "POST" else stored


def _plain(casino: Casino, units: int | None) -> str:
    return "" if units is None else money.plain(units, casino.exponent)


def week(windows: list[Window], casino: Casino) -> list[tuple[str, list[tuple[int, ...]]]]:
    """The gaming week by hours from the cut-off: for each hour and day the numbers of the windows (from 1)
    that hold during some of it."""
    shift = minute_of(casino.cutoff)
    held: Mapping[tuple[int, int], list[int]] = {(day, hour): [] for day in range(7) for hour in range(24)}
    for number, window in enumerate(windows, 1):
        start = (minute_of(window.begins) - shift) % DAY
        for day in window.days:
            for hour in range(start // 60, -(-(start + window.minutes) // 60)):
                held[((day + hour // 24) % 7, hour % 24)].append(number)
    return [
        (
            f"{(shift // 60 + hour) % 24:02d}:{shift % 60:02d}",
            [tuple(sorted(set(held[(day, hour)]))) for day in range(7)],
        )
        for hour in range(24)
    ]
