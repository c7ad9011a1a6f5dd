"""Addresses of prizes, and of complementary ones, below `/api/v1/`."""

from __future__ import annotations

from django.urls import path

from jackpots.api import complementary, prizes

urlpatterns = [
    path("prizes", prizes.Prizes.as_view(), name="prizes"),
    path("prizes/<int:pk>", prizes.PrizeRow.as_view(), name="prize"),
    path("prizes/<int:pk>/checks", prizes.PrizeChecks.as_view(), name="prize-checks"),
    path("prizes/<int:pk>/reject", prizes.PrizeReject.as_view(), name="prize-reject"),
    path("prizes/<int:pk>/pay", prizes.PrizePay.as_view(), name="prize-pay"),
    path("sessions/<int:pk>/prize-claim", prizes.SessionPrizeClaim.as_view(), name="session-prize-claim"),
    path("pools/<int:pk>/complementary", complementary.PoolDraws.as_view(), name="pool-complementary"),
    path("complementary/<int:pk>", complementary.DrawRow.as_view(), name="complementary"),
    path("complementary/<int:pk>/record", complementary.DrawRecord.as_view(), name="complementary-record"),
    path("complementary/<int:pk>/draw", complementary.DrawNow.as_view(), name="complementary-draw"),
    path(
        "complementary/<int:pk>/call-off", complementary.DrawCallOff.as_view(), name="complementary-call-off"
    ),
    path(
        "complementary/<int:pk>/credits",
        complementary.DrawPayInCredits.as_view(),
        name="complementary-credits",
    ),
    path("complementary/<int:pk>/chips", complementary.DrawPayInChips.as_view(), name="complementary-chips"),
]
