"""The code an inspector is given: sixteen signs, said aloud or on paper; only a hash is kept.

The first four find the access and are no secret; the other twelve are (30^12 codes, beyond guessing in five
attempts).
"""

from __future__ import annotations

import re
import secrets

from django.contrib.auth.hashers import check_password, make_password

ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""No 0 and O, 1, I and L, U and V confused."""
SELECTOR, SECRET = 4, 12
_READ = re.compile(f"[{ALPHABET}]{{{SELECTOR + SECRET}}}")


def new_selector() -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(SELECTOR))


def new_secret() -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(SECRET))


def shown(selector: str, secret: str) -> str:
    """As it is read to the inspector, in groups of four."""
    code = selector + secret
    return "-".join(code[at : at + 4] for at in range(0, len(code), 4))


def read(typed: str) -> tuple[str, str] | None:
    """Selector and secret of what somebody typed, in capitals or not, with or without dashes; None of what
    cannot be a code."""
    code = re.sub(r"[\s\-–]", "", typed[:60]).upper()
    return (code[:SELECTOR], code[SELECTOR:]) if _READ.fullmatch(code) else None


def hashed(secret: str) -> str:
    return make_password(secret)


def matches(secret: str, kept: str) -> bool:
    """Whether a secret is the one kept; takes as long either way."""
    return check_password(secret, kept)


def waste(secret: str) -> None:
    """As much work as `matches`, where there is nothing to compare with."""
    make_password(secret)
