"""Bundles asked for, made and handed out like any export; what they hold and what they refuse."""

from __future__ import annotations

import csv
import datetime as dt
import hashlib
import io
import json
import zipfile

import pytest
from django.db import connection

from audits import export_proofs, exports, tasks
from audits.bundles import chains, order, parts
from audits.models import Event, Export, ExportNames, SealKey
from audits.persons import naming
from audits.reports import EVENTS, Column, EventsOf, Kind, Report, document, formats, forms, get, registry
from audits.sealing import keys
from casino.kernel import clock, permissions
from casino.kernel.errors import NotAllowed, Refused
from casino.kernel.permissions import Role
from casino.kernel.words import Text
from tables import rounds
from tests.builders import NATURAL, NIGHT, bets
from tests.regulator.nights import NAME, _night
from tests.regulator.tampering import Bundle, proven

pytestmark = pytest.mark.rule("REC-06")


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
    monkeypatch.setattr(tasks.produce_export, "delay", lambda pk: None)


def ask(nights, role=Role.COMPLIANCE, format="zip", **params):
    asked = {"first": nights.days[0], "last": nights.days[-1], **params}
    by = nights.house.by(role, clock.now())
    return exports.request_export(
        report=order.IDENTIFIER, params=asked, format=format, language="es-bo", by=by
    )


def told_of(nights):
    kept = Event.objects.filter(
        casino=nights.house.casino, subject_type__in=["guest", "exclusion", "receipt"]
    )
    return sorted({f"{event.subject_type}:{event.subject_id}" for event in kept})


def opened(path):
    with zipfile.ZipFile(path) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def lines(data):
    return [json.loads(line) for line in data.splitlines()]


def test_from_the_order_to_a_verified_file(nights, settings, tmp_path):
    settings.FILES_ROOT = tmp_path
    export = exports.produce(ask(nights, reports=["tables.results"]).pk)
    assert (export.state, export.failure) == ("done", "")
    assert export.file_name == f"paquete-{nights.days[0]}-{nights.days[1]}.zip"
    # Whom its chains tell of is on record with it, and taking it is a look at them (REC-12).
    assert ExportNames.objects.get(export=export).named == told_of(nights)
    path = exports.path_of(export)
    assert hashlib.sha256(path.read_bytes()).hexdigest() == export.sha256
    code, said = proven(path)
    assert code == 0, said
    inspector = nights.house.by(Role.INSPECTOR, clock.now())
    with exports.open_file(export=export, by=inspector) as file:
        assert file.read(2) == b"PK"
    told = Event.objects.filter(subject_type="export", subject_id=export.pk).order_by("seq")
    assert [event.action.rpartition(".")[2] for event in told] == ["requested", "finished", "downloaded"]
    assert [fault.where for fault in export_proofs.all_faults(nights.house.casino)] == []


@pytest.mark.rule("REC-15")
def test_the_same_span_is_the_same_bytes_whoever_asks_and_when(nights, settings, tmp_path):
    settings.FILES_ROOT = tmp_path
    one = exports.produce(ask(nights, reports=["tables.results"]).pk)
    with clock.standing_at(clock.now() + dt.timedelta(days=3)):
        other = exports.produce(ask(nights, Role.INSPECTOR, reports=["tables.results"]).pk)
    assert one.sha256 == other.sha256
    assert one.params["through"] == nights.days[-1]  # said in the order, or a later seal would change it


@pytest.mark.parametrize(
    "role", [Role.CROUPIER, Role.SUPERVISOR, Role.PIT_BOSS, Role.CAGE, Role.ADMINISTRATOR]
)
def test_only_compliance_and_inspectors_ask(nights, role):
    with pytest.raises(NotAllowed):
        ask(nights, role)


def test_it_holds_only_reports_that_both_may_read_alone(nights):
    acts = permissions.acts()
    assert order.offered(nights.house.casino)
    for report in order.offered(nights.house.casino).values():
        assert {Role.COMPLIANCE, Role.INSPECTOR} <= acts[report.act]


