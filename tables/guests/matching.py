"""Whether two sets of particulars are one person's: documents and names as people and lists write them.

Plain functions on plain values. A document is compared without spaces, dots and the department that issued
it; a name without case, accents, order and particles. What is alike but not the same is measured with
RapidFuzz; the thresholds are stated here and nowhere else.
"""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from rapidfuzz import fuzz
from rapidfuzz.distance import DamerauLevenshtein

SIMILAR = 88
"""Out of 100, of the words in alphabetical order: «Gonzales» and «González» pass, «Juan» and «Juana» of a
full name pass, two people who share one surname do not."""
NEAR_DIGITS = 1
"""How many slips of the pen (one sign more, less, other, or two swapped) leave a document number alike."""
LONGEST_NUMBER = 30

CI, FOREIGN, PASSPORT = "ci", "foreign", "passport"
_ISSUED = (
    "(?:EXP(?:EDID[OA])?)?(?:EN)?(?:LAPAZ|LPZ|LP|SANTACRUZ|SCZ|SC|COCHABAMBA|CBBA|CBB|CBA|CB|CO|ORURO|ORU|OR"
    "|POTOSI|POT|PTS|PT|PO|CHUQUISACA|SUCRE|CHQ|CHU|CH|TARIJA|TJA|TAR|TJ|TA|BENI|BEN|BNI|BE|BN|PANDO|PND|PD|PA"
    "|QR)"
)
_BEFORE = f"^(?:CI|CEDULA)?(?:NRO|NUM|NO|N)?(?:{_ISSUED})?"
_CI = re.compile(rf"{_BEFORE}(\d{{4,10}})(?:{_ISSUED})?(\d[A-Z])?(?:{_ISSUED})?$")
_CI_AND_WORDS = re.compile(rf"{_BEFORE}(\d{{4,10}})()[A-Z]{{2,}}$")
"""Whatever words follow the digits of an identity card, they say who issued it: the card is the same."""
_PARTICLES = frozenset({"DE", "DEL", "LA", "LAS", "LOS", "Y", "E", "DA", "DO", "DOS", "VDA", "VIUDA"})


class How(StrEnum):
    """How two sets of particulars are alike, the surest first."""

    DOCUMENT = "document"
    NAME_BIRTH = "name_birth"
    SIMILAR = "similar"


@dataclass(frozen=True, slots=True)
class Document:
    """A document normalised; `country` is its two letters (ISO 3166)."""

    type: str
    country: str
    number: str


@dataclass(frozen=True, slots=True)
class Person:
    """What is known of somebody; a list may lack the document, or the birth date."""

    document: Document | None
    name: str
    birth_date: dt.date | None


@dataclass(frozen=True, slots=True)
class Likeness:
    """How sure it is that two are one; `score` is out of 100."""

    how: How
    score: int


def normal_number(type: str, country: str, number: str) -> str:
    """A document's number as it is kept: capitals and digits; of a Bolivian identity card the digits and,
    after a hyphen, its complement (`1234567-1A`), without the department that issued it.

    Empty where nothing of it is a number.
    """
    compact = re.sub(r"[^A-Z0-9]", "", _folded(number))
    if type == CI and country == "BO":
        found = _CI.match(compact) or _CI_AND_WORDS.match(compact)
        if found:
            digits, complement = found[1].lstrip("0") or "0", found[2]
            return f"{digits}-{complement}" if complement else digits
        # In another form it is kept whole, so that nothing is read into it.
    return compact[:LONGEST_NUMBER] if any(sign.isdigit() for sign in compact) else ""


