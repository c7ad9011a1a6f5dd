"""The staff register over the API."""

from __future__ import annotations

from typing import Any

import django_filters as filters
from rest_framework import serializers

from audits.api.fields import Own
from audits.api.frame import Endpoint, Reasoned, Row, Rows, writes
from audits.by import By
from casino.models import User
from tables import people
from tables.models import Staff


class StaffOut(serializers.ModelSerializer[Staff]):
    class Meta:
        model = Staff
        fields = [
            "id", "number", "name", "licence", "licence_expires", "games", "supervises", "active",
            "user_id", "department",
        ]  # fmt: skip


class StaffIn(Reasoned):
    number = serializers.CharField(max_length=20)
    name = serializers.CharField(max_length=120)
    licence = serializers.CharField(max_length=40)
    licence_expires = serializers.DateField()
    games = serializers.ListField(child=serializers.CharField(max_length=40), max_length=50)
    supervises = serializers.BooleanField(default=False)
    active = serializers.BooleanField(default=True)
    user = Own(queryset=User.objects.all(), required=False, allow_null=True)
    department = serializers.ChoiceField(choices=Staff.Department.choices, required=False)


class StaffFilter(filters.FilterSet):
    name = filters.CharFilter(lookup_expr="icontains", max_length=120)
    game = filters.CharFilter(method="by_game", max_length=40)

    class Meta:
        model = Staff
        fields = ["number", "licence", "supervises", "active", "department"]

    def by_game(self, rows: Any, name: str, value: str) -> Any:
        return rows.filter(games__contains=[value])


STAFF = Staff.objects.order_by("name", "id")


class StaffList(Rows):
    queryset = STAFF
    serializer_class = StaffOut
    filterset_class = StaffFilter

    @writes(people.set_staff, takes=StaffIn, gives=StaffOut, status=201)
    def post(self, by: By, given: dict[str, Any]) -> Staff:
        return people.set_staff(**given, by=by)


class StaffRow(Row):
    queryset = STAFF
    serializer_class = StaffOut


class StaffChange(Endpoint):
    @writes(people.set_staff, takes=StaffIn, gives=StaffOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Staff:
        return people.set_staff(staff=self.one(Staff, pk), **given, by=by)
