"""Addresses of the ground floor's pages."""

from __future__ import annotations

from django.urls import path

from audits.pages import casino, days, reports, trail, users

urlpatterns = [
    path("reportes/", reports.listing, name="reports"),
    path("reportes/<str:identifier>/", reports.order, name="report"),
    path("exportaciones/<int:pk>/", reports.progress, name="export"),
    path("exportaciones/<int:pk>/archivo/", reports.download, name="export-file"),
    path("auditoria/", trail.listing, name="trail"),
    path("auditoria/<int:pk>/", trail.event, name="event"),
    path("dias/", days.listing, name="days"),
    path("dias/<int:pk>/cerrar/", days.close, name="day-close"),
    path("ajustes/casino/", casino.show, name="settings-casino"),
    path("ajustes/usuarios/", users.listing, name="settings-users"),
    path("ajustes/usuarios/<int:pk>/", users.change, name="settings-user"),
]
