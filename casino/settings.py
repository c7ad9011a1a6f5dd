"""Django's settings for the whole house, built from what `casino/env.py` read.

Nothing here reads the environment itself, and nothing in the rooms imports this module: they ask
`django.conf.settings`.
"""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import dj_database_url

from casino import env
from casino.kernel.locking import LOCK_WAIT_MS

BASE_DIR = Path(__file__).resolve().parent.parent
ENVIRONMENT = env.read(base=BASE_DIR)

# ---- the house ----------------------------------------------------------------------------------

DEBUG = ENVIRONMENT.debug
SECRET_KEY = ENVIRONMENT.secret_key
ALLOWED_HOSTS = list(ENVIRONMENT.allowed_hosts)
ROOT_URLCONF = "casino.urls"
WSGI_APPLICATION = "casino.wsgi.application"
ASGI_APPLICATION = "casino.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# A reason is as long as audits.by.LONGEST_REASON; the library's own column holds 100 characters.
SIMPLE_HISTORY_HISTORY_CHANGE_REASON_USE_TEXT_FIELD = True

# Exports and other produced files. Never served as static files: a view checks who asks.
FILES_ROOT = ENVIRONMENT.files
# The private halves of the seal keys (audits.sealing.keys). Without it days close but are not sealed.
KEYS_ROOT = ENVIRONMENT.keys
FILE_UPLOAD_HANDLERS = [
    "casino.uploads.Bounded",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]

INSTALLED_APPS = [
    "casino",
    "audits",
    "shoes",
    "tables",
    "jackpots",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "knox",
    "drf_spectacular",
    "django_filters",
    "simple_history",
    "django_htmx",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "casino.headers.ContentPolicy",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "casino.parsing.ReadableText",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "casino.place.Placing",
    "audits.persons.looking.Looks",
    "audits.inspections.looking.Looks",
    "casino.access.AccessMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "casino.pages.Refusals",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# ---- data ---------------------------------------------------------------------------------------


def _database(url: str) -> dict[str, Any]:
    """Connection settings for a URL. Every connection gives up waiting for a lock after
    `LOCK_WAIT_MS`: a tablet on the floor is told "busy" rather than left hanging. Statements have
    no limit of their own, because reports and proofs may be long.
    """
    database: dict[str, Any] = dict(dj_database_url.parse(url, conn_max_age=300, conn_health_checks=True))
    options = dict(database.get("OPTIONS") or {})
    # Only the statements of casino/kernel/statements.py are prepared; the ORM's are not. Their plan is
    # kept: to plan one again costs as much as to run it.
    options.setdefault("prepare_threshold", 2)
    own = f"-c lock_timeout={LOCK_WAIT_MS} -c plan_cache_mode=force_generic_plan"
    options["options"] = f"{options.get('options', '')} {own}".strip()
    database["OPTIONS"] = options
    return database


DATABASES = {"default": _database(ENVIRONMENT.database_url)}

# ---- people -------------------------------------------------------------------------------------

AUTH_USER_MODEL = "casino.User"
AUTHENTICATION_BACKENDS = ["casino.logins.Backend"]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = LOGIN_URL

PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.ScryptPasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]

# A login lasts one long shift, on a device that other people use after it.
SHIFT = timedelta(hours=12)
SESSION_COOKIE_AGE = int(SHIFT.total_seconds())
SESSION_EXPIRE_AT_BROWSER_CLOSE = True

# ---- safety of the wire -------------------------------------------------------------------------

SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = ENVIRONMENT.production
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
CSRF_TRUSTED_ORIGINS = list(ENVIRONMENT.csrf_trusted_origins)
SECURE_SSL_REDIRECT = ENVIRONMENT.ssl_redirect
SECURE_HSTS_SECONDS = ENVIRONMENT.hsts_seconds
SECURE_HSTS_INCLUDE_SUBDOMAINS = ENVIRONMENT.hsts_seconds > 0
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
# Believed only when the deployment says a proxy of its own sets the header.
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if ENVIRONMENT.behind_proxy else None

# ---- language and time --------------------------------------------------------------------------

LANGUAGE_CODE = "es-bo"
LANGUAGES = [("es-bo", "Español"), ("en", "English")]
LOCALE_PATHS = [BASE_DIR / "casino" / "locale"]
USE_I18N = True
TIME_ZONE = "UTC"
USE_TZ = True

# ---- files that every page needs (casino/static is found as part of the app) ---------------------

STATIC_URL = "static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
STORAGES = {
    "default": {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"location": FILES_ROOT},
    },
    "staticfiles": {
        "BACKEND": (
            "whitenoise.storage.CompressedManifestStaticFilesStorage"
            if ENVIRONMENT.production
            else "django.contrib.staticfiles.storage.StaticFilesStorage"
        )
    },
}
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = not ENVIRONMENT.production

# ---- the API ------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    # The token comes first: its WWW-Authenticate header makes a missing login a 401, not a 403.
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "casino.tokens.Token",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["casino.access.ByTable"],
    "DEFAULT_PARSER_CLASSES": ["casino.parsing.StrictJSON"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PAGINATION_CLASS": "casino.pagination.Pages",
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "casino.problems.handler",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}

