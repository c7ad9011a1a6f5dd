"""Who may do what: the written matrix, the access table and the URL resolver must agree.

`matrix.csv` is written by people: a row per address and method, a column per role. A new address
needs a row there and one in `casino/access_table.py`; both are then tried with real requests.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client, RequestFactory
from django.urls import URLPattern, get_resolver, reverse

from casino.access import AccessMiddleware, ByTable, is_api
from casino.access_table import PUBLIC, URLS
from casino.kernel.permissions import Role, acts
from tests.api.building import LOGINS, House, make_house

MATRIX = Path(__file__).with_name("matrix.csv")
ANONYMOUS = "anonymous"
COLUMNS = ["url", "method", ANONYMOUS, *(role.value for role in LOGINS)]
ALLOW, DENY = "allow", "deny"
DOORS = {"api:token", "login", "api:inspection-token", "inspection-door"}
"""Addresses where somebody comes in."""
OWN_LOGIN = {"set_language", "theme", "logout", "api:logout", *DOORS}
"""Addresses about one's own login and nothing else."""


def matrix() -> list[dict[str, str]]:
    with MATRIX.open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def addresses(resolver: Any = None, namespaces: tuple[str, ...] = ()) -> Iterator[tuple[str, URLPattern]]:
    """Every URL name the resolver knows, with its pattern."""
    for pattern in (resolver or get_resolver()).url_patterns:
        if isinstance(pattern, URLPattern):
            yield ":".join((*namespaces, pattern.name or f"(no name: {pattern.pattern})")), pattern
        else:
            inner = (*namespaces, pattern.namespace) if pattern.namespace else namespaces
            yield from addresses(pattern, inner)


def test_every_address_has_its_row_and_every_row_its_address() -> None:
    assert {name for name, _pattern in addresses()} == set(URLS)


def test_every_act_in_the_table_is_declared() -> None:
    wanted = {act for row in URLS.values() for act in row.values()} - {PUBLIC}
    assert wanted <= set(acts())


def test_api_views_offer_what_the_table_says_and_are_held_to_it() -> None:
    for name, pattern in addresses():
        if not is_api(pattern.callback):
            continue
        view = pattern.callback.cls
        offered = {m.upper() for m in view.http_method_names if hasattr(view, m)} - {"HEAD", "OPTIONS"}
        assert offered == set(URLS[name]), name
        assert view.permission_classes == [ByTable], name


def test_an_api_write_demands_the_act_of_its_write_function() -> None:
    checked = 0
    for name, pattern in addresses():
        post = getattr(getattr(pattern.callback, "cls", None), "post", None)
        if post is None or name in {"api:token", "api:inspection-token", "api:logout"}:
            continue
        assert post.command.act == URLS[name]["POST"], name
        checked += 1
    assert checked >= 5


def test_few_addresses_are_public() -> None:
    public = {name for name, row in URLS.items() if PUBLIC in row.values()}
    assert public == {
        *("set_language", "theme", "health", "logout", *DOORS),
        # what is shown to the public in the room (PP-22)
        *("pool-display", "pool-display-live", "api:pool-meter"),
        # who checks a seal has no login here
        "seal-keys-file",
    }


def test_the_matrix_is_complete() -> None:
    rows = matrix()
    assert list(rows[0]) == COLUMNS
    assert {cell for row in rows for name, cell in row.items() if name not in COLUMNS[:2]} == {ALLOW, DENY}
    written = [(row["url"], row["method"]) for row in rows]
    assert len(written) == len(set(written))
    assert set(written) == {(name, method) for name, row in URLS.items() for method in row}


@pytest.fixture
def house(db: None) -> House:
    return make_house()


class Asking:
    """Asks as one role, signed in once for pages and once for the API, anew after signing out."""

    def __init__(self, house: House, role: Role | None) -> None:
        self.house, self.role = house, role
        self.clients: dict[bool, Client] = {}

    def answer(self, name: str, method: str, pattern: URLPattern) -> Any:
        names = pattern.pattern.converters.items()
        address = reverse(name, kwargs={key: _value(converter) for key, converter in names})
        api = is_api(pattern.callback)
        client = self.clients.get(api) or self._signed_in(api=api)
        if name in OWN_LOGIN:
            del self.clients[api]
        return client.generic(method, address, b"{}", content_type="application/json")

    def _signed_in(self, *, api: bool) -> Client:
        client: Client = self.house.client(self.role) if api and self.role is not None else Client()
        if not api and self.role is not None:
            client.force_login(self.house.users[self.role])
        client.raise_request_exception = False  # a failure is listed with the rest
        self.clients[api] = client
        return client


