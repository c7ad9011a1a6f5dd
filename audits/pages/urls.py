"""Addresses of the ground floor's pages."""

from __future__ import annotations

from django.urls import path

from audits.pages import (
    casino,
    coverage,
    days,
    filings,
    incidents,
    people_data,
    reports,
    rulings,
    trail,
    users,
)

urlpatterns = [
    path("reportes/", reports.listing, name="reports"),
    path("reportes/<str:identifier>/", reports.order, name="report"),
    path("exportaciones/<int:pk>/", reports.progress, name="export"),
    path("exportaciones/<int:pk>/archivo/", reports.download, name="export-file"),
    path("auditoria/", trail.listing, name="trail"),
    path("auditoria/<int:pk>/", trail.event, name="event"),
    path("auditoria/reglas/", coverage.listing, name="coverage"),
    path("auditoria/accesos/", people_data.looks, name="people-looks"),
    path("auditoria/datos-personales/", people_data.listing, name="people-data"),
    path("auditoria/datos-personales/plazo/", people_data.period, name="people-data-period"),
    path("auditoria/datos-personales/retener/", people_data.hold, name="people-data-hold"),
    path("auditoria/datos-personales/levantar/", people_data.lift, name="people-data-lift"),
    path("auditoria/datos-personales/seudonimos/", people_data.order, name="people-data-order"),
    path("tramites/", filings.listing, name="filings"),
    path("tramites/<int:pk>/", filings.show, name="filing"),
    path("tramites/<int:pk>/presentar/", filings.present, name="filing-present"),
    path("tramites/<int:pk>/respuesta/", filings.decide, name="filing-decide"),
    path("tramites/<int:pk>/revocar/", filings.revoke, name="filing-revoke"),
    path("tramites/<int:pk>/desistir/", filings.withdraw, name="filing-withdraw"),
    path("incidentes/", incidents.listing, name="incidents"),
    path("incidentes/criterios/", rulings.listing, name="rulings"),
    path("incidentes/<int:pk>/", incidents.show, name="incident"),
    path("incidentes/<int:pk>/notas/", incidents.note, name="incident-note"),
    path("incidentes/<int:pk>/aviso/", incidents.notice, name="incident-notice"),
    path("incidentes/<int:pk>/aviso/enviar/", incidents.send, name="incident-notice-send"),
    path("incidentes/<int:pk>/resolver/", incidents.resolve, name="incident-resolve"),
    path("dias/", days.listing, name="days"),
    path("dias/<int:pk>/", days.show, name="day"),
    path("dias/<int:pk>/sello.json", days.seal_file, name="day-seal-file"),
    path("llaves-de-sello.json", days.keys_file, name="seal-keys-file"),
    path("dias/<int:pk>/cerrar/", days.close, name="day-close"),
    path("ajustes/casino/", casino.show, name="settings-casino"),
    path("ajustes/usuarios/", users.listing, name="settings-users"),
    path("ajustes/usuarios/<int:pk>/", users.change, name="settings-user"),
]
