"""The life of a table over the API: the check before opening, prepared, begun, paused, the last round."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from audits.api.fields import Words
from audits.api.frame import Endpoint, writes
from audits.by import By
from casino.kernel import clock
from tables import life, openings, pausing, preflight
from tables.api.sessions import OfSessions, OpenIn, SessionOut
from tables.models import Table, TableSession


class PreflightCheckOut(serializers.Serializer[Any]):
    code = serializers.CharField()
    title = Words()
    level = serializers.ChoiceField(choices=[level.value for level in preflight.Level])
    words = Words(help_text="what was found and, where it is not in order, what to do")
    rule = serializers.CharField()


class PreflightOut(serializers.Serializer[Any]):
    state = serializers.ChoiceField(
        choices=list(life.TABLE_NAMES), help_text="the life of the table in one word"
    )
    ready = serializers.BooleanField(help_text="whether nothing is red: red blocks the opening")
    checks = PreflightCheckOut(many=True)


class TablePreflight(Endpoint):
    queryset = Table.objects.select_related("casino")
    serializer_class = PreflightOut

    def get(self, request: Request, pk: int) -> Response:
        """What would be asked if the table were opened now."""
        table, instant = self.one(self.get_queryset(), pk), clock.now()
        checks = preflight.check(table, instant)
        found = {
            "state": life.of_table(table, instant, checks),
            "ready": not any(one.red for one in checks),
            "checks": checks,
        }
        return Response(self.get_serializer(found).data)


class TablePreparations(OfSessions):
    @writes(openings.prepare_table, takes=OpenIn, gives=SessionOut, status=201, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> TableSession:
        """Prepare a table: float counted and signed, crew and shoe there; not open to play yet."""
        table, counted = self.one(Table, pk), given.pop("chips")
        return self.fresh(openings.prepare_table(table=table, chips_counted=counted, **given, by=by))


class SessionBegin(OfSessions):
    @writes(openings.begin_play, gives=SessionOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> TableSession:
        """Open a prepared table to play."""
        return self.fresh(openings.begin_play(session=self.session(pk), by=by))


class SessionPause(OfSessions):
    @writes(pausing.pause, gives=SessionOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> TableSession:
        """Pause a table between two rounds; needs a reason."""
        return self.fresh(pausing.pause(session=self.session(pk), by=by))


class SessionResume(OfSessions):
    @writes(pausing.resume, gives=SessionOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> TableSession:
        """Go on after a pause, or take back the call to the last round."""
        return self.fresh(pausing.resume(session=self.session(pk), by=by))


class SessionLastRound(OfSessions):
    @writes(pausing.call_last_round, gives=SessionOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> TableSession:
        """Call the last round: the one in progress is finished, none is opened."""
        return self.fresh(pausing.call_last_round(session=self.session(pk), by=by))
