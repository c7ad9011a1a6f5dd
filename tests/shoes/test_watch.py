"""What the detectors are asked about a shoe, how rare their answers must be, and who is told what."""

from __future__ import annotations

from typing import Any

import pytest

from audits.by import By, by_system
from audits.models import Incident
from casino.kernel.errors import NotAllowed
from casino.kernel.permissions import Role
from casino.kernel.words import Text
from casino.models import Casino
from shoes import suspecting, watch
from shoes.cards import COVERED, FRENCH52
from shoes.detecting import order, regularity, repeats
from shoes.detecting.finding import Finding
from shoes.models import Shoe, ShoeAlert
from shoes.procedures import MACHINE_SHOE, games_with_procedure
from shoes.shoes import add_decks, end_shoe, put_in_play, start_shoe
from tests.shoes import builders

WORDS = Text("palabras", "words")


def pack(game: str = "baccarat.mini", decks: int = 6, method: str = "") -> Shoe:
    """A shoe as far as the detectors look at one; not stored."""
    total = 52 * decks
    return Shoe(
        number=7,
        game=game,
        deck_type="french52",
        decks_wanted=decks,
        method=method,
        total=total,
        remaining=total,
    )


def assigned(casino: Casino, chief: By, table: str, *, device: str = "SB-7", decks: list[str]) -> Shoe:
    """A shoe in a numbered box, prepared and put in play at a table."""
    shoe = start_shoe(game="poker.texas", device=device, by=chief)
    shoe = add_decks(shoe=shoe, serials=decks, by=chief)
    for step, data in (
        ("show", {}),
        ("shuffle", {"kind": "suggested"}),
        ("check", {"sequences": "none"}),
        ("cut", {"declined": [], "cut_by": 1, "position": 20}),
    ):
        shoe = builders.signed(shoe, step, data, chief)
    return put_in_play(shoe=shoe, table_label=table, game=shoe.game, by=chief)


@pytest.fixture
def ten_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    class Floor:
        def table_names(self, casino: Casino, game: str = "") -> list[str]:
            assert game == "poker.texas"
            return [f"TX-{number:02d}" for number in range(1, 11)]

    monkeypatch.setattr(suspecting, "floor", Floor)


@pytest.mark.rule("CARD-46")
def test_a_box_that_goes_to_one_table_again_and_again_is_told(
    casino: Casino, chief: By, ten_tables: None
) -> None:
    found: list[Finding | None] = []
    for deck in builders.inspected_decks(casino, chief, 6):
        shoe = assigned(casino, chief, "TX-03", decks=[deck.serial])
        found.append(suspecting.regular(shoe))
        end_shoe(shoe=shoe, by=chief, reason="fin de la prueba")
    # Five things are asked each time. Four repetitions among ten tables: 5 · 10⁻⁴, five of them: 5 · 10⁻⁵.
    assert found[:5] == [None] * 5
    finding = found[5]
    assert finding is not None and finding.detector == regularity.CODE and finding.p <= 1e-4
    alert = watch.raise_alert(shoe=shoe, finding=finding, by=by_system(casino, watch.JOB))
    assert alert.incident is None and not Incident.objects.exists()
    assert watch.rules_of(shoe, finding) == ["CARD-46"]


@pytest.mark.rule("CARD-46")
def test_boxes_are_told_apart_and_one_without_a_number_is_not_asked(
    casino: Casino, chief: By, ten_tables: None
) -> None:
    shoes = []
    for number, deck in enumerate(builders.inspected_decks(casino, chief, 6)):
        device = "" if number == 5 else f"SB-{number % 2}"
        shoes.append(assigned(casino, chief, "TX-03", device=device, decks=[deck.serial]))
        end_shoe(shoe=shoes[-1], by=chief, reason="fin de la prueba")
    assert [suspecting.regular(shoe) for shoe in shoes] == [None] * 6


def test_nobody_but_the_watch_raises_an_alert(casino: Casino, chief: By) -> None:
    shoe = builders.shoe_in_play(casino, chief)
    finding = Finding(order.CODE, 1e-6, WORDS)
    for role in Role:
        if role is not Role.SYSTEM:
            with pytest.raises(NotAllowed):
                watch.raise_alert(shoe=shoe, finding=finding, by=builders.a_person(casino, role))
    assert not ShoeAlert.objects.exists()
    alert = watch.raise_alert(shoe=shoe, finding=finding, by=by_system(casino, watch.JOB))
    assert watch.raise_alert(shoe=shoe, finding=finding, by=by_system(casino, watch.JOB)) == alert
    assert Incident.objects.get() == alert.incident


@pytest.mark.rule("CARD-45")
def test_the_decks_of_a_shoe_in_a_known_order_are_kept_as_they_are(casino: Casino, chief: By) -> None:
    shoe = builders.shoe_in_play(casino, chief)
    finding = Finding(repeats.CODE, 1e-6, WORDS)
    alert = watch.raise_alert(shoe=shoe, finding=finding, by=by_system(casino, watch.JOB))
    end_shoe(shoe=shoe, by=chief, reason="aviso de la vigilancia")
    moves = [deck.moves.order_by("-seq")[0] for deck in casino.decks.filter(moves__shoe=shoe).distinct()]
    assert len(moves) == 8
    assert {(move.state, move.incident) for move in moves} == {("held", alert.incident)}


@pytest.mark.rule("CARD-45")
def test_an_order_found_out_after_the_shoe_ended_holds_its_decks_too(casino: Casino, chief: By) -> None:
    shoe = end_shoe(shoe=builders.shoe_in_play(casino, chief), by=chief, reason="fin")
    finding = Finding(repeats.CODE, 1e-6, WORDS)
    alert = watch.raise_alert(shoe=shoe, finding=finding, by=by_system(casino, watch.JOB))
    assert alert.incident is not None
    assert set(casino.decks.values_list("state", "incident")) == {("held", alert.incident.pk)}
    # They are still counted with their shoe, and stay where they are (CARD-43).
    builders.counted(shoe, chief)
    assert set(casino.decks.values_list("state", flat=True)) == {"held"}
    assert builders.faults(casino) == []


