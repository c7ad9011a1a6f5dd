"""The house's files, keys and workers, set aside: a self-test must not write the ones or busy the others.

A task sent to the house's broker would be done on the house's data, under the number of a row of a copy.
"""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from celery import current_app
from django.conf import settings


@contextmanager
def set_aside() -> Iterator[Path]:
    """Files and seal keys go to folders of their own, gone afterwards; what is sent to a worker is done here.

    What the house would log of a fault is not about this house, and is not logged.
    """
    conf = current_app.conf
    usual = (settings.FILES_ROOT, getattr(settings, "KEYS_ROOT", None), conf.task_always_eager)
    silent = logging.root.manager.disable
    with tempfile.TemporaryDirectory(prefix="sabot-selftest-") as name:
        files, keys = Path(name, "files"), Path(name, "keys")
        files.mkdir()
        keys.mkdir(mode=0o700)
        settings.FILES_ROOT, settings.KEYS_ROOT, conf.task_always_eager = files, keys, True
        logging.disable(logging.CRITICAL)
        try:
            yield files
        finally:
            settings.FILES_ROOT, settings.KEYS_ROOT, conf.task_always_eager = usual
            logging.disable(silent)
