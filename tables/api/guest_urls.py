"""Addresses of players, seats, lists and matches below `/api/v1/`."""

from __future__ import annotations

from django.urls import path

from tables.api import guests, seats

urlpatterns = [
    path("guests", guests.Guests.as_view(), name="guests"),
    path("guests/find", guests.GuestsFound.as_view(), name="guests-find"),
    path("guests/<int:pk>", guests.GuestRow.as_view(), name="guest"),
    path("guests/<int:pk>/change", guests.GuestChange.as_view(), name="guest-change"),
    path("admission", guests.Admission.as_view(), name="admission"),
    path("exclusions", guests.Exclusions.as_view(), name="exclusions"),
    path("exclusions/<int:pk>", guests.ExclusionRow.as_view(), name="exclusion"),
    path("exclusions/<int:pk>/end", guests.ExclusionEnds.as_view(), name="exclusion-end"),
    path("matches", guests.Matches.as_view(), name="matches"),
    path("matches/<int:pk>/decide", guests.MatchDecide.as_view(), name="match-decide"),
    path("sessions/<int:pk>/seats", seats.SessionSeats.as_view(), name="session-seats"),
    path("sessions/<int:pk>/seniority", seats.SessionSeniority.as_view(), name="session-seniority"),
    path("seats/<int:pk>/leave", seats.SeatLeave.as_view(), name="seat-leave"),
    path("seats/<int:pk>/move", seats.SeatMove.as_view(), name="seat-move"),
    path("seats/<int:pk>/away", seats.SeatAway.as_view(), name="seat-away"),
    path("seats/<int:pk>/back", seats.SeatBack.as_view(), name="seat-back"),
    path("seats/<int:pk>/lose", seats.SeatLose.as_view(), name="seat-lose"),
    path("seats/<int:pk>/change-requests", seats.SeatAsk.as_view(), name="seat-ask"),
    path("change-requests", seats.ChangeRequests.as_view(), name="change-requests"),
    path("change-requests/<int:pk>/withdraw", seats.ChangeWithdraw.as_view(), name="change-withdraw"),
    path("waiting", seats.Waiting.as_view(), name="waiting"),
    path("waiting/<int:pk>/call", seats.WaitingCall.as_view(), name="waiting-call"),
    path("waiting/<int:pk>/seat", seats.WaitingSeat.as_view(), name="waiting-seat"),
    path("waiting/<int:pk>/strike", seats.WaitingStrike.as_view(), name="waiting-strike"),
]