SHUFFLE_RULES = {
    "baccarat": "CARD-22",
    "blackjack": "CARD-16",
    "trente": "CARD-19",
    "poker": "CARD-17",
}


@pytest.mark.rule("CARD-16", "CARD-17", "CARD-19", "CARD-22")
@pytest.mark.parametrize("game", sorted(games_with_procedure()))
def test_an_order_breaks_the_shuffle_rule_of_its_game(game: str) -> None:
    # The Clasificador prescribes no shuffle for these two; what holds everywhere is CARD-46.
    outside = {"blackjack.online", "siete.medio"}
    rule = "CARD-46" if game in outside else SHUFFLE_RULES[game.split(".")[0]]
    for code in (order.CODE, repeats.CODE, repeats.CODE_INSIDE):
        assert watch.rules_of(pack(game), Finding(code, 1e-6, WORDS)) == [rule, "GEN-10"]


def test_a_finding_is_as_rare_for_a_pack_of_many_shuffles_as_for_one(monkeypatch: pytest.MonkeyPatch) -> None:
    told = Finding(order.CODE, 1e-6, WORDS)
    monkeypatch.setattr(order, "factory_order", lambda rounds, deck_type, decks: told)
    rounds = [["2c"]]
    assert suspecting.ordered(pack(), rounds, reshuffles=False) == told
    # A machine deals its pack 32 times: 3.2 · 10⁻⁵ is still below once in 10,000.
    in_machine = suspecting.ordered(pack("blackjack.classic", method=MACHINE_SHOE), rounds, reshuffles=False)
    assert in_machine is not None and in_machine.p == pytest.approx(3.2e-5)
    # A pack shuffled a thousand times shows the like with 10⁻³.
    assert suspecting.ordered(pack("poker.texas", 1), rounds, reshuffles=True) is None


@pytest.mark.parametrize(
    ("reshuffles", "asked"),
    [(False, [["2c"], ["3c"], ["4c"]]), (True, [["4c"]])],
    ids=["shoe", "shuffled after each round"],
)
def test_three_rounds_are_looked_at_or_one_shuffle(
    monkeypatch: pytest.MonkeyPatch, reshuffles: bool, asked: list[list[str]]
) -> None:
    seen: list[Any] = []
    monkeypatch.setattr(order, "factory_order", lambda rounds, deck_type, decks: seen.append(rounds))
    suspecting.ordered(pack(), [["As"], ["2c"], ["3c"], ["4c"]], reshuffles=reshuffles)
    assert seen == [asked]


@pytest.mark.parametrize(
    ("shoe", "reshuffles", "expected"),
    [
        # A quarter of 312 is 78.
        (pack(), False, [(77, 78), (77, 83), (155, 156)]),
        (pack("poker.texas", 1), True, []),
        (pack("blackjack.classic", method=MACHINE_SHOE), False, []),
    ],
    ids=["shoe", "pack", "machine"],
)
def test_the_distribution_is_asked_at_quarters_of_what_is_dealt_out_once(
    shoe: Shoe, reshuffles: bool, expected: list[tuple[int, int]]
) -> None:
    steps = [(70, 77), (77, 78), (77, 83), (78, 83), (155, 156)]
    found = [step for step in steps if suspecting.is_checkpoint(shoe, *step, reshuffles=reshuffles)]
    assert found == expected


@pytest.mark.rule("CARD-17")
@pytest.mark.django_db
def test_a_pack_dealt_again_in_the_order_of_an_earlier_round_is_found(casino: Casino) -> None:
    deck, other = list(FRENCH52.cards), list(FRENCH52.cards[::-5]) + list(FRENCH52.cards[::4])
    shoe = pack("poker.texas", 1)
    shoe.casino = casino
    again = [deck[20:30], other[:10], [COVERED, *deck[21:29]]]
    (finding,) = suspecting.repeated(shoe, again, reshuffles=True)
    # Two packs of 52: 2 · 45² places · 1/(52·51·…·45) = 4,050/3.03·10¹³, for each of 499,500 pairs: 6.7·10⁻⁵.
    assert finding.detector == repeats.CODE_INSIDE
    assert finding.p == pytest.approx(4_050 / (52 * 51 * 50 * 49 * 48 * 47 * 46 * 45) * 499_500)
    assert finding.facts["shoe"] == f"{shoe.label} · 1"
    backwards = [deck[20:30], other[:10], deck[29:19:-1]]
    assert [f.facts["backwards"] for f in suspecting.repeated(shoe, backwards, reshuffles=True)] == [True]
    # Seven faces of one round and one of the next are no run: the pack was shuffled between them.
    apart = [deck[20:30], deck[0:7], deck[7:14]]
    assert suspecting.repeated(shoe, apart, reshuffles=True) == []
    assert suspecting.runs_of(shoe, apart, reshuffles=True) == repeats.grams(deck[20:30])


@pytest.mark.parametrize(
    ("p", "said"),
    [
        (1e-4, "a lo más una vez en 10.000"),
        (1e-10, "menos de una vez en mil millones"),
        (0.0, "menos de una"),
    ],
)
def test_how_rare_it_is_is_said_for_people(p: float, said: str) -> None:
    assert watch.rarity(p).es.startswith(said)


def test_every_detector_has_a_name() -> None:
    assert all(words.es and words.en for words in watch.DETECTORS.values())
    assert watch.named("unheard-of").es == "unheard-of"
