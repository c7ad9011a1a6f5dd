"""The steps of every game by every method, walked by careful people; out of their order, refused."""

from __future__ import annotations

from typing import Any

import pytest

from casino.kernel import rulebook
from casino.kernel.errors import Conflict, Refused, RuleViolation
from casino.kernel.permissions import Role
from shoes.ordering import REMOVE, Procedure, Step, is_renewed, require_signer
from shoes.procedures import PROCEDURES, procedure_of
from shoes.steps import Pack
from tests.shoes.answers import WAYS, answer, walk, whole

SIX = Pack("french52", 6, 6)
FIVE_OF_SIX = Pack("french52", 5, 6)

# The order of the book: CARD-09/14, -10/14, -11, -16/17/19/22, -20/23/30, -26/28, -27/29/32/33, -35/36/37.
ORDERS = {
    "baccarat": "decks show wash shuffle check cut turn load burn",
    "blackjack": "decks show wash shuffle check cut turn load burn",
    "trente": "decks show expose shuffle check cut load burn",
    "poker": "decks show shuffle check cut",
    "siete": "decks show shuffle check cut",
    "blackjack.online": "decks show shuffle check cut",
}


def order_of(game: str) -> list[str]:
    return (ORDERS.get(game) or ORDERS[game.split(".")[0]]).split()


def step_of(game: str, code: str, method: str = "") -> Step:
    return next(step for step in procedure_of(game, method).steps if step.code == code)


@pytest.mark.rule("CARD-09", "CARD-14", "CARD-16", "CARD-19", "CARD-20", "CARD-22", "CARD-26", "CARD-28")
@pytest.mark.parametrize(("game", "method"), WAYS)
def test_careful_people_walk_through_every_preparation(game: str, method: str) -> None:
    procedure = procedure_of(game, method)
    states, codes = [], []
    for done, step, pack in walk(procedure):
        taken, told = procedure.admit(pack, done, step.code, answer(step, pack, procedure))
        assert taken is step
        assert told["serials"] if step.code == "decks" else "serials" not in told
        states.append(step.state)
        codes.append(step.code)
    assert codes == order_of(game)
    # A shoe only goes forward: assembling, shuffled, cut, loaded, ready.
    line = ["assembling", "shuffled", "cut", "loaded", "ready"]
    assert [line.index(state) for state in states] == sorted(line.index(state) for state in states)
    assert states[-1] == "ready"


@pytest.mark.rule("CARD-09", "CARD-11", "CARD-14", "CARD-19", "CARD-20", "CARD-26", "CARD-28", "CARD-29")
@pytest.mark.parametrize(("game", "method"), WAYS)
def test_at_every_position_only_the_step_due_is_taken(game: str, method: str) -> None:
    """All but the one that is due (and the wash or shuffle just done, again) are refused, naming it."""
    procedure = procedure_of(game, method)
    for done, due, pack in walk(procedure):
        again = done[-1:] if done[-1:] and done[-1] in {"wash", "shuffle"} else ()
        for given in (*order_of(game), REMOVE, "nonsense"):
            if given in {due.code, *again}:
                continue
            with pytest.raises(Conflict) as refusal:
                procedure.admit(pack, done, given, {})
            assert (refusal.value.code, refusal.value.status) == ("step_out_of_order", 409)
            assert refusal.value.detail == {"expected": due.code, "given": given}
            assert refusal.value.rule == due.rules[0]
            assert rulebook.rule(refusal.value.rule).holds_for(game)


@pytest.mark.parametrize(("game", "method"), WAYS)
def test_a_prepared_shoe_takes_no_step(game: str, method: str) -> None:
    procedure = procedure_of(game, method)
    for given in (*order_of(game), "nonsense"):
        with pytest.raises(Conflict) as refusal:
            procedure.admit(whole(procedure), order_of(game), given, {})
        assert (refusal.value.code, refusal.value.detail["expected"]) == ("step_out_of_order", "")


