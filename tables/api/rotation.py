"""The plan of posts over the API: drafts, what is in force, reliefs due, the ledger of fairness."""

from __future__ import annotations

from typing import Any

import django_filters as filters
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from audits.api.fields import Instant, Own, Words
from audits.api.frame import Endpoint, Given, Row, Rows, writes
from audits.by import By
from casino.kernel import clock
from tables.models import FairnessEntry, Pit, PlannedTurn, RotationPlan, Staff, Table
from tables.roster.rota import applying, asking, carrying_out, drafting, ledger, mending
from tables.roster.rota.stored import draft_of
from tables.roster.rotation import bare, reliefs
from tables.roster.rotation.solving import SOLVERS

MOST = 200
PLANS = RotationPlan.objects.select_related("casino").order_by("-day", "-number")


class RotationTurnOut(serializers.Serializer[Any]):
    """Somebody at a post from slot `first` to before `last`."""

    staff_id = serializers.IntegerField()
    post = serializers.CharField(help_text="table/post/place")
    first = serializers.IntegerField()
    last = serializers.IntegerField()


class RotationPlanOut(serializers.ModelSerializer[RotationPlan]):
    label = serializers.CharField()  # type: ignore[assignment]
    slots = serializers.IntegerField()
    people = serializers.SerializerMethodField()
    posts = serializers.SerializerMethodField()
    turns = serializers.SerializerMethodField()
    measures = serializers.JSONField()

    class Meta:
        model = RotationPlan
        fields = [
            "id", "label", "day", "number", "pit_id", "starts", "ends", "slot_minutes", "slots", "state",
            "base_id", "solver", "people", "posts", "turns", "measures", "made_at", "applied_at", "reason",
        ]  # fmt: skip

    @extend_schema_field(serializers.ListField(child=serializers.IntegerField()))
    def get_people(self, plan: RotationPlan) -> list[int]:
        return [person["id"] for person in plan.made_from["people"]]

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_posts(self, plan: RotationPlan) -> list[str]:
        return _keys(plan)

    @extend_schema_field(RotationTurnOut(many=True))
    def get_turns(self, plan: RotationPlan) -> list[dict[str, Any]]:
        keys = _keys(plan)
        return [
            {"staff_id": staff, "post": keys[k], "first": first, "last": last}
            for staff, k, first, last in plan.turns
        ]


def _keys(plan: RotationPlan) -> list[str]:
    """`table/post/place` of every post of a plan."""
    return [f"{post['table']}/{post['post']}/{post['place']}" for post in plan.made_from["posts"]]


class RotationDraftIn(Given):
    starts = Instant()
    ends = Instant()
    slot_minutes = serializers.IntegerField(min_value=1, max_value=240)
    pit = Own(queryset=Pit.objects.all(), required=False, allow_null=True, default=None)
    tables = serializers.ListField(
        child=Own(queryset=Table.objects.all()),
        max_length=MOST,
        required=False,
        default=list,
        help_text="which tables; none: those that are open",
    )
    solver = serializers.ChoiceField(choices=SOLVERS, required=False, default="auto")


class RotationMoveIn(Given):
    """Somebody at another post over slots; an empty post is off the felt."""

    staff = Own(queryset=Staff.objects.all())
    from_slot = serializers.IntegerField(min_value=0, max_value=drafting.MOST_SLOTS)
    to_slot = serializers.IntegerField(min_value=1, max_value=drafting.MOST_SLOTS)
    post = serializers.CharField(max_length=60, required=False, default="", allow_blank=True)
    swap = serializers.BooleanField(required=False, default=False)


class RotationAbsentIn(Given):
    absent = serializers.ListField(child=Own(queryset=Staff.objects.all()), max_length=MOST)
    apply = serializers.BooleanField(required=False, default=False)


class SwapPostsIn(Given):
    first = Own(queryset=Staff.objects.all())
    second = Own(queryset=Staff.objects.all())
    from_slot = serializers.IntegerField(min_value=0, max_value=drafting.MOST_SLOTS)
    to_slot = serializers.IntegerField(min_value=1, max_value=drafting.MOST_SLOTS)
    apply = serializers.BooleanField(required=False, default=False)


class PlanFilter(filters.FilterSet):
    day = filters.DateFilter()

    class Meta:
        model = RotationPlan
        fields = ["state"]


class Plans(Rows):
    queryset = PLANS
    serializer_class = RotationPlanOut
    filterset_class = PlanFilter

    @writes(drafting.draft_plan, takes=RotationDraftIn, gives=RotationPlanOut, status=201)
    def post(self, by: By, given: dict[str, Any]) -> RotationPlan:
        return drafting.draft_plan(**given, by=by)


class PlanRow(Row):
    queryset = PLANS
    serializer_class = RotationPlanOut


class PlannedReliefOut(serializers.Serializer[Any]):
    """A change of hands in a plan, and why."""

    slot = serializers.IntegerField()
    post = serializers.CharField()
    goes = serializers.IntegerField(allow_null=True)
    comes = serializers.IntegerField()
    words = Words(source="text")


class BarePostOut(serializers.Serializer[Any]):
    """A post nobody holds from slot `first` to before `last`, and why."""

    post = serializers.CharField()
    first = serializers.IntegerField()
    last = serializers.IntegerField()
    words = Words(source="text")


