"""What is asked before a table opens; each check calls what the act itself calls (`tables.preflight`)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from django.db.models import Max

from audits import days
from casino.kernel.errors import Conflict, RuleViolation
from casino.kernel.words import Text
from casino.models import Casino, GamingDay
from shoes import shoes as shoe_acts
from shoes.models import Shoe
from tables import (
    chips,
    confirming,
    counts,
    crew,
    duties,
    freezing,
    inforce,
    packs,
    plan_filings,
    plans,
    queries,
)
from tables.checking import Ask, Check, Opening, amber, asked, green, red
from tables.games import registry
from tables.holding import out_of_order
from tables.inforce import Ahead
from tables.models import BetLimits, GameRules, Staff, Table, TableSession
from tables.money import funds
from tables.roster import presence

# ---- the table and its day --------------------------------------------------------------------------


def _the_day(opening: Opening) -> Iterator[Check]:
    casino, date = opening.table.casino, opening.date
    title = Text("Día de juego", "Gaming day")
    one = asked(
        "day",
        title,
        Text(f"día de juego {date}", f"gaming day {date}"),
        "REC-08",
        lambda: days.require_writable(casino, date),
    )
    earlier = GamingDay.objects.filter(casino=casino, state=GamingDay.State.OPEN, date__lt=date)
    held = earlier.order_by("date").first()
    if held is not None and not one.red:
        words = Text(
            f"el día {held} sigue abierto: complete lo que lo retiene",
            f"day {held} is still open: complete what holds it",
        )
        one = amber("day", title, words, "REC-08")
    yield one


def _the_table(opening: Opening) -> Iterator[Check]:
    table = opening.table
    yield asked(
        "table",
        Text("Mesa", "Table"),
        Text("en servicio y sin sesión abierta", "in service, with no session open"),
        "FLOOR-10",
        lambda: require_in_service(table),
        lambda: require_no_session(table),
        lambda: require_after_last(table, opening.instant),
        lambda: duties.require_pit(opening.by, table) if opening.by is not None else None,
    )
    incident = freezing.stopped_at_opening(table.casino, table.name)
    title = Text("Incidentes", "Incidents")
    if incident is None:
        yield green("incidents", title, Text("ninguno detiene la mesa", "none stops the table"), "GEN-08")
    else:
        words = Text(
            f"{incident.label} detiene la mesa: abrirá detenida hasta resolverlo",
            f"{incident.label} stops the table: it opens stopped until that is resolved",
        )
        yield amber("incidents", title, words, "GEN-08")


def require_in_service(table: Table) -> None:
    if not table.active:
        raise Conflict(
            Text(
                f"la mesa {table.name} no está en servicio: póngala en servicio en Ajustes",
                f"table {table.name} is not in service: put it into service under Settings",
            ),
            code="table_out_of_service",
        )


def require_no_session(table: Table) -> None:
    if TableSession.objects.filter(table=table, state__in=TableSession.LIVE).exists():
        raise already_open()


def already_open() -> Conflict:
    return Conflict(
        Text(
            "la mesa ya tiene una sesión abierta; ciérrela antes de abrir otra",
            "the table has an open session already; close it before opening another",
        ),
        code="session_open",
        rule="FLOOR-10",
    )


def require_after_last(table: Table, instant: dt.datetime) -> None:
    """The sessions of a table follow one another in time (FLOOR-10)."""
    last = TableSession.objects.filter(table=table).aggregate(closed=Max("closed_at"))["closed"]
    if last is not None and instant < last:
        raise out_of_order(table.casino, last)


# ---- cards and people -------------------------------------------------------------------------------


def _the_shoe(opening: Opening) -> Iterator[Check]:
    table, shoe = opening.table, opening.shoe
    title = Text("Sabot", "Shoe")
    if shoe is not None or not registry.game(table.game).deck_type:
        fine = (
            Text(f"{shoe.label} listo", f"{shoe.label} is ready")
            if shoe
            else Text("el juego no lleva cartas", "the game has no cards")
        )
        acts = [lambda: packs.require_pack(table.game, shoe), lambda: packs.require_here(shoe, table.name)]
        if shoe is not None:
            acts.insert(1, lambda: shoe_acts.require_ready(shoe, table.game))
        yield asked("shoe", title, fine, "CARD-37", *acts)
        return
    if opening.final:
        yield asked("shoe", title, Text("", ""), "", lambda: packs.require_pack(table.game, shoe))
        return
    ready = Shoe.objects.filter(casino=table.casino, state=Shoe.State.READY, game=table.game)
    n = sum(_is_here(one, table) for one in ready.select_related("renews"))
    if n:
        yield green("shoe", title, Text(f"listos para el juego: {n}", f"ready for the game: {n}"), "CARD-37")
    else:
        yield red("shoe", title, _no_shoe_ready())


def _is_here(shoe: Shoe, table: Table) -> bool:
    try:
        packs.require_here(shoe, table.name)
    except Conflict:
        return False
    return True


def _no_shoe_ready() -> Conflict:
    return Conflict(
        Text(
            "no hay ningún sabot inspeccionado y preparado para este juego: prepare uno",
            "there is no shoe inspected and prepared for this game: prepare one",
        ),
        code="no_shoe",
        rule="CARD-37",
        field="shoe",
    )


def _the_crew(opening: Opening) -> Iterator[Check]:
    title, game = Text("Personas", "People"), opening.table.game
    chosen = opening.crew
    if chosen is None:
        yield _people_free(opening, title)
        return
    one = asked(
        "crew",
        title,
        Text("licencias y habilitaciones vigentes", "licences and qualifications in force"),
        "FLOOR-02",
        lambda: crew.checked(game, chosen.dealer, chosen.supervisor, chosen.payers, opening.date),
        lambda: crew.require_free(opening.table.casino, chosen.people, opening.instant),
    )
    helping = crew.helping_post(game)
    lacking = crew.wanted(game).get(helping, 0) - len(chosen.payers) if helping else 0
    if not one.red and lacking > 0:
        one = amber("crew", title, _helpers_lack(lacking, helping), "FLOOR-02")
    yield one


def _people_free(opening: Opening, title: Text) -> Check:
    """Whether somebody could deal and somebody else supervise, and who is in the house (FLOOR-02)."""
    table, game = opening.table, opening.table.game
    by_post = {
        post: set(queries.fit_people(table.casino_id, game, post, opening.date).values_list("pk", flat=True))
        for post in (crew.dealing_post(game), crew.helping_post(game), "supervisor")
        if post
    }
    dealers, chiefs = by_post[crew.dealing_post(game)], by_post["supervisor"]
    if not dealers or not chiefs or len(dealers | chiefs) < 2:
        post = crew.dealing_post(game) if not dealers else "supervisor"
        return red("crew", title, _nobody_for(post))
    on_shift = set(
        presence.present_first(Staff.objects.filter(pk__in=dealers | chiefs), table.casino)
        .filter(on_shift=True)
        .values_list("pk", flat=True)
    )
    if presence.plans_shifts(table.casino, opening.date) and not (dealers & on_shift and chiefs & on_shift):
        words = Text(
            "hay habilitados libres, pero no en turno: registre su entrada",
            "there are qualified people free, but not on a shift: clock them in",
        )
        return amber("crew", title, words, "FLOOR-02")
    helping = crew.helping_post(game)
    lacking = crew.wanted(game).get(helping, 0) - len(by_post.get(helping, set()) - {min(dealers)})
    if helping and lacking > 0:
        return amber("crew", title, _helpers_lack(lacking, helping), "FLOOR-02")
    words = Text(
        f"libres y habilitados: {len(dealers)} para repartir, {len(chiefs)} jefes de mesa",
        f"free and qualified: {len(dealers)} to deal, {len(chiefs)} supervisors",
    )
    return green("crew", title, words, "FLOOR-02")


def _nobody_for(post: str) -> RuleViolation:
    name = queries.POST_NAMES[post]
    return RuleViolation(
        "FLOOR-02",
        Text(
            f"nadie libre, con licencia vigente y habilitado como {name.es}: releve o habilite a alguien",
            f"nobody free, licensed and qualified as {name.en}: relieve or qualify somebody",
        ),
        code="nobody_fit",
        field=post,
    )


def _helpers_lack(n: int, post: str) -> Text:
    name = queries.POST_NAMES[post]
    return Text(f"faltan para la dotación: {n} {name.es}", f"the crew lacks: {n} {name.en}")


# ---- the float and what came before -----------------------------------------------------------------


def _the_float(opening: Opening) -> Iterator[Check]:
    title, chosen, laid = Text("Fondo", "Float"), opening.crew, opening.chips
    if laid is None or chosen is None:
        words = Text(
            "por contar: cuenta quien reparte y firma el jefe de mesa",
            "to be counted: whoever deals counts and the supervisor signs",
        )
        yield amber("float", title, words, "FLOOR-04")
    else:
        by = opening.by
        counted = counts.Float(laid, chosen.dealer, chosen.supervisor)
        yield asked(
            "float",
            title,
            Text("contado y firmado por dos", "counted and signed by two"),
            "FLOOR-04",
            lambda: counts.checked(counted, by) if by is not None else None,
            lambda: counts.require_chips(laid),
        )
    last = TableSession.objects.filter(table=opening.table).select_related("table", "day").first()
    before = Text("Sesión anterior", "Session before")
    if last is not None and last.state == TableSession.State.CLOSED:
        words = Text(f"falta contar la caja de {last.label}", f"the drop of {last.label} is not counted yet")
        yield amber("before", before, words, "REC-08")
    elif last is not None and last.state == TableSession.State.COUNTED:
        words = Text(f"{last.label} está contada, sin conciliar", f"{last.label} is counted, not reconciled")
        yield amber("before", before, words, "FLOOR-04")
    elif last is None or not last.live:
        yield green("before", before, Text("nada pendiente", "nothing outstanding"), "FLOOR-04")


def the_funds(opening: Opening) -> Iterator[Check]:
    """Without the money to pay, no table opens (FLOOR-15)."""
    needed = chips.total(opening.chips) if opening.chips else 0
    fine = Text("alcanzan", "enough")
    if not funds.kept(opening.table.casino):
        fine = Text("la casa no lleva sus fondos aquí", "the house does not keep its funds here")
    yield asked(
        "funds",
        Text("Fondos de la casa", "House funds"),
        fine,
        "FLOOR-15",
        lambda: funds.require(opening.table.casino, needed),
    )


# ---- rules and limits -------------------------------------------------------------------------------


def the_rules(opening: Opening) -> Iterator[Check]:
    casino, game = opening.table.casino, opening.table.game
    rules = GameRules.in_force(casino, game, opening.instant)
    limits = BetLimits.in_force(opening.table, opening.instant)
    fine = Text("", "")
    if rules is not None:
        fine = Text(
            f"versión {rules.version}, Plan de Apuestas {rules.betting_plan}",
            f"version {rules.version}, betting plan {rules.betting_plan}",
        )
    yield asked(
        "rules",
        Text("Reglas", "Rules"),
        fine,
        "GEN-05",
        lambda: _in_force(opening, rules, limits) if rules is None else require_confirmed(rules),
        lambda: None if rules is None else require_plan_approved(rules, casino, opening.instant),
    )
    yield asked(
        "limits",
        Text("Límites", "Limits"),
        Text("vigentes y dentro del plan", "in force and inside the plan"),
        "GEN-04",
        lambda: require_limits(opening, rules, limits),
    )


def _in_force(opening: Opening, rules: GameRules | None, limits: BetLimits | None) -> inforce.InForce:
    ahead = Ahead(rules.pk if rules else None, limits.pk if limits else None, 0, 0)
    return inforce.in_force(opening.draft, ahead, opening.table.detail)


def require_confirmed(rules: GameRules) -> None:
    """No game is played for money on figures of the book that nobody confirmed (GEN-05)."""
    engine = registry.game(rules.game)
    confirming.refuse_unconfirmed(engine, rules.params, rules.confirmed_by, rules.confirmation)


def require_plan_approved(rules: GameRules, casino: Casino, instant: dt.datetime) -> None:
    """Where the house asks for it, the AJ's approval of these figures still holds (GEN-05, REC-09)."""
    plan_filings.require(casino, registry.game(rules.game), rules.params, casino.gaming_day(instant))


def require_limits(opening: Opening, rules: GameRules | None, limits: BetLimits | None) -> None:
    """The limits in force: there are some, bets can meet them, the shoe is that of the rules, and they lie
    inside the plan of this hour (GEN-04)."""
    if rules is not None or limits is None:
        current = _in_force(opening, rules or GameRules(pk=0), limits)
        current.game.open(current.rules, current.terms)  # refuses positions the game does not take
        packs.require_decks(current, opening.shoe)
    if limits is not None:
        plans.require_inside(opening.table, plans.limits_of(limits), opening.instant)


CHECKS: tuple[Ask, ...] = (_the_day, _the_table, _the_shoe, _the_crew, _the_float, the_funds, the_rules)