@pytest.mark.rule("CARD-05", "CARD-06", "CARD-07", "CARD-09", "CARD-14")
@pytest.mark.parametrize("game", [game for game in PROCEDURES if PROCEDURES[game].decks_default > 1])
def test_nothing_is_shown_of_a_pack_that_lacks_a_deck(game: str) -> None:
    with pytest.raises(Conflict) as refusal:
        procedure_of(game).admit(FIVE_OF_SIX, ["decks"], "show", {})
    assert refusal.value.detail["expected"] == "decks"
    assert refusal.value.rule == procedure_of(game).decks_rule


@pytest.mark.rule("CARD-09", "CARD-14", "CARD-15")
def test_that_the_decks_are_complete_is_asked_before_anything_else() -> None:
    for game in PROCEDURES:
        first = procedure_of(game).steps[0]
        wanted = {"CARD-04", "CARD-15"}
        wanted |= {rule for rule in ("CARD-09", "CARD-14") if rulebook.rule(rule).holds_for(game)}
        assert first.code == "decks" and wanted <= set(first.rules), game


@pytest.mark.rule("CARD-31")
def test_the_cut_of_trente_is_made_in_plain_view() -> None:
    """Sabot cannot see a hand: the step says it, cites the rule, and cannot be left out."""
    cut = step_of("trente.classic", "cut")
    assert "CARD-31" in cut.rules
    assert "a la vista" in cut.words.es and "in plain view" in cut.words.en
    with pytest.raises(Conflict):
        procedure_of("trente.classic").admit(SIX, order_of("trente.classic")[:5], "load", {})


@pytest.mark.rule("CARD-19")
def test_trente_is_shuffled_double_or_triple() -> None:
    with pytest.raises(RuleViolation) as refusal:
        procedure_of("trente.classic").admit(SIX, ["decks", "show", "expose"], "shuffle", {"kind": "glance"})
    assert (refusal.value.rule, refusal.value.field) == ("CARD-19", "kind")


@pytest.mark.rule("CARD-05", "CARD-25", "CARD-27", "CARD-35")
@pytest.mark.parametrize("game", [game for game in PROCEDURES if rulebook.rule("CARD-05").holds_for(game)])
@pytest.mark.parametrize(
    ("step", "wrong", "rule"),
    [
        # 312 cards: 51 above the cut, or 261 above it and so 51 below
        ("cut", {"position": 51}, "CARD-25"),
        ("cut", {"position": 261}, "CARD-25"),
        ("load", {"stop_card_from_end": 105}, "CARD-27"),
        ("load", {"stop_card_from_end": 51}, "CARD-27"),
        ("burn", {"burned": 0}, "CARD-35"),
        ("burn", {"burned": 2}, "CARD-35"),
        ("decks", {"serials": [f"N{place}" for place in range(7)]}, "CARD-05"),
    ],
)
def test_the_bad_values_of_black_jack_leave_it_where_it_was(
    game: str, step: str, wrong: dict[str, Any], rule: str
) -> None:
    procedure = procedure_of(game)
    done, due, pack = next(at for at in walk(procedure) if at[1].code == step)
    given = answer(due, pack, procedure)
    with pytest.raises(RuleViolation) as refusal:
        procedure.admit(pack, done, step, {**given, **wrong})
    assert (refusal.value.rule, refusal.value.field) == (rule, next(iter(wrong)))
    assert procedure.admit(pack, done, step, given)[0] is due


# ---- a chief looks at the shuffle ------------------------------------------------------------------

SHUFFLE_RULES = {"baccarat": "CARD-22", "blackjack": "CARD-16", "trente": "CARD-19", "poker": "CARD-17"}


