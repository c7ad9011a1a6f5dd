"""Every model is kept with its history, is unchangeable, or gives its reason here; stale reasons fail."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.db import models

from audits.guards import guards_in_place

OURS = ("casino", "audits", "shoes", "tables", "jackpots")

# Neither history nor append-only, and why.
REASONS = {
    "casino.Casino": "changed by audits.casinos only, before and after kept on the settings stream",
    "casino.User": "changed by audits.people only, on the settings stream; password hashes are not copied",
    "casino.GamingDay": "each close or change of what holds it is an event",
    "casino.NumberSeries": "a counter; the numbers it gave are on the rows that bear them",
    "casino.IdempotencyRecord": "answers kept to repeat them, no fact of its own",
    "casino.FailedSignIns": "a counter against guessing, cleared by a good sign-in",
    "audits.Actor": "made once, never changed",
    "audits.Stream": "its head moves by events only (trigger)",
    "audits.Account": "a name; what happens to it are postings",
    "audits.Incident": "each act is an event of its stream; a trigger fixes what it says",
    "audits.Filing": "drafted, presented, decided by events of its stream; a trigger lets it only go on",
    "audits.SealKey": "made and rotated by events of `settings`; only its end is written, once (trigger)",
    "audits.PersonalValue": "opens a commitment of an event; erased once, for a pseudonym (trigger)",
    "audits.Export": "asked for, finished, called off by events; a trigger fixes it once it ended",
    "audits.ExportSchedule": "ordered, paused, removed by events; a trigger fixes what it orders",
    "audits.InspectorAccess": "given, used, locked, revoked by events of its person; a trigger only ends it",
    "audits.Inspection": "opened and closed by events of its stream; a trigger fixes it once closed",
    "audits.InspectionDraw": "announced and drawn by events of its visit; a trigger draws it once",
    "shoes.Deck": "each move is an event of its stream",
    "shoes.Shoe": "each move is an event of its stream",
    "shoes.DiscardReview": "opened and closed by events of its shoe; a trigger fixes it once closed",
    "shoes.ShoeOrder": "drawn from the logs of a shoe's rounds by a job, which may read them anew",
    "tables.CageTransfer": "each step is an event of its desk; a trigger lets it leave its first state once",
    "tables.TipDistribution": "drafted and approved by events of `tips`; fixed once approved (trigger)",
    "tables.Orphan": "entered and given up by events of `orphans`; leaves custody once (trigger)",
    "tables.TableSession": "each move is an event of its stream; a trigger fixes it once closed",
    "tables.Assignment": "only its end is written, once (trigger)",
    "tables.Shift": "each act is an event of its person's stream; a trigger fixes it once it is over",
    "tables.ChipStock": "the running sum of chip moves, which are append-only; added up again by the proofs",
    "tables.Slip": "each step is an event of its session; a trigger fixes what it says and its order",
    "tables.Bank": "each step is an event of its session; a trigger lets it only go on",
    "tables.BankPassage": "each step is an event of its session; a trigger lets it only go on",
    "tables.Auction": "opened, bid for and closed by events of its session; a trigger fixes it once closed",
    "jackpots.Fund": "changed by recorded moves and counted bets (trigger); added up again by the proofs",
    "jackpots.PoolVersion": "each step is an event of its pool; a trigger keeps what was approved",
    "jackpots.PoolTable": "linked and unlinked by events of its pool",
    "jackpots.SeatCredits": "the running sum of credit moves and counted bets; added up again by the proofs",
    "jackpots.Bet": "placed, counted, voided by events; a trigger fixes it as it was counted",
    "jackpots.Prize": "hit, checked, paid by events of its pool; a trigger fixes it as it was hit",
    "jackpots.Proof": "worked out again from the same facts; each run that found anything new is an event",
    "jackpots.Complementary": "announced, drawn, paid by events of its pool; a trigger lets it only go on",
    "tables.Alert": "raised, cleared and acknowledged by events of the stream `alerts`; a trigger fixes it",
    "tables.RotationPlan": "each act is an event of its day; a trigger fixes it once applied or dropped",
    "tables.PlannedTurn": "only its part in force shrinks (trigger), by an event",
    "tables.Round": "its log only grows; fixed once settled (trigger)",
    "tables.DropBox": "each step is an event of its session's stream; a trigger holds it to their order",
    "tables.SeatTaking": "only its end is written, once (trigger)",
    "tables.AwayMark": "only its end is written, once (trigger)",
    "tables.WaitingEntry": "called and ended by events; a trigger fixes the rest",
    "tables.ChangeRequest": "ended once by an event; a trigger fixes the rest",
    "tables.ExclusionMatch": "decided once by two people, an event; a trigger fixes the rest",
}


def ours() -> list[type[models.Model]]:
    return [
        model
        for model in apps.get_models()
        if model._meta.app_label in OURS and not model.__name__.startswith("Historical")
    ]


@pytest.mark.django_db
@pytest.mark.rule("REC-06")
def test_every_model_has_history_or_is_append_only_or_says_why() -> None:
    guards = guards_in_place()
    silent = []
    for model in ours():
        append_only = {"sabot_append_only", "sabot_no_truncate"} <= guards.get(model._meta.db_table, set())
        if not (hasattr(model, "history") or append_only or model._meta.label in REASONS):
            silent.append(model._meta.label)
    assert silent == []


@pytest.mark.django_db
def test_no_reason_is_stale() -> None:
    guards = guards_in_place()
    needed = {
        model._meta.label
        for model in ours()
        if not hasattr(model, "history")
        and "sabot_append_only" not in guards.get(model._meta.db_table, set())
    }
    assert set(REASONS) - needed == set()


@pytest.mark.django_db
@pytest.mark.rule("REC-06")
def test_every_history_table_refuses_change() -> None:
    guards = guards_in_place()
    histories = [m._meta.db_table for m in apps.get_models() if m.__name__.startswith("Historical")]
    assert histories, "settings keep their history"
    open_ones = [
        t for t in histories if not {"sabot_append_only", "sabot_no_truncate"} <= guards.get(t, set())
    ]
    assert open_ones == []


@pytest.mark.django_db
def test_rows_that_name_people_are_never_deleted() -> None:
    guards = guards_in_place()
    kept = [
        "audits_actor",
        "audits_stream",
        "audits_account",
        "audits_incident",
        "tables_round",
        "tables_tablesession",
        "tables_assignment",
        "tables_staff",
        "tables_table",
        "shoes_deck",
        "shoes_shoe",
    ]
    deletable = [
        table for table in kept if not {"sabot_no_delete", "sabot_append_only"} & guards.get(table, set())
    ]
    assert deletable == []