def test_other_formats_and_other_reports_are_refused(nights):
    with pytest.raises(Refused) as caught:
        ask(nights, format="csv")
    assert (caught.value.code, caught.value.field) == ("bad_format", "format")
    with pytest.raises(Refused) as caught:
        ask(nights, reports=["audits.bundle"])
    assert (caught.value.code, caught.value.field) == ("bad_params", "reports")
    by = nights.house.by(Role.COMPLIANCE, clock.now())
    with pytest.raises(Refused) as caught:
        exports.request_export(
            report="tables.results",
            params={"first": nights.days[0], "last": nights.days[0]},
            format="zip",
            language="es-bo",
            by=by,
        )
    assert caught.value.code == "bad_format"


# ---- days


def test_a_day_without_a_seal_is_refused_with_what_to_do(nights):
    at = NIGHT + dt.timedelta(days=2)
    nights.house.open_table(detail="full", at=at, dealer=2, supervisor=1)
    with pytest.raises(Refused) as caught:
        ask(nights, last="2026-11-22")
    refusal = caught.value
    assert (refusal.code, refusal.rule, refusal.field) == ("days_not_sealed", "REC-06", "last")
    assert "2026-11-22" in refusal.message.es and "pida el paquete otra vez" in refusal.message.es
    assert "2026-11-22" in refusal.message.en
    assert ask(nights).state == "waiting"  # the sealed ones alone are not held up


def test_days_on_which_nothing_happened(nights):
    with pytest.raises(Refused) as caught:
        ask(nights, first="2026-10-01", last="2026-10-02")
    assert caught.value.code == "no_days"
    assert ask(nights, last="2026-11-30").state == "waiting"  # closed all week: nothing to seal


def test_a_span_back_to_front_or_a_seal_there_is_not(nights):
    for wrong in ({"first": "2026-11-21", "last": "2026-11-20"}, {"through": "2026-11-19"}, {"through": "x"}):
        with pytest.raises(Refused) as caught:
            ask(nights, **wrong)
        assert caught.value.code == "bad_params"


def test_the_second_night_alone(nights, tmp_path):
    """The leaves of the night before are in it: what moved is what differs from them."""
    path = nights.bundle(tmp_path, first=nights.days[1], reports=[])
    code, said = proven(path)
    assert code == 0, said
    files = opened(path)
    assert json.loads(files["manifest.json"])["base"] == nights.days[0]
    assert len(lines(files["seals.jsonl"])) == 2
    assert len(lines(files["rounds/rounds.jsonl"])) == 3


def test_the_first_night_with_chains_up_to_the_last_seal(nights, tmp_path):
    path = nights.bundle(tmp_path, last=nights.days[0], reports=[])
    files = opened(path)
    assert json.loads(files["manifest.json"])["through"] == nights.days[1]
    assert {row["day"] for row in lines(files["leaves.jsonl"])} == set(nights.days)
    code, said = proven(path)
    assert code == 0, said


@pytest.mark.rule("REC-06", "REC-07")
def test_a_round_voided_after_the_seal_is_good_in_what_was_sealed(nights, tmp_path):
    """A table of the next day plays on while the day before is sealed; its round is voided an hour later. The
    span's chains end before that: the same bytes as before, and nothing is missing in them."""
    house, evening = nights.house, NIGHT + dt.timedelta(days=2)
    morning = evening + dt.timedelta(hours=13)
    session = house.open_table(detail="full", at=morning, dealer=1, supervisor=1)
    round = house.log(session, [*bets((3, "punto", 100)), *NATURAL], at=morning)
    third = _night(house, evening, 2)
    before = nights.bundle(tmp_path, "antes.zip", first=third, last=third, reports=[])
    rounds.void(
        round=round,
        approved_by=house.users[Role.SUPERVISOR].actor,
        cards_came_out=True,
        by=house.by(Role.PIT_BOSS, evening + dt.timedelta(hours=15), "pase anotado dos veces"),
    )
    after = nights.bundle(tmp_path, "despues.zip", first=third, last=third, reports=[])
    code, said = proven(after)
    assert code == 0, said
    rows = {row["label"]: row for row in lines(opened(after)["rounds/rounds.jsonl"])}
    (told,) = [row for row in rows.values() if row["session"] == session.pk]
    assert (told["state"], told["void"]) == ("settled", None)
    for name in ("rounds/rounds.jsonl", "events/00001.jsonl", "ledger/transfers.jsonl"):
        assert opened(after)[name] == opened(before)[name]