@pytest.mark.rule("CARD-16", "CARD-17", "CARD-19", "CARD-22", "GEN-10")
@pytest.mark.parametrize(("game", "method"), WAYS)
def test_no_pack_is_cut_before_a_chief_looked_for_sequences(game: str, method: str) -> None:
    procedure, check = procedure_of(game, method), step_of(game, "check", method)
    rule = SHUFFLE_RULES.get(game.split(".")[0], "") if game != "blackjack.online" else ""
    assert "GEN-10" in check.rules and (not rule or check.rules[0] == rule)
    before = order_of(game)[: order_of(game).index("check")]
    with pytest.raises(Conflict) as refusal:
        procedure.admit(whole(procedure), before, "cut", {})
    assert refusal.value.detail["expected"] == "check"
    for unread in (None, "", "some", True, ["none"]):
        with pytest.raises(Refused) as misread:
            procedure.admit(whole(procedure), before, "check", {"sequences": unread})
        assert (misread.value.code, misread.value.field) == ("bad_step_data", "sequences")


@pytest.mark.rule("CARD-16", "CARD-19", "CARD-22")
@pytest.mark.parametrize(("game", "method"), WAYS)
def test_sequences_left_send_the_pack_back_to_be_shuffled_and_checked(game: str, method: str) -> None:
    procedure = procedure_of(game, method)
    pack, before = whole(procedure), order_of(game)[: order_of(game).index("shuffle")]
    done: list[tuple[str, dict[str, Any]]] = [(code, {}) for code in before]

    def expected() -> str:
        return procedure.next_steps(pack, procedure.since_restart(done))[0].code

    for _ in range(2):
        done += [("shuffle", {}), ("shuffle", {})]
        assert expected() == "check"
        done.append(("check", {"sequences": "found"}))
        assert procedure.since_restart(done) == tuple(before)
        assert expected() == "shuffle"
        with pytest.raises(Conflict) as refusal:
            procedure.admit(pack, procedure.since_restart(done), "check", {"sequences": "none"})
        assert refusal.value.detail["expected"] == "shuffle"
    done += [("shuffle", {}), ("check", {"sequences": "none"})]
    assert expected() == "cut"


CHECK = step_of("baccarat.mini", "check")
ONE, OTHER = 11, 12


@pytest.mark.rule("GEN-10")
@pytest.mark.parametrize("did", ["wash", "shuffle"])
@pytest.mark.parametrize("role", [Role.SUPERVISOR, Role.PIT_BOSS])
def test_nobody_checks_their_own_shuffle(did: str, role: Role) -> None:
    done = [("decks", OTHER), ("show", ONE), (did, ONE), ("shuffle", OTHER)]
    with pytest.raises(RuleViolation) as refusal:
        require_signer(CHECK, ONE, {role}, done)
    assert (refusal.value.rule, refusal.value.code) == ("GEN-10", "own_shuffle")
    require_signer(CHECK, 13, {role}, done)
    # One who shuffled before sequences were found still shuffled these cards; before decks left, others.
    with pytest.raises(RuleViolation):
        require_signer(CHECK, ONE, {role}, [*done, ("check", 13), ("shuffle", OTHER)])
    require_signer(CHECK, ONE, {role}, [*done, (REMOVE, ONE), ("decks", ONE), ("shuffle", OTHER)])


@pytest.mark.rule("GEN-10")
@pytest.mark.parametrize("role", [role for role in Role if role not in {Role.SUPERVISOR, Role.PIT_BOSS}])
def test_only_a_chief_checks_a_shuffle(role: Role) -> None:
    with pytest.raises(RuleViolation) as refusal:
        require_signer(CHECK, ONE, {role}, [("shuffle", OTHER)])
    assert (refusal.value.rule, refusal.value.code) == ("GEN-10", "not_qualified")
    assert "jefe de mesa o jefe de sala" in refusal.value.message.es
    require_signer(CHECK, ONE, {role, Role.SUPERVISOR}, [("shuffle", OTHER)])


@pytest.mark.parametrize(("game", "method"), WAYS)
def test_every_other_step_is_signed_by_whoever_prepares(game: str, method: str) -> None:
    for step in procedure_of(game, method).steps:
        if step.code != "check":
            require_signer(step, ONE, {Role.CROUPIER}, [("wash", ONE), ("shuffle", ONE)])