class RotationReasonsOut(serializers.Serializer[Any]):
    reliefs = PlannedReliefOut(many=True)
    bare = BarePostOut(many=True)


class PlanReasons(Endpoint):
    queryset = PLANS
    pagination_class = None

    @extend_schema(responses=RotationReasonsOut)
    def get(self, request: Request, pk: int) -> Response:
        """Why each relief of a plan, and why a post is left bare."""
        plan = self.one(PLANS, pk)
        draft, keys = draft_of(plan), _keys(plan)
        told = {
            "reliefs": [
                {
                    "slot": one.slot,
                    "post": keys[one.post],
                    "goes": int(one.goes) if one.goes else None,
                    "comes": int(one.comes),
                    "text": one.text,
                }
                for one in reliefs(draft)
            ],
            "bare": [
                {"post": keys[one.post], "first": one.first, "last": one.last, "text": one.text}
                for one in bare(draft)
            ],
        }
        return Response(RotationReasonsOut(told, context=self.get_serializer_context()).data)


class PlanEdit(Endpoint):
    @writes(drafting.edit_draft, takes=RotationMoveIn, gives=RotationPlanOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> RotationPlan:
        return drafting.edit_draft(plan=self.one(PLANS, pk), **given, by=by)


class PlanApply(Endpoint):
    @writes(applying.apply_plan, takes=Given, gives=RotationPlanOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> RotationPlan:
        return applying.apply_plan(plan=self.one(PLANS, pk), by=by)


class PlanDrop(Endpoint):
    @writes(drafting.drop_draft, takes=Given, gives=RotationPlanOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> RotationPlan:
        return drafting.drop_draft(plan=self.one(PLANS, pk), by=by)


class PlanAbsent(Endpoint):
    @writes(mending.replan_no_show, takes=RotationAbsentIn, gives=RotationPlanOut, status=201)
    def post(self, by: By, given: dict[str, Any], pk: int) -> RotationPlan:
        return mending.replan_no_show(plan=self.one(PLANS, pk), **given, by=by)


class PlanSwap(Endpoint):
    @writes(mending.swap_turns, takes=SwapPostsIn, gives=RotationPlanOut, status=201)
    def post(self, by: By, given: dict[str, Any], pk: int) -> RotationPlan:
        return mending.swap_turns(plan=self.one(PLANS, pk), **given, by=by)


class ReliefDueOut(serializers.Serializer[Any]):
    """A relief: `turn` names it when it is confirmed."""

    turn = serializers.IntegerField(source="turn.pk")
    table = serializers.CharField()
    post = serializers.CharField()
    at = serializers.DateTimeField()
    comes = serializers.IntegerField(source="comes.pk")
    comes_name = serializers.CharField(source="comes.name")
    goes = serializers.SerializerMethodField()
    goes_name = serializers.SerializerMethodField()

    def get_goes(self, due: asking.Due) -> int | None:
        return due.goes.pk if due.goes else None

    def get_goes_name(self, due: asking.Due) -> str:
        return due.goes.name if due.goes else ""


class DueReliefs(Rows):
    """The reliefs the plan in force asks for now, those of the next five minutes among them."""

    queryset = PlannedTurn.objects.none()
    serializer_class = ReliefDueOut
    filter_backends: Any = ()

    def get_queryset(self) -> Any:
        if getattr(self, "swagger_fake_view", False):
            return self.queryset
        return asking.due_reliefs(self.casino, clock.now(), asking.AHEAD)


class CarryOutIn(Given):
    turns = serializers.ListField(child=Own(queryset=PlannedTurn.objects.all()), max_length=MOST)


class ReliefFailedOut(serializers.Serializer[Any]):
    due = ReliefDueOut()
    words = Words()


class ReliefsCarriedOut(serializers.Serializer[Any]):
    done = ReliefDueOut(many=True)
    failed = serializers.SerializerMethodField()

    @extend_schema_field(ReliefFailedOut(many=True))
    def get_failed(self, carried: carrying_out.Carried) -> Any:
        rows = [{"due": due, "words": words} for due, words in carried.failed]
        return ReliefFailedOut(rows, many=True, context=self.context).data


class CarryOut(Endpoint):
    @writes(carrying_out.carry_out, takes=CarryOutIn, gives=ReliefsCarriedOut)
    def post(self, by: By, given: dict[str, Any]) -> carrying_out.Carried:
        """Make the reliefs of the list that were confirmed; those that may not be made are told with why."""
        return carrying_out.carry_out(**given, by=by)


class FairnessOut(serializers.ModelSerializer[FairnessEntry]):
    class Meta:
        model = FairnessEntry
        fields = ["id", "staff_id", "day", "pit_id", "minutes", "present", "weight", "credit"]


class FairnessIn(Given):
    day = serializers.DateField()


class CreditFilter(filters.FilterSet):
    day = filters.DateFilter()
    staff = filters.NumberFilter(field_name="staff_id", min_value=1, max_value=2**63 - 1)

    class Meta:
        model = FairnessEntry
        fields: list[str] = []


class Fairness(Rows):
    queryset = FairnessEntry.objects.order_by("-day", "staff_id", "pit_id")
    serializer_class = FairnessOut
    filterset_class = CreditFilter

    @writes(ledger.note_fairness, takes=FairnessIn, gives=FairnessOut, many=True)
    def post(self, by: By, given: dict[str, Any]) -> list[FairnessEntry]:
        return ledger.note_fairness(**given, by=by)
