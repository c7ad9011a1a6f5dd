"""Addresses of pools, their versions and tables, and of the meters of a session, below `/api/v1/`."""

from __future__ import annotations

from django.urls import path

from jackpots.api import betting, members, moving, pools, versions

urlpatterns = [
    path("pools", pools.Pools.as_view(), name="pools"),
    path("pools/analysis", versions.PoolAnalysis.as_view(), name="pool-analysis"),
    path("pools/<int:pk>", pools.PoolRow.as_view(), name="pool"),
    path("pools/<int:pk>/change", pools.PoolChange.as_view(), name="pool-change"),
    path("pools/<int:pk>/start", pools.PoolStart.as_view(), name="pool-start"),
    path("pools/<int:pk>/stop", pools.PoolStop.as_view(), name="pool-stop"),
    path("pools/<int:pk>/suspend", pools.PoolSuspend.as_view(), name="pool-suspend"),
    path("pools/<int:pk>/abandon", pools.PoolAbandon.as_view(), name="pool-abandon"),
    path("pools/<int:pk>/plans", moving.PoolPlan.as_view(), name="pool-plan"),
    path("pools/<int:pk>/correct", moving.PoolCorrection.as_view(), name="pool-correct"),
    path("pools/<int:pk>/retire", moving.PoolRetire.as_view(), name="pool-retire"),
    path("pools/<int:pk>/transfer", moving.PoolTransfer.as_view(), name="pool-transfer"),
    path("pools/<int:pk>/moves", pools.PoolMoves.as_view(), name="pool-moves"),
    path("pools/<int:pk>/meter", pools.PoolMeter.as_view(), name="pool-meter"),
    path("pools/<int:pk>/versions", versions.PoolVersions.as_view(), name="pool-versions"),
    path("pools/<int:pk>/members", members.PoolMembers.as_view(), name="pool-members"),
    path("pool-members/<int:pk>/unlink", members.MemberUnlink.as_view(), name="pool-member-unlink"),
    path("pool-versions/<int:pk>", versions.PoolVersionRow.as_view(), name="pool-version"),
    path(
        "pool-versions/<int:pk>/approve", versions.PoolVersionApprove.as_view(), name="pool-version-approve"
    ),
    path(
        "pool-versions/<int:pk>/withdraw",
        versions.PoolVersionWithdraw.as_view(),
        name="pool-version-withdraw",
    ),
    path("pool-versions/<int:pk>/ask", versions.PoolVersionAsk.as_view(), name="pool-version-ask"),
    path(
        "pool-versions/<int:pk>/analysis",
        versions.PoolVersionAnalysis.as_view(),
        name="pool-version-analysis",
    ),
    path("sessions/<int:pk>/progressive", betting.SessionProgressive.as_view(), name="session-progressive"),
    path("sessions/<int:pk>/credits", betting.SessionCredits.as_view(), name="session-credits"),
    path(
        "sessions/<int:pk>/credits/return",
        betting.SessionCreditsReturn.as_view(),
        name="session-credits-return",
    ),
    path(
        "sessions/<int:pk>/progressive-bets",
        betting.SessionProgressiveBets.as_view(),
        name="session-progressive-bets",
    ),
    path(
        "progressive-bets/<int:pk>/cancel",
        betting.ProgressiveBetCancel.as_view(),
        name="progressive-bet-cancel",
    ),
]
