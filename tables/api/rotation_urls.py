"""Addresses of the plan of posts below `/api/v1/`."""

from __future__ import annotations

from django.urls import path

from tables.api import rotation

urlpatterns = [
    path("rotation-plans", rotation.Plans.as_view(), name="rotation-plans"),
    path("rotation-plans/<int:pk>", rotation.PlanRow.as_view(), name="rotation-plan"),
    path("rotation-plans/<int:pk>/reasons", rotation.PlanReasons.as_view(), name="rotation-reasons"),
    path("rotation-plans/<int:pk>/edit", rotation.PlanEdit.as_view(), name="rotation-edit"),
    path("rotation-plans/<int:pk>/apply", rotation.PlanApply.as_view(), name="rotation-apply"),
    path("rotation-plans/<int:pk>/drop", rotation.PlanDrop.as_view(), name="rotation-drop"),
    path("rotation-plans/<int:pk>/absent", rotation.PlanAbsent.as_view(), name="rotation-absent"),
    path("rotation-plans/<int:pk>/swap", rotation.PlanSwap.as_view(), name="rotation-swap"),
    path("reliefs", rotation.DueReliefs.as_view(), name="reliefs"),
    path("reliefs/carry-out", rotation.CarryOut.as_view(), name="reliefs-carry-out"),
    path("fairness", rotation.Fairness.as_view(), name="fairness"),
]
