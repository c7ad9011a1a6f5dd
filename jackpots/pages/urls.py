"""Addresses of the pages of progressive pools."""

from __future__ import annotations

from django.urls import path

from jackpots.pages import acts, display, draws, explained, panel, pools, prizes, proving, versions

urlpatterns = [
    path("pozos/", pools.listing, name="pools"),
    path("pozos/premios/", prizes.listing, name="prizes"),
    path("pozos/premios/<int:pk>/", prizes.show, name="prize"),
    path("pozos/premios/<int:pk>/verificar/", prizes.check, name="prize-check"),
    path("pozos/premios/<int:pk>/rechazar/", prizes.reject, name="prize-reject"),
    path("pozos/premios/<int:pk>/pagar/", prizes.pay, name="prize-pay"),
    path("pozos/premios/<int:pk>/formulario.pdf", prizes.paper, name="prize-form"),
    path("pozos/sorteos/<int:pk>/", draws.show, name="draw"),
    path("pozos/sorteos/<int:pk>/sortear/", draws.draw, name="draw-now"),
    path("pozos/sorteos/<int:pk>/sin-efecto/", draws.call_off, name="draw-call-off"),
    path("pozos/sorteos/<int:pk>/acreditar/", draws.credit, name="draw-credit"),
    path("pozos/sorteos/<int:pk>/pagar/", draws.pay, name="draw-pay"),
    path("pozos/sorteos/<int:pk>/sorteo.json", draws.record, name="draw-record"),
    path("pozos/<int:pk>/", pools.show, name="pool"),
    path("pozos/<int:pk>/nombre/", pools.edit, name="pool-edit"),
    path("pozos/<int:pk>/tramite/", pools.ask, name="pool-ask"),
    path("pozos/<int:pk>/mesas/conectar/", pools.link, name="pool-link"),
    path("pozos/<int:pk>/mesas/desconectar/", pools.unlink, name="pool-unlink"),
    path("pozos/<int:pk>/poner-en-marcha/", acts.start, name="pool-start"),
    path("pozos/<int:pk>/detener/", acts.stop, name="pool-stop"),
    path("pozos/<int:pk>/suspender/", acts.suspend, name="pool-suspend"),
    path("pozos/<int:pk>/retirar/", acts.retire, name="pool-retire"),
    path("pozos/<int:pk>/trasladar/", acts.transfer, name="pool-transfer"),
    path("pozos/<int:pk>/parametros/", versions.draft, name="pool-draft"),
    path("pozos/<int:pk>/versiones/<int:number>/", versions.show, name="pool-version"),
    path("pozos/<int:pk>/versiones/<int:number>/aprobar/", versions.approve, name="pool-version-approve"),
    path("pozos/<int:pk>/versiones/<int:number>/retirar/", versions.withdraw, name="pool-version-withdraw"),
    path("pozos/<int:pk>/explicacion/", explained.balance, name="pool-explain"),
    path("pozos/<int:pk>/explicacion/dia/<str:day>/", explained.day, name="pool-explain-day"),
    path("pozos/<int:pk>/explicacion/pase/<int:number>/", explained.round_of, name="pool-explain-round"),
    path("pozos/<int:pk>/movimientos/", pools.moves, name="pool-moves"),
    path("pozos/<int:pk>/lecturas/", proving.readings, name="pool-readings"),
    path("pozos/<int:pk>/pruebas/", proving.listing, name="pool-proofs"),
    path("pozos/<int:pk>/pruebas/<str:day>/", proving.show, name="pool-proof"),
    path("pozos/<int:pk>/sorteos/", draws.listing, name="pool-draws"),
    path("pozos/<int:pk>/pantalla/", display.show, name="pool-display"),
    path("pozos/<int:pk>/pantalla/vivo/", display.live, name="pool-display-live"),
    path("mesas/<str:name>/progresivo/", panel.act, name="round-progressive"),
]
