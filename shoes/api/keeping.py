"""What the store does with decks, over the API: taken back, set aside, held, released, cancelled."""

from __future__ import annotations

from typing import Any

from audits.api.fields import Own
from audits.api.frame import Given, writes
from audits.api.signatures import Cosigned, PasswordField, SignerField
from audits.by import By
from audits.models import Actor, Incident
from shoes import store
from shoes.api.decks import DeckOut, Moving, SealsField, SerialsField
from shoes.models import Deck


class SerialsIn(Given):
    serials = SerialsField()


class DecksGiveBack(Moving):
    @writes(store.give_back, takes=SerialsIn, gives=DeckOut, many=True)
    def post(self, by: By, given: dict[str, Any]) -> list[Deck]:
        """Take unused decks back into the store."""
        store.give_back(serials=given["serials"], by=by)
        return self.fresh(given["serials"])


class DecksQuarantine(Moving):
    @writes(store.quarantine, takes=SerialsIn, gives=DeckOut, many=True)
    def post(self, by: By, given: dict[str, Any]) -> list[Deck]:
        """Set decks aside until they are inspected. Needs a reason."""
        store.quarantine(serials=given["serials"], by=by)
        return self.fresh(given["serials"])


class WithdrawIn(SerialsIn):
    second = Own(queryset=Actor.objects.all(), help_text="who signs their envelopes with you")


class DecksWithdraw(Moving):
    @writes(store.withdraw, takes=WithdrawIn, gives=DeckOut, many=True)
    def post(self, by: By, given: dict[str, Any]) -> list[Deck]:
        """Take decks out of use for good, into envelopes that two sign (CARD-15). Needs a reason."""
        store.withdraw(serials=given["serials"], with_=given["second"], by=by)
        return self.fresh(given["serials"])


class DecksCancel(Moving):
    @writes(store.cancel, takes=SerialsIn, gives=DeckOut, many=True)
    def post(self, by: By, given: dict[str, Any]) -> list[Deck]:
        """Cancel withdrawn decks, which only an act destroys then; none under investigation (CARD-45)."""
        store.cancel(serials=given["serials"], by=by)
        return self.fresh(given["serials"])


class HoldIn(SerialsIn):
    incident = Own(queryset=Incident.objects.all(), help_text="the open incident they are evidence of")


class DecksHold(Moving):
    @writes(store.hold, takes=HoldIn, gives=DeckOut, many=True)
    def post(self, by: By, given: dict[str, Any]) -> list[Deck]:
        """Keep decks as they are for an investigation: neither reused, cancelled nor destroyed (CARD-45)."""
        store.hold(serials=given["serials"], incident=given["incident"], by=by)
        return self.fresh(given["serials"])


class ReleaseIn(SerialsIn):
    second = SignerField(help_text="user name of somebody of another department, who signs with you")
    second_password = PasswordField()


class DecksRelease(Cosigned, Moving):
    cosigns = ReleaseIn

    @writes(store.release, takes=ReleaseIn, gives=DeckOut, many=True)
    def post(self, by: By, given: dict[str, Any]) -> list[Deck]:
        """End the hold once its incident is resolved, with a second signature; such decks stay withdrawn."""
        store.release(serials=given["serials"], with_=self.signer("second"), by=by)
        return self.fresh(given["serials"])


class ResealIn(Given):
    decks = SealsField(help_text="each with the new seal of its box")
    second = Own(queryset=Actor.objects.all(), help_text="who seals them with you")


class DecksReseal(Moving):
    @writes(store.reseal, takes=ResealIn, gives=DeckOut, many=True)
    def post(self, by: By, given: dict[str, Any]) -> list[Deck]:
        """Close boxes of the store again, before two people, so that they can be issued (CARD-03)."""
        store.reseal(seals=given["decks"], with_=given["second"], by=by)
        return self.fresh(given["decks"])
