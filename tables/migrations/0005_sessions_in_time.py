"""What is recorded at a table follows in time: the instant of the latest, and no two sessions at once."""

import django.contrib.postgres.constraints
import django.contrib.postgres.fields.ranges
from django.db import migrations, models

LAST_AT = migrations.RunSQL(
    """
    ALTER TABLE tables_tablesession ADD COLUMN last_at timestamptz;
    ALTER TABLE tables_tablesession DISABLE TRIGGER sabot_session_changes;
    UPDATE tables_tablesession s SET last_at = coalesce(closed_at, greatest(
        opened_at,
        (SELECT max(coalesce(settled_at, opened_at)) FROM tables_round WHERE session_id = s.id),
        (SELECT max(lower(during)) FROM tables_assignment WHERE session_id = s.id)
    ));
    ALTER TABLE tables_tablesession ENABLE TRIGGER sabot_session_changes;
    ALTER TABLE tables_tablesession ALTER COLUMN last_at SET NOT NULL;
    """,
    "ALTER TABLE tables_tablesession DROP COLUMN last_at",
    state_operations=[
        migrations.AddField(
            "tablesession",
            "last_at",
            models.DateTimeField(help_text="when the latest thing recorded here occurred"),
            preserve_default=False,
        )
    ],
)

ONE_AT_A_TIME = django.contrib.postgres.constraints.ExclusionConstraint(
    name="one_session_at_a_time",
    expressions=[
        (
            models.Func(models.F("table_id"), models.F("table_id"), models.Value("[]"), function="int8range"),
            django.contrib.postgres.fields.ranges.RangeOperators.EQUAL,
        ),
        (
            models.Func(models.F("opened_at"), models.F("closed_at"), function="tstzrange"),
            django.contrib.postgres.fields.ranges.RangeOperators.OVERLAPS,
        ),
    ],
)


class Migration(migrations.Migration):
    dependencies = [("tables", "0004_whole_reasons")]

    operations = [LAST_AT, migrations.AddConstraint("tablesession", ONE_AT_A_TIME)]
