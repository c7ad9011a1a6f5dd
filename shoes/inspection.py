"""What an inspection found, and whether the deck passes: worked out, never claimed. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from casino.kernel.errors import Refused, RuleViolation
from casino.kernel.words import Text
from shoes import cards
from shoes.cards import DeckType

MOST_FAULTS = 60


@dataclass(frozen=True, slots=True)
class Findings:
    """What two people found in one deck; cards are canonical."""

    counted: int
    by_suit_shown: bool
    backs_checked: bool
    missing: tuple[str, ...]
    extra: tuple[str, ...]
    marked: tuple[str, ...]
    foreign: tuple[str, ...] = ()
    damaged: tuple[str, ...] = ()
    suit_order: str = ""

    @property
    def suspect(self) -> bool:
        """Whether a card is missing, too many, marked or of another deck: an incident (CARD-43, REC-14)."""
        return bool(self.missing or self.extra or self.marked or self.foreign)

    @property
    def passed(self) -> bool:
        fault = self.suspect or self.damaged
        return not fault and self.by_suit_shown and self.backs_checked

    def as_dict(self) -> dict[str, Any]:
        return {
            "counted": self.counted,
            "by_suit_shown": self.by_suit_shown,
            "backs_checked": self.backs_checked,
            "missing": list(self.missing),
            "extra": list(self.extra),
            "marked": list(self.marked),
            "foreign": list(self.foreign),
            "damaged": list(self.damaged),
            "suit_order": self.suit_order,
        }


def examine(
    kind: DeckType,
    *,
    counted: int,
    by_suit_shown: bool,
    backs_checked: bool,
    missing: Sequence[str] = (),
    extra: Sequence[str] = (),
    marked: Sequence[str] = (),
    foreign: Sequence[str] = (),
    damaged: Sequence[str] = (),
    suit_order: str = "",
) -> Findings:
    """Read and check what was found.

    `extra` is a second card of the deck's own back, `foreign` one of another deck; both lie in it and are
    counted. `suit_order`: the letters of the suits as they were presented, "" where nobody noted it.
    Raises `Refused` for figures that contradict each other (`count_inconsistent`) or cards that
    cannot be so (`bad_inspection`, `unknown_card`), and `RuleViolation` CARD-14/CARD-15
    (`inspection_unfinished`) when no fault was found but the deck was not fully examined.
    """
    given = {"missing": missing, "extra": extra, "marked": marked, "damaged": damaged}
    faces = {name: _faces(kind, name, listed) for name, listed in given.items()}
    others = _foreign_faces(foreign)
    for spoiled in (faces["marked"], faces["damaged"]):
        _check_faces(kind, faces["missing"], faces["extra"], spoiled)
    _check_count(kind, counted, faces["missing"], (*faces["extra"], *others))
    findings = Findings(
        counted,
        bool(by_suit_shown),
        bool(backs_checked),
        foreign=others,
        suit_order=_suit_order(kind, suit_order),
        **faces,
    )
    if not (findings.suspect or findings.damaged):
        _check_finished(findings)
    return findings


def faces_of(kind: DeckType, fault: str, given: Sequence[str], *, field: str) -> tuple[str, ...]:
    """The canonical cards of one fault; refusals are about `field`. Raises as `examine`."""
    try:
        return _foreign_faces(given) if fault == "foreign" else _faces(kind, fault, given)
    except Refused as refusal:
        refusal.field = field
        raise


def _suit_order(kind: DeckType, given: str) -> str:
    """CARD-10: the suits in the order they were presented, each once."""
    order = "".join(str(given).split()).replace(",", "").lower()
    if order and sorted(order) != sorted(kind.suits):
        letters = ", ".join(kind.suits)
        raise _bad("suit_order", f"indique cada palo una vez: {letters}", f"give each suit once: {letters}")
    return order


def _foreign_faces(given: Sequence[str]) -> tuple[str, ...]:
    """Cards of another deck, which may be of another type."""
    if isinstance(given, str) or len(given) > MOST_FAULTS:
        raise _bad("foreign", "indique una lista de cartas", "give a list of cards")
    return tuple(sorted(_any_card(card) for card in given))


def _any_card(card: str) -> str:
    kinds = list(cards.DECK_TYPES.values())
    for kind in kinds[:-1]:
        try:
            return _faces(kind, "foreign", [card])[0]
        except Refused:
            continue
    return _faces(kinds[-1], "foreign", [card])[0]


def _faces(kind: DeckType, name: str, given: Sequence[str]) -> tuple[str, ...]:
    if isinstance(given, str) or len(given) > MOST_FAULTS:
        raise _bad(name, "indique una lista de cartas", "give a list of cards")
    faces = tuple(sorted(cards.parse(card, kind, field=name) for card in given))
    if any(map(cards.is_value_card, faces)):
        raise _bad(name, "indique valor y palo de cada carta", "give rank and suit of each card")
    return faces


def _check_faces(kind: DeckType, gone: Sequence[str], over: Sequence[str], spoiled: Sequence[str]) -> None:
    held = Counter(cards.composition(kind, 1))
    missing, extra = Counter(gone), Counter(over)
    if missing - held or missing & extra:
        raise _bad(
            "missing",
            "una carta falta una sola vez, y no falta y sobra a la vez",
            "a card is missing once only, and is not both missing and extra",
        )
    if Counter(spoiled) - (held - missing + extra):
        raise _bad(
            "marked",
            "sólo puede estar marcada o dañada una carta que está en la baraja",
            "only a card that is in the deck can be marked or damaged",
        )


def _check_count(kind: DeckType, counted: int, gone: Sequence[str], over: Sequence[str]) -> None:
    size = len(kind.cards)
    wanted = size - len(gone) + len(over)
    if isinstance(counted, bool) or not isinstance(counted, int) or counted != wanted:
        shown = str(counted)[:8]
        raise Refused(
            Text(
                f"se contaron {shown} cartas, pero {size} menos {len(gone)} que faltan más {len(over)}"
                f" que sobran son {wanted}; nombre cada carta que falta o sobra",
                f"{shown} cards were counted, but {size} less {len(gone)} missing plus {len(over)} extra"
                f" are {wanted}; name each missing or extra card",
            ),
            code="count_inconsistent",
            rule="CARD-14",
            field="counted",
            detail={"counted": shown, "wanted": wanted},
        )


def _check_finished(findings: Findings) -> None:
    if not findings.by_suit_shown:
        raise _unfinished(
            "CARD-14",
            "by_suit_shown",
            "presente la baraja cara arriba y por palos",
            "show the deck face up by suit",
        )
    if not findings.backs_checked:
        raise _unfinished("CARD-15", "backs_checked", "revise todos los reversos", "check all the backs")


def _unfinished(rule: str, field: str, es: str, en: str) -> RuleViolation:
    return RuleViolation(
        rule,
        Text(f"{es} antes de dar por apta la baraja", f"{en} before passing the deck"),
        code="inspection_unfinished",
        field=field,
    )


def _bad(field: str, es: str, en: str) -> Refused:
    return Refused(Text(es, en), code="bad_inspection", field=field)