# ---- decks that leave, and cards shuffled again ----------------------------------------------------


@pytest.mark.rule("CARD-12", "CARD-13", "CARD-14", "CARD-10")
@pytest.mark.parametrize(("game", "method"), WAYS)
def test_a_deck_taken_out_starts_the_preparation_again(game: str, method: str) -> None:
    procedure, order = procedure_of(game, method), order_of(game)
    short = Pack(procedure.deck_type, procedure.decks_default - 1, procedure.decks_default)
    for at in range(1, len(order) + 1):
        done: list[tuple[str, dict[str, Any]]] = [(code, {}) for code in order[:at]]
        done.append((REMOVE, {"removed": ["N1"], "why": "marcada"}))
        assert procedure.since_restart(done) == ()
        assert [step.code for step in procedure.next_steps(short, ())] == ["decks"]
        done.append(("decks", {}))
        # The cards are all shown again, those that stayed and the one that came.
        assert procedure.next_steps(whole(procedure), procedure.since_restart(done))[0].code == "show"
    for rule in ("CARD-12", "CARD-13", "CARD-14"):
        assert rulebook.rule(rule).holds_for(game) == (rule in procedure.removal.rules)


def test_what_leaves_and_why_is_asked() -> None:
    procedure = procedure_of("poker.draw")
    given = {"removed": [" N1 "], "why": " una carta doblada "}
    step, told = procedure.admit_removal(Pack("french52", 1, 1), given)
    assert (step.code, told) == (REMOVE, {"removed": ["N1"], "why": "una carta doblada"})
    for field, wrong in (("removed", []), ("removed", ["N1", "N1"]), ("why", ""), ("why", 7), ("more", 1)):
        with pytest.raises(Refused) as refusal:
            procedure.admit_removal(Pack("french52", 1, 1), {**given, field: wrong})
        assert (refusal.value.code, refusal.value.field) == ("bad_step_data", field)


@pytest.mark.rule("CARD-20", "CARD-39")
@pytest.mark.parametrize(("game", "method"), WAYS)
def test_the_same_cards_shuffled_again_are_not_shown_again(game: str, method: str) -> None:
    """Only new cards are presented and left to be examined; shuffle, check and cut are never spared."""
    procedure = procedure_of(game, method)
    again = [step.code for _, step, _ in walk(procedure, renewed=True)]
    assert again == [code for code in order_of(game) if code not in {"show", "expose"}]
    with pytest.raises(Conflict) as refusal:
        procedure.admit(whole(procedure), ["decks"], "show", {}, renewed=True)
    assert refusal.value.detail["expected"] == again[1]
    assert procedure.admit(whole(procedure), ["decks"], again[1], _of(procedure, again[1]), renewed=True)


def _of(procedure: Procedure, code: str) -> dict[str, Any]:
    step = next(step for step in procedure.steps if step.code == code)
    return answer(step, whole(procedure), procedure)


@pytest.mark.rule("CARD-13")
def test_cards_are_the_same_ones_until_one_is_changed() -> None:
    renewed: list[tuple[str, dict[str, Any]]] = [("decks", {"serials": ["N1"], "renewed": "S-000012"})]
    assert is_renewed(renewed) and is_renewed([*renewed, ("shuffle", {})])
    assert not is_renewed([*renewed, (REMOVE, {"removed": ["N1"]}), ("decks", {"serials": ["N2"]})])
    assert not is_renewed([]) and not is_renewed([("decks", {"serials": ["N1"]})])


@pytest.mark.rule("CARD-21")
def test_poker_against_the_house_is_shuffled_after_each_round() -> None:
    for game in PROCEDURES:
        wanted = "CARD-21" if rulebook.rule("CARD-21").holds_for(game) else ""
        assert procedure_of(game).shuffles_after_each_round == wanted, game
