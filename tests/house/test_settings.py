"""The settings fail closed, and nothing but `casino/env.py` reads the environment."""

from __future__ import annotations

import ast
import re
import string
from pathlib import Path

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from casino import env

CHECKOUT = Path(__file__).resolve().parents[2]
COMPLETE = {
    "SECRET_KEY": (string.ascii_letters + string.digits)[: env.SECRET_KEY_LENGTH],
    "ALLOWED_HOSTS": "casino.example, 10.0.0.4",
    "DATABASE_URL": "postgres://sabot:x@db/sabot",
    "CELERY_BROKER_URL": "redis://broker/0",
}


def test_without_a_word_it_is_production() -> None:
    read = env.read(COMPLETE, base=CHECKOUT)
    assert read.production
    assert read.ssl_redirect
    assert read.hsts_seconds == 365 * 24 * 60 * 60
    assert not read.debug
    assert read.allowed_hosts == ("casino.example", "10.0.0.4")


@pytest.mark.parametrize("missing", sorted(COMPLETE))
def test_production_names_what_is_missing(missing: str) -> None:
    values = {name: value for name, value in COMPLETE.items() if name != missing}
    with pytest.raises(ImproperlyConfigured, match=f"^{missing} is not set: set it to "):
        env.read(values, base=CHECKOUT)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("SABOT_ENV", "staging", "SABOT_ENV is 'staging': set it to one of production, development"),
        ("SECRET_KEY", "k" * (env.SECRET_KEY_LENGTH - 1), "49 characters: production needs at least 50"),
        ("SECRET_KEY", env.DEVELOPMENT_KEY_PREFIX + "k" * 80, "development key"),
        ("ALLOWED_HOSTS", " , ", "ALLOWED_HOSTS is not set"),
        ("SECRET_KEY", "0123456789abcdefghi" * 3, "19 different characters"),
        *[
            ("ALLOWED_HOSTS", f"casino.example,{odd}", "name the hosts")
            for odd in ("*", ".", "", "*.example", "a..b", ".*", "..")
        ],
        ("DATABASE_URL", "sqlite:///x.db", "no PostgreSQL address"),
        ("DATABASE_URL", "mysql://u:p@h/sabot", "no PostgreSQL address"),
        ("SABOT_DEBUG", "1", "cannot be on in production"),
        ("SABOT_SSL_REDIRECT", "maybe", "set it to 1 or 0"),
        ("SABOT_HSTS_SECONDS", "-1", "whole number of seconds"),
        ("SABOT_KEYS", "var/keys", "inside SABOT_FILES"),
        ("SABOT_LOG_LEVEL", "loud", "DEBUG, INFO, WARNING, ERROR"),
    ],
)
def test_production_refuses(name: str, value: str, said: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=re.escape(said)):
        env.read({**COMPLETE, name: value}, base=CHECKOUT)


def test_development_needs_a_key_and_a_database_too() -> None:
    with pytest.raises(ImproperlyConfigured, match="SECRET_KEY"):
        env.read({"SABOT_ENV": "development"}, base=CHECKOUT)
    with pytest.raises(ImproperlyConfigured, match=r"casino\.embedded exec"):
        env.read({"SABOT_ENV": "development", "SECRET_KEY": "short"}, base=CHECKOUT)


def test_development_is_told_apart() -> None:
    values = {"SABOT_ENV": "development", "SECRET_KEY": "short", "DATABASE_URL": "postgres:///x"}
    read = env.read(values, base=CHECKOUT)
    assert not read.production
    assert not read.ssl_redirect
    assert read.files == CHECKOUT / "var"


def test_every_connection_gives_up_on_locks() -> None:
    from casino.kernel.locking import LOCK_WAIT_MS

    assert f"-c lock_timeout={LOCK_WAIT_MS}" in settings.DATABASES["default"]["OPTIONS"]["options"]


def test_a_url_keeps_its_own_options() -> None:
    from casino.settings import _database

    database = _database("postgres://u@h/d?sslmode=require&options=-c%20work_mem%3D64MB")
    assert database["OPTIONS"]["sslmode"] == "require"
    assert database["OPTIONS"]["options"].startswith("-c work_mem=64MB -c lock_timeout=")


def test_tasks_are_never_run_in_the_web_process() -> None:
    assert not getattr(settings, "CELERY_TASK_ALWAYS_EAGER", False)
    assert settings.CELERY_TASK_ACKS_LATE


def test_only_env_reads_the_environment() -> None:
    """Other code may set a default for DJANGO_SETTINGS_MODULE, or pass all of it on to a child."""
    readers = set()
    for room in ("casino", "audits", "shoes", "tables", "jackpots"):
        for file in (CHECKOUT / room).rglob("*.py"):
            if (CHECKOUT / "casino" / "embedded") in file.parents:
                continue
            text = file.read_text(encoding="utf-8")
            text = re.sub(
                r'os\.environ\.setdefault\("DJANGO_SETTINGS_MODULE", "casino\.settings"\)', "pass", text
            )
            text = text.replace("{**os.environ, ", "{")  # passed on to a child, not read
            names = {node.attr for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Attribute)}
            if names & {"environ", "getenv"}:
                readers.add(str(file.relative_to(CHECKOUT)))
    assert readers == {"casino/env.py"}


def test_the_guide_explains_every_variable() -> None:
    guide = (CHECKOUT / "docs" / "running.md").read_text(encoding="utf-8")
    explained = set(re.findall(r"^\| `([A-Z_]+)`", guide, flags=re.MULTILINE))
    used_in_code = set(
        re.findall(r'"([A-Z_]{4,})"', (CHECKOUT / "casino/env.py").read_text(encoding="utf-8"))
    )
    of_the_runner = {"PORT", "HOST"}
    assert explained - of_the_runner == set(env.VARIABLES)
    assert set(env.VARIABLES) <= used_in_code


def test_the_folder_of_keys_is_none_or_the_one_named() -> None:
    assert env.read(COMPLETE, base=CHECKOUT).keys is None
    assert env.read({**COMPLETE, "SABOT_KEYS": ""}, base=CHECKOUT).keys is None
    assert env.read({**COMPLETE, "SABOT_KEYS": "/srv/keys"}, base=CHECKOUT).keys == Path("/srv/keys")
