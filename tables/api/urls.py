"""Addresses of the floor below `/api/v1/`."""

from __future__ import annotations

from django.urls import path

from tables.api import cards, people, places, rounds, sessions

urlpatterns = [
    path("games", places.Games.as_view(), name="games"),
    path("pits", places.Pits.as_view(), name="pits"),
    path("pits/<int:pk>/change", places.PitChange.as_view(), name="pit-change"),
    path("tables", places.Tables.as_view(), name="tables"),
    path("tables/<int:pk>", places.TableRow.as_view(), name="table"),
    path("tables/<int:pk>/change", places.TableChange.as_view(), name="table-change"),
    path("tables/<int:pk>/limits", places.TableLimits.as_view(), name="table-limits"),
    path("tables/<int:pk>/sessions", sessions.TableSessions.as_view(), name="table-sessions"),
    path("limits", places.Limits.as_view(), name="limits"),
    path("rules", places.Rules.as_view(), name="rules"),
    path("staff", people.StaffList.as_view(), name="staff"),
    path("staff/<int:pk>", people.StaffRow.as_view(), name="staff-one"),
    path("staff/<int:pk>/change", people.StaffChange.as_view(), name="staff-change"),
    path("sessions", sessions.Sessions.as_view(), name="sessions"),
    path("sessions/<int:pk>", sessions.SessionRow.as_view(), name="session"),
    path("sessions/<int:pk>/close", sessions.SessionClose.as_view(), name="session-close"),
    path("sessions/<int:pk>/drop", sessions.SessionDrop.as_view(), name="session-drop"),
    path("sessions/<int:pk>/reliefs", sessions.SessionReliefs.as_view(), name="session-reliefs"),
    path("sessions/<int:pk>/shoe", sessions.SessionShoe.as_view(), name="session-shoe"),
    path("sessions/<int:pk>/stop-card", sessions.SessionStopCard.as_view(), name="session-stop-card"),
    path("sessions/<int:pk>/faults", cards.SessionFaults.as_view(), name="session-faults"),
    path("sessions/<int:pk>/reshuffle", cards.SessionReshuffle.as_view(), name="session-reshuffle"),
    path("sessions/<int:pk>/discards", cards.SessionDiscards.as_view(), name="session-discards"),
    path("sessions/<int:pk>/shuffles", cards.SessionShuffles.as_view(), name="session-shuffles"),
    path("sessions/<int:pk>/reviews", cards.SessionReviews.as_view(), name="session-reviews"),
    path("reviews", cards.Reviews.as_view(), name="reviews"),
    path("reviews/<int:pk>/close", cards.ReviewClose.as_view(), name="review-close"),
    path("sessions/<int:pk>/rounds", rounds.SessionRounds.as_view(), name="session-rounds"),
    path("sessions/<int:pk>/rounds/current", rounds.CurrentRound.as_view(), name="round-current"),
    path("sessions/<int:pk>/rounds/current/events", rounds.CurrentEvents.as_view(), name="round-events"),
    path("sessions/<int:pk>/rounds/current/settle", rounds.CurrentSettle.as_view(), name="round-settle"),
    path("sessions/<int:pk>/rounds/current/abandon", rounds.CurrentAbandon.as_view(), name="round-abandon"),
    path("rounds", rounds.Rounds.as_view(), name="rounds"),
    path("rounds/<int:pk>", rounds.RoundRow.as_view(), name="round"),
    path("rounds/<int:pk>/void", rounds.RoundVoid.as_view(), name="round-void"),
]
