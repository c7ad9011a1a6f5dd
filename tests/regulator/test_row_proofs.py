"""One row, one event, proven alone: the file, the command, the page."""

from __future__ import annotations

import copy
import datetime as dt
import json
import random
import re

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from audits import personal, trail, vocabulary
from audits.bundles import row_proof
from audits.models import Event
from audits.reports import get
from casino.kernel import clock
from casino.kernel.errors import Refused
from casino.kernel.permissions import Role
from tests.regulator.tampering import canonical, verified
from tests.regulator.test_hostile import BAD_JSON, RLO, spoiled

pytestmark = pytest.mark.rule("REC-06")


_made: list[dict] = []


@pytest.fixture
def proof(request, db, settings):
    """The proof of the first round's event; made once, for it is plain data."""
    if not _made:
        _made.append(_proof(request.getfixturevalue("nights")))
    return copy.deepcopy(_made[0])


def _proof(nights):
    found = Event.objects.filter(action="tables.round.settled").select_related("casino", "stream").first()
    return row_proof.of_events(found.casino, [found])


def check(tmp_path, proof, *options):
    path = tmp_path / "prueba.json"
    path.write_bytes(proof if isinstance(proof, bytes) else canonical(proof) + b"\n")
    return verified("row", path, *options)


def verified_row(path):
    """With the key that whoever made the proof knows, as if had elsewhere."""
    key = json.loads(path.read_bytes())["keys"][0]["public_key"]
    return verified("row", path, "--key", key)


def test_an_event_alone(proof, tmp_path):
    stream, seq = proof["events"][0]
    code, said = check(tmp_path, proof, "--key", proof["keys"][0]["public_key"])
    assert code == 0, said
    assert f"probado: {stream} #{seq}: tables.round.settled" in said


def test_it_is_told_in_words_and_in_the_houses_own_time(proof, tmp_path):
    """22:00 in La Paz is 02:00 of the next day by the clock that is sealed (UTC-4)."""
    body = json.loads(proof["chains"][0]["bodies"][0])
    sealed = dt.datetime.fromisoformat(body["occurred"])
    local = f"{sealed - dt.timedelta(hours=4):%d/%m/%Y %H:%M:%S} (America/La_Paz) = {body['occurred']}"
    words = vocabulary.sentence(body["action"], body["subject"]["label"], body["data"])
    _, said = check(tmp_path, proof)
    assert local in said
    assert f"dice la casa: «{words.es}»" in said
    assert f"the house says: “{words.en}”" in check(tmp_path, proof, "--en")[1]


def test_words_that_turn_the_line_around_do_not(proof, tmp_path):
    proof["words"][0] = {"es": f"{RLO}otro", "en": "x"}
    _, said = check(tmp_path, proof)
    assert "\\u{202e}otro" in said and RLO not in said


def test_a_players_name_is_not_in_the_words(nights):
    """The chain holds a commitment, and the value can be erased: a file that is handed out cannot."""
    house = nights.house
    event = trail.record(
        "jackpots.prize.paid",
        stream="pool:1",
        subject=trail.Subject("prize", 1, "R-1"),
        by=house.by(Role.COMPLIANCE, clock.now()),
        data={"winner": personal.Personal("Ana Poma"), "amount": 100, "form": "cash"},
    )
    words = row_proof._words(event, 2)
    assert words == {"es": vocabulary.kinds()[event.action].es, "en": vocabulary.kinds()[event.action].en}
    assert "Ana" not in json.dumps(words)


def test_only_what_is_needed_is_in_it(proof):
    """No event before the one named, none after the first seal that covers it."""
    (chain,) = proof["chains"]
    assert chain["first"] == proof["events"][0][1] > 1
    assert chain["day"] == "2026-11-20"
    assert len(proof["seals"]) == 1


def test_with_the_first_key_had_elsewhere(proof, tmp_path):
    given = tmp_path / "llave"
    given.write_text(proof["keys"][0]["public_key"])
    code, said = check(tmp_path, proof, "--key", str(given))
    assert code == 0, said
    assert "SIN PROBAR" not in said
    given.write_text(Ed25519PrivateKey.generate().public_key().public_bytes_raw().hex())
    code, said = check(tmp_path, proof, "--key", str(given), "--en")
    assert code == 1
    assert "somebody else signed it" in said


def altered(proof, path, value):
    told = copy.deepcopy(proof)
    place = told
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value(place[path[-1]]) if callable(value) else value
    return told


FIRST = ("chains", 0)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ((*FIRST, "bodies", 0), lambda body: body.replace('"amount":1', '"amount":2', 1)),
        ((*FIRST, "bodies", -1), lambda body: body.replace("2026", "2025", 1)),
        ((*FIRST, "bodies"), lambda bodies: bodies[:-1]),
        ((*FIRST, "bodies"), lambda bodies: bodies[1:]),
        ((*FIRST, "previous"), "ab" * 32),
        ((*FIRST, "index"), lambda index: index + 1),
        ((*FIRST, "index"), 10**15),
        ((*FIRST, "path"), lambda steps: steps[1:]),
        ((*FIRST, "path"), lambda steps: [*steps, "00" * 32]),
        ((*FIRST, "path", 0), "cd" * 32),
        ((*FIRST, "day"), "2026-11-21"),
        ((*FIRST, "stream"), "settings"),
        (("seals", 0, "document"), lambda text: text.replace('"leaves":', '"leaves":1')),
        (("seals", 0, "signature"), "00" * 64),
        (("keys", 0, "signature"), "00" * 64),
        (("events", 0, 1), lambda seq: seq - 1),
        (("events", 0, 0), "session:999"),
        (("casino", "code"), "otro"),
    ],
)
def test_whatever_is_altered_is_found(proof, tmp_path, path, value):
    told = altered(proof, path, value)
    assert told != proof
    code, said = check(tmp_path, told)
    assert code == 1, said
    assert "FALLA" in said


