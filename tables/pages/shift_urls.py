"""Addresses of the pages of alerts, checks, disputes and the shift."""

from __future__ import annotations

from django.urls import path

from tables.pages import alerts, checks, duties, floor, shift

urlpatterns = [
    path("sala/sectores/", floor.choose_pits, name="floor-pits"),
    path("sala/avisos/", alerts.listing, name="alerts"),
    path("sala/avisos/<int:pk>/", alerts.show, name="alert"),
    path("sala/horas/", shift.hours, name="floor-grid"),
    path("sala/turno/", shift.show, name="shift-report"),
    path("sala/turno/notas/", shift.note, name="shift-report-note"),
    path("mesas/<str:name>/fichero/", checks.check, name="table-check"),
    path("mesas/<str:name>/discrepancia/", checks.dispute, name="table-dispute"),
    path("ajustes/sectores/jefes/", duties.listing, name="settings-duties"),
]
