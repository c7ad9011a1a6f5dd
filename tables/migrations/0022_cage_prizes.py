"""Prizes paid at the cage: on receipts of series P, each under what it is called, once."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("audits", "0008_filings"),
        ("casino", "0004_sessions_ended"),
        ("tables", "0021_bank"),
    ]

    operations = [
        migrations.AddField(
            model_name="cageoperation",
            name="reference",
            field=models.CharField(blank=True, max_length=40, verbose_name="premio"),
        ),
        migrations.AlterField(
            model_name="cageoperation",
            name="kind",
            field=models.CharField(
                choices=[
                    ("sale", "venta de fichas"),
                    ("redemption", "canje por efectivo"),
                    ("exchange", "cambio de fichas"),
                    ("prize_cash", "premio en efectivo"),
                    ("prize_chips", "premio en fichas"),
                ],
                max_length=12,
                verbose_name="clase",
            ),
        ),
        migrations.AddConstraint(
            model_name="cageoperation",
            constraint=models.UniqueConstraint(
                condition=models.Q(("reference", ""), _negated=True),
                fields=("casino", "reference"),
                name="one_payment_per_prize",
            ),
        ),
        migrations.AddConstraint(
            model_name="cageoperation",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("kind__in", ("prize_cash", "prize_chips")),
                        ("reverses", None),
                        models.Q(("reference", ""), _negated=True),
                    ),
                    models.Q(
                        models.Q(("kind__in", ("prize_cash", "prize_chips")), _negated=True),
                        ("reference", ""),
                    ),
                    _connector="OR",
                ),
                name="prize_paid_names_it",
            ),
        ),
    ]
