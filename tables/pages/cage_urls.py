"""Addresses of the cage's pages: desks and receipts, transfers, counts, funds, taxes, tips, orphans."""

from __future__ import annotations

from django.urls import path

from tables.pages import cage, cage_money, orphans, taxes, tips

urlpatterns = [
    path("caja/", cage.start, name="cage"),
    path("caja/<int:number>/", cage.desk, name="cage-desk"),
    path("caja/<int:number>/suma/", cage.total, name="cage-sum"),
    path("caja/<int:number>/vender/", cage.sell, name="cage-sell"),
    path("caja/<int:number>/canjear/", cage.redeem, name="cage-redeem"),
    path("caja/<int:number>/cambiar/", cage.exchange, name="cage-exchange"),
    path("caja/<int:number>/arqueo/", cage_money.count, name="cage-count"),
    path("caja/recibos/", cage.receipts, name="cage-receipts"),
    path("caja/recibos/<int:pk>/", cage.show, name="cage-receipt"),
    path("caja/recibos/<int:pk>/anular/", cage.void, name="cage-receipt-void"),
    path("caja/traspasos/", cage_money.transfer_list, name="transfers"),
    path("caja/traspasos/<int:pk>/aceptar/", cage_money.accept, name="transfer-accept"),
    path("caja/traspasos/<int:pk>/anular/", cage_money.cancel, name="transfer-cancel"),
    path("caja/fondos/", cage_money.fund_list, name="funds"),
    path("caja/fondos/parar/", cage_money.stop, name="funds-stop"),
    path("impuestos/", taxes.show, name="taxes"),
    path("propinas/", tips.listing, name="tips"),
    path("propinas/repartir/", tips.draft, name="tips-draft"),
    path("propinas/<int:pk>/aprobar/", tips.approve, name="tips-approve"),
    path("propinas/<int:pk>/entregar/", tips.hand_over, name="tips-hand-over"),
    path("propinas/mias/", tips.mine, name="tips-mine"),
    path("sin-dueno/", orphans.book, name="orphans"),
    path("sin-dueno/<int:pk>/", orphans.show, name="orphan"),
    path("sin-dueno/<int:pk>/devolver/", orphans.give_back, name="orphan-return"),
    path("sin-dueno/<int:pk>/pasar/", orphans.pass_on, name="orphan-pass"),
    path("ajustes/caja/", cage_money.settings, name="settings-cage"),
]