def masked(number: str) -> str:
    """A document's number as others may see it: its last three signs, never more than half of it."""
    shown = min(3, len(number) // 2)
    return "•••" + number[len(number) - shown :] if shown else "•••"


@lru_cache(maxsize=50_000)
def words_of(name: str) -> tuple[str, ...]:
    """The words of a name in alphabetical order, without case, accents and particles (`ñ` is read as `n`)."""
    parts = re.split(r"[\W_]+", _folded(name).replace("'", ""))
    kept = sorted(part for part in parts if part and part not in _PARTICLES)
    return tuple(kept or sorted(part for part in parts if part))


def name_key(name: str) -> str:
    """A name by which two are the same."""
    return " ".join(words_of(name))


def name_score(one: str, other: str) -> int:
    """How alike two names are, out of 100; one that lacks words of the other (a second surname, a middle
    name) is as good as the same while two words are left, as people here bear four and write two or three."""
    a, b = words_of(one), words_of(other)
    if not a or not b:
        return 0
    fewer, more = sorted((a, b), key=len)
    if len(fewer) >= 2 and set(fewer) <= set(more):
        return 100
    score = fuzz.ratio(" ".join(a), " ".join(b))
    if len(fewer) >= 2 and len(fewer) < len(more):
        score = max(score, _best_words(fewer, more))
    return int(score)


def _best_words(fewer: tuple[str, ...], more: tuple[str, ...]) -> float:
    """The least alike of the words of the shorter name, each beside its best of the other."""
    return min(max(fuzz.ratio(word, other) for other in more) for word in fewer)


def compare(one: Person, other: Person) -> Likeness | None:
    """How alike two people are; None: nothing says they are one.

    - the same document is the person, whatever the names say
    - the same number as another kind or country's, or without its complement, is likely the person where one
      has no name to compare
    - the same name and birth date is likely the person, though documents differ
    - a similar name is, with the birth date or a slip away from it (day and month swapped, one figure); where
      one has no birth date, unless both have documents of one kind that differ by more than a slip
    - a document that differs by one slip, or that says the same number, is, with a similar name
    """
    if one.document and one.document == other.document:
        return Likeness(How.DOCUMENT, 100)
    if not words_of(one.name) or not words_of(other.name):
        return Likeness(How.SIMILAR, 100) if _same_number(one.document, other.document) else None
    score = name_score(one.name, other.name)
    if score < SIMILAR:
        return None
    births = one.birth_date, other.birth_date
    if births[0] is not None and births[0] == births[1]:
        return Likeness(How.NAME_BIRTH if score == 100 else How.SIMILAR, score)
    near = _near_documents(one.document, other.document)
    if near:
        return Likeness(How.SIMILAR, score)
    if births[0] is not None and births[1] is not None:
        return Likeness(How.SIMILAR, score) if _near_dates(births[0], births[1]) else None
    return Likeness(How.SIMILAR, score) if near is None else None


def _near_documents(one: Document | None, other: Document | None) -> bool | None:
    """Whether two documents are a slip of the pen apart; None where they cannot be compared."""
    if _same_number(one, other):
        return True
    if not one or not other or (one.type, one.country) != (other.type, other.country):
        return None
    return DamerauLevenshtein.distance(one.number, other.number) <= NEAR_DIGITS


def _same_number(one: Document | None, other: Document | None) -> bool:
    """Whether two documents say one number: as another kind or another country's, or one without its
    complement."""
    if not one or not other:
        return False
    bare = [document.number.partition("-") for document in (one, other)]
    return bare[0][0] == bare[1][0] and (bare[0][2] == bare[1][2] or "" in (bare[0][2], bare[1][2]))


def _near_dates(one: dt.date, other: dt.date) -> bool:
    if (one.year, one.month, one.day) == (other.year, other.day, other.month):
        return True
    return sum(a != b for a, b in zip(f"{one:%Y%m%d}", f"{other:%Y%m%d}", strict=True)) == 1


def age_on(birth_date: dt.date, day: dt.date) -> int:
    """Whole years lived on a day. Who was born on 29 February completes a year on 1 March of a year without
    one: on 28 February the year is not over yet."""
    had = (day.month, day.day) >= (birth_date.month, birth_date.day)
    return day.year - birth_date.year - (not had)


def initials(name: str) -> str:
    """What a known player is called on the felt: the initials of the first three words that count."""
    parts = [part for part in re.split(r"[\s\-]+", name.strip()) if _folded(part) not in _PARTICLES]
    return "".join(f"{part[0].upper()}." for part in parts[:3] if part[0].isalpha()) or "—"


def _folded(text: str) -> str:
    """Capitals without accents; letters of other alphabets stay what they are."""
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(sign for sign in decomposed if not unicodedata.combining(sign)).upper()