SPECTACULAR_SETTINGS = {
    "TITLE": "Sabot",
    "DESCRIPTION": "Back office of a casino's table games.",
    "VERSION": "1",
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "SERVE_PERMISSIONS": ["casino.access.ByTable"],
    "DEFAULT_GENERATOR_CLASS": "casino.openapi.Generator",
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "ENUM_NAME_OVERRIDES": {
        "SessionState": "tables.models.TableSession.State",
        "ExportState": "audits.models.Export.State",
        "ScheduleState": "audits.models.ExportSchedule.State",
        "ExportFormat": "audits.models.Export.Format",
        "DeliveryWay": "audits.models.ExportDelivery.How",
        "IncidentState": "audits.models.Incident.State",
        "DeckState": "shoes.models.Deck.State",
        "ShoeState": "shoes.models.Shoe.State",
        "RoundState": "tables.models.Round.State",
        "Post": "tables.models.Assignment.Post",
        "DeviceKind": "shoes.models.Device.Kind",
        "SlipKind": "tables.models.Slip.Kind",
        "BoxKind": "tables.models.DropBox.Kind",
        "ChipSetKind": "tables.models.ChipSet.Kind",
        "ExclusionKind": "tables.models.Exclusion.Kind",
        "OrphanKind": "tables.models.Orphan.Kind",
        "PaidWith": "tables.models.CageOperation.Means",
        "TransferDirection": "tables.models.CageTransfer.Direction",
        "DeskCountMoment": "tables.models.CageCount.Moment",
        "BankState": "tables.models.Bank.State",
        "BankHow": "tables.models.Bank.How",
        "AuctionState": "tables.models.Auction.State",
        "AuctionForm": "tables.models.Auction.Form",
        "FilingState": "audits.models.Filing.State",
        "InspectorAccessState": "audits.models.InspectorAccess.State",
        "VisitState": "audits.models.Inspection.State",
        "VisitDrawState": "audits.models.InspectionDraw.State",
        "PoolState": "jackpots.models.Pool.State",
        "PoolForm": "jackpots.models.Pool.Form",
        "PoolVersionState": "jackpots.models.PoolVersion.State",
        "PoolMoveKind": "jackpots.models.PoolMove.Kind",
        "ProgressiveBetState": "jackpots.models.Bet.State",
        "CreditMoveKind": "jackpots.models.CreditMove.Kind",
        "PrizeState": "jackpots.models.Prize.State",
        "ProofState": "jackpots.models.Proof.State",
        "ComplementaryState": "jackpots.models.Complementary.State",
        "ComplementaryForm": "jackpots.models.Complementary.Form",
    },
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "casino.openapi.add_problems",
    ],
}

REST_KNOX = {"TOKEN_TTL": SHIFT, "AUTO_REFRESH": False}

# ---- work in the background ---------------------------------------------------------------------

CELERY_BROKER_URL = ENVIRONMENT.broker_url or "memory://"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
if CELERY_BROKER_URL.startswith(("redis", "rediss", "valkey")):
    # The timeout is above the longest task, or it would run twice; the scan for work of a killed
    # worker runs every 5 s instead of every 100 s.
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "visibility_timeout": 3_600,
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
    }
CELERY_TIMEZONE = "UTC"
CELERY_ENABLE_UTC = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True  # what a task did is a row of ours
CELERY_TASK_TIME_LIMIT = 3_000
CELERY_TASK_SOFT_TIME_LIMIT = 2_700
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BEAT_SCHEDULE = {
    # Beat only asks "is anything due?"; which gaming day is due is decided from the casino's cut-off.
    # Before the close of days, which a pool that is not proved holds.
    "pool-approvals": {"task": "jackpots.look_at_approvals", "schedule": 300.0, "options": {"expires": 300}},
    "prove-pools": {"task": "jackpots.prove_pools", "schedule": 300.0, "options": {"expires": 300}},
    "pseudonymise": {"task": "audits.pseudonymise", "schedule": 3_600.0, "options": {"expires": 3_600}},
    "close-due-days": {"task": "audits.close_due_days", "schedule": 600.0, "options": {"expires": 600}},
    # By itself too: a day that waited for its key is sealed without another one to close.
    "seal-due-days": {"task": "audits.seal_due_days", "schedule": 600.0, "options": {"expires": 600}},
    # All proofs over all records, once for each day that was closed.
    "prove-closed-days": {
        "task": "audits.prove_closed_days",
        "schedule": 600.0,
        "options": {"expires": 600},
    },
    "watch-shoes": {"task": "tables.watch_shoes", "schedule": 60.0, "options": {"expires": 60}},
    "apply-limits-plans": {
        "task": "tables.apply_limits_plans",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "note-fairness": {"task": "tables.note_fairness", "schedule": 3_600.0, "options": {"expires": 3_600}},
    "close-auctions": {"task": "tables.close_auctions", "schedule": 3.0, "options": {"expires": 3}},
    "watch-floor": {"task": "tables.watch_floor", "schedule": 60.0, "options": {"expires": 60}},
    "sweep-exports": {"task": "audits.sweep_exports", "schedule": 60.0, "options": {"expires": 60}},
    "make-due-exports": {
        "task": "audits.make_due_exports",
        "schedule": 600.0,
        "options": {"expires": 600},
    },
    "sweep-stale": {"task": "audits.sweep_stale", "schedule": 86_400.0, "options": {"expires": 3_600}},
}

# ---- what is said on stderr ---------------------------------------------------------------------

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"},
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": ENVIRONMENT.log_level},
    "loggers": {"django": {"handlers": [], "level": ENVIRONMENT.log_level, "propagate": True}},
}
