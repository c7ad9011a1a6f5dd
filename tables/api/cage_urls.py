"""Addresses of the cage, its funds, taxes, tips and orphans below `/api/v1/`."""

from __future__ import annotations

from django.urls import path

from tables.api import cage, funds, tips

urlpatterns = [
    path("receipts", cage.Receipts.as_view(), name="receipts"),
    path("receipts/<int:pk>", cage.ReceiptRow.as_view(), name="receipt"),
    path("receipts/<int:pk>/void", cage.ReceiptVoid.as_view(), name="receipt-void"),
    path("desks/<int:pk>/holding", cage.DeskHolding.as_view(), name="desk-holding"),
    path("desks/<int:pk>/sales", cage.DeskSales.as_view(), name="desk-sales"),
    path("desks/<int:pk>/redemptions", cage.DeskRedemptions.as_view(), name="desk-redemptions"),
    path("desks/<int:pk>/exchanges", cage.DeskExchanges.as_view(), name="desk-exchanges"),
    path("transfers", cage.Transfers.as_view(), name="transfers"),
    path("transfers/<int:pk>/accept", cage.TransferAccept.as_view(), name="transfer-accept"),
    path("transfers/<int:pk>/cancel", cage.TransferCancel.as_view(), name="transfer-cancel"),
    path("cage-counts", cage.CageCounts.as_view(), name="cage-counts"),
    path("cage-settings", cage.CageFigures.as_view(), name="cage-settings"),
    path("funds", funds.FundsState.as_view(), name="funds"),
    path("funds/moves", funds.FundMoves.as_view(), name="fund-moves"),
    path("funds/withdraw", funds.FundsWithdraw.as_view(), name="funds-withdraw"),
    path("funds/ipj", funds.FundsIpj.as_view(), name="funds-ipj"),
    path("funds/from-bank", funds.FundsFromBank.as_view(), name="funds-from-bank"),
    path("funds/to-bank", funds.FundsToBank.as_view(), name="funds-to-bank"),
    path("funds/drops", funds.FundsDrop.as_view(), name="funds-drop"),
    path("funds/stop", funds.FundsStop.as_view(), name="funds-stop"),
    path("taxes", funds.Taxes.as_view(), name="taxes"),
    path("tips", tips.Tips.as_view(), name="tips"),
    path("tips/mine", tips.OwnTips.as_view(), name="own-tips"),
    path("tip-distributions", tips.Distributions.as_view(), name="tip-distributions"),
    path("tip-distributions/<int:pk>/approve", tips.DistributionApprove.as_view(), name="tips-approve"),
    path("tip-distributions/<int:pk>/handovers", tips.Handovers.as_view(), name="tips-hand-over"),
    path("orphans", tips.Orphans.as_view(), name="orphans"),
    path("orphans/<int:pk>", tips.OrphanRow.as_view(), name="orphan"),
    path("orphans/<int:pk>/return", tips.OrphanReturn.as_view(), name="orphan-return"),
    path("orphans/<int:pk>/pass", tips.OrphanPass.as_view(), name="orphan-pass"),
]