def test_without_the_private_key_it_fails_in_words(nights, settings, tmp_path):
    settings.FILES_ROOT = tmp_path
    asked = ask(nights)
    for file in (tmp_path / "llaves").iterdir():
        file.unlink()
    export = exports.produce(asked.pk)
    assert export.state == "failed"
    assert "no está en SABOT_KEYS" in export.failure
    assert not list((tmp_path / "exports").glob("*.zip"))


# ---- what is in it


def test_bodies_are_the_stored_bytes(nights, tmp_path):
    files = opened(nights.bundle(tmp_path))
    stored = {bytes(body) for body in Event.objects.values_list("body", flat=True)}
    for line in files["events/00001.jsonl"].splitlines():
        assert line[82:-1] in stored


def test_chains_are_in_the_order_of_their_bytes(nights, tmp_path):
    files = opened(nights.bundle(tmp_path))
    names = [json.loads(line)["body"]["stream"].encode() for line in files["events/00001.jsonl"].splitlines()]
    assert names == sorted(names)


def test_the_csv_is_the_one_of_the_report_alone(nights, tmp_path):
    files = opened(nights.bundle(tmp_path))
    for told in json.loads(files["manifest.json"])["reports"]:
        report, casino = get(told["report"]), nights.house.casino
        made = document.prepare(report, casino, forms.read(report.form, casino, told["params"]), "es-bo")
        alone = tmp_path / "alone.csv"
        formats.WRITERS["csv"](made, alone, lambda rows: None)
        assert files[told["file"]] == alone.read_bytes()


def test_the_copied_code_is_all_that_settling_needs_and_no_more(nights, tmp_path):
    names = {name for name in opened(nights.bundle(tmp_path)) if name.startswith("code/")}
    assert {"code/tables/games/registry.py", "code/shoes/cards.py", "code/casino/kernel/money.py"} <= names
    assert not any("django" in name or name.startswith("code/audits") for name in names)


def test_code_that_needs_more_than_python_is_not_copied(monkeypatch):
    monkeypatch.setattr(parts, "_code", {"tables.rounds": None})
    with pytest.raises(ValueError, match="which no bundle can bring along"):
        parts.sources()


# ---- rows and the events they rest on


class Resting(Report):
    identifier = "audits.resting"
    title = Text("Filas con sus sucesos", "Rows with their events")
    act = "audits.report.make"
    named: dict = {}

    def columns(self, params):
        return [Column("who", Text("Quién", "Who")), Column("amount", Text("Monto", "Amount"), Kind.MONEY)]

    def rows(self, casino, params):
        for who, events in self.named.items():
            yield {"who": who, "amount": 1050, EVENTS: events}

    def totals(self, casino, params):
        return {"who": "Total", "amount": 1050 * len(self.named)}


@pytest.fixture
def resting(monkeypatch):
    monkeypatch.setattr(registry, "_reports", dict(registry._reports))
    monkeypatch.setattr(Resting, "named", {})
    registry.register(Resting)
    return Resting.named


def rows_of(path):
    return [row for row in lines(opened(path)["reports/001-audits-resting.rows.jsonl"]) if "cells" in row]


def test_rows_name_the_events_they_rest_on(nights, resting, tmp_path):
    stream = Event.objects.filter(action="tables.round.settled").first().stream.name
    seqs = sorted(
        Event.objects.filter(stream__name=stream, action="tables.round.settled").values_list("seq", flat=True)
    )
    resting["chain"] = EventsOf(streams=(stream,))
    resting["rounds"] = EventsOf(streams=(stream,), actions=("tables.round.settled",))
    resting["two"] = (EventsOf(streams=(stream,), seqs=(1,)), EventsOf(streams=("days",), seqs=(1,)))
    path = nights.bundle(tmp_path, reports=["audits.resting"])
    code, said = proven(path)
    assert code == 0, said
    assert "3 filas de reportes: 3 nombran sus sucesos" in said
    chain, some, two = rows_of(path)
    assert chain["events"] == [[stream, 1, Event.objects.filter(stream__name=stream).count()]]
    assert [seq for _, first, last in some["events"] for seq in range(first, last + 1)] == seqs
    assert two["events"] == [["days", 1, 1], [stream, 1, 1]]


