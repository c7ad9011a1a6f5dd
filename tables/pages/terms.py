"""Under which terms a table plays: limits and game rules by version, published with their reason."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from audits import filings
from audits.pages.answers import by_of, changed, instant_of, one, refused, rows_of, user_of
from casino.kernel import clock, money, rulebook
from casino.kernel.errors import NotFound, SabotError
from tables import confirming, edges, keys, plan_filings
from tables import settings as acts
from tables.games import registry
from tables.games.base import Game
from tables.models import BetLimits, GameRules, Table
from tables.pages import rules_form

VERSIONS = 30


def limits(request: HttpRequest, pk: int) -> HttpResponse:
    """A table's limits: versions published so far; POST publishes the next."""
    found = one(rows_of(Table, request).select_related("casino"), pk=pk)
    context = _limits_context(found)
    if request.method != "POST":
        return render(request, "tables/limits.html", context)
    try:
        by, exponent, language = by_of(request), found.casino.exponent, get_language()
        spots = {}
        for spot, _words, _low, _high in context["spots"]:
            low, high = (
                request.POST.get(f"{spot}_low", "").strip(),
                request.POST.get(f"{spot}_high", "").strip(),
            )
            if low or high:
                spots[spot] = (
                    money.typed(low, language, exponent, field=spot),
                    money.typed(high, language, exponent, field=spot),
                )
        gap = request.POST.get("differential", "").strip()
        acts.publish_limits(
            table=found,
            chip=money.typed(request.POST.get("chip", ""), language, exponent, field="chip"),
            spots=spots,
            differential=money.typed(gap, language, exponent, field="differential") if gap else None,
            effective_from=instant_of(request, "effective_from"),
            by=by,
        )
    except SabotError as refusal:
        return refused(request, "tables/limits.html", context, refusal)
    return changed(request, "settings-limits", found.pk)


def _limits_context(found: Table) -> dict[str, Any]:
    versions = list(BetLimits.objects.filter(table=found).select_related("published_by")[:VERSIONS])
    last = versions[0] if versions else None
    game = registry.game(found.game)
    spots = [
        (spot, words, *(last.spots.get(spot, ("", "")) if last else ("", "")))
        for spot, words in keys.limited(game).items()
    ]
    return {
        "table": found,
        "versions": [(version, _worded(game, version)) for version in versions],
        "last": last,
        "spots": spots,
        "chips": found.casino.denominations,
    }


def _worded(game: Game, version: BetLimits) -> list[tuple[Any, int, int]]:
    return [(game.spots[spot], *pair) for spot, pair in version.spots.items() if spot in game.spots]


def games(request: HttpRequest) -> HttpResponse:
    """The games the house can deal, with the version of their rules in force."""
    published = {}
    for version in GameRules.objects.filter(casino=user_of(request).casino_id).order_by("game", "version"):
        published[version.game] = version
    shown = [
        (game, rulebook.games().get(game.code), published.get(game.code)) for game in registry.GAMES.values()
    ]
    return render(request, "tables/games.html", {"games": shown})


def rules(request: HttpRequest, code: str) -> HttpResponse:
    """A game's rules by version, with the house's edge of what the form says (GEN-06).

    POST publishes the next version, checked by the game itself; with `act` edges or simulate it only
    shows what the form would give, simulated where nothing can be counted; with `ask-<kind>` it drafts the
    filing that asks the AJ for these figures.
    """
    try:
        engine = registry.game(code)
    except NotFound as refusal:
        raise Http404(str(refusal)) from refusal
    if request.method != "POST":
        return render(request, "tables/rules.html", _rules_context(request, engine))
    params: dict[str, Any] | None = None
    try:
        params = rules_form.params_of(request, engine)
        if request.POST.get("act") in ("edges", "simulate"):
            engine.read_rules(params)
            context = _rules_context(request, engine, params, simulate=request.POST["act"] == "simulate")
            return render(request, "tables/rules.html", {**context, "given": request.POST})
        asked = [kind for kind in plan_filings.KINDS if f"ask-{kind}" in request.POST]
        if asked:
            return _ask(request, code, asked[0], params)
        acts.publish_rules(
            game=code,
            params=params,
            betting_plan=request.POST.get("betting_plan", ""),
            confirmed_by=request.POST.get("confirmed_by", ""),
            confirmation=request.POST.get("confirmation", ""),
            forced=request.POST.get("forced", ""),
            effective_from=instant_of(request, "effective_from"),
            by=by_of(request),
        )
    except SabotError as refusal:
        against = refusal.code == "player_edge"
        context = _rules_context(request, engine, params, simulate=against and not _quick(engine, params))
        return refused(request, "tables/rules.html", context, refusal)
    return changed(request, "settings-rules", code)


