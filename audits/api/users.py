"""Logins over the API: list, make, change, shut off. The rules are in `audits.people`."""

from __future__ import annotations

from typing import Any

import django_filters as filters
from rest_framework import serializers

from audits import people
from audits.api.frame import Endpoint, Reasoned, Row, Rows, writes
from audits.by import By
from casino.kernel.permissions import Role
from casino.models import User

LANGUAGES = User._meta.get_field("language").choices or []
ROLES = [role.value for role in Role if role is not Role.SYSTEM]


class UserOut(serializers.ModelSerializer[User]):
    roles = serializers.ListField(child=serializers.ChoiceField(choices=ROLES), source="role_codes")

    class Meta:
        model = User
        fields = ["id", "username", "name", "roles", "language", "is_active", "created"]


class RolesField(serializers.ListField):
    child = serializers.ChoiceField(choices=ROLES)

    def to_internal_value(self, data: Any) -> list[Role]:
        return [Role(code) for code in super().to_internal_value(data)]


class UserIn(Reasoned):
    username = serializers.CharField(max_length=60)
    name = serializers.CharField(max_length=120)
    password = serializers.CharField(max_length=200, trim_whitespace=False, write_only=True)
    roles = RolesField(max_length=len(ROLES))
    language = serializers.ChoiceField(choices=LANGUAGES, default="es-bo")


class RolesIn(Reasoned):
    roles = RolesField(max_length=len(ROLES))


class PasswordIn(Reasoned):
    password = serializers.CharField(max_length=200, trim_whitespace=False, write_only=True)


class UserFilter(filters.FilterSet):
    role = filters.ChoiceFilter(
        field_name="role_codes",
        lookup_expr="contains",
        choices=[(code, code) for code in ROLES],
        method="by_role",
    )
    username = filters.CharFilter(lookup_expr="icontains", max_length=60)

    class Meta:
        model = User
        fields = ["is_active"]

    def by_role(self, rows: Any, name: str, value: str) -> Any:
        return rows.filter(role_codes__contains=[value])


# Logins of our own jobs are nobody's to manage.
LOGINS = User.objects.exclude(role_codes__contains=[Role.SYSTEM.value]).order_by("username")


class Users(Rows):
    queryset = LOGINS
    serializer_class = UserOut
    filterset_class = UserFilter

    @writes(people.create_user, takes=UserIn, gives=UserOut, status=201)
    def post(self, by: By, given: dict[str, Any]) -> User:
        return people.create_user(**given, by=by)


class UserRow(Row):
    queryset = LOGINS
    serializer_class = UserOut


class UserRoles(Endpoint):
    @writes(people.set_roles, takes=RolesIn, gives=UserOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> User:
        return people.set_roles(user=self.one(LOGINS, pk), **given, by=by)


class UserActivate(Endpoint):
    @writes(people.set_active, gives=UserOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> User:
        """Open a login again. Needs a reason."""
        return people.set_active(user=self.one(LOGINS, pk), active=True, by=by)


class UserDeactivate(Endpoint):
    @writes(people.set_active, gives=UserOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> User:
        """Shut a login off. Needs a reason."""
        return people.set_active(user=self.one(LOGINS, pk), active=False, by=by)


class UserPassword(Endpoint):
    @writes(people.set_password, takes=PasswordIn, gives=UserOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> User:
        return people.set_password(user=self.one(LOGINS, pk), **given, by=by)