def test_a_row_on_what_has_no_seal_yet_is_not_called_proven(nights, resting, tmp_path):
    resting["settings"] = EventsOf(streams=("settings",))
    resting["one"] = EventsOf(streams=("days",), seqs=(1,))
    nights.house.table(detail="full")
    path = nights.bundle(tmp_path, reports=["audits.resting"])
    assert [row["unsealed"] > 0 for row in rows_of(path)] == [True, False]
    code, said = proven(path)
    assert code == 3
    assert "SIN PROBAR: reports/001-audits-resting.rows.jsonl:3: se apoya además en" in said
    assert "sucesos que aún no tienen sello" in said
    assert "nada falso se halló, pero 1 punto(s) quedan sin probar" in said  # the CSV goes on beside it


def test_the_event_of_the_last_seal_itself_comes_after_it(nights, resting, tmp_path):
    """The signed seal, which is in the bundle, says the same: a row on it is not held up."""
    resting["seals"] = EventsOf(streams=("days",))
    path = nights.bundle(tmp_path, reports=["audits.resting"])
    assert rows_of(path)[0]["unsealed"] == 0
    code, said = proven(path)
    assert code == 0, said


def test_a_row_on_an_event_that_is_not_there(nights, resting, tmp_path):
    resting["chain"] = EventsOf(streams=("days",), seqs=(1,))
    private = keys.load(SealKey.objects.get(casino=nights.house.casino, until=None))
    made = Bundle(nights.bundle(tmp_path, reports=["audits.resting"]), private)

    def beyond(rows):
        rows[2]["events"] = [["days", 1, 99]]

    made.change_rows("reports/001-audits-resting.rows.jsonl", beyond).rehash().sign()
    code, said = made.verify("--no-rounds")
    assert code == 1
    assert "se apoya en sucesos que no están probados: days n.º 1 a 99" in said


def test_names_with_everything_in_them(nights, resting, tmp_path):
    """ñ, quotes, a mark that turns the line, formulas, line feeds: the CSV is safe, the rows are exact."""
    names = [
        NAME,
        "=1+1",
        "+591 2",
        "-5",
        "@SUM(A1)",
        "'=x",
        "''",
        "\tx",
        "a\rb",
        "a\r\nb\n",
        'di "jo", así',
        "",
    ]
    resting.update(dict.fromkeys(names, EventsOf(streams=("days",), seqs=(1,))))
    path = nights.bundle(tmp_path, reports=["audits.resting"])
    code, said = proven(path)
    assert code == 0, said
    assert [row["cells"][0] for row in rows_of(path)] == names
    text = opened(path)["reports/001-audits-resting.csv"].decode("utf-8-sig")
    shown = [row[0] for row in csv.reader(io.StringIO(text, newline=""))][1:-1]
    assert not [cell for cell in shown if cell.startswith(("=", "@", "\t"))]


def test_an_order_whose_days_are_not_sealed_any_more_fails_in_words(nights, settings, tmp_path):
    """Only who goes past the guards can do that; the worker says it and keeps nothing."""
    settings.FILES_ROOT = tmp_path
    asked = ask(nights)
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        Export.objects.filter(pk=asked.pk).update(params={**asked.params, "last": "2026-11-22"})
        cursor.execute("SET session_replication_role = origin")
    nights.house.open_table(detail="full", at=NIGHT + dt.timedelta(days=2), dealer=2, supervisor=1)
    export = exports.produce(asked.pk)
    assert export.state == "failed"
    assert "sin sello: 2026-11-22" in export.failure


@pytest.mark.rule("REC-12")
def test_whom_the_chains_of_a_bundle_tell_of_is_noted(nights, tmp_path, monkeypatch):
    """Everybody its covered chains tell of, by kind and number: here the sessions stand for people."""
    monkeypatch.setattr(chains.kinds, "erasable", lambda: {"session": None})
    with naming.collecting() as names:
        nights.bundle(tmp_path, reports=[])
    kept = Event.objects.filter(casino=nights.house.casino, subject_type="session")
    wanted = {f"session:{pk}" for pk in kept.values_list("subject_id", flat=True)}
    assert len(wanted) == 2
    assert names.told() == sorted(wanted)
