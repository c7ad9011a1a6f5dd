"""Addresses of the ground floor below `/api/v1/`."""

from __future__ import annotations

from django.urls import path

from audits.api import auth, exports, filings, incidents, people_data, seals, trail, users

urlpatterns = [
    path("auth/token", auth.TokenView.as_view(), name="token"),
    path("auth/logout", auth.Logout.as_view(), name="logout"),
    path("auth/me", auth.Me.as_view(), name="me"),
    path("events", trail.Events.as_view(), name="events"),
    path("days", trail.Days.as_view(), name="days"),
    path("days/<int:pk>/close", trail.DayClose.as_view(), name="day-close"),
    path("seals", seals.Seals.as_view(), name="seals"),
    path("seals/<int:pk>", seals.SealRow.as_view(), name="seal"),
    path("seal-keys", seals.SealKeys.as_view(), name="seal-keys"),
    path("incidents", incidents.Incidents.as_view(), name="incidents"),
    path("rulings", incidents.Rulings.as_view(), name="rulings"),
    path("incidents/<int:pk>", incidents.IncidentRow.as_view(), name="incident"),
    path("incidents/<int:pk>/notes", incidents.IncidentNotes.as_view(), name="incident-notes"),
    path("incidents/<int:pk>/notice", incidents.IncidentNotice.as_view(), name="incident-notice"),
    path(
        "incidents/<int:pk>/notice/send",
        incidents.IncidentNoticeSend.as_view(),
        name="incident-notice-send",
    ),
    path("incidents/<int:pk>/resolve", incidents.IncidentResolve.as_view(), name="incident-resolve"),
    path("filings", filings.Filings.as_view(), name="filings"),
    path("filings/<int:pk>", filings.FilingRow.as_view(), name="filing"),
    path("filings/<int:pk>/present", filings.FilingPresent.as_view(), name="filing-present"),
    path("filings/<int:pk>/decide", filings.FilingDecide.as_view(), name="filing-decide"),
    path("filings/<int:pk>/revoke", filings.FilingRevoke.as_view(), name="filing-revoke"),
    path("filings/<int:pk>/withdraw", filings.FilingWithdraw.as_view(), name="filing-withdraw"),
    path("retention-periods", people_data.Periods.as_view(), name="retention-periods"),
    path("legal-holds", people_data.Holds.as_view(), name="legal-holds"),
    path("legal-holds/<int:pk>/lift", people_data.HoldLift.as_view(), name="legal-hold-lift"),
    path("erasure-orders", people_data.Orders.as_view(), name="erasure-orders"),
    path("person-looks", people_data.Looks.as_view(), name="person-looks"),
    path("refusals", people_data.Refusals.as_view(), name="refusals"),
    path("actors", trail.Actors.as_view(), name="actors"),
    path("reports", exports.Reports.as_view(), name="reports"),
    path("exports", exports.Exports.as_view(), name="exports"),
    path("exports/<int:pk>", exports.ExportRow.as_view(), name="export"),
    path("exports/<int:pk>/file", exports.ExportFile.as_view(), name="export-file"),
    path("users", users.Users.as_view(), name="users"),
    path("users/<int:pk>", users.UserRow.as_view(), name="user"),
    path("users/<int:pk>/roles", users.UserRoles.as_view(), name="user-roles"),
    path("users/<int:pk>/activate", users.UserActivate.as_view(), name="user-activate"),
    path("users/<int:pk>/deactivate", users.UserDeactivate.as_view(), name="user-deactivate"),
    path("users/<int:pk>/password", users.UserPassword.as_view(), name="user-password"),
]
