"""The numbers on closed boxes of decks: each of one box, once, and read before it is handed out (CARD-03)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from casino.kernel import texts
from casino.kernel.commands import explain_constraint
from casino.kernel.errors import Refused, RuleViolation
from casino.kernel.words import Text
from casino.models import Casino
from shoes.models import Deck, DeckMove
from shoes.saying import some

RULE = "CARD-03"


def checked(numbers: Sequence[str], *, field: str = "seals") -> list[str]:
    """Numbers of seals as people type them, each once. Raises `Refused` (`bad_deck`, `seal_taken`)."""
    read = [texts.line(number, field, 40, code="bad_deck", rule=RULE) for number in numbers]
    twice = [number for number, times in Counter(read).items() if times > 1]
    if twice:
        raise taken(some(twice), field=field)
    return read


def require_unused(casino: Casino, numbers: Sequence[str], *, field: str = "seals") -> None:
    """No box of the house bears these numbers or ever did. Raises `Refused` (`seal_taken`)."""
    used = DeckMove.objects.filter(casino=casino, seal__in=numbers).exclude(seal="")
    found = list(used.order_by("seal").values_list("seal", flat=True).distinct())
    if found:
        raise taken(some(found), field=field)


def require_read(deck: Deck, read: str) -> None:
    """What is read on a box was entered for it. Raises `RuleViolation` (`seal_broken`, `seal_mismatch`)."""
    if not deck.seal:
        raise RuleViolation(
            RULE,
            Text(
                f"la baraja {deck.serial} no tiene precinto; entregue otra, o precíntela antes entre dos",
                f"deck {deck.serial} bears no seal; take another, or seal it first before two people",
            ),
            {"serial": deck.serial},
            code="seal_broken",
            field="seals",
        )
    if read != deck.seal:
        raise RuleViolation(
            RULE,
            Text(
                f"el precinto leído en {deck.serial} es «{read[:40]}» y se registró «{deck.seal}»; no la"
                " entregue: póngala en cuarentena y use otra",
                f"the seal read on {deck.serial} is “{read[:40]}” and “{deck.seal}” was entered; do not issue"
                " it: put it in quarantine and take another",
            ),
            {"serial": deck.serial, "read": read[:40], "entered": deck.seal},
            code="seal_mismatch",
            field="seals",
        )


def taken(seals: str, *, field: str = "seals") -> Refused:
    return Refused(
        Text(
            f"cada precinto es de una sola baraja, una vez; ya se usó o se repite: {seals}",
            f"each seal is of one deck, once; used already or repeated: {seals}",
        ),
        code="seal_taken",
        rule=RULE,
        field=field,
    )


explain_constraint("one_deck_per_seal", lambda: taken("—"))
