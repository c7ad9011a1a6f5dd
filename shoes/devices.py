"""The numbered boxes and machines of the house (CARD-46): their inventory, and what a shoe may name."""

from __future__ import annotations

from audits import trail
from audits.by import By
from audits.history import save_version
from casino.kernel import texts
from casino.kernel.commands import command, explain_constraint
from casino.kernel.errors import Conflict, Refused, RuleViolation
from casino.kernel.words import Text
from casino.models import Casino
from shoes import actions, policies
from shoes.models import Device, Shoe
from shoes.procedures import MACHINE_SHOE
from shoes.saying import DEVICES

RULE = "CARD-46"
Kind = Device.Kind


@command(policies.SET_STORE, setting=True)
def set_device(
    *,
    number: str,
    kind: str,
    by: By,
    maker: str = "",
    serial: str = "",
    active: bool = True,
    device: Device | None = None,
) -> Device:
    """Enter a box or machine under its number, or change `device`. Needs a reason.

    Raises `Refused` (`bad_device`, `reason_missing`), `Conflict` (`device_exists`; `device_in_use` for one
    with cards inside, which keeps its number, its kind and its service).
    """
    told = {
        "number": texts.line(number, "number", 20, code="bad_device", rule=RULE),
        "kind": _kind(kind),
        "maker": texts.line(maker, "maker", 60, code="bad_device", least=0),
        "serial": texts.line(serial, "serial", 40, code="bad_device", least=0),
        "active": bool(active),
    }
    if device is not None:
        device = Device.objects.select_for_update(no_key=True).get(pk=device.pk)
        _require_free(device, told)
    others = Device.objects.filter(casino=by.casino, number=told["number"])
    if others.exclude(pk=device.pk if device else 0).exists():
        raise _exists()
    device = device or Device(casino=by.casino)
    for name, value in told.items():
        setattr(device, name, value)
    save_version(device, by=by)
    trail.record(
        actions.DEVICE_SET,
        stream=trail.SETTINGS_STREAM,
        subject=trail.Subject("device", device.pk, device.number),
        by=by,
        data={name: value for name, value in told.items() if name != "number"},
        rules=[RULE],
    )
    return device


def kind_for(method: str, *, shuffling: bool = False) -> str:
    """What a preparation puts its cards into: by its method the machine that serves as shoe, else a shoe, or
    the machine that only shuffles them."""
    if method == MACHINE_SHOE:
        return Kind.MACHINE_SHOE
    return Kind.SHUFFLER if shuffling else Kind.SHOE


def require_device(casino: Casino, number: str, kind: str, *, field: str) -> None:
    """A box or machine that cards go into is one of the house's inventory, of the right kind and in service.

    Where the house keeps none, any number will do. Raises `RuleViolation` CARD-46 (`unknown_device`).
    """
    if not number:
        return
    known = {device.number: device for device in Device.objects.filter(casino=casino)}
    found = known.get(number)
    if not known or (found is not None and found.active and found.kind == kind):
        return
    what = DEVICES[kind]
    raise RuleViolation(
        RULE,
        Text(
            f"«{number[:20]}» no figura como {what.es} en servicio en el inventario; use otro o regístrelo",
            f"“{number[:20]}” is no {what.en} in service in the inventory; use another or enter it",
        ),
        {"device": number, "kind": kind},
        code="unknown_device",
        field=field,
    )


def _kind(given: str) -> str:
    if given not in Kind.values:
        raise Refused(
            Text("elija la clase: sabot o barajadora", "choose what it is: a shoe or a shuffler"),
            code="bad_device",
            field="kind",
        )
    return given


def _require_free(device: Device, told: dict[str, object]) -> None:
    """What holds cards now is named by its shoe: it stays what it is until that one ends."""
    same = (device.number, device.kind) == (told["number"], told["kind"]) and (
        told["active"] or not device.active
    )
    inside = Shoe.objects.filter(casino=device.casino_id, device=device.number).exclude(
        state=Shoe.State.ENDED
    )
    shoe = None if same else inside.order_by("pk").first()
    if shoe is not None:
        raise Conflict(
            Text(
                f"{device.number} contiene el sabot {shoe.label}; termínelo antes de cambiarlo",
                f"{device.number} holds shoe {shoe.label}; end it before changing this",
            ),
            code="device_in_use",
            rule=RULE,
            field="number",
            detail={"shoe": shoe.label},
        )


def _exists() -> Conflict:
    return Conflict(
        Text("ya hay un sabot o una máquina con ese número", "a shoe or machine of that number exists"),
        code="device_exists",
        rule=RULE,
        field="number",
    )


explain_constraint("one_device_per_number", _exists)
