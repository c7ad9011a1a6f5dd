"""Pages of the house itself: coming in and out, how it looks, and every rule of the book.

The check of the password and its limit are in `audits.sign_in`, shared with the API.
"""

from __future__ import annotations

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

from audits.sign_in import sign_in
from casino.kernel import rulebook
from casino.kernel.errors import NotFound, SabotError
from casino.problems import API_PREFIX, TooMany
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
    template = "house/_rule.html" if request.headers.get("HX-Request") else "house/rule.html"
    return render(request, template, {"rule": found, "params": params_of(found)})


def rules(request: HttpRequest) -> HttpResponse:
    """The whole book, by game, searchable by id or word."""
    language = translation.get_language()
    wanted, game = request.GET.get("q", "").strip()[:60], request.GET.get("game", "")
    found = [
        entry
        for entry in rulebook.rules().values()
        if (not game or entry.holds_for(game))
        and wanted.lower() in f"{entry.id} {entry.title.say(language)} {entry.text.say(language)}".lower()
    ]
    games = [(code, entry.name) for code, entry in rulebook.games().items()]
    return render(request, "house/rules.html", {"rules": found, "q": wanted, "game": game, "games": games})


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
        return render(request, "refused.html", {"refusal": error}, status=error.status)