def _value(converter: Any) -> Any:
    """Something that leads nowhere: permission comes before existence."""
    return 0 if type(converter).__name__ == "IntConverter" else "none"


@pytest.mark.rule("REC-11")
@pytest.mark.parametrize("column", COLUMNS[2:])
def test_requests_answer_as_the_matrix_says(house: House, column: str) -> None:
    role = None if column == ANONYMOUS else Role(column)
    asking, patterns = Asking(house, role), dict(addresses())
    wrong = []
    for row in matrix():
        response = asking.answer(row["url"], row["method"], patterns[row["url"]])
        to_login = response.status_code == 302 and "next=" in response["Location"]
        denied = response.status_code in {401, 403} or to_login
        if row["url"] in DOORS:
            denied = False  # whoever signs in is nobody yet: a 401 is about the password
        if response.status_code >= 500 or denied != (row[column] == DENY):
            wrong.append(f"{row['method']} {row['url']}: {response.status_code}, written: {row[column]}")
    assert not wrong


@pytest.mark.rule("REC-11")
def test_the_inspector_reads_and_never_writes() -> None:
    writes = [row for row in matrix() if row["method"] != "GET"]
    open_to_inspector = {row["url"] for row in writes if row[Role.INSPECTOR] == ALLOW} - OWN_LOGIN
    assert open_to_inspector == (READS_SENT_AS_POST | HIS_OWN_RECORD) & {row["url"] for row in writes}


# Asking for a report makes a file, not a fact about the floor. A document is looked for by POST, so that
# its number stands in no address.
READS_SENT_AS_POST = {
    *("api:exports", "report", "api:guests-find", "guests-find"),
    *("api:export-again", "export-again", "api:export-difference", "export-difference"),
    *("api:export-cancel", "export-cancel"),
}
# His visits, what he draws and counts there, and what the house says to it on his screen: his own record,
# which changes no figure of the house.
HIS_OWN_RECORD = {
    *("visits", "visit-close", "visit-draw", "visit-draw-word", "visit-count", "visit-count-answer"),
    *("api:visits", "api:visit-close", "api:visit-draws", "api:visit-draw-word", "api:visit-counts"),
    "api:visit-count-answer",
}


def test_a_device_only_logs_rounds_and_looks() -> None:
    allowed = {row["url"] for row in matrix() if row["method"] != "GET" and row[Role.DEVICE] == ALLOW}
    assert allowed - OWN_LOGIN == {
        "api:session-rounds",
        "api:round-events",
        "api:round-settle",
        "api:round-abandon",
        "api:session-stop-card",
        "api:session-discards",
        "api:session-shuffles",
        "api:auction-bids",
        "api:auction-close",
        "api:session-credits",
        "api:session-credits-return",
        "api:session-progressive-bets",
        "api:progressive-bet-cancel",
    }


def test_an_address_outside_the_table_is_refused_for_everyone(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(URLS, "api:users")
    response = house.client(Role.ADMINISTRATOR).get("/api/v1/users")
    assert response.status_code == 404
    assert response.json()["code"] == "not_found"


def test_an_api_view_that_forgot_the_table_is_refused(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    from audits.api.users import Users

    monkeypatch.setattr(Users, "permission_classes", [])
    response = house.client(Role.ADMINISTRATOR).get("/api/v1/users")
    assert response.status_code == 403


def test_a_login_that_is_shut_off_gets_nothing(house: House) -> None:
    user = house.users[Role.ADMINISTRATOR]
    client = house.client(Role.ADMINISTRATOR)
    page = Client()
    page.force_login(user)
    user.is_active = False
    user.save(update_fields=["is_active"])
    assert client.get("/api/v1/users").status_code == 401
    assert page.get("/api/v1/users").status_code == 401


def test_the_middleware_sends_nobody_to_the_login_and_back(rf: RequestFactory, settings: Any) -> None:
    request = rf.get("/somewhere?day=2026-11-29")
    request.user = AnonymousUser()
    request.resolver_match = get_resolver().resolve("/api/v1/schema/")
    settings.LOGIN_URL = "/login-page"
    answer = AccessMiddleware(lambda r: None).process_view(request, lambda r: None, (), {})
    assert answer is not None
    assert answer.status_code == 302
    assert answer["Location"] == "/login-page?next=/somewhere%3Fday%3D2026-11-29"
