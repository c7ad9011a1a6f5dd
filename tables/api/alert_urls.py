"""Addresses of alerts and the shift below `/api/v1/`."""

from __future__ import annotations

from django.urls import path

from tables.api import alerts

urlpatterns = [
    path("floor", alerts.FloorNow.as_view(), name="floor"),
    path("floor/hours", alerts.FloorHours.as_view(), name="floor-hours"),
    path("alerts", alerts.Alerts.as_view(), name="alerts"),
    path("alerts/<int:pk>/acknowledge", alerts.AlertAcknowledge.as_view(), name="alert-acknowledge"),
    path("float-checks", alerts.FloatChecks.as_view(), name="float-checks"),
    path("sessions/<int:pk>/float-checks", alerts.SessionFloatChecks.as_view(), name="session-float-checks"),
    path("sessions/<int:pk>/disputes", alerts.SessionDisputes.as_view(), name="session-disputes"),
    path("shift-notes", alerts.ShiftNotes.as_view(), name="shift-notes"),
    path("duties", alerts.Duties.as_view(), name="duties"),
]
