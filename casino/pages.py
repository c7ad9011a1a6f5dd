"""Pages of the house itself: coming in and out, how it looks, and every rule of the book.

The check of the password and its limit are in `audits.sign_in`, shared with the API.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib.auth import login, logout
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from audits import coverage
from audits.by import name_of
from audits.pages.trail import sentence_of
from audits.policies import READ_COVERAGE, READ_TRAIL
from audits.sign_in import sign_in
from casino import tracing
from casino.kernel import clock, permissions, rulebook
from casino.kernel.errors import NotFound, SabotError
from casino.problems import API_PREFIX, TooMany, note_refusal
from casino.refusal_words import said_by
from casino.templatetags.sabot import THEME_COOKIE, THEMES

YEAR_SECONDS = 365 * 24 * 3600


@never_cache
@sensitive_post_parameters("password")
def enter(request: HttpRequest) -> HttpResponse:
    """The login. A refusal shows on the page; too many wrong passwords answer 429."""
    back = next_of(request)
    if request.method != "POST":
        if request.user.is_authenticated:
            return HttpResponseRedirect(back)
        return render(request, "house/login.html", {"next": back})
    try:
        user = sign_in(
            request=request,
            username=request.POST.get("username", ""),
            password=request.POST.get("password", ""),
            way="page",
        )
    except SabotError as refusal:
        context = {"next": back, "refusal": refusal, "given": {"username": request.POST.get("username", "")}}
        response: HttpResponse = render(request, "house/login.html", context, status=refusal.status)
        if isinstance(refusal, TooMany):
            response["Retry-After"] = str(refusal.wait_seconds)
        return response
    login(request, user)
    response = HttpResponseRedirect(back)
    # What the login screen was switched to wins over the person's own language.
    if settings.LANGUAGE_COOKIE_NAME not in request.COOKIES:
        keep(response, settings.LANGUAGE_COOKIE_NAME, user.language)
    return response


def leave(request: HttpRequest) -> HttpResponse:
    logout(request)
    return redirect("login")


def theme(request: HttpRequest) -> HttpResponse:
    """Pit or office: kept in a cookie, since a tablet on the floor is shared."""
    response = HttpResponseRedirect(next_of(request))
    wanted = request.POST.get("theme", "")
    if wanted in THEMES:
        keep(response, THEME_COOKIE, wanted)
    return response


def rule(request: HttpRequest, rule_id: str) -> HttpResponse:
    """One rule in full: a page, or the inside of the dialog when a page asks for it."""
    try:
        found = rulebook.rule(rule_id.upper())
    except NotFound as refusal:
        raise Http404(refusal.say(translation.get_language())) from refusal
    dialog = bool(request.headers.get("HX-Request"))
    context = {
        "rule": found,
        "params": params_of(found),
        "enforced": rulebook.ENFORCED[found.enforce],
        "source": rulebook.SOURCES[found.source],
        "phase": rulebook.PHASES[found.phase],
        "kind": rulebook.KINDS[found.kind],
        "dialog": dialog,
        **_traced(found, lines=not dialog),
        **({} if dialog else _happened(request, found)),
    }
    return render(request, "house/_rule.html" if dialog else "house/rule.html", context)


def rules(request: HttpRequest) -> HttpResponse:
    """The whole book with what enforces and proves each rule, by game, treatment, state or word."""
    language = translation.get_language()
    sieve = {name: request.GET.get(name, "").strip()[:60] for name in ("q", "game", "enforce", "state")}
    wanted = sieve["q"].lower()
    found = [
        {"rule": entry, "enforced": rulebook.ENFORCED[entry.enforce], **_traced(entry)}
        for entry in rulebook.rules().values()
        if (not sieve["game"] or entry.holds_for(sieve["game"]))
        and sieve["enforce"] in ("", entry.enforce)
        and sieve["state"] in ("", tracing.trace(entry.id).state)
        and wanted in f"{entry.id} {entry.title.say(language)} {entry.text.say(language)}".lower()
    ]
    context = {
        **sieve,
        "rules": found,
        "games": [(code, entry.name) for code, entry in rulebook.games().items()],
        "treatments": rulebook.ENFORCED.items(),
        "states": tracing.STATES.items(),
    }
    return render(request, "house/rules.html", context)


def _traced(found: rulebook.Rule, *, lines: bool = False) -> dict[str, Any]:
    """Where a rule lives, with the words and the colour of its state."""
    trace = tracing.trace(found.id, lines=lines)
    waiting = trace.waiting
    return {
        "trace": trace,
        "state": tracing.STATES[trace.state],
        "state_kind": _STATE_KINDS.get(trace.state, "warn"),
        "brings": tracing.CAPABILITIES[waiting.brings] if waiting else None,
    }


EVIDENCE_DAYS = 30


def _happened(request: HttpRequest, found: rulebook.Rule) -> dict[str, Any]:
    """What happened under a rule of late, for whoever may read how rules are kept and the trail."""
    user: Any = request.user
    if not all(permissions.may(user, act) for act in (READ_COVERAGE, READ_TRAIL)):
        return {}
    now, casino = clock.now(), user.casino
    start = now - dt.timedelta(days=EVIDENCE_DAYS)
    happened = coverage.evidence(casino, start, now + dt.timedelta(seconds=1), found.id)
    evidence = happened.get(found.id, coverage.Evidence())
    events, refusals = coverage.latest(casino, found.id, start)
    return {
        "evidence": evidence,
        "evidence_days": EVIDENCE_DAYS,
        "refused_to": coverage.names(evidence.refused_to, casino),
        "reasoned_by": coverage.names(evidence.reasoned_by, casino),
        "rule_events": [(event, sentence_of(event), name_of(event.actor)) for event in events],
        "rule_refusals": [
            (refusal, name_of(refusal.actor), said_by(refusal.code, found.id)) for refusal in refusals
        ],
    }


_STATE_KINDS = {"proved": "good", "waiting": "", "bare": "bad"}


def params_of(found: rulebook.Rule) -> list[tuple[str, Any]]:
    """The rule's numbers as they are written in the book."""
    return [
        (name, ", ".join(map(str, value)) if isinstance(value, list) else value)
        for name, value in found.params.items()
    ]


def next_of(request: HttpRequest) -> str:
    """Where to go afterwards: an address within this house, from its root."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    hosts, secure = {request.get_host()}, request.is_secure()
    within = wanted.startswith("/") and url_has_allowed_host_and_scheme(wanted, hosts, secure)
    return wanted if within else settings.LOGIN_REDIRECT_URL


def keep(response: HttpResponse, name: str, value: str) -> None:
    response.set_cookie(
        name, value, max_age=YEAR_SECONDS, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE
    )


class Refusals:
    """A refusal no page showed itself (a table that closed meanwhile, say) becomes a page of its own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, SabotError) or request.path.startswith(API_PREFIX):
            return None
        note_refusal(request, error)
        return render(request, "refused.html", {"refusal": error}, status=error.status)