@pytest.mark.parametrize("name", BAD_JSON)
def test_what_is_no_proof(tmp_path, name):
    code, said = check(tmp_path, BAD_JSON[name])
    assert code == 2
    assert "NO SE PUEDE LEER" in said


def test_values_made_into_something_else(proof, tmp_path):
    for seed in range(150):
        code, said = check(tmp_path, spoiled(copy.deepcopy(proof), random.Random(seed)))
        assert code in (1, 2, 3)
        assert "imposible (" not in said, (seed, said)
        assert RLO not in said


def test_an_event_after_the_last_seal_has_no_proof_yet(nights):
    found = Event.objects.filter(action="audits.day.sealed").select_related("casino").order_by("-seq").first()
    with pytest.raises(Refused) as caught:
        row_proof.of_events(found.casino, [found])
    assert (caught.value.code, caught.value.rule) == ("not_sealed_yet", "REC-06")


def test_a_row_that_names_nothing(nights):
    with pytest.raises(Refused) as caught:
        row_proof.of_events(nights.house.casino, [])
    assert caught.value.code == "nothing_named"


def test_events_of_several_chains_and_nights(nights, tmp_path):
    found = Event.objects.filter(action__in=("tables.round.settled", "tables.rules.published"))
    proof = row_proof.of_events(nights.house.casino, found.select_related("casino"))
    assert len(proof["chains"]) == 3 and len(proof["seals"]) == 2
    code, said = check(tmp_path, proof)
    assert code == 3, said
    assert "SIN PROBAR: keys.json: de quién es" in said
    assert said.count("probado:") == found.count()


# ---- the command


def test_the_command_writes_what_the_verifier_takes(nights, tmp_path, capsys):
    stream = Event.objects.filter(action="tables.round.settled").first().stream.name
    out = tmp_path / "p.json"
    call_command("prove_row", event=f"{stream}#3", out=str(out))
    code, said = verified_row(out)
    assert code == 0, said


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"event": "nada"},
        {"event": "session:1#99999"},
        {"event": "x#" + "9" * 30},
        {"report": "no.hay", "row": 1},
        {"report": "tables.results", "row": 1},
        {"report": "tables.results", "row": 999, "set": ["first=2026-11-20", "last=2026-11-20"]},
        {"report": "tables.results", "row": 1, "set": ["sin igual"]},
        {"event": "days#1", "casino": "nadie"},
        {"event": "days#1", "out": "/no/hay/tal/carpeta/p.json"},
    ],
)
def test_the_command_refuses_in_words(nights, asked):
    with pytest.raises(CommandError) as caught:
        call_command("prove_row", **asked)
    assert caught.value.returncode == 2


def test_a_row_there_is_not_names_the_tables_and_how_many_rows_each_has(nights):
    """One day, one game: the tables of house games have one row each, those of rings none."""
    day = str(nights.days[0])
    with pytest.raises(CommandError) as caught:
        call_command("prove_row", report="tables.results", row=3, set=[f"first={day}", f"last={day}"])
    said = str(caught.value)
    assert "la tabla house_days no tiene fila 3" in said
    assert "house_days 1, house_months 1" in said and "ring_days 0" in said


# ---- what the row says


def test_a_figure_that_was_altered_is_noticed_and_one_nobody_signs_is_not_proven(nights, tmp_path):
    """The seals bear out the events; the figure is what the house's signature is over."""
    given = {"first": nights.days[0], "last": nights.days[0]}
    proof = row_proof.of_row(get("tables.results"), nights.house.casino, given, 1)
    pinned = [word for key in proof["keys"] for word in ("--key", key["public_key"])]
    code, said = check(tmp_path, proof, *pinned)
    assert code == 0, said
    assert "la casa firma lo que dice la fila" in said
    forged = copy.deepcopy(proof)
    place = next(n for n, cell in enumerate(forged["row"]["cells"]) if re.fullmatch(r"-?\d+\.\d\d", cell))
    forged["row"]["cells"][place] = "2350.77"
    code, said = check(tmp_path, forged, *pinned)
    assert code == 1
    assert "row: la firma no es de esa llave o lo firmado cambió" in said
    code, said = check(tmp_path, {**forged, "signed": None}, *pinned)
    assert code == 3
    assert "lo que dice la fila no lo firma nadie" in said


# ---- the page


def client_of(nights, role):
    client = Client()
    client.force_login(nights.house.users[role])
    return client


def test_each_event_s_page_offers_its_proof(nights, tmp_path):
    found = Event.objects.filter(action="tables.round.settled").first()
    client = client_of(nights, Role.INSPECTOR)
    address = reverse("event-proof", args=[found.pk])
    assert address in client.get(reverse("event", args=[found.pk])).content.decode()
    response = client.get(address)
    assert response.status_code == 200
    assert response["Content-Disposition"] == f'attachment; filename="prueba-{found.pk}.json"'
    path = tmp_path / "p.json"
    path.write_bytes(response.content)
    code, said = verified_row(path)
    assert code == 0, said


def test_the_page_says_what_has_no_seal_yet(nights):
    found = Event.objects.filter(action="audits.day.sealed").order_by("-seq").first()
    response = client_of(nights, Role.COMPLIANCE).get(reverse("event-proof", args=[found.pk]))
    assert response.status_code == 422
    assert "aún no tiene sello" in response.content.decode()


def test_another_houses_event_is_not_there(nights):
    from tests.builders import a_house

    other = a_house()
    found = Event.objects.filter(casino=other.casino).first()
    response = client_of(nights, Role.INSPECTOR).get(reverse("event-proof", args=[found.pk]))
    assert response.status_code == 404
