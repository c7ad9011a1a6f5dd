"""The only place that reads the environment, so that what Sabot can be told is one list.

`casino/settings.py` is built from `read()`. A value that is missing or makes no sense stops the
start with `ImproperlyConfigured` and a message that says what to set. Production is the default:
whoever forgets `SABOT_ENV` gets the strict house, never the lax one. `docs/running.md` explains
each variable; `tests/house/test_settings.py` keeps the two lists equal.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

PRODUCTION = "production"
DEVELOPMENT = "development"

# Prefix of every key the embedded runner makes: such a key is never good enough for production.
DEVELOPMENT_KEY_PREFIX = "development-only-"
SECRET_KEY_LENGTH = 50
SECRET_KEY_VARIETY = 20
"""Different characters; fifty random ones of the 64 in use have some 35."""
POSTGRESQL = ("postgres://", "postgresql://")

VARIABLES = (
    "SABOT_ENV",
    "SECRET_KEY",
    "ALLOWED_HOSTS",
    "DATABASE_URL",
    "CELERY_BROKER_URL",
    "CSRF_TRUSTED_ORIGINS",
    "SABOT_BEHIND_PROXY",
    "SABOT_SSL_REDIRECT",
    "SABOT_HSTS_SECONDS",
    "SABOT_FILES",
    "SABOT_KEYS",
    "SABOT_LOG_LEVEL",
    "SABOT_DEBUG",
)


@dataclass(frozen=True, slots=True)
class Environment:
    """What the environment said, checked. Durations are seconds, `files` and `keys` are folders."""

    production: bool
    secret_key: str
    allowed_hosts: tuple[str, ...]
    database_url: str
    broker_url: str
    csrf_trusted_origins: tuple[str, ...]
    behind_proxy: bool
    ssl_redirect: bool
    hsts_seconds: int
    files: Path
    keys: Path | None
    log_level: str
    debug: bool


def read(environ: Mapping[str, str] | None = None, *, base: Path) -> Environment:
    """The environment as Sabot understands it; `base` is the folder relative paths start from.

    Raises `ImproperlyConfigured` when something needed is missing or wrong.
    """
    values = os.environ if environ is None else environ
    mode = _one_of(values, "SABOT_ENV", (PRODUCTION, DEVELOPMENT), PRODUCTION)
    production = mode == PRODUCTION
    return Environment(
        production=production,
        secret_key=_secret_key(values, production),
        allowed_hosts=_hosts(values, production),
        database_url=_database_url(values),
        broker_url=_broker(values, production),
        csrf_trusted_origins=_items(values, "CSRF_TRUSTED_ORIGINS"),
        behind_proxy=_flag(values, "SABOT_BEHIND_PROXY", default=False),
        ssl_redirect=_flag(values, "SABOT_SSL_REDIRECT", default=production),
        hsts_seconds=_count(values, "SABOT_HSTS_SECONDS", default=31_536_000 if production else 0),
        files=base / (values.get("SABOT_FILES") or "var"),
        keys=_keys(values, base),
        log_level=_one_of(
            values, "SABOT_LOG_LEVEL", ("DEBUG", "INFO", "WARNING", "ERROR"), "INFO", upper=True
        ),
        debug=_debug(values, production),
    )


def _keys(values: Mapping[str, str], base: Path) -> Path | None:
    """Never among the produced files, which are backed up together with the database."""
    if not values.get("SABOT_KEYS"):
        return None
    keys, files = base / values["SABOT_KEYS"], base / (values.get("SABOT_FILES") or "var")
    if keys.resolve().is_relative_to(files.resolve()):
        raise ImproperlyConfigured(
            f"SABOT_KEYS is {values['SABOT_KEYS']!r}, inside SABOT_FILES: choose a folder of its own, not"
            " backed up together with the database"
        )
    return keys


def _secret_key(values: Mapping[str, str], production: bool) -> str:
    key = _needed(
        values,
        "SECRET_KEY",
        f"set it to at least {SECRET_KEY_LENGTH} random characters, as printed by"
        ' python3 -c "import secrets; print(secrets.token_urlsafe(50))"',
    )
    if production and key.startswith(DEVELOPMENT_KEY_PREFIX):
        raise ImproperlyConfigured("SECRET_KEY is a development key: make another for production")
    if production and len(key) < SECRET_KEY_LENGTH:
        raise ImproperlyConfigured(
            f"SECRET_KEY has {len(key)} characters: production needs at least {SECRET_KEY_LENGTH}"
        )
    if production and len(set(key)) < SECRET_KEY_VARIETY:
        raise ImproperlyConfigured(
            f"SECRET_KEY uses {len(set(key))} different characters: a random one uses at least"
            f" {SECRET_KEY_VARIETY}"
        )
    return key


def _database_url(values: Mapping[str, str]) -> str:
    """Constraints, triggers and locks are PostgreSQL's: no other database holds what Sabot promises."""
    url = _needed(
        values,
        "DATABASE_URL",
        "set it to the PostgreSQL server, as in postgres://user:password@host:5432/sabot; for the"
        " embedded server use `python -m casino.embedded exec -- COMMAND`",
    )
    if not url.startswith(POSTGRESQL):
        raise ImproperlyConfigured(
            "DATABASE_URL is no PostgreSQL address: set it as in postgres://user:password@host:5432/sabot"
        )
    return url


