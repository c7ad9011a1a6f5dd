"""What a self-test says: a line for each fault as it is done, and all of it as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from casino.kernel.words import Text
from casino.selftest.faults import Fault
from casino.selftest.running import Outcome, Verdict

VERDICTS: dict[Verdict, Text] = {
    Verdict.NOTICED: Text("visto", "noticed"),
    Verdict.OTHER: Text("OTRO CONTROL", "OTHER CONTROL"),
    Verdict.UNNOTICED: Text("INADVERTIDO", "UNNOTICED"),
    Verdict.BROKEN: Text("PRUEBA FALLIDA", "TEST BROKEN"),
}
_NOBODY = Text("nadie", "nobody")
_WIDTHS = (14, 13, 26, 48)


def heading(language: str | None) -> str:
    return _columns(
        Text("veredicto", "verdict").say(language),
        Text("cuándo", "when").say(language),
        Text("la introduce", "put in by").say(language),
        Text("la descubre", "caught by").say(language),
        Text("falla", "fault").say(language),
    )


def line(outcome: Outcome, language: str | None) -> str:
    """One fault; what went otherwise than promised, and what was said then, on lines of their own."""
    fault = outcome.fault
    told = _columns(
        VERDICTS[outcome.verdict].say(language),
        outcome.when.say(language) if outcome.when else "",
        fault.hand.say(language),
        outcome.caught or _NOBODY.say(language),
        f"{fault.code}: {fault.name.say(language)}",
    )
    if outcome.verdict is Verdict.NOTICED:
        return told
    promised = Text("se prometió", "promised was").say(language)
    why = outcome.trouble.say(language) if outcome.trouble else outcome.said
    return f"{told}\n{'':<{_WIDTHS[0]}}  {promised} {fault.promised}; {why}".rstrip("; ")


def listed(fault: Fault, language: str | None) -> str:
    return _columns(
        fault.code.partition(".")[0],
        fault.promised.when.say(language),
        fault.hand.say(language),
        str(fault.promised),
        f"{fault.code}: {fault.name.say(language)}",
    )


def summary(outcomes: Sequence[Outcome], language: str | None) -> str:
    many = {verdict: sum(one.verdict == verdict for one in outcomes) for verdict in Verdict}
    wrong = ", ".join(
        f"{many[verdict]} {VERDICTS[verdict].say(language).lower()}"
        for verdict in (Verdict.OTHER, Verdict.UNNOTICED, Verdict.BROKEN)
        if many[verdict]
    )
    seen = Text(
        f"{many[Verdict.NOTICED]} de {len(outcomes)} fallas descubiertas por el control prometido",
        f"{many[Verdict.NOTICED]} of {len(outcomes)} faults caught by the control that was promised",
    ).say(language)
    return f"{seen}; {wrong}" if wrong else seen


def as_json(outcomes: Sequence[Outcome]) -> dict[str, object]:
    return {
        "faults": [_told(one) for one in outcomes],
        **{str(verdict): sum(one.verdict == verdict for one in outcomes) for verdict in Verdict},
    }


def _told(outcome: Outcome) -> dict[str, object]:
    fault = outcome.fault
    return {
        "code": fault.code,
        "name": fault.name.as_dict(),
        "hand": fault.hand.as_dict(),
        "promised": str(fault.promised),
        "promised_when": fault.promised.when.as_dict(),
        "verdict": str(outcome.verdict),
        "caught": outcome.caught,
        "when": outcome.when.as_dict() if outcome.when else None,
        "said": outcome.said,
        "trouble": outcome.trouble.as_dict() if outcome.trouble else None,
    }


def _columns(*cells: str) -> str:
    return "  ".join(f"{cell:<{width}}" for cell, width in zip(cells, (*_WIDTHS, 0), strict=True)).rstrip()
