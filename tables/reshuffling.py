"""The same cards again at the same table: shuffled for another shoe, given back to the machine, or, where a
shoe ran out in the middle of a round, shuffled and cut to finish it.
"""

from __future__ import annotations

import json

from audits.by import By
from casino.kernel.commands import command
from casino.kernel.errors import Conflict
from casino.kernel.words import Text
from shoes import counting
from shoes.changing import renew_shoe
from shoes.models import Shoe, ShoeStep
from shoes.procedures import procedure_of
from tables import freezing, packs, policies, storing
from tables.cards_out import cards_out
from tables.discards import RETURNED, SHUFFLED, gathered_too_many
from tables.holding import Held, lock_session, move_on
from tables.models import Round, TableSession
from tables.noting import note, told_of


@command(policies.LOAD_SHOE)
def reshuffle(*, session: TableSession, by: By) -> Shoe:
    """Take the shoe out of play to shuffle and cut its cards again at the table (CARD-20, CARD-39); returns
    the new shoe, which is prepared like any other from the shuffle on, and then loaded.

    Meanwhile the table has no shoe. Needs a reason while the stop card has not come out. Raises `Conflict`:
    `no_shoe`, `round_open`, `table_frozen`, `no_stop_card` for a pack without one, and as
    `shoes.changing.renew_shoe`.
    """
    held = lock_session(session, by)
    session = held.session
    freezing.require_free(session)
    old = _between_rounds(held)
    packs.require_stop_card(old)
    new = renew_shoe(shoe=old, by=by)
    storing.give_up_empty(held, by)
    session.shoe = None
    move_on(session, by)
    session.save(update_fields=["shoe", "last_at"])
    told = {
        "shoe": "",
        "before": old.label,
        "before_event": told_of(new.renews),
        "next": new.label,
        "shoe_event": told_of(new),
    }
    note("tables.session.reshuffled", session, by, told, [procedure_of(session.game).stop_rule])
    return new


def being_shuffled(session: TableSession) -> Shoe | None:
    """The shoe that the cards of a table without one are being prepared for again, if any."""
    if session.shoe_id is not None:
        return None
    rows = Shoe.objects.filter(casino=session.casino_id, renews__played_table=session.table.name)
    return rows.exclude(state__in=[Shoe.State.IN_PLAY, Shoe.State.ENDED]).order_by("-number").first()


@command(policies.LOG_ROUND)
def return_discards(*, session: TableSession, by: By) -> TableSession:
    """Put the cards gathered in the discard holder back into the machine that serves as shoe (CARD-34), or
    shuffle and cut them into a shoe that ran out in the middle of a round.

    From then on they can come again. More than the holder may gather is flagged, not refused. Raises
    `Conflict`: `no_shoe`, `round_open`, `no_machine`, `discards_empty`, `table_frozen`; of a shoe that ran
    out `stop_card_unseen`.
    """
    held = lock_session(session, by)
    session = held.session
    freezing.require_free(session)
    if (empty := _ran_out(held)) is not None:
        return _shuffle_discards(held, empty, by)
    shoe = _between_rounds(held)
    procedure = procedure_of(shoe.game, shoe.method)
    if not procedure.holder_most:
        raise Conflict(
            Text(
                "los descartes sólo vuelven a una máquina que hace de sabot; aquí nada sale del descartador",
                "discards go back only into a machine that serves as shoe; here nothing leaves the holder",
            ),
            code="no_machine",
            rule="CARD-40",
        )
    if not shoe.discarded:
        raise Conflict(
            Text("el descartador está vacío", "the discard holder is empty"),
            code="discards_empty",
            rule=procedure.holder_rule,
        )
    gathered, (most, _) = shoe.discarded, gathered_too_many(shoe)
    counting.change(shoe, counting.returned(counting.count_of(shoe), _burned_faces(shoe)))
    storing.give_up_empty(held, by)
    move_on(session, by)
    session.save(update_fields=["last_at"])
    told = {
        "shoe": shoe.label,
        "round": session.last_round,
        "gathered": gathered,
        "most": procedure.holder_most,
        "flagged": bool(most),
    }
    note(RETURNED, session, by, told, ["CARD-33", procedure.holder_rule])
    return session


def _ran_out(held: Held) -> Shoe | None:
    """The shoe without a card left in the middle of a round, which is then finished and not void."""
    shoe, opened = held.shoe, storing.under_way(held.last_round_open)
    if shoe is None or opened is None or shoe.remaining or procedure_of(shoe.game, shoe.method).holder_most:
        return None
    return shoe


def _shuffle_discards(held: Held, shoe: Shoe, by: By) -> TableSession:
    """The discards of the rounds before, shuffled and cut behind the last card. The stop card was seen first,
    so that no other round is opened with them (CARD-38)."""
    session, opened, procedure = held.session, held.last_round_open, procedure_of(shoe.game, shoe.method)
    assert opened is not None
    if not shoe.stop_marked:
        raise Conflict(
            Text(
                "el sabot se quedó sin cartas: anote antes la carta de detención, que ya salió, y después"
                " baraje y corte los descartes para terminar el pase",
                "the shoe has no cards left: note first the stop card, which is out, and then shuffle and cut"
                " the discards to finish the round",
            ),
            code="stop_card_unseen",
            rule=procedure.stop_rule,
        )
    if not shoe.discarded:
        raise Conflict(
            Text(
                "no hay descartes que barajar y el pase no puede terminarse: abandónelo con su motivo",
                "there are no discards to shuffle, so the round cannot be finished: abandon it, saying why",
            ),
            code="discards_empty",
            rule=procedure.stop_rule,
        )
    gathered = shoe.discarded
    out = [*_burned_faces(shoe), *cards_out(opened.log).faces]
    counting.change(shoe, counting.shuffled_in(counting.count_of(shoe), out))
    move_on(session, by)
    session.save(update_fields=["last_at"])
    told = {
        "shoe": shoe.label,
        "round": opened.number - 1,
        "finishing": opened.number,
        "gathered": gathered,
    }
    note(SHUFFLED, session, by, told, [procedure.stop_rule, "CARD-42"])
    return session


def _between_rounds(held: Held) -> Shoe:
    """The shoe of a table that stands between two rounds."""
    if held.shoe is None:
        raise packs.no_shoe()
    if storing.under_way(held.last_round_open) is not None:
        raise Conflict(
            Text("termine antes el pase en curso", "finish the round in progress first"),
            code="round_open",
            rule=procedure_of(held.shoe.game, held.shoe.method).stop_rule,
        )
    return held.shoe


def _burned_faces(shoe: Shoe) -> list[str]:
    """The faces that stay out of the pack: seen at the burn, or exposed by mistake and burned (CARD-41)."""
    steps = ShoeStep.objects.filter(shoe=shoe, data__has_key="known").values_list("data", flat=True)
    known = [card for data in steps for card in data["known"]]
    noted = Round.objects.filter(shoe=shoe, log__contains=[{"e": "note"}]).select_related("void_event")
    return known + [card for each in noted if _happened(each) for card in cards_out(each.log).exposed]


def _happened(round: Round) -> bool:
    """Whether a round's cards were ever out: those of one logged twice were not (`tables.rounds.void`)."""
    if round.void_event is None or round.settlement is None:
        return True
    return bool(json.loads(bytes(round.void_event.body))["data"]["cards_came_out"])