def _hosts(values: Mapping[str, str], production: bool) -> tuple[str, ...]:
    hosts = _items(values, "ALLOWED_HOSTS")
    if not production:
        return hosts or ("localhost", "127.0.0.1", "[::1]")
    if not hosts:
        raise ImproperlyConfigured(
            "ALLOWED_HOSTS is not set: set it to the names this house is reached by, separated by commas"
        )
    for host in values["ALLOWED_HOSTS"].split(","):
        if not _names_a_host(host.strip()):
            raise ImproperlyConfigured(
                f"ALLOWED_HOSTS holds {host.strip()!r}, which stands for any host or none: name the hosts,"
                " separated by commas"
            )
    return hosts


def _names_a_host(host: str) -> bool:
    """Whether an entry is a host or, with a leading dot, a domain with all below it; never all hosts."""
    return "*" not in host and all(host.removeprefix(".").split("."))


def _broker(values: Mapping[str, str], production: bool) -> str:
    url = values.get("CELERY_BROKER_URL", "")
    if url or not production:
        return url
    raise ImproperlyConfigured(
        "CELERY_BROKER_URL is not set: set it to the Redis or RabbitMQ server, as in redis://host:6379/0"
    )


def _debug(values: Mapping[str, str], production: bool) -> bool:
    debug = _flag(values, "SABOT_DEBUG", default=False)
    if debug and production:
        raise ImproperlyConfigured("SABOT_DEBUG cannot be on in production: it shows secrets to visitors")
    return debug


def _needed(values: Mapping[str, str], name: str, remedy: str) -> str:
    value = values.get(name, "")
    if not value:
        raise ImproperlyConfigured(f"{name} is not set: {remedy}")
    return value


def _items(values: Mapping[str, str], name: str) -> tuple[str, ...]:
    return tuple(item for part in values.get(name, "").split(",") if (item := part.strip()))


def _one_of(
    values: Mapping[str, str], name: str, allowed: tuple[str, ...], default: str, *, upper: bool = False
) -> str:
    value = values.get(name) or default
    value = value.upper() if upper else value.lower()
    if value not in allowed:
        raise ImproperlyConfigured(f"{name} is {value!r}: set it to one of {', '.join(allowed)}")
    return value


def _flag(values: Mapping[str, str], name: str, *, default: bool) -> bool:
    value = values.get(name, "").lower()
    if not value:
        return default
    if value in ("1", "true", "yes", "on"):
        return True
    if value in ("0", "false", "no", "off"):
        return False
    raise ImproperlyConfigured(f"{name} is {value!r}: set it to 1 or 0")


def _count(values: Mapping[str, str], name: str, *, default: int) -> int:
    value = values.get(name, "")
    if not value:
        return default
    if not value.isdigit():
        raise ImproperlyConfigured(f"{name} is {value!r}: set it to a whole number of seconds")
    return int(value)
