"""Addresses of the bank and its auctions below `/api/v1/`."""

from __future__ import annotations

from django.urls import path

from tables.api import auctions, bank

urlpatterns = [
    path("sessions/<int:pk>/bank", bank.SessionBank.as_view(), name="session-bank"),
    path("sessions/<int:pk>/banks", bank.SessionBanks.as_view(), name="session-banks"),
    path("banks/<int:pk>", bank.BankRow.as_view(), name="bank"),
    path("banks/<int:pk>/deposit", bank.BankDepositing.as_view(), name="bank-deposit"),
    path("banks/<int:pk>/add", bank.BankAdd.as_view(), name="bank-add"),
    path("banks/<int:pk>/join", bank.BankJoin.as_view(), name="bank-join"),
    path("banks/<int:pk>/set-aside", bank.BankSetAside.as_view(), name="bank-set-aside"),
    path("banks/<int:pk>/pass", bank.BankPass.as_view(), name="bank-pass"),
    path("banks/<int:pk>/return", bank.BankReturn.as_view(), name="bank-return"),
    path("banks/<int:pk>/refuse", bank.BankRefuse.as_view(), name="bank-refuse"),
    path("passages/<int:pk>/take", bank.PassageTake.as_view(), name="passage-take"),
    path("passages/<int:pk>/decline", bank.PassageDecline.as_view(), name="passage-decline"),
    path("passages/<int:pk>/absent", bank.PassageAbsent.as_view(), name="passage-absent"),
    path("passages/<int:pk>/auction", auctions.PassageAuction.as_view(), name="passage-auction"),
    path("auctions", auctions.Auctions.as_view(), name="auctions"),
    path("auctions/<int:pk>", auctions.AuctionRow.as_view(), name="auction"),
    path("auctions/<int:pk>/bids", auctions.AuctionBids.as_view(), name="auction-bids"),
    path("auctions/<int:pk>/close", auctions.AuctionClose.as_view(), name="auction-close"),
    path("auctions/<int:pk>/act", auctions.AuctionAct.as_view(), name="auction-act"),
    path("auctions/<int:pk>/sign", auctions.AuctionSign.as_view(), name="auction-sign"),
]
