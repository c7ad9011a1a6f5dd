"""Where an ASGI server would find the application; Sabot itself runs on WSGI."""

from __future__ import annotations

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")

application = get_asgi_application()