def _ask(request: HttpRequest, code: str, kind: str, params: dict[str, Any]) -> HttpResponse:
    """Draft the filing of a kind for the figures of the form, and show it."""
    made = plan_filings.draft(
        kind=kind,
        game=code,
        params=params,
        text=request.POST.get("reason", ""),
        by=by_of(request),
    )
    messages.success(request, _("Trámite %(label)s redactado") % {"label": made.label})
    return redirect("filing", made.pk)


def _approvals(request: HttpRequest, game: Game, params: dict[str, Any]) -> list[dict[str, Any]]:
    """The filings of a game's figures: whether the house asks for each, and how the one for these stands."""
    casino = user_of(request).casino
    asked = plan_filings.needed(casino, game, params)
    day = casino.gaming_day(clock.now())
    return [
        {
            "kind": filings.kinds()[kind],
            "asked": kind in asked,
            "valid": plan_filings.approved(casino, kind, game, params, day),
            "latest": plan_filings.latest(casino, kind, game, params),
        }
        for kind in plan_filings.kinds_of(game, params)
    ]


def _rules_context(
    request: HttpRequest, game: Game, params: dict[str, Any] | None = None, *, simulate: bool = False
) -> dict[str, Any]:
    """The versions so far, and the form with its edges: of `params`, else of the last version."""
    versions = list(
        rows_of(GameRules, request).filter(game=game.code).select_related("published_by")[:VERSIONS]
    )
    last = versions[0].params if versions else {}
    stated = last if params is None else params
    return {
        "game": game,
        "versions": [(version, rules_form.told(game, version.params)) for version in versions],
        "fields": rules_form.fields_of(game, stated),
        "plan": versions[0].betting_plan if versions else "",
        **_weighed(game, stated, simulate=simulate),
        **_filed(request, game, stated),
    }


def _filed(request: HttpRequest, game: Game, params: dict[str, Any]) -> dict[str, Any]:
    """How the filings of these figures stand; nothing of what the game refuses."""
    try:
        found = _approvals(request, game, game.read_rules(params).to_json())
        return {"approvals": found, "unapproved": any(one["valid"] is None for one in found)}
    except SabotError:
        return {}


def _quick(game: Game, params: dict[str, Any] | None) -> bool:
    """Whether anything of params is counted at once."""
    return bool(edges.quick(game, game.read_rules(params or {})))


def _weighed(game: Game, params: dict[str, Any], *, simulate: bool) -> dict[str, Any]:
    """Edges and unconfirmed figures of params; nothing of what the game refuses."""
    try:
        read = game.read_rules(params)
    except SabotError:
        return {}
    found = edges.whole(game, read, rounds=edges.PAGE_ROUNDS) if simulate else edges.quick(game, read)
    return {
        "edges": [edges.shown(edge) for edge in found],
        "favours": any(edge.favours_player for edge in found),
        # A game whose every bet is counted at once has nothing to simulate.
        "uncounted": not simulate and game.edges is not game.quick_edges,
        "figures": confirming.unconfirmed(game, read.to_json()),
    }
